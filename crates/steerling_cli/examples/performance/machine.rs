//! The machine, and the memory of the process.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::thread::available_parallelism;

/// The processor, and the target of this build.
pub fn description() -> String {
    let cores = available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores, {OS}; compiled for {ARCH}{}", processor(), target())
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split(':').nth(1)).map(|value| value.trim().to_owned())
    };
    match (field("model name"), field("cpu family"), field("model")) {
        // Some virtual machines report only the family of the processor.
        (Some(name), Some(family), Some(model)) => format!("{name} (family {family}, model {model})"),
        (Some(name), ..) => name,
        _ => "an unknown processor".to_owned(),
    }
}

fn target() -> &'static str {
    if cfg!(target_feature = "avx512f") {
        " with AVX-512"
    } else if cfg!(target_feature = "avx2") {
        "-v3 (AVX2)"
    } else if cfg!(target_feature = "sse2") {
        " (SSE2, Rust's default)"
    } else {
        ""
    }
}

/// The peak memory of this process, MB, if Linux reports it.
pub fn peak_memory() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kilobytes| kilobytes * 1024.0 / 1e6)
}

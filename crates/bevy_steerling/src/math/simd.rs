//! The instructions with which eight agents at a time are computed.
//!
//! Code for eight agents is generic over [`Simd`](fearless_simd::Simd). [`dispatch`] compiles it for the instructions that every
//! machine of the target has, and on x86 also for AVX2. All functions between it and the arithmetic must be `#[inline(always)]`. The
//! results are bit-identical: no multiplication is fused with an addition.

#[cfg(feature = "std")]
use std::sync::LazyLock;

use fearless_simd::Level;

/// The environment variable for the instructions. With the value `baseline`, only instructions that every machine of the target has are
/// used.
#[cfg(feature = "std")]
const VARIABLE: &str = "STEERLING_SIMD";

#[cfg(feature = "std")]
static LEVEL: LazyLock<Level> = LazyLock::new(|| {
    let is_baseline = std::env::var(VARIABLE).is_ok_and(|name| name == "baseline");
    usable(if is_baseline { Level::baseline() } else { Level::new() })
});

/// The instructions to use.
#[inline]
pub(crate) fn level() -> Level {
    #[cfg(feature = "std")]
    return *LEVEL;
    #[cfg(not(feature = "std"))]
    usable(Level::baseline())
}

/// The best instructions that [`dispatch`] knows.
fn usable(level: Level) -> Level {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        let avx2 = level.as_avx2().map(Level::Avx2);
        avx2.or_else(|| level.as_sse2().map(Level::Sse2)).unwrap_or(level)
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    level
}

/// `dispatch!(level, simd => code)` runs code with the instructions of a level.
macro_rules! dispatch {
    (@run $simd:ident => $code:expr) => {
        $simd.vectorize(
            #[inline(always)]
            || $code,
        )
    };
    ($level:expr, $simd:ident => $code:expr) => {{
        use fearless_simd::{Level, Simd};
        match $level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2($simd) => dispatch!(@run $simd => $code),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Sse2($simd) => dispatch!(@run $simd => $code),
            #[cfg(target_arch = "aarch64")]
            Level::Neon($simd) => dispatch!(@run $simd => $code),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::WasmSimd128($simd) => dispatch!(@run $simd => $code),
            #[cfg(not(any(
                all(target_arch = "aarch64", target_feature = "neon"),
                all(
                    any(target_arch = "x86", target_arch = "x86_64"),
                    target_feature = "sse2",
                    target_feature = "fxsr"
                ),
                all(target_arch = "wasm32", target_feature = "simd128")
            )))]
            Level::Fallback($simd) => dispatch!(@run $simd => $code),
            _ => unreachable!("`level` returns one of the above"),
        }
    }};
}
pub(crate) use dispatch;

/// All instructions that [`dispatch`] knows and the machine has.
#[cfg(all(test, feature = "std"))]
pub(crate) fn levels() -> [Level; 2] {
    [usable(Level::baseline()), usable(Level::new())]
}

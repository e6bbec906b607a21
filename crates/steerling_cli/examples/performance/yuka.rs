//! The same work in Yuka, a JavaScript library, if Node.js is installed.

use std::error::Error;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::workloads::Scene;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/performance/yuka.mjs");
pub const PACKAGE: &str = "yuka@0.7.8";

/// Yuka, ready to run.
pub struct Yuka {
    folder: tempfile::TempDir,
}

impl Yuka {
    /// Downloads Yuka from npm into a separate folder. The error tells what is missing.
    pub fn install() -> Result<Self, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        fs::copy(SCRIPT, folder.path().join("yuka.mjs"))?;
        output(Command::new("node").arg("--version"))?;
        output(
            Command::new("npm").args(["install", "--silent", "--no-audit", "--no-fund", PACKAGE]).current_dir(&folder),
        )?;
        Ok(Self { folder })
    }

    /// Nanoseconds per agent and tick; `None` if Yuka has no equivalent.
    pub fn time(&self, name: &str, scene: &Scene, agents: usize, ticks: usize) -> Result<Option<f64>, Box<dyn Error>> {
        let Some(parameters) = scene.for_yuka() else { return Ok(None) };
        let script = Path::new("yuka.mjs");
        let arguments = [name.to_owned(), agents.to_string(), ticks.to_string(), parameters.to_string()];
        let printed = output(Command::new("node").arg(script).args(arguments).current_dir(&self.folder))?;
        Ok(Some(printed.trim().parse()?))
    }
}

/// The output of a program.
fn output(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no `{program}`"),
        _ => format!("{program}: {error}"),
    })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{program}` fails: {}", message.lines().next().unwrap_or("without a word")).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

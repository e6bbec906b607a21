//! The `steerling` command: runs scenario files without a window, checks them against expected motion, and times them.

#![allow(clippy::duplicate_mod, reason = "the commands are the same for the scenes of both dimensions")]

mod args;
mod output;
mod plane;
mod print;
mod progress;
mod schema;
mod space;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use steerling_scenario::{dimensions, read_text};

use crate::args::{BenchArgs, RunArgs};
use crate::print::{complain, pretty, say};

/// The exit status of a check that found a difference.
const FAILED: u8 = 1;
/// The exit status after wrong usage or invalid input.
const REFUSED: u8 = 2;

/// Runs scenario files without a window, with the steering plugin that games use
#[derive(Parser)]
#[command(name = "steerling", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a scenario and prints a summary
    Run(RunArgs),
    /// Runs scenarios and compares them with their expected motion
    ///
    /// Each file contains a scenario and its expected motion. Prints one line per file. The exit status is
    /// 0 if all match, 1 if one does not match, and 2 if one cannot be read.
    Check {
        /// The files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Measures the time of the ticks of a scenario
    ///
    /// Runs it from its start once to warm up, and then several times.
    Bench(BenchArgs),
    /// Prints the JSON Schema of scenario files
    Schema,
}

fn main() -> ExitCode {
    output::clean_up_when_stopped();
    let result = match Cli::parse().command {
        Command::Run(args) => run_scenario(&args).map(|()| 0),
        Command::Check { files } => check_files(&files),
        Command::Bench(args) => bench_scenario(&args).map(|()| 0),
        Command::Schema => pretty(&schema::schema()).and_then(|text| say(&text)).map(|()| 0),
    };
    ExitCode::from(result.unwrap_or_else(|error| {
        complain(&error);
        REFUSED
    }))
}

fn run_scenario(args: &RunArgs) -> Result<(), String> {
    let text = read(&args.scene.file)?;
    if dimensions(&text) == 3 { space::run_scenario(&text, args) } else { plane::run_scenario(&text, args) }
}

fn bench_scenario(args: &BenchArgs) -> Result<(), String> {
    let text = read(&args.scene.file)?;
    if dimensions(&text) == 3 { space::bench_scenario(&text, args) } else { plane::bench_scenario(&text, args) }
}

fn check_files(files: &[PathBuf]) -> Result<u8, String> {
    let mut status = 0;
    for file in files {
        match check(file) {
            Ok((matches, line)) => {
                say(&line)?;
                status = status.max(if matches { 0 } else { FAILED });
            }
            Err(error) => {
                complain(&error);
                status = REFUSED;
            }
        }
    }
    Ok(status)
}

fn check(file: &Path) -> Result<(bool, String), String> {
    let text = read(file)?;
    if dimensions(&text) == 3 { space::check(file, &text) } else { plane::check(file, &text) }
}

fn read(file: &Path) -> Result<String, String> {
    read_text(file).map_err(|error| error.to_string())
}

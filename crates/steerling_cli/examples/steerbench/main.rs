//! Runs the cases of the `SteerBench` suite and compares them with ORCA.
//!
//! Prints `docs/steerbench.md`:
//!
//! ```sh
//! cargo run --release -p steerling_cli --example steerbench > docs/steerbench.md
//! ```
//!
//! The scenes are in `assets/scenarios/steerbench`. They are converted from the cases of the suite, in the JSON format that
//! `convert.rs` describes:
//!
//! ```sh
//! cargo run --release -p steerling_cli --example steerbench -- convert CASES
//! ```

mod convert;
mod orca;
mod report;
mod thinking;

use std::convert::Infallible;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use clap::{Parser, Subcommand};
use steerling_scenario::{Scenario, Summary, Threads, run};

use crate::report::{Row, print_missed, print_page};

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");

/// Prints how the cases of the suite come out, next to ORCA, as Markdown.
#[derive(Parser)]
struct Options {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Converts the cases of the suite to scenario files
    Convert {
        /// The folder with the cases
        cases: PathBuf,
    },
}

fn main() -> ExitCode {
    let scenes = Path::new(ASSETS).join("scenarios/steerbench");
    let done = match Options::parse().command {
        Some(Command::Convert { cases }) => convert_all(&cases, &scenes),
        None => run_all(&scenes),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn convert_all(cases: &Path, scenes: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(scenes)?;
    for path in json_files(cases)? {
        let text = fs::read_to_string(&path)?;
        let scene = convert::scene(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        fs::write(scenes.join(path.file_name().unwrap_or_default()), scene)?;
    }
    Ok(())
}

fn run_all(scenes: &Path) -> Result<(), Box<dyn Error>> {
    let orca = orca::read(&Path::new(ASSETS).join("steerbench/orca.json"))?;
    let files = json_files(scenes)?;
    let rows: Vec<Row> = files
        .iter()
        .map(|path| {
            let scenario = Scenario::read(path)?;
            let summary = measure(&scenario);
            let orca = orca.get(&summary.name).cloned().ok_or_else(|| format!("no {} of ORCA", summary.name))?;
            Ok(Row { summary, orca })
        })
        .collect::<Result<_, Box<dyn Error>>>()?;
    print_page(&rows);
    thinking::print(&files)?;
    print_missed();
    Ok(())
}

fn measure(scenario: &Scenario) -> Summary {
    let Ok(summary): Result<Summary, Infallible> = run(scenario, scenario.ticks(), Threads::Exactly(1), |_| Ok(()));
    summary
}

/// The JSON files in a folder, sorted by name.
fn json_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", folder.display())))?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    Ok(files)
}

//! Runs the tests with which simulators of pedestrians are verified, and compares the results with people.
//!
//! Prints `docs/pedestrians.md`, and draws its figures:
//!
//! ```sh
//! cargo run --release -p steerling_cli --example pedestrians -- --figures docs/figures > docs/pedestrians.md
//! ```
//!
//! The scenes are in `assets/scenarios/pedestrians`. `scenes.rs` describes them:
//!
//! ```sh
//! cargo run --release -p steerling_cli --example pedestrians -- make
//! ```

#[path = "../support/chart.rs"]
mod chart;
#[path = "../support/doorways.rs"]
mod doorways;
mod figures;
mod page;
mod people;
mod results;
mod runs;
mod scenes;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::people::People;
use crate::runs::Runs;

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");

/// Prints how the tests come out, as Markdown.
#[derive(Parser)]
struct Options {
    #[command(subcommand)]
    command: Option<Command>,
    /// Also draw the figures, in this folder
    #[arg(long, value_name = "FOLDER")]
    figures: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Writes the scenario files
    Make,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let folder = Path::new(ASSETS).join("scenarios/pedestrians");
    let done = match options.command {
        Some(Command::Make) => make(&folder),
        None => run(&folder, options.figures.as_deref()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn make(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for scene in scenes::all() {
        fs::write(folder.join(format!("{}.json", scene.file)), scene.text)?;
    }
    Ok(())
}

fn run(folder: &Path, figures: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let people = People::read(&Path::new(ASSETS).join("pedestrians/people.json"))?;
    let runs = Runs::of(folder)?;
    if let Some(folder) = figures {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("pedestrians_speed.svg"), figures::speed(&runs, &people))?;
        fs::write(folder.join("pedestrians_doorways.svg"), figures::doorways(&runs, &people))?;
    }
    page::print(&runs, &people);
    Ok(())
}

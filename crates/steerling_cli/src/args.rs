//! The arguments of the commands.

use std::path::PathBuf;

use clap::{ArgGroup, Args, value_parser};

/// The scenario and how to run it.
#[derive(Args)]
pub struct SceneArgs {
    /// The scenario
    pub file: PathBuf,
    /// Number of ticks to run, instead of the file's
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(..=1_000_000_000))]
    pub ticks: Option<u64>,
    /// Seed of all randomness, instead of the file's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Number of threads [default: one for small scenes]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

#[derive(Args)]
pub struct BenchArgs {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Number of runs to measure
    #[arg(long, value_name = "R", default_value_t = 5, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub repeat: u32,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(group = ArgGroup::new("rows").args(["trace", "why"]).multiple(true))]
pub struct RunArgs {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Write the state of every agent at every tick, as CSV
    #[arg(long, value_name = "OUT.csv")]
    pub trace: Option<PathBuf>,
    /// Write the contribution of every behavior at every tick, as CSV
    #[arg(long, value_name = "OUT.csv")]
    pub why: Option<PathBuf>,
    /// Write CSV rows only for every K-th tick
    #[arg(long, value_name = "K", default_value_t = 1, requires = "rows", value_parser = value_parser!(u64).range(1..))]
    pub every: u64,
    /// Write the summary, as JSON
    #[arg(long, value_name = "OUT.json")]
    pub summary: Option<PathBuf>,
    /// Draw all paths, as SVG
    #[arg(long, value_name = "OUT.svg")]
    pub plot: Option<PathBuf>,
}

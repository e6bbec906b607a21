//! The `steerling` command: runs scenario files without a window, checks them against expected motion, and times them.

mod output;
mod progress;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ArgGroup, Args, Parser, Subcommand, value_parser};
use serde::Serialize;
use steerling_scenario::{
    Benchmark, Components, EventCounts, Expectation, GateSummary, Overlaps, Plot, Scenario, Summary, Threads, Trace,
    Why, bench, run, schema,
};

use crate::output::OutputFile;
use crate::progress::Progress;

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

/// The scenario and how to run it.
#[derive(Args)]
struct SceneArgs {
    /// The scenario
    file: PathBuf,
    /// Number of ticks to run, instead of the file's
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(..=1_000_000_000))]
    ticks: Option<u64>,
    /// Seed of all randomness, instead of the file's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Number of threads [default: one for small scenes]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl SceneArgs {
    /// The scenario, the number of ticks, and the threads.
    fn read(&self) -> Result<(Scenario, u64, Threads), String> {
        let scenario = match self.seed {
            None => Scenario::read(&self.file),
            Some(seed) => Scenario::read_with_seed(&self.file, seed),
        }
        .map_err(|error| error.to_string())?;
        let ticks = self.ticks.unwrap_or(scenario.ticks());
        Ok((scenario, ticks, self.threads.map_or(Threads::Auto, |threads| Threads::Exactly(threads.into()))))
    }
}

#[derive(Args)]
struct BenchArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Number of runs to measure
    #[arg(long, value_name = "R", default_value_t = 5, value_parser = value_parser!(u32).range(1..=1_000_000))]
    repeat: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
#[command(group = ArgGroup::new("rows").args(["trace", "why"]).multiple(true))]
struct RunArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Write the state of every agent at every tick, as CSV
    #[arg(long, value_name = "OUT.csv")]
    trace: Option<PathBuf>,
    /// Write the contribution of every behavior at every tick, as CSV
    #[arg(long, value_name = "OUT.csv")]
    why: Option<PathBuf>,
    /// Write CSV rows only for every K-th tick
    #[arg(long, value_name = "K", default_value_t = 1, requires = "rows", value_parser = value_parser!(u64).range(1..))]
    every: u64,
    /// Write the summary, as JSON
    #[arg(long, value_name = "OUT.json")]
    summary: Option<PathBuf>,
    /// Draw all paths, as SVG
    #[arg(long, value_name = "OUT.svg")]
    plot: Option<PathBuf>,
}

fn main() -> ExitCode {
    output::clean_up_when_stopped();
    let result = match Cli::parse().command {
        Command::Run(args) => run_scenario(&args).map(|()| 0),
        Command::Check { files } => check_files(&files),
        Command::Bench(args) => bench_scenario(&args).map(|()| 0),
        Command::Schema => pretty(&schema()).and_then(|text| say(&text)).map(|()| 0),
    };
    ExitCode::from(result.unwrap_or_else(|error| {
        complain(&error);
        REFUSED
    }))
}

/// Prints an error in one line on standard error. If that fails, there is no other place to report it.
fn complain(error: &str) {
    let _ = writeln!(io::stderr(), "error: {}", one_line(error));
}

/// Escapes control characters: names in a file may contain line breaks and terminal codes.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}

fn run_scenario(args: &RunArgs) -> Result<(), String> {
    let (mut scenario, ticks, threads) = args.scene.read()?;
    let outputs = [&args.trace, &args.why, &args.summary, &args.plot].map(Option::as_deref);
    output::refuse_conflicts(&args.scene.file, outputs)?;
    let mut trace = start(&args.trace, Trace::new)?;
    let mut why = start(&args.why, Why::new)?;
    let mut summary_file = args.summary.as_deref().map(OutputFile::create).transpose()?;
    let mut plot_file = args.plot.as_deref().map(OutputFile::create).transpose()?;

    if why.is_some() {
        scenario = scenario.explained();
    }
    let mut plot = plot_file.as_ref().map(|_| Plot::new(&scenario));
    let progress = Progress::new(ticks);
    let summary = run(&scenario, ticks, threads, |simulation| {
        progress.set(simulation.ticks_done());
        if let Some(plot) = &mut plot {
            plot.record(simulation);
        }
        if simulation.ticks_done().is_multiple_of(args.every) {
            let traced = trace.as_mut().map_or(Ok(()), |trace| trace.record(simulation));
            traced.map_err(|error| unwritable(&args.trace, error))?;
            let explained = why.as_mut().map_or(Ok(()), |why| why.record(simulation));
            explained.map_err(|error| unwritable(&args.why, error))?;
        }
        Ok::<(), String>(())
    })?;
    progress.finish();

    let trace_file = finish(&args.trace, trace.map(Trace::finish))?;
    let why_file = finish(&args.why, why.map(Why::finish))?;
    if let Some(file) = &mut summary_file {
        write_to(file, &pretty(&summary)?)?;
    }
    if let (Some(file), Some(plot)) = (&mut plot_file, plot) {
        write_to(file, &plot.finish())?;
    }
    // All files are complete before the first one takes its place.
    for file in [trace_file, why_file, summary_file, plot_file].into_iter().flatten() {
        file.keep()?;
    }
    say(&table(&summary, scenario.obstacle_count() > 0))
}

type Buffered = io::BufWriter<OutputFile>;

/// Starts a file that is written row by row.
fn start<T>(path: &Option<PathBuf>, begin: fn(Buffered) -> io::Result<T>) -> Result<Option<T>, String> {
    let Some(file) = path.as_deref().map(OutputFile::create).transpose()? else { return Ok(None) };
    begin(io::BufWriter::new(file)).map(Some).map_err(|error| unwritable(path, error))
}

/// Finishes a file that was written row by row.
fn finish(path: &Option<PathBuf>, rows: Option<io::Result<Buffered>>) -> Result<Option<OutputFile>, String> {
    rows.map(|rows| rows?.into_inner().map_err(|error| error.into_error()))
        .transpose()
        .map_err(|error| unwritable(path, error))
}

fn bench_scenario(args: &BenchArgs) -> Result<(), String> {
    let (scenario, ticks, threads) = args.scene.read()?;
    let progress = Progress::new(ticks * (u64::from(args.repeat) + 1));
    let benchmark = bench(&scenario, ticks, args.repeat as usize, threads, |_| progress.advance());
    progress.finish();
    say(&if args.json { pretty(&benchmark)? } else { bench_table(&benchmark) })
}

/// Pretty-printed JSON.
fn pretty(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(|error| error.to_string())
}

fn write_to(file: &mut OutputFile, text: &str) -> Result<(), String> {
    file.write_all(text.as_bytes()).map_err(|error| output::unwritable(file.path(), &error))
}

fn unwritable(path: &Option<PathBuf>, error: io::Error) -> String {
    output::unwritable(path.as_deref().unwrap_or(Path::new("")), &error)
}

fn check_files(files: &[PathBuf]) -> Result<u8, String> {
    let mut status = 0;
    for file in files {
        match Expectation::read(file) {
            Ok(expectation) => {
                let name = expectation.scenario().name();
                let outcome = expectation.check(Threads::Auto);
                match outcome.mismatch {
                    None => say(&format!("ok {} max error {:.3e}\n", one_line(name), outcome.max_error))?,
                    Some(mismatch) => {
                        say(&format!("{}\n", one_line(&format!("FAIL {name} {mismatch}"))))?;
                        status = status.max(FAILED);
                    }
                }
            }
            Err(error) => {
                complain(&error.to_string());
                status = REFUSED;
            }
        }
    }
    Ok(status)
}

/// Prints to standard output. A closed pipe, as with `head`, is not an error.
fn say(text: &str) -> Result<(), String> {
    match io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

/// The summary as a table.
fn table(summary: &Summary, obstacles: bool) -> String {
    let (collisions, goals) = (&summary.collisions, &summary.goals);
    let mut rows = vec![
        ("scenario", one_line(&summary.name)),
        ("agents", summary.agents.to_string()),
        ("ticks", format!("{} of {} s", summary.ticks, summary.tick)),
        ("collisions", overlaps(&collisions.with_agents)),
    ];
    if obstacles {
        rows.push(("… with obstacles", overlaps(&collisions.with_obstacles)));
    }
    if goals.of > 0 {
        let last = number(goals.last_time, " s");
        rows.push(("goals reached", format!("{} of {}, the last after {last}", goals.reached, goals.of)));
    }
    if summary.events != EventCounts::default() {
        rows.push(("events", event_counts(&summary.events)));
    }
    rows.extend(summary.gates.iter().map(|gate| ("gate", gate_line(gate))));
    if let Some(flock) = &summary.flock {
        let Components { count, largest } = &flock.components;
        let components = format!("{}, the largest with {} of all", number(*count, ""), number(*largest, ""));
        rows.extend([
            ("polarization", number(flock.polarization, "")),
            ("components", components),
            ("nearest neighbor", number(flock.nearest_neighbor, "")),
        ]);
    }
    if summary.respawns > 0 {
        rows.push(("respawns", summary.respawns.to_string()));
    }
    rows.extend([
        ("mean path length", number(summary.path_length, "")),
        ("mean speed", number(summary.speed, " /s")),
        ("mean effort", number(summary.effort, " /s")),
        ("state hash", summary.state_hash.clone()),
        ("time per agent tick", number(summary.ns_per_agent_tick, " ns")),
    ]);
    aligned(rows)
}

fn overlaps(overlaps: &Overlaps) -> String {
    let Overlaps { unique, agent_ticks, max_depth } = overlaps;
    match unique {
        0 => "none".to_owned(),
        _ => format!("{unique}, {agent_ticks} agent-ticks in overlap, deepest {max_depth:.3}"),
    }
}

fn event_counts(events: &EventCounts) -> String {
    let EventCounts { target_lost, arrived, caught, unstuck, stuck, collision_imminent } = events;
    format!(
        "{target_lost} targets lost, {arrived} arrived, {caught} caught, {stuck} stuck, {unstuck} unstuck, {collision_imminent} collisions imminent"
    )
}

fn gate_line(gate: &GateSummary) -> String {
    let GateSummary { id, crossings, first, last, flow, longest_gap, order_tau } = gate;
    format!(
        "{}: {crossings} crossed from {} to {}, flow {}, longest gap {}, order {}",
        one_line(id),
        number(*first, " s"),
        number(*last, " s"),
        number(*flow, " /s"),
        number(*longest_gap, " s"),
        number(*order_tau, "")
    )
}

/// The benchmark as a table.
fn bench_table(benchmark: &Benchmark) -> String {
    let mut rows = vec![
        ("scenario", one_line(&benchmark.name)),
        ("agents", benchmark.agents.to_string()),
        ("ticks", format!("{}, {} times", benchmark.ticks, benchmark.repeats)),
    ];
    if let (Some(start), Some(end)) = (benchmark.neighbors_per_agent, benchmark.neighbors_per_agent_at_end) {
        rows.push(("neighbors per agent", format!("{start:.1} at the start, {end:.1} at the end")));
    }
    rows.extend([
        ("median", number(benchmark.median_ns_per_agent_tick, " ns per agent and tick")),
        ("minimum", number(benchmark.min_ns_per_agent_tick, " ns per agent and tick")),
    ]);
    aligned(rows)
}

fn number(number: Option<f64>, unit: &str) -> String {
    number.map_or("–".to_owned(), |x| format!("{x:.3}{unit}"))
}

fn aligned(rows: Vec<(&str, String)>) -> String {
    rows.into_iter().map(|(name, value)| format!("{name:<20} {value}\n")).collect()
}

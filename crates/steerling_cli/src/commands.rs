//! The commands that run scenarios, for scenes of one dimension.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::scenario::{Expectation, Plot, Scenario, Threads, Trace, Why, bench, run};
use super::tables::{bench_table, table};
use crate::args::{BenchArgs, RunArgs, SceneArgs};
use crate::output::{self, OutputFile};
use crate::print::{one_line, pretty, say};
use crate::progress::Progress;

/// The scenario in the text of a file, the number of ticks, and the threads.
fn read(text: &str, args: &SceneArgs) -> Result<(Scenario, u64, Threads), String> {
    let file = args.file.display().to_string();
    let scenario = match args.seed {
        None => Scenario::parse(&file, text),
        Some(seed) => Scenario::parse_with_seed(&file, text, seed),
    }
    .map_err(|error| error.to_string())?;
    let ticks = args.ticks.unwrap_or(scenario.ticks());
    Ok((scenario, ticks, args.threads.map_or(Threads::Auto, |threads| Threads::Exactly(threads.into()))))
}

/// Runs a scenario and prints a summary.
pub fn run_scenario(text: &str, args: &RunArgs) -> Result<(), String> {
    let (mut scenario, ticks, threads) = read(text, &args.scene)?;
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

/// Times the ticks of a scenario.
pub fn bench_scenario(text: &str, args: &BenchArgs) -> Result<(), String> {
    let (scenario, ticks, threads) = read(text, &args.scene)?;
    let progress = Progress::new(ticks * (u64::from(args.repeat) + 1));
    let benchmark = bench(&scenario, ticks, args.repeat as usize, threads, |_| progress.advance());
    progress.finish();
    say(&if args.json { pretty(&benchmark)? } else { bench_table(&benchmark) })
}

fn write_to(file: &mut OutputFile, text: &str) -> Result<(), String> {
    file.write_all(text.as_bytes()).map_err(|error| output::unwritable(file.path(), &error))
}

fn unwritable(path: &Option<PathBuf>, error: io::Error) -> String {
    output::unwritable(path.as_deref().unwrap_or(Path::new("")), &error)
}

/// Runs the scenario in the text of a file and compares it with its expected motion. Returns whether it matches, and the line to print.
pub fn check(file: &Path, text: &str) -> Result<(bool, String), String> {
    let expectation = Expectation::parse(&file.display().to_string(), text).map_err(|error| error.to_string())?;
    let name = expectation.scenario().name();
    let outcome = expectation.check(Threads::Auto);
    let line = match &outcome.mismatch {
        None => format!("ok {} max error {:.3e}\n", one_line(name), outcome.max_error),
        Some(mismatch) => format!("{}\n", one_line(&format!("FAIL {name} {mismatch}"))),
    };
    Ok((outcome.mismatch.is_none(), line))
}

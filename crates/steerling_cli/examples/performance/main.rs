//! Measures what steering costs, compared with plain arrays and with another library.
//!
//! Prints the first part of `docs/performance.md`; `notes.md` is the rest:
//!
//! ```sh
//! cargo run --release -p steerling_cli --example performance > docs/performance.md
//! cat crates/steerling_cli/examples/performance/notes.md >> docs/performance.md
//! ```
//!
//! It takes half an hour or more. `--quick` runs everything once with few agents, as a smoke test. `--instructions` counts the
//! instructions of a tick instead, and fails if they are more than those recorded; `--instructions --record` records them.

mod beside_seek;
mod fields;
mod instructions;
mod limit;
mod machine;
mod memory;
mod workloads;
mod yuka;

use std::env;
use std::error::Error;
use std::process::{Command, ExitCode};
use std::time::Instant;

use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy::time::{TimePlugin, TimeUpdateStrategy};
use clap::Parser;
use steerling_scenario::{Simulation, Threads, bench};
use workloads::{Scene, WORKLOADS, Workload};
use yuka::Yuka;

/// The factor by which the cost per agent may grow from the fewest agents to the most.
const GROWTH: f64 = 1.35;
/// Workloads, and the speed-up that two threads must give.
const SPEED_UP: ([&str; 2], f64) = (["flock", "crossing"], 1.8);
/// A small game: the number of agents, and the microseconds a tick may take.
const SMALL: (usize, f64) = (100, 8.0);
/// The same for a workload whose ticks may take longer.
const SMALL_QUEUE: (&str, f64) = ("queue", 12.0);
/// A dense crowd: the workload, the number of agents, and the factor by which one may cost more than when spread out.
const DENSE: (&str, usize, f64) = ("flock", 10_000, 20.0);
/// A scene with everything on: the workload, the number of agents, and the milliseconds that a tick may take on two threads.
const EVERYTHING: (&str, usize, f64) = ("everything", 10_000, 10.0);
/// A large crowd: the number of agents, and the MB of memory an app with them may take.
const LARGE: (usize, f64) = (1_000_000, 380.0);

/// Prints what steering costs, as Markdown.
#[derive(Parser)]
struct Options {
    /// Run everything once with few agents
    #[arg(long)]
    quick: bool,
    /// Only compare other behaviors with seek, on a machine that does other things at the same time
    #[arg(long)]
    beside_seek: bool,
    /// Run only this workload
    #[arg(long)]
    only: Option<String>,
    /// Numbers of agents
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000, 1_000_000])]
    agents: Vec<usize>,
    /// Do not measure Yuka
    #[arg(long)]
    no_yuka: bool,
    /// Only compare the instructions of a tick, as valgrind counts them, with those recorded
    #[arg(long)]
    instructions: bool,
    /// Record the instructions of a tick instead
    #[arg(long, requires = "instructions")]
    record: bool,
    /// Run some ticks of this workload, whose instructions are counted
    #[arg(long, hide = true, requires = "ticks")]
    run: Option<String>,
    #[arg(long, hide = true)]
    ticks: Option<usize>,
    /// Print the peak memory of an app with this many flocking agents, MB
    #[arg(long, hide = true)]
    memory: Option<usize>,
}

fn main() -> ExitCode {
    let mut options = Options::parse();
    if options.quick {
        options.agents = vec![2_000];
    }
    match print(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print(options: &Options) -> Result<(), Box<dyn Error>> {
    if let Some(agents) = options.memory {
        println!("{}", memory::of_a_flock(agents).ok_or("the memory is only known on Linux")?);
        return Ok(());
    }
    if let (Some(workload), Some(ticks)) = (&options.run, options.ticks) {
        return instructions::run(workload, ticks);
    }
    if options.instructions {
        return if options.record { instructions::record() } else { instructions::compare() };
    }
    // The first simulation creates the thread pool, which needs two threads.
    let smallest = WORKLOADS[0].scene(1)?.scenario()?;
    Simulation::new(&smallest, Threads::Exactly(2));
    if options.beside_seek {
        return beside_seek::print(&options.agents, options.quick);
    }
    let without_plugin = tick_without_plugin();

    let workloads =
        || WORKLOADS.iter().filter(|workload| options.only.as_deref().is_none_or(|only| only == workload.name));

    println!("{}", introduction());
    println!("## {}\n", machine::description());
    println!("| work | agents | neighbors | cost (ns) | limit (ns) | ratio | two threads |");
    println!("|---|---|---|---|---|---|---|");
    let mut costs = Vec::new();
    let mut everything = None;
    for workload in workloads() {
        let mut of_workload = Vec::new();
        for agents in workload.sizes(&options.agents) {
            let cost = measure(&workload.scene(agents)?, options.quick)?;
            print_row(workload, agents, &cost);
            if (workload.name, agents) == (EVERYTHING.0, EVERYTHING.1) {
                everything = Some(cost.two_threads * agents as f64 / 1e6);
            }
            of_workload.push(cost.plugin);
        }
        costs.push((workload, of_workload));
    }

    println!("\n| work | growth from the fewest to the most agents | {} agents (µs per tick) |", SMALL.0);
    println!("|---|---|---|");
    for (workload, costs) in &costs {
        let growth = match costs[..] {
            [fewest, .., most] => judged(format!("{:.2}", most / fewest), most / fewest <= GROWTH),
            _ => "–".to_owned(),
        };
        let small = measure(&workload.scene(SMALL.0)?, options.quick)?.plugin * SMALL.0 as f64 / 1e3 - without_plugin;
        let most = if workload.name == SMALL_QUEUE.0 { SMALL_QUEUE.1 } else { SMALL.1 };
        let small = judged(format!("{small:.1}"), small <= most);
        println!("| {} | {growth} | {small} |", workload.name);
    }
    println!(
        "\nA tick of the same app without the plugin takes {without_plugin:.1} µs; the last column does not include it."
    );

    if let Some(tick) = everything {
        let (name, agents, most) = EVERYTHING;
        println!(
            "\nA tick of `{name}` with {agents} agents takes {} on two threads.",
            judged(format!("{tick:.1} ms"), tick <= most)
        );
    }
    if let Some(workload) = workloads().find(|workload| workload.name == DENSE.0) {
        let agents = if options.quick { options.agents[0] } else { DENSE.1 };
        let (spread, dense) = (time_start(&workload.scene(agents)?)?, time_start(&workload.dense_scene(agents)?)?);
        println!(
            "\nWhen {agents} flocking agents are all within one radius of each other, each costs {dense:.0} ns, {} times as much as \
             when they are spread out.",
            judged(format!("{:.1}", dense / spread), dense / spread <= DENSE.2)
        );
        let agents = if options.quick { options.agents[0] } else { LARGE.0 };
        println!("\nAn app with {agents} flocking agents takes {} of memory.", memory_of_a_flock(agents));
    }
    println!("\n{}", fields::cost());
    if !options.no_yuka {
        println!("\n### Yuka\n");
        print_yuka(&costs, options)?;
    }
    Ok(())
}

fn introduction() -> String {
    let rows = WORKLOADS.map(|workload| {
        let Workload { name, what, costs, ratio, .. } = workload;
        let [cost, ..] = costs;
        let costs = if costs == [cost; 3] { vec![cost] } else { costs.to_vec() };
        let costs = costs.iter().map(f64::to_string).collect::<Vec<_>>().join(" / ");
        let ratio = ratio.map_or("–".to_owned(), |ratio| ratio.to_string());
        format!("| `{name}` | {what} | {costs} | {ratio} |")
    });
    format!(
        "# What steering costs

Nanoseconds per agent and tick: whole ticks of a headless app on one thread, the median of nine measurements. Where agents
perceive each other, the area grows with their number, so that the number of neighbors stays the same. From the scenes in
`assets/scenarios/bench`, `cargo run --release -p steerling_cli --example performance` prints this page up to *A faster machine*.

The *limit* is the same work without an ECS (`crates/steerling_cli/examples/performance/limit`): on plain arrays sorted by
position, with eight agents in the lanes of a register. It alternates with the plugin in the same process, and a check
compares its motion with the plugin's. For `crossing` it is ORCA instead, as the crate `dodgy_2d` has it: the same bodies go to the
same places with the same time horizon, and each avoids the nearest ten others, which a grid finds.

The goals: a cost for each of 10,000, 100,000 and 1,000,000 agents, or one for all of them.

| scene | what the agents do | cost (ns) | cost / limit |
|---|---|---|---|
{}

From the fewest agents to the most, the cost may grow by a factor of {GROWTH}. Where the plugin decides to use two threads, `{}`
must run {} times as fast as on one. The plugin may take {} µs per tick for {} agents, and {} µs if they queue. A tick of
`{}` with {} agents may take {} ms on two threads. An app with {} flocking agents may take {} MB of memory.
",
        rows.join("\n"),
        SPEED_UP.0.join("` and `"),
        SPEED_UP.1,
        SMALL.1,
        SMALL.0,
        SMALL_QUEUE.1,
        EVERYTHING.0,
        EVERYTHING.1,
        EVERYTHING.2,
        LARGE.0,
        LARGE.1
    )
}

/// The cost of a tick, nanoseconds per agent.
struct Cost {
    neighbors: Option<f64>,
    plugin: f64,
    two_threads: f64,
    limits: Vec<(&'static str, f64)>,
}

/// The cost of a tick of the same app without the plugin, µs.
fn tick_without_plugin() -> f64 {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin)).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    let times = (0..9).map(|_| {
        let started = Instant::now();
        (0..1_000).for_each(|_| app.update());
        started.elapsed().as_nanos() as f64 / 1e6
    });
    median(times.collect())
}

/// The cost of a tick near the start of a scene on one thread, nanoseconds per agent.
fn time_start(scene: &Scene) -> Result<f64, Box<dyn Error>> {
    let scenario = scene.scenario()?;
    let times = (0..9).map(|_| {
        let mut simulation = Simulation::new(&scenario, Threads::Exactly(1));
        simulation.step_unseen();
        let before = simulation.time_spent();
        (0..3).for_each(|_| simulation.step_unseen());
        (simulation.time_spent() - before).as_nanos() as f64 / (3 * scene.agents()) as f64
    });
    Ok(median(times.collect()))
}

/// Alternately times the plugin on one and two threads and the limits, and takes the medians.
fn measure(scene: &Scene, quick: bool) -> Result<Cost, Box<dyn Error>> {
    let agents = scene.agents();
    eprintln!("{} with {agents} agents", scene.name());
    let scenario = scene.scenario()?;
    // With as many threads as the plugin decides, and with one.
    let mut simulations = [Threads::Auto, Threads::Exactly(1)].map(|threads| Simulation::new(&scenario, threads));
    let mut limits = if agents >= 1_000 { scene.limits(simulations[0].agents()) } else { Vec::new() };
    let neighbors = bench(&scenario, 1, 0, Threads::Exactly(1), |_| {}).neighbors_per_agent;

    drop(scenario);
    if !limits.is_empty() {
        scene.check()?;
    }

    let [sx, sy] = scene.target();
    let (repeats, ticks) = if quick { (2, 2) } else { (9, (300_000 / agents).clamp(3, 50)) };
    let mut times = vec![Vec::new(); 2 + limits.len()];
    for repeat in 0..=repeats {
        let mut note = |which: usize, nanoseconds: u128| {
            // The first repeat is a warm-up.
            if repeat > 0 {
                times[which].push(nanoseconds as f64 / (agents * ticks) as f64);
            }
        };
        // The caches hold the data of whatever was timed last, so the first tick is not timed.
        for (which, simulation) in simulations.iter_mut().enumerate() {
            simulation.step_unseen();
            let before = simulation.time_spent();
            (0..ticks).for_each(|_| simulation.step_unseen());
            note(which, (simulation.time_spent() - before).as_nanos());
        }
        for (which, (_, limit)) in limits.iter_mut().enumerate() {
            limit.tick([sx, sy]);
            let started = Instant::now();
            (0..ticks).for_each(|tick| limit.tick([sx - tick as f32, sy + tick as f32]));
            note(2 + which, started.elapsed().as_nanos());
        }
    }
    let mut medians = times.into_iter().map(median);
    let mut next = || medians.next().unwrap_or(f64::NAN);
    let (two_threads, plugin) = (next(), next());
    Ok(Cost { neighbors, plugin, two_threads, limits: limits.iter().map(|(name, _)| (*name, next())).collect() })
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn print_row(workload: &Workload, agents: usize, cost: &Cost) {
    let plugin = judged(format!("{:.1}", cost.plugin), cost.plugin <= workload.goal(agents));
    let speed_up = cost.plugin / cost.two_threads;
    let speed_up = match SPEED_UP {
        (names, least) if names.contains(&workload.name) => judged(format!("{speed_up:.2} ×"), speed_up >= least),
        _ => format!("{speed_up:.2} ×"),
    };
    let neighbors = cost.neighbors.map_or("–".to_owned(), |neighbors| format!("{neighbors:.1}"));
    let (mut limits, mut ratios) = (Vec::new(), Vec::new());
    for (index, (name, limit)) in cost.limits.iter().enumerate() {
        let ratio = cost.plugin / limit;
        limits.push(format!("{limit:.1} {name}").trim().to_owned());
        ratios.push(match workload.ratio {
            // The goal applies to the first limit.
            Some(most) if index == 0 => judged(format!("{ratio:.2}"), ratio <= most),
            _ => format!("{ratio:.2}"),
        });
    }
    let list = |texts: Vec<String>| if texts.is_empty() { "–".to_owned() } else { texts.join("; ") };
    let (limits, ratios) = (list(limits), list(ratios));
    println!("| {} | {agents} | {neighbors} | {plugin} | {limits} | {ratios} | {speed_up} |", workload.name);
}

/// A number with its verdict.
fn judged(number: String, is_met: bool) -> String {
    format!("{number} {}", if is_met { '✓' } else { '✗' })
}

/// Measures in a separate process, because the earlier allocations of this one would count, too.
fn memory_of_a_flock(agents: usize) -> String {
    let child =
        env::current_exe().and_then(|program| Command::new(program).arg("--memory").arg(agents.to_string()).output());
    let printed = child.map(|child| String::from_utf8_lossy(&child.stdout).trim().parse::<f64>());
    match printed {
        Ok(Ok(megabytes)) => judged(format!("{megabytes:.0} MB"), megabytes <= LARGE.1),
        _ => "an unknown amount".to_owned(),
    }
}

fn print_yuka(costs: &[(&Workload, Vec<f64>)], options: &Options) -> Result<(), Box<dyn Error>> {
    let yuka = match Yuka::install() {
        Ok(yuka) => yuka,
        Err(error) => {
            println!("Not measured here: {error}.");
            return Ok(());
        }
    };
    println!(
        "{} is a JavaScript library, measured with the same numbers of agents in Node.js on the same machine:\n",
        yuka::PACKAGE
    );
    println!("| work | agents | Yuka (ns) | Yuka / plugin |");
    println!("|---|---|---|---|");
    for (workload, costs) in costs {
        for (agents, cost) in workload.sizes(&options.agents).into_iter().zip(costs) {
            // With more agents, a tick would take it minutes.
            if agents > 100_000 {
                continue;
            }
            eprintln!("{} with {agents} agents in Yuka", workload.name);
            let scene: Scene = workload.scene(agents)?;
            let ticks = if options.quick || agents > 20_000 { 3 } else { 30 };
            if let Some(theirs) = yuka.time(workload.name, &scene, agents, ticks)? {
                println!("| {} | {agents} | {theirs:.0} | {:.0} × |", workload.name, theirs / cost);
            }
        }
    }
    Ok(())
}

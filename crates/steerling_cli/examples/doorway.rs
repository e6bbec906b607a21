//! Compares the styles of `queue` with people: a crowd leaves a room through a door, as in published experiments.
//!
//! Prints the tables of `docs/doorway.md`:
//!
//! ```sh
//! cargo run --release -p steerling_cli --example doorway > docs/doorway.md
//! ```
//!
//! It fails if the default style, or the selected style, misses a goal. To run a single style with other options:
//!
//! ```sh
//! cargo run --release -p steerling_cli --example doorway -- --style brake --set brake=0.5 --agent max_force=8
//! ```

use std::convert::Infallible;
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{fs, thread};

use clap::Parser;
use serde_json::{Value, json};
use steerling_scenario::{AgentState, Scenario, Simulation, Summary, Threads, run, schema};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/scenarios/doorway");
const SEEDS: [u64; 3] = [1, 2, 3];
const CROWD: usize = 80;
/// The style that must meet all goals.
const DEFAULT_STYLE: &str = "keep_place";

/// Widths of the door, m, each with the minimum and maximum flow that experiments with people measured, 1/s.
///
/// From the validation data of `JuPedSim` (`jpscore`, `systemtest/Validation/test_13`): the experiments 2006EG (0.9 to
/// 2.5), Kretz 2006 and Seyfried 2009.
const DOORS: [(f64, f64, f64); 7] = [
    (0.8, 1.288, 1.456),
    (0.9, 1.534, 1.674),
    (1.0, 1.710, 2.023),
    (1.2, 2.033, 2.364),
    (1.6, 2.842, 2.842),
    (2.0, 3.549, 3.549),
    (2.5, 5.116, 5.116),
];

/// Factors for the minimum and the maximum flow that give the band that counts as human.
const BAND: (f64, f64) = (0.75, 1.25);
/// The deepest overlap allowed, m.
const DEEPEST: f64 = 0.001;
/// The longest time allowed without a crossing, s.
const LONGEST_GAP: f64 = 5.0;
/// A width, m, and the least Kendall's τ up to that width and beyond it.
const ORDER: (f64, f64, f64) = (1.2, 0.9, 0.8);
/// The speed of people in a hurry, m/s, and the least share of the usual flow.
const HURRY: (f64, f64) = (3.0, 0.8);
/// A scale of the world, and the largest relative change of the flow.
const LARGE: f64 = 100.0;
const SCALED: f64 = 0.05;
/// A scale, a power of two, at which the motion must be bit-identical.
const EXACTLY_LARGE: f64 = 128.0;

/// Prints measurements of a crowd at a door, for every style of queuing, as Markdown.
#[derive(Parser)]
struct Options {
    /// Run only this style, or `none` for no queue [default: all styles, and none]
    #[arg(long)]
    style: Option<String>,
    /// Set a field of the queue, in JSON
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    set: Vec<(String, Value)>,
    /// Set a field of all agents, in JSON
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    agent: Vec<(String, Value)>,
}

/// Parses `KEY=VALUE`; a value that is not JSON is a string.
fn key_and_value(text: &str) -> Result<(String, Value), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), serde_json::from_str(value).unwrap_or_else(|_| Value::from(value))))
}

/// How agents queue.
enum Queue {
    None,
    Default,
    Style(String),
}

impl Display for Queue {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        match self {
            Self::None => formatter.write_str("No queue"),
            Self::Default => formatter.write_str("The default style"),
            Self::Style(style) => write!(formatter, "`{style}`"),
        }
    }
}

fn main() -> ExitCode {
    match print_tables(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Prints the page. Returns whether the default style, or the only one, meets all its goals; prints the misses to standard error.
fn print_tables(options: &Options) -> Result<bool, Box<dyn Error>> {
    let rooms: Vec<Value> = DOORS.iter().map(|(width, ..)| read_room(*width)).collect::<Result<_, _>>()?;
    let variants = |queue: &Queue| -> Vec<Value> {
        rooms.iter().flat_map(|room| SEEDS.map(|seed| variant(room, queue, seed, options))).collect()
    };
    let default_style = Queue::Style(DEFAULT_STYLE.to_owned()).to_string();
    let (queues, varied) = match options.style.as_deref() {
        None => (queue_styles().into_iter().map(Queue::Style).chain([Queue::None]).collect(), Queue::Default),
        Some("none") => (vec![Queue::None], Queue::None),
        Some(style) => (vec![Queue::Style(style.to_owned())], Queue::Style(style.to_owned())),
    };
    // Report invalid options before the first table.
    for queue in queues.iter().chain([&varied]) {
        for room in variants(queue) {
            [hurried(&room), scaled(&room, LARGE), scaled(&room, EXACTLY_LARGE), room]
                .iter()
                .try_for_each(|room| read(room).map(drop))?;
        }
    }

    println!("{}", introduction());
    for (key, value) in options.set.iter().chain(&options.agent) {
        println!("Here `{key}` is {value}.\n");
    }
    let mut all_met = true;
    for queue in &queues {
        for solid in [false, true] {
            let rooms: Vec<Value> = variants(queue).iter().map(|room| made_solid(room, solid)).collect();
            let title = format!("{queue}{}", if solid { ", solid bodies" } else { "" });
            println!("## {title}\n");
            let met = print_measures(&in_parallel(&title, &rooms, measure), solid);
            if !met && (queues.len() == 1 || queue.to_string() == default_style) {
                eprintln!("{title}: a goal is missed");
                all_met = false;
            }
        }
    }
    println!("## {varied}: in a hurry, and scaled\n");
    if !print_variations(&variants(&varied)) {
        eprintln!("{varied}, in a hurry or scaled: a goal is missed");
        all_met = false;
    }
    Ok(all_met)
}

fn read_room(width: f64) -> Result<Value, Box<dyn Error>> {
    let path = Path::new(FOLDER).join(format!("{width:.1}m.json"));
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(serde_json::from_str(&text)?)
}

/// The names of the styles in scenario files.
fn queue_styles() -> Vec<String> {
    let words = &schema()["$defs"]["QueueStyle"]["enum"];
    words.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The room with another seed and another queue.
fn variant(room: &Value, queue: &Queue, seed: u64, options: &Options) -> Value {
    let mut room = room.clone();
    room["seed"] = json!(seed);
    let agent = &mut room["crowds"][0]["agent"];
    for (key, value) in &options.agent {
        agent[key] = value.clone();
    }
    if let Some(behaviors) = agent["behaviors"].as_array_mut() {
        behaviors.retain(|behavior| behavior.get("queue").is_none());
        let mut fields = json!({});
        match queue {
            Queue::None => return room,
            Queue::Default => {}
            Queue::Style(style) => fields["style"] = json!(style),
        }
        for (key, value) in &options.set {
            fields[key] = value.clone();
        }
        behaviors.push(json!({"queue": fields}));
    }
    room
}

/// The same scene with solid bodies, or without.
fn made_solid(room: &Value, solid: bool) -> Value {
    let mut room = room.clone();
    room["crowds"][0]["agent"]["solid"] = json!(solid);
    room
}

/// The same scene with people in a hurry.
fn hurried(room: &Value) -> Value {
    let mut room = room.clone();
    room["crowds"][0]["agent"]["max_speed"] = json!(HURRY.0);
    room
}

/// The same scene in units of another length.
fn scaled(value: &Value, factor: f64) -> Value {
    const NO_LENGTHS: [&str; 11] = [
        "tick",
        "ticks",
        "seed",
        "count",
        "mass",
        "response_time",
        "weight",
        "brake",
        "hard_stop",
        "time_gap",
        "headway",
    ];
    match value {
        Value::Number(number) => number.as_f64().map_or(Value::Null, |number| json!(number * factor)),
        Value::Array(items) => items.iter().map(|item| scaled(item, factor)).collect(),
        Value::Object(fields) => {
            let scaled = |key: &String, value| {
                if NO_LENGTHS.contains(&key.as_str()) { Value::clone(value) } else { scaled(value, factor) }
            };
            Value::Object(fields.iter().map(|(key, value)| (key.clone(), scaled(key, value))).collect())
        }
        _ => value.clone(),
    }
}

fn read(room: &Value) -> Result<Scenario, Box<dyn Error>> {
    Ok(Scenario::parse(room["name"].as_str().unwrap_or("doorway"), &room.to_string())?)
}

/// Parses a scenario that is known to be valid.
fn sound(room: &Value) -> Scenario {
    read(room).unwrap_or_else(|error| panic!("{error}"))
}

fn measure(room: &Value) -> Summary {
    let scenario = sound(room);
    let Ok(summary) = run::<Infallible>(&scenario, scenario.ticks(), Threads::Exactly(1), |_| Ok(()));
    summary
}

/// Whether all agents of two scenes have the same positions and velocities in every tick, up to a factor.
fn moves_the_same(room: &Value, larger: &Value, factor: f32) -> bool {
    let scenario = sound(room);
    let mut one = Simulation::new(&scenario, Threads::Exactly(1));
    let mut other = Simulation::new(&sound(larger), Threads::Exactly(1));
    let same = |one: &Simulation, other: &Simulation| {
        let bits = |agent: &AgentState, factor: f32| {
            [agent.position, agent.velocity].map(|vector| (vector * factor).to_array().map(f32::to_bits))
        };
        let one = one.agents().iter().map(|agent| (&agent.id, bits(agent, factor)));
        one.eq(other.agents().iter().map(|agent| (&agent.id, bits(agent, 1.0))))
    };
    while same(&one, &other) && one.ticks_done() < scenario.ticks() {
        one.step();
        other.step();
    }
    same(&one, &other)
}

/// Does the work on all cores, and prints its progress to standard error.
fn in_parallel<R: Send>(what: &str, rooms: &[Value], work: impl Fn(&Value) -> R + Sync) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(room) = rooms.get(index) else { break };
                    let result = work(room);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((index, result));
                    eprint!("\r{what}: {} of {} runs ", done.len(), rooms.len());
                }
            });
        }
    });
    eprintln!();
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The mean flow, 1/s. A run with too few crossings counts as 0.
fn mean_flow(runs: &[Summary]) -> f64 {
    runs.iter().map(|run| run.gates[0].flow.unwrap_or(0.0)).sum::<f64>() / runs.len() as f64
}

fn introduction() -> String {
    let seeds = SEEDS.len();
    format!(
        "# A crowd at a door

{CROWD} discs of radius 0.2 m leave a room of 8 m by 8 m through a door of width b, as in the bottleneck experiments used to
validate crowd models. Each agent has a max speed of 1.34 m/s, a max force of 5 N/kg, and the behaviors `seek`, `avoid_obstacles`
and `queue`. It seeks a point 2 m beyond the gate, which is at the far side of the door. The gate removes the agents that cross
it, so nobody blocks the way. A run lasts 150 s, in ticks of 1/60 s; each width has {seeds} runs with different seeds.

`cargo run --release -p steerling_cli --example doorway` prints this page from the scenes in `assets/scenarios/doorway`.

| measure | goal |
|---|---|
| through: agents that got out, total of the {seeds} runs | all |
| overlap: deepest overlap of two agents, and of an agent and a wall | at most {:.0} mm |
| longest gap: time without a crossing while two or more agents wanted to get out | at most {LONGEST_GAP} s |
| J: crossings per second from the 11th on, mean of the runs (0 if there are too few) | in the band, and not less than at a narrower door |
| band: {} of the minimum to {} of the maximum measured for people | – |
| order: Kendall's τ of distance at the start and order of crossing, minimum of the runs | at least {} up to b = {} m, {} beyond |

Measurements of people: jpscore (JuPedSim), systemtest/Validation/test_13, with the experiments 2006EG, Kretz 2006 and Seyfried 2009.
",
        1000.0 * DEEPEST,
        BAND.0,
        BAND.1,
        ORDER.1,
        ORDER.0,
        ORDER.2
    )
}

fn mark(is_met: bool) -> char {
    if is_met { '✓' } else { '✗' }
}

/// A number with its verdict.
fn judged(number: impl Display, is_met: bool) -> String {
    format!("{number} {}", mark(is_met))
}

/// Prints the table of a style. `runs` has all seeds of the first door, then of the next. Returns whether all goals are met.
fn print_measures(runs: &[Summary], solid: bool) -> bool {
    let mut all_met = true;
    println!(
        "| b (m) | through | overlap of agents (mm) | … with walls (mm) | longest gap (s) | J (1/s) | band | J grows | order τ | solid bodies |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut narrower = 0.0;
    for (&(width, least, most), runs) in DOORS.iter().zip(runs.chunks(SEEDS.len())) {
        let worst = |measure: fn(&Summary) -> f64, worse: fn(f64, f64) -> f64| runs.iter().map(measure).reduce(worse);
        let deepest = |measure| worst(measure, f64::max).unwrap_or_default();
        let overlap = |depth: f64| judged(format!("{:.1}", 1000.0 * depth), depth <= DEEPEST);
        let through: usize = runs.iter().map(|run| run.gates[0].crossings).sum();
        let gap = deepest(|run| run.gates[0].longest_gap.unwrap_or_default());
        let flow = mean_flow(runs);
        let (low, high) = (BAND.0 * least, BAND.1 * most);
        let order = worst(|run| run.gates[0].order_tau.unwrap_or(-1.0), f64::min).unwrap_or_default();
        let row = format!(
            "| {width:.1} | {} | {} | {} | {} | {} | {low:.2} … {high:.2} | {} | {} | {} |",
            judged(format!("{through} of {}", CROWD * SEEDS.len()), through == CROWD * SEEDS.len()),
            overlap(deepest(|run| run.collisions.with_agents.max_depth)),
            overlap(deepest(|run| run.collisions.with_obstacles.max_depth)),
            judged(format!("{gap:.1}"), gap <= LONGEST_GAP),
            judged(format!("{flow:.2}"), (low..=high).contains(&flow)),
            mark(flow >= narrower),
            judged(format!("{order:.2}"), order >= if width <= ORDER.0 { ORDER.1 } else { ORDER.2 }),
            if solid { "yes" } else { "no" },
        );
        println!("{row}");
        all_met &= !row.contains(mark(false));
        narrower = flow;
    }
    println!();
    all_met
}

/// Prints the table of the variations: in a hurry, and scaled. Returns whether all goals are met.
fn print_variations(rooms: &[Value]) -> bool {
    let mut all_met = true;
    let runs = in_parallel("as it is", rooms, measure);
    let hurried = in_parallel("in a hurry", rooms, |room| measure(&hurried(room)));
    let large = in_parallel(&format!("{LARGE} times as large"), rooms, |room| measure(&scaled(room, LARGE)));
    let same = in_parallel(&format!("{EXACTLY_LARGE} times as large"), rooms, |room| {
        moves_the_same(room, &scaled(room, EXACTLY_LARGE), EXACTLY_LARGE as f32)
    });

    println!(
        "At {} m/s, J must be at least {} of its usual value. Scaled by {EXACTLY_LARGE}, the motion must be bit-identical. Scaled by {LARGE}, J must",
        HURRY.0, HURRY.1
    );
    println!("stay within {:.0} %.\n", 100.0 * SCALED);
    println!(
        "| b (m) | J (1/s) | J at {} m/s (1/s) | ratio | bit-identical at {EXACTLY_LARGE} times the size | change of J at {LARGE} times the size |",
        HURRY.0
    );
    println!("|---|---|---|---|---|---|");
    let chunks = runs.chunks(SEEDS.len()).zip(hurried.chunks(SEEDS.len())).zip(large.chunks(SEEDS.len()));
    for ((&(width, ..), ((runs, hurried), large)), same) in DOORS.iter().zip(chunks).zip(same.chunks(SEEDS.len())) {
        let [flow, hurried, large] = [runs, hurried, large].map(mean_flow);
        let (ratio, off) = (hurried / flow, large / flow - 1.0);
        let same = same.iter().all(|same| *same);
        let row = format!(
            "| {width:.1} | {flow:.2} | {hurried:.2} | {} | {} | {} |",
            judged(format!("{ratio:.2}"), ratio >= HURRY.1),
            judged(if same { "yes" } else { "no" }, same),
            judged(format!("{:+.1} %", 100.0 * off), off.abs() <= SCALED),
        );
        println!("{row}");
        all_met &= !row.contains(mark(false));
    }
    all_met
}

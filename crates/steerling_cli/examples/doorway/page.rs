//! The tables of the page.

use std::fmt::Display;

use serde_json::Value;
use steerling_scenario::Summary;

use crate::people::{BAND, Comparison, People};
use crate::runs::{in_parallel, mean_flow, measure, moves_the_same};
use crate::scenes::{
    CROWD, DEFAULT_STYLE, EXACTLY_LARGE, HURRIED_SPEED, LARGE, SEEDS, SEEDS_OF_OTHERS, WIDTHS, hurried, scaled,
};

/// The deepest overlap allowed, m.
pub const DEEPEST: f64 = 0.001;
/// The longest time allowed without a crossing, s.
const LONGEST_GAP: f64 = 5.0;
/// A width, m, and the least Kendall's τ up to that width and beyond it.
const ORDER: (f64, f64, f64) = (1.2, 0.9, 0.8);
/// The least share of the usual flow of people in a hurry.
const HURRIED: f64 = 0.8;
/// The largest relative change of the flow in a scaled world.
const SCALED: f64 = 0.05;

pub fn introduction() -> String {
    let seeds = SEEDS.len();
    format!(
        "# A crowd at a door

{CROWD} discs of radius 0.2 m leave a room of 8 m by 8 m through a door of width b, as in the bottleneck experiments used to
validate crowd models. Each agent has a max speed of 1.34 m/s, a max force of 5 N/kg, and the behaviors `seek`, `avoid_obstacles`
and `queue`. It seeks a point 2 m beyond the gate, which is at the far side of the door. The gate removes the agents that cross
it, so nobody blocks the way. A run lasts 150 s, in ticks of 1/60 s. Each width has {seeds} runs with different seeds in the default
style, `{DEFAULT_STYLE}`, and {SEEDS_OF_OTHERS} in each other style.

`cargo run --release -p steerling_cli --example doorway -- --figures docs/figures` prints this page from the scenes in
`assets/scenarios/doorway` and draws its figure.

| measure | goal |
|---|---|
| through: agents that got out, total of the runs | all |
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

/// Prints the table of the default style beside people.
pub fn print_people(comparisons: &[Comparison]) {
    println!("## `{DEFAULT_STYLE}` and people\n");
    println!(
        "A ✓ at J means that it is in the band, which is wider than the range that was measured for people.
{}
JuPedSim compares with three of the experiments. The others measured more; the figure shows them as not compared.\n",
        tally(comparisons)
    );
    println!("![Flow through a door](figures/doorway.svg)\n");
    println!(
        "| b (m) | J (1/s) | J by seed | measurements of people | their minimum (1/s) | maximum (1/s) | J is inside | off the nearest | band | in the band |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for door in comparisons {
        let (Comparison { width, flow, range, measured }, (low, high)) = (door, door.measured.band());
        let yes = |is_so: bool| if is_so { "yes" } else { "no" };
        println!(
            "| {width:.1} | {flow:.2} | {:.2} … {:.2} | {} | {:.2} | {:.2} | {} | {} | {low:.2} … {high:.2} | {} |",
            range[0],
            range[1],
            measured.count,
            measured.least,
            measured.most,
            yes(door.off() == 0.0),
            percent(door.off()),
            yes(measured.is_in_band(*flow)),
        );
    }
    println!();
}

/// At how many doors the flow is inside of what people measured, above and below, and by how much.
fn tally(comparisons: &[Comparison]) -> String {
    let outside = |is_so: fn(f64) -> bool| -> String {
        let shares: Vec<f64> =
            comparisons.iter().map(Comparison::off).filter(|off| is_so(*off)).map(f64::abs).collect();
        let [least, most] = [f64::min, f64::max].map(|which| shares.iter().copied().reduce(which).unwrap_or_default());
        match shares.len() {
            0 => "0".to_owned(),
            1 => format!("1, by {:.1} %", 100.0 * most),
            many => format!("{many}, by {:.1} % to {:.1} %", 100.0 * least, 100.0 * most),
        }
    };
    let inside = comparisons.iter().filter(|door| door.off() == 0.0).count();
    let (above, below) = (outside(|off| off > 0.0), outside(|off| off < 0.0));
    format!(
        "Of the {} doors, J is inside the range at {inside}, above it at {above}, and below it at {below}.",
        comparisons.len()
    )
}

/// A share with its sign, as the distance from a range.
pub fn percent(off: f64) -> String {
    if off == 0.0 { "–".to_owned() } else { format!("{:+.1} %", 100.0 * off) }
}

fn mark(is_met: bool) -> char {
    if is_met { '✓' } else { '✗' }
}

/// A number with its verdict.
pub fn judged(number: impl Display, is_met: bool) -> String {
    format!("{number} {}", mark(is_met))
}

/// The least Kendall's τ that is wanted at a door.
pub fn least_order(width: f64) -> f64 {
    if width <= ORDER.0 { ORDER.1 } else { ORDER.2 }
}

/// The least of the orders of runs.
pub fn order(runs: &[Summary]) -> f64 {
    runs.iter().map(|run| run.gates[0].order_tau.unwrap_or(-1.0)).fold(1.0, f64::min)
}

/// The depth of the deepest overlap in a run, m.
pub fn deepest(run: &Summary) -> f64 {
    run.collisions.with_agents.max_depth.max(run.collisions.with_obstacles.max_depth)
}

/// Whether all agents of each run get out, and none overlaps too deep.
pub fn all_are_out(runs: &[Summary], count: usize) -> bool {
    runs.iter().all(|run| run.gates[0].crossings == count && deepest(run) <= DEEPEST)
}

/// Prints the table of a style. `runs` has all seeds of the first door, then of the next. Returns whether all goals are met.
pub fn print_measures(runs: &[Summary], people: &People, seeds: &[u64], solid: bool) -> bool {
    let mut all_met = true;
    println!(
        "| b (m) | through | overlap of agents (mm) | … with walls (mm) | longest gap (s) | J (1/s) | band | J grows | order τ | solid bodies |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut narrower = 0.0;
    for (&width, runs) in WIDTHS.iter().zip(runs.chunks(seeds.len())) {
        let measured = people.at(width);
        let most = |measure: fn(&Summary) -> f64| runs.iter().map(measure).fold(0.0, f64::max);
        let overlap = |depth: f64| judged(format!("{:.1}", 1000.0 * depth), depth <= DEEPEST);
        let through: usize = runs.iter().map(|run| run.gates[0].crossings).sum();
        let gap = most(|run| run.gates[0].longest_gap.unwrap_or_default());
        let flow = mean_flow(runs);
        let (low, high) = measured.band();
        let order = order(runs);
        let row = format!(
            "| {width:.1} | {} | {} | {} | {} | {} | {low:.2} … {high:.2} | {} | {} | {} |",
            judged(format!("{through} of {}", CROWD * seeds.len()), through == CROWD * seeds.len()),
            overlap(most(|run| run.collisions.with_agents.max_depth)),
            overlap(most(|run| run.collisions.with_obstacles.max_depth)),
            judged(format!("{gap:.1}"), gap <= LONGEST_GAP),
            judged(format!("{flow:.2}"), measured.is_in_band(flow)),
            mark(flow >= narrower),
            judged(format!("{order:.2}"), order >= least_order(width)),
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
pub fn print_variations(rooms: &[Value], seeds: &[u64]) -> bool {
    let mut all_met = true;
    let runs = in_parallel("as it is", rooms, measure);
    let hurried = in_parallel("in a hurry", rooms, |room| measure(&hurried(room)));
    let large = in_parallel(&format!("{LARGE} times as large"), rooms, |room| measure(&scaled(room, LARGE)));
    let same = in_parallel(&format!("{EXACTLY_LARGE} times as large"), rooms, |room| {
        moves_the_same(room, &scaled(room, EXACTLY_LARGE), EXACTLY_LARGE as f32)
    });

    println!(
        "At {} m/s, J must be at least {} of its usual value. Scaled by {EXACTLY_LARGE}, the motion must be bit-identical. Scaled by {LARGE}, J must",
        HURRIED_SPEED, HURRIED
    );
    println!("stay within {:.0} %.\n", 100.0 * SCALED);
    println!(
        "| b (m) | J (1/s) | J at {} m/s (1/s) | ratio | bit-identical at {EXACTLY_LARGE} times the size | change of J at {LARGE} times the size |",
        HURRIED_SPEED
    );
    println!("|---|---|---|---|---|---|");
    let chunks = runs.chunks(seeds.len()).zip(hurried.chunks(seeds.len())).zip(large.chunks(seeds.len()));
    for ((&width, ((runs, hurried), large)), same) in WIDTHS.iter().zip(chunks).zip(same.chunks(seeds.len())) {
        let [flow, hurried, large] = [runs, hurried, large].map(mean_flow);
        let (ratio, off) = (hurried / flow, large / flow - 1.0);
        let same = same.iter().all(|same| *same);
        let row = format!(
            "| {width:.1} | {flow:.2} | {hurried:.2} | {} | {} | {} |",
            judged(format!("{ratio:.2}"), ratio >= HURRIED),
            judged(if same { "yes" } else { "no" }, same),
            judged(format!("{:+.1} %", 100.0 * off), off.abs() <= SCALED),
        );
        println!("{row}");
        all_met &= !row.contains(mark(false));
    }
    all_met
}

//! Crowds that think less often.

use serde_json::{Value, json};

use crate::page::{DEEPEST, deepest, judged, percent};
use crate::runs::{in_parallel, mean_flow, measure};
use crate::scenes::{CROWD, SEEDS, WIDTHS};

/// The numbers of ticks from one thought of an agent to the next.
const RATES: [u32; 3] = [2, 4, 8];

/// Prints the flows of agents that think in every n-th tick. `rooms` has all seeds of the first door, then of the next, and `usual` the flows
/// through these doors.
pub fn print(rooms: &[Value], usual: &[f64]) {
    let widths: Vec<String> = WIDTHS.iter().map(|width| format!("J at {width:.1} m (1/s)")).collect();
    println!(
        "## Thinking less often

Agents that think in every n-th tick (`rate`), and the change of the flow. ✓: everybody gets out, and no overlap is deeper than {:.0} mm.

| n | {} |\n|---|{}",
        1000.0 * DEEPEST,
        widths.join(" | "),
        "---|".repeat(WIDTHS.len())
    );
    for rate in RATES {
        let rooms: Vec<Value> = rooms.iter().map(|room| thinking(room, rate)).collect();
        let runs = in_parallel("thinking less often", &rooms, measure);
        let cells: Vec<String> = runs
            .chunks(SEEDS.len())
            .zip(usual)
            .map(|(runs, usual)| {
                let flow = mean_flow(runs);
                let is_met = runs.iter().all(|run| run.gates[0].crossings == CROWD && deepest(run) <= DEEPEST);
                judged(format!("{flow:.2} ({})", percent(flow / usual - 1.0)), is_met)
            })
            .collect();
        println!("| {rate} | {} |", cells.join(" | "));
    }
    println!();
}

fn thinking(room: &Value, rate: u32) -> Value {
    let mut room = room.clone();
    room["crowds"][0]["agent"]["rate"] = json!(rate);
    room
}

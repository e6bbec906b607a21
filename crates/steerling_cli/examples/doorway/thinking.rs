//! Crowds that think less often.

use serde_json::Value;

use crate::page::{DEEPEST, all_are_out, judged, percent};
use crate::runs::{in_parallel, mean_flow, measure};
use crate::scenes::{CROWD, SEEDS, WIDTHS, with_rate};

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
        let rooms: Vec<Value> = rooms.iter().map(|room| with_rate(room, rate)).collect();
        let runs = in_parallel("thinking less often", &rooms, measure);
        let cells: Vec<String> = runs
            .chunks(SEEDS.len())
            .zip(usual)
            .map(|(runs, usual)| {
                let flow = mean_flow(runs);
                judged(format!("{flow:.2} ({})", percent(flow / usual - 1.0)), all_are_out(runs, CROWD))
            })
            .collect();
        println!("| {rate} | {} |", cells.join(" | "));
    }
    println!();
}

//! Ways to raise the flow through wide doors: other targets, and a shorter time gap.

use serde_json::Value;

use crate::page::{DEEPEST, all_are_out, judged, least_order, order, percent};
use crate::people::{Comparison, People};
use crate::runs::{in_parallel, mean_flow, measure};
use crate::scenes::{CROWD, SEEDS, WIDTHS, in_room, with_own_targets, with_time_gap};

/// The time gap that is compared with the default, s.
const TIME_GAP: f64 = 0.1;
/// Rooms before the widest door: length and width, m, and the number of agents.
const ROOMS: [([f64; 2], usize); 3] = [([8.0, 8.0], CROWD), ([16.0, 8.0], 2 * CROWD), ([16.0, 4.0], CROWD)];

/// Prints what other targets change. `rooms` has all seeds of the first door, then of the next.
pub fn print(rooms: &[Value], people: &People) {
    let width = WIDTHS[WIDTHS.len() - 1];
    let measured = people.at(width);
    println!(
        "## The widest door

Fewer agents than people go through the door of {width} m, and still fewer if the room before it is long. In the column *a target each*,
each agent aims as far to the side in the width of the door as it starts in the width of the room. That helps in long rooms only: an
agent matches the pace of everybody ahead whose way meets its own, and ways to one point all meet. With a shorter `time_gap`
the crowd closes up, and more get through in every room. ✓: everybody gets out, and no overlap is deeper than {:.0} mm.
",
        1000.0 * DEEPEST
    );
    println!(
        "| room (m) | agents | J (1/s) | a target each | `time_gap` {TIME_GAP} s | both |\n|---|---|---|---|---|---|"
    );
    let seeds = &rooms[rooms.len() - SEEDS.len()..];
    for (size @ [length, breadth], count) in ROOMS {
        let usual: Vec<Value> = seeds.iter().map(|room| in_room(room, size, count)).collect();
        let own = |rooms: &[Value]| -> Vec<Value> {
            rooms.iter().map(|room| with_own_targets(room, width / breadth)).collect()
        };
        let hasty: Vec<Value> = usual.iter().map(|room| with_time_gap(room, TIME_GAP)).collect();
        let cells = [&usual, &own(&usual), &hasty, &own(&hasty)].map(|rooms| {
            let runs = in_parallel("the widest door", rooms, measure);
            let flow = mean_flow(&runs);
            judged(format!("{flow:.2} ({})", percent(measured.off(flow))), all_are_out(&runs, count))
        });
        println!("| {length} × {breadth} | {count} | {} |", cells.join(" | "));
    }
    println!();
}

/// Prints the flows with a shorter time gap.
pub fn print_time_gap(rooms: &[Value], people: &People) {
    let rooms: Vec<Value> = rooms.iter().map(|room| with_time_gap(room, TIME_GAP)).collect();
    let runs = in_parallel("a shorter time gap", &rooms, measure);
    println!(
        "With the shorter `time_gap`, more agents get through these doors, but they keep their order less well:

| b (m) | J (1/s) | off the nearest | order τ |\n|---|---|---|---|"
    );
    for (door, runs) in Comparison::all(&runs, people).iter().zip(runs.chunks(SEEDS.len())) {
        let order = order(runs);
        println!(
            "| {:.1} | {:.2} | {} | {} |",
            door.width,
            door.flow,
            percent(door.off()),
            judged(format!("{order:.2}"), order >= least_order(door.width))
        );
    }
    println!();
}

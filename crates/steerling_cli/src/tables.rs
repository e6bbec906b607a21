//! Summaries and benchmarks as tables.

use super::scenario::{Benchmark, Components, EventCounts, GateSummary, Overlaps, Summary};
use crate::print::one_line;

/// The summary as a table.
pub fn table(summary: &Summary, obstacles: bool) -> String {
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
    let EventCounts { target_lost, target_found, arrived, caught, unstuck, stuck, collision_imminent } = events;
    format!(
        "{target_lost} targets lost, {target_found} found, {arrived} arrived, {caught} caught, {stuck} stuck, {unstuck} unstuck, {collision_imminent} collisions imminent"
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
pub fn bench_table(benchmark: &Benchmark) -> String {
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

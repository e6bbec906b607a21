//! Gates: which agents cross them, when and in which order, and the removal of agents.

use steerling_scenario::{Expectation, GateSummary, Scenario, Simulation, Summary, Threads, Trace, run};

use crate::running::{scenario, summary};

#[track_caller]
fn only_gate(summary: Summary) -> GateSummary {
    let [gate] = summary.gates.try_into().expect("one gate");
    gate
}

#[track_caller]
fn assert_near(number: Option<f64>, expected: f64) {
    assert!(number.is_some_and(|number| (number - expected).abs() < 1e-5), "{number:?} instead of {expected}");
}

#[test]
fn crossings_are_timed_within_the_tick() {
    // At 4 units/s from 10.3 and 16.1 away: after 2.575 and 4.025 s, between ticks. The third comes from the other
    // side, at 1 unit/s and a slant, the fourth passes by the end, and the fifth does not get there.
    let summary = summary(
        r#"{"tick": 0.25, "ticks": 40, "gates": [{"id": "door", "start": [10, -2], "end": [10, 2]}], "agents": [
            {"id": "a", "position": [-0.3, 0], "velocity": [4, 0]}, {"id": "b", "position": [-6.1, 1], "velocity": [4, 0]},
            {"id": "c", "position": [17.3, -4], "velocity": [-1, 0.5]}, {"id": "d", "position": [8, 2.5], "velocity": [4, 0]},
            {"id": "e", "position": [-1, -1], "velocity": [1, 0]}
        ]}"#,
    );
    assert_eq!(summary.agents, 5);
    let gate = only_gate(summary);
    assert_eq!((gate.id.as_str(), gate.crossings, gate.flow), ("door", 3, None));
    assert_near(gate.first, 2.575);
    assert_near(gate.last, 7.3);
    // Two are left to cross after the last of the three, up to the end at 10 s.
    assert_near(gate.longest_gap, 3.275);
    // Nearest are c (7.3 away), a (10.3) and b (16.1): one pair of three crosses in this order.
    assert_near(gate.order_tau, -1.0 / 3.0);
}

#[test]
fn each_agent_counts_once_also_where_a_tick_ends_on_the_gate() {
    let gate = |gate: &str, agent: &str| {
        only_gate(summary(&format!(
            r#"{{"tick": 0.5, "ticks": 40, "bounds": {{"min": [-10, -10], "max": [10, 10], "edge": "bounce"}},
                "gates": [{{"id": "g", {gate}}}], "agents": [{{"id": "a", {agent}}}]}}"#
        )))
    };
    // Back and forth between the edges, one unit per tick.
    let across = gate(r#""start": [3, -1], "end": [3, 1]"#, r#""position": [0, 0], "velocity": [2, 0]"#);
    assert_eq!((across.crossings, across.first, across.last), (1, Some(1.5), Some(1.5)));
    let end = gate(r#""start": [3, 0], "end": [3, 1]"#, r#""position": [0, 0], "velocity": [2, 0]"#);
    assert_eq!((end.crossings, end.first), (1, Some(1.5)));
    // The agent touches an edge that reflects it.
    let edge = gate(r#""start": [10, -1], "end": [10, 1]"#, r#""position": [0.5, 0], "velocity": [2, 0]"#);
    assert_eq!((edge.crossings, edge.first), (1, Some(5.0)));
    // On it from the start, and at rest.
    let resting = gate(r#""start": [-1, -1], "end": [1, 1]"#, r#""position": [0.5, 0.5]"#);
    assert_eq!((resting.crossings, resting.first, resting.order_tau), (1, Some(0.0), None));
    // It lands exactly on it and stays.
    let arriving = gate(
        r#""start": [3, -1], "end": [3, 1]"#,
        r#""position": [-5, 0], "max_speed": 2, "behaviors": [{"arrive": {"target": {"point": [3, 0]}}}]"#,
    );
    assert_eq!(arriving.crossings, 1);
}

#[test]
fn the_flow_and_the_order_are_those_of_the_crossings() {
    // Twenty in a row, a unit apart, at 2 units/s; then the same with the slower ones in front.
    let agents = |speed: fn(u8) -> f32| {
        let agent =
            |k| format!(r#"{{"id": "a{k}", "position": [{}, 0], "velocity": [{}, 0]}}"#, -0.5 - f32::from(k), speed(k));
        let agents: Vec<String> = (0..20).map(agent).collect();
        format!(
            r#"{{"tick": 0.1, "ticks": 2000, "gates": [{{"id": "g", "start": [0, -1], "end": [0, 1]}}],
                "agents": [{}]}}"#,
            agents.join(", ")
        )
    };
    let row = only_gate(summary(&agents(|_| 2.0)));
    assert_eq!((row.crossings, row.order_tau), (20, Some(1.0)));
    assert_near(row.flow, 2.0);
    assert_near(row.longest_gap, 0.5);
    let overtaking = only_gate(summary(&agents(|k| 0.01 * f32::from(k + 1) * f32::from(k + 1))));
    assert_eq!((overtaking.crossings, overtaking.order_tau), (20, Some(-1.0)));
}

/// Jumps lead across the gate. The way before the jump crosses it or not.
#[test]
fn jumps_are_no_crossings_but_the_way_before_is() {
    let gates = r#"[{"id": "on the way", "start": [50.5, -9], "end": [50.5, 9]},
                    {"id": "jumped over", "start": [20, -9], "end": [20, 9]}]"#;
    let crossings = |fields: &str| {
        let summary = summary(&format!(
            r#"{{"tick": 0.1, "ticks": 10, "gates": {gates}, {fields},
                "agents": [{{"id": "a", "position": [40, 0], "velocity": [20, 0]}}]}}"#
        ));
        [0, 1].map(|gate| (summary.gates[gate].crossings, summary.gates[gate].first))
    };
    // It respawns or wraps in the tick from 50 to 52. The edge is at 51.
    for fields in [
        r#""respawns": [{"inside": {"min": [51, -5], "max": [90, 5]}, "to": {"min": [0, 0], "max": [0, 0]}}]"#,
        r#""bounds": {"min": [1, -50], "max": [51, 50], "edge": "wrap"}"#,
    ] {
        let [(on_the_way, first), (jumped_over, _)] = crossings(fields);
        assert_eq!((on_the_way, jumped_over), (1, 0), "{fields}");
        assert_near(first, 0.525);
    }
}

#[test]
fn a_world_that_wraps_is_one_across_its_seams() {
    let gate = |gate: &str| {
        only_gate(summary(&format!(
            r#"{{"tick": 0.1, "ticks": 20, "bounds": {{"min": [0, 0], "max": [100, 100], "edge": "wrap"}},
                "gates": [{{"id": "g", {gate}}}], "agents": [
                {{"id": "a", "position": [93, 2], "velocity": [10, 0]}}, {{"id": "b", "position": [91, 98], "velocity": [10, 0]}}
            ]}}"#
        )))
    };
    for line in [
        r#""start": [0, -9], "end": [0, 9]"#,
        r#""start": [100, 91], "end": [100, 109]"#,
        r#""start": [0, 91], "end": [0, 109]"#,
    ] {
        let gate = gate(line);
        assert_eq!((gate.crossings, gate.order_tau), (2, Some(1.0)), "{line}");
        assert_near(gate.first, 0.7);
        assert_near(gate.last, 0.9);
    }
}

/// Two agents that cross, one that pursues the first from far behind, and one at rest behind the gate.
const RUNNERS: &str = r#"{
    "tick": 0.5, "ticks": 8, "gates": [{"id": "exit", "start": [0, -5], "end": [0, 5], "remove": true}], "agents": [
        {"id": "b", "position": [-3, 0], "velocity": [10, 0], "radius": 2, "goal": {"position": [2, 0], "radius": 0.1}},
        {"id": "a", "position": [-14, 0], "velocity": [10, 0], "radius": 1, "goal": {"position": [7, 0], "radius": 0.1}},
        {"id": "c", "position": [-100, 0], "max_speed": 10, "radius": 1, "behaviors": [{"pursue": {"target": {"agent": "b"}}}]},
        {"id": "d", "position": [1, 0], "radius": 1}
    ]}"#;

#[test]
fn who_crosses_is_gone_after_that_tick() {
    let scenario = scenario(RUNNERS);
    let mut trace = Trace::new(Vec::new()).expect("it can be written to");
    let mut hashes = Vec::new();
    let summary = run(&scenario, scenario.ticks(), Threads::Exactly(1), |simulation| {
        hashes.push(simulation.state_hash());
        trace.record(simulation)
    });
    let Summary { agents, collisions, goals, path_length, speed, effort, gates, .. } = summary.expect("it is written");
    let text = String::from_utf8(trace.finish().expect("it is written")).expect("it is text");
    let rows = |id: &str| text.lines().filter(|row| row.split(',').nth(2) == Some(id)).count();
    // Each has rows from tick 0 to the tick in which it crosses.
    assert_eq!([rows("a"), rows("b"), rows("c"), rows("d")], [4, 2, 9, 9]);

    assert_eq!(agents, 4);
    // The first ends its last tick at 2, in its goal. The second never reaches its goal.
    assert_eq!((goals.reached, goals.of), (1, 2));
    // Each of the two overlaps the agent at rest in its last tick, and is removed after that.
    assert_eq!((collisions.with_agents.unique, collisions.with_agents.agent_ticks), (2, 4));
    let c = way(&scenario, "c");
    assert_near(path_length, (5.0 + 15.0 + c) / 4.0);
    // In 1, 3, 8 and 8 ticks of half a second.
    assert_near(speed, (5.0 + 15.0 + c) / 0.5 / 20.0);
    assert!(effort.is_some_and(|effort| effort > 0.0));
    let [gate] = &gates[..] else { panic!("one gate") };
    assert_eq!(gate.crossings, 2);
    assert_near(gate.first, 0.3);
    assert_near(gate.last, 1.4);
    assert_near(gate.longest_gap, 2.6);

    // The hash includes their last states.
    let others = RUNNERS.replace("\"position\": [-14, 0]", "\"position\": [-14, 1]");
    assert_ne!(self::summary(&others).state_hash, format!("{:016x}", hashes[8]));
}

/// The distance that an agent covers if nothing removes it.
fn way(scenario: &Scenario, id: &str) -> f64 {
    let mut simulation = Simulation::new(scenario, Threads::Exactly(1));
    let mut way = 0.0;
    while simulation.ticks_done() < scenario.ticks() {
        simulation.step();
        let agent = simulation.agents().iter().find(|agent| agent.id == id).expect("it is there");
        way += f64::from(agent.velocity.length()) * simulation.tick();
    }
    way
}

#[test]
fn nobody_is_expected_where_nobody_is_any_more() {
    let check = |tick: u8, id: &str, x: f32, speed: f32| {
        let expected = format!(
            r#"[{{"tick": {tick}, "agents": {{"{id}": {{"position": [{x}, 0], "velocity": [{speed}, 0]}}}}}}]"#
        );
        let text = format!(r#"{{"scenario": {RUNNERS}, "expected": {expected}, "position_tolerance": 0.001}}"#);
        let expectation = Expectation::parse("scene.json", &text).unwrap_or_else(|error| panic!("{error}"));
        expectation.check(Threads::Exactly(1)).mismatch.map(|mismatch| mismatch.to_string())
    };
    assert_eq!(check(3, "a", 1.0, 10.0), None, "the tick in which it crosses");
    assert_eq!(check(8, "d", 1.0, 0.0), None);
    let removed =
        "tick 4 agent a: got none, because a gate or a goal has removed it, expected position [6, 0] velocity [10, 0]";
    assert_eq!(check(4, "a", 6.0, 10.0).as_deref(), Some(removed));
}

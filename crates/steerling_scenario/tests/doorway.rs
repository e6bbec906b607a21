//! A crowd at a door in the default style: the measures of `docs/doorway.md` for some of its scenes.

use std::convert::Infallible;

use steerling_scenario::{Scenario, Simulation, Summary, Threads, run};

fn text(width: &str) -> String {
    let path = format!("{}/../../assets/scenarios/doorway/{width}.json", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn door(text: &str) -> Scenario {
    Scenario::parse("doorway", text).unwrap_or_else(|error| panic!("{error}"))
}

fn measure(scenario: &Scenario, ticks: u64) -> Summary {
    let Ok(summary) = run::<Infallible>(scenario, ticks, Threads::Exactly(1), |_| Ok(()));
    summary
}

#[test]
fn everybody_gets_out_in_turn_and_touches_nothing() {
    for (width, ticks, flow, order) in
        [("0.8m", 4000, 0.97..=1.82, 0.9), ("1.2m", 3000, 1.53..=2.95, 0.9), ("2.5m", 2000, 3.84..=6.39, 0.8)]
    {
        let Summary { gates, collisions, .. } = measure(&door(&text(width)), ticks);
        let gate = &gates[0];
        assert_eq!(gate.crossings, 80, "{width}");
        assert!(gate.longest_gap.unwrap() <= 5.0, "{width}: {gate:?}");
        assert!(gate.order_tau.unwrap() >= order, "{width}: {gate:?}");
        assert!(flow.contains(&gate.flow.unwrap()), "{width}: {gate:?}");
        let deepest = collisions.with_agents.max_depth.max(collisions.with_obstacles.max_depth);
        assert!(deepest <= 0.001, "{width}: {deepest}");
    }
}

/// No agents block each other forever, not even between thin walls, where all push toward one point, or at other tick
/// rates.
#[test]
fn no_door_jams() {
    let narrow = |walls: &str, tick: f64, queue: &str| {
        format!(
            r#"{{"tick": {tick}, "seed": 5, "obstacles": [{walls}],
                "crowds": [{{"prefix": "w", "count": 40, "spacing": 0.45, "area": {{"min": [-5.7, -2.7], "max": [-0.3, 2.7]}},
                  "agent": {{"max_speed": 1.34, "max_force": 5, "radius": 0.2, "behaviors": [
                    {{"arrive": {{"target": {{"point": [2.2, 0]}}}}}}, {{"avoid_obstacles": {{}}}}, {{"queue": {queue}}}]}}}}],
                "gates": [{{"id": "door", "start": [0.2, -0.35], "end": [0.2, 0.35], "remove": true}}]}}"#
        )
    };
    let room = r#"{"polyline": {"points": [[0, 0.35], [0, 3], [-6, 3], [-6, -3], [0, -3], [0, -0.35]]}}"#;
    let walls =
        r#"{"segment": {"start": [0, 0.35], "end": [0, 9]}}, {"segment": {"start": [0, -9], "end": [0, -0.35]}}"#;
    for (walls, tick, queue) in [
        (room, 1.0 / 60.0, "{}"),
        (room, 1.0 / 30.0, "{}"),
        (walls, 1.0 / 60.0, r#"{"time_gap": 0}"#),
        (walls, 1.0 / 120.0, r#"{"time_gap": 1}"#),
    ] {
        let Summary { gates, collisions, .. } = measure(&door(&narrow(walls, tick, queue)), (60.0 / tick) as u64);
        assert_eq!(gates[0].crossings, 40, "{walls} at {tick} with {queue}: {:?}", gates[0]);
        let deepest = collisions.with_agents.max_depth.max(collisions.with_obstacles.max_depth);
        assert!(deepest <= 0.001, "{walls} at {tick} with {queue}: {collisions:?}");
    }
}

/// Solid bodies that are pushed against each other overlap neither each other nor walls.
#[test]
fn solid_bodies_are_not_entered() {
    let pushing =
        text("1.2m").replace(r#", {"queue": {}}"#, "").replace(r#"{"avoid_obstacles": {}}"#, r#"{"wander": {}}"#);
    assert!(!pushing.contains("queue") && !pushing.contains("avoid"), "{pushing}");
    let depths = |text: &str| {
        let Summary { collisions, .. } = measure(&door(text), 600);
        (collisions.with_agents.max_depth, collisions.with_obstacles.max_depth)
    };
    let (agents, walls) = depths(&pushing);
    assert!(agents > 0.3 && walls > 0.15, "they do push: {agents} {walls}");
    let (agents, walls) = depths(&pushing.replace(r#""radius": 0.2"#, r#""radius": 0.2, "solid": true"#));
    assert!(agents < 0.002 && walls < 0.002, "{agents} {walls}");
}

/// The defaults do not contain absolute lengths.
#[test]
fn the_size_of_the_world_does_not_matter() {
    let scene = |unit: f32| {
        let walls = [[-4.0, 2.2], [-4.0, -2.2]].map(|[x, y]| {
            format!(
                r#"{{"rectangle": {{"center": [{}, {}], "half_size": [{}, {}]}}}}"#,
                unit * x,
                unit * y,
                unit * 0.25,
                unit * 1.75
            )
        });
        let agents: Vec<String> = (0..20)
            .map(|k: u8| {
                let (x, y) = (f32::from(k % 5) - 2.0 + 0.125 * f32::from(k % 3), f32::from(k / 5) - 1.5);
                format!(
                    r#"{{"id": "{k}", "position": [{}, {}], "max_speed": {}, "max_force": {}, "radius": {}, "behaviors": [
                        {{"seek": {{"target": {{"point": [{}, 0]}}}}}}, {{"avoid_obstacles": {{}}}}, {{"queue": {{}}}}]}}"#,
                    unit * x, unit * y, unit * 1.25, unit * 5.0, unit * 0.25, unit * -6.0
                )
            })
            .collect();
        let text =
            format!(r#"{{"tick": 0.015625, "obstacles": [{}], "agents": [{}]}}"#, walls.join(","), agents.join(","));
        Scenario::parse("scaled", &text).unwrap_or_else(|error| panic!("{error}"))
    };
    let (mut small, mut large) =
        (Simulation::new(&scene(1.0), Threads::Exactly(1)), Simulation::new(&scene(128.0), Threads::Exactly(1)));
    for _ in 0..600 {
        small.step();
        large.step();
        for (small, large) in small.agents().iter().zip(large.agents()) {
            assert_eq!(
                (small.position * 128.0, small.velocity * 128.0),
                (large.position, large.velocity),
                "{}",
                small.id
            );
        }
    }
}

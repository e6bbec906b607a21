//! A crowd at a door in the default style: the measures of `docs/doorway.md`.

use std::convert::Infallible;

use serde_json::{Value, json};
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

/// Widths of doors, m, how many ticks are enough for everybody, and the least order.
const DOORS: [(f64, u64, f64); 7] = [
    (0.8, 4000, 0.9),
    (0.9, 3600, 0.9),
    (1.0, 3400, 0.9),
    (1.2, 3000, 0.9),
    (1.6, 2400, 0.8),
    (2.0, 2000, 0.8),
    (2.5, 2000, 0.8),
];

/// The least and the greatest flow that was measured for people at a door, 1/s.
fn people(width: f64) -> [f64; 2] {
    let path = format!("{}/../../assets/pedestrians/people.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let data: Value = serde_json::from_str(&text).unwrap();
    let compared = data["doorways"].as_array().unwrap().iter().filter(|experiment| experiment["compared"] == true);
    let points = compared.flat_map(|experiment| experiment["width_and_flow"].as_array().unwrap());
    let flows = points.filter(|point| point[0] == width).map(|point| point[1].as_f64().unwrap());
    flows.fold([f64::INFINITY, 0.0], |[least, most], flow| [flow.min(least), flow.max(most)])
}

/// Checks that everybody gets out in order and touches nothing. Returns the flow, 1/s.
fn flow_of_sound_run(width: f64, seed: u64, ticks: u64, order: f64) -> f64 {
    let text = text(&format!("{width:.1}m")).replace(r#""seed": 1"#, &format!(r#""seed": {seed}"#));
    let Summary { gates, collisions, .. } = measure(&door(&text), ticks);
    let gate = &gates[0];
    assert_eq!(gate.crossings, 80, "{width} m, seed {seed}");
    assert!(gate.longest_gap.unwrap() <= 5.0, "{width} m, seed {seed}: {gate:?}");
    assert!(gate.order_tau.unwrap() >= order, "{width} m, seed {seed}: {gate:?}");
    let deepest = collisions.with_agents.max_depth.max(collisions.with_obstacles.max_depth);
    assert!(deepest <= 0.001, "{width} m, seed {seed}: {deepest}");
    gate.flow.unwrap()
}

/// Through doors of up to 2 m, at most 10 % more get out than were measured for people; through one of 2.5 m, fewer.
#[test]
fn everybody_gets_out_in_turn_about_as_fast_as_people() {
    let flow = |number: usize| {
        let (width, ticks, order) = DOORS[number];
        let flows = (1..=5).map(|seed| flow_of_sound_run(width, seed, ticks, order));
        flows.sum::<f64>() / 5.0
    };
    let mut flows = [0.0; DOORS.len()];
    std::thread::scope(|scope| {
        let doors = flows.each_mut().into_iter().enumerate();
        let runs: Vec<_> = doors.map(|(number, place)| scope.spawn(move || *place = flow(number))).collect();
        runs.into_iter().for_each(|run| run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
    });
    for ((width, ..), flow) in DOORS.into_iter().zip(flows) {
        let [least, most] = people(width);
        let off = flow / flow.clamp(least, most) - 1.0;
        // `docs/limits.md` has the widest door. If as many agents as people go through it, the row has to go.
        let [low, high] = if width > 2.0 { [-0.2, -0.1] } else { [0.0, 0.1] };
        assert!((low..=high).contains(&off), "{width} m: {flow} is {off} off {least} to {most}");
        assert!((0.75 * least..=1.25 * most).contains(&flow), "{width} m: {flow}");
    }
    assert!(flows.is_sorted(), "{flows:?}");
}

/// Out of a long room, few of those who aim at one point get through a wide door: each matches the pace of everybody ahead.
#[test]
fn a_target_each_empties_a_long_room() {
    let mut room: Value = serde_json::from_str(&text("2.5m")).unwrap();
    room["obstacles"][0]["rectangle"]["center"][0] = json!(-16.1);
    for (wall, side) in [(1, 1.0), (2, -1.0)] {
        room["obstacles"][wall] = json!({"rectangle": {"center": [-8, side * 2.1], "half_size": [8.2, 0.1]}});
    }
    room["crowds"][0]["area"] = json!({"min": [-15.7, -1.7], "max": [-0.3, 1.7]});
    let one_target = door(&room.to_string());
    let agents = Simulation::new(&one_target, Threads::Exactly(1)).agents().to_vec();
    room["agents"] = agents
        .iter()
        .map(|start| {
            let mut agent = room["crowds"][0]["agent"].clone();
            agent["id"] = json!(start.id);
            agent["position"] = json!(start.position.to_array());
            agent["behaviors"][0]["seek"]["target"]["point"][1] = json!(start.position.y * 2.5 / 4.0);
            agent
        })
        .collect();
    room["crowds"] = json!([]);
    let [least, _] = people(2.5);
    let [one, each] = [one_target, door(&room.to_string())].map(|room| {
        let Summary { gates, collisions, .. } = measure(&room, 3000);
        assert_eq!(gates[0].crossings, 80);
        assert!(collisions.with_agents.max_depth <= 0.001, "{collisions:?}");
        gates[0].flow.unwrap() / least
    });
    assert!(one < 0.6 && each > 0.8, "{one} {each}");
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

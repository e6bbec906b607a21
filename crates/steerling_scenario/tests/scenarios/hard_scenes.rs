//! `assets/scenarios/hard`: scenes as games have them, and the limits that they show.

use std::convert::Infallible;

use steerling_scenario::{AgentState, Scenario, Simulation, Summary, Threads, run};

/// The depth up to which bodies only touch, units: two hundredths of a radius of 8.
const TOUCHING: f64 = 0.16;

/// Plays a scene. All that its agents are at the end of any tick is finite.
fn play(name: &str, seed: u64, mut observe: impl FnMut(&[AgentState])) -> Summary {
    let path = format!("{}/../../assets/scenarios/hard/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let scenario = Scenario::read_with_seed(path, seed).unwrap_or_else(|error| panic!("{error}"));
    let watch = |simulation: &Simulation| -> Result<(), Infallible> {
        for AgentState { id, position, velocity, force, .. } in simulation.agents() {
            let finite = position.is_finite() && velocity.is_finite() && force.is_finite();
            assert!(finite, "{name} {seed}: {id} at {position} moves at {velocity} with {force}");
        }
        observe(simulation.agents());
        Ok(())
    };
    let Ok(summary) = run(&scenario, scenario.ticks(), Threads::Exactly(1), watch);
    summary
}

/// Plays a scene in which nobody touches anybody, or an obstacle.
fn play_apart(name: &str, seed: u64, observe: impl FnMut(&[AgentState])) -> Summary {
    let summary = play(name, seed, observe);
    let collisions = &summary.collisions;
    let deepest = collisions.with_agents.max_depth.max(collisions.with_obstacles.max_depth);
    assert!(deepest <= TOUCHING, "{name} {seed}: {collisions:?}");
    summary
}

fn everybody_arrives(name: &str) {
    for seed in [1, 2] {
        let goals = play_apart(name, seed, |_| {}).goals;
        assert!(goals.of > 20, "{name}: {goals:?}");
        assert_eq!(goals.reached, goals.of, "{name} {seed}: {goals:?}");
    }
}

#[test]
fn two_shifts_get_past_each_other_in_doors() {
    everybody_arrives("change_of_shift");
}

#[test]
fn giants_and_rats_get_past_each_other() {
    everybody_arrives("giants_and_rats");
}

#[test]
fn all_hunters_get_to_a_target_that_jumps() {
    everybody_arrives("jumping_imp");
}

#[test]
fn swimmers_cross_before_and_behind_a_boat() {
    everybody_arrives("swimmers_and_a_boat");
}

#[test]
fn a_formation_gets_through_a_gap() {
    everybody_arrives("wedge_through_a_gap");
}

#[test]
fn in_a_chase_nobody_runs_into_anybody() {
    for name in ["ball_boy", "hawk_among_pillars", "hide_and_seek", "market_chase"] {
        for seed in [1, 2] {
            let Summary { path_length, .. } = play_apart(name, seed, |_| {});
            // The chases take 20 s.
            assert!(path_length.is_some_and(|way| way > 500.0), "{name} {seed}: {path_length:?}");
        }
    }
}

#[test]
fn standing_fans_make_way_for_an_escort() {
    for seed in [1, 2] {
        let mut way = 0.0_f32;
        play_apart("escort", seed, |agents| {
            way = agents.iter().find(|agent| agent.id == "star").map_or(way, |star| way.max(star.position.x + 250.0));
        });
        assert!(way > 200.0, "{seed}: {way}");
    }
}

#[test]
fn raiders_get_through_a_gate_that_opens_while_they_push() {
    for seed in 1..=6 {
        let mut end = Vec::new();
        let gates = play_apart("gate_raid", seed, |agents| end = agents.to_vec()).gates;
        assert!(gates[0].crossings >= 38, "{seed}: {gates:?}");
        for AgentState { id, position, .. } in end.iter().filter(|agent| agent.id.starts_with("raider")) {
            // Well past the wall at x = 0; the target is at x = 350.
            assert!(position.x > 100.0, "{seed}: {id} at {position}");
        }
    }
}

#[test]
fn walkers_cross_a_square_on_which_bars_turn() {
    for seed in 1..=6 {
        let mut end = Vec::new();
        play_apart("turning_bars", seed, |agents| end = agents.to_vec());
        for AgentState { id, position, .. } in &end {
            assert_eq!(position.x > 0.0, id.starts_with("east"), "{seed}: {id} at {position}");
        }
    }
}

#[test]
fn a_ferry_carries_its_passengers() {
    for seed in [1, 2, 3] {
        let mut end = Vec::new();
        play_apart("ferry", seed, |agents| end = agents.to_vec());
        for AgentState { id, position, .. } in &end {
            // The deck has moved on by 600.
            let on_deck = (position.x - 600.0).abs() <= 76.5 && position.y.abs() <= 52.5;
            assert!(on_deck, "{seed}: {id} at {position}");
        }
    }
}

#[test]
fn who_comes_back_where_others_stand_is_free_at_once() {
    for seed in [1, 2] {
        let Summary { collisions, respawns, .. } = play("crowded_spawn_point", seed, |_| {});
        assert!(respawns > 100, "{seed}: {respawns}");
        let (with_agents, with_obstacles) = (collisions.with_agents, collisions.with_obstacles);
        // They do come back in others, and are out of them after a few ticks.
        assert!(with_agents.unique > 50, "{seed}: {with_agents:?}");
        assert!(with_agents.agent_ticks < 4 * with_agents.unique, "{seed}: {with_agents:?}");
        assert!(with_obstacles.max_depth <= TOUCHING, "{seed}: {with_obstacles:?}");
    }
}

#[test]
fn a_crowd_comes_to_rest_behind_a_gate() {
    for seed in 1..=6 {
        let mut end = Vec::new();
        play_apart("behind_a_gate", seed, |agents| end = agents.to_vec());
        for AgentState { id, position, velocity, .. } in &end {
            // The radius of the densest packing of forty is 53.
            let distance = (position.x - 350.0).hypot(position.y);
            assert!(distance < 2.6 * 53.0 && velocity.length() < 1.0, "{seed}: {id} at {position} moves at {velocity}");
        }
    }
}

/// How near raiders come to each other while guards hunt them.
fn nearest_raiders(name: &str, seed: u64) -> f32 {
    let mut nearest = f32::INFINITY;
    play(name, seed, |agents| {
        let raiders: Vec<_> = agents.iter().filter(|agent| agent.id.starts_with("raider")).collect();
        for (number, raider) in raiders.iter().enumerate() {
            let others = raiders[..number].iter().map(|other| other.position.distance(raider.position));
            nearest = others.fold(nearest, f32::min);
        }
    });
    nearest
}

#[test]
fn the_hunted_that_do_not_avoid_their_hunters_do_not_run_into_each_other() {
    for seed in 1..=6 {
        let nearest = nearest_raiders("hunted_crowd", seed);
        assert!(nearest > 16.0 - TOUCHING as f32, "{seed}: {nearest}");
    }
}

#[test]
fn limit_hunters_press_the_hunted_that_avoid_them_into_each_other() {
    let nearest = nearest_raiders("limits/hunted_crowd", 1);
    assert!(nearest < 15.0, "{nearest}");
}

#[test]
fn limit_two_groups_block_each_other_on_a_narrow_bridge() {
    let goals = play_apart("limits/narrow_bridge", 1, |_| {}).goals;
    assert!(goals.reached < goals.of, "{goals:?}");
}

#[test]
fn limit_a_car_drives_into_a_corner_in_which_it_could_turn() {
    let goals = play_apart("limits/car_in_a_corner", 1, |_| {}).goals;
    assert_eq!(goals.reached, 0);
}

#[test]
fn limit_who_bounces_off_an_edge_may_touch_others() {
    let deepest = play("limits/bouncing_walkers", 1, |_| {}).collisions.with_agents.max_depth;
    assert!(deepest > 1.0, "{deepest}");
}

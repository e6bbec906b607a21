//! `AvoidNeighbors`, and crowds that settle at their targets.

use bevy::math::Vec2;
use serde_json::{Value, json};

use crate::playing::{assert_apart, end_of, file, place, play};
use crate::scaling::{add_defaults, agents_of, check_that_units_do_not_matter};

/// The prefix of the ids of agents that are too far away to matter.
const FAR: &str = "far";

/// How much slower everything moves in slow motion. Dividing by a power of two is exact.
const SLOWER: f64 = 64.0;

/// The same scene, with ticks `SLOWER` times as long, and speeds and forces to match. The scene sets no other times.
fn in_slow_motion(file: &Value) -> Value {
    let mut slow = file.clone();
    assert!(slow["tick"].is_null(), "it has the default length, 1/64 s");
    slow["tick"] = json!(SLOWER / 64.0);
    add_defaults(&mut slow);
    for agent in agents_of(&mut slow) {
        for (key, slower) in [("max_speed", SLOWER), ("max_force", SLOWER * SLOWER)] {
            agent[key] = json!(agent[key].as_f64().expect("it is a number") / slower);
        }
        for speed in agent.get_mut("velocity").and_then(Value::as_array_mut).into_iter().flatten() {
            *speed = json!(speed.as_f64().expect("it is a number") / SLOWER);
        }
    }
    slow
}

/// The same scene, with 300 more agents, a million units away. With so many, agents search their surroundings in another way.
fn with_many_far_away(file: &Value) -> Value {
    let mut with_others = file.clone();
    let far = json!({"prefix": FAR, "count": 300, "spacing": 30, "agent": {},
                     "area": {"min": [1_000_000, 1_000_000], "max": [1_001_000, 1_001_000]}});
    with_others["crowds"].as_array_mut().expect("it has crowds").push(far);
    with_others
}

/// The positions of all agents that are not far away, tick by tick.
fn positions(file: &Value) -> Vec<Vec2> {
    let mut positions = Vec::new();
    play(file, |_, agents| {
        let near = agents.iter().filter(|agent| !agent.id.starts_with(FAR));
        positions.extend(near.map(|agent| agent.position));
    });
    positions
}

#[track_caller]
fn assert_same_motion(name: &str, one: &Value, other: &Value) {
    let [one, other] = [one, other].map(positions);
    assert_eq!(one.len(), other.len(), "{name}");
    let apart = one.iter().zip(&other).map(|(one, other)| one.distance(*other)).fold(0.0, f32::max);
    assert!(apart < 0.1, "{name}: up to {apart} units apart");
}

#[track_caller]
fn assert_same_motion_with_any_seed(file: &mut Value, change: impl Fn(&Value) -> Value) {
    for seed in 0..4 {
        file["seed"] = json!(seed);
        assert_same_motion(&format!("seed {seed}"), file, &change(file));
    }
}

#[test]
fn two_who_meet_in_a_corridor_stop_in_time() {
    let file = file("two_meet_in_a_corridor");
    assert_apart("as it is", &play(&file, |_, _| {}));
    assert_apart("in slow motion", &play(&in_slow_motion(&file), |_, _| {}));
}

#[test]
fn in_a_corridor_an_agent_backs_away_from_one_who_does_not_look() {
    let file = file("one_in_a_corridor_does_not_look");
    assert_apart("as it is", &play(&file, |_, _| {}));
    assert_apart("in slow motion", &play(&in_slow_motion(&file), |_, _| {}));

    // It avoids others, but not this one.
    let mut selective = file;
    let strolls = &mut selective["agents"][1];
    assert_eq!(strolls["id"], "strolls");
    strolls["max_force"] = json!(30000);
    strolls["behaviors"].as_array_mut().expect("it is a list").push(json!({"avoid_neighbors": {"groups": 2}}));
    assert_apart("avoids another group", &play(&selective, |_, _| {}));
}

#[test]
fn a_car_with_weak_brakes_stops_in_time() {
    assert_apart("car", &play(&file("weak_brakes_before_a_post"), |_, _| {}));
}

#[test]
fn large_bodies_keep_their_clearance() {
    let end = end_of(&file("large_bodies_close_up"));
    let gap = place(&end, "a").distance(place(&end, "b")) - 1600.0;
    // It is a hundredth of a radius.
    assert!((7.5..8.5).contains(&gap), "{gap}");
}

#[test]
fn the_unit_of_time_does_not_matter() {
    let brakes = file("different_brakes_in_a_corridor");
    assert_same_motion("different brakes", &brakes, &in_slow_motion(&brakes));
    let mut gathering = file("twelve_gather");
    assert_same_motion_with_any_seed(&mut gathering, in_slow_motion);
}

#[test]
fn agents_far_away_do_not_matter() {
    let rarely = file("one_in_a_corridor_thinks_rarely");
    assert_same_motion("one thinks rarely", &rarely, &with_many_far_away(&rarely));

    // With a long time horizon, distances within which others matter are long as well.
    let mut gathering = file("twelve_gather");
    gathering["crowds"][0]["agent"]["behaviors"][1]["avoid_neighbors"] = json!({"look_ahead": 500});
    assert_same_motion_with_any_seed(&mut gathering, with_many_far_away);
}

#[test]
fn walkers_notice_a_fast_car_in_all_units() {
    let file = file("a_fast_car_among_walkers");
    assert_eq!(play(&file, |_, _| {}).collisions.with_agents.unique, 0);
    check_that_units_do_not_matter("fast car", &file, 120);
}

#[test]
fn those_who_cannot_reach_their_target_try_for_a_while_and_settle() {
    let mut file = file("target_inside_an_obstacle");
    let mut settled_after = |ticks: u64| {
        file["ticks"] = json!(ticks);
        play(&file, |_, _| {}).events.arrived
    };
    assert_eq!(settled_after(300), 0);
    assert_eq!(settled_after(2000), 2);
}

#[test]
fn a_guest_settles_next_to_a_guard_who_circles_slowly_on_its_target() {
    let summary = play(&file("guard_on_the_target"), |_, _| {});
    assert!(summary.events.arrived > 0, "{:?}", summary.events);
    assert_apart("guard", &summary);
}

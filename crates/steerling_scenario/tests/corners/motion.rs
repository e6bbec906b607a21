//! Orbits, cohesion, and limits of the force near bodies and in obstacles.

use serde_json::{Value, json};

use crate::playing::{TOUCHING, assert_apart, end_of, file, place, play};
use crate::scaling::check_that_units_do_not_matter;

/// The distance from the center of an orbit, as a share of its radius of 100, at the start and after each tick.
fn distances(scene: &Value, target: Option<&str>) -> Vec<f32> {
    let mut distances = Vec::new();
    play(scene, |_, agents| {
        let center = target.map(|id| place(agents, id)).unwrap_or_default();
        distances.push(place(agents, "a").distance(center) / 100.0);
    });
    distances
}

/// Adds a row of small obstacles at x = 0.
fn add_row(scene: &mut Value) {
    scene["obstacles"] = (-10..=10).map(|k| json!({"circle": {"center": [0, 20 * k], "radius": 12}})).collect();
}

#[test]
fn cohesion_sees_eight_radii_far_by_default() {
    let agents = end_of(&file("cohesion_by_default"));
    let (seen, unseen) = (place(&agents, "seen").x, place(&agents, "unseen").x);
    assert!(seen > 30.0 && unseen == 0.0, "{seen}, {unseen}");
}

#[test]
fn a_weak_agent_orbits_in_the_same_way_in_any_unit_of_length() {
    for name in ["orbit_from_aside", "weak_orbit"] {
        check_that_units_do_not_matter(name, &file(name), 500);
    }
}

#[test]
fn a_weak_agent_approaches_its_orbit_as_fast_as_it_can_brake() {
    let scene = file("weak_orbit");
    let mut fastest = 0.0_f32;
    play(&scene, |_, agents| fastest = agents[0].velocity.length().max(fastest));
    assert!(fastest > 99.0, "it is only {fastest} fast");
    let distances = distances(&scene, None);
    let off = distances.iter().rposition(|distance| (*distance - 1.0).abs() > 0.01).expect("it starts off the circle");
    let time = off as f32 / 64.0;
    assert!(time < 6.2, "it is on the circle only after {time} s");
}

#[test]
fn a_weak_agent_orbits_a_moving_target() {
    let distances = distances(&file("weak_orbit_around_a_moving_target"), Some("target"));
    for distance in &distances[distances.len() - 200..] {
        assert!((*distance - 1.0).abs() < 0.02, "it is at {distance} radii");
    }
}

#[test]
fn an_agent_of_any_mass_swings_out_to_its_orbit_and_not_beyond() {
    for mass in [2.0, 4.0, 16.0] {
        let mut scene = file("heavy_orbit_from_inside");
        scene["agents"][0]["mass"] = json!(mass);
        scene["agents"][0]["max_force"] = json!(300.0 * mass);
        let distances = distances(&scene, None);
        let (farthest, last) = (distances.iter().fold(0.0, |a: f32, b| a.max(*b)), distances[distances.len() - 1]);
        assert!(farthest < 1.01 && last > 0.99, "mass {mass}: {farthest}, {last} at the end");
    }
}

#[test]
fn weak_agents_and_those_with_coarse_ticks_stop_before_small_obstacles() {
    let names = [
        "weak_agent_toward_small_obstacles",
        "weak_agents_toward_small_obstacles",
        "coarse_ticks_toward_small_obstacles",
    ];
    for name in names {
        let mut scene = file(name);
        add_row(&mut scene);
        assert_apart(name, &play(&scene, |_, _| {}));
    }
}

#[test]
fn an_agent_that_leaves_one_body_does_not_touch_another() {
    play(&file("apart_from_one_and_near_another"), |tick, agents| {
        let depth = 16.0 - place(agents, "a").distance(place(agents, "near"));
        assert!(f64::from(depth) < TOUCHING, "tick {tick}: {depth} deep");
    });
}

#[test]
fn an_agent_leaves_two_overlapping_obstacles_the_short_way() {
    let overlaps = play(&file("inside_two_thin_obstacles"), |_, _| {}).collisions.with_obstacles;
    assert!((1..40).contains(&overlaps.agent_ticks), "{overlaps:?}");
}

#[test]
fn an_agent_leaves_a_moving_obstacle_straight_ahead() {
    let scene = file("inside_a_moving_obstacle");
    let mut y = 0.0;
    let overlaps = play(&scene, |_, agents| y = place(agents, "a").y).collisions.with_obstacles;
    assert!((1..180).contains(&overlaps.agent_ticks) && (y - 3.0_f32).abs() < 1.0, "at y = {y}: {overlaps:?}");
}

//! Agents pass obstacles, leave dead ends, follow walls, and stay in regions.

use bevy::math::Vec2;
use serde_json::{Value, json};
use steerling_scenario::Summary;

use crate::playing::{agent, assert_apart, end_of, file, place, play};
use crate::scaling::check_that_units_do_not_matter;

/// The measures of a scene.
#[track_caller]
fn played(name: &str) -> Summary {
    play(&file(name), |_, _| {})
}

/// The measures of a scene in which everybody reaches its goals.
#[track_caller]
fn arrived(name: &str) -> Summary {
    let summary = played(name);
    let goals = &summary.goals;
    assert!(goals.of > 0 && goals.reached == goals.of, "{name}: {goals:?}");
    summary
}

/// Checks that everybody reaches its goals, and moves in the same way in other units of length and mass.
#[track_caller]
fn arrived_in_any_units(name: &str, ticks: u64) {
    arrived(name);
    check_that_units_do_not_matter(name, &file(name), ticks);
}

/// The mean distance traveled by an agent, units.
#[track_caller]
fn path_length(summary: &Summary) -> f64 {
    summary.path_length.expect("there are agents")
}

#[test]
fn feelers_push_with_the_force_to_change_the_velocity_by_max_speed_within_the_response_time() {
    let by_default = file("feelers_without_a_force_limit");
    let mut explicit = by_default.clone();
    // A max speed of 100, a mass of 2, and a response time of 0.25 s.
    explicit["agents"][0]["behaviors"][1]["avoid_obstacles"]["max_avoid_force"] = json!(800);
    let [one, other] = [by_default, explicit].map(|file| place(&end_of(&file), "a"));
    assert!(one.distance(other) < 0.01, "{one} is not {other}");
}

#[test]
fn an_agent_comes_to_rest_at_a_destination_where_its_body_does_not_quite_fit() {
    // The body would overlap the disc by 0.1 units.
    let scene = file("destination_beside_a_disc");
    let mut end = Vec::new();
    let summary = play(&scene, |_, agents| end = agents.to_vec());
    let (velocity, length) = (agent(&end, "a").velocity, path_length(&summary));
    assert!(velocity.length() < 0.01 && length < 400.0, "a path of {length}, velocity {velocity} at its end");
}

#[test]
fn far_from_the_origin_an_agent_comes_to_rest_between_obstacles() {
    // Its position is rounded, so it always wants to move by a little.
    let length = path_length(&played("destination_far_from_the_origin"));
    assert!(length < 240.0, "{length}");
}

#[test]
fn a_heavy_agent_at_rest_before_a_block_goes_around_it() {
    arrived("heavy_body_before_a_block");
}

#[test]
fn an_agent_at_rest_gets_out_of_the_way_of_an_obstacle() {
    let name = "disc_toward_an_agent_at_rest";
    assert_apart(name, &played(name));
}

#[test]
fn a_large_body_notices_obstacles_in_time_among_many() {
    // Among many obstacles, agents that are far from all of them are sorted out first.
    for name in ["large_body_among_many_obstacles", "short_sighted_large_body_among_many_obstacles"] {
        assert_apart(name, &played(name));
    }
}

#[test]
fn an_agent_that_follows_a_field_leaves_others_to_pass_obstacles_themselves() {
    arrived("field_follower_beside_others");
}

#[test]
fn two_agents_who_meet_beside_a_pillar_both_pass_it() {
    arrived_in_any_units("meeting_beside_a_pillar", 384);
}

#[test]
fn a_heavy_body_that_does_not_fit_into_its_region_goes_to_the_middle() {
    let off = place(&end_of(&file("heavy_body_in_a_small_circle")), "a").length();
    assert!(off < 1.0, "{off}");
}

#[test]
fn a_look_ahead_beyond_the_middle_of_a_region_counts_as_one_to_the_middle() {
    let end_with = |look_ahead: f64| {
        let mut scene = file("far_look_ahead_in_a_rectangle");
        scene["agents"][0]["behaviors"][1]["contain"]["look_ahead"] = json!(look_ahead);
        place(&end_of(&scene), "a")
    };
    let (far, middle) = (end_with(1000.0), end_with(91.6));
    assert!(far.distance(middle) < 1.0, "{far} is not {middle}");
}

#[test]
fn a_point_does_not_leave_a_dead_end_through_its_wall() {
    assert_eq!(arrived("dead_end_of_a_point").gates[0].crossings, 0);
}

#[test]
fn a_disc_that_comes_head_on_is_no_dead_end() {
    arrived_in_any_units("disc_head_on", 320);
}

#[test]
fn an_agent_leaves_one_dead_end_after_another() {
    arrived_in_any_units("two_dead_ends_in_a_row", 480);
}

#[test]
fn the_way_out_of_a_dead_end_is_the_same_in_other_units() {
    arrived_in_any_units("dead_end_of_three_walls", 480);
}

#[test]
fn an_agent_does_not_follow_a_wall_beside_its_destination() {
    // At its destination the body would overlap the wall by 0.2 units.
    let end = place(&end_of(&file("destination_beside_a_long_wall")), "a");
    assert!(end.distance(Vec2::new(-0.8, 0.0)) < 1.0, "{end}");
}

#[test]
fn an_agent_leaves_a_dead_end_by_the_shorter_way() {
    // The longer ways are 670 and 850 units long.
    for (name, most) in [("wall_across_the_way", 560.0), ("corner_of_a_dead_end", 680.0)] {
        let length = path_length(&arrived(name));
        assert!(length < most, "{name}: {length}");
    }
}

#[test]
fn a_weak_body_leaves_a_dead_end_that_is_shorter_than_its_look_ahead() {
    arrived("dead_end_of_a_weak_body");
}

#[test]
fn an_agent_looks_for_another_way_when_its_destination_jumps_behind_another_wall() {
    arrived("destination_jumps_behind_a_wall");
}

#[test]
fn a_body_with_a_low_turn_rate_follows_a_straight_wall_at_full_speed() {
    let end = place(&end_of(&file("slow_turns_along_a_straight_wall")), "a");
    assert!(end.x > 1200.0 && (end.y - 35.0).abs() < 1.0, "{end}");
}

#[test]
fn a_body_that_follows_a_wall_does_not_touch_it_if_it_should_be_nearer_than_its_radius() {
    let name = "close_to_a_wall";
    assert_apart(name, &played(name));
}

/// The least distance from the walls at which the agent follows them, relative to the one it has to keep.
fn nearest(file: &Value) -> f32 {
    let corners = file["obstacles"][0]["polyline"]["points"].clone();
    let corners: Vec<[f32; 2]> = serde_json::from_value(corners).expect("it is a list of points");
    let follow = &file["agents"][0]["behaviors"][0]["follow_wall"];
    let distance = follow["distance"].as_f64().expect("it is a number") as f32;
    let distance_from = |wall: &[[f32; 2]], here: Vec2| {
        let (start, end) = (Vec2::from(wall[0]), Vec2::from(wall[1]));
        let along = end - start;
        let share = (here - start).dot(along) / along.length_squared();
        here.distance(start + along * share.clamp(0.0, 1.0))
    };
    let mut nearest = f32::INFINITY;
    play(file, |_, agents| {
        let here = place(agents, "a");
        nearest = corners.windows(2).map(|wall| distance_from(wall, here)).fold(nearest, f32::min);
    });
    nearest / distance
}

#[test]
fn around_corners_and_in_them_an_agent_keeps_its_distance_from_walls_but_for_a_tenth() {
    // Each is slow to turn, or to respond, or has to brake before a corner.
    for name in [
        "slow_turns_around_a_block",
        "slow_turns_in_a_room",
        "corners_in_a_room",
        "slow_response_around_a_block",
        "slow_response_in_a_room",
    ] {
        let nearest = nearest(&file(name));
        assert!(nearest > 0.9, "{name}: {nearest} of the distance");
    }
}

#[test]
fn an_agent_follows_walls_in_the_same_way_in_other_units() {
    let name = "slow_response_around_a_block";
    check_that_units_do_not_matter(name, &file(name), 320);
}

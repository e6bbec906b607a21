//! Agents on paths and in flow fields.

use bevy::math::Vec2;
use bevy_steerling::prelude::SteeringPath;
use serde_json::Value;

use crate::playing::{end_of, file, place, play};
use crate::scaling::check_that_units_do_not_matter;

/// An agent on its path.
struct Follower {
    id: String,
    path: SteeringPath,
    /// Half the width of its lane, units.
    lane: f32,
    radius: f32,
    has_joined: bool,
    /// The largest distance from its path since it has joined it, units.
    off: f32,
    has_arrived: bool,
}

impl Follower {
    fn new(agent: &Value) -> Self {
        let follow = &agent["behaviors"][0]["follow_path"];
        let number = |value: &Value| value.as_f64().map(|number| number as f32);
        let radius = number(&agent["radius"]).unwrap_or(8.0);
        Self {
            id: agent["id"].as_str().expect("it has an id").to_owned(),
            path: SteeringPath::new(points_of(follow)),
            lane: number(&follow["radius"]).unwrap_or(2.0 * radius),
            radius,
            has_joined: false,
            off: 0.0,
            has_arrived: false,
        }
    }

    fn watch(&mut self, place: Vec2) {
        let off = distance_from(&self.path, place);
        self.has_joined |= off <= 0.7 * self.lane;
        if self.has_joined {
            self.off = self.off.max(off);
        }
        let end = self.path.points().last().expect("the path has an end");
        self.has_arrived |= place.distance(*end) <= self.radius;
    }
}

fn points_of(follow: &Value) -> Vec<Vec2> {
    let points: Vec<[f32; 2]> = serde_json::from_value(follow["path"].clone()).expect("the path has points");
    points.into_iter().map(Vec2::from).collect()
}

fn distance_from(path: &SteeringPath, place: Vec2) -> f32 {
    path.point_at(path.distance_to_nearest(place)).expect("the path has points").distance(place)
}

/// Checks that all agents stay in their lanes after they have joined them, and come to the ends of their paths.
#[track_caller]
fn assert_in_lanes(name: &str) {
    let file = file(name);
    let agents = file["agents"].as_array().expect("there are agents");
    let mut followers: Vec<Follower> = agents.iter().map(Follower::new).collect();
    play(&file, |_, agents| {
        for follower in &mut followers {
            follower.watch(place(agents, &follower.id));
        }
    });
    for Follower { id, lane, off, has_arrived, .. } in followers {
        assert!(off <= lane, "{name}: {id} is {off} off its path, and its lane reaches to {lane}");
        assert!(has_arrived, "{name}: {id} has not come to its end");
    }
}

#[test]
fn vehicles_stay_in_their_lanes_around_corners() {
    assert_in_lanes("vehicles_around_corners");
}

/// A turn of 30° takes little time, even at a limited turn rate.
#[test]
fn a_vehicle_hardly_slows_down_for_a_gentle_corner() {
    assert_in_lanes("vehicle_in_a_gentle_corner");
}

/// An agent with a long response time can leave its plan for the end only when it is slow, and when it hardly drifts sideways.
#[test]
fn agents_that_respond_slowly_come_to_the_end_in_their_lanes() {
    assert_in_lanes("walkers_slow_to_respond");
}

#[test]
fn a_patrol_that_responds_slowly_stays_in_its_lane() {
    assert_in_lanes("patrol_slow_to_respond");
}

/// The corners of the curve alone would let it go faster.
#[test]
fn a_runner_slows_down_on_a_curve_for_the_stop_after_it() {
    assert_in_lanes("runner_on_a_curve");
}

#[test]
fn an_agent_that_is_moved_to_a_later_leg_goes_on_from_there() {
    assert_in_lanes("moved_to_a_later_leg");
}

/// How far an agent must be moved to start anew depends on its own size and speed.
#[test]
fn a_move_to_a_later_leg_is_noticed_in_any_units() {
    check_that_units_do_not_matter("moved_to_a_later_leg", &file("moved_to_a_later_leg"), 260);
}

#[test]
fn short_legs_and_sharp_turns_are_the_same_in_any_units() {
    check_that_units_do_not_matter("short_legs_and_sharp_turns", &file("short_legs_and_sharp_turns"), 80);
}

/// It does not join its lane first, since the end is not ahead.
#[test]
fn an_agent_beside_the_end_of_its_path_goes_straight_there() {
    let file = file("start_beside_the_end_of_a_path");
    let [start, end] = [Vec2::new(460.0, 60.0), Vec2::new(400.0, 0.0)];
    let straight = SteeringPath::new([start, end]);
    let mut off = 0.0_f32;
    let mut last = start;
    play(&file, |_, agents| {
        last = place(agents, "walker");
        off = off.max(distance_from(&straight, last));
    });
    assert!(off < 8.0, "it is {off} off the straight way");
    assert!(last.distance(end) < 1.0, "it ends at {last}");
}

#[test]
fn an_agent_joins_the_nearest_leg_of_its_path() {
    let file = file("start_in_the_middle_of_a_path");
    let mut least = f32::INFINITY;
    let mut last: Vec<Vec2> = Vec::new();
    play(&file, |_, agents| {
        last = agents.iter().map(|agent| agent.position).collect();
        least = last.iter().fold(least, |least, place| least.min(place.x));
    });
    assert!(least > 140.0, "somebody goes back to {least}");
    assert!(last.iter().all(|place| place.distance(Vec2::new(300.0, -100.0)) < 1.0), "they end at {last:?}");
}

/// The agent starts on a leg that is the closing one in one of the lists.
#[test]
fn a_loop_is_the_same_from_whichever_point_it_is_listed() {
    let mut file = file("start_on_the_closing_leg");
    for first in 0..4 {
        let end = end_of(&file)[0].position;
        assert!(end.x.abs() < 1.0 && (0.0..40.0).contains(&end.y), "from point {first}, it gets to {end}");
        let path = &mut file["agents"][0]["behaviors"][0]["follow_path"]["path"];
        path.as_array_mut().expect("the path has points").rotate_left(1);
    }
}

/// Mass and response time limit its acceleration as they do for `arrive`.
#[test]
fn in_the_open_a_heavy_agent_follows_a_field_as_it_arrives() {
    let mut apart = 0.0_f32;
    play(&file("field_to_a_far_goal"), |_, agents| {
        apart = apart.max(place(agents, "on_field").distance(place(agents, "arrives")));
    });
    assert!(apart < 1.0, "they are {apart} apart");
}

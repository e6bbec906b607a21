use alloc::vec::Vec;

use bevy::math::ops;

use super::course::Course;
use super::plan::{Ability, Plan};
use super::route::Route;
use super::*;
use crate::agent::Agent;
use crate::agent::SteeringId;
use crate::agent::random::{SteeringRng, SteeringSeed};
use crate::engine::wish::Wish;
use crate::math::Vector;
use crate::math::segment::nearest_on_segment;
use crate::math::space::Space;
use crate::math::{truncate, unit_vector};
use crate::perception::path::SteeringPath;

/// A tick of an agent that only follows its path.
fn tick(follow: &FollowPath, progress: &mut PathProgress, agent: &mut Agent) {
    let force = truncate(follow.steer(progress, agent, None).force(agent), agent.max_force);
    agent.velocity = truncate(agent.velocity + force / agent.mass * agent.tick, agent.max_speed);
    agent.position += agent.velocity * agent.tick;
}

struct Numbers(SteeringRng);

impl Numbers {
    fn new(seed: u64) -> Self {
        Self(SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 7))
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.0.uniform()
    }

    /// Between two numbers, on a logarithmic scale.
    fn scale(&mut self, low: f32, high: f32) -> f32 {
        low * ops::powf(high / low, self.0.uniform())
    }

    fn direction(&mut self) -> Vector {
        unit_vector(self.between(-3.1, 3.1))
    }
}

struct Case {
    follow: FollowPath,
    agent: Agent,
    time_to_speed: f32,
}

/// A path and an agent at its start, anywhere in the lane, at rest or moving along it.
fn any_case(seed: u64) -> Case {
    let mut numbers = Numbers::new(seed);
    let count = 2 + numbers.between(0.0, 10.0) as usize;
    let size = numbers.scale(1.0, 1000.0);
    let radius = size * numbers.scale(0.003, 0.1);
    let mut points = Vec::from([numbers.direction() * size]);
    while points.len() < count {
        let near = numbers.between(0.0, 1.0) < 0.15;
        let length = if near { numbers.scale(0.01, 1.0) * radius } else { numbers.between(0.05, 1.0) * size };
        points.push(points[points.len() - 1] + numbers.direction() * length);
    }
    let end = [PathEnd::Stop, PathEnd::Loop, PathEnd::PingPong][numbers.between(0.0, 3.0) as usize];
    let tick = numbers.scale(1.0 / 240.0, 1.0 / 15.0);
    let response_time = if numbers.between(0.0, 1.0) < 0.5 { tick } else { numbers.between(0.0, 0.5).max(tick) };
    let max_speed = size * numbers.scale(0.05, 3.0);
    let time_to_speed = numbers.scale(2.0 * tick, 3.0);
    let mass = numbers.scale(0.2, 8.0);
    let lane = radius * numbers.between(1.2, 4.0);
    let first = points[1] - points[0];
    let feasible = ops::sqrt(max_speed / time_to_speed * first.length()).min(max_speed);
    let speed = if numbers.between(0.0, 1.0) < 0.5 { 0.0 } else { feasible * numbers.between(0.0, 0.3) };
    let agent = Agent {
        position: points[0] + numbers.direction() * lane * numbers.between(0.0, 1.0),
        velocity: first.normalize_or_zero() * speed,
        mass,
        max_speed,
        max_force: max_speed / time_to_speed * mass,
        radius,
        response_time,
        tick,
        ..Agent::at(Vector::ZERO)
    };
    Case { follow: FollowPath::new(points).with_end(end).with_radius(lane), agent, time_to_speed }
}

/// An agent with these limits at a place, at rest.
fn agent_at(position: Vector, max_speed: f32, max_force: f32) -> Agent {
    let tick = 1.0 / 60.0;
    Agent { max_speed, max_force, radius: 5.0, tick, response_time: tick, ..Agent::at(position) }
}

/// The corners of a regular polygon.
fn polygon(corners: usize, radius: f32) -> Vec<Vector> {
    (0..corners).map(|corner| unit_vector(core::f32::consts::TAU * corner as f32 / corners as f32) * radius).collect()
}

/// The distance from the nearest segment.
fn distance(follow: &FollowPath, place: Vector) -> f32 {
    let points = follow.path.points();
    let closing = if follow.end == PathEnd::Loop { points.len() } else { points.len() - 1 };
    (0..closing)
        .map(|leg| nearest_on_segment(place, points[leg], points[(leg + 1) % points.len()]).distance(place))
        .fold(f32::INFINITY, f32::min)
}

#[test]
fn an_agent_leaves_its_lane_by_no_more_than_a_tick_of_travel() {
    let mut worst: Vec<(f32, u64)> = Vec::new();
    let mut unfinished = Vec::new();
    for seed in 0..1_000 {
        let Case { follow, mut agent, time_to_speed } = any_case(seed);
        let points = follow.path.points();
        let mut progress = PathProgress::default();
        let time = follow.path.length() / agent.max_speed * 6.0
            + points.len() as f32 * 12.0 * time_to_speed
            + 20.0 * agent.response_time
            + 5.0;
        let (mut beyond, mut travel) = (f32::NEG_INFINITY, 0.0_f32);
        let mut finished = false;
        for _ in 0..(time / agent.tick) as usize {
            tick(&follow, &mut progress, &mut agent);
            let travelled = agent.velocity.length() * agent.tick;
            let lane = follow.radius.expect("the lane has a radius");
            beyond = beyond.max((distance(&follow, agent.position) - lane - travelled.max(travel)) / lane);
            travel = travelled;
            finished |= match follow.end {
                PathEnd::Stop => agent.position.distance(points[points.len() - 1]) < 0.01 * agent.radius,
                PathEnd::Loop | PathEnd::PingPong => progress.lap() > 0,
            };
        }
        if beyond > 1e-3 {
            worst.push((beyond, seed));
        }
        if !finished {
            unfinished.push(seed);
        }
    }
    worst.sort_by(|a, b| b.0.total_cmp(&a.0));
    assert!(worst.is_empty() && unfinished.is_empty(), "{worst:?} left their lanes, {unfinished:?} did not finish");
}

#[test]
fn on_a_curve_it_is_as_fast_as_its_force_allows() {
    let mut numbers = Numbers::new(2);
    for corners in [24, 64, 100, 360] {
        for _ in 0..5 {
            let (radius, mass) = (numbers.scale(30.0, 900.0), numbers.scale(0.3, 5.0));
            let fastest = ops::sqrt(radius * 200.0 / mass);
            let mut agent = Agent { mass, ..agent_at(Vector::new(radius, 0.0), 2.0 * fastest, 200.0) };
            let follow = FollowPath::new(polygon(corners, radius)).with_end(PathEnd::Loop);
            let mut progress = PathProgress::default();
            let (mut ticks, mut way) = (0_u16, 0.0);
            while progress.lap() < 3 {
                tick(&follow, &mut progress, &mut agent);
                if progress.lap() > 0 {
                    way += agent.velocity.length();
                    ticks += 1;
                }
                let off = distance(&follow, agent.position);
                assert!(
                    off < 10.0 + agent.velocity.length() * agent.tick,
                    "{corners} {radius} {mass}: {off}, {agent:?}, {progress:?}"
                );
            }
            let share = way / f32::from(ticks) / fastest;
            assert!((0.95..1.01).contains(&share), "{corners} corners, radius {radius}: {share}");
        }
    }
}

#[test]
fn on_a_straight_way_it_is_as_fast_as_seek_and_stops_as_arrive_does() {
    let mut numbers = Numbers::new(3);
    for _ in 0..200 {
        let end = numbers.direction() * numbers.scale(10.0, 1_000.0);
        let start = agent_at(Vector::ZERO, numbers.scale(10.0, 300.0), numbers.scale(10.0, 1_000.0));
        let response_time = numbers.between(0.5, 10.0).max(1.0) * start.tick;
        let mut agent = Agent { mass: numbers.scale(0.3, 5.0), response_time, ..start };
        let mut other = agent;
        let follow = FollowPath::new([Vector::ZERO, end]);
        let mut progress = PathProgress::default();
        for _ in 0..600 {
            tick(&follow, &mut progress, &mut agent);
            let force = truncate(Wish::arrive(other.to(end)).force(&other), other.max_force);
            other.velocity = truncate(other.velocity + force / other.mass * other.tick, other.max_speed);
            other.position += other.velocity * other.tick;
            assert_eq!((agent.position, agent.velocity), (other.position, other.velocity));
        }
    }
    // Before a far corner as well.
    let follow = FollowPath::new([Vector::ZERO, Vector::new(1e5, 0.0), Vector::new(1e5, 1e5)]);
    let (mut agent, mut progress) = (agent_at(Vector::ZERO, 100.0, 70.0), PathProgress::default());
    let mut seeker = agent;
    for _ in 0..600 {
        tick(&follow, &mut progress, &mut agent);
        let force = truncate(Wish::seek(Vector::X).force(&seeker), seeker.max_force);
        seeker.velocity = truncate(seeker.velocity + force / seeker.mass * seeker.tick, seeker.max_speed);
        seeker.position += seeker.velocity * seeker.tick;
        assert!(agent.position.x >= seeker.position.x - 1e-3, "{agent:?} is behind {seeker:?}");
    }
}

/// Paths whose parts are nearer to each other than the lane is wide, or cross.
fn tangled_paths() -> Vec<Vec<Vector>> {
    let figure_of_eight = (0..40).map(|k| {
        let angle = core::f32::consts::TAU * k as f32 / 40.0;
        Vector::new(ops::sin(angle) * 150.0, ops::sin(2.0 * angle) * 80.0)
    });
    let hairpins = (0..8).flat_map(|k: u8| {
        let (x, y) = (if k.is_multiple_of(2) { 0.0 } else { 200.0 }, 6.0 * f32::from(k));
        [Vector::new(x, y), Vector::new(200.0 - x, y)]
    });
    let spiral = (0..160).map(|k| unit_vector(k as f32 * 0.2 % 6.0) * (20.0 + 0.25 * k as f32));
    let there_and_back = [Vector::ZERO, Vector::new(100.0, 0.0), Vector::ZERO, Vector::new(100.0, 1.0), Vector::ZERO];
    Vec::from([figure_of_eight.collect(), hairpins.collect(), spiral.collect(), there_and_back.into()])
}

#[test]
fn progress_is_what_the_agent_gets_on_and_never_a_jump() {
    for points in tangled_paths() {
        let follow = FollowPath::new(points.clone());
        let (mut agent, mut progress) = (agent_at(points[0], 60.0, 200.0), PathProgress::default());
        let (mut before, mut missed) = (0.0, points.iter().map(|_| f32::INFINITY).collect::<Vec<_>>());
        let mut waypoint = 0;
        for _ in 0..4_000 {
            tick(&follow, &mut progress, &mut agent);
            let gone = progress.distance() - before;
            assert!(gone.abs() <= 3.0 * agent.velocity.length() * agent.tick + 2.0, "it jumps by {gone}");
            before = progress.distance();
            assert!(progress.waypoint() >= waypoint, "it turns back");
            // Each point is passed while it is the next one, or the one after.
            for next in waypoint.saturating_sub(1)..=progress.waypoint() {
                missed[next] = missed[next].min(agent.position.distance(points[next]));
            }
            waypoint = progress.waypoint();
        }
        assert!(progress.is_finished(), "it is at point {} of {}", progress.waypoint(), points.len());
        let lane = 2.0 * agent.radius + agent.max_speed * agent.tick;
        assert!(missed.iter().all(|distance| *distance <= lane), "{missed:?}");
    }
}

#[test]
fn a_thousand_laps_are_all_alike() {
    let points = Vec::from([Vector::ZERO, Vector::new(60.0, 0.0), Vector::new(80.0, 40.0), Vector::new(10.0, 50.0)]);
    let follow = FollowPath::new(points).with_end(PathEnd::Loop);
    let (mut agent, mut progress) = (agent_at(Vector::ZERO, 60.0, 200.0), PathProgress::default());
    let mut ticks: Vec<u32> = Vec::from([0]);
    while progress.lap() < 1_000 {
        tick(&follow, &mut progress, &mut agent);
        ticks.resize(progress.lap() as usize + 1, 0);
        ticks[progress.lap() as usize] += 1;
        // A lap is 226.5 long.
        assert!(progress.distance() < 230.0, "{}", progress.distance());
        assert!(distance(&follow, agent.position) <= 2.0 * agent.radius + 1.0);
    }
    let laps = &ticks[1..1_000];
    let (shortest, longest) = (laps.iter().min(), laps.iter().max());
    assert!(
        shortest.zip(longest).is_some_and(|(shortest, longest)| longest - shortest <= 1),
        "{shortest:?} {longest:?}"
    );
}

#[test]
fn back_and_forth_it_gets_to_both_ends() {
    let ends = [Vector::ZERO, Vector::new(200.0, 30.0)];
    let follow = FollowPath::new(ends).with_end(PathEnd::PingPong);
    let (mut agent, mut progress) = (agent_at(Vector::ZERO, 60.0, 200.0), PathProgress::default());
    for end in [1, 0, 1, 0] {
        let mut nearest = f32::INFINITY;
        while progress.waypoint() == end || nearest > 100.0 {
            tick(&follow, &mut progress, &mut agent);
            nearest = nearest.min(agent.position.distance(ends[end]));
        }
        assert!(nearest <= 1.0, "{nearest}");
    }
    assert_eq!(progress.lap(), 2);
}

#[test]
fn from_off_the_path_it_joins_at_an_angle_and_never_turns_back() {
    let mut numbers = Numbers::new(5);
    for _ in 0..200 {
        let along = numbers.between(100.0, 300.0);
        let off = numbers.between(30.0, 200.0);
        let mut agent = agent_at(Vector::new(along, off), 80.0, numbers.scale(60.0, 600.0));
        let follow = FollowPath::new([Vector::ZERO, Vector::new(5_000.0, 0.0)]).with_radius(15.0);
        let follow = FollowPath {
            path: SteeringPath::new([Vector::ZERO, Vector::new(2_500.0, 0.0), Vector::new(5_000.0, 1.0)]),
            ..follow
        };
        let mut progress = PathProgress::default();
        for _ in 0..1_200 {
            tick(&follow, &mut progress, &mut agent);
            assert!(agent.velocity.x >= 0.0);
            // It does not run through the lane.
            assert!(agent.position.y > -15.0, "{agent:?}");
            if agent.position.y < 15.0 {
                assert!(agent.velocity.y.abs() <= 1.2 * agent.velocity.x, "{agent:?}");
            }
        }
        assert!(agent.position.y.abs() < 1.0 && agent.position.x > along + 800.0, "{agent:?}");
    }
}

#[test]
fn a_new_path_is_followed_from_where_the_agent_is_without_a_stop() {
    let mut numbers = Numbers::new(6);
    let goal = Vector::new(2_000.0, 0.0);
    let (mut agent, mut progress) = (agent_at(Vector::ZERO, 80.0, 160.0), PathProgress::default());
    let mut follow = FollowPath::new([Vector::ZERO, goal]);
    for number in 0..900 {
        if number % 20 == 19 {
            // From where a navigation mesh saw the agent a few ticks ago.
            let seen = agent.position - agent.velocity * agent.tick * numbers.between(0.0, 10.0);
            let corner = seen.lerp(goal, 0.5) + Vector::Y * numbers.between(-3.0, 3.0);
            follow = FollowPath::new([seen, corner, goal]);
        }
        tick(&follow, &mut progress, &mut agent);
        assert!(number < 60 || agent.velocity.x > 75.0, "{agent:?}");
    }
}

#[test]
fn an_agent_that_is_pushed_goes_on_from_where_it_is() {
    let follow = FollowPath::new([Vector::ZERO, Vector::new(200.0, 0.0), Vector::new(200.0, 300.0)]);
    let start = || (agent_at(Vector::ZERO, 80.0, 400.0), PathProgress::default());
    let mut numbers = Numbers::new(8);
    for _ in 0..100 {
        // Past the corner: it does not turn back.
        let (mut agent, mut progress) = start();
        while agent.position.x < 160.0 {
            tick(&follow, &mut progress, &mut agent);
        }
        agent.position = Vector::new(numbers.between(215.0, 300.0), numbers.between(25.0, 60.0));
        agent.velocity = Vector::ZERO;
        let from = agent.position.y;
        for _ in 0..600 {
            tick(&follow, &mut progress, &mut agent);
            assert!(agent.position.y >= from - 1.0, "{agent:?} turns back");
        }
        assert!(progress.is_finished(), "{agent:?} {progress:?}");

        // Back around the corner: it walks around the corner again, in its lane.
        let (mut agent, mut progress) = start();
        while agent.position.y < 60.0 {
            tick(&follow, &mut progress, &mut agent);
        }
        agent.position = Vector::new(numbers.between(20.0, 150.0), numbers.between(-9.0, 9.0));
        agent.velocity = Vector::ZERO;
        for _ in 0..900 {
            tick(&follow, &mut progress, &mut agent);
            assert!(distance(&follow, agent.position) <= 11.0, "{agent:?} leaves its lane");
        }
        assert!(progress.is_finished(), "{agent:?} {progress:?}");
    }
}

#[test]
fn on_a_patrol_it_touches_every_point() {
    for seed in 0..100 {
        let Case { follow, mut agent, .. } = any_case(seed);
        let follow = FollowPath { end: PathEnd::Stop, visit: PathVisit::Every, ..follow };
        let mut touched: Vec<bool> = follow.path.points().iter().map(|_| false).collect();
        touched[0] = true;
        let mut progress = PathProgress::default();
        for _ in 0..200_000 {
            let before = agent.position;
            tick(&follow, &mut progress, &mut agent);
            for (touched, point) in touched.iter_mut().zip(follow.path.points()) {
                let nearest = nearest_on_segment(*point, before, agent.position);
                *touched |= nearest.distance(*point) <= 1.001 * agent.radius;
            }
            if progress.is_finished() {
                break;
            }
        }
        assert!(touched.iter().all(|touched| *touched), "{seed}: {touched:?}, {progress:?}");
    }
}

#[test]
fn it_follows_a_path_across_the_seam_of_a_world_that_wraps() {
    let world = crate::math::space::SteeringBounds::wrap(Vector::ZERO, Vector::new(200.0, 100.0));
    // A ring road, in four points that are given where they are in the world.
    let points = [10.0, 60.0, 110.0, 160.0].map(|x| Vector::new(x, 50.0));
    let follow = FollowPath::new(points).with_end(PathEnd::Loop);
    let mut agent = Agent { space: world.space(), ..agent_at(points[0], 60.0, 200.0) };
    let mut progress = PathProgress::default();
    for _ in 0..1_200 {
        tick(&follow, &mut progress, &mut agent);
        agent.position = agent.space.wrap(agent.position);
        assert!((agent.position.y - 50.0).abs() < 1e-3 && agent.velocity.x >= 0.0);
    }
    // 60 units/s, 200 units a lap.
    assert_eq!(progress.lap(), 5);
}

#[test]
fn numbers_without_sense_do_no_harm() {
    let numbers = [0.0, -1.0, 1e-30, 1e30, f32::INFINITY, f32::NAN];
    let paths: [&[Vector]; 4] = [&[], &[Vector::X], &[Vector::X; 3], &[Vector::ZERO, Vector::X, Vector::ZERO]];
    for points in paths {
        for end in [PathEnd::Stop, PathEnd::Loop, PathEnd::PingPong] {
            for number in numbers {
                let follow = FollowPath::new(points.to_vec()).with_end(end).with_radius(number);
                let start = agent_at(Vector::ONE, 10.0, 10.0);
                let agents = [
                    Agent { max_speed: number.max(0.0), ..start },
                    Agent { max_force: number.max(0.0), ..start },
                    Agent { radius: number.max(0.0), ..start },
                    Agent { position: Vector::splat(number), ..start },
                    start,
                ];
                for mut agent in agents {
                    let mut progress = PathProgress::default();
                    for _ in 0..20 {
                        tick(&follow, &mut progress, &mut agent);
                    }
                }
            }
        }
    }
}

#[test]
fn a_search_along_a_small_loop_ends_after_a_lap() {
    let path = SteeringPath::new([Vector::ZERO, Vector::X, Vector::Y]);
    let route = Route::new(&path, PathEnd::Loop, Space::default());
    // All points are near each other.
    assert_eq!(route.previous(u32::MAX, 1e9), Some(u32::MAX - 3));
    assert_eq!(route.next(5, 1e9), Some(8));
}

#[test]
fn a_loop_may_repeat_its_first_point() {
    let around = [Vector::ZERO, Vector::X, Vector::Y];
    let laps = |end: PathEnd, points: &[Vector]| {
        Route::new(&SteeringPath::new(points.iter().copied()), end, Space::default()).lap()
    };
    let repeated = [around[0], around[1], around[2], around[0]];
    assert_eq!(laps(PathEnd::Loop, &repeated), laps(PathEnd::Loop, &around));
    assert_eq!(laps(PathEnd::PingPong, &repeated), 6);
    assert_eq!(laps(PathEnd::Loop, &[Vector::X; 2]), 1);
    assert_eq!(laps(PathEnd::Loop, &[Vector::X]), 1);
}

#[test]
fn a_point_close_to_the_end_counts_as_the_end() {
    let path = SteeringPath::new([0.0_f32, 10.0, 20.0, 20.5].map(|x| Vector::X * x));
    let route = Route::new(&path, PathEnd::Stop, Space::default());
    assert_eq!(route.next(1, 1.0), Some(3));
    assert_eq!(route.next(1, 0.1), Some(2));
}

#[test]
fn the_speed_limit_does_not_jump_where_one_leg_ends_and_the_next_begins() {
    // A corner, and soon after it a turn on the spot.
    let points: [(f32, f32); 4] = [(0.0, 0.0), (300.0, 0.0), (347.5, 33.3), (320.0, 12.0)];
    let path = SteeringPath::new(points.map(|(x, y)| Vector::X * x + Vector::Y * y));
    let route = Route::new(&path, PathEnd::Stop, Space::default());
    let ability = Ability::new(None, PathVisit::Lane, &agent_at(Vector::ZERO, 300.0, 300.0), None);
    let (before, after) = (Plan::new(&route, ability, [0, 0, 1]), Plan::new(&route, ability, [0, 1, 2]));
    let (at_end, _) = Course::of(&before).speed_squared(before.length);
    let (at_start, _) = Course::of(&after).speed_squared(0.0);
    assert!(at_end < 0.5 * ability.max_speed * ability.max_speed, "{at_end}");
    assert!((at_end - at_start).abs() < 1e-3 * at_start, "{at_end} before the corner, {at_start} after it");
}

#[test]
fn a_path_is_finished_when_the_agent_rests_at_its_end() {
    for max_speed in [0.1_f32, 100.0] {
        let end = Vector::X * (3.0 * max_speed);
        let follow = FollowPath::new([Vector::ZERO, end]);
        let mut agent = Agent { radius: 0.05 * max_speed, ..agent_at(Vector::ZERO, max_speed, max_speed) };
        let mut progress = PathProgress::default();
        for _ in 0..600 {
            let is_there = agent.position.distance(end) <= agent.radius;
            let rests = is_there && agent.velocity.length() <= 0.1 * agent.max_speed;
            let was_finished = progress.is_finished();
            tick(&follow, &mut progress, &mut agent);
            assert_eq!(progress.is_finished(), was_finished || rests, "{agent:?}");
        }
        assert!(progress.is_finished(), "{agent:?}");
    }
}

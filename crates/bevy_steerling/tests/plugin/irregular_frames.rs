//! The plugin in `Update`: frames of 1/240 and 1/20 s by turns, at relative speeds from 0.1 to 10, so 0.4 ms to half a second per frame.

use std::f32::consts::TAU;

use bevy::ecs::entity::EntityHashMap;

use super::*;
use crate::bad_inputs;

const FRAMES: [f64; 2] = [1.0 / 240.0, 1.0 / 20.0];
const RELATIVE_SPEEDS: [f32; 5] = [0.1, 0.5, 1.0, 3.0, 10.0];

/// The positions of all agents at the end of each tick of a frame.
#[derive(Resource, Default)]
struct Ticks(Vec<EntityHashMap<Vec2>>);

fn note_tick(agents: Query<(Entity, &Transform), With<SteeringAgent>>, mut ticks: ResMut<Ticks>) {
    ticks.0.push(agents.iter().map(|(agent, transform)| (agent, transform.translation.truncate())).collect());
}

/// An app that steers once per frame.
struct Frames {
    app: App,
    number: usize,
    relative_speed: f32,
}

impl Frames {
    fn new(relative_speed: f32) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, SteeringPlugin::new(Update)));
        app.init_resource::<Ticks>().add_systems(SteeringSchedule, note_tick.after(SteeringSystems::React));
        app.world_mut().resource_mut::<Time<Virtual>>().set_relative_speed(relative_speed);
        app.finish();
        app.update();
        Self { app, number: 0, relative_speed }
    }

    fn next(&mut self) {
        let frame = Duration::from_secs_f64(FRAMES[self.number % 2]);
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
        self.app.world_mut().resource_mut::<Ticks>().0.clear();
        self.app.update();
        self.number += 1;
    }

    /// The time in which agents meet, seconds of virtual time, and less of it where it takes many frames.
    fn seconds(&self) -> f32 {
        4.0 + 11.0 * self.relative_speed.min(1.0)
    }

    /// The length of the longest tick, seconds.
    fn longest_tick(&self) -> f32 {
        (FRAMES[1] as f32 * self.relative_speed).min(1.0 / 20.0)
    }

    /// Calls `each` after every frame, for so many seconds of virtual time.
    fn run(&mut self, seconds: f32, mut each: impl FnMut(&App)) {
        let pairs = seconds / (self.relative_speed * (FRAMES[0] + FRAMES[1]) as f32);
        for _ in 0..2 * (pairs as usize + 1) {
            self.next();
            each(&self.app);
        }
    }

    /// Calls `each` with the positions after every tick. A long frame has several.
    fn run_ticks(&mut self, seconds: f32, mut each: impl FnMut(&EntityHashMap<Vec2>)) {
        let mut most = 0;
        self.run(seconds, |app| {
            let Ticks(ticks) = app.world().resource();
            most = most.max(ticks.len());
            ticks.iter().for_each(&mut each);
        });
        assert!(most >= if self.relative_speed > 1.0 { 2 } else { 1 }, "{most} ticks");
    }
}

/// Runs a scene at each of the relative speeds with several seeds.
fn for_each_scene(scene: impl Fn(Frames, &mut dyn FnMut() -> f32, &str)) {
    for relative_speed in RELATIVE_SPEEDS {
        for seed in 0..u64::from(quarter_of(8)) {
            let case = format!("relative speed {relative_speed}, seed {seed}");
            scene(Frames::new(relative_speed), &mut numbers(seed), &case);
        }
    }
}

/// A body that takes a third of a second to a second to full speed.
fn body(number: &mut dyn FnMut() -> f32) -> SteeringAgent {
    let (mass, max_speed) = (0.3 + 2.0 * number(), 40.0 + 80.0 * number());
    SteeringAgent { mass, max_speed, max_force: mass * max_speed * (1.0 + 2.0 * number()), ..default() }
}

fn at_random(number: &mut dyn FnMut() -> f32, half: f32) -> Vec2 {
    Vec2::new(number() - 0.5, number() - 0.5) * 2.0 * half
}

#[test]
fn agents_stop_where_their_behavior_leads_without_running_past() {
    for_each_scene(|mut frames, number, case| {
        let body = body(number);
        let goal = Vec2::from_angle(TAU * number()) * 300.0;
        let corner = goal.rotate(Vec2::from_angle(number() - 0.5)) * 0.5;
        let world = frames.app.world_mut();
        let arrives = world.spawn((Arrive::new(goal), body, at(0.0, 0.0))).id();
        let follows = world.spawn((FollowPath::new([Vec2::ZERO, corner, goal]), body, at(0.0, 0.0))).id();
        let field =
            FlowField::toward([goal], world.resource::<Obstacles>(), 20.0, body.radius).expect("it is in range");
        let field = world.spawn(field).id();
        let flows = world.spawn((FollowField::new(field), body, at(0.0, 0.0))).id();
        let offset = at_random(number, 100.0);
        let leader = world.spawn(at(goal.x - offset.x, goal.y - offset.y)).id();
        let pursues = world.spawn((OffsetPursuit::new(leader, offset), body, at(0.0, 0.0))).id();
        let agents = [(arrives, Vec2::ZERO), (follows, corner), (flows, Vec2::ZERO), (pursues, Vec2::ZERO)];
        let travel = body.max_speed * frames.longest_tick();
        let mut past = [0.0_f32; 4];
        let time = 900.0 / body.max_speed + 5.0 * body.max_speed * body.mass / body.max_force;
        frames.run_ticks(time, |places| {
            for (past, (agent, from)) in past.iter_mut().zip(agents) {
                *past = past.max((places[&agent] - goal).dot((goal - from).normalize()));
            }
        });
        assert!(past.iter().all(|past| *past <= travel), "{case}: {past:?} past, {travel} in a tick");
        for (agent, _) in agents {
            let (place, speed) = (position(&frames.app, agent), velocity(&frames.app, agent).length());
            assert!(
                place.distance(goal) < body.radius && speed < 0.05 * body.max_speed,
                "{case}: {place}, {goal}, {speed}"
            );
        }
    });
}

#[test]
fn agents_touch_no_obstacle_and_stay_in_their_region() {
    for_each_scene(|mut frames, number, case| {
        let walls: Vec<(Vec2, f32)> = (0..5).map(|_| (at_random(number, 250.0), 10.0 + 40.0 * number())).collect();
        let region = Contain::new(Rectangle::new(700.0, 700.0));
        let world = frames.app.world_mut();
        for (center, radius) in &walls {
            world.spawn((Obstacle::new(Circle::new(*radius)), at(center.x, center.y)));
        }
        let mut agents = Vec::new();
        while agents.len() < 10 {
            let (body, start) = (body(number), at_random(number, 300.0));
            // At rest: with nothing to stop from.
            if walls.iter().all(|(center, radius)| center.distance(start) > radius + 1.1 * body.radius) {
                let seek = Seek::new(at_random(number, 600.0)).with_weight(0.5);
                let agent = (seek, Wander::default(), AvoidObstacles::default(), region.clone(), body);
                agents.push((world.spawn((agent, at(start.x, start.y))).id(), body));
            }
        }
        frames.run_ticks(frames.seconds(), |places| {
            for (agent, body) in &agents {
                let place = places[agent];
                let gap =
                    walls.iter().map(|(center, radius)| center.distance(place) - radius).fold(f32::INFINITY, f32::min);
                assert!(gap > body.radius, "{case}: {gap} from an obstacle, with a radius of {}", body.radius);
                let inside = 350.0 - place.abs().max_element();
                assert!(inside > body.radius - 0.01, "{case}: {inside} from the rim");
            }
        });
    });
}

/// The smallest gap between two agents during a tick that starts and ends at these places, as a share of the smaller radius.
fn least_gap(places: [&EntityHashMap<Vec2>; 2], agents: &[(Entity, f32)]) -> f32 {
    let ways: Vec<_> = agents.iter().map(|(agent, radius)| (places.map(|places| places[agent]), *radius)).collect();
    let pairs = ways.iter().enumerate().flat_map(|(k, one)| ways[..k].iter().map(move |other| (one, other)));
    let gaps = pairs.map(|((a, r), (b, s))| {
        let [before, after] = [0, 1].map(|end| a[end] - b[end]);
        (to_segment(Vec2::ZERO, before, after) - r - s) / r.min(*s)
    });
    gaps.fold(f32::INFINITY, f32::min)
}

/// Agents change places. They overlap by at most 1 % of the smaller radius at the end of each tick, and by at most `within` during it.
fn apart(within: f32, constraint: impl Fn(&mut EntityWorldMut)) {
    for_each_scene(|mut frames, number, case| {
        let mut agents = Vec::new();
        let side = 5;
        for k in 0..side * side {
            let cell = Vec2::new((k % side) as f32 - 2.0, (k / side) as f32 - 2.0);
            let start = cell * 70.0 + at_random(number, 15.0);
            let body = body(number);
            let mut agent = frames.app.world_mut().spawn((Seek::new(-start * 3.0), body, at(start.x, start.y)));
            constraint(&mut agent);
            agents.push((agent.id(), body.radius));
        }
        let mut before = None;
        frames.run_ticks(frames.seconds(), |places| {
            let at_end = least_gap([places; 2], &agents);
            // Where a dense crowd leaves no other velocity, bodies may overlap by 1 %.
            assert!(at_end > -0.01, "{case}: a gap of {at_end} radii");
            let gap = least_gap([before.as_ref().unwrap_or(places), places], &agents);
            assert!(gap > -within, "{case}: a gap of {gap} radii within a tick");
            before = Some(places.clone());
        });
    });
}

#[test]
fn agents_that_avoid_each_other_do_not_touch() {
    apart(0.01, |agent| {
        agent.insert(AvoidNeighbors::default());
    });
}

#[test]
fn agents_that_queue_do_not_touch() {
    apart(0.01, |agent| {
        agent.insert(Queue::default());
    });
}

#[test]
fn solid_bodies_are_apart() {
    // Overlaps are resolved at the end of a tick.
    apart(0.1, |agent| {
        agent.insert(Solid::default());
    });
}

#[test]
fn whatever_an_agent_does_it_is_finite_and_no_faster_than_it_can() {
    for relative_speed in RELATIVE_SPEEDS {
        let mut frames = Frames::new(relative_speed);
        let world = frames.app.world_mut();
        let target = world.spawn((Wander::default(), at(60.0, 20.0))).id();
        world.spawn((Obstacle::new(Circle::new(15.0)), at(20.0, 50.0)));
        let mut agents = bad_inputs::with_each_behavior(world, Target::Entity(target), at(0.0, 0.0));
        agents.extend(bad_inputs::with_each_behavior(world, Target::Group(GroupMask::DEFAULT), at(90.0, 0.0)));
        frames.run(frames.seconds(), |app| {
            bad_inputs::assert_finite(app, &agents, "irregular frames");
            for &agent in &agents {
                let speed = velocity(app, agent).length();
                assert!(speed <= 100.001, "relative speed {relative_speed}: {speed}");
            }
        });
    }
}

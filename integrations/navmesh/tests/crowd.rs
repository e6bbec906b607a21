//! A crowd in random levels: it arrives, touches no wall and goes through no closed door, whatever the doors do.

use std::time::Duration;

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_steerling::prelude::*;
use steerling_navmesh::crowd::{self, BODY, CrowdPlugin, Door, MESH_RADIUS};
use steerling_navmesh::ground::Ground;
use steerling_navmesh::level::{Dice, Level, SIZE, WALL};
use steerling_navmesh::navigation::{NavGoal, NavState};
use vleue_navigator::prelude::*;

/// A body may overlap a wall by this distance, units.
const TOLERANCE: f32 = 0.01 * BODY.radius;

/// A level in a headless app.
struct Run {
    app: App,
    level: Level,
    dice: Dice,
    /// The doors that were closed in the last tick, and the deepest overlap of a body with a wall so far, units.
    closed: Vec<Rect>,
    deepest: f32,
}

impl Run {
    fn new(seed: u64, count: usize) -> Self {
        let level = Level::new(seed);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin, CrowdPlugin { count }))
            .insert_resource(level.clone())
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        // The same mesh in the same tick in each run.
        app.add_observer(|settings: On<Add, NavMeshSettings>, mut commands: Commands| {
            commands.entity(settings.entity).insert(NavMeshUpdateModeBlocking);
        });
        app.finish();
        let mut run = Self { app, level, dice: Dice::new(1000 + seed), closed: Vec::new(), deepest: f32::NEG_INFINITY };
        run.run(0.1);
        run
    }

    fn send(&mut self, place: Vec2) {
        let send = move |mut goals: Query<&mut NavGoal>| crowd::send_all(place, &mut goals);
        self.app.world_mut().run_system_once(send).expect("it needs no resource");
    }

    fn set_door(&mut self, number: usize, opens: bool) {
        for mut door in self.app.world_mut().query::<&mut Door>().iter_mut(self.app.world_mut()) {
            if door.number == number {
                door.opens = opens;
            }
        }
    }

    /// Runs for a time, seconds, and checks each tick.
    fn run(&mut self, seconds: f32) {
        for _ in 0..(64.0 * seconds) as usize {
            self.tick();
        }
    }

    fn tick(&mut self) {
        let before = self.places();
        self.app.update();
        let world = self.app.world_mut();
        let mut doors = world.query::<(&Door, Option<&Obstacle>)>();
        let closed = doors.iter(world).filter(|(_, obstacle)| crowd::is_closed(*obstacle)).map(|(door, _)| door.area);
        let were_closed = std::mem::replace(&mut self.closed, closed.collect());
        let after = self.places();
        let (level, closed) = (&self.level, &self.closed);
        for (from, to) in before.iter().zip(&after) {
            assert!(to.is_finite());
            for wall in level.walls.iter().chain(closed) {
                let overlap = BODY.radius - distance(*wall, *to);
                assert!(overlap < TOLERANCE, "{to} is {overlap} deep in {wall:?}");
                self.deepest = self.deepest.max(overlap);
            }
            // Nobody jumps over a wall, or over a door that was closed before.
            for wall in level.walls.iter().chain(closed.iter().filter(|door| were_closed.contains(door))) {
                assert!(
                    (0..=8).all(|k| !wall.contains(from.lerp(*to, k as f32 / 8.0))),
                    "{from} to {to} through {wall:?}"
                );
            }
        }
    }

    fn places(&mut self) -> Vec<Vec2> {
        let world = self.app.world_mut();
        let mut agents = world.query_filtered::<(Entity, &Transform), With<NavGoal>>();
        let mut places: Vec<_> = agents.iter(world).map(|(entity, place)| (entity, place.translation.xy())).collect();
        places.sort_by_key(|(entity, _)| *entity);
        places.into_iter().map(|(_, place)| place).collect()
    }

    /// Whether everybody is at rest, but for one in twenty: the last ones of a crowd may stand before a door, or at the corner of a wall,
    /// from where they do not see the end of their path, and still look for a place.
    fn is_at_rest(&mut self) -> bool {
        let world = self.app.world_mut();
        let mut agents = world.query::<(&Velocity, &NavState)>();
        let moves =
            |velocity: &Velocity, state: &NavState| velocity.length() >= 0.02 * BODY.max_speed || state.is_waiting();
        let moving = agents.iter(world).filter(|(velocity, state)| moves(velocity, state)).count();
        20 * moving <= agents.iter(world).len()
    }

    /// Runs until everybody has been at rest for a second. Returns the time, seconds.
    fn come_to_rest(&mut self, limit: f32) -> f32 {
        let (mut time, mut rest) = (0.0, 0.0);
        while rest < 1.0 {
            self.tick();
            time += 1.0 / 64.0;
            rest = if self.is_at_rest() { rest + 1.0 / 64.0 } else { 0.0 };
            assert!(time < limit, "not at rest after {time} s: {:?}", self.restless());
        }
        time
    }

    /// The agents that move.
    fn restless(&mut self) -> Vec<String> {
        self.describe(|_, velocity| velocity.length() >= 0.02 * BODY.max_speed)
    }

    fn about(&mut self, there: Vec2) -> Vec<String> {
        self.describe(|place, _| place == there)
    }

    fn describe(&mut self, is_meant: impl Fn(Vec2, &Velocity) -> bool) -> Vec<String> {
        let world = self.app.world_mut();
        let mut agents = world.query::<(&Transform, &Velocity, &NavState, &NavGoal, &FollowPath)>();
        let meant = agents.iter(world).filter(|(place, velocity, ..)| is_meant(place.translation.xy(), velocity));
        meant
            .map(|(place, velocity, state, goal, follow)| {
                let (place, speed) = (place.translation.xy(), velocity.length());
                format!("{place} at {speed} {state:?} to {} on {:?}", goal.0, follow.path.points())
            })
            .collect()
    }

    /// Everybody is in the room of the goal, except for the outermost of a crowd that does not fit between the goal and the doors: a
    /// crowd at rest is up to two and a half times as wide as its bodies need.
    fn assert_all_in(&mut self, room: usize, goal: Vec2) {
        let (area, places) = (self.level.rooms[room], self.places());
        let spread = 2.5 * BODY.radius * (places.len() as f32).sqrt();
        for place in places {
            assert!(
                area.contains(place) || place.distance(goal) < spread,
                "{place} is not in {area:?}: {:?}",
                self.about(place)
            );
        }
    }
}

/// The distance from a rectangle, negative inside.
fn distance(area: Rect, place: Vec2) -> f32 {
    let off = (place - area.center()).abs() - area.half_size();
    off.max(Vec2::ZERO).length() + off.max_element().min(0.0)
}

#[test]
fn everybody_arrives_in_the_room_of_the_goal() {
    for (seed, count, goals) in [(0, 200, 1), (1, 40, 2), (2, 40, 2), (3, 40, 2), (4, 40, 2), (5, 40, 2)] {
        let mut run = Run::new(seed, count);
        for _ in 0..goals {
            let (room, goal) = crowd::random_goal(&run.level, &mut run.dice);
            run.send(goal);
            let time = run.come_to_rest(120.0);
            run.assert_all_in(room, goal);
            println!("seed {seed}: {count} agents in {time:.1} s, deepest {:.5}", run.deepest);
        }
    }
}

#[test]
fn everybody_arrives_after_doors_have_opened_and_closed_under_way() {
    for (seed, count) in (10..16).map(|seed| (seed, 40)).chain([(16, 200)]) {
        let mut run = Run::new(seed, count);
        let (room, goal) = crowd::random_goal(&run.level, &mut run.dice);
        run.send(goal);
        for _ in 0..12 {
            let number = run.dice.pick(run.level.doorways.len());
            let opens = run.dice.uniform() < 0.4;
            run.set_door(number, opens);
            let wait = run.dice.within(0.02, 1.5);
            run.run(wait);
        }
        for number in 0..run.level.doorways.len() {
            run.set_door(number, true);
        }
        let time = run.come_to_rest(120.0);
        run.assert_all_in(room, goal);
        println!("seed {seed}: {count} agents in {time:.1} s, deepest {:.5}", run.deepest);
    }
}

/// The room is closed before anybody is on the way there. Everybody gets as near as the walls let them.
#[test]
fn nobody_gets_into_a_closed_room() {
    for seed in 20..26 {
        let mut run = Run::new(seed, 40);
        let (mut room, mut goal) = crowd::random_goal(&run.level, &mut run.dice);
        while [0, run.level.rooms.len() - 1].contains(&room) {
            (room, goal) = crowd::random_goal(&run.level, &mut run.dice);
        }
        for number in 0..run.level.doorways.len() {
            let closes = run.level.doorways[number].1.contains(&room);
            run.set_door(number, !closes);
        }
        run.run(0.2);
        run.send(goal);
        run.run(0.5);
        let world = run.app.world_mut();
        assert!(world.query::<&NavState>().iter(world).all(NavState::falls_short));
        run.come_to_rest(120.0);
        let area = run.level.rooms[room];
        let ground = run.app.world().resource::<Ground>();
        for from in [run.level.rooms[0], run.level.rooms[run.level.rooms.len() - 1]] {
            let way = ground.way(from.center(), goal).expect("the mesh is not empty");
            assert!(!way.is_complete && !area.contains(way.points[way.points.len() - 1]));
        }
        let ends: Vec<Vec2> = [0, run.level.rooms.len() - 1]
            .map(|room| ground.way(run.level.rooms[room].center(), goal).expect("it leads somewhere").points)
            .map(|points| points[points.len() - 1])
            .to_vec();
        for place in run.places() {
            assert!(!area.contains(place));
            // A crowd of 40 around one of the ends.
            let off = ends.iter().map(|end| end.distance(place)).fold(f32::INFINITY, f32::min);
            assert!(off < 90.0, "{place} is {off} from the nearest place that can be reached");
        }
        // When the doors open, everybody goes on by itself.
        for number in 0..run.level.doorways.len() {
            run.set_door(number, true);
        }
        run.run(0.5);
        run.come_to_rest(120.0);
        run.assert_all_in(room, goal);
    }
}

#[test]
fn a_goal_outside_of_the_level_or_in_a_wall_is_replaced_by_the_nearest_place() {
    for seed in 30..33 {
        let mut run = Run::new(seed, 30);
        let wall = run.level.walls[4 + run.dice.pick(run.level.walls.len() - 4)].center();
        let outside = Vec2::new(3.0 * SIZE.x, run.dice.within(-500.0, 500.0));
        for goal in [wall, outside, -outside, run.level.walls[0].center()] {
            run.send(goal);
            run.come_to_rest(120.0);
            let end = run.app.world().resource::<Ground>().nearest(goal).expect("the mesh is not empty");
            for place in run.places() {
                assert!(place.distance(end) < 80.0, "{place} is not near {end}");
            }
        }
    }
}

#[test]
fn goals_that_are_no_places_stop_the_agents() {
    let mut run = Run::new(40, 20);
    run.send(Vec2::ZERO);
    run.run(1.0);
    for goal in [Vec2::NAN, Vec2::INFINITY, Vec2::new(0.0, f32::NEG_INFINITY), Vec2::MAX] {
        run.send(goal);
        run.come_to_rest(60.0);
    }
}

/// The mesh is where a body with the radius of the mesh has room.
#[test]
fn the_mesh_keeps_its_distance_from_walls_and_closed_doors() {
    for seed in 50..60 {
        let mut run = Run::new(seed, 2);
        for number in 0..run.level.doorways.len() {
            let opens = run.dice.uniform() < 0.5;
            run.set_door(number, opens);
        }
        run.run(0.5);
        let ground = run.app.world().resource::<Ground>();
        let blocked: Vec<Rect> = run.level.walls.iter().chain(&run.closed).copied().collect();
        for _ in 0..2000 {
            let place = run.dice.place(Rect::from_center_size(Vec2::ZERO, SIZE - WALL), 0.0);
            let gap = blocked.iter().map(|wall| distance(*wall, place)).fold(f32::INFINITY, f32::min);
            let off = ground.nearest(place).expect("the mesh is not empty").distance(place);
            // Corners of the mesh are polygons instead of circles.
            assert!(gap < 1.1 * MESH_RADIUS || off < 0.01, "{place}: {gap} from walls, {off} from the mesh");
            assert!(off >= 0.9 * MESH_RADIUS - gap, "{place}: {gap} from walls, {off} from the mesh");
        }
    }
}

/// Ways are complete if and only if the rooms are connected, and keep clear of walls.
#[test]
fn ways_lead_to_all_rooms_that_are_connected() {
    for seed in 60..70 {
        let mut run = Run::new(seed, 2);
        let open: Vec<bool> = (0..run.level.doorways.len()).map(|_| run.dice.uniform() < 0.5).collect();
        for (number, opens) in open.iter().enumerate() {
            run.set_door(number, *opens);
        }
        run.run(0.5);
        let (ground, level) = (run.app.world().resource::<Ground>(), &run.level);
        let blocked: Vec<Rect> = level.walls.iter().chain(&run.closed).copied().collect();
        for from in 0..level.rooms.len() {
            let reachable = level.reachable(from, |door| open[door]);
            for to in 0..level.rooms.len() {
                let ends = [from, to].map(|room| run.dice.place(level.rooms[room], MESH_RADIUS + 1.0));
                let way = ground.way(ends[0], ends[1]).expect("the mesh is not empty");
                assert_eq!(way.is_complete, reachable.contains(&to), "{ends:?}");
                assert!(way.length() >= 0.999 * ends[0].distance(way.points[way.points.len() - 1]));
                for leg in way.points.windows(2) {
                    for wall in &blocked {
                        let gap = (0..=50).map(|k| distance(*wall, leg[0].lerp(leg[1], k as f32 / 50.0)));
                        assert!(gap.fold(f32::INFINITY, f32::min) > 0.9 * MESH_RADIUS, "{leg:?} along {wall:?}");
                    }
                }
            }
        }
    }
}

/// A mesh that is built on other threads arrives later. Until then, everybody goes on with the old one.
#[test]
fn a_mesh_may_be_built_in_the_background() {
    let mut run = Run::new(70, 40);
    let world = run.app.world_mut();
    let mesh = world.query_filtered::<Entity, With<NavMeshSettings>>().single(world).expect("there is a mesh");
    world.entity_mut(mesh).remove::<NavMeshUpdateModeBlocking>();
    let (room, goal) = crowd::random_goal(&run.level, &mut run.dice);
    run.send(goal);
    for round in 0..20 {
        // Two changes during a build: the second must not be lost.
        run.set_door(round % run.level.doorways.len(), round >= 10);
        run.run(0.05);
        std::thread::sleep(Duration::from_millis(1));
    }
    for number in 0..run.level.doorways.len() {
        run.set_door(number, true);
    }
    for _ in 0..20 {
        run.tick();
        std::thread::sleep(Duration::from_millis(5));
    }
    run.come_to_rest(120.0);
    run.assert_all_in(room, goal);
}

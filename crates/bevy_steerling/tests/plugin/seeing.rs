//! Agents with `Sight` know only the targets that they see.

use core::f32::consts::{PI, TAU};

use super::*;

const PREY: GroupMask = GroupMask::bit(3);

/// A random world: walls, a few preys, and a guard that looks in a random direction.
struct World {
    app: App,
    guard: Entity,
    sight: Sight,
    preys: Vec<Entity>,
    walls: Vec<Entity>,
}

fn world(seed: u64) -> World {
    let mut number = numbers(seed);
    let mut app = app();
    if seed % 2 == 1 {
        app.insert_resource(SteeringBounds::wrap(Vec2::splat(-300.0), Vec2::splat(300.0)));
    }
    let mut place = |spread: f32| at(spread * (number() - 0.5), spread * (number() - 0.5));
    let body = SteeringAgent { max_speed: 0.0, ..default() };
    let preys = (0..6).map(|_| app.world_mut().spawn((body, SteeringGroups(PREY), place(560.0))).id()).collect();
    let mut number = numbers(seed + 1000);
    let mut wall = |k: u32| {
        let shape = Obstacle::new(Rectangle::new(5.0 + 90.0 * number(), 5.0 + 30.0 * number()));
        let shape = shape.with_layers(GroupMask::bit(k % 2));
        let place = at(560.0 * (number() - 0.5), 560.0 * (number() - 0.5));
        app.world_mut().spawn((shape, place.with_rotation(Quat::from_rotation_z(TAU * number())))).id()
    };
    let walls = (0..12).map(&mut wall).collect();
    let mut number = numbers(seed + 2000);
    let sight = Sight::new(100.0 + 300.0 * number()).with_field_of_view(TAU * number()).with_layers(GroupMask::bit(1));
    let eye =
        at(300.0 * (number() - 0.5), 300.0 * (number() - 0.5)).with_rotation(Quat::from_rotation_z(TAU * number()));
    let guard = app.world_mut().spawn((SteeringAgent::default(), sight, eye)).id();
    World { app, guard, sight, preys, walls }
}

impl World {
    /// Whether the guard sees a prey, found out by many points on the line between them; `None` if it is a matter of rounding.
    fn sees(&self, prey: Entity) -> Option<bool> {
        let eye = *self.app.world().get::<Transform>(self.guard).unwrap();
        let from = eye.translation.truncate();
        let to = self.app.world().resource::<SteeringBounds>().space().displacement(from, position(&self.app, prey));
        let angle = (eye.rotation * Vec3::X).truncate().angle_to(to).abs();
        let margins = [self.sight.range - to.length(), 0.5 * self.sight.field_of_view - angle];
        let is_blocking =
            |wall: &&Entity| self.app.world().get::<Obstacle>(**wall).unwrap().layers.intersects(self.sight.layers);
        let walls = self.walls.iter().filter(is_blocking);
        let gap = walls.map(|wall| self.gap(*wall, from, to)).fold(f32::INFINITY, f32::min);
        if margins.iter().any(|margin| margin.abs() < 1e-3) || gap.abs() < 1.0 {
            return None;
        }
        Some(margins.iter().all(|margin| *margin > 0.0) && gap > 0.0)
    }

    /// The least distance from a wall, or its nearest image, on the way.
    fn gap(&self, wall: Entity, from: Vec2, way: Vec2) -> f32 {
        let (obstacle, transform) = (self.app.world().get::<Obstacle>(wall), self.app.world().get::<Transform>(wall));
        let placed = obstacle.unwrap().shape.placed(transform.unwrap(), SteeringPlane::XY);
        let space = self.app.world().resource::<SteeringBounds>().space();
        let steps = (0..=400_u16).map(|step| from + way * (f32::from(step) / 400.0));
        let distances =
            steps.map(|point| placed.distance(placed.center() + space.displacement(placed.center(), point)).0);
        distances.fold(f32::INFINITY, f32::min)
    }

    fn insert(&mut self, behavior: impl Bundle) {
        self.app.world_mut().entity_mut(self.guard).insert(behavior);
        self.app.update();
    }

    /// The direction in which a guard that had not moved has been drawn.
    fn pulled(&self) -> Vec2 {
        force(&self.app, self.guard).normalize_or_zero()
    }

    fn to(&self, from: Vec2, prey: Entity) -> Vec2 {
        self.app.world().resource::<SteeringBounds>().space().displacement(from, position(&self.app, prey))
    }
}

#[test]
fn a_target_gives_a_force_exactly_if_it_is_in_sight() {
    let mut counts = [0, 0];
    for seed in 0..400 {
        let mut world = world(seed);
        let prey = world.preys[0];
        let Some(sees) = world.sees(prey) else { continue };
        world.insert(Seek::new(prey));
        assert_eq!(world.pulled() != Vec2::ZERO, sees, "seed {seed}");
        let eye = *world.app.world().get::<Transform>(world.guard).unwrap();
        let obstacles = world.app.world().resource::<Obstacles>();
        let place = position(&world.app, prey).extend(0.0);
        if !sees {
            assert!(!world.sight.sees(&eye, place, obstacles), "seed {seed}");
        }
        counts[usize::from(sees)] += 1;
    }
    assert!(counts[0] > 100 && counts[1] > 20, "{counts:?}");
}

#[test]
fn of_a_group_it_pursues_the_nearest_member_in_sight_and_flees_from_those_in_sight() {
    let (mut hunts, mut flights) = (0, 0);
    for seed in 0..400 {
        let mut world = world(seed);
        let from = position(&world.app, world.guard);
        let Some(seen) = world.preys.iter().map(|prey| world.sees(*prey)).collect::<Option<Vec<bool>>>() else {
            continue;
        };
        let seen = world.preys.iter().zip(seen).filter_map(|(prey, seen)| seen.then_some(world.to(from, *prey)));
        let seen: Vec<Vec2> = seen.collect();
        let nearest = seen.iter().copied().min_by(|a, b| a.length().total_cmp(&b.length()));
        if seed % 4 < 2 {
            world.insert(Seek::new(Target::Group(PREY)));
            let expected = nearest.map_or(Vec2::ZERO, Vec2::normalize);
            assert!(world.pulled().distance(expected) < 1e-3, "seed {seed}: {} {expected}", world.pulled());
            hunts += usize::from(nearest.is_some());
        } else {
            world.insert(Flee::new(Target::Group(PREY)).with_panic_distance(1000.0));
            assert_eq!(world.pulled() != Vec2::ZERO, nearest.is_some(), "seed {seed}");
            if let [only] = seen[..] {
                assert!(world.pulled().distance(-only.normalize()) < 1e-3, "seed {seed}");
            }
            flights += usize::from(nearest.is_some());
        }
    }
    assert!(hunts > 30 && flights > 30, "{hunts} {flights}");
}

#[derive(Resource, Default)]
struct Told(Vec<&'static str>);

#[test]
fn events_tell_when_a_target_comes_into_sight_and_when_it_is_lost() {
    for (field_of_view, rate) in [(TAU, 30.0), (TAU, 60.0), (PI, 120.0)] {
        let mut app = app_at(rate);
        app.init_resource::<Told>();
        app.add_observer(|_: On<TargetFound>, mut told: ResMut<Told>| told.0.push("found"));
        app.add_observer(|_: On<TargetLost>, mut told: ResMut<Told>| told.0.push("lost"));
        let intruder = SteeringAgent { max_force: 1e5, ..default() };
        let intruder = app.world_mut().spawn((intruder, Seek::new(Vec2::new(1e6, 60.0)), at(-200.0, 60.0))).id();
        // A wall hides the first part of its way, and a second one the middle.
        app.world_mut().spawn((Obstacle::new(Rectangle::new(400.0, 2.0)), at(-220.0, 30.0)));
        app.world_mut().spawn((Obstacle::new(Rectangle::new(40.0, 2.0)), at(40.0, 30.0)));
        let upward = at(0.0, 0.0).with_rotation(Quat::from_rotation_z(PI / 2.0));
        let watch = (SteeringAgent { max_speed: 0.0, ..default() }, SteeringEvents::default(), upward);
        let sight = Sight::new(150.0).with_field_of_view(field_of_view);
        app.world_mut().spawn((watch, sight, Pursue::new(intruder)));
        run(&mut app, (6.0 * rate) as usize);
        assert_eq!(app.world().resource::<Told>().0, ["lost", "found", "lost", "found", "lost"], "{field_of_view}");
    }
}

#[test]
fn a_guard_that_sees_everything_moves_as_one_without_sight() {
    let states = [false, true].map(|has_sight| {
        let mut app = app();
        app.insert_resource(SteeringSeed(7));
        let mut number = numbers(5);
        for k in 0..60_u32 {
            let place = at(400.0 * number(), 400.0 * number());
            let mut agent =
                app.world_mut().spawn((SteeringGroups(GroupMask::bit(k % 3)), SteeringId::new(k.into()), place));
            let target = Target::Group(GroupMask::bit((k + 1) % 3));
            match k % 4 {
                0 => agent.insert(Pursue::new(target)),
                1 => agent.insert((Evade::new(target), Wander::default())),
                2 => agent.insert((FollowLeader::new(target), AvoidNeighbors::default())),
                _ => agent.insert((Flee::new(target), AvoidObstacles::default())),
            };
            if has_sight {
                agent.insert(Sight::default().with_layers(GroupMask::NONE));
            }
        }
        run(&mut app, 300);
        let mut agents = app.world_mut().query::<(&SteeringId, &Transform)>();
        let mut places: Vec<(SteeringId, Vec3)> =
            agents.iter(app.world()).map(|(id, transform)| (*id, transform.translation)).collect();
        places.sort_unstable_by_key(|(id, _)| *id);
        places
    });
    assert_eq!(states[0], states[1]);
}

#[test]
fn sight_is_limited_to_the_floor_of_the_obstacles() {
    let mut app = app();
    app.insert_resource(SteeringPlane::XY.with_floor_height(3.0));
    let prey = app.world_mut().spawn((SteeringAgent::default(), Transform::from_xyz(100.0, 0.0, 10.0))).id();
    app.world_mut().spawn((Obstacle::new(Rectangle::new(10.0, 90.0)), Transform::from_xyz(50.0, 0.0, 0.0)));
    let eye = Transform::from_xyz(0.0, 0.0, 10.0);
    let guard = app.world_mut().spawn((Sight::default(), Seek::new(prey), eye)).id();
    app.update();
    assert!(force(&app, guard).x > 0.0, "the wall is on the floor below");
}

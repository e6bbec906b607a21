//! What changes in the engine reaches steering, and the other way round.

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_steerling::prelude::*;
use rand::RngExt;

use super::colliders::{at, place, point, random, ticks};
use crate::engine::parry::shape::SharedShape;
use crate::engine::{self, Collider, ColliderDisabled, RigidBodyDisabled};
use crate::glue::{ColliderObstacle, ColliderObstacles, RadiusFromCollider};

fn nearest(app: &App, point: Vec2) -> Option<f32> {
    let obstacles = app.world().resource::<Obstacles>();
    obstacles.nearest(point, 1e4, &ObstacleFilter::default()).map(|hit| hit.distance)
}

fn disable_body(world: &mut World, entity: Entity, disable: bool) {
    let mut entity = world.entity_mut(entity);
    if disable {
        entity.insert(RigidBodyDisabled);
    } else {
        entity.remove::<RigidBodyDisabled>();
    }
}

fn disable_collider(world: &mut World, entity: Entity) {
    world.entity_mut(entity).insert(ColliderDisabled);
}

/// Enables all bodies and colliders.
fn enable(world: &mut World) {
    let entities: Vec<Entity> = world.query_filtered::<Entity, With<Collider>>().iter(world).collect();
    for entity in entities {
        world.entity_mut(entity).remove::<(ColliderDisabled, RigidBodyDisabled)>();
    }
}

fn agent(app: &App, entity: Entity) -> SteeringAgent {
    *app.world().get(entity).expect("an agent")
}

#[test]
fn masses_reach_steering() {
    let mut app = engine::app();
    let body = app.world_mut().spawn((Seek::new(Vec2::X), engine::dynamic(SharedShape::ball(0.5), 3.0))).id();
    ticks(&mut app, 2);
    assert!((agent(&app, body).mass - 3.0).abs() < 1e-5, "{}", agent(&app, body).mass);
    assert!(app.world().entity(body).contains::<MovedByForce>());
    engine::set_mass(app.world_mut(), body, 0.7);
    ticks(&mut app, 2);
    assert!((agent(&app, body).mass - 0.7).abs() < 1e-5, "{}", agent(&app, body).mass);
}

#[test]
fn the_radius_is_that_of_the_colliders_unless_the_game_sets_it() {
    let mut app = engine::app();
    let seek = || Seek::new(Vec2::ZERO);
    let own = SteeringAgent { radius: 0.4, ..default() };
    let far = at(Vec2::new(50.0, 50.0), 0.4);
    let box_shaped = app.world_mut().spawn((seek(), engine::dynamic(SharedShape::cuboid(0.3, 0.4), 1.0), far)).id();
    let set = app.world_mut().spawn((seek(), own, engine::dynamic(SharedShape::ball(0.5), 1.0))).id();
    let limb = (engine::collider(SharedShape::ball(0.25)), at(Vec2::new(0.0, 1.0), 0.0));
    let with_limb =
        app.world_mut().spawn((seek(), engine::dynamic(SharedShape::ball(0.5), 1.0), at(Vec2::NEG_X * 9.0, 1.0))).id();
    let limb = app.world_mut().spawn((limb, ChildOf(with_limb))).id();
    ticks(&mut app, 2);
    assert!((agent(&app, box_shaped).radius - 0.5).abs() < 1e-6);
    assert_eq!(agent(&app, set).radius, 0.4);
    assert!((agent(&app, with_limb).radius - 1.25).abs() < 1e-5);
    // The colliders of agents are no obstacles.
    assert_eq!(nearest(&app, Vec2::ZERO), None);
    app.world_mut().entity_mut(box_shaped).insert(engine::collider(SharedShape::ball(0.2)));
    app.world_mut().entity_mut(set).insert(RadiusFromCollider);
    app.world_mut().entity_mut(limb).insert(engine::collider(SharedShape::ball(0.75)));
    ticks(&mut app, 1);
    assert!((agent(&app, box_shaped).radius - 0.2).abs() < 1e-6);
    assert_eq!(agent(&app, set).radius, 0.5);
    assert!((agent(&app, with_limb).radius - 1.75).abs() < 1e-5);
}

#[test]
fn a_shove_reaches_steering_which_brakes_the_body() {
    for seed in 0..20 {
        let mut random = random(seed);
        let mut app = engine::app();
        let mass = random.random_range(0.5..4.0);
        let home = point(&mut random, 5.0);
        let settings = SteeringAgent { max_speed: 2.0, max_force: 20.0 * mass, ..default() };
        let shape = engine::dynamic(SharedShape::ball(0.5), mass);
        let body = app.world_mut().spawn((Arrive::new(home), settings, shape, at(home, 0.0))).id();
        ticks(&mut app, 3);
        let shove = 5.0 * Vec2::from_angle(random.random_range(-3.0..3.0));
        engine::shove(app.world_mut(), body, mass * shove);
        ticks(&mut app, 2);
        let velocity = app.world().get::<Velocity>(body).expect("a velocity").0;
        assert!(velocity.dot(shove.normalize()) > 4.0, "seed {seed}: {velocity} after {shove}");
        ticks(&mut app, 64 * 6);
        assert!(place(&app, body).distance(home) < 0.05, "seed {seed}: {} is not {home}", place(&app, body));
    }
}

#[test]
fn a_body_sleeps_at_its_target_and_wakes_when_the_target_moves() {
    let mut app = engine::app();
    let target = app.world_mut().spawn(at(Vec2::new(2.0, 0.0), 0.0)).id();
    let settings = SteeringAgent { max_speed: 2.0, max_force: 20.0, ..default() };
    let body =
        app.world_mut().spawn((Arrive::new(target), settings, engine::dynamic(SharedShape::ball(0.3), 1.0))).id();
    ticks(&mut app, 64 * 8);
    assert!(engine::is_asleep(app.world(), body), "{} {:?}", place(&app, body), app.world().get::<SteeringForce>(body));
    assert!(place(&app, body).distance(Vec2::new(2.0, 0.0)) < 0.05);
    *app.world_mut().get_mut(target).expect("a place") = at(Vec2::new(-2.0, 1.0), 0.0);
    ticks(&mut app, 8);
    assert!(!engine::is_asleep(app.world(), body));
    ticks(&mut app, 64 * 5);
    assert!(place(&app, body).distance(Vec2::new(-2.0, 1.0)) < 0.05, "{}", place(&app, body));
}

#[test]
fn forces_do_not_add_up_while_the_engine_is_paused_or_a_body_is_disabled() {
    for pause in [engine::pause as fn(&mut World, Entity, bool), disable_body] {
        let mut app = engine::app();
        let settings = SteeringAgent { max_speed: 2.0, max_force: 4.0, ..default() };
        let shape = engine::dynamic(SharedShape::ball(0.3), 1.0);
        let body = app.world_mut().spawn((Seek::new(Vec2::X * 100.0), settings, shape)).id();
        ticks(&mut app, 4);
        let before = engine::velocity(app.world(), body);
        pause(app.world_mut(), body, true);
        ticks(&mut app, 64);
        pause(app.world_mut(), body, false);
        ticks(&mut app, 2);
        let gained = (engine::velocity(app.world(), body) - before).length();
        assert!(gained < 2.5 * 4.0 * engine::TICK, "{gained}");
    }
}

#[test]
fn a_collider_that_is_gone_is_no_obstacle() {
    let gone: [fn(&mut World, Entity); 7] = [
        |world, entity| {
            world.despawn(entity);
        },
        |world, entity| {
            world.entity_mut(entity).remove::<Collider>();
        },
        disable_collider,
        |world, entity| disable_body(world, entity, true),
        |world, entity| {
            world.entity_mut(entity).insert(Disabled);
        },
        |world, entity| {
            world.entity_mut(entity).insert(engine::Sensor);
        },
        |world, entity| {
            world.entity_mut(entity).insert(ColliderObstacle::NONE);
        },
    ];
    for (case, go) in gone.into_iter().enumerate() {
        let mut app = engine::app();
        let shape = SharedShape::compound(vec![
            (default(), SharedShape::ball(1.0)),
            (default(), SharedShape::cuboid(1.0, 2.0)),
        ]);
        let wall = app.world_mut().spawn((engine::fixed(shape), at(Vec2::X * 5.0, 0.0))).id();
        ticks(&mut app, 1);
        assert_eq!(nearest(&app, Vec2::ZERO).map(|distance| distance.round()), Some(4.0));
        assert_eq!(app.world().get::<ColliderObstacles>(wall).map(|parts| parts.len()), Some(2));
        go(app.world_mut(), wall);
        ticks(&mut app, 1);
        assert_eq!(nearest(&app, Vec2::ZERO), None, "case {case}");
        let left = app.world_mut().query::<&Obstacle>().iter(app.world()).count();
        assert_eq!(left, 0, "case {case}");
        // It comes back.
        if let Ok(mut wall) = app.world_mut().get_entity_mut(wall) {
            wall.remove::<(Disabled, engine::Sensor, ColliderObstacle)>();
            wall.insert(engine::collider(SharedShape::ball(2.0)));
            enable(app.world_mut());
            ticks(&mut app, 1);
            assert_eq!(nearest(&app, Vec2::ZERO), Some(3.0), "case {case}");
        }
    }
}

#[test]
fn shapes_and_places_are_followed() {
    let mut random = random(5);
    let mut app = engine::app();
    let wall = app.world_mut().spawn((engine::fixed(SharedShape::ball(1.0)), at(Vec2::X * 5.0, 0.0))).id();
    for _ in 0..50 {
        let (center, radius) = (point(&mut random, 9.0), random.random_range(0.5..2.0));
        if random.random_range(0..2) == 0 {
            *app.world_mut().get_mut(wall).expect("a place") = at(center, 0.5);
        } else {
            app.world_mut().entity_mut(wall).insert(engine::collider(SharedShape::ball(radius)));
        }
        ticks(&mut app, 1);
        let expected = engine::distance(app.world_mut(), wall, Vec2::ZERO);
        assert!((nearest(&app, Vec2::ZERO).expect("an obstacle") - expected).abs() < 1e-5);
    }
}

#[test]
fn layers_and_dynamic_bodies() {
    let mut app = engine::app();
    let crate_body = (engine::dynamic(SharedShape::ball(1.0), 1.0), at(Vec2::X * 5.0, 0.0));
    let crate_body = app.world_mut().spawn(crate_body).id();
    ticks(&mut app, 1);
    assert_eq!(nearest(&app, Vec2::ZERO), None);
    let layer = GroupMask::bit(3);
    app.world_mut().entity_mut(crate_body).insert(ColliderObstacle { layers: layer });
    ticks(&mut app, 1);
    assert_eq!(nearest(&app, Vec2::ZERO), Some(4.0));
    let obstacles = app.world().resource::<Obstacles>();
    assert!(obstacles.nearest(Vec2::ZERO, 9.0, &ObstacleFilter::in_layers(GroupMask::DEFAULT)).is_none());
    assert!(obstacles.nearest(Vec2::ZERO, 9.0, &ObstacleFilter::in_layers(layer)).is_some());
}

#[test]
fn an_obstacle_of_the_game_takes_the_place_of_the_collider() {
    let mut app = engine::app();
    let own = Obstacle::new(Circle::new(3.0));
    app.world_mut().spawn((engine::fixed(SharedShape::ball(1.0)), own, at(Vec2::X * 5.0, 0.0)));
    ticks(&mut app, 2);
    assert_eq!(nearest(&app, Vec2::ZERO), Some(2.0));
    assert_eq!(app.world_mut().query::<&Obstacle>().iter(app.world()).count(), 1);
}

#[test]
fn what_cannot_be_an_obstacle_is_left_out() {
    let mut app = engine::app();
    app.world_mut().spawn((engine::fixed(SharedShape::halfspace(Vec2::Y)), at(Vec2::NEG_Y, 0.0)));
    app.world_mut().spawn((engine::fixed(SharedShape::ball(f32::INFINITY)), at(Vec2::NEG_Y, 0.0)));
    app.world_mut().spawn((engine::fixed(SharedShape::segment(Vec2::X, Vec2::X)), at(Vec2::NEG_Y, 0.0)));
    app.world_mut().spawn((engine::fixed(SharedShape::ball(1.0)), at(Vec2::X * 5.0, 0.0)));
    let obstacles = app.world_mut();
    obstacles.run_schedule(FixedUpdate);
    assert_eq!(app.world_mut().query::<&Obstacle>().iter(app.world()).count(), 1);
}

#[test]
fn obstacles_move_like_the_body() {
    let mut random = random(9);
    for _ in 0..30 {
        let mut app = engine::app();
        let (linear, angular) = (point(&mut random, 2.0), random.random_range(-1.0..1.0));
        let (shape, start) = (SharedShape::cuboid(1.0, 0.2), at(point(&mut random, 5.0), 0.3));
        let body = app.world_mut().spawn((engine::kinematic(linear, angular), start)).id();
        let door = app.world_mut().spawn((engine::collider(shape), ChildOf(body), at(Vec2::X * 1.5, 0.0))).id();
        ticks(&mut app, 3);
        let part = app.world().get::<ColliderObstacles>(door).expect("parts")[0];
        let center = |app: &App| {
            let obstacle = app.world().get::<Obstacle>(part).expect("an obstacle");
            obstacle.shape.placed(app.world().get(part).expect("a place"), SteeringPlane::XY).center()
        };
        let velocity = app.world().get::<Velocity>(part).expect("a velocity").0;
        let before = center(&app);
        ticks(&mut app, 1);
        let measured = (center(&app) - before) / engine::TICK;
        assert!(measured.distance(velocity) < 0.03, "{measured} is not {velocity}");
    }
}

fn walker(start: Vec2, goal: Vec2) -> impl Bundle {
    let settings = SteeringAgent { max_speed: 2.0, max_force: 20.0, ..default() };
    let behaviors = (Seek::new(goal), AvoidObstacles::default(), AvoidNeighbors::default());
    (behaviors, settings, engine::dynamic(SharedShape::ball(0.3), 1.0), at(start, 0.0))
}

fn assert_untouched(app: &mut App, walkers: &[Entity], what: &str) {
    let touching = engine::touching(app.world_mut());
    let is_hit = touching.as_flattened().iter().any(|body| walkers.contains(body));
    assert!(!is_hit, "{what}: {touching:?}");
}

#[test]
fn walkers_keep_clear_of_a_door_that_closes() {
    for seed in 0..10 {
        let mut random = random(seed);
        let mut app = engine::app();
        for y in [-6.0, 6.0] {
            app.world_mut().spawn((engine::fixed(SharedShape::cuboid(0.3, 4.0)), at(Vec2::Y * y, 0.0)));
        }
        // It slides up into a gap of 4 units, before anybody is there.
        let speed = random.random_range(1.5..2.5);
        let door = (engine::kinematic(Vec2::Y * speed, 0.0), engine::collider(SharedShape::cuboid(0.3, 2.0)));
        let door = app.world_mut().spawn((door, at(Vec2::NEG_Y * 4.0, 0.0))).id();
        let starts = (0..6).map(|index| Vec2::new(-8.0 - 1.2 * index as f32, random.random_range(-1.5..1.5)));
        let starts: Vec<Vec2> = starts.collect();
        let walkers: Vec<Entity> =
            starts.iter().map(|start| app.world_mut().spawn(walker(*start, Vec2::X * 30.0)).id()).collect();
        for tick in 0..64 * 10 {
            if place(&app, door).y >= 0.0 {
                engine::stop(app.world_mut(), door);
            }
            ticks(&mut app, 1);
            assert_untouched(&mut app, &walkers, &format!("seed {seed}, tick {tick}"));
        }
    }
}

#[test]
fn walkers_keep_clear_of_a_bar_that_sweeps_across_their_way() {
    for seed in 0..10 {
        let mut random = random(seed);
        let mut app = engine::app();
        let velocity = Vec2::Y * random.random_range(0.4..1.0);
        let bar = (engine::kinematic(velocity, 0.0), engine::collider(SharedShape::cuboid(0.3, 1.5)));
        app.world_mut().spawn((bar, at(Vec2::NEG_Y * random.random_range(1.0..4.0), 0.0)));
        let starts: Vec<Vec2> =
            (0..5).map(|row| Vec2::new(-5.0, 2.0 * row as f32 - 4.0) + point(&mut random, 0.3)).collect();
        let walkers: Vec<Entity> =
            starts.iter().map(|start| app.world_mut().spawn(walker(*start, *start + Vec2::X * 20.0)).id()).collect();
        for tick in 0..64 * 8 {
            ticks(&mut app, 1);
            assert_untouched(&mut app, &walkers, &format!("seed {seed}, tick {tick}"));
        }
        assert!(walkers.iter().all(|walker| place(&app, *walker).x > 1.0), "seed {seed}");
    }
}

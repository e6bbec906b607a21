//! The crowd in the warehouse.

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_steerling::prelude::*;
use steerling_warehouse::{BODY, Blast, Block, BlockKind, CROWD_SIZE, Goal, HALL, WALL, WarehousePlugin};

/// A body may overlap another one by this distance, units: engines allow it a little.
const TOLERANCE: f32 = 0.1 * BODY.radius;

/// A crowd with crates in it is at most this many times as wide as it needs to be.
const WITH_CRATES: f32 = 2.2;

/// Bodies nearer than this touch, units.
const TOUCHING: f32 = 0.05;

fn warehouse() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, WarehousePlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    app
}

fn agents(app: &mut App) -> Vec<(Entity, Vec2, Vec2)> {
    let world = app.world_mut();
    let mut agents = world.query_filtered::<(Entity, &Position, &LinearVelocity), With<SteeringAgent>>();
    agents.iter(world).map(|(agent, place, velocity)| (agent, place.0, velocity.0)).collect()
}

fn crates(app: &mut App) -> Vec<Vec2> {
    let world = app.world_mut();
    let mut blocks = world.query::<(&Block, &Position)>();
    blocks.iter(world).filter(|(block, _)| block.kind == BlockKind::Crate).map(|(_, place)| place.0).collect()
}

/// Without crates in the crowd, which it would push about, everybody can come to rest. Without pillars, a blast throws nobody against a wall.
fn without_crates_and_pillars() -> App {
    let mut app = warehouse();
    run(&mut app, 1);
    let world = app.world_mut();
    let mut blocks = world.query::<(Entity, &Block)>();
    let is_pillar = |block: &Block| block.kind == BlockKind::Wall && block.size.x == block.size.y;
    let in_the_way = blocks.iter(world).filter(|(_, block)| block.kind == BlockKind::Crate || is_pillar(block));
    let in_the_way: Vec<_> = in_the_way.map(|(entity, _)| entity).collect();
    in_the_way.into_iter().for_each(|entity| _ = world.despawn(entity));
    app
}

/// Runs for this number of ticks. Nobody may be in a wall of the hall, and all numbers are finite.
fn run(app: &mut App, ticks: usize) {
    let walls: Vec<Rect> = {
        let world = app.world_mut();
        let mut blocks = world.query::<(&Block, &Transform)>();
        let walls = blocks.iter(world).filter(|(block, _)| block.kind == BlockKind::Wall);
        walls.map(|(block, place)| Rect::from_center_size(place.translation.truncate(), block.size)).collect()
    };
    for tick in 0..ticks {
        app.update();
        for (agent, place, velocity) in agents(app) {
            assert!(place.is_finite() && velocity.is_finite(), "{agent} in tick {tick}");
            for wall in &walls {
                let nearest = place.clamp(wall.min, wall.max);
                let overlap = BODY.radius - place.distance(nearest);
                assert!(overlap < TOLERANCE, "{agent} at {place} is {overlap} deep in {wall:?} in tick {tick}");
            }
        }
    }
}

/// The number of agents in a disc that is so many times as wide as the crowd needs.
fn gathered(app: &mut App, place: Vec2, width: f32) -> usize {
    let radius = width * BODY.radius * (CROWD_SIZE as f32 / 0.85).sqrt();
    agents(app).iter().filter(|(_, at, _)| at.distance(place) < radius).count()
}

#[test]
fn the_crowd_pushes_the_crates_out_of_the_gate_and_gets_to_the_goal() {
    let mut app = warehouse();
    run(&mut app, 1);
    let before = crates(&mut app);
    run(&mut app, 64 * 40);
    let goal = app.world().resource::<Goal>().0;
    assert_eq!(gathered(&mut app, goal, WITH_CRATES), CROWD_SIZE);
    let moved = crates(&mut app).iter().zip(&before).filter(|(now, before)| now.distance(**before) > 10.0).count();
    assert!(moved >= 6, "only {moved} crates were pushed");
}

#[test]
fn a_new_goal_sends_the_crowd_back() {
    let mut app = warehouse();
    run(&mut app, 64 * 40);
    let goal = Vec2::new(-0.4 * HALL.x, 200.0);
    app.insert_resource(Goal(goal));
    run(&mut app, 64 * 40);
    assert_eq!(gathered(&mut app, goal, WITH_CRATES), CROWD_SIZE);
}

#[test]
fn those_near_a_blast_are_thrown_back_and_come_again() {
    let mut app = without_crates_and_pillars();
    // The walls are out of reach.
    let goal = Vec2::new(0.25 * HALL.x, 0.0);
    app.insert_resource(Goal(goal));
    run(&mut app, 64 * 40);
    app.world_mut().trigger(Blast(goal));
    run(&mut app, 8);
    let fast = agents(&mut app).iter().filter(|(.., velocity)| velocity.length() > 1.5 * BODY.max_speed).count();
    assert!(fast > 10, "only {fast} were thrown");
    run(&mut app, 64 * 20);
    assert_eq!(gathered(&mut app, goal, 1.3), CROWD_SIZE);
    let slow = agents(&mut app).iter().filter(|(.., velocity)| velocity.length() < 0.1 * BODY.max_speed).count();
    assert_eq!(slow, CROWD_SIZE, "some are not nearly at rest");
}

/// The engine keeps bodies apart, so those hit are pushed.
#[test]
fn the_turnstile_hits_hardly_anybody() {
    let mut app = warehouse();
    let mut touching = 0;
    for _ in 0..64 * 20 {
        app.update();
        let world = app.world_mut();
        let mut blocks = world.query::<(&Block, &Position, &Rotation)>();
        let bars: Vec<_> = blocks
            .iter(world)
            .filter(|(block, ..)| block.kind == BlockKind::Bar)
            .map(|(block, place, rotation)| (0.5 * block.size, place.0, *rotation))
            .collect();
        let gap = |place: Vec2, (half, middle, rotation): &(Vec2, Vec2, Rotation)| {
            let local = rotation.inverse() * (place - *middle);
            local.distance(local.clamp(-*half, *half)) - BODY.radius
        };
        let touches = |place: Vec2| bars.iter().any(|bar| gap(place, bar) < TOUCHING);
        touching += agents(&mut app).iter().filter(|(_, place, _)| touches(*place)).count();
    }
    // Those who do not avoid it touch it nearly ten times as often.
    assert!(touching < 1_500, "{touching} times, an agent touches a bar at the end of a tick");
}

/// The walls are as thick as the constant says, which the window uses for its size.
#[test]
fn the_hall_has_its_size() {
    let mut app = warehouse();
    app.update();
    let world = app.world_mut();
    let mut blocks = world.query::<(&Block, &Transform)>();
    let walls = blocks.iter(world).filter(|(block, _)| block.kind == BlockKind::Wall);
    let all = walls
        .map(|(block, place)| Rect::from_center_size(place.translation.truncate(), block.size))
        .reduce(|all, wall| all.union(wall));
    assert_eq!(all.map(|all| all.size()), Some(HALL + 2.0 * WALL));
}

//! Crowds that follow a flow field through tile maps.

mod common;

use bevy::prelude::*;
use bevy_ecs_ldtk::prelude::*;
use bevy_steerling::prelude::*;
use common::{Dice, distance, drawing, loaded, maze, places};
use steerling_tiles::cover::WallGrid;
use steerling_tiles::crowd::{BODY, CrowdField, Goal, Switching, agent, middle, tile_at};
use steerling_tiles::map::{self, DOOR, OPEN_DOOR, TILE, WALL};

/// A body may overlap a wall by this distance, units.
const TOLERANCE: f32 = 0.01 * BODY.radius;

/// Spawns agents at random places of different tiles.
fn spawn(app: &mut App, grid: &WallGrid, dice: &mut Dice, count: usize) {
    let world = app.world_mut();
    let field = world.query_filtered::<Entity, With<CrowdField>>().single(world).expect("there is a field");
    let mut free: Vec<IVec2> = grid.tiles().filter(|tile| !grid.is_wall(*tile)).collect();
    for _ in 0..count.min(free.len()) {
        let tile = free.swap_remove(dice.pick(free.len()));
        world.spawn(agent(middle(tile), field));
    }
}

/// The tiles that are walls now.
fn walls(app: &mut App, size: IVec2) -> WallGrid {
    let mut grid = WallGrid::new(size.as_uvec2());
    let world = app.world_mut();
    for (cell, coords) in world.query::<(&IntGridCell, &GridCoords)>().iter(world) {
        grid.set_wall((*coords).into(), cell.value == WALL || cell.value == DOOR);
    }
    grid
}

/// Only the tiles around a place.
fn gap(grid: &WallGrid, place: Vec2) -> f32 {
    let here = tile_at(place);
    let (mut near, low) = (WallGrid::new(UVec2::splat(3)), here - 1);
    for tile in near.tiles() {
        near.set_wall(tile, grid.is_wall(low + tile));
    }
    distance(&near, place - (low * TILE).as_vec2())
}

fn tick(app: &mut App, grid: &WallGrid) {
    app.update();
    for place in places(app) {
        assert!(place.is_finite());
        let overlap = BODY.radius - gap(grid, place);
        assert!(overlap < TOLERANCE, "{place} is {overlap} deep in a wall of\n{}", drawing(grid));
    }
}

/// Runs until nineteen of twenty agents have been at rest for a second. In the narrow ways of a maze, an agent that finds no place in the
/// crowd may go on looking for one.
fn come_to_rest(app: &mut App, grid: &WallGrid, limit: usize) {
    let mut rest = 0;
    for _ in 0..limit {
        tick(app, grid);
        let world = app.world_mut();
        let is_at_rest = |velocity: &Velocity| velocity.length() < 0.02 * BODY.max_speed;
        let mut agents = world.query_filtered::<&Velocity, With<FollowField>>();
        let moving = agents.iter(world).filter(|velocity| !is_at_rest(velocity)).count();
        rest = if 20 * moving <= agents.iter(world).len() { rest + 1 } else { 0 };
        if rest == 64 {
            return;
        }
    }
    let world = app.world_mut();
    let mut agents = world.query_filtered::<(&Transform, &Velocity), With<FollowField>>();
    let moving = agents.iter(world).filter(|(_, velocity)| velocity.length() >= 0.02 * BODY.max_speed);
    let moving: Vec<(Vec2, f32)> =
        moving.map(|(place, velocity)| (place.translation.truncate(), velocity.length())).collect();
    panic!("not at rest after {limit} ticks: {moving:?} in\n{}", drawing(grid));
}

fn set_goal(app: &mut App, tile: IVec2) -> Vec2 {
    let goal = middle(tile);
    app.insert_resource(Goal(goal));
    goal
}

/// The places of a crowd around a goal are at most this far away, along the ways, units.
fn crowd_radius(count: usize) -> f32 {
    // In ways two tiles wide, both directions, with some room between bodies.
    20.0 * BODY.radius + count as f32 * BODY.radius
}

fn assert_arrived(app: &mut App, count: usize) {
    let crowd = places(app);
    let world = app.world_mut();
    let field = world.query::<&FlowField>().single(world).expect("there is a field");
    for place in crowd {
        let way = field.distance(place).unwrap_or(f32::INFINITY);
        assert!(way < crowd_radius(count), "{place} has {way} to go");
    }
}

#[test]
fn crowds_find_their_way_through_random_mazes() {
    for seed in 0..8 {
        let mut dice = Dice::new(20 + seed);
        let grid = maze(&mut dice, IVec2::new(8, 6));
        let mut app = loaded(&drawing(&grid));
        let count = 40;
        spawn(&mut app, &grid, &mut dice, count);
        let rooms = IVec2::new(dice.pick(8) as i32, dice.pick(6) as i32);
        set_goal(&mut app, 3 * rooms + 1);
        come_to_rest(&mut app, &grid, 64 * 90);
        assert_arrived(&mut app, count);
    }
}

#[test]
fn walls_that_break_are_ways() {
    for seed in 0..4 {
        let mut dice = Dice::new(40 + seed);
        let mut grid = maze(&mut dice, IVec2::new(7, 5));
        let mut app = loaded(&drawing(&grid));
        let count = 30;
        spawn(&mut app, &grid, &mut dice, count);
        set_goal(&mut app, IVec2::new(10, 7));
        for _ in 0..12 {
            (0..40).for_each(|_| tick(&mut app, &grid));
            let world = app.world_mut();
            let mut cells = world.query::<(&mut IntGridCell, &GridCoords)>();
            let mut inner: Vec<_> = cells
                .iter_mut(world)
                .filter(|(cell, coords)| {
                    let tile: IVec2 = (**coords).into();
                    cell.value == WALL && tile.cmpgt(IVec2::ZERO).all() && tile.cmplt(grid.size() - 1).all()
                })
                .collect();
            inner.sort_by_key(|(_, coords)| (coords.x, coords.y));
            let broken = dice.pick(inner.len());
            inner[broken].0.value = 0;
            grid.set_wall((*inner[broken].1).into(), false);
        }
        come_to_rest(&mut app, &grid, 64 * 90);
        assert_arrived(&mut app, count);
    }
}

/// The map of the scene: its doors open and close all the time, and in the end all of them open.
#[test]
fn doors_open_and_close_under_way() {
    let mut app = loaded(map::ROOMS);
    let lines: Vec<&str> = map::ROOMS.lines().collect();
    let size = IVec2::new(lines[0].len() as i32, lines.len() as i32);
    let mut dice = Dice::new(60);
    let grid = walls(&mut app, size);
    let count = 60;
    spawn(&mut app, &grid, &mut dice, count);
    set_goal(&mut app, IVec2::new(46, 25));
    for round in 0..1200 {
        if round % 90 == 0 {
            switch(&mut app, &mut dice, None);
        }
        let grid = walls(&mut app, size);
        tick(&mut app, &grid);
    }
    switch(&mut app, &mut dice, Some(DOOR));
    (0..30).for_each(|_| app.update());
    let grid = walls(&mut app, size);
    come_to_rest(&mut app, &grid, 64 * 90);
    assert_arrived(&mut app, count);
}

/// Switches all doors that are in a state, or some of those in any.
fn switch(app: &mut App, dice: &mut Dice, state: Option<i32>) {
    let world = app.world_mut();
    let cells: Vec<(Entity, i32)> =
        world.query::<(Entity, &IntGridCell)>().iter(world).map(|(entity, cell)| (entity, cell.value)).collect();
    for (entity, value) in cells.into_iter().filter(|(_, value)| [DOOR, OPEN_DOOR].contains(value)) {
        if state.map_or_else(|| dice.uniform() < 0.3, |state| state == value) {
            world.entity_mut(entity).insert(Switching);
        } else {
            world.entity_mut(entity).remove::<Switching>();
        }
    }
}

#[test]
fn a_goal_in_a_wall_or_outside_stops_nobody_from_updating() {
    let mut dice = Dice::new(70);
    let grid = maze(&mut dice, IVec2::new(6, 4));
    let mut app = loaded(&drawing(&grid));
    spawn(&mut app, &grid, &mut dice, 20);
    for goal in [middle(IVec2::ZERO), Vec2::splat(-5000.0), Vec2::NAN, Vec2::INFINITY, Vec2::splat(1e30)] {
        app.insert_resource(Goal(goal));
        (0..200).for_each(|_| tick(&mut app, &grid));
    }
}

//! The rectangles that cover walls.

mod common;

use bevy::prelude::*;
use common::{Dice, drawing, maze, noise};
use steerling_tiles::cover::WallGrid;
use steerling_tiles::map;

fn grids() -> Vec<WallGrid> {
    let mut dice = Dice::new(1);
    let mut grids = Vec::new();
    for _ in 0..300 {
        let size = UVec2::new(dice.pick(24) as u32, dice.pick(24) as u32);
        let share = dice.uniform();
        grids.push(noise(&mut dice, size, share));
    }
    for _ in 0..100 {
        let rooms = IVec2::new(1 + dice.pick(12) as i32, 1 + dice.pick(9) as i32);
        grids.push(maze(&mut dice, rooms));
    }
    grids
}

fn contains(area: &IRect, tile: IVec2) -> bool {
    tile.cmpge(area.min).all() && tile.cmplt(area.max).all()
}

#[test]
fn rectangles_are_exactly_the_walls() {
    for grid in grids() {
        let rectangles = grid.rectangles();
        for tile in grid.tiles() {
            assert_eq!(rectangles.iter().any(|area| contains(area, tile)), grid.is_wall(tile), "{}", drawing(&grid));
        }
        assert!(rectangles.iter().all(|area| area.min.cmpge(IVec2::ZERO).all() && area.max.cmple(grid.size()).all()));
    }
}

/// A side of the walls that goes on from one tile to the next belongs to a rectangle that has both.
#[test]
fn no_side_has_a_seam() {
    for grid in grids() {
        let rectangles = grid.rectangles();
        for out in [IVec2::X, IVec2::NEG_X, IVec2::Y, IVec2::NEG_Y] {
            let is_side = |tile: IVec2| grid.is_wall(tile) && !grid.is_wall(tile + out);
            for tile in grid.tiles() {
                let next = tile + out.perp().abs();
                if is_side(tile) && is_side(next) {
                    let both = |area: &IRect| contains(area, tile) && contains(area, next);
                    assert!(rectangles.iter().any(both), "{tile} {next} in {}", drawing(&grid));
                }
            }
        }
    }
}

#[test]
fn no_rectangle_is_a_part_of_another() {
    for grid in grids() {
        let rectangles = grid.rectangles();
        for (k, area) in rectangles.iter().enumerate() {
            let is_around = |other: &IRect| other.min.cmple(area.min).all() && other.max.cmpge(area.max).all();
            assert!(rectangles.iter().enumerate().all(|(other, around)| other == k || !is_around(around)));
        }
    }
}

#[test]
fn there_are_few_rectangles() {
    let count = |grid: &WallGrid| grid.tiles().filter(|tile| grid.is_wall(*tile)).count();
    let mut dice = Dice::new(2);
    for _ in 0..50 {
        let maze = maze(&mut dice, IVec2::new(16, 12));
        assert!(4 * maze.rectangles().len() < count(&maze), "{} for {}", maze.rectangles().len(), count(&maze));
    }
    let lines: Vec<&str> = map::ROOMS.lines().collect();
    let mut rooms = WallGrid::new(UVec2::new(lines[0].len() as u32, lines.len() as u32));
    for tile in rooms.tiles() {
        let row = lines[lines.len() - 1 - tile.y as usize];
        rooms.set_wall(tile, matches!(row.as_bytes()[tile.x as usize], b'#' | b'+'));
    }
    println!("rooms: {} rectangles for {} wall tiles", rooms.rectangles().len(), count(&rooms));
    assert!(6 * rooms.rectangles().len() < count(&rooms));
}

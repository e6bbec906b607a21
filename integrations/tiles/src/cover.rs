//! Few rectangles that cover the walls of a tile map.

use bevy::prelude::*;

/// Which tiles of a map are walls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WallGrid {
    size: IVec2,
    walls: Vec<bool>,
}

impl WallGrid {
    /// A grid without walls, with this number of columns and rows.
    pub fn new(size: UVec2) -> Self {
        Self { size: size.as_ivec2(), walls: vec![false; size.x as usize * size.y as usize] }
    }

    /// The number of columns and rows.
    pub fn size(&self) -> IVec2 {
        self.size
    }

    /// Whether a tile is a wall. Outside of the grid there is none.
    pub fn is_wall(&self, tile: IVec2) -> bool {
        self.index(tile).is_some_and(|index| self.walls[index])
    }

    /// Makes a tile a wall, or clears it. Tiles outside of the grid are ignored.
    pub fn set_wall(&mut self, tile: IVec2, is_wall: bool) {
        if let Some(index) = self.index(tile) {
            self.walls[index] = is_wall;
        }
    }

    /// All tiles.
    pub fn tiles(&self) -> impl Iterator<Item = IVec2> + use<> {
        let size = self.size;
        (0..size.y).flat_map(move |y| (0..size.x).map(move |x| IVec2::new(x, y)))
    }

    fn index(&self, tile: IVec2) -> Option<usize> {
        let is_inside = tile.cmpge(IVec2::ZERO).all() && tile.cmplt(self.size).all();
        is_inside.then(|| (tile.y * self.size.x + tile.x) as usize)
    }

    /// Rectangles that together are exactly the walls, from their first tile to the one after their last.
    ///
    /// Each straight side of the walls is the side of a single rectangle, so there are no seams along it. Rectangles overlap.
    pub fn rectangles(&self) -> Vec<IRect> {
        let mut rectangles = Vec::new();
        for out in [IVec2::X, IVec2::NEG_X, IVec2::Y, IVec2::NEG_Y] {
            self.add_sides(out, &mut rectangles);
        }
        let mut kept = without_contained(rectangles);
        self.add_inner(&mut kept);
        kept
    }

    fn is_all_wall(&self, area: IRect) -> bool {
        (area.min.y..area.max.y).all(|y| (area.min.x..area.max.x).all(|x| self.is_wall(IVec2::new(x, y))))
    }

    /// Adds a rectangle for each side that faces in the direction `out`, as deep as there are walls behind all of the side.
    fn add_sides(&self, out: IVec2, rectangles: &mut Vec<IRect>) {
        let along = out.perp().abs();
        let is_side = |tile: IVec2| self.is_wall(tile) && !self.is_wall(tile + out);
        for first in self.tiles().filter(|tile| is_side(*tile) && !is_side(*tile - along)) {
            let length = (1..).find(|length| !is_side(first + along * *length)).unwrap_or(1);
            let (mut low, mut high) = (first, first + along * (length - 1) + IVec2::ONE);
            loop {
                let deeper = IRect { min: low - out.max(IVec2::ZERO), max: high + (-out).max(IVec2::ZERO) };
                if !self.is_all_wall(deeper) {
                    break;
                }
                (low, high) = (deeper.min, deeper.max);
            }
            rectangles.push(IRect { min: low, max: high });
        }
    }

    /// Adds rectangles for tiles in the middle of thick walls.
    fn add_inner(&self, rectangles: &mut Vec<IRect>) {
        let mut left = self.clone();
        rectangles.iter().for_each(|area| left.clear(*area));
        for first in self.tiles() {
            if !left.is_wall(first) {
                continue;
            }
            let mut area = IRect { min: first, max: first + IVec2::ONE };
            for step in [IVec2::X, IVec2::Y] {
                while left.is_all_wall(IRect { min: area.min, max: area.max + step }) {
                    area.max += step;
                }
            }
            left.clear(area);
            rectangles.push(area);
        }
    }

    fn clear(&mut self, area: IRect) {
        for y in area.min.y..area.max.y {
            (area.min.x..area.max.x).for_each(|x| self.set_wall(IVec2::new(x, y), false));
        }
    }
}

/// The rectangles that are not part of another one.
fn without_contained(mut rectangles: Vec<IRect>) -> Vec<IRect> {
    rectangles.sort_by_key(|area| (-area.size().element_product(), area.min.y, area.min.x));
    let mut kept: Vec<IRect> = Vec::new();
    for area in rectangles {
        let is_in = |other: &IRect| other.min.cmple(area.min).all() && other.max.cmpge(area.max).all();
        if !kept.iter().any(is_in) {
            kept.push(area);
        }
    }
    kept
}

//! A level of random rooms, with doors between them.

use bevy::prelude::*;
use bevy_steerling::agent::SteeringId;
use bevy_steerling::agent::random::{SteeringRng, SteeringSeed};

/// The size of a level, units. Its middle is the origin.
pub const SIZE: Vec2 = Vec2::new(1200.0, 640.0);

/// The thickness of walls, units.
pub const WALL: f32 = 12.0;

/// The number of columns and rows of rooms.
const COLUMNS: usize = 4;
const ROWS: usize = 3;

/// The widths of doorways, and the least distance from a doorway to the next wall, units.
const DOORWAYS: (f32, f32) = (44.0, 64.0);
const BESIDE: f32 = 30.0;

/// The share of walls between rooms with a door, in addition to the doors that connect all rooms.
const MORE_DOORS: f32 = 0.4;

/// Rooms, walls and doorways. All rooms are connected while all doors are open.
#[derive(Resource, Clone, Debug)]
pub struct Level {
    /// The floors of the rooms, without walls.
    pub rooms: Vec<Rect>,
    /// The walls, which overlap at corners.
    pub walls: Vec<Rect>,
    /// The doorways, each with the numbers of the two rooms.
    pub doorways: Vec<(Rect, [usize; 2])>,
}

impl Level {
    /// A random level. The same seed gives the same level.
    pub fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let [columns, rows] = [dice.divide(SIZE.x, COLUMNS), dice.divide(SIZE.y, ROWS)];
        let room = |k: usize| {
            let (column, row) = (k % COLUMNS, k / COLUMNS);
            let whole = Rect::new(columns[column], rows[row], columns[column + 1], rows[row + 1]);
            Rect::from_center_size(whole.center(), whole.size() - WALL)
        };
        let rooms: Vec<Rect> = (0..COLUMNS * ROWS).map(room).collect();
        let mut level = Self { rooms, walls: outer_walls(), doorways: Vec::new() };
        // The rooms that are connected so far have the same number.
        let mut group: Vec<usize> = (0..level.rooms.len()).collect();
        let mut sides = sides();
        dice.shuffle(&mut sides);
        for [first, second] in sides {
            let connects = group[first] != group[second];
            if !connects && dice.uniform() >= MORE_DOORS {
                let wall = between(level.rooms[first], level.rooms[second]);
                level.walls.push(wall);
                continue;
            }
            let joined = group[second];
            let into = group[first];
            group.iter_mut().filter(|number| **number == joined).for_each(|number| *number = into);
            level.add_door([first, second], &mut dice);
        }
        level
    }

    fn add_door(&mut self, rooms: [usize; 2], dice: &mut Dice) {
        let wall = between(self.rooms[rooms[0]], self.rooms[rooms[1]]);
        let axis = if wall.width() > wall.height() { Vec2::X } else { Vec2::Y };
        let (low, high) = (wall.min.dot(axis) + WALL + BESIDE, wall.max.dot(axis) - WALL - BESIDE);
        let width = dice.within(DOORWAYS.0, DOORWAYS.1.min(high - low));
        let start = dice.within(low, high - width);
        let part = |from: f32, to: f32| {
            let across = Vec2::ONE - axis;
            Rect::from_corners(wall.min * across + axis * from, wall.max * across + axis * to)
        };
        self.walls.push(part(wall.min.dot(axis), start));
        self.walls.push(part(start + width, wall.max.dot(axis)));
        self.doorways.push((part(start, start + width), rooms));
    }

    /// The number of the room at a place; `None` in walls, in doorways and outside.
    pub fn room_at(&self, place: Vec2) -> Option<usize> {
        self.rooms.iter().position(|room| room.contains(place))
    }

    /// The rooms that can be reached from a room through the doors for which `is_open` holds.
    pub fn reachable(&self, from: usize, is_open: impl Fn(usize) -> bool) -> Vec<usize> {
        let (mut reached, mut next) = (vec![from], 0);
        while let Some(&room) = reached.get(next) {
            next += 1;
            for (_, (_, rooms)) in self.doorways.iter().enumerate().filter(|(door, _)| is_open(*door)) {
                let other = match rooms {
                    [first, second] if *first == room => *second,
                    [first, second] if *second == room => *first,
                    _ => continue,
                };
                if !reached.contains(&other) {
                    reached.push(other);
                }
            }
        }
        reached
    }
}

/// The pairs of rooms that have a wall in common.
fn sides() -> Vec<[usize; 2]> {
    let beside = (0..COLUMNS * ROWS).filter(|room| room % COLUMNS + 1 < COLUMNS).map(|room| [room, room + 1]);
    let above = (0..COLUMNS * (ROWS - 1)).map(|room| [room, room + COLUMNS]);
    beside.chain(above).collect()
}

/// The wall between two rooms, and the corners at its ends.
fn between(room: Rect, next: Rect) -> Rect {
    let wall = Rect { min: room.max.min(next.min), max: room.max.max(next.min) };
    if next.min.x >= room.max.x {
        Rect::new(wall.min.x, room.min.y - WALL, wall.max.x, room.max.y + WALL)
    } else {
        Rect::new(room.min.x - WALL, wall.min.y, room.max.x + WALL, wall.max.y)
    }
}

fn outer_walls() -> Vec<Rect> {
    let half = 0.5 * SIZE;
    let wall = |middle: Vec2, size: Vec2| Rect::from_center_size(middle, size + WALL);
    vec![
        wall(Vec2::new(-half.x, 0.0), Vec2::new(0.0, SIZE.y)),
        wall(Vec2::new(half.x, 0.0), Vec2::new(0.0, SIZE.y)),
        wall(Vec2::new(0.0, -half.y), Vec2::new(SIZE.x, 0.0)),
        wall(Vec2::new(0.0, half.y), Vec2::new(SIZE.x, 0.0)),
    ]
}

/// Random numbers.
pub struct Dice(SteeringRng);

impl Dice {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 1))
    }

    /// A number in [0, 1).
    pub fn uniform(&mut self) -> f32 {
        self.0.uniform()
    }

    /// A number between two others.
    pub fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.uniform()
    }

    /// One of `count` numbers from 0.
    pub fn pick(&mut self, count: usize) -> usize {
        ((self.uniform() * count as f32) as usize).min(count.saturating_sub(1))
    }

    /// A place in a rectangle, at least `margin` from its sides.
    pub fn place(&mut self, area: Rect, margin: f32) -> Vec2 {
        let area = Rect::from_center_size(area.center(), (area.size() - 2.0 * margin).max(Vec2::ZERO));
        Vec2::new(self.within(area.min.x, area.max.x), self.within(area.min.y, area.max.y))
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for k in (1..list.len()).rev() {
            list.swap(k, self.pick(k + 1));
        }
    }

    /// The ends of `count` parts of a length around 0, none of them a quarter larger or smaller than the mean.
    fn divide(&mut self, length: f32, count: usize) -> Vec<f32> {
        let mean = length / count as f32;
        (0..=count)
            .map(|k| {
                let shift = if k == 0 || k == count { 0.0 } else { self.within(-0.12, 0.12) };
                (k as f32 + shift) * mean - 0.5 * length
            })
            .collect()
    }
}

//! Random mazes, and the shortest ways through them.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::f32::consts::TAU;

use super::*;

/// Rooms in a square, with walls of straight pieces and doors between them.
pub struct Maze {
    /// The pieces of the walls: two ends, and half the thickness.
    pub walls: Vec<(Vec2, Vec2, f32)>,
    /// The rooms: their centers.
    pub rooms: Vec<Vec2>,
    /// Half the side of a room.
    pub half_room: f32,
}

impl Maze {
    /// A maze in which doors are at least `door` wide. All rooms are connected, in some places by several ways.
    pub fn new(random: &mut impl FnMut() -> f32, side: usize, room: f32, door: f32) -> Self {
        let center = |x: usize, y: usize| Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * room;
        let mut maze = Self { walls: Vec::new(), rooms: Vec::new(), half_room: 0.5 * room };
        maze.rooms.extend((0..side * side).map(|k| center(k % side, k / side)));
        let end = side as f32 * room;
        let corners = [Vec2::ZERO, Vec2::new(end, 0.0), Vec2::splat(end), Vec2::new(0.0, end)];
        maze.walls.extend((0..4).map(|k| (corners[k], corners[(k + 1) % 4], 0.0)));
        // A union of rooms that are connected.
        let mut joined: Vec<usize> = (0..side * side).collect();
        let mut borders: Vec<(usize, usize)> = (0..side * side)
            .flat_map(|k| [(k % side + 1 < side).then_some((k, k + 1)), (k / side + 1 < side).then_some((k, k + side))])
            .flatten()
            .collect();
        while !borders.is_empty() {
            let (here, there) = borders.swap_remove((random() * borders.len() as f32) as usize % borders.len());
            let [one, other] = [joined[here], joined[there]];
            let open = one != other || random() < 0.15;
            joined.iter_mut().filter(|room| **room == other).for_each(|room| *room = one);
            let (middle, along) =
                (0.5 * (maze.rooms[here] + maze.rooms[there]), (maze.rooms[there] - maze.rooms[here]).perp());
            let [start, end] = [middle - 0.5 * along, middle + 0.5 * along];
            let thickness = if random() < 0.5 { 0.0 } else { random() * 3.0 };
            if open {
                let clear = room - 6.0;
                let width = if random() < 0.3 { door } else { door + random() * (clear - door).max(0.0) };
                let from = 3.0 + random() * (clear - width).max(0.0);
                let [near, far] = [from - thickness, from + width + thickness].map(|way| start + along / room * way);
                maze.walls.extend([(start, near, thickness), (far, end, thickness)]);
            } else {
                maze.walls.push((start, end, thickness));
            }
        }
        maze
    }

    /// Spawns its walls as obstacles: thin ones as segments, others as capsules.
    pub fn spawn(&self, world: &mut World) -> Vec<Entity> {
        let spawn = |&(start, end, thickness): &(Vec2, Vec2, f32)| {
            let (middle, along) = (0.5 * (start + end), end - start);
            let transform = Transform::from_translation(middle.extend(0.0));
            if thickness == 0.0 {
                world.spawn((Obstacle::new(Segment2d::new(start - middle, end - middle)), transform)).id()
            } else {
                let rotation = Quat::from_rotation_arc_2d(Vec2::Y, along.normalize());
                let shape = Capsule2d::new(thickness, along.length());
                world.spawn((Obstacle::new(shape), transform.with_rotation(rotation))).id()
            }
        };
        self.walls.iter().map(spawn).collect()
    }

    /// A place in a room, at least `margin` from its sides.
    pub fn place(&self, random: &mut impl FnMut() -> f32, margin: f32) -> Vec2 {
        let room = self.rooms[(random() * self.rooms.len() as f32) as usize % self.rooms.len()];
        let mut offset = || (2.0 * random() - 1.0) * (self.half_room - margin);
        room + Vec2::new(offset(), offset())
    }

    /// The distance of a place from the nearest wall.
    pub fn room_at(&self, place: Vec2) -> f32 {
        self.walls.iter().map(|(a, b, half)| to_segment(place, *a, *b) - half).fold(f32::INFINITY, f32::min)
    }

    /// Whether a body can move straight from one place to another.
    pub fn sees(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        self.walls.iter().all(|(a, b, half)| between_segments(from, to, *a, *b) >= radius + half)
    }
}

/// The shortest ways of a body to a goal, by a graph of the places that see each other.
pub struct ShortestWays<'a> {
    maze: &'a Maze,
    radius: f32,
    corners: Vec<(Vec2, f32)>,
}

impl<'a> ShortestWays<'a> {
    /// Corners are rounded by polygons around circles, which makes ways at most 1 % longer.
    pub fn new(maze: &'a Maze, goal: Vec2, radius: f32) -> Self {
        const SIDES: usize = 16;
        let around = |center: Vec2, half: f32| {
            let reach = (radius + half) / ops::cos(TAU / (2 * SIDES) as f32) + 1e-3;
            (0..SIDES).map(move |k| center + reach * Vec2::from_angle(TAU * k as f32 / SIDES as f32))
        };
        let ends = maze.walls.iter().flat_map(|(a, b, half)| around(*a, *half).chain(around(*b, *half)));
        let mut places: Vec<Vec2> = ends.filter(|place| maze.room_at(*place) >= radius).collect();
        places.push(goal);
        let mut ways = vec![f32::INFINITY; places.len()];
        let mut queue = BinaryHeap::from([Near(0.0, places.len() - 1)]);
        ways[places.len() - 1] = 0.0;
        while let Some(Near(way, here)) = queue.pop() {
            if way > ways[here] {
                continue;
            }
            for there in 0..places.len() {
                let longer = way + places[here].distance(places[there]);
                if longer < ways[there] && maze.sees(places[here], places[there], radius - 1e-3) {
                    ways[there] = longer;
                    queue.push(Near(longer, there));
                }
            }
        }
        Self { maze, radius, corners: places.into_iter().zip(ways).collect() }
    }

    /// The length of the shortest way from a place; infinite if there is none.
    pub fn from(&self, place: Vec2) -> f32 {
        let mut by_length: Vec<(f32, Vec2)> =
            self.corners.iter().map(|(corner, way)| (way + corner.distance(place), *corner)).collect();
        by_length.sort_by(|a, b| a.0.total_cmp(&b.0));
        let seen = |(_, corner): &&(f32, Vec2)| self.maze.sees(place, *corner, self.radius - 1e-3);
        by_length.iter().find(seen).map_or(f32::INFINITY, |(way, _)| *way)
    }
}

/// Ordered by distance, the nearest first.
#[derive(PartialEq)]
struct Near(f32, usize);

impl Eq for Near {}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Near {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0)
    }
}

fn between_segments(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> f32 {
    let side = |from: Vec2, to: Vec2, place: Vec2| (to - from).perp_dot(place - from);
    let crosses = side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0;
    let apart = [to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b)];
    if crosses { 0.0 } else { apart.into_iter().fold(f32::INFINITY, f32::min) }
}

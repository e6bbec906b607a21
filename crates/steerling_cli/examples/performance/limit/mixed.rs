//! Seek a moving point, wander, and avoid circles with the three feelers of the classic articles.

use std::array;
use std::f32::consts::TAU;

use bevy_steerling::agent::SteeringId;
use bevy_steerling::agent::random::{SteeringRng, SteeringSeed};
use steerling_scenario::AgentState;
use wide::{f32x8, i32x8, u64x4};

use super::seek::seek;
use super::{Arrays, Body, LANES, Lanes, Limit, load, store};

/// How an agent finds the circles near it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Circles {
    /// It tests every circle.
    Each,
    /// It tests the circles that overlap the raster cells of its three feelers.
    Raster,
}

/// Agents that seek, wander and avoid.
pub struct Mixed {
    count: usize,
    body: Body,
    agents: Arrays,
    /// The angle of each agent's wander point on its circle.
    angles: Vec<f32>,
    /// The state of each agent's xoshiro256++, in two halves of the lanes.
    random: Vec<[[u64x4; 4]; 2]>,
    look_ahead: f32,
    circles: Vec<[f32; 3]>,
    raster: Option<Raster>,
    wanders: bool,
}

impl Mixed {
    /// At most 64 circles: center and radius.
    pub fn new(
        agents: &[AgentState],
        body: Body,
        look_ahead: f32,
        circles: Vec<[f32; 3]>,
        how: Circles,
        wanders: bool,
    ) -> Self {
        let mut places = SteeringRng::new(SteeringSeed(1), SteeringId::new(0), 2);
        let padded = agents.len().next_multiple_of(LANES);
        let angles = (0..padded).map(|_| (places.uniform() - 0.5) * TAU).collect();
        let mut word = || u64::from(places.uniform().to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let random =
            (0..padded / LANES).map(|_| [(); 2].map(|()| [(); 4].map(|()| u64x4::from([(); 4].map(|()| word())))));
        Self {
            count: agents.len(),
            body,
            agents: Arrays::new(agents),
            angles,
            random: random.collect(),
            look_ahead,
            raster: (how == Circles::Raster).then(|| Raster::new(&circles)),
            circles,
            wanders,
        }
    }

    /// Random numbers from [0, 1).
    #[inline(always)]
    fn uniform([low, high]: &mut [[u64x4; 4]; 2]) -> f32x8 {
        let bits = |state: &mut [u64x4; 4]| {
            let [a, b, c, d] = *state;
            let sum = a + d;
            let drawn: u64x4 = (sum << 23 | sum >> 41) + a;
            let (c, d) = (c ^ a, d ^ b);
            let (b, a) = (b ^ c, a ^ d);
            *state = [a, b, c ^ (state[1] << 17), (d << 45) | (d >> 19)];
            u64x4::to_array(drawn >> 40).map(|bits| bits as i32)
        };
        let ([a, b, c, d], [e, f, g, h]) = (bits(low), bits(high));
        f32x8::from_i32x8(i32x8::from([a, b, c, d, e, f, g, h])) * f32x8::splat(1.0 / (1 << 24) as f32)
    }

    /// Wander's force; `heading` is `n(v)`.
    #[inline(always)]
    fn wander(&mut self, at: usize, velocity: Lanes, heading: Lanes) -> Lanes {
        let Body { max_speed, tick, .. } = self.body;
        let angle = load(&self.angles, at);
        let drawn = Self::uniform(&mut self.random[at / LANES]);
        let next = angle + f32x8::splat(4.0 * tick.sqrt()) * (drawn - f32x8::HALF);
        store(&mut self.angles, at, next - f32x8::splat(TAU) * (next * f32x8::splat(1.0 / TAU)).round());
        let (sin, cos) = angle.sin_cos();
        let to_point =
            heading * f32x8::splat(max_speed * 0.5) + Lanes { x: cos, y: sin } * f32x8::splat(max_speed * 0.25);
        (to_point.normalize() * f32x8::splat(max_speed) - velocity) * f32x8::splat(1.0 / tick)
    }

    /// The lanes with a threatening circle, and whether the nearest is to the left.
    #[inline(always)]
    fn nearest_of_all(&self, [place, middle, ahead]: [Lanes; 3], heading: Lanes) -> [f32x8; 2] {
        let none = f32x8::splat(f32::INFINITY);
        let (mut nearest, mut side) = (none, f32x8::ZERO);
        for &[x, y, radius] in &self.circles {
            let center = Lanes::splat([x, y]);
            let to_center = center - place;
            let squared = |point: Lanes| (center - point).dot(center - point);
            let distance = to_center.dot(to_center);
            let least = distance.fast_min(squared(middle)).fast_min(squared(ahead));
            let counts = least.simd_lt(f32x8::splat(radius * radius)) & distance.simd_lt(nearest);
            nearest = counts.bitselect(distance, nearest);
            side = counts.bitselect(to_center.x * heading.y - to_center.y * heading.x, side);
        }
        [nearest.simd_lt(none), f32x8::ZERO.simd_lt(side)]
    }

    /// The same with a raster.
    #[inline(always)]
    fn nearest_of_near(&self, raster: &Raster, points: [Lanes; 3], heading: Lanes) -> [f32x8; 2] {
        let cells = points.map(|point| raster.cells(point));
        let near: [u64; LANES] =
            array::from_fn(|lane| cells.iter().fold(0, |near, cells| near | raster.circles[cells[lane] as usize]));
        if near.iter().all(|near| *near == 0) {
            return [f32x8::ZERO; 2];
        }
        let points = points.map(|point| [point.x.to_array(), point.y.to_array()]);
        let heading = [heading.x.to_array(), heading.y.to_array()];
        let set = f32::from_bits(u32::MAX);
        let mut found = [[0.0_f32; LANES]; 2];
        for (lane, mut near) in near.into_iter().enumerate() {
            let mut nearest = f32::INFINITY;
            while near != 0 {
                let [x, y, radius] = self.circles[near.trailing_zeros() as usize];
                near &= near - 1;
                let squared = |[px, py]: [[f32; LANES]; 2]| {
                    let (dx, dy) = (x - px[lane], y - py[lane]);
                    dx * dx + dy * dy
                };
                let [distance, middle, ahead] = points.map(squared);
                if distance < nearest && distance.min(middle).min(ahead) < radius * radius {
                    let [[px, py], ..] = points;
                    let side = (x - px[lane]) * heading[1][lane] - (y - py[lane]) * heading[0][lane];
                    nearest = distance;
                    found[0][lane] = set;
                    found[1][lane] = if side > 0.0 { set } else { 0.0 };
                }
            }
        }
        found.map(f32x8::from)
    }
}

impl Limit for Mixed {
    fn tick(&mut self, target: [f32; 2]) {
        for at in (0..self.count).step_by(LANES) {
            let (position, velocity) = (self.agents.position(at), self.agents.velocity(at));
            let heading = velocity.normalize();
            let wander = if self.wanders { self.wander(at, velocity, heading) } else { Lanes::ZERO };
            let force = seek(self.body, position, velocity, target) + wander;

            let to_ahead = heading * f32x8::splat(self.look_ahead);
            let points = [position, position + to_ahead * f32x8::HALF, position + to_ahead];
            let [threatened, right] = match &self.raster {
                None => self.nearest_of_all(points, heading),
                Some(raster) => self.nearest_of_near(raster, points, heading),
            };
            // Perpendicular to the heading, away from the circle.
            let strength = f32x8::splat(self.body.max_speed / self.body.tick);
            let push = right.bitselect(-strength, strength) & threatened;
            let force = force + Lanes { x: heading.y, y: f32x8::ZERO - heading.x } * push;

            let velocity = self.body.accelerate(velocity, force);
            self.agents.store(at, position + velocity * f32x8::splat(self.body.tick), velocity);
        }
    }

    fn states(&self) -> Vec<[f32; 4]> {
        (0..self.count).map(|at| self.agents.state(at)).collect()
    }
}

/// A square of cells, each with the circles that overlap it.
struct Raster {
    min: [f32; 2],
    cells_per_unit: f32,
    /// A bit mask of circles for each cell.
    circles: Vec<u64>,
}

impl Raster {
    /// Cells along a side. Their masks fit into the L1 cache.
    const SIDE: usize = 64;

    fn new(circles: &[[f32; 3]]) -> Self {
        assert!(circles.len() <= 64, "a bit for each circle");
        let edge = |sign: f32, axis: usize| {
            circles.iter().map(|circle| circle[axis] * sign + circle[2]).fold(f32::NEG_INFINITY, f32::max) * sign
        };
        let min = [edge(-1.0, 0), edge(-1.0, 1)];
        let size = (edge(1.0, 0) - min[0]).max(edge(1.0, 1) - min[1]);
        let cell = size / Self::SIDE as f32;
        let reaches = |&[x, y, radius]: &[f32; 3], column: usize, row: usize| {
            let low = [min[0] + column as f32 * cell, min[1] + row as f32 * cell];
            let beside = |x: f32, low: f32| x - x.clamp(low, low + cell);
            beside(x, low[0]).hypot(beside(y, low[1])) <= radius * 1.001
        };
        let mask = |index: usize| {
            let bits = circles
                .iter()
                .enumerate()
                .filter(|(_, circle)| reaches(circle, index % Self::SIDE, index / Self::SIDE));
            bits.fold(0, |mask, (bit, _)| mask | 1 << bit)
        };
        // Points outside use the outermost cells.
        Self { min, cells_per_unit: 1.0 / cell, circles: (0..Self::SIDE * Self::SIDE).map(mask).collect() }
    }

    #[inline(always)]
    fn cells(&self, point: Lanes) -> [i32; LANES] {
        let last = f32x8::splat(Self::SIDE as f32 - 1.0);
        let scaled = (point - Lanes::splat(self.min)) * f32x8::splat(self.cells_per_unit);
        let [column, row] = [scaled.x, scaled.y].map(|x| x.fast_max(f32x8::ZERO).fast_min(last).fast_trunc_int());
        (row * i32x8::splat(Self::SIDE as i32) + column).to_array()
    }
}

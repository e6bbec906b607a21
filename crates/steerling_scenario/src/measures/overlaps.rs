//! Overlaps of agents with each other and with obstacles.

use bevy_steerling::math::Vector;
use bevy_steerling::math::space::{Edge, Space};
use bevy_steerling::prelude::SteeringBounds;
use serde::Serialize;

use crate::dimension::DIMENSIONS;
use crate::measures::pairs::{Moving, for_each_near_pair};
use crate::measures::sweep::{least_distance_between, least_length_between};
use crate::shapes::PlacedShape;
use crate::shapes::primitives::{for_each_convex_part, size};
use crate::simulation::headless::Simulation;
use crate::simulation::motion::Motion;

/// Overlaps of agents with each other and with obstacles along their paths, at the ends of ticks and in between. Within a tick, agents move
/// straight; obstacles move straight and turn at a constant rate. The path of an agent that respawns ends where it was before the jump.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Collisions {
    /// Overlaps with each other.
    #[serde(flatten)]
    pub with_agents: Overlaps,
    /// Overlaps with obstacles.
    pub with_obstacles: Overlaps,
}

/// Overlaps that are deeper than a thousandth of the smaller radius. For a shape without a radius, the agent's radius
/// counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Overlaps {
    /// The number of overlaps, each counted once from the first touch to separation.
    pub unique: u64,
    /// The number of agents that overlap during a tick, summed over ticks.
    pub agent_ticks: u64,
    /// The largest depth, units.
    pub max_depth: f64,
}

/// The share of the smaller radius up to which an overlap does not count.
const LEAST: f32 = 0.001;
/// The error of depths between the ends of ticks, as a share of the agent's radius.
const TOLERANCE: f32 = 1e-5;

/// Measures overlaps during a run.
pub(crate) struct OverlapMeter {
    /// The radius of each agent by its number.
    radii: Vec<f32>,
    space: Space,
    /// The size of a world that wraps, otherwise zero.
    period: Vector,
    with_agents: Watch,
    with_obstacles: Watch,
}

/// An agent in a tick.
struct Body {
    number: usize,
    radius: f32,
    /// The end of its path.
    end: Vector,
    way: Vector,
    /// The length of the way.
    length: f32,
    is_left: bool,
}

/// Two bodies, by their numbers. Those of obstacles follow those of agents.
type Pair = (usize, usize);

/// The depth of an overlap in a tick, negative without one.
struct Depth {
    at_end: f32,
    /// The largest one, at the end or before.
    largest: f32,
}

/// Overlaps of one kind so far.
#[derive(Default)]
struct Watch {
    overlaps: Overlaps,
    /// The pairs that overlapped at the end of the last tick, sorted.
    before: Vec<Pair>,
    /// The pairs that overlap in this tick.
    during: Vec<Pair>,
    /// The pairs that overlap at the end of this tick.
    after: Vec<Pair>,
}

impl Watch {
    /// Adds a pair, if its overlap is deep enough.
    fn add(&mut self, pair: Pair, depth: &Depth, smaller_radius: f32) {
        let least = LEAST * smaller_radius;
        if depth.largest > least {
            self.during.push(pair);
            self.overlaps.max_depth = self.overlaps.max_depth.max(f64::from(depth.largest));
        }
        if depth.at_end > least {
            self.after.push(pair);
        }
    }

    /// Forgets pairs with agents that are no longer among those `present`. Their numbers are below `agents`.
    fn forget_removed(&mut self, agents: usize, present: &[usize]) {
        let is_there = |number| number >= agents || present.binary_search(&number).is_ok();
        self.before.retain(|pair| is_there(pair.0) && is_there(pair.1));
    }

    /// Counts the pairs that overlap along their paths. Agents that are `left` no longer overlap anything at the end of the tick.
    fn count_ways(&mut self, left: &[usize]) {
        sort(&mut self.during);
        let new = self.during.iter().filter(|pair| self.before.binary_search(pair).is_err());
        self.overlaps.unique += new.count() as u64;
        self.during.append(&mut self.before);
        self.before.extend(self.after.drain(..).filter(|pair| !is_of(pair, left)));
    }

    /// Counts the pairs that overlap after an agent was moved to another place.
    fn count_places(&mut self) {
        sort(&mut self.after);
        self.overlaps.unique += self.after.len() as u64;
        self.before.append(&mut self.after);
    }

    /// Counts the agents of the tick: those whose numbers are below `agents` and not removed.
    fn count_agents(&mut self, agents: usize, bodies: &[Body]) {
        sort(&mut self.before);
        let mut in_overlap = vec![false; agents];
        for pair in self.during.drain(..) {
            for number in [pair.0, pair.1].into_iter().filter(|number| *number < agents) {
                in_overlap[number] = true;
            }
        }
        self.overlaps.agent_ticks += bodies.iter().filter(|body| in_overlap[body.number]).count() as u64;
    }
}

impl OverlapMeter {
    pub fn new(simulation: &Simulation) -> Self {
        let bounds = simulation.world().resource::<SteeringBounds>();
        Self {
            radii: simulation.bodies().map(|body| body.radius).collect(),
            space: simulation.space(),
            period: if bounds.edge == Edge::Wrap { bounds.max - bounds.min } else { Vector::ZERO },
            with_agents: Watch::default(),
            with_obstacles: Watch::default(),
        }
    }

    /// Measures the last tick.
    pub fn measure(&mut self, simulation: &Simulation) {
        let mut bodies: Vec<Body> = simulation
            .numbers()
            .iter()
            .zip(simulation.ways())
            .map(|(&number, way)| {
                let (radius, end, is_left) = (self.radii[number], way.end, way.is_left);
                let way = self.space.displacement(way.start, end);
                Body { number, radius, end, way, length: way.length(), is_left }
            })
            .collect();
        let left: Vec<usize> = bodies.iter().filter(|body| body.is_left).map(|body| body.number).collect();
        let (agents, present) = (self.radii.len(), simulation.numbers());
        self.measure_pairs(&bodies, simulation, false);
        self.watches().into_iter().for_each(|watch| {
            watch.forget_removed(agents, present);
            watch.count_ways(&left);
        });
        if !left.is_empty() {
            for (body, agent) in bodies.iter_mut().zip(simulation.agents()) {
                (body.end, body.way, body.length) = (agent.position, Vector::ZERO, 0.0);
            }
            self.measure_pairs(&bodies, simulation, true);
            self.watches().into_iter().for_each(Watch::count_places);
        }
        self.watches().into_iter().for_each(|watch| watch.count_agents(agents, &bodies));
    }

    /// Measures all pairs. At their `places`, bodies and obstacles stand, and only pairs with an agent that was moved there count.
    fn measure_pairs(&mut self, bodies: &[Body], simulation: &Simulation, places: bool) {
        let standing = Motion::default();
        let motions = simulation.motions().iter().map(|motion| if places { &standing } else { motion });
        // Those of obstacles that turn change.
        let sizes = simulation.obstacles().iter().map(size);
        let obstacles: Vec<_> = simulation.obstacles().iter().zip(motions).zip(sizes).collect();
        let discs = bodies.iter().map(|body| Moving { end: body.end, way: body.way, radius: body.radius });
        let rims = obstacles.iter().map(|((shape, motion), _)| Moving {
            end: shape.center(),
            way: Vector::ZERO,
            radius: shape.extent() + motion.longest,
        });
        let (space, period) = (self.space, self.period);
        let width = (period.x > 0.0).then_some(period.x);
        for_each_near_pair(discs.chain(rims), width, |a, b| {
            let Some(body) = bodies.get(a) else { return };
            if let Some(other) = bodies.get(b) {
                if body.is_left || other.is_left || !places {
                    let depth = depth_of_agents(body, other, space, period);
                    self.with_agents.add((body.number, other.number), &depth, body.radius.min(other.radius));
                }
            } else if body.is_left || !places {
                let obstacle = b - bodies.len();
                let ((shape, motion), size) = obstacles[obstacle];
                let smaller = if shape.radius() > 0.0 { body.radius.min(shape.radius()) } else { body.radius };
                // A wide obstacle has no other images.
                let period = size.map_or(Vector::ZERO, |size| Vector::select(size.cmplt(period), period, Vector::ZERO));
                let straight = shape.center() - body.end;
                let shortest = if size.is_some() { space.displacement(body.end, shape.center()) } else { straight };
                let reach = body.radius + shape.extent() + body.length + motion.longest;
                for_each_image(shortest, period, reach, |to_center| {
                    let depth = depth_in_shape(body, shape.center() - to_center, shape, motion, LEAST * smaller);
                    self.with_obstacles.add((body.number, self.radii.len() + obstacle), &depth, smaller);
                });
            }
        });
    }

    fn watches(&mut self) -> [&mut Watch; 2] {
        [&mut self.with_agents, &mut self.with_obstacles]
    }

    /// The overlaps so far.
    pub fn finish(self) -> Collisions {
        Collisions { with_agents: self.with_agents.overlaps, with_obstacles: self.with_obstacles.overlaps }
    }
}

fn depth_of_agents(body: &Body, other: &Body, space: Space, period: Vector) -> Depth {
    let radii = body.radius + other.radius;
    let to_other = space.displacement(body.end, other.end);
    let at_end = radii - to_other.length();
    let mut largest = at_end;
    for_each_image(to_other, period, radii + body.length + other.length, |to_other| {
        if let Some(least) = least_length_between(to_other, other.way - body.way) {
            largest = largest.max(radii - least);
        }
    });
    Depth { at_end, largest }
}

/// The depth of a body in an image of a shape, in which it ends its way at `place`. Depths up to `least` need not be right.
fn depth_in_shape(body: &Body, place: Vector, shape: &PlacedShape, motion: &Motion, least: f32) -> Depth {
    let distance = shape.distance(place).0;
    let at_end = body.radius - distance;
    let mut nearest = distance;
    if distance - body.length - motion.longest < body.radius - least {
        let limits = (body.radius - least, TOLERANCE * body.radius);
        let mut start = None;
        for end in motion.relative_places(place, body.way) {
            if let Some(start) = start {
                nearest = nearest.min(shape.distance(end).0);
                for_each_convex_part(shape, |distance| {
                    let between = least_distance_between(start, end, limits, distance);
                    nearest = nearest.min(between.unwrap_or(nearest));
                });
            }
            start = Some(end);
        }
    }
    Depth { at_end, largest: body.radius - nearest }
}

/// Calls `visit` with those displacements between two places that are shorter than `reach`: the shortest one and, in a world that wraps,
/// the next longer ones along each axis. An axis that does not wrap has the period zero.
#[inline]
fn for_each_image(shortest: Vector, period: Vector, reach: f32, mut visit: impl FnMut(Vector)) {
    if shortest.length_squared() < reach * reach {
        visit(shortest);
    }
    let is_near = (period - shortest.abs()).cmplt(Vector::splat(reach)) & period.cmpgt(Vector::ZERO);
    if !is_near.any() {
        return;
    }
    // A bit for each axis along which it is the longer one.
    for axes in (1..1_u32 << DIMENSIONS).filter(|axes| axes & !is_near.bitmask() == 0) {
        let mut image = shortest;
        for axis in (0..DIMENSIONS).filter(|axis| axes >> axis & 1 == 1) {
            image[axis] -= period[axis].copysign(shortest[axis]);
        }
        if image.length_squared() < reach * reach {
            visit(image);
        }
    }
}

/// Sorts pairs and removes duplicates.
fn sort(pairs: &mut Vec<Pair>) {
    pairs.sort_unstable();
    pairs.dedup();
}

fn is_of(pair: &Pair, agents: &[usize]) -> bool {
    agents.binary_search(&pair.0).is_ok() || agents.binary_search(&pair.1).is_ok()
}

//! All agents at the end of the tick, in the order of the neighbor index.

use alloc::vec::Vec;
use core::mem;

use bevy::math::ops;
use bevy::prelude::*;
use fearless_simd::f32x8;
use fearless_simd::prelude::Simd;

use crate::agent::{Agent, SteeringAgent, Velocity};
use crate::events::surroundings::Surroundings;
use crate::math::lanes::{LANES, Lanes, Stored, VectorOf, bits};
use crate::math::simd::{dispatch, level};
use crate::math::{Placement, Vector, finite_or_zero};
use crate::perception::neighbors::{Run, lanes_within};

/// With fewer agents in a row, testing each of them is just as fast.
const FEWEST: usize = 16;

/// The time in seconds until two agents touch if both keep their velocities; `None` if they never touch, and zero if they overlap and
/// approach each other. `displacement` and `relative_velocity` are those of the other agent, and `touch` is the distance between the two
/// centers at which they touch.
///
/// This is the smaller root of `|p + v · t| = touch`.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::events::time_to_touch;
/// assert_eq!(time_to_touch(Vec2::new(10.0, 3.0), Vec2::new(-2.0, 0.0), 5.0), Some(3.0));
/// assert_eq!(time_to_touch(Vec2::new(10.0, 3.0), Vec2::new(-2.0, 0.0), 2.0), None);
/// assert_eq!(time_to_touch(Vec2::new(10.0, 3.0), Vec2::new(-2.0, 0.0), 20.0), Some(0.0));
/// assert_eq!(time_to_touch(Vec2::new(10.0, 3.0), Vec2::new(2.0, 0.0), 20.0), None);
/// ```
pub fn time_to_touch(displacement: Vector, relative_velocity: Vector, touch: f32) -> Option<f32> {
    let closing = -displacement.dot(relative_velocity);
    if closing <= 0.0 {
        return None;
    }
    let gap = displacement.length_squared() - touch * touch;
    let root = closing * closing - relative_velocity.length_squared() * gap;
    if gap <= 0.0 { Some(0.0) } else { (root >= 0.0).then(|| gap / (closing + ops::sqrt(root))) }
}

/// If less than one in this many agents is watched, only the agents near them are read.
const FEW: usize = 16;

/// All agents in the neighbor index at the end of the tick. The lists keep their capacity between ticks.
#[derive(Default)]
pub(super) struct Bodies {
    /// Empty while few agents are watched.
    all: Vec<Body>,
    eights: Vec<Eight>,
}

/// Buffers for searching the neighbors of a watched agent. They keep their capacity between ticks.
#[derive(Default)]
pub(super) struct Marks {
    /// For each agent, the watched agent that last marked it.
    marks: Vec<u32>,
    /// The number of this watched agent, at least 1. Numbers go on from tick to tick.
    mark: u32,
    /// The parts of the index that contain its neighbors.
    runs: Vec<Run>,
}

/// An agent at the end of the tick.
#[derive(Clone, Copy)]
pub(super) struct Body {
    pub position: Vector,
    pub velocity: Vector,
    pub radius: f32,
    height: f32,
}

/// The maximum number of groups of eight that are tested together.
const AT_ONCE: usize = 16;

/// Eight agents that are next to each other in the index.
struct Eight {
    position: VectorOf<Stored>,
    velocity: VectorOf<Stored>,
    radius: Stored,
}

/// The displacement and the relative velocity of another agent, and its radius.
pub(super) type Meeting = (Vector, Vector, f32);

impl Body {
    /// An agent that is gone.
    const NONE: Self = Self { position: Vector::NAN, velocity: Vector::ZERO, radius: 0.0, height: 0.0 };

    fn new((_, transform, velocity, body): (Entity, &Transform, &Velocity, &SteeringAgent), plane: Placement) -> Self {
        Self {
            position: plane.position(transform),
            velocity: finite_or_zero(velocity.0),
            radius: body.radius.max(0.0),
            height: plane.height(transform.translation),
        }
    }

    /// The displacement, relative velocity and radius; `None` if the agent is on another floor.
    #[inline(always)]
    fn meeting(&self, agent: &Agent, plane: Placement) -> Option<Meeting> {
        let meeting = || (agent.to(self.position), self.velocity - agent.velocity, self.radius);
        plane.on_one_floor(agent.height, self.height).then(meeting)
    }
}

impl Eight {
    /// Up to eight agents.
    fn new(bodies: &[Body]) -> Self {
        let body = |lane: usize| bodies.get(lane).unwrap_or(&Body::NONE);
        Self {
            position: VectorOf::stored(|lane| body(lane).position),
            velocity: VectorOf::stored(|lane| body(lane).velocity),
            radius: Stored::new(|lane| body(lane).radius),
        }
    }

    /// The lanes of the agents that this one touches within `time`, in a world that does not wrap.
    #[inline(always)]
    fn touching<S: Simd>(&self, simd: S, agent: &Agent, time: f32) -> u32 {
        let to = self.position.load(simd) - VectorOf::new(simd, agent.position);
        let velocity = self.velocity.load(simd) - VectorOf::new(simd, agent.velocity);
        let touch = self.radius.load(simd) + f32x8::new(simd, agent.radius);
        // As in `time_to_touch`, bit for bit.
        let closing = -to.dot(velocity);
        let gap = to.dot(to) - touch * touch;
        let root = closing * closing - velocity.dot(velocity) * gap;
        let zero = gap.splat(0.0);
        // The square root of a negative number is NaN.
        let touches = (gap / (closing + root.sqrt())).simd_le(gap.splat(time));
        bits(closing.simd_gt(zero) & (gap.simd_le(zero) | touches))
    }
}

impl Bodies {
    /// Records all agents, if enough of them are `watched`.
    pub fn note(&mut self, watched: usize, surroundings: &Surroundings) {
        let Surroundings { neighbors, bodies, plane, .. } = surroundings;
        let count = neighbors.bodies().len();
        self.all.clear();
        self.eights.clear();
        if FEW * watched < count {
            return;
        }
        self.all.resize(count, Body::NONE);
        for agent in bodies {
            if let Some(place) = neighbors.place_of(agent.0) {
                self.all[place] = Body::new(agent, **plane);
            }
        }
        if !neighbors.wraps() {
            self.eights.extend(self.all.chunks(LANES).map(Eight::new));
        }
    }

    /// All agents, in the order of the index. Empty while few agents are watched.
    pub fn all(&self) -> &[Body] {
        &self.all
    }

    /// The agent at a place in the index.
    #[inline(always)]
    fn at(&self, place: usize, surroundings: &Surroundings) -> Option<Body> {
        if self.all.is_empty() {
            let agent = surroundings.bodies.get(surroundings.neighbors.neighbor(place).entity).ok()?;
            return Some(Body::new(agent, *surroundings.plane));
        }
        Some(self.all[place])
    }

    /// The meeting with another agent. If that agent is in the index, it is at this place.
    pub fn meeting(
        &self,
        agent: &Agent,
        (other, place): (Entity, Option<usize>),
        surroundings: &Surroundings,
    ) -> Option<Meeting> {
        let plane = *surroundings.plane;
        match place {
            Some(place) => self.at(place, surroundings)?.meeting(agent, plane),
            None => Body::new(surroundings.bodies.get(other).ok()?, plane).meeting(agent, plane),
        }
    }

    /// Calls `visit` for all unmarked agents that the agent will touch within `time`, with their places and that time. At the start of the
    /// tick they were within `radius` of the agent's current position.
    pub fn for_each_touching(
        &self,
        agent: &Agent,
        time: f32,
        radius: f32,
        surroundings: &Surroundings,
        Marks { marks, mark, runs }: &mut Marks,
        mut visit: impl FnMut(usize, f32),
    ) {
        let (neighbors, plane) = (&surroundings.neighbors, *surroundings.plane);
        neighbors.list_runs_near(agent, radius, runs);
        let mut consider = |place: usize| {
            if marks[place] == *mark {
                return;
            }
            let meeting = self.at(place, surroundings).and_then(|body| body.meeting(agent, plane));
            let touching =
                meeting.and_then(|(to, velocity, radius)| time_to_touch(to, velocity, agent.radius + radius));
            if let Some(touching) = touching.filter(|touching| *touching <= time)
                && neighbors.is_near(agent, radius, place)
            {
                visit(place, touching);
            }
        };
        for range in runs.iter().map(Run::range) {
            if range.len() < FEWEST || self.eights.is_empty() {
                range.for_each(&mut consider);
                continue;
            }
            let end = range.end.div_ceil(LANES);
            for start in (range.start / LANES..end).step_by(AT_ONCE) {
                let eights = &self.eights[start..end.min(start + AT_ONCE)];
                let mut touching = [0; AT_ONCE];
                dispatch!(level(), simd => for (eight, touching) in eights.iter().zip(&mut touching) {
                    *touching = eight.touching(simd, agent, time);
                });
                for (number, touching) in (start..).zip(&touching[..eights.len()]) {
                    let first = number * LANES;
                    let mut found = touching & lanes_within(&range, first);
                    while found != 0 {
                        consider(first + found.trailing_zeros() as usize);
                        found &= found - 1;
                    }
                }
            }
        }
    }
}

impl Marks {
    /// Clears all marks, before a watched agent marks some of `count` agents.
    pub fn clear(&mut self, count: usize) {
        self.marks.resize(count, 0);
        self.mark = self.mark.wrapping_add(1);
        if self.mark == 0 {
            self.marks.fill(0);
            self.mark = 1;
        }
    }

    /// Marks the agent at a place. Returns whether it was already marked.
    pub fn mark(&mut self, place: usize) -> bool {
        mem::replace(&mut self.marks[place], self.mark) == self.mark
    }
}

//! The order in which a path is followed.
//!
//! A route numbers the points in the order in which the agent comes to them, across laps. On a loop of three points, the numbers 3, 4, 5, 6
//! stand for the points 0, 1, 2, 0. An agent starts in the second lap, so that it can be pushed back past the first point.

use bevy::prelude::*;

use crate::agent::Agent;
use crate::math::Vector;
use crate::math::space::Space;
use crate::perception::path::SteeringPath;

/// The behavior of an agent at the end of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum PathEnd {
    /// It comes to rest on the last point.
    #[default]
    Stop,
    /// It goes on to the first point. The first point need not be repeated at the end.
    Loop,
    /// It turns around, at both ends.
    PingPong,
}

/// Which points of its path an agent must visit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum PathVisit {
    /// None: the path is a road. An agent has passed a point when it is abreast of it, at any distance.
    #[default]
    Lane,
    /// Every point: the path is a patrol. The agent's body must touch each point, and the agent goes back for a point that it was pushed
    /// past. If another body stands on a point, the point counts as visited when the agent is held up beside it.
    Every,
}

/// The points of a path in the order in which an agent visits them.
pub(super) struct Route<'a> {
    points: &'a [Vector],
    end: PathEnd,
    space: Space,
}

/// A straight part of a route.
#[derive(Clone, Copy)]
pub(super) struct Leg {
    /// A unit vector, or zero.
    pub direction: Vector,
    pub length: f32,
}

impl<'a> Route<'a> {
    pub fn new(path: &'a SteeringPath, end: PathEnd, space: Space) -> Self {
        let points = if end == PathEnd::Loop { path.loop_points() } else { path.points() };
        Self { points, end, space }
    }

    fn count(&self) -> u32 {
        u32::try_from(self.points.len()).unwrap_or(u32::MAX)
    }

    /// Whether the route has at most one point to go to.
    pub fn is_place(&self) -> bool {
        self.points.len() < 2
    }

    /// The number of legs in a lap.
    pub fn lap(&self) -> u32 {
        match self.end {
            PathEnd::Stop => u32::MAX,
            PathEnd::Loop => self.count(),
            PathEnd::PingPong => (2 * self.count().saturating_sub(1)).max(1),
        }
    }

    /// The number of the first point.
    pub fn first(&self) -> u32 {
        if self.end == PathEnd::Stop { 0 } else { self.lap() }
    }

    /// The number of the last point, if the route ends.
    fn last(&self) -> u32 {
        if self.end == PathEnd::Stop { self.count().saturating_sub(1) } else { u32::MAX }
    }

    pub fn is_last(&self, number: u32) -> bool {
        number == self.last()
    }

    /// The point of the path with this number.
    pub fn index(&self, number: u32) -> u32 {
        match self.end {
            PathEnd::Stop => number.min(self.last()),
            PathEnd::Loop => number % self.count().max(1),
            PathEnd::PingPong => {
                let place = number % self.lap();
                place.min(self.lap() - place)
            }
        }
    }

    pub fn point(&self, number: u32) -> Vector {
        self.points.get(self.index(number) as usize).copied().unwrap_or_default()
    }

    pub fn leg(&self, from: u32, to: u32) -> Leg {
        let way = self.space.displacement(self.point(from), self.point(to));
        let length = way.length();
        Leg { direction: if length > 0.0 { way / length } else { Vector::ZERO }, length }
    }

    /// Whether an agent has to reach the point itself, as at the ends of a path.
    fn is_end(&self, number: u32) -> bool {
        let index = self.index(number);
        self.end != PathEnd::Loop && (index == 0 || index + 1 == self.count())
    }

    fn are_near(&self, a: u32, b: u32, apart: f32) -> bool {
        self.leg(a, b).length <= apart
    }

    /// The next point that is farther away than `apart`, or the end. Points in between are too near to make a difference.
    pub fn next(&self, from: u32, apart: f32) -> Option<u32> {
        if from >= self.last() {
            return None;
        }
        let mut next = from + 1;
        while !self.is_end(next) && self.are_near(from, next, apart) && next - from < self.count() {
            next += 1;
        }
        // A point close to the end counts as the end.
        let mut end = next;
        while !self.is_end(end) && self.are_near(next, end, apart) && end - next < self.count() {
            end += 1;
        }
        Some(if self.are_near(next, end, apart) && self.is_end(end) { end } else { next })
    }

    /// The last point before `from` that is farther away than `apart`, or the start.
    pub fn previous(&self, from: u32, apart: f32) -> Option<u32> {
        let mut previous = from.checked_sub(1)?;
        let is_skipped = |previous| !self.is_end(previous) && self.are_near(from, previous, apart);
        while previous > 0 && is_skipped(previous) && from - previous < self.count() {
            previous -= 1;
        }
        Some(previous)
    }

    /// The number of the first point of the leg on which the agent joins the path. The search starts at the first leg and stops at the first
    /// one whose lane of this `radius` contains the agent. Unless the agent must visit every point, it goes on from there as long as each leg
    /// is nearer than the one before. The nearest leg searched is the result.
    pub fn entry(&self, agent: &Agent, radius: f32, visit: PathVisit) -> u32 {
        let legs = if self.end == PathEnd::Loop { self.count() } else { self.count().saturating_sub(1) };
        let (mut entry, mut nearest) = (self.first(), f32::INFINITY);
        for from in self.first()..self.first() + legs {
            let leg = self.leg(from, from + 1);
            let to_start = agent.to(self.point(from));
            let along = (-to_start.dot(leg.direction)).clamp(0.0, leg.length);
            let distance = (to_start + leg.direction * along).length();
            if nearest <= radius && (distance >= nearest || visit == PathVisit::Every) {
                break;
            }
            if distance < nearest {
                (entry, nearest) = (from, distance);
            }
        }
        entry
    }
}

//! The place that the behaviors of an agent want to get to.

use core::cmp::Ordering;

use bevy::prelude::*;

use crate::agent::Agent;
use crate::engine::approach::Approach;
use crate::engine::wish::Wish;
use crate::math::Vector;

/// The place that the agent wants to get to, from the most urgent behavior that has one. Constraints that need it require this component.
/// It is rebuilt in every tick, so it is neither reflected nor cloned.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Destination {
    /// The displacement to the place, units. Constraints read it as [`Agent::destination`](crate::agent::Agent::destination).
    pub displacement: Option<Vector>,
    /// Whether the agent wants to stop there.
    pub stops: bool,
    /// Whether the agent passes the place at a given speed, such as a vehicle the point of its path that it steers toward.
    goes_on: bool,
    /// The displacement to the end of the path that the agent is on, units.
    end: Option<Vector>,
    /// Whether the agent closes up with others at the place where it wants to stop. It then no longer follows its path.
    pub in_crowd: bool,
    /// Whether the agent is as near to the place as it can get. It then wants to stop where it is.
    pub is_settled: bool,
    /// The displacement to the place in the crowd to which the agent goes first, units.
    pub gap: Option<Vector>,
}

impl Destination {
    /// Copies the destination to the agent.
    #[inline(always)]
    pub fn tell(&self, agent: &mut Agent) {
        (agent.destination, agent.stops) = (self.displacement, self.stops);
    }

    /// The displacement to the place where the agent wants to stop, now or at the end of its path, units.
    pub fn place_to_stop(&self) -> Option<Vector> {
        self.displacement.filter(|_| self.stops).or(self.end)
    }

    /// The distance to the place, or to the end of the path, units; infinite without one, or if the agent goes on from there.
    pub fn distance(&self) -> f32 {
        self.displacement.filter(|_| !self.goes_on).or(self.end).map_or(f32::INFINITY, Vector::length)
    }

    /// Records a wish for a place, or for the path to one. Returns the wish to use.
    #[inline(always)]
    pub fn note(&mut self, wish: Wish, weight: f32) -> Wish {
        if self.displacement.is_some() || weight.partial_cmp(&0.0) != Some(Ordering::Greater) {
            return wish;
        }
        let (displacement, approach) = match wish {
            // An agent that closes up goes only a short way, and stops there.
            Wish::Place { displacement, approach: Approach::NotYetBraking } if self.in_crowd => {
                (displacement, Approach::Braking { tolerance: 0.0 })
            }
            Wish::Place { displacement, approach } => (displacement, approach),
            Wish::Way { end, .. } if self.in_crowd => (end, Approach::Braking { tolerance: 0.0 }),
            Wish::Way { end, .. } => {
                self.end = self.end.or(Some(end));
                return wish;
            }
            _ => return wish,
        };
        self.displacement = Some(displacement);
        self.stops = approach.tolerance().is_some();
        self.goes_on = matches!(approach, Approach::AtSpeed { .. });
        let next = match self.gap {
            Some(gap) if self.stops => gap,
            None if self.stops && self.is_settled => Vector::ZERO,
            _ => displacement,
        };
        Wish::Place { displacement: next, approach }
    }
}

/// Clears all destinations at the start of a tick.
pub(crate) fn clear_destinations(mut destinations: Query<&mut Destination>) {
    destinations.iter_mut().for_each(|mut destination| *destination.bypass_change_detection() = Destination::default());
}

//! The place that the behaviors of an agent want to get to.

use bevy::prelude::*;

use crate::agent::Agent;
use crate::engine::wish::Wish;
use crate::math::Vector;

/// The place that the most urgent behavior with a place wants to get to. A constraint that needs it requires this component. It is
/// rebuilt in each tick, so it is neither reflected nor cloned.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Destination {
    /// The displacement to the place, units. Behaviors and constraints read it as [`Agent::destination`](crate::agent::Agent::destination).
    pub displacement: Option<Vector>,
    /// Whether the agent wants to stop there.
    pub stops: bool,
    /// Whether the agent is as near to the place as it can get. Then it wants to stop where it is.
    pub is_settled: bool,
}

impl Destination {
    /// Tells the agent of it.
    #[inline(always)]
    pub fn tell(&self, agent: &mut Agent) {
        (agent.destination, agent.stops) = (self.displacement, self.stops);
    }

    /// Notes a wish for a place. Returns the wish that counts.
    #[inline(always)]
    pub fn note(&mut self, wish: Wish, weight: f32) -> Wish {
        if let Wish::Place { displacement, approach } = wish
            && self.displacement.is_none()
            && weight > 0.0
        {
            self.displacement = Some(displacement);
            self.stops = approach.tolerance().is_some();
            if self.stops && self.is_settled {
                return Wish::Place { displacement: Vector::ZERO, approach };
            }
        }
        wish
    }
}

/// Forgets all destinations at the start of a tick.
pub(crate) fn clear_destinations(mut destinations: Query<&mut Destination>) {
    destinations.iter_mut().for_each(|mut destination| *destination.bypass_change_detection() = Destination::default());
}

//! The place that the behaviors of an agent want to get to.

use bevy::prelude::*;

use crate::engine::wish::Wish;
use crate::math::Vector;

/// The displacement to the place that the most urgent behavior with a place wants to get to, units. A constraint that needs it requires
/// this component, and reads it as [`Agent::destination`](crate::agent::Agent::destination). It is rebuilt in each tick, so it is neither
/// reflected nor cloned.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Destination(pub Option<Vector>);

impl Destination {
    /// Notes a wish for a place.
    #[inline(always)]
    pub fn note(&mut self, wish: &Wish, weight: f32) {
        if let Wish::Place { displacement, .. } = wish
            && self.0.is_none()
            && weight > 0.0
        {
            self.0 = Some(*displacement);
        }
    }
}

/// Forgets all destinations at the start of a tick.
pub(crate) fn clear_destinations(mut destinations: Query<&mut Destination>) {
    destinations.iter_mut().for_each(|mut destination| destination.bypass_change_detection().0 = None);
}

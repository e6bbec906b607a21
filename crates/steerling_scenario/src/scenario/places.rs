//! Random places in areas.

use std::array::from_fn;

use bevy_steerling::behavior_prelude::SteeringRng;
use bevy_steerling::math::Vector;
use bevy_steerling::math::space::Edge;
use bevy_steerling::prelude::SteeringBounds;

use crate::file::areas::Area;

/// The number of the random stream that places are drawn from.
pub(crate) const PLACES: u64 = 1;

/// A random place in an area.
pub(crate) fn random_place(area: &Area, random: &mut SteeringRng) -> Vector {
    let [min, max] = area.corners();
    // Rounding must not lead out of the area.
    (min + (max - min) * Vector::from_array(from_fn(|_| random.uniform()))).clamp(min, max)
}

/// Wraps or clamps a place into bounds that wrap or bounce.
pub(crate) fn confine(place: Vector, bounds: &SteeringBounds) -> Vector {
    let SteeringBounds { min, max, edge } = *bounds;
    match edge {
        Edge::None => place,
        Edge::Wrap => (min + (place - min).rem_euclid(max - min)).clamp(min, max),
        Edge::Bounce => place.clamp(min, max),
    }
}

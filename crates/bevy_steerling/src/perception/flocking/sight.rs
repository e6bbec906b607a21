//! Which neighbors are perceived, and what each of them contributes.

use crate::math::lanes::{Lanes, VectorOf};
use crate::perception::field_of_view::{sees, squared_ahead};
use crate::perception::flocking::kernel::Perceiver;

/// Squared distances are clamped to at least this, units².
pub(super) const TINY_SQUARED: f32 = 1e-20;

/// What one agent, or each of eight, perceives.
#[derive(Clone, Copy)]
pub(super) struct Sight<L> {
    velocity: VectorOf<L>,
    /// The squares have the signs of the radii.
    radii_squared: [L; 3],
    /// The cones, times the square of the speed.
    scaled_cones: [L; 3],
}

impl Sight<f32> {
    /// The sight of one agent.
    pub fn of_one(perceiver: &Perceiver, velocity: VectorOf<f32>) -> Self {
        Self::new(perceiver.radii.map(signed_square), perceiver.cones, velocity)
    }
}

impl<L: Lanes> Sight<L> {
    #[inline(always)]
    pub fn new(radii_squared: [L; 3], cones: [L; 3], velocity: VectorOf<L>) -> Self {
        let speed_squared = velocity.dot(velocity);
        let [first, second, third] = cones;
        let scaled_cones = [first * speed_squared, second * speed_squared, third * speed_squared];
        Self { velocity, radii_squared, scaled_cones }
    }

    /// What [`is_within`](Self::is_within) compares with the cones; nothing if there are none.
    #[inline(always)]
    pub fn squared_ahead<const CONES: bool>(&self, displacement: VectorOf<L>) -> L {
        if CONES { squared_ahead(self.velocity, displacement) } else { displacement.x.splat(0.0) }
    }

    /// Whether a neighbor is within the radius and the cone for one of the three sums.
    #[inline(always)]
    pub fn is_within<const CONES: bool>(&self, part: usize, distance_squared: L, squared_ahead: L) -> L::Mask {
        let near = distance_squared.simd_le(self.radii_squared[part]);
        if CONES { near & sees(self.scaled_cones[part], squared_ahead, distance_squared) } else { near }
    }
}

/// The square of a radius, with its sign. With a negative radius there are no neighbors.
#[inline(always)]
pub(super) fn signed_square<L: Lanes>(radius: L) -> L {
    radius * radius.abs()
}

/// How far a neighbor is inside a radius: `radius/distance − 1`, at most [`MOST_INTRUSION`].
#[inline(always)]
pub(super) fn intrusion<L: Lanes>(inverse_distance: L, radius: L) -> L {
    (radius * inverse_distance - radius.splat(1.0)).fast_min(radius.splat(MOST_INTRUSION))
}

/// The intrusion of neighbors in the same place or nearly so.
pub(super) const MOST_INTRUSION: f32 = 99.0;

/// The factor on the displacement of a neighbor in [`Sums::nearness`](super::kernel::Sums::nearness).
#[inline(always)]
pub(super) fn nearness<L: Lanes, const MAY_COINCIDE: bool>(distance_squared: L) -> L {
    let distance_squared =
        if MAY_COINCIDE { distance_squared.fast_max(distance_squared.splat(TINY_SQUARED)) } else { distance_squared };
    distance_squared.splat(1.0) / distance_squared
}

//! The edges of the world, and how distances are measured in it.

use bevy::prelude::*;

use crate::math::vector::{BVector, DIMENSIONS, Vector};

/// The bounds of the world, and what happens to agents at its edges. Default: no edges.
///
/// An axis has no edges if `max` is not above `min`, and does not wrap if it is infinite. The bounds apply to the center of an agent,
/// regardless of its radius.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # App::new()
/// .insert_resource(SteeringBounds::wrap(Vec2::new(-400.0, -300.0), Vec2::new(400.0, 300.0)))
/// # ;
/// ```
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct SteeringBounds {
    /// The corner with the smallest coordinates, units.
    pub min: Vector,
    /// The corner with the largest coordinates, units.
    pub max: Vector,
    /// What happens at the edges. Default: [`Edge::None`].
    pub edge: Edge,
}

/// What happens at the edges of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum Edge {
    /// Nothing: the world is infinite.
    #[default]
    None,
    /// The world is a torus: an agent that leaves on one side enters on the other. Agents perceive neighbors and targets across the seam,
    /// along the shortest displacement.
    Wrap,
    /// Agents are put back on the edge, and the outward component of their velocity is reversed.
    #[cfg_attr(
        not(dim3),
        doc = "An agent with [`BodyLimits`](crate::agent::BodyLimits) turns to that velocity as fast as its limits allow."
    )]
    Bounce,
}

impl SteeringBounds {
    /// A torus between two corners.
    pub const fn wrap(min: Vector, max: Vector) -> Self {
        Self { min, max, edge: Edge::Wrap }
    }

    /// A rectangle or box between two corners, with walls that agents bounce off.
    pub const fn bounce(min: Vector, max: Vector) -> Self {
        Self { min, max, edge: Edge::Bounce }
    }

    /// The axes along which `position` is beyond an edge that bounces: the lower edge and the upper edge.
    pub(crate) fn beyond(&self, position: Vector) -> (BVector, BVector) {
        let has_edges = self.max.cmpgt(self.min) & BVector::splat(self.edge == Edge::Bounce);
        (position.cmplt(self.min) & has_edges, position.cmpgt(self.max) & has_edges)
    }

    /// The place nearest to `position` that is within edges that bounce.
    pub(crate) fn held(&self, position: Vector) -> Vector {
        let (below, above) = self.beyond(position);
        Vector::select(below, self.min, Vector::select(above, self.max, position))
    }

    /// The velocity of an agent after it has bounced off the edges that it is beyond.
    pub(crate) fn bounced(&self, (below, above): (BVector, BVector), velocity: Vector) -> Vector {
        Vector::select(below, velocity.abs(), Vector::select(above, -velocity.abs(), velocity))
    }

    /// Whether an edge that bounces is within this distance of a position, units.
    #[cfg(not(dim3))]
    pub(crate) fn is_near_edge(&self, position: Vector, distance: f32) -> bool {
        (self.beyond(position - distance).0 | self.beyond(position + distance).1).any()
    }

    /// How distances are measured in this world.
    pub fn space(&self) -> Space {
        let size = self.max - self.min;
        let wraps = size.cmpgt(Vector::ZERO) & size.is_finite_mask();
        if self.edge != Edge::Wrap || !wraps.any() {
            return Space::default();
        }
        Space {
            min: Vector::select(wraps, self.min, Vector::ZERO),
            size: Vector::select(wraps, size, Vector::ZERO),
            lap: Vector::select(wraps, size, Vector::ONE),
        }
    }
}

/// How distances are measured: in a straight line or, in a world that wraps, across a seam if that is shorter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Space {
    /// The start of each axis that wraps; zero for an axis that does not.
    pub(crate) min: Vector,
    /// The length of each axis that wraps; zero for an axis that does not.
    pub(crate) size: Vector,
    /// The same as `size`, but with one instead of zero, for use as a divisor.
    lap: Vector,
}

impl Space {
    /// The shortest displacement between two places.
    ///
    /// ```
    /// # use bevy::math::Vec2;
    /// # use bevy_steerling::prelude::*;
    /// let torus = SteeringBounds::wrap(Vec2::ZERO, Vec2::splat(100.0)).space();
    /// assert_eq!(torus.displacement(Vec2::new(95.0, 50.0), Vec2::new(5.0, 60.0)), Vec2::new(10.0, 10.0));
    /// ```
    #[inline]
    pub fn displacement(&self, from: Vector, to: Vector) -> Vector {
        let straight = to - from;
        if !self.wraps() {
            return straight;
        }
        let laps = straight / self.lap;
        // Usually the direct displacement is the shortest.
        if laps.abs().cmplt(Vector::splat(0.5)).all() {
            return straight;
        }
        straight - self.size * laps.round()
    }

    /// Calls `visit` with the displacements within `reach` to the other images of the center of something `width` wide, beyond the image at
    /// the shortest displacement. Something as wide as the world has only one image along that axis.
    pub(crate) fn for_each_farther_image(
        &self,
        shortest: Vector,
        width: Vector,
        reach: f32,
        mut visit: impl FnMut(Vector),
    ) {
        let farther = self.size - shortest.abs();
        let is_within = farther.cmple(Vector::splat(reach)) & self.size.cmpgt(width);
        if !is_within.any() {
            return;
        }
        // One bit for each axis, set if the farther image is used along it.
        for axes in 1..1_u32 << DIMENSIONS {
            let along = (0..DIMENSIONS).filter(|axis| axes >> axis & 1 == 1);
            let mut image = shortest;
            along.clone().for_each(|axis| image[axis] -= self.size[axis].copysign(shortest[axis]));
            if along.clone().all(|axis| is_within.test(axis)) && image.length_squared() <= reach * reach {
                visit(image);
            }
        }
    }

    /// Whether any axis wraps.
    #[inline]
    pub(crate) fn wraps(&self) -> bool {
        self.size != Vector::ZERO
    }

    /// `position` moved into the bounds along the axes that wrap.
    #[inline]
    pub(crate) fn wrap(&self, position: Vector) -> Vector {
        let inside = position.cmpge(self.min) & position.cmplt(self.min + self.size);
        if (inside | self.size.cmpeq(Vector::ZERO)).all() {
            return position;
        }
        let wrapped = position - self.size * ((position - self.min) / self.lap).floor();
        // Because of rounding, the position may be just outside or on the upper edge, which is the same as the lower one.
        let outside = wrapped.cmplt(self.min) | wrapped.cmpge(self.min + self.size);
        Vector::select(self.size.cmpgt(Vector::ZERO), Vector::select(outside, self.min, wrapped), position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: SteeringBounds = SteeringBounds::wrap(Vector::new(-10.0, 0.0), Vector::new(30.0, 20.0));

    #[test]
    fn the_shortest_way_leads_across_the_seam() {
        let space = WORLD.space();
        let d = space.displacement(Vector::new(28.0, 1.0), Vector::new(-9.0, 19.0));
        assert_eq!(d, Vector::new(3.0, -2.0));
        let straight = Vector::new(5.0, 4.0);
        assert_eq!(space.displacement(Vector::ZERO, straight), straight);
    }

    #[test]
    fn wrapping_always_ends_inside() {
        let space = WORLD.space();
        for position in [
            Vector::new(-10.000_001, 20.0),
            Vector::new(30.0, -1e-30),
            Vector::new(1e9, -1e9),
            Vector::new(f32::MAX, f32::MIN),
            Vector::new(5.0, 5.0),
        ] {
            let wrapped = space.wrap(position);
            assert!(
                wrapped.cmpge(WORLD.min).all() && wrapped.cmplt(WORLD.max).all(),
                "{position} wrapped to {wrapped}"
            );
        }
    }

    #[test]
    fn an_axis_without_extent_does_not_wrap() {
        let space = SteeringBounds::wrap(Vector::ZERO, Vector::new(10.0, 0.0)).space();
        assert_eq!(space.displacement(Vector::ZERO, Vector::new(9.0, 9.0)), Vector::new(-1.0, 9.0));
        assert_eq!(space.wrap(Vector::new(11.0, 99.0)), Vector::new(1.0, 99.0));
    }
}

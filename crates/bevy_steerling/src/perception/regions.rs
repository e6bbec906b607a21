//! Convex regions in which agents stay, and the nearest point in them.

use alloc::vec::Vec;
use core::f32::consts::TAU;

use bevy::prelude::*;

use crate::math::{Vector, normalize, unit_vector};

/// A convex region in which [`Contain`](crate::constraints::contain::Contain) keeps an agent.
///
/// It is made from a `Circle`, a `Rectangle` or a `ConvexPolygon`. Default: that of a default `Circle`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// let room = Region::from(Rectangle::new(80.0, 40.0));
/// assert_eq!(room.nearest(Vec2::new(70.0, 10.0), 5.0), Vec2::new(35.0, 10.0));
/// assert_eq!((room.incenter(), room.inradius()), (Vec2::ZERO, 20.0));
/// ```
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct Region {
    rim: Rim,
    middle: Vector,
    depth: f32,
}

/// The boundary of a region.
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
enum Rim {
    /// A circle of this radius.
    Circle(f32),
    Walls(Vec<Wall>),
}

/// A straight wall.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
struct Wall {
    /// The unit vector that points out of the region.
    outward: Vector,
    /// The distance from the origin to the wall along `outward`, units.
    distance: f32,
}

impl Default for Region {
    fn default() -> Self {
        Circle::default().into()
    }
}

impl From<Circle> for Region {
    fn from(circle: Circle) -> Self {
        Self { rim: Rim::Circle(circle.radius), middle: Vector::ZERO, depth: circle.radius }
    }
}

impl From<Rectangle> for Region {
    fn from(Rectangle { half_size }: Rectangle) -> Self {
        // With one length per side, because a strip is infinite along one axis only.
        let sides = [
            (Vector::X, half_size.x),
            (Vector::Y, half_size.y),
            (Vector::NEG_X, half_size.x),
            (Vector::NEG_Y, half_size.y),
        ];
        let walls = sides.map(|(outward, distance)| Wall { outward, distance }).to_vec();
        Self { rim: Rim::Walls(walls), middle: Vector::ZERO, depth: half_size.min_element() }
    }
}

impl From<ConvexPolygon> for Region {
    fn from(polygon: ConvexPolygon) -> Self {
        let corners = polygon.vertices();
        let inner = corners.iter().sum::<Vector>() / corners.len().max(1) as f32;
        let sides = corners.iter().zip(corners.iter().cycle().skip(1)).filter(|(start, end)| start != end);
        let walls = sides.map(|(&start, &end)| {
            let right = -normalize(end - start).perp();
            let outward = if right.dot(inner - start) > 0.0 { -right } else { right };
            Wall { outward, distance: outward.dot(start) }
        });
        let mut region = Self { rim: Rim::Walls(walls.collect()), middle: inner, depth: 0.0 };
        let mut too_deep = corners.iter().map(|corner| corner.distance(inner)).fold(0.0, f32::max);
        // Bisection, down to rounding errors.
        for _ in 0..32 {
            let depth = 0.5 * (region.depth + too_deep);
            match region.find_nearest(region.middle, depth) {
                Some(middle) => (region.middle, region.depth) = (middle, depth),
                None => too_deep = depth,
            }
        }
        region
    }
}

impl Region {
    /// A point of the region at the largest distance from its boundary, units: the center of the largest disc in it.
    pub fn incenter(&self) -> Vector {
        self.middle
    }

    /// The distance from the [`incenter`](Self::incenter) to the boundary, units: the radius of the largest disc in the region.
    pub fn inradius(&self) -> f32 {
        self.depth
    }

    /// Corners along its boundary.
    pub(crate) fn outline(&self) -> Vec<Vector> {
        match &self.rim {
            Rim::Circle(radius) => (0..64).map(|k| unit_vector(k as f32 * (TAU / 64.0)) * *radius).collect(),
            Rim::Walls(walls) => {
                let next = walls.iter().cycle().skip(1);
                let corner = |(a, b): (&Wall, &Wall)| {
                    // The intersection of both walls.
                    let along = a.outward.perp();
                    a.outward * a.distance
                        + along * ((b.distance - a.distance * a.outward.dot(b.outward)) / along.dot(b.outward))
                };
                walls.iter().zip(next).map(corner).collect()
            }
        }
    }

    /// The nearest point to `point` in the region at a distance of at least `margin` from its boundary, units; the
    /// [`incenter`](Self::incenter) if there is none.
    pub fn nearest(&self, point: Vector, margin: f32) -> Vector {
        self.find_nearest(point, margin).unwrap_or(self.middle)
    }

    /// The distance from `point` to each wall, units, negative outside, and the unit vector to it. A circle is one wall.
    pub(crate) fn walls(&self, point: Vector) -> impl Iterator<Item = (f32, Vector)> + Clone + '_ {
        let (circle, walls) = match &self.rim {
            Rim::Circle(radius) => (Some((radius - point.length(), normalize(point))), &[][..]),
            Rim::Walls(walls) => (None, &walls[..]),
        };
        circle.into_iter().chain(walls.iter().map(move |wall| (wall.gap(point), wall.outward)))
    }

    fn find_nearest(&self, point: Vector, margin: f32) -> Option<Vector> {
        if self.walls(point).all(|(gap, _)| gap >= margin) {
            return Some(point);
        }
        match &self.rim {
            Rim::Circle(radius) => (*radius >= margin).then(|| normalize(point) * (radius - margin)),
            // It is on one of the walls that are too near, moved inward by the margin.
            Rim::Walls(walls) => walls
                .iter()
                .filter(|wall| wall.gap(point) < margin)
                .filter_map(|wall| wall.nearest(point, margin, walls))
                .min_by(|a, b| a.distance_squared(point).total_cmp(&b.distance_squared(point))),
        }
    }
}

impl Wall {
    fn gap(&self, point: Vector) -> f32 {
        self.distance - self.outward.dot(point)
    }

    /// The nearest point to `point` on this wall, with this and the `others` moved inward by `margin`.
    fn nearest(&self, point: Vector, margin: f32, others: &[Self]) -> Option<Vector> {
        let foot = point + self.outward * (self.gap(point) - margin);
        let along = self.outward.perp();
        let (mut low, mut high) = (f32::NEG_INFINITY, f32::INFINITY);
        for other in others {
            let (room, slope) = (other.gap(foot) - margin, other.outward.dot(along));
            if slope.abs() > PARALLEL {
                let end = room / slope;
                (low, high) = if slope > 0.0 { (low, high.min(end)) } else { (low.max(end), high) };
            } else if other.outward.dot(self.outward) < 0.0 && room < 0.0 {
                // The opposite wall is nearer than that.
                return None;
            }
        }
        (low <= high).then(|| foot + along * 0.0_f32.max(low).min(high))
    }
}

/// Walls with a smaller sine of the angle between them count as parallel.
const PARALLEL: f32 = 1e-6;

#[cfg(test)]
mod tests {
    use bevy::math::ops;

    use super::*;
    use crate::math::plane::SteeringPlane;
    use crate::math::unit_vector;
    use crate::perception::obstacles::ObstacleShape;

    fn polygon(corners: &[(f32, f32)]) -> ConvexPolygon {
        ConvexPolygon::new(corners.iter().copied().map(Vec2::from)).expect("it is convex")
    }

    fn shapes() -> Vec<(Region, ObstacleShape)> {
        let polygons: [&[(f32, f32)]; 4] = [
            &[(-90.0, -40.0), (110.0, -60.0), (30.0, 120.0)],
            // The other way round, and slim.
            &[(0.0, 100.0), (9.0, 0.0), (-9.0, 0.0)],
            &[(10.0, 20.0), (50.0, 20.0), (70.0, 40.0), (70.0, 80.0), (30.0, 70.0)],
            &[(3.0, 0.0), (5.0, 2.0), (3.0, 4.0), (1.0, 2.0)],
        ];
        let polygons = polygons.map(polygon).map(|polygon| (polygon.clone().into(), polygon.into()));
        let round = (Circle::new(7.0).into(), Circle::new(7.0).into());
        let right = (Rectangle::new(20.0, 8.0).into(), Rectangle::new(20.0, 8.0).into());
        polygons.into_iter().chain([round, right]).collect()
    }

    #[test]
    fn the_nearest_place_is_inside_and_none_is_nearer() {
        for (region, shape) in shapes() {
            let shape = shape.placed(&Transform::default(), SteeringPlane::XY);
            for k in 0..200_u8 {
                let point = shape.center() + unit_vector(f32::from(k)) * (0.02 * f32::from(k) * shape.extent());
                for share in [0.0, 0.3, 0.9] {
                    let margin = share * region.inradius();
                    let nearest = region.nearest(point, margin);
                    let rounding = 1e-5 * shape.extent();
                    assert!(shape.distance(nearest).0 <= rounding - margin, "{point} to {nearest} by {margin}");
                    let inside = shape.distance(point).0 <= -margin;
                    assert_eq!(nearest == point, inside, "{point} to {nearest}");
                    // In a convex region that holds if the displacement to it makes no acute angle with that to any other point.
                    for j in 0..50_u8 {
                        let other = shape.center() + unit_vector(f32::from(j)) * shape.extent();
                        let other = region.nearest(other, margin);
                        let lead = (point - nearest).dot(other - nearest);
                        assert!(lead <= rounding * shape.extent(), "{other} is nearer to {point} than {nearest}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_place_is_deeper_than_the_middle() {
        for (region, shape) in shapes() {
            let shape = shape.placed(&Transform::default(), SteeringPlane::XY);
            assert!(
                (-shape.distance(region.incenter()).0 - region.inradius()).abs() < 1e-5 * shape.extent(),
                "{region:?}"
            );
            for k in 0..400_u16 {
                let way = unit_vector(f32::from(k)) * (0.0025 * f32::from(k) * shape.extent());
                let depth = -shape.distance(region.incenter() + way).0;
                assert!(depth <= region.inradius() + 1e-5 * shape.extent(), "{depth} in {region:?}");
            }
        }
        // Of a triangle this slim the middle is far from the mean of its corners: the center of its incircle.
        let half_angle = ops::atan2(1.0, 100.0);
        let slim = Region::from(polygon(&[(0.0, 100.0), (1.0, 0.0), (-1.0, 0.0)]));
        let incircle = ops::tan(0.25 * core::f32::consts::PI - 0.5 * half_angle);
        assert!((slim.inradius() - incircle).abs() < 1e-4 && slim.incenter().x.abs() < 1e-4, "{slim:?}");
    }

    #[test]
    fn where_nothing_fits_the_middle_is_nearest() {
        for (region, _) in shapes() {
            let nearest = region.nearest(Vector::new(300.0, 200.0), 1.01 * region.inradius());
            assert_eq!(nearest, region.incenter());
        }
    }
}

//! Regions in the plane.

use alloc::vec::Vec;
use core::f32::consts::TAU;

use bevy::prelude::*;

use crate::math::{Vector, normalize, unit_vector};
use crate::perception::regions::region::{Region, Rim};
use crate::perception::regions::wall::Wall;

impl From<Circle> for Region {
    fn from(circle: Circle) -> Self {
        Self::round(circle.radius)
    }
}

impl From<Rectangle> for Region {
    fn from(Rectangle { half_size }: Rectangle) -> Self {
        // There is one length per side, because a strip is infinite along one axis only.
        let sides = [
            (Vector::X, half_size.x),
            (Vector::Y, half_size.y),
            (Vector::NEG_X, half_size.x),
            (Vector::NEG_Y, half_size.y),
        ];
        let walls = sides.map(|(outward, distance)| Wall { outward, distance }).to_vec();
        Self::between(walls, half_size.min_element())
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
        let extent = corners.iter().map(|corner| corner.distance(inner)).fold(0.0, f32::max);
        Self::around(inner, walls.collect(), extent)
    }
}

impl Region {
    /// Lines along its boundary.
    pub(crate) fn edges(&self) -> Vec<(Vector, Vector)> {
        let corners: Vec<Vector> = match &self.rim {
            Rim::Round(radius) => (0..64).map(|k| unit_vector(k as f32 * (TAU / 64.0)) * *radius).collect(),
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
        };
        corners.iter().copied().zip(corners.iter().copied().cycle().skip(1)).collect()
    }
}

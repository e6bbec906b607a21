use alloc::vec::Vec;

use bevy::math::ops;
use bevy::prelude::*;

use crate::math::plane::SteeringPlane;
use crate::math::{Vector, unit_vector};
use crate::perception::obstacles::ObstacleShape;
use crate::perception::regions::Region;

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
        assert!((-shape.distance(region.incenter()).0 - region.inradius()).abs() < 1e-5 * shape.extent(), "{region:?}");
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

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::random::{SteeringRng, SteeringSeed};
use crate::agent::{GroupMask, SteeringId};
use crate::math::plane::SteeringPlane;
use crate::math::space::{Space, SteeringBounds};
use crate::math::{Vector, unit_vector};
use crate::perception::obstacles::indexed::{Rest, TurnRate};
use crate::perception::obstacles::raster::Rasters;
use crate::perception::obstacles::{IndexedObstacle, ObstacleShape, ObstacleView, Obstacles, PlacedShape};

fn shapes() -> Vec<ObstacleShape> {
    let polygon = ConvexPolygon::new([Vec2::new(-9.0, -4.0), Vec2::new(11.0, -6.0), Vec2::new(3.0, 12.0)]);
    alloc::vec![
        Circle::new(7.0).into(),
        Rectangle::new(20.0, 8.0).into(),
        Capsule2d::new(3.0, 16.0).into(),
        Segment2d::new(Vec2::new(-5.0, 2.0), Vec2::new(9.0, -3.0)).into(),
        polygon.expect("it is convex").into(),
        Polyline2d::new([Vec2::new(-9.0, 0.0), Vec2::ZERO, Vec2::new(4.0, 9.0)]).into(),
    ]
}

fn placements() -> impl Iterator<Item = PlacedShape> {
    let turns = (0..5_u8).map(f32::from);
    turns.flat_map(|turn| {
        let transform = Transform::from_xyz(30.0 * turn, -7.0, 1.0).with_rotation(Quat::from_rotation_z(turn));
        shapes().into_iter().map(move |shape| shape.placed(&transform, SteeringPlane::XY))
    })
}

#[test]
fn the_distance_grows_by_one_along_its_direction() {
    for shape in placements() {
        for k in 0..200_u16 {
            let point = shape.center + unit_vector(f32::from(k)) * (f32::from(k) * 0.15 + 0.1);
            let (distance, away) = shape.distance(point);
            assert!((shape.distance(point - away * 1e-2).0 - (distance - 1e-2)).abs() < 2e-3 || distance < 0.02);
            assert!(distance >= point.distance(shape.center) - shape.extent - 1e-3, "beyond its extent");
        }
    }
}

#[test]
fn a_body_that_has_gone_its_way_just_touches() {
    let mut hits = 0;
    for shape in placements() {
        for k in 0..300_u16 {
            let from = shape.center + unit_vector(f32::from(k)) * 40.0;
            let direction = -unit_vector(f32::from(k) + 0.002 * (f32::from(k) - 150.0));
            let body = f32::from(k % 4);
            let samples = (0..800_u16).map(|step| from + direction * (f32::from(step) * 0.1));
            let nearest = samples.map(|point| shape.distance(point).0 - body).fold(f32::INFINITY, f32::min);
            match shape.cast_distance(from, direction, body) {
                Some(way) => {
                    hits += 1;
                    assert!((shape.distance(from + direction * way).0 - body).abs() < 1e-3, "{shape:?}");
                    let before = (0..100_u8).map(|step| from + direction * (way * f32::from(step) / 100.0));
                    assert!(before.into_iter().all(|point| shape.distance(point).0 > body - 1e-3), "{shape:?}");
                }
                None => assert!(nearest > -1e-3, "missed {shape:?} from {from} along {direction}: {nearest}"),
            }
        }
    }
    assert!(hits > 3000, "{hits}");
}

#[test]
fn shapes_without_extent_are_no_trouble() {
    for shape in [
        ObstacleShape::from(Polyline2d::new([])),
        Polyline2d::new([Vec2::ONE]).into(),
        Circle::new(-1.0).into(),
        Segment2d::new(Vec2::ONE, Vec2::ONE).into(),
    ] {
        let placed = shape.placed(&Transform::default(), SteeringPlane::XY);
        let (distance, away) = placed.distance(Vec2::ONE);
        assert!(!distance.is_nan() && away.is_finite());
        assert!(placed.cast_distance(Vec2::new(9.0, 1.0), Vec2::NEG_X, 1.0).is_none_or(f32::is_finite));
    }
}

fn obstacles(count: u32, spread: f32) -> Obstacles {
    let mut random = SteeringRng::new(SteeringSeed(5), SteeringId::new(0), 1);
    let mut coordinate = move |spread: f32| (random.uniform() - 0.3) * spread;
    let mut obstacles = Obstacles::default();
    for _ in 0..count {
        let shape = if coordinate(1.0) > 0.5 {
            ObstacleShape::from(Segment2d::new(Vec2::ZERO, Vec2::new(coordinate(spread), coordinate(spread))))
        } else {
            Circle::new(coordinate(spread * 0.1).abs()).into()
        };
        let shape = shape.placed(&Transform::from_xyz(coordinate(spread), coordinate(spread), 0.0), SteeringPlane::XY);
        obstacles.obstacles.push(IndexedObstacle {
            height: 0.0,
            entity: Entity::PLACEHOLDER,
            shape,
            velocity: Vector::ZERO,
            turn_rate: TurnRate::default(),
            origin: Vector::ZERO,
            layers: GroupMask::DEFAULT,
            rest: Rest::Standing,
        });
    }
    obstacles.sort();
    obstacles
}

#[test]
fn finds_exactly_those_that_a_search_through_all_finds() {
    let spaces = [
        Space::default(),
        SteeringBounds::wrap(Vector::splat(-30.0), Vector::splat(70.0)).space(),
        SteeringBounds::wrap(Vector::new(-30.0, 0.0), Vector::new(70.0, 0.0)).space(),
        SteeringBounds::wrap(Vector::splat(-3.0), Vector::new(5.0, 90.0)).space(),
    ];
    let mut hits = 0;
    for space in spaces {
        for spread in [1.0, 100.0, 1e6] {
            let mut obstacles = obstacles(100, spread);
            let places: Vec<Vector> = (0..300_u16)
                .map(|k| Vector::new(f32::from(k) / 300.0 - 0.4, f32::from(k * 37 % 300) / 300.0 - 0.4) * spread)
                .collect();
            for reach in [0.0, 1e-3 * spread, 0.1 * spread, spread, f32::INFINITY] {
                let found = |obstacles: &Obstacles| -> Vec<Vec<(Vector, Vector)>> {
                    let view = ObstacleView { space, height: 0.0, layers: GroupMask::ALL };
                    let around = |place: &Vector| {
                        let mut found = Vec::new();
                        obstacles.for_each_around(*place, reach, &view, |obstacle, position| {
                            found.push((obstacle.shape.center(), position));
                        });
                        found
                    };
                    places.iter().map(around).collect()
                };
                let reached = |place: Vector, obstacle: &IndexedObstacle| {
                    let (around, reach, mut found) = (reach, reach + obstacle.shape.extent, Vec::new());
                    let mut consider = |to_center: Vector| {
                        let position = obstacle.shape.center - to_center;
                        let is_near = to_center.length_squared() <= reach * reach
                            && obstacle.shape.touches(position - around, position + around);
                        found.extend(is_near.then_some((obstacle.shape.center(), position)));
                    };
                    let (to_center, (low, high)) =
                        (space.displacement(place, obstacle.shape.center), obstacle.shape.bounds());
                    consider(to_center);
                    if space.wraps() {
                        space.for_each_farther_image(to_center, high - low, reach, consider);
                    }
                    found
                };
                let search = |place: &Vector| {
                    obstacles.obstacles.iter().flat_map(|obstacle| reached(*place, obstacle)).collect::<Vec<_>>()
                };
                let expected: Vec<_> = places.iter().map(search).collect();
                obstacles.rasters = Rasters::default();
                assert_eq!(found(&obstacles), expected, "{space:?} spread {spread} reach {reach}, before");
                obstacles.rasters.build(&obstacles.obstacles, space);
                assert_eq!(obstacles.rasters.built.len(), usize::from(reach > 0.0 && reach.is_finite()));
                assert_eq!(found(&obstacles), expected, "{space:?} spread {spread} reach {reach}");
                hits += expected.iter().map(Vec::len).sum::<usize>();
            }
        }
    }
    assert!(hits > 10_000, "{hits}");
}

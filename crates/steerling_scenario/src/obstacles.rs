//! Obstacles of a scene: their shapes, where they are, and where they move; and the regions where agents stay.

use std::f64::consts::PI;

use bevy::math::{DVec2, ops};
use bevy::prelude::*;
use bevy_steerling::prelude::*;

use crate::file::{self, Shape};
use crate::json::Object;
use crate::number::Point;
use crate::placed::Clock;
use crate::scenario::Scenario;

/// All obstacles, as they are at the end of the last tick.
pub(crate) struct PlacedObstacles {
    entities: Vec<Entity>,
    shapes: Vec<PlacedShape>,
}

/// How an obstacle moves.
#[derive(Component)]
pub(crate) struct Course {
    start: Vec2,
    velocity: Vec2,
}

impl PlacedObstacles {
    /// These, where they are.
    pub fn new(entities: Vec<Entity>, world: &World) -> Self {
        let placed = |&entity: &Entity| {
            let (obstacle, transform) = world.entity(entity).get_components::<(&Obstacle, &Transform)>().ok()?;
            Some(obstacle.shape.placed(transform))
        };
        let shapes = entities.iter().filter_map(placed).collect();
        Self { entities, shapes }
    }

    /// Reads where those are that move.
    pub fn update(&mut self, world: &World) {
        for (&entity, shape) in self.entities.iter().zip(&mut self.shapes) {
            if let Ok((obstacle, transform, _)) =
                world.entity(entity).get_components::<(&Obstacle, &Transform, &Course)>()
            {
                *shape = obstacle.shape.placed(transform);
            }
        }
    }

    /// Their shapes, in the order of the file.
    pub fn shapes(&self) -> &[PlacedShape] {
        &self.shapes
    }
}

/// Spawns the scenario's obstacles.
pub(crate) fn spawn(world: &mut World, scenario: &Scenario) -> Vec<Entity> {
    let bounds = scenario.file.steering_bounds();
    let spawn = |file: &Object<file::Obstacle>| {
        let (shape, mut transform) = around_its_middle(&file.shape);
        let start = transform.translation.truncate();
        // In a world that wraps, whatever is outside is inside too.
        transform.translation = confined(start.as_dvec2(), &bounds).extend(0.0);
        let default = Obstacle::new(shape);
        let obstacle = Obstacle { layers: file.layers.map_or(default.layers, u32::from), ..default };
        let mut entity = world.spawn((obstacle, transform));
        if let Some(velocity) = file.velocity.map(|velocity| double(velocity).as_vec2()) {
            entity.insert((Velocity(velocity), Course { start, velocity }));
        }
        entity.id()
    };
    scenario.file.obstacles.iter().map(spawn).collect()
}

/// Puts obstacles where they are at the end of the tick, reckoned from their start so that no rounding adds up.
pub(crate) fn advance(mut obstacles: Query<(&Course, &mut Transform)>, clock: Res<Clock>, bounds: Res<SteeringBounds>) {
    for (course, mut transform) in &mut obstacles {
        let way = course.velocity.as_dvec2() * clock.end_of_tick();
        let position = confined(course.start.as_dvec2() + way, &bounds);
        transform.translation = position.extend(transform.translation.z);
    }
}

/// A place, in a world that wraps brought into its area.
fn confined(place: DVec2, bounds: &SteeringBounds) -> Vec2 {
    let SteeringBounds { min, max, edge } = *bounds;
    let (min, size) = (min.as_dvec2(), (max - min).as_dvec2());
    match edge {
        Edge::Wrap => (min + (place - min).rem_euclid(size)).as_vec2(),
        Edge::None | Edge::Bounce => place.as_vec2(),
    }
}

fn double([x, y]: Point) -> DVec2 {
    DVec2::new(x.0, y.0)
}

/// The plugin's shape around its own middle, and where that is: what moves then moves as a whole.
fn around_its_middle(shape: &Shape) -> (ObstacleShape, Transform) {
    let at = |place: Vec2, angle: f32| {
        let (sin, cos) = ops::sin_cos(0.5 * angle);
        Transform::from_translation(place.extend(0.0)).with_rotation(Quat::from_xyzw(0.0, 0.0, sin, cos))
    };
    match shape {
        Shape::Circle(file) => {
            let (circle, center) = circle(file);
            (circle.into(), at(center, 0.0))
        }
        Shape::Rectangle(file) => {
            let (rectangle, center, rotation) = rectangle(file);
            (rectangle.into(), at(center, rotation))
        }
        Shape::Segment(segment) => {
            let (middle, ends) = relative_to_middle(&[segment.start, segment.end]);
            (Segment2d::new(ends[0], ends[1]).into(), at(middle, 0.0))
        }
        Shape::Capsule(capsule) => {
            let (middle, ends) = relative_to_middle(&[capsule.start, capsule.end]);
            let along = ends[1] - ends[0];
            // From the y axis, along which the plugin's capsules lie.
            let rotation = ops::atan2(-along.x, along.y);
            (Capsule2d::new(capsule.radius.into(), along.length()).into(), at(middle, rotation))
        }
        Shape::Polygon(file) => {
            let (polygon, middle) = polygon(file);
            (polygon.into(), at(middle, 0.0))
        }
        Shape::Polyline(polyline) => {
            let (middle, corners) = relative_to_middle(&polyline.points);
            (Polyline2d::new(corners).into(), at(middle, 0.0))
        }
    }
}

/// A disc, and where its center is.
fn circle(file: &file::Circle) -> (Circle, Vec2) {
    (Circle::new(file.radius.into()), double(file.center).as_vec2())
}

/// A rectangle, where its center is, and how far it is turned, radians.
fn rectangle(file: &file::Rectangle) -> (Rectangle, Vec2, f32) {
    let half_size = Vec2::from(file.half_size.map(f32::from));
    (Rectangle { half_size }, double(file.center).as_vec2(), file.rotation.map_or(0.0, f32::from))
}

/// A polygon around its middle, and where that is.
fn polygon(file: &file::Polygon) -> (ConvexPolygon, Vec2) {
    let (middle, corners) = relative_to_middle(&file.points);
    // Bevy's own check could fail on rounded numbers.
    (ConvexPolygon::new_unchecked(corners), middle)
}

/// The behavior that keeps an agent in a region.
pub(crate) fn contain(region: &file::Region) -> Contain {
    match region {
        file::Region::Circle(file) => {
            let (circle, center) = circle(file);
            Contain::new(circle).with_center(center)
        }
        file::Region::Rectangle(file) => {
            let (rectangle, center, rotation) = rectangle(file);
            Contain::new(rectangle).with_center(center).with_rotation(rotation)
        }
        file::Region::Polygon(file) => {
            let (polygon, middle) = polygon(file);
            Contain::new(polygon).with_center(middle)
        }
    }
}

/// A region in its place.
pub(crate) fn placed_region(region: &file::Region) -> PlacedShape {
    let (shape, transform) = around_its_middle(&match region {
        file::Region::Circle(circle) => Shape::Circle(circle.0.clone()),
        file::Region::Rectangle(rectangle) => Shape::Rectangle(rectangle.0.clone()),
        file::Region::Polygon(polygon) => Shape::Polygon(polygon.0.clone()),
    });
    shape.placed(&transform)
}

/// The middle of some points, and the points as seen from there.
fn relative_to_middle(points: &[Point]) -> (Vec2, Vec<Vec2>) {
    let points = points.iter().copied().map(double);
    let low = points.clone().fold(DVec2::INFINITY, DVec2::min);
    let high = points.clone().fold(DVec2::NEG_INFINITY, DVec2::max);
    let middle = (0.5 * (low + high)).as_vec2();
    (middle, points.map(|point| (point - middle.as_dvec2()).as_vec2()).collect())
}

/// What is wrong with a shape: where in it, and what was expected there.
pub(crate) fn check(shape: &Shape) -> Result<(), String> {
    match shape {
        Shape::Polygon(polygon) => check_polygon(polygon),
        Shape::Polyline(polyline) if polyline.points.len() < 2 => {
            Err("polyline.points: expected at least 2 points".to_owned())
        }
        _ => Ok(()),
    }
}

/// What is wrong with a region: where in it, and what was expected there.
pub(crate) fn check_region(region: &file::Region) -> Result<(), String> {
    match region {
        file::Region::Polygon(polygon) => check_polygon(polygon),
        file::Region::Circle(_) | file::Region::Rectangle(_) => Ok(()),
    }
}

fn check_polygon(polygon: &file::Polygon) -> Result<(), String> {
    check_corners(&polygon.points).map_err(|problem| format!("polygon.points{problem}"))
}

/// Turns of less than this are none: points on a straight line are rounded, too.
const STRAIGHT: f64 = 1e-6;

/// A polygon is convex when it turns the same way at every corner, and only once all round.
fn check_corners(points: &[Point]) -> Result<(), String> {
    let count = points.len();
    if count < 3 {
        return Err(": expected at least 3 points".to_owned());
    }
    let corner = |index: usize| double(points[index % count]);
    let mut all_round = 0.0_f64;
    for index in 0..count {
        let (before, here, after) = (corner(index + count - 1), corner(index), corner(index + 1));
        if here == before {
            return Err(format!("[{index}]: expected another place than that of the point before"));
        }
        let turn = (here - before).angle_to(after - here);
        if turn.abs() < STRAIGHT {
            continue;
        }
        if turn * all_round < 0.0 || turn.abs() > PI - STRAIGHT {
            return Err(format!("[{index}]: expected the next corner of a convex polygon"));
        }
        all_round += turn;
    }
    if all_round.abs() > 3.0 * PI {
        return Err(": expected the corners of a convex polygon, but they lead round it more than once".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::{Simulation, Threads};

    fn simulation(text: &str) -> Simulation {
        let scenario = Scenario::parse("scene.json", text).unwrap_or_else(|error| panic!("{error}"));
        Simulation::new(&scenario, Threads::Exactly(1))
    }

    #[test]
    fn what_moves_is_where_its_velocity_takes_it_without_rounding_errors() {
        let mut simulation = simulation(
            r#"{"tick": 0.01, "obstacles": [
                {"polyline": {"points": [[1000, 10], [1006, 12]]}, "velocity": [0.7, -0.3]},
                {"circle": {"center": [5, 6], "radius": 1}}
            ]}"#,
        );
        for _ in 0..10_000 {
            simulation.step();
        }
        let [moving, standing] = simulation.obstacles() else { panic!("two obstacles") };
        // To the last digit: at 1000 the next number is 6e-5 away.
        assert!((moving.center() - Vec2::new(1073.0, -19.0)).abs().max_element() < 1e-4, "{moving:?}");
        assert!((moving.corners()[1] - Vec2::new(1076.0, -18.0)).abs().max_element() < 2e-4, "{moving:?}");
        assert_eq!((standing.center(), standing.radius()), (Vec2::new(5.0, 6.0), 1.0));
    }

    #[test]
    fn a_torus_is_gone_round_again_and_again() {
        let mut simulation = simulation(
            r#"{"tick": 0.5, "bounds": {"min": [-10, 0], "max": [10, 40], "edge": "wrap"},
                "obstacles": [{"circle": {"center": [5, 6], "radius": 1}, "velocity": [14, -3]}]}"#,
        );
        for tick in 1..=50_u8 {
            simulation.step();
            let time = 0.5 * f32::from(tick);
            let expected = Vec2::new((15.0 + 14.0 * time) % 20.0 - 10.0, (6.0 - 3.0 * time).rem_euclid(40.0));
            assert!(simulation.obstacles()[0].center().distance(expected) < 1e-3, "{expected} at {time}");
        }
    }
}

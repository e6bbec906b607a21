//! Obstacles: spawning, moving, and their shapes.

use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;

use crate::dimension::{position, precise, set_position, single};
use crate::json::number::vector;
use crate::json::strict::Object;
use crate::scenario::scene::Scenario;
use crate::shapes;
use crate::shapes::PlacedShape;
use crate::shapes::placing::{placed_obstacle, wrapped};
use crate::shapes::primitives::placed;
use crate::shapes::turning::{self, FileTurnRate};
use crate::simulation::clock::Clock;
use crate::simulation::motion::{Motion, Pose};

/// The shapes of all obstacles at the end of the last tick, and how they moved in it.
pub(crate) struct ObstacleShapes {
    entities: Vec<Entity>,
    shapes: Vec<PlacedShape>,
    motions: Vec<Motion>,
}

/// The course of an obstacle that moves or turns.
#[derive(Component)]
pub(crate) struct Course {
    /// The place about which it turns, at the start.
    pivot: Vector,
    /// The displacement from there to its origin, at the start.
    arm: Vector,
    rotation: Quat,
    velocity: Vector,
    turn_rate: Option<FileTurnRate>,
}

impl Course {
    /// The course of an obstacle of a file; `None` if it stands still.
    fn of(file: &shapes::obstacle::Obstacle, start: Vector, rotation: Quat) -> Option<Self> {
        if file.velocity.is_none() && file.turn_rate.is_none() {
            return None;
        }
        let pivot = file.pivot.map_or(start, vector);
        let velocity = file.velocity.map_or(Vector::ZERO, vector);
        Some(Self { pivot, arm: start - pivot, rotation, velocity, turn_rate: file.turn_rate })
    }

    /// The velocity and the turn rate after a time, and the place about which the obstacle turns, if that is not `place`, where it is then.
    pub fn now(&self, seconds: f64, place: Vector) -> (Option<Vector>, Option<FileTurnRate>, Option<Vector>) {
        let velocity = (self.turn_rate.is_none() || self.velocity != Vector::ZERO).then_some(self.velocity);
        let (arm, ..) = self.after(seconds);
        let is_at_start = seconds == 0.0 && self.pivot + self.arm == place;
        let pivot = if is_at_start { self.pivot } else { place - arm };
        (velocity, self.turn_rate, (self.turn_rate.is_some() && arm != Vector::ZERO).then_some(pivot))
    }

    /// The displacement from the place about which it turns to its origin after a time, and its velocity and rotation then.
    fn after(&self, seconds: f64) -> (Vector, Vector, Quat) {
        let Some(rate) = self.turn_rate else { return (self.arm, self.velocity, self.rotation) };
        let (turned, arm) = turning::after(rate, seconds, self.arm);
        (arm, self.velocity + turning::turning(rate, arm), turned * self.rotation)
    }

    /// Its poses in the time from `start` to `end`, seen from the one at the end. They do not jump in a world that wraps.
    fn poses(&self, start: f64, end: f64) -> Vec<Pose> {
        let angle = self.turn_rate.map_or(0.0, turning::speed) * (end - start);
        let steps = (angle / LARGEST_TURN).ceil().clamp(1.0, MOST_POSES) as u32;
        let (arm, _, rotation) = self.after(end);
        let earlier = (0..steps).map(|step| {
            let time = start + (end - start) * f64::from(step) / f64::from(steps);
            let (earlier, _, turned) = self.after(time);
            let way = single(precise(self.velocity) * (end - time));
            Pose { offset: earlier - arm - way, rotation: turned * rotation.inverse() }
        });
        earlier.chain([Pose::default()]).collect()
    }
}

/// Within this angle, the motion of an obstacle that turns counts as straight, rad.
const LARGEST_TURN: f64 = 0.01;

/// The most poses of an obstacle in a tick.
const MOST_POSES: f64 = 256.0;

impl ObstacleShapes {
    pub fn new(entities: Vec<Entity>, world: &World) -> Self {
        let placed_now = |&entity: &Entity| {
            let (obstacle, transform) = world.entity(entity).get_components::<(&Obstacle, &Transform)>().ok()?;
            Some(placed(&obstacle.shape, transform))
        };
        let shapes: Vec<PlacedShape> = entities.iter().filter_map(placed_now).collect();
        let motions = shapes.iter().map(|_| Motion::default()).collect();
        Self { entities, shapes, motions }
    }

    /// Updates the shapes of moving obstacles after a tick.
    pub fn update(&mut self, world: &World) {
        let (start, end) = world.resource::<Clock>().last_tick();
        for ((&entity, shape), motion) in self.entities.iter().zip(&mut self.shapes).zip(&mut self.motions) {
            if let Ok((obstacle, transform, course)) =
                world.entity(entity).get_components::<(&Obstacle, &Transform, &Course)>()
            {
                *shape = placed(&obstacle.shape, transform);
                *motion = Motion::new(position(transform), shape, course.poses(start, end));
            }
        }
    }

    /// The shapes in the order of the file.
    pub fn shapes(&self) -> &[PlacedShape] {
        &self.shapes
    }

    /// How each of them moved in the last tick.
    pub fn motions(&self) -> &[Motion] {
        &self.motions
    }
}

/// Spawns the scenario's obstacles.
pub(crate) fn spawn(world: &mut World, scenario: &Scenario) -> Vec<Entity> {
    let bounds = scenario.file.steering_bounds();
    let spawn = |file: &Object<shapes::obstacle::Obstacle>| {
        let (obstacle, transform, start) = placed_obstacle(file, &bounds);
        let mut entity = world.spawn((obstacle, transform));
        if let Some(course) = Course::of(file, start, transform.rotation) {
            entity.insert((Velocity(course.after(0.0).1), course));
        }
        entity.id()
    };
    scenario.file.obstacles.iter().map(spawn).collect()
}

/// Moves obstacles to their place at the end of the tick, computed from their start so that rounding errors do not
/// accumulate.
pub(crate) fn advance(
    mut obstacles: Query<(&Course, &mut Transform, &mut Velocity)>,
    clock: Res<Clock>,
    bounds: Res<SteeringBounds>,
) {
    for (course, mut transform, mut velocity) in &mut obstacles {
        let time = clock.end_of_tick();
        let (arm, now, rotation) = course.after(time);
        let place = precise(course.pivot) + precise(arm) + precise(course.velocity) * time;
        set_position(&mut transform, wrapped(place, &bounds));
        if course.turn_rate.is_some() {
            (velocity.0, transform.rotation) = (now, rotation);
        }
    }
}

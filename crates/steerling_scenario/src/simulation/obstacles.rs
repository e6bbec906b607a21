//! Obstacles: spawning, moving, and their shapes.

use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;

use crate::dimension::{precise, set_position};
use crate::json::number::vector;
use crate::json::strict::Object;
use crate::scenario::scene::Scenario;
use crate::shapes;
use crate::shapes::PlacedShape;
use crate::shapes::placing::{placed_obstacle, wrapped};
use crate::shapes::primitives::placed;
use crate::simulation::clock::Clock;

/// The shapes of all obstacles at the end of the last tick.
pub(crate) struct ObstacleShapes {
    entities: Vec<Entity>,
    shapes: Vec<PlacedShape>,
}

/// The course of a moving obstacle.
#[derive(Component)]
pub(crate) struct Course {
    start: Vector,
    velocity: Vector,
}

impl ObstacleShapes {
    pub fn new(entities: Vec<Entity>, world: &World) -> Self {
        let placed_now = |&entity: &Entity| {
            let (obstacle, transform) = world.entity(entity).get_components::<(&Obstacle, &Transform)>().ok()?;
            Some(placed(&obstacle.shape, transform))
        };
        let shapes = entities.iter().filter_map(placed_now).collect();
        Self { entities, shapes }
    }

    /// Updates the shapes of moving obstacles.
    pub fn update(&mut self, world: &World) {
        for (&entity, shape) in self.entities.iter().zip(&mut self.shapes) {
            if let Ok((obstacle, transform, _)) =
                world.entity(entity).get_components::<(&Obstacle, &Transform, &Course)>()
            {
                *shape = placed(&obstacle.shape, transform);
            }
        }
    }

    /// The shapes in the order of the file.
    pub fn shapes(&self) -> &[PlacedShape] {
        &self.shapes
    }
}

/// Spawns the scenario's obstacles.
pub(crate) fn spawn(world: &mut World, scenario: &Scenario) -> Vec<Entity> {
    let bounds = scenario.file.steering_bounds();
    let spawn = |file: &Object<shapes::obstacle::Obstacle>| {
        let (obstacle, transform, start) = placed_obstacle(file, &bounds);
        let mut entity = world.spawn((obstacle, transform));
        if let Some(velocity) = file.velocity.map(vector) {
            entity.insert((Velocity(velocity), Course { start, velocity }));
        }
        entity.id()
    };
    scenario.file.obstacles.iter().map(spawn).collect()
}

/// Moves obstacles to their place at the end of the tick, computed from their start so that rounding errors do not
/// accumulate.
pub(crate) fn advance(mut obstacles: Query<(&Course, &mut Transform)>, clock: Res<Clock>, bounds: Res<SteeringBounds>) {
    for (course, mut transform) in &mut obstacles {
        let way = precise(course.velocity) * clock.end_of_tick();
        set_position(&mut transform, wrapped(precise(course.start) + way, &bounds));
    }
}

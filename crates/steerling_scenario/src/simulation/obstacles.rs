//! Obstacles: spawning, moving, and their shapes.

use bevy::prelude::*;
use bevy_steerling::prelude::*;

use crate::json::number::double;
use crate::json::strict::Object;
use crate::scenario::scene::Scenario;
use crate::shapes;
use crate::shapes::PlacedShape;
use crate::shapes::primitives::{centered, placed_obstacle, wrapped};
use crate::simulation::clock::Clock;

/// The shapes of all obstacles at the end of the last tick.
pub(crate) struct ObstacleShapes {
    entities: Vec<Entity>,
    shapes: Vec<PlacedShape>,
}

/// The course of a moving obstacle.
#[derive(Component)]
pub(crate) struct Course {
    start: Vec2,
    velocity: Vec2,
}

impl ObstacleShapes {
    pub fn new(entities: Vec<Entity>, world: &World) -> Self {
        let placed = |&entity: &Entity| {
            let (obstacle, transform) = world.entity(entity).get_components::<(&Obstacle, &Transform)>().ok()?;
            Some(obstacle.shape.placed(transform, SteeringPlane::XY))
        };
        let shapes = entities.iter().filter_map(placed).collect();
        Self { entities, shapes }
    }

    /// Updates the shapes of moving obstacles.
    pub fn update(&mut self, world: &World) {
        for (&entity, shape) in self.entities.iter().zip(&mut self.shapes) {
            if let Ok((obstacle, transform, _)) =
                world.entity(entity).get_components::<(&Obstacle, &Transform, &Course)>()
            {
                *shape = obstacle.shape.placed(transform, SteeringPlane::XY);
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
        let start = centered(&file.shape).1.translation.truncate();
        let mut entity = world.spawn(placed_obstacle(file, &bounds));
        if let Some(velocity) = file.velocity.map(|velocity| double(velocity).as_vec2()) {
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
        let way = course.velocity.as_dvec2() * clock.end_of_tick();
        let position = wrapped(course.start.as_dvec2() + way, &bounds);
        transform.translation = position.extend(transform.translation.z);
    }
}

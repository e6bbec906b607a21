//! Obstacles.

use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::{GroupMask, Obstacle, Velocity};

use crate::dimension::{plane_of, point, position};
use crate::export::find::{entities_with, name_of};
use crate::json::number::{Layers, Point};
use crate::json::strict::Object;
use crate::mapping::place::{Names, Place};
use crate::mapping::value::{Field, Value};
use crate::shapes::obstacle;
use crate::shapes::primitives::centered;
use crate::shapes::reverse::shape_of;
use crate::shapes::turning::FileTurnRate;
use crate::simulation::clock::Clock;
use crate::simulation::obstacles::Course;

/// Returns the obstacles for a file, and notes what the file cannot express.
pub(crate) fn write(names: &Names) -> Vec<Object<obstacle::Obstacle>> {
    let obstacles = entities_with::<Obstacle>(names, "obstacle").into_iter();
    let write = |obstacle: Entity| {
        let owner = name_of(names.world, obstacle, "obstacle");
        write_one(names.world.entity(obstacle), &Place::new(names, &owner)).map(Object)
    };
    obstacles.filter_map(write).collect()
}

fn write_one(entity: EntityRef, place: &Place) -> Option<obstacle::Obstacle> {
    let (obstacle, transform) = entity.get_components::<(&Obstacle, &Transform)>().ok()?;
    let plane = plane_of(place.names.world);
    let shape = shape_of(&obstacle.shape, transform, plane, place)?;
    let layers: Option<Layers> = Field::of(&obstacle.layers, &GroupMask::DEFAULT, &place.field("layers"))?;
    if let (Some(course), Some(clock)) = (entity.get::<Course>(), place.names.world.get_resource::<Clock>()) {
        let (velocity, turn_rate, pivot) = course.now(clock.elapsed(), position(transform));
        let velocity = velocity.and_then(|velocity| Value::of(&velocity, &place.field("velocity")));
        let pivot = pivot.and_then(|pivot| Value::of(&pivot, &place.field("pivot")));
        return Some(obstacle::Obstacle { shape, velocity, turn_rate, pivot, layers });
    }
    let velocity = entity.get::<Velocity>().map_or(Vector::ZERO, |velocity| velocity.0);
    let velocity: Option<Point> = Field::of(&velocity, &Vector::ZERO, &place.field("velocity"))?;
    let turn_rate: Option<FileTurnRate> = Field::of(&obstacle.turn_rate, &default(), &place.field("turn_rate"))?;
    let origin = point(transform.translation, plane);
    let is_off_center = turn_rate.is_some() && position(&centered(&shape).1) != origin;
    let pivot = if is_off_center { Value::of(&origin, &place.field("pivot")) } else { None };
    Some(obstacle::Obstacle { shape, velocity, turn_rate, pivot, layers })
}

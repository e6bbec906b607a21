//! Bodies and colliders of `avian3d`.

#![cfg(feature = "3d")]

use avian3d as avian;
use bevy::math::{Vec2, Vec3};
use bevy_steerling_avian as glue;
use bevy_steerling_avian::Avian3dSteeringPlugin as SteeringBesideEngine;

#[allow(dead_code, unused_imports, reason = "each test uses a part of it")]
#[path = "support/avian.rs"]
mod engine;
#[path = "support/ground.rs"]
mod ground;
#[path = "support/scenes.rs"]
mod scenes;

use scenes::started;

type Linear = Vec3;
type Angular = Vec3;

fn point_in(point: Vec2) -> Vec3 {
    Vec3::new(point.x, 0.0, -point.y)
}

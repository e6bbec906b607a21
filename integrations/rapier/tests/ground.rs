//! Bodies and colliders of `bevy_rapier3d`.

#![cfg(feature = "3d")]

use bevy::math::{Vec2, Vec3};
use bevy_rapier3d as rapier;
use bevy_steerling_rapier as glue;
use bevy_steerling_rapier::Rapier3dSteeringPlugin as SteeringBesideEngine;

#[allow(dead_code, unused_imports, reason = "each test uses a part of it")]
#[path = "support/rapier.rs"]
mod engine;
#[path = "../../avian/tests/support/ground.rs"]
mod ground;
#[path = "../../avian/tests/support/scenes.rs"]
mod scenes;

use scenes::started;

type Linear = Vec3;
type Angular = Vec3;

fn point_in(point: Vec2) -> Vec3 {
    Vec3::new(point.x, 0.0, -point.y)
}

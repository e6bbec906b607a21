//! Bodies and colliders of `bevy_rapier2d`.

#![cfg(feature = "2d")]

use bevy::math::Vec2;
use bevy_rapier2d as rapier;
use bevy_steerling_rapier as glue;
use bevy_steerling_rapier::Rapier2dSteeringPlugin as SteeringBesideEngine;

#[allow(dead_code, unused_imports, reason = "each test uses a part of it")]
#[path = "support/rapier.rs"]
mod engine;
#[path = "../../avian/tests/support/planar/mod.rs"]
mod planar;
#[path = "../../avian/tests/support/scenes.rs"]
mod scenes;

use scenes::started;

type Linear = Vec2;
type Angular = f32;

fn point_in(point: Vec2) -> Vec2 {
    point
}

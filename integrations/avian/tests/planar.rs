//! Bodies and colliders of `avian2d`.

#![cfg(feature = "2d")]

use avian2d as avian;
use bevy::math::Vec2;
use bevy_steerling_avian as glue;
use bevy_steerling_avian::Avian2dSteeringPlugin as SteeringBesideEngine;

#[allow(dead_code, unused_imports, reason = "each test uses a part of it")]
#[path = "support/avian.rs"]
mod engine;
#[path = "support/planar/mod.rs"]
mod planar;
#[path = "support/scenes.rs"]
mod scenes;

use scenes::started;

type Linear = Vec2;
type Angular = f32;

fn point_in(point: Vec2) -> Vec2 {
    point
}

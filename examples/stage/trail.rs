//! Dots that an agent leaves behind.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy_steerling::prelude::*;

use crate::{Body, GROUND, dot};

/// Leaves dots in the body's color behind the agent at equal intervals of time, so a fast agent's dots are far apart.
#[derive(Component, Clone, Copy)]
pub struct Trail;

/// Five ticks.
const INTERVAL: Duration = Duration::from_micros(5 * 15_625);
/// How long a dot takes to vanish, seconds.
const LIFETIME: f32 = 5.0;
/// An agent slower than this share of its max speed leaves no dots.
const AT_REST: f32 = 0.02;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(FixedPostUpdate, drop_dots.run_if(on_timer(INTERVAL))).add_systems(Update, shrink_dots);
}

#[derive(Component)]
struct Dot;

fn drop_dots(mut commands: Commands, agents: Query<(&Body, &SteeringAgent, &Transform, &Velocity), With<Trail>>) {
    for (body, agent, transform, velocity) in &agents {
        if velocity.length() > AT_REST * agent.max_speed {
            let place = Transform::from_translation(transform.translation.with_z(-2.0));
            commands.spawn((Dot, dot(0.4 * agent.radius, body.0.mix(&GROUND, 0.4)), place));
        }
    }
}

fn shrink_dots(mut commands: Commands, mut dots: Query<(Entity, &mut Transform), With<Dot>>, time: Res<Time>) {
    for (entity, mut transform) in &mut dots {
        transform.scale -= time.delta_secs() / LIFETIME;
        if transform.scale.x <= 0.0 {
            commands.entity(entity).despawn();
        }
    }
}

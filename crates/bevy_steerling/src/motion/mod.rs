//! From force to velocity to `Transform`.

pub(crate) mod body_limits;
pub mod facing;
pub(crate) mod integrate;
pub mod knockback;
mod parents;

use bevy::app::{App, Plugin};
use bevy::ecs::schedule::IntoScheduleConfigs;

use crate::engine::trace;
use crate::tick::non_finite;
use crate::tick::schedule::{SteeringSchedule, SteeringSystems};

/// Integrates forces and turns agents.
pub(crate) struct MotionPlugin;

impl Plugin for MotionPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<facing::FaceVelocity>().register_type::<knockback::Knockback>().add_systems(
            SteeringSchedule,
            (
                (integrate::clear_forces, integrate::clear_hard_stops, parents::warn_about_parents)
                    .in_set(SteeringSystems::Sense),
                (
                    body_limits::limit_bodies,
                    trace::write_traces,
                    integrate::integrate,
                    integrate::limit_forces,
                    non_finite::log_reports.run_if(non_finite::any_reports),
                    knockback::apply_knockbacks,
                    facing::face_velocity,
                    facing::face_target,
                    facing::face_heading,
                )
                    .chain()
                    .in_set(SteeringSystems::Integrate),
            ),
        );
    }
}

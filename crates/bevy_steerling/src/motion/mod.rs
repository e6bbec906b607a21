//! From force to velocity to `Transform`.

#[cfg(not(dim3))]
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
                    trace::write_traces,
                    integrate::hold_forces,
                    integrate::integrate,
                    integrate::limit_forces,
                    non_finite::log_reports.run_if(non_finite::any_reports),
                    knockback::apply_knockbacks,
                    facing::face_velocity,
                    facing::face_target,
                )
                    .chain()
                    .in_set(SteeringSystems::Integrate),
            ),
        );
        #[cfg(not(dim3))]
        app.add_systems(
            SteeringSchedule,
            (body_limits::limit_bodies.before(trace::write_traces), facing::face_heading.after(facing::face_target))
                .in_set(SteeringSystems::Integrate),
        );
    }
}

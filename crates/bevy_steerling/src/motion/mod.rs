//! From force to velocity to `Transform`.

#[cfg(not(dim3))]
pub(crate) mod body_limits;
pub mod facing;
pub(crate) mod integrate;
pub mod knockback;
mod parents;

use bevy::app::{App, Plugin};
use bevy::ecs::hierarchy::ChildOf;
use bevy::ecs::schedule::IntoScheduleConfigs;

#[cfg(not(dim3))]
use crate::agent::BodyLimits;
use crate::agent::{ExternalMovement, HardStop, RateState};
use crate::behaviors::face::FaceState;
use crate::engine::trace::{self, SteeringTrace};
use crate::tick::non_finite;
use crate::tick::schedule::{SteeringSchedule, SteeringSystems, is_in_use};
use facing::FaceVelocity;
use knockback::Knockback;

/// Integrates forces and turns agents.
pub(crate) struct MotionPlugin;

impl Plugin for MotionPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<FaceVelocity>().register_type::<Knockback>().add_systems(
            SteeringSchedule,
            (
                (
                    integrate::clear_forces,
                    integrate::clear_hard_stops.run_if(is_in_use::<HardStop>),
                    parents::warn_about_parents.run_if(is_in_use::<ChildOf>),
                )
                    .in_set(SteeringSystems::Sense),
                (
                    trace::write_traces.run_if(is_in_use::<SteeringTrace>),
                    integrate::hold_forces.run_if(is_in_use::<RateState>),
                    integrate::integrate,
                    integrate::limit_forces.run_if(is_in_use::<ExternalMovement>),
                    non_finite::log_reports.run_if(non_finite::any_reports),
                    knockback::apply_knockbacks.run_if(is_in_use::<Knockback>),
                    facing::face_velocity.run_if(is_in_use::<FaceVelocity>),
                    facing::face_target.run_if(is_in_use::<FaceState>),
                )
                    .chain()
                    .in_set(SteeringSystems::Integrate),
            ),
        );
        #[cfg(not(dim3))]
        app.add_systems(
            SteeringSchedule,
            (body_limits::limit_bodies.before(trace::write_traces), facing::face_heading.after(facing::face_target))
                .run_if(is_in_use::<BodyLimits>)
                .in_set(SteeringSystems::Integrate),
        );
    }
}

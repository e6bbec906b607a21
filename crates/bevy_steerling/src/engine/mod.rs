//! The engine: the traits of behaviors and constraints, and the code that turns their wishes into one force.

pub(crate) mod aims;
pub mod approach;
pub mod arbitration;
mod batch;
pub mod behavior;
pub mod constraint;
pub mod contribution;
pub(crate) mod contribution_log;
pub(crate) mod contributor;
pub(crate) mod destination;
pub mod figure;
#[cfg(feature = "debug")]
pub mod figures;
#[cfg(not(dim3))]
pub(crate) mod maneuver;
pub mod name;
pub mod registry;
pub(crate) mod runner;
pub mod trace;
pub mod wish;

use bevy::app::{App, Plugin};
use bevy::ecs::schedule::IntoScheduleConfigs;

#[cfg(not(dim3))]
use crate::agent::BodyLimits;
use crate::tick::schedule::{SteeringSchedule, SteeringSystems, is_in_use};
use contribution_log::ContributionLog;
use destination::Destination;
use registry::{Phase, Registry};

/// Sets up behaviors, arbitration and constraints, and their order.
pub(crate) struct EnginePlugin;

impl Plugin for EnginePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Registry>()
            .register_type::<arbitration::Arbitration>()
            .register_type::<arbitration::ArbitrationState>()
            .register_type::<trace::SteeringTrace>()
            .configure_sets(
                SteeringSchedule,
                (
                    (Phase::Behaviors, Phase::UserBehaviors).chain().in_set(SteeringSystems::Steer),
                    (
                        Phase::Bodies,
                        Phase::UserConstraints,
                        Phase::Constraints,
                        Phase::AvoidingConstraints,
                        Phase::QueueingConstraints,
                    )
                        .chain()
                        .in_set(SteeringSystems::Constrain),
                ),
            )
            .add_systems(
                SteeringSchedule,
                (
                    (
                        runner::clear_logs.run_if(is_in_use::<ContributionLog>),
                        destination::clear_destinations.run_if(is_in_use::<Destination>),
                    )
                        .in_set(SteeringSystems::Sense),
                    arbitration::arbitrate
                        .run_if(is_in_use::<arbitration::Arbitration>)
                        .after(SteeringSystems::Steer)
                        .before(SteeringSystems::Constrain),
                ),
            );
        #[cfg(not(dim3))]
        app.add_systems(SteeringSchedule, maneuver::turn_bodies.run_if(is_in_use::<BodyLimits>).in_set(Phase::Bodies));
    }
}

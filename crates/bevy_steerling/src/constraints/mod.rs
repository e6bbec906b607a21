//! The plugin's constraints, one module each.

pub mod avoid_neighbors;
pub mod avoid_obstacles;
mod avoider;
#[cfg(not(dim3))]
pub mod classic_queue;
mod closing_up;
pub mod contain;
mod crowds;
#[cfg(not(dim3))]
mod dead_ends;
pub(crate) mod exits;
pub(crate) mod force_limits;
mod gap;
mod goals;
mod most_urgent;
mod openings;
mod outcomes;
mod passing;
mod precedence;
mod preferred_velocity;
#[cfg(not(dim3))]
pub mod queue;
pub mod settling;
#[cfg(test)]
mod test_app;
mod walker;
mod walkers;
mod whole_crowd;

use bevy::app::{App, Plugin};
use bevy::ecs::schedule::IntoScheduleConfigs;
use bevy::ecs::system::SystemParamItem;
use bevy::reflect::GetTypeRegistration;

use crate::behaviors::formation::Formation;
use crate::engine::constraint::SteeringConstraint;
use crate::engine::contributor::Bends;
use crate::engine::destination::clear_destinations;
use crate::engine::registry::{Phase, Registration, register, report_costly_radius};
use crate::tick::schedule::{SteeringSchedule, SteeringSystems, is_in_use};

/// Registers the constraints, in the order in which they run.
pub(crate) struct ConstraintsPlugin;

impl Plugin for ConstraintsPlugin {
    fn build(&self, app: &mut App) {
        add::<Formation>(app, Phase::Constraints, Registration::default());
        add::<contain::Contain>(app, Phase::Constraints, Registration::default());
        add::<avoid_obstacles::AvoidObstacles>(app, Phase::Constraints, Registration::default());
        app.init_resource::<walkers::Walkers>().init_resource::<outcomes::Outcomes>();
        app.register_type::<preferred_velocity::PreferredVelocity>().register_type::<settling::Settling>();
        app.add_systems(
            SteeringSchedule,
            closing_up::tell
                .run_if(is_in_use::<settling::Settling>)
                .in_set(SteeringSystems::Sense)
                .after(clear_destinations),
        );
        let settle = (closing_up::forget, closing_up::settle).chain();
        let prepare = (settle, whole_crowd::write_preferred_velocities, whole_crowd::pass_all)
            .chain()
            .run_if(is_in_use::<avoid_neighbors::AvoidNeighbors>);
        let perceive = report_costly_radius::<Bends<avoid_neighbors::AvoidNeighbors>>;
        add::<avoid_neighbors::AvoidNeighbors>(app, Phase::AvoidingConstraints, Registration::new(perceive, prepare));
        #[cfg(not(dim3))]
        add_queues(app);
    }
}

#[cfg(not(dim3))]
fn add_queues(app: &mut App) {
    add::<classic_queue::ClassicQueue>(app, Phase::QueueingConstraints, Registration::default());
    let registration = queue::registration(app);
    add::<queue::Queue>(app, Phase::QueueingConstraints, registration);
}

fn add<C>(app: &mut App, phase: Phase, registration: Registration)
where
    C: SteeringConstraint + GetTypeRegistration,
    C::State: GetTypeRegistration,
    for<'w, 's> SystemParamItem<'w, 's, C::Param>: Sync,
{
    app.register_type::<C>().register_type::<C::State>();
    register::<Bends<C>>(app, phase, registration);
}

//! The plugin's behaviors, one module each.

use bevy::app::{App, Plugin};
use bevy::ecs::schedule::IntoScheduleConfigs;
use bevy::ecs::system::SystemParamItem;
use bevy::reflect::GetTypeRegistration;

use crate::engine::behavior::SteeringBehavior;
use crate::engine::contributor::Adds;
use crate::engine::registry::{Phase, Registration, register};
use crate::perception::flocking::{NeighborKernel, Perceivers, add_up, note_perceivers};
use crate::tick::schedule::is_in_use;

/// The figure for the documentation of a behavior: `figures/NAME.svg`, generated from `assets/scenarios/figures`.
#[cfg(all(doc, not(dim3)))]
macro_rules! figure {
    ($name:literal) => {
        concat!(
            "<div style=\"max-width: 36em\">\n",
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/figures/", $name, ".svg")),
            "</div>\n"
        )
    };
}

/// Empty, because the figures show agents in a plane.
#[cfg(all(doc, dim3))]
macro_rules! figure {
    ($name:literal) => {
        ""
    };
}

pub mod alignment;
pub mod arrive;
pub mod avoid_with_feelers;
pub mod cohesion;
pub mod evade;
pub mod face;
pub mod flee;
pub mod flock;
pub mod follow_field;
pub mod follow_leader;
pub mod follow_path;
#[cfg(not(dim3))]
pub mod follow_wall;
pub mod formation;
pub mod hide;
pub mod hold;
pub mod interpose;
pub mod leader;
pub mod match_velocity;
pub mod offset_pursuit;
pub mod orbit;
pub mod pursue;
pub mod seek;
pub mod separation;
pub mod template;
pub mod wander;

/// Registers the behaviors in the order in which they run, the most urgent first.
pub(crate) struct BehaviorsPlugin;

impl Plugin for BehaviorsPlugin {
    fn build(&self, app: &mut App) {
        add_flocking::<separation::Separation>(app);
        add::<avoid_with_feelers::AvoidWithFeelers>(app);
        add::<evade::Evade>(app);
        add::<flee::Flee>(app);
        add::<hide::Hide>(app);
        add::<pursue::Pursue>(app);
        add::<arrive::Arrive>(app);
        add::<hold::Hold>(app);
        add::<interpose::Interpose>(app);
        add::<follow_path::FollowPath>(app);
        add_with::<formation::InFormation>(
            app,
            Registration::preparing(
                (formation::gather_paces, formation::arrange).chain().run_if(is_in_use::<formation::Formation>),
            ),
        );
        add::<offset_pursuit::OffsetPursuit>(app);
        add::<follow_leader::FollowLeader>(app);
        add::<orbit::Orbit>(app);
        add::<follow_field::FollowField>(app);
        #[cfg(not(dim3))]
        add::<follow_wall::FollowWall>(app);
        add::<seek::Seek>(app);
        add_flocking::<flock::Flock>(app);
        add_flocking::<alignment::Alignment>(app);
        add_flocking::<cohesion::Cohesion>(app);
        add::<match_velocity::MatchVelocity>(app);
        add::<wander::Wander>(app);
        add::<face::Face>(app);
        app.register_type::<wander::WanderState>()
            .register_type::<face::FaceState>()
            .register_type::<leader::LeaderHeading>()
            .register_type::<follow_path::PathProgress>()
            .register_type::<hide::HideState>()
            .register_type::<hold::HoldState>()
            .register_type::<formation::FormationMembers>()
            .register_type::<formation::FormationSlot>();
        #[cfg(not(dim3))]
        app.register_type::<follow_wall::FollowWallState>();
    }
}

fn add<B: SteeringBehavior + GetTypeRegistration>(app: &mut App)
where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    add_with::<B>(app, Registration::default());
}

/// Adds a behavior that computes sums over neighbors, with the systems that compute them for many agents at once.
fn add_flocking<B: SteeringBehavior + NeighborKernel + GetTypeRegistration>(app: &mut App)
where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    app.init_resource::<Perceivers<B>>();
    add_with::<B>(app, Registration::new(note_perceivers::<B>, add_up::<B>.run_if(is_in_use::<B>)));
}

fn add_with<B: SteeringBehavior + GetTypeRegistration>(app: &mut App, registration: Registration)
where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    app.register_type::<B>();
    register::<Adds<B>>(app, Phase::Behaviors, registration);
}

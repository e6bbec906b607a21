//! What agents perceive: targets, neighbors, obstacles, flow fields, and predictions of where things will be.

pub(crate) mod field_of_view;
pub mod flocking;
pub mod flow_field;
pub mod interception;
pub mod neighbors;
pub mod obstacles;
pub mod path;
pub mod prediction;
pub mod regions;
pub mod sight;
pub mod target;

use bevy::app::{App, Plugin};
use bevy::ecs::schedule::{IntoScheduleConfigs, SystemSet};

use crate::tick::schedule::{SteeringSchedule, SteeringSystems, is_in_use};
use flow_field::FlowField;

/// Updates the indexes of neighbors and obstacles.
pub(crate) struct PerceptionPlugin;

impl Plugin for PerceptionPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<neighbors::Neighbors>()
            .init_resource::<target::CommonTarget>()
            .register_type::<flocking::GroupWeights>()
            .register_type::<sight::Sight>()
            .configure_sets(SteeringSchedule, PerceptionRadiusSystems.in_set(SteeringSystems::Sense))
            .add_systems(
                SteeringSchedule,
                (
                    (
                        neighbors::forget_perception_radii.before(PerceptionRadiusSystems),
                        neighbors::index_neighbors.after(PerceptionRadiusSystems),
                    )
                        .in_set(SteeringSystems::Sense),
                    target::find_common_target.after(SteeringSystems::Sense).before(SteeringSystems::Steer),
                    target::forget_common_target.after(SteeringSystems::Constrain).before(SteeringSystems::Integrate),
                ),
            );
        let index_obstacles =
            (obstacles::index_obstacles, flow_field::refresh_fields.run_if(is_in_use::<FlowField>)).chain();
        app.init_resource::<obstacles::Obstacles>()
            .register_type::<obstacles::Obstacle>()
            .register_type::<FlowField>()
            .register_type::<path::SteeringPath>()
            .add_systems(SteeringSchedule, index_obstacles.in_set(SteeringSystems::Sense));
    }
}

/// The systems that report perception radii. The neighbor index waits for them.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PerceptionRadiusSystems;

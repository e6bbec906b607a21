//! The effects of the world on agents after they have moved: edges and solid bodies.

pub(crate) mod bounds;
mod pairs;
pub mod solid;
mod walls;

use bevy::app::{App, Plugin};
use bevy::ecs::schedule::IntoScheduleConfigs;

#[cfg(not(dim3))]
use crate::agent::BodyLimits;
use crate::motion::knockback::{self, Knockback};
use crate::perception::obstacles;
use crate::tick::schedule::{SteeringSchedule, SteeringSystems, is_in_use};
use solid::Solid;

/// Keeps agents within the edges of the world and solid bodies apart.
pub(crate) struct WorldPlugin;

impl Plugin for WorldPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            SteeringSchedule,
            (knockback::bounce_knockbacks.run_if(is_in_use::<Knockback>), bounds::confine)
                .chain()
                .in_set(SteeringSystems::Confine),
        );
        #[cfg(not(dim3))]
        app.add_systems(
            SteeringSchedule,
            bounds::hold_bodies
                .run_if(is_in_use::<BodyLimits>)
                .after(knockback::bounce_knockbacks)
                .before(bounds::confine)
                .in_set(SteeringSystems::Confine),
        );
        app.register_type::<Solid>().add_systems(
            SteeringSchedule,
            (
                // Obstacles may have moved since the start of the tick.
                (obstacles::index_obstacles, solid::stop_before_walls).chain().before(knockback::bounce_knockbacks),
                solid::keep_apart.after(bounds::confine),
            )
                .run_if(is_in_use::<Solid>)
                .in_set(SteeringSystems::Confine),
        );
    }
}

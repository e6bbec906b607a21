//! The systems of a tick.

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;
use bevy_steerling::prelude::*;

use super::{bodies, engine, obstacles, radius};
use crate::{BodySystems, ColliderObstacle, ObstacleHeights, RadiusFromCollider};

/// Adds everything that happens before and after steering.
pub(crate) fn build(app: &mut App, schedule: InternedScheduleLabel) {
    app.init_resource::<ObstacleHeights>()
        .register_type::<ColliderObstacle>()
        .register_type::<ObstacleHeights>()
        .register_type::<RadiusFromCollider>()
        .configure_sets(
            schedule,
            (BodySystems::Read.before(RunSteeringSystems), BodySystems::Push.after(RunSteeringSystems)),
        )
        .add_systems(
            schedule,
            (
                (bodies::adopt, engine::read_bodies, radius::measure_radii, obstacles::update_obstacles)
                    .chain()
                    .in_set(BodySystems::Read),
                engine::push_bodies.in_set(BodySystems::Push),
            ),
        );
}

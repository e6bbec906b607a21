//! An app for unit tests.

use bevy::app::{App, FixedUpdate};
use bevy::ecs::schedule::ScheduleLabel;
use bevy::ecs::system::SystemParamItem;
use bevy::time::Time;

use crate::agent::AgentPlugin;
use crate::constraints::ConstraintsPlugin;
use crate::engine::EnginePlugin;
use crate::engine::behavior::SteeringBehavior;
use crate::engine::registry::SteeringAppExt;
use crate::motion::MotionPlugin;
use crate::perception::PerceptionPlugin;
use crate::tick::TickPlugin;
use crate::world::WorldPlugin;

/// Creates an app with all constraints and one behavior. The other behaviors and the events would take minutes to compile once more.
pub(crate) fn app_with<B: SteeringBehavior>() -> App
where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    let mut app = App::new();
    app.init_resource::<Time>().add_plugins((
        TickPlugin { schedule: FixedUpdate.intern() },
        AgentPlugin,
        PerceptionPlugin,
        EnginePlugin,
        ConstraintsPlugin,
        MotionPlugin,
        WorldPlugin,
    ));
    app.add_steering_behavior::<B>();
    app
}

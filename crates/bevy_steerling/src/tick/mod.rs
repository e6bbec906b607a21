//! The tick: its schedule, its length, and threads.

pub mod longest;
pub(crate) mod non_finite;
pub mod schedule;
pub(crate) mod threads;
mod turns;

use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::agent::RateState;
use crate::agent::view::TickFrame;
use crate::math::Placement;
use crate::math::space::{Space, SteeringBounds};
use longest::LongestTick;
use non_finite::Mender;
use schedule::{RunSteeringSystems, SteeringSchedule, SteeringSystems, SteeringThreads, is_in_use};

/// Runs the steering schedule in another schedule.
pub(crate) struct TickPlugin {
    pub schedule: Interned<dyn ScheduleLabel>,
}

impl Plugin for TickPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Time>()
            .init_resource::<Placement>()
            .init_resource::<SteeringBounds>()
            .init_resource::<SteeringThreads>()
            .init_resource::<non_finite::NonFiniteReports>()
            .register_type::<SteeringBounds>()
            .register_type::<SteeringThreads>()
            .register_type::<LongestTick>()
            .init_schedule(SteeringSchedule)
            .edit_schedule(SteeringSchedule, schedule::configure)
            .add_systems(
                SteeringSchedule,
                turns::take_turns.run_if(is_in_use::<RateState>).before(SteeringSystems::Sense),
            )
            .add_systems(self.schedule, longest::run_steering.in_set(RunSteeringSystems));
        let fixed = [
            FixedFirst.intern(),
            FixedPreUpdate.intern(),
            FixedUpdate.intern(),
            FixedPostUpdate.intern(),
            FixedLast.intern(),
        ];
        let longest = if fixed.contains(&self.schedule) { LongestTick::UNLIMITED } else { LongestTick::PER_FRAME };
        app.world_mut().get_resource_or_insert_with(|| longest);
        #[cfg(not(dim3))]
        app.register_type::<Placement>();
    }
}

/// The values that are the same for all agents during a tick.
#[derive(SystemParam)]
pub(crate) struct TickParam<'w> {
    time: Res<'w, Time>,
    plane: Res<'w, Placement>,
    bounds: Res<'w, SteeringBounds>,
    pub(crate) threads: Res<'w, SteeringThreads>,
    pub(crate) mender: Mender<'w>,
}

impl TickParam<'_> {
    /// The length of the tick, seconds.
    #[inline]
    pub(crate) fn length(&self) -> f32 {
        self.time.delta_secs()
    }

    pub(crate) fn plane(&self) -> Placement {
        *self.plane
    }

    pub(crate) fn bounds(&self) -> &SteeringBounds {
        &self.bounds
    }

    pub(crate) fn space(&self) -> Space {
        self.bounds.space()
    }

    pub(crate) fn frame(&self) -> TickFrame {
        TickFrame { length: self.length(), space: self.space(), plane: self.plane() }
    }
}

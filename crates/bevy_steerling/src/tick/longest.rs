//! Splits ticks that are too long.

use core::time::Duration;

use bevy::math::ops;
use bevy::prelude::*;

use crate::tick::schedule::SteeringSchedule;

/// The longest tick, seconds. A longer tick is split into equal parts, each of which is a tick.
///
/// In ticks longer than about 0.15 s, agents may touch obstacles and each other. If a game steers once per frame, long frames are such
/// ticks.
///
/// In `FixedFirst`, `FixedPreUpdate`, `FixedUpdate`, `FixedPostUpdate` and `FixedLast`, ticks are not split by default, because the game
/// has chosen the length of the timestep. In other schedules, the default is 1/20 s. Zero, negative values and NaN mean no limit. A tick is
/// split into at most 100 parts.
///
/// The [`SteeringSchedule`] runs once for each part, and the delta of `Res<Time>` in it is the length of the part. Add systems that move
/// obstacles, or agents with [`ExternalMovement`](crate::agent::ExternalMovement), to this schedule. If they run once per frame, what they
/// move stands still during the parts and then jumps. If a physics engine steps once per frame, use [`UNLIMITED`](Self::UNLIMITED).
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # App::new()
/// .add_plugins(SteeringPlugin::new(Update))
/// .insert_resource(LongestTick(1.0 / 30.0))
/// # ;
/// ```
#[derive(Resource, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Resource, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct LongestTick(pub f32);

impl LongestTick {
    /// Ticks of any length.
    pub const UNLIMITED: Self = Self(f32::MAX);

    /// The default for schedules without a fixed timestep.
    pub(crate) const PER_FRAME: Self = Self(1.0 / 20.0);

    /// The number of parts of a tick.
    fn parts(self, tick: Duration) -> u32 {
        let Self(longest) = self;
        if longest > 0.0 {
            // A tick that is longer only by a rounding error is not split.
            ops::ceil(tick.as_secs_f32() / longest * 0.999).clamp(1.0, 100.0) as u32
        } else {
            1
        }
    }
}

/// Runs a tick or its parts, unless its length is zero.
pub(crate) fn run_steering(world: &mut World) {
    let time = *world.resource::<Time>();
    if time.delta_secs() <= 0.0 {
        return;
    }
    let parts = world.resource::<LongestTick>().parts(time.delta());
    if parts == 1 {
        world.run_schedule(SteeringSchedule);
        return;
    }
    let mut part: Time = Time::default();
    part.set_wrap_period(time.wrap_period());
    part.advance_to(time.elapsed().saturating_sub(time.delta()));
    for left in (1..=parts).rev() {
        part.advance_by(time.elapsed().saturating_sub(part.elapsed()) / left);
        if !part.delta().is_zero() {
            *world.resource_mut::<Time>() = part;
            world.run_schedule(SteeringSchedule);
        }
    }
    *world.resource_mut::<Time>() = time;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_no_longer_than_the_longest_tick() {
        let ticks = [1e-6, 0.01, 0.05, 0.07, 0.5, 3.0].map(Duration::from_secs_f32);
        for tick in ticks {
            assert_eq!(LongestTick::UNLIMITED.parts(tick), 1);
            for longest in [0.001, 0.05, 0.3] {
                let parts = LongestTick(longest).parts(tick);
                let fits = |parts: u32| tick.as_secs_f32() / parts as f32 <= longest * 1.002;
                assert!(parts == 100 || fits(parts), "{tick:?}, {longest}: {parts}");
                assert!(parts == 1 || !fits(parts - 1), "{tick:?}, {longest}: {parts}");
            }
            for odd in [0.0, -1.0, f32::NAN] {
                assert_eq!(LongestTick(odd).parts(tick), 1);
            }
        }
    }
}

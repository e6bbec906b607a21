//! The client's side: smooth motion between two updates.

use bevy::math::ops;
use bevy::prelude::*;
use bevy_replicon::prelude::*;
use bevy_replicon_renet::RepliconRenetPlugins;

use crate::seen::{self, Seen};

/// How long a wrong prediction takes to fade to 37 %, seconds.
const FADING: f32 = 0.1;
/// For how long an agent goes on without an update, seconds.
const LONGEST: f32 = 0.5;
/// A prediction that is wrong by more than this is corrected at once, units.
const JUMP: f32 = 50.0;

/// Receives agents from the server. Add it after Bevy's `StatesPlugin`; the client needs no `SteeringPlugin`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SteeringClientPlugin;

impl Plugin for SteeringClientPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((
            RepliconPlugins.set(ServerPlugin { tick_schedule: None, ..default() }),
            RepliconRenetPlugins,
            seen::plugin,
        ))
        .register_required_components::<Seen, Shown>()
        .add_systems(Update, show);
    }
}

/// Where to draw an agent: it goes on at its last known velocity, and wrong predictions fade.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Shown {
    /// The position, units.
    pub position: Vec2,
    /// By how much the prediction was wrong, units.
    error: Vec2,
    /// The time since the last update, seconds.
    age: f32,
}

impl Shown {
    /// A new update has arrived.
    fn correct(&mut self, seen: &Seen) {
        let error = self.position - seen.position();
        *self = Self { error: if error.length() < JUMP { error } else { Vec2::ZERO }, age: 0.0, ..*self };
    }

    fn advance(&mut self, seen: &Seen, seconds: f32) {
        self.age = (self.age + seconds).min(LONGEST);
        self.error *= ops::exp(-seconds / FADING);
        self.position = seen.position() + seen.velocity() * self.age + self.error;
    }
}

fn show(mut agents: Query<(Ref<Seen>, &mut Shown)>, time: Res<Time>) {
    for (seen, mut shown) in &mut agents {
        if seen.is_added() {
            *shown = Shown { position: seen.position(), ..default() };
        } else if seen.is_changed() {
            shown.correct(&seen);
        }
        shown.advance(&seen, time.delta_secs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_are_smooth_and_fade() {
        let velocity = Vec2::new(60.0, 0.0);
        let mut shown = Shown::default();
        let mut seen = Seen::new(Vec2::ZERO, velocity);
        let mut before = 0.0;
        for frame in 1..=120 {
            if frame % 6 == 0 {
                // 3 units beside what was predicted.
                seen = Seen::new(Vec2::new(frame as f32, 3.0), velocity);
                shown.correct(&seen);
            }
            shown.advance(&seen, 1.0 / 60.0);
            assert!((shown.position.x - before - 1.0).abs() < 0.2, "frame {frame}: {shown:?}");
            before = shown.position.x;
        }
        assert!((shown.position.y - 3.0).abs() < 0.1, "{shown:?}");
    }

    #[test]
    fn it_stops_when_the_server_is_silent() {
        let seen = Seen::new(Vec2::ZERO, Vec2::new(10.0, 0.0));
        let mut shown = Shown::default();
        (0..600).for_each(|_| shown.advance(&seen, 1.0 / 60.0));
        assert_eq!(shown.position, Vec2::new(5.0, 0.0));
    }
}

//! A small game that is rolled back: players lead a herd past hunters, and walkers queue at a gate.
//!
//! The rules are plain systems that insert and remove behaviors, spawn and despawn. They go through agents in the order of their
//! [`SteeringId`], because the order of entities differs between machines.

mod rules;

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_ggrs::prelude::*;
use bevy_ggrs::{LocalInputs, LocalPlayers, RollbackFrameCount};
use bevy_steerling::agent::random::SteeringRng;
use bevy_steerling::prelude::*;
use serde::{Deserialize, Serialize};

/// The configuration of the sessions.
pub type HuntConfig = GgrsConfig<Lead>;

/// How many players there are.
pub const PLAYERS: usize = 2;

/// The input of a player: where to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lead {
    /// To the right: −1, 0 or 1.
    pub x: i8,
    /// Upward: −1, 0 or 1.
    pub y: i8,
}

impl Lead {
    /// Where a player without a human goes in a frame: every few frames in another direction.
    pub fn scripted(seed: u64, player: usize, frame: i32) -> Self {
        let leg = frame / (7 + 6 * player as i32);
        let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(leg as u64), 100 + player as u64);
        let mut step = || (random.uniform() * 3.0) as i8 - 1;
        Self { x: step(), y: step() }
    }

    /// A vector of length 1 or 0.
    fn direction(self) -> Vec2 {
        Vec2::new(f32::from(self.x.signum()), f32::from(self.y.signum())).normalize_or_zero()
    }
}

/// An animal that a player moves. The number is that of the player in the session.
#[derive(Component, Clone, Copy, Debug)]
pub struct Player(pub usize);

/// An animal of the herd.
#[derive(Component, Clone, Copy, Debug)]
pub struct Prey;

/// A hunter, and its stamina from 0 to 1.
#[derive(Component, Clone, Copy, Debug)]
pub struct Hunter(pub f32);

/// Somebody who goes through the gate.
#[derive(Component, Clone, Copy, Debug)]
pub struct Walker;

/// A walker that has arrived.
#[derive(Component, Clone, Copy, Debug)]
struct Through;

/// What has happened.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Score {
    /// How many prey were caught.
    pub caught: u32,
    /// How many walkers went through the gate.
    pub through: u32,
}

/// The random numbers of the rules.
#[derive(Resource, Clone, Debug)]
struct Dice(SteeringRng);

impl Dice {
    /// A place in a rectangle.
    fn place(&mut self, center: Vec2, size: Vec2) -> Vec2 {
        center + (Vec2::new(self.0.uniform(), self.0.uniform()) - 0.5) * size
    }
}

/// The size of the world, which wraps, units.
const SIZE: Vec2 = Vec2::new(1280.0, 720.0);

/// The game, with two players. Add it after the `GgrsPlugin` and the [`SteeringRollbackPlugin`](crate::SteeringRollbackPlugin).
///
/// Local players go where [`Lead::scripted`] leads them.
#[derive(Clone, Copy, Debug)]
pub struct HuntPlugin {
    /// The seed of the game, equal on all machines.
    pub seed: u64,
}

impl Plugin for HuntPlugin {
    fn build(&self, app: &mut App) {
        let seed = SteeringSeed(self.seed);
        app.insert_resource(seed)
            .insert_resource(SteeringBounds::wrap(-0.5 * SIZE, 0.5 * SIZE))
            .insert_resource(Dice(SteeringRng::new(seed, SteeringId::new(0), 1)))
            .init_resource::<Score>()
            .rollback_resource_with_clone::<Dice>()
            .rollback_resource_with_copy::<Score>()
            .checksum_resource_with_hash::<Score>()
            .rollback_component_with_copy::<Player>()
            .rollback_component_with_copy::<Prey>()
            .rollback_component_with_copy::<Hunter>()
            .rollback_component_with_copy::<Walker>()
            .rollback_component_with_copy::<Through>()
            .checksum_component::<Hunter>(|hunter| u64::from(hunter.0.to_bits()))
            .add_systems(Startup, rules::setup)
            .add_systems(ReadInputs, read_script)
            .add_systems(GgrsSchedule, rules::systems().before(RunSteeringSystems))
            // Triggered again in frames that are simulated again: what it inserts is rolled back with them.
            .add_observer(|arrived: On<Arrived>, mut commands: Commands| {
                commands.entity(arrived.entity).insert(Through);
            });
    }
}

fn read_script(
    mut commands: Commands,
    players: Res<LocalPlayers>,
    frame: Res<RollbackFrameCount>,
    seed: Res<SteeringSeed>,
) {
    let inputs = players.0.iter().map(|&player| (player, Lead::scripted(seed.0, player, frame.0)));
    commands.insert_resource(LocalInputs::<HuntConfig>(inputs.collect::<HashMap<usize, Lead>>()));
}

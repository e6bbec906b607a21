//! Apps and random numbers.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_steerling::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::engine;

pub type Random = Xoshiro256PlusPlus;

pub fn random(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}

/// An app without an engine, in which steering moves agents.
pub fn plain_app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, SteeringPlugin::default()));
    started(app)
}

/// The app, with one tick per update.
pub fn started(mut app: App) -> App {
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.insert_resource(Time::<Fixed>::from_duration(Duration::from_secs_f32(engine::TICK)));
    app.finish();
    app.cleanup();
    // No time passes in the first update.
    app.update();
    app
}

pub fn ticks(app: &mut App, ticks: usize) {
    (0..ticks).for_each(|_| app.update());
}

/// A point in a square around the origin, units.
pub fn point(random: &mut Random, half: f32) -> Vec2 {
    Vec2::new(random.random_range(-half..half), random.random_range(-half..half))
}

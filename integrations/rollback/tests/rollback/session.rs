//! Apps with sessions.

use std::time::Duration;

use bevy::ecs::component::Mutable;
use bevy::ecs::entity::EntityHashMap;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_ggrs::prelude::*;
use bevy_ggrs::{LoadWorld, LocalInputs, LocalPlayers, RollbackFrameCount};
use bevy_steerling::prelude::*;
use steerling_rollback::SteeringRollbackPlugin;
use steerling_rollback::hunt::{HuntConfig, HuntPlugin, Lead, PLAYERS};

/// What went wrong in a sync test, and how often the world was set back.
#[derive(Resource, Default)]
pub struct Report {
    pub mismatches: Vec<SyncTestMismatch>,
    pub rollbacks: usize,
}

/// An app with steering under rollback that advances one frame per update.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        GgrsPlugin::<HuntConfig>::default(),
        SteeringRollbackPlugin::default().with_state_checksums(),
    ))
    .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_nanos(16_666_667)))
    .insert_resource(SteeringThreads::Single)
    .init_resource::<Report>()
    .add_systems(LoadWorld, |mut report: ResMut<Report>| report.rollbacks += 1)
    .add_observer(|mismatch: On<SyncTestMismatch>, mut report: ResMut<Report>| {
        report.mismatches.push(mismatch.event().clone());
    });
    app
}

/// The hunt.
pub fn hunt(seed: u64) -> App {
    let mut app = app();
    app.add_plugins(HuntPlugin { seed });
    app
}

/// Players that do nothing.
pub fn no_input(mut commands: Commands, players: Res<LocalPlayers>) {
    let inputs = players.0.iter().map(|&player| (player, Lead::default()));
    commands.insert_resource(LocalInputs::<HuntConfig>(inputs.collect::<HashMap<usize, Lead>>()));
}

/// Starts a session that sets the world back by so many frames in every frame; with 0 never.
pub fn start_sync_test(app: &mut App, distance: usize) {
    let mut session = SessionBuilder::<HuntConfig>::new()
        .with_num_players(PLAYERS)
        .expect("a number of players")
        .with_max_prediction_window(distance + 1)
        .with_check_distance(distance);
    for player in 0..PLAYERS {
        session = session.add_player(PlayerType::Local, player).expect("a free handle");
    }
    app.insert_resource(Session::SyncTest(session.start_synctest_session().expect("a valid session")));
}

/// Runs so many frames, or until a checksum differs.
pub fn run(app: &mut App, frames: i32) {
    while frame(app) < frames && app.world().resource::<Report>().mismatches.is_empty() {
        app.update();
    }
}

pub fn frame(app: &App) -> i32 {
    app.world().resource::<RollbackFrameCount>().0
}

pub fn assert_no_mismatch(app: &App, what: &str) {
    let mismatches = &app.world().resource::<Report>().mismatches;
    assert!(mismatches.is_empty(), "{what}: {mismatches:?}");
}

/// What a game would lose if `C` were not registered: after a rollback, it is what it was before.
pub fn forget<C: Component<Mutability = Mutable> + Clone>(app: &mut App) {
    #[derive(Resource)]
    struct Kept<C>(EntityHashMap<C>);
    app.insert_resource(Kept::<C>(EntityHashMap::default()));
    let keep = |agents: Query<(Entity, &C)>, mut kept: ResMut<Kept<C>>| {
        kept.0 = agents.iter().map(|(agent, component)| (agent, component.clone())).collect();
    };
    let give_back = |mut agents: Query<(Entity, &mut C)>, kept: Res<Kept<C>>| {
        for (agent, mut component) in &mut agents {
            if let Some(kept) = kept.0.get(&agent) {
                component.clone_from(kept);
            }
        }
    };
    app.add_systems(
        LoadWorld,
        (keep.before(LoadWorldSystems::EntityResurrect), give_back.after(LoadWorldSystems::Mapping)),
    );
}

/// The number, place and velocity of every agent.
pub fn motion(app: &mut App) -> Vec<(SteeringId, [u32; 3], [u32; 2])> {
    let world = app.world_mut();
    let mut agents = world.query::<(&SteeringId, &Transform, &Velocity)>();
    let bits = |transform: &Transform| transform.translation.to_array().map(f32::to_bits);
    let mut motion: Vec<_> = agents
        .iter(world)
        .map(|(id, transform, velocity)| (*id, bits(transform), velocity.to_array().map(f32::to_bits)))
        .collect();
    motion.sort_unstable();
    motion
}

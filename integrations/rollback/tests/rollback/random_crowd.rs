//! A crowd with every behavior, to which random things happen.

use bevy::prelude::*;
use bevy_ggrs::RollbackFrameCount;
use bevy_ggrs::prelude::*;
use bevy_steerling::agent::Vehicle;
use bevy_steerling::agent::random::SteeringRng;
use bevy_steerling::behaviors::follow_wall::FollowWallState;
use bevy_steerling::behaviors::hide::HideState;
use bevy_steerling::behaviors::hold::HoldState;
use bevy_steerling::behaviors::leader::LeaderHeading;
use bevy_steerling::constraints::avoid_obstacles::AvoidObstaclesState;
use bevy_steerling::constraints::contain::ContainState;
use bevy_steerling::constraints::settling::Settling;
use bevy_steerling::engine::arbitration::ArbitrationState;
use bevy_steerling::prelude::*;

use crate::crowd;
use crate::session::{Report, app, assert_no_mismatch, forget, motion, no_input, run, start_sync_test};

/// Until then nothing random happens: the index of obstacles is empty before the first frame.
const QUIET: i32 = 10;

#[derive(Resource)]
struct Fate(u64);

/// A crowd of agents with every behavior, among obstacles.
pub fn running_crowd(seed: u64) -> App {
    let mut app = app();
    app.insert_resource(SteeringSeed(seed))
        .insert_resource(SteeringBounds::wrap(Vec2::ZERO, crowd::dimension::SIZE))
        .insert_resource(Fate(seed))
        .add_systems(ReadInputs, no_input)
        .add_systems(GgrsSchedule, strike.before(RunSteeringSystems));
    crowd::spawn_crowd(app.world_mut(), 2 * crowd::KINDS);
    app
}

/// Something random happens: agents get behaviors, lose them, come and go.
fn strike(world: &mut World, agents: &mut QueryState<(&SteeringId, Entity), With<SteeringAgent>>) {
    let frame = world.resource::<RollbackFrameCount>().0;
    if frame < QUIET {
        return;
    }
    let mut dice = SteeringRng::new(SteeringSeed(world.resource::<Fate>().0), SteeringId::new(frame as u64), 9);
    let mut below = |count: usize| (dice.uniform() * count as f32) as usize;
    let mut agents: Vec<(SteeringId, Entity)> = agents.iter(world).map(|(id, agent)| (*id, agent)).collect();
    agents.sort_unstable();
    let agents: Vec<Entity> = agents.into_iter().map(|(_, agent)| agent).collect();
    let (agent, kind) = (agents[below(agents.len())], below(crowd::KINDS));
    match below(12) {
        0..4 => {
            let target = crowd::target(below(100), &agents);
            crowd::insert(&mut world.entity_mut(agent), kind, target);
        }
        4..6 => crowd::remove(&mut world.entity_mut(agent), kind),
        // The anchor of a formation hands it over when it is really gone.
        6 if world.get::<Formation>(agent).is_none() => world.commands().entity(agent).despawn_rollback(),
        7 => world.commands().entity(agent).despawn(),
        8 | 9 => {
            let number = below(100);
            let agent = crowd::spawn_agent(world, number);
            let target = crowd::target(number, &agents);
            for kind in crowd::kinds(number) {
                crowd::insert(&mut world.entity_mut(agent), kind, target);
            }
        }
        _ => {}
    }
    world.flush();
}

#[test]
fn random_crowds_in_the_sync_test() {
    for seed in 0..7 {
        let mut app = running_crowd(seed);
        let distance = 2 + seed as usize;
        start_sync_test(&mut app, distance);
        run(&mut app, 250);
        assert_no_mismatch(&app, &format!("seed {seed}"));
    }
}

#[test]
fn random_crowds_that_are_set_back_move_like_those_that_never_are() {
    for seed in 20..24 {
        let [undisturbed, set_back] = [0, 8].map(|distance| {
            let mut app = running_crowd(seed);
            start_sync_test(&mut app, distance);
            run(&mut app, 250);
            assert_no_mismatch(&app, "a crowd");
            motion(&mut app)
        });
        assert!(undisturbed == set_back, "seed {seed}");
    }
}

/// Mutations: the sync test notices if a state of the rarer behaviors is not registered.
#[test]
fn the_test_notices_what_is_not_rolled_back() {
    // Not in this list is what is written in each tick before it is read: `FaceState` and `HardStop`.
    let mutations: [(&str, fn(&mut App)); 10] = [
        ("PathProgress", forget::<PathProgress>),
        ("HideState", forget::<HideState>),
        ("HoldState", forget::<HoldState>),
        ("LeaderHeading", forget::<LeaderHeading>),
        ("FollowWallState", forget::<FollowWallState>),
        ("ContainState", forget::<ContainState>),
        ("AvoidObstaclesState", forget::<AvoidObstaclesState>),
        ("Settling", forget::<Settling>),
        ("Vehicle", forget::<Vehicle>),
        ("ArbitrationState", forget::<ArbitrationState>),
    ];
    let unnoticed: Vec<&str> = mutations
        .into_iter()
        .filter(|(_, mutation)| {
            let mut app = running_crowd(3);
            mutation(&mut app);
            start_sync_test(&mut app, 7);
            run(&mut app, 250);
            app.world().resource::<Report>().mismatches.is_empty()
        })
        .map(|(name, _)| name)
        .collect();
    assert!(unnoticed.is_empty(), "{unnoticed:?} were not rolled back, and nobody noticed");
}

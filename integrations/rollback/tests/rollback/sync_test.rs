//! The hunt in the sync test of ggrs.

use bevy::prelude::*;
use bevy_steerling::agent::NextSteeringId;
use bevy_steerling::behaviors::wander::WanderState;
use bevy_steerling::constraints::avoid_neighbors::Detour;
use bevy_steerling::constraints::queue::QueuePlace;
use bevy_steerling::prelude::*;
use steerling_rollback::hunt::Score;

use crate::session::{Report, assert_no_mismatch, forget, hunt, motion, run, start_sync_test};

fn score(app: &App) -> Score {
    *app.world().resource::<Score>()
}

#[test]
fn ten_thousand_frames_of_the_hunt() {
    let mut app = hunt(1);
    start_sync_test(&mut app, 2);
    run(&mut app, 10_000);
    assert_no_mismatch(&app, "distance 2");
    let Report { rollbacks, .. } = *app.world().resource::<Report>();
    assert!(rollbacks > 9_900, "{rollbacks} rollbacks");
    let Score { caught, through } = score(&app);
    assert!(caught > 20 && through > 20, "{:?}", score(&app));
}

#[test]
fn every_distance_from_2_to_8() {
    for distance in 2..=8 {
        let mut app = hunt(distance as u64);
        start_sync_test(&mut app, distance);
        run(&mut app, 600);
        assert_no_mismatch(&app, &format!("distance {distance}"));
    }
}

/// Also where the rules depend on events, and events on change detection.
#[test]
fn a_game_that_is_set_back_in_every_frame_ends_like_one_that_never_is() {
    for seed in 10..14 {
        let [(undisturbed, one), (set_back, other)] = [0, 7].map(|distance| {
            let mut app = hunt(seed);
            start_sync_test(&mut app, distance);
            run(&mut app, 1200);
            assert_no_mismatch(&app, "a hunt");
            (motion(&mut app), (score(&app), app.world().resource::<NextSteeringId>().clone()))
        });
        assert_eq!(one, other, "seed {seed}");
        assert!(one.0.caught > 1 && one.0.through > 1, "{one:?}");
        assert_eq!(undisturbed, set_back, "seed {seed}");
    }
}

/// Mutations: the sync test notices if something is not registered.
#[test]
fn the_test_notices_what_is_not_rolled_back() {
    let mutations: [(&str, fn(&mut App)); 7] = [
        ("WanderState", forget::<WanderState>),
        ("Detour", forget::<Detour>),
        ("QueuePlace", forget::<QueuePlace>),
        ("FormationSlot", forget::<FormationSlot>),
        ("FormationState", forget::<FormationState>),
        ("Velocity", forget::<Velocity>),
        ("Pursue", forget::<Pursue>),
    ];
    for (name, mutation) in mutations {
        let mut app = hunt(1);
        mutation(&mut app);
        start_sync_test(&mut app, 7);
        run(&mut app, 3000);
        assert!(
            !app.world().resource::<Report>().mismatches.is_empty(),
            "nobody noticed that {name} was not rolled back"
        );
    }
}

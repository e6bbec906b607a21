//! Runs the hunt in the sync test of ggrs: every frame is simulated again from 2, 3, … 8 frames before, and all checksums must agree.
//!
//! `cargo run --example sync_test [FRAMES]`

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_ggrs::RollbackFrameCount;
use bevy_ggrs::prelude::*;
use steerling_rollback::SteeringRollbackPlugin;
use steerling_rollback::hunt::{HuntConfig, HuntPlugin, PLAYERS, Score};

/// How many mismatches there were.
#[derive(Resource, Default)]
struct Mismatches(usize);

fn main() -> Result {
    let frames = std::env::args().nth(1).map_or(Ok(10_000), |frames| frames.parse::<i32>())?;
    println!(
        "| check distance | frames | simulated | mismatches | caught | through the gate | ms per simulated frame |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut all = 0;
    for distance in 2..=8 {
        let mut app = app(distance)?;
        let start = Instant::now();
        let frame = |app: &App| app.world().resource::<RollbackFrameCount>().0;
        while frame(&app) < frames && app.world().resource::<Mismatches>().0 == 0 {
            app.update();
        }
        let Mismatches(mismatches) = *app.world().resource::<Mismatches>();
        let Score { caught, through } = *app.world().resource::<Score>();
        let simulated = frame(&app) as usize * (distance + 1);
        let each = start.elapsed().as_secs_f64() * 1e3 / simulated as f64;
        println!("| {distance} | {} | {simulated} | {mismatches} | {caught} | {through} | {each:.2} |", frame(&app));
        all += mismatches;
    }
    if all == 0 { Ok(()) } else { Err("a checksum differs".into()) }
}

fn app(distance: usize) -> Result<App> {
    let mut session = SessionBuilder::<HuntConfig>::new()
        .with_num_players(PLAYERS)?
        .with_max_prediction_window(distance + 1)
        .with_check_distance(distance);
    for player in 0..PLAYERS {
        session = session.add_player(PlayerType::Local, player)?;
    }
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        GgrsPlugin::<HuntConfig>::default(),
        SteeringRollbackPlugin::default().with_state_checksums(),
        HuntPlugin { seed: distance as u64 },
    ))
    .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_nanos(16_666_667)))
    .insert_resource(Session::SyncTest(session.start_synctest_session()?))
    .init_resource::<Mismatches>()
    .add_observer(|_: On<SyncTestMismatch>, mut mismatches: ResMut<Mismatches>| mismatches.0 += 1);
    Ok(app)
}

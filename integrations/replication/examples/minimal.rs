//! A server that steers a crowd, and a client that sees it.
//!
//! `cargo run --example minimal` starts a server. `cargo run --example minimal ADDRESS` starts a client, with the address that the server
//! prints.

use std::error::Error;
use std::time::Duration;

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy::time::common_conditions::on_timer;
use bevy_replicon::prelude::*;
use bevy_steerling::prelude::*;
use steerling_replication::client::{Shown, SteeringClientPlugin};
use steerling_replication::net::{connect, start_server};
use steerling_replication::seen::{LookAt, Seen};
use steerling_replication::server::SteeringServerPlugin;

fn main() -> Result<(), Box<dyn Error>> {
    let mut app = App::new();
    // In a game: DefaultPlugins, which have states and a loop.
    let frames = ScheduleRunnerPlugin::run_loop(Duration::from_millis(8));
    app.add_plugins((MinimalPlugins.set(frames), StatesPlugin));
    match std::env::args().nth(1) {
        Some(server) => {
            app.add_plugins(SteeringClientPlugin)
                .add_systems(OnEnter(ClientState::Connected), look)
                .add_systems(Update, draw.run_if(on_timer(Duration::from_secs(1))));
            connect(&mut app, server.parse()?, u64::from(std::process::id()))?;
        }
        None => {
            app.add_plugins((
                SteeringPlugin::default(),
                SteeringServerPlugin { ticks_per_update: 6, interest: Some(500.0) },
            ))
            .add_systems(Startup, spawn_crowd);
            println!("{}", start_server(&mut app, 8)?);
        }
    }
    app.run();
    Ok(())
}

fn spawn_crowd(mut commands: Commands) {
    for number in 0..100 {
        let place = Transform::from_xyz(30.0 * (number % 10) as f32, 30.0 * (number / 10) as f32, 0.0);
        commands.spawn((Wander::default(), AvoidNeighbors::default(), Seen::default(), place));
    }
}

fn look(mut commands: Commands) {
    commands.client_trigger(LookAt { center: Vec2::splat(100.0), radius: 300.0 });
}

/// In a game: moves sprites to these positions.
fn draw(agents: Query<&Shown>) {
    let middle = agents.iter().map(|agent| agent.position).sum::<Vec2>() / agents.iter().len().max(1) as f32;
    println!("{} agents around {middle}", agents.iter().len());
}

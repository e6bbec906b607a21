//! A chase for two players over a network. Each moves a runner, and a pack hunts the nearest runner.
//!
//! In two terminals: `cargo run --example two_peers 7000 127.0.0.1:7001 0` and `cargo run --example two_peers 7001 127.0.0.1:7000 1`

use bevy::app::ScheduleRunnerPlugin;
use bevy::math::ops;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_ggrs::ggrs::{DesyncDetection, UdpNonBlockingSocket};
use bevy_ggrs::prelude::*;
use bevy_ggrs::{LocalInputs, LocalPlayers, RollbackFrameCount};
use bevy_steerling::prelude::*;
use steerling_rollback::SteeringRollbackPlugin;

/// An input is the direction in which a runner goes, in sixteenths of a turn.
type Config = GgrsConfig<u8>;

/// The runner of a player.
#[derive(Component, Clone, Copy)]
struct Runner(usize);

const RUNNERS: GroupMask = GroupMask::bit(1);

fn main() -> Result {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [port, other, player] = &arguments[..] else {
        return Err("arguments: own port, address of the other, own number (0 or 1)".into());
    };
    let player: usize = player.parse()?;
    let session = SessionBuilder::<Config>::new()
        .with_num_players(2)?
        .with_input_delay(2)
        .with_desync_detection_mode(DesyncDetection::On { interval: 30 })
        .add_player(PlayerType::Local, player)?
        .add_player(PlayerType::Remote(other.parse()?), 1 - player)?
        .start_p2p_session(UdpNonBlockingSocket::bind_to_port(port.parse()?)?)?;

    App::new()
        .add_plugins((
            // In a game: DefaultPlugins
            MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(std::time::Duration::from_millis(4))),
            GgrsPlugin::<Config>::default(),
            SteeringRollbackPlugin::default(),
        ))
        .rollback_component_with_copy::<Runner>()
        .insert_resource(SteeringSeed(1))
        .insert_resource(Session::P2P(session))
        .add_systems(Startup, setup)
        .add_systems(ReadInputs, read_input)
        .add_systems(GgrsSchedule, run.before(RunSteeringSystems))
        .add_systems(Update, tell)
        .run();
    Ok(())
}

fn setup(mut commands: Commands) {
    for player in 0..2 {
        let groups = SteeringGroups(RUNNERS);
        let place = Transform::from_xyz(100.0 * player as f32, 0.0, 0.0);
        commands.spawn((Runner(player), SteeringAgent::default(), ExternalMovement, groups, place));
    }
    for number in 0..6 {
        let place = Transform::from_xyz(-300.0, 40.0 * number as f32, 0.0);
        commands.spawn((Pursue::new(Target::Group(RUNNERS)), AvoidNeighbors::default(), Wander::default(), place));
    }
}

/// In a game: what the player presses.
fn read_input(mut commands: Commands, players: Res<LocalPlayers>, frame: Res<RollbackFrameCount>) {
    let inputs = players.0.iter().map(|&player| (player, (frame.0 / (20 + 9 * player as i32)) as u8 % 16));
    commands.insert_resource(LocalInputs::<Config>(inputs.collect::<HashMap<usize, u8>>()));
}

fn run(
    mut runners: Query<(&Runner, &mut Transform, &mut Velocity)>,
    inputs: Res<PlayerInputs<Config>>,
    time: Res<Time>,
) {
    for (runner, mut transform, mut velocity) in &mut runners {
        let angle = f32::from(inputs[runner.0].0) / 16.0 * std::f32::consts::TAU;
        velocity.0 = 90.0 * Vec2::new(ops::cos(angle), ops::sin(angle));
        transform.translation += (velocity.0 * time.delta_secs()).extend(0.0);
    }
}

/// Prints the first desynchronization, or that all is well; ends after 600 frames.
fn tell(mut session: ResMut<Session<Config>>, frame: Res<RollbackFrameCount>, mut exit: MessageWriter<AppExit>) {
    let Session::P2P(session) = &mut *session else { return };
    for event in session.events() {
        if let GgrsEvent::DesyncDetected { frame, .. } = event {
            println!("the checksums of frame {frame} differ");
            exit.write(AppExit::error());
        }
    }
    if frame.0 >= 600 {
        println!("600 frames, no checksum differs");
        exit.write(AppExit::Success);
    }
}

//! Three ways to approach a target: brake as late as possible, slow down within a radius, or not brake at all.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use stage::{Body, CROWD, OBSTACLE, PURSUER, QUARRY, Scene, SceneApp, Trail};

const AGENT: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 240.0, max_force: 400.0, radius: 11.0, response_time: 0.0 };
const SLOWING_RADIUS: f32 = 150.0;
/// The distance of the targets to the left and right of the middle.
const SIDE: f32 = 400.0;
/// How long the agents rest when they have arrived, seconds.
const REST: f32 = 1.5;

pub(crate) const SCENE: Scene = Scene {
    name: "arrive",
    about: "Three ways to approach a target: brake late, slow down within a radius, or not brake at all.",
    help: "Three identical agents leave dots at equal intervals of time.\n\
        The large circles show where they begin to slow down.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene.on_start(setup).add_systems(Update, turn_round);
}

fn setup(mut commands: Commands) {
    let braking_distance = AGENT.max_speed * AGENT.max_speed / (2.0 * AGENT.max_force);

    let target = lane(&mut commands, 230.0, "Arrive: brakes as late as it can", QUARRY);
    commands.entity(target).with_child(stage::ring(braking_distance, OBSTACLE));
    commands.spawn((Arrive::new(target), runner(230.0, QUARRY)));

    let target = lane(&mut commands, -10.0, "Arrive: slows down within a radius", CROWD);
    commands.entity(target).with_child(stage::ring(SLOWING_RADIUS, OBSTACLE));
    commands.spawn((Arrive::new(target).with_slowing_radius(SLOWING_RADIUS), runner(-10.0, CROWD)));

    let target = lane(&mut commands, -250.0, "Seek: runs past, and turns back", PURSUER);
    commands.spawn((Seek::new(target), runner(-250.0, PURSUER)));
}

/// Spawns a target, with a label above the path to it.
fn lane(commands: &mut Commands, y: f32, words: &str, color: Color) -> Entity {
    commands.spawn((stage::label(words, color), Transform::from_xyz(0.0, y + 36.0, 0.0)));
    commands.spawn((Goal, stage::ring(18.0, OBSTACLE), Transform::from_xyz(SIDE, y, -1.0))).id()
}

fn runner(y: f32, color: Color) -> impl Bundle {
    (AGENT, Body(color), Trail, Transform::from_xyz(-SIDE, y, 0.0))
}

#[derive(Component)]
struct Goal;

/// Moves all targets to the other side once the agents that arrive have rested.
fn turn_round(
    arrivals: Query<&Velocity, With<Arrive>>,
    mut goals: Query<&mut Transform, With<Goal>>,
    time: Res<Time>,
    mut rested: Local<f32>,
) {
    let at_rest = arrivals.iter().all(|velocity| velocity.length() < 1.0);
    *rested = if at_rest { *rested + time.delta_secs() } else { 0.0 };
    if *rested > REST {
        *rested = 0.0;
        for mut goal in &mut goals {
            goal.translation.x = -goal.translation.x;
        }
    }
}

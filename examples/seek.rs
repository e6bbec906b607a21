//! Agents of different mass seek the mouse. All have the same desired velocity, but heavier ones turn wider.

use bevy::prelude::*;
use bevy_steerling::behaviors::seek;
use bevy_steerling::prelude::*;
use stage::{Arrows, Body, Cursor, OBSTACLE, PURSUER, Scene, SceneApp};

const MASSES: [f32; 3] = [1.0, 2.0, 5.0];

pub(crate) const SCENE: Scene = Scene {
    name: "seek",
    about: "Agents of different mass seek the mouse and run past it.",
    help: "Move the mouse: agents of mass 1, 2 and 5 seek it and run past it.\n\
        Arrows: velocity (green), desired velocity (gray), force (orange).",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene.on_start(setup).add_systems(Update, show_desired_velocity);
}

fn setup(mut commands: Commands) {
    let cursor = commands.spawn((Cursor, stage::ring(9.0, OBSTACLE), Transform::from_xyz(240.0, 130.0, -1.0))).id();

    for (mass, y) in MASSES.into_iter().zip([160.0, 0.0, -160.0]) {
        commands.spawn((
            Seek::new(cursor),
            SteeringAgent { mass, max_speed: 260.0, max_force: 700.0, radius: 9.0 * mass.cbrt(), ..default() },
            Body(PURSUER),
            Arrows::default(),
            Transform::from_xyz(-420.0, y, 0.0),
        ));
    }
}

/// Shows the desired velocity of each agent, using Seek as a plain function.
fn show_desired_velocity(
    cursor: Single<&Transform, With<Cursor>>,
    mut agents: Query<(&Transform, &SteeringAgent, &mut Arrows)>,
) {
    for (transform, agent, mut arrows) in &mut agents {
        let to_cursor = (cursor.translation - transform.translation).truncate();
        arrows.desired = seek::desired_velocity(to_cursor, agent.max_speed);
    }
}

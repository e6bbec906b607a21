//! A crowd flees from the mouse and then returns to its places.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use stage::{Body, CROWD, Cursor, OBSTACLE, PURSUER, Scene, SceneApp};

const CROWD_SIZE: usize = 200;
const PANIC_DISTANCE: f32 = 110.0;

pub(crate) const SCENE: Scene = Scene {
    name: "flee",
    about: "A crowd flees from the mouse and then returns to its places.",
    help: "Move the mouse: agents within the circle, the panic distance, flee.\n\
        The others return to their places.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene.on_start(setup).add_systems(Update, stroll);
}

fn setup(mut commands: Commands) {
    let fright =
        commands.spawn((Cursor, stage::dot(9.0, PURSUER), children![stage::ring(PANIC_DISTANCE, OBSTACLE)])).id();

    for k in 0..CROWD_SIZE {
        // A sunflower pattern, with all agents facing outward.
        let outward = Quat::from_rotation_z(2.4 * k as f32);
        let home = outward * Vec3::X * 20.5 * (k as f32).sqrt();
        commands.spawn((
            Flee::new(fright).with_panic_distance(PANIC_DISTANCE).with_weight(4.0),
            Arrive::new(home.truncate()),
            SteeringAgent { max_speed: 160.0, max_force: 500.0, radius: 6.0, ..default() },
            FaceVelocity::default().with_turn_rate(8.0),
            Body(CROWD),
            Transform::from_translation(home).with_rotation(outward),
        ));
    }
}

/// Moves the red dot in a circle while the mouse is not in the window.
fn stroll(mut fright: Single<&mut Transform, With<Cursor>>, time: Res<Time>) {
    fright.translation = (Vec2::from_angle(0.5 * time.elapsed_secs()) * 180.0).extend(1.0);
}

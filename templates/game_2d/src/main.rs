//! A pursuer and its prey in a world that wraps.

use bevy::prelude::*;
use bevy_steerling::prelude::*;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, SteeringPlugin::default()))
        .insert_resource(SteeringBounds::wrap(Vec2::new(-640.0, -360.0), Vec2::new(640.0, 360.0)))
        .add_systems(Startup, setup)
        .run();
}

fn setup(mut commands: Commands) {
    commands.spawn(Camera2d);
    let prey =
        commands.spawn((Wander::default(), Sprite::from_color(Color::srgb(0.4, 0.7, 1.0), Vec2::splat(16.0)))).id();
    commands.spawn((
        Pursue::new(prey),
        SteeringAgent { max_speed: 120.0, ..default() },
        FaceVelocity::default(),
        Sprite::from_color(Color::srgb(1.0, 0.4, 0.4), Vec2::new(24.0, 12.0)),
        Transform::from_xyz(-400.0, 200.0, 0.0),
    ));
}

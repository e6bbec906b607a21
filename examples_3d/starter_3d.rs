//! A pursuer and its prey on the ground of a 3D world.

use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy_steerling::prelude::*;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, SteeringPlugin::default()))
        // Agents move on the ground.
        .insert_resource(SteeringPlane::XZ)
        .insert_resource(SteeringBounds::wrap(Vec2::splat(-10.0), Vec2::splat(10.0)))
        .add_systems(Startup, setup)
        .run();
}

fn setup(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut materials: ResMut<Assets<StandardMaterial>>) {
    let view = Transform::from_xyz(0.0, 16.0, 16.0).looking_at(Vec3::ZERO, Vec3::Y);
    // The default needs lookup tables, which are a feature of Bevy.
    commands.spawn((Camera3d::default(), Tonemapping::Reinhard, view));
    commands.spawn((DirectionalLight::default(), Transform::from_xyz(4.0, 8.0, 2.0).looking_at(Vec3::ZERO, Vec3::Y)));
    let ground = meshes.add(Plane3d::new(Vec3::Y, Vec2::splat(10.0)));
    commands.spawn((Mesh3d(ground), MeshMaterial3d(materials.add(Color::srgb(0.4, 0.5, 0.4)))));

    // Models look along -z.
    let model = meshes.add(Cuboid::new(0.6, 0.6, 1.0));
    let prey = commands
        .spawn((
            Wander::default(),
            SteeringAgent { max_speed: 2.0, max_force: 4.0, radius: 0.5, ..default() },
            FaceVelocity::default(),
            (Mesh3d(model.clone()), MeshMaterial3d(materials.add(Color::srgb(0.4, 0.7, 1.0)))),
            Transform::from_xyz(0.0, 0.3, 0.0),
        ))
        .id();
    commands.spawn((
        Pursue::new(prey),
        SteeringAgent { max_speed: 3.0, max_force: 4.0, radius: 0.5, ..default() },
        FaceVelocity::default(),
        (Mesh3d(model), MeshMaterial3d(materials.add(Color::srgb(1.0, 0.4, 0.4)))),
        Transform::from_xyz(-7.0, 0.3, 4.0),
    ));
}

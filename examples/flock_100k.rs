//! A hundred thousand birds drawn from one mesh, with the time per frame and per tick.

use bevy::prelude::*;
use bevy_steerling::agent::SteeringId;
use bevy_steerling::agent::random::SteeringRng;
use bevy_steerling::prelude::*;
use stage::{QUARRY, Scene, SceneApp, VIEW};

const BIRDS: usize = 100_000;
const BIRD: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 30.0, max_force: 90.0, radius: 0.8, response_time: 0.0 };
/// On average there are sixteen other birds within this distance.
const RADIUS: f32 = 6.85;

pub(crate) const SCENE: Scene = Scene {
    name: "flock_100k",
    about: "A hundred thousand birds, with the time per tick.",
    help: "A hundred thousand birds, each with about sixteen others in view.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .start_with(Time::<Fixed>::from_hz(30.0))
        .start_with(SteeringSeed(4))
        .start_with(SteeringBounds::wrap(-0.5 * VIEW, 0.5 * VIEW))
        .on_start(setup);
    stage::watch(scene, BIRDS, "bird", 36.0);
}

fn setup(
    mut commands: Commands,
    seed: Res<SteeringSeed>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let [tip, left, right] = [(1.6, 0.0), (-0.9, 0.8), (-0.9, -0.8)].map(|(x, y)| Vec2::new(x, y));
    let mesh = meshes.add(Triangle2d::new(tip, left, right));
    let material = materials.add(QUARRY);
    // Weak separation makes the flocks visible.
    let mut flock = Flock::default().with_radius(RADIUS);
    flock.separation.strength = Some(0.15 * BIRD.max_force);
    let mut random = SteeringRng::new(*seed, SteeringId::new(0), 1);
    for _ in 0..BIRDS {
        let place = (Vec2::new(random.uniform(), random.uniform()) - 0.5) * VIEW;
        let heading = Vec2::from_angle(random.uniform() * core::f32::consts::TAU);
        commands.spawn((
            flock.clone(),
            BIRD,
            FaceVelocity::default(),
            Velocity(heading * BIRD.max_speed * 0.7),
            Mesh2d(mesh.clone()),
            MeshMaterial2d(material.clone()),
            Transform::from_translation(place.extend(0.0)),
        ));
    }
}

//! Drones fly through a forest of pillars: some cross it in both directions, a patrol flies rounds, and one circles a tower.

use bevy::prelude::*;
use bevy_steerling_3d::behavior_prelude::*;
use bevy_steerling_3d::prelude::*;
use bevy_transform_interpolation::prelude::*;
use stage_3d::{AGENTS, GRASS, Orbit as Camera, STONE};

/// How many drones cross the forest in each direction.
const CROSSING: usize = 14;
const PATROL: usize = 5;

const RADIUS: f32 = 0.6;

/// The half size of the forest, m.
const FOREST: Vec2 = Vec2::new(20.0, 13.0);
const PILLARS: usize = 30;
const HEIGHT: f32 = 11.0;

/// The tower in the middle: its half size, m.
const TOWER: Vec3 = Vec3::new(1.3, 7.0, 1.3);

/// The round of the patrol.
const ROUND: [Vec3; 6] = [
    Vec3::new(-16.0, 3.0, 10.0),
    Vec3::new(0.0, 9.5, 11.0),
    Vec3::new(17.0, 4.0, 9.0),
    Vec3::new(16.0, 9.0, -9.0),
    Vec3::new(0.0, 2.5, -11.0),
    Vec3::new(-17.0, 8.0, -9.0),
];

/// A drone that goes to one side of the forest and then to the other.
#[derive(Component)]
struct Crosses;

fn main() -> AppExit {
    stage_3d::app("drones")
        .add_plugins(stage_3d::in_space)
        .add_systems(Startup, (build, launch))
        .add_observer(turn_back)
        .run()
}

/// Numbers from −1 to 1.
fn numbers(seed: u64) -> impl FnMut() -> f32 {
    let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 0);
    move || 2.0 * random.uniform() - 1.0
}

fn build(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut materials: ResMut<Assets<StandardMaterial>>) {
    let camera = Camera { center: Vec3::Y * 4.0, distance: 32.0, angle: 0.5, elevation: 0.27, speed: 0.05 };
    commands.spawn(camera.camera());

    let mut material = |color: Color| materials.add(StandardMaterial { perceptual_roughness: 0.9, ..color.into() });
    let [grass, stone, bark, leaves] =
        [GRASS, STONE, Color::srgb(0.40, 0.33, 0.27), Color::srgb(0.24, 0.40, 0.25)].map(&mut material);
    let ground = meshes.add(Plane3d::new(Vec3::Y, Vec2::splat(60.0)));
    commands.spawn((
        Obstacle::new(InfinitePlane3d::new(Vec3::Y)),
        (Mesh3d(ground), MeshMaterial3d(grass), Transform::default()),
    ));
    let tower = Cuboid { half_size: TOWER };
    commands.spawn((
        Obstacle::new(tower),
        (Mesh3d(meshes.add(tower)), MeshMaterial3d(stone.clone())),
        Transform::from_xyz(0.0, TOWER.y, 0.0),
    ));

    // Pillars at random places, far enough from each other and from the tower.
    let (mut number, mut places) = (numbers(3), vec![Vec2::ZERO]);
    while places.len() <= PILLARS {
        let place = Vec2::new(number(), number()) * FOREST;
        if places.iter().all(|other| other.distance(place) > 4.2) {
            places.push(place);
        }
    }
    let crown = meshes.add(Sphere::new(1.0));
    for place in &places[1..] {
        let (radius, height) = (0.5 + 0.2 * number(), HEIGHT + 2.0 * number());
        let trunk = Cylinder::new(radius, height);
        commands.spawn((
            Obstacle::new(trunk),
            (Mesh3d(meshes.add(trunk)), MeshMaterial3d(bark.clone())),
            Transform::from_xyz(place.x, 0.5 * height, place.y),
        ));
        let size = 0.95 + 0.2 * number();
        commands.spawn((
            Obstacle::new(Sphere::new(size)),
            (Mesh3d(crown.clone()), MeshMaterial3d(leaves.clone())),
            Transform::from_xyz(place.x, height, place.y).with_scale(Vec3::splat(size)),
        ));
    }
}

fn launch(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut materials: ResMut<Assets<StandardMaterial>>) {
    let (mut number, dark) = (numbers(5), materials.add(Color::srgb(0.16, 0.17, 0.2)));
    let colors = AGENTS.map(|color| materials.add(color));
    let [body, arm, rotor] = [
        meshes.add(Sphere::new(0.28)),
        meshes.add(Cuboid::new(1.0, 0.05, 0.07)),
        meshes.add(Cylinder::new(0.24, 0.03)),
    ];
    let drone = |color: usize| {
        let rotors = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
        let rotors = rotors.map(|(x, z)| {
            (Mesh3d(rotor.clone()), MeshMaterial3d(dark.clone()), Transform::from_xyz(0.35 * x, 0.07, 0.35 * z))
        });
        let [one, two, three, four] = rotors;
        let arm = |turn: f32| {
            let across = Transform::from_rotation(Quat::from_rotation_y(turn));
            (Mesh3d(arm.clone()), MeshMaterial3d(dark.clone()), across)
        };
        let hull = Transform::from_scale(Vec3::new(1.0, 0.6, 1.2));
        (
            (TransformInterpolation, Visibility::default()),
            FaceVelocity::default().with_turn_rate(3.0).with_banking(0.03),
            children![
                (Mesh3d(body.clone()), MeshMaterial3d(colors[color].clone()), hull),
                arm(0.785),
                arm(-0.785),
                one,
                two,
                three,
                four
            ],
        )
    };
    let agent = |max_speed: f32| {
        let body = SteeringAgent { max_speed, max_force: 10.0, radius: RADIUS, response_time: 0.1, ..default() };
        (body, AvoidObstacles::default(), AvoidNeighbors::default())
    };

    for index in 0..2 * CROSSING {
        let side = if index % 2 == 0 { -1.0 } else { 1.0 };
        let start = Vec3::new(side * (25.0 + 3.0 * number()), 4.5 + 3.0 * number(), 11.0 * number());
        commands.spawn((
            agent(5.0),
            (Crosses, Arrive::new(Vec3::new(-start.x, 4.5 + 3.0 * number(), 11.0 * number()))),
            (SteeringEvents::default(), Transform::from_translation(start)),
            drone(index % 2),
        ));
    }
    for index in 0..PATROL {
        let start = ROUND[0] + Vec3::new(-1.6, 0.0, 0.0) * index as f32;
        let round = FollowPath::new(ROUND).with_end(PathEnd::Loop).with_radius(2.0);
        commands.spawn((agent(4.0), round, Transform::from_translation(start), drone(2)));
    }
    let guard = Orbit::new(Vec3::Y * 9.0, 4.5);
    commands.spawn((agent(3.0), guard, Transform::from_xyz(8.0, 10.0, 0.0), drone(3)));
}

/// A drone that has arrived goes back to the other side.
fn turn_back(arrived: On<Arrived>, mut drones: Query<(&mut Arrive, &Transform), With<Crosses>>) {
    if let Ok((mut arrive, transform)) = drones.get_mut(arrived.entity) {
        let here = transform.translation;
        *arrive = Arrive::new(here * Vec3::new(-1.0, 1.0, -1.0));
    }
}

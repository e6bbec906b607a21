//! People walk over hills, around trees and through a door, in two loops. Others cross a bridge over the way.

use bevy::math::ops;
use bevy::prelude::*;
use bevy_steerling::debug::ShowSteering;
use bevy_steerling::prelude::*;
use bevy_transform_interpolation::prelude::*;
use stage_3d::{AGENTS, GRASS, Orbit, STONE};

const PEOPLE: usize = 60;
const CROSSING: usize = 10;
const RADIUS: f32 = 0.25;
const HEIGHT: f32 = 1.7;

/// The wall, along the x axis, with the door in the middle, m.
const WALL: f32 = 28.0;
const THICKNESS: f32 = 0.6;
const DOOR: f32 = 1.6;

/// The ways, as seen on a map: through the door, and back around an end of the wall.
const WAYS: [[Vec2; 7]; 2] = [way(1.0), way(-1.0)];

const fn way(side: f32) -> [Vec2; 7] {
    [
        Vec2::new(0.0, -7.0),
        Vec2::new(0.0, 7.0),
        Vec2::new(side * 7.0, 12.0),
        Vec2::new(side * 15.0, 9.0),
        Vec2::new(side * 18.0, 0.0),
        Vec2::new(side * 15.0, -9.0),
        Vec2::new(side * 7.0, -12.0),
    ]
}

/// The bridge: its place on the map along y, the length of its deck and of each ramp, its width and the height of the deck, m.
const BRIDGE: f32 = 4.5;
const DECK: f32 = 8.0;
const RAMP: f32 = 7.0;
const WIDTH: f32 = 2.2;
const ABOVE: f32 = 2.8;

/// The layer of the ramps, which only people on the ground avoid.
const RAMPS: GroupMask = GroupMask::bit(1);

/// Somebody who walks on the bridge.
#[derive(Component)]
struct OnBridge;

/// The places of the trees on the map.
const TREES: [Vec2; 8] = [
    Vec2::new(6.0, 10.8),
    Vec2::new(-9.5, 11.6),
    Vec2::new(16.6, 5.0),
    Vec2::new(-16.2, 5.6),
    Vec2::new(15.8, -6.0),
    Vec2::new(-10.5, -10.2),
    Vec2::new(10.0, -13.5),
    Vec2::new(-19.0, -4.0),
];

fn main() -> AppExit {
    stage_3d::app("ground_crowd")
        // Those on the bridge and those below it do not see each other.
        .insert_resource(SteeringPlane::XZ.with_floor_height(0.5 * ABOVE))
        .add_systems(Startup, (build, build_bridge, settle))
        .add_systems(
            FixedUpdate,
            (stage_3d::stand_on::<Without<OnBridge>>(ground), stage_3d::stand_on::<With<OnBridge>>(bridge))
                .after(RunSteeringSystems),
        )
        .run()
}

/// The height of the ground at a place on the map: hills, and level ground along the wall.
fn ground(place: Vec2) -> f32 {
    let hills = 1.1 * ops::sin(0.24 * place.x + 0.6) * ops::cos(0.2 * place.y) - 0.5 * ops::cos(0.13 * place.x);
    let from_wall = place.y.abs().max(place.x.abs() - 0.5 * WALL);
    let share = ((from_wall - 1.5) / 6.0).clamp(0.0, 1.0);
    hills * share * share * (3.0 - 2.0 * share)
}

/// The height of the bridge at a place on the map, and of the ground before its ramps.
fn bridge(place: Vec2) -> f32 {
    let share = ((0.5 * DECK + RAMP - place.x.abs()) / RAMP).clamp(0.0, 1.0);
    ground(place) * (1.0 - share) + ABOVE * share
}

fn build(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    plane: Res<SteeringPlane>,
) {
    let camera = Orbit { center: Vec3::ZERO, distance: 30.0, angle: 0.5, elevation: 0.55, speed: 0.05 };
    commands.spawn(camera.camera());

    let mut material = |color: Color| materials.add(StandardMaterial { perceptual_roughness: 0.9, ..color.into() });
    let [grass, stone, bark, leaves] =
        [GRASS, STONE, Color::srgb(0.36, 0.26, 0.18), Color::srgb(0.22, 0.38, 0.22)].map(&mut material);
    let terrain = stage_3d::terrain(Vec2::new(60.0, 60.0), 0.75, ground);
    commands.spawn((Mesh3d(meshes.add(terrain)), MeshMaterial3d(grass)));

    let length = 0.5 * (WALL - DOOR);
    let wall = meshes.add(Cuboid::new(length, 2.6, THICKNESS));
    for side in [-1.0, 1.0] {
        commands.spawn((
            Obstacle::new(Rectangle::new(length, THICKNESS)),
            (Transform::from_xyz(side * 0.5 * (DOOR + length), 0.0, 0.0), Visibility::default()),
            children![(Mesh3d(wall.clone()), MeshMaterial3d(stone.clone()), Transform::from_xyz(0.0, 1.3, 0.0))],
        ));
    }
    let lintel = meshes.add(Cuboid::new(DOOR, 0.4, THICKNESS));
    commands.spawn((Mesh3d(lintel), MeshMaterial3d(stone), Transform::from_xyz(0.0, 2.4, 0.0)));

    let [trunk, crown] = [meshes.add(Cylinder::new(0.35, 2.4)), meshes.add(Sphere::new(1.3))];
    for place in TREES {
        commands.spawn((
            Obstacle::new(Circle::new(0.4)),
            (Mesh3d(trunk.clone()), MeshMaterial3d(bark.clone())),
            Transform::from_translation(plane.to_world(place, ground(place) + 1.0)),
            children![(Mesh3d(crown.clone()), MeshMaterial3d(leaves.clone()), Transform::from_xyz(0.0, 1.9, 0.0))],
        ));
    }
}

fn build_bridge(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    plane: Res<SteeringPlane>,
) {
    let [planks, stone] = [Color::srgb(0.55, 0.42, 0.28), STONE].map(|color| materials.add(color));
    // From one end to the other.
    let ends = [0.5 * DECK + RAMP, 0.5 * DECK, -0.5 * DECK, -0.5 * DECK - RAMP].map(|x| Vec2::new(x, BRIDGE));
    for piece in ends.windows(2) {
        let [from, to] = [piece[0], piece[1]].map(|place| plane.to_world(place, bridge(place) - 0.1));
        let floor = Transform::from_translation(0.5 * (from + to)).looking_at(to, Vec3::Y);
        let mesh = meshes.add(Cuboid::new(WIDTH, 0.2, from.distance(to)));
        commands.spawn((Mesh3d(mesh), MeshMaterial3d(planks.clone()), floor));
    }
    for side in [-0.5, 0.5] {
        let middle = plane.to_world(Vec2::new(side * (DECK + RAMP), BRIDGE), 0.0);
        let ramp = Obstacle::new(Rectangle::new(RAMP, WIDTH)).with_layers(RAMPS);
        commands.spawn((ramp, Transform::from_translation(middle)));
    }
    let [rail, pillar] = [meshes.add(Cuboid::new(DECK, 0.9, 0.08)), meshes.add(Cylinder::new(0.2, ABOVE + 1.0))];
    for side in [-0.5 * WIDTH, 0.5 * WIDTH] {
        commands.spawn((
            Obstacle::new(Rectangle::new(DECK, 0.08)),
            (Mesh3d(rail.clone()), MeshMaterial3d(planks.clone())),
            Transform::from_translation(plane.to_world(Vec2::new(0.0, BRIDGE + side), ABOVE + 0.45)),
        ));
        for end in [-0.5 * DECK, 0.5 * DECK] {
            commands.spawn((
                Obstacle::new(Circle::new(0.2)),
                (Mesh3d(pillar.clone()), MeshMaterial3d(stone.clone())),
                Transform::from_translation(plane.to_world(Vec2::new(end, BRIDGE + side), 0.5 * ABOVE - 0.6)),
            ));
        }
    }
}

fn settle(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    plane: Res<SteeringPlane>,
) {
    let body = meshes.add(Capsule3d::new(RADIUS, HEIGHT - 2.0 * RADIUS));
    let hat = meshes.add(Cuboid::new(0.3, 0.08, 0.42));
    let colors = AGENTS.map(|color| materials.add(color));
    let dark = materials.add(Color::srgb(0.15, 0.15, 0.18));
    let person = |number: usize, place: Vec3, ahead: Vec2, layers: GroupMask| {
        (
            (AvoidObstacles { layers, ..default() }, Solid { layers }, FaceVelocity::default().with_turn_rate(6.0)),
            SteeringAgent { max_speed: 1.1 + 0.1 * (number % 5) as f32, max_force: 5.0, radius: RADIUS, ..default() },
            Transform::from_translation(place).with_rotation(plane.rotation_to(ahead)),
            (TransformInterpolation, Visibility::default(), ShowSteering(number.is_multiple_of(20))),
            children![
                (
                    Mesh3d(body.clone()),
                    MeshMaterial3d(colors[number % colors.len()].clone()),
                    Transform::from_xyz(0.0, 0.5 * HEIGHT, 0.0),
                ),
                // The peak of the cap points ahead.
                (Mesh3d(hat.clone()), MeshMaterial3d(dark.clone()), Transform::from_xyz(0.0, 0.9 * HEIGHT, -0.16)),
            ],
        )
    };
    let paths = WAYS.map(SteeringPath::new);
    for number in 0..PEOPLE {
        // In rows before the door.
        let (row, column) = (number / 6, number % 6);
        let place = Vec2::new(0.9 * column as f32 - 2.25, -3.0 - 0.9 * row as f32);
        commands.spawn((
            person(number, plane.to_world(place, 0.0), Vec2::Y, GroupMask::DEFAULT | RAMPS),
            FollowPath::new(&paths[number % 2]).with_end(PathEnd::Loop).with_radius(1.2),
            Queue::default(),
        ));
    }
    let end = Vec2::new(0.5 * DECK + RAMP + 1.5, 0.0);
    for number in 0..CROSSING {
        let ahead = if number.is_multiple_of(2) { Vec2::X } else { Vec2::NEG_X };
        let place = Vec2::new(2.0 * (number / 2) as f32 - 8.0, 0.0) * ahead.x + Vec2::new(0.0, BRIDGE);
        let [from, to] = [-end, end].map(|end| Vec2::new(0.0, BRIDGE) + end * ahead.x);
        let walker = person(number, plane.to_world(place, bridge(place)), ahead, GroupMask::DEFAULT);
        let way = FollowPath::new([from, to]).with_end(PathEnd::PingPong).with_radius(0.6);
        commands.spawn((walker, way, AvoidNeighbors::default(), OnBridge));
    }
}

//! Cars with turning circles drive on a loop of road over hills.

use bevy::asset::RenderAssetUsages;
use bevy::math::ops;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy_steerling::debug::ShowSteering;
use bevy_steerling::prelude::*;
use bevy_transform_interpolation::prelude::*;
use stage_3d::{AGENTS, GRASS, Orbit, STONE};

const CARS: usize = 14;
/// The size of a car, m.
const LENGTH: f32 = 4.2;
const WIDTH: f32 = 1.8;
const HEIGHT: f32 = 1.4;

/// The corners of the loop, as seen on a map, m.
const LOOP: [Vec2; 10] = [
    Vec2::new(-48.0, -20.0),
    Vec2::new(-50.0, 12.0),
    Vec2::new(-30.0, 28.0),
    Vec2::new(-12.0, 12.0),
    Vec2::new(6.0, 6.0),
    Vec2::new(20.0, 24.0),
    Vec2::new(44.0, 22.0),
    Vec2::new(48.0, -8.0),
    Vec2::new(20.0, -22.0),
    Vec2::new(-12.0, -30.0),
];
/// The number of points of the path between two corners.
const FINE: usize = 8;
const ROAD: f32 = 7.0;
/// The height of the road above the ground, m.
const ABOVE: f32 = 0.12;

fn main() -> AppExit {
    stage_3d::app("cars_3d")
        .add_systems(Startup, (build, start))
        .add_systems(FixedUpdate, stage_3d::stand_on::<()>(|place| ground(place) + ABOVE).after(RunSteeringSystems))
        .run()
}

/// The height of the ground at a place on the map.
fn ground(place: Vec2) -> f32 {
    2.2 * ops::sin(0.06 * place.x + 0.4) * ops::cos(0.07 * place.y)
}

/// The points of the loop, on a smooth line through its corners.
fn road() -> Vec<Vec2> {
    let curve = CubicCardinalSpline::new_catmull_rom(LOOP).to_curve_cyclic();
    curve.map_or(LOOP.to_vec(), |curve| {
        let mut points: Vec<Vec2> = curve.iter_positions(LOOP.len() * FINE).collect();
        // The last point is the first one again.
        points.pop();
        points
    })
}

/// A strip of this width along a closed line on the ground, slightly above it.
fn strip(points: &[Vec2], width: f32, plane: &SteeringPlane) -> Mesh {
    let count = points.len();
    let mut places = Vec::new();
    let mut corners = Vec::new();
    for k in 0..count {
        let left = (points[(k + 1) % count] - points[(k + count - 1) % count]).normalize_or_zero().perp();
        for side in [0.5, -0.5] {
            let place = points[k] + left * side * width;
            places.push(plane.to_world(place, ground(place) + ABOVE).to_array());
        }
        let (near, far) = (2 * k as u32, 2 * ((k + 1) % count) as u32);
        corners.extend([near, near + 1, far, far, near + 1, far + 1]);
    }
    let normals = vec![[0.0, 1.0, 0.0]; places.len()];
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_indices(Indices::U32(corners))
}

fn build(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    plane: Res<SteeringPlane>,
) {
    let camera = Orbit { center: Vec3::ZERO, distance: 78.0, angle: 0.3, elevation: 0.6, speed: 0.04 };
    commands.spawn(camera.camera());
    let mut material = |color: Color| materials.add(StandardMaterial { perceptual_roughness: 0.9, ..color.into() });
    let [grass, asphalt, line] = [GRASS, STONE.darker(0.2), Color::srgb(0.85, 0.85, 0.80)].map(&mut material);
    let terrain = stage_3d::terrain(Vec2::new(140.0, 140.0), 1.5, ground);
    commands.spawn((Mesh3d(meshes.add(terrain)), MeshMaterial3d(grass)));
    let points = road();
    commands.spawn((Mesh3d(meshes.add(strip(&points, ROAD, &plane))), MeshMaterial3d(asphalt)));
    let above = Transform::from_xyz(0.0, 0.03, 0.0);
    commands.spawn((Mesh3d(meshes.add(strip(&points, 0.2, &plane))), MeshMaterial3d(line), above));
}

fn start(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    plane: Res<SteeringPlane>,
) {
    let body = meshes.add(Cuboid::new(WIDTH, 0.6, LENGTH));
    let cabin = meshes.add(Cuboid::new(WIDTH - 0.3, 0.6, 0.45 * LENGTH));
    let wheel = meshes.add(Cylinder::new(0.36, 0.25));
    let colors = AGENTS.map(|color| materials.add(color));
    let dark = materials.add(Color::srgb(0.10, 0.10, 0.12));
    let path = SteeringPath::new(road());
    for number in 0..CARS {
        let points = path.points();
        let at = 5 * number % points.len();
        let heading = (points[(at + 1) % points.len()] - points[at]).normalize_or_zero();
        commands
            .spawn((
                FollowPath::new(&path).with_end(PathEnd::Loop).with_radius(0.3 * ROAD),
                ClassicQueue::default().with_look_ahead(5.0).with_radius(3.5),
                BodyLimits::default()
                    .with_min_turning_radius(5.0)
                    .with_max_acceleration(4.0)
                    .with_max_braking(8.0)
                    .with_heading(heading),
                SteeringAgent { max_speed: 12.0 + 2.0 * (number % 4) as f32, max_force: 9.0, radius: 1.5, ..default() },
                FaceVelocity::default(),
                Transform::from_translation(plane.to_world(points[at], 0.0)).with_rotation(plane.rotation_to(heading)),
                (TransformInterpolation, Visibility::default(), ShowSteering(number % 5 == 0)),
            ))
            .with_children(|car| {
                let color = colors[number % colors.len()].clone();
                car.spawn((Mesh3d(body.clone()), MeshMaterial3d(color), Transform::from_xyz(0.0, 0.65, 0.0)));
                let above = Transform::from_xyz(0.0, HEIGHT - 0.2, 0.25);
                car.spawn((Mesh3d(cabin.clone()), MeshMaterial3d(dark.clone()), above));
                for (x, z) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
                    let place = Transform::from_xyz(0.5 * x * WIDTH, 0.36, 0.32 * z * LENGTH);
                    let place = place.with_rotation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2));
                    car.spawn((Mesh3d(wheel.clone()), MeshMaterial3d(dark.clone()), place));
                }
            });
    }
}

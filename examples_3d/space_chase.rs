//! Raiders in a wedge chase smugglers through a field of asteroids, past a freighter inside a sphere of escorts.

use std::f32::consts::{FRAC_PI_2, TAU};

use bevy::prelude::*;
use bevy_steerling_3d::behavior_prelude::*;
use bevy_steerling_3d::prelude::*;
use bevy_transform_interpolation::prelude::*;
use stage_3d::{AGENTS, Orbit as Camera};

const ASTEROIDS: usize = 40;
const SMUGGLERS: usize = 4;
const RAIDERS: usize = 8;
const ESCORTS: usize = 14;
const STARS: usize = 500;

/// The size of a fighter, as its radius.
const RADIUS: f32 = 0.6;

/// The half size of the field of asteroids.
const FIELD: Vec3 = Vec3::new(26.0, 8.0, 20.0);

/// The round of the smugglers through the field.
const ROUND: [Vec3; 7] = [
    Vec3::new(-20.0, 3.0, 10.0),
    Vec3::new(-6.0, -5.0, 14.0),
    Vec3::new(10.0, 4.0, 12.0),
    Vec3::new(21.0, -2.0, 0.0),
    Vec3::new(10.0, 5.0, -13.0),
    Vec3::new(-8.0, -4.0, -12.0),
    Vec3::new(-22.0, 2.0, -4.0),
];

/// The lane of the freighter, which stays clear of asteroids.
const LANE: [Vec3; 2] = [Vec3::new(-34.0, 1.0, 3.0), Vec3::new(34.0, -1.0, -1.0)];

/// How long raiders chase at full speed, and how long they fall back after that, seconds.
const CHASE: f32 = 8.0;
const REST: f32 = 4.0;

/// The leader of the raiders.
#[derive(Component)]
struct Raider;

fn main() -> AppExit {
    stage_3d::app("space_chase")
        .add_plugins(stage_3d::in_space)
        .insert_resource(ClearColor(Color::srgb(0.01, 0.012, 0.03)))
        .insert_resource(GlobalAmbientLight { brightness: 160.0, ..default() })
        .add_systems(Startup, (build, launch))
        .add_systems(FixedUpdate, tire.before(RunSteeringSystems))
        .run()
}

/// Random vectors in a cube from −1 to 1.
fn vectors(seed: u64) -> impl FnMut() -> Vec3 {
    let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 0);
    move || Vec3::from_array([(); 3].map(|()| 2.0 * random.uniform() - 1.0))
}

fn build(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut materials: ResMut<Assets<StandardMaterial>>) {
    let camera = Camera { center: Vec3::ZERO, distance: 36.0, angle: 0.3, elevation: 0.45, speed: 0.04 };
    commands.spawn(camera.camera());

    let rock = materials.add(StandardMaterial { perceptual_roughness: 1.0, ..Color::srgb(0.42, 0.38, 0.34).into() });
    let mut vector = vectors(2);
    let mut rocks: Vec<(Vec3, f32)> = Vec::new();
    while rocks.len() < ASTEROIDS {
        let (place, size) = (vector() * FIELD, 1.1 + 0.5 * vector().x);
        let lane = LANE[0] + (LANE[1] - LANE[0]) * ((place.x - LANE[0].x) / (LANE[1].x - LANE[0].x));
        let is_clear = |(other, radius): &(Vec3, f32)| other.distance(place) > radius + size + 3.0;
        if lane.distance(place) > size + 5.0 && rocks.iter().all(is_clear) {
            rocks.push((place, size));
        }
    }
    for (place, size) in rocks {
        // A rock is the convex hull of points near a ball.
        let points = (0..40).map(|_| vector().normalize_or(Vec3::X) * size * (1.0 - 0.15 * vector().x));
        let Ok(hull) = ConvexHull::new(points) else { continue };
        commands.spawn((
            (Mesh3d(meshes.add(mesh(&hull))), MeshMaterial3d(rock.clone())),
            (Obstacle::new(hull), Transform::from_translation(place)),
        ));
    }

    let star = meshes.add(Sphere::new(0.35).mesh().ico(1).expect("few vertices"));
    let light = materials.add(StandardMaterial { unlit: true, ..Color::srgb(0.8, 0.82, 0.9).into() });
    for _ in 0..STARS {
        let place = vector().normalize_or(Vec3::X) * 240.0;
        let size = Transform::from_translation(place).with_scale(Vec3::splat(1.0 + 0.6 * vector().x));
        commands.spawn((Mesh3d(star.clone()), MeshMaterial3d(light.clone()), size));
    }
}

/// The surface of a rock, with sharp edges.
fn mesh(hull: &ConvexHull) -> Mesh {
    let corners: Vec<Vec3> = hull.triangles().flatten().collect();
    let mut mesh = Mesh::new(bevy::mesh::PrimitiveTopology::TriangleList, default());
    mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, corners);
    mesh.compute_flat_normals();
    mesh
}

/// The meshes and colors of ships.
struct Yard {
    hull: Handle<Mesh>,
    wing: Handle<Mesh>,
    engine: Handle<Mesh>,
    glow: Handle<StandardMaterial>,
    colors: [Handle<StandardMaterial>; 4],
}

impl Yard {
    /// A ship of this length that looks along −z.
    fn ship(&self, color: usize, length: f32) -> impl Bundle {
        let color = &self.colors[color];
        let hull =
            Transform::from_rotation(Quat::from_rotation_x(-FRAC_PI_2)).with_scale(Vec3::new(0.32, 1.0, 0.22) * length);
        let wing = Transform::from_xyz(0.0, 0.0, 0.22 * length).with_scale(Vec3::new(1.0, 0.05, 0.3) * length);
        let engine = Transform::from_xyz(0.0, 0.0, 0.5 * length).with_scale(Vec3::splat(0.18 * length));
        children![
            (Mesh3d(self.hull.clone()), MeshMaterial3d(color.clone()), hull),
            (Mesh3d(self.wing.clone()), MeshMaterial3d(color.clone()), wing),
            (Mesh3d(self.engine.clone()), MeshMaterial3d(self.glow.clone()), engine)
        ]
    }
}

/// A ship with this speed, which avoids asteroids and other ships.
fn pilot(max_speed: f32, radius: f32, place: Vec3) -> impl Bundle {
    (
        SteeringAgent { max_speed, max_force: 2.0 * max_speed, radius, response_time: 0.1, ..default() },
        (AvoidObstacles::default(), AvoidNeighbors::default()),
        (FaceVelocity::default().with_turn_rate(3.0).with_banking(0.04), Transform::from_translation(place)),
        (TransformInterpolation, Visibility::default()),
    )
}

fn launch(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut materials: ResMut<Assets<StandardMaterial>>) {
    let yard = Yard {
        hull: meshes.add(Cone::new(0.5, 1.0)),
        wing: meshes.add(Cuboid::new(1.0, 1.0, 1.0)),
        engine: meshes.add(Sphere::new(0.5)),
        glow: materials.add(StandardMaterial { unlit: true, ..Color::srgb(1.0, 0.75, 0.4).into() }),
        colors: AGENTS.map(|color| materials.add(color)),
    };
    let mut vector = vectors(4);

    let round = FollowPath::new(ROUND).with_end(PathEnd::Loop).with_radius(2.0);
    let leader = (Formation::new(Pattern::Line).with_spacing(2.8), pilot(5.5, RADIUS, ROUND[0]), yard.ship(1, 2.1));
    let smuggler = commands.spawn((leader, round)).id();
    for _ in 1..SMUGGLERS {
        let place = ROUND[0] + vector() * 4.0;
        commands.spawn((InFormation(smuggler), pilot(7.5, RADIUS, place), yard.ship(1, 1.6)));
    }

    let start = ROUND[0] - Vec3::new(16.0, 0.0, 2.0);
    let leader = (Formation::new(Pattern::Wedge).with_spacing(2.4), pilot(6.5, RADIUS, start), yard.ship(0, 2.1));
    let raider = commands.spawn((leader, Pursue::new(smuggler), Raider)).id();
    for _ in 1..RAIDERS {
        let place = start + vector() * 5.0;
        commands.spawn((InFormation(raider), pilot(9.0, RADIUS, place), yard.ship(0, 1.6)));
    }

    let lane = FollowPath::new(LANE).with_end(PathEnd::PingPong);
    let freighter = (Formation::new(Pattern::Sphere).with_spacing(2.8), pilot(2.0, 1.6, LANE[0]), yard.ship(2, 6.0));
    let freighter = commands.spawn((freighter, lane)).id();
    for number in 0..ESCORTS {
        let turn = Quat::from_rotation_x(TAU * number as f32 / ESCORTS as f32);
        let place = LANE[0] + turn * Vec3::new(0.0, 6.0, 0.0);
        commands.spawn((InFormation(freighter), pilot(4.0, RADIUS, place), yard.ship(3, 1.4)));
    }
}

/// Raiders cannot keep up their speed for long.
fn tire(mut raiders: Query<&mut SteeringAgent, With<Raider>>, time: Res<Time>) {
    for mut raider in &mut raiders {
        let max_speed = if time.elapsed_secs() % (CHASE + REST) < CHASE { 6.5 } else { 3.5 };
        if raider.max_speed != max_speed {
            raider.max_speed = max_speed;
        }
    }
}

//! A school of fish flees from a shark, which two pilot fish accompany.

use std::f32::consts::FRAC_PI_2;

use bevy::pbr::{DistanceFog, FogFalloff};
use bevy::prelude::*;
use bevy_steerling_3d::behavior_prelude::*;
use bevy_steerling_3d::debug::ShowSteering;
use bevy_steerling_3d::prelude::*;
use bevy_transform_interpolation::prelude::*;
use stage_3d::{AGENTS, Orbit};

const FISH: usize = 160;

/// The half size of the water, m.
const WATER: Vec3 = Vec3::new(11.0, 5.0, 11.0);

const SCHOOL: GroupMask = GroupMask::bit(0);
const SHARKS: GroupMask = GroupMask::bit(1);

/// The color of deep water.
const BLUE: Color = Color::srgb(0.06, 0.28, 0.42);

fn main() -> AppExit {
    stage_3d::app("fish")
        .add_plugins(stage_3d::in_space)
        .add_steering_behavior::<StayInWater>()
        .insert_resource(ClearColor(BLUE))
        .add_systems(Startup, (build, settle))
        .add_systems(FixedUpdate, hunt.before(RunSteeringSystems))
        .run()
}

/// Turns back to the water before it leaves it.
#[derive(Component)]
#[require(SteeringAgent)]
struct StayInWater;

/// How far ahead in time it looks, seconds.
const FORESIGHT: f32 = 1.2;

impl SteeringBehavior for StayInWater {
    type State = Stateless;
    type Param = ();

    fn wish(&self, _: &mut Stateless, agent: &Agent, (): &SystemParamItem<Self::Param>) -> Wish {
        let ahead = agent.position + agent.velocity * FORESIGHT;
        let inside = ahead.clamp(-WATER, WATER);
        if ahead == inside { Wish::Nothing } else { Wish::seek(inside - ahead) }
    }

    fn weight(&self) -> f32 {
        1.5
    }
}

fn build(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut materials: ResMut<Assets<StandardMaterial>>) {
    let camera = Orbit { center: Vec3::ZERO, distance: 19.0, angle: 0.4, elevation: 0.14, speed: 0.06 };
    let fog = DistanceFog { color: BLUE, falloff: FogFalloff::Linear { start: 10.0, end: 60.0 }, ..default() };
    commands.spawn((camera.camera(), fog));
    let sand = materials.add(StandardMaterial { perceptual_roughness: 1.0, ..Color::srgb(0.45, 0.46, 0.36).into() });
    let ground = meshes.add(Plane3d::new(Vec3::Y, Vec2::splat(80.0)));
    commands.spawn((Mesh3d(ground), MeshMaterial3d(sand), Transform::from_xyz(0.0, -WATER.y - 1.0, 0.0)));
}

/// A fish of this length along -z: its body and its tail.
fn fish(body: Handle<Mesh>, tail: Handle<Mesh>, material: Handle<StandardMaterial>, length: f32) -> impl Bundle {
    let slim = Transform::from_scale(Vec3::new(0.16, 0.3, 0.8) * length);
    let flat = Transform::from_xyz(0.0, 0.0, 0.42 * length)
        .with_rotation(Quat::from_rotation_x(-FRAC_PI_2))
        .with_scale(Vec3::new(0.08, 0.3, 0.34) * length);
    children![(Mesh3d(body), MeshMaterial3d(material.clone()), slim), (Mesh3d(tail), MeshMaterial3d(material), flat)]
}

fn settle(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut materials: ResMut<Assets<StandardMaterial>>) {
    let [body, tail] = [meshes.add(Sphere::new(0.5)), meshes.add(Cone::new(0.5, 1.0))];
    let colors = AGENTS.map(|color| materials.add(color));
    let gray = materials.add(Color::srgb(0.36, 0.42, 0.48));
    let mut random = SteeringRng::new(SteeringSeed(7), SteeringId::new(0), 0);
    let mut number = || random.uniform() - 0.5;
    // Two body lengths apart.
    let school = Flock::default()
        .with_separation(FlockPart::default().with_radius(1.1))
        .with_alignment(FlockPart::default().with_radius(2.5).with_strength(4.0))
        .with_cohesion(FlockPart::default().with_radius(4.0).with_strength(2.0))
        .with_groups(SCHOOL);
    for index in 0..FISH {
        let place = Vec3::new(number(), number(), number()) * Vec3::new(9.0, 5.0, 9.0);
        let velocity = Vec3::new(number(), 0.3 * number(), number()) * 4.0;
        commands.spawn((
            SteeringAgent { max_speed: 3.2, max_force: 7.0, radius: 0.25, response_time: 0.3, ..default() },
            (SteeringGroups(SCHOOL), Velocity(velocity), Transform::from_translation(place)),
            (school.clone(), Wander::default().with_weight(0.1), StayInWater),
            Evade::new(Target::Group(SHARKS)).with_panic_distance(4.0).with_weight(2.0),
            FaceVelocity::default().with_turn_rate(5.0).with_banking(0.06),
            (TransformInterpolation, Visibility::default(), ShowSteering(index % 20 == 0)),
            fish(body.clone(), tail.clone(), colors[index % colors.len()].clone(), 0.6),
        ));
    }
    let shark = commands
        .spawn((
            SteeringAgent { max_speed: 4.0, max_force: 6.0, radius: 0.9, ..default() },
            (SteeringGroups(SHARKS), Transform::from_xyz(-10.0, 1.0, 6.0)),
            (Pursue::new(Target::Group(SCHOOL)), StayInWater),
            FaceVelocity::default().with_turn_rate(2.5).with_banking(0.1),
            (TransformInterpolation, Visibility::default()),
            fish(body.clone(), tail.clone(), gray.clone(), 3.2),
        ))
        .id();
    for side in [-1.0, 1.0] {
        commands.spawn((
            SteeringAgent { max_speed: 5.0, max_force: 12.0, radius: 0.2, ..default() },
            (SteeringGroups(GroupMask::NONE), Transform::from_xyz(-11.0, 1.0, 6.0 + side)),
            // Behind its head, beside it and above.
            OffsetPursuit::new(shark, Vec3::new(0.3, 0.9 * side, 0.7)),
            FaceVelocity::default().with_turn_rate(6.0).with_banking(0.06),
            (TransformInterpolation, Visibility::default()),
            fish(body.clone(), tail.clone(), gray.clone(), 0.5),
        ));
    }
}

/// A hungry shark is fast only for a while: it takes turns at hunting and at cruising.
fn hunt(mut sharks: Query<&mut SteeringAgent, With<Pursue>>, time: Res<Time>) {
    for mut shark in &mut sharks {
        let max_speed = if time.elapsed_secs() % 9.0 < 6.0 { 4.0 } else { 2.2 };
        if shark.max_speed != max_speed {
            shark.max_speed = max_speed;
        }
    }
}

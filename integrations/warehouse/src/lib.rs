//! A crowd of rigid bodies in a warehouse. It pushes crates aside, avoids walls and a turnstile, and is thrown back by blasts.
//!
//! This is the scene without a renderer, so that the tests run the same simulation as the window.

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_steerling::prelude::*;
use bevy_steerling_avian::{Avian2dSteeringPlugin, ColliderObstacle};

/// The bodies of the crowd. The mass is that of the rigid body, and the radius is that of its collider.
pub const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 90.0, max_force: 500.0, radius: 6.0, response_time: 0.0 };

/// The number of agents.
pub const CROWD_SIZE: usize = 160;

/// The size of the hall, units.
pub const HALL: Vec2 = Vec2::new(1000.0, 600.0);

/// The thickness of walls, units.
pub const WALL: f32 = 20.0;

/// The width of the gate between the halves of the hall, units.
const GATE: f32 = 150.0;

/// The turnstile turns all the time. Agents avoid obstacles of all layers, but a field depends on the default layer only, so it is not
/// computed again in every tick.
const TURNSTILE_LAYER: GroupMask = GroupMask::bit(1);

/// The goal of the crowd, units.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Goal(pub Vec2);

/// A rectangular body that is not an agent.
#[derive(Component)]
pub struct Block {
    /// The kind of body.
    pub kind: BlockKind,
    /// Its width and height, units.
    pub size: Vec2,
}

/// The kinds of rectangular bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A wall or a pillar: a static body, and an obstacle.
    Wall,
    /// A dynamic body, which the crowd pushes aside. Dynamic bodies are not obstacles.
    Crate,
    /// A bar of the turnstile: a kinematic body, and an obstacle that turns.
    Bar,
}

impl Block {
    /// A block at a position, with its rigid body and its collider.
    fn bundle(kind: BlockKind, place: Vec2, size: Vec2) -> impl Bundle {
        let body = match kind {
            BlockKind::Wall => RigidBody::Static,
            BlockKind::Crate => RigidBody::Dynamic,
            BlockKind::Bar => RigidBody::Kinematic,
        };
        let transform = Transform::from_translation(place.extend(0.0));
        (Self { kind, size }, body, Collider::rectangle(size.x, size.y), transform)
    }
}

/// Pushes away everything around a position.
#[derive(Event, Clone, Copy, Debug)]
pub struct Blast(pub Vec2);

/// The flow field of the crowd.
#[derive(Component)]
struct CrowdField;

/// The crowd, the warehouse, and the engine.
pub struct WarehousePlugin;

impl Plugin for WarehousePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PhysicsPlugins::default().set(PhysicsInterpolationPlugin::interpolate_all()))
            .add_plugins((SteeringPlugin::default(), Avian2dSteeringPlugin::default()))
            .insert_resource(Gravity::ZERO)
            .insert_resource(Goal(Vec2::new(0.36 * HALL.x, 0.0)))
            .add_systems(Startup, (spawn_hall, spawn_crates, spawn_crowd))
            .add_systems(FixedUpdate, set_field.before(RunSteeringSystems))
            .add_observer(blast);
    }
}

fn spawn_hall(mut commands: Commands) {
    let (x, y) = (0.5 * (HALL.x + WALL), 0.5 * (HALL.y + WALL));
    let beside_gate = Vec2::new(WALL, 0.5 * (HALL.y - GATE));
    let center = Vec2::Y * 0.25 * (HALL.y + GATE);
    let walls = [
        (Vec2::new(-x, 0.0), Vec2::new(WALL, HALL.y + 2.0 * WALL)),
        (Vec2::new(x, 0.0), Vec2::new(WALL, HALL.y + 2.0 * WALL)),
        (Vec2::new(0.0, -y), Vec2::new(HALL.x, WALL)),
        (Vec2::new(0.0, y), Vec2::new(HALL.x, WALL)),
        (-center, beside_gate),
        (center, beside_gate),
        // Pillars.
        (Vec2::new(220.0, 150.0), Vec2::splat(50.0)),
        (Vec2::new(220.0, -150.0), Vec2::splat(50.0)),
    ];
    for (place, size) in walls {
        commands.spawn((Block::bundle(BlockKind::Wall, place, size), Friction::ZERO));
    }
    let bar = Vec2::new(170.0, 12.0);
    for size in [bar, bar.yx()] {
        commands.spawn((
            Block::bundle(BlockKind::Bar, Vec2::new(-180.0, 0.0), size),
            AngularVelocity(0.5),
            ColliderObstacle { layers: TURNSTILE_LAYER },
        ));
    }
}

/// Blocks the gate with crates.
fn spawn_crates(mut commands: Commands) {
    const SIZE: f32 = 24.0;
    for (column, row) in (0..3).flat_map(|column| (0..6).map(move |row| (column, row))) {
        let place = Vec2::new(column as f32 - 1.0, row as f32 - 2.5) * (SIZE + 0.5);
        // The friction of the floor slows crates down.
        let floor = (LinearDamping(3.0), AngularDamping(3.0));
        commands.spawn((Block::bundle(BlockKind::Crate, place, Vec2::splat(SIZE)), Mass(0.5), floor));
    }
}

fn spawn_crowd(mut commands: Commands) {
    let field = commands.spawn(CrowdField).id();
    let columns = 10;
    for k in 0..CROWD_SIZE {
        let cell = Vec2::new((k % columns) as f32, (k / columns) as f32 - 0.5 * (CROWD_SIZE / columns - 1) as f32);
        let place = Vec2::new(-0.47 * HALL.x, 0.0) + 2.4 * BODY.radius * cell;
        commands.spawn((
            (FollowField::new(field), AvoidObstacles::default(), AvoidNeighbors::default()),
            (BODY, RigidBody::Dynamic, Mass(BODY.mass), Collider::circle(BODY.radius)),
            (Friction::ZERO, LockedAxes::ROTATION_LOCKED),
            Transform::from_translation(place.extend(1.0)),
        ));
    }
}

/// The field computes itself again when walls change.
fn set_field(
    goal: Res<Goal>,
    field: Single<Entity, With<CrowdField>>,
    obstacles: Res<Obstacles>,
    mut commands: Commands,
) {
    if goal.is_changed() {
        match FlowField::toward([goal.0], &obstacles, BODY.radius, BODY.radius) {
            Ok(new) => _ = commands.entity(*field).insert(new),
            Err(error) => warn!("no way to {}: {error}", goal.0),
        }
    }
}

/// The engine pushes bodies, agents as well. Steering reads their velocities in the next tick.
fn blast(blast: On<Blast>, mut bodies: Query<(&Position, Forces)>) {
    const RADIUS: f32 = 130.0;
    for (place, mut forces) in &mut bodies {
        let away = place.0 - blast.0;
        let share = 1.0 - away.length() / RADIUS;
        if share > 0.0 {
            forces.apply_linear_impulse(400.0 * share * away.normalize_or(Vec2::Y));
        }
    }
}

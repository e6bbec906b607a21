//! Rapier for the tests of any engine. The file that includes this module says which `rapier` it is.

use bevy::prelude::*;
use bevy_steerling::prelude::SteeringPlugin;

pub use super::rapier::parry;
use super::rapier::prelude::*;
pub use super::rapier::prelude::{
    Collider, ColliderDisabled, Friction, LockedAxes, RigidBody, RigidBodyDisabled, Sensor,
};
use super::{Angular, Linear, SteeringBesideEngine, point_in};
use crate::engine::parry::shape::SharedShape;

/// The length of a tick, seconds.
pub const TICK: f32 = 1.0 / 64.0;
/// The largest difference to the motion of an agent that steering moves, units.
pub const SAME_MOTION: f32 = 1e-3;

/// An app with the engine, steering, and what connects them.
pub fn app() -> App {
    let mut app = App::new();
    let rapier_configuration = RapierConfiguration { gravity: default(), ..RapierConfiguration::new(1.0) };
    // In one substep, as steering moves agents.
    let integration_parameters =
        super::rapier::rapier::dynamics::IntegrationParameters { num_solver_iterations: 1, ..default() };
    let context =
        RapierContextInitialization::InitializeDefaultRapierContext { integration_parameters, rapier_configuration };
    app.insert_resource(TimestepMode::Fixed { dt: TICK, substeps: 1 })
        .add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins(
            RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule().with_custom_initialization(context),
        )
        .add_plugins((SteeringPlugin::default(), SteeringBesideEngine::default()));
    super::started(app)
}

pub fn dynamic(shape: SharedShape, mass: f32) -> impl Bundle {
    (RigidBody::Dynamic, Collider::from(shape), ColliderMassProperties::Mass(mass))
}

pub fn fixed(shape: SharedShape) -> impl Bundle {
    (RigidBody::Fixed, Collider::from(shape))
}

pub fn body_without_collider() -> impl Bundle {
    RigidBody::Fixed
}

pub fn kinematic(linear: Linear, angular: Angular) -> impl Bundle {
    (RigidBody::KinematicVelocityBased, Velocity { linear, angular })
}

pub fn moving(linear: Linear) -> impl Bundle {
    Velocity { linear, ..default() }
}

pub fn stop(world: &mut World, entity: Entity) {
    world.entity_mut(entity).insert(Velocity::zero());
}

pub fn collider(shape: SharedShape) -> impl Bundle {
    Collider::from(shape)
}

/// The pairs that overlap, as the engine sees it.
pub fn touching(world: &mut World) -> Vec<[Entity; 2]> {
    let mut contexts = world.query::<(&RapierContextSimulation, &RapierContextColliders)>();
    let (simulation, colliders) = contexts.single(world).expect("a context");
    let pairs = simulation.narrow_phase.contact_pairs();
    let overlapping = pairs.filter(|pair| pair.find_deepest_contact().is_some_and(|(_, contact)| contact.dist < 0.0));
    let entity = |handle| colliders.collider_entity(handle).expect("an entity");
    overlapping.map(|pair| [pair.collider1, pair.collider2].map(entity)).collect()
}

/// The signed distance from a point to a collider, as the engine measures it.
pub fn distance(world: &mut World, collider: Entity, point: Vec2) -> f32 {
    let handle = world.get::<RapierColliderHandle>(collider).expect("a collider").0;
    let colliders = world.query::<&RapierContextColliders>().single(world).expect("a context");
    let collider = colliders.colliders.get(handle).expect("a collider");
    let point = point_in(point);
    let (shape, pose) = (collider.shape(), collider.position());
    let distance = shape.project_point(pose, point, false).point.distance(point);
    if shape.contains_point(pose, point) { -distance } else { distance }
}

fn body(world: &World, entity: Entity) -> &super::rapier::rapier::dynamics::RigidBody {
    let handle = world.get::<RapierRigidBodyHandle>(entity).expect("a body").0;
    let link = world.get::<RapierContextEntityLink>(entity).expect("a context").0;
    world.get::<RapierRigidBodySet>(link).expect("bodies").bodies.get(handle).expect("a body")
}

/// Whether the way from a point leads through a collider, as the engine sees it.
pub fn is_hit(world: &mut World, collider: Entity, from: Linear, way: Linear) -> bool {
    let handle = world.get::<RapierColliderHandle>(collider).expect("a collider").0;
    let colliders = world.query::<&RapierContextColliders>().single(world).expect("a context");
    let collider = colliders.colliders.get(handle).expect("a collider");
    collider.shape().intersects_ray(collider.position(), &parry::query::Ray::new(from, way), 1.0)
}

pub fn set_gravity(world: &mut World, gravity: Linear) {
    let mut configurations = world.query::<&mut RapierConfiguration>();
    configurations.single_mut(world).expect("a context").gravity = gravity;
}

pub fn shove(world: &mut World, entity: Entity, impulse: Vec2) {
    world.entity_mut(entity).insert(ExternalImpulse { impulse: point_in(impulse), ..default() });
}

pub fn set_mass(world: &mut World, entity: Entity, mass: f32) {
    world.entity_mut(entity).insert(ColliderMassProperties::Mass(mass));
}

pub fn is_asleep(world: &World, entity: Entity) -> bool {
    body(world, entity).is_sleeping()
}

pub fn velocity(world: &World, entity: Entity) -> Linear {
    body(world, entity).linvel()
}

pub fn pause(world: &mut World, _: Entity, pause: bool) {
    let mut configurations = world.query::<&mut RapierConfiguration>();
    configurations.single_mut(world).expect("a context").physics_pipeline_active = !pause;
}

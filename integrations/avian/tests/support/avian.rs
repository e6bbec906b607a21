//! Avian for the tests of any engine. The file that includes this module says which `avian` it is.

use bevy::prelude::*;
use bevy_steerling::prelude::*;

pub use super::avian::parry;
use super::avian::prelude::*;
pub use super::avian::prelude::{
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
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default()))
        .add_plugins((SteeringPlugin::default(), SteeringBesideEngine::default()))
        .insert_resource(Gravity::ZERO)
        // In one substep, as steering moves agents.
        .insert_resource(SubstepCount(1));
    super::started(app)
}

pub fn dynamic(shape: SharedShape, mass: f32) -> impl Bundle {
    (RigidBody::Dynamic, Collider::from(shape), Mass(mass), NoAutoMass)
}

pub fn fixed(shape: SharedShape) -> impl Bundle {
    (RigidBody::Static, Collider::from(shape))
}

pub fn body_without_collider() -> impl Bundle {
    RigidBody::Static
}

pub fn kinematic(linear: Linear, angular: Angular) -> impl Bundle {
    (RigidBody::Kinematic, moving(linear), AngularVelocity(angular))
}

pub fn moving(linear: Linear) -> impl Bundle {
    LinearVelocity(linear)
}

pub fn stop(world: &mut World, entity: Entity) {
    world.entity_mut(entity).insert(LinearVelocity::ZERO);
}

pub fn collider(shape: SharedShape) -> impl Bundle {
    Collider::from(shape)
}

/// The pairs that overlap, as the engine sees it.
pub fn touching(world: &mut World) -> Vec<[Entity; 2]> {
    let pairs = world.resource::<ContactGraph>().iter_active_touching();
    let overlapping = pairs.filter(|pair| pair.find_deepest_contact().is_some_and(|contact| contact.penetration > 0.0));
    overlapping.map(|pair| [pair.collider1, pair.collider2]).collect()
}

/// The signed distance from a point to a collider, as the engine measures it.
pub fn distance(world: &mut World, collider: Entity, point: Vec2) -> f32 {
    let entity = world.entity(collider);
    let (collider, position, rotation) =
        entity.get_components::<(&Collider, &Position, &Rotation)>().expect("a collider");
    let point = point_in(point);
    let (nearest, _) = collider.project_point(*position, *rotation, point, false);
    let distance = nearest.distance(point);
    if collider.contains_point(*position, *rotation, point) { -distance } else { distance }
}

/// Whether the way from a point leads through a collider, as the engine sees it.
pub fn is_hit(world: &mut World, collider: Entity, from: Linear, way: Linear) -> bool {
    let entity = world.entity(collider);
    let (collider, position, rotation) =
        entity.get_components::<(&Collider, &Position, &Rotation)>().expect("a collider");
    collider.intersects_ray(*position, *rotation, from, way, 1.0)
}

pub fn set_gravity(world: &mut World, gravity: Linear) {
    world.insert_resource(Gravity(gravity));
}

pub fn shove(world: &mut World, entity: Entity, impulse: Vec2) {
    let mut bodies = world.query::<Forces>();
    let mut forces = bodies.get_mut(world, entity).expect("a body");
    forces.apply_linear_impulse(point_in(impulse));
}

pub fn set_mass(world: &mut World, entity: Entity, mass: f32) {
    world.entity_mut(entity).insert(Mass(mass));
}

pub fn is_asleep(world: &World, entity: Entity) -> bool {
    world.entity(entity).contains::<Sleeping>()
}

pub fn velocity(world: &World, entity: Entity) -> Linear {
    world.get::<LinearVelocity>(entity).expect("a body").0
}

pub fn pause(world: &mut World, _: Entity, pause: bool) {
    let mut time = world.resource_mut::<Time<Physics>>();
    if pause { time.pause() } else { time.unpause() }
}

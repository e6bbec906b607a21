//! A crowd at a door, as bodies of Rapier and without. It prints tables of `docs/physics.md`:
//!
//! ```sh
//! cargo run --release -p bevy_steerling_rapier --example doorway
//! ```

#[path = "../../avian/examples/support/doorway.rs"]
mod doorway;

use std::error::Error;

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;
use bevy_steerling::prelude::*;
use bevy_steerling_rapier::Rapier2dSteeringPlugin;
use steerling_scenario::SpawnedScenario;

fn main() -> Result<(), Box<dyn Error>> {
    doorway::print_tables("Rapier", add_engine)
}

/// Replaces the obstacles by fixed bodies, and gives each agent a dynamic body: a disc that does not roll, with Rapier's default friction.
fn add_engine(app: &mut App, scene: &SpawnedScenario) {
    let dt = app.world().resource::<Time<Fixed>>().timestep().as_secs_f32();
    let rapier_configuration = RapierConfiguration { gravity: Vec2::ZERO, ..RapierConfiguration::new(1.0) };
    let context = RapierContextInitialization::InitializeDefaultRapierContext {
        integration_parameters: default(),
        rapier_configuration,
    };
    let engine = RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule().with_custom_initialization(context);
    app.insert_resource(TimestepMode::Fixed { dt, substeps: 1 }).add_plugins((
        TransformPlugin,
        engine,
        Rapier2dSteeringPlugin::default(),
    ));
    for &wall in &scene.obstacles {
        let mut wall = app.world_mut().entity_mut(wall);
        if let Some(Obstacle { shape: ObstacleShape::Rectangle(rectangle), .. }) = wall.take() {
            let half = rectangle.half_size;
            wall.insert((RigidBody::Fixed, Collider::cuboid(half.x, half.y)));
        }
    }
    for &(_, walker) in &scene.agents {
        let mut walker = app.world_mut().entity_mut(walker);
        if let Some(&SteeringAgent { radius, mass, .. }) = walker.get() {
            let body = (RigidBody::Dynamic, Collider::ball(radius), LockedAxes::ROTATION_LOCKED);
            walker.insert((body, ColliderMassProperties::Mass(mass)));
        }
    }
}

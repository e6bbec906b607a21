//! A crowd at a door, as bodies of Avian and without. It prints tables of `docs/physics.md`:
//!
//! ```sh
//! cargo run --release -p bevy_steerling_avian --example doorway
//! ```

#[path = "support/doorway.rs"]
mod doorway;

use std::error::Error;

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_steerling::prelude::*;
use bevy_steerling_avian::Avian2dSteeringPlugin;
use steerling_scenario::SpawnedScenario;

fn main() -> Result<(), Box<dyn Error>> {
    doorway::print_tables("Avian", add_engine)
}

/// Replaces the obstacles by static bodies, and gives each agent a dynamic body: a disc that does not roll, with Avian's default friction.
fn add_engine(app: &mut App, scene: &SpawnedScenario) {
    app.add_plugins((TransformPlugin, PhysicsPlugins::default(), Avian2dSteeringPlugin::default()))
        .insert_resource(Gravity::ZERO);
    for &wall in &scene.obstacles {
        let mut wall = app.world_mut().entity_mut(wall);
        if let Some(Obstacle { shape: ObstacleShape::Rectangle(rectangle), .. }) = wall.take() {
            let size = 2.0 * rectangle.half_size;
            wall.insert((RigidBody::Static, Collider::rectangle(size.x, size.y)));
        }
    }
    for &(_, walker) in &scene.agents {
        let mut walker = app.world_mut().entity_mut(walker);
        if let Some(&SteeringAgent { radius, mass, .. }) = walker.get() {
            let body = (RigidBody::Dynamic, Collider::circle(radius), LockedAxes::ROTATION_LOCKED);
            walker.insert((body, Mass(mass), NoAutoMass));
        }
    }
}

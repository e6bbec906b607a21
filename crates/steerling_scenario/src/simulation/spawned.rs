//! A scenario in the world of any app.

use std::time::Duration;

use bevy::prelude::*;
use bevy_steerling::prelude::{SteeringSchedule, SteeringSeed, SteeringSystems};

use crate::scenario::scene::Scenario;
use crate::simulation::clock::Clock;
use crate::simulation::{clock, fields, markers, obstacles, respawn, spawn};

/// Moves the markers and obstacles of a scenario and respawns its agents, in an app with a `SteeringPlugin`.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steerling::prelude::*;
/// use steerling_scenario::{Scenario, ScenarioPlugin};
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, SteeringPlugin::default(), ScenarioPlugin));
/// let scenario = Scenario::parse("one", r#"{"agents": [{"id": "a", "position": [3, 4]}]}"#)?;
/// let spawned = scenario.place(app.world_mut());
/// assert_eq!(spawned.agents[0].0, "a");
/// # Ok::<(), steerling_scenario::ScenarioError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ScenarioPlugin;

impl Plugin for ScenarioPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            SteeringSchedule,
            (
                markers::jump.before(SteeringSystems::Sense),
                obstacles::advance.after(SteeringSystems::Integrate).before(SteeringSystems::Confine),
                (respawn::respawn, clock::advance)
                    .chain()
                    .after(SteeringSystems::Confine)
                    .before(SteeringSystems::React),
            )
                .run_if(resource_exists::<Clock>),
        );
    }
}

/// The entities of a scenario in the world of an app.
#[derive(Clone, Debug, Default)]
pub struct SpawnedScenario {
    /// The ids and entities of its agents, in the order of the ids.
    pub agents: Vec<(String, Entity)>,
    /// The names and entities of its markers, in the order of the names.
    pub markers: Vec<(String, Entity)>,
    /// The entities of its obstacles, in the order of the file.
    pub obstacles: Vec<Entity>,
    /// The ids and entities of its flow fields, in the order of the file.
    pub fields: Vec<(String, Entity)>,
}

impl Scenario {
    /// Spawns the scenario in the world of an app with a [`ScenarioPlugin`]: its agents, markers, obstacles and flow fields. Also
    /// sets the length of the tick, the bounds of the world and the seed. Goals and gates have no entities.
    ///
    /// A world holds one scenario at a time: despawn the entities of the previous one before you spawn another.
    pub fn place(&self, world: &mut World) -> SpawnedScenario {
        world.insert_resource(Time::<Fixed>::from_duration(Duration::from_secs_f64(self.tick())));
        world.insert_resource(SteeringSeed(self.file.seed.0));
        world.insert_resource(self.file.steering_bounds());
        world.insert_resource(Clock::new(self.tick()));

        let markers = markers::spawn(world, self);
        let fields = fields::spawn(world, self);
        let agents = spawn::spawn(world, self, &markers, &fields);
        let obstacles = obstacles::spawn(world, self);
        respawn::set_up(world, self, agents.iter().map(|(_, entity)| *entity));
        SpawnedScenario { agents, markers, obstacles, fields }
    }
}

//! A scenario's agents, markers and obstacles in the world of an app.

use std::time::Duration;

use bevy::prelude::*;
use bevy_steerling::prelude::*;

use crate::file::{MarkerEntry, vector};
use crate::obstacles;
use crate::respawn;
use crate::scenario::Scenario;
use crate::simulation;

/// Makes [`Scenario::place`] work in an app that has a `SteeringPlugin`: markers jump, obstacles move, and agents respawn.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steerling::prelude::*;
/// use steerling_scenario::{Scenario, ScenarioPlugin};
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, SteeringPlugin::default(), ScenarioPlugin));
/// let scenario = Scenario::parse("one", r#"{"agents": [{"id": "a", "position": [3, 4]}]}"#)?;
/// let placed = scenario.place(app.world_mut());
/// assert_eq!(placed.agents[0].0, "a");
/// # Ok::<(), steerling_scenario::ScenarioError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ScenarioPlugin;

impl Plugin for ScenarioPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            SteeringSchedule,
            (
                move_markers.before(SteeringSystems::Sense).run_if(resource_exists::<Clock>),
                (
                    obstacles::advance.after(SteeringSystems::Integrate).before(SteeringSystems::Confine),
                    (respawn::respawn, tick).chain().after(SteeringSystems::Confine).before(SteeringSystems::React),
                )
                    .run_if(resource_exists::<Clock>),
            ),
        );
    }
}

/// What a scenario is in the world of an app.
#[derive(Clone, Debug, Default)]
pub struct Placed {
    /// Its agents, by id, in the order of the ids.
    pub agents: Vec<(String, Entity)>,
    /// Its markers, by name, in the order of the names.
    pub markers: Vec<(String, Entity)>,
    /// Its obstacles, in the order of the file.
    pub obstacles: Vec<Entity>,
}

impl Scenario {
    /// Puts the scenario into the world of an app with a [`ScenarioPlugin`]: agents, markers and obstacles, the length of the
    /// tick, the edges of the world and the seed. What is not agent, marker or obstacle (goals, gates) is not there.
    ///
    /// One scenario at a time: whoever places another removes the entities of this one.
    pub fn place(&self, world: &mut World) -> Placed {
        world.insert_resource(Time::<Fixed>::from_duration(Duration::from_secs_f64(self.tick())));
        world.insert_resource(SteeringSeed(self.file.seed.0));
        world.insert_resource(self.file.steering_bounds());
        world.insert_resource(Clock { ticks: 0, tick: self.tick() });

        let markers: Vec<(String, Entity)> = self
            .file
            .markers
            .0
            .iter()
            .map(|(name, entries)| (name.clone(), world.spawn((Transform::default(), Marker(entries.clone()))).id()))
            .collect();
        let agents = simulation::spawn_agents(world, self, &markers);
        let obstacles = obstacles::spawn(world, self);
        respawn::set_up(world, self, agents.iter().map(|(_, entity)| *entity));
        Placed { agents, markers, obstacles }
    }

    /// Where agents are meant to get to: the center of each goal and its radius.
    pub fn goals(&self) -> impl Iterator<Item = (Vec2, f32)> {
        let goals = self.agents.iter().filter_map(|agent| agent.kind.goal.as_ref());
        goals.map(|goal| (vector(goal.position), goal.radius.into()))
    }

    /// The lines that agents are meant to cross: the two ends of each.
    pub fn gates(&self) -> impl Iterator<Item = [Vec2; 2]> {
        self.file.gates.iter().map(|gate| [vector(gate.start), vector(gate.end)])
    }
}

/// How many ticks have run since the scenario was placed, and their length, seconds.
#[derive(Resource)]
pub(crate) struct Clock {
    ticks: u64,
    tick: f64,
}

impl Clock {
    /// The time at the end of the tick that runs, seconds.
    pub fn end_of_tick(&self) -> f64 {
        (self.ticks + 1) as f64 * self.tick
    }
}

fn tick(mut clock: ResMut<Clock>) {
    clock.ticks += 1;
}

/// When a marker is where.
#[derive(Component)]
struct Marker(Vec<MarkerEntry>);

fn move_markers(mut markers: Query<(&Marker, &mut Transform)>, clock: Res<Clock>) {
    let now = (clock.ticks as f64 + 0.001) * clock.tick;
    for (Marker(entries), mut transform) in &mut markers {
        // The last entry at or before the time, the first one before that.
        let next = entries.partition_point(|entry| entry.0.0 <= now);
        let MarkerEntry(_, x, y) = entries[next.saturating_sub(1)];
        transform.translation = Vec3::new(x.into(), y.into(), 0.0);
    }
}

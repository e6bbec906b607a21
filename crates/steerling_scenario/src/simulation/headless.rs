//! The headless app of a scenario, with the same plugin and systems as in a game.

use std::mem;
use std::time::Duration;

use bevy::ecs::schedule::{Schedules, SingleThreadedExecutor};
use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy::time::{TimePlugin, TimeUpdateStrategy};
use bevy_steerling::math::Vector;
use bevy_steerling::math::space::Space;
use bevy_steerling::prelude::*;

use crate::scenario::scene::Scenario;
use crate::shapes::PlacedShape;
use crate::simulation::agents::{AgentState, Agents};
use crate::simulation::events::{EventCounts, count};
use crate::simulation::gate_summary::GateSummary;
use crate::simulation::gates::Gates;
use crate::simulation::goals::{GoalWatch, Goals};
use crate::simulation::motion::{Motion, Way};
use crate::simulation::obstacles::ObstacleShapes;
use crate::simulation::respawn;
use crate::simulation::spawned::{ScenarioPlugin, SpawnedScenario};
use crate::simulation::threads::Threads;

/// A scenario in motion.
pub struct Simulation {
    app: App,
    agents: Agents,
    obstacles: ObstacleShapes,
    gates: Gates,
    goals: GoalWatch,
    /// The way of each agent in the last tick.
    ways: Vec<Way>,
    /// The indices of the agents to remove before the next tick, sorted.
    leaving: Vec<usize>,
    tick: f64,
    ticks_done: u64,
    agent_ticks: u64,
    time_spent: Duration,
}

impl Simulation {
    /// Sets up the scene. Nothing moves until [`step`](Self::step).
    pub fn new(scenario: &Scenario, threads: Threads) -> Self {
        Self::extended(scenario, threads, |_, _| ())
    }

    /// Sets up the scene in an app to which `extend` adds something, such as a physics engine and bodies for the agents. The shapes of
    /// obstacles for the measures are those of the scenario.
    pub fn extended(scenario: &Scenario, threads: Threads, extend: impl FnOnce(&mut App, &SpawnedScenario)) -> Self {
        let mut app = App::new();
        app.add_plugins((threads.task_pools(), TimePlugin, SteeringPlugin::default(), ScenarioPlugin))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .insert_resource(threads.steering_threads());
        app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(Duration::MAX);
        // Bevy's own schedules have next to nothing to do, so threads would cost more than the steering itself.
        for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
            schedule.set_executor(SingleThreadedExecutor::new());
        }

        count(&mut app);
        let spawned = scenario.place(app.world_mut());
        let obstacles = ObstacleShapes::new(spawned.obstacles.clone(), app.world());
        extend(&mut app, &spawned);
        app.finish();
        app.cleanup();
        // No time passes in the first update.
        app.update();

        let mut simulation = Self {
            app,
            agents: Agents::new(spawned.agents),
            obstacles,
            gates: Gates::default(),
            goals: GoalWatch::new(scenario),
            ways: Vec::new(),
            leaving: Vec::new(),
            tick: scenario.tick(),
            ticks_done: 0,
            agent_ticks: 0,
            time_spent: Duration::ZERO,
        };
        simulation.read_states();
        simulation.gates = Gates::new(scenario, simulation.agents());
        simulation
    }

    /// Runs one tick.
    pub fn step(&mut self) {
        self.step_unseen();
        let places: Vec<Vector> = self.agents().iter().map(|agent| agent.position).collect();
        self.read_states();
        self.watch(&places);
    }

    /// Runs one tick without reading the results, for timing: [`agents`](Self::agents) and similar functions still
    /// return the previous states, and no agent crosses a gate or reaches a goal.
    pub fn step_unseen(&mut self) {
        self.remove_leaving();
        let started = Instant::now();
        self.app.update();
        self.time_spent += started.elapsed();
        self.ticks_done += 1;
        self.agent_ticks += self.agents().len() as u64;
    }

    /// Records the ways of agents, the crossings of gates and the goals reached in the tick that just ended. `places` are the
    /// positions at its start.
    fn watch(&mut self, places: &[Vector]) {
        self.ways.clear();
        let (start, end) = ((self.ticks_done - 1) as f64 * self.tick, self.time());
        let agents = self.agents.states().iter().zip(self.agents.entities()).zip(self.agents.numbers());
        for (index, (((agent, &entity), &number), &from)) in agents.zip(places).enumerate() {
            // Only the path up to a jump counts, not the jump itself.
            let left = respawn::left(self.app.world(), entity);
            let to = left.unwrap_or(agent.position);
            self.ways.push(Way { start: from, end: to, is_left: left.is_some() });
            let is_out = self.gates.record(number, from, to, start, self.tick);
            if self.goals.record(number, agent.position, end) || is_out {
                self.leaving.push(index);
            }
        }
    }

    fn remove_leaving(&mut self) {
        if !self.leaving.is_empty() {
            let time = self.time();
            self.agents.remove(&mem::take(&mut self.leaving), time, self.app.world_mut());
        }
    }

    fn read_states(&mut self) {
        let world = self.app.world();
        self.agents.update(world);
        self.obstacles.update(world);
    }

    /// How many ticks have run.
    pub fn ticks_done(&self) -> u64 {
        self.ticks_done
    }

    /// The length of a tick, seconds.
    pub fn tick(&self) -> f64 {
        self.tick
    }

    /// Time since the start, seconds.
    pub fn time(&self) -> f64 {
        self.ticks_done as f64 * self.tick
    }

    /// All agents in the order of their ids. An agent that a gate or a goal removes is included for the last time at the
    /// end of that tick.
    pub fn agents(&self) -> &[AgentState] {
        self.agents.states()
    }

    /// The number of each agent: its index at the start, which does not change when others are removed.
    pub(crate) fn numbers(&self) -> &[usize] {
        self.agents.numbers()
    }

    /// The agent with this number, if it was not removed.
    pub(crate) fn agent(&self, number: usize) -> Option<&AgentState> {
        self.numbers().binary_search(&number).ok().map(|index| &self.agents()[index])
    }

    /// The number of agents, summed over the ticks.
    pub(crate) fn agent_ticks(&self) -> u64 {
        self.agent_ticks
    }

    /// The crossings of the gates so far, in the order of the file.
    pub fn gates(&self) -> Vec<GateSummary> {
        self.gates.summaries(&self.agents.removed().collect::<Vec<_>>(), self.time())
    }

    /// The goals reached so far.
    pub fn goals(&self) -> Goals {
        self.goals.summary()
    }

    /// How long the ticks themselves have taken.
    pub fn time_spent(&self) -> Duration {
        self.time_spent
    }

    /// The contributions of behaviors to the motion of each agent in the last tick, in the order of the ids, if the
    /// scenario is [`explained`](Scenario::explained).
    pub fn traces(&self) -> impl Iterator<Item = (&AgentState, &SteeringTrace)> {
        let world = self.app.world();
        let traces = self.agents.entities().iter().map(|&entity| world.get::<SteeringTrace>(entity));
        self.agents().iter().zip(traces).filter_map(|(agent, trace)| Some((agent, trace?)))
    }

    /// The number of respawns so far.
    pub fn respawns(&self) -> u64 {
        respawn::count(self.app.world())
    }

    /// The number of events so far, of the agents whose events are counted.
    pub fn events(&self) -> EventCounts {
        *self.app.world().resource::<EventCounts>()
    }

    /// The space in which distances are measured.
    pub fn space(&self) -> Space {
        self.app.world().resource::<SteeringBounds>().space()
    }

    /// The shapes of the obstacles where they are now, in the order of the file.
    pub fn obstacles(&self) -> &[PlacedShape] {
        self.obstacles.shapes()
    }

    /// How the obstacles moved in the last tick, in the order of the file.
    pub(crate) fn motions(&self) -> &[Motion] {
        self.obstacles.motions()
    }

    /// The way of each agent in the last tick, in the order of the ids, if it was a [`step`](Self::step).
    pub(crate) fn ways(&self) -> &[Way] {
        &self.ways
    }

    /// The entities of [`agents`](Self::agents), in the same order, in the [`world`](Self::world).
    pub fn entities(&self) -> &[Entity] {
        self.agents.entities()
    }

    /// The body of each agent, in the order of the ids.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = SteeringAgent> + '_ {
        let world = self.app.world();
        self.agents.entities().iter().map(|&entity| world.get::<SteeringAgent>(entity).copied().unwrap_or_default())
    }

    /// The world of the app.
    pub fn world(&self) -> &World {
        self.app.world()
    }

    /// A hash of all positions and velocities in the order of the ids, including the last ones of removed agents. It is
    /// the same for the same file, seed and version, in debug and release builds, on any number of threads, and for any
    /// order of the agents in the file.
    pub fn state_hash(&self) -> u64 {
        self.agents.state_hash()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simulation(text: &str) -> Simulation {
        let scenario = Scenario::parse("scene.json", text).unwrap_or_else(|error| panic!("{error}"));
        Simulation::new(&scenario, Threads::Exactly(1))
    }

    #[test]
    fn a_moving_obstacle_follows_its_velocity_without_rounding_errors() {
        let mut simulation = simulation(
            r#"{"tick": 0.01, "obstacles": [
                {"polyline": {"points": [[1000, 10], [1006, 12]]}, "velocity": [0.7, -0.3]},
                {"circle": {"center": [5, 6], "radius": 1}}
            ]}"#,
        );
        for _ in 0..10_000 {
            simulation.step();
        }
        let [moving, standing] = simulation.obstacles() else { panic!("two obstacles") };
        // Exact to the last digit: near 1000, adjacent numbers are 6e-5 apart.
        assert!((moving.center() - Vec2::new(1073.0, -19.0)).abs().max_element() < 1e-4, "{moving:?}");
        assert!((moving.corners()[1] - Vec2::new(1076.0, -18.0)).abs().max_element() < 2e-4, "{moving:?}");
        assert_eq!((standing.center(), standing.radius()), (Vec2::new(5.0, 6.0), 1.0));
    }

    #[test]
    fn a_moving_obstacle_wraps_around_a_torus_again_and_again() {
        let mut simulation = simulation(
            r#"{"tick": 0.5, "bounds": {"min": [-10, 0], "max": [10, 40], "edge": "wrap"},
                "obstacles": [{"circle": {"center": [5, 6], "radius": 1}, "velocity": [14, -3]}]}"#,
        );
        for tick in 1..=50_u8 {
            simulation.step();
            let time = 0.5 * f32::from(tick);
            let expected = Vec2::new((15.0 + 14.0 * time) % 20.0 - 10.0, (6.0 - 3.0 * time).rem_euclid(40.0));
            assert!(simulation.obstacles()[0].center().distance(expected) < 1e-3, "{expected} at {time}");
        }
    }

    #[test]
    fn an_obstacle_turns_about_its_pivot_and_its_velocity_is_that_of_its_center() {
        let mut simulation = simulation(
            r#"{"tick": 0.01, "obstacles": [
                {"rectangle": {"center": [5, 0], "half_size": [5, 1]}, "turn_rate": -0.7, "pivot": [0, 0], "velocity": [2, 1]}
            ]}"#,
        );
        let mut before = simulation.obstacles()[0].center();
        for tick in 1..=10_000_u16 {
            let known = simulation.app.world_mut().query::<(&Obstacle, &Velocity)>().single(simulation.world());
            let (turn_rate, velocity) =
                known.map(|(obstacle, velocity)| (obstacle.turn_rate, velocity.0)).expect("one");
            simulation.step();
            let (time, now) = (0.01 * f32::from(tick), simulation.obstacles()[0].center());
            let arm = now - Vec2::new(2.0, 1.0) * time;
            assert!(arm.distance(Vec2::from_angle(-0.7 * time) * 5.0) < 1e-3, "{arm} after {time} s");
            assert!((now - before).distance(0.01 * velocity) < 2e-4, "{velocity} after {time} s");
            assert_eq!(turn_rate, -0.7);
            before = now;
        }
        // Its right side, two units long, has turned, too.
        let corners = simulation.obstacles()[0].corners();
        assert!((corners[0] - corners[3]).distance(Vec2::from_angle(-70.0).perp() * 2.0) < 1e-3, "{corners:?}");
    }

    #[test]
    fn an_extension_changes_the_app_but_not_the_measured_obstacles() {
        let text = r#"{"agents": [{"id": "a", "position": [0, 0], "velocity": [1, 0]}],
            "obstacles": [{"circle": {"center": [5, 6], "radius": 1}}]}"#;
        let scenario = Scenario::parse("scene.json", text).unwrap_or_else(|error| panic!("{error}"));
        let mut simulation = Simulation::extended(&scenario, Threads::Exactly(1), |app, spawned| {
            app.world_mut().entity_mut(spawned.obstacles[0]).remove::<Obstacle>();
            app.world_mut().entity_mut(spawned.agents[0].1).insert(ExternalMovement);
        });
        simulation.step();
        assert_eq!(simulation.agents()[0].position, Vec2::ZERO);
        assert_eq!(simulation.obstacles()[0].radius(), 1.0);
    }
}

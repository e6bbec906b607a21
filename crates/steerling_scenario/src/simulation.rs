//! A scenario as a headless `App`, on the plugin and the systems that a game uses.

use std::collections::HashMap;
use std::mem;
use std::time::{Duration, Instant};

use bevy::app::TaskPoolThreadAssignmentPolicy;
use bevy::ecs::schedule::{Schedules, SingleThreadedExecutor};
use bevy::prelude::*;
use bevy::time::{TimePlugin, TimeUpdateStrategy};
use bevy_steerling::math::space::Space;
use bevy_steerling::prelude::*;

use crate::agents::Agents;
use crate::events::{self, EventCounts};
use crate::file::{self, Behavior, vector};
use crate::gates::{GateSummary, Gates};
use crate::json::OneKey;
use crate::number::NonNegative;
use crate::obstacles::{self, PlacedObstacles};
use crate::placed::{Placed, ScenarioPlugin};
use crate::respawn;
use crate::scenario::{Scenario, steering_id};

/// On how many threads a [`Simulation`] runs. The results are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// As the plugin decides: one for small scenes.
    #[default]
    Auto,
    /// This many, with the one that runs the simulation. One means that no work is handed to others.
    ///
    /// Bevy's thread pool belongs to the process: the first simulation made decides how many threads it has.
    Exactly(usize),
}

/// An agent's state, at the end of a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentState {
    /// Its id in the file.
    pub id: String,
    /// Position, units.
    pub position: Vec2,
    /// Velocity, units/s.
    pub velocity: Vec2,
    /// The force applied in the tick, mass · units/s².
    pub force: Vec2,
    /// How far an impulse moved it in the tick, beside its velocity, units.
    pub knocked: Vec2,
}

/// A scenario in motion.
pub struct Simulation {
    app: App,
    agents: Agents,
    obstacles: PlacedObstacles,
    gates: Gates,
    /// Which of the agents are removed before the next tick, in order.
    leaving: Vec<usize>,
    tick: f64,
    ticks_done: u64,
    agent_ticks: u64,
    time_spent: Duration,
}

impl Simulation {
    /// Sets the scene up. Nothing moves until [`step`](Self::step).
    pub fn new(scenario: &Scenario, threads: Threads) -> Self {
        let mut app = App::new();
        app.add_plugins((task_pools(threads), TimePlugin, SteeringPlugin::default(), ScenarioPlugin))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .insert_resource(match threads {
                Threads::Auto => SteeringThreads::Auto,
                Threads::Exactly(1) => SteeringThreads::Single,
                Threads::Exactly(_) => SteeringThreads::Many,
            });
        app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(Duration::MAX);
        // Bevy's own schedules have next to nothing to do: threads would cost more than the steering.
        for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
            schedule.set_executor(SingleThreadedExecutor::new());
        }

        events::count(&mut app);
        let Placed { agents, obstacles, .. } = scenario.place(app.world_mut());
        let obstacles = PlacedObstacles::new(obstacles, app.world());
        app.finish();
        app.cleanup();
        // The first update passes no time.
        app.update();

        let mut simulation = Self {
            app,
            agents: Agents::new(agents),
            obstacles,
            gates: Gates::default(),
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
        if self.gates.is_empty() {
            self.read_states();
        } else {
            let places: Vec<Vec2> = self.agents().iter().map(|agent| agent.position).collect();
            self.read_states();
            self.watch_gates(&places);
        }
    }

    /// Runs one tick without a look at what comes of it, for timing: what [`agents`](Self::agents) and others tell stays as it was,
    /// and nobody crosses a gate.
    pub fn step_unseen(&mut self) {
        self.remove_leaving();
        let started = Instant::now();
        self.app.update();
        self.time_spent += started.elapsed();
        self.ticks_done += 1;
        self.agent_ticks += self.agents().len() as u64;
    }

    /// Notes who has crossed a gate in the tick that just ended, and who leaves by it. `places` is where it began.
    fn watch_gates(&mut self, places: &[Vec2]) {
        let start = (self.ticks_done - 1) as f64 * self.tick;
        let agents = self.agents.states().iter().zip(self.agents.entities()).zip(self.agents.numbers());
        for (index, (((agent, &entity), &number), &from)) in agents.zip(places).enumerate() {
            // The way before a jump counts, the jump does not.
            let to = respawn::left(self.app.world(), entity).unwrap_or(agent.position);
            if self.gates.note(number, from, to, start, self.tick) {
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

    /// All agents, ordered by id. Who crosses a gate that removes agents is among them for the last time at the end of that
    /// tick.
    pub fn agents(&self) -> &[AgentState] {
        self.agents.states()
    }

    /// The place of each agent in the order of ids at the start, which stays the same when others are removed.
    pub(crate) fn numbers(&self) -> &[usize] {
        self.agents.numbers()
    }

    /// The agent at this place in the order of ids at the start, if it is still there.
    pub(crate) fn agent(&self, number: usize) -> Option<&AgentState> {
        self.numbers().binary_search(&number).ok().map(|index| &self.agents()[index])
    }

    /// How many agents there were, summed over the ticks.
    pub(crate) fn agent_ticks(&self) -> u64 {
        self.agent_ticks
    }

    /// What has happened at the gates so far, in the order of the file.
    pub fn gates(&self) -> Vec<GateSummary> {
        self.gates.summaries(&self.agents.removed().collect::<Vec<_>>(), self.time())
    }

    /// How long the ticks themselves have taken.
    pub fn time_spent(&self) -> Duration {
        self.time_spent
    }

    /// What led to the motion of each agent in the last tick, ordered by id, if the scenario is
    /// [`explained`](Scenario::explained).
    pub fn traces(&self) -> impl Iterator<Item = (&AgentState, &SteeringTrace)> {
        let world = self.app.world();
        let traces = self.agents.entities().iter().map(|&entity| world.get::<SteeringTrace>(entity));
        self.agents().iter().zip(traces).filter_map(|(agent, trace)| Some((agent, trace?)))
    }

    /// How many times an agent was put back to a start.
    pub fn respawns(&self) -> u64 {
        respawn::count(self.app.world())
    }

    /// How often each event has been told so far, of the agents that the scenario watches.
    pub fn events(&self) -> EventCounts {
        *self.app.world().resource::<EventCounts>()
    }

    /// How distances are measured in this scene.
    pub fn space(&self) -> Space {
        self.app.world().resource::<SteeringBounds>().space()
    }

    /// The obstacles where they are, in the order of the file.
    pub(crate) fn obstacles(&self) -> &[PlacedShape] {
        self.obstacles.shapes()
    }

    /// The body of each agent, ordered by id.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = SteeringAgent> + '_ {
        let world = self.app.world();
        self.agents.entities().iter().map(|&entity| world.get::<SteeringAgent>(entity).copied().unwrap_or_default())
    }

    /// How many others the farthest-looking behavior of an agent saw in the last tick, at the start of which the agents were as
    /// in `before`: the mean over those who look around. `None` when nobody does.
    pub(crate) fn neighbors_per_agent(&self, before: &[AgentState]) -> Option<f64> {
        let world = self.app.world();
        let neighbors = world.resource::<Neighbors>();
        let (mut lookers, mut seen) = (0_usize, 0_usize);
        for (&entity, after) in self.agents.entities().iter().zip(self.agents()) {
            let before = before.binary_search_by(|state| state.id.cmp(&after.id)).map(|index| &before[index]);
            let (Ok(state), Some(body), Some(id)) =
                (before, world.get::<SteeringAgent>(entity), world.get::<SteeringId>(entity))
            else {
                continue;
            };
            let sights: [fn(&World, Entity, &SteeringAgent) -> f32; 8] = [
                sight::<Separation>,
                sight::<Flock>,
                sight::<Alignment>,
                sight::<Cohesion>,
                sight::<AvoidNeighbors>,
                sight::<Queue>,
                sight::<Flee>,
                sight::<Evade>,
            ];
            let sight = sights.map(|sight| sight(world, entity, body)).into_iter().fold(0.0, f32::max);
            if sight > 0.0 {
                let agent = Agent {
                    entity,
                    id: *id,
                    position: state.position,
                    velocity: state.velocity,
                    force: Vec2::ZERO,
                    mass: body.mass,
                    max_speed: body.max_speed,
                    max_force: body.max_force,
                    radius: body.radius,
                    response_time: body.response_time,
                    tick: self.tick as f32,
                    space: self.space(),
                };
                lookers += 1;
                neighbors.for_each_within(&agent, sight, |_, _| seen += 1);
            }
        }
        (lookers > 0).then(|| seen as f64 / lookers as f64)
    }

    /// The world that the ticks run in, to look at.
    pub fn world(&self) -> &World {
        self.app.world()
    }

    /// A fingerprint of all positions and velocities by id, of removed agents the last ones: equal for the same file, seed and
    /// version, in debug and release builds, on one thread and many, whatever the order of the agents in the file.
    pub fn state_hash(&self) -> u64 {
        self.agents.state_hash()
    }
}

/// How far one behavior of an agent looks, units; zero without it.
fn sight<B: SteeringBehavior>(world: &World, entity: Entity, body: &SteeringAgent) -> f32 {
    world.get::<B>(entity).map_or(0.0, |behavior| behavior.perception_radius(body))
}

fn task_pools(threads: Threads) -> TaskPoolPlugin {
    let mut task_pool_options = TaskPoolOptions::default();
    if let Threads::Exactly(threads) = threads {
        let exactly = |threads| TaskPoolThreadAssignmentPolicy {
            min_threads: threads,
            max_threads: threads,
            percent: 1.0,
            on_thread_spawn: None,
            on_thread_destroy: None,
        };
        task_pool_options = TaskPoolOptions {
            min_total_threads: threads,
            max_total_threads: threads + 2,
            io: exactly(1),
            async_compute: exactly(1),
            compute: exactly((threads - 1).max(1)),
        };
    }
    TaskPoolPlugin { task_pool_options }
}

/// Spawns agents. Returns them ordered by id.
pub(crate) fn spawn_agents(
    world: &mut World,
    scenario: &Scenario,
    markers: &[(String, Entity)],
) -> Vec<(String, Entity)> {
    let markers: HashMap<&str, Entity> = markers.iter().map(|(name, entity)| (name.as_str(), *entity)).collect();
    // In the order of their numbers the plugin need not sort them.
    let mut by_number: Vec<_> = scenario.agents.iter().map(|agent| (steering_id(&agent.id), agent)).collect();
    by_number.sort_by_key(|(number, _)| *number);
    let mut agents: Vec<(String, Entity)> = Vec::with_capacity(scenario.agents.len());
    let mut agent_entities = HashMap::with_capacity(scenario.agents.len());
    for (number, agent) in &by_number {
        let transform = Transform::from_translation(agent.position.extend(0.0));
        let entity = world.spawn((body(&agent.kind), *number, Velocity(agent.velocity), transform)).id();
        if agent.kind.groups.is_some() {
            world.entity_mut(entity).insert(SteeringGroups(agent.kind.groups()));
        }
        if agent.kind.solid {
            world.entity_mut(entity).insert(Solid::default());
        }
        if let Some(arbitration) = &agent.kind.arbitration {
            world.entity_mut(entity).insert(arbitration.component());
        }
        if scenario.explained {
            world.entity_mut(entity).insert(SteeringTrace::default());
        }
        if let Some(limits) = &agent.kind.limits {
            world.entity_mut(entity).insert(limits.body_limits());
        }
        if let Some(impulse) = &agent.kind.impulse {
            world.entity_mut(entity).insert(impulse.impulse());
        }
        if agent.kind.events {
            world.entity_mut(entity).insert(SteeringEvents::default());
        }
        agents.push((agent.id.clone(), entity));
        agent_entities.insert(agent.id.as_str(), entity);
    }

    let resolve = |target: &file::Target| match target {
        file::Target::Point(point) => Target::Point(vector(*point)),
        file::Target::Marker(name) => Target::Entity(markers[name.as_str()]),
        file::Target::Agent(id) => Target::Entity(agent_entities[id.as_str()]),
        file::Target::Group(groups) => Target::Group(u32::from(*groups)),
    };
    for (_, agent) in by_number {
        let mut entity = world.entity_mut(agent_entities[agent.id.as_str()]);
        for OneKey(behavior) in &agent.kind.behaviors {
            insert_behavior(&mut entity, behavior, resolve);
        }
    }

    agents.sort();
    agents
}

fn body(kind: &file::Kind) -> SteeringAgent {
    let default = SteeringAgent::default();
    let or = |number: Option<NonNegative>, default| number.map_or(default, f32::from);
    SteeringAgent {
        mass: kind.mass.map_or(default.mass, f32::from),
        max_speed: or(kind.max_speed, default.max_speed),
        max_force: or(kind.max_force, default.max_force),
        radius: or(kind.radius, default.radius),
        response_time: or(kind.response_time, default.response_time),
    }
}

/// Turns what the file says into the plugin's component; what it leaves out takes the component's default.
fn insert_behavior(entity: &mut EntityWorldMut, behavior: &Behavior, resolve: impl Fn(&file::Target) -> Target) {
    let length = |number: &Option<NonNegative>| number.map(f32::from);
    match behavior {
        Behavior::Seek(file) => {
            let default = Seek::new(resolve(&file.target.0));
            entity.insert(Seek { weight: file.weight.map_or(default.weight, f32::from), ..default });
        }
        Behavior::Flee(file) => {
            let default = Flee::new(resolve(&file.target.0));
            entity.insert(Flee {
                panic_distance: length(&file.panic_distance).or(default.panic_distance),
                weight: file.weight.map_or(default.weight, f32::from),
                ..default
            });
        }
        Behavior::Arrive(file) => {
            let default = Arrive::new(resolve(&file.target.0));
            entity.insert(Arrive {
                slowing_radius: file.slowing_radius.map_or(default.slowing_radius, |radius| match radius {
                    file::SlowingRadius::Auto => SlowingRadius::Auto,
                    file::SlowingRadius::Linear(radius) => SlowingRadius::Linear(radius.into()),
                }),
                arrival_tolerance: length(&file.arrival_tolerance).unwrap_or(default.arrival_tolerance),
                weight: file.weight.map_or(default.weight, f32::from),
                ..default
            });
        }
        Behavior::Pursue(file) => {
            let default = Pursue::new(resolve(&file.target.0));
            entity.insert(Pursue {
                prediction: file.prediction.map_or(default.prediction, prediction),
                max_prediction: length(&file.max_prediction).or(default.max_prediction),
                weight: file.weight.map_or(default.weight, f32::from),
                ..default
            });
        }
        Behavior::Evade(file) => {
            let default = Evade::new(resolve(&file.target.0));
            entity.insert(Evade {
                prediction: file.prediction.map_or(default.prediction, prediction),
                max_prediction: length(&file.max_prediction).or(default.max_prediction),
                panic_distance: length(&file.panic_distance).or(default.panic_distance),
                weight: file.weight.map_or(default.weight, f32::from),
                ..default
            });
        }
        Behavior::MatchVelocity(file) => {
            let default = MatchVelocity::new(resolve(&file.target.0));
            entity.insert(MatchVelocity { weight: file.weight.map_or(default.weight, f32::from), ..default });
        }
        Behavior::Wander(file) => {
            let mut wander = Wander::default();
            wander.distance = length(&file.distance).or(wander.distance);
            wander.radius = length(&file.radius).or(wander.radius);
            wander.angle_change = length(&file.angle_change).unwrap_or(wander.angle_change);
            wander.angle = file.angle.map(f32::from).or(wander.angle);
            wander.drive = file.drive.map_or(wander.drive, |drive| match drive {
                file::Drive::Seek => Drive::Seek,
                file::Drive::Displacement => Drive::Displacement,
            });
            wander.weight = file.weight.map_or(wander.weight, f32::from);
            entity.insert(wander);
        }
        Behavior::Separation(file) => {
            entity.insert(separation(file));
        }
        Behavior::Alignment(file) => {
            let default = Alignment::default();
            entity.insert(Alignment {
                radius: length(&file.radius).or(default.radius),
                field_of_view: length(&file.field_of_view).unwrap_or(default.field_of_view),
                groups: file.groups.map_or(default.groups, u32::from),
                max_neighbors: file.max_neighbors.map_or(default.max_neighbors, u32::from),
                weight: file.weight.map_or(default.weight, f32::from),
            });
        }
        Behavior::Cohesion(file) => {
            let default = Cohesion::default();
            entity.insert(Cohesion {
                radius: length(&file.radius).or(default.radius),
                field_of_view: length(&file.field_of_view).unwrap_or(default.field_of_view),
                groups: file.groups.map_or(default.groups, u32::from),
                max_neighbors: file.max_neighbors.map_or(default.max_neighbors, u32::from),
                weight: file.weight.map_or(default.weight, f32::from),
            });
        }
        Behavior::Flock(file) => {
            let default = Flock::default();
            entity.insert(Flock {
                separation: flock_part(&file.separation),
                alignment: flock_part(&file.alignment),
                cohesion: flock_part(&file.cohesion),
                groups: file.groups.map_or(default.groups, u32::from),
                max_neighbors: file.max_neighbors.map_or(default.max_neighbors, u32::from),
                weight: file.weight.map_or(default.weight, f32::from),
            });
        }
        Behavior::Queue(file) => {
            let default = Queue::default();
            entity.insert(Queue {
                time_gap: length(&file.time_gap).unwrap_or(default.time_gap),
                look_ahead: length(&file.look_ahead).or(default.look_ahead),
                radius: length(&file.radius).or(default.radius),
                style: file.style.map_or(default.style, |style| match style {
                    file::QueueStyle::KeepPlace => QueueStyle::KeepPlace,
                    file::QueueStyle::HardStop => QueueStyle::HardStop,
                    file::QueueStyle::Brake => QueueStyle::Brake,
                    file::QueueStyle::BrakeAndHardStop => QueueStyle::BrakeAndHardStop,
                    file::QueueStyle::BrakeAndSeparate => QueueStyle::BrakeAndSeparate,
                }),
                brake: length(&file.brake).unwrap_or(default.brake),
                hard_stop: file.hard_stop.map_or(default.hard_stop, f32::from),
                separation: file.separation.as_deref().map_or(default.separation, separation),
                weight: file.weight.map_or(default.weight, f32::from),
                ..default
            });
        }
        Behavior::Contain(file) => {
            let mut contain = obstacles::contain(&file.region.0);
            contain.look_ahead = length(&file.look_ahead).or(contain.look_ahead);
            contain.weight = file.weight.map_or(contain.weight, f32::from);
            entity.insert(contain);
        }
        Behavior::AvoidObstacles(file) => {
            let mut avoid = AvoidObstacles::default();
            avoid.look_ahead = length(&file.look_ahead).or(avoid.look_ahead);
            avoid.max_avoid_force = length(&file.max_avoid_force).or(avoid.max_avoid_force);
            avoid.steer = file.steer.map_or(avoid.steer, |steer| match steer {
                file::AvoidSteer::Lateral => AvoidSteer::Lateral,
                file::AvoidSteer::Radial => AvoidSteer::Radial,
            });
            avoid.detection = file.detection.map_or(avoid.detection, |detection| match detection {
                file::Detection::Swept => Detection::Swept,
                file::Detection::Points => Detection::Points,
            });
            avoid.layers = file.layers.map_or(avoid.layers, u32::from);
            avoid.weight = file.weight.map_or(avoid.weight, f32::from);
            entity.insert(avoid);
        }
        Behavior::AvoidNeighbors(file) => {
            let default = AvoidNeighbors::default();
            entity.insert(AvoidNeighbors {
                time_horizon: length(&file.look_ahead).or(default.time_horizon),
                weight: file.weight.map_or(default.weight, f32::from),
                ..default
            });
        }
    }
}

fn separation(file: &file::Separation) -> Separation {
    let default = Separation::default();
    Separation {
        radius: file.radius.map(f32::from).or(default.radius),
        max_separation: file.max_separation.map(f32::from).or(default.max_separation),
        field_of_view: file.field_of_view.map_or(default.field_of_view, f32::from),
        groups: file.groups.map_or(default.groups, u32::from),
        max_neighbors: file.max_neighbors.map_or(default.max_neighbors, u32::from),
        weight: file.weight.map_or(default.weight, f32::from),
    }
}

fn flock_part(file: &file::FlockPart) -> FlockPart {
    let default = FlockPart::default();
    FlockPart {
        radius: file.radius.map(f32::from).or(default.radius),
        field_of_view: file.field_of_view.map_or(default.field_of_view, f32::from),
        weight: file.weight.map(f32::from).or(default.weight),
    }
}

fn prediction(prediction: file::Prediction) -> Prediction {
    match prediction {
        file::Prediction::Proportional => Prediction::Proportional,
        file::Prediction::Intercept => Prediction::Intercept,
        file::Prediction::Fixed(time) => Prediction::Fixed(time.into()),
    }
}

//! An agent as behaviors see it, and the queries that read it.

use core::ops::Range;

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use crate::agent::components::{SteeringAgent, Velocity};
use crate::agent::id::SteeringId;
use crate::agent::rate::RateState;
use crate::math::Placement;
use crate::math::space::Space;
use crate::math::{Vector, finite_or_zero, truncate};

/// The agent that a behavior steers, at the start of the tick.
#[derive(Clone, Copy, Debug)]
pub struct Agent {
    /// The entity.
    pub entity: Entity,
    /// The id, which breaks ties in a reproducible way.
    pub id: SteeringId,
    /// The position, units.
    pub position: Vector,
    /// The height above the plane, units.
    #[cfg(not(dim3))]
    pub height: f32,
    /// Zero: there are no floors.
    #[cfg(dim3)]
    pub(crate) height: f32,
    /// The velocity, units/s.
    pub velocity: Vector,
    /// The total so far, mass · units/s². For a behavior, the sum of the contributions before it. For a
    /// [constraint](crate::engine::constraint::SteeringConstraint), the total after
    /// [`Arbitration`](crate::engine::arbitration::Arbitration) and the constraints before it.
    pub force: Vector,
    /// The mass, > 0.
    pub mass: f32,
    /// The speed limit, units/s, ≥ 0.
    pub max_speed: f32,
    /// The limit of the total force, mass · units/s², ≥ 0.
    pub max_force: f32,
    /// The radius of the body, units, ≥ 0.
    pub radius: f32,
    /// The time in which the agent responds to a wish, seconds, at least one tick.
    pub response_time: f32,
    /// The length of the tick, seconds, > 0. For an agent with a [`SteeringRate`](crate::agent::SteeringRate), the time until it thinks
    /// again.
    pub tick: f32,
    /// How distances are measured in this world.
    pub space: Space,
    /// Whether the agent has [`BodyLimits`](crate::agent::BodyLimits). If so, a wish for a place works better than a wish for a velocity.
    #[cfg(not(dim3))]
    pub is_vehicle: bool,
    /// Always `false`: no body has limits.
    #[cfg(dim3)]
    pub(crate) is_vehicle: bool,
    /// The displacement to the place that the agent's behaviors want to get to, if they have one and a constraint of the agent needs it.
    pub(crate) destination: Option<Vector>,
    /// Whether it wants to stop there.
    pub(crate) stops: bool,
}

impl Agent {
    /// The displacement from the agent to `point`, the shortest one in a world that wraps.
    #[inline]
    pub fn to(&self, point: Vector) -> Vector {
        self.space.displacement(self.position, point)
    }

    /// The force for a wish for a velocity: `(desired_velocity − velocity) / response_time · min(mass, 1)`.
    ///
    /// This is *steering = desired − velocity* (Craig Reynolds, Steering Behaviors for Autonomous Characters, GDC 1999) in units of force.
    /// If the force is not truncated, the agent reaches the velocity in about one response time, or in `mass` response times if its mass is
    /// above 1.
    #[inline]
    pub fn force_toward(&self, desired_velocity: Vector) -> Vector {
        (desired_velocity - self.velocity) / self.response_time * self.mass.min(1.0)
    }

    /// The force with which the agent reaches `velocity` in one response time, whatever its mass:
    /// `mass · (velocity − agent.velocity) / response_time`.
    #[inline]
    pub fn force_to_reach(&self, velocity: Vector) -> Vector {
        (velocity - self.velocity) * (self.mass / self.response_time)
    }

    /// The velocity that the agent's behaviors want. It is the velocity that [`force`](Self::force), the total so far, gives the agent in
    /// one response time, truncated to max speed.
    #[inline]
    pub fn preferred_velocity(&self) -> Vector {
        let velocity = self.velocity + self.force * (self.response_time / self.mass);
        truncate(finite_or_zero(velocity), self.max_speed)
    }

    /// The distance in which the agent can stop from max speed, units.
    pub(crate) fn stopping_distance(&self) -> f32 {
        self.max_speed * self.max_speed * self.mass / (2.0 * self.max_force)
    }

    /// Twice the stopping distance from max speed plus twice the radius, units.
    pub(crate) fn default_look_ahead(&self) -> f32 {
        2.0 * (self.stopping_distance() + self.radius)
    }
}

#[cfg(test)]
impl Agent {
    /// An agent at rest, with every parameter set to 1.
    pub(crate) fn at(position: Vector) -> Self {
        Self {
            entity: Entity::PLACEHOLDER,
            id: SteeringId::new(0),
            position,
            height: 0.0,
            velocity: Vector::ZERO,
            force: Vector::ZERO,
            mass: 1.0,
            max_speed: 1.0,
            max_force: 1.0,
            radius: 1.0,
            response_time: 1.0,
            tick: 1.0,
            space: Space::default(),
            is_vehicle: false,
            destination: None,
            stops: false,
        }
    }
}

/// The length of a tick, and how positions are read and distances are measured in it.
#[derive(Clone, Copy)]
pub(crate) struct TickFrame {
    /// Seconds.
    pub length: f32,
    pub space: Space,
    pub plane: Placement,
}

/// The components of an agent that behaviors read.
#[derive(QueryData)]
#[query_data(contiguous(all))]
pub(crate) struct AgentData {
    pub(crate) entity: Entity,
    id: &'static SteeringId,
    agent: &'static SteeringAgent,
    transform: &'static Transform,
    velocity: &'static Velocity,
    rate: Option<&'static RateState>,
}

impl AgentDataItem<'_, '_> {
    #[cfg(any(not(dim3), feature = "debug"))]
    pub fn transform(&self) -> &Transform {
        self.transform
    }

    pub fn body(&self) -> &SteeringAgent {
        self.agent
    }

    /// Whether the agent thinks in this tick.
    #[inline(always)]
    pub fn is_thinking(&self) -> bool {
        self.rate.is_none_or(RateState::is_thinking)
    }

    /// The time for which the agent keeps its velocity before it thinks, seconds, if a tick has this length.
    #[inline(always)]
    pub fn keeps_going(&self, tick: f32) -> f32 {
        self.rate.map_or(0.0, |rate| rate.keeps_going(tick))
    }

    /// The agent as behaviors see it. Its tick lasts until it thinks again.
    #[inline(always)]
    pub fn agent(&self, force: Vector, frame: TickFrame) -> Agent {
        let tick = self.rate.map_or(frame.length, |rate| rate.period(frame.length));
        Agent {
            entity: self.entity,
            id: *self.id,
            position: frame.plane.position(self.transform),
            height: frame.plane.height(self.transform.translation),
            velocity: self.velocity.0,
            force,
            mass: self.agent.effective_mass(),
            max_speed: self.agent.max_speed.max(0.0),
            max_force: self.agent.max_force.max(0.0),
            radius: self.agent.radius.max(0.0),
            response_time: self.agent.response_time.max(tick),
            tick,
            space: frame.space,
            is_vehicle: false,
            destination: None,
            stops: false,
        }
    }
}

/// The same components for consecutive agents in a table. The agents think in every tick.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub entities: &'a [Entity],
    ids: &'a [SteeringId],
    pub bodies: &'a [SteeringAgent],
    transforms: &'a [Transform],
    pub velocities: &'a [Velocity],
}

impl<'a> Rows<'a> {
    #[inline]
    fn rows(&self, rows: Range<usize>) -> Self {
        Self {
            entities: &self.entities[rows.clone()],
            ids: &self.ids[rows.clone()],
            bodies: &self.bodies[rows.clone()],
            transforms: &self.transforms[rows.clone()],
            velocities: &self.velocities[rows],
        }
    }

    /// The first `count` rows, and the others.
    #[inline]
    pub fn split_at(&self, count: usize) -> (Self, Self) {
        (self.rows(0..count), self.rows(count..self.entities.len()))
    }

    #[inline(always)]
    pub fn get(&self, row: usize) -> AgentDataItem<'a, 'a> {
        AgentDataItem {
            entity: self.entities[row],
            id: &self.ids[row],
            agent: &self.bodies[row],
            transform: &self.transforms[row],
            velocity: &self.velocities[row],
            rate: None,
        }
    }
}

impl<'a, 's> AgentDataContiguousItem<'a, 's> {
    /// The agent in a row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> AgentDataItem<'a, 's> {
        AgentDataItem { rate: self.rate.map(|rates| &rates[row]), ..self.all().get(row) }
    }

    /// All rows.
    #[inline]
    pub fn all(&self) -> Rows<'a> {
        Rows {
            entities: self.entity,
            ids: self.id,
            bodies: self.agent,
            transforms: self.transform,
            velocities: self.velocity,
        }
    }
}

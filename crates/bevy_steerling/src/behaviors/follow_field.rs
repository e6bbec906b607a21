//! Follow field: go where a flow field leads.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;
use fearless_simd::Simd;

use crate::agent::{Agent, SteeringAgent};
use crate::engine::approach::Approach;
use crate::engine::behavior::{Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::Vector;
use crate::math::lanes::{LANES, VectorOf};
use crate::math::simd::{dispatch, level};
use crate::perception::flow_field::{FlowField, FlowSample};

/// Follows a [`FlowField`] along the shortest way around obstacles to the nearest goal.
///
#[cfg_attr(doc, doc = figure!("follow_field"))]
///
#[cfg_attr(not(dim3), doc = "*Follow field: a crowd finds its way out of a maze.*")]
///
/// The agent comes to rest at the goal, as with [`Arrive`](crate::behaviors::arrive::Arrive), unless [`stop`](Self::stop) is off. It also
/// stops where no way leads to a goal.
///
/// # Formula
///
/// The desired velocity has the direction of the field at `p + v·τ`, where `p` is the position, `v` the velocity and `τ` the response time.
/// This is where the agent will be after one response time (flow fields: Craig Reynolds, Steering Behaviors for Autonomous Characters,
/// 1999; Elijah Emerson, Crowd Pathfinding and Steering Using Flow Field Tiles, 2013). If an obstacle may be in between, the field is
/// sampled at the farthest place before it. The length is max speed; before a stop, it is at most
/// [`braking_speed`](crate::engine::approach::braking_speed) for the remaining distance. In a field of given directions, it is max speed
/// times the length of the direction.
///
/// # When to use it
///
/// For crowds with common goals among obstacles, such as enemies that head for the player's base, or people who leave a building. The cost
/// of the field does not depend on the number of agents.
///
/// # Combines with
///
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles), because an agent that is fast or is pushed cannot follow the
/// field exactly. [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) in crowds.
#[cfg_attr(not(dim3), doc = "[`Queue`](crate::constraints::queue::Queue) where a crowd goes through a door in turn.")]
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn setup(mut commands: Commands, obstacles: Res<Obstacles>) -> Result {
///     let field = FlowField::toward([Vec2::new(300.0, 0.0), Vec2::new(-300.0, 0.0)], &obstacles, 5.0, 8.0)?;
///     let field = commands.spawn(field).id();
///     commands.spawn((FollowField::new(field), AvoidObstacles::default(), Transform::default()));
///     Ok(())
/// }
/// # App::new().add_plugins((MinimalPlugins, SteeringPlugin::default())).add_systems(Startup, setup).update();
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct FollowField {
    /// The entity with the [`FlowField`]. If it no longer exists, the behavior applies no force.
    #[entities]
    pub field: Entity,
    /// Whether the agent comes to rest at a goal. Otherwise it runs past the goal and comes back, as with
    /// [`Seek`](crate::behaviors::seek::Seek). Default: `true`.
    pub stop: bool,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

impl FollowField {
    /// Follows the field of an entity.
    pub fn new(field: Entity) -> Self {
        Self { field, stop: true, weight: 1.0 }
    }

    /// Sets [`stop`](Self::stop).
    #[must_use]
    pub fn with_stop(self, stop: bool) -> Self {
        Self { stop, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

impl FollowField {
    /// The wish of an agent for this sample of the field.
    #[inline(always)]
    fn follow(&self, field: &FlowField, sample: Option<FlowSample>, agent: &Agent) -> Wish {
        let Some(sample) = sample else { return Wish::Nothing };
        if !field.has_goals() {
            return Wish::Velocity(sample.direction * agent.max_speed);
        }
        if sample.distance == f32::INFINITY {
            return Wish::Velocity(Vector::ZERO);
        }
        let approach = match self.stop {
            true if sample.distance < may_brake_within(agent) => Approach::Braking { tolerance: 0.0 },
            true => Approach::NotYetBraking,
            false => Approach::FullSpeed,
        };
        Wish::Place { displacement: sample.to_goal.unwrap_or(sample.direction * sample.distance), approach }
    }
}

/// [`FollowField::follow`] for eight agents.
#[inline(always)]
fn follow_eight<S: Simd>(
    simd: S,
    settings: &[FollowField; LANES],
    field: &FlowField,
    agents: &[Agent; LANES],
    wishes: &mut [Wish; LANES],
) {
    let places = VectorOf::gather(simd, |lane| agents[lane].position);
    let samples = field.sample_eight(places, VectorOf::gather(simd, |lane| ahead(&agents[lane])));
    for lane in 0..LANES {
        wishes[lane] = settings[lane].follow(field, samples[lane], &agents[lane]);
    }
}

/// The displacement to where the agent will be after one response time.
fn ahead(agent: &Agent) -> Vector {
    agent.velocity * agent.response_time
}

/// A distance beyond which braking allows full speed, units. Full speed is faster to compute.
fn may_brake_within(agent: &Agent) -> f32 {
    // Braking assumes at least a tenth of the force. Heavy agents brake with a different response, so for them the braking speed is always
    // computed.
    let stopping_distance = 10.0 * agent.stopping_distance() + 5.0 * agent.response_time * agent.max_speed;
    if agent.mass > 1.0 { f32::INFINITY } else { stopping_distance }
}

impl SteeringBehavior for FollowField {
    type State = Stateless;
    type Param = Query<'static, 'static, &'static FlowField>;

    #[inline]
    fn wish(&self, _: &mut Stateless, agent: &Agent, fields: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let Ok(field) = fields.get(self.field) else { return Wish::Nothing };
        self.follow(field, field.sample(agent.position, ahead(agent)), agent)
    }

    const EIGHT_AT_ONCE: bool = true;

    #[inline]
    fn wishes(
        settings: &[Self; LANES],
        states: &mut [Stateless; LANES],
        agents: &[Agent; LANES],
        fields: &SystemParamItem<'_, '_, Self::Param>,
    ) -> [Wish; LANES] {
        let mut wishes = [Wish::Nothing; LANES];
        if settings.iter().any(|other| other.field != settings[0].field) {
            for lane in 0..LANES {
                wishes[lane] = settings[lane].wish(&mut states[lane], &agents[lane], fields);
            }
        } else if let Ok(field) = fields.get(settings[0].field) {
            dispatch!(level(), simd => follow_eight(simd, settings, field, agents, &mut wishes));
        }
        wishes
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn draw(&self, _: &Stateless, agent: &Agent, fields: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        let Ok(field) = fields.get(self.field) else { return };
        // The way along the field, half a cell at a time.
        const STEPS: usize = 200;
        let step = 0.5 * field.spacing().min_element();
        let mut place = agent.position;
        for _ in 0..STEPS {
            let Some(sample) = field.sample(place, Vector::ZERO) else { return };
            if let Some(to_goal) = sample.to_goal {
                figure.line(place, place + to_goal);
                figure.point(place + to_goal);
                return;
            }
            let next = place + sample.direction * step;
            figure.line(place, next);
            place = next;
        }
    }
}

//! Hold: stay at a place and return to it.

use bevy::ecs::component::component_clone_ignore;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::system::SystemParamItem;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;

use crate::agent::{Agent, SteeringAgent};
use crate::engine::behavior::SteeringBehavior;
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::Vector;
use crate::math::segment::nearest_on_segment;
use crate::perception::neighbors::Neighbors;

/// Stays at a place, and returns to it after the agent had to step aside or was pushed away.
///
#[cfg_attr(doc, doc = figure!("hold"))]
///
#[cfg_attr(not(dim3), doc = "*Hold: a crowd lets a guest through, and everybody goes back.*")]
///
/// # Formula
///
/// The agent [arrives](crate::behaviors::arrive::Arrive) at the place, except while it lets another agent without `Hold` pass: one that is
/// near and moves toward the agent or its place, or is in between. Meanwhile `Hold` applies no force. Afterward the agent stands still for
/// the time in which it can cover its own radius at max speed.
///
/// # When to use it
///
/// For guards at their posts, units with the order *hold position*, and customers at their tables. With
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors), an agent without behaviors also makes way, but it stays where
/// it ends up.
///
/// # Combines with
///
/// `AvoidNeighbors`, [`Knockback`](crate::motion::knockback::Knockback), and [`Face`](crate::behaviors::face::Face) to look at something
/// meanwhile. To send the agent somewhere else, remove `Hold`. Insert it again to hold the new place.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Hold::default(), AvoidNeighbors::default(), Transform::from_xyz(50.0, 0.0, 0.0)));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, HoldState)]
#[component(on_discard = forget_place)]
pub struct Hold {
    /// The place, units. Default: the agent's position in the first tick with this component.
    pub place: Option<Vector>,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

/// The state of [`Hold`]: the agent's position in the first tick, and how much longer it waits. Updated every tick. Cloned entities start
/// with a new state.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct HoldState {
    /// The place, units; `None` before the first tick.
    place: Option<Vector>,
    /// The remaining time for which the agent stands still to let others pass, seconds.
    wait: f32,
}

/// An agent lets others pass within its stopping distance plus this multiple of the radii of both.
const NEAR: f32 = 2.0;

/// After another agent has passed, the agent waits for the time in which it covers this multiple of its radius.
const WAIT: f32 = 1.0;

/// An agent that is slower than this share of the holder's max speed counts as standing still.
const STANDS: f32 = 0.1;

/// Forgets the place, so that a new [`Hold`] holds a new place.
fn forget_place(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut state) = world.get_mut::<HoldState>(context.entity) {
        *state = HoldState::default();
    }
}

impl Default for Hold {
    fn default() -> Self {
        Self { place: None, weight: 1.0 }
    }
}

impl HoldState {
    /// The place that the agent holds, units; `None` before the first tick.
    pub fn place(&self) -> Option<Vector> {
        self.place
    }
}

impl Hold {
    /// Holds this place, units, and goes there first.
    pub fn at(place: Vector) -> Self {
        Self { place: Some(place), ..Self::default() }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// Whether another agent without [`Hold`] is near and moves toward the agent or its place, which is at the displacement `to_place`, or is
/// in between.
fn lets_pass(agent: &Agent, to_place: Vector, neighbors: &Neighbors, holders: &Holders) -> bool {
    let reach = agent.stopping_distance() + NEAR * (agent.radius + neighbors.largest_radius());
    let mut lets_pass = false;
    neighbors.for_each_near(agent, reach, |other, to| {
        let is_moving = other.velocity.length() > STANDS * agent.max_speed;
        let comes_near = (other.velocity - agent.velocity).dot(to) < 0.0 || other.velocity.dot(to - to_place) < 0.0;
        let is_between = nearest_on_segment(to, Vector::ZERO, to_place).distance(to) < agent.radius + other.radius;
        lets_pass = lets_pass || (is_moving && comes_near || is_between) && !holders.contains(other.entity);
    });
    lets_pass
}

type Holders<'w, 's> = Query<'w, 's, (), With<Hold>>;

impl SteeringBehavior for Hold {
    type State = HoldState;
    type Param = (Res<'static, Neighbors>, Holders<'static, 'static>);

    fn wish(
        &self,
        state: &mut HoldState,
        agent: &Agent,
        (neighbors, holders): &SystemParamItem<'_, '_, Self::Param>,
    ) -> Wish {
        let to_place = agent.to(self.place.unwrap_or_else(|| *state.place.get_or_insert(agent.position)));
        if lets_pass(agent, to_place, neighbors, holders) {
            state.wait = WAIT * agent.radius / agent.max_speed.max(f32::MIN_POSITIVE);
            // If it braked, it would soon be in the way again.
            return Wish::Nothing;
        }
        state.wait = (state.wait - agent.tick).max(0.0);
        let arrive = Wish::arrive(to_place);
        if state.wait > 0.0 {
            Wish::Velocity(Vector::ZERO)
        } else if agent.is_vehicle {
            arrive
        } else {
            // This is not `Wish::Place`, because agents whose places are close together would settle before they reach them.
            Wish::Force(arrive.force(agent))
        }
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        2.0 * NEAR * agent.radius
    }

    fn draw(&self, state: &HoldState, agent: &Agent, _: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        if let Some(place) = self.place.or(state.place) {
            figure.line(agent.position, agent.position + agent.to(place));
            figure.point(place);
        }
    }
}

//! Obstacle avoidance: go around obstacles.

use bevy::ecs::component::component_clone_ignore;
use bevy::ecs::system::SystemParamItem;
use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::{Agent, GroupMask, SteeringAgent};
use crate::behaviors::follow_field::FollowField;
#[cfg(not(dim3))]
use crate::constraints::dead_ends::{DeadEnd, Surroundings};
use crate::constraints::exits::way_out;
use crate::constraints::force_limits::{CLEARANCE, ForceLimits};
use crate::constraints::openings::{InTheWay, fits_between};
use crate::engine::approach::braking_velocity;
use crate::engine::constraint::SteeringConstraint;
use crate::engine::destination::Destination;
use crate::engine::figure::Figure;
use crate::math::{Vector, normalize};
use crate::perception::obstacles::{ObstacleSide, ObstacleView, Obstacles};

/// Goes around [`Obstacle`](crate::perception::obstacles::Obstacle)s.
///
#[cfg_attr(doc, doc = figure!("avoid_obstacles"))]
///
#[cfg_attr(not(dim3), doc = "*`AvoidObstacles`: agents on their way to the right go around the obstacles.*")]
///
/// This constraint bends the total of the behaviors. If an obstacle blocks the path of the agent's body within the look-ahead, the agent
/// passes it on one side, and keeps to that side until the straight path is free, or until another obstacle is in its way and the agent
/// fits between the two. If it is held up there for one to three seconds, it changes to the other side, provided that the other side leads
/// to where it wants to go, or that other agents are in its way and the other side has room. If it moves away from where it wants to go
/// for as long, and the other end of the obstacle is nearer, it goes back. It does so only once until the straight path is free.
///
/// The agent can always stop before an obstacle, so its body touches none, whatever the behaviors want. However, the constraint does not
/// foresee that two moving obstacles will close in on the agent. An agent inside an obstacle takes the shortest way out. If the behaviors
/// want to stop at a place inside an obstacle, the agent comes to rest at the nearest place outside.
///
/// An agent with [`FollowField`] already knows its way around static obstacles. The constraint only keeps it from touching them.
///
/// # Formula
///
/// The constraint casts the agent's body along the wanted velocity, relative to each obstacle. The distance to the first contact is exact.
/// If it is shorter than the look-ahead, the desired velocity follows the tangent of that obstacle at max speed. The new total is the force
/// nearest to this wish with which the agent can still stop before every obstacle nearby.
///
/// # When to use it
///
/// For static and moving obstacles. It needs no map.
#[cfg_attr(not(dim3), doc = "With [`leave_dead_ends`](Self::leave_dead_ends), an agent finds its way out of a maze.")]
///
/// # Combines with
///
/// Every behavior that goes somewhere. Constraints that run later, such as
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors), keep an agent with this component away from the same obstacles.
/// [`Solid`](crate::world::solid::Solid) keeps bodies out where forces are not enough, for example when an obstacle runs into an agent.
/// [`AvoidWithFeelers`](crate::behaviors::avoid_with_feelers::AvoidWithFeelers) is the classic alternative.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Obstacle::new(Circle::new(50.0)), Transform::from_xyz(100.0, 10.0, 0.0)));
/// commands.spawn((Seek::new(Vec2::new(300.0, 0.0)), AvoidObstacles::default(), Transform::default()));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, AvoidObstaclesState, Destination)]
pub struct AvoidObstacles {
    /// The distance within which obstacles are considered, units. Default: twice the stopping distance from max speed plus twice the
    /// agent's radius. With less than the stopping distance, the agent may touch obstacles.
    pub look_ahead: Option<f32>,
    /// The maximum length of the new total, mass · units/s², at most the agent's max force. Default: max force.
    pub max_avoid_force: Option<f32>,
    /// The layers of the obstacles to avoid. Default: all.
    pub layers: GroupMask,
    /// Whether the agent gets out of dead ends. Default: `false`. It does so only if a behavior wants to get to a
    /// [place](crate::engine::wish::Wish::Place), as [`Seek`](crate::behaviors::seek::Seek) and
    /// [`Arrive`](crate::behaviors::arrive::Arrive) do. Of several places, that of the most urgent behavior counts.
    ///
    /// If the straight path is blocked, the agent follows the boundary of the static obstacles. It leaves the boundary where the straight
    /// path leads nearer to the place. It follows the boundary in the direction in which this point is nearer, and does not turn back until
    /// it leaves. The resulting path is not the shortest: it is seldom longer than twice the shortest path, and very seldom longer than
    /// four times.
    ///
    /// This is an algorithm of the *bug* family: DistBug (Ishay Kamon and Ehud Rivlin, Sensory-Based Motion Planning with Global Proofs,
    /// 1997) and TangentBug (Kamon, Rimon and Rivlin, 1998). An agent that stays on its path reaches the place if there is a way. A fast
    /// agent with little force may miss a turn. Gaps narrower than 2.13 times the radius count as closed.
    ///
    /// So an agent gets out of a maze, but only by following walls. With [`FollowField`] it takes the shortest path.
    #[cfg(not(dim3))]
    pub leave_dead_ends: bool,
    /// How far the total is bent, 0 to 1. Default: 1. Below 1 the agent may touch obstacles; 0 turns the constraint off.
    pub weight: f32,
}

/// The state of an agent that passes obstacles with [`AvoidObstacles`]. Updated every tick. Cloned entities start with a new state.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct AvoidObstaclesState {
    side: Option<ObstacleSide>,
    /// The center of the obstacle that it is passing.
    passing: Option<Vector>,
    /// The time for which the agent has been held up while it passes the obstacle, seconds.
    held_up: f32,
    /// Whether the agent has changed sides because of that.
    has_turned: bool,
    /// Whether it must go back: it moves away from where it wants to go, and the other end of the obstacle is nearer.
    must_go_back: bool,
    /// Whether it has changed sides to go back.
    has_gone_back: bool,
    /// Whether the agent could move on if only obstacles were in its way.
    is_willing: bool,
    #[cfg(not(dim3))]
    dead_end: DeadEnd,
}

impl AvoidObstaclesState {
    /// The side of the agent on which the obstacle is that it is passing; `None` if it passes none.
    pub fn side(&self) -> Option<ObstacleSide> {
        #[cfg(not(dim3))]
        if let Some(way) = self.dead_end.way_out {
            return Some(way.side);
        }
        self.side
    }

    /// Whether the agent follows the boundary of obstacles to get out of a dead end.
    #[cfg(not(dim3))]
    pub fn follows_boundary(&self) -> bool {
        self.dead_end.way_out.is_some()
    }

    /// The position of the scout ahead of an agent that follows a boundary.
    fn scout(&self) -> Option<Vector> {
        #[cfg(not(dim3))]
        return self.dead_end.way_out.map(|way| way.scout);
        #[cfg(dim3)]
        None
    }
}

impl Default for AvoidObstacles {
    fn default() -> Self {
        Self {
            look_ahead: None,
            max_avoid_force: None,
            layers: GroupMask::ALL,
            #[cfg(not(dim3))]
            leave_dead_ends: false,
            weight: 1.0,
        }
    }
}

impl AvoidObstacles {
    /// Sets [`look_ahead`](Self::look_ahead), units.
    #[must_use]
    pub fn with_look_ahead(self, distance: f32) -> Self {
        Self { look_ahead: Some(distance), ..self }
    }

    /// Sets [`max_avoid_force`](Self::max_avoid_force), mass · units/s².
    #[must_use]
    pub fn with_max_avoid_force(self, force: f32) -> Self {
        Self { max_avoid_force: Some(force), ..self }
    }

    /// Sets the [`layers`](Self::layers).
    #[must_use]
    pub fn with_layers(self, layers: GroupMask) -> Self {
        Self { layers, ..self }
    }

    /// Sets [`leave_dead_ends`](Self::leave_dead_ends).
    #[cfg(not(dim3))]
    #[must_use]
    pub fn with_leave_dead_ends(self, leave_dead_ends: bool) -> Self {
        Self { leave_dead_ends, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    #[inline(always)]
    fn look_ahead_for(&self, agent: &Agent) -> f32 {
        self.look_ahead.unwrap_or(agent.default_look_ahead())
    }

    /// The wanted velocity on the way out of a dead end, if the agent is in one, and the distance within which obstacles are in its way.
    #[cfg(not(dim3))]
    fn way_out(
        &self,
        state: &mut AvoidObstaclesState,
        agent: &Agent,
        obstacles: &Obstacles,
        look_ahead: f32,
        is_guided: bool,
    ) -> (Option<Vector>, f32) {
        let around = if self.leave_dead_ends && !is_guided {
            Surroundings::new(agent, look_ahead, obstacles, self.layers)
        } else {
            None
        };
        let way = around.and_then(|around| state.dead_end.follow_boundary(&around));
        if around.is_none() {
            state.dead_end.way_out = None;
        }
        // An obstacle behind the destination is not in the way.
        (way, around.map_or(look_ahead, |around| look_ahead.min(around.distance())))
    }

    /// In three dimensions, agents do not get out of dead ends.
    #[cfg(dim3)]
    fn way_out(
        &self,
        _: &mut AvoidObstaclesState,
        _: &Agent,
        _: &Obstacles,
        look_ahead: f32,
        _: bool,
    ) -> (Option<Vector>, f32) {
        (None, look_ahead)
    }

    /// The displacement to the nearest place where the agent can stand, if the obstacle in its way contains the place where it wants to
    /// stop.
    fn way_beside(&self, agent: &Agent, obstacles: &Obstacles, (obstacle, position): InTheWay) -> Option<Vector> {
        let to_place = agent.destination.filter(|_| agent.stops)?;
        let room = agent.radius * (1.0 + 1.5 * CLEARANCE);
        if obstacle.shape.distance(position + to_place).0 >= agent.radius * (1.0 + CLEARANCE) {
            return None;
        }
        let (place, view) = (agent.position + to_place, ObstacleView::of(agent, self.layers));
        Some(to_place + way_out(obstacles, place, room, &view, normalize(-to_place))?)
    }

    /// The first obstacle on the path of an agent that wants the velocity `wanted`.
    fn first_in_the_way<'a>(
        &self,
        state: &AvoidObstaclesState,
        agent: &Agent,
        obstacles: &'a Obstacles,
        wanted: Vector,
        look_ahead: f32,
        is_guided: bool,
    ) -> Option<InTheWay<'a>> {
        let body = agent.radius * (1.0 + CLEARANCE);
        let rounding = ROUNDING * agent.position.abs().max_element() / agent.tick;
        let change = agent.max_force / agent.mass * agent.tick;
        let is_at_rest = wanted.length() <= rounding.max(REMAINDER * change).min(AT_REST * agent.max_speed);
        // After an agent has changed sides, it must not turn again as soon as it gets clear of the obstacle.
        let moves_away = state.has_turned && agent.velocity.dot(wanted) < 0.0;
        let swept = if moves_away { body * (1.0 + 3.0 * CLEARANCE) } else { body };
        let mut first: Option<(f32, InTheWay)> = None;
        obstacles.for_each_near(agent, look_ahead + swept, self.layers, |obstacle, position| {
            if is_guided && obstacle.stands() || is_at_rest && !obstacle.has_motion() {
                return;
            }
            let relative = wanted - obstacle.velocity_nearest_to(position);
            let speed = relative.length();
            let distance = obstacle.shape.cast_distance(position, normalize(relative), swept);
            if let Some(distance) = distance.filter(|distance| *distance <= look_ahead && speed > 0.0)
                && first.is_none_or(|(time, _)| distance / speed < time)
            {
                first = Some((distance / speed, (obstacle, position)));
            }
        });
        first.map(|(_, obstacle)| obstacle)
    }

    /// The velocity that replaces `wanted`; `None` if the path is free.
    fn detour(
        &self,
        state: &mut AvoidObstaclesState,
        agent: &Agent,
        obstacles: &Obstacles,
        first: Option<InTheWay>,
        wanted: Vector,
        look_ahead: f32,
    ) -> Option<Vector> {
        let Some((obstacle, position)) = first else {
            (state.side, state.passing, state.held_up) = (None, None, 0.0);
            (state.has_turned, state.must_go_back, state.has_gone_back) = (false, false, false);
            return None;
        };
        let (velocity, body) = (obstacle.velocity_nearest_to(position), agent.radius * (1.0 + CLEARANCE));
        let relative = wanted - velocity;
        let ways = obstacle.shape.ways_past(position, relative, body * (1.0 + CLEARANCE));
        if state.held_up > patience(agent) {
            // Changes sides if the agent wants to go there, or if others are in its way on this side and there is room on the other.
            let (way, view) = (2.0 * obstacle.shape.extent(), ObstacleView::of(agent, self.layers));
            let is_free = |way_past: Vector| {
                way <= look_ahead.max(SMALL * agent.radius)
                    && obstacles.free_way(agent.position, way_past * way, body, &view) >= way
            };
            let other = state.side.map(ObstacleSide::other).filter(|other| {
                let way_past = ways.with_shape_on(*other);
                way_past.dot(relative) >= WANTED * relative.length() || state.is_willing && is_free(way_past)
            });
            state.has_gone_back |= other.is_some() && state.must_go_back;
            state.has_turned |= other.is_some();
            (state.side, state.held_up) = (other.or(state.side), 0.0);
        }
        let before = state.passing.replace(obstacle.shape.center()).filter(|_| !state.has_turned);
        let is_free_to_choose = before.is_some_and(|before| {
            fits_between(agent, obstacles, self.layers, look_ahead, before, (obstacle, position))
        });
        let kept = state.side.filter(|_| !is_free_to_choose);
        let side = kept.map_or_else(|| ways.nearest_side(), |side| ways.turned(side));
        state.side = Some(side);
        let tangent = ways.with_shape_on(side);
        // A weak agent that starts from rest cannot reach that speed within its patience.
        let slow = (HELD_UP * agent.max_speed).min(0.5 * patience(agent) * agent.max_force / agent.mass);
        // Others may have pushed the agent to the wrong side of a wall, far from its end. It goes back only once, so that it gets out of a
        // corner.
        let goes_away = tangent.dot(relative) < -WANTED * relative.length();
        let is_other_end_nearer = (obstacle.shape.center() - position).dot(tangent) > 0.0;
        state.must_go_back = goes_away && is_other_end_nearer && !state.has_gone_back;
        let is_held_up = state.must_go_back || (agent.velocity - velocity).dot(tangent) < slow;
        state.held_up = (state.held_up + if is_held_up { agent.tick } else { -agent.tick }).max(0.0);
        Some(along_at_full_speed(tangent, velocity, agent.max_speed))
    }
}

/// The time for which a held-up agent keeps to its side of an obstacle, seconds. It differs between agents, so that of two agents that hold
/// each other up, one changes sides first.
fn patience(agent: &Agent) -> f32 {
    // Multiples of the golden ratio, so that agents differ whatever their ids.
    let share = (agent.id.get() as u32).wrapping_mul(0x9E37_79B9);
    1.0 + share as f32 / (1_u32 << 31) as f32
}

/// An agent wants to stay where it is if the velocity that it wants is below this share of the largest change of its velocity in a tick,
const REMAINDER: f32 = 1e-3;

/// or below the rounding error of its position per tick, as a share of the coordinates,
const ROUNDING: f32 = 2e-7;

/// but never if it is above this share of its max speed.
const AT_REST: f32 = 1e-2;

/// To make room for others, an agent changes sides only if the obstacle is no larger than its look-ahead or this multiple of its radius.
const SMALL: f32 = 16.0;

/// A path leads to where an agent wants to go if the cosine of the angle between them is at least this.
const WANTED: f32 = 0.5;

/// An agent is held up if it moves past an obstacle at less than this share of its max speed, or of a lower speed that a weak agent can
/// reach in time.
const HELD_UP: f32 = 0.1;

/// The velocity of length `max_speed` whose direction is `direction` relative to something that moves at `velocity`.
fn along_at_full_speed(direction: Vector, velocity: Vector, max_speed: f32) -> Vector {
    let (along, speed) = (velocity.dot(direction), velocity.length());
    let squared = along * along + (max_speed - speed) * (max_speed + speed);
    if squared < 0.0 || along > 0.0 && speed > max_speed {
        // It is too fast: no velocity of this length has that direction. This one deviates least from it.
        let (heading, share) = (velocity / speed, max_speed / speed);
        let aside = normalize(direction - heading * direction.dot(heading));
        return (heading * share + aside * ops::sqrt((1.0 - share) * (1.0 + share))) * max_speed;
    }
    velocity + direction * (ops::sqrt(squared) - along).max(0.0)
}

/// The agents that know their way around static obstacles.
type Guided = Query<'static, 'static, (), With<FollowField>>;

impl SteeringConstraint for AvoidObstacles {
    type State = AvoidObstaclesState;
    type Param = (Res<'static, Obstacles>, Guided);
    const PREFILTERED: bool = true;
    const PARALLEL_THRESHOLD: usize = 16_384;

    #[inline(always)]
    fn is_concerned(&self, agent: &Agent, (obstacles, _): &SystemParamItem<'_, '_, Self::Param>) -> bool {
        !obstacles.is_clear(agent.position, self.look_ahead_for(agent) + agent.radius * (1.0 + CLEARANCE))
    }

    fn constrain(
        &self,
        state: &mut AvoidObstaclesState,
        agent: &Agent,
        param: &SystemParamItem<'_, '_, Self::Param>,
    ) -> Vector {
        let (obstacles, guided) = param;
        let look_ahead = self.look_ahead_for(agent);
        let reach = look_ahead + agent.radius * (1.0 + CLEARANCE);
        if !obstacles.any_near(agent, reach, self.layers) {
            *state = AvoidObstaclesState::default();
            return agent.force;
        }
        let is_guided = !guided.is_empty() && guided.contains(agent.entity);
        let (way, in_the_way) = self.way_out(state, agent, obstacles, look_ahead, is_guided);
        let is_guided = is_guided || way.is_some();
        let (mut wanted, mut in_the_way) = (way.unwrap_or(agent.preferred_velocity()), in_the_way);
        let mut first = self.first_in_the_way(state, agent, obstacles, wanted, in_the_way, is_guided);
        let beside = first.filter(|_| !is_guided).and_then(|first| self.way_beside(agent, obstacles, first));
        if let Some(way) = beside {
            (wanted, in_the_way) = (braking_velocity(agent, way), in_the_way.min(way.length()));
            first = self.first_in_the_way(state, agent, obstacles, wanted, in_the_way, false);
        }
        let detour = self.detour(state, agent, obstacles, first, wanted, in_the_way).or(way);
        let max_force = self.max_avoid_force.unwrap_or(agent.max_force).min(agent.max_force);
        let (mut limits, far) = (None, ForceLimits::far(agent, max_force));
        obstacles.for_each_near(agent, reach, self.layers, |obstacle, position| {
            if obstacle.has_motion() || !obstacle.shape.is_beyond(position, far) {
                let limits = limits.get_or_insert_with(|| ForceLimits::new(agent, max_force));
                limits.limit_by_obstacle(agent, obstacle, position, |_, _| {});
            }
        });
        let force = agent.force_to_reach(detour.unwrap_or(wanted));
        let limited = limits.and_then(|mut limits| {
            limits.leave_overlapping_obstacles(agent, obstacles, self.layers);
            limits.apply(agent, force)
        });
        let force = match limited {
            Some(limited) => limited,
            None if detour.is_some() || beside.is_some() => force,
            None => agent.force,
        };
        let velocity = agent.velocity + force * (agent.response_time / agent.mass);
        let along = velocity.dot(normalize(detour.unwrap_or_default()));
        // A weak agent at rest cannot reach a higher speed yet.
        let change = max_force * (agent.response_time / agent.mass);
        state.is_willing = along >= (HELD_UP * agent.max_speed).min(0.5 * change);
        force
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn draw(
        &self,
        state: &AvoidObstaclesState,
        agent: &Agent,
        (obstacles, _): &SystemParamItem<'_, '_, Self::Param>,
        figure: &mut Figure,
    ) {
        let (heading, look_ahead) = (normalize(agent.velocity), self.look_ahead_for(agent));
        let ahead = agent.position + heading * look_ahead;
        figure.swept(agent.position, ahead, agent.radius);
        if let Some(scout) = state.scout() {
            figure.point(scout);
        }
        figure.first_obstacle(agent, heading, look_ahead, self.layers, obstacles);
    }
}

#[cfg(all(test, not(dim3)))]
mod tests {
    use crate::agent::SteeringId;
    use crate::math::plane::SteeringPlane;
    use crate::math::space::SteeringBounds;
    use crate::perception::obstacles::Obstacle;

    use super::*;

    #[test]
    fn agents_that_hold_each_other_up_lose_patience_at_different_times() {
        let patience = |id| patience(&Agent { id: SteeringId::new(id), ..Agent::at(Vector::ZERO) });
        for id in 0..200 {
            assert!((1.0..3.0).contains(&patience(id)), "{id}: {}", patience(id));
            for other in id + 1..id + 20 {
                assert!((patience(id) - patience(other)).abs() > 0.02, "{id} and {other}");
            }
        }
    }

    #[test]
    fn an_agent_that_has_changed_sides_does_not_turn_back_beside_the_obstacle() {
        let obstacle = (Obstacle::new(Circle::new(10.0)), Transform::default());
        let obstacles = Obstacles::standing_at([obstacle], &SteeringBounds::default(), SteeringPlane::XY);
        let wanted = Vector::new(100.0, 0.0);
        let is_in_the_way = |has_turned, velocity, aside| {
            let state = AvoidObstaclesState { has_turned, ..default() };
            let agent = Agent { velocity, radius: 8.0, ..Agent::at(Vector::new(-40.0, aside)) };
            AvoidObstacles::default().first_in_the_way(&state, &agent, &obstacles, wanted, 200.0, false).is_some()
        };
        // The agent is clear of the obstacle, but not by much.
        assert!(is_in_the_way(true, -wanted, 19.0));
        assert!(!is_in_the_way(true, wanted, 19.0));
        assert!(!is_in_the_way(false, -wanted, 19.0));
        assert!(!is_in_the_way(true, -wanted, 20.0));
        assert!(is_in_the_way(false, wanted, 18.0));
    }
}

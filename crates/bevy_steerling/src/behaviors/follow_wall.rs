//! Follow wall: move along walls at a distance.

use bevy::ecs::component::component_clone_ignore;
use bevy::ecs::system::SystemParamItem;
use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::{Agent, BodyLimits, GroupMask, SteeringAgent};
use crate::engine::behavior::SteeringBehavior;
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::{Vector, normalize, truncate};
use crate::perception::obstacles::{Boundary, ObstacleSide, ObstacleView, Obstacles};

/// Moves along walls at a distance, with the walls on one side.
///
#[cfg_attr(doc, doc = figure!("follow_wall"))]
///
/// *Follow wall: one agent follows the walls of a room on its right, another one goes around a block on its left.*
///
/// The walls are the outlines of all [obstacles](crate::perception::obstacles::Obstacle) that stand still. The agent joins the nearest
/// one. At a corner, or at a gap that is narrower than twice the distance, it continues along the next wall. If no wall is within
/// [`reach`](Self::reach), the behavior applies no force, and the agent gets the event [`WallLost`](crate::events::WallLost).
///
/// # Formula
///
/// The agent's way is the line at `distance` from the nearest wall. It rounds outer corners in an arc. The agent moves toward the farthest
/// place on it that it can reach in a straight line without coming nearer to a wall. It looks ahead up to about twice the radius `v² / a`
/// of its turn, with the speed `v` and `a = max_force / mass` (wall following: Craig Reynolds, Steering Behaviors for Autonomous
/// Characters, 1999). It therefore cuts inner corners, but not outer ones. It moves at max speed, or more slowly if its force is too weak
/// for the bend ahead: at about `√(a · r)` in an arc of radius `r`. It may come nearer to the walls than `distance` by about a tenth of it, or a
/// fifth if its force is weak. A body with [`BodyLimits`] may come nearer still.
///
/// # When to use it
///
/// For patrols along a building, rats, robots that explore, and agents that look for the way out of a simple maze. It takes some
/// microseconds per agent and tick. For large crowds, a [`FlowField`](crate::perception::flow_field::FlowField) or a path is faster.
///
/// # Combines with
///
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles), if obstacles move, and
/// [`Wander`](crate::behaviors::wander::Wander) with a lower priority, to find a wall.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Obstacle::new(Rectangle::new(300.0, 200.0)), Transform::default()));
/// commands.spawn((FollowWall::new(ObstacleSide::Left, 30.0), Transform::from_xyz(0.0, -160.0, 0.0)));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, FollowWallState)]
pub struct FollowWall {
    /// The side of the agent on which the walls are.
    pub side: ObstacleSide,
    /// The distance of the agent's center from the walls, units. Values below 1.05 times the agent's radius count as that.
    pub distance: f32,
    /// The distance within which the agent finds a wall, units, ≥ 0. Default: `distance`, plus four times the sum of the agent's stopping
    /// distance and its radius. The agent does not lose the wall that it follows within twice the `distance`.
    pub reach: Option<f32>,
    /// The layers of the obstacles to follow. Default: all.
    pub layers: GroupMask,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

/// The progress of an agent along walls. Updated every tick. Cloned entities start with a new state.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct FollowWallState {
    place: Option<Vector>,
}

impl FollowWallState {
    /// The place on the agent's way along the walls that is nearest to the agent; `None` if there is no wall.
    pub fn place(&self) -> Option<Vector> {
        self.place
    }
}

impl FollowWall {
    /// Follows walls on the given side, at the distance `distance`, units.
    pub fn new(side: ObstacleSide, distance: f32) -> Self {
        Self { side, distance, reach: None, layers: GroupMask::ALL, weight: 1.0 }
    }

    /// Sets the [`reach`](Self::reach), units.
    #[must_use]
    pub fn with_reach(self, reach: f32) -> Self {
        Self { reach: Some(reach), ..self }
    }

    /// Sets the [`layers`](Self::layers).
    #[must_use]
    pub fn with_layers(self, layers: GroupMask) -> Self {
        Self { layers, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// The smallest distance from walls, as a multiple of the agent's radius.
const LEAST_DISTANCE: f32 = 1.05;

/// The body passes through gaps that are wider than twice this share of the distance.
const CLEARANCE: f32 = 0.99;

/// The agent sees a place if a body whose radius is this share of the distance can move straight to it.
const SIGHT: f32 = 0.96;

/// The length of a step along the boundary, as a share of the distance.
const STEP: f32 = 0.5;

/// The maximum number of steps ahead.
const MOST_STEPS: usize = 32;

/// The farthest that the agent looks ahead, as a multiple of the distance.
const MOST_AHEAD: f32 = 8.0;

/// The least that the agent looks ahead, as a share of the distance.
const LEAST_AHEAD: f32 = 0.25;

/// How far the agent looks ahead, as a multiple of the radius of its tightest turn at its speed.
const AHEAD: f32 = 1.8;

/// The agent aims beside the place ahead, toward the boundary, by its own distance from the boundary times this factor.
const BACK: f32 = 2.0;

/// The response time is at most this share of the time in which the agent covers the distance at max speed.
const ANSWER: f32 = 0.25;

/// An agent that is too near to the walls by less than this share of the distance need not brake.
const TOLERANCE: f32 = 0.03;

/// The share of the force for turning and braking. The rest is for corrections.
const BRAKING: f32 = 0.8;

/// The same for a body with limits.
const VEHICLE_BRAKING: f32 = 0.5;

/// Bodies with a lower turn rate count as having this one, radians/s.
const LEAST_TURN_RATE: f32 = 1e-3;

/// How a body turns.
#[derive(Clone, Copy)]
struct Turning {
    /// The highest turn rate, radians/s.
    rate: f32,
    /// The smallest turning radius, units.
    radius: f32,
    /// The acceleration for turning and braking, units/s².
    acceleration: f32,
}

impl Turning {
    fn of(agent: &Agent, bodies: &Query<&BodyLimits>) -> Self {
        let limits = if agent.is_vehicle { bodies.get(agent.entity).ok() } else { None };
        let rate = limits.and_then(|limits| limits.max_turn_rate).unwrap_or(f32::INFINITY).max(LEAST_TURN_RATE);
        let radius = limits.and_then(|limits| limits.min_turning_radius).unwrap_or(0.0).max(0.0);
        let share = if limits.is_some() { VEHICLE_BRAKING } else { BRAKING };
        Self { rate, radius, acceleration: share * agent.max_force / agent.mass }
    }

    /// The speed from which the body can stop within half of this length, or turn in an arc of this radius, after a delay.
    fn speed(&self, length: f32, delay: f32) -> f32 {
        let lag = self.acceleration * delay;
        ops::sqrt(lag * lag + self.acceleration * length) - lag
    }

    /// The radius of the tightest turn at a speed, units.
    fn narrowest(&self, speed: f32) -> f32 {
        (speed * speed / self.acceleration).max(speed / self.rate).max(self.radius)
    }
}

/// An agent's way along walls.
struct Way<'a> {
    agent: &'a Agent,
    boundary: Boundary<'a>,
    side: ObstacleSide,
    turning: &'a Turning,
    /// The position of the agent after its response time.
    from: Vector,
}

/// The part of the way that an agent sees.
#[derive(Clone, Copy)]
struct View {
    /// The displacement to the nearest place.
    nearest: Vector,
    /// The displacement to the place ahead.
    ahead: Vector,
    /// The speed at which the agent, moving in its current direction, can turn or stop before it leaves its way, units/s.
    speed: f32,
}

impl Way<'_> {
    fn to(&self, place: Vector) -> Vector {
        self.agent.space.displacement(self.from, place)
    }

    fn sees(&self, place: Vector) -> bool {
        let (way, sight) = (self.to(place), SIGHT * self.boundary.distance);
        self.boundary.free_way(self.from, way, sight) >= way.length()
    }

    /// The place after a part of a step.
    fn next(&self, place: Vector, length: f32) -> Option<Vector> {
        Boundary { step: length, ..self.boundary }.next(place, self.side)
    }

    /// The place on the boundary from which to look ahead: the one of the previous tick, if there is still a wall within reach and the agent
    /// sees the place.
    fn start(&self, before: Option<Vector>, reach: f32) -> Option<Vector> {
        let Boundary { distance, step, .. } = self.boundary;
        // The wall is behind the place.
        let farthest = (reach - distance).max(distance);
        let before = before
            .filter(|place| self.to(*place).length() <= farthest && self.sees(*place))
            .and_then(|place| self.boundary.nearest(place, distance + step));
        before.or_else(|| self.boundary.nearest(self.from, reach))
    }

    /// The nearest place, and the farthest one within `look_ahead` after it that the agent sees.
    fn look(&self, start: Vector, look_ahead: f32) -> View {
        let step = self.boundary.step;
        let (mut foot, mut end, mut left, mut speed) = (start, start, look_ahead, f32::INFINITY);
        for _ in 0..MOST_STEPS {
            let Some(next) = self.next(end, left.min(step)) else { break };
            if !self.sees(next) {
                end = self.last_seen(end, left.min(step));
                break;
            }
            left -= next.distance(end);
            speed = speed.min(self.speed_before(next));
            end = next;
            if self.to(next).length_squared() < self.to(foot).length_squared() {
                (foot, left) = (next, look_ahead);
            }
            if left <= LEAST_AHEAD * step {
                break;
            }
        }
        // Checks between the steps.
        let distance = self.to(foot).length() + self.boundary.distance;
        let exact = self.boundary.nearest(self.from, distance);
        let foot = exact.filter(|exact| exact.distance(foot) <= 1.5 * step).unwrap_or(foot);
        let least = LEAST_AHEAD * self.boundary.distance;
        if self.agent.space.displacement(foot, end).length() < least {
            end = self.next(foot, least).unwrap_or(foot);
        }
        View { nearest: self.to(foot), ahead: self.to(end), speed }
    }

    /// The speed at which the agent, moving in its current direction, can stop before it crosses its way at a place, units/s.
    fn speed_before(&self, place: Vector) -> f32 {
        let Some(away) = self.boundary.away(place) else { return f32::INFINITY };
        let toward_wall = -away;
        let rest = self.to(place).dot(toward_wall).max(TOLERANCE * self.boundary.distance);
        let (speed, toward) = (self.agent.velocity.length(), self.agent.velocity.dot(toward_wall));
        if toward <= 0.0 {
            return f32::INFINITY;
        }
        let by_force = self.turning.speed(2.0 * rest, self.agent.tick) * (speed / toward);
        let along = ops::sqrt((speed - toward).max(0.0) * (speed + toward));
        let radius = rest * (speed / (speed - along).max(f32::MIN_POSITIVE));
        by_force.min(self.turning.rate * radius)
    }

    /// The farthest place within a step that the agent sees.
    fn last_seen(&self, from: Vector, step: f32) -> Vector {
        let (mut last, mut length, mut part) = (from, 0.0, 0.5 * step);
        for _ in 0..4 {
            if let Some(place) = self.next(from, length + part).filter(|place| self.sees(*place)) {
                (last, length) = (place, length + part);
            }
            part *= 0.5;
        }
        last
    }
}

impl View {
    /// The speed at which an agent can turn toward the place ahead, brake before it, and not leave its way.
    fn speed(&self, agent: &Agent, turning: &Turning) -> f32 {
        let (length, velocity) = (self.ahead.length(), agent.velocity);
        let (along, aside) = (self.ahead.dot(velocity), self.ahead.perp_dot(velocity).abs());
        let sine = if along > 0.0 { aside / (length * velocity.length()).max(f32::MIN_POSITIVE) } else { 1.0 };
        let radius = if velocity == Vector::ZERO { f32::INFINITY } else { length / (2.0 * sine) };
        // At a low turn rate `ω`, this is `ω · radius`.
        let delay = agent.tick + 0.5 / turning.rate;
        turning.speed(radius.min(2.0 * length), delay).min(self.speed).min(agent.max_speed)
    }

    /// The direction to the place ahead, and back to the boundary.
    fn direction(&self, side: ObstacleSide) -> Vector {
        let along = normalize(self.ahead - self.nearest);
        let is_outside = side.along(along).dot(self.nearest) > 0.0;
        // Before an inner corner the way leads away from the wall beside the agent, and the agent cuts the corner.
        let away = if is_outside { -along.dot(normalize(self.nearest)) } else { 0.0 };
        let back = BACK * (1.0 - 2.0 * away).clamp(0.0, 1.0);
        normalize(self.ahead + truncate(self.nearest * back, self.ahead.length()))
    }
}

impl FollowWall {
    fn distance(&self, agent: &Agent) -> f32 {
        self.distance.max(LEAST_DISTANCE * agent.radius)
    }

    /// The response time of the agent along walls, seconds.
    fn answer_time(&self, agent: &Agent) -> f32 {
        agent.response_time.min(ANSWER * self.distance(agent) / agent.max_speed).max(agent.tick)
    }

    /// The way along the walls, and the distance within which the agent finds it.
    fn way<'a>(&self, agent: &'a Agent, obstacles: &'a Obstacles, turning: &'a Turning) -> Option<(Way<'a>, f32)> {
        let distance = self.distance(agent);
        let reach = self.reach.unwrap_or(distance + 2.0 * agent.default_look_ahead());
        let from = agent.position + agent.velocity * (self.answer_time(agent) - agent.tick);
        let boundary = Boundary {
            obstacles,
            view: ObstacleView::of(agent, self.layers),
            distance,
            clearance: CLEARANCE * distance,
            step: STEP * distance,
        };
        let is_usual = from.is_finite() && distance > 0.0 && distance.is_finite() && reach > 0.0;
        is_usual.then_some((Way { agent, boundary, side: self.side, turning, from }, reach))
    }

    fn view(
        &self,
        place: &mut Option<Vector>,
        agent: &Agent,
        obstacles: &Obstacles,
        turning: &Turning,
    ) -> Option<View> {
        let found = self.way(agent, obstacles, turning).and_then(|(way, reach)| Some((way.start(*place, reach)?, way)));
        let Some((start, way)) = found else {
            *place = None;
            return None;
        };
        let look_ahead = AHEAD * turning.narrowest(agent.velocity.length());
        let distance = way.boundary.distance;
        let view = way.look(start, look_ahead.max(distance).min(MOST_AHEAD * distance));
        *place = Some(way.from + view.nearest);
        Some(view)
    }
}

impl SteeringBehavior for FollowWall {
    type State = FollowWallState;
    /// The obstacles, and the limits of bodies.
    type Param = (Res<'static, Obstacles>, Query<'static, 'static, &'static BodyLimits>);
    const PARALLEL_THRESHOLD: usize = 256;

    fn wish(
        &self,
        state: &mut FollowWallState,
        agent: &Agent,
        (obstacles, bodies): &SystemParamItem<'_, '_, Self::Param>,
    ) -> Wish {
        let turning = Turning::of(agent, bodies);
        let Some(view) = self.view(&mut state.place, agent, obstacles, &turning) else { return Wish::Nothing };
        let speed = view.speed(agent, &turning);
        Wish::Force((view.direction(self.side) * speed - agent.velocity) * (agent.mass / self.answer_time(agent)))
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn draw(
        &self,
        state: &FollowWallState,
        agent: &Agent,
        (obstacles, bodies): &SystemParamItem<'_, '_, Self::Param>,
        figure: &mut Figure,
    ) {
        let mut place = state.place;
        if let Some(view) = self.view(&mut place, agent, obstacles, &Turning::of(agent, bodies)) {
            figure.point(agent.position + view.nearest);
            figure.line(agent.position, agent.position + view.ahead);
        }
    }
}

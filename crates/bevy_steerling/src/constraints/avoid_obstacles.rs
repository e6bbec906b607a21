//! Go round what is in the way.

use bevy::ecs::system::SystemParamItem;
use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::SteeringForce;
use crate::constraints::force_limits::{CLEARANCE, ForceLimits};
use crate::engine::arbitration::{Arbitration, ArbitrationMode};
use crate::engine::behavior::{
    Agent, AgentDataItem, BATCH, Crowd, PARALLEL_THRESHOLD_BATCHED, Rows, SteeringBehavior, TickParam, steer_agent,
    steer_in_pieces,
};
use crate::engine::body::BodyLimits;
use crate::engine::contribution_log::{self, LoggedCrowd, LoggedData};
use crate::engine::figure::Figure;
use crate::math::space::Space;
use crate::math::{Vector, normalize};
use crate::perception::obstacles::{IndexedObstacle, Obstacles};
use crate::prelude::SteeringAgent;

/// Goes round [`Obstacle`](crate::perception::obstacles::Obstacle)s.
///
#[cfg_attr(doc, doc = figure!("avoid_obstacles"))]
///
/// *`AvoidObstacles`: agents on their way to the right go round whatever is in it.*
///
/// It sees the sum of what the other behaviors want and runs after them; only
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) and [`Queue`](crate::constraints::queue::Queue) run later, and
/// touch nothing either; but Queue in style `BrakeAndSeparate` may push what keeps apart in it into an obstacle.
///
/// With [`Detection::Swept`], the default, it bends that sum: an agent whose way is not free within its look-ahead runs past
/// the obstacle on one side, and keeps to that side until the straight way to what the others want is free. It comes no
/// nearer to an obstacle than it can still stop, so that its body does not touch it, whatever the others want. Inside an
/// obstacle it takes the shortest way out. It does not find its way out of a dead end, and does not foresee that two
/// obstacles close in on it.
///
/// With [`Detection::Points`] it pushes as in the classic articles. In a prioritized [`Arbitration`] that is a wish among others.
///
/// # Formula
///
/// `Swept`: the way until the agent's disc touches a shape is exact. Where it is shorter than the look-ahead, the desired
/// velocity leads along the tangent of that shape, at full speed as seen from it. Then the force nearest to that one is taken
/// with which the agent can still stop before everything near.
///
/// `Points`: when the place `look_ahead` ahead, the one half as far, or the agent's own is inside a shape, it pushes with
/// `max_avoid_force`: at right angles to the heading or, with [`AvoidSteer::Radial`], from the center of the shape to the
/// farthest of these places (Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999, as the classic articles have
/// it).
///
/// # Parameters
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`look_ahead`](Self::look_ahead) | units | ≥ way to stop | 2 · (way to stop + radius) | less than the way to stop: it touches obstacles |
/// | [`max_avoid_force`](Self::max_avoid_force) | mass · units/s² | 0 to `max_force` | `max_force` | with `Swept`, more counts as `max_force` |
/// | [`steer`](Self::steer) | – | `Lateral`, `Radial` | `Lateral` | only for `Points` |
/// | [`detection`](Self::detection) | – | `Swept`, `Points` | `Swept` | – |
/// | [`layers`](Self::layers) | bits | any | all | 0: nothing matters |
/// | [`weight`](Self::weight) | – | 0 to 1 | 1 | less bends the sum only partly, and nothing is promised then; 0 is off |
/// | [`side`](Self::side) | – | – | `None` | written by the behavior |
///
/// # When to use it
///
/// Wherever there are obstacles, standing or moving, and no map. It looks a short way ahead: out of a maze leads a path (a list
/// of points to [`Arrive`](crate::behaviors::arrive::Arrive) at), not this.
///
/// # Combines with
///
/// Every behavior that wants to get somewhere. [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) and
/// [`Queue`](crate::constraints::queue::Queue) know of the same obstacles when it is there. [`Solid`](crate::world::solid::Solid) keeps
/// bodies out even where forces do not suffice, as when an obstacle runs into an agent.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct AvoidObstacles {
    /// How far ahead obstacles matter, units. Default: twice the way in which the agent can stop from max speed, and twice
    /// its radius more.
    pub look_ahead: Option<f32>,
    /// The length of the push of [`Detection::Points`], and the limit of the force that [`Detection::Swept`] makes of the
    /// sum, mass · units/s². Default: the agent's max force.
    pub max_avoid_force: Option<f32>,
    /// Which way [`Detection::Points`] pushes. Default: [`AvoidSteer::Lateral`].
    pub steer: AvoidSteer,
    /// How obstacles are noticed. Default: [`Detection::Swept`].
    pub detection: Detection,
    /// Only obstacles in one of these layers matter. Default: all.
    pub layers: u32,
    /// Factor on the contribution. Default: 1.
    pub weight: f32,
    /// On which side the agent has what it is going round now. Written by the behavior.
    pub side: Option<AvoidSide>,
}

/// A side of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum AvoidSide {
    /// The obstacle is to its right.
    Right,
    /// The obstacle is to its left.
    Left,
}

/// How [`AvoidObstacles`] notices obstacles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum Detection {
    /// The way of the agent's whole body, exactly, until it touches the shape.
    #[default]
    Swept,
    /// Whether one of three points is inside: the agent's own place, and those the look-ahead and half of it ahead. The classic
    /// articles'; it misses what is thin, and does not know the agent's size.
    Points,
}

/// Which way [`Detection::Points`] pushes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum AvoidSteer {
    /// At right angles to the heading, away from the obstacle's center. Head-on it still turns.
    #[default]
    Lateral,
    /// From the obstacle's center to the point ahead. Head-on it only brakes.
    Radial,
}

impl Default for AvoidObstacles {
    fn default() -> Self {
        Self {
            look_ahead: None,
            max_avoid_force: None,
            steer: AvoidSteer::Lateral,
            detection: Detection::Swept,
            layers: u32::MAX,
            weight: 1.0,
            side: None,
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

    /// Sets [`detection`](Self::detection).
    #[must_use]
    pub fn with_detection(self, detection: Detection) -> Self {
        Self { detection, ..self }
    }

    /// Sets [`steer`](Self::steer).
    #[must_use]
    pub fn with_steer(self, steer: AvoidSteer) -> Self {
        Self { steer, ..self }
    }

    /// Sets the [`layers`](Self::layers).
    #[must_use]
    pub fn with_layers(self, layers: u32) -> Self {
        Self { layers, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    fn look_ahead_of(&self, agent: &Agent) -> f32 {
        self.look_ahead.unwrap_or(agent.default_look_ahead())
    }

    /// The place around which obstacles matter, and how far around it.
    #[inline(always)]
    fn look(&self, agent: &Agent, look_ahead: f32) -> (Vector, f32) {
        let points = self.detection == Detection::Points;
        // All three points are within half the look-ahead of the middle one, give or take what rounding does.
        let middle = agent.position + normalize(agent.velocity) * (0.5 * look_ahead);
        let half = 0.501 * look_ahead + 1e-6 * middle.abs().max_element();
        let all = look_ahead + agent.radius * (1.0 + CLEARANCE);
        (if points { middle } else { agent.position }, if points { half } else { all })
    }

    /// The classic push.
    fn push(&self, agent: &Agent, obstacles: &Obstacles) -> Vector {
        let (look_ahead, max_force) = (self.look_ahead_of(agent), self.max_avoid_force.unwrap_or(agent.max_force));
        let heading = normalize(agent.velocity);
        let (middle, half) = self.look(agent, look_ahead);
        let (around, reach) = if middle.is_finite() { (middle, half) } else { (agent.position, look_ahead) };
        let mut nearest: Option<(f32, Vector)> = None;
        obstacles.for_each_around(around, &agent.space, reach, self.layers, |obstacle, _| {
            let position = obstacle.shape.center() - agent.to(obstacle.shape.center());
            let ahead = position + heading * look_ahead;
            let points = [ahead, position + heading * (0.5 * look_ahead), position];
            let center = obstacle.shape.center();
            let distance = position.distance_squared(center);
            // A little more than it extends, for what rounding takes.
            let extent_squared = obstacle.shape.extent() * obstacle.shape.extent() * 1.0001;
            let is_in = |point: &Vector| {
                point.distance_squared(center) <= extent_squared && obstacle.shape.distance(*point).0 <= 0.0
            };
            if nearest.is_none_or(|(nearest, _)| distance < nearest) && points.iter().any(is_in) {
                let push = match self.steer {
                    AvoidSteer::Radial => normalize(ahead - center),
                    AvoidSteer::Lateral => {
                        let right = -heading.perp();
                        if (center - position).dot(right) > 0.0 { -right } else { right }
                    }
                };
                nearest = Some((distance, push * max_force));
            }
        });
        nearest.map_or(Vector::ZERO, |(_, push)| push)
    }

    /// The force that comes nearest to what the others want without touching anything.
    fn bend(&mut self, agent: &Agent, obstacles: &Obstacles) -> Vector {
        let look_ahead = self.look_ahead_of(agent);
        let max_force = self.max_avoid_force.unwrap_or(agent.max_force).min(agent.max_force);
        let body = agent.radius * (1.0 + CLEARANCE);
        if !obstacles.any_near(agent, look_ahead + body, self.layers) {
            self.side = None;
            return Vector::ZERO;
        }
        let wanted = agent.wanted_velocity();

        // What is touched first on the way that the others want.
        let mut first: Option<(f32, &IndexedObstacle, Vector)> = None;
        obstacles.for_each_near(agent, look_ahead + body, self.layers, |obstacle, position| {
            let relative = wanted - obstacle.velocity;
            let speed = relative.length();
            let way = obstacle.shape.cast_distance(position, normalize(relative), body);
            if let Some(way) = way.filter(|way| *way <= look_ahead && speed > 0.0)
                && first.is_none_or(|(time, ..)| way / speed < time)
            {
                first = Some((way / speed, obstacle, position));
            }
        });
        let desired = match first {
            None => {
                self.side = None;
                wanted
            }
            Some((_, obstacle, position)) => {
                let relative = wanted - obstacle.velocity;
                let [past_right, past_left] =
                    obstacle.shape.tangents(position, normalize(relative), body * (1.0 + CLEARANCE));
                // Dead center: to the left.
                let nearer = if past_right.dot(relative) >= past_left.dot(relative) {
                    AvoidSide::Right
                } else {
                    AvoidSide::Left
                };
                let tangent = match *self.side.get_or_insert(nearer) {
                    AvoidSide::Right => past_right,
                    AvoidSide::Left => past_left,
                };
                along_at_full_speed(tangent, obstacle.velocity, agent.max_speed)
            }
        };

        // No nearer than it can still stop.
        let mut restraint = ForceLimits::new(agent, max_force);
        obstacles.for_each_near(agent, look_ahead + body, self.layers, |obstacle, position| {
            restraint.limit_by_obstacle(agent, obstacle, position);
        });
        let force = (desired - agent.velocity) * (agent.mass / agent.response_time);
        match restraint.apply(agent, force) {
            Some(restrained) => restrained - agent.force,
            None if first.is_some() => force - agent.force,
            None => Vector::ZERO,
        }
    }
}

/// The velocity of length `max_speed` that leads along `direction` as seen from something that moves.
fn along_at_full_speed(direction: Vector, velocity: Vector, max_speed: f32) -> Vector {
    let along = velocity.dot(direction);
    let squared = along * along + (max_speed - velocity.length()) * (max_speed + velocity.length());
    // Something faster cannot be passed at will.
    if squared < 0.0 { direction * max_speed } else { velocity + direction * (ops::sqrt(squared) - along).max(0.0) }
}

/// Adds the forces of all agents. Most have nothing near, and need no more than to know that.
pub(crate) fn steer(
    agents: Crowd<AvoidObstacles>,
    itemized: LoggedCrowd<AvoidObstacles>,
    obstacles: Res<Obstacles>,
    tick: TickParam,
) {
    let space = tick.space();
    contribution_log::steer(itemized, &obstacles, &tick);
    let steer_one = |behavior: &mut AvoidObstacles, force: &mut SteeringForce, data: AgentDataItem| {
        steer_agent(behavior, force, data, &obstacles, &tick, space);
    };
    let steer_piece = |(): &mut (), behaviors: &mut [AvoidObstacles], forces: &mut [SteeringForce], agents: Rows| {
        let looks = looks(behaviors, agents, tick.length());
        // Without a branch: who has something near comes as it will.
        let (mut near, mut count) = ([0; BATCH], 0);
        for (row, (behavior, (around, reach))) in behaviors.iter_mut().zip(looks).enumerate() {
            let is_clear = obstacles.is_clear(around, reach);
            let forgets = is_clear & (behavior.detection == Detection::Swept);
            behavior.side = if forgets { None } else { behavior.side };
            near[count] = row;
            count += usize::from(!is_clear);
        }
        for row in &near[..count] {
            steer_one(&mut behaviors[*row], &mut forces[*row], agents.get(*row));
        }
    };
    steer_in_pieces(agents, PARALLEL_THRESHOLD_BATCHED, &tick, steer_piece, steer_one);
}

/// [`Detection::Points`] is no more than one of those that a prioritized [`Arbitration`] chooses from: so it comes before that.
pub(crate) fn push_early(
    mut agents: Query<(&Arbitration, LoggedData<AvoidObstacles>)>,
    obstacles: Res<Obstacles>,
    tick: TickParam,
) {
    let pushes = |arbitration: &Arbitration, avoid: &AvoidObstacles| {
        arbitration.mode != ArbitrationMode::WeightedSum && avoid.detection == Detection::Points
    };
    agents.iter_mut().for_each(|(arbitration, agent)| {
        if pushes(arbitration, &agent.0) {
            contribution_log::steer_one::<AvoidObstacles>(agent, &obstacles, &tick, &|_, _| None);
        }
    });
}

/// Where each agent looks. Not inlined, so that it is known that nothing overlaps, and roots and divisions are taken together.
#[inline(never)]
fn looks(behaviors: &[AvoidObstacles], agents: Rows, tick: f32) -> [(Vector, f32); BATCH] {
    let mut looks = [(Vector::ZERO, 0.0); BATCH];
    for (row, (look, behavior)) in looks.iter_mut().zip(behaviors).enumerate() {
        let agent = agents.get(row).agent(Vector::ZERO, tick, Space::default());
        *look = behavior.look(&agent, behavior.look_ahead_of(&agent));
    }
    looks
}

impl SteeringBehavior for AvoidObstacles {
    type Param = Res<'static, Obstacles>;

    #[inline]
    fn steer(&mut self, agent: &Agent, obstacles: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        match self.detection {
            Detection::Swept => self.bend(agent, obstacles),
            Detection::Points => self.push(agent, obstacles),
        }
    }

    /// With no more force than it can brake with.
    fn steer_limited(
        &mut self,
        agent: &Agent,
        limits: &mut BodyLimits,
        obstacles: &SystemParamItem<'_, '_, Self::Param>,
    ) -> Vector {
        self.steer(&limits.stopping(*agent), obstacles)
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    /// Of [`Detection::Points`] only; [`Detection::Swept`] acts on the sum.
    fn priority(&self) -> i32 {
        40
    }

    const ACTS_ON_SUM: bool = true;

    fn draw(&self, agent: &Agent, obstacles: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        let (heading, look_ahead) = (normalize(agent.velocity), self.look_ahead_of(agent));
        let ahead = agent.position + heading * look_ahead;
        match self.detection {
            Detection::Swept => {
                let side = heading.perp() * agent.radius;
                figure.line(agent.position + side, ahead + side);
                figure.line(agent.position - side, ahead - side);
                figure.circle(ahead, agent.radius);
            }
            Detection::Points => {
                figure.line(agent.position, ahead);
                figure.point(agent.position.midpoint(ahead));
                figure.point(ahead);
            }
        }
        let mut first: Option<(f32, &IndexedObstacle, Vector)> = None;
        obstacles.for_each_near(agent, look_ahead + agent.radius, self.layers, |obstacle, position| {
            let way = obstacle.shape.cast_distance(position, heading, agent.radius).filter(|way| *way <= look_ahead);
            if let Some(way) = way
                && first.is_none_or(|(shortest, ..)| way < shortest)
            {
                first = Some((way, obstacle, position));
            }
        });
        if let Some((_, obstacle, position)) = first {
            // As the agent sees it, perhaps across the edges of the world.
            let moved = agent.position - position;
            let shape = &obstacle.shape;
            figure.outline(shape.corners().iter().map(|corner| *corner + moved));
            if shape.radius() > 0.0 {
                shape.corners().iter().for_each(|corner| figure.circle(*corner + moved, shape.radius()));
            }
        }
    }
}

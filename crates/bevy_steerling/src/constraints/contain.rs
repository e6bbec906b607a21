//! Containment: stay inside a region.

use core::f32::consts::FRAC_PI_2;

use bevy::ecs::component::component_clone_ignore;
use bevy::ecs::system::SystemParamItem;
use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::{Agent, SteeringAgent};
use crate::constraints::force_limits::CLEARANCE;
use crate::engine::approach::braking_velocity;
use crate::engine::constraint::SteeringConstraint;
use crate::engine::figure::Figure;
#[cfg(dim3)]
use crate::math::placement::unit_rotation;
#[cfg(not(dim3))]
use crate::math::unit_vector;
use crate::math::{Vector, normalize, truncate, turn_toward};
use crate::perception::regions::Region;

#[cfg_attr(not(dim3), doc = "Stays inside a [`Region`]: a circle, a rectangle or a convex polygon.")]
#[cfg_attr(dim3, doc = "Stays inside a [`Region`]: a ball, a box or a convex hull.")]
///
#[cfg_attr(doc, doc = figure!("contain"))]
///
#[cfg_attr(
    not(dim3),
    doc = "*Contain: wanderers turn back before the boundary. An agent that seeks a point outside comes to rest at the nearest point inside.*"
)]
///
/// This constraint bends the total of the behaviors. An agent that would leave the region within its look-ahead turns back in an arc until
/// it heads away from the boundary. It turns only as far as its behaviors follow: a wanderer turns back, but an agent that seeks a point
/// outside comes to rest at the nearest point inside.
///
/// If the agent starts inside with enough room to stop, no part of its body leaves the region, whatever the behaviors want. Constraints
/// that run later, such as [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) and
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors), may still push it out. An agent outside takes the shortest way
/// back. If the body does not fit into the region, the agent goes to the incenter.
///
/// # Formula
///
/// The predicted position of the agent stays inside (containment; Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999). Here
/// the prediction is `position + velocity · T`, where `T = max_speed · mass / max_force` is the time in which the agent stops from max
/// speed. In a convex region, this never requires more than max force, even in corners.
///
/// # When to use it
///
/// For enclosures, rooms without doors, and territories. Each agent can have its own region. At the edges of the world,
/// [`SteeringBounds`](crate::math::space::SteeringBounds) cost less, but agents wrap or bounce. For walls with openings and for regions
/// that are not convex, use [`Obstacle`](crate::perception::obstacles::Obstacle)s and
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles).
///
/// # Combines with
///
/// [`Wander`](crate::behaviors::wander::Wander), and behaviors that would otherwise run off, such as
/// [`Flee`](crate::behaviors::flee::Flee), [`Evade`](crate::behaviors::evade::Evade) and [`Flock`](crate::behaviors::flock::Flock). If
/// agents must never leave, make them [`Solid`](crate::world::solid::Solid) and add walls.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let room = Contain::new(Rectangle::new(800.0, 600.0)).with_center(Vec2::new(100.0, 0.0)).with_rotation(0.2);
/// commands.spawn((Wander::default(), room, Transform::from_xyz(100.0, 0.0, 0.0)));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, ContainState)]
pub struct Contain {
    /// The region in which the agent stays, around the origin.
    pub region: Region,
    /// The position of the region's origin, units. Default: zero.
    pub center: Vector,
    /// The rotation of the region about its origin, radians counterclockwise. Default: 0.
    #[cfg(not(dim3))]
    pub rotation: f32,
    /// The rotation of the region about its origin. Default: none.
    #[cfg(dim3)]
    pub rotation: Quat,
    /// The distance within which the boundary is considered, units, at most the inradius minus the agent's radius. Default: twice the
    /// stopping distance from max speed plus twice the agent's radius. With 0 or less, the agent stops at the boundary instead of turning.
    pub look_ahead: Option<f32>,
    /// How far the total is bent, 0 to 1. Default: 1. Below 1 the agent may leave the region; 0 turns the constraint off.
    pub weight: f32,
}

/// Whether an agent with [`Contain`] is turning back from the boundary. Updated every tick. Cloned entities start with a new state.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct ContainState {
    turning: bool,
}

impl ContainState {
    /// Whether the agent is turning back from the boundary.
    pub fn is_turning(&self) -> bool {
        self.turning
    }
}

impl Default for Contain {
    fn default() -> Self {
        Self::new(Region::default())
    }
}

impl Contain {
    /// Stays inside `region`: a [`Region`], or a shape that converts into one.
    pub fn new(region: impl Into<Region>) -> Self {
        Self { region: region.into(), center: Vector::ZERO, rotation: default(), look_ahead: None, weight: 1.0 }
    }

    /// Sets the [`center`](Self::center), units.
    #[must_use]
    pub fn with_center(self, center: Vector) -> Self {
        Self { center, ..self }
    }

    /// Sets the [`rotation`](Self::rotation), radians counterclockwise.
    #[cfg(not(dim3))]
    #[must_use]
    pub fn with_rotation(self, rotation: f32) -> Self {
        Self { rotation, ..self }
    }

    /// Sets the [`rotation`](Self::rotation).
    #[cfg(dim3)]
    #[must_use]
    pub fn with_rotation(self, rotation: Quat) -> Self {
        Self { rotation, ..self }
    }

    /// Sets [`look_ahead`](Self::look_ahead), units.
    #[must_use]
    pub fn with_look_ahead(self, look_ahead: f32) -> Self {
        Self { look_ahead: Some(look_ahead), ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// The new total for an agent in the coordinates of the region.
    fn contain(&self, agent: &Agent, turning: &mut bool) -> Vector {
        let region = &self.region;
        let body = agent.radius * (1.0 + CLEARANCE);
        let acceleration = agent.max_force / agent.mass;
        // An agent that cannot accelerate cannot be contained.
        if acceleration <= 0.0 {
            return agent.force;
        }
        if region.inradius() <= body {
            let to_middle = region.incenter() - agent.position;
            return agent.force_toward(braking_velocity(agent, to_middle)) * agent.mass.max(1.0);
        }
        let contained = Contained { agent, region, body, acceleration };
        let per_velocity = agent.mass / agent.tick;

        let way_in = region.nearest(agent.position, body) - agent.position;
        if way_in.length() > CLEARANCE * (agent.radius + agent.max_speed * agent.tick) {
            let back = contained.stay(normalize(way_in) * agent.max_speed);
            return truncate((back - agent.velocity) * per_velocity, agent.max_force);
        }

        let turn = contained.turn(self.look_ahead.unwrap_or(agent.default_look_ahead()), turning);
        let force = truncate(turn.unwrap_or(agent.force), agent.max_force);
        let desired = truncate(agent.velocity + force / per_velocity, agent.max_speed);
        let allowed = contained.stay(desired);
        if turn.is_none() && allowed == desired {
            return agent.force;
        }
        (contained.within_reach(allowed) - agent.velocity) * per_velocity
    }
}

/// The sine of the smallest angle between the boundary and a heading away from it.
const INWARD: f32 = 0.5;

/// The behaviors follow a turn if at least this share of the wanted velocity is along the heading, as for a wanderer.
const ALONG: f32 = 0.8;

/// Below this share, the behaviors do not follow the turn at all.
const ASTRAY: f32 = 0.6;

/// The share is computed for at most this multiple of the speed, so that an agent that is held up at the boundary does not turn.
const STANDSTILL: f32 = 2.5;

/// The share of the force that is available to stay inside.
const RESERVE: f32 = 0.95;

/// The heading nearest to `heading` whose cosine with the outward normal of each wall is at most `limit(gap)`; if two are equally near, the
/// left one. `None` if there is none.
#[cfg(not(dim3))]
fn turned(
    walls: impl Iterator<Item = (f32, Vector)> + Clone,
    heading: Vector,
    limit: impl Fn(f32) -> f32,
) -> Option<Vector> {
    let turn = |side: f32| {
        let mut turned = heading;
        for _ in 0..=walls.clone().count() {
            let in_the_way = walls.clone().find(|(gap, outward)| outward.dot(turned) > limit(*gap) + ROUNDING);
            let Some((gap, outward)) = in_the_way else { return Some(turned) };
            let cos = limit(gap);
            turned = Vector::new(cos, side * ops::sqrt((1.0 - cos) * (1.0 + cos))).rotate(outward);
        }
        None
    };
    let (left, right) = (turn(1.0)?, turn(-1.0)?);
    Some(if left.dot(heading) >= right.dot(heading) { left } else { right })
}

/// A heading close to `heading` whose cosine with the outward normal of each wall is at most `limit(gap)`; `None` if none was found.
#[cfg(dim3)]
fn turned(
    walls: impl Iterator<Item = (f32, Vector)> + Clone,
    heading: Vector,
    limit: impl Fn(f32) -> f32,
) -> Option<Vector> {
    let mut turned = heading;
    for _ in 0..=2 * walls.clone().count() {
        let in_the_way = walls.clone().find(|(gap, outward)| outward.dot(turned) > limit(*gap) + ROUNDING);
        let Some((gap, outward)) = in_the_way else { return Some(turned) };
        // Turns by the smallest angle.
        let aside = turned - outward * turned.dot(outward);
        let aside = if aside.length_squared() > ROUNDING { normalize(aside) } else { outward.any_orthonormal_vector() };
        let cos = limit(gap);
        turned = outward * cos + aside * ops::sqrt((1.0 - cos) * (1.0 + cos));
    }
    None
}

/// Differences between cosines below this are rounding errors.
const ROUNDING: f32 = 1e-5;

/// An agent inside a region, in the coordinates of the region.
#[derive(Clone, Copy)]
struct Contained<'a> {
    agent: &'a Agent,
    region: &'a Region,
    /// The distance from the boundary that the body needs, units.
    body: f32,
    /// The agent's highest acceleration, units/s².
    acceleration: f32,
}

impl Contained<'_> {
    /// The force of an agent that turns back from the boundary; `None` if it need not turn.
    fn turn(&self, look_ahead: f32, turning: &mut bool) -> Option<Vector> {
        let Self { agent, region, body, .. } = *self;
        let look_ahead = look_ahead.min(region.inradius() - body);
        let (heading, speed) = (normalize(agent.velocity), agent.velocity.length());
        let wanted = agent.preferred_velocity();
        let wanted_speed = wanted.length();
        // The speed along the heading that the behaviors want.
        let carried = wanted.dot(heading).min(speed).max(0.0);

        let walls = region.walls(agent.position).map(|(gap, outward)| (gap - body, outward));
        let near = walls.filter(|(gap, _)| *gap < look_ahead);
        // The cosine of the smallest allowed angle to the outward normal: any heading at the look-ahead, clearly inward at the boundary.
        let least_angle = |gap: f32| ((1.0 + INWARD) * gap / look_ahead - INWARD).max(-INWARD);
        if carried <= 0.0 || near.clone().next().is_none() {
            *turning = false;
        } else if near.clone().any(|(gap, outward)| outward.dot(heading) > least_angle(gap)) {
            *turning = true;
        }
        if !*turning {
            return None;
        }

        // Spread over more than one tick, so that the turn and the wish do not alternate.
        let response = agent.response_time.max(0.25 * self.foresight());
        // The arc has a radius of half the look-ahead, or a smaller one if the agent is too fast for that.
        let to_middle = normalize(region.incenter() - agent.position);
        let toward = |limit: &dyn Fn(f32) -> f32, angle: f32| {
            let (sin, cos) = ops::sin_cos(angle.min(FRAC_PI_2));
            turn_toward(heading, turned(near.clone(), heading, limit).unwrap_or(to_middle), cos, sin)
        };
        let arc = 2.0 * wanted_speed * response / look_ahead;
        let away = toward(&|_| -INWARD, arc);
        let at_least = toward(&least_angle, arc.max(FRAC_PI_2 * carried / wanted_speed));
        let direction = if at_least.dot(heading) < away.dot(heading) { at_least } else { away };

        // If the behaviors follow the turn, the lateral part of their wish is dropped. Otherwise that part fades near the boundary.
        let share = wanted.dot(heading).min(STANDSTILL * speed) / wanted_speed;
        let along = ((share - ASTRAY) / (ALONG - ASTRAY)).clamp(0.0, 1.0);
        let aside = self.stay_for(2.0 * self.foresight(), wanted - heading * carried);
        let desired = direction * (carried + along * (wanted_speed - carried)) + aside * (1.0 - along);
        Some((desired - agent.velocity) * (agent.mass / response))
    }

    /// The time in which the agent can stop from max speed, plus the tick before it begins to brake.
    fn foresight(&self) -> f32 {
        self.agent.max_speed / (RESERVE * self.acceleration) + self.agent.tick
    }

    /// The velocity nearest to `velocity` that does not leave the region within the foresight.
    fn stay(&self, velocity: Vector) -> Vector {
        self.stay_for(self.foresight(), velocity)
    }

    fn stay_for(&self, seconds: f32, velocity: Vector) -> Vector {
        let ahead = self.agent.position + velocity * seconds;
        let inside = self.region.nearest(ahead, self.body);
        if inside == ahead { velocity } else { (inside - self.agent.position) / seconds }
    }

    /// The allowed velocity nearest to `allowed` that the agent can reach within a tick.
    fn within_reach(&self, allowed: Vector) -> Vector {
        let Self { agent, .. } = *self;
        let reach = self.acceleration * agent.tick;
        if allowed.distance(agent.velocity) <= reach {
            return allowed;
        }
        // The velocity that was allowed in the previous tick, one tick later. The region is convex, so all velocities between this one and
        // `allowed` are allowed too.
        let ahead = agent.position + agent.velocity * (self.foresight() - agent.tick);
        let slower = (self.region.nearest(ahead, self.body) - agent.position) / self.foresight();
        let (start, way) = (slower - agent.velocity, allowed - slower);
        let room = reach * reach - start.length_squared();
        if room < 0.0 {
            // The agent is too fast or too near: it first stops in the shortest distance.
            let at_rest = agent.velocity.length() <= reach;
            let target = if at_rest { slower } else { Vector::ZERO };
            return agent.velocity + truncate(target - agent.velocity, reach);
        }
        let along = start.dot(way);
        let share = (ops::sqrt(along * along + way.length_squared() * room) - along) / way.length_squared();
        slower + way * share.min(1.0)
    }
}

/// The coordinates of a region.
struct Frame {
    #[cfg(not(dim3))]
    x_axis: Vector,
    #[cfg(dim3)]
    axes: Mat3,
}

#[cfg(not(dim3))]
impl Frame {
    fn of(contain: &Contain) -> Self {
        Self { x_axis: unit_vector(contain.rotation) }
    }

    fn to_region(&self, vector: Vector) -> Vector {
        Vector::new(self.x_axis.x, -self.x_axis.y).rotate(vector)
    }

    fn to_world(&self, vector: Vector) -> Vector {
        self.x_axis.rotate(vector)
    }
}

#[cfg(dim3)]
impl Frame {
    fn of(contain: &Contain) -> Self {
        // This is not `rotation * vector`, whose rounding differs between processors.
        Self { axes: Mat3::from_quat(unit_rotation(contain.rotation)) }
    }

    fn to_region(&self, vector: Vector) -> Vector {
        self.axes.transpose() * vector
    }

    fn to_world(&self, vector: Vector) -> Vector {
        self.axes * vector
    }
}

impl SteeringConstraint for Contain {
    type State = ContainState;
    type Param = ();

    #[inline]
    fn constrain(&self, state: &mut ContainState, agent: &Agent, (): &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        let frame = Frame::of(self);
        let seen = Agent {
            position: frame.to_region(-agent.to(self.center)),
            velocity: frame.to_region(agent.velocity),
            force: frame.to_region(agent.force),
            ..*agent
        };
        let total = self.contain(&seen, &mut state.turning);
        // A total that is not bent stays bit-identical.
        if total == seen.force { agent.force } else { frame.to_world(total) }
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn draw(&self, _: &ContainState, agent: &Agent, (): &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        let (frame, center) = (Frame::of(self), agent.position + agent.to(self.center));
        for (start, end) in self.region.edges() {
            figure.line(center + frame.to_world(start), center + frame.to_world(end));
        }
    }
}

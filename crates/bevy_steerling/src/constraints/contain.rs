//! Stay inside a region.

use core::f32::consts::FRAC_PI_2;

use bevy::ecs::system::SystemParamItem;
use bevy::math::ops;
use bevy::prelude::*;

use crate::behaviors::arrive::braking_velocity;
use crate::constraints::force_limits::CLEARANCE;
use crate::engine::behavior::{Agent, SteeringBehavior};
use crate::engine::body::BodyLimits;
use crate::engine::figure::Figure;
use crate::math::{Vector, normalize, truncate, turn_toward, unit_vector};
use crate::perception::regions::Region;
use crate::prelude::SteeringAgent;

/// Stays inside a [`Region`]: a circle, a rectangle or a convex polygon.
///
#[cfg_attr(doc, doc = figure!("contain"))]
///
/// *Contain: wanderers turn back before the rim; who seeks a point outside rests at the nearest one inside.*
///
/// It sees the sum of what the other behaviors want and bends it. An agent that is about to leave within its look-ahead turns
/// back in an arc, and goes on turning until it leads away from the rim: who roams about leaves the rim again. Only
/// as far as the others go along with the turn: an agent that seeks a point outside comes to rest at the place inside that is
/// nearest to it.
///
/// No part of its body leaves the region, whatever the others want, if it starts inside with room to stop and nothing else
/// pushes it: [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles),
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) and
/// [`Queue`](crate::constraints::queue::Queue) run later. Outside it takes the shortest way back, and where its body does not
/// fit it goes to the middle.
///
/// # Formula
///
/// The idea is Craig Reynolds's containment (Steering Behaviors for Autonomous Characters, 1999): the place predicted for the
/// agent is kept inside. Here that is `position + velocity · T`, with the time `T = max_speed · mass / max_force` that it takes
/// to stop from full speed. In a convex region that needs no more force than there is, in any corner.
///
/// # Parameters
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`region`](Self::region) | units | convex | – | where the body does not fit it goes to the middle |
/// | [`center`](Self::center) | units | any | zero | – |
/// | [`rotation`](Self::rotation) | rad | any | 0 | – |
/// | [`look_ahead`](Self::look_ahead) | units | ≥ 0, up to the middle | 2 · (way to stop + radius) | 0 and less: it does not turn, but stops at the rim |
/// | [`weight`](Self::weight) | – | 0 to 1 | 1 | less bends the sum only partly, and nothing is promised then; 0 is off |
/// | [`turning`](Self::turning) | – | – | `false` | written by the behavior |
///
/// # When to use it
///
/// Enclosures, rooms without doors, territories: each agent may have a region of its own. For the edges of the whole world
/// [`SteeringBounds`](crate::math::space::SteeringBounds) is cheaper, but bounces or wraps. For walls with openings, or regions that
/// are not convex, use [`Obstacle`](crate::perception::obstacles::Obstacle)s and
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles).
///
/// # Combines with
///
/// [`Wander`](crate::behaviors::wander::Wander) above all; [`Flee`](crate::behaviors::flee::Flee),
/// [`Evade`](crate::behaviors::evade::Evade) and [`Flock`](crate::behaviors::flock::Flock), which would run off otherwise. What
/// must not leave at any price is [`Solid`](crate::world::solid::Solid) and has walls.
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
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Contain {
    /// Where to stay, around its origin.
    pub region: Region,
    /// Where the origin of the region is, units. Default: zero.
    pub center: Vector,
    /// How far the region is turned about its origin, radians counterclockwise. Default: 0.
    pub rotation: f32,
    /// How far ahead the rim matters, units, but no farther than the middle of the region is from it. Default: twice the way in
    /// which the agent can stop from max speed, and twice its radius more.
    pub look_ahead: Option<f32>,
    /// Factor on the contribution. Default: 1.
    pub weight: f32,
    /// Whether the agent is turning back from the rim now. Written by the behavior.
    pub turning: bool,
}

impl Contain {
    /// Stays inside `region`, a `Circle`, `Rectangle` or `ConvexPolygon`, or a [`Region`] made of one.
    pub fn new(region: impl Into<Region>) -> Self {
        Self {
            region: region.into(),
            center: Vector::ZERO,
            rotation: 0.0,
            look_ahead: None,
            weight: 1.0,
            turning: false,
        }
    }

    /// Sets the [`center`](Self::center), units.
    #[must_use]
    pub fn with_center(self, center: Vector) -> Self {
        Self { center, ..self }
    }

    /// Sets the [`rotation`](Self::rotation), radians counterclockwise.
    #[must_use]
    pub fn with_rotation(self, rotation: f32) -> Self {
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

    /// The contribution to the force on an agent as it is seen from the region.
    fn contain(&mut self, agent: &Agent) -> Vector {
        let Self { region, look_ahead, turning, .. } = self;
        let body = agent.radius * (1.0 + CLEARANCE);
        let acceleration = agent.max_force / agent.mass;
        // Whoever cannot be moved cannot be kept.
        if acceleration <= 0.0 {
            return Vector::ZERO;
        }
        if region.inradius() <= body {
            let to_middle = region.incenter() - agent.position;
            return agent.force_toward(braking_velocity(agent, to_middle)) * agent.mass - agent.force;
        }
        let contained = Contained { agent, region, body, acceleration };
        let per_velocity = agent.mass / agent.tick;

        let way_in = region.nearest(agent.position, body) - agent.position;
        if way_in.length() > CLEARANCE * (agent.radius + agent.max_speed * agent.tick) {
            let back = contained.stay(normalize(way_in) * agent.max_speed);
            return truncate((back - agent.velocity) * per_velocity, agent.max_force) - agent.force;
        }

        let turn = contained.turn(look_ahead.unwrap_or(agent.default_look_ahead()), turning);
        let force = truncate(turn.unwrap_or(agent.force), agent.max_force);
        let desired = truncate(agent.velocity + force / per_velocity, agent.max_speed);
        let allowed = contained.stay(desired);
        if turn.is_none() && allowed == desired {
            return Vector::ZERO;
        }
        (contained.within_reach(allowed) - agent.velocity) * per_velocity - agent.force
    }
}

/// At the rim, a heading that leads away makes at least the angle with it that has this sine.
const INWARD: f32 = 0.5;

/// The others go along with a turn when so much of the velocity they want is along the heading: a wanderer's always is.
const ALONG: f32 = 0.8;

/// And not at all when it is so little.
const ASTRAY: f32 = 0.6;

/// Nor when so many times the speed is still less than that.
const STANDSTILL: f32 = 2.5;

/// The share of the force that is reckoned with to stay inside.
const RESERVE: f32 = 0.95;

/// The heading nearest to `heading` whose cosine with the way straight out to each wall is at most what `limit` says about
/// the gap. Of two it is the left one; `None` if there is none.
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

/// Cosines that differ by less are the same.
const ROUNDING: f32 = 1e-5;

/// An agent inside a region, as it is seen from there.
#[derive(Clone, Copy)]
struct Contained<'a> {
    agent: &'a Agent,
    region: &'a Region,
    /// The room that its body takes, units.
    body: f32,
    /// What it can do to its velocity, units/s².
    acceleration: f32,
}

impl Contained<'_> {
    /// The force of an agent that turns back from the rim; `None` if it need not.
    fn turn(&self, look_ahead: f32, turning: &mut bool) -> Option<Vector> {
        let Self { agent, region, body, .. } = *self;
        let look_ahead = look_ahead.min(region.inradius() - body);
        let (heading, speed) = (normalize(agent.velocity), agent.velocity.length());
        // A wish becomes a force as if the mass were 1: on a lighter agent that is more than it wishes.
        let wanted = agent.velocity + agent.force * (agent.response_time / agent.mass.max(1.0));
        let wanted = truncate(wanted, agent.max_speed);
        let wanted_speed = wanted.length();
        // How fast the others want it to go on as it does.
        let carried = wanted.dot(heading).min(speed).max(0.0);

        let walls = region.walls(agent.position).map(|(gap, outward)| (gap - body, outward));
        let near = walls.filter(|(gap, _)| *gap < look_ahead);
        // The cosine of the least angle to the way straight out: any way will do at the look-ahead, only one well inward at the rim.
        let least_angle = |gap: f32| ((1.0 + INWARD) * gap / look_ahead - INWARD).max(-INWARD);
        if carried <= 0.0 || near.clone().next().is_none() {
            *turning = false;
        } else if near.clone().any(|(gap, outward)| outward.dot(heading) > least_angle(gap)) {
            *turning = true;
        }
        if !*turning {
            return None;
        }

        // Not from one tick to the next: turn and wish would take turns.
        let response = agent.response_time.max(0.25 * self.foresight());
        // In an arc with half the look-ahead as its radius; where that is not enough more sharply, the faster it is.
        let to_middle = normalize(region.incenter() - agent.position);
        let toward = |limit: &dyn Fn(f32) -> f32, angle: f32| {
            let (sin, cos) = ops::sin_cos(angle.min(FRAC_PI_2));
            turn_toward(heading, turned(near.clone(), heading, limit).unwrap_or(to_middle), cos, sin)
        };
        let arc = 2.0 * wanted_speed * response / look_ahead;
        let away = toward(&|_| -INWARD, arc);
        let at_least = toward(&least_angle, arc.max(FRAC_PI_2 * carried / wanted_speed));
        let direction = if at_least.dot(heading) < away.dot(heading) { at_least } else { away };

        // What the others want besides to go on is left out as far as they go along, and else fades near the rim.
        let share = wanted.dot(heading).min(STANDSTILL * speed) / wanted_speed;
        let along = ((share - ASTRAY) / (ALONG - ASTRAY)).clamp(0.0, 1.0);
        let aside = self.stay_for(2.0 * self.foresight(), wanted - heading * carried);
        let desired = direction * (carried + along * (wanted_speed - carried)) + aside * (1.0 - along);
        Some((desired - agent.velocity) * (agent.mass / response))
    }

    /// The time that it takes to stop from full speed, and the tick after which it begins.
    fn foresight(&self) -> f32 {
        self.agent.max_speed / (RESERVE * self.acceleration) + self.agent.tick
    }

    /// The velocity nearest to `velocity` that, kept up for the foresight, does not lead out.
    fn stay(&self, velocity: Vector) -> Vector {
        self.stay_for(self.foresight(), velocity)
    }

    fn stay_for(&self, seconds: f32, velocity: Vector) -> Vector {
        let ahead = self.agent.position + velocity * seconds;
        let inside = self.region.nearest(ahead, self.body);
        if inside == ahead { velocity } else { (inside - self.agent.position) / seconds }
    }

    /// What comes nearest to `allowed`, and is allowed, within a tick.
    fn within_reach(&self, allowed: Vector) -> Vector {
        let Self { agent, .. } = *self;
        let reach = self.acceleration * agent.tick;
        if allowed.distance(agent.velocity) <= reach {
            return allowed;
        }
        // Where it was to be in the tick before, a tick later: in a convex region everything between the two is allowed.
        let ahead = agent.position + agent.velocity * (self.foresight() - agent.tick);
        let slower = (self.region.nearest(ahead, self.body) - agent.position) / self.foresight();
        let (start, way) = (slower - agent.velocity, allowed - slower);
        let room = reach * reach - start.length_squared();
        if room < 0.0 {
            // Too fast or too near: it stops first, on the shortest way.
            let at_rest = agent.velocity.length() <= reach;
            let target = if at_rest { slower } else { Vector::ZERO };
            return agent.velocity + truncate(target - agent.velocity, reach);
        }
        let along = start.dot(way);
        let share = (ops::sqrt(along * along + way.length_squared() * room) - along) / way.length_squared();
        slower + way * share.min(1.0)
    }
}

impl SteeringBehavior for Contain {
    type Param = ();

    #[inline]
    fn steer(&mut self, agent: &Agent, (): &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        let x_axis = unit_vector(self.rotation);
        let to_region = Vector::new(x_axis.x, -x_axis.y);
        let seen = Agent {
            position: to_region.rotate(-agent.to(self.center)),
            velocity: to_region.rotate(agent.velocity),
            force: to_region.rotate(agent.force),
            ..*agent
        };
        x_axis.rotate(self.contain(&seen))
    }

    /// With no more force than it can brake with.
    fn steer_limited(
        &mut self,
        agent: &Agent,
        limits: &mut BodyLimits,
        (): &SystemParamItem<'_, '_, Self::Param>,
    ) -> Vector {
        self.steer(&limits.stopping(*agent), &())
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    const ACTS_ON_SUM: bool = true;

    fn draw(&self, agent: &Agent, (): &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        let x_axis = unit_vector(self.rotation);
        let center = agent.position + agent.to(self.center);
        figure.outline(self.region.outline().into_iter().map(|corner| center + x_axis.rotate(corner)));
    }
}

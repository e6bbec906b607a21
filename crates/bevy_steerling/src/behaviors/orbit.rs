//! Orbit: circle a target at a distance.

use bevy::ecs::system::SystemParamItem;
use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::{Agent, BodyLimits, SteeringAgent};
use crate::behaviors::flee::somewhere;
use crate::engine::behavior::{Aim, Stateless, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
#[cfg(dim3)]
use crate::math::placement::UP;
use crate::math::{Vector, distance_across, normalize};
use crate::perception::target::{Kinematics, Target, Targets};

/// Circles a target at a distance, at full speed.
///
#[cfg_attr(doc, doc = figure!("orbit"))]
///
#[cfg_attr(not(dim3), doc = "*Orbit: agents reach the circle from outside and from inside, in both directions.*")]
///
/// # Formula
///
/// From outside, the agent moves straight along the tangent to the circle. From inside, it swings out in an arc. On the circle, its
/// velocity points to the next point of the circle around the position that the target will have after the tick. The force is
/// `mass · (desired velocity − velocity) / tick`. It ignores the response time, because with a longer one the agent could not stay on the
/// circle.
///
/// The agent moves at max speed. If its force is too weak for the circle at that speed, it moves at `√(0.98 · a · radius)` minus the speed
/// of the target, where `a = max_force / mass`, and brakes on the way to the circle.
#[cfg_attr(
    not(dim3),
    doc = "A body with [`BodyLimits`] goes no faster than its max turn rate allows. It cannot follow a circle narrower than its turning radius."
)]
/// For a [`Target::Group`], the target is the nearest member.
///
/// In three dimensions, the circle is in the plane in which the agent already moves around the target. If it does not move around the
/// target yet, it starts on a horizontal circle.
///
/// On the circle around a target that stands still or moves in a straight line, the agent's distance from the target is within 1 % of the
/// radius.
///
/// # When to use it
///
/// For fighters that keep their distance, sentries, moths and satellites.
///
/// # Combines with
///
/// [`Face`](crate::behaviors::face::Face), so that the agent looks at what it circles, and
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) if several agents share a circle.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let tower = commands.spawn(Transform::default()).id();
/// commands.spawn((Orbit::new(tower, 120.0), Transform::from_xyz(-300.0, 0.0, 0.0)));
/// commands.spawn((Orbit::new(tower, 80.0).clockwise(), Transform::from_xyz(300.0, 0.0, 0.0)));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct Orbit {
    /// The target at the center. If the target no longer exists, the behavior applies no force.
    #[entities]
    pub around: Target,
    /// The radius of the circle, units, ≥ 0. With 0, the agent comes to rest at a target that is at rest. Negative values count as 0.
    pub radius: f32,
    /// Whether the agent goes clockwise. Default: no.
    ///
    /// In three dimensions, this is the direction as seen from above. It applies only to an agent that does not move around its target yet;
    /// others keep their direction.
    pub clockwise: bool,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

impl Orbit {
    /// Circles `around` counterclockwise at the distance `radius`, units.
    pub fn new(around: impl Into<Target>, radius: f32) -> Self {
        Self { around: around.into(), radius, clockwise: false, weight: 1.0 }
    }

    /// Circles [clockwise](Self::clockwise).
    #[must_use]
    pub fn clockwise(self) -> Self {
        Self { clockwise: true, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// The share of the force for holding the circle. The rest is for coming back to it.
const HOLDING: f32 = 0.98;

/// The share of the force for braking on the way to the circle.
const BRAKING: f32 = 0.8;

/// An agent counts as moving around its target if the sine of the angle between its velocity and the direction away from the target is
/// above this.
#[cfg(dim3)]
const ASIDE: f32 = 1e-3;

/// The share of the force for the arc from inside to the circle.
const SWINGING: f32 = 0.5;

impl Orbit {
    /// The desired velocity around `target`, for an agent that turns by at most `turn_rate`.
    fn desired_velocity(&self, agent: &Agent, target: &Kinematics, turn_rate: f32) -> Vector {
        let (radius, strength) = (self.radius.max(0.0), agent.max_force / agent.mass);
        let distance = agent.to(target.position).length();
        let tangent = ops::sqrt(((distance - radius) * (distance + radius)).max(0.0));

        // The centripetal force also has to compensate for the motion of the target.
        let other = target.velocity.length();
        let held = ops::sqrt(HOLDING * strength * radius);
        let held = (held - other).max(other.min(held)).min(turn_rate * radius).min(agent.max_speed);

        // The force for turning is not available for braking.
        let direction = if held > 0.0 {
            self.direction(agent, target, tangent, held)
        } else {
            normalize(agent.to(target.position))
        };
        let ahead = agent.velocity.dot(direction);
        // An agent that hardly moves can go anywhere at once.
        let is_underway = ahead > 0.0 || agent.velocity.length() <= strength * agent.tick;
        let aside = if is_underway { distance_across(direction, agent.velocity) } else { f32::INFINITY };
        let share = (aside / (strength * agent.tick).max(f32::MIN_POSITIVE)).min(1.0);
        let braking = BRAKING * strength * ops::sqrt(1.0 - share * share);
        let lag = braking * agent.tick;
        let speed = ops::sqrt(lag * lag + held * held + 2.0 * braking * tangent) - lag;
        let speed = speed.max(held).min(agent.max_speed);
        self.direction(agent, target, tangent, speed) * speed
    }

    /// The direction in which the agent goes at `speed`, a unit vector.
    fn direction(&self, agent: &Agent, target: &Kinematics, tangent: f32, speed: f32) -> Vector {
        let (radius, step) = (self.radius.max(0.0), speed * agent.tick);
        let to_target = agent.to(target.position);
        let distance = to_target.length();
        if step.is_nan() || step <= 0.0 {
            return Vector::ZERO;
        }
        // The distance to have after the tick.
        let next = if distance >= radius {
            Vec2::new(radius, (tangent - step).max(0.0)).length()
        } else {
            let bend = (speed / (SWINGING * agent.max_force) * agent.mass * speed).min(0.5 * radius);
            (distance + step * swing(distance, radius, bend)).min(radius)
        };
        let from_target = somewhere(agent, -(to_target + target.velocity * agent.tick));
        let (out, now) = (normalize(from_target), from_target.length().max(f32::MIN_POSITIVE));
        let outward = ((next - now) * (next + now) / (2.0 * now * step) - step / (2.0 * now)).clamp(-1.0, 1.0);
        // In space, an agent that moved straight outward would lose its plane.
        #[cfg(dim3)]
        let outward = outward.min(1.0 - 8.0 * ASIDE * ASIDE);
        let along = ops::sqrt((1.0 - outward) * (1.0 + outward));
        out * outward + self.around(agent, target, out) * along
    }

    /// The direction around the target, a unit vector; `out` points away from the target.
    #[cfg(not(dim3))]
    fn around(&self, _: &Agent, _: &Kinematics, out: Vector) -> Vector {
        if self.clockwise { -out.perp() } else { out.perp() }
    }

    /// The direction around the target in the plane in which the agent already moves around it. Otherwise, the direction of a horizontal
    /// circle.
    #[cfg(dim3)]
    fn around(&self, agent: &Agent, target: &Kinematics, out: Vector) -> Vector {
        let velocity = agent.velocity - target.velocity;
        let around = velocity - out * velocity.dot(out);
        if around.length_squared() > ASIDE * ASIDE * velocity.length_squared() {
            return normalize(around);
        }
        let level = if self.clockwise { out.cross(UP) } else { UP.cross(out) };
        if level.length_squared() > ASIDE * ASIDE { normalize(level) } else { out.any_orthonormal_vector() }
    }
}

/// The outward component of the direction of an agent inside the orbit. It follows a circle of radius `bend` that touches the orbit from
/// inside, or moves straight outward where there is no such circle.
fn swing(distance: f32, radius: f32, bend: f32) -> f32 {
    let offset = radius - bend;
    let along = ((distance - offset) * (distance + offset) / bend + bend) / (2.0 * distance);
    let along = if along.is_nan() { 0.0 } else { along.clamp(0.0, 1.0) };
    ops::sqrt((1.0 - along) * (1.0 + along))
}

impl SteeringBehavior for Orbit {
    type State = Stateless;
    type Param = (Targets<'static, 'static>, Query<'static, 'static, &'static BodyLimits>);

    fn wish(&self, _: &mut Stateless, agent: &Agent, param: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let (targets, bodies) = param;
        let Some(target) = targets.find_for(agent, self.around) else { return Wish::Nothing };
        let limits = if agent.is_vehicle { bodies.get(agent.entity).ok() } else { None };
        let turn_rate = limits.map_or(f32::INFINITY, BodyLimits::turn_rate);
        let velocity = self.desired_velocity(agent, &target, turn_rate);
        Wish::Force((velocity - agent.velocity) * (agent.mass / agent.tick))
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        [Some(Aim::at(self.around)), None]
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        self.around.perception_radius(agent)
    }

    fn draw(
        &self,
        _: &Stateless,
        agent: &Agent,
        (targets, _): &SystemParamItem<'_, '_, Self::Param>,
        figure: &mut Figure,
    ) {
        if let Some(target) = targets.find_for(agent, self.around) {
            let center = agent.position + agent.to(target.position);
            figure.point(center);
            figure.circle(center, self.radius);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_the_circle_it_goes_to_the_next_point_of_the_circle() {
        let agent =
            Agent { max_speed: 30.0, max_force: 1e3, tick: 0.5, response_time: 0.5, ..Agent::at(Vector::X * 50.0) };
        let target = Kinematics { position: Vector::ZERO, velocity: Vector::new(3.0, 4.0) };
        for orbit in [Orbit::new(Vector::ZERO, 50.0), Orbit::new(Vector::ZERO, 50.0).clockwise()] {
            let velocity = orbit.desired_velocity(&agent, &target, f32::INFINITY);
            let next = agent.position + (velocity - target.velocity) * 0.5;
            assert!((next.length() - 50.0).abs() < 1e-4, "{next}");
            assert!((velocity.length() - 30.0).abs() < 1e-4, "{velocity}");
            assert_eq!(velocity.y < 0.0, orbit.clockwise);
        }
    }
}

//! An obstacle in the index.

use core::cmp::Ordering;

use bevy::prelude::*;

use crate::agent::GroupMask;
use crate::math::Vector;
use crate::perception::obstacles::shapes::PlacedShape;

/// An obstacle at the start of the tick.
#[derive(Clone, Debug)]
pub struct IndexedObstacle {
    /// Its entity.
    pub entity: Entity,
    /// Its shape in the world.
    pub shape: PlacedShape,
    /// Its height above the plane, units.
    #[cfg(not(dim3))]
    pub height: f32,
    /// Zero: there are no floors.
    #[cfg(dim3)]
    pub(crate) height: f32,
    /// The velocity of the origin of its entity, units/s; zero without [`Velocity`](crate::agent::Velocity).
    pub velocity: Vector,
    /// Its [turn rate](crate::perception::obstacles::Obstacle::turn_rate), radians/s.
    pub turn_rate: TurnRate,
    /// The origin of its entity, which it turns about.
    pub origin: Vector,
    /// The layers of the obstacle.
    pub layers: GroupMask,
    pub(super) rest: Rest,
}

/// A turn rate, radians/s counterclockwise.
#[cfg(not(dim3))]
pub type TurnRate = f32;

/// The axis of rotation times the turn rate, radians/s.
#[cfg(dim3)]
pub type TurnRate = Vec3;

/// Whether an obstacle moves without having a velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Rest {
    #[default]
    Standing,
    /// It was in a different place in the last tick.
    Moved,
    /// [`Moved`](Self::Moved) in the last tick, but not in this one so far.
    Settling,
}

impl IndexedObstacle {
    /// Whether it is static.
    pub(crate) fn stands(&self) -> bool {
        self.rest == Rest::Standing && !self.has_motion()
    }

    /// Whether it has a velocity or a turn rate.
    #[inline]
    pub(crate) fn has_motion(&self) -> bool {
        self.velocity != Vector::ZERO || self.turns()
    }

    fn turns(&self) -> bool {
        self.turn_rate != TurnRate::default()
    }

    /// The velocity of a point that moves with the obstacle, units/s.
    #[inline]
    pub fn velocity_at(&self, place: Vector) -> Vector {
        if !self.turns() {
            return self.velocity;
        }
        self.velocity + self.turn(place - self.origin)
    }

    /// The velocity of the part of the obstacle that is nearest to a place, units/s.
    #[inline]
    pub(crate) fn velocity_nearest_to(&self, place: Vector) -> Vector {
        if !self.turns() {
            return self.velocity;
        }
        let (distance, away) = self.shape.distance(place);
        self.velocity_at(place - away * distance)
    }

    /// The rate of change of a vector that turns with the obstacle.
    fn turn(&self, arm: Vector) -> Vector {
        #[cfg(not(dim3))]
        return arm.perp() * self.turn_rate;
        #[cfg(dim3)]
        return self.turn_rate.cross(arm);
    }

    /// The acceleration along the wall's normal `away` that a body needs to keep its distance from the rotating wall, units/s².
    pub(crate) fn turning_acceleration(&self, place: Vector, velocity: Vector, away: Vector) -> f32 {
        if !self.turns() {
            return 0.0;
        }
        let relative = velocity - self.velocity_at(place);
        -self.turn(away).dot(velocity - self.velocity + relative)
    }

    /// An order that depends only on the obstacles themselves, not on the order of spawning.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        #[cfg(not(dim3))]
        let turn_rate = |obstacle: &Self| [obstacle.turn_rate];
        #[cfg(dim3)]
        let turn_rate = |obstacle: &Self| obstacle.turn_rate.to_array();
        let motion = |obstacle: &Self| {
            let places = obstacle.velocity.to_array().into_iter().chain(obstacle.origin.to_array());
            places.chain(turn_rate(obstacle))
        };
        let by_motion = motion(self).zip(motion(other)).map(|(a, b)| a.total_cmp(&b));
        let by_motion = by_motion.fold(Ordering::Equal, Ordering::then);
        self.shape
            .order(&other.shape)
            .then(by_motion)
            .then(self.layers.cmp(&other.layers))
            .then(self.height.total_cmp(&other.height))
    }
}

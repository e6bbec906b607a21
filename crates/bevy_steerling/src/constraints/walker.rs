//! The data of an agent that others read to avoid it.

use crate::agent::SteeringId;
use crate::constraints::force_limits::{ForceLimits, RESERVE};
use crate::math::Vector;

/// Agents that are jammed by more than this stand in a jam.
pub(super) const JAMMED: f32 = 0.5;

/// An agent is about to stop if it wants less than this share of its max speed.
const FULL_SPEED: f32 = 0.95;

/// One of two agents that may collide.
#[derive(Clone, Copy)]
pub(super) struct Walker {
    pub id: SteeringId,
    pub velocity: Vector,
    /// The preferred velocity, units/s.
    pub preferred: Vector,
    pub max_speed: f32,
    /// The highest acceleration, units/s²; zero for an agent that does not avoid others.
    pub acceleration: f32,
    /// How much it circles around a place that others keep it from, 0 to 1.
    pub circling: f32,
    /// How much it is stuck in a jam, 0 to 1.
    pub jammed: f32,
    /// The time for which it keeps its velocity before it thinks again, seconds.
    pub keeps_going: f32,
    /// The time in which it gets to the agent that is its target and stands or, in a jam, to its destination, seconds; infinite without
    /// one. It does not go on from there.
    pub time_to_goal: f32,
}

impl Walker {
    /// Somebody who keeps this velocity and does not avoid others.
    pub fn going_on(id: SteeringId, velocity: Vector) -> Self {
        Self {
            id,
            velocity,
            preferred: velocity,
            max_speed: 0.0,
            acceleration: 0.0,
            circling: 0.0,
            jammed: 0.0,
            keeps_going: 0.0,
            time_to_goal: f32::INFINITY,
        }
    }

    /// The displacement to the point where an agent that avoids others stops if it brakes as soon as it thinks, units.
    pub fn stop(&self) -> Vector {
        self.velocity * self.keeps_going + ForceLimits::stop(self.velocity, self.acceleration)
    }

    pub fn avoids(&self) -> bool {
        self.acceleration > 0.0
    }

    /// The distance covered within `time`, units; at most the distance to where it does not go on, and the stopping distance if the agent is
    /// about to stop.
    pub fn way(&self, time: f32) -> f32 {
        let speed = self.preferred.length();
        speed * self.longest_time(speed).min(time)
    }

    /// The longest time for which the agent is expected to move at its preferred speed, which is `speed`, seconds. In a jam, a low speed does
    /// not mean that an agent on its way to a destination is about to stop: from rest, it wants only the speed that it reaches within its
    /// response time.
    pub fn longest_time(&self, speed: f32) -> f32 {
        let goes_on = self.jammed > JAMMED && self.time_to_goal < f32::INFINITY;
        let is_about_to_stop = self.avoids() && speed < FULL_SPEED * self.max_speed && !goes_on;
        if is_about_to_stop { (0.5 * speed / self.acceleration).min(self.time_to_goal) } else { self.time_to_goal }
    }

    /// The room in which the agent must be able to lose the speed at which it comes nearer to another one, which moves on in the direction
    /// `toward` and brakes less hard: if both brake, they come nearer at first. `None` if the other one stops before they are near.
    pub fn room_behind(&self, other: &Self, gap: f32, toward: Vector) -> Option<f32> {
        let (speed, more, gap) = (other.velocity.dot(toward), self.acceleration - other.acceleration, gap.max(0.0));
        let may_touch =
            speed > 0.0 && speed * speed * more > 2.0 * RESERVE * gap * other.acceleration * other.acceleration;
        may_touch.then_some(gap * more / self.acceleration)
    }

    /// The expected velocity: the mean of the actual and the preferred one, or the actual one in a jam.
    pub fn expected(&self) -> Vector {
        self.velocity.lerp(self.preferred, 0.5 * (1.0 - self.jammed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::random::{SteeringRng, SteeringSeed};
    use bevy::math::ops;

    /// An agent that has the velocity it wants.
    fn walker(velocity: Vector) -> Walker {
        Walker { max_speed: 1.0, acceleration: 1.0, ..Walker::going_on(SteeringId::new(0), velocity) }
    }

    #[test]
    fn two_that_brake_in_a_row_do_not_touch_whoever_brakes_harder() {
        let mut random = SteeringRng::new(SteeringSeed(1), SteeringId::new(0), 1);
        let mut between = |low: f32, high: f32| low + (high - low) * random.uniform();
        let mut limited = 0;
        for _ in 0..1000 {
            let ahead = Walker { acceleration: between(1.0, 10.0), ..walker(Vector::X * between(0.0, 10.0)) };
            let behind = Walker { acceleration: between(1.0, 20.0), ..walker(Vector::ZERO) };
            let gap = between(0.0, 5.0);
            let [its_braking, braking] = [ahead, behind].map(|walker| RESERVE * walker.acceleration);
            // The speed from which it stops behind the other one, and the speed that the room allows.
            let its_stop = ahead.velocity.x * ahead.velocity.x / (2.0 * its_braking);
            let stopping = ops::sqrt(2.0 * braking * (gap + its_stop));
            let room = behind.room_behind(&ahead, gap, Vector::X);
            limited += usize::from(room.is_some());
            let allowed = room.map_or(stopping, |room| ahead.velocity.x + ops::sqrt(2.0 * braking * room));
            let mut speeds = [ahead.velocity.x, allowed.min(stopping)];
            let mut left = gap;
            while speeds[1] > 0.0 {
                left += (speeds[0] - speeds[1]) * 1e-3;
                speeds = [speeds[0] - its_braking * 1e-3, speeds[1] - braking * 1e-3].map(|speed| speed.max(0.0));
                // The way in one of these steps.
                assert!(left > -0.05, "{left} from {gap}");
            }
        }
        assert!(limited > 100, "{limited}");
    }
}

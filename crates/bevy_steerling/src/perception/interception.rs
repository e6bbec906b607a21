//! Plans an early meeting with a quarry for a body that has to turn first.

#[cfg(not(dim3))]
use core::f32::consts::FRAC_PI_2;

use bevy::math::ops;

#[cfg(not(dim3))]
use crate::math::unit_vector;
use crate::math::{Vector, normalize, turn_toward};

/// The current state of a body that wants to meet a quarry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interceptor {
    /// Its velocity, units/s.
    pub velocity: Vector,
    /// Its speed limit, units/s.
    pub max_speed: f32,
    /// The highest acceleration, units/s²: max force / mass.
    pub max_acceleration: f32,
}

/// How an [`Interceptor`] meets its quarry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interception {
    /// The time until the meeting, seconds.
    pub time: f32,
    /// The direction in which to accelerate, and then to move at full speed, a unit vector.
    pub heading: Vector,
}

/// The maximum number of steps of the search for a heading. It usually takes half as many.
const STEPS: usize = if cfg!(dim3) { 30 } else { 12 };

/// The search ends when the plan misses the quarry by less than this share of the distance.
const CLOSE: f32 = 1e-4;

/// In the last step, a miss of less than this share is accepted. If it is larger, there is no plan, because the quarry passes while the
/// body turns.
const CLOSE_ENOUGH: f32 = 1e-2;

/// The longest time of a turn and of a meeting, in units of the time to the quarry at full speed. A body that turns more slowly cannot
/// steer.
const TOO_LONG: f32 = 1e6;

impl Interceptor {
    /// Plans an early meeting with a quarry at the displacement `to_quarry` that keeps its velocity. If the meeting is later than
    /// `farthest`, seconds, the plan leads near the quarry at that time. Returns `None` if there is no plan because the quarry is already
    /// here, it passes while the body turns, or the body cannot steer.
    ///
    /// The body accelerates along a fixed heading up to full speed, and then turns to the heading at full speed. Without a speed limit, a
    /// fixed heading is optimal by Pontryagin's maximum principle; with a limit, it is nearly so. The heading is the root at which the plan
    /// misses the quarry on neither side. It is found with the Illinois variant of the false position method or, in three dimensions, with
    /// the secant method.
    ///
    /// ```
    /// # use bevy::math::Vec2;
    /// # use bevy_steerling::perception::interception::Interceptor;
    /// // It runs in the wrong direction: braking takes 1 s and 5 units, and so does accelerating to full speed.
    /// let runner = Interceptor { velocity: Vec2::new(-10.0, 0.0), max_speed: 10.0, max_acceleration: 10.0 };
    /// let meeting = runner.intercept(Vec2::new(100.0, 0.0), Vec2::ZERO, f32::INFINITY).unwrap();
    /// assert!((meeting.time - 12.0).abs() < 1e-3);
    /// assert!(meeting.heading.distance(Vec2::X) < 1e-3);
    /// ```
    pub fn intercept(self, to_quarry: Vector, quarry_velocity: Vector, farthest: f32) -> Option<Interception> {
        // Uses the distance and the speed limit as units, so that squares neither overflow nor underflow.
        let distance = to_quarry.length();
        let time_unit = distance / self.max_speed;
        let turning_time = self.max_speed / self.max_acceleration;
        if !(distance > 0.0 && time_unit > 0.0 && time_unit.is_finite() && turning_time < TOO_LONG * time_unit) {
            return None;
        }
        let chase = Chase {
            to_quarry: to_quarry / distance,
            quarry_velocity: quarry_velocity / self.max_speed,
            velocity: self.velocity / self.max_speed,
            acceleration: self.max_acceleration * (time_unit / self.max_speed),
            farthest: (farthest / time_unit).clamp(0.0, TOO_LONG),
        };
        let Interception { time, heading } = chase.solve()?;
        heading.is_finite().then_some(Interception { time: time * time_unit, heading })
    }

    /// The velocity after accelerating toward `heading` for `time` seconds: in a straight line up to full speed, and then turning at full
    /// speed.
    pub fn velocity_after(self, heading: Vector, time: f32) -> Vector {
        let goal = heading * self.max_speed;
        let reach = self.max_acceleration * time;
        if self.velocity.distance(goal) <= reach {
            return goal;
        }
        let ahead = self.velocity + heading * reach;
        if ahead.length() <= self.max_speed {
            return ahead;
        }
        // The body turns up to where the circle of reachable velocities meets the circle of full speed. The half angle avoids cancellation.
        let speed = self.velocity.length();
        let lacking = self.max_speed - speed;
        let half_squared = (reach - lacking) * (reach + lacking) / (4.0 * speed * self.max_speed);
        let half_squared = half_squared.clamp(0.0, 1.0);
        let (sin, cos) = (2.0 * ops::sqrt(half_squared * (1.0 - half_squared)), 1.0 - 2.0 * half_squared);
        turn_toward(normalize(self.velocity), heading, cos, sin) * self.max_speed
    }
}

/// The problem with the distance to the quarry and the speed limit as units.
struct Chase {
    to_quarry: Vector,
    quarry_velocity: Vector,
    velocity: Vector,
    acceleration: f32,
    farthest: f32,
}

/// The result of a heading.
#[cfg(not(dim3))]
struct Plan {
    /// The first time at which the body is as far along the heading as the quarry.
    time: f32,
    /// The distance of the quarry to the left of the body at that time.
    miss: f32,
}

#[cfg(not(dim3))]
impl Chase {
    fn solve(&self) -> Option<Interception> {
        let (mut right, mut left) = (-FRAC_PI_2, FRAC_PI_2);
        let mut right_miss = self.plan(self.heading(right)).miss;
        let mut left_miss = self.plan(self.heading(left)).miss;
        let mut last_side = 0;
        for step in 1..=STEPS {
            let angle = if right_miss > 0.0 && left_miss < 0.0 {
                (right * left_miss - left * right_miss) / (left_miss - right_miss)
            } else {
                0.5 * (right + left)
            };
            let heading = self.heading(angle);
            let Plan { time, miss } = self.plan(heading);
            if miss.abs() < if step < STEPS { CLOSE } else { CLOSE_ENOUGH } {
                return Some(Interception { time, heading });
            }
            // The Illinois rule halves the weight of an end that stays, which speeds up convergence.
            if miss > 0.0 {
                (right, right_miss) = (angle, miss);
                left_miss *= if last_side == 1 { 0.5 } else { 1.0 };
                last_side = 1;
            } else {
                (left, left_miss) = (angle, miss);
                right_miss *= if last_side == -1 { 0.5 } else { 1.0 };
                last_side = -1;
            }
        }
        None
    }

    /// The unit vector at an angle from the direction to the quarry.
    fn heading(&self, angle: f32) -> Vector {
        unit_vector(angle).rotate(self.to_quarry)
    }

    fn plan(&self, heading: Vector) -> Plan {
        let drift = heading.perp_dot(self.velocity).clamp(-1.0, 1.0);
        let (time, sideways) = self.meet(heading, drift);
        let miss = heading.perp_dot(self.to_quarry) + heading.perp_dot(self.quarry_velocity) * time - sideways;
        Plan { time, miss }
    }
}

#[cfg(dim3)]
impl Chase {
    /// Searches for the two angles of the heading with the secant method, assuming that a turn in any direction changes the miss equally.
    fn solve(&self) -> Option<Interception> {
        let mut heading = self.to_quarry;
        // How far the end of the way moves per radian.
        let mut way = 1.0;
        let mut last: Option<(Vector, Vector)> = None;
        for step in 1..=STEPS {
            let aside = self.velocity - heading * self.velocity.dot(heading);
            let (time, sideways) = self.meet(heading, aside.length().min(1.0));
            let quarry = self.to_quarry + self.quarry_velocity * time;
            let miss = quarry - heading * quarry.dot(heading) - normalize(aside) * sideways;
            if miss.length() < if step < STEPS { CLOSE } else { CLOSE_ENOUGH } {
                return Some(Interception { time, heading });
            }
            if let Some((last_heading, last_miss)) = last {
                let turn = heading - last_heading;
                let secant = (last_miss - miss).dot(turn) / turn.length_squared();
                way = if secant > 0.0 { secant.clamp(0.02, 50.0) } else { way };
            }
            last = Some((heading, miss));
            let turn = miss / way;
            heading = normalize(heading + turn / turn.length().max(1.0));
        }
        None
    }
}

impl Chase {
    /// The first time at which a body that moves sideways at `drift` is as far along the heading as the quarry, and its sideways
    /// displacement at that time.
    fn meet(&self, heading: Vector, drift: f32) -> (f32, f32) {
        let to_quarry = self.to_quarry.dot(heading);
        let quarry_speed = self.quarry_velocity.dot(heading);
        let speed = self.velocity.dot(heading);
        if to_quarry <= 0.0 {
            return (0.0, 0.0);
        }

        // Straight ahead at full acceleration, up to full speed.
        let speed_at_limit = ops::sqrt(1.0 - drift * drift);
        let limit_time = ((speed_at_limit - speed) / self.acceleration).max(0.0);
        let closing = quarry_speed - speed;
        let time = (closing + ops::sqrt(closing * closing + 2.0 * self.acceleration * to_quarry)) / self.acceleration;
        let time = time.min(self.farthest);
        if time <= limit_time {
            return (time, drift * time);
        }
        let way_to_limit = (speed + 0.5 * self.acceleration * limit_time) * limit_time;
        let drift_to_limit = drift * limit_time;

        // Straight ahead after the turn. A turn by an angle `a` takes `a/acceleration`.
        let angle = ops::asin(drift.abs());
        let turn_time = angle / self.acceleration;
        let turned_time = limit_time + turn_time;
        let turned_way = way_to_limit + drift.abs() / self.acceleration;
        let turned_drift = drift_to_limit + drift.signum() * (1.0 - speed_at_limit) / self.acceleration;
        let gap = to_quarry + quarry_speed * turned_time - turned_way;
        if gap >= 0.0 {
            let time = if quarry_speed < 1.0 { turned_time + gap / (1.0 - quarry_speed) } else { f32::INFINITY };
            return (time.min(self.farthest), turned_drift);
        }

        // During the turn: Newton's method, starting at its end.
        let mut time = turn_time;
        for _ in 0..3 {
            let (sin, cos) = ops::sin_cos(angle - self.acceleration * time);
            let way = way_to_limit + (drift.abs() - sin) / self.acceleration;
            let gap = to_quarry + quarry_speed * (limit_time + time) - way;
            let rate = quarry_speed - cos;
            if rate < 0.0 {
                time = (time - gap / rate).clamp(0.0, turn_time);
            }
        }
        let time = time.min((self.farthest - limit_time).max(0.0));
        let cos = ops::cos(angle - self.acceleration * time);
        (limit_time + time, drift_to_limit + drift.signum() * (cos - speed_at_limit) / self.acceleration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases() -> impl Iterator<Item = (Interceptor, Vector, Vector)> {
        (0..400_u16).map(|k| {
            let k = f32::from(k);
            let velocity = unit_vector(1.7 * k) * (k * 0.37 % 1.0) * 20.0;
            let interceptor = Interceptor { velocity, max_speed: 20.0, max_acceleration: 4.0 + k % 37.0 };
            (interceptor, unit_vector(k) * (5.0 + k), unit_vector(2.4 * k) * (k % 17.0))
        })
    }

    #[test]
    fn the_plan_leads_to_the_quarry_in_the_time_it_says() {
        let mut met = 0;
        for (interceptor, to_quarry, quarry_velocity) in cases() {
            let Some(meeting) = interceptor.intercept(to_quarry, quarry_velocity, f32::INFINITY) else { continue };
            met += 1;
            let (mut position, mut body) = (Vector::ZERO, interceptor);
            let steps = 4000.0;
            let step = meeting.time / steps;
            for _ in 0..steps as usize {
                let before = body.velocity;
                body.velocity = body.velocity_after(meeting.heading, step);
                // The end of a turn is accurate to half the digits.
                let change = before.distance(body.velocity);
                assert!(change <= body.max_acceleration * step * 1.01 + 1e-3 * body.max_speed);
                assert!(body.velocity.length() <= body.max_speed * 1.0001);
                position += 0.5 * (before + body.velocity) * step;
            }
            let miss = position.distance(to_quarry + quarry_velocity * meeting.time);
            assert!(miss < 2e-3 * position.length().max(to_quarry.length()), "{miss} off: {interceptor:?} {to_quarry}");
        }
        assert!(met > 390, "only {met} of 400 meet");
    }

    #[test]
    fn with_hardly_any_turning_it_is_the_plain_intercept() {
        for (interceptor, to_quarry, quarry_velocity) in cases() {
            let nimble = Interceptor { max_acceleration: 1e6, ..interceptor };
            let meeting = nimble.intercept(to_quarry, quarry_velocity, f32::INFINITY).expect("it can steer");
            let plain =
                crate::perception::prediction::intercept_time(to_quarry, quarry_velocity, 20.0).expect("it is faster");
            assert!((meeting.time / plain - 1.0).abs() < 1e-3, "{} instead of {plain}", meeting.time);
        }
    }

    #[test]
    fn nothing_is_ever_infinite_or_nan() {
        let values = [0.0, 1.0, -1.0, 1e-30, 1e9, -1e9, f32::MAX];
        for [x, y] in values.map(|x| values.map(|y| [x, y])).as_flattened() {
            for limit in [0.0, 1e-30, 1.0, 1e9, f32::MAX, f32::INFINITY] {
                let vector = Vector::new(*x, *y);
                for [to_quarry, velocity] in [[vector, Vector::X], [Vector::Y, vector], [vector, vector.perp()]] {
                    for (max_speed, max_acceleration) in [(limit, 1.0), (1.0, limit), (limit, limit)] {
                        let interceptor = Interceptor { velocity, max_speed, max_acceleration };
                        for farthest in [0.0, limit, f32::NAN] {
                            if let Some(meeting) = interceptor.intercept(to_quarry, velocity.perp(), farthest) {
                                let length = meeting.heading.length();
                                assert!(
                                    meeting.time >= 0.0 && (length - 1.0).abs() < 1e-5,
                                    "{interceptor:?} {meeting:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}

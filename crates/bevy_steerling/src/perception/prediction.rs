//! Predicts where a moving target will be when the agent reaches it.

use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::Agent;
use crate::math::Vector;
use crate::perception::target::Kinematics;

/// How far ahead [`Pursue`](crate::behaviors::pursue::Pursue) and [`Evade`](crate::behaviors::evade::Evade) predict the position of their
/// quarry. They assume that it keeps its velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum Prediction {
    /// The time in which the agent would reach the current position of the quarry: distance / max speed (Reynolds 1999).
    Proportional,
    /// Always this time, seconds.
    Fixed(f32),
    /// The time after which the agent, at max speed, can meet the quarry, up to [`FARTHEST`] times that of `Proportional`.
    ///
    /// If the quarry is too fast for a meeting, it is the time in which the quarry would cover the distance at the speed at which it
    /// approaches. If the quarry moves away, it is the upper limit. So the prediction does not jump as the quarry speeds up or turns.
    #[default]
    Intercept,
}

/// The limit of [`Prediction::Intercept`], as a multiple of the proportional time. A quarry that is hardly slower than the agent is met so
/// late that it will have turned long before.
pub const FARTHEST: f32 = 20.0;

/// The limit of all predictions, seconds: about 30 years.
const LONGEST: f32 = 1e9;

impl Prediction {
    /// The time to predict, seconds, for a quarry at the displacement `to_quarry` that moves at `quarry_velocity`, and an agent of this
    /// `max_speed`. It is between 0 and 1e9 for any input.
    ///
    /// ```
    /// # use bevy::math::Vec2;
    /// # use bevy_steerling::prelude::*;
    /// // 100 away and running off at half the agent's speed of 20.
    /// let (to_quarry, velocity) = (Vec2::new(100.0, 0.0), Vec2::new(10.0, 0.0));
    /// assert_eq!(Prediction::Proportional.time(to_quarry, velocity, 20.0), 5.0);
    /// assert_eq!(Prediction::Intercept.time(to_quarry, velocity, 20.0), 10.0);
    /// ```
    #[inline]
    pub fn time(self, to_quarry: Vector, quarry_velocity: Vector, max_speed: f32) -> f32 {
        let proportional = || to_quarry.length() / max_speed.max(f32::MIN_POSITIVE);
        let time = match self {
            Self::Proportional => proportional(),
            Self::Fixed(time) => time,
            Self::Intercept => {
                let approach = -to_quarry.dot(quarry_velocity);
                let meeting = intercept_time(to_quarry, quarry_velocity, max_speed);
                let time = match meeting {
                    Some(time) => time,
                    // The limit of the meeting time where its two solutions coincide and vanish.
                    None if approach > 0.0 => to_quarry.length_squared() / approach,
                    None => f32::INFINITY,
                };
                time.min(FARTHEST * proportional())
            }
        };
        // NaN counts as zero.
        if time > 0.0 { time.min(LONGEST) } else { 0.0 }
    }
}

/// The latest time for which a meeting should be planned, seconds. If there can be none, it is the time of [`Prediction::Intercept`].
pub(crate) fn farthest(to_quarry: Vector, quarry_velocity: Vector, max_speed: f32) -> f32 {
    match intercept_time(to_quarry, quarry_velocity, max_speed) {
        Some(_) => FARTHEST * Prediction::Proportional.time(to_quarry, quarry_velocity, max_speed),
        None => Prediction::Intercept.time(to_quarry, quarry_velocity, max_speed),
    }
}

/// The earliest time at which a pursuer with the constant speed `max_speed` can meet a quarry at the displacement `to_quarry` with the
/// constant velocity `quarry_velocity`, seconds; `None` if it never can.
///
/// It is the smallest `t ≥ 0` with `|to_quarry + quarry_velocity·t| = max_speed·t`. This quadratic equation is solved in its numerically
/// stable form.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::perception::prediction::intercept_time;
/// let to_quarry = Vec2::new(3.0, 0.0);
/// let meeting = intercept_time(to_quarry, Vec2::new(0.0, 4.0), 5.0).unwrap();
/// assert!((meeting - 1.0).abs() < 1e-6);
/// assert_eq!(intercept_time(to_quarry, Vec2::new(6.0, 0.0), 5.0), None);
/// ```
pub fn intercept_time(to_quarry: Vector, quarry_velocity: Vector, max_speed: f32) -> Option<f32> {
    // Uses the distance and the higher speed as units, so that squares neither overflow nor underflow.
    let distance = to_quarry.length();
    if distance == 0.0 {
        return Some(0.0);
    }
    let speed = max_speed.max(quarry_velocity.length());
    if !(distance.is_finite() && speed.is_finite() && speed > 0.0) {
        return None;
    }
    let direction = to_quarry / distance;
    let velocity = quarry_velocity / speed;
    let own = max_speed / speed;
    // a·t² − 2·b·t − 1 = 0. The coefficient is computed as a product, which is exact if the speeds are nearly equal.
    let other = velocity.length();
    let a = (own - other) * (own + other);
    let b = direction.dot(velocity);
    let discriminant = b * b + a;
    if discriminant < 0.0 {
        return None;
    }
    let root = ops::sqrt(discriminant);
    let time = if b <= 0.0 {
        1.0 / (root - b)
    } else if a > 0.0 {
        (b + root) / a
    } else {
        return None;
    };
    let time = time * (distance / speed);
    time.is_finite().then_some(time)
}

/// The displacement from `agent` to the predicted position of `quarry`.
#[inline]
pub(crate) fn to_predicted(
    agent: &Agent,
    quarry: &Kinematics,
    prediction: Prediction,
    max_prediction: Option<f32>,
) -> Vector {
    let to_quarry = agent.to(quarry.position);
    let time = prediction.time(to_quarry, quarry.velocity, agent.max_speed);
    to_quarry + quarry.velocity * max_prediction.map_or(time, |longest| time.min(longest.max(0.0)))
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::math::unit_vector;

    /// Smallest meeting time by stepping and bisection, in f64.
    fn brute_force(d: Vector, w: Vector, s: f32) -> Option<f64> {
        let gap = |t: f64| {
            let (x, y) = (f64::from(d.x) + f64::from(w.x) * t, f64::from(d.y) + f64::from(w.y) * t);
            x.hypot(y) - f64::from(s) * t
        };
        let mut t = 0.0;
        while t < 200.0 {
            if gap(t + 0.05) <= 0.0 {
                let (mut low, mut high) = (t, t + 0.05);
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if gap(middle) > 0.0 { low = middle } else { high = middle }
                }
                return Some(low);
            }
            t += 0.05;
        }
        None
    }

    #[test]
    fn meets_at_the_first_possible_time() {
        let mut met = 0;
        for k in 0..400_u16 {
            let k = f32::from(k);
            let d = unit_vector(k) * (5.0 + k * 0.1);
            let w = unit_vector(2.4 * k) * (k % 13.0);
            let s = 1.0 + k % 7.0;
            // Nearly equal speeds meet after the search gives up, or not at all.
            if (w.length() - s).abs() < 0.2 {
                continue;
            }
            let (fast, slow) = (intercept_time(d, w, s), brute_force(d, w, s));
            match (fast, slow) {
                (Some(fast), Some(slow)) => {
                    met += 1;
                    assert!((f64::from(fast) - slow).abs() < 1e-3 * (1.0 + slow), "{fast} {slow}");
                }
                (Some(fast), None) => assert!(fast > 199.0, "d {d} w {w} s {s}: {fast}"),
                (None, Some(slow)) => panic!("missed the meeting at {slow}: d {d} w {w} s {s}"),
                (None, None) => {}
            }
        }
        assert!(met > 150, "only {met} meetings");
    }

    #[test]
    fn equal_speeds_meet_only_when_the_quarry_comes_closer() {
        let ahead = Vector::new(10.0, 0.0);
        let t = intercept_time(ahead, Vector::new(-3.0, 4.0), 5.0).unwrap();
        assert!((t - 10.0 / 6.0).abs() < 1e-5);
        assert_eq!(intercept_time(ahead, Vector::new(5.0, 0.0), 5.0), None);
    }

    /// The most that the predicted direction changes between quarries whose velocities differ by little.
    fn largest_jump(velocities: impl Iterator<Item = Vector>) -> f32 {
        let to_quarry = Vector::new(50.0, 0.0);
        let directions: Vec<Vector> = velocities
            .map(|velocity| to_quarry + velocity * Prediction::Intercept.time(to_quarry, velocity, 100.0))
            .map(|to_predicted| to_predicted.normalize())
            .collect();
        directions.windows(2).map(|pair| pair[0].angle_to(pair[1]).abs()).fold(0.0, f32::max)
    }

    #[test]
    fn the_aim_does_not_jump_where_a_meeting_becomes_impossible() {
        let steps = || (0..=10_000_u16).map(|k| f32::from(k) * 1e-4);
        for angle in [0.2, 1.0, 1.5, 1.7, 2.5, 2.9] {
            let speeds = steps().map(|share| unit_vector(angle) * (80.0 + 40.0 * share));
            assert!(largest_jump(speeds) < 0.05, "speeds at {angle}");
        }
        for speed in [99.999, 100.0, 100.001, 101.0, 300.0] {
            // A quarry that runs past the agent's own place does turn the aim round: not up to there.
            let turns = steps().map(|share| unit_vector(2.9 * share) * speed);
            assert!(largest_jump(turns) < 0.05, "turns at {speed}");
        }
    }

    #[test]
    fn no_prediction_is_ever_infinite_or_nan() {
        let values = [0.0, 1.0, -1.0, 1e-30, 1e9, -1e9];
        let fixed = [3.0, -3.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY].map(Prediction::Fixed);
        for prediction in fixed.into_iter().chain([Prediction::Proportional, Prediction::Intercept]) {
            for x in values {
                for y in values {
                    for s in [0.0, 1e-30, 1.0, 1e9] {
                        let time = prediction.time(Vector::new(x, y), Vector::new(y, x), s);
                        assert!(time.is_finite() && time >= 0.0, "{prediction:?} {x} {y} {s}: {time}");
                    }
                }
            }
        }
    }
}

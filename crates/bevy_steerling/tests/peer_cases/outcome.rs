//! Comparing what came out with what a case expects.

use std::fmt;

use bevy::math::DVec3;
use bevy_steerling::math::Vector;

use crate::case::{Case, Input};

/// Whether a case holds.
pub type Outcome = Result<(), Failure>;

/// Why a case does not hold.
#[derive(Debug)]
pub enum Failure {
    /// It fits into no plane.
    NeedsThreeDimensions,
    /// Something else came out.
    Wrong(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeedsThreeDimensions => f.write_str("needs three dimensions"),
            Self::Wrong(how) => f.write_str(how),
        }
    }
}

pub fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(Failure::Wrong(otherwise())) }
}

/// Peers count in 64-bit floats: their tolerances are taken, but never as less than a few roundings to 32 bits, 6e-8 each.
fn tolerance(input: &Input, magnitude: f32) -> f64 {
    input.case.expect.tolerance().max(1e-6 * f64::from(magnitude))
}

pub fn near(input: &Input, got: Vector, expected: Vector) -> Outcome {
    let off = f64::from(got.distance(expected));
    ensure(off <= tolerance(input, expected.length()), || format!("{got} instead of {expected}"))
}

pub fn near_number(input: &Input, got: f32, expected: f32) -> Outcome {
    let off = f64::from((got - expected).abs());
    ensure(off <= tolerance(input, expected.abs()), || format!("{got} instead of {expected}"))
}

/// Angles in degrees, the short way round.
pub fn near_angle(input: &Input, got: f32, expected: f32) -> Outcome {
    let off = f64::from((got - expected + 180.0).rem_euclid(360.0) - 180.0).abs();
    ensure(off <= tolerance(input, 360.0), || format!("{got} degrees instead of {expected}"))
}

/// Whether the direction that a case expects is only the peer's choice.
pub fn any_direction(case: &Case) -> bool {
    // Fleeing from one's own place: any unit vector will do.
    case.id == "yuka-008"
}

/// What a force must be like, in the peer's words.
struct Rule {
    text: &'static str,
    holds: fn(DVec3) -> bool,
    /// A force that is not like that.
    refuses: &'static [DVec3],
}

/// What `eps` means, as a share of the whole: some roundings.
const EPS: f64 = 1e-6;

/// Where y is up, a plane that is the ground has no other y than 0, and the rest of the rule is what is checked.
const RULES: [Rule; 15] = [
    Rule { text: "force == 0", holds: |f| f == DVec3::ZERO, refuses: &[DVec3::new(0.0, 1e-30, 0.0)] },
    Rule { text: "force == 0, no panic", holds: |f| f == DVec3::ZERO, refuses: &[DVec3::new(0.0, 1e-30, 0.0)] },
    // Of all rules a force has to be finite.
    Rule { text: "finite", holds: |f| f.is_finite(), refuses: &[DVec3::INFINITY] },
    Rule { text: "force != 0 and finite", holds: |f| f.length() > 0.0, refuses: &[DVec3::ZERO] },
    Rule { text: "|force|>0", holds: |f| f.length() > 0.0, refuses: &[DVec3::ZERO] },
    Rule { text: "x>0", holds: |f| f.x > 0.0, refuses: &[DVec3::Y, DVec3::NEG_X] },
    Rule { text: "y>0", holds: |f| f.y > 0.0, refuses: &[DVec3::X, DVec3::NEG_Y] },
    Rule { text: "x<0", holds: |f| f.x < 0.0, refuses: &[DVec3::Y, DVec3::X] },
    Rule {
        text: "x<0 and y<0",
        holds: |f| f.x < 0.0 && f.y < 0.0,
        refuses: &[DVec3::new(-1.0, 1.0, 0.0), DVec3::new(1.0, -1.0, 0.0)],
    },
    Rule {
        text: "x>0 and |y|<eps",
        holds: |f| f.x > 0.0 && f.y.abs() < EPS * f.length(),
        refuses: &[DVec3::NEG_X, DVec3::new(1.0, 1e-5, 0.0)],
    },
    // The second coordinate of a plane is called z.
    Rule {
        text: "x>0 and |z|<1e-5",
        holds: |f| f.x > 0.0 && f.y.abs() < 1e-5,
        refuses: &[DVec3::NEG_X, DVec3::new(1.0, 1e-4, 0.0)],
    },
    Rule {
        text: "x > 0 and z > 0",
        holds: |f| f.x > 0.0 && f.z > 0.0,
        refuses: &[DVec3::new(-1.0, 0.0, 1.0), DVec3::new(1.0, 0.0, -1.0)],
    },
    Rule {
        text: "x < 0 and z < 0",
        holds: |f| f.x < 0.0 && f.z < 0.0,
        refuses: &[DVec3::new(-1.0, 0.0, 1.0), DVec3::new(1.0, 0.0, -1.0)],
    },
    Rule {
        text: "x == z > 0 and y == 0",
        holds: |f| f.x > 0.0 && (f.x - f.z).abs() < EPS * f.length() && f.y == 0.0,
        refuses: &[DVec3::NEG_ONE, DVec3::ONE, DVec3::new(1.0, 0.0, 1.0001), DVec3::new(-1.0, 0.0, -1.0)],
    },
    Rule { text: "length>0 and y==0", holds: |f| f.length() > 0.0 && f.y == 0.0, refuses: &[DVec3::ZERO, DVec3::Y] },
];

/// Whether `force` obeys the rule that a case expects.
pub fn obeys_rule(input: &Input, force: Vector) -> Outcome {
    let text = input.case.expect.rule.as_deref().unwrap_or_default();
    let Some(rule) = RULES.iter().find(|rule| rule.text == text) else { panic!("the rule `{text}` is not known") };
    let lifted = input.lift(force);
    ensure(force.is_finite() && (rule.holds)(lifted), || format!("{lifted} is not {text}"))
}

#[test]
fn every_rule_refuses_something() {
    for rule in &RULES {
        for refused in rule.refuses {
            assert!(!(rule.holds)(*refused), "{refused} is {}", rule.text);
        }
        assert!(!(rule.holds)(DVec3::NAN), "NaN is {}", rule.text);
    }
}

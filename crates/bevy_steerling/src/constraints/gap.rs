//! Gaps beside an agent, nearer to the place at which it wants to stop.

use core::f32::consts::FRAC_PI_2;

use crate::math::{self, Vector, turned_right, unit_vector};

/// The distance of the agent from the neighbor around which it goes, as a share of the distance at which they touch.
const AROUND: f32 = 1.04;

/// The least distance from all others, as a share of the distance at which they touch.
const CLEAR: f32 = 1.02;

/// How far it goes around the neighbor in a step, radians.
const STEP: f32 = 0.18;

/// It goes around a neighbor by at most 134 degrees.
const STEPS: u8 = 13;

/// A body beside the agent.
#[derive(Clone, Copy)]
pub(super) struct Body {
    /// The displacement to its center, units.
    pub way: Vector,
    /// The distance between the centers at which it touches the agent, units.
    pub touch: f32,
}

/// The displacement to the place nearest to the destination, at the displacement `to`, that the agent reaches when it goes around one of
/// the neighbors at most `beside` touching distances away. The place is nearer to the destination than `most`.
pub(super) fn nearest_gap(bodies: &[Body], to: Vector, beside: f32, most: f32) -> Option<Vector> {
    let (mut nearest, mut gap) = (most, None);
    for (index, body) in bodies.iter().enumerate() {
        if body.way.length() > beside * body.touch {
            continue;
        }
        let (out, along) = axes(body.way, to);
        let is_clear = |place: Vector| {
            let mut others = bodies.iter().enumerate().filter(|(other, _)| *other != index);
            others.all(|(_, other)| (other.way - place).length() >= CLEAR * other.touch)
        };
        for along in [along, -along] {
            let places = (1..=STEPS).map(|step| {
                let turn = unit_vector(STEP * f32::from(step));
                body.way + (out * turn.x + along * turn.y) * (AROUND * body.touch)
            });
            for place in places.take_while(|place| is_clear(*place)) {
                let distance = (to - place).length();
                if distance < nearest {
                    (nearest, gap) = (distance, Some(place));
                }
            }
        }
    }
    gap
}

/// The direction to the agent from a neighbor at the displacement `way`, and the direction across in which the destination is.
fn axes(way: Vector, to: Vector) -> (Vector, Vector) {
    let out = if way == Vector::ZERO { math::normalize(to) } else { -math::normalize(way) };
    let across = to - out * to.dot(out);
    let along =
        if across.length() > 1e-3 * to.length() { math::normalize(across) } else { turned_right(out, FRAC_PI_2) };
    (out, along)
}

#[cfg(all(test, not(dim3)))]
mod tests {
    use super::*;

    fn body(x: f32, y: f32) -> Body {
        Body { way: Vector::new(x, y), touch: 2.0 }
    }

    fn gap(bodies: &[Body]) -> Option<Vector> {
        let to = Vector::new(0.0, -6.0);
        nearest_gap(bodies, to, 1.15, to.length() - 0.2)
    }

    /// The agent lies in the wedge between two others. The next wedges are free.
    const WEDGE: [(f32, f32); 3] = [(-1.03, -1.78), (1.03, -1.78), (-2.06, -3.6)];

    #[test]
    fn an_agent_in_a_wedge_finds_one_beside_it() {
        let bodies = WEDGE.map(|(x, y)| body(x, y));
        let gap = gap(&bodies).expect("the flank is free");
        assert!(gap.x.abs() > 2.0 && gap.y < -0.5, "{gap}");
        for other in bodies {
            assert!((other.way - gap).length() >= other.touch, "{gap} overlaps {}", other.way);
        }
    }

    #[test]
    fn a_taken_gap_is_none() {
        let others = [WEDGE[0], WEDGE[1], (-2.2, -0.2), (2.2, -0.2)];
        assert_eq!(gap(&others.map(|(x, y)| body(x, y))), None);
    }

    #[test]
    fn others_farther_away_are_no_way_around() {
        assert_eq!(gap(&[body(0.0, -2.4)]), None);
        assert!(gap(&[body(0.0, -2.2)]).is_some());
    }

    #[test]
    fn an_agent_with_its_destination_nearby_stays() {
        let (bodies, to) = ([body(0.0, -2.05)], Vector::new(0.0, 0.1));
        assert_eq!(nearest_gap(&bodies, to, 1.15, to.length()), None);
    }
}

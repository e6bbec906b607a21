//! Where a path crosses a gate.

use bevy::math::DVec2;

/// The fraction of a straight path at which it first meets a segment. Both include their ends.
///
/// The side of the segment that a place is on depends on that place alone. Therefore an agent cannot slip through
/// between two ticks, nor between two segments that share an end.
pub(crate) fn first_contact([start, end]: [DVec2; 2], from: DVec2, to: DVec2) -> Option<f64> {
    if !(from.is_finite() && to.is_finite()) {
        return None;
    }
    let (segment, way) = (end - start, to - from);
    let sides = [segment.perp_dot(from - start), segment.perp_dot(to - start)];
    if sides == [0.0, 0.0] {
        // The path lies on the line of the segment.
        let along = |place: DVec2| segment.dot(place - start) / segment.length_squared();
        let (before, after) = (along(from), along(to));
        let fraction = (before.clamp(0.0, 1.0) - before) / (after - before);
        return if (0.0..=1.0).contains(&before) {
            Some(0.0)
        } else {
            Some(fraction).filter(|x| (0.0..=1.0).contains(x))
        };
    }
    let ends = [way.perp_dot(start - from), way.perp_dot(end - from)];
    let differ = |[one, other]: [f64; 2]| (one <= 0.0 && other >= 0.0) || (one >= 0.0 && other <= 0.0);
    (differ(sides) && differ(ends)).then(|| sides[0] / (sides[0] - sides[1]))
}

/// The distance from a place to the nearest point of a segment.
pub(crate) fn distance_to_segment([start, end]: [DVec2; 2], place: DVec2) -> f64 {
    let (segment, way) = (end - start, place - start);
    if (0.0..=segment.length_squared()).contains(&segment.dot(way)) {
        // The result is exactly equal for places at equal distances.
        segment.perp_dot(way).abs() / segment.length()
    } else {
        place.distance(start).min(place.distance(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::math::Vec2;

    const GATE: [DVec2; 2] = [DVec2::new(0.0, -1.0), DVec2::new(0.0, 1.0)];

    fn contact(from: (f64, f64), to: (f64, f64)) -> Option<f64> {
        first_contact(GATE, from.into(), to.into())
    }

    #[test]
    fn a_way_crosses_in_either_direction() {
        assert_eq!(contact((-1.0, 0.5), (3.0, 0.5)), Some(0.25));
        assert_eq!(contact((3.0, 0.5), (-1.0, 0.5)), Some(0.75));
        assert_eq!(contact((-1.0, -0.5), (1.0, 0.5)), Some(0.5));
        assert_eq!(contact((-3.0, 0.5), (-1.0, 0.5)), None, "before it");
        assert_eq!(contact((1.0, 0.5), (3.0, 0.5)), None, "behind it");
        assert_eq!(contact((-1.0, 1.5), (1.0, 1.5)), None, "past its end");
        assert_eq!(contact((-1.0, 0.5), (1.0, 1.6)), None, "past its end, on a slant");
    }

    #[test]
    fn its_ends_belong_to_it_and_a_touch_is_enough() {
        assert_eq!(contact((-1.0, 1.0), (1.0, 1.0)), Some(0.5), "over its end");
        assert_eq!(contact((-1.0, 0.0), (1.0, 2.0)), Some(0.5), "over its end, on a slant");
        assert_eq!(contact((-2.0, 0.0), (0.0, 0.0)), Some(1.0), "up to it");
        assert_eq!(contact((0.0, 0.0), (-2.0, 0.0)), Some(0.0), "away from it");
        assert_eq!(contact((0.0, 0.0), (0.0, 0.0)), Some(0.0), "at rest on it");
        assert_eq!(contact((0.0, 1.5), (0.0, 1.5)), None, "at rest on its line");
    }

    #[test]
    fn a_way_along_it_crosses_where_it_meets_it() {
        assert_eq!(contact((0.0, -3.0), (0.0, 5.0)), Some(0.25));
        assert_eq!(contact((0.0, 5.0), (0.0, -3.0)), Some(0.5));
        assert_eq!(contact((0.0, 0.5), (0.0, 5.0)), Some(0.0));
        assert_eq!(contact((0.0, 3.0), (0.0, 1.0)), Some(1.0));
        assert_eq!(contact((0.0, 5.0), (0.0, 3.0)), None);
        assert_eq!(contact((0.0, -9.0), (0.0, -3.0)), None);
    }

    #[test]
    fn who_is_not_anywhere_crosses_nothing() {
        for nowhere in [f64::NAN, f64::INFINITY] {
            assert_eq!(contact((-1.0, 0.0), (nowhere, 0.0)), None);
            assert_eq!(contact((nowhere, 0.0), (1.0, nowhere)), None);
        }
    }

    /// A path meets one of two adjacent gates, whatever its slope and however short its steps.
    #[test]
    fn nobody_slips_through_between_ticks_or_neighbors() {
        let place = |x: f32, y: f32| Vec2::new(x, y).as_dvec2();
        let (low, middle, high) = (place(-0.3, -2.1), place(0.1, 0.7), place(0.7, 3.3));
        for slope in 0..200_u8 {
            let goal = Vec2::new(1.3, 0.013 * f32::from(slope) - 0.6);
            let mut position = Vec2::new(-1.1, 0.7);
            let step = (goal - position) / 97.0;
            let mut crossed = false;
            for _ in 0..97 {
                let next = position + step;
                let way = [position.as_dvec2(), next.as_dvec2()];
                crossed |=
                    [[low, middle], [middle, high]].iter().any(|gate| first_contact(*gate, way[0], way[1]).is_some());
                position = next;
            }
            assert!(crossed, "to {goal}");
            // Straight across the end that they share.
            let over = middle + (middle - way_back(slope));
            for gate in [[low, middle], [middle, high]] {
                assert!(first_contact(gate, way_back(slope), middle).is_some(), "up to the end, from {slope}");
                assert!(first_contact(gate, middle, over).is_some(), "on from the end, from {slope}");
            }
        }
    }

    fn way_back(slope: u8) -> DVec2 {
        Vec2::new(-1.1, 0.01 * f32::from(slope)).as_dvec2()
    }

    #[test]
    fn the_distance_is_that_to_the_nearest_point() {
        for (place, distance) in [((3.0, 0.5), 3.0), ((-2.0, -1.0), 2.0), ((3.0, 5.0), 5.0), ((0.0, 0.2), 0.0)] {
            assert_eq!(distance_to_segment(GATE, place.into()), distance);
        }
    }
}

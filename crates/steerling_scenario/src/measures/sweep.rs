//! The least distance between moving bodies.

use bevy_steerling::math::Vector;

/// The most steps of a search.
const MOST_STEPS: usize = 32;

/// The least length of a displacement that has changed evenly and is `end` now, between start and end; `None` if it is least at one of them.
pub(crate) fn least_length_between(end: Vector, change: Vector) -> Option<f32> {
    // The share of the change that comes after the closest approach.
    let after = end.dot(change) / change.length_squared();
    (after > 0.0 && after < 1.0).then(|| (end - change * after).length())
}

/// A tangent of a distance along a way.
struct Tangent {
    /// The share of the way.
    share: f32,
    distance: f32,
    slope: f32,
}

/// The least distance between the start and the end of a straight way, to within `tolerance`, if it is below `bound`; `None` if it is least at
/// one of them. `distance` is the distance to something convex and its gradient.
///
/// A convex function lies above its tangents, and where two of them meet is the least that it may be between them.
pub(crate) fn least_distance_between(
    start: Vector,
    end: Vector,
    (bound, tolerance): (f32, f32),
    distance: impl Fn(Vector) -> (f32, Vector),
) -> Option<f32> {
    let way = end - start;
    let tangent = |share: f32| {
        let (distance, away) = distance(start + way * share);
        Tangent { share, distance, slope: away.dot(way) }
    };
    let (mut before, mut after) = (tangent(0.0), tangent(1.0));
    if !(before.slope < 0.0 && after.slope > 0.0) {
        return None;
    }
    let mut least = f32::INFINITY;
    for _ in 0..MOST_STEPS {
        let rise = after.distance - after.slope * after.share - (before.distance - before.slope * before.share);
        let share = (rise / (before.slope - after.slope)).clamp(before.share, after.share);
        let floor = before.distance + before.slope * (share - before.share);
        if floor >= bound {
            break;
        }
        let between = tangent(share);
        least = least.min(between.distance);
        if between.distance - floor <= tolerance || between.slope == 0.0 {
            break;
        }
        if between.slope < 0.0 {
            before = between;
        } else {
            after = between;
        }
    }
    (least < bound).then_some(least)
}

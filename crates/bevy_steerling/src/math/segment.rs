//! Segments: the nearest point, and the intersection with a ray.

#[cfg(not(dim3))]
use bevy::math::ops;

use crate::math::vector::Vector;
#[cfg(not(dim3))]
use crate::math::vector::normalize;

/// The point of a segment that is nearest to `point`.
pub(crate) fn nearest_on_segment(point: Vector, start: Vector, end: Vector) -> Vector {
    let segment = end - start;
    let along = (point - start).dot(segment) / segment.length_squared().max(f32::MIN_POSITIVE);
    start + segment * along.clamp(0.0, 1.0)
}

/// The distance along the unit vector `direction` from a point to the capsule of this `radius` around a segment; `None` if the ray
/// misses it. The point must be outside the capsule.
#[cfg(not(dim3))]
pub(crate) fn cast_distance_to_segment(
    from: Vector,
    direction: Vector,
    start: Vector,
    end: Vector,
    radius: f32,
) -> Option<f32> {
    let ends = [start, end].into_iter().filter_map(|corner| {
        let to_corner = corner - from;
        let along = to_corner.dot(direction);
        let aside = direction.perp_dot(to_corner);
        let half_chord = (radius - aside) * (radius + aside);
        (along > 0.0 && half_chord >= 0.0).then(|| (along - ops::sqrt(half_chord)).max(0.0))
    });
    let along = normalize(end - start);
    // The side on which the ray starts.
    let height = along.perp_dot(from - start);
    let sink = -along.perp_dot(direction) * height.signum();
    // Rounding can put a point that just touches the capsule a little inside.
    let rounding = 1e-6 * from.abs().max(start.abs()).max_element();
    let flat = (sink > 0.0 && height.abs() >= radius - rounding)
        .then(|| (height.abs() - radius).max(0.0) / sink)
        .filter(|way| (0.0..=start.distance(end)).contains(&(from + direction * *way - start).dot(along)));
    ends.chain(flat).min_by(f32::total_cmp)
}

//! One lane calculates as eight do.

use super::*;

/// A formula with every operation.
fn formula<L: Lanes>(a: L, b: L) -> L {
    let (vector, other) = (VectorOf { x: a, y: b }, VectorOf { x: b, y: a });
    let sum = vector.normalized() + other.truncated(L::splat(2.0)) * (a / b);
    let mask = (a.simd_lt(b) | !a.simd_ge(L::splat(0.5))) & (b.simd_gt(a) | a.simd_le(b));
    let chosen = VectorOf::select(mask, sum, vector - other).masked(!mask | b.simd_gt(L::default()));
    let turned = chosen.rotate(sum.unit()).shortened(L::splat(2.0)) / L::splat(3.0);
    let length = turned.dot(sum).abs().sqrt().fast_min(L::splat(9.0)).fast_max(a);
    let length = length.floor_of_positive() + length.ceil_of_positive() + turned.length().clamp(a, L::splat(1e9));
    length.flipped_unless_negative(b) - chosen.perp_dot(other)
}

#[test]
fn one_lane_is_bit_identical_to_eight() {
    let a = [0.0, 1.0, -2.5, 3.75, 1e-20, -7.0, 100.0, 0.3];
    let b = [1.0, -1.0, -0.5, 3.75, 2.0, 1e9, -3.0, 0.7];
    let eight = formula(f32x8::from(a), f32x8::from(b)).to_array();
    for lane in 0..LANES {
        assert_eq!(formula(a[lane], b[lane]).to_bits(), eight[lane].to_bits(), "{} {}", a[lane], b[lane]);
    }
}

#[test]
fn a_mask_is_any_when_one_lane_is_set() {
    let numbers = f32x8::from([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    assert!(<f32x8 as Lanes>::any(numbers.simd_gt(f32x8::ZERO)));
    assert!(!<f32x8 as Lanes>::any(numbers.simd_gt(f32x8::ONE)));
}

//! Tests that one lane gives the same results as eight, with all instructions that the machine has.

use fearless_simd::f32x8;
use fearless_simd::prelude::Simd;

use super::*;
use crate::math::simd::{dispatch, levels};

/// A formula with every operation.
#[inline(always)]
fn formula<L: Lanes>(a: L, b: L) -> L {
    let (vector, other) = (VectorOf { x: a, y: b }, VectorOf { x: b, y: a });
    let sum = vector.normalized() + other.truncated(a.splat(2.0)) * (a / b);
    let mask = (a.simd_lt(b) | !a.simd_ge(a.splat(0.5))) & (b.simd_gt(a) | a.simd_le(b));
    let chosen = VectorOf::select(mask, sum, vector - other).masked(!mask | b.simd_gt(b.splat(0.0)));
    let turned = chosen.rotate(sum.unit()).shortened(a.splat(2.0)) / a.splat(3.0);
    let length = turned.dot(sum).abs().sqrt().fast_min(a.splat(9.0)).fast_max(a);
    let length = length.floor_of_positive() + length.ceil_of_positive() + turned.length().clamp(a, a.splat(1e9));
    length.flipped_unless_negative(b) - chosen.perp_dot(other)
}

#[inline(always)]
fn formula_of_eight<S: Simd>(simd: S, a: &[f32; LANES], b: &[f32; LANES]) -> [f32; LANES] {
    *formula(f32x8::gather(simd, |lane| a[lane]), f32x8::gather(simd, |lane| b[lane]))
}

#[test]
fn one_lane_is_bit_identical_to_eight() {
    let a = [0.0, 1.0, -2.5, 3.75, 1e-20, -7.0, 100.0, 0.3];
    let b = [1.0, -1.0, -0.5, 3.75, 2.0, 1e9, -3.0, 0.7];
    for level in levels() {
        let eight = dispatch!(level, simd => formula_of_eight(simd, &a, &b));
        for lane in 0..LANES {
            let one = formula(a[lane], b[lane]);
            assert_eq!(one.to_bits(), eight[lane].to_bits(), "{level:?}: {} {}", a[lane], b[lane]);
        }
    }
}

/// The lanes that are set, and whether any is.
#[inline(always)]
fn lanes_above<S: Simd>(simd: S, numbers: &[f32; LANES], limit: f32) -> (u32, bool) {
    let numbers = f32x8::gather(simd, |lane| numbers[lane]);
    let above = numbers.simd_gt(numbers.splat(limit));
    (bits(above), <f32x8<S> as Lanes>::any(above))
}

#[test]
fn a_mask_is_any_when_one_lane_is_set() {
    let numbers = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    for level in levels() {
        assert_eq!(dispatch!(level, simd => lanes_above(simd, &numbers, 0.0)), (1 << 6, true));
        assert_eq!(dispatch!(level, simd => lanes_above(simd, &numbers, 1.0)), (0, false));
    }
}

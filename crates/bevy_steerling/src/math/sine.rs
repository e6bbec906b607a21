//! Sine and cosine without branches, so that loops over agents vectorize.
//!
//! The polynomials are those of FreeBSD's msun, so results are bit-identical to those of the crate `libm`:
//!
//! > Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at `SunPro`, a Sun Microsystems, Inc. business.
//! > Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.

use core::f64::consts::FRAC_PI_2;

/// The largest absolute angle that [`sin_cos`] accepts: a little less than 5/4·π.
pub(crate) const MOST: f32 = 3.926;

/// The sine and the cosine of an angle from −[`MOST`] to [`MOST`], radians.
#[inline(always)]
pub(crate) fn sin_cos(angle: f32) -> (f32, f32) {
    const SIGN: u32 = 1 << 31;
    let (size, sign) = (angle.to_bits() & !SIGN, angle.to_bits() & SIGN);
    // The number of quarter turns, rounded: the steps are at π/4 and 3/4·π.
    let quarters = u32::from(size as i32 > 0x3f49_0fda) + u32::from(size as i32 > 0x4016_cbe3);
    let rest = f64::from(f32::from_bits(size)) - f64::from(quarters as i32) * FRAC_PI_2;
    let (sin, cos) = (small_sin(rest).to_bits(), small_cos(rest).to_bits());
    let swap = (sin ^ cos) & (quarters & 1).wrapping_neg();
    let (sin, cos) = (sin ^ swap, cos ^ swap);
    (f32::from_bits(sin ^ sign ^ ((quarters & 2) << 30)), f32::from_bits(cos ^ (((quarters + 1) & 2) << 30)))
}

/// The sine of an angle up to π/4.
#[inline(always)]
fn small_sin(x: f64) -> f32 {
    let z = x * x;
    let w = z * z;
    let r = -0.000_198_393_348_360_966_32 + z * 0.000_002_718_311_493_989_822;
    let s = z * x;
    ((x + s * (-0.166_666_666_416_265_24 + z * 0.008_333_329_385_889_463)) + s * w * r) as f32
}

/// The cosine of an angle up to π/4.
#[inline(always)]
fn small_cos(x: f64) -> f32 {
    let z = x * x;
    let w = z * z;
    let r = -0.001_388_676_377_460_993 + z * 0.000_024_390_448_796_277_41;
    (((1.0 + z * -0.499_999_997_251_031) + w * 0.041_666_623_323_739_06) + (w * z) * r) as f32
}

#[cfg(test)]
mod tests {
    use bevy::math::ops;

    use super::*;

    #[test]
    fn sine_and_cosine_are_those_of_libm() {
        let most = MOST.to_bits();
        for bits in (0..=most).step_by(4_999) {
            for angle in [f32::from_bits(bits), -f32::from_bits(bits)] {
                let ((sin, cos), (other_sin, other_cos)) = (sin_cos(angle), ops::sin_cos(angle));
                if cfg!(feature = "libm") {
                    assert_eq!((sin.to_bits(), cos.to_bits()), (other_sin.to_bits(), other_cos.to_bits()), "{angle}");
                } else {
                    assert!((sin - other_sin).abs() < 1e-7 && (cos - other_cos).abs() < 1e-7, "{angle}");
                }
            }
        }
    }
}

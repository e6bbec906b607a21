//! Numbers for one agent or for eight at a time.

use core::ops::{Add, AddAssign, BitAnd, BitOr, BitOrAssign, Div, Mul, Neg, Not, Sub};

use bevy::math::ops;
use fearless_simd::prelude::{Select, Simd, SimdBase, SimdFloat, SimdInt, SimdInto, SimdMask};
use fearless_simd::{f32x8, i32x8, mask32x8};

/// The number of agents in an `f32x8`.
pub(crate) const LANES: usize = 8;

/// The values of lanes 0, 1, …. Unlike `array::map`, it is always inlined.
#[inline(always)]
pub(crate) fn each_lane<T>(value: impl Fn(usize) -> T) -> [T; LANES] {
    [value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7)]
}

/// A number for one agent (`f32`) or one for each of eight (`f32x8`).
pub(crate) trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
{
    /// The SIMD instructions for these numbers. A single number needs none.
    type Simd: Copy;

    /// A truth value per lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + BitOrAssign + Not<Output = Self::Mask>;

    /// The same number in each lane.
    fn new(simd: Self::Simd, value: f32) -> Self;

    /// The numbers of lanes 0, 1, ….
    fn gather(simd: Self::Simd, number: impl Fn(usize) -> f32) -> Self;

    /// The instructions.
    fn simd(self) -> Self::Simd;

    /// The same number in as many lanes as `self` has.
    #[inline(always)]
    fn splat(self, value: f32) -> Self {
        Self::new(self.simd(), value)
    }

    /// The smaller number. If either is NaN, the result depends on the type and the platform.
    fn fast_min(self, other: Self) -> Self;

    /// The larger number. If either is NaN, the result depends on the type and the platform.
    fn fast_max(self, other: Self) -> Self;

    /// Clamps the number to the range from `least` to `most`.
    #[inline(always)]
    fn clamp(self, least: Self, most: Self) -> Self {
        self.fast_max(least).fast_min(most)
    }

    fn abs(self) -> Self;

    fn sqrt(self) -> Self;

    /// The integer part of a number from 0 to 2^31.
    fn floor_of_positive(self) -> Self;

    /// The smallest integer that is not below a number from 0 to 2^31.
    #[inline(always)]
    fn ceil_of_positive(self) -> Self {
        let floor = self.floor_of_positive();
        floor + self.splat(1.0).masked(floor.simd_lt(self))
    }

    fn simd_lt(self, other: Self) -> Self::Mask;

    fn simd_le(self, other: Self) -> Self::Mask;

    fn simd_gt(self, other: Self) -> Self::Mask;

    fn simd_ge(self, other: Self) -> Self::Mask;

    /// `this` where the mask is set, `other` elsewhere.
    fn select(mask: Self::Mask, this: Self, other: Self) -> Self;

    /// `self` where the mask is set, zero elsewhere.
    #[inline(always)]
    fn masked(self, mask: Self::Mask) -> Self {
        Self::select(mask, self, self.splat(0.0))
    }

    /// `self` with its sign flipped where the sign bit of `other` is not set.
    #[cfg(not(dim3))]
    fn flipped_unless_negative(self, other: Self) -> Self;

    /// Whether the mask is set in any lane.
    #[cfg(not(dim3))]
    fn any(mask: Self::Mask) -> bool;
}

impl Lanes for f32 {
    type Simd = ();
    type Mask = bool;

    #[inline(always)]
    fn new((): (), value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn gather((): (), number: impl Fn(usize) -> f32) -> Self {
        number(0)
    }

    #[inline(always)]
    fn simd(self) {}

    #[inline(always)]
    fn fast_min(self, other: Self) -> Self {
        self.min(other)
    }

    #[inline(always)]
    fn fast_max(self, other: Self) -> Self {
        self.max(other)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        ops::sqrt(self)
    }

    #[inline(always)]
    fn floor_of_positive(self) -> Self {
        self as i32 as Self
    }

    #[inline(always)]
    fn simd_lt(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn simd_le(self, other: Self) -> bool {
        self <= other
    }

    #[inline(always)]
    fn simd_gt(self, other: Self) -> bool {
        self > other
    }

    #[inline(always)]
    fn simd_ge(self, other: Self) -> bool {
        self >= other
    }

    #[inline(always)]
    fn select(mask: bool, this: Self, other: Self) -> Self {
        if mask { this } else { other }
    }

    #[cfg(not(dim3))]
    #[inline(always)]
    fn flipped_unless_negative(self, other: Self) -> Self {
        if other.is_sign_negative() { self } else { -self }
    }

    #[cfg(not(dim3))]
    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
}

impl<S: Simd> Lanes for f32x8<S> {
    type Simd = S;
    type Mask = mask32x8<S>;

    #[inline(always)]
    fn new(simd: S, value: f32) -> Self {
        SimdBase::splat(simd, value)
    }

    #[inline(always)]
    fn gather(simd: S, number: impl Fn(usize) -> f32) -> Self {
        each_lane(number).simd_into(simd)
    }

    #[inline(always)]
    fn simd(self) -> S {
        self.simd
    }

    #[inline(always)]
    fn fast_min(self, other: Self) -> Self {
        SimdBase::min(self, other)
    }

    #[inline(always)]
    fn fast_max(self, other: Self) -> Self {
        SimdBase::max(self, other)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        SimdBase::abs(self)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        SimdFloat::sqrt(self)
    }

    #[inline(always)]
    fn floor_of_positive(self) -> Self {
        self.to_int::<i32x8<S>>().to_float()
    }

    #[inline(always)]
    fn simd_lt(self, other: Self) -> Self::Mask {
        SimdBase::simd_lt(self, other)
    }

    #[inline(always)]
    fn simd_le(self, other: Self) -> Self::Mask {
        SimdBase::simd_le(self, other)
    }

    #[inline(always)]
    fn simd_gt(self, other: Self) -> Self::Mask {
        SimdBase::simd_gt(self, other)
    }

    #[inline(always)]
    fn simd_ge(self, other: Self) -> Self::Mask {
        SimdBase::simd_ge(self, other)
    }

    #[inline(always)]
    fn select(mask: Self::Mask, this: Self, other: Self) -> Self {
        mask.select(this, other)
    }

    #[cfg(not(dim3))]
    #[inline(always)]
    fn flipped_unless_negative(self, other: Self) -> Self {
        self * self.splat(1.0).copysign(-other)
    }

    #[cfg(not(dim3))]
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        mask.any_true()
    }
}

/// The lanes in which a mask is set, as bits.
#[inline(always)]
pub(crate) fn bits<S: Simd>(mask: mask32x8<S>) -> u32 {
    mask.to_bitmask() as u32
}

/// Eight numbers in memory.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
pub(crate) struct Stored([f32; LANES]);

impl Stored {
    /// The numbers of lanes 0, 1, ….
    #[inline(always)]
    pub fn new(number: impl Fn(usize) -> f32) -> Self {
        Self(core::array::from_fn(number))
    }

    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S) -> f32x8<S> {
        self.0.simd_into(simd)
    }
}

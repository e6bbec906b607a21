//! Arithmetic for one agent or for eight at a time, so that a formula is written once.

use core::ops::{Add, AddAssign, BitAnd, BitOr, BitOrAssign, Div, Mul, Neg, Not, Sub};

use bevy::math::ops;
use wide::f32x8;

use crate::math::vector::{self, Vector};

/// The number of agents in an `f32x8`.
pub(crate) const LANES: usize = 8;

/// A number for one agent (`f32`) or one for each of eight (`f32x8`).
///
/// The methods have the names and the meaning of those of `f32x8`.
pub(crate) trait Lanes:
    Copy
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
{
    /// A truth value per lane.
    type Mask: Copy
        + Default
        + BitAnd<Output = Self::Mask>
        + BitOr<Output = Self::Mask>
        + BitOrAssign
        + Not<Output = Self::Mask>;

    /// The same number in each lane.
    fn splat(value: f32) -> Self;

    /// The numbers of lanes 0, 1, ….
    fn gather(number: impl Fn(usize) -> f32) -> Self;

    /// The smaller number. Which one it is when either is NaN depends on the type and the platform.
    fn fast_min(self, other: Self) -> Self;

    /// The larger number. Which one it is when either is NaN depends on the type and the platform.
    fn fast_max(self, other: Self) -> Self;

    /// As near to `self` as `least` and `most` allow.
    #[inline(always)]
    fn clamp(self, least: Self, most: Self) -> Self {
        self.fast_max(least).fast_min(most)
    }

    fn abs(self) -> Self;

    fn sqrt(self) -> Self;

    /// The integer part of a number from 0 to 2^31.
    fn floor_of_positive(self) -> Self;

    /// The least integer that is not below a number from 0 to 2^31.
    #[inline(always)]
    fn ceil_of_positive(self) -> Self {
        let floor = self.floor_of_positive();
        floor + Self::splat(1.0).masked(floor.simd_lt(self))
    }

    fn simd_lt(self, other: Self) -> Self::Mask;

    fn simd_le(self, other: Self) -> Self::Mask;

    fn simd_gt(self, other: Self) -> Self::Mask;

    fn simd_ge(self, other: Self) -> Self::Mask;

    /// `this` where the mask is set, `other` elsewhere.
    fn select(mask: Self::Mask, this: Self, other: Self) -> Self;

    /// `self` where the mask is set, zero elsewhere.
    fn masked(self, mask: Self::Mask) -> Self;

    /// `self` with its sign flipped where the sign bit of `other` is not set.
    #[cfg(not(dim3))]
    fn flipped_unless_negative(self, other: Self) -> Self;

    /// Whether the mask is set in any lane.
    fn any(mask: Self::Mask) -> bool;
}

impl Lanes for f32 {
    type Mask = bool;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn gather(number: impl Fn(usize) -> f32) -> Self {
        number(0)
    }

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

    #[inline(always)]
    fn masked(self, mask: bool) -> Self {
        if mask { self } else { 0.0 }
    }

    #[cfg(not(dim3))]
    #[inline(always)]
    fn flipped_unless_negative(self, other: Self) -> Self {
        if other.is_sign_negative() { self } else { -self }
    }

    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
}

impl Lanes for f32x8 {
    type Mask = Self;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self::splat(value)
    }

    #[inline(always)]
    fn gather(number: impl Fn(usize) -> f32) -> Self {
        // `array::map` is not always inlined.
        Self::from([number(0), number(1), number(2), number(3), number(4), number(5), number(6), number(7)])
    }

    #[inline(always)]
    fn fast_min(self, other: Self) -> Self {
        self.fast_min(other)
    }

    #[inline(always)]
    fn fast_max(self, other: Self) -> Self {
        self.fast_max(other)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn floor_of_positive(self) -> Self {
        self.fast_trunc_int().round_float()
    }

    #[inline(always)]
    fn simd_lt(self, other: Self) -> Self {
        self.simd_lt(other)
    }

    #[inline(always)]
    fn simd_le(self, other: Self) -> Self {
        self.simd_le(other)
    }

    #[inline(always)]
    fn simd_gt(self, other: Self) -> Self {
        self.simd_gt(other)
    }

    #[inline(always)]
    fn simd_ge(self, other: Self) -> Self {
        self.simd_ge(other)
    }

    #[inline(always)]
    fn select(mask: Self, this: Self, other: Self) -> Self {
        mask.bitselect(this, other)
    }

    #[inline(always)]
    fn masked(self, mask: Self) -> Self {
        self & mask
    }

    #[cfg(not(dim3))]
    #[inline(always)]
    fn flipped_unless_negative(self, other: Self) -> Self {
        self ^ (!other & Self::splat(-0.0))
    }

    #[inline(always)]
    fn any(mask: Self) -> bool {
        // One branch. `f32x8::any` has one for each half.
        mask.to_bitmask() != 0
    }
}

/// A [`Vector`] for one agent or one for each of eight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct VectorOf<L> {
    pub x: L,
    pub y: L,
    #[cfg(dim3)]
    pub z: L,
}

impl VectorOf<f32x8> {
    /// The vector of each lane.
    #[inline(always)]
    pub fn to_array(self) -> [Vector; LANES] {
        let (x, y) = (self.x.to_array(), self.y.to_array());
        #[cfg(dim3)]
        let z = self.z.to_array();
        let mut vectors = [Vector::ZERO; LANES];
        for lane in 0..LANES {
            vectors[lane] = VectorOf {
                x: x[lane],
                y: y[lane],
                #[cfg(dim3)]
                z: z[lane],
            }
            .into();
        }
        vectors
    }
}

impl<L: Lanes> VectorOf<L> {
    /// The vectors of lanes 0, 1, ….
    #[inline(always)]
    pub fn gather(vector: impl Fn(usize) -> Vector) -> Self {
        Self {
            x: L::gather(|lane| vector(lane).x),
            y: L::gather(|lane| vector(lane).y),
            #[cfg(dim3)]
            z: L::gather(|lane| vector(lane).z),
        }
    }

    /// Applies a function to each component.
    #[inline(always)]
    pub fn map(self, function: impl Fn(L) -> L) -> Self {
        Self {
            x: function(self.x),
            y: function(self.y),
            #[cfg(dim3)]
            z: function(self.z),
        }
    }

    /// Applies a function to each pair of components.
    #[inline(always)]
    pub fn zip(self, other: Self, function: impl Fn(L, L) -> L) -> Self {
        Self {
            x: function(self.x, other.x),
            y: function(self.y, other.y),
            #[cfg(dim3)]
            z: function(self.z, other.z),
        }
    }

    /// Combines the components by a function, in their order.
    #[inline(always)]
    pub fn fold(self, function: impl Fn(L, L) -> L) -> L {
        let folded = function(self.x, self.y);
        #[cfg(dim3)]
        let folded = function(folded, self.z);
        folded
    }

    /// The same vector in each lane.
    #[inline(always)]
    pub fn splat(vector: Vector) -> Self {
        Self {
            x: L::splat(vector.x),
            y: L::splat(vector.y),
            #[cfg(dim3)]
            z: L::splat(vector.z),
        }
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> L {
        let dot = self.x * other.x + self.y * other.y;
        #[cfg(dim3)]
        let dot = dot + self.z * other.z;
        dot
    }

    /// See [`Vec2::perp_dot`](bevy::math::Vec2::perp_dot).
    #[cfg(not(dim3))]
    #[inline(always)]
    pub fn perp_dot(self, other: Self) -> L {
        self.x * other.y - self.y * other.x
    }

    /// See [`Vec2::rotate`](bevy::math::Vec2::rotate).
    #[cfg(not(dim3))]
    #[inline(always)]
    pub fn rotate(self, other: Self) -> Self {
        Self { x: self.x * other.x - self.y * other.y, y: self.y * other.x + self.x * other.y }
    }

    /// See [`Vec3::cross`](bevy::math::Vec3::cross).
    #[cfg(dim3)]
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// `self` where the mask is set, zero elsewhere.
    #[inline(always)]
    pub fn masked(self, mask: L::Mask) -> Self {
        self.map(|a| a.masked(mask))
    }

    /// `this` where the mask is set, `other` elsewhere.
    #[inline(always)]
    pub fn select(mask: L::Mask, this: Self, other: Self) -> Self {
        this.zip(other, |a, b| L::select(mask, a, b))
    }

    /// Divides the components.
    #[inline(always)]
    pub fn divided(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }

    #[inline(always)]
    pub fn length(self) -> L {
        self.dot(self).sqrt()
    }

    /// [`bounded`](crate::math::vector::bounded), bit for bit.
    #[inline(always)]
    fn bounded(self) -> Self {
        let (least, most) = (L::splat(-vector::LIMIT), L::splat(vector::LIMIT));
        // NaN stays NaN.
        let bounded = |number: L| {
            let number = L::select(number.simd_gt(most), most, number);
            L::select(number.simd_lt(least), least, number)
        };
        self.map(bounded)
    }

    /// [`normalize`](crate::math::normalize), bit for bit.
    #[inline(always)]
    pub fn unit(self) -> Self {
        self.unit_and_length().0
    }

    /// [`unit`](Self::unit), and the length of a vector that is not huge.
    #[inline(always)]
    pub fn unit_and_length(self) -> (Self, L) {
        let vector = self.bounded();
        let length = vector.length();
        (vector / length.fast_max(L::splat(vector::TINY_SQUARED).sqrt()), length)
    }

    /// [`truncate`](crate::math::truncate), bit for bit.
    #[inline(always)]
    pub fn shortened(self, limit: L) -> Self {
        self.bounded().truncated(limit.fast_max(L::splat(0.0)))
    }

    /// [`normalize`](crate::math::normalize), but zero when the square of the length overflows.
    #[inline(always)]
    pub fn normalized(self) -> Self {
        self * (L::splat(1.0) / self.dot(self).fast_max(L::splat(vector::TINY_SQUARED)).sqrt())
    }

    /// [`truncate`](crate::math::truncate) for a limit ≥ 0, but zero when the square of the length overflows.
    #[inline(always)]
    pub fn truncated(self, limit: L) -> Self {
        let length = self.dot(self).fast_max(L::splat(f32::MIN_POSITIVE)).sqrt();
        self * (limit / length).fast_min(L::splat(1.0))
    }
}

impl<L: Lanes> Add for VectorOf<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl<L: Lanes> AddAssign for VectorOf<L> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<L: Lanes> Sub for VectorOf<L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl<L: Lanes> Mul<L> for VectorOf<L> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: L) -> Self {
        self.map(|a| a * factor)
    }
}

impl<L: Lanes> Div<L> for VectorOf<L> {
    type Output = Self;

    #[inline(always)]
    fn div(self, divisor: L) -> Self {
        self.map(|a| a / divisor)
    }
}

impl From<Vector> for VectorOf<f32> {
    #[inline(always)]
    fn from(vector: Vector) -> Self {
        Self::splat(vector)
    }
}

impl From<VectorOf<f32>> for Vector {
    #[inline(always)]
    fn from(vector: VectorOf<f32>) -> Self {
        #[cfg(not(dim3))]
        return Self::new(vector.x, vector.y);
        #[cfg(dim3)]
        return Self::new(vector.x, vector.y, vector.z);
    }
}

#[cfg(test)]
mod tests;

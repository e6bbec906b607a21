//! Vectors for one agent or for eight at a time.

use core::ops::{Add, AddAssign, Div, Mul, Sub};

use fearless_simd::f32x8;
use fearless_simd::prelude::Simd;

use crate::math::lanes::numbers::{LANES, Lanes, Stored};
use crate::math::vector::{self, Vector};

/// A [`Vector`] for one agent or one for each of eight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct VectorOf<L> {
    pub x: L,
    pub y: L,
    #[cfg(dim3)]
    pub z: L,
}

impl<S: Simd> VectorOf<f32x8<S>> {
    /// The vector of each lane.
    #[inline(always)]
    pub fn to_array(self) -> [Vector; LANES] {
        let (x, y) = (*self.x, *self.y);
        #[cfg(dim3)]
        let z = *self.z;
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

impl VectorOf<Stored> {
    /// The vectors of lanes 0, 1, ….
    #[inline(always)]
    pub fn stored(vector: impl Fn(usize) -> Vector) -> Self {
        Self {
            x: Stored::new(|lane| vector(lane).x),
            y: Stored::new(|lane| vector(lane).y),
            #[cfg(dim3)]
            z: Stored::new(|lane| vector(lane).z),
        }
    }

    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S) -> VectorOf<f32x8<S>> {
        VectorOf {
            x: self.x.load(simd),
            y: self.y.load(simd),
            #[cfg(dim3)]
            z: self.z.load(simd),
        }
    }
}

impl<L: Lanes> VectorOf<L> {
    /// The vectors of lanes 0, 1, ….
    #[inline(always)]
    pub fn gather(simd: L::Simd, vector: impl Fn(usize) -> Vector) -> Self {
        Self {
            x: L::gather(simd, |lane| vector(lane).x),
            y: L::gather(simd, |lane| vector(lane).y),
            #[cfg(dim3)]
            z: L::gather(simd, |lane| vector(lane).z),
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
    pub fn new(simd: L::Simd, vector: Vector) -> Self {
        Self {
            x: L::new(simd, vector.x),
            y: L::new(simd, vector.y),
            #[cfg(dim3)]
            z: L::new(simd, vector.z),
        }
    }

    /// The same vector in as many lanes as `self` has.
    #[inline(always)]
    pub fn splat(self, vector: Vector) -> Self {
        Self::new(self.x.simd(), vector)
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
        self.map(
            #[inline(always)]
            |a| a.masked(mask),
        )
    }

    /// `this` where the mask is set, `other` elsewhere.
    #[inline(always)]
    pub fn select(mask: L::Mask, this: Self, other: Self) -> Self {
        this.zip(
            other,
            #[inline(always)]
            |a, b| L::select(mask, a, b),
        )
    }

    /// Divides the components.
    #[inline(always)]
    pub fn divided(self, other: Self) -> Self {
        self.zip(
            other,
            #[inline(always)]
            |a, b| a / b,
        )
    }

    #[inline(always)]
    pub fn length(self) -> L {
        self.dot(self).sqrt()
    }

    /// [`bounded`](crate::math::vector::bounded), bit for bit.
    #[inline(always)]
    fn bounded(self) -> Self {
        let (least, most) = (self.x.splat(-vector::LIMIT), self.x.splat(vector::LIMIT));
        self.map(
            #[inline(always)]
            |number| {
                // NaN stays NaN.
                let number = L::select(number.simd_gt(most), most, number);
                L::select(number.simd_lt(least), least, number)
            },
        )
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
        (vector / length.fast_max(length.splat(vector::TINY_SQUARED).sqrt()), length)
    }

    /// [`truncate`](crate::math::truncate), bit for bit.
    #[inline(always)]
    pub fn shortened(self, limit: L) -> Self {
        self.bounded().truncated(limit.fast_max(limit.splat(0.0)))
    }

    /// [`normalize`](crate::math::normalize), but zero when the square of the length overflows.
    #[inline(always)]
    pub fn normalized(self) -> Self {
        let squared = self.dot(self);
        self * (squared.splat(1.0) / squared.fast_max(squared.splat(vector::TINY_SQUARED)).sqrt())
    }

    /// [`truncate`](crate::math::truncate) for a limit ≥ 0, but zero when the square of the length overflows.
    #[inline(always)]
    pub fn truncated(self, limit: L) -> Self {
        let length = self.dot(self).fast_max(limit.splat(f32::MIN_POSITIVE)).sqrt();
        self * (limit / length).fast_min(limit.splat(1.0))
    }
}

impl<L: Lanes> Add for VectorOf<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(
            other,
            #[inline(always)]
            |a, b| a + b,
        )
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
        self.zip(
            other,
            #[inline(always)]
            |a, b| a - b,
        )
    }
}

impl<L: Lanes> Mul<L> for VectorOf<L> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: L) -> Self {
        self.map(
            #[inline(always)]
            |a| a * factor,
        )
    }
}

impl<L: Lanes> Div<L> for VectorOf<L> {
    type Output = Self;

    #[inline(always)]
    fn div(self, divisor: L) -> Self {
        self.map(
            #[inline(always)]
            |a| a / divisor,
        )
    }
}

impl From<Vector> for VectorOf<f32> {
    #[inline(always)]
    fn from(vector: Vector) -> Self {
        Self::new((), vector)
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

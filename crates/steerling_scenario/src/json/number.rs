//! The numbers that a file may hold: all are finite and within a range, and numbers with a unit are at most 1e9 in
//! magnitude.

use std::borrow::Cow;
use std::fmt;

use bevy_steerling::math::Vector;
use bevy_steerling::prelude::GroupMask;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::dimension::{DIMENSIONS, DVector};
use crate::json::list::PerAxis;
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::Value;

/// The largest magnitude of a number with a unit.
const LIMIT: f64 = 1e9;

/// The numbers of a type.
struct Range {
    expectation: &'static str,
    low: f64,
    high: f64,
    is_whole: bool,
}

impl Range {
    fn contains(&self, number: f64) -> bool {
        (self.low..=self.high).contains(&number) && (!self.is_whole || number.fract() == 0.0)
    }

    /// The number nearest to this one; zero or the number nearest to it for NaN.
    fn nearest(&self, number: f64) -> f64 {
        let number = if number.is_nan() { 0.0 } else { number };
        let nearest = number.clamp(self.low, self.high);
        if self.is_whole { nearest.round() } else { nearest }
    }

    /// Returns the nearest number, and notes a difference.
    fn noted(&self, number: f64, place: &Place) -> f64 {
        if self.contains(number) {
            return number;
        }
        let nearest = self.nearest(number);
        place.note(&format!("expected {}, not {number}; the file has {nearest}", self.expectation));
        nearest
    }
}

/// The shortest decimal number that is read back as this one.
fn shortest(number: f32) -> f64 {
    let shortest = number.to_string().parse().unwrap_or(f64::NAN);
    if shortest as f32 == number { shortest } else { number.into() }
}

/// Writes a number, without a fraction if it is whole.
fn write<S: Serializer>(number: f64, serializer: S) -> Result<S::Ok, S::Error> {
    let is_negative_zero = number == 0.0 && number.is_sign_negative();
    if number.fract() == 0.0 && number.abs() < 1e15 && !is_negative_zero {
        serializer.serialize_i64(number as i64)
    } else {
        serializer.serialize_f64(number)
    }
}

struct NumberVisitor(&'static Range);

impl Visitor<'_> for NumberVisitor {
    type Value = f64;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.0.expectation)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<f64, E> {
        if self.0.contains(number) { Ok(number) } else { Err(E::invalid_value(Unexpected::Float(number), &self)) }
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }
}

macro_rules! number {
    ($name:ident, $expectation:literal, $schema:tt, $low:expr, $high:expr, $is_whole:expr) => {
        #[doc = concat!("In a file: ", $expectation, ".")]
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        pub(crate) struct $name(pub f64);

        impl $name {
            const RANGE: Range = Range { expectation: $expectation, low: $low, high: $high, is_whole: $is_whole };

            /// Returns the number of this type that is nearest to another one, and notes a difference.
            pub fn nearest(number: f64, place: &Place) -> Self {
                Self(Self::RANGE.noted(number, place))
            }
        }

        impl From<$name> for f32 {
            fn from(number: $name) -> Self {
                number.0 as Self
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_f64(NumberVisitor(&Self::RANGE)).map(Self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                write(self.0, serializer)
            }
        }

        impl Value<f32> for $name {
            fn value(&self, _: &Entities) -> f32 {
                self.0 as f32
            }

            fn of(number: &f32, place: &Place) -> Option<Self> {
                Some(Self::nearest(shortest(*number), place))
            }
        }

        impl Value<Option<f32>> for $name {
            fn value(&self, _: &Entities) -> Option<f32> {
                Some(self.0 as f32)
            }

            fn of(number: &Option<f32>, place: &Place) -> Option<Self> {
                number.as_ref().and_then(|number| Self::of(number, place))
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

number!(
    Finite,
    "a number between -1e9 and 1e9",
    {"type": "number", "minimum": -1e9, "maximum": 1e9},
    -LIMIT,
    LIMIT,
    false
);
number!(
    NonNegative,
    "a number from 0 to 1e9",
    {"type": "number", "minimum": 0, "maximum": 1e9},
    0.0,
    LIMIT,
    false
);
// The plugin raises smaller masses to its own minimum, so the file would not mean what it says.
number!(
    Mass,
    "a mass above 0, from 1e-9 to 1e9",
    {"type": "number", "minimum": 1e-9, "maximum": 1e9},
    1e-9,
    LIMIT,
    false
);
number!(
    Length,
    "a length above 0, from 1e-9 to 1e9",
    {"type": "number", "minimum": 1e-9, "maximum": 1e9},
    1e-9,
    LIMIT,
    false
);
number!(
    Fraction,
    "a number from 0 to 1",
    {"type": "number", "minimum": 0, "maximum": 1},
    0.0,
    1.0,
    false
);
number!(
    TickLength,
    "a time from 1e-9 (a nanosecond) to 1e9 seconds",
    {"type": "number", "minimum": 1e-9, "maximum": 1e9},
    1e-9,
    LIMIT,
    false
);
number!(
    Dimensions,
    "2 or 3",
    {"const": DIMENSIONS},
    2.0,
    3.0,
    true
);
number!(
    Count,
    "a whole number from 0 to 1e9",
    {"type": "integer", "minimum": 0, "maximum": 1e9},
    0.0,
    LIMIT,
    true
);
number!(
    Rate,
    "a whole number from 1 to 1e9",
    {"type": "integer", "minimum": 1, "maximum": 1e9},
    1.0,
    LIMIT,
    true
);
number!(
    CrowdSize,
    "a whole number from 0 to 1e7",
    {"type": "integer", "minimum": 0, "maximum": 1e7},
    0.0,
    1e7,
    true
);

number!(
    Priority,
    "a whole number from -1e9 to 1e9",
    {"type": "integer", "minimum": -1e9, "maximum": 1e9},
    -LIMIT,
    LIMIT,
    true
);

// Zero is rejected: an obstacle in no layer or an agent in no group would never be seen.
number!(
    Layers,
    "a whole number from 1 to 4294967295, a bit for each layer",
    {"type": "integer", "minimum": 1, "maximum": 4_294_967_295_u32},
    1.0,
    u32::MAX as f64,
    true
);

number!(
    Groups,
    "a whole number from 1 to 4294967295, a bit for each group",
    {"type": "integer", "minimum": 1, "maximum": 4_294_967_295_u32},
    1.0,
    u32::MAX as f64,
    true
);

/// Converts whole numbers to integers.
macro_rules! integers {
    ($($name:ident => $integer:ty,)+) => {
        $(
            impl From<$name> for $integer {
                fn from(number: $name) -> Self {
                    number.0 as Self
                }
            }
        )+
    };
}

integers! {
    Count => u32,
    Groups => u32,
    Layers => u32,
    Priority => i32,
    Rate => u32,
}

/// Translates masks. A file cannot express the empty mask.
macro_rules! masks {
    ($($name:ident,)+) => {
        $(
            impl Value<GroupMask> for $name {
                fn value(&self, _: &Entities) -> GroupMask {
                    (*self).into()
                }

                fn of(mask: &GroupMask, place: &Place) -> Option<Self> {
                    if mask.is_empty() {
                        place.note("a mask without bits");
                        return None;
                    }
                    Some(Self(mask.bits().into()))
                }
            }
        )+
    };
}

masks! {
    Groups,
    Layers,
}

impl Value<u32> for Count {
    fn value(&self, _: &Entities) -> u32 {
        (*self).into()
    }

    fn of(count: &u32, place: &Place) -> Option<Self> {
        Some(Self::nearest((*count).into(), place))
    }
}

impl From<Groups> for GroupMask {
    fn from(groups: Groups) -> Self {
        Self::from_bits(groups.into())
    }
}

impl From<Layers> for GroupMask {
    fn from(layers: Layers) -> Self {
        Self::from_bits(layers.into())
    }
}

/// A point or a vector, `[x, y]` or `[x, y, z]`.
pub(crate) type Point = PerAxis<Finite>;

/// The point in the plugin's precision.
pub(crate) fn vector(point: Point) -> Vector {
    Vector::from(point.map(f32::from))
}

/// A point that was read from a file or checked, in the form of a file.
pub(crate) fn exact_point(point: Vector) -> Point {
    PerAxis(point.to_array().map(|coordinate| Finite(shortest(coordinate))))
}

impl Value<Vector> for Point {
    fn value(&self, _: &Entities) -> Vector {
        vector(*self)
    }

    fn of(point: &Vector, place: &Place) -> Option<Self> {
        let exact = exact_point(*point);
        if exact.iter().all(|coordinate| Finite::RANGE.contains(coordinate.0)) {
            return Some(exact);
        }
        note_beyond_limit(point, place);
        None
    }
}

/// Notes a point that a file cannot express.
fn note_beyond_limit(point: impl fmt::Display, place: &Place) {
    place.note(&format!("{point} is not within 1e9 of the origin"));
}

/// Returns a point that was computed from shapes. One that only rounding moved past the limit is moved back to it. If the point is farther
/// away, notes that and returns `None`.
pub(crate) fn within_limit(point: DVector, place: &Place) -> Option<DVector> {
    let rounding = 8.0 * f64::from(f32::EPSILON);
    if point.abs().cmple(DVector::splat(LIMIT * (1.0 + rounding))).all() {
        return Some(point.clamp(DVector::splat(-LIMIT), DVector::splat(LIMIT)));
    }
    note_beyond_limit(point, place);
    None
}

impl Value<Option<Vector>> for Point {
    fn value(&self, _: &Entities) -> Option<Vector> {
        Some(vector(*self))
    }

    fn of(point: &Option<Vector>, place: &Place) -> Option<Self> {
        point.as_ref().and_then(|point| Self::of(point, place))
    }
}

/// The point in the precision of the file.
pub(crate) fn double(point: Point) -> DVector {
    DVector::from(point.map(|coordinate| coordinate.0))
}

/// In a file: a whole number of 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seed(pub u64);

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SeedVisitor;

        impl Visitor<'_> for SeedVisitor {
            type Value = Seed;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a whole number from 0 to 18446744073709551615")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Seed, E> {
                Ok(Seed(number))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Seed, E> {
                if number >= 0.0 && number < u64::MAX as f64 && number.fract() == 0.0 {
                    Ok(Seed(number as u64))
                } else {
                    Err(E::invalid_value(Unexpected::Float(number), &self))
                }
            }
        }

        deserializer.deserialize_u64(SeedVisitor)
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl JsonSchema for Seed {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Seed".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": 0, "maximum": u64::MAX})
    }
}

//! The numbers that a file may hold: all are finite and within a range, and numbers with a unit are at most 1e9 in
//! magnitude.

use std::borrow::Cow;
use std::fmt;

use bevy_steerling::math::Vector;
use bevy_steerling::prelude::GroupMask;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Unexpected, Visitor};

use crate::dimension::{DIMENSIONS, DVector};
use crate::json::list::PerAxis;

/// The largest magnitude of a number with a unit.
const LIMIT: f64 = 1e9;

struct NumberVisitor {
    expectation: &'static str,
    in_range: fn(f64) -> bool,
}

impl Visitor<'_> for NumberVisitor {
    type Value = f64;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.expectation)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<f64, E> {
        if (self.in_range)(number) { Ok(number) } else { Err(E::invalid_value(Unexpected::Float(number), &self)) }
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }
}

macro_rules! number {
    ($name:ident, $expectation:literal, $schema:tt, $in_range:expr) => {
        #[doc = concat!("In a file: ", $expectation, ".")]
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        pub(crate) struct $name(pub f64);

        impl From<$name> for f32 {
            fn from(number: $name) -> Self {
                number.0 as Self
            }
        }

        impl From<$name> for Option<f32> {
            fn from(number: $name) -> Self {
                Some(number.into())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_f64(NumberVisitor { expectation: $expectation, in_range: $in_range }).map(Self)
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
    |number| number.abs() <= LIMIT
);
number!(
    NonNegative,
    "a number from 0 to 1e9",
    {"type": "number", "minimum": 0, "maximum": 1e9},
    |number| (0.0..=LIMIT).contains(&number)
);
// The plugin raises smaller masses to its own minimum, so the file would not mean what it says.
number!(
    Mass,
    "a mass above 0, from 1e-9 to 1e9",
    {"type": "number", "minimum": 1e-9, "maximum": 1e9},
    |number| (1e-9..=LIMIT).contains(&number)
);
number!(
    Length,
    "a length above 0, from 1e-9 to 1e9",
    {"type": "number", "minimum": 1e-9, "maximum": 1e9},
    |number| (1e-9..=LIMIT).contains(&number)
);
number!(
    Fraction,
    "a number from 0 to 1",
    {"type": "number", "minimum": 0, "maximum": 1},
    |number| (0.0..=1.0).contains(&number)
);
number!(
    TickLength,
    "a time from 1e-9 (a nanosecond) to 1e9 seconds",
    {"type": "number", "minimum": 1e-9, "maximum": 1e9},
    |number| (1e-9..=LIMIT).contains(&number)
);
number!(
    Dimensions,
    "2 or 3",
    {"const": DIMENSIONS},
    |number| number == 2.0 || number == 3.0
);
number!(
    Count,
    "a whole number from 0 to 1e9",
    {"type": "integer", "minimum": 0, "maximum": 1e9},
    |number| (0.0..=LIMIT).contains(&number) && number.fract() == 0.0
);
number!(
    Rate,
    "a whole number from 1 to 1e9",
    {"type": "integer", "minimum": 1, "maximum": 1e9},
    |number| (1.0..=LIMIT).contains(&number) && number.fract() == 0.0
);
number!(
    CrowdSize,
    "a whole number from 0 to 1e7",
    {"type": "integer", "minimum": 0, "maximum": 1e7},
    |number| (0.0..=1e7).contains(&number) && number.fract() == 0.0
);

number!(
    Priority,
    "a whole number from -1e9 to 1e9",
    {"type": "integer", "minimum": -1e9, "maximum": 1e9},
    |number| number.abs() <= LIMIT && number.fract() == 0.0
);

// Zero is rejected: an obstacle in no layer or an agent in no group would never be seen.
number!(
    Layers,
    "a whole number from 1 to 4294967295, a bit for each layer",
    {"type": "integer", "minimum": 1, "maximum": 4_294_967_295_u32},
    |number| (1.0..=f64::from(u32::MAX)).contains(&number) && number.fract() == 0.0
);

number!(
    Groups,
    "a whole number from 1 to 4294967295, a bit for each group",
    {"type": "integer", "minimum": 1, "maximum": 4_294_967_295_u32},
    |number| (1.0..=f64::from(u32::MAX)).contains(&number) && number.fract() == 0.0
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

//! Numbers as files may hold them: finite and in range, and those with units at most 1e9 in magnitude.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Unexpected, Visitor};

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
// Smaller ones than the plugin knows would not be what the file says.
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
    Count,
    "a whole number from 0 to 1e9",
    {"type": "integer", "minimum": 0, "maximum": 1e9},
    |number| (0.0..=LIMIT).contains(&number) && number.fract() == 0.0
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

// What is in no layer, and who is in no group, would never be seen.
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

impl From<Layers> for u32 {
    fn from(layers: Layers) -> Self {
        layers.0 as Self
    }
}

impl From<Priority> for i32 {
    fn from(priority: Priority) -> Self {
        priority.0 as Self
    }
}

impl From<Count> for u32 {
    fn from(count: Count) -> Self {
        count.0 as Self
    }
}

impl From<Groups> for u32 {
    fn from(groups: Groups) -> Self {
        groups.0 as Self
    }
}

/// A place, `[x, y]`.
pub(crate) type Point = [Finite; 2];

/// In a file: any 64 bits, as a whole number.
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

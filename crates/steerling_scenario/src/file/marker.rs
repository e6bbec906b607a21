//! The entries of a marker.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::dimension::{AXES, DIMENSIONS};
use crate::json::list::{PerAxis, read_list};
use crate::json::number::{Finite, Point};

/// The length of an entry.
const LENGTH: usize = DIMENSIONS + 1;

/// A time and a place: `[time, x, y]`, and z in three dimensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MarkerEntry {
    /// The time, s.
    pub time: Finite,
    pub place: Point,
}

impl<'de> Deserialize<'de> for MarkerEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut names = ["time"; LENGTH];
        names[1..].copy_from_slice(&AXES);
        let [time, place @ ..] = read_list(deserializer, names)?;
        Ok(Self { time, place: PerAxis(place) })
    }
}

impl Serialize for MarkerEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq([self.time].iter().chain(self.place.iter()))
    }
}

impl JsonSchema for MarkerEntry {
    fn schema_name() -> Cow<'static, str> {
        "MarkerEntry".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A time and a place: `[time, x, y]`, and z in three dimensions.",
            "type": "array", "items": generator.subschema_for::<Finite>(), "minItems": LENGTH, "maxItems": LENGTH,
        })
    }
}

//! The type of fields that exist only in two dimensions.

use std::borrow::Cow;

use bevy_steerling::math::Vector;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error};

use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::Field;

/// In three dimensions, the type of what exists only in two. It has no values: whatever a file says there is refused.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) enum OnlyInPlane {}

impl<'de> Deserialize<'de> for OnlyInPlane {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("only in two dimensions"))
    }
}

impl JsonSchema for OnlyInPlane {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "OnlyInPlane".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"not": {}})
    }
}

/// A component may have a value, but a file cannot express it.
impl Field<Option<Vector>> for Option<OnlyInPlane> {
    fn set(&self, _: &mut Option<Vector>, _: &Entities) {}

    fn of(value: &Option<Vector>, _: &Option<Vector>, place: &Place) -> Option<Self> {
        if value.is_some() {
            place.note("only in files in two dimensions");
        }
        Some(None)
    }
}

//! The type of fields that exist only in two dimensions.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error};

/// In three dimensions, the type of what exists only in two. It has no values: whatever a file says there is refused.
#[derive(Clone, Copy, Debug)]
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

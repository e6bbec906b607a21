//! The prediction of a target's motion.

use std::borrow::Cow;
use std::fmt;

use bevy_steerling::prelude as plugin;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::json::number::NonNegative;
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::Value;

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Prediction {
    Proportional,
    Intercept,
    /// The time, s.
    Fixed(NonNegative),
}

impl Value<plugin::Prediction> for Prediction {
    fn value(&self, _: &Entities) -> plugin::Prediction {
        match *self {
            Self::Proportional => plugin::Prediction::Proportional,
            Self::Intercept => plugin::Prediction::Intercept,
            Self::Fixed(time) => plugin::Prediction::Fixed(time.into()),
        }
    }

    fn of(prediction: &plugin::Prediction, place: &Place) -> Option<Self> {
        match prediction {
            plugin::Prediction::Proportional => Some(Self::Proportional),
            plugin::Prediction::Intercept => Some(Self::Intercept),
            plugin::Prediction::Fixed(time) => NonNegative::of(time, place).map(Self::Fixed),
        }
    }
}

impl<'de> Deserialize<'de> for Prediction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PredictionVisitor;

        impl<'de> Visitor<'de> for PredictionVisitor {
            type Value = Prediction;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("\"proportional\", \"intercept\" or {\"fixed\": seconds}")
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Prediction, E> {
                match word {
                    "proportional" => Ok(Prediction::Proportional),
                    "intercept" => Ok(Prediction::Intercept),
                    _ => Err(E::invalid_value(de::Unexpected::Str(word), &self)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Prediction, A::Error> {
                #[derive(Deserialize)]
                #[serde(deny_unknown_fields)]
                struct Fixed {
                    fixed: NonNegative,
                }
                let time = Fixed::deserialize(de::value::MapAccessDeserializer::new(access))?;
                Ok(Prediction::Fixed(time.fixed))
            }
        }

        deserializer.deserialize_any(PredictionVisitor)
    }
}

impl JsonSchema for Prediction {
    fn schema_name() -> Cow<'static, str> {
        "Prediction".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"oneOf": [
            {"enum": ["proportional", "intercept"]},
            {
                "type": "object",
                "properties": {"fixed": generator.subschema_for::<NonNegative>()},
                "required": ["fixed"],
                "additionalProperties": false,
            },
        ]})
    }
}

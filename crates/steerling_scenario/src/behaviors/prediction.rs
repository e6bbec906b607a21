//! The prediction of a target's motion.

use std::borrow::Cow;
use std::fmt;

use bevy_steerling::prelude as plugin;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use crate::json::number::NonNegative;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Prediction(plugin::Prediction);

impl From<Prediction> for plugin::Prediction {
    fn from(prediction: Prediction) -> Self {
        prediction.0
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
                    "proportional" => Ok(Prediction(plugin::Prediction::Proportional)),
                    "intercept" => Ok(Prediction(plugin::Prediction::Intercept)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(word), &self)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Prediction, A::Error> {
                #[derive(Deserialize)]
                #[serde(deny_unknown_fields)]
                struct Fixed {
                    fixed: NonNegative,
                }
                Fixed::deserialize(de::value::MapAccessDeserializer::new(access))
                    .map(|time| Prediction(plugin::Prediction::Fixed(time.fixed.into())))
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

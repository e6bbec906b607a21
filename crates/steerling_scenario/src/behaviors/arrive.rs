//! Arrive: go to a target and stop there.

use std::borrow::Cow;
use std::fmt;

use bevy_steerling::behaviors::arrive as plugin_arrive;
use bevy_steerling::prelude as plugin;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, component};
use crate::behaviors::target::Target;
use crate::json::number::{Finite, NonNegative};
use crate::json::strict::{OneKey, present};
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::{Value, fields};

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arrive {
    /// The target.
    pub target: OneKey<Target>,
    /// Slows down linearly within this distance, units, or as late as possible: `"auto"`, the default.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub slowing_radius: Option<SlowingRadius>,
    /// The distance at which it has arrived, units. Default: 0.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub arrival_tolerance: Option<NonNegative>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(
    Arrive => plugin::Arrive { target: plugin::Target; slowing_radius, arrival_tolerance, weight },
    plugin::Arrive::new
);

impl BehaviorFields for Arrive {
    component!(plugin::Arrive);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("target", &self.target.0)]
    }
}

/// Slows down linearly within a distance, or as late as possible if there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlowingRadius(Option<NonNegative>);

impl Value<plugin_arrive::SlowingRadius> for SlowingRadius {
    fn value(&self, _: &Entities) -> plugin_arrive::SlowingRadius {
        self.0.map_or(plugin_arrive::SlowingRadius::Auto, |radius| plugin_arrive::SlowingRadius::Linear(radius.into()))
    }

    fn of(radius: &plugin_arrive::SlowingRadius, place: &Place) -> Option<Self> {
        match radius {
            plugin_arrive::SlowingRadius::Auto => Some(Self(None)),
            plugin_arrive::SlowingRadius::Linear(radius) => {
                NonNegative::of(radius, place).map(|radius| Self(Some(radius)))
            }
        }
    }
}

impl Serialize for SlowingRadius {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(radius) => radius.serialize(serializer),
            None => serializer.serialize_str("auto"),
        }
    }
}

impl<'de> Deserialize<'de> for SlowingRadius {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SlowingRadiusVisitor;

        impl Visitor<'_> for SlowingRadiusVisitor {
            type Value = SlowingRadius;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a number from 0 to 1e9, or \"auto\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<SlowingRadius, E> {
                match text {
                    "auto" => Ok(SlowingRadius(None)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<SlowingRadius, E> {
                let radius = NonNegative::deserialize(de::value::F64Deserializer::new(number))?;
                Ok(SlowingRadius(Some(radius)))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<SlowingRadius, E> {
                self.visit_f64(number as f64)
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<SlowingRadius, E> {
                self.visit_f64(number as f64)
            }
        }

        deserializer.deserialize_any(SlowingRadiusVisitor)
    }
}

impl JsonSchema for SlowingRadius {
    fn schema_name() -> Cow<'static, str> {
        "SlowingRadius".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"oneOf": [{"const": "auto"}, generator.subschema_for::<NonNegative>()]})
    }
}

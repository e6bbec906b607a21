//! Arrive: go to a target and stop there.

use std::borrow::Cow;
use std::fmt;

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::behaviors::arrive as plugin_arrive;
use bevy_steerling::prelude as plugin;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::target::{Target, TargetEntities};
use crate::json::number::{Finite, NonNegative};
use crate::json::strict::{OneKey, present};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arrive {
    /// The target.
    pub target: OneKey<Target>,
    /// Slows down linearly within this distance, units, or as late as possible: `"auto"`, the default.
    #[serde(default, deserialize_with = "present")]
    pub slowing_radius: Option<SlowingRadius>,
    /// The distance at which it has arrived, units. Default: 0.
    #[serde(default, deserialize_with = "present")]
    pub arrival_tolerance: Option<NonNegative>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for Arrive {
    type Components = (plugin::Arrive,);

    fn targets(&self) -> Vec<(&'static str, &Target)> {
        vec![("target", &self.target.0)]
    }

    fn insert(&self, agent: &mut EntityWorldMut, targets: &TargetEntities) {
        let mut arrive = plugin::Arrive::new(targets.find(&self.target.0));
        set(&mut arrive.slowing_radius, self.slowing_radius);
        set(&mut arrive.arrival_tolerance, self.arrival_tolerance);
        set(&mut arrive.weight, self.weight);
        agent.insert(arrive);
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SlowingRadius(plugin_arrive::SlowingRadius);

impl From<SlowingRadius> for plugin_arrive::SlowingRadius {
    fn from(radius: SlowingRadius) -> Self {
        radius.0
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
                    "auto" => Ok(SlowingRadius(plugin_arrive::SlowingRadius::Auto)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<SlowingRadius, E> {
                let radius = NonNegative::deserialize(de::value::F64Deserializer::new(number))?;
                Ok(SlowingRadius(plugin_arrive::SlowingRadius::Linear(radius.into())))
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

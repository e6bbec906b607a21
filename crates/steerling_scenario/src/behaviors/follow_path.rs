//! Follow a path.

use std::borrow::Cow;

use bevy_steerling::prelude as plugin;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{BehaviorFields, component};
use crate::json::number::{Finite, NonNegative, Point, exact_point, vector};
use crate::json::strict::{present, words};
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::{Value, fields};

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FollowPath {
    /// The points of the path in order.
    pub path: Path,
    /// What happens at its end. Default: `"stop"`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// Half the width of the lane, units. Default: twice its own radius.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub radius: Option<NonNegative>,
    /// Whether it must touch `"every"` point, or only stay in its `"lane"`, the default.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub visit: Option<Visit>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

fields!(
    FollowPath => plugin::FollowPath { path: plugin::SteeringPath; end, radius, visit, weight },
    plugin::FollowPath::new
);

impl BehaviorFields for FollowPath {
    component!(plugin::FollowPath);
}

words!(End(plugin::PathEnd): "stop" => plugin::PathEnd::Stop, "loop" => plugin::PathEnd::Loop, "ping_pong" => plugin::PathEnd::PingPong);
words!(Visit(plugin::PathVisit): "lane" => plugin::PathVisit::Lane, "every" => plugin::PathVisit::Every);

/// At least one point. The members of a crowd share the path.
#[derive(Clone, Debug)]
pub(crate) struct Path(plugin::SteeringPath);

impl Value<plugin::SteeringPath> for Path {
    fn value(&self, _: &Entities) -> plugin::SteeringPath {
        self.0.clone()
    }

    fn of(path: &plugin::SteeringPath, place: &Place) -> Option<Self> {
        if path.points().is_empty() {
            place.note("a path without points");
            return None;
        }
        let points: Option<Vec<Point>> = path.points().iter().map(|point| Value::of(point, place)).collect();
        points.map(|_| Self(path.clone()))
    }
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.points().iter().copied().map(exact_point))
    }
}

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let points = Vec::<Point>::deserialize(deserializer)?;
        if points.is_empty() {
            return Err(D::Error::invalid_length(0, &"at least one point"));
        }
        Ok(Self(plugin::SteeringPath::new(points.into_iter().map(vector))))
    }
}

impl JsonSchema for Path {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Path".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "array", "items": generator.subschema_for::<Point>(), "minItems": 1})
    }
}

//! Follow a path.

use std::borrow::Cow;

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::prelude as plugin;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::target::TargetEntities;
use crate::json::number::{Finite, NonNegative, Point, vector};
use crate::json::strict::{present, words};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FollowPath {
    /// The points of the path in order.
    pub path: Path,
    /// What happens at its end. Default: `"stop"`.
    #[serde(default, deserialize_with = "present")]
    pub end: Option<End>,
    /// Half the width of the lane, units. Default: twice its own radius.
    #[serde(default, deserialize_with = "present")]
    pub radius: Option<NonNegative>,
    /// Whether it must touch `"every"` point, or only stay in its `"lane"`, the default.
    #[serde(default, deserialize_with = "present")]
    pub visit: Option<Visit>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl BehaviorFields for FollowPath {
    type Components = (plugin::FollowPath,);

    fn insert(&self, agent: &mut EntityWorldMut, _: &TargetEntities) {
        let mut follow = plugin::FollowPath::new(&self.path.0);
        set(&mut follow.end, self.end);
        set(&mut follow.radius, self.radius);
        set(&mut follow.visit, self.visit);
        set(&mut follow.weight, self.weight);
        agent.insert(follow);
    }
}

words!(End(plugin::PathEnd): "stop" => plugin::PathEnd::Stop, "loop" => plugin::PathEnd::Loop, "ping_pong" => plugin::PathEnd::PingPong);
words!(Visit(plugin::PathVisit): "lane" => plugin::PathVisit::Lane, "every" => plugin::PathVisit::Every);

/// At least one point. The members of a crowd share the path.
#[derive(Clone, Debug)]
pub(crate) struct Path(plugin::SteeringPath);

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

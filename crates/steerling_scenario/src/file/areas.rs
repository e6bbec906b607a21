//! The fields of areas and of the bounds of the world.

use bevy_steerling::math::{Vector, space};
use bevy_steerling::prelude::SteeringBounds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::number::{Point, vector};
use crate::json::strict::{Object, words};
use crate::mapping::entities::Entities;
use crate::mapping::place::Place;
use crate::mapping::value::{Value, is_default};

/// The bounds of the world.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bounds {
    /// The corner with the smaller coordinates.
    pub min: Point,
    /// The corner with the larger coordinates.
    pub max: Point,
    /// What happens at the edges: `wrap` makes the world a torus. Default: `none`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub edge: Edge,
}

impl Value<SteeringBounds> for Bounds {
    fn value(&self, _: &Entities) -> SteeringBounds {
        SteeringBounds { min: vector(self.min), max: vector(self.max), edge: self.edge.into() }
    }

    fn of(bounds: &SteeringBounds, place: &Place) -> Option<Self> {
        let SteeringBounds { min, max, edge } = *bounds;
        if !min.cmplt(max).all() {
            place.note("an axis without extent");
            return None;
        }
        Some(Self { min: Value::of(&min, place)?, max: Value::of(&max, place)?, edge: Edge(edge) })
    }
}

words!(#[derive(Default, PartialEq)] Edge(space::Edge):
    "none" => space::Edge::None, "wrap" => space::Edge::Wrap, "bounce" => space::Edge::Bounce);

/// An axis-aligned rectangle or box, including its edges.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Area {
    /// The corner with the smaller coordinates.
    pub min: Point,
    /// The corner with the larger coordinates.
    pub max: Point,
}

impl Area {
    /// The two corners in the plugin's precision.
    pub fn corners(&self) -> [Vector; 2] {
        [self.min, self.max].map(vector)
    }
}

/// Moves agents that enter one area to a random place in another. Their velocity does not change.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Respawn {
    /// The area that agents are moved from when they enter it.
    pub inside: Object<Area>,
    /// The area that they are moved to.
    pub to: Object<Area>,
}

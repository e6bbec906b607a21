//! The fields of areas, gates and the bounds of the world.

use bevy::math::Vec2;
use bevy_steerling::math::space;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::json::number::{Point, vector};
use crate::json::strict::{Object, words};

/// The bounds of the world.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bounds {
    /// The corner with the smaller coordinates.
    pub min: Point,
    /// The corner with the larger coordinates.
    pub max: Point,
    /// What happens at the edges: `wrap` makes the world a torus. Default: `none`.
    #[serde(default)]
    pub edge: Edge,
}

words!(#[derive(Default)] Edge(space::Edge):
    "none" => space::Edge::None, "wrap" => space::Edge::Wrap, "bounce" => space::Edge::Bounce);

/// An axis-aligned rectangle, including its edges.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Area {
    /// The corner with the smaller coordinates.
    pub min: Point,
    /// The corner with the larger coordinates.
    pub max: Point,
}

impl Area {
    /// The two corners in the plugin's precision.
    pub fn corners(&self) -> [Vec2; 2] {
        [self.min, self.max].map(vector)
    }
}

/// Moves agents that enter one area to a random place in another. Their velocity does not change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Respawn {
    /// The area that agents are moved from when they enter it.
    pub inside: Object<Area>,
    /// The area that they are moved to.
    pub to: Object<Area>,
}

/// A line on which crossings are counted. It does not affect steering, but it can remove agents.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Gate {
    /// Its unique id.
    pub id: String,
    /// One end.
    pub start: Point,
    /// The other end.
    pub end: Point,
    /// Whether agents that cross it are removed at the end of that tick. Default: no.
    #[serde(default)]
    pub remove: bool,
}

impl Gate {
    /// The two ends in the plugin's precision.
    pub fn ends(&self) -> [Vec2; 2] {
        [self.start, self.end].map(vector)
    }
}

//! The fields of a scenario.

use bevy_steerling::prelude::SteeringBounds;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::file::agents::{Agent, Crowd};
use crate::file::areas::{Bounds, Respawn};
use crate::file::flow_field::FlowField;
use crate::file::formation::Formation;
use crate::file::marker::MarkerEntry;
use crate::file::planar::Gate;
use crate::json::number::{Count, Dimensions, Groups, Length, NonNegative, Seed, TickLength, vector};
use crate::json::strict::{Object, UniqueMap, present};
use crate::shapes::obstacle::Obstacle;

/// A scene for `bevy_steerling`. Lengths are in any unit, as long as it is the same everywhere; times are in seconds.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Scenario")]
pub(crate) struct ScenarioFile {
    /// The name of the scene. Default: the file's name.
    #[serde(default, deserialize_with = "present")]
    pub name: Option<String>,
    /// A one-sentence description of the scene. Default: none.
    #[serde(default, deserialize_with = "present")]
    pub about: Option<String>,
    /// The number of dimensions.
    #[cfg_attr(not(dim3), serde(default = "in_the_plane"))]
    pub dimensions: Dimensions,
    /// The length of a tick, s. Default: 1/64.
    #[serde(default = "default_tick")]
    pub tick: TickLength,
    /// How many ticks to run. Default: 600.
    #[serde(default = "default_ticks")]
    pub ticks: Count,
    /// The seed of all randomness. Default: 0.
    #[serde(default)]
    pub seed: Seed,
    /// The bounds of the world. Default: none.
    #[serde(default, deserialize_with = "present")]
    pub bounds: Option<Object<Bounds>>,
    /// Named points that jump: lists of `[time, x, y]`, sorted by time. Each place holds until the next; the first also
    /// holds before its time.
    #[serde(default)]
    pub markers: UniqueMap<Vec<MarkerEntry>>,
    /// The obstacles.
    #[serde(default)]
    pub obstacles: Vec<Object<Obstacle>>,
    /// Flow fields for `follow_field`.
    #[serde(default)]
    pub fields: Vec<Object<FlowField>>,
    /// The agents, in any order.
    #[serde(default)]
    pub agents: Vec<Object<Agent>>,
    /// Groups of agents of one kind at random places.
    #[serde(default)]
    pub crowds: Vec<Object<Crowd>>,
    /// Formations of agents.
    #[serde(default)]
    pub formations: Vec<Object<Formation>>,
    /// Areas from which agents are moved to another area.
    #[serde(default)]
    pub respawns: Vec<Object<Respawn>>,
    /// Lines on which crossings are counted.
    #[serde(default)]
    pub gates: Vec<Object<Gate>>,
    /// How and when to measure the agents as a flock. Default: never.
    #[serde(default, deserialize_with = "present")]
    pub flock_measures: Option<Object<FlockMeasures>>,
}

impl ScenarioFile {
    /// The bounds of the world for the plugin.
    pub fn steering_bounds(&self) -> SteeringBounds {
        self.bounds.as_ref().map_or_else(SteeringBounds::default, |bounds| SteeringBounds {
            min: vector(bounds.min),
            max: vector(bounds.max),
            edge: bounds.edge.into(),
        })
    }
}

#[cfg(not(dim3))]
fn in_the_plane() -> Dimensions {
    Dimensions(2.0)
}

fn default_tick() -> TickLength {
    TickLength(1.0 / 64.0)
}

fn default_ticks() -> Count {
    Count(600.0)
}

/// Which agents to measure as a flock, and how. It does not affect steering.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlockMeasures {
    /// Agents are linked if their centers are at most this far apart, units.
    pub link_radius: Length,
    /// The start of the measurement, s. Default: the end of the first tick.
    #[serde(default, deserialize_with = "present")]
    pub from: Option<NonNegative>,
    /// The end of the measurement, s. Default: the end of the run.
    #[serde(default, deserialize_with = "present")]
    pub to: Option<NonNegative>,
    /// Only agents in any of these groups count, one bit each. Default: all.
    #[serde(default, deserialize_with = "present")]
    pub groups: Option<Groups>,
}

//! The fields of a scenario.

use bevy_steerling::prelude::SteeringBounds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dimension::DIMENSIONS;
use crate::file::agents::{Agent, Crowd};
use crate::file::areas::{Bounds, Respawn};
use crate::file::flow_field::FlowField;
use crate::file::formation::Formation;
use crate::file::marker::MarkerEntry;
use crate::file::planar::Gate;
use crate::json::number::{Count, Dimensions, Groups, Length, NonNegative, Seed, TickLength};
use crate::json::strict::{Object, UniqueMap, present};
use crate::mapping::entities::Entities;
use crate::mapping::value::{Value, is_default};
use crate::shapes::obstacle::Obstacle;

/// A scene for `bevy_steerling`. Lengths are in any unit, as long as it is the same everywhere; times are in seconds.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Scenario")]
pub(crate) struct ScenarioFile {
    /// The name of the scene. Default: the file's name.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A one-sentence description of the scene. Default: none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The number of dimensions.
    #[cfg_attr(not(dim3), serde(default = "in_the_plane", skip_serializing_if = "is_in_the_plane"))]
    pub dimensions: Dimensions,
    /// The length of a tick, s. Default: 1/64.
    #[serde(default = "default_tick", skip_serializing_if = "is_default_tick")]
    pub tick: TickLength,
    /// How many ticks to run. Default: 600.
    #[serde(default = "default_ticks", skip_serializing_if = "is_default_ticks")]
    pub ticks: Count,
    /// The seed of all randomness. Default: 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seed: Seed,
    /// The bounds of the world. Default: none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Object<Bounds>>,
    /// Named points that jump: lists of `[time, x, y]`, sorted by time. Each place holds until the next; the first also
    /// holds before its time.
    #[serde(default, skip_serializing_if = "UniqueMap::is_empty")]
    pub markers: UniqueMap<Vec<MarkerEntry>>,
    /// The obstacles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<Object<Obstacle>>,
    /// Flow fields for `follow_field`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Object<FlowField>>,
    /// The agents, in any order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<Object<Agent>>,
    /// Groups of agents of one kind at random places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crowds: Vec<Object<Crowd>>,
    /// Formations of agents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formations: Vec<Object<Formation>>,
    /// Areas from which agents are moved to another area.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub respawns: Vec<Object<Respawn>>,
    /// Lines on which crossings are counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<Object<Gate>>,
    /// How and when to measure the agents as a flock. Default: never.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub flock_measures: Option<Object<FlockMeasures>>,
}

impl ScenarioFile {
    /// The bounds of the world for the plugin.
    pub fn steering_bounds(&self) -> SteeringBounds {
        self.bounds.as_ref().map_or_else(SteeringBounds::default, |bounds| bounds.value(&Entities::default()))
    }
}

#[cfg(not(dim3))]
fn in_the_plane() -> Dimensions {
    Dimensions(2.0)
}

#[cfg(not(dim3))]
fn is_in_the_plane(dimensions: &Dimensions) -> bool {
    *dimensions == in_the_plane()
}

fn default_tick() -> TickLength {
    TickLength(1.0 / 64.0)
}

fn is_default_tick(tick: &TickLength) -> bool {
    *tick == default_tick()
}

fn default_ticks() -> Count {
    Count(600.0)
}

fn is_default_ticks(ticks: &Count) -> bool {
    *ticks == default_ticks()
}

impl Default for ScenarioFile {
    fn default() -> Self {
        Self {
            name: None,
            about: None,
            dimensions: Dimensions(DIMENSIONS as f64),
            tick: default_tick(),
            ticks: default_ticks(),
            seed: Seed::default(),
            bounds: None,
            markers: UniqueMap::default(),
            obstacles: Vec::new(),
            fields: Vec::new(),
            agents: Vec::new(),
            crowds: Vec::new(),
            formations: Vec::new(),
            respawns: Vec::new(),
            gates: Vec::new(),
            flock_measures: None,
        }
    }
}

/// Which agents to measure as a flock, and how. It does not affect steering.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlockMeasures {
    /// Agents are linked if their centers are at most this far apart, units.
    pub link_radius: Length,
    /// The start of the measurement, s. Default: the end of the first tick.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub from: Option<NonNegative>,
    /// The end of the measurement, s. Default: the end of the run.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub to: Option<NonNegative>,
    /// Only agents in any of these groups count, one bit each. Default: all.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub groups: Option<Groups>,
}

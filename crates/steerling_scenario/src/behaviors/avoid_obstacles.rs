//! Avoid obstacles: steer around them.

use bevy::ecs::world::EntityWorldMut;
use bevy_steerling::behaviors::avoid_with_feelers::FeelerPush;
use bevy_steerling::prelude as plugin;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::behaviors::fields::{BehaviorFields, set};
use crate::behaviors::target::TargetEntities;
use crate::file::planar::LeaveDeadEnds;
use crate::json::number::{Finite, Layers, NonNegative};
use crate::json::strict::{present, words};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AvoidObstacles {
    /// How far ahead obstacles matter, units. Default: twice the stopping distance from max speed, plus twice its
    /// radius.
    #[serde(default, deserialize_with = "present")]
    pub look_ahead: Option<NonNegative>,
    /// Limit of the force, mass · units/s². Default: max force.
    #[serde(default, deserialize_with = "present")]
    pub max_avoid_force: Option<NonNegative>,
    /// The direction in which `"points"` pushes. Default: `"lateral"`.
    #[serde(default, deserialize_with = "present")]
    pub steer: Option<AvoidSteer>,
    /// How obstacles are detected. Default: `"swept"`.
    #[serde(default, deserialize_with = "present")]
    pub detection: Option<Detection>,
    /// Only obstacles in any of these layers matter, one bit each. Default: all.
    #[serde(default, deserialize_with = "present")]
    pub layers: Option<Layers>,
    /// Whether it gets out of dead ends. Default: no.
    #[serde(default, deserialize_with = "present")]
    pub leave_dead_ends: Option<LeaveDeadEnds>,
    /// Factor on its contribution. Default: 1.
    #[serde(default, deserialize_with = "present")]
    pub weight: Option<Finite>,
}

impl AvoidObstacles {
    fn has_feelers(&self) -> bool {
        self.detection.is_some_and(bool::from)
    }

    fn feelers(&self) -> plugin::AvoidWithFeelers {
        let mut feelers = plugin::AvoidWithFeelers::default();
        set(&mut feelers.look_ahead, self.look_ahead);
        set(&mut feelers.max_avoid_force, self.max_avoid_force);
        set(&mut feelers.push, self.steer);
        set(&mut feelers.layers, self.layers);
        set(&mut feelers.weight, self.weight);
        feelers
    }
}

impl BehaviorFields for AvoidObstacles {
    type Components = (plugin::AvoidObstacles, plugin::AvoidWithFeelers);

    fn check(&self) -> Result<(), String> {
        if self.steer.is_some() && !self.has_feelers() {
            return Err("steer: expected none, because the `detection` is not \"points\"".to_owned());
        }
        Ok(())
    }

    fn insert(&self, agent: &mut EntityWorldMut, _: &TargetEntities) {
        if self.has_feelers() {
            agent.insert(self.feelers());
            return;
        }
        let mut avoid_obstacles = plugin::AvoidObstacles::default();
        set(&mut avoid_obstacles.look_ahead, self.look_ahead);
        set(&mut avoid_obstacles.max_avoid_force, self.max_avoid_force);
        set(&mut avoid_obstacles.layers, self.layers);
        #[cfg(not(dim3))]
        set(&mut avoid_obstacles.leave_dead_ends, self.leave_dead_ends);
        set(&mut avoid_obstacles.weight, self.weight);
        agent.insert(avoid_obstacles);
    }
}

words!(AvoidSteer(FeelerPush): "lateral" => FeelerPush::Lateral, "radial" => FeelerPush::Radial);
// Whether feelers detect obstacles.
words!(Detection(bool): "swept" => false, "points" => true);

//! The components of [`Queue`].

use bevy::ecs::component::component_clone_ignore;
use bevy::prelude::*;

use crate::agent::{GroupMask, SteeringAgent};
use crate::math::Vector;

/// Waits in line instead of pushing in: a crowd in front of a door becomes a queue.
///
#[cfg_attr(doc, doc = figure!("queue"))]
///
/// *Queue: a crowd leaves through a door in turn.*
///
/// This constraint bends the total of the behaviors, after all other constraints. Agents go in the order of their
/// [places in line](QueuePlace). An agent lets agents with smaller places go first. It matches the speed of those directly ahead, closes up
/// smoothly to a [`time_gap`](Self::time_gap), and stays out of their way. It always keeps enough distance to stop within its own half of
/// the gap to another agent. With [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles), it can also always stop before
/// obstacles.
///
/// # Formula
///
/// Consider two agents at the displacement `d` from each other that want to move along the unit vectors `n` and `m`. The difference between
/// their places is `½ · d · (n + m)`. In each tick, each agent adjusts its place to agree with its neighbors and subtracts the distance it
/// moved.
///
/// Let `g` be the distance to the space kept free in front of an agent in the same stream, and `w` the speed of that agent. The speed `v`
/// is at most `g / time_gap`. It is also at most the larger of `g / headway` and `w − (headway · v − g) / 8 s`. This is the linear
/// car-following model of Walter Helly (Simulation of Bottlenecks in Single-Lane Traffic Flow, 1959).
///
/// # When to use it
///
/// At doors, gates, counters and bridges: wherever more agents want to get through than fit at once. Every agent in the line should have
/// this component. For paths that cross in the open, use [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors). In the
/// repository, `docs/doorway.md` compares `Queue` and the articles' [`ClassicQueue`](crate::constraints::classic_queue::ClassicQueue) with
/// people at a door.
///
/// # Combines with
///
/// [`Seek`](crate::behaviors::seek::Seek) of a point *beyond* the door,
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) for the walls, and [`Solid`](crate::world::solid::Solid). Once
/// agents are through, remove them or give them a new target: an agent that stops right behind the door blocks all the others.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// for x in 0..10 {
///     commands.spawn((
///         Seek::new(Vec2::new(90.0, 200.0)),
///         Queue::default(),
///         Transform::from_xyz(20.0 * x as f32, 0.0, 0.0),
///     ));
/// }
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, QueuePlace)]
pub struct Queue {
    /// The minimum time, at the current speed, to reach the space kept free in front of an agent that goes first, seconds, ≥ 0. Default:
    /// 0.25.
    pub time_gap: f32,
    /// The time, at the current speed, to reach an agent ahead in the same stream, seconds, ≥ 0. An agent that needs less time falls back
    /// gradually, so a dense stream is slower than a sparse one. With 1.25, the speed decreases with the density as it does for people.
    /// Values below [`time_gap`](Self::time_gap) have no effect. Default: 0.
    pub headway: f32,
    /// The groups whose members the agent lets go first and keeps its distance from, as a bit mask: see
    /// [`SteeringGroups`](crate::agent::SteeringGroups). Default: all, including agents in no group. With 0 it considers no one.
    pub groups: GroupMask,
    /// How far the total is bent, 0 to 1. Default: 1. Below 1 agents may touch; 0 turns the constraint off.
    pub weight: f32,
}

/// The place in line of an agent with [`Queue`]: the remaining distance, units. It has no common origin, so only differences between
/// neighbors are meaningful. Agents with smaller places go first.
///
/// Updated every tick. Cloned entities start with a new place.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct QueuePlace {
    place: f32,
    /// The direction in which the agent wanted to move when it last thought, a unit vector, or zero.
    heading: Vector,
}

impl QueuePlace {
    /// The place, units.
    #[inline]
    pub fn get(&self) -> f32 {
        if self.place.is_finite() { self.place } else { 0.0 }
    }

    /// Sets the place, units.
    pub(crate) fn set(&mut self, place: f32) {
        self.place = place;
    }

    /// The direction in which the agent wants to move. If the agent thinks in this tick, it is `wanted`; otherwise it is the last one.
    pub(super) fn heading(&mut self, wanted: Vector, is_thinking: bool) -> Vector {
        if is_thinking {
            self.heading = wanted;
        }
        self.heading
    }
}

impl Default for Queue {
    fn default() -> Self {
        Self { time_gap: 0.25, headway: 0.0, groups: GroupMask::ALL, weight: 1.0 }
    }
}

impl Queue {
    /// Sets the [`time_gap`](Self::time_gap), seconds.
    #[must_use]
    pub fn with_time_gap(self, time: f32) -> Self {
        Self { time_gap: time, ..self }
    }

    /// Sets the [`headway`](Self::headway), seconds.
    #[must_use]
    pub fn with_headway(self, time: f32) -> Self {
        Self { headway: time, ..self }
    }

    /// Sets the [`groups`](Self::groups) whose members the agent considers.
    #[must_use]
    pub fn with_groups(self, groups: GroupMask) -> Self {
        Self { groups, ..self }
    }

    /// The effective time gap and headway in a tick of this length, seconds.
    pub(super) fn times(&self, tick: f32) -> [f32; 2] {
        let time_gap = self.time_gap.max(tick);
        [time_gap, self.headway.max(time_gap).min(f32::MAX)]
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// The gap that an agent leaves between its body and others, as a share of the distance at which the two touch.
pub(super) const SPACING: f32 = 0.05;

/// The length of the way that is kept free in front of agents that go first, as a multiple of the distance at which two agents touch.
pub(super) const FREE_WAY: f32 = 1.0;

/// How far an agent perceives others of its own size, units.
pub(super) fn perception_radius(queue: &Queue, max_speed: f32, radius: f32) -> f32 {
    let (length, way) = (2.0 * radius, |time: f32| max_speed * time.max(0.0));
    (way(queue.time_gap) + length * (3.0 + SPACING + FREE_WAY)).max(way(queue.headway) + length * (1.0 + SPACING))
}

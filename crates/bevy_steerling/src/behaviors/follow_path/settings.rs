//! The settings of a behavior that follows a path.

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;

use crate::agent::SteeringAgent;
use crate::behaviors::follow_path::progress::PathProgress;
use crate::behaviors::follow_path::route::{PathEnd, PathVisit};
use crate::perception::path::SteeringPath;

/// Follows a path, inside a lane around it.
///
#[cfg_attr(doc, doc = figure!("follow_path"))]
///
#[cfg_attr(not(dim3), doc = "*Follow path: two agents on one path. The heavier one brakes earlier.*")]
///
/// The agent drives ahead of corners as fast as its force allows, brakes for them as late as it can, and cuts them no further than the
/// lane. Its [`PathProgress`] follows it along the path: where a path crosses itself, or two of its parts are near each other, the agent
/// stays on its part. An agent that is off the path joins it at an angle. One that is pushed past a corner does not turn back for it.
///
/// If [`path`](Self::path) is replaced, the agent goes on where it is in the lane of the new path, or nearest to it, without stopping.
/// An agent that is moved to another place, farther than it can get in three ticks and over four times the lane's radius, gets on the path
/// in the same way.
///
/// # Formula
///
/// In a corner, the agent moves on a parabola under a constant acceleration `a`, 94 % of max force divided by mass. A parabola that
/// begins `t` before the corner passes it at the distance `d = t·s/2`, at the speed `√(a·t/s)`, with `s` the sine of half the turn. `d` is at
/// most 0.8 times the radius, and `t` at most half a leg. In corners that turn by more than 150°, the agent stops and turns around. The
/// speed before a corner is `√(v² + 2·a·distance)`, with `v` the speed in the corner. On the last leg the agent
/// [arrives](crate::behaviors::arrive::Arrive). An agent beside its lane goes straight to the end when that is no longer ahead at 45° or
/// less.
///
/// Craig Reynolds (Steering Behaviors for Autonomous Characters, 1999) steers to the nearest point of the whole path from a predicted
/// position, which jumps between parts of a path and has no speed limit in corners.
///
/// # When to use it
///
/// For roads, patrols, race tracks, rails, and the paths of a navigation mesh.
///
/// # Combines with
///
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) and
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors): the agent goes around and comes back to its lane. At the
/// end of the path, agents that avoid each other form a [crowd](crate::constraints::settling::Settling) and come to rest. With
/// [`SteeringEvents`](crate::events::SteeringEvents) it triggers [`WaypointReached`](crate::events::WaypointReached) and
/// [`PathFinished`](crate::events::PathFinished).
#[cfg_attr(
    not(dim3),
    doc = "A body with [`BodyLimits`](crate::agent::BodyLimits) steers to a point ahead on the path; it may leave the lane where its turning circle is too wide."
)]
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let path = SteeringPath::new([Vec2::ZERO, Vec2::new(300.0, 0.0), Vec2::new(300.0, 200.0)]);
/// commands.spawn((FollowPath::new(&path), Transform::default()));
/// commands.spawn((FollowPath::new(&path).with_end(PathEnd::PingPong), Transform::from_xyz(0.0, 50.0, 0.0)));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent, PathProgress)]
#[component(on_remove = leave_path)]
pub struct FollowPath {
    /// The path. Without points, the behavior applies no force; to a single point, the agent arrives.
    pub path: SteeringPath,
    /// How the path ends. Default: [`PathEnd::Stop`].
    pub end: PathEnd,
    /// Half the width of the lane, units, ≥ 0. Default: twice the agent's radius. The lane is at least a fifth as wide as the distance that
    /// the agent covers in a tick at max speed.
    pub radius: Option<f32>,
    /// Which points the agent must come to. Default: [`PathVisit::Lane`].
    pub visit: PathVisit,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

/// An agent that gets the same path again later starts anew.
fn leave_path(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut progress) = world.get_mut::<PathProgress>(context.entity) {
        progress.leave();
    }
}

impl FollowPath {
    /// Follows a path and stops at its end.
    pub fn new(path: impl Into<SteeringPath>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// Sets how the path [ends](Self::end).
    #[must_use]
    pub fn with_end(self, end: PathEnd) -> Self {
        Self { end, ..self }
    }

    /// Sets the [`radius`](Self::radius), units.
    #[must_use]
    pub fn with_radius(self, radius: f32) -> Self {
        Self { radius: Some(radius), ..self }
    }

    /// Sets which points the agent must come to.
    #[must_use]
    pub fn with_visit(self, visit: PathVisit) -> Self {
        Self { visit, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// Differs between ways: paths with other points, and other ends.
    pub(super) fn fingerprint(&self) -> u64 {
        self.path.fingerprint().wrapping_add(self.end as u64)
    }
}

impl Default for FollowPath {
    /// A path without points.
    fn default() -> Self {
        Self { path: SteeringPath::default(), end: PathEnd::Stop, radius: None, visit: PathVisit::Lane, weight: 1.0 }
    }
}

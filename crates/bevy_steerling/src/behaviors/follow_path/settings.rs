//! The settings of [`FollowPath`].

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;

use crate::agent::SteeringAgent;
use crate::behaviors::follow_path::progress::PathProgress;
use crate::behaviors::follow_path::route::{PathEnd, PathVisit};
use crate::perception::path::SteeringPath;

/// Follows a path within a lane around it.
///
#[cfg_attr(doc, doc = figure!("follow_path"))]
///
#[cfg_attr(not(dim3), doc = "*Follow path: two agents on one path. The heavier one brakes earlier.*")]
///
/// Before a corner the agent goes as fast as its force allows, brakes as late as it can, and cuts the corner no further than the lane. Its
/// [`PathProgress`] follows it along the path: where a path crosses itself, or two of its parts are close together, the agent stays on its
/// part. An agent off the path joins it at an angle. An agent that is pushed past a corner does not turn back for it.
///
/// If [`path`](Self::path) is replaced, the agent continues without stopping, from its place in the lane of the new path or from the place
/// nearest to it. An agent that is moved to another place also joins the path there. A move counts if it is longer than twice the distance
/// that the agent covers at max speed between two ticks in which it thinks, plus four times the radius of the lane.
///
/// # Formula
///
/// In a corner, the agent moves on a parabola under a constant acceleration `a`, which is 94 % of max force divided by mass. Let `s` be the
/// sine of half the turn. A parabola that begins `t` before the corner passes it at the distance `d = t·s/2`, at the speed `√(a·t/s)`. `d`
/// is at most 0.8 times the radius, and `t` is at most half a leg. In corners that turn by more than 150°, the agent stops and turns
/// around. The speed before a corner is `√(v² + 2·a·distance)`, where `v` is the speed in the corner. On the last leg the agent
/// [arrives](crate::behaviors::arrive::Arrive). An agent beside its lane goes straight to the end as soon as the end is no longer ahead at
/// 45° or less.
///
/// Craig Reynolds (Steering Behaviors for Autonomous Characters, 1999) predicts the agent's position and steers to the nearest point of the
/// whole path. That point jumps between parts of a path, and the speed in corners is not limited.
///
/// # When to use it
///
/// For roads, patrols, race tracks, rails, and the paths of a navigation mesh.
///
/// # Combines with
///
/// With [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) and
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors), the agent goes around things and comes back to its lane. At the
/// end of the path, agents that avoid each other form a [crowd](crate::constraints::settling::Settling) and come to rest. With
/// [`SteeringEvents`](crate::events::SteeringEvents), the agent triggers [`WaypointReached`](crate::events::WaypointReached) and
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, PathProgress)]
#[component(on_remove = leave_path)]
pub struct FollowPath {
    /// The path. Without points, the behavior applies no force. With a single point, the agent arrives at it.
    pub path: SteeringPath,
    /// The behavior at the end of the path. Default: [`PathEnd::Stop`].
    pub end: PathEnd,
    /// Half the width of the lane, units, ≥ 0. Default: twice the agent's radius. The lane is at least a fifth as wide as the distance that
    /// the agent covers in a tick at max speed.
    pub radius: Option<f32>,
    /// Which points the agent must visit. Default: [`PathVisit::Lane`].
    pub visit: PathVisit,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

/// Makes an agent that gets the same path again later start anew.
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

    /// Sets the [`end`](Self::end) of the path.
    #[must_use]
    pub fn with_end(self, end: PathEnd) -> Self {
        Self { end, ..self }
    }

    /// Sets the [`radius`](Self::radius), units.
    #[must_use]
    pub fn with_radius(self, radius: f32) -> Self {
        Self { radius: Some(radius), ..self }
    }

    /// Sets which points the agent must [`visit`](Self::visit).
    #[must_use]
    pub fn with_visit(self, visit: PathVisit) -> Self {
        Self { visit, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// A number that differs between paths with different points or ends.
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

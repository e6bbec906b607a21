//! Sight: what an agent sees of its targets.

use core::f32::consts::TAU;

use bevy::prelude::*;

use crate::agent::{GroupMask, SteeringAgent};
use crate::math::Vector;
use crate::perception::field_of_view;
use crate::perception::obstacles::{ObstacleFilter, Obstacles};

/// Limits what an agent knows about its targets to what it sees. Without this component, agents know where all their targets are.
///
/// A target out of sight gives no force, as if it did not exist. [`TargetLost`](crate::events::TargetLost) and
/// [`TargetFound`](crate::events::TargetFound) are triggered when that changes. Of a
/// [`Target::Group`](crate::perception::target::Target::Group), the agent knows the members that it sees. It always knows where points are.
///
/// An agent sees what is within its range, within its field of view, and not behind an obstacle. The field of view is centered on the
/// agent's front. To turn the agent, add [`FaceVelocity`](crate::motion::facing::FaceVelocity) or [`Face`](crate::behaviors::face::Face).
///
/// `Sight` does not affect which neighbors an agent perceives: flocking behaviors have their own fields of view.
///
/// # Example
///
/// A patrolling guard that chases an intruder as long as it sees the intruder:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let intruder = commands.spawn((Wander::default(), Transform::from_xyz(200.0, 0.0, 0.0))).id();
/// let patrol = FollowPath::new([Vec2::new(-100.0, 0.0), Vec2::new(100.0, 0.0)]).with_end(PathEnd::PingPong);
/// commands
///     .spawn((patrol, Sight::new(150.0).with_field_of_view(2.0), FaceVelocity::default(), SteeringEvents::default()))
///     .insert(Pursue::new(intruder).with_weight(5.0))
///     .observe(|found: On<TargetFound>| println!("{}: Halt!", found.entity))
///     .observe(|lost: On<TargetLost>| println!("{}: Where is it?", lost.entity));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct Sight {
    /// How far the agent sees, units, ≥ 0. Default: infinite.
    pub range: f32,
    /// The angle of the field of view, radians, ≥ 0. Default: 2π, all around.
    pub field_of_view: f32,
    /// The layers of the obstacles that it cannot see through. Default: [`GroupMask::DEFAULT`].
    pub layers: GroupMask,
}

impl Default for Sight {
    fn default() -> Self {
        Self { range: f32::INFINITY, field_of_view: TAU, layers: GroupMask::DEFAULT }
    }
}

impl Sight {
    /// Sees up to this distance, units, all around.
    pub fn new(range: f32) -> Self {
        Self { range, ..Self::default() }
    }

    /// Sets the [`field_of_view`](Self::field_of_view), radians.
    #[must_use]
    pub fn with_field_of_view(self, angle: f32) -> Self {
        Self { field_of_view: angle, ..self }
    }

    /// Sets the [`layers`](Self::layers) of the obstacles that it cannot see through.
    #[must_use]
    pub fn with_layers(self, layers: GroupMask) -> Self {
        Self { layers, ..self }
    }

    /// Whether an agent with this sight and the `Transform` `eye` sees a place, past the obstacles of the last tick.
    pub fn sees(&self, eye: &Transform, place: Vec3, obstacles: &Obstacles) -> bool {
        self.sees_point(eye, obstacles.plane().point(place), obstacles)
    }

    /// Whether an agent with this sight sees a point of the plane.
    pub(crate) fn sees_point(&self, eye: &Transform, point: Vector, obstacles: &Obstacles) -> bool {
        let plane = obstacles.plane();
        let (from, heading) = (plane.position(eye), plane.heading(eye));
        let to = obstacles.space.displacement(from, point);
        let squared = to.length_squared();
        let cone = field_of_view::cone(self.field_of_view);
        let ahead = field_of_view::squared_ahead::<f32>(heading.into(), to.into());
        squared <= self.range * self.range
            && field_of_view::sees(cone * heading.length_squared(), ahead, squared)
            && obstacles.has_line_of_sight(from, from + to, &self.filter(plane.height(eye.translation)))
    }

    #[cfg(not(dim3))]
    fn filter(&self, height: f32) -> ObstacleFilter {
        ObstacleFilter::in_layers(self.layers).on_floor(height)
    }

    #[cfg(dim3)]
    fn filter(&self, _: f32) -> ObstacleFilter {
        ObstacleFilter::in_layers(self.layers)
    }
}

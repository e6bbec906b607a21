//! The component that makes an entity an obstacle.

use bevy::prelude::*;

use crate::agent::GroupMask;
use crate::perception::obstacles::indexed::TurnRate;
use crate::perception::obstacles::shapes::ObstacleShape;

/// A shape that agents avoid, with the position and rotation of its `Transform`. The scale is ignored. If the entity has parents, the
/// obstacle is where its hierarchy puts it.
///
/// An obstacle may move and turn. Write its `Transform`, and also its [`Velocity`](crate::agent::Velocity) and
/// [`turn_rate`](Self::turn_rate), so that agents can predict its motion. Both are those of the entity's origin in world space, even if the
/// obstacle has parents. Obstacles can be added, changed and removed at any time.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Obstacle::new(Circle::new(40.0)), Transform::from_xyz(200.0, 0.0, 0.0)));
/// commands.spawn((
///     Obstacle::new(Rectangle::new(120.0, 20.0)),
///     Transform::from_xyz(0.0, 90.0, 0.0).with_rotation(Quat::from_rotation_z(0.3)),
/// ));
/// // A system of the game turns it as fast.
/// commands.spawn((Obstacle::new(Rectangle::new(80.0, 6.0)).with_turn_rate(0.5), Transform::default()));
/// # }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(Transform)]
pub struct Obstacle {
    /// The shape, around the origin of the entity.
    pub shape: ObstacleShape,
    /// The layers of the obstacle, as a bit mask. A behavior considers the obstacle if they share a layer. Default: [`GroupMask::DEFAULT`].
    pub layers: GroupMask,
    /// The turn rate about the origin of the entity; values that are not finite count as zero. Default: zero.
    #[cfg_attr(not(dim3), doc = "In radians/s, counterclockwise in the plane.")]
    #[cfg_attr(dim3, doc = "The axis in the world times radians/s.")]
    pub turn_rate: TurnRate,
}

impl Obstacle {
    /// Creates an obstacle in the default layer.
    pub fn new(shape: impl Into<ObstacleShape>) -> Self {
        Self { shape: shape.into(), layers: GroupMask::DEFAULT, turn_rate: TurnRate::default() }
    }

    /// Sets the [`layers`](Self::layers).
    #[must_use]
    pub fn with_layers(self, layers: GroupMask) -> Self {
        Self { layers, ..self }
    }

    /// Sets the [`turn_rate`](Self::turn_rate), radians/s.
    #[must_use]
    pub fn with_turn_rate(self, turn_rate: TurnRate) -> Self {
        Self { turn_rate, ..self }
    }
}

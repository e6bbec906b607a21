//! The component that makes an entity an obstacle.

use bevy::prelude::*;

use crate::agent::GroupMask;
use crate::perception::obstacles::indexed::TurnRate;
use crate::perception::obstacles::shapes::ObstacleShape;

/// Something in the way of agents, with the position and rotation of its `Transform`. The scale is ignored. An obstacle with parents is
/// where its hierarchy puts it.
///
/// It may move and turn: write its `Transform`, and its [`Velocity`](crate::agent::Velocity) and [`turn_rate`](Self::turn_rate) so that
/// agents can predict where it will be. Both are those of the origin of its entity in the world, also for an obstacle with parents. It may
/// be added, changed and removed at any time.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(Transform)]
pub struct Obstacle {
    /// The shape, around the origin of the entity.
    pub shape: ObstacleShape,
    /// The layers that it is in. A behavior minds an obstacle if they share a layer. Default: [`GroupMask::DEFAULT`].
    pub layers: GroupMask,
    /// How fast it turns about the origin of the entity; zero if it is not finite. Default: zero.
    #[cfg_attr(not(dim3), doc = "In radians/s, counterclockwise in the plane.")]
    #[cfg_attr(dim3, doc = "The axis in the world times radians/s.")]
    pub turn_rate: TurnRate,
}

impl Obstacle {
    /// An obstacle in the default layer.
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

//! The directions from which a plot shows the scene.

use bevy::math::Vec2;
use bevy_steerling::math::Vector;

/// A view of the scene along one of its axes.
#[derive(Clone, Copy)]
pub(crate) struct View {
    /// The caption of the view.
    pub caption: Option<&'static str>,
    /// The axis that points to the right, and its sign.
    right: (usize, f32),
    /// The axis that points up, and its sign.
    up: (usize, f32),
    /// Its column and row in the picture.
    pub place: [usize; 2],
}

/// The map.
#[cfg(not(dim3))]
pub(crate) const VIEWS: [View; 1] = [View { caption: None, right: (0, 1.0), up: (1, 1.0), place: [0, 0] }];

/// The three views of a technical drawing: from above, below it from the front, and beside that from the right.
#[cfg(dim3)]
pub(crate) const VIEWS: [View; 3] = [
    View { caption: Some("from above: x to the right, z down"), right: (0, 1.0), up: (2, -1.0), place: [0, 0] },
    View { caption: Some("from the front: x to the right, y up"), right: (0, 1.0), up: (1, 1.0), place: [0, 1] },
    View { caption: Some("from the right: z to the left, y up"), right: (2, -1.0), up: (1, 1.0), place: [1, 1] },
];

impl View {
    /// A place as the view shows it, with y up.
    pub fn flat(&self, place: Vector) -> Vec2 {
        let coordinate = |(axis, sign): (usize, f32)| sign * place[axis];
        Vec2::new(coordinate(self.right), coordinate(self.up))
    }

    /// The direction in the world of a direction in the view.
    #[cfg(dim3)]
    pub fn of_flat(&self, direction: Vec2) -> Vector {
        let mut vector = Vector::ZERO;
        vector[self.right.0] = self.right.1 * direction.x;
        vector[self.up.0] = self.up.1 * direction.y;
        vector
    }
}

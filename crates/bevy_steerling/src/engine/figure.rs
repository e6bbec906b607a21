//! Figures: what a behavior perceives and wants, as lines in the world.

use alloc::vec::Vec;

use crate::agent::{Agent, GroupMask};
use crate::math::{Vector, normalize};
use crate::perception::obstacles::{IndexedObstacle, Obstacles, PlacedShape};

/// What a behavior perceives and wants, as lines in the world: its target, its perception radius, what it has found.
///
/// Behaviors draw it in [`SteeringBehavior::draw`](crate::engine::behavior::SteeringBehavior::draw). With the feature `debug`,
/// `SteeringDebugPlugin` displays it.
///
/// # Example
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::engine::figure::{Figure, Mark};
/// let mut figure = Figure::default();
/// figure.circle(Vec2::ZERO, 30.0);
/// figure.point(Vec2::new(30.0, 0.0));
/// assert_eq!(figure.marks[1], Mark::Point(Vec2::new(30.0, 0.0)));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The parts of the figure.
    pub marks: Vec<Mark>,
}

/// A part of a [`Figure`], in world coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A point.
    Point(Vector),
    /// A straight line.
    Line(Vector, Vector),
    /// A circle; in three dimensions, a sphere.
    Circle {
        /// The center.
        center: Vector,
        /// The radius.
        radius: f32,
    },
    /// A sector of a disk; in three dimensions, of a ball.
    Sector {
        /// The center of the disk or ball.
        center: Vector,
        /// The radius of the disk or ball.
        radius: f32,
        /// The direction of the middle of the sector; zero for the whole disk or ball.
        heading: Vector,
        /// The angle between its sides, radians.
        angle: f32,
    },
    /// A closed polyline.
    Outline(Vec<Vector>),
}

impl Figure {
    /// Adds a point.
    pub fn point(&mut self, place: Vector) {
        self.marks.push(Mark::Point(place));
    }

    /// Adds a straight line.
    pub fn line(&mut self, from: Vector, to: Vector) {
        self.marks.push(Mark::Line(from, to));
    }

    /// Adds a [circle](Mark::Circle).
    pub fn circle(&mut self, center: Vector, radius: f32) {
        self.marks.push(Mark::Circle { center, radius });
    }

    /// Adds a [sector](Mark::Sector), such as the field of view of an agent that faces along `heading`.
    pub fn sector(&mut self, center: Vector, radius: f32, heading: Vector, angle: f32) {
        self.marks.push(Mark::Sector { center, radius, heading, angle });
    }

    /// Adds a closed polyline.
    pub fn outline(&mut self, corners: impl IntoIterator<Item = Vector>) {
        self.marks.push(Mark::Outline(corners.into_iter().collect()));
    }

    /// Adds the area that a round body sweeps along a straight line.
    pub(crate) fn swept(&mut self, from: Vector, to: Vector, radius: f32) {
        for side in sides(normalize(to - from)) {
            let side = side * radius;
            self.line(from + side, to + side);
            self.line(from - side, to - side);
        }
        self.circle(to, radius);
    }

    /// Adds the outline of the first obstacle that the agent's body would touch along `heading`.
    pub(crate) fn first_obstacle(
        &mut self,
        agent: &Agent,
        heading: Vector,
        look_ahead: f32,
        layers: GroupMask,
        obstacles: &Obstacles,
    ) {
        let mut first: Option<(f32, &IndexedObstacle, Vector)> = None;
        obstacles.for_each_near(agent, look_ahead + agent.radius, layers, |obstacle, position| {
            let distance = obstacle.shape.cast_distance(position, heading, agent.radius);
            if let Some(distance) = distance.filter(|distance| *distance <= look_ahead)
                && first.is_none_or(|(shortest, ..)| distance < shortest)
            {
                first = Some((distance, obstacle, position));
            }
        });
        if let Some((_, obstacle, position)) = first {
            // Drawn where the agent perceives it, which may be across a seam of the world.
            self.shape(&obstacle.shape, agent.position - position);
        }
    }

    /// Adds the outline of a shape, moved by a displacement.
    #[cfg(not(dim3))]
    fn shape(&mut self, shape: &PlacedShape, moved: Vector) {
        self.outline(shape.corners().iter().map(|corner| *corner + moved));
        if shape.radius() > 0.0 {
            shape.corners().iter().for_each(|corner| self.circle(*corner + moved, shape.radius()));
        }
    }

    /// Adds the edges of the bounding box of a shape, moved by a displacement. The box is in the coordinates of the shape.
    #[cfg(dim3)]
    fn shape(&mut self, shape: &PlacedShape, moved: Vector) {
        for (from, to) in shape.box_edges() {
            self.line(from + moved, to + moved);
        }
    }
}

/// Unit vectors perpendicular to a direction, one for each plane that contains the direction.
#[cfg(not(dim3))]
pub(crate) fn sides(ahead: Vector) -> [Vector; 1] {
    [ahead.perp()]
}

#[cfg(dim3)]
pub(crate) fn sides(ahead: Vector) -> [Vector; 2] {
    if ahead == Vector::ZERO {
        return [Vector::X, Vector::Y];
    }
    let (one, other) = ahead.any_orthonormal_pair();
    [one, other]
}

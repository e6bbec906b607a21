//! What a behavior looks at, as lines in the world: for pictures.

use alloc::vec::Vec;

use crate::math::Vector;

/// What a behavior thinks, made of lines in the world: where it wants to go, how far it looks, what it has seen.
///
/// Behaviors draw it in [`SteeringBehavior::draw`](crate::engine::behavior::SteeringBehavior::draw). Whoever shows it chooses the colors: with
/// the feature `debug` the plugin's own `SteeringDebugPlugin` does.
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
    /// Its parts.
    pub marks: Vec<Mark>,
}

/// A part of a [`Figure`]. All places and lengths are in units of the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A place.
    Point(Vector),
    /// A straight line.
    Line(Vector, Vector),
    /// A circle.
    Circle {
        /// Its center.
        center: Vector,
        /// Its radius.
        radius: f32,
    },
    /// The part of a disc that lies around a direction.
    Sector {
        /// The center of the disc.
        center: Vector,
        /// The radius of the disc.
        radius: f32,
        /// The direction of its middle. Nothing stands for all directions.
        heading: Vector,
        /// The angle between its sides, radians.
        angle: f32,
    },
    /// A closed line.
    Outline(Vec<Vector>),
}

impl Figure {
    /// Adds a place.
    pub fn point(&mut self, place: Vector) {
        self.marks.push(Mark::Point(place));
    }

    /// Adds a straight line.
    pub fn line(&mut self, from: Vector, to: Vector) {
        self.marks.push(Mark::Line(from, to));
    }

    /// Adds a circle.
    pub fn circle(&mut self, center: Vector, radius: f32) {
        self.marks.push(Mark::Circle { center, radius });
    }

    /// Adds a part of a disc: what an agent sees that looks along `heading`.
    pub fn sector(&mut self, center: Vector, radius: f32, heading: Vector, angle: f32) {
        self.marks.push(Mark::Sector { center, radius, heading, angle });
    }

    /// Adds a closed line.
    pub fn outline(&mut self, corners: impl IntoIterator<Item = Vector>) {
        self.marks.push(Mark::Outline(corners.into_iter().collect()));
    }
}

//! How agents and obstacles move within a tick.

use bevy::math::Quat;
use bevy_steerling::math::Vector;

use crate::dimension::rotated;
use crate::shapes::PlacedShape;

/// The straight way of an agent in a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// Its place at the start of the tick.
    pub start: Vector,
    /// Its place at the end of the tick or, if it was moved to another place then, the place that it was moved from.
    pub end: Vector,
    /// Whether it was moved to another place at the end of the tick.
    pub is_left: bool,
}

/// The motion of an obstacle in a tick.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    /// The place about which it turns, at the end of the tick.
    origin: Vector,
    /// Its poses at equal intervals from the start to the end of the tick.
    poses: Vec<Pose>,
    /// No part of it moved farther than this, units.
    pub longest: f32,
}

/// The pose of an obstacle, seen from its pose at the end of the tick.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pose {
    /// The displacement of its origin, units.
    pub offset: Vector,
    /// Its rotation.
    pub rotation: Quat,
}

impl Default for Motion {
    /// It stands still.
    fn default() -> Self {
        Self { origin: Vector::ZERO, poses: vec![Pose::default(); 2], longest: 0.0 }
    }
}

impl Motion {
    /// The motion of an obstacle that has this origin and shape at the end of the tick. `poses` are two or more at equal intervals from the
    /// start to the end of the tick.
    pub fn new(origin: Vector, shape: &PlacedShape, poses: Vec<Pose>) -> Self {
        let steps = poses.windows(2).map(|step| {
            let arm = origin.distance(shape.center()) + shape.extent();
            let turn = (step[0].rotation * step[1].rotation.inverse()).xyz().length();
            // At most half a turn. An arc is at most π/2 times as long as its chord.
            let angle = core::f32::consts::PI * turn;
            step[0].offset.distance(step[1].offset) + if angle > 0.0 { angle * arm } else { 0.0 }
        });
        Self { origin, longest: steps.sum(), poses }
    }

    /// The places of a body, seen from the obstacle as it is at the end of the tick, at equal intervals in time. The body has come to `end`
    /// by moving along `way`.
    pub fn relative_places(&self, end: Vector, way: Vector) -> impl Iterator<Item = Vector> {
        let steps = self.poses.len() - 1;
        self.poses.iter().enumerate().map(move |(step, pose)| {
            let place = end - way * ((steps - step) as f32 / steps as f32) - pose.offset;
            if pose.rotation == Quat::IDENTITY {
                return place;
            }
            self.origin + rotated(place - self.origin, pose.rotation.inverse())
        })
    }
}

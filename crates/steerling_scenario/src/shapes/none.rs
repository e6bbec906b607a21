//! Shapes, of which there are none in three dimensions yet.

use bevy_steerling::math::Vector;

/// The shape of an obstacle or a region. It has no values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PlacedShape {}

impl PlacedShape {
    pub fn center(&self) -> Vector {
        match *self {}
    }

    pub fn extent(&self) -> f32 {
        match *self {}
    }

    pub fn radius(&self) -> f32 {
        match *self {}
    }

    pub fn distance(&self, _: Vector) -> (f32, Vector) {
        match *self {}
    }

    pub fn corners(&self) -> &[Vector] {
        match *self {}
    }

    pub fn is_closed(&self) -> bool {
        match *self {}
    }
}

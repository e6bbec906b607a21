//! The limits of bodies, of which there are none in three dimensions.

use bevy::prelude::*;

/// The limits of a body. No body has any in three dimensions.
#[derive(Component, Clone, Copy, Debug)]
pub enum BodyLimits {}

impl BodyLimits {
    pub(crate) fn turn_rate(&self) -> f32 {
        match *self {}
    }

    pub(crate) fn turning_radius(&self) -> f32 {
        match *self {}
    }

    pub(crate) fn braking(&self) -> f32 {
        match *self {}
    }
}

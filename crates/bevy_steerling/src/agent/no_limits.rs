//! The limits of bodies, which do not exist in three dimensions.

use bevy::prelude::*;

/// The limits of a body. In three dimensions, no body has any.
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

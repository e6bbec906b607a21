//! Checksums of components.

use std::fmt::{Debug, Write};
use std::hash::{Hash, Hasher};

use bevy::prelude::*;
use bevy_ggrs::checksum_hasher;
use bevy_steerling::prelude::*;

pub(crate) fn of_transform(transform: &Transform) -> u64 {
    let mut hasher = checksum_hasher();
    transform.translation.to_array().map(f32::to_bits).hash(&mut hasher);
    transform.rotation.to_array().map(f32::to_bits).hash(&mut hasher);
    transform.scale.to_array().map(f32::to_bits).hash(&mut hasher);
    hasher.finish()
}

pub(crate) fn of_velocity(velocity: &Velocity) -> u64 {
    let mut hasher = checksum_hasher();
    velocity.to_array().map(f32::to_bits).hash(&mut hasher);
    hasher.finish()
}

/// The checksum of what `Debug` prints. Two floating-point numbers print the same only if they are equal, including the sign of zero.
pub(crate) fn of_debug<C: Debug>(component: &C) -> u64 {
    let mut writer = HashWriter(checksum_hasher());
    // The writer never fails.
    _ = write!(writer, "{component:?}");
    writer.0.finish()
}

struct HashWriter<H>(H);

impl<H: Hasher> Write for HashWriter<H> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

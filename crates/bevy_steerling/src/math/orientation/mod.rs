//! Orientations: a heading and, in three dimensions, an upper side.

#[cfg(not(dim3))]
mod planar;
#[cfg(dim3)]
mod spatial;

#[cfg(not(dim3))]
pub(crate) use planar::{Orientation, OrientationOf};
#[cfg(dim3)]
pub(crate) use spatial::{Orientation, OrientationOf};

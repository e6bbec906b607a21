//! Shapes in three dimensions.

pub(crate) mod checks;
pub(crate) mod fields;
pub(crate) mod primitives;
pub(crate) mod reverse;

//! The values of files and those of components, translated in both directions.

pub(crate) mod entities;
pub(crate) mod left_out;
pub(crate) mod place;
pub(crate) mod value;

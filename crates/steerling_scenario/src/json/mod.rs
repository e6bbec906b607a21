//! Readers that are stricter than those serde derives, and the numbers a file may hold.

pub(crate) mod list;
pub(crate) mod number;
#[cfg(dim3)]
pub(crate) mod planar;
pub(crate) mod strict;

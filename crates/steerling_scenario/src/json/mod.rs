//! Readers that are stricter than those serde derives, and the numbers a file may hold.

pub(crate) mod number;
pub(crate) mod strict;

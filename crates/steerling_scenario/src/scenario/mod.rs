//! Scenarios: reading, checking, and placing the agents of crowds.

pub(crate) mod agents;
pub(crate) mod checks;
pub(crate) mod crowds;
pub(crate) mod error;
pub(crate) mod expected;
pub(crate) mod flow_fields;
pub(crate) mod formations;
pub(crate) mod names;
pub(crate) mod places;
#[cfg(not(dim3))]
pub(crate) mod planar;
pub(crate) mod reading;
pub(crate) mod scene;
pub(crate) mod text;

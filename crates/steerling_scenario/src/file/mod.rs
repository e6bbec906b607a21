//! The fields of scenario files, apart from behaviors and shapes, and their JSON Schema.

pub(crate) mod agents;
pub(crate) mod arbitration;
pub(crate) mod areas;
pub(crate) mod expectation;
pub(crate) mod flow_field;
pub(crate) mod formation;
#[cfg(not(dim3))]
pub(crate) mod gate;
pub(crate) mod impulse;
#[cfg(not(dim3))]
pub(crate) mod limits;
pub(crate) mod marker;
pub(crate) mod planar;
pub(crate) mod scenario;
pub(crate) mod schema;
pub(crate) mod sight;

//! The fields of scenario files, apart from behaviors and shapes, and their JSON Schema.

pub(crate) mod agents;
pub(crate) mod arbitration;
pub(crate) mod areas;
pub(crate) mod body;
pub(crate) mod expectation;
pub(crate) mod flow_field;
pub(crate) mod formation;
pub(crate) mod scenario;
pub(crate) mod schema;

//! Flow fields: grids of directions, each shared by any number of agents.
//!
//! A field toward goals is computed in three steps. `passages` determines between which neighboring nodes of the grid a body fits. `march`
//! spreads the distances to the goals from node to node, the nearest first. `margin` extends them to the nodes beside walls, which a body
//! may reach although no way leads there.

mod error;
mod field;
mod grid;
mod lattice;
mod map;
mod march;
mod margin;
mod passages;
mod refresh;
mod sample;
mod sample_eight;
mod seeds;

pub use error::FlowFieldError;
pub use field::{FlowField, FlowRecipe};
pub use lattice::{Area, Columns};
pub(crate) use refresh::refresh_fields;
pub(crate) use sample::FlowSample;

//! Agents that find their way on a navigation mesh: [`vleue_navigator`] builds the mesh and finds paths, [`bevy_steerling`] follows them.
//!
//! A game copies [`ground`] and [`navigation`]. [`level`] and [`crowd`] are the level of the scene, without a renderer, so that the tests
//! run the same simulation as the window.

pub mod crowd;
pub mod ground;
pub mod level;
pub mod navigation;

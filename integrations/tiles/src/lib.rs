//! Walls of `LDtk` maps as obstacles and as flow fields: [`bevy_ecs_ldtk`] loads the map, [`bevy_steerling`] goes around its walls.
//!
//! A game copies [`cover`] and [`walls`], and [`check`] if its maps come from elsewhere. [`map`] writes maps; [`crowd`] is the scene without
//! a renderer, so that the tests run the same simulation as the window.

pub mod check;
pub mod cover;
pub mod crowd;
pub mod map;
pub mod walls;

//! Scenario files: what the reader accepts, how scenes move, and what is measured.

#![recursion_limit = "256"]

mod agreement;
#[path = "../../../../fuzz/src/lib.rs"]
mod any;
mod bad_values;
mod crossing;
mod crowds;
mod doorway;
mod events;
mod export;
mod exporting;
mod flocks;
mod full;
mod gates;
mod goals;
mod hard_scenes;
mod left_out;
mod light_bodies;
mod obstacles;
mod parking;
mod plots;
mod project;
mod refusals;
mod running;
mod scaling;
mod schema;
mod sweeps;
mod traces;
mod units;
mod ways;
mod why;

use steerling_scenario as scenario;

//! Scenes in which one part of one behavior decides. Each was found by changing that part, and its test fails with the change.

mod crowds;
mod formations;
mod motion;
mod obstacles;
mod paths;
mod playing;
mod queues;
#[path = "../scenarios/scaling.rs"]
mod scaling;

use steerling_scenario as scenario;

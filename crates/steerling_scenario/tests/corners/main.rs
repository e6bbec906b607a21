//! Scenes in which one part of one behavior decides: each fails if that part is wrong, and was found by making it wrong.

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

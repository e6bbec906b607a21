//! Scenes whose outcome depends on a single part of a behavior. Each was found by changing that part; with the change, its test fails.

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

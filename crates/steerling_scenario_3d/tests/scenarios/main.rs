//! Scenario files in three dimensions: what the reader accepts, how scenes move, and what is measured.

#[path = "../../../steerling_scenario/tests/scenarios/agreement.rs"]
mod agreement;
mod export;
#[path = "../../../steerling_scenario/tests/scenarios/exporting.rs"]
mod exporting;
mod in_a_plane;
mod measures;
mod outputs;
#[path = "../../../steerling_scenario/tests/scenarios/project.rs"]
mod project;
mod refusals;
#[path = "../../../steerling_scenario/tests/scenarios/running.rs"]
mod running;
#[path = "../../../steerling_scenario/tests/scenarios/scaling.rs"]
mod scaling;
mod schema;
mod sweeps;
mod traces;
mod units;

use steerling_scenario_3d as scenario;

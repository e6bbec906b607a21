//! The flow fields of a scenario.

use bevy_steerling::perception::flow_field::FlowFieldError;
use bevy_steerling::prelude::{FlowField, Obstacles, SteeringPlane};

use crate::file::scenario::ScenarioFile;
use crate::shapes::placing::placed_obstacle;

/// The flow fields of a file, in its order, around the obstacles that stand still. The plugin updates them when others come to rest.
pub(crate) fn flow_fields(file: &ScenarioFile) -> impl Iterator<Item = Result<FlowField, FlowFieldError>> {
    let bounds = file.steering_bounds();
    let standing = file.obstacles.iter().filter(|obstacle| obstacle.velocity.is_none());
    let placed = standing.map(|obstacle| {
        let (obstacle, transform, _) = placed_obstacle(obstacle, &bounds);
        (obstacle, transform)
    });
    let obstacles = Obstacles::standing_at(placed, &bounds, SteeringPlane::XY);
    file.fields.iter().map(move |field| field.component(&obstacles))
}

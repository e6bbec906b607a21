//! The flow fields of a scenario, and their checks. An error is the JSON path and what was expected there.

use bevy_steerling::perception::flow_field::FlowFieldError;
#[cfg(not(dim3))]
use bevy_steerling::prelude::SteeringPlane;
use bevy_steerling::prelude::{FlowField, Obstacles};

use crate::behaviors::fields::BehaviorFields;
use crate::file::scenario::ScenarioFile;
use crate::shapes::placing::placed_obstacle;

/// The flow fields of a file, in its order, around the obstacles that stand still. The plugin updates them when others come to rest.
pub(crate) fn flow_fields(file: &ScenarioFile) -> impl Iterator<Item = Result<FlowField, FlowFieldError>> {
    let bounds = file.steering_bounds();
    let standing = file.obstacles.iter().filter(|obstacle| obstacle.velocity.is_none() && obstacle.turn_rate.is_none());
    let placed = standing.map(|obstacle| {
        let (obstacle, transform, _) = placed_obstacle(obstacle, &bounds);
        (obstacle, transform)
    });
    let obstacles = Obstacles::standing_at(
        placed,
        &bounds,
        #[cfg(not(dim3))]
        SteeringPlane::XY,
    );
    file.fields.iter().map(move |field| field.component(&obstacles))
}

/// Returns the flow fields of a file, or the first error.
pub(crate) fn valid_fields(file: &ScenarioFile) -> Result<Vec<FlowField>, String> {
    let mut valid = Vec::new();
    for (index, (field, component)) in file.fields.iter().zip(flow_fields(file)).enumerate() {
        if let Some(first) = file.fields[..index].iter().position(|other| other.id == field.id) {
            let problem = format!("expected a unique id, but fields[{first}] is also called `{}`", field.id);
            return Err(format!("fields[{index}].id: {problem}"));
        }
        valid.push(component.map_err(|error| {
            let place = if error == FlowFieldError::TooManyCells { "cell" } else { "toward" };
            format!("fields[{index}].{place}: {error}")
        })?);
    }
    Ok(valid)
}

/// Checks that the flow field that a behavior follows exists. `path` is that of the behavior.
pub(crate) fn check_flow_field(file: &ScenarioFile, path: &str, behavior: &dyn BehaviorFields) -> Result<(), String> {
    let unknown = behavior.flow_field().filter(|id| file.fields.iter().all(|field| field.id != *id));
    unknown.map_or(Ok(()), |id| Err(format!("{path}.field: expected the id of a field, but none is called `{id}`")))
}

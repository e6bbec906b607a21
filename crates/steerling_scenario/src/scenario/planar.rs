//! Checks of what a file describes only in two dimensions. An error is the JSON path and what was expected there.

use bevy_steerling::perception::flow_field::FlowFieldError;

use crate::behaviors::fields::BehaviorFields;
use crate::file::gate::Gate;
use crate::file::scenario::ScenarioFile;
use crate::json::number::vector;
use crate::json::strict::Object;
use crate::scenario::flow_fields::flow_fields;

/// Checks the gates and flow fields of a file.
pub(crate) fn check(file: &ScenarioFile) -> Result<(), String> {
    check_gates(&file.gates)?;
    check_fields(file)
}

/// Checks that the flow field that a behavior follows exists. `path` is that of the behavior.
pub(crate) fn check_flow_field(file: &ScenarioFile, path: &str, behavior: &dyn BehaviorFields) -> Result<(), String> {
    let unknown = behavior.flow_field().filter(|id| file.fields.iter().all(|field| field.id != *id));
    unknown.map_or(Ok(()), |id| Err(format!("{path}.field: expected the id of a field, but none is called `{id}`")))
}

fn check_gates(gates: &[Object<Gate>]) -> Result<(), String> {
    for (index, gate) in gates.iter().enumerate() {
        if let Some(first) = gates[..index].iter().position(|other| other.id == gate.id) {
            return Err(format!(
                "gates[{index}].id: expected a unique id, but gates[{first}] is also called `{}`",
                gate.id
            ));
        }
        if vector(gate.start) == vector(gate.end) {
            return Err(format!("gates[{index}].end: expected a point other than `start`"));
        }
    }
    Ok(())
}

fn check_fields(file: &ScenarioFile) -> Result<(), String> {
    for (index, (field, component)) in file.fields.iter().zip(flow_fields(file)).enumerate() {
        if let Some(first) = file.fields[..index].iter().position(|other| other.id == field.id) {
            let problem = format!("expected a unique id, but fields[{first}] is also called `{}`", field.id);
            return Err(format!("fields[{index}].id: {problem}"));
        }
        component.map_err(|error| {
            let place = if error == FlowFieldError::TooManyCells { "cell" } else { "toward" };
            format!("fields[{index}].{place}: {error}")
        })?;
    }
    Ok(())
}

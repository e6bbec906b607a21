//! Checks of what a file describes only in two dimensions. An error is the JSON path and what was expected there.

use crate::file::gate::Gate;
use crate::json::number::vector;
use crate::json::strict::Object;

/// Checks the gates of a file.
pub(crate) fn check_gates(gates: &[Object<Gate>]) -> Result<(), String> {
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

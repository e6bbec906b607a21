//! Checks of a file that its types alone cannot make, apart from the ids of agents. An error is the JSON path and what
//! was expected there.

use std::collections::BTreeSet;

use bevy_steerling::prelude::FlowField;

use crate::behaviors::target::Target;
use crate::dimension::{AXES, DIMENSIONS};
use crate::file::agents::{Crowd, Kind};
use crate::file::areas::{Area, Bounds, Respawn};
use crate::file::scenario::ScenarioFile;
use crate::json::strict::{Object, OneKey};
use crate::scenario::agents::StartingAgent;
use crate::scenario::flow_fields::{check_flow_field, valid_fields};
#[cfg(not(dim3))]
use crate::scenario::planar;
use crate::shapes::checks::check_shape;

/// All coordinates, in words.
const ALL: &str = if DIMENSIONS == 2 { "both" } else { "all" };

/// Checks a file. `listed` are the agents of the file's list of agents. Returns the file's flow fields, which are computed on the way.
pub(crate) fn check(file: &ScenarioFile, listed: &[StartingAgent]) -> Result<Vec<FlowField>, String> {
    file.bounds.as_deref().map_or(Ok(()), check_bounds)?;
    check_markers(file)?;
    check_crowds(&file.crowds)?;
    check_respawns(&file.respawns)?;
    check_flock_measures(file)?;
    check_obstacles(file)?;
    #[cfg(not(dim3))]
    planar::check_gates(&file.gates)?;
    let fields = valid_fields(file)?;
    for (index, agent) in listed.iter().enumerate() {
        check_kind(file, &format!("agents[{index}]"), &agent.kind)?;
    }
    for (index, crowd) in file.crowds.iter().enumerate() {
        check_kind(file, &format!("crowds[{index}].agent"), &crowd.agent)?;
    }
    Ok(fields)
}

fn check_bounds(bounds: &Bounds) -> Result<(), String> {
    if bounds.min.iter().zip(bounds.max.0).all(|(min, max)| f32::from(*min) < f32::from(max)) {
        Ok(())
    } else {
        Err(format!("bounds.max: expected {ALL} coordinates to be larger than those of `min`"))
    }
}

fn check_markers(file: &ScenarioFile) -> Result<(), String> {
    for (name, entries) in &file.markers.0 {
        if entries.is_empty() {
            return Err(format!("markers.{name}: expected at least one [time, {}]", AXES.join(", ")));
        }
        if let Some(late) = entries.windows(2).position(|pair| pair[1].time < pair[0].time) {
            return Err(format!(
                "markers.{name}[{}][0]: expected a time not before that of the previous entry",
                late + 1
            ));
        }
    }
    Ok(())
}

fn check_crowds(crowds: &[Object<Crowd>]) -> Result<(), String> {
    for (index, crowd) in crowds.iter().enumerate() {
        check_area(&format!("crowds[{index}].area"), &crowd.area)?;
        if crowd.speed.is_some() && crowd.agent.velocity.is_some() {
            return Err(format!("crowds[{index}].agent.velocity: expected none, because the crowd has a `speed`"));
        }
    }
    Ok(())
}

fn check_respawns(respawns: &[Object<Respawn>]) -> Result<(), String> {
    for (index, respawn) in respawns.iter().enumerate() {
        check_area(&format!("respawns[{index}].inside"), &respawn.inside)?;
        check_area(&format!("respawns[{index}].to"), &respawn.to)?;
    }
    Ok(())
}

fn check_obstacles(file: &ScenarioFile) -> Result<(), String> {
    for (index, obstacle) in file.obstacles.iter().enumerate() {
        check_shape(&obstacle.shape).map_err(|problem| format!("obstacles[{index}].{problem}"))?;
    }
    Ok(())
}

fn check_area(path: &str, area: &Area) -> Result<(), String> {
    if area.min.iter().zip(area.max.0).all(|(min, max)| *min <= max) {
        Ok(())
    } else {
        Err(format!("{path}.max: expected {ALL} coordinates to be at least those of `min`"))
    }
}

fn check_flock_measures(file: &ScenarioFile) -> Result<(), String> {
    let Some(measures) = &file.flock_measures else { return Ok(()) };
    let (from, end) = (measures.from.map_or(0.0, |from| from.0), file.ticks.0 * file.tick.0);
    if from > end * (1.0 + 1e-9) {
        return Err(format!("flock_measures.from: expected a time within the run of {end} s"));
    }
    if measures.to.is_some_and(|to| to.0 < from) {
        return Err("flock_measures.to: expected a time not before `from`".to_owned());
    }
    Ok(())
}

fn check_kind(file: &ScenarioFile, path: &str, kind: &Kind) -> Result<(), String> {
    check_goals(path, kind)?;
    if let Some(arbitration) = &kind.arbitration {
        arbitration.check().map_err(|problem| format!("{path}.arbitration.{problem}"))?;
    }
    check_behaviors(file, path, kind)
}

fn check_goals(path: &str, kind: &Kind) -> Result<(), String> {
    if kind.goal.is_some() && kind.goals.is_some() {
        return Err(format!("{path}.goals: expected none, because the agent has a `goal`"));
    }
    let Some((_, others)) = kind.goals_in_order().split_last() else { return Ok(()) };
    others.iter().position(|goal| goal.remove).map_or(Ok(()), |index| {
        Err(format!("{path}.goals[{index}].remove: expected only the last goal to remove the agent"))
    })
}

fn check_behaviors(file: &ScenarioFile, path: &str, kind: &Kind) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for (place, OneKey(behavior)) in kind.behaviors.iter().enumerate() {
        let (key, fields) = (behavior.key(), behavior.fields());
        let path = format!("{path}.behaviors[{place}].{key}");
        if !seen.insert(key) {
            return Err(format!("{path}: expected each behavior at most once, but this is the second `{key}`"));
        }
        fields.check().map_err(|problem| format!("{path}.{problem}"))?;
        check_flow_field(file, &path, fields)?;
        for (field, target) in fields.targets() {
            if let Target::Marker(name) = target
                && !file.markers.0.contains_key(name)
            {
                let problem = format!("expected the name of a marker, but none is called `{name}`");
                return Err(format!("{path}.{field}.marker: {problem}"));
            }
        }
    }
    Ok(())
}

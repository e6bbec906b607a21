//! Checks of the ids of agents, and of targets that refer to them.

use std::collections::HashMap;
use std::iter::repeat_n;

use crate::behaviors::target::Target;
use crate::file::scenario::ScenarioFile;
use crate::json::strict::OneKey;
use crate::scenario::agents::StartingAgent;

/// Checks that ids are unique and that targets exist. The first `listed` agents come from the file's list of agents.
pub(crate) fn check_names(file: &ScenarioFile, agents: &[StartingAgent], listed: usize) -> Result<(), String> {
    // For each agent the paths of its id and of its kind.
    let crowd_paths = file.crowds.iter().enumerate().flat_map(|(index, crowd)| {
        repeat_n((format!("crowds[{index}].prefix"), format!("crowds[{index}].agent")), crowd.count.0 as usize)
    });
    let listed_paths = (0..listed).map(|index| (format!("agents[{index}].id"), format!("agents[{index}]")));
    let paths = || listed_paths.clone().chain(crowd_paths.clone());

    let mut ids: HashMap<&str, usize> = HashMap::with_capacity(agents.len());
    for (index, agent) in agents.iter().enumerate() {
        if let Some(first) = ids.insert(&agent.id, index)
            && let (Some((path, _)), Some((_, first))) = (paths().nth(index), paths().nth(first))
        {
            return Err(format!("{path}: expected a unique id, but {first} is also called `{}`", agent.id));
        }
    }

    for (index, agent) in agents.iter().enumerate() {
        for (place, OneKey(behavior)) in agent.kind.behaviors.iter().enumerate() {
            for (path, target) in behavior.fields().targets() {
                let Target::Agent(id) = target else { continue };
                let expected = if *id == agent.id {
                    format!("expected an agent other than `{id}` itself")
                } else if !ids.contains_key(id.as_str()) {
                    format!("expected the id of an agent, but none is called `{id}`")
                } else {
                    continue;
                };
                let kind = paths().nth(index).map(|(_, kind)| kind).unwrap_or_default();
                return Err(format!("{kind}.behaviors[{place}].{}.{path}.agent: {expected}", behavior.key()));
            }
        }
    }
    Ok(())
}

//! The formations of a scenario: who is in which.

use std::collections::HashMap;

use crate::file::scenario::ScenarioFile;
use crate::scenario::agents::StartingAgent;

/// The agents of a formation, by their indices.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Troop {
    pub anchor: usize,
    pub members: Vec<usize>,
}

/// The formations of a file, in its order. The first `listed` agents come from the file's list of agents, the others from its crowds. The
/// error is the JSON path and what was expected there.
pub(crate) fn troops(file: &ScenarioFile, agents: &[StartingAgent], listed: usize) -> Result<Vec<Troop>, String> {
    if file.formations.is_empty() {
        return Ok(Vec::new());
    }
    let ids: HashMap<&str, usize> =
        agents.iter().enumerate().map(|(index, agent)| (agent.id.as_str(), index)).collect();
    let mut start = listed;
    let crowds: HashMap<&str, (usize, usize)> = file
        .crowds
        .iter()
        .map(|crowd| {
            let first = start;
            start += crowd.count.0 as usize;
            (crowd.prefix.as_str(), (first, start))
        })
        .collect();

    let mut troops: Vec<Troop> = Vec::new();
    // For each member the index of its formation, and its path.
    let mut taken: HashMap<usize, (usize, String)> = HashMap::new();
    for (index, formation) in file.formations.iter().enumerate() {
        let path = format!("formations[{index}]");
        let unknown =
            || format!("{path}.anchor: expected the id of an agent, but none is called `{}`", formation.anchor);
        let anchor = *ids.get(formation.anchor.as_str()).ok_or_else(unknown)?;
        if let Some(first) = troops.iter().position(|troop| troop.anchor == anchor) {
            let id = &formation.anchor;
            return Err(format!(
                "{path}.anchor: expected each anchor once, but `{id}` is that of formations[{first}], too"
            ));
        }
        if formation.members.is_empty() {
            return Err(format!("{path}.members: expected at least one agent or crowd"));
        }
        let mut members = Vec::new();
        for (place, name) in formation.members.iter().enumerate() {
            let path = format!("{path}.members[{place}]");
            let agent = ids.get(name.as_str()).map(|agent| (*agent, *agent + 1));
            let Some((first, end)) = agent.or_else(|| crowds.get(name.as_str()).copied()) else {
                let expected = "expected the id of an agent or the prefix of a crowd, but none is called";
                return Err(format!("{path}: {expected} `{name}`"));
            };
            for (member, agent) in agents.iter().enumerate().take(end).skip(first) {
                let id = &agent.id;
                if member == anchor {
                    return Err(format!("{path}: expected an agent other than the anchor `{id}` itself"));
                }
                if let Some((_, first)) = taken.insert(member, (index, path.clone())) {
                    return Err(format!(
                        "{path}: expected each agent in one formation once, but `{id}` is in {first}, too"
                    ));
                }
                members.push(member);
            }
        }
        troops.push(Troop { anchor, members });
    }
    check_leaders(file, &troops, &taken).map(|()| troops)
}

/// Checks that no anchor follows itself by way of other formations.
fn check_leaders(file: &ScenarioFile, troops: &[Troop], taken: &HashMap<usize, (usize, String)>) -> Result<(), String> {
    for (index, first) in troops.iter().enumerate() {
        let mut anchor = first.anchor;
        for _ in troops {
            let Some((formation, path)) = taken.get(&anchor) else { break };
            anchor = troops[*formation].anchor;
            if anchor == first.anchor {
                let id = &file.formations[index].anchor;
                return Err(format!(
                    "{path}: expected an agent that `{id}` does not follow itself, by way of its formation"
                ));
            }
        }
    }
    Ok(())
}

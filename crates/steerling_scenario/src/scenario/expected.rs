//! The expected motion of a scenario.

use std::collections::BTreeSet;

use crate::file::expectation::{ExpectationFile, ExpectedAgent, ExpectedTick};
use crate::json::strict::Object;
use crate::scenario::error::ScenarioError;
use crate::scenario::scene::Scenario;
use crate::scenario::text::{Outline, check_dimensions, parse_json};

/// The states that agents should have at certain ticks.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedMotion {
    /// The number of ticks, the agent's id and its state, in this order.
    pub states: Vec<(u64, String, ExpectedAgent)>,
    pub position_tolerance: f64,
}

/// Reads a scenario that is wrapped together with its expected motion.
pub(crate) fn parse_wrapped(
    file: &str,
    text: &str,
    seed: Option<u64>,
) -> Result<(Scenario, ExpectedMotion), ScenarioError> {
    check_dimensions(file, Outline::checked(file, text)?)?;
    let Object(ExpectationFile { scenario, expected, position_tolerance }) = parse_json(file, text)?;
    let scenario = Scenario::new(file, "scenario.", scenario.0, seed)?;
    check(&expected, &scenario).map_err(|problem| ScenarioError::Invalid { file: file.to_owned(), problem })?;
    let mut states: Vec<_> = expected
        .into_iter()
        .map(|Object(expected)| expected)
        .flat_map(|ExpectedTick { tick, agents }| {
            agents.0.into_iter().map(move |(id, Object(agent))| (tick.0 as u64, id, agent))
        })
        .collect();
    states.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    Ok((scenario, ExpectedMotion { states, position_tolerance: position_tolerance.0 }))
}

fn check(expected: &[Object<ExpectedTick>], scenario: &Scenario) -> Result<(), String> {
    let ticks = scenario.ticks();
    let ids: BTreeSet<&str> = scenario.agents.iter().map(|agent| agent.id.as_str()).collect();
    for (index, expected) in expected.iter().enumerate() {
        if !(1..=ticks).contains(&(expected.tick.0 as u64)) {
            return Err(format!(
                "expected[{index}].tick: expected a tick from 1 to the scenario's {ticks}, not {}",
                expected.tick.0
            ));
        }
        if let Some(id) = expected.agents.0.keys().find(|id| !ids.contains(id.as_str())) {
            return Err(format!(
                "expected[{index}].agents: expected ids of the scenario's agents, but none is called `{id}`"
            ));
        }
    }
    Ok(())
}

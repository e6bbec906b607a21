//! A scenario together with the motion it must show.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use bevy::prelude::*;
use bevy_steerling::math::space::Space;

use crate::file::{ExpectationFile, ExpectedAgent, ExpectedTick};
use crate::json::Object;
use crate::scenario::{Scenario, ScenarioError, parse_json, read_text};
use crate::simulation::{AgentState, Simulation, Threads};

/// A scenario, where its agents must be at certain ticks, and how far off they may be.
#[derive(Clone, Debug)]
pub struct Expectation {
    scenario: Scenario,
    /// What is expected: after how many ticks, of whom; in this order.
    expected: Vec<(u64, String, ExpectedAgent)>,
    position_tolerance: f64,
}

/// How a run compares with what was expected of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The largest distance of any agent from where it was expected, units.
    pub max_error: f64,
    /// The first place, by tick and then by id, where the run was off by more than the tolerance.
    pub mismatch: Option<Mismatch>,
}

/// Where a run was off.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// After this many ticks.
    pub tick: u64,
    /// Which agent.
    pub id: String,
    /// The agent as it was, if it was still there.
    pub got: Option<AgentState>,
    /// The position expected, units.
    pub expected_position: [f64; 2],
    /// The velocity expected, units/s.
    pub expected_velocity: [f64; 2],
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, id, got, expected_position: [x, y], expected_velocity: [vx, vy] } = self;
        write!(formatter, "tick {tick} agent {id}: got ")?;
        match got.as_ref().map(|got| (got.position, got.velocity)) {
            Some((p, v)) => write!(formatter, "position [{}, {}] velocity [{}, {}]", p.x, p.y, v.x, v.y),
            None => write!(formatter, "none, because a gate has removed it"),
        }?;
        write!(formatter, ", expected position [{x}, {y}] velocity [{vx}, {vy}]")
    }
}

impl Expectation {
    /// Reads a file of the form `{"scenario": …, "expected": […], "position_tolerance": …}`.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is not sound; the error names the file, the place and what was expected.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        Self::parse(&path.as_ref().display().to_string(), &read_text(path.as_ref())?)
    }

    /// Reads an expectation from the text of a file called `file`.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn parse(file: &str, text: &str) -> Result<Self, ScenarioError> {
        Self::parse_with(file, text, None)
    }

    pub(crate) fn parse_with(file: &str, text: &str, seed: Option<u64>) -> Result<Self, ScenarioError> {
        let Object(ExpectationFile { scenario, expected, position_tolerance }) = parse_json(file, text)?;
        let scenario = Scenario::new(file, "scenario.", scenario.0, seed)?;
        check(&expected, &scenario).map_err(|problem| ScenarioError::Invalid { file: file.to_owned(), problem })?;
        let mut expected: Vec<_> = expected
            .into_iter()
            .map(|Object(expected)| expected)
            .flat_map(|ExpectedTick { tick, agents }| {
                agents.0.into_iter().map(move |(id, Object(agent))| (tick.0 as u64, id, agent))
            })
            .collect();
        expected.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        Ok(Self { scenario, expected, position_tolerance: position_tolerance.0 })
    }

    /// The scenario alone.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    pub(crate) fn into_scenario(self) -> Scenario {
        self.scenario
    }

    /// Runs the scenario and compares: positions may differ by the tolerance, velocities by the tolerance per tick.
    pub fn check(&self, threads: Threads) -> Outcome {
        let velocity_tolerance = self.position_tolerance / self.scenario.tick();
        let mut simulation = Simulation::new(&self.scenario, threads);
        let space = simulation.space();
        let mut outcome = Outcome { max_error: 0.0, mismatch: None };
        for (tick, id, expected) in &self.expected {
            while simulation.ticks_done() < *tick {
                simulation.step();
            }
            let found = simulation.agents().binary_search_by(|agent| agent.id.cmp(id));
            let got = found.ok().map(|index| simulation.agents()[index].clone());
            let (expected_position, expected_velocity) =
                (expected.position.map(|x| x.0), expected.velocity.map(|x| x.0));
            let within = got.as_ref().is_some_and(|got| {
                let position_error = distance(got.position, expected_position, space);
                let velocity_error = distance(got.velocity, expected_velocity, Space::default());
                outcome.max_error = outcome.max_error.max(position_error);
                // Not `>`: a state that is not a number is wrong too.
                position_error <= self.position_tolerance && velocity_error <= velocity_tolerance
            });
            if !within && outcome.mismatch.is_none() {
                outcome.mismatch =
                    Some(Mismatch { tick: *tick, id: id.clone(), got, expected_position, expected_velocity });
            }
        }
        outcome
    }
}

/// Distance in the precision of the file, unless that leads across the seam of a world that wraps.
fn distance(got: Vec2, expected: [f64; 2], space: Space) -> f64 {
    let straight = (f64::from(got.x) - expected[0]).hypot(f64::from(got.y) - expected[1]);
    let across = space.displacement(got, Vec2::new(expected[0] as f32, expected[1] as f32));
    straight.min(f64::from(across.length()))
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
        for id in expected.agents.0.keys() {
            if !ids.contains(id.as_str()) {
                return Err(format!(
                    "expected[{index}].agents: expected ids of agents of the scenario, but none is called `{id}`"
                ));
            }
        }
    }
    Ok(())
}

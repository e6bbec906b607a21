//! A scenario together with its expected motion.

use std::fmt;
use std::path::Path;

use bevy_steerling::math::Vector;
use bevy_steerling::math::space::Space;

use crate::dimension::DIMENSIONS;
use crate::scenario::error::ScenarioError;
use crate::scenario::expected::{ExpectedMotion, parse_wrapped};
use crate::scenario::scene::Scenario;
use crate::scenario::text::read_text;
use crate::simulation::agents::AgentState;
use crate::simulation::headless::Simulation;
use crate::simulation::threads::Threads;

/// A scenario, the expected states of its agents at certain ticks, and the tolerance.
#[derive(Clone, Debug)]
pub struct Expectation {
    scenario: Scenario,
    motion: ExpectedMotion,
}

/// The result of the comparison of a run with the expected motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The largest distance of an agent from its expected position, units.
    pub max_error: f64,
    /// The first state, by tick and then by id, that differed by more than the tolerance.
    pub mismatch: Option<Mismatch>,
}

/// A state that differs from the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// The number of ticks.
    pub tick: u64,
    /// The id of the agent.
    pub id: String,
    /// The state of the agent, unless a gate removed it.
    pub got: Option<AgentState>,
    /// The expected position, units.
    pub expected_position: [f64; DIMENSIONS],
    /// The expected velocity, units/s.
    pub expected_velocity: [f64; DIMENSIONS],
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, id, got, expected_position, expected_velocity } = self;
        write!(formatter, "tick {tick} agent {id}: got ")?;
        match got.as_ref().map(|got| (got.position, got.velocity)) {
            Some((p, v)) => write!(formatter, "position {} velocity {}", list(p.to_array()), list(v.to_array())),
            None => write!(formatter, "none, because a gate or a goal has removed it"),
        }?;
        write!(formatter, ", expected position {} velocity {}", list(*expected_position), list(*expected_velocity))
    }
}

fn list(numbers: [impl ToString; DIMENSIONS]) -> String {
    format!("[{}]", numbers.map(|number| number.to_string()).join(", "))
}

impl Expectation {
    /// Reads a file of the form `{"scenario": …, "expected": […], "position_tolerance": …}`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not valid. The error gives the file, the place and what was expected there.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        Self::parse(&path.as_ref().display().to_string(), &read_text(path.as_ref())?)
    }

    /// Reads an expectation from the text of a file called `file`.
    ///
    /// # Errors
    ///
    /// The same as for [`read`](Self::read).
    pub fn parse(file: &str, text: &str) -> Result<Self, ScenarioError> {
        parse_wrapped(file, text, None).map(|(scenario, motion)| Self { scenario, motion })
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Runs the scenario and compares its states. Positions may differ by the tolerance, and velocities by the
    /// tolerance per tick.
    pub fn check(&self, threads: Threads) -> Outcome {
        let velocity_tolerance = self.motion.position_tolerance / self.scenario.tick();
        let mut simulation = Simulation::new(&self.scenario, threads);
        let space = simulation.space();
        let mut outcome = Outcome { max_error: 0.0, mismatch: None };
        for (tick, id, expected) in &self.motion.states {
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
                // `<=` is false for NaN, so such a state is a mismatch too.
                position_error <= self.motion.position_tolerance && velocity_error <= velocity_tolerance
            });
            if !within && outcome.mismatch.is_none() {
                outcome.mismatch =
                    Some(Mismatch { tick: *tick, id: id.clone(), got, expected_position, expected_velocity });
            }
        }
        outcome
    }
}

/// The distance in the precision of the file, or across the seam of a world that wraps if that is shorter.
fn distance(got: Vector, expected: [f64; DIMENSIONS], space: Space) -> f64 {
    let straight = got.to_array().into_iter().zip(expected).map(|(got, expected)| f64::from(got) - expected);
    let straight = straight.fold(0.0, f64::hypot);
    let across = space.displacement(got, Vector::from(expected.map(|coordinate| coordinate as f32)));
    straight.min(f64::from(across.length()))
}

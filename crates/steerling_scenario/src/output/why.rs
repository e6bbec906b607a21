//! The contributions of behaviors as CSV.

use std::io;

use bevy_steerling::engine::contribution::Outcome;
use bevy_steerling::prelude::{BehaviorName, Formation, InFormation};

use crate::behaviors::key_of;
use crate::output::csv::{columns, coordinates, csv_writer, shortest};
use crate::simulation::headless::Simulation;

/// Writes the contribution of each behavior as CSV (RFC 4180):
/// `tick,time,id,behavior,raw_x,raw_y,weighted_x,weighted_y,applied_x,applied_y,outcome`, with more columns for z in three dimensions.
/// Rows are ordered by tick, by id and then in the order of application. Behaviors have the names of their JSON keys, and what comes of
/// a formation is called `formation`; `outside` and `rounding` are contributions of no behavior.
///
/// The [`Simulation`] must be of a scenario that is [`explained`](crate::Scenario::explained).
pub struct Why<W: io::Write> {
    rows: csv::Writer<W>,
}

impl<W: io::Write> Why<W> {
    /// Starts a table with its header.
    ///
    /// # Errors
    ///
    /// If `output` cannot be written to.
    pub fn new(output: W) -> io::Result<Self> {
        let names = ["tick", "time", "id", "behavior"].map(str::to_owned).into_iter();
        let forces = ["raw_", "weighted_", "applied_"].into_iter().flat_map(columns);
        csv_writer(output, names.chain(forces).chain(["outcome".to_owned()])).map(|rows| Self { rows })
    }

    /// Writes the contributions in the last tick. Before the first tick there are none.
    ///
    /// # Errors
    ///
    /// If the output cannot be written to.
    pub fn record(&mut self, simulation: &Simulation) -> io::Result<()> {
        let tick = simulation.ticks_done().to_string();
        let time = shortest(simulation.time());
        for (agent, trace) in simulation.traces() {
            for contribution in &trace.contributions {
                let names = [&tick, &time, &agent.id, name(&contribution.behavior)].map(str::to_owned).into_iter();
                let forces = [contribution.raw, contribution.weighted, contribution.applied];
                let outcome = word(contribution.outcome).to_owned();
                self.rows.write_record(names.chain(forces.into_iter().flat_map(coordinates)).chain([outcome]))?;
            }
        }
        Ok(())
    }

    /// Writes the buffered rows and returns the output.
    ///
    /// # Errors
    ///
    /// If the output cannot be written to.
    pub fn finish(self) -> io::Result<W> {
        self.rows.into_inner().map_err(|error| error.into_error())
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Applied => "applied",
        Outcome::Idle => "idle",
        Outcome::Truncated => "truncated",
        Outcome::Spent => "spent",
        Outcome::Outranked => "outranked",
        Outcome::BelowThreshold => "below_threshold",
        Outcome::NotDrawn => "not_drawn",
        Outcome::NotFinite => "not_finite",
    }
}

/// The JSON key of a behavior, `formation`, or the name of a contribution of no behavior.
fn name(behavior: &BehaviorName) -> &str {
    if behavior.is::<InFormation>() || behavior.is::<Formation>() {
        return "formation";
    }
    key_of(behavior).unwrap_or_else(|| behavior.path())
}

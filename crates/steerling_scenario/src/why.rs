//! Why agents do what they do, tick by tick, as CSV.

use std::io;

use bevy_steerling::prelude::Outcome;

use crate::simulation::Simulation;
use crate::trace::{rows, shortest};

/// Writes what each behavior wanted and what became of it as CSV (RFC 4180):
/// `tick,time,id,behavior,raw_x,raw_y,weighted_x,weighted_y,applied_x,applied_y,outcome`, ordered by tick, by id and then as it was
/// applied. Behaviors are called as in the file; `outside` and `rounding` are what comes from none.
///
/// Of a [`Simulation`] of a scenario that is [`explained`](crate::Scenario::explained).
pub struct Why<W: io::Write> {
    rows: csv::Writer<W>,
}

impl<W: io::Write> Why<W> {
    /// Starts with the header.
    ///
    /// # Errors
    ///
    /// When `output` cannot be written to.
    pub fn new(output: W) -> io::Result<Self> {
        let forces = ["raw_x", "raw_y", "weighted_x", "weighted_y", "applied_x", "applied_y"];
        rows(output, &[&["tick", "time", "id", "behavior"], &forces[..], &["outcome"]].concat())
            .map(|rows| Self { rows })
    }

    /// Writes what happened in the last tick. Before the first one that is nothing.
    ///
    /// # Errors
    ///
    /// When the output cannot be written to.
    pub fn record(&mut self, simulation: &Simulation) -> io::Result<()> {
        let tick = simulation.ticks_done().to_string();
        let time = shortest(simulation.time());
        for (agent, trace) in simulation.traces() {
            for contribution in &trace.contributions {
                let (raw, weighted, applied) = (contribution.raw, contribution.weighted, contribution.applied);
                let [a, b, c, d, e, f] = [raw.x, raw.y, weighted.x, weighted.y, applied.x, applied.y].map(shortest);
                let behavior = snake_case(&contribution.behavior);
                let outcome = word(contribution.outcome);
                self.rows.write_record([&tick, &time, &agent.id, &behavior, &a, &b, &c, &d, &e, &f, outcome])?;
            }
        }
        Ok(())
    }

    /// Writes what is still buffered and hands the output back.
    ///
    /// # Errors
    ///
    /// When the output cannot be written to.
    pub fn finish(self) -> io::Result<W> {
        self.rows.into_inner().map_err(|error| error.into_error())
    }
}

/// The name of a type as it is in files.
fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 2);
    for (place, letter) in name.char_indices() {
        if letter.is_uppercase() && place > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
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

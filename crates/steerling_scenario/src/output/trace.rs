//! The motion of a run as CSV.

use std::io;

use crate::output::csv::{csv_writer, shortest};
use crate::simulation::headless::Simulation;

/// Writes the motion of a run as CSV (RFC 4180): `tick,time,id,x,y,vx,vy`, one row per agent and tick, ordered by tick
/// and then by id. Numbers have the shortest form that parses back to exactly the same number.
pub struct Trace<W: io::Write> {
    rows: csv::Writer<W>,
}

impl<W: io::Write> Trace<W> {
    /// Starts a trace with its header.
    ///
    /// # Errors
    ///
    /// If `output` cannot be written to.
    pub fn new(output: W) -> io::Result<Self> {
        csv_writer(output, &["tick", "time", "id", "x", "y", "vx", "vy"]).map(|rows| Self { rows })
    }

    /// Writes the current state of all agents.
    ///
    /// # Errors
    ///
    /// If the output cannot be written to.
    pub fn record(&mut self, simulation: &Simulation) -> io::Result<()> {
        let tick = simulation.ticks_done().to_string();
        let time = shortest(simulation.time());
        for agent in simulation.agents() {
            let [x, y, vx, vy] = [agent.position.x, agent.position.y, agent.velocity.x, agent.velocity.y].map(shortest);
            self.rows.write_record([&tick, &time, &agent.id, &x, &y, &vx, &vy])?;
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

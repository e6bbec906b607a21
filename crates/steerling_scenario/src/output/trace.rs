//! The motion of a run as CSV.

use std::io;

use crate::output::csv::{columns, coordinates, csv_writer, shortest};
use crate::simulation::headless::Simulation;

/// Writes the motion of a run as CSV (RFC 4180): `tick,time,id,x,y,vx,vy`, or `tick,time,id,x,y,z,vx,vy,vz` in three dimensions. There is
/// one row per agent and tick, ordered by tick and then by id. Numbers have the shortest form that parses back to exactly the same number.
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
        let names = ["tick", "time", "id"].map(str::to_owned).into_iter();
        csv_writer(output, names.chain(columns("")).chain(columns("v"))).map(|rows| Self { rows })
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
            let row = [tick.clone(), time.clone(), agent.id.clone()].into_iter();
            self.rows.write_record(row.chain(coordinates(agent.position)).chain(coordinates(agent.velocity)))?;
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

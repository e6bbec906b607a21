//! The motion of a run, tick by tick, as CSV.

use std::io;

use crate::simulation::Simulation;

/// Writes the motion of a run as CSV (RFC 4180): `tick,time,id,x,y,vx,vy`, one row per agent per tick, ordered by tick and
/// then by id. Numbers are in the shortest form that reads back as exactly the same number.
pub struct Trace<W: io::Write> {
    rows: csv::Writer<W>,
}

impl<W: io::Write> Trace<W> {
    /// Starts a trace with its header.
    ///
    /// # Errors
    ///
    /// When `output` cannot be written to.
    pub fn new(output: W) -> io::Result<Self> {
        rows(output, &["tick", "time", "id", "x", "y", "vx", "vy"]).map(|rows| Self { rows })
    }

    /// Writes where all agents are now.
    ///
    /// # Errors
    ///
    /// When the output cannot be written to.
    pub fn record(&mut self, simulation: &Simulation) -> io::Result<()> {
        let tick = simulation.ticks_done().to_string();
        let time = shortest(simulation.time());
        for agent in simulation.agents() {
            let [x, y, vx, vy] = [agent.position.x, agent.position.y, agent.velocity.x, agent.velocity.y].map(shortest);
            self.rows.write_record([&tick, &time, &agent.id, &x, &y, &vx, &vy])?;
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

/// Starts CSV with its header.
pub(crate) fn rows<W: io::Write>(output: W, header: &[&str]) -> io::Result<csv::Writer<W>> {
    let mut rows = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(output);
    rows.write_record(header)?;
    Ok(rows)
}

/// A number in its shortest exact form: `{:?}` has the fewest digits that read back the same, and an exponent where
/// there would be many zeros.
pub(crate) fn shortest(number: impl std::fmt::Debug) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact() {
        for (number, text) in [(0.1_f32, "0.1"), (3.0, "3"), (-0.0, "-0"), (1e-7, "1e-7"), (1e20, "1e20")] {
            assert_eq!(shortest(number), text);
            assert_eq!(text.parse::<f32>().unwrap().to_bits(), number.to_bits());
        }
    }
}

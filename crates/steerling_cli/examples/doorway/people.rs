//! Measurements of people, and how agents compare with them.

use std::error::Error;
use std::fs;

use serde::Deserialize;
use steerling_scenario::Summary;

use crate::doorways::{Doorways, compared_flows};
use crate::runs::{flow, mean};
use crate::scenes::WIDTHS;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/pedestrians/people.json");
/// Factors for the minimum and the maximum flow that give the band that counts as human.
pub const BAND: (f64, f64) = (0.75, 1.25);

#[derive(Deserialize)]
pub struct People {
    pub doorways: Vec<Doorways>,
}

/// The flow of people through a door, as measured in experiments.
#[derive(Clone, Copy)]
pub struct Measured {
    pub count: usize,
    /// The minimum and the maximum flow, 1/s.
    pub least: f64,
    pub most: f64,
}

impl People {
    pub fn read() -> Result<Self, Box<dyn Error>> {
        let text = fs::read_to_string(FILE).map_err(|error| format!("{FILE}: {error}"))?;
        Ok(serde_json::from_str(&text)?)
    }

    /// The flow through a door of this width in the experiments that are compared.
    pub fn at(&self, width: f64) -> Measured {
        let flows = compared_flows(&self.doorways, width);
        let [least, most] = [f64::min, f64::max].map(|which| flows.iter().copied().reduce(which).unwrap_or(f64::NAN));
        Measured { count: flows.len(), least, most }
    }
}

impl Measured {
    /// The band that counts as human, 1/s.
    pub fn band(&self) -> (f64, f64) {
        (BAND.0 * self.least, BAND.1 * self.most)
    }

    pub fn is_in_band(&self, flow: f64) -> bool {
        let (low, high) = self.band();
        (low..=high).contains(&flow)
    }

    /// How far a flow is from the nearest measured one, as a share of that: negative below all, positive above, 0 between.
    pub fn off(&self, flow: f64) -> f64 {
        flow / flow.clamp(self.least, self.most) - 1.0
    }
}

/// The flow of agents through a door, beside that of people.
pub struct Comparison {
    pub width: f64,
    /// The mean of the seeds, 1/s.
    pub flow: f64,
    /// The least and the greatest flow with a seed, 1/s.
    pub range: [f64; 2],
    pub measured: Measured,
}

impl Comparison {
    /// The comparisons of all doors. `runs` has all seeds of the first door, then of the next.
    pub fn all(runs: &[Summary], people: &People) -> Vec<Self> {
        let chunks = runs.chunks(runs.len() / WIDTHS.len());
        WIDTHS.iter().zip(chunks).map(|(width, runs)| Self::new(*width, runs, people)).collect()
    }

    fn new(width: f64, runs: &[Summary], people: &People) -> Self {
        let flows = || runs.iter().map(flow);
        let range = [f64::min, f64::max].map(|which| flows().reduce(which).unwrap_or_default());
        Self { width, flow: mean(flows()), range, measured: people.at(width) }
    }

    /// How far the mean is from the nearest flow that was measured, as a share of that.
    pub fn off(&self) -> f64 {
        self.measured.off(self.flow)
    }
}

//! Measurements of people.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::doorways::{Doorways, compared_flows};

#[derive(Deserialize)]
pub struct People {
    weidmann: Weidmann,
    pub doorways: Vec<Doorways>,
}

/// Weidmann's formula of the speed of people.
#[derive(Deserialize)]
struct Weidmann {
    /// m/s.
    free_speed: f64,
    /// 1/m².
    gamma: f64,
    /// The density at which nobody moves, 1/m².
    jam_density: f64,
}

impl People {
    pub fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(serde_json::from_str(&text)?)
    }

    /// The speed at a density, 1/m², in m/s.
    pub fn speed(&self, density: f64) -> f64 {
        let Weidmann { free_speed, gamma, jam_density } = self.weidmann;
        free_speed * (1.0 - (-gamma * (1.0 / density - 1.0 / jam_density)).exp())
    }

    /// The mean of the compared flows through a door, 1/s.
    pub fn flow(&self, width: f64) -> Option<f64> {
        let flows = compared_flows(&self.doorways, width);
        (!flows.is_empty()).then(|| flows.iter().sum::<f64>() / flows.len() as f64)
    }
}

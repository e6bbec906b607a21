//! Measurements of people.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde::Deserialize;

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

/// The flow through doorways in an experiment.
#[derive(Deserialize)]
pub struct Doorways {
    pub experiment: String,
    /// Whether `JuPedSim` compares simulations with it.
    pub compared: bool,
    /// The widths, m, and the flows, 1/s.
    pub width_and_flow: Vec<[f64; 2]>,
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
        let compared = self.doorways.iter().filter(|doorways| doorways.compared);
        let measured = compared.flat_map(|doorways| &doorways.width_and_flow);
        let flows: Vec<f64> = measured.filter(|[at, _]| (at - width).abs() < 1e-6).map(|[_, flow]| *flow).collect();
        (!flows.is_empty()).then(|| flows.iter().sum::<f64>() / flows.len() as f64)
    }
}

//! What ORCA does in the same cases.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use serde::Deserialize;

/// What became of a case. The suite's own cases and those with large crowds have different fields.
#[derive(Clone, Deserialize)]
pub struct Orca {
    agents: usize,
    #[serde(alias = "best_reached")]
    pub reached: usize,
    #[serde(alias = "collisions_best")]
    unique_collisions_total: Option<u32>,
    /// The mean time of those that reached their goals, seconds.
    #[serde(alias = "best_mean_time")]
    pub mean_time: Option<f64>,
    /// Whether it solves the case without random noise; not recorded for large crowds.
    solved_without_jitter: Option<bool>,
}

impl Orca {
    pub fn collides(&self) -> bool {
        self.unique_collisions_total.is_some_and(|collisions| collisions > 0)
    }

    /// Whether all agents reach their goals without a collision and without random noise.
    pub fn is_solved(&self) -> bool {
        self.has_all() && self.unique_collisions_total == Some(0) && self.solved_without_jitter.unwrap_or(true)
    }

    /// Whether all agents reach their goals.
    pub fn has_all(&self) -> bool {
        self.reached == self.agents
    }
}

/// Reads the outcomes by the names of the cases.
pub fn read(path: &Path) -> Result<BTreeMap<String, Orca>, Box<dyn Error>> {
    #[derive(Deserialize)]
    struct File {
        cases: BTreeMap<String, Orca>,
    }

    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(serde_json::from_str::<File>(&text)?.cases)
}

//! Experiments with people at doors.

use serde::Deserialize;

/// The flow through doorways in an experiment.
#[derive(Deserialize)]
pub struct Doorways {
    pub experiment: String,
    /// Whether `JuPedSim` compares simulations with it.
    pub compared: bool,
    /// The widths, m, and the flows, 1/s.
    pub width_and_flow: Vec<[f64; 2]>,
}

/// The flows through a door of this width in the compared experiments, 1/s.
pub fn compared_flows(experiments: &[Doorways], width: f64) -> Vec<f64> {
    let compared = experiments.iter().filter(|doorways| doorways.compared);
    let measured = compared.flat_map(|doorways| &doorways.width_and_flow);
    measured.filter(|[at, _]| (at - width).abs() < 1e-6).map(|[_, flow]| *flow).collect()
}

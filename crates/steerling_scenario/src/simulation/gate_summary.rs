//! The measurements of a gate.

use serde::Serialize;

/// The crossings of a gate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateSummary {
    /// The id in the file.
    pub id: String,
    /// The number of agents that crossed it, each counted once.
    pub crossings: usize,
    /// The time of the first crossing, seconds.
    pub first: Option<f64>,
    /// The time of the last crossing, seconds.
    pub last: Option<f64>,
    /// Crossings per second from the 11th to the last. `None` with fewer than 12 crossings, or if all were
    /// simultaneous.
    pub flow: Option<f64>,
    /// The longest time without a crossing while at least two agents had yet to cross, seconds. It is measured from the
    /// start or a crossing to the next crossing or the end of the run. `None` with fewer than two agents.
    pub longest_gap: Option<f64>,
    /// The rank correlation (Kendall's τ-b) between the distance at the start and the time of crossing, among the
    /// agents that crossed: 1 if the nearest cross first, -1 for the opposite order. `None` with fewer than two
    /// crossings, or without an order.
    pub order_tau: Option<f64>,
}

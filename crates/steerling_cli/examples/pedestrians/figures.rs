//! The figures of the page.

use crate::chart::{Axis, Chart};
use crate::people::People;
use crate::results::{BAND, DENSE, flow, flows, speeds};
use crate::runs::Runs;
use crate::scenes::{DOORWAYS, MAX_SPEED};

const OURS: &str = "#ffab40";
const PEOPLE: &str = "#5cb8ff";
const OTHERS: &str = "#8a93a6";

/// The speed over the density, with Weidmann's curve.
pub fn speed(runs: &Runs, people: &People) -> String {
    let axes =
        [Axis { title: "people per m²", end: 5.0, step: 1.0 }, Axis { title: "speed, m/s", end: 1.6, step: 0.2 }];
    let curve = |from: f64, to: f64, factor: f64| -> Vec<[f64; 2]> {
        let densities = (0..=100).map(|k| from + (to - from) * f64::from(k) / 100.0);
        densities.map(|density| [density, (factor * people.speed(density)).min(MAX_SPEED * (1.0 + BAND))]).collect()
    };
    let lowest = 0.2;
    let mut band = curve(lowest, DENSE, 1.0 + BAND);
    band.extend(curve(lowest, DENSE, 1.0 - BAND).into_iter().rev());
    let ours: Vec<[f64; 2]> = speeds(runs, people).iter().map(|speed| [speed.density, speed.speed]).collect();
    Chart::new("Speed over density", axes, 390.0)
        .area(&format!("±{:.0} %", 100.0 * BAND), &band, PEOPLE)
        .line("people (Weidmann 1993)", &curve(lowest, 5.0, 1.0), PEOPLE)
        .line("", &ours, OURS)
        .dots("agents", &ours, 4.0, OURS)
        .finish()
}

/// The flow over the width of the door, with the experiments.
pub fn doorways(runs: &Runs, people: &People) -> String {
    let axes = [
        Axis { title: "width of the door, m", end: 3.0, step: 0.5 },
        Axis { title: "people per second", end: 7.0, step: 1.0 },
    ];
    let measured = |compared: bool| -> Vec<[f64; 2]> {
        let experiments = people.doorways.iter().filter(|doorways| doorways.compared == compared);
        let points = experiments.flat_map(|doorways| doorways.width_and_flow.iter().copied());
        points.filter(|[width, flow]| *width <= axes[0].end && *flow <= axes[1].end).collect()
    };
    let (compared, others) = (measured(true), measured(false));
    let names = |compared: bool| -> String {
        let experiments = people.doorways.iter().filter(|doorways| doorways.compared == compared);
        experiments.map(|doorways| doorways.experiment.as_str()).collect::<Vec<_>>().join(", ")
    };
    let ours = DOORWAYS.map(|width| [width, flow(runs, width)]);
    let ranges = DOORWAYS.map(|width| {
        let flows = flows(runs, width);
        (width, [f64::min, f64::max].map(|which| flows.into_iter().reduce(which).unwrap_or_default()))
    });
    Chart::new("Flow through doorways", axes, 0.0)
        .dots(&format!("people: {}", names(true)), &compared, 3.0, PEOPLE)
        .dots(&format!("people: {}", names(false)), &others, 3.0, OTHERS)
        .line("", &ours, OURS)
        .ranges(&ranges, OURS)
        .dots("agents: mean and range of the seeds", &ours, 3.0, OURS)
        .finish()
}

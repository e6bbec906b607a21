//! The figure of the page.

use crate::chart::{Axis, Chart};
use crate::people::{Comparison, People};

const OURS: &str = "#ffab40";
const BAND: &str = "#a9b8cc";
/// The colors of the experiments that are compared, and of the others.
const COMPARED: [&str; 3] = ["#5cb8ff", "#63e6be", "#d0a2ff"];
const OTHERS: [&str; 4] = ["#8a93a6", "#b0a070", "#a07c8c", "#6f8f6f"];

/// The flow over the width of the door: agents, and people by experiment.
pub fn flows(comparisons: &[Comparison], people: &People) -> String {
    let axes =
        [Axis { title: "width of the door, m", end: 3.0, step: 0.5 }, Axis { title: "flow, 1/s", end: 7.0, step: 1.0 }];
    let ends = [axes[0].end, axes[1].end];
    let band = |of: fn((f64, f64)) -> f64| comparisons.iter().map(move |door| [door.width, of(door.measured.band())]);
    let band: Vec<_> = band(|band| band.0).chain(band(|band| band.1).rev()).collect();
    let ours: Vec<_> = comparisons.iter().map(|door| [door.width, door.flow]).collect();
    let ranges: Vec<_> = comparisons.iter().map(|door| (door.width, door.range)).collect();
    let mut chart = Chart::new("Flow through a door", axes, 0.0)
        .area("0.75 of the minimum to 1.25 of the maximum", &band, BAND)
        .line("", &ours, OURS)
        .ranges(&ranges, OURS)
        .dots("agents: mean and range of the seeds", &ours, 2.5, OURS);
    for (is_compared, colors, radius) in [(true, &COMPARED[..], 2.5), (false, &OTHERS[..], 2.0)] {
        let experiments = people.doorways.iter().filter(|doorways| doorways.compared == is_compared);
        for (doorways, color) in experiments.zip(colors) {
            let inside = |point: &&[f64; 2]| point.iter().zip(ends).all(|(number, end)| *number <= end);
            let points: Vec<_> = doorways.width_and_flow.iter().filter(inside).copied().collect();
            let note = if is_compared { "" } else { " (not compared)" };
            chart = chart.dots(&format!("people: {}{note}", doorways.experiment), &points, radius, color);
        }
    }
    chart.finish()
}

//! The page.

use std::fmt::Display;

use crate::people::People;
use crate::runs::{Runs, SEEDS};
use crate::scenes::{DOORWAYS, doorway_file};
use crate::tests::{BAND, COMPARED, DEEPEST, DENSE, DIFFERENCE, flow, rows, speeds};

/// Prints the page.
pub fn print(runs: &Runs, people: &People) {
    println!("{INTRODUCTION}");
    println!("| test | measure | result | goal |\n|---|---|---|---|");
    for row in rows(runs) {
        println!("| {} | {} | {} | {} |", row.test, row.measure, judged(row.result, row.is_met), row.goal);
    }
    print_speeds(runs, people);
    print_doorways(runs, people);
    print!("{MISSED}");
}

fn print_speeds(runs: &Runs, people: &People) {
    println!("{SPEEDS}");
    println!(
        "Up to {DENSE} people per m², the speed must be within ±{:.0} % of Weidmann's; it must never grow with the density; overlaps may be",
        100.0 * BAND
    );
    println!("at most {} mm deep.\n", 1000.0 * DEEPEST);
    println!(
        "| people per m² | speed (m/s) | Weidmann (m/s) | ratio | falls | deepest overlap (mm) |\n|---|---|---|---|---|---|"
    );
    let mut before = f64::INFINITY;
    for speed in speeds(runs, people) {
        println!(
            "| {:.2} | {:.2} | {:.2} | {} | {} | {} |",
            speed.density,
            speed.speed,
            speed.of_people,
            judged(format!("{:.2}", speed.ratio()), speed.is_met()),
            mark(speed.speed <= before + 1e-3),
            judged(format!("{:.1}", 1000.0 * speed.deepest), speed.deepest <= DEEPEST),
        );
        before = speed.speed;
    }
}

fn print_doorways(runs: &Runs, people: &People) {
    println!("{DOORS}");
    println!(
        "| width (m) | through | J (1/s) | people (1/s) | difference | deepest overlap (mm) |\n|---|---|---|---|---|---|"
    );
    let mut differences = Vec::new();
    for width in DOORWAYS {
        let runs_here = SEEDS.map(|seed| runs.with_seed(&doorway_file(width), seed));
        let through: usize = runs_here.iter().map(|run| run.summary.gates[0].crossings).sum();
        let of: usize = runs_here.iter().map(|run| run.summary.agents).sum();
        let deepest = runs_here.iter().map(|run| run.deepest()).fold(0.0, f64::max);
        let (flow, of_people) = (flow(runs, width), people.flow(width).unwrap_or(f64::NAN));
        if COMPARED.contains(&width) {
            differences.push((flow - of_people).abs());
        }
        println!(
            "| {width:.1} | {} | {flow:.2} | {of_people:.2} | {:+.2} | {} |",
            judged(format!("{through} of {of}"), through == of),
            flow - of_people,
            judged(format!("{:.1}", 1000.0 * deepest), deepest <= DEEPEST),
        );
    }
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    let widths = COMPARED.map(|width| format!("{width:.1}")).join(", ");
    println!(
        "\nThe mean difference at {widths} m is {}/s; JuPedSim accepts up to {DIFFERENCE}/s.",
        judged(format!("{mean:.2}"), mean <= DIFFERENCE)
    );
}

fn mark(is_met: bool) -> char {
    if is_met { '✓' } else { '✗' }
}

/// A result with its verdict.
fn judged(result: impl Display, is_met: bool) -> String {
    format!("{result} {}", mark(is_met))
}

const INTRODUCTION: &str = "# Pedestrians

TODO
";

const SPEEDS: &str = "
## Speed and density
";

const DOORS: &str = "
## Doorways
";

const MISSED: &str = "
## Missed goals
";

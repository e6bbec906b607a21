//! The page.

use std::fmt::Display;

use crate::people::People;
use crate::results::{BAND, COMPARED, DEEPEST, DENSE, DIFFERENCE, flow, rows, speeds};
use crate::runs::{Runs, SEEDS};
use crate::scenes::{DOORWAYS, HEADWAY, MAX_FORCE, MAX_SPEED, RADIUS, doorway_file};

/// Prints the page.
pub fn print(runs: &Runs, people: &People) {
    println!("{}", introduction());
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
        "Goals: up to {DENSE} people per m² a speed within ±{:.0} % of Weidmann's; a speed that never grows with the density; overlaps of at most {} mm.\n",
        100.0 * BAND,
        1000.0 * DEEPEST
    );
    println!("![Speed over density](figures/pedestrians_speed.svg)\n");
    println!(
        "| people per m² | speed (m/s) | Weidmann (m/s) | ratio | does not grow | deepest overlap (mm) |\n|---|---|---|---|---|---|"
    );
    let mut before = f64::INFINITY;
    for speed in speeds(runs, people) {
        let ratio = format!("{:.2}", speed.ratio());
        println!(
            "| {:.2} | {:.2} | {:.2} | {} | {} | {} |",
            speed.density,
            speed.speed,
            speed.of_people,
            speed.is_met().map_or(ratio.clone(), |is_met| judged(&ratio, is_met)),
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

fn introduction() -> String {
    format!(
        "# Pedestrians

Simulators of evacuation are verified with the tests of the RiMEA guideline and of JuPedSim. This page has those that are about motion in the
plane. RiMEA 2, 3 and 13 are about stairs, 5, 7 and 8 about reaction times and the choice of parameters, 14 about the choice of a route.

`cargo run --release -p steerling_cli --example pedestrians -- --figures docs/figures` prints this page from the scenes in
`assets/scenarios/pedestrians` and draws its figures. With `-- make` it writes the scenes.

All people have a radius of {RADIUS} m, a max speed of {MAX_SPEED} m/s, a max force of {MAX_FORCE} N/kg, and the behaviors `follow_field`,
`avoid_obstacles`, and `queue` with a headway of {HEADWAY} s. All other parameters have their defaults. A tick is 1/60 s. There are three
exceptions:

- RiMEA 4: a ring has no goal, so `match_velocity` takes the place of `follow_field`. Its target is a walker behind the wall.
- JuPedSim 4 and 5: `avoid_neighbors` takes the place of `queue`, because an agent that queues waits behind one that stands in its way.
- JuPedSim 6: `follow_path` takes the place of `follow_field`, because a field has no order of goals.
"
    )
}

const SPEEDS: &str = "
## RiMEA 4: speed and density

People walk in a corridor of 20 m by 4 m in a world that wraps. The speed is the mean over everybody and the second half of a minute. It is
compared with Weidmann's curve (Transporttechnik der Fußgänger, 1993).
";

const DOORS: &str = "
## Doorways

Eighty people leave a room of 8 m by 8 m, as in [doorway.md](doorway.md). J is the number of crossings per second from the 11th on, the mean of
three seeds. It is compared with the mean of the experiments 2006EG, Kretz 2006 and Seyfried 2009 (jpscore, systemtest/Validation/test_13).

![Flow through doorways](figures/pedestrians_doorways.svg)
";

const MISSED: &str = "
## Missed goals

- RiMEA 9: the times are those of Vadere. They need 2.0 people per second through each of four exits of 1 m, and 2.5 through each of two. In the
  experiments above it was 1.86, which gives 135 s and 269 s. With four exits the agents are slower than that: in a large crowd, more come from
  the side along the wall, and `queue` keeps more room where ways cross.
- RiMEA 11 also expects that some take the farther exit when the nearer one is crowded. Here nobody does: a flow field knows distances, not
  queues.
- Doors wider than 2 m: fewer agents than people get through. [doorway.md](doorway.md#the-widest-door) shows what changes that.
- Beyond 2 people per m², where there is no goal, the speed is higher than that of people.
";

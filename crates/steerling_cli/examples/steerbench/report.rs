//! The page that compares all cases.

use std::fmt::Display;

use steerling_scenario::Summary;

use crate::orca::Orca;

/// The deepest overlap allowed, m.
const DEEPEST: f64 = 0.001;
/// The largest mean time of a case, and the largest mean over the cases, as shares of ORCA's.
const SLOWEST: f64 = 1.05;
const MEAN: f64 = 0.95;

/// A case: what came out, and what ORCA does.
pub struct Row {
    pub summary: Summary,
    pub orca: Orca,
}

/// Whether all agents reach their goals.
pub fn has_all(run: &Summary) -> bool {
    run.goals.reached == run.goals.of
}

/// The depth of the deepest overlap, m.
pub fn deepest(run: &Summary) -> f64 {
    run.collisions.with_agents.max_depth.max(run.collisions.with_obstacles.max_depth)
}

/// The overlaps with agents and with obstacles, if any is too deep.
pub fn collisions(run: &Summary) -> u64 {
    let overlaps = [&run.collisions.with_agents, &run.collisions.with_obstacles];
    overlaps.iter().filter(|overlaps| overlaps.max_depth > DEEPEST).map(|overlaps| overlaps.unique).sum()
}

pub fn is_solved(run: &Summary) -> bool {
    has_all(run) && deepest(run) <= DEEPEST
}

impl Row {
    /// The mean time as a share of ORCA's, if all agents reach their goals in both.
    fn ratio(&self) -> Option<f64> {
        let both = has_all(&self.summary) && self.orca.has_all();
        Some(self.summary.goals.mean_time? / self.orca.mean_time?).filter(|_| both)
    }
}

/// Prints the page.
pub fn print_page(rows: &[Row]) {
    println!("{}", introduction());
    println!(
        "| case | agents | at their goals | collisions | mean time (s) | ORCA: at their goals | ORCA: mean time (s) | ratio | ORCA solves it |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for row in rows {
        let goals = &row.summary.goals;
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.summary.name,
            goals.of,
            judged(goals.reached, has_all(&row.summary)),
            judged(collisions(&row.summary), collisions(&row.summary) == 0),
            number(goals.mean_time),
            row.orca.reached,
            number(row.orca.mean_time),
            row.ratio().map_or_else(|| "–".to_owned(), |ratio| judged(format!("{ratio:.3}"), ratio <= SLOWEST)),
            if row.orca.is_solved() { "yes" } else { "no" },
        );
    }
    print_totals(rows);
}

/// Prints which goals are missed, and why.
pub fn print_missed() {
    print!("{MISSED}");
}

const MISSED: &str = "
## Missed goals

- `free-tickets-100`: a hundred agents go to one point from all sides, and then away from it, through those that are still on their way. All
  come to the ends of their paths, but most of them pass the point up to 5 m away. ORCA gets 43 of them to the point, with collisions.
- The largest ratio: in `wall-squeeze`, three agents make way for each other at a gap.
- The mean ratio: on the shortest way at max speed it would be 0.93.
";

fn print_totals(rows: &[Row]) {
    let count = |is: fn(&Row) -> bool| rows.iter().filter(|row| is(row)).count();
    let ratios: Vec<f64> = rows.iter().filter_map(Row::ratio).collect();
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let slowest = ratios.iter().copied().fold(0.0, f64::max);
    let solved = count(|row| is_solved(&row.summary));
    println!("\n## Totals\n\n| measure | here | ORCA | goal |\n|---|---|---|---|");
    let all = rows.len();
    println!(
        "| cases solved, of {all} | {} | {} | all |",
        judged(solved, solved == all),
        count(|row| row.orca.is_solved())
    );
    println!(
        "| cases with collisions | {} | {} | 0 |",
        count(|row| collisions(&row.summary) > 0),
        count(|row| row.orca.collides())
    );
    println!(
        "| largest ratio of a case | {} | – | at most {SLOWEST} |",
        judged(format!("{slowest:.3}"), slowest <= SLOWEST)
    );
    println!(
        "| mean ratio of {} cases | {} | – | below {MEAN} |",
        ratios.len(),
        judged(format!("{mean:.3}"), mean < MEAN)
    );
}

fn introduction() -> String {
    format!(
        "# SteerBench

The cases of SteerBench (Singh, Kapadia, Faloutsos, Reinman: SteerBench: a benchmark suite for evaluating steering behaviors, 2009), next to
ORCA. Agents reach their goals in order and are removed at the last one, as in the suite. The crowds of the six largest cases start at
fixed places.

`cargo run --release -p steerling_cli --example steerbench` prints this page from the scenes in `assets/scenarios/steerbench`. With
`-- convert CASES` it makes these scenes from the suite's cases.

All agents have the same parameters: a radius of 0.5 m, a max speed of 1.33 m/s, a max force of 10 N/kg, and the behaviors `arrive`,
`avoid_obstacles` and `avoid_neighbors` with their defaults. With way points around obstacles, `follow_path` takes the place of `arrive`.
A tick is 1/20 s.

ORCA is the RVO2 library with the suite's parameters (`assets/steerbench/orca.json`). Where it gets stuck without random noise, its time is
that with noise, and the case counts as not solved.

| measure | goal |
|---|---|
| at their goals: agents whose center was within one radius of their goals, in order | all |
| collisions: overlaps with agents and obstacles, if any is deeper than {:.0} mm | 0 |
| mean time: from the start to the last goal, mean over the agents that reached it | – |
| ratio: of the mean time to ORCA's, where all agents reach their goals in both | at most {SLOWEST}; mean below {MEAN} |

A case is solved if all agents reach their goals without a collision.
",
        1000.0 * DEEPEST
    )
}

fn number(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.2}"))
}

/// A number with its verdict.
fn judged(number: impl Display, is_met: bool) -> String {
    format!("{number} {}", if is_met { '✓' } else { '✗' })
}

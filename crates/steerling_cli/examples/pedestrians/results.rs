//! The measures of the tests, and their goals.

use std::fmt::Display;

use bevy::math::Vec2;

use crate::people::People;
use crate::runs::{Run, Runs, SEEDS};
use crate::scenes::{ANGLES, DENSITIES, MAX_SPEED, corridor_file, density_file, doorway_file};

/// The deepest overlap allowed, m.
pub const DEEPEST: f64 = 0.001;
/// The densities up to which the speed must be in the band, 1/m², and the band, as a share of Weidmann's speed.
pub const DENSE: f64 = 2.0;
pub const BAND: f64 = 0.2;
/// The widths at which `JuPedSim` compares doorways, m, and the largest mean difference, 1/s.
pub const COMPARED: [f64; 5] = [1.2, 1.6, 2.0, 2.2, 2.5];
pub const DIFFERENCE: f64 = 0.5;
/// Bands of times, s.
const CORRIDOR_TIME: (f64, f64) = (26.0, 34.0);
const FOUR_EXITS_TIME: (f64, f64) = (108.0, 132.0);
const TWO_EXITS_TIME: (f64, f64) = (180.0, 220.0);
const EXITS_RATIO: (f64, f64) = (1.6, 2.4);
/// The least difference between the flows through two bottlenecks, 1/s.
const FLOW_DIFFERENCE: f64 = -0.05;
/// The tolerance of the time for 10 m, s.
const TIME_TOLERANCE: f64 = 0.1;

/// A row of the table.
pub struct Row {
    pub test: &'static str,
    pub measure: String,
    pub result: String,
    pub goal: String,
    pub is_met: bool,
}

impl Row {
    fn new(
        test: &'static str,
        measure: impl Into<String>,
        result: impl Display,
        goal: impl Display,
        is_met: bool,
    ) -> Self {
        Self { test, measure: measure.into(), result: result.to_string(), goal: goal.to_string(), is_met }
    }

    fn within(test: &'static str, measure: impl Into<String>, value: f64, (low, high): (f64, f64)) -> Self {
        Self::new(test, measure, format!("{value:.1}"), format!("{low} … {high}"), (low..=high).contains(&value))
    }
}

impl Run {
    /// The depth of the deepest overlap, m.
    pub fn deepest(&self) -> f64 {
        let collisions = &self.summary.collisions;
        collisions.with_agents.max_depth.max(collisions.with_obstacles.max_depth)
    }

    /// The number of people that crossed the gates.
    fn crossings(&self) -> usize {
        self.summary.gates.iter().map(|gate| gate.crossings).sum()
    }

    /// When the last one crossed a gate, s; infinite if not all of them did.
    fn time(&self) -> f64 {
        if self.crossings() < self.summary.agents {
            return f64::INFINITY;
        }
        self.summary.gates.iter().filter_map(|gate| gate.last).fold(0.0, f64::max)
    }

    fn overlap(&self, test: &'static str) -> Row {
        let (deepest, goal) = (1000.0 * self.deepest(), format!("at most {} mm", 1000.0 * DEEPEST));
        Row::new(test, "deepest overlap, mm", format!("{deepest:.1}"), goal, self.deepest() <= DEEPEST)
    }

    fn all_out(&self, test: &'static str) -> Row {
        let (out, of) = (self.crossings(), self.summary.agents);
        Row::new(test, "people out", out, of, out == of)
    }
}

/// The rows of all tests but the closed corridor and the doorways.
pub fn rows(runs: &Runs) -> Vec<Row> {
    let parts = [corridor(runs), corner(runs), exits(runs), assigned(runs), nearer(runs), series(runs), juelich(runs)];
    parts.into_iter().flatten().collect()
}

fn corridor(runs: &Runs) -> Vec<Row> {
    const TEST: &str = "RiMEA 1";
    let times = ANGLES.map(|degrees| runs.of_file(&corridor_file(degrees)).time());
    let mut rows: Vec<Row> = ANGLES
        .iter()
        .zip(times)
        .map(|(degrees, time)| Row::within(TEST, format!("time for 40 m at {degrees}°, s"), time, CORRIDOR_TIME))
        .collect();
    let tick = runs.of_file(&corridor_file(ANGLES[0])).summary.tick;
    let [shortest, longest] = [f64::min, f64::max].map(|which| times.into_iter().reduce(which).unwrap_or_default());
    let difference = longest - shortest;
    let goal = format!("at most a tick, {tick:.4}");
    rows.push(Row::new(TEST, "difference between the angles, s", format!("{difference:.4}"), goal, difference <= tick));
    rows
}

fn corner(runs: &Runs) -> Vec<Row> {
    const TEST: &str = "RiMEA 6";
    let run = runs.of_file("rimea_06");
    vec![run.all_out(TEST), run.overlap(TEST)]
}

fn exits(runs: &Runs) -> Vec<Row> {
    const TEST: &str = "RiMEA 9";
    let [four, two] = ["rimea_09_4_exits", "rimea_09_2_exits"].map(|file| runs.of_file(file));
    vec![
        Row::within(TEST, "time with four exits, s", four.time(), FOUR_EXITS_TIME),
        four.overlap(TEST),
        Row::within(TEST, "time with two exits, s", two.time(), TWO_EXITS_TIME),
        two.overlap(TEST),
        Row::within(TEST, "ratio of the times", two.time() / four.time(), EXITS_RATIO),
    ]
}

fn assigned(runs: &Runs) -> Vec<Row> {
    const TEST: &str = "RiMEA 10";
    let run = runs.of_file("rimea_10");
    let (main, secondary) = (Vec2::new(6.6, 11.0), Vec2::new(18.0, 5.5));
    let right = run.agents.iter().filter(|(id, way)| {
        let (own, other) = if id.starts_with("main") { (main, secondary) } else { (secondary, main) };
        way.end.distance(own) < way.end.distance(other)
    });
    let (right, of) = (right.count().min(run.crossings()), run.summary.agents);
    vec![Row::new(TEST, "people out by their own exit", right, of, right == of), run.overlap(TEST)]
}

fn nearer(runs: &Runs) -> Vec<Row> {
    const TEST: &str = "RiMEA 11";
    let run = runs.of_file("rimea_11");
    let exits = [Vec2::new(21.5, 20.0), Vec2::new(27.5, 20.0)];
    let is_first = |place: Vec2| place.distance(exits[0]) < place.distance(exits[1]);
    let nearer = run.agents.values().filter(|way| is_first(way.start) == is_first(way.end)).count();
    let of = run.summary.agents;
    vec![
        run.all_out(TEST),
        Row::new(TEST, "of them by the nearer exit", nearer, format!("more than {}", of / 2), nearer > of / 2),
        run.overlap(TEST),
    ]
}

fn series(runs: &Runs) -> Vec<Row> {
    const TEST: &str = "RiMEA 12";
    let run = runs.of_file("rimea_12");
    let flow = |gate: usize| run.summary.gates[gate].flow.unwrap_or_default();
    let (out, of) = (run.summary.gates[1].crossings, run.summary.agents);
    let (difference, goal) = (flow(0) - flow(1), format!("at least {FLOW_DIFFERENCE}"));
    let result = format!("{:.2} − {:.2} = {difference:+.2}", flow(0), flow(1));
    vec![
        Row::new(TEST, "people out", out, of, out == of),
        Row::new(TEST, "flow at the first − at the second, 1/s", result, goal, difference >= FLOW_DIFFERENCE),
        run.overlap(TEST),
    ]
}

fn juelich(runs: &Runs) -> Vec<Row> {
    const TESTS: [&str; 3] = ["JuPedSim 4", "JuPedSim 5", "JuPedSim 6"];
    let [passing, stopping, straight] = [4, 5, 6].map(|test| runs.of_file(&format!("juelich_{test}")));
    let (passed, speed) = (passing.crossings() == 1, stopping.agents["walker"].velocity.length());
    let (goals, time, full_speed) = (&straight.summary.goals, straight.time(), 10.0 / MAX_SPEED);
    let goal = format!("{full_speed:.2} ± {TIME_TOLERANCE}");
    vec![
        Row::new(TESTS[0], "passes one who stands", if passed { "yes" } else { "no" }, "yes", passed),
        passing.overlap(TESTS[0]),
        Row::new(TESTS[1], "speed at the end, m/s", format!("{speed:.3}"), 0, speed < 1e-3),
        stopping.overlap(TESTS[1]),
        Row::new(TESTS[2], "goes through all its goals", goals.reached, goals.of, goals.reached == goals.of),
        Row::new(TESTS[2], "time for 10 m, s", format!("{time:.2}"), goal, (time - full_speed).abs() <= TIME_TOLERANCE),
    ]
}

/// The speed at a density.
pub struct Speed {
    pub density: f64,
    /// m/s.
    pub speed: f64,
    pub of_people: f64,
    /// The depth of the deepest overlap, m.
    pub deepest: f64,
}

impl Speed {
    pub fn ratio(&self) -> f64 {
        self.speed / self.of_people
    }

    /// Whether it is like people's, where that is asked for.
    pub fn is_met(&self) -> Option<bool> {
        (self.density <= DENSE).then(|| (self.ratio() - 1.0).abs() <= BAND)
    }
}

/// The speeds in the closed corridor.
pub fn speeds(runs: &Runs, people: &People) -> Vec<Speed> {
    let speed = |density| {
        let run = runs.of_file(&density_file(density));
        let walkers = run.agents.iter().filter(|(id, _)| id.starts_with("walker"));
        let speeds: Vec<f64> = walkers.map(|(_, way)| f64::from(way.mean_velocity().x)).collect();
        let speed = speeds.iter().sum::<f64>() / speeds.len() as f64;
        Speed { density, speed, of_people: people.speed(density), deepest: run.deepest() }
    };
    DENSITIES.map(speed).into()
}

/// The flows through a door with each seed, 1/s.
pub fn flows(runs: &Runs, width: f64) -> [f64; SEEDS.len()] {
    SEEDS.map(|seed| runs.with_seed(&doorway_file(width), seed).summary.gates[0].flow.unwrap_or_default())
}

/// The mean flow through a door, 1/s.
pub fn flow(runs: &Runs, width: f64) -> f64 {
    flows(runs, width).iter().sum::<f64>() / SEEDS.len() as f64
}

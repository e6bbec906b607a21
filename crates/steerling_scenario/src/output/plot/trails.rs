//! The paths of agents in bounded memory.

use bevy::math::Vec2;
use bevy_steerling::math::Vector;

use crate::simulation::agents::AgentState;
use crate::simulation::headless::Simulation;

/// With more agents than this, only an even selection of them is drawn.
const MOST_AGENTS: usize = 2_000;
/// The largest number of lines of all paths together.
const MOST_LINES: usize = 8_000;
/// The largest number of points of all paths together: many times the number of ends of lines.
const MOST_POINTS: usize = 1_000_000;

/// The path of an agent: lines, with a gap at each jump.
pub(crate) struct Trail {
    /// The agent's number.
    pub agent: usize,
    pub start: Vector,
    pub end: Vector,
    pub lines: Vec<Vec<Vector>>,
}

/// The trails of all agents, or of a selection.
pub(crate) struct Trails {
    trails: Vec<Trail>,
    bounces: bool,
    /// The number of ticks between recorded points.
    stride: u64,
    points: usize,
}

impl Trails {
    /// The trails of a number of agents, in a world whose edges bounce or not.
    pub fn new(agents: usize, bounces: bool) -> Self {
        let shown = agents.min(MOST_AGENTS);
        let trail =
            |index| Trail { agent: index * agents / shown, start: Vector::ZERO, end: Vector::ZERO, lines: Vec::new() };
        Self { trails: (0..shown).map(trail).collect(), bounces, stride: 1, points: 0 }
    }

    /// Records the current positions.
    pub fn record(&mut self, simulation: &Simulation) {
        let is_first = self.trails.first().is_some_and(|trail| trail.lines.is_empty());
        let is_due = simulation.ticks_done().is_multiple_of(self.stride);
        let most_lines = (MOST_LINES / self.trails.len().max(1)).max(4);
        for trail in &mut self.trails {
            let Some(agent) = simulation.agent(trail.agent) else { continue };
            if is_first {
                trail.start = agent.position;
                trail.lines.push(vec![agent.position]);
            } else if has_jumped(trail.end, agent, simulation.tick(), self.bounces) {
                trail.close_line();
                if trail.lines.len() >= most_lines {
                    // Of an agent that keeps jumping, only the last lines are kept.
                    trail.lines.drain(..most_lines / 2);
                }
                trail.lines.push(vec![agent.position]);
                self.points += 2;
            } else if is_due && let Some(line) = trail.lines.last_mut() {
                line.push(agent.position);
                self.points += 1;
            }
            trail.end = agent.position;
        }
        if self.points > MOST_POINTS {
            self.thin_out();
        }
    }

    /// Removes every second point between the ends of lines.
    fn thin_out(&mut self) {
        self.stride = self.stride.saturating_mul(2);
        self.points = 0;
        for line in self.trails.iter_mut().flat_map(|trail| &mut trail.lines) {
            let last = line.len() - 1;
            let mut index = 0..;
            line.retain(|_| index.next().is_some_and(|index| index % 2 == 0 || index == last));
            self.points += line.len();
        }
    }

    /// The trails up to the last positions.
    pub fn finish(mut self) -> Vec<Trail> {
        self.trails.iter_mut().for_each(Trail::close_line);
        self.trails
    }
}

impl Trail {
    fn close_line(&mut self) {
        if let Some(line) = self.lines.last_mut()
            && line.last() != Some(&self.end)
        {
            line.push(self.end);
        }
    }
}

/// Whether an agent got from `last` to its position by a jump.
fn has_jumped(last: Vector, agent: &AgentState, tick: f64, bounces: bool) -> bool {
    let step = agent.velocity * tick as f32 + agent.knocked;
    let off = agent.position.distance(last + step);
    let rounding = 1e-5 * agent.position.length();
    let turned_back = bounces && agent.position.distance(last) <= step.length() + rounding;
    off > 0.5 * step.length() + rounding && !turned_back
}

/// Simplifies a line: no point is farther than `tolerance` from the result (Ramer 1972; Douglas and Peucker 1973).
pub(crate) fn simplify(line: &[Vec2], tolerance: f32) -> Vec<Vec2> {
    let mut kept = vec![false; line.len()];
    let mut open = vec![(0, line.len().saturating_sub(1))];
    while let Some((first, last)) = open.pop() {
        kept[first] = true;
        kept[last] = true;
        let farthest = (first + 1..last)
            .map(|index| (index, distance_to_segment(line[index], line[first], line[last])))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((index, distance)) = farthest
            && distance > tolerance
        {
            open.extend([(first, index), (index, last)]);
        }
    }
    line.iter().zip(kept).filter_map(|(point, kept)| kept.then_some(*point)).collect()
}

fn distance_to_segment(point: Vec2, start: Vec2, end: Vec2) -> f32 {
    let segment = end - start;
    let along = (point - start).dot(segment) / segment.length_squared().max(f32::MIN_POSITIVE);
    point.distance(start + segment * along.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simplified_line_keeps_its_ends_and_corners() {
        let line: Vec<Vec2> = (0..=100_u8).map(|k| Vec2::new(f32::from(k), f32::from(k.abs_diff(50)))).collect();
        assert_eq!(simplify(&line, 0.1), [line[0], line[50], line[100]]);
        assert_eq!(simplify(&line[..1], 0.1), line[..1]);
        let circle: Vec<Vec2> = (0..=1000_u16).map(|k| Vec2::from_angle(f32::from(k) * 0.00628)).collect();
        let simple = simplify(&circle, 0.01);
        assert!(simple.len() < 40);
        for point in circle {
            let distance = simple.windows(2).map(|pair| distance_to_segment(point, pair[0], pair[1]));
            assert!(distance.fold(f32::INFINITY, f32::min) <= 0.01);
        }
    }
}

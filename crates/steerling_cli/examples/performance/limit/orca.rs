//! ORCA, as the crate `dodgy_2d` has it: each agent goes to a place of its own and avoids the nearest others.

use std::borrow::Cow;

use dodgy_2d::{Agent, AvoidanceOptions, Vec2};
use steerling_scenario::AgentState;

use super::{Body, Limit};

/// The most neighbors that an agent avoids.
const MOST: usize = 10;

/// How far an agent looks for them, in cells of the grid.
const CELLS: usize = 2;

/// Agents that go to the places opposite their starts, in the order of the cells of a grid.
pub struct Orca {
    body: Body,
    options: AvoidanceOptions,
    /// How far an agent looks, units.
    reach: f32,
    walkers: Vec<Walker>,
    sorted: Vec<Walker>,
    velocities: Vec<Vec2>,
    cells: Vec<usize>,
    /// Where each cell starts.
    starts: Vec<usize>,
    /// The number of cells on a side.
    side: usize,
    /// The corner of the grid with the least coordinates, both of them, units.
    corner: f32,
}

#[derive(Clone)]
struct Walker {
    id: usize,
    agent: Agent,
    goal: Vec2,
}

impl Orca {
    /// Agents on both sides of the origin, which look as far as `reach`.
    pub fn new(agents: &[AgentState], body: Body, radius: f32, time_horizon: f32, reach: f32) -> Self {
        let walkers: Vec<Walker> = agents
            .iter()
            .enumerate()
            .map(|(id, agent)| {
                let [position, velocity] = [agent.position, agent.velocity].map(|one| Vec2::new(one.x, one.y));
                let agent = Agent { position, velocity, radius, avoidance_responsibility: 1.0 };
                Walker { id, agent, goal: -position }
            })
            .collect();
        let half = walkers.iter().map(|walker| walker.agent.position.abs().max_element()).fold(0.0, f32::max);
        let side = (2.0 * half * CELLS as f32 / reach) as usize + 1;
        Self {
            body,
            options: AvoidanceOptions { obstacle_margin: 0.0, time_horizon, obstacle_time_horizon: time_horizon },
            reach,
            sorted: walkers.clone(),
            velocities: Vec::new(),
            cells: Vec::new(),
            starts: Vec::new(),
            side,
            corner: -half,
            walkers,
        }
    }

    /// The column or row of a coordinate.
    fn cell(&self, coordinate: f32) -> usize {
        let number = (coordinate - self.corner) * CELLS as f32 / self.reach;
        (number as usize).min(self.side - 1)
    }

    /// A counting sort by cell.
    fn sort(&mut self) {
        self.cells.clear();
        for walker in &self.walkers {
            let Vec2 { x, y } = walker.agent.position;
            self.cells.push(self.cell(y) * self.side + self.cell(x));
        }
        self.starts.clear();
        self.starts.resize(self.side * self.side + 2, 0);
        for cell in &self.cells {
            self.starts[cell + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        for (walker, cell) in self.walkers.iter().zip(&self.cells) {
            let next = &mut self.starts[cell + 1];
            self.sorted[*next].clone_from(walker);
            *next += 1;
        }
        std::mem::swap(&mut self.walkers, &mut self.sorted);
    }

    /// The places of the nearest others, with the squares of their distances.
    fn find_nearest(&self, place: usize, found: &mut Vec<(f32, usize)>) {
        let position = self.walkers[place].agent.position;
        let around = |coordinate| {
            let cell = self.cell(coordinate);
            cell.saturating_sub(CELLS)..(cell + CELLS + 1).min(self.side)
        };
        found.clear();
        for row in around(position.y) {
            let columns = around(position.x);
            let run = self.starts[row * self.side + columns.start]..self.starts[row * self.side + columns.end];
            for (other, walker) in run.clone().zip(&self.walkers[run]) {
                let squared = position.distance_squared(walker.agent.position);
                if squared <= self.reach * self.reach && other != place {
                    found.push((squared, other));
                }
            }
        }
        if found.len() > MOST {
            found.select_nth_unstable_by(MOST, |a, b| a.0.total_cmp(&b.0));
            found.truncate(MOST);
        }
    }

    /// The velocity that a walker takes.
    fn velocity(&self, place: usize, near: &[(f32, usize)]) -> Vec2 {
        let Walker { agent, goal, .. } = &self.walkers[place];
        let preferred = ((*goal - agent.position) / self.body.tick).clamp_length_max(self.body.max_speed);
        let others: Vec<_> = near.iter().map(|(_, other)| Cow::Borrowed(&self.walkers[*other].agent)).collect();
        agent.compute_avoiding_velocity(&others, &[], preferred, self.body.max_speed, self.body.tick, &self.options)
    }
}

impl Limit for Orca {
    fn tick(&mut self, _: [f32; 2]) {
        self.sort();
        let (mut near, mut velocities) = (Vec::new(), std::mem::take(&mut self.velocities));
        velocities.clear();
        for place in 0..self.walkers.len() {
            self.find_nearest(place, &mut near);
            velocities.push(self.velocity(place, &near));
        }
        for (walker, velocity) in self.walkers.iter_mut().zip(&velocities) {
            walker.agent.velocity = *velocity;
            walker.agent.position += *velocity * self.body.tick;
        }
        self.velocities = velocities;
    }

    fn states(&self) -> Vec<[f32; 4]> {
        let mut states = vec![[0.0; 4]; self.walkers.len()];
        for Walker { id, agent, .. } in &self.walkers {
            states[*id] = [agent.position.x, agent.position.y, agent.velocity.x, agent.velocity.y];
        }
        states
    }
}

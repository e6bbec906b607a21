//! The force that comes nearest to a wish while a body stays able to stop before everything near.

use bevy::math::ops;

use crate::behavior::Agent;
use crate::behaviors::arrive::braking_speed;
use crate::math::{Vector, truncate};
use crate::obstacles::IndexedObstacle;

/// How many limits count at once. Only what is nearly touched limits a body, so that there are few.
const MOST: usize = 24;

/// The share of the force that is reckoned with to stop. The rest is there to turn with.
pub(crate) const RESERVE: f32 = 0.8;

/// How much more room than its body an agent leaves to obstacles, as a share of its radius.
pub(crate) const SKIN: f32 = 0.05;

/// What limits the force of an agent in a tick: for each thing near, how much force there must be away from it at least.
pub(crate) struct Restraint {
    limits: [Limit; MOST],
    count: usize,
    max_force: f32,
    acceleration: f32,
    /// The fastest that the agent can be after the tick, units/s.
    speed: f32,
}

/// `force · away ≥ least`
#[derive(Clone, Copy)]
struct Limit {
    away: Vector,
    least: f32,
    /// What `least` is where no more is asked than not to come nearer.
    calm: f32,
}

impl Restraint {
    /// No limits but that of the force.
    pub fn new(agent: &Agent, max_force: f32) -> Self {
        let acceleration = max_force / agent.mass;
        Self {
            limits: [Limit { away: Vector::ZERO, least: 0.0, calm: 0.0 }; MOST],
            count: 0,
            max_force,
            acceleration: RESERVE * acceleration,
            speed: agent.max_speed.min(agent.velocity.length() + acceleration * agent.tick),
        }
    }

    /// How far the agent goes until it stands when it brakes from the next tick on, units.
    pub fn way_to_stop(&self, agent: &Agent) -> f32 {
        self.speed * (0.5 * self.speed / self.acceleration + agent.tick)
    }

    /// The agent must be able to stop within `gap` of something that moves at `velocity`, and toward which `−away` leads.
    pub fn limit(&mut self, agent: &Agent, gap: f32, away: Vector, velocity: Vector) {
        let fastest = if gap > 0.0 {
            // Along the way on which it stops, not straight at the thing: so that braking suits all limits at once.
            let along_the_way = gap / (0.5 * (self.speed / self.acceleration + agent.tick));
            braking_speed(gap, self.acceleration, agent.tick).min(along_the_way)
        } else {
            // The shortest way out.
            -agent.max_speed.min(-gap / agent.tick)
        };
        let closing = (velocity - agent.velocity).dot(away);
        let least = ((closing - fastest) * agent.mass / agent.tick).min(self.max_force);
        if least > -self.max_force && self.count < MOST {
            let calm = least.min(closing * agent.mass / agent.tick);
            self.limits[self.count] = Limit { away, least, calm };
            self.count += 1;
        }
    }

    /// The same for each wall of an obstacle.
    pub fn limit_by_obstacle(&mut self, agent: &Agent, obstacle: &IndexedObstacle, position: Vector) {
        let body = agent.radius * (1.0 + SKIN);
        obstacle.shape.for_each_wall(position, |distance, away| {
            self.limit(agent, distance - body, away, obstacle.velocity);
        });
    }

    /// The force nearest to `wanted` that is within all limits; `None` if `wanted` itself is, once it is no longer than can be.
    /// Where there is none, nothing more is asked than not to come nearer to anything; and where that is impossible, to stop.
    pub fn apply(&mut self, agent: &Agent, wanted: Vector) -> Option<Vector> {
        let wanted = truncate(wanted, self.max_force);
        let force = self.nearest(wanted).unwrap_or_else(|| {
            for limit in &mut self.limits[..self.count] {
                limit.least = limit.calm;
            }
            let stop = || truncate(-agent.velocity * (agent.mass / agent.tick), self.max_force);
            self.nearest(wanted).unwrap_or_else(stop)
        });
        (force != wanted).then_some(force)
    }

    fn nearest(&self, wanted: Vector) -> Option<Vector> {
        let mut force = wanted;
        for (index, limit) in self.limits[..self.count].iter().enumerate() {
            if force.dot(limit.away) < limit.least {
                force = self.along(limit, &self.limits[..index], wanted)?;
            }
        }
        Some(force)
    }

    /// The point nearest to `wanted` that is just on a limit and within others.
    fn along(&self, limit: &Limit, others: &[Limit], wanted: Vector) -> Option<Vector> {
        let along = limit.away.perp();
        let half_chord = ops::sqrt(((self.max_force - limit.least) * (self.max_force + limit.least)).max(0.0));
        let (mut low, mut high) = (-half_chord, half_chord);
        for other in others {
            let (slope, rest) = (along.dot(other.away), other.least - limit.least * limit.away.dot(other.away));
            if slope.abs() < 1e-6 {
                if rest > 0.0 {
                    return None;
                }
            } else if slope > 0.0 {
                low = low.max(rest / slope);
            } else {
                high = high.min(rest / slope);
            }
        }
        (low <= high).then(|| limit.away * limit.least + along * wanted.dot(along).clamp(low, high))
    }
}

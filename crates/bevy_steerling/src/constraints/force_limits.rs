//! The force that comes nearest to a wish while a body stays able to stop before everything near.

use bevy::math::ops;

use crate::agent::random::angle_from;
use crate::behaviors::arrive::braking_speed;
use crate::engine::behavior::Agent;
use crate::math::{Vector, normalize, truncate, unit_vector};
use crate::perception::obstacles::IndexedObstacle;

/// How many limits count at once: the most urgent. Only what is nearly touched limits a body, so that there are few.
const MOST: usize = 24;

/// The share of the force that is reckoned with to stop. The rest is there to turn with.
pub(crate) const RESERVE: f32 = 0.8;

/// How much more room than its body an agent leaves to obstacles, as a share of its radius.
pub(crate) const CLEARANCE: f32 = 0.05;

/// What limits the force of an agent in a tick: for each thing near, how much force there must be away from it at least.
pub(crate) struct ForceLimits {
    limits: [Limit; MOST],
    count: usize,
    max_force: f32,
    acceleration: f32,
    /// The fastest that the agent can be after the tick, units/s.
    speed: f32,
    /// The way out of others that the body is in, all together, units.
    out: Vector,
}

/// `force · away ≥ least`
#[derive(Clone, Copy)]
struct Limit {
    away: Vector,
    least: f32,
    /// What `least` is where no more is asked than not to come nearer.
    calm: f32,
}

impl ForceLimits {
    /// No limits but that of the force.
    pub fn new(agent: &Agent, max_force: f32) -> Self {
        let acceleration = max_force / agent.mass;
        Self {
            limits: [Limit { away: Vector::ZERO, least: 0.0, calm: 0.0 }; MOST],
            count: 0,
            max_force,
            acceleration: RESERVE * acceleration,
            speed: agent.max_speed.min(agent.velocity.length() + acceleration * agent.tick),
            out: Vector::ZERO,
        }
    }

    /// How far the agent goes until it stands when it brakes from the next tick on, units.
    pub fn way_to_stop(&self, agent: &Agent) -> f32 {
        self.speed * (0.5 * self.speed / self.acceleration + agent.tick)
    }

    /// The agent must be able to stop within `gap` of something that moves at `velocity`, and toward which `−away` leads. Gives how fast
    /// it may come nearer.
    pub fn limit(&mut self, agent: &Agent, gap: f32, away: Vector, velocity: Vector) -> f32 {
        // Inside it, the shortest way out.
        let fastest = if gap > 0.0 { self.fastest(agent, gap) } else { -agent.max_speed.min(-gap / agent.tick) };
        self.limit_speed(agent, fastest, away, velocity);
        fastest
    }

    /// The place where the agent can stop must be no farther than `room` from where it is now, as seen along `−away`. With a negative
    /// `room` it must be so far back at least. Gives how fast it may go there.
    pub fn limit_stop(&mut self, agent: &Agent, room: f32, away: Vector) -> f32 {
        let back = || -braking_speed(-room, self.acceleration, agent.tick);
        let fastest = if room > 0.0 { self.fastest(agent, room) } else { back() };
        self.limit_speed(agent, fastest, away, Vector::ZERO);
        fastest
    }

    /// The agent's body is in another one: `way` leads out of it. Where not all limits can be kept, it goes the sum of these ways.
    pub fn push_out(&mut self, way: Vector) {
        self.out += way;
    }

    /// Where a body stops that moves at `velocity` and loses `max_acceleration` at most, as seen from where it is.
    pub fn stop(velocity: Vector, max_acceleration: f32) -> Vector {
        velocity * (0.5 * velocity.length() / (RESERVE * max_acceleration))
    }

    /// How fast it may go toward something to stop within `room`.
    fn fastest(&self, agent: &Agent, room: f32) -> f32 {
        // Along the way on which it stops, not straight at the thing: so that braking suits all limits at once.
        let along_the_way = room / (0.5 * (self.speed / self.acceleration + agent.tick));
        braking_speed(room, self.acceleration, agent.tick).min(along_the_way)
    }

    fn limit_speed(&mut self, agent: &Agent, fastest: f32, away: Vector, velocity: Vector) {
        let closing = (velocity - agent.velocity).dot(away);
        let least = ((closing - fastest) * agent.mass / agent.tick).min(self.max_force);
        if least > -self.max_force {
            let calm = least.min(closing * agent.mass / agent.tick);
            self.insert(Limit { away, least, calm });
        }
    }

    fn insert(&mut self, limit: Limit) {
        if self.count < MOST {
            self.limits[self.count] = limit;
            self.count += 1;
            return;
        }
        let least_urgent = self.limits.iter_mut().min_by(|a, b| a.least.total_cmp(&b.least));
        if let Some(other) = least_urgent.filter(|other| other.least < limit.least) {
            *other = limit;
        }
    }

    /// The same for each wall of an obstacle.
    pub fn limit_by_obstacle(&mut self, agent: &Agent, obstacle: &IndexedObstacle, position: Vector) {
        let body = agent.radius * (1.0 + CLEARANCE);
        for wall in 0..obstacle.shape.wall_count() {
            let (distance, away) = obstacle.shape.distance_to_wall(wall, position);
            let away = if away == Vector::ZERO { any_way_out(agent) } else { away };
            self.limit(agent, distance - body, away, obstacle.velocity);
        }
    }

    /// The force nearest to `wanted` that is within all limits; `None` if `wanted` itself is, once it is no longer than can be.
    /// Where there is none, nothing more is asked than to get out of what it is inside of, or if that is nothing, not to come nearer to
    /// anything; and
    /// where that is impossible, to stop.
    pub fn apply(&mut self, agent: &Agent, wanted: Vector) -> Option<Vector> {
        let wanted = truncate(wanted, self.max_force);
        let force = self.nearest(wanted).unwrap_or_else(|| {
            if self.out != Vector::ZERO {
                let speed = braking_speed(self.out.length(), self.acceleration, agent.tick).min(agent.max_speed);
                let away = normalize(self.out) * speed - agent.velocity;
                return truncate(away * (agent.mass / agent.tick), self.max_force);
            }
            let wanted = self.way_out().unwrap_or(wanted);
            for limit in &mut self.limits[..self.count] {
                limit.least = limit.calm;
            }
            let stop = || truncate(-agent.velocity * (agent.mass / agent.tick), self.max_force);
            self.nearest(wanted).unwrap_or_else(stop)
        });
        (force != wanted).then_some(force)
    }

    /// Out of all that it is deep inside of at once; `None` if it is not.
    fn way_out(&self) -> Option<Vector> {
        let deep = self.limits[..self.count].iter().filter(|limit| limit.least >= self.max_force);
        let out: Vector = deep.map(|limit| limit.away).sum();
        (out != Vector::ZERO).then(|| normalize(out) * self.max_force)
    }

    fn nearest(&self, wanted: Vector) -> Option<Vector> {
        let half_planes = self.limits.map(|limit| HalfPlane { normal: limit.away, least: limit.least });
        let mut force = wanted;
        for (index, half_plane) in half_planes[..self.count].iter().enumerate() {
            if !half_plane.contains(force) {
                force = half_plane.nearest_on_edge(&half_planes[..index], wanted, self.max_force)?;
            }
        }
        Some(force)
    }
}

/// The vectors `x` with `x · normal ≥ least`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfPlane {
    pub normal: Vector,
    pub least: f32,
}

impl HalfPlane {
    pub fn contains(&self, vector: Vector) -> bool {
        vector.dot(self.normal) >= self.least
    }

    /// The point nearest to `wanted` that is just on the edge, within others, and no longer than `length`.
    pub fn nearest_on_edge(&self, others: &[Self], wanted: Vector, length: f32) -> Option<Vector> {
        let along = self.normal.perp();
        let half_chord = ops::sqrt(((length - self.least) * (length + self.least)).max(0.0));
        let (mut low, mut high) = (-half_chord, half_chord);
        for other in others {
            let (slope, rest) = (along.dot(other.normal), other.least - self.least * self.normal.dot(other.normal));
            if slope.abs() < 1e-6 {
                if rest > 1e-6 * length {
                    return None;
                }
            } else if slope > 0.0 {
                low = low.max(rest / slope);
            } else {
                high = high.min(rest / slope);
            }
        }
        (low <= high).then(|| self.normal * self.least + along * wanted.dot(along).clamp(low, high))
    }
}

/// Where no way out is shorter than others: the one that its behaviors want, or one of its own.
fn any_way_out(agent: &Agent) -> Vector {
    let wanted = normalize(agent.velocity + agent.force * (agent.response_time / agent.mass));
    if wanted.length_squared() > 0.5 { wanted } else { unit_vector(angle_from(agent.id.get())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_urgent_limits_count_however_many_there_are() {
        let agent = Agent { velocity: Vector::new(0.0, 1.0), tick: 0.1, ..Agent::at(Vector::ZERO) };
        for last in 0..2 * MOST {
            let mut restraint = ForceLimits::new(&agent, 1.0);
            for k in 0..=2 * MOST {
                // What is before it nearly touches it, and what is beside it is a little off.
                let (gap, away) = if k == last { (0.01, Vector::NEG_Y) } else { (0.05, Vector::X) };
                restraint.limit(&agent, gap, away, Vector::ZERO);
            }
            let force = restraint.apply(&agent, Vector::new(0.0, 1.0));
            assert!(force.is_some_and(|force| force.y < -0.9), "{force:?} with the urgent one as number {last}");
        }
    }
}

//! The force nearest to a wish with which a body can still stop before everything nearby.
//!
//! Each body or obstacle nearby limits the speed toward it, so that the whole stopping path along the velocity fits into the gap. So
//! braking along the velocity satisfies all limits at once. In force space, each limit is a half-space.

use crate::agent::random::direction_from;
use crate::agent::{Agent, GroupMask};
use crate::constraints::exits::{depth, way_out};
use crate::engine::approach::braking_speed;
use crate::math::half_space::HalfSpace;
use crate::math::{Vector, normalize, truncate};
use crate::perception::obstacles::{IndexedObstacle, ObstacleView, Obstacles};

/// The maximum number of limits at once. Limits of obstacles and the most urgent ones are kept. Only things that the body nearly touches
/// limit it, so there are few.
const MOST: usize = 24;

/// The share of the force that is used for braking. The rest is reserved for turning.
pub(crate) const RESERVE: f32 = 0.8;

/// The smallest share of the acceleration that is left for braking in front of a rotating wall.
const LEFT_FOR_BRAKING: f32 = 0.1;

/// The clearance between a body and obstacles, as a share of its radius.
pub(crate) const CLEARANCE: f32 = 0.05;

/// The limits on an agent's force in a tick: for each thing nearby, the smallest allowed force away from it.
pub(crate) struct ForceLimits {
    limits: [Limit; MOST],
    count: usize,
    max_force: f32,
    acceleration: f32,
    /// The highest speed that the agent can have after the tick, units/s.
    speed: f32,
    /// The sum of the displacements out of the bodies that the agent overlaps, units.
    out: Vector,
    /// Whether some of the obstacles move.
    obstacles_move: bool,
    /// The number of obstacles that contain the center of the agent.
    inside: usize,
    /// The way out of the last of those obstacles, units.
    way_out: Vector,
}

/// The limit `force · away ≥ least`.
#[derive(Clone, Copy)]
struct Limit {
    away: Vector,
    least: f32,
    /// The value of `least` with which the agent merely comes no nearer.
    calm: f32,
    of: Of,
}

/// The source of a limit.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Body,
    /// A body that the agent overlaps.
    Overlapped,
    Obstacle,
    /// An obstacle that the agent touches or is inside.
    Touched,
}

impl Of {
    fn is_obstacle(self) -> bool {
        matches!(self, Self::Obstacle | Self::Touched)
    }
}

impl Limit {
    const NONE: Self = Self { away: Vector::ZERO, least: 0.0, calm: 0.0, of: Of::Body };
}

impl ForceLimits {
    /// An empty value that belongs to no agent.
    pub const NONE: Self = Self {
        limits: [Limit::NONE; MOST],
        count: 0,
        max_force: 0.0,
        acceleration: 0.0,
        speed: 0.0,
        out: Vector::ZERO,
        obstacles_move: false,
        inside: 0,
        way_out: Vector::ZERO,
    };

    /// No limit except `max_force`.
    pub fn new(agent: &Agent, max_force: f32) -> Self {
        let mut limits = Self::NONE;
        limits.start(agent, max_force);
        limits
    }

    /// Clears all limits except `max_force`, for another agent.
    pub fn start(&mut self, agent: &Agent, max_force: f32) {
        let acceleration = max_force / agent.mass;
        (self.count, self.out, self.obstacles_move, self.inside) = (0, Vector::ZERO, false, 0);
        (self.max_force, self.acceleration) = (max_force, RESERVE * acceleration);
        self.speed = agent.max_speed.min(agent.velocity.length() + acceleration * agent.tick);
    }

    /// The distance beyond which something static never limits the force of an agent, units.
    pub fn far(agent: &Agent, max_force: f32) -> f32 {
        let acceleration = max_force / agent.mass;
        let speed = agent.velocity.length() + acceleration * agent.tick;
        let to_stop = speed * (0.5 * speed / (RESERVE * acceleration) + agent.tick);
        // Slightly more than necessary, because of rounding.
        1.01 * to_stop + agent.radius * (1.0 + CLEARANCE)
    }

    /// The distance in which the agent stops if it brakes from the next tick on, units.
    pub fn way_to_stop(&self, agent: &Agent) -> f32 {
        self.speed * (0.5 * self.speed / self.acceleration + agent.tick)
    }

    /// Adds a limit: the agent must be able to stop before something at the distance `gap` in the direction `−away` that moves at
    /// `velocity`. Returns the highest speed toward it.
    pub fn limit(&mut self, agent: &Agent, gap: f32, away: Vector, velocity: Vector) -> f32 {
        let fastest = self.fastest_toward(agent, gap, self.acceleration);
        let of = if gap < 0.0 { Of::Overlapped } else { Of::Body };
        self.limit_speed(agent, fastest, away, velocity, of);
        fastest
    }

    /// Adds a limit: the agent must be able to stop within the distance `room` in the direction `−away`. If `room` is negative, it must
    /// move back at least that far. `overlaps` says whether the agent overlaps the body. Returns the highest speed in that direction.
    pub fn limit_stop(&mut self, agent: &Agent, room: f32, away: Vector, overlaps: bool) -> f32 {
        let back = || -braking_speed(-room, self.acceleration, agent.tick);
        let fastest = if room > 0.0 { self.fastest(agent, room, self.acceleration) } else { back() };
        self.limit_speed(agent, fastest, away, Vector::ZERO, if overlaps { Of::Overlapped } else { Of::Body });
        fastest
    }

    /// Adds a body that the agent overlaps; `way` is the displacement out of it. If the limits contradict each other, the agent follows the
    /// sum of these displacements, as far as obstacles allow.
    pub fn push_out(&mut self, way: Vector) {
        self.out += way;
    }

    /// The displacement to the stopping point of a body that moves at `velocity` and brakes with at most `max_acceleration`.
    pub fn stop(velocity: Vector, max_acceleration: f32) -> Vector {
        velocity * (0.5 * velocity.length() / (RESERVE * max_acceleration))
    }

    /// The highest speed toward something at the distance `gap`. If the agent is inside, it takes the shortest way out.
    fn fastest_toward(&self, agent: &Agent, gap: f32, acceleration: f32) -> f32 {
        if gap > 0.0 { self.fastest(agent, gap, acceleration) } else { -agent.max_speed.min(-gap / agent.tick) }
    }

    /// The highest speed from which the agent can stop within `room` with this acceleration.
    fn fastest(&self, agent: &Agent, room: f32, acceleration: f32) -> f32 {
        // The whole stopping path must fit, not only its component toward the thing, so that braking satisfies all limits at once.
        let along_the_way = room / (0.5 * (self.speed / acceleration + agent.tick));
        braking_speed(room, acceleration, agent.tick).min(along_the_way)
    }

    fn limit_speed(&mut self, agent: &Agent, fastest: f32, away: Vector, velocity: Vector, of: Of) {
        let closing = (velocity - agent.velocity).dot(away);
        let least = ((closing - fastest) * agent.mass / agent.tick).min(self.max_force);
        if least > -self.max_force {
            let calm = least.min(closing * agent.mass / agent.tick);
            self.insert(Limit { away, least, calm, of });
        }
    }

    fn insert(&mut self, limit: Limit) {
        if self.count < MOST {
            self.limits[self.count] = limit;
            self.count += 1;
            return;
        }
        let order = |limit: &Limit| (limit.of.is_obstacle(), limit.least);
        let least_urgent = self.limits.iter_mut().reduce(|a, b| if order(b) < order(a) { b } else { a });
        if let Some(other) = least_urgent.filter(|other| order(other) < order(&limit)) {
            *other = limit;
        }
    }

    /// Adds a limit for each wall of an obstacle. Calls `visit` with the highest speed toward each wall and the direction away from it.
    pub fn limit_by_obstacle(
        &mut self,
        agent: &Agent,
        obstacle: &IndexedObstacle,
        position: Vector,
        mut visit: impl FnMut(f32, Vector),
    ) {
        let body = agent.radius * (1.0 + CLEARANCE);
        self.obstacles_move |= obstacle.has_motion();
        for wall in 0..obstacle.shape.wall_count() {
            let (distance, away) = obstacle.shape.distance_to_wall(wall, position);
            let away = if away == Vector::ZERO { any_way_out(agent) } else { away };
            let gap = distance - body;
            if distance < 0.0 {
                (self.inside, self.way_out) = (self.inside + 1, away * -gap);
            }
            let of = if gap < 0.0 { Of::Touched } else { Of::Obstacle };
            // Keeping the distance from a rotating wall uses part of the acceleration. Only the rest is available for braking.
            let turning = obstacle.turning_acceleration(position, agent.velocity, away).max(0.0);
            let acceleration = (self.acceleration - turning).max(LEFT_FOR_BRAKING * self.acceleration);
            let fastest = self.fastest_toward(agent, gap, acceleration);
            // Along `away`, all points between the wall and the agent have the same velocity.
            let velocity = obstacle.velocity_at(position);
            self.limit_speed(agent, fastest, away, velocity, of);
            visit(fastest - velocity.dot(away), away);
            // A game may move obstacles before agents in a tick, so a receding obstacle may already be where it will be.
            if velocity.dot(away) < 0.0 {
                self.limit_speed(agent, gap.max(0.0) / agent.tick, away, Vector::ZERO, of);
            }
        }
    }

    /// If the shortest way out of an obstacle that contains the agent leads into another one, the limits of all touched obstacles are
    /// replaced by one: the shortest way out of all of them. Call this after [`limit_by_obstacle`](Self::limit_by_obstacle).
    pub fn leave_overlapping_obstacles(&mut self, agent: &Agent, obstacles: &Obstacles, layers: GroupMask) {
        if self.inside == 0 {
            return;
        }
        let (body, view) = (agent.radius * (1.0 + CLEARANCE), ObstacleView::of(agent, layers));
        let leads_into_others = |way: Vector, radius: f32| {
            let (length, ahead, mut leads) = (way.length(), normalize(way), false);
            obstacles.for_each_around(agent.position, radius + length, &view, |obstacle, position| {
                let is_outside = obstacle.shape.distance(position).0 > radius;
                let distance = obstacle.shape.cast_distance(position, ahead, radius);
                leads |= is_outside && distance.is_some_and(|distance| distance < length);
            });
            leads
        };
        // A body that just fits between two walls is not inside either of them.
        let leads_out = || {
            let is_free = depth(obstacles, agent.position + self.way_out, body, &view) <= CLEARANCE * agent.radius;
            is_free && !leads_into_others(self.way_out, 0.0)
        };
        if self.inside == 1 && leads_out() {
            return;
        }
        let first = normalize(agent.velocity);
        if let Some(way) = way_out(obstacles, agent.position, body, &view, first) {
            let leads_into_others = leads_into_others(way, body);
            self.retain(|of| if leads_into_others { !of.is_obstacle() } else { of != Of::Touched });
            let fastest = self.fastest_toward(agent, -way.length(), self.acceleration);
            self.limit_speed(agent, fastest, normalize(way), Vector::ZERO, Of::Touched);
        }
    }

    /// The force nearest to `wanted` that satisfies all limits; `None` if `wanted`, truncated to max force, satisfies them.
    ///
    /// If no force satisfies all limits and the agent overlaps bodies, it moves out of them, if possible without coming nearer to others,
    /// and never into obstacles. If it overlaps none, it comes no nearer to anything. If that is impossible too, it stops.
    pub fn apply(&mut self, agent: &Agent, wanted: Vector) -> Option<Vector> {
        let wanted = truncate(wanted, self.max_force);
        let force = self.nearest(wanted).unwrap_or_else(|| {
            if self.out != Vector::ZERO {
                let speed = braking_speed(self.out.length(), self.acceleration, agent.tick).min(agent.max_speed);
                let away = normalize(self.out) * speed - agent.velocity;
                let out = truncate(away * (agent.mass / agent.tick), self.max_force);
                self.retain(|of| of != Of::Overlapped);
                self.only_come_no_nearer_to(|of| of == Of::Body);
                return self.nearest(out).unwrap_or_else(|| {
                    self.retain(Of::is_obstacle);
                    self.nearest(out).unwrap_or_else(|| self.no_nearer(agent, out))
                });
            }
            let wanted = self.way_out().unwrap_or(wanted);
            self.no_nearer(agent, wanted)
        });
        (force != wanted).then_some(force)
    }

    fn retain(&mut self, is_kept: impl Fn(Of) -> bool) {
        let mut kept = 0;
        for number in 0..self.count {
            if is_kept(self.limits[number].of) {
                self.limits[kept] = self.limits[number];
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// Relaxes the chosen limits, so that the agent merely comes no nearer.
    fn only_come_no_nearer_to(&mut self, is_meant: impl Fn(Of) -> bool) {
        for limit in self.limits[..self.count].iter_mut().filter(|limit| is_meant(limit.of)) {
            limit.least = limit.calm;
        }
    }

    /// The force nearest to `wanted` with which the agent comes no nearer to anything. If there is none, the agent stops, unless an
    /// obstacle moves into it.
    fn no_nearer(&mut self, agent: &Agent, wanted: Vector) -> Vector {
        self.only_come_no_nearer_to(|_| true);
        self.nearest(wanted).unwrap_or_else(|| {
            let stop = truncate(-agent.velocity * (agent.mass / agent.tick), self.max_force);
            if !self.obstacles_move {
                return stop;
            }
            self.retain(Of::is_obstacle);
            self.nearest(stop).unwrap_or(stop)
        })
    }

    /// The force out of everything that the agent is deep inside; `None` if there is nothing.
    fn way_out(&self) -> Option<Vector> {
        let deep = self.limits[..self.count].iter().filter(|limit| limit.least >= self.max_force);
        let out: Vector = deep.map(|limit| limit.away).sum();
        (out != Vector::ZERO).then(|| normalize(out) * self.max_force)
    }

    fn nearest(&self, wanted: Vector) -> Option<Vector> {
        let limits = self.limits[..self.count].iter();
        let half_spaces = limits.map(|limit| HalfSpace { normal: limit.away, least: limit.least });
        HalfSpace::nearest_in_all(half_spaces, wanted, self.max_force)
    }
}

/// The way out if no direction is the shortest: the direction that the behaviors want, or one determined by the agent's id.
fn any_way_out(agent: &Agent) -> Vector {
    let wanted = normalize(agent.preferred_velocity());
    if wanted.length_squared() > 0.5 { wanted } else { direction_from(agent.id.get()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_urgent_limits_count_however_many_there_are() {
        let agent = Agent { velocity: Vector::new(0.0, 1.0), tick: 0.1, ..Agent::at(Vector::ZERO) };
        for last in 0..2 * MOST {
            let mut limits = ForceLimits::new(&agent, 1.0);
            for k in 0..=2 * MOST {
                // The body ahead nearly touches the agent. The others, beside it, are a little farther away.
                let (gap, away) = if k == last { (0.01, Vector::NEG_Y) } else { (0.05, Vector::X) };
                limits.limit(&agent, gap, away, Vector::ZERO);
            }
            let force = limits.apply(&agent, Vector::new(0.0, 1.0));
            assert!(force.is_some_and(|force| force.y < -0.9), "{force:?} with the urgent one as number {last}");
        }
    }
}

//! Everyone in turn: the style that keeps its place in line.

use crate::agent::Agent;
use crate::agent::SteeringId;
use crate::constraints::force_limits::ForceLimits;
use crate::math::segment::{cast_distance_to_segment, nearest_on_segment};
use crate::math::{Vector, normalize};
use crate::perception::neighbors::{Neighbor, Neighbors, direction_to_coincident};

/// What an agent leaves free to others beyond its body, as a share of the distance at which the two touch.
pub(super) const SPACING: f32 = 0.05;

/// How much more room those need whose ways cross, as a share of that distance, times one minus the cosine between the ways.
pub(super) const CROSSING: f32 = 1.4;

/// How long the way is that is kept free before those who go first, as a multiple of the distance at which two touch.
pub(super) const FREE_WAY: f32 = 1.0;

/// How much nearer than others those are in the line who set the pace, as a share of what is gone in the time gap at full speed.
pub(super) const PACE: f32 = 0.05;

/// Whose ways are no farther apart than this multiple of that distance are in one line even where their ways do not meet.
pub(super) const SAME_LINE: f32 = 1.5;

/// The share of max speed at which who has room goes on, even where those before it stand: so that nobody waits for good for
/// one that is stuck.
pub(super) const CREEP: f32 = 0.05;

/// The share of its radius that an agent keeps clear of others whatever comes.
pub(super) const SKIN: f32 = 0.005;

/// How fast neighbors agree about their places, s, and how fast a place fades without others, s.
pub(super) const AGREEING: f32 = 0.05;
pub(super) const FADING: f32 = 10.0;

/// Where an agent is in its line, and what follows for its speed.
pub(crate) struct Line<'a> {
    agent: &'a Agent,
    /// Where the others among its behaviors want to go: a unit vector and a speed, units/s.
    heading: Vector,
    speed: f32,
    /// See [`Queue::place`](super::Queue::place).
    place: f32,
    time_gap: f32,
    /// What the agents around say about its place: the sum of how far off it is, by weight.
    correction: f32,
    opinions: f32,
    /// The speed of those ahead, by weight: most counts the one just before.
    pace: f32,
    pacemakers: f32,
    /// How far it is behind the one just before it, units.
    lag: f32,
    /// The most that the ways of those ahead let it go, units/s.
    room: f32,
    /// How far it is in the way of someone ahead, and the shortest way out.
    deepest: (f32, Vector),
}

impl<'a> Line<'a> {
    pub fn new(agent: &'a Agent, place: f32, time_gap: f32) -> Self {
        let wanted = agent.preferred_velocity();
        Self {
            agent,
            heading: normalize(wanted),
            speed: wanted.length(),
            place,
            time_gap: time_gap.max(agent.tick),
            correction: 0.0,
            opinions: 0.0,
            pace: 0.0,
            pacemakers: 0.0,
            lag: f32::INFINITY,
            room: f32::INFINITY,
            deepest: (0.0, Vector::ZERO),
        }
    }

    /// Takes all neighbors into account whose centers are within `far`, units.
    pub fn look(&mut self, neighbors: &Neighbors, far: f32) {
        if self.speed > 0.0 {
            neighbors.for_each_near(self.agent, far, |neighbor, to| self.mind(neighbor, to));
        }
    }

    fn mind(&mut self, neighbor: &Neighbor, to: Vector) {
        // How much nearer the neighbor is to where both want to go: for ways that meet in a point, exactly the difference.
        let nearer = 0.5 * to.dot(self.heading + neighbor.heading);
        let alike = self.heading.dot(neighbor.heading);
        let behind = match neighbor.place {
            Some(place) => {
                if alike > 0.0 {
                    self.correction += alike * (place + nearer - self.place);
                    self.opinions += alike;
                }
                self.place - place
            }
            // It does not queue.
            None => nearer,
        };
        let goes_first = behind > 0.0 || (behind == 0.0 && neighbor.id < self.agent.id);
        if !goes_first {
            return;
        }
        let touch = self.agent.radius + neighbor.radius;
        if alike > 0.0 && self.meets(neighbor, to, touch) {
            let few = PACE * self.agent.max_speed * self.time_gap;
            let weight = few / (behind + few);
            self.pace += weight * weight * neighbor.velocity.dot(neighbor.heading);
            self.pacemakers += weight * weight;
            self.lag = self.lag.min(behind);
        }

        let free_way = neighbor.heading * (FREE_WAY * touch);
        let from_way = -nearest_on_segment(Vector::ZERO, to, to + free_way);
        let (distance, spaced) = (from_way.length(), touch * (1.0 + SPACING));
        if distance <= spaced && spaced - distance > self.deepest.0 {
            self.deepest = (spaced - distance, normalize(from_way));
        }
        let crossing = if neighbor.heading == Vector::ZERO { 0.0 } else { CROSSING * (1.0 - alike) };
        let room = spaced + touch * crossing;
        let gap = if distance <= room {
            (from_way.dot(self.heading) < 0.0).then_some(0.0)
        } else {
            cast_distance_to_segment(Vector::ZERO, self.heading, to, to + free_way, room)
        };
        self.room = gap.map_or(self.room, |gap| self.room.min(gap / self.time_gap));
    }

    /// Whether the way of a neighbor is the same as the agent's, or leads toward it.
    fn meets(&self, neighbor: &Neighbor, to: Vector, touch: f32) -> bool {
        // To the left of the way that both want to go in the mean.
        let aside = 0.5 * (self.heading + neighbor.heading).perp_dot(to);
        aside.abs() <= touch * SAME_LINE || aside * self.heading.perp_dot(neighbor.heading) < 0.0
    }

    /// The velocity wanted, if it is not what the others want anyway.
    pub fn velocity(&self) -> Option<Vector> {
        let pace = if self.pacemakers > 0.0 {
            (self.pace / self.pacemakers).max(0.0) + (self.lag - 2.0 * self.agent.radius).max(0.0) / self.time_gap
        } else {
            f32::INFINITY
        };
        let (depth, out) = self.deepest;
        let limit = pace.max(CREEP * self.agent.max_speed).min(self.room);
        (limit < self.speed || depth > 0.0)
            .then(|| self.heading * limit.min(self.speed) + out * (depth / self.time_gap))
    }

    /// Its place at the end of the tick.
    pub fn next_place(&self) -> f32 {
        let tick = self.agent.tick;
        let agreed = if self.opinions > 0.0 { self.correction / self.opinions } else { 0.0 };
        let place = self.place + agreed * (tick / (tick + AGREEING)) - self.agent.velocity.dot(self.heading) * tick;
        place * (FADING / (FADING + tick))
    }
}

/// How far an agent looks among others as large as itself, units.
pub(crate) fn perception_radius(max_speed: f32, radius: f32, time_gap: f32) -> f32 {
    max_speed * time_gap + 2.0 * radius * (3.0 + SPACING + FREE_WAY)
}

/// Limits the force so that the agent can always stop within its own half of the gap to each neighbor.
pub(crate) fn keep_apart(restraint: &mut ForceLimits, agent: &Agent, neighbors: &Neighbors, far: f32) {
    neighbors.for_each_near(agent, far, |neighbor, to| {
        limit_by_neighbor(restraint, agent, neighbor.id, neighbor.radius, to);
    });
}

/// The same for one neighbor.
pub(super) fn limit_by_neighbor(restraint: &mut ForceLimits, agent: &Agent, id: SteeringId, radius: f32, to: Vector) {
    let away = if to == Vector::ZERO { -direction_to_coincident(agent.id, id) } else { -normalize(to) };
    let gap = 0.5 * (to.length() - agent.radius - radius) - SKIN * agent.radius;
    restraint.limit(agent, gap, away, Vector::ZERO);
}

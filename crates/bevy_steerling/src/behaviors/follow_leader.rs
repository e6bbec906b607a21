//! Follow leader: walk behind a leader, out of its way.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

#[cfg(dim3)]
use crate::agent::random::direction_from;
use crate::agent::{Agent, SteeringAgent};
use crate::behaviors::leader::{Leader, LeaderHeading, Leaders};
use crate::engine::approach::{braking_speed, braking_velocity};
use crate::engine::behavior::{Aim, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
#[cfg(dim3)]
use crate::math::half_space::HalfSpace;
use crate::math::{Vector, distance_across, normalize, truncate};
use crate::perception::neighbors::Neighbors;
use crate::perception::target::{Kinematics, Target};

/// Follows a leader at a distance together with others, keeping apart from them and out of the leader's way.
///
#[cfg_attr(doc, doc = figure!("follow_leader"))]
///
#[cfg_attr(not(dim3), doc = "*Agents gather behind a leader that turns around, and make way for it.*")]
///
/// # Formula
///
/// The agent arrives at the place `distance` behind the leader, moves along with that place, and brakes as late as its force allows. Three
/// things limit its velocity relative to the leader or a neighbor (Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999):
///
/// - Other followers of the same leader that are nearer to the place. The agent keeps at least `spacing` away from them. The nearest
///   follower ignores all others, so a crowd of any size comes to rest. An agent between other followers and the leader may have less room.
/// - The leader. The agent keeps `spacing` or `distance` away from it, whichever is less, and stays at least that far behind it where
///   others leave room.
/// - A wedge ahead of a moving leader; in three dimensions, a cone. At the leader, it is as wide as both bodies. On each side it widens by
///   half the distance ahead, up to where the leader will be after 1.5 seconds. An agent inside goes to the nearer side.
///
/// A leader at rest keeps its last heading. A leader that has not moved yet has the heading of its `Transform`. For a [`Target::Group`],
/// the leader is the nearest member.
///
/// # When to use it
///
/// For squads, tour groups and packs. For fixed places in a formation, use
/// [`OffsetPursuit`](crate::behaviors::offset_pursuit::OffsetPursuit).
///
/// # Combines with
///
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles), and
/// [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) for agents that do not follow the same leader.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// let leader = commands.spawn((Wander::default(), SteeringAgent { max_speed: 60.0, ..default() })).id();
/// for i in 0..20 {
///     commands.spawn((FollowLeader::new(leader), Transform::from_xyz(-30.0 * i as f32, -50.0, 0.0)));
/// }
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, LeaderHeading)]
pub struct FollowLeader {
    /// The leader. If the target no longer exists, the behavior applies no force.
    #[entities]
    pub leader: Target,
    /// The distance of the place behind the center of the leader, units, ≥ 0. Default: five times the agent's radius. Negative values count
    /// as 0.
    pub distance: Option<f32>,
    /// The distance to keep from the centers of other followers, units, ≥ 0. Default: three times the agent's radius. Negative values
    /// count as 0.
    pub spacing: Option<f32>,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

impl FollowLeader {
    /// Follows `leader`, usually an `Entity`.
    pub fn new(leader: impl Into<Target>) -> Self {
        Self { leader: leader.into(), distance: None, spacing: None, weight: 1.0 }
    }

    /// Sets the [`distance`](Self::distance), units.
    #[must_use]
    pub fn with_distance(self, distance: f32) -> Self {
        Self { distance: Some(distance), ..self }
    }

    /// Sets the [`spacing`](Self::spacing), units.
    #[must_use]
    pub fn with_spacing(self, spacing: f32) -> Self {
        Self { spacing: Some(spacing), ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    fn distance_behind(&self, agent: &Agent) -> f32 {
        self.distance.map_or(5.0 * agent.radius, |distance| distance.max(0.0))
    }

    /// The distance to keep from the leader, units.
    fn apart(&self, agent: &Agent) -> f32 {
        self.spacing_for(agent.radius).min(self.distance_behind(agent))
    }

    fn spacing_for(&self, radius: f32) -> f32 {
        self.spacing.unwrap_or(3.0 * radius).max(0.0)
    }
}

/// How much the wedge ahead of the leader widens to each side, per unit ahead.
const WIDENING: f32 = 0.5;

/// How far ahead the wedge reaches, seconds.
const WEDGE_TIME: f32 = 1.5;

/// The share of the force for keeping away from others.
const KEEPING_AWAY: f32 = 0.5;

/// Below this share of max speed, relative to the leader, an agent is at rest behind it.
const AT_REST: f32 = 1e-3;

/// The maximum number of neighbors; the nearest ones are kept.
const MOST: usize = 16;

/// The number of limits that the leader adds after those of neighbors: its body and the wedge.
const BY_LEADER: usize = 2;

/// An upper limit on the speed along a direction, which is a unit vector.
#[derive(Clone, Copy, Debug, Default)]
struct Limit {
    direction: Vector,
    speed: f32,
    /// The distance from the agent to what it keeps away from, units.
    room: f32,
}

impl Limit {
    /// Keeps away from something that is `room` away in a direction and moves at `velocity`. If `room` is negative, the agent has to move
    /// back.
    fn new(agent: &Agent, direction: Vector, room: f32, velocity: Vector) -> Self {
        let way = room.abs();
        let approach = braking_speed(way, KEEPING_AWAY * agent.max_force / agent.mass, agent.tick);
        let approach = approach.min(way / (4.0 * agent.response_time)).copysign(room);
        Self { direction, speed: velocity.dot(direction) + approach, room }
    }
}

/// The limits of the velocity of an agent, the most important ones last.
#[derive(Default)]
struct Limits {
    limits: [Limit; MOST + BY_LEADER],
    count: usize,
}

impl Limits {
    fn push(&mut self, limit: Limit) {
        self.limits[self.count] = limit;
        self.count += 1;
    }

    /// Adds the limit of a neighbor, unless there are enough from nearer ones.
    fn push_neighbor(&mut self, limit: Limit) {
        if self.count < MOST {
            self.push(limit);
        } else if let Some(farthest) = self.limits[..MOST].iter_mut().max_by(|a, b| a.room.total_cmp(&b.room))
            && limit.room < farthest.room
        {
            *farthest = limit;
        }
    }

    /// Puts the nearest neighbors last.
    fn sort(&mut self) {
        self.limits[..self.count].sort_unstable_by(|a, b| b.room.total_cmp(&a.room));
    }

    /// The velocity nearest to `wanted` within the limits. If they contradict each other, the last ones hold.
    #[cfg(dim3)]
    fn apply(&self, wanted: Vector) -> Vector {
        let limits = &self.limits[..self.count];
        let fastest = limits.iter().map(|limit| limit.speed.abs()).fold(wanted.length(), f32::max);
        let within = |limits: &[Limit]| {
            let half_spaces = limits.iter().map(|limit| HalfSpace { normal: -limit.direction, least: -limit.speed });
            HalfSpace::nearest_in_all(half_spaces, wanted, 4.0 * fastest)
        };
        (0..=limits.len()).find_map(|first| within(&limits[first..])).unwrap_or(wanted)
    }

    /// The velocity nearest to `wanted` within the limits. If they contradict each other, the last ones hold.
    #[cfg(not(dim3))]
    fn apply(&self, wanted: Vector) -> Vector {
        let mut velocity = wanted;
        for (index, limit) in self.limits[..self.count].iter().enumerate() {
            if velocity.dot(limit.direction) > limit.speed {
                velocity = nearest_on_edge(wanted, limit, &self.limits[..index]);
            }
        }
        velocity
    }
}

/// The velocity nearest to `wanted` on the boundary of `limit` and within the limits `before` it.
#[cfg(not(dim3))]
fn nearest_on_edge(wanted: Vector, limit: &Limit, before: &[Limit]) -> Vector {
    let nearest = wanted - limit.direction * (wanted.dot(limit.direction) - limit.speed);
    let along = limit.direction.perp();
    let (mut low, mut high) = (f32::MIN, f32::MAX);
    for other in before {
        let (slope, rest) = (along.dot(other.direction), other.speed - nearest.dot(other.direction));
        if slope > PARALLEL {
            high = high.min(rest / slope);
        } else if slope < -PARALLEL {
            low = low.max(rest / slope);
        }
    }
    nearest + along * if low <= high { 0.0_f32.max(low).min(high) } else { 0.5 * (low + high) }
}

/// The unit vector from the line ahead of a leader to an agent, and the agent's distance from the line. `to_leader` is the displacement to
/// the leader.
#[cfg(not(dim3))]
fn beside(agent: &Agent, heading: Vector, to_leader: Vector) -> (Vector, f32) {
    let left = -heading.perp_dot(to_leader);
    let is_left = if left == 0.0 { agent.id.get().is_multiple_of(2) } else { left > 0.0 };
    (if is_left { heading.perp() } else { -heading.perp() }, left.abs())
}

#[cfg(dim3)]
fn beside(agent: &Agent, heading: Vector, to_leader: Vector) -> (Vector, f32) {
    let across = |vector: Vector| vector - heading * vector.dot(heading);
    let aside = -across(to_leader);
    let side =
        [aside, across(direction_from(agent.id.get()))].map(normalize).into_iter().find(|side| *side != Vector::ZERO);
    (side.unwrap_or_else(|| heading.any_orthonormal_vector()), aside.length())
}

/// Limits whose directions differ by less than this sine are parallel.
#[cfg(not(dim3))]
const PARALLEL: f32 = 1e-6;

impl FollowLeader {
    /// The desired velocity; `None` if nothing keeps the agent from its place, and the place stands still.
    fn desired_velocity(
        &self,
        agent: &Agent,
        leader: &Leader,
        neighbors: &Neighbors,
        follows: impl Fn(Entity) -> bool,
    ) -> Option<Vector> {
        let place = leader.place(Vector::X * -self.distance_behind(agent));
        let to_place = agent.to(place.position);
        let along = Agent { velocity: agent.velocity - place.velocity, ..*agent };
        let wanted = truncate(place.velocity + braking_velocity(&along, to_place), agent.max_speed);

        let mut limits = Limits::default();
        self.keep_behind(leader, agent, &mut limits);
        let spacing = self.spacing_for(agent.radius);
        neighbors.for_each_within(agent, spacing + agent.stopping_distance(), |neighbor, displacement| {
            let (theirs, own) = ((to_place - displacement).length_squared(), to_place.length_squared());
            let yields = theirs < own || theirs == own && neighbor.id < agent.id;
            if yields && follows(neighbor.entity) {
                let room = displacement.length() - spacing;
                limits.push_neighbor(Limit::new(agent, normalize(displacement), room, neighbor.velocity));
            }
        });
        limits.sort();
        self.keep_clear_of(leader, agent, &mut limits);
        let velocity = limits.apply(wanted);
        let rest = (velocity - place.velocity).length() <= AT_REST * agent.max_speed;
        let free = velocity == wanted && place.velocity == Vector::ZERO;
        (!free).then_some(if rest { place.velocity } else { velocity })
    }

    /// Stays behind the leader, as far as others leave room there.
    fn keep_behind(&self, leader: &Leader, agent: &Agent, limits: &mut Limits) {
        let to_leader = agent.to(leader.kinematics.position);
        // An agent straight ahead of the leader first moves aside.
        if distance_across(leader.heading, to_leader) > agent.radius + leader.radius {
            let room = to_leader.dot(leader.heading) - self.apart(agent);
            let limit = Limit::new(agent, leader.heading, room, leader.kinematics.velocity);
            limits.push(Limit { room: f32::INFINITY, ..limit });
        }
    }

    /// Keeps away from the leader, and out of the wedge ahead of it.
    fn keep_clear_of(&self, leader: &Leader, agent: &Agent, limits: &mut Limits) {
        let Kinematics { position, velocity } = leader.kinematics;
        let to_leader = agent.to(position);
        let ahead = -to_leader.dot(leader.heading);
        let width = agent.radius + leader.radius;
        if ahead > 0.0 && ahead < velocity.dot(leader.heading) * WEDGE_TIME + width {
            let (side, aside) = beside(agent, leader.heading, to_leader);
            // From the edge of the wedge to its inside.
            let inward = normalize(leader.heading * WIDENING - side);
            let room = (aside - width - WIDENING * ahead) * -inward.dot(side);
            limits.push(Limit::new(agent, inward, room, velocity));
        }
        limits.push(Limit::new(agent, normalize(to_leader), to_leader.length() - self.apart(agent), velocity));
    }
}

impl SteeringBehavior for FollowLeader {
    type State = LeaderHeading;
    type Param = (Leaders<'static, 'static>, Res<'static, Neighbors>, Query<'static, 'static, &'static FollowLeader>);
    const PARALLEL_THRESHOLD: usize = 256;

    fn wish(&self, state: &mut LeaderHeading, agent: &Agent, param: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let (leaders, neighbors, followers) = param;
        let Some(leader) = leaders.find(agent, self.leader, state) else { return Wish::Nothing };
        *state = leader.seen;
        let follows = |other| followers.get(other).is_ok_and(|other| other.leader == self.leader);
        match self.desired_velocity(agent, &leader, neighbors, follows) {
            Some(velocity) => Wish::Force(agent.force_to_reach(velocity)),
            None => Wish::arrive(agent.to(leader.place(Vector::X * -self.distance_behind(agent)).position)),
        }
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        [Some(Aim::at(self.leader)), None]
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        let speed = agent.max_speed.max(0.0);
        let stopping = speed * speed * agent.mass / (2.0 * agent.max_force.max(f32::MIN_POSITIVE));
        let radius = self.spacing_for(agent.radius.max(0.0)) + if stopping > 0.0 { stopping.min(1e9) } else { 0.0 };
        radius.max(self.leader.perception_radius(agent))
    }

    fn draw(
        &self,
        state: &LeaderHeading,
        agent: &Agent,
        (leaders, ..): &SystemParamItem<'_, '_, Self::Param>,
        figure: &mut Figure,
    ) {
        let Some(leader) = leaders.find(agent, self.leader, state) else { return };
        let place = agent.position + agent.to(leader.place(Vector::X * -self.distance_behind(agent)).position);
        figure.line(agent.position, place);
        figure.point(place);
        figure.circle(agent.position, self.spacing_for(agent.radius));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_neighbors_the_nearest_count_and_the_very_nearest_last() {
        let mut limits = Limits::default();
        // In no order.
        for number in 0..40_u8 {
            let room = f32::from(number * 6 % 41) - 5.0;
            limits.push_neighbor(Limit { room, ..Limit::default() });
        }
        limits.sort();
        let rooms = limits.limits[..limits.count].iter().map(|limit| limit.room);
        assert!(rooms.eq((0..MOST as u8).rev().map(|room| f32::from(room) - 5.0)));
    }
}

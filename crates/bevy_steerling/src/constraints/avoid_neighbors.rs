//! Collision avoidance among agents: pass others without touching them.

use core::f32::consts::FRAC_PI_2;

use bevy::ecs::component::component_clone_ignore;
use bevy::prelude::*;

use crate::agent::{Agent, FollowsForce, GroupMask, RateState, SteeringAgent};
use crate::constraints::avoider::{Known, Member};
use crate::constraints::force_limits::ForceLimits;
use crate::constraints::outcomes::Outcome;
use crate::constraints::passing::{Crowd, Other, Passing, lack};
pub use crate::constraints::passing::{MOST, closest_approach};
use crate::constraints::precedence::Precedence;
use crate::constraints::preferred_velocity::IDLE;
pub use crate::constraints::preferred_velocity::PreferredVelocity;
use crate::constraints::settling::{Settling, Stopping, competes, leave_crowd};
use crate::constraints::walker::Walker;
use crate::constraints::walkers::{Clearance, Scope, Walkers};
use crate::engine::destination::Destination;
use crate::math::{Vector, normalize, turned_right};
use crate::perception::neighbors::{Neighbors, direction_to_coincident};
use crate::perception::obstacles::Obstacles;

/// Passes other agents without touching them, like people in a hallway.
///
#[cfg_attr(doc, doc = figure!("avoid_neighbors"))]
///
#[cfg_attr(
    not(dim3),
    doc = "*`AvoidNeighbors`: six agents on a circle change places with those opposite, and no two touch.*"
)]
///
/// This constraint changes the total of the behaviors.
///
/// Two agents with `AvoidNeighbors` share the detour in proportion to their max speeds. An agent without it, or with
/// [`ExternalMovement`](crate::agent::ExternalMovement) but not [`MovedByForce`](crate::agent::MovedByForce), is expected to keep its
/// [`Velocity`](crate::agent::Velocity), and the other agent makes the whole detour.
///
/// An agent notices others from as far away as the two can get toward each other within its time horizon. So it gets out of the way of a
/// car that is fifty times as fast.
///
/// An agent that makes no progress, as when two crowds meet head-on, turns farther and farther aside, first to the right, until it can move
/// on. If the agents ahead of it want to move in the direction in which it turns, and to another place, it slows down, so that their stream
/// does not carry it along. In a jam, as before a door that is wide enough for one, an agent makes way for those ahead of it. Of two agents
/// side by side, the one with the lower [`SteeringId`](crate::agent::SteeringId) goes first. Of two that are nearly side by side, the
/// second one steps back.
///
/// An agent can always stop before it touches another agent: neither of two agents goes beyond the point where the other one stops and,
/// unless one of them goes first, each stays on its own side of the midpoint between these points. With
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles), the same holds for obstacles.
///
/// An agent does not avoid what it wants to get to: the entity, or the nearest member of the group, that is the target of its
/// [`Pursue`], [`Seek`] or [`Arrive`] with a weight above 0. So a hunter touches its quarry, and passes everybody else. It is not expected to
/// go on beyond a target that stands, so guards that come up to a player from all sides do not pass each other.
///
/// Agents that want to stop at the same place, as with [`Arrive`] or at the end of a path, do not pass each other there: they close up
/// around the place, and [settle](crate::constraints::settling::Settling) when they get no nearer. If those in the
/// middle keep each other from the place, they take turns for a while, in the order of their ids. So do agents that circle around a place
/// that only one of them can reach.
///
/// Others avoid an agent that is about to stop only within that agent's stopping distance, so agents can arrive right next to each other.
///
/// # Formula
///
/// From the [preferred velocities](PreferredVelocity) of two agents the constraint predicts their smallest distance, `|p + v · t|`
/// ([`closest_approach`]; after the unaligned collision avoidance of Craig Reynolds, Steering Behaviors for Autonomous Characters, 1999).
/// If they would come too close within the [`time_horizon`](Self::time_horizon), each passes the other on the side on which it would pass
/// anyway or, if that is unclear, keeps right. So on crossing paths, the agent that has the other on its right gives way. The new total
/// leads to the velocity closest to the preferred one that passes the most urgent neighbors, at most [`MOST`].
///
/// # When to use it
///
/// For pedestrians, robots and vehicles on crossing paths or in opposite streams.
#[cfg_attr(not(dim3), doc = "For many agents at one door, use [`Queue`](crate::constraints::queue::Queue).")]
/// If agents may touch and just should not crowd together, [`Separation`](crate::behaviors::separation::Separation) is enough and costs
/// less.
///
/// # Combines with
///
/// [`Arrive`] for a destination at which the agent stops, or [`Seek`] for one that it passes,
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) for walls, [`Solid`](crate::world::solid::Solid) as a backstop.
/// `Separation` with a large radius works against the prediction.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// for (start, goal) in [(-200.0, 200.0), (200.0, -200.0)] {
///     commands.spawn((
///         Arrive::new(Vec2::new(goal, 0.0)),
///         AvoidNeighbors::default(),
///         Transform::from_xyz(start, 0.0, 0.0),
///     ));
/// }
/// # }
/// ```
///
/// [`Arrive`]: crate::behaviors::arrive::Arrive
/// [`Pursue`]: crate::behaviors::pursue::Pursue
/// [`Seek`]: crate::behaviors::seek::Seek
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, PreferredVelocity, Detour, Destination, Settling)]
#[component(on_remove = leave_crowd)]
pub struct AvoidNeighbors {
    /// How far ahead in time neighbors matter, seconds, ≥ 0. Default: twice the stopping time from max speed plus the time in which the
    /// agent covers eight radii. Negative values count as 0: only neighbors that the agent touches matter.
    ///
    /// To get out of the way of bodies that are more than two and a half times as large as the agent, set a longer time.
    pub time_horizon: Option<f32>,
    /// The groups whose members are avoided, a bit for each: see [`SteeringGroups`](crate::agent::SteeringGroups). Default: all, and agents
    /// in no group. With 0 nobody is avoided. An agent that avoids a member of a group that does not avoid it makes the whole detour.
    pub groups: GroupMask,
    /// How far the total is bent, 0 to 1. Default: 1. Below 1 agents may touch; 0 turns the constraint off.
    pub weight: f32,
}

/// How far an agent with [`AvoidNeighbors`] currently turns aside because its way is blocked. Updated every tick. Cloned
/// entities start with a new state.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct Detour(pub(super) f32);

impl Detour {
    /// The detour, −1 to 1: 0 is straight ahead, 1 a right angle to the right, −1 a right angle to the left.
    pub fn get(&self) -> f32 {
        if self.0.is_finite() { self.0.clamp(-1.0, 1.0) } else { 0.0 }
    }
}

impl Default for AvoidNeighbors {
    fn default() -> Self {
        Self { time_horizon: None, groups: GroupMask::ALL, weight: 1.0 }
    }
}

impl AvoidNeighbors {
    /// Sets [`time_horizon`](Self::time_horizon), seconds.
    #[must_use]
    pub fn with_time_horizon(self, time: f32) -> Self {
        Self { time_horizon: Some(time), ..self }
    }

    /// Sets the [`groups`](Self::groups) whose members are avoided.
    #[must_use]
    pub fn with_groups(self, groups: GroupMask) -> Self {
        Self { groups, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    pub(super) fn time_horizon_of(&self, agent: &Agent) -> f32 {
        self.time_horizon_for(agent.max_speed, agent.max_force / agent.mass, agent.radius)
    }

    pub(super) fn time_horizon_for(&self, max_speed: f32, acceleration: f32, radius: f32) -> f32 {
        self.time_horizon.unwrap_or_else(|| default_time_horizon(max_speed, acceleration, radius)).max(0.0)
    }
}

/// Twice the stopping time from max speed plus the time in which the agent covers eight radii, seconds.
pub(super) fn default_time_horizon(max_speed: f32, acceleration: f32, radius: f32) -> f32 {
    2.0 * max_speed / acceleration + 8.0 * radius / max_speed
}

/// The share of another agent's stopping distance that is credited if that agent moves away.
const CREDIT: f32 = 0.6;

/// The least clearance from others, as a share of the distance at which they touch. It is the same for both, so neither pushes the other.
const SKIN: f32 = 0.005;

/// Bodies that overlap by less than this share of the radius only touch, as `Solid` leaves them.
const TOUCHING: f32 = 2e-4;

/// The time constant with which a held-up agent turns aside and back, as a share of its time horizon.
const PATIENCE: f32 = 0.5;

/// An agent is stuck on one side if its turn and its lack of speed both exceed this.
const STUCK: f32 = 0.9;

/// An agent that turns aside by more than this is held up.
pub(super) const HELD_UP: f32 = 0.05;

/// The share of its speed that an agent gives up at a right angle.
const SLOWER: f32 = 0.3;

/// An agent that turns aside by more than this slows down in a stream that would carry it along.
const CARRIED: f32 = 0.5;

/// The initial turn to the other side of an agent that is stuck.
const OTHER_SIDE: f32 = 0.2;

/// Below this turn an agent on the left keeps right again.
const KEEP_RIGHT: f32 = 0.05;

/// The agents that share the detour.
pub(super) type Shares = (
    &'static AvoidNeighbors,
    &'static SteeringAgent,
    &'static PreferredVelocity,
    &'static Settling,
    Option<&'static RateState>,
);

/// What an agent with [`AvoidNeighbors`] reads from the world.
pub(super) struct Around<'a> {
    pub neighbors: &'a Neighbors,
    pub walkers: &'a Walkers,
    pub obstacles: &'a Obstacles,
    pub avoiding: &'a Query<'a, 'a, Shares, FollowsForce>,
    /// The length of a tick, seconds.
    pub tick: f32,
}

/// The lists of one agent after another.
pub(super) struct Lists {
    crowd: Crowd,
    limits: ForceLimits,
}

impl Lists {
    pub fn new() -> Self {
        Self { crowd: Crowd::new(), limits: ForceLimits::NONE }
    }
}

impl Around<'_> {
    /// Calls `visit` with each neighbor that the agent avoids and that can matter to it: the neighbor, its urgency, whether it may be so near
    /// that it limits the speed, and where it wants to stop. `visit` returns the urgency above which others do not matter.
    #[inline(always)]
    pub fn for_each_avoided(
        &self,
        (member, place): (&Member, Option<usize>),
        me: &Walker,
        far: f32,
        mut visit: impl FnMut(&Other, f32, bool, &Stopping) -> f32,
    ) {
        let agent = &member.agent;
        let own = place.map_or(GroupMask::NONE, |place| self.known(place).groups);
        let largest_radius = self.neighbors.largest_radius();
        let skin = SKIN * (agent.radius + largest_radius);
        let clearance = Clearance { skin, credit: CREDIT, largest_radius };
        let passing = Passing::new(*me, member.time_horizon);
        let scope = Scope::new(&passing, agent, far, clearance);
        self.walkers.for_each_that_matters(
            self.neighbors,
            (agent, place),
            &scope,
            far,
            |place, to, known_urgency, is_near| {
                let known = self.known(place);
                if !member.groups.considers(known.groups) || member.goals.contains(place) {
                    return f32::INFINITY;
                }
                let walker = known.walker(self.neighbors.bodies()[place].velocity, own);
                let other = Other::new(walker, me, to, agent.radius + known.radius, member.time_horizon);
                let urgency = if known_urgency.is_nan() { passing.urgency(&other) } else { known_urgency };
                visit(&other, urgency, is_near, &known.stopping(own))
            },
        );
    }

    /// What others know of the agent at a place.
    fn known(&self, place: usize) -> Known {
        self.walkers.known(place).unwrap_or_else(|| {
            let neighbor = self.neighbors.neighbor(place);
            let known = Known::new(neighbor.id, neighbor.radius, neighbor.groups);
            let shares = self.avoiding.get(neighbor.entity);
            shares.map_or(known, |(avoiding, body, preferred, settling, rate)| {
                let known = known.avoiding(avoiding, body, preferred, settling);
                known.that_keeps_going(rate.map_or(0.0, |rate| rate.keeps_going(self.tick)))
            })
        })
    }

    /// How far an agent looks for all others but the fastest, units.
    pub fn far(&self, Member { agent, time_horizon, .. }: &Member) -> f32 {
        self.walkers.far(self.neighbors, agent, *time_horizon)
    }

    /// Computes how an agent passes others. `place` is its place in the neighbor index.
    pub fn pass(&self, member: &Member, place: Option<usize>, Lists { crowd, limits }: &mut Lists) -> Outcome {
        let Member { ref agent, detour, time_horizon, .. } = *member;
        let mut detour = Detour(detour);
        let acceleration = agent.max_force / agent.mass;
        // An agent that cannot move cannot avoid others.
        if agent.max_speed <= 0.0 || acceleration <= 0.0 {
            return Outcome { before: agent.force, total: agent.force, detour: detour.0 };
        }
        let wanted = agent.preferred_velocity();
        let alone = Known::new(agent.id, agent.radius, GroupMask::NONE);
        let known = place.map_or(alone, |place| self.known(place));
        let (me, stopping) = (known.walker(agent.velocity, GroupMask::ALL), known.stopping(GroupMask::ALL));
        let me = Walker { preferred: wanted, max_speed: agent.max_speed, acceleration, ..me };
        limits.start(agent, agent.max_force);
        let is_at_goal = me.time_to_goal < agent.tick;
        crowd.start(me, time_horizon, stopping.crowd().is_some() && !stopping.takes_turns || is_at_goal);
        let far = self.perceive(crowd, (member, place), &stopping, limits);
        if !member.layers.is_empty() {
            let near = limits.way_to_stop(agent).min(far) + 2.0 * agent.radius;
            self.obstacles.for_each_near(agent, near, member.layers, |obstacle, position| {
                limits.limit_by_obstacle(agent, obstacle, position, |fastest, away| {
                    if let Some(limit) = crowd.limit(fastest, -away) {
                        crowd.walls.insert(fastest, agent.id, limit);
                    }
                });
            });
            limits.leave_overlapping_obstacles(agent, self.obstacles, member.layers);
        }
        let velocity = AvoidNeighbors::velocity(&mut detour, crowd, agent.tick);

        let bent = velocity != wanted;
        let force = if bent { agent.force_to_reach(velocity) } else { agent.force };
        let total = match limits.apply(agent, force) {
            Some(limited) => limited,
            None if bent => force,
            None => agent.force,
        };
        Outcome { before: agent.force, total, detour: detour.0 }
    }

    /// Collects the neighbors that matter. Returns the radius in which it looked, units.
    fn perceive(
        &self,
        crowd: &mut Crowd,
        (member, place): (&Member, Option<usize>),
        stopping: &Stopping,
        limits: &mut ForceLimits,
    ) -> f32 {
        let (me, agent) = (crowd.me, &member.agent);
        let stop = ForceLimits::stop(agent.velocity, me.acceleration);
        let far = self.far(member);
        self.for_each_avoided((member, place), &me, far, |other, urgency, is_near, its| {
            let Other { walker: neighbor, to, touch, distance, toward, precedence, .. } = other;
            if is_near {
                let toward = if *to == Vector::ZERO { direction_to_coincident(agent.id, neighbor.id) } else { *toward };
                let gap = distance - touch - SKIN * touch;
                let overlaps = *distance < *touch - TOUCHING * agent.radius;
                if overlaps {
                    limits.push_out(toward * gap);
                }
                let fastest = if neighbor.avoids() {
                    // Up to the midpoint between the stopping points of both, or farther with the right of way.
                    let its_stop = neighbor.stop().dot(toward);
                    let its_stop = if its_stop > 0.0 { CREDIT * its_stop } else { its_stop };
                    let my_stop = stop.dot(toward);
                    // One that makes way comes no nearer, but need not move away.
                    let Precedence { lead, in_jam, .. } = *precedence;
                    let between =
                        if lead < 0.0 { gap - my_stop.abs() + its_stop } else { gap - my_stop - its_stop.abs() };
                    // In a jam, it leaves at most the room of a body, so that those far away do not matter.
                    let between = between.clamp(0.0, if in_jam { *touch } else { f32::INFINITY });
                    let room = 0.5 * (gap + my_stop + its_stop + lead * between);
                    let fastest = limits.limit_stop(agent, room, -toward, overlaps);
                    match me.room_behind(neighbor, gap, toward) {
                        Some(room) => {
                            let closing = limits.limit(agent, room, -toward, neighbor.velocity);
                            fastest.min(closing + neighbor.velocity.dot(toward))
                        }
                        None => fastest,
                    }
                } else if -neighbor.velocity.dot(toward) > agent.max_speed {
                    // The agent cannot run away from it, only pass it.
                    f32::INFINITY
                } else {
                    limits.limit(agent, gap, -toward, neighbor.velocity) + neighbor.velocity.dot(toward)
                };
                if let Some(limit) = crowd.limit(fastest, toward) {
                    crowd.limits.insert(fastest, neighbor.id, limit);
                }
            }
            if urgency < 1.0 && !closes_up(agent, stopping, its, *to, *touch) {
                let shares_destination = is_rival(agent, stopping.destination, its.destination, *to, *touch);
                crowd.others.insert(urgency, neighbor.id, Other { shares_destination, ..*other });
            }
            crowd.others.least()
        });
        far
    }
}

/// Whether an agent, instead of passing another, closes up to the crowd at its destination, of which the other one is a member.
fn closes_up(agent: &Agent, mine: &Stopping, its: &Stopping, way: Vector, touch: f32) -> bool {
    !(mine.takes_turns && its.takes_turns) && is_rival(agent, mine.destination, its.crowd(), way, touch)
}

/// Whether an agent with the destination `place` competes with another one, which wants to stop at `its`.
fn is_rival(agent: &Agent, place: Option<Vector>, its: Option<Vector>, way: Vector, touch: f32) -> bool {
    place.zip(its).is_some_and(|(place, its)| competes(agent.to(place), way, agent.to(its), touch))
}

impl AvoidNeighbors {
    /// The velocity to take instead of the wanted one, and the new detour.
    fn velocity(detour: &mut Detour, crowd: &mut Crowd, tick: f32) -> Vector {
        let Walker { preferred: wanted, max_speed, .. } = crowd.me;
        let (left, before) = (detour.get() < 0.0, detour.get().abs());
        let straight = crowd.nearest_velocity(wanted, left, false);
        let patience = (PATIENCE * crowd.time_horizon).min(f32::MAX);
        // At its target, or in the crowd at its destination, an agent does not turn aside.
        let may_turn = wanted.length() > IDLE * max_speed && !crowd.is_waiting;
        let held_up = if may_turn { lack(straight, wanted) } else { 0.0 };
        let turn = before + (held_up - before) * (tick / (tick + patience));
        if turn < 1e-3 {
            detour.0 = 0.0;
            return straight;
        }

        let side = if left { -1.0 } else { 1.0 };
        let aside = turned_right(wanted, side * turn * FRAC_PI_2);
        // Slower, so that an agent that moves along with a stream lets it pass, and a fast stream does not carry it along.
        let mut share = 1.0 - SLOWER * turn;
        if turn > CARRIED {
            let stream = crowd.speed_of_stream(wanted, normalize(aside)) / max_speed;
            share -= stream * stream * (turn - CARRIED) / (1.0 - CARRIED);
        }
        let aside = aside * share.max(0.0);
        let beside_walls = crowd.nearest_velocity(aside, left, true);
        let is_blocked = lack(beside_walls, aside) > STUCK;
        let is_same = is_blocked || crowd.walls.is_empty();
        let velocity = if is_same { beside_walls } else { crowd.nearest_velocity(aside, left, false) };
        detour.0 = if turn > STUCK && is_blocked {
            -side * OTHER_SIDE
        } else if left && turn < KEEP_RIGHT {
            turn
        } else {
            side * turn
        };
        // Where the way aside is blocked, the way straight ahead may be freer.
        if is_blocked && held_up < STUCK { straight } else { velocity }
    }
}

impl Known {
    /// The same agent, if it avoids others.
    pub fn avoiding(
        self,
        avoiding: &AvoidNeighbors,
        body: &SteeringAgent,
        preferred: &PreferredVelocity,
        settling: &Settling,
    ) -> Self {
        let max_speed = body.max_speed.max(0.0);
        if max_speed <= 0.0 {
            return self;
        }
        let acceleration = body.max_force.max(0.0) / body.effective_mass();
        let circling = if settling.takes_turns { 1.0 } else { preferred.circling() };
        // In the crowd at its destination, an agent waits.
        let jammed = if settling.is_there() { 0.0 } else { preferred.jammed() };
        let time_to_goal = preferred.time_to_goal.unwrap_or(f32::INFINITY);
        let preferred = preferred.velocity;
        let walker = Walker { preferred, max_speed, acceleration, circling, jammed, time_to_goal, ..self.walker };
        Self { avoids: avoiding.groups, walker, stopping: settling.stopping(), ..self }
    }

    /// The same agent, if it keeps its velocity for this time before it thinks again, seconds.
    pub fn that_keeps_going(mut self, time: f32) -> Self {
        self.walker.keeps_going = time;
        self
    }
}

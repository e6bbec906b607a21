//! Go past others without touching them.

use core::f32::consts::FRAC_PI_2;

use bevy::ecs::system::SystemParamItem;
use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::{ExternalMovement, SteeringForce, SteeringId, Velocity};
use crate::constraints::avoid_obstacles::{AvoidObstacles, Detection};
use crate::constraints::force_limits::{ForceLimits, HalfPlane};
use crate::engine::behavior::{Agent, SteeringBehavior, TickParam};
use crate::engine::body::BodyLimits;
use crate::engine::figure::Figure;
use crate::math::{Vector, finite_or_zero, normalize, truncate, unit_vector};
use crate::perception::neighbors::{Neighbor, Neighbors, direction_to_coincident};
use crate::perception::obstacles::Obstacles;
use crate::prelude::SteeringAgent;

/// Goes past other agents without touching them, as people do in a hall.
///
#[cfg_attr(doc, doc = figure!("avoid_neighbors"))]
///
/// *`AvoidNeighbors`: six agents on a circle change places with those opposite, and nobody touches another.*
///
/// It sees the sum of what the other behaviors want and bends it.
///
/// Two that both avoid each other share what there is to do, in proportion to their max speeds. Who has no `AvoidNeighbors`, or is
/// moved by something else ([`ExternalMovement`]), is expected to go on at its [`Velocity`], and the agent does all of it.
///
/// Where nothing helps, as when two crowds meet head-on, an agent that is held up turns aside more and more, until it gets on: first
/// to the right. And nobody comes nearer to others than it can stop, each of two as far as the middle between where both
/// would come to rest; nor to obstacles, where it has [`AvoidObstacles`] with [`Detection::Swept`].
///
/// It takes no more notice of a slow agent than that can matter: one that slows down to stop at a target gets there, even right beside
/// others.
///
/// Of the neighbors within sight it minds the [`MOST`] most urgent.
///
/// # Formula
///
/// From where everyone wants to go it predicts how near others will
/// come, `|p + v · t|` at its least ([`closest_approach`]; the idea is Craig Reynolds's unaligned collision avoidance, Steering
/// Behaviors for Autonomous Characters, 1999). Of those that come too near within the [`time_horizon`](Self::time_horizon) each is passed
/// on one side: the one on which it would be anyway, and where that is not clear, both keep to the right. So of two whose ways cross
/// the one that has the other on its right lets it go first. The velocity nearest to the wanted one is taken that passes all of them.
///
/// # Parameters
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`time_horizon`](Self::time_horizon) | s | ≥ 0 | 2 · time to stop + 8 · radius / `max_speed` | below 0 as 0: it sees only whom it touches |
/// | [`weight`](Self::weight) | – | 0 to 1 | 1 | less bends the sum only partly, and nothing is promised then; 0 is off |
/// | [`detour`](Self::detour) | – | −1 to 1 | 0 | written by the behavior |
///
/// # When to use it
///
/// For walkers, robots, vehicles on a plane: ways that cross, streams that meet. Where many want through one door at once, use
/// [`Queue`](crate::constraints::queue::Queue). Where bodies may touch and only should not crowd,
/// [`Separation`](crate::behaviors::separation::Separation) is enough and cheaper.
///
/// # Combines with
///
/// [`Arrive`](crate::behaviors::arrive::Arrive) or [`Seek`](crate::behaviors::seek::Seek) for the way,
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) for the walls. Not with `Separation` of a large radius,
/// which pushes against what was foreseen. [`Solid`](crate::world::solid::Solid) as the backstop.
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
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent, PreferredVelocity)]
pub struct AvoidNeighbors {
    /// How far ahead in time others matter, s, ≥ 0. Default: twice the time in which the agent can stop from max speed, and the time
    /// in which it goes eight of its radii.
    ///
    /// It sees as far as two such agents come toward each other in that time: something much faster is noticed later.
    pub time_horizon: Option<f32>,
    /// Factor on the contribution. Default: 1.
    pub weight: f32,
    /// How far the agent turns aside because it is held up: 0 not at all, 1 a right angle to the right, −1 one to the left. Written by
    /// the behavior.
    pub detour: f32,
}

impl Default for AvoidNeighbors {
    fn default() -> Self {
        Self { time_horizon: None, weight: 1.0, detour: 0.0 }
    }
}

impl AvoidNeighbors {
    /// Sets [`time_horizon`](Self::time_horizon), s.
    #[must_use]
    pub fn with_time_horizon(self, time: f32) -> Self {
        Self { time_horizon: Some(time), ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    fn time_horizon_for(&self, max_speed: f32, acceleration: f32, radius: f32) -> f32 {
        let default = || 2.0 * max_speed / acceleration + 8.0 * radius / max_speed;
        self.time_horizon.unwrap_or_else(default).max(0.0)
    }
}

/// The velocity that an agent's behaviors want together, before it avoids others, units/s: what others may expect of it.
///
/// Written each tick on agents with [`AvoidNeighbors`].
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub struct PreferredVelocity(pub Vector);

/// How many neighbors count at once.
pub const MOST: usize = 16;

/// How many of those that are so near that they limit its speed.
const MOST_LIMITS: usize = 8;

/// What is left free between two that pass each other, as a share of the distance at which they touch.
const SPACING: f32 = 0.1;

/// Who passes on the left by less than this share of that distance passes on the right instead.
const UNCLEAR: f32 = 0.3;

/// The share of its max speed that an agent can be expected to reach in a direction that it does not want.
const REACHABLE: f32 = 0.9;

/// Who wants less than this share of its max speed is about to stop.
const FULL_SPEED: f32 = 0.95;

/// How much of the way on which another stops is counted on when it leads away.
const CREDIT: f32 = 0.6;

/// The share of its radius that an agent keeps clear of others whatever comes.
const SKIN: f32 = 0.005;

/// How fast an agent turns aside when held up, and back again, as a share of its look-ahead.
const PATIENCE: f32 = 0.5;

/// An agent is stuck when it turns aside and lacks so much of the speed that it wants.
const STUCK: f32 = 0.9;

/// How much slower an agent gets when it turns aside by a right angle.
const SLOWER: f32 = 0.3;

/// Who wants less than this share of its max speed is not held up.
const IDLE: f32 = 0.1;

/// How far it turns to the left at first when it is stuck on the right, and below how much it keeps right again.
const OTHER_SIDE: f32 = 0.2;
const KEEP_RIGHT: f32 = 0.05;

/// When two that go on as they do come nearest to each other, s from now, and the displacement between them then:
/// `t = max(0, −p · v / v²)` and `p + v · t`, with the displacement `p` and the relative velocity `v` of the other one.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::constraints::avoid_neighbors::closest_approach;
/// let to_other = Vec2::new(10.0, 3.0);
/// assert_eq!(closest_approach(to_other, Vec2::new(-2.0, 0.0)), (5.0, Vec2::new(0.0, 3.0)));
/// // They part already.
/// assert_eq!(closest_approach(to_other, Vec2::new(2.0, 0.0)), (0.0, to_other));
/// ```
#[inline]
pub fn closest_approach(displacement: Vector, relative_velocity: Vector) -> (f32, Vector) {
    let squared = relative_velocity.length_squared().max(f32::MIN_POSITIVE);
    let time = (-displacement.dot(relative_velocity) / squared).clamp(0.0, f32::MAX);
    (time, displacement + relative_velocity * time)
}

/// One of two agents that may run into each other.
#[derive(Clone, Copy)]
struct Walker {
    velocity: Vector,
    /// Where it wants to go, units/s.
    preferred: Vector,
    max_speed: f32,
    /// What it can do to its velocity, units/s²; zero for one that does not avoid others.
    acceleration: f32,
}

impl Walker {
    fn avoids(&self) -> bool {
        self.acceleration > 0.0
    }

    /// How far it gets within `time`: no farther than it needs to stop if it is about to.
    fn way(&self, time: f32) -> f32 {
        let speed = self.preferred.length();
        if self.avoids() && speed < FULL_SPEED * self.max_speed {
            speed * (0.5 * speed / self.acceleration).min(time)
        } else {
            speed * time
        }
    }

    /// What is to be reckoned with: what it does and what it wants are both half the truth.
    fn expected(&self) -> Vector {
        (self.velocity + self.preferred) * 0.5
    }
}

/// The share of the look-ahead after which `me` and `other` can touch at the earliest.
fn urgency(me: &Walker, other: &Walker, to: Vector, touch: f32, time_horizon: f32) -> f32 {
    let closing = (me.preferred - other.preferred).length() * time_horizon;
    let reach = closing.min(me.way(time_horizon) + other.way(time_horizon));
    (to.length() - touch).max(0.0) / reach.max(f32::MIN_POSITIVE)
}

/// The velocities with which `me` passes `other`, whose displacement is `to`, without coming nearer than `touch`, and how urgent that
/// is; `None` beyond the look-ahead.
fn pass(
    me: &Walker,
    other: &Walker,
    to: Vector,
    touch: f32,
    time_horizon: f32,
    left: bool,
) -> Option<(f32, HalfPlane)> {
    let urgency = Some(urgency(me, other, to, touch, time_horizon)).filter(|urgency| *urgency < 1.0)?;
    let (relative, distance) = (me.preferred - other.preferred, to.length());

    // On which side of the other one it comes past: to its left where it has the other on its right.
    let (_, nearest) = closest_approach(to, -relative);
    let aside = normalize(relative).perp_dot(nearest);
    let unclear = UNCLEAR * touch;
    let keeps_right = aside > if left { unclear } else { -unclear };

    // The edge of the cone of all directions, as seen from the other one, in which they would come too near. It opens gradually
    // as they come within the look-ahead.
    let spaced = touch * (1.0 + SPACING) * (2.0 * (1.0 - urgency)).min(1.0);
    let sin = (spaced / distance).min(0.999);
    let cos = ops::sqrt(1.0 - sin * sin);
    let normal = Vector::new(-sin, if keeps_right { -cos } else { cos }).rotate(normalize(to));
    let least = if other.avoids() {
        // Both take the same speed across the edge, so that what they do adds up.
        let share = me.max_speed / (me.max_speed + other.max_speed);
        let between = me.expected().lerp(other.expected(), share).dot(normal);
        between.max(-REACHABLE * other.max_speed).min(REACHABLE * me.max_speed)
    } else {
        other.velocity.dot(normal).min(0.999 * me.max_speed)
    };
    Some((urgency, HalfPlane { normal, least }))
}

/// So many items at most, the most urgent first, whatever the order in which they come.
struct MostUrgent<T, const N: usize> {
    list: [(f32, SteeringId, T); N],
    count: usize,
}

impl<T: Copy, const N: usize> MostUrgent<T, N> {
    fn new(filler: T) -> Self {
        Self { list: [(0.0, SteeringId::new(0), filler); N], count: 0 }
    }

    fn insert(&mut self, urgency: f32, id: SteeringId, item: T) {
        let place = self.list[..self.count].partition_point(|earlier| (earlier.0, earlier.1) < (urgency, id));
        if place < N {
            self.count = (self.count + 1).min(N);
            self.list[place..self.count].rotate_right(1);
            self.list[place] = (urgency, id, item);
        }
    }

    fn iter(&self) -> impl Iterator<Item = &(f32, SteeringId, T)> {
        self.list[..self.count].iter()
    }
}

/// Another agent that is to be passed.
#[derive(Clone, Copy)]
struct Other {
    walker: Walker,
    to: Vector,
    /// The distance at which they touch.
    touch: f32,
}

/// The neighbors that matter to an agent.
struct Crowd {
    me: Walker,
    time_horizon: f32,
    /// What it must not do anyway. The tightest come first.
    limits: MostUrgent<HalfPlane, MOST_LIMITS>,
    /// Those to pass. Who comes first counts first.
    others: MostUrgent<Other, MOST>,
}

impl Crowd {
    fn new(me: Walker, time_horizon: f32) -> Self {
        let nobody = Other { walker: me, to: Vector::ZERO, touch: 0.0 };
        Self { me, time_horizon, limits: MostUrgent::new(ANY), others: MostUrgent::new(nobody) }
    }

    /// The velocity nearest to `wanted` that passes all of them; those that cannot be passed besides more urgent ones do not count.
    fn nearest_velocity(&self, wanted: Vector, left: bool) -> Vector {
        let me = Walker { preferred: wanted, ..self.me };
        let mut passing = MostUrgent::<HalfPlane, MOST>::new(ANY);
        for (_, id, other) in self.others.iter() {
            if let Some((urgency, velocities)) =
                pass(&me, &other.walker, other.to, other.touch, self.time_horizon, left)
            {
                passing.insert(urgency, *id, velocities);
            }
        }
        let mut kept = [ANY; MOST_LIMITS + MOST];
        let mut count = 0;
        let mut velocity = wanted;
        for (_, _, allowed) in self.limits.iter().chain(passing.iter()) {
            if !allowed.contains(velocity) {
                match allowed.nearest_on_edge(&kept[..count], wanted, me.max_speed) {
                    Some(nearest) => velocity = nearest,
                    None => continue,
                }
            }
            kept[count] = *allowed;
            count += 1;
        }
        velocity
    }
}

/// All velocities.
const ANY: HalfPlane = HalfPlane { normal: Vector::ZERO, least: 0.0 };

impl AvoidNeighbors {
    /// The velocity to take instead of the wanted one.
    fn velocity(&mut self, crowd: &Crowd, tick: f32) -> Vector {
        let Walker { preferred: wanted, max_speed, .. } = crowd.me;
        let (left, before) = (self.detour < 0.0, self.known_detour().abs());
        let straight = crowd.nearest_velocity(wanted, left);
        let patience = (PATIENCE * crowd.time_horizon).min(f32::MAX);
        let held_up = if wanted.length() > IDLE * max_speed { lack(straight, wanted) } else { 0.0 };
        let turn = before + (held_up - before) * (tick / (tick + patience));
        if turn < 1e-3 {
            self.detour = 0.0;
            return straight;
        }

        let side = if left { -1.0 } else { 1.0 };
        // Slower, so that who runs along with a stream lets it pass.
        let aside = unit_vector(-side * turn * FRAC_PI_2).rotate(wanted) * (1.0 - SLOWER * turn);
        let velocity = crowd.nearest_velocity(aside, left);
        self.detour = if turn > STUCK && lack(velocity, aside) > STUCK {
            -side * OTHER_SIDE
        } else if left && turn < KEEP_RIGHT {
            turn
        } else {
            side * turn
        };
        velocity
    }

    /// The detour, whatever the field holds.
    fn known_detour(&self) -> f32 {
        if self.detour.is_finite() { self.detour.clamp(-1.0, 1.0) } else { 0.0 }
    }
}

/// The share of the wanted speed that is missing along the way, 0 to 1.
fn lack(velocity: Vector, wanted: Vector) -> f32 {
    (1.0 - velocity.dot(wanted) / wanted.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0)
}

/// What an agent's behaviors want so far, units/s.
fn wanted_velocity(velocity: Vector, force: Vector, per_force: f32, max_speed: f32) -> Vector {
    truncate(finite_or_zero(velocity + force * per_force), max_speed)
}

/// Notes where everyone who avoids others wants to go.
pub(crate) fn note_preferred_velocities(
    mut agents: Query<(&SteeringAgent, &SteeringForce, &Velocity, &mut PreferredVelocity)>,
    tick: TickParam,
) {
    agents.iter_mut().for_each(|(agent, force, velocity, mut preferred)| {
        let per_force = agent.response_time.max(tick.length()) / agent.effective_mass();
        preferred.bypass_change_detection().0 =
            wanted_velocity(velocity.0, force.0, per_force, agent.max_speed.max(0.0));
    });
}

impl SteeringBehavior for AvoidNeighbors {
    type Param = (
        Res<'static, Neighbors>,
        // Those that do their share.
        Query<
            'static,
            'static,
            (&'static SteeringAgent, &'static PreferredVelocity),
            (With<AvoidNeighbors>, Without<ExternalMovement>),
        >,
        Res<'static, Obstacles>,
        Query<'static, 'static, &'static AvoidObstacles>,
    );

    fn steer(
        &mut self,
        agent: &Agent,
        (neighbors, avoiding, obstacles, avoiding_obstacles): &SystemParamItem<'_, '_, Self::Param>,
    ) -> Vector {
        let acceleration = agent.max_force / agent.mass;
        // Whoever cannot move cannot avoid anything.
        if agent.max_speed <= 0.0 || acceleration <= 0.0 {
            return Vector::ZERO;
        }
        let time_horizon = self.time_horizon_for(agent.max_speed, acceleration, agent.radius);
        let wanted = wanted_velocity(agent.velocity, agent.force, agent.response_time / agent.mass, agent.max_speed);
        let me = Walker { velocity: agent.velocity, preferred: wanted, max_speed: agent.max_speed, acceleration };
        let stop = ForceLimits::stop(agent.velocity, acceleration);

        let mut restraint = ForceLimits::new(agent, agent.max_force);
        let mut crowd = Crowd::new(me, time_horizon);
        let far = 2.0 * agent.max_speed * time_horizon + agent.radius + neighbors.largest_radius();
        neighbors.for_each_within(agent, far, |neighbor, to| {
            let other = walker(neighbor, avoiding.get(neighbor.entity).ok());
            let toward =
                if to == Vector::ZERO { direction_to_coincident(agent.id, neighbor.id) } else { normalize(to) };
            let touch = agent.radius + neighbor.radius;
            let gap = to.length() - touch - 2.0 * SKIN * agent.radius;
            if gap < 0.0 {
                restraint.push_out(toward * gap);
            }
            let fastest = if other.avoids() {
                // As far as the middle between where both come to rest.
                let its_stop = ForceLimits::stop(other.velocity, other.acceleration).dot(toward);
                let its_stop = if its_stop > 0.0 { CREDIT * its_stop } else { its_stop };
                restraint.limit_stop(agent, 0.5 * (gap + stop.dot(toward) + its_stop), -toward)
            } else {
                restraint.limit(agent, gap, -toward, other.velocity) + other.velocity.dot(toward)
            };
            if fastest < agent.max_speed {
                let least = (-fastest).min(0.999 * agent.max_speed);
                crowd.limits.insert(fastest, neighbor.id, HalfPlane { normal: -toward, least });
            }
            let urgency = urgency(&me, &other, to, touch, time_horizon);
            if urgency < 1.0 {
                crowd.others.insert(urgency, neighbor.id, Other { walker: other, to, touch });
            }
        });
        let velocity = self.velocity(&crowd, agent.tick);

        let bent = velocity != wanted;
        let force = if bent { (velocity - agent.velocity) * (agent.mass / agent.response_time) } else { agent.force };
        if let Ok(walls) = avoiding_obstacles.get(agent.entity)
            && walls.detection == Detection::Swept
        {
            let near = restraint.way_to_stop(agent).min(far) + 2.0 * agent.radius;
            obstacles.for_each_near(agent, near, walls.layers, |obstacle, position| {
                restraint.limit_by_obstacle(agent, obstacle, position);
            });
        }
        match restraint.apply(agent, force) {
            Some(restrained) => restrained - agent.force,
            None if bent => force - agent.force,
            None => Vector::ZERO,
        }
    }

    /// With no more force than it can brake with.
    fn steer_limited(
        &mut self,
        agent: &Agent,
        limits: &mut BodyLimits,
        param: &SystemParamItem<'_, '_, Self::Param>,
    ) -> Vector {
        self.steer(&limits.stopping(*agent), param)
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    const ACTS_ON_SUM: bool = true;

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        let (max_speed, radius) = (agent.max_speed.max(0.0), agent.radius.max(0.0));
        let acceleration = agent.max_force.max(0.0) / agent.effective_mass();
        if max_speed <= 0.0 || acceleration <= 0.0 {
            return 0.0;
        }
        2.0 * (max_speed * self.time_horizon_for(max_speed, acceleration, radius) + radius)
    }

    fn draw(
        &self,
        agent: &Agent,
        (neighbors, avoiding, ..): &SystemParamItem<'_, '_, Self::Param>,
        figure: &mut Figure,
    ) {
        let acceleration = agent.max_force / agent.mass;
        let time_horizon = self.time_horizon_for(agent.max_speed, acceleration, agent.radius);
        let me =
            Walker { velocity: agent.velocity, preferred: agent.velocity, max_speed: agent.max_speed, acceleration };
        let far = 2.0 * agent.max_speed * time_horizon + agent.radius + neighbors.largest_radius();
        neighbors.for_each_within(agent, far, |neighbor, to| {
            let other = walker(neighbor, avoiding.get(neighbor.entity).ok());
            if urgency(&me, &other, to, agent.radius + neighbor.radius, time_horizon) < 1.0 {
                figure.line(agent.position, agent.position + to);
            }
        });
        figure.line(agent.position, agent.position + agent.velocity * time_horizon);
    }
}

/// A neighbor, and its body and preferred if it avoids others itself.
fn walker(neighbor: &Neighbor, avoiding: Option<(&SteeringAgent, &PreferredVelocity)>) -> Walker {
    let velocity = finite_or_zero(neighbor.velocity);
    let going_on = Walker { velocity, preferred: velocity, max_speed: 0.0, acceleration: 0.0 };
    avoiding.map_or(going_on, |(body, preferred)| {
        let max_speed = body.max_speed.max(0.0);
        let acceleration = body.max_force.max(0.0) / body.effective_mass();
        if max_speed > 0.0 { Walker { velocity, preferred: preferred.0, max_speed, acceleration } } else { going_on }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::random::{SteeringRng, SteeringSeed};

    fn walkers(seed: u64) -> (Walker, Walker, Vector) {
        let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 1);
        let mut vector = |size: f32| Vector::new(random.uniform() - 0.5, random.uniform() - 0.5) * size;
        let mut walker = || Walker {
            velocity: vector(2.0),
            preferred: vector(2.0),
            max_speed: 1.5 + vector(2.0).x,
            acceleration: 1.0,
        };
        let (me, other) = (walker(), walker());
        (me, other, vector(12.0))
    }

    #[test]
    fn two_agree_on_the_side_and_on_who_does_how_much() {
        let mut passed = 0;
        for seed in 0..1000 {
            let (me, other, to) = walkers(seed);
            let mine = pass(&me, &other, to, 1.0, 5.0, false);
            let its = pass(&other, &me, -to, 1.0, 5.0, false);
            assert_eq!(mine.is_some(), its.is_some());
            let (Some((urgency, mine)), Some((its_urgency, its))) = (mine, its) else { continue };
            assert!((urgency - its_urgency).abs() < 1e-5);
            assert!((mine.normal + its.normal).length() < 1e-5 && (mine.least + its.least).abs() < 1e-5);
            passed += 1;
        }
        assert!(passed > 200, "{passed}");
    }

    #[test]
    fn exactly_head_on_it_keeps_right() {
        let walker = |x| Walker {
            velocity: Vector::new(x, 0.0),
            preferred: Vector::new(x, 0.0),
            max_speed: 1.0,
            acceleration: 1.0,
        };
        let (_, velocities) = pass(&walker(1.0), &walker(-1.0), Vector::new(4.0, 0.0), 1.0, 5.0, false).unwrap();
        assert!(velocities.normal.y < 0.0 && velocities.normal.x < 0.0);
        assert!(!velocities.contains(Vector::X) && velocities.contains(Vector::new(0.8, -0.6)));
        let (_, velocities) = pass(&walker(1.0), &walker(-1.0), Vector::new(4.0, 0.0), 1.0, 5.0, true).unwrap();
        assert!(velocities.normal.y > 0.0);
    }

    #[test]
    fn who_stops_before_another_need_not_pass_it() {
        let going = |speed: f32| Walker {
            velocity: Vector::X * speed,
            preferred: Vector::X * speed,
            max_speed: 1.0,
            acceleration: 1.0,
        };
        let idle = going(0.0);
        // From half the speed it stops within an eighth.
        assert!(pass(&going(0.5), &idle, Vector::X * 1.2, 1.0, 5.0, false).is_none());
        assert!(pass(&going(0.5), &idle, Vector::X * 1.1, 1.0, 5.0, false).is_some());
        assert!(pass(&going(1.0), &idle, Vector::X * 1.2, 1.0, 5.0, false).is_some());
        // One that something else moves does not stop for it.
        let pushed = Walker { acceleration: 0.0, ..going(-0.5) };
        assert!(pass(&idle, &pushed, Vector::X * 1.2, 1.0, 5.0, false).is_some());
    }

    #[test]
    fn the_most_urgent_are_minded_whatever_the_order() {
        let numbers = |order: &mut dyn Iterator<Item = u64>| {
            let mut most = MostUrgent::<u64, 16>::new(0);
            order.for_each(|k| most.insert((k * 7 % 40) as f32, SteeringId::new(k), k));
            most.iter().map(|(.., k)| *k).collect::<Vec<_>>()
        };
        let forward = numbers(&mut (0..80));
        assert_eq!(numbers(&mut (0..80).rev()), forward);
        assert_eq!(forward[..4], [0, 40, 23, 63]);
        assert_eq!(numbers(&mut (0..3)).len(), 3);
    }

    #[test]
    fn the_velocity_is_the_nearest_that_is_allowed() {
        let me = Walker { velocity: Vector::ZERO, preferred: Vector::X, max_speed: 1.0, acceleration: 1.0 };
        let mut crowd = Crowd::new(me, 5.0);
        let limits = [(Vector::NEG_X, -0.5), (Vector::NEG_Y, 0.25), (Vector::X, 0.75)];
        for (k, (normal, least)) in limits.into_iter().enumerate() {
            // The last one is not to be had besides the others.
            crowd.limits.insert(k as f32, SteeringId::new(0), HalfPlane { normal, least });
        }
        assert_eq!(crowd.nearest_velocity(Vector::X, false), Vector::new(0.5, -0.25));
        assert_eq!(crowd.nearest_velocity(Vector::NEG_Y * 0.5, false), Vector::NEG_Y * 0.5);
    }

    #[test]
    fn it_sees_as_far_as_two_come_toward_each_other() {
        let body = SteeringAgent { max_speed: 2.0, max_force: 4.0, radius: 0.25, ..SteeringAgent::default() };
        // Twice half a second, and one second for eight radii.
        assert_eq!(AvoidNeighbors::default().perception_radius(&body), 2.0 * (2.0 * 2.0 + 0.25));
        assert_eq!(AvoidNeighbors::default().with_time_horizon(3.0).perception_radius(&body), 2.0 * (2.0 * 3.0 + 0.25));
        assert_eq!(AvoidNeighbors::default().perception_radius(&SteeringAgent { max_force: 0.0, ..body }), 0.0);
    }
}

//! How two agents pass each other: the geometry of [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors).
//!
//! Each neighbor allows a half-plane of velocities, as in ORCA (van den Berg et al., Reciprocal n-Body Collision Avoidance, 2011). Its
//! edge is an edge of the cone of relative directions in which the two would come too near, on the side that both have agreed on.

use bevy::math::ops;

use crate::agent::SteeringId;
use crate::constraints::most_urgent::MostUrgent;
use crate::constraints::precedence::Precedence;
use crate::constraints::walker::Walker;
use crate::math::half_space::HalfSpace;
#[cfg(dim3)]
use crate::math::placement::right_of;
use crate::math::{Vector, normalize};

/// The most neighbors that an agent with [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) passes at once.
pub const MOST: usize = 16;

/// The most neighbors that limit the speed because they are near.
const MOST_LIMITS: usize = 8;

/// The most walls that count when an agent turns aside.
const MOST_WALLS: usize = 4;

/// The clearance between two agents that pass each other, as a share of the distance at which they touch.
const SPACING: f32 = 0.1;

/// An agent passes on the right unless it would pass on the left by more than this share of the distance at which they touch.
const UNCLEAR: f32 = 0.3;

/// The share of its max speed that an agent is expected to reach in any direction.
const REACHABLE: f32 = 0.9;

/// The share of its max speed that an agent reaches in a direction if nothing else is in its way.
const NEARLY: f32 = 0.999;

/// An agent steps back for another one that is nearer than this share of the distance at which they touch.
const BESIDE: f32 = 1.2;

/// The speed of a step back, as a share of the max speed. It is so low that the agent still counts as standing.
const BACK: f32 = 0.08;

/// The time until two agents that keep their velocities are nearest to each other, seconds, and the displacement to the other agent at
/// that time: `t = max(0, −p · v / v²)` and `p + v · t`, where `p` is the displacement and `v` the relative velocity of the other agent.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::constraints::avoid_neighbors::closest_approach;
/// let to_other = Vec2::new(10.0, 3.0);
/// assert_eq!(closest_approach(to_other, Vec2::new(-2.0, 0.0)), (5.0, Vec2::new(0.0, 3.0)));
/// // They are already moving apart.
/// assert_eq!(closest_approach(to_other, Vec2::new(2.0, 0.0)), (0.0, to_other));
/// ```
#[inline]
pub fn closest_approach(displacement: Vector, relative_velocity: Vector) -> (f32, Vector) {
    let squared = relative_velocity.length_squared().max(f32::MIN_POSITIVE);
    let time = (-displacement.dot(relative_velocity) / squared).clamp(0.0, f32::MAX);
    (time, displacement + relative_velocity * time)
}

/// An agent that passes others.
pub(super) struct Passing {
    pub me: Walker,
    /// The distance that it covers within its time horizon, units.
    pub way: f32,
    pub time_horizon: f32,
}

impl Passing {
    pub fn new(me: Walker, time_horizon: f32) -> Self {
        Self { me, way: me.way(time_horizon), time_horizon }
    }

    /// The earliest time at which the two can touch, as a share of the time horizon. Lower is more urgent.
    pub fn urgency(&self, other: &Other) -> f32 {
        let closing = (self.me.preferred - other.walker.preferred).length() * self.time_horizon;
        let reach = closing.min(self.way + other.way);
        (other.distance - other.touch).max(0.0) / reach.max(f32::MIN_POSITIVE)
    }
}

/// The velocities with which an agent passes another without touching it, and the urgency. `None` beyond the time horizon.
fn pass(passing: &Passing, other: &Other, left: bool) -> Option<(f32, HalfSpace)> {
    let urgency = Some(passing.urgency(other)).filter(|urgency| *urgency < 1.0)?;
    let Other { to, touch, distance, toward, walker: ref other, precedence, .. } = *other;
    let (me, relative) = (&passing.me, passing.me.preferred - other.preferred);
    if let Some(back) = precedence.back.filter(|_| distance < BESIDE * touch) {
        return Some((urgency, HalfSpace { normal: back, least: BACK * me.max_speed }));
    }

    // The edge of the cone of relative directions in which they would come too near. The cone opens gradually as they come within the
    // time horizon.
    let spaced = touch * (1.0 + SPACING) * (2.0 * (1.0 - urgency)).min(1.0);
    let sin = (spaced / distance).min(0.999);
    let cos = ops::sqrt(1.0 - sin * sin);
    let side = aside(relative, to, toward, UNCLEAR * touch, left);
    let across = |side: Vector| side * cos - toward * sin;
    // If the agent is too slow to pass on that side of a body that does not avoid it, it passes on the other.
    let needed = |side: Vector| other.velocity.dot(across(side));
    let is_too_fast = !other.avoids() && needed(side) > NEARLY * me.max_speed && needed(-side) < needed(side);
    let normal = across(if is_too_fast { -side } else { side });
    let least = if other.avoids() {
        // Both compute the same velocity across the edge, so the two detours add up.
        let share = precedence.share_of_detour(me.max_speed / (me.max_speed + other.max_speed));
        let between = me.expected().lerp(other.expected(), share).dot(normal);
        between.max(-REACHABLE * other.max_speed).min(REACHABLE * me.max_speed)
    } else {
        other.velocity.dot(normal).min(NEARLY * me.max_speed)
    };
    Some((urgency, HalfSpace { normal, least }))
}

/// The direction in which an agent goes aside to pass another at the displacement `to`, a unit vector at a right angle to its direction
/// `toward`. On the side on which it would pass anyway, unless it would come nearer than `unclear`: an agent that passes on the left has the
/// other agent on its right.
#[cfg(not(dim3))]
fn aside(relative: Vector, to: Vector, toward: Vector, unclear: f32, left: bool) -> Vector {
    let (_, nearest) = closest_approach(to, -relative);
    let keeps_right = normalize(relative).perp_dot(nearest) > if left { unclear } else { -unclear };
    if keeps_right { -toward.perp() } else { toward.perp() }
}

/// The direction in which an agent goes aside to pass another at the displacement `to`, a unit vector at a right angle to its direction
/// `toward`. It goes where it would pass anyway, and farther to the right the nearer it would come. In a plane, it changes sides at `unclear`.
/// The other agent goes the opposite way.
#[cfg(dim3)]
fn aside(relative: Vector, to: Vector, toward: Vector, unclear: f32, left: bool) -> Vector {
    let across = |vector: Vector| vector - toward * vector.dot(toward);
    let beside = across(normalize(relative)) * to.length();
    let right = across(right_of(to)) * if left { -1.0 } else { 1.0 };
    let aside = beside + right * (2.0 * unclear - beside.length()).max(0.0);
    normalize(if aside == Vector::ZERO { right } else { aside })
}

/// An agent to pass.
#[derive(Clone, Copy)]
pub(super) struct Other {
    pub walker: Walker,
    pub to: Vector,
    /// The distance between the centers at which the two touch.
    pub touch: f32,
    /// The length of the displacement, units.
    pub distance: f32,
    /// The direction of the displacement.
    pub toward: Vector,
    /// The distance that the agent covers within the time horizon of the one that passes it, units.
    pub way: f32,
    /// Which of the two goes first.
    pub precedence: Precedence,
    /// Whether the two want to stop at the same place.
    pub shares_destination: bool,
}

impl Other {
    /// The agent `walker` as seen by `me`, which touches it at the distance `touch`.
    pub fn new(walker: Walker, me: &Walker, to: Vector, touch: f32, time_horizon: f32) -> Self {
        let (way, precedence) = (walker.way(time_horizon), Precedence::of(me, &walker, to));
        Self {
            walker,
            to,
            touch,
            distance: to.length(),
            toward: normalize(to),
            way,
            precedence,
            shares_destination: false,
        }
    }
}

/// The neighbors that matter to an agent. The lists are long, so they are used for one agent after another.
pub(super) struct Crowd {
    pub me: Walker,
    pub time_horizon: f32,
    /// Whether the agent is at its target, or belongs to the crowd at its destination, and waits there.
    pub is_waiting: bool,
    /// The hard limits, tightest first.
    pub limits: MostUrgent<HalfSpace, MOST_LIMITS>,
    /// The limits of walls, tightest first.
    pub walls: MostUrgent<HalfSpace, MOST_WALLS>,
    /// The neighbors to pass, most urgent first.
    pub others: MostUrgent<Other, MOST>,
    /// The velocities with which the agent passes each.
    passing: MostUrgent<HalfSpace, MOST>,
    /// All limits that are satisfied.
    kept: [HalfSpace; MOST_WALLS + MOST_LIMITS + MOST],
}

impl Crowd {
    /// Nobody's.
    pub fn new() -> Self {
        let me = Walker::going_on(SteeringId::new(0), Vector::ZERO);
        Self {
            me,
            time_horizon: 0.0,
            is_waiting: false,
            limits: MostUrgent::new(ANY),
            walls: MostUrgent::new(ANY),
            others: MostUrgent::new(Other::new(me, &me, Vector::ZERO, 0.0, 0.0)),
            passing: MostUrgent::new(ANY),
            kept: [ANY; MOST_WALLS + MOST_LIMITS + MOST],
        }
    }

    /// Forgets all neighbors, for another agent.
    pub fn start(&mut self, me: Walker, time_horizon: f32, is_waiting: bool) {
        (self.me, self.time_horizon, self.is_waiting) = (me, time_horizon, is_waiting);
        self.limits.clear();
        self.walls.clear();
        self.others.clear();
    }

    /// The velocities with at most the speed `fastest` in a direction, if the agent may be faster.
    pub fn limit(&self, fastest: f32, toward: Vector) -> Option<HalfSpace> {
        let max_speed = self.me.max_speed;
        (fastest < max_speed).then(|| HalfSpace { normal: -toward, least: (-fastest).min(NEARLY * max_speed) })
    }

    /// The mean speed at which the neighbors ahead of an agent that wants to move at `wanted` move in a direction, and want to, units/s. 0 for
    /// the opposite direction, or without neighbors. Those that share the agent's destination do not lead it away.
    pub fn speed_of_stream(&self, wanted: Vector, direction: Vector) -> f32 {
        let (mut count, mut sum) = (0.0, 0.0);
        let is_ahead = |other: &Other| other.to.dot(wanted) > 0.0 && !other.shares_destination;
        for (.., Other { walker, .. }) in self.others.iter().filter(|(.., other)| is_ahead(other)) {
            count += 1.0;
            sum += walker.velocity.dot(direction).min(walker.preferred.dot(direction));
        }
        if count > 0.0 { (sum / count).max(0.0) } else { 0.0 }
    }

    /// The velocity nearest to `wanted` that passes all neighbors, and if `aside` does not lead into walls. A neighbor that cannot be passed
    /// along with more urgent ones is ignored.
    pub fn nearest_velocity(&mut self, wanted: Vector, left: bool, aside: bool) -> Vector {
        let me = Passing::new(Walker { preferred: wanted, ..self.me }, self.time_horizon);
        let Self { limits, walls, others, passing, kept, .. } = self;
        passing.clear();
        for (_, id, other) in others.iter() {
            if let Some((urgency, velocities)) = pass(&me, other, left) {
                passing.insert(urgency, id, velocities);
            }
        }
        let mut count = 0;
        let mut velocity = wanted;
        let walls = walls.iter().filter(|_| aside);
        for (_, _, allowed) in walls.chain(limits.iter()).chain(passing.iter()) {
            if !allowed.contains(velocity) {
                match allowed.nearest_on_boundary(kept[..count].iter().copied(), wanted, self.me.max_speed) {
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
const ANY: HalfSpace = HalfSpace { normal: Vector::ZERO, least: 0.0 };

/// The share of the wanted speed that is missing along the wanted direction, 0 to 1.
pub(super) fn lack(velocity: Vector, wanted: Vector) -> f32 {
    (1.0 - velocity.dot(wanted) / wanted.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::random::{SteeringRng, SteeringSeed};

    /// An agent that has the velocity it wants.
    fn walker(velocity: Vector) -> Walker {
        Walker { max_speed: 1.0, acceleration: 1.0, ..Walker::going_on(SteeringId::new(0), velocity) }
    }

    /// How an agent passes another at the displacement `to`, with a time horizon of five seconds.
    fn passes(me: &Walker, other: &Walker, to: Vector, left: bool) -> Option<(f32, HalfSpace)> {
        pass(&Passing::new(*me, 5.0), &Other::new(*other, me, to, 1.0, 5.0), left)
    }

    fn walkers(seed: u64) -> (Walker, Walker, Vector) {
        let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 1);
        let mut vector = |size: f32| Vector::new(random.uniform() - 0.5, random.uniform() - 0.5) * size;
        let mut walker = |id| Walker {
            preferred: vector(2.0),
            max_speed: 1.5 + vector(2.0).x,
            acceleration: 1.0,
            circling: vector(2.0).x.clamp(0.0, 1.0),
            jammed: vector(2.0).x.clamp(0.0, 1.0),
            ..Walker::going_on(SteeringId::new(id), vector(2.0))
        };
        let (me, other) = (walker(0), walker(1));
        (me, other, vector(12.0))
    }

    #[test]
    fn two_agree_on_the_side_and_on_who_does_how_much() {
        let mut passed = 0;
        for seed in 0..1000 {
            let (me, other, to) = walkers(seed);
            let mine = passes(&me, &other, to, false);
            let its = passes(&other, &me, -to, false);
            assert_eq!(mine.is_some(), its.is_some());
            let steps_back = |me, other, to| Precedence::of(me, other, to).back.is_some();
            if to.length() < BESIDE && (steps_back(&me, &other, to) || steps_back(&other, &me, -to)) {
                continue;
            }
            let (Some((urgency, mine)), Some((its_urgency, its))) = (mine, its) else { continue };
            assert!((urgency - its_urgency).abs() < 1e-5);
            assert!((mine.normal + its.normal).length() < 1e-5 && (mine.least + its.least).abs() < 1e-5);
            passed += 1;
        }
        assert!(passed > 200, "{passed}");
    }

    #[test]
    fn of_two_side_by_side_in_a_jam_the_second_one_steps_back() {
        let jammed = |id, preferred| Walker { preferred, jammed: 1.0, id: SteeringId::new(id), ..walker(Vector::ZERO) };
        let (left, right) = (Vector::X + Vector::Y, Vector::X - Vector::Y);
        let (first, second) = (jammed(0, right), jammed(1, left));
        // The second one is on the right, and both want to go to the same place ahead.
        let (_, back) = passes(&second, &first, Vector::Y * 1.1, false).unwrap();
        let at = |speed: f32| normalize(-left) * speed;
        assert!(back.contains(at(BACK + 0.01)) && !back.contains(at(BACK - 0.01)));
        let (_, forward) = passes(&first, &second, Vector::NEG_Y * 1.1, false).unwrap();
        assert!(forward.contains(Vector::ZERO));
        // Farther apart, nobody steps back.
        let (_, farther) = passes(&second, &first, Vector::Y * 1.3, false).unwrap();
        assert!(farther.contains(Vector::ZERO));
    }

    #[test]
    fn exactly_head_on_it_keeps_right() {
        let walker = |x| walker(Vector::new(x, 0.0));
        let (_, velocities) = passes(&walker(1.0), &walker(-1.0), Vector::new(4.0, 0.0), false).unwrap();
        assert!(velocities.normal.y < 0.0 && velocities.normal.x < 0.0);
        assert!(!velocities.contains(Vector::X) && velocities.contains(Vector::new(0.8, -0.6)));
        let (_, velocities) = passes(&walker(1.0), &walker(-1.0), Vector::new(4.0, 0.0), true).unwrap();
        assert!(velocities.normal.y > 0.0);
    }

    #[test]
    fn who_stops_before_another_need_not_pass_it() {
        let going = |speed: f32| walker(Vector::X * speed);
        let idle = going(0.0);
        // From half its max speed it stops within 1/8.
        assert!(passes(&going(0.5), &idle, Vector::X * 1.2, false).is_none());
        assert!(passes(&going(0.5), &idle, Vector::X * 1.1, false).is_some());
        assert!(passes(&going(1.0), &idle, Vector::X * 1.2, false).is_some());
        // An agent that something else moves does not stop.
        let pushed = Walker { acceleration: 0.0, ..going(-0.5) };
        assert!(passes(&idle, &pushed, Vector::X * 1.2, false).is_some());
    }

    #[test]
    fn the_velocity_is_the_nearest_that_is_allowed() {
        let me = Walker { preferred: Vector::X, ..walker(Vector::ZERO) };
        let mut crowd = Crowd::new();
        crowd.start(me, 5.0, false);
        let limits = [(Vector::NEG_X, -0.5), (Vector::NEG_Y, 0.25), (Vector::X, 0.75)];
        for (k, (normal, least)) in limits.into_iter().enumerate() {
            // The last limit conflicts with the others.
            crowd.limits.insert(k as f32, SteeringId::new(0), HalfSpace { normal, least });
        }
        assert_eq!(crowd.nearest_velocity(Vector::X, false, false), Vector::new(0.5, -0.25));
        assert_eq!(crowd.nearest_velocity(Vector::NEG_Y * 0.5, false, false), Vector::NEG_Y * 0.5);
    }
}

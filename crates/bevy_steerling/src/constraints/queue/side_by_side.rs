//! The queue computed for a whole crowd: eight agents at a time, one neighbor after another.
//!
//! The formulas are those of [`keep_place`](super::keep_place). If a force may violate a limit, it is limited for each agent separately.
//! The following agents are left to [`one_by_one`](super::one_by_one): agents that have the same place in line or the same position as
//! another, agents that consider only some groups, and all agents in a world so small that they perceive others on both sides.

use alloc::vec::Vec;
use core::ops::Range;

use bevy::prelude::*;
use fearless_simd::prelude::{Simd, SimdInto, SimdMask};
use fearless_simd::{f32x8, mask32x8};

use crate::agent::{Agent, GroupMask};
use crate::constraints::force_limits::ForceLimits;
use crate::constraints::queue::keep_place::{Keeper, Line, limit_by_neighbor};
use crate::constraints::queue::wishes::{Member, Wish, Wishes};
use crate::math::Vector;
use crate::math::lanes::{LANES, Lanes, VectorOf};
use crate::math::simd::{dispatch, level};
use crate::math::space::Space;
use crate::perception::neighbors::{Neighbors, PARALLEL_PASS, Run, by_rows, group_of_near};
use crate::perception::obstacles::{ObstacleView, Obstacles};
use crate::tick::TickParam;

/// The results of agents that keep their places in this tick, in the order of the index.
#[derive(Resource, Default)]
pub struct Outcomes {
    outcomes: Vec<Outcome>,
    scratch: Scratch,
}

impl Outcomes {
    /// The new total of the agent with this place in the index, and its place in line at the end of the tick; `None` if they must be
    /// computed for the agent alone.
    pub(super) fn of(&self, place: Option<usize>) -> Option<(Vector, f32)> {
        let outcome = self.outcomes.get(place?)?;
        outcome.total.is_finite().then_some((outcome.total, outcome.place))
    }
}

/// The result of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Outcome {
    /// The new total. NaN if it must be computed for the agent alone.
    total: Vector,
    place: f32,
}

const UNKNOWN: Outcome = Outcome { total: Vector::NAN, place: f32::NAN };

/// Lists that keep their capacity between ticks.
#[derive(Default)]
struct Scratch {
    runs: Vec<Run>,
    near: Vec<Near>,
}

/// An agent so close to one of the eight that it may limit its force.
#[derive(Clone, Copy, Default)]
struct Near {
    position: Vector,
    radius: f32,
    place: u32,
}

/// Computes the results of all agents that keep their places.
pub(crate) fn find_places(
    mut found: ResMut<Outcomes>,
    wishes: Res<Wishes>,
    neighbors: Res<Neighbors>,
    obstacles: Res<Obstacles>,
    tick: TickParam,
) {
    let Outcomes { outcomes, scratch } = &mut *found;
    let agents = wishes.members.len();
    outcomes.resize(agents, UNKNOWN);
    if agents == 0 || neighbors.has_floors() {
        // In a world with floors, each agent is computed alone.
        outcomes.fill(UNKNOWN);
        return;
    }
    let threads = tick.threads.parallel(|| agents, PARALLEL_PASS);
    let (length, space) = (tick.length(), tick.space());
    let pass = Pass { neighbors: &neighbors, obstacles: &obstacles, wishes: &wishes, tick: length, space };
    if threads {
        by_rows(&neighbors, outcomes, |rows, outcomes| pass.run(rows, &mut Scratch::default(), outcomes));
    } else {
        pass.run(0..neighbors.rows(), scratch, outcomes);
    }
}

/// The data that one pass over the crowd reads.
struct Pass<'a> {
    neighbors: &'a Neighbors,
    obstacles: &'a Obstacles,
    wishes: &'a Wishes,
    tick: f32,
    space: Space,
}

impl Pass<'_> {
    /// Computes the results of all agents in some rows of the index.
    fn run(&self, rows: Range<usize>, scratch: &mut Scratch, outcomes: &mut [Outcome]) {
        dispatch!(level(), simd => self.run_with(simd, rows, scratch, outcomes));
    }

    #[inline(always)]
    fn run_with<S: Simd>(&self, simd: S, rows: Range<usize>, scratch: &mut Scratch, outcomes: &mut [Outcome]) {
        let (bodies, members) = (self.neighbors.bodies(), &self.wishes.members[..]);
        let first = self.neighbors.row_start(rows.start);
        for row in rows {
            let mut place = self.neighbors.row_start(row);
            let end = self.neighbors.row_start(row + 1);
            while place < end {
                let most = LANES.min(end - place);
                let far = members[place..place + most].iter().map(|member| member.far).fold(0.0, f32::max);
                let (low, high, count) = group_of_near(&bodies[place..place + most], far);
                let these = &mut outcomes[place - first..][..count];
                these.fill(UNKNOWN);
                if members[place..place + count].iter().any(|member| member.far >= 0.0) {
                    self.eight(simd, place, (low, high), scratch, these);
                }
                place += count;
            }
        }
    }

    /// Computes the results of up to eight agents from `place` on.
    #[inline(always)]
    fn eight<S: Simd>(
        &self,
        simd: S,
        place: usize,
        corners: (Vector, Vector),
        scratch: &mut Scratch,
        outcomes: &mut [Outcome],
    ) {
        let count = outcomes.len();
        let Wishes { wishes, members } = self.wishes;
        let blind = Wish { position: wishes[place].position, ..Wish::default() };
        let one =
            |lane| if lane < count { (members[place + lane], wishes[place + lane]) } else { (Member::STRANGER, blind) };
        let position = VectorOf::gather(simd, |lane| one(lane).1.position);
        let mut line = Line::new(eight_keepers(simd, one), self.neighbors.largest_radius(), self.tick);
        let reach = line.reach().into_iter().fold(0.0, f32::max);
        let window = self.neighbors.grid().window(corners.0, corners.1, reach);
        if window.ambiguous {
            return;
        }
        let Scratch { runs, near } = scratch;
        self.neighbors.list_runs(&window, reach, place..place + count, runs);
        near.resize(runs.iter().map(Run::len).sum::<usize>() + 1, Near::default());
        let found = self.consider_all(&mut line, position, place..place + count, runs, near);
        let near = &near[..found];

        let total = line.total();
        let (violated, unusual) = violations(&line, position, near, total);
        let (total, places, stop) = (total.to_array(), line.next_place(), line.stop);
        let widest = stop.iter().fold(0.0, |widest: f32, stop| widest.max(*stop));
        let reach = widest + 2.0 * self.neighbors.largest_radius();
        let view = ObstacleView { space: self.space, height: 0.0, layers: GroupMask::ALL };
        let walls = self.obstacles.any_around(corners.0, corners.1, reach, &view);
        for (lane, outcome) in outcomes.iter_mut().enumerate() {
            let member = &members[place + lane];
            if unusual & (1 << lane) != 0 || member.far < 0.0 {
                continue;
            }
            *outcome = Outcome { total: total[lane], place: places[lane] };
            let violated = violated & (1 << lane) != 0;
            if violated || walls && !member.layers.is_empty() {
                let agent = self.agent(place + lane);
                let wanted = member.force + (outcome.total - member.force);
                if let Some(limited) = self.limited(&agent, wanted, near, stop[lane], violated, member) {
                    outcome.total = limited;
                }
            }
        }
    }

    /// Takes all agents in the runs into account, and lists those that may limit a force in `near`. Returns the number of agents in `near`.
    #[inline(always)]
    fn consider_all<S: Simd>(
        &self,
        line: &mut Line<f32x8<S>>,
        position: VectorOf<f32x8<S>>,
        places: Range<usize>,
        runs: &[Run],
        near: &mut [Near],
    ) -> usize {
        let wishes = &self.wishes.wishes[..];
        let zero = position.x.splat(0.0);
        let all = zero.simd_le(zero);
        let mut found = 0;
        let mut note = |here: bool, at: usize, wish: &Wish, shift: Vector| {
            near[found] = Near { position: wish.position + shift, radius: wish.radius, place: at as u32 };
            found += usize::from(here);
        };
        for run in runs {
            let position = position - position.splat(run.shift);
            let others = run.range();
            let own = places.start.clamp(others.start, others.end)..places.end.clamp(others.start, others.end);
            for (at, wish) in (others.start..own.start).zip(&wishes[others.start..own.start]) {
                note(line.consider::<false>(wish, displacement(position, wish), all, zero), at, wish, run.shift);
            }
            for (at, wish) in own.clone().zip(&wishes[own.clone()]) {
                let not_itself = mask32x8::from_bitmask(zero.simd, !(1 << (at - places.start)));
                note(line.consider::<true>(wish, displacement(position, wish), not_itself, zero), at, wish, run.shift);
            }
            for (at, wish) in (own.end..others.end).zip(&wishes[own.end..others.end]) {
                note(line.consider::<false>(wish, displacement(position, wish), all, zero), at, wish, run.shift);
            }
        }
        found
    }

    fn agent(&self, place: usize) -> Agent {
        let (member, wish) = (&self.wishes.members[place], &self.wishes.wishes[place]);
        Agent {
            entity: Entity::PLACEHOLDER,
            id: self.neighbors.id(place),
            position: wish.position,
            height: 0.0,
            velocity: member.velocity,
            force: member.force,
            mass: member.mass,
            max_speed: member.max_speed,
            max_force: member.max_force,
            radius: wish.radius,
            response_time: member.response_time,
            tick: self.tick,
            space: self.space,
            is_vehicle: false,
            destination: None,
            stops: false,
        }
    }

    /// The total of an agent, limited; `None` if it is within the limits.
    fn limited(
        &self,
        agent: &Agent,
        force: Vector,
        near: &[Near],
        stop: f32,
        violated: bool,
        member: &Member,
    ) -> Option<Vector> {
        let reach = stop + 2.0 * agent.radius;
        if !violated && !self.obstacles.any_near(agent, reach, member.layers) {
            return None;
        }
        let mut limits = ForceLimits::new(agent, agent.max_force);
        let far = 2.0 * stop + agent.radius + self.neighbors.largest_radius();
        for near in near {
            let to = near.position - agent.position;
            let id = self.neighbors.id(near.place as usize);
            if to.length_squared() <= far * far && id != agent.id {
                limit_by_neighbor(&mut limits, agent, id, near.radius, to);
            }
        }
        self.obstacles.for_each_near(agent, reach, member.layers, |obstacle, position| {
            limits.limit_by_obstacle(agent, obstacle, position, |_, _| {});
        });
        limits.leave_overlapping_obstacles(agent, self.obstacles, member.layers);
        limits.apply(agent, force)
    }
}

/// The displacements from eight agents to another.
#[inline(always)]
fn displacement<S: Simd>(position: VectorOf<f32x8<S>>, to: &Wish) -> VectorOf<f32x8<S>> {
    position.splat(to.position) - position
}

/// Eight agents that keep their places.
#[inline(always)]
fn eight_keepers<S: Simd>(simd: S, get: impl Fn(usize) -> (Member, Wish)) -> Keeper<f32x8<S>> {
    let each = [get(0), get(1), get(2), get(3), get(4), get(5), get(6), get(7)];
    let lanes = |get: fn(&(Member, Wish)) -> f32| {
        let [a, b, c, d, e, f, g, h] = &each;
        [get(a), get(b), get(c), get(d), get(e), get(f), get(g), get(h)].simd_into(simd)
    };
    Keeper {
        velocity: VectorOf::gather(simd, |lane| each[lane].0.velocity),
        others: VectorOf::gather(simd, |lane| each[lane].0.force),
        heading: VectorOf::gather(simd, |lane| each[lane].1.heading),
        place: lanes(|one| one.1.place),
        radius: lanes(|one| one.1.radius),
        mass: lanes(|one| one.0.mass),
        max_speed: lanes(|one| one.0.max_speed),
        max_force: lanes(|one| one.0.max_force),
        response_time: lanes(|one| one.0.response_time),
        time_gap: lanes(|one| one.0.time_gap),
        headway: lanes(|one| one.0.headway),
        far: lanes(|one| one.0.far),
    }
}

/// The lanes whose total may violate a limit, and those that are left to [`one_by_one`](super::one_by_one).
#[inline(always)]
fn violations<S: Simd>(
    line: &Line<f32x8<S>>,
    position: VectorOf<f32x8<S>>,
    near: &[Near],
    total: VectorOf<f32x8<S>>,
) -> (u64, u64) {
    let (brakes, velocity) = (line.brakes(), line.velocity_after(total));
    let none = position.x.simd_lt(position.x);
    let (mut violated, mut same, mut again) = (none, none, none);
    for other in near {
        let (violates, here) = brakes.test(position.splat(other.position) - position, other.radius, velocity);
        violated |= violates;
        // The first one here is the agent itself.
        again |= same & here;
        same |= here;
    }
    (violated.to_bitmask(), (line.ties | again).to_bitmask())
}

#[cfg(test)]
mod tests;

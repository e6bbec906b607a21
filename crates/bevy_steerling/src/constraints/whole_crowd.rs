//! [`AvoidNeighbors`] as a constraint. Its agents are computed together, in the order of the neighbor index, because agents close to each
//! other look at the same neighbors.

use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering};

use bevy::ecs::change_detection::ContiguousMut;
use bevy::ecs::query::QueryData;
use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::view::{AgentData, TickFrame};
use crate::agent::{
    Agent, BodyLimits, ExternalMovement, FollowsForce, GroupMask, MovedByForce, SteeringAgent, SteeringForce,
    SteeringGroups,
};
use crate::constraints::avoid_neighbors::{Around, Lists, Shares};
use crate::constraints::avoid_neighbors::{AvoidNeighbors, Detour, HELD_UP, PreferredVelocity};
use crate::constraints::avoid_obstacles::AvoidObstacles;
use crate::constraints::avoider::{Avoider, Known, Member};
use crate::constraints::goals::{Approaches, Goals};
use crate::constraints::outcomes::{Outcome, Outcomes};
use crate::constraints::settling::Settling;
use crate::constraints::walker::Walker;
use crate::constraints::walkers::Walkers;
use crate::engine::constraint::SteeringConstraint;
use crate::engine::destination::Destination;
use crate::engine::figure::Figure;
use crate::math::Vector;
use crate::math::lanes::{LANES, each_lane};
use crate::perception::neighbors::{Neighbors, PARALLEL_PASS, by_rows};
use crate::perception::obstacles::Obstacles;
use crate::perception::target::Targets;
use crate::tick::{TickParam, threads};

/// An agent that avoids others.
#[derive(QueryData)]
#[query_data(contiguous(all))]
pub(crate) struct Avoiding {
    force: &'static SteeringForce,
    data: AgentData,
    groups: Option<&'static SteeringGroups>,
    avoiding: &'static AvoidNeighbors,
    detour: &'static Detour,
    destination: &'static Destination,
    settling: &'static Settling,
    walls: Option<&'static AvoidObstacles>,
    is_moved: Has<ExternalMovement>,
    by_force: Has<MovedByForce>,
    has_limits: Has<BodyLimits>,
    approaches: Approaches<'static>,
}

impl<'w, 's> AvoidingContiguousItem<'w, 's> {
    #[inline(always)]
    fn row(&self, row: usize) -> AvoidingItem<'w, 's> {
        let (pursue, seek, arrive) = self.approaches;
        AvoidingItem {
            force: &self.force[row],
            data: self.data.row(row),
            groups: self.groups.map(|all| &all[row]),
            avoiding: &self.avoiding[row],
            detour: &self.detour[row],
            destination: &self.destination[row],
            settling: &self.settling[row],
            walls: self.walls.map(|all| &all[row]),
            is_moved: self.is_moved,
            by_force: self.by_force,
            has_limits: self.has_limits,
            approaches: (pursue.map(|all| &all[row]), seek.map(|all| &all[row]), arrive.map(|all| &all[row])),
        }
    }
}

/// Writes the preferred velocities of all agents that avoid others, and records these agents.
pub(crate) fn write_preferred_velocities(
    mut agents: Query<(Avoiding, &mut PreferredVelocity)>,
    neighbors: Res<Neighbors>,
    mut walkers: ResMut<Walkers>,
    targets: Targets,
    tick: TickParam,
) {
    let frame = tick.frame();
    let in_parallel = |count: usize| tick.threads.parallel(|| count, PARALLEL_PASS);
    let (mut avoiders, places) = walkers.forget(&neighbors, agents.iter().len());
    // Speeds are not negative, so the order of their bits is the order of their values.
    let slowest = AtomicU32::new(f32::INFINITY.to_bits());
    let note = |number: usize, agent: &AvoidingItem, preferred: &mut PreferredVelocity, avoider: &mut Avoider| {
        places.note(&neighbors, agent.data.entity, number);
        // Without the sign of −0.
        let max_speed = avoider.update(agent, preferred, &neighbors, &targets, frame).abs().to_bits();
        if max_speed < slowest.load(Ordering::Relaxed) {
            slowest.fetch_min(max_speed, Ordering::Relaxed);
        }
    };
    let mut first = 0;
    if let Ok(tables) = agents.contiguous_iter_mut() {
        for (agents, preferred) in tables {
            let (preferred, _) = ContiguousMut::bypass_change_detection_split(preferred);
            let avoiders = avoiders.split_off_mut(..preferred.len()).unwrap_or_default();
            let count = preferred.len();
            threads::divide((preferred, avoiders), in_parallel(count), |row, (preferred, avoiders)| {
                for ((row, preferred), avoider) in (row..).zip(preferred).zip(avoiders) {
                    note(first + row, &agents.row(row), preferred, avoider);
                }
            });
            first += count;
        }
    } else {
        // Columns are not available if a component with which the app disables entities uses sparse storage.
        for ((number, (agent, mut preferred)), avoider) in agents.iter_mut().enumerate().zip(avoiders) {
            note(number, &agent, preferred.bypass_change_detection(), avoider);
        }
    }
    let count = walkers.len();
    walkers.prepare(&neighbors, f32::from_bits(slowest.into_inner()), in_parallel(count));
}

impl Avoider {
    /// Updates what an agent prefers, and records what others know about it, and its own data. Returns its max speed, units/s.
    #[inline(always)]
    fn update(
        &mut self,
        item: &AvoidingItem,
        preferred: &mut PreferredVelocity,
        neighbors: &Neighbors,
        targets: &Targets,
        frame: TickFrame,
    ) -> f32 {
        let AvoidingItem { ref data, groups, avoiding, detour, destination, settling, walls, .. } = *item;
        let agent = data.agent(item.force.0, frame);
        self.member = None;
        if data.is_thinking() {
            let time_horizon = avoiding.time_horizon_of(&agent);
            let goals = Goals::new(&agent, item.approaches, neighbors, targets);
            let its_goals = goals.places().map(|place| neighbors.neighbor(place));
            // In the crowd at its destination, an agent waits.
            let to_destination = if settling.is_there() { f32::INFINITY } else { destination.distance() };
            let is_held_up = detour.get().abs() > HELD_UP;
            preferred.update(&agent, is_held_up, to_destination, time_horizon, its_goals);
            if !item.has_limits {
                let layers = walls.map_or(GroupMask::NONE, |walls| walls.layers);
                self.member =
                    Some(Member { agent, detour: detour.0, time_horizon, groups: avoiding.groups, layers, goals });
            }
        }
        self.known = Known::new(agent.id, agent.radius, groups.copied().unwrap_or_default().0);
        if !item.is_moved || item.by_force {
            let keeps_going = data.keeps_going(frame.length);
            self.known = self.known.avoiding(avoiding, data.body(), preferred, settling).that_keeps_going(keeps_going);
        }
        agent.max_speed
    }
}

/// Computes the new totals of all agents that avoid others, if there are many.
pub(crate) fn pass_all(
    neighbors: Res<Neighbors>,
    walkers: Res<Walkers>,
    obstacles: Res<Obstacles>,
    avoiding: Query<Shares, FollowsForce>,
    mut outcomes: ResMut<Outcomes>,
    tick: TickParam,
) {
    let count = walkers.len();
    outcomes.0.resize(count, Outcome::UNKNOWN);
    if count == 0 {
        return;
    }
    let around = Around {
        neighbors: &neighbors,
        walkers: &walkers,
        obstacles: &obstacles,
        avoiding: &avoiding,
        tick: tick.length(),
    };
    let pass = |rows: Range<usize>, outcomes: &mut [Outcome]| {
        let first = neighbors.row_start(rows.start);
        let mut lists = Lists::new();
        for (first, outcomes) in (first..).step_by(LANES).zip(outcomes.chunks_mut(LANES)) {
            for ((place, member), outcome) in (first..).zip(&walkers.members_from(first)).zip(outcomes) {
                let pass = |member| around.pass(member, Some(place), &mut lists);
                *outcome = member.as_ref().map_or(Outcome::UNKNOWN, pass);
            }
        }
    };
    if tick.threads.parallel(|| count, PARALLEL_PASS) {
        by_rows(&neighbors, &mut outcomes.0, pass);
    } else {
        pass(0..neighbors.rows(), &mut outcomes.0);
    }
}

impl SteeringConstraint for AvoidNeighbors {
    type State = Detour;
    type Param = (
        Res<'static, Neighbors>,
        Res<'static, Walkers>,
        Res<'static, Outcomes>,
        Res<'static, Obstacles>,
        Query<'static, 'static, Shares, FollowsForce>,
        Query<'static, 'static, &'static AvoidObstacles>,
        Query<'static, 'static, Approaches<'static>>,
        Targets<'static, 'static>,
        Res<'static, Time>,
    );

    fn constrain(&self, detour: &mut Detour, agent: &Agent, param: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        let place = param.0.place_of(agent.entity);
        self.obey(param.2.of(place), detour, agent, param)
    }

    const EIGHT_AT_ONCE: bool = true;

    fn constrain_eight(
        constraints: &[Self; LANES],
        detours: &mut [Detour; LANES],
        agents: &[Agent; LANES],
        param: &SystemParamItem<'_, '_, Self::Param>,
    ) -> [Vector; LANES] {
        // The outcomes are far apart in memory, so they are copied together: the processor loads them at the same time.
        let outcomes = each_lane(|lane| param.2.of(param.0.place_of(agents[lane].entity)));
        let mut totals = [Vector::ZERO; LANES];
        for lane in 0..LANES {
            totals[lane] = constraints[lane].obey(outcomes[lane], &mut detours[lane], &agents[lane], param);
        }
        totals
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        let (max_speed, radius) = (agent.max_speed.max(0.0), agent.radius.max(0.0));
        let acceleration = agent.max_force.max(0.0) / agent.effective_mass();
        if max_speed <= 0.0 || acceleration <= 0.0 {
            return 0.0;
        }
        2.0 * (max_speed * self.time_horizon_for(max_speed, acceleration, radius) + radius)
    }

    fn draw(&self, detour: &Detour, agent: &Agent, param: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        let acceleration = agent.max_force / agent.mass;
        let member = self.member(detour, agent, param);
        let me = Walker { max_speed: agent.max_speed, acceleration, ..Walker::going_on(agent.id, agent.velocity) };
        let (around, place) = (around(param), param.0.place_of(agent.entity));
        around.for_each_avoided((&member, place), &me, around.far(&member), |other, urgency, _, _| {
            if urgency < 1.0 {
                figure.line(agent.position, agent.position + other.to);
            }
            f32::INFINITY
        });
        figure.line(agent.position, agent.position + agent.velocity * member.time_horizon);
    }
}

impl AvoidNeighbors {
    /// The new total of an agent, from this outcome if it has been computed from the same total.
    #[inline(always)]
    fn obey(
        &self,
        outcome: Outcome,
        detour: &mut Detour,
        agent: &Agent,
        param: &SystemParamItem<'_, '_, <Self as SteeringConstraint>::Param>,
    ) -> Vector {
        let outcome = if outcome.before == agent.force { outcome } else { self.outcome(detour, agent, param) };
        detour.0 = outcome.detour;
        outcome.total
    }

    /// Computes the outcome of an agent alone.
    #[inline(never)]
    fn outcome(
        &self,
        detour: &Detour,
        agent: &Agent,
        param: &SystemParamItem<'_, '_, <Self as SteeringConstraint>::Param>,
    ) -> Outcome {
        let place = param.0.place_of(agent.entity);
        around(param).pass(&self.member(detour, agent, param), place, &mut Lists::new())
    }

    fn member(
        &self,
        detour: &Detour,
        agent: &Agent,
        param: &SystemParamItem<'_, '_, <Self as SteeringConstraint>::Param>,
    ) -> Member {
        let (neighbors, _, _, _, _, walls, approaches, targets, _) = param;
        let goals = approaches.get(agent.entity).map(|approaches| Goals::new(agent, approaches, neighbors, targets));
        Member {
            agent: *agent,
            detour: detour.0,
            time_horizon: self.time_horizon_of(agent),
            groups: self.groups,
            layers: walls.get(agent.entity).map_or(GroupMask::NONE, |walls| walls.layers),
            goals: goals.unwrap_or_default(),
        }
    }
}

fn around<'a>(
    (neighbors, walkers, _, obstacles, avoiding, _, _, _, time): &'a SystemParamItem<
        '_,
        '_,
        <AvoidNeighbors as SteeringConstraint>::Param,
    >,
) -> Around<'a> {
    Around { neighbors, walkers, obstacles, avoiding, tick: time.delta_secs() }
}

#[cfg(test)]
mod tests;

//! [`AvoidNeighbors`] as a constraint. Its agents are computed together, in the order of the neighbor index, because agents close to each
//! other look at the same neighbors.

use core::ops::Range;

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::view::AgentData;
use crate::agent::{
    Agent, BodyLimits, ExternalMovement, FollowsForce, GroupMask, MovedByForce, SteeringAgent, SteeringForce,
    SteeringGroups,
};
use crate::constraints::avoid_neighbors::{Around, Lists, Shares};
use crate::constraints::avoid_neighbors::{AvoidNeighbors, Detour, HELD_UP, PreferredVelocity};
use crate::constraints::avoid_obstacles::AvoidObstacles;
use crate::constraints::goals::{Approaches, Goals};
use crate::constraints::outcomes::{Outcome, Outcomes};
use crate::constraints::settling::Settling;
use crate::constraints::walker::Walker;
use crate::constraints::walkers::{Known, Member, Walkers};
use crate::engine::constraint::SteeringConstraint;
use crate::engine::destination::Destination;
use crate::engine::figure::Figure;
use crate::math::Vector;
use crate::math::lanes::LANES;
use crate::perception::neighbors::{Neighbors, PARALLEL_PASS, by_rows};
use crate::perception::obstacles::Obstacles;
use crate::perception::target::Targets;
use crate::tick::TickParam;

/// The agents that avoid others.
type Avoiding<'w, 's> = Query<
    'w,
    's,
    (
        (&'static SteeringForce, AgentData, Option<&'static SteeringGroups>),
        (
            &'static AvoidNeighbors,
            &'static Detour,
            &'static Destination,
            &'static Settling,
            &'static mut PreferredVelocity,
        ),
        (Option<&'static AvoidObstacles>, (Has<ExternalMovement>, Has<MovedByForce>), Has<BodyLimits>),
        Approaches<'static>,
    ),
>;

/// Writes the preferred velocities of all agents that avoid others, and records these agents.
pub(crate) fn write_preferred_velocities(
    mut agents: Avoiding,
    neighbors: Res<Neighbors>,
    mut walkers: ResMut<Walkers>,
    targets: Targets,
    tick: TickParam,
) {
    let frame = tick.frame();
    walkers.forget(&neighbors, agents.iter().len());
    let mut slowest = f32::INFINITY;
    agents.iter_mut().for_each(
        |(
            body,
            (avoiding, detour, destination, settling, mut preferred),
            (walls, (is_moved, by_force), has_limits),
            approaches,
        )| {
            let (force, data, groups) = body;
            let agent = data.agent(force.0, frame);
            slowest = slowest.min(agent.max_speed);
            let time_horizon = avoiding.time_horizon_of(&agent);
            let is_held_up = detour.get().abs() > HELD_UP;
            let mut member = Member::new(&agent, time_horizon, avoiding.groups);
            if data.is_thinking() {
                member.goals = Goals::new(&agent, approaches, &neighbors, &targets);
                let goals = member.goals.places().map(|place| neighbors.neighbor(place));
                // In the crowd at its destination, an agent waits.
                let to_destination = if settling.is_there() { f32::INFINITY } else { destination.distance() };
                let preferred = preferred.bypass_change_detection();
                preferred.update(&agent, is_held_up, to_destination, time_horizon, goals);
            }
            walkers.note(&neighbors, agent.entity, || {
                let known = Known::new(agent.id, agent.radius, groups.copied().unwrap_or_default().0);
                let known = if is_moved && !by_force {
                    known
                } else {
                    known
                        .avoiding(avoiding, data.body(), &preferred, settling)
                        .that_keeps_going(data.keeps_going(frame.length))
                };
                let layers = walls.map_or(GroupMask::NONE, |walls| walls.layers);
                let member = Member { detour: detour.0, layers, ..member };
                (known, (!has_limits && data.is_thinking()).then_some(member))
            });
        },
    );
    walkers.prepare(&neighbors, slowest);
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
        let (neighbors, _, outcomes, _, _, walls, ..) = param;
        let place = neighbors.place_of(agent.entity);
        let computed = outcomes.of(place, agent.force);
        let outcome = computed.unwrap_or_else(|| {
            let layers = walls.get(agent.entity).map_or(GroupMask::NONE, |walls| walls.layers);
            let member = Member { detour: detour.0, layers, ..self.member(agent, param) };
            around(param).pass(&member, place, &mut Lists::new())
        });
        detour.0 = outcome.detour;
        outcome.total
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

    fn draw(&self, _: &Detour, agent: &Agent, param: &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        let acceleration = agent.max_force / agent.mass;
        let member = self.member(agent, param);
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
    /// An agent, with the agents that it wants to get to.
    fn member(&self, agent: &Agent, param: &SystemParamItem<'_, '_, <Self as SteeringConstraint>::Param>) -> Member {
        let (neighbors, _, _, _, _, _, approaches, targets, _) = param;
        let goals = approaches.get(agent.entity).map(|approaches| Goals::new(agent, approaches, neighbors, targets));
        let member = Member::new(agent, self.time_horizon_of(agent), self.groups);
        Member { goals: goals.unwrap_or_default(), ..member }
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

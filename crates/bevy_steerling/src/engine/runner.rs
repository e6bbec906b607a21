//! The system that runs a behavior or constraint.
//!
//! Most agents are processed in batches of [`BATCH`] rows of their tables, on several threads if there are many agents. Three kinds of
//! agents are processed one by one: those whose contributions are [logged](crate::engine::contribution_log), those with body limits, and
//! those that do not think in every tick. The forces are bit-identical.

use alloc::vec::Vec;
use core::any::type_name;
use core::iter;

use bevy::ecs::change_detection::ContiguousMut;
use bevy::ecs::query::QueryData;
use bevy::ecs::system::{StaticSystemParam, SystemParamItem};
use bevy::prelude::*;

#[cfg(not(dim3))]
use crate::agent::Vehicle;
use crate::agent::view::{AgentData, AgentDataItem, Rows, TickFrame};
use crate::agent::{Agent, SteeringForce};
use crate::agent::{BodyLimits, RateState};
use crate::engine::arbitration::Arbitration;
use crate::engine::batch::{BATCH, Directions};
use crate::engine::contribution_log::ContributionLog;
use crate::engine::contributor::Contributor;
use crate::engine::destination::Destination;
#[cfg(not(dim3))]
use crate::engine::maneuver;
use crate::engine::trace::SteeringTrace;
use crate::engine::wish::Wish;
use crate::math::Placement;
use crate::math::Vector;
use crate::math::lanes::{LANES, each_lane};
use crate::math::space::Space;
use crate::tick::{TickParam, threads};

/// Agents for which only the total force is needed, whose bodies have no limits, and that think in every tick: nearly all agents.
type Unlogged = (Without<Arbitration>, Without<SteeringTrace>, Without<BodyLimits>, Without<RateState>);

/// All other agents.
type Logged = Or<(With<Arbitration>, With<SteeringTrace>, With<BodyLimits>, With<RateState>)>;

/// The body of an agent, if it has limits.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct BodyData {
    #[cfg(not(dim3))]
    vehicle: Option<(&'static BodyLimits, &'static mut Vehicle)>,
}

type Agents<'w, 's, C> = Query<
    'w,
    's,
    (
        &'static <C as Contributor>::Settings,
        Option<&'static mut <C as Contributor>::State>,
        &'static mut SteeringForce,
        AgentData,
        Option<&'static mut Destination>,
    ),
    Unlogged,
>;

type LoggedAgents<'w, 's, C> = Query<
    'w,
    's,
    (
        &'static <C as Contributor>::Settings,
        Option<&'static mut <C as Contributor>::State>,
        &'static mut SteeringForce,
        AgentData,
        Option<&'static mut Destination>,
        Option<&'static mut ContributionLog>,
        BodyData,
    ),
    Logged,
>;

/// An item of [`LoggedAgents`].
type LoggedAgent<'w, 's, C> = (
    &'w <C as Contributor>::Settings,
    Option<Mut<'w, <C as Contributor>::State>>,
    Mut<'w, SteeringForce>,
    AgentDataItem<'w, 's>,
    Option<Mut<'w, Destination>>,
    Option<Mut<'w, ContributionLog>>,
    BodyDataItem<'w, 's>,
);

impl<'w> BodyDataItem<'w, '_> {
    #[cfg(not(dim3))]
    fn vehicle(self) -> Option<(&'w BodyLimits, Mut<'w, Vehicle>)> {
        self.vehicle
    }

    #[cfg(dim3)]
    fn vehicle(self) -> Option<core::convert::Infallible> {
        None
    }
}

/// Runs one behavior or constraint on all agents that have it.
pub(crate) fn run<C: Contributor>(
    agents: Agents<C>,
    logged: LoggedAgents<C>,
    param: StaticSystemParam<C::Param>,
    tick: TickParam,
) where
    for<'w, 's> SystemParamItem<'w, 's, C::Param>: Sync,
{
    let run = Run::<C> { param: &param, tick: &tick, frame: tick.frame() };
    run.run_logged(logged);
    run.run_batches(agents);
}

struct Run<'a, 'w, 's, 't, C: Contributor> {
    param: &'a SystemParamItem<'w, 's, C::Param>,
    tick: &'a TickParam<'t>,
    frame: TickFrame,
}

/// The agents of a table, column by column.
struct Columns<'a, C: Contributor> {
    settings: &'a [C::Settings],
    states: Option<&'a mut [C::State]>,
    forces: &'a mut [SteeringForce],
    agents: Rows<'a>,
    destinations: Option<&'a mut [Destination]>,
}

impl<'a, C: Contributor> Columns<'a, C> {
    /// Splits the rows into chunks of at most `length`.
    fn chunks(mut self, length: usize) -> impl Iterator<Item = Self> {
        iter::from_fn(move || {
            let length = length.min(self.settings.len());
            if length == 0 {
                return None;
            }
            let (agents, rest) = self.agents.split_at(length);
            self.agents = rest;
            Some(Self {
                settings: self.settings.split_off(..length)?,
                states: self.states.as_mut().and_then(|states| states.split_off_mut(..length)),
                forces: self.forces.split_off_mut(..length)?,
                agents,
                destinations: self.destinations.as_mut().and_then(|all| all.split_off_mut(..length)),
            })
        })
    }
}

impl<C: Contributor> Run<'_, '_, '_, '_, C>
where
    for<'w, 's> SystemParamItem<'w, 's, C::Param>: Sync,
{
    fn run_batches(&self, mut agents: Agents<C>) {
        let Ok(tables) = agents.contiguous_iter_mut() else {
            // Columns are not available if the behavior, or a component with which the app disables entities, uses sparse storage.
            for (settings, state, mut force, data, destination) in &mut agents {
                self.run_one(settings, state, &mut force.bypass_change_detection().0, data, destination);
            }
            return;
        };
        for (settings, states, forces, agents, destinations) in tables {
            let states = states.map(|states| ContiguousMut::bypass_change_detection_split(states).0);
            let (forces, _) = ContiguousMut::bypass_change_detection_split(forces);
            let destinations = destinations.map(|all| ContiguousMut::bypass_change_detection_split(all).0);
            let columns = Columns::<C> { settings, states, forces, agents: agents.all(), destinations };
            let count = settings.len();
            if self.tick.threads.parallel(|| count, C::PARALLEL_THRESHOLD) {
                threads::work_together(columns.chunks(threads::share(count)), |share| self.run_share(share));
            } else {
                self.run_share(columns);
            }
        }
    }

    fn run_share(&self, columns: Columns<C>) {
        let is_usual = !self.frame.space.wraps() && self.frame.plane == Placement::USUAL;
        for batch in columns.chunks(BATCH) {
            let mut own_states;
            let Columns { settings, states, forces, agents, destinations } = batch;
            let states = match states {
                Some(states) => states,
                None => {
                    own_states = core::array::from_fn::<_, BATCH, _>(|_| C::State::default());
                    &mut own_states[..settings.len()]
                }
            };
            // The loop is compiled twice, so that games in the default plane without seams do not pay for the other cases.
            if is_usual {
                self.run_batch::<true>(settings, states, forces, agents, destinations);
            } else {
                self.run_batch::<false>(settings, states, forces, agents, destinations);
            }
        }
    }

    /// The frame of the tick. The usual frame is known when the loop is compiled.
    #[inline(always)]
    fn frame_if<const USUAL: bool>(&self) -> TickFrame {
        if USUAL { TickFrame { space: Space::default(), plane: Placement::USUAL, ..self.frame } } else { self.frame }
    }

    #[inline(always)]
    fn run_batch<const USUAL: bool>(
        &self,
        settings: &[C::Settings],
        states: &mut [C::State],
        forces: &mut [SteeringForce],
        agents: Rows,
        mut destinations: Option<&mut [Destination]>,
    ) {
        let count = settings.len().min(BATCH);
        let (settings, states, forces) = (&settings[..count], &mut states[..count], &mut forces[..count]);
        let mut directions = Directions::new();
        if C::PRECOMPUTED {
            // This is a separate loop, because the forces are far apart in memory, and several can be read at once.
            let mut computed = [Vector::NAN; BATCH];
            for (computed, (settings, agent)) in computed.iter_mut().zip(settings.iter().zip(agents.entities)) {
                *computed = C::computed_force(settings, *agent, self.param).unwrap_or(Vector::NAN);
            }
            for row in 0..count {
                let (settings, force) = (&settings[row], &mut forces[row]);
                if computed[row].is_finite() {
                    force.0 += computed[row];
                } else {
                    let destination = destinations.as_mut().map(|all| &mut all[row]);
                    self.run_row::<USUAL>(settings, &mut states[row], force, agents, destination, row, &mut directions);
                }
            }
        } else if C::PREFILTERED {
            // This has no branch, because branch prediction would fail.
            let (mut concerned, mut number) = ([0; BATCH], 0);
            for row in 0..count {
                let agent = agents.get(row).agent(Vector::ZERO, self.frame_if::<USUAL>());
                concerned[number] = row;
                if C::is_concerned(&settings[row], &agent, self.param) {
                    number += 1;
                } else {
                    states[row] = C::State::default();
                }
            }
            for row in concerned[..number].iter().copied() {
                let (settings, state, force) = (&settings[row], &mut states[row], &mut forces[row]);
                let destination = destinations.as_mut().map(|all| &mut all[row]);
                self.run_row::<USUAL>(settings, state, force, agents, destination, row, &mut directions);
            }
        } else {
            let mut first = 0;
            if C::EIGHT_AT_ONCE {
                first = self.run_eights::<USUAL>(settings, states, forces, agents, &mut destinations, &mut directions);
            }
            for row in first..count {
                let (settings, state, force) = (&settings[row], &mut states[row], &mut forces[row]);
                let destination = destinations.as_mut().map(|all| &mut all[row]);
                self.run_row::<USUAL>(settings, state, force, agents, destination, row, &mut directions);
            }
        }
        directions.add_to(forces, agents, self.frame, &self.tick.mender, type_name::<C::Settings>);
    }

    /// Processes as many rows as possible eight at a time, and returns their number.
    #[inline(always)]
    fn run_eights<const USUAL: bool>(
        &self,
        settings: &[C::Settings],
        states: &mut [C::State],
        forces: &mut [SteeringForce],
        agents: Rows,
        destinations: &mut Option<&mut [Destination]>,
        directions: &mut Directions,
    ) -> usize {
        let (settings, _) = settings.as_chunks::<LANES>();
        let (states, _) = states.as_chunks_mut::<LANES>();
        for (number, (settings, states)) in settings.iter().zip(states).enumerate() {
            let first = number * LANES;
            let mut seen = each_lane(
                #[inline(always)]
                |lane| self.see::<USUAL>(agents, first + lane, forces),
            );
            if let Some(destinations) = destinations {
                seen.iter_mut().zip(&destinations[first..]).for_each(|(seen, its)| tell::<C>(Some(its), seen));
            }
            let wishes = C::wishes(settings, states, &seen, self.param);
            for lane in 0..LANES {
                let row = first + lane;
                let destination = destinations.as_mut().map(|all| &mut all[row]);
                self.answer(wishes[lane], &settings[lane], &seen[lane], &mut forces[row], destination, row, directions);
            }
        }
        settings.len() * LANES
    }

    #[inline(always)]
    fn see<const USUAL: bool>(&self, agents: Rows, row: usize, forces: &[SteeringForce]) -> Agent {
        agents.get(row).agent(forces[row].0, self.frame_if::<USUAL>())
    }

    #[inline(always)]
    fn run_row<const USUAL: bool>(
        &self,
        settings: &C::Settings,
        state: &mut C::State,
        force: &mut SteeringForce,
        agents: Rows,
        destination: Option<&mut Destination>,
        row: usize,
        directions: &mut Directions,
    ) {
        let mut agent = agents.get(row).agent(force.0, self.frame_if::<USUAL>());
        tell::<C>(destination.as_deref(), &mut agent);
        let wish = C::wish(settings, state, &agent, self.param);
        self.answer(wish, settings, &agent, force, destination, row, directions);
    }

    #[inline(always)]
    fn answer(
        &self,
        wish: Wish,
        settings: &C::Settings,
        agent: &Agent,
        force: &mut SteeringForce,
        destination: Option<&mut Destination>,
        row: usize,
        directions: &mut Directions,
    ) {
        let weight = C::weight(settings);
        let wish = destination.map_or(wish, |destination| destination.note(wish, weight));
        if let Some(wish) = directions.take(row, wish, weight) {
            force.0 += self.counted(wish.force(agent) * weight, || *agent);
        }
    }

    #[inline(always)]
    fn counted(&self, contribution: Vector, agent: impl FnOnce() -> Agent) -> Vector {
        self.tick.mender.counted(contribution, agent, type_name::<C::Settings>)
    }

    fn run_one(
        &self,
        settings: &C::Settings,
        state: Option<Mut<C::State>>,
        force: &mut Vector,
        data: AgentDataItem,
        destination: Option<Mut<Destination>>,
    ) {
        if let Some(computed) = self.computed_force(settings, data.entity) {
            *force += computed;
            return;
        }
        let mut agent = data.agent(*force, self.frame);
        tell::<C>(destination.as_deref(), &mut agent);
        let wish = self.wish(settings, state, &agent, destination);
        *force += self.counted(wish.force(&agent) * C::weight(settings), || agent);
    }

    fn computed_force(&self, settings: &C::Settings, agent: Entity) -> Option<Vector> {
        let computed = if C::PRECOMPUTED { C::computed_force(settings, agent, self.param) } else { None };
        computed.filter(|force| force.is_finite())
    }

    /// The wish of an agent that is not part of a batch.
    fn wish(
        &self,
        settings: &C::Settings,
        state: Option<Mut<C::State>>,
        agent: &Agent,
        destination: Option<Mut<Destination>>,
    ) -> Wish {
        let mut own_state = C::State::default();
        let mut state = state;
        let state = state.as_mut().map_or(&mut own_state, |state| state.bypass_change_detection());
        if C::PREFILTERED && !C::is_concerned(settings, agent, self.param) {
            *state = C::State::default();
            return Wish::Nothing;
        }
        let wish = C::wish(settings, state, agent, self.param);
        destination
            .map_or(wish, |mut destination| destination.bypass_change_detection().note(wish, C::weight(settings)))
    }

    fn run_logged(&self, mut agents: LoggedAgents<C>) {
        let in_parallel = self.tick.threads.parallel(|| agents.iter().len(), C::PARALLEL_THRESHOLD);
        let mut left = Vec::new();
        // A loop over a query is a lot of code, and it is compiled for each behavior. `for_each` and `collect` would contain it several times,
        // and `par_iter` the task pool.
        for agent in &mut agents {
            if in_parallel {
                left.push(agent);
            } else {
                self.run_one_logged(agent);
            }
        }
        if !left.is_empty() {
            let share = threads::share(left.len());
            let next = || (!left.is_empty()).then(|| left.split_off(left.len().saturating_sub(share)));
            threads::work_together(iter::from_fn(next), |share| {
                for agent in share {
                    self.run_one_logged(agent);
                }
            });
        }
    }

    fn run_one_logged(&self, (settings, state, mut force, data, destination, log, body): LoggedAgent<C>) {
        if !data.is_thinking() {
            return;
        }
        let force = &mut force.bypass_change_detection().0;
        let mut agent = data.agent(*force, self.frame);
        tell::<C>(destination.as_deref(), &mut agent);
        let weight = C::weight(settings);
        let computed = self.computed_force(settings, agent.entity);
        // Unknown if the weight is 0 or too small.
        let unweighted = computed.map(|computed| computed / weight).filter(|force| force.is_finite());
        let wish =
            |agent: &Agent| unweighted.map_or_else(|| self.wish(settings, state, agent, destination), Wish::Force);
        let (raw, weighted) = match body.vehicle() {
            None => {
                let raw = wish(&agent).force(&agent);
                (raw, computed.unwrap_or(raw * weight))
            }
            #[cfg(dim3)]
            Some(vehicle) => match vehicle {},
            #[cfg(not(dim3))]
            Some((limits, mut vehicle)) => {
                let vehicle = vehicle.bypass_change_detection();
                vehicle.init_heading(limits, &agent, || self.frame.plane.heading(data.transform()));
                agent.is_vehicle = true;
                let seen = C::with_limits(&agent, limits);
                let raw = maneuver::force(wish(&seen), &seen, limits, vehicle);
                (raw, raw * weight)
            }
        };
        let counted = self.counted(weighted, || agent);
        match log {
            Some(mut log) => {
                log.bypass_change_detection().add::<C>(force, C::priority(settings), raw, weighted);
            }
            None => *force += counted,
        }
    }
}

/// Copies the place that the agent's behaviors want to get to, for constraints that need it.
#[inline(always)]
fn tell<C: Contributor>(destination: Option<&Destination>, agent: &mut Agent) {
    if C::READS_DESTINATION
        && let Some(destination) = destination
    {
        destination.tell(agent);
    }
}

/// Clears the logs, and removes those that are no longer needed.
pub(crate) fn clear_logs(
    mut logs: Query<(Entity, &mut ContributionLog, Option<&RateState>, Has<Arbitration>, Has<SteeringTrace>)>,
    mut commands: Commands,
) {
    for (agent, mut log, rate, arbitrates, traces) in &mut logs {
        if rate.is_none_or(RateState::is_thinking) {
            log.bypass_change_detection().clear();
        }
        if !arbitrates && !traces {
            commands.entity(agent).try_remove::<ContributionLog>();
        }
    }
}

//! Who looks how far, and one pass over all of them.

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;

use bevy::prelude::*;

use super::lanes::{NOBODY, Pass, Scratch};
use super::{Flocking, GroupWeights, Perceiver};
use crate::agent::SteeringAgent;
use crate::math::Vector;
use crate::perception::field_of_view::{ALL_ROUND, Cones};
use crate::perception::neighbors::Neighbors;
use crate::tick::TickParam;
use crate::tick::threads;

/// What is known of the agents that have a behavior, and the forces that follow.
#[derive(Resource)]
pub(crate) struct Perceivers<B> {
    /// In the order of the world; only one while all agents have the behavior and are alike.
    perceivers: Vec<(Entity, Perceiver)>,
    alike: bool,
    /// The farthest that any looks, units.
    farthest: f32,
    /// What the above holds for, as long as no component changes.
    known: Option<Known>,
    /// For each agent in the index, its place in `perceivers`; empty while all are alike.
    order: Vec<u32>,
    /// For each agent in the index its groups; empty where they do not matter.
    groups: Vec<u32>,
    /// For each agent in the index its force; NaN where `steer` must say.
    forces: Vec<Vector>,
    scratch: Scratch,
    behavior: PhantomData<fn(B)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    tick: f32,
    perceivers: usize,
    agents: usize,
}

impl<B> Default for Perceivers<B> {
    fn default() -> Self {
        Self {
            perceivers: Vec::new(),
            alike: false,
            farthest: 0.0,
            known: None,
            order: Vec::new(),
            groups: Vec::new(),
            forces: Vec::new(),
            scratch: Scratch::default(),
            behavior: PhantomData,
        }
    }
}

impl<B> Perceivers<B> {
    /// The force of the agent with this place in the index; NaN where `steer` must say.
    #[inline]
    pub fn force(&self, place: Option<usize>) -> Vector {
        place.and_then(|place| self.forces.get(place)).copied().unwrap_or(Vector::NAN)
    }
}

/// From how many agents on threads pay.
pub(crate) const PARALLEL_THRESHOLD: usize = 4_096;

/// Notes how far and wide everybody looks.
pub(crate) fn look<B: Flocking>(
    agents: Query<(Entity, &B, &SteeringAgent)>,
    changed: Query<(), (With<B>, Or<(Changed<B>, Changed<SteeringAgent>)>)>,
    all: Query<(), With<SteeringAgent>>,
    weights: Query<&GroupWeights>,
    mut noted: ResMut<Perceivers<B>>,
    mut neighbors: ResMut<Neighbors>,
    tick: TickParam,
) {
    let tick = tick.length();
    let known = Known { tick, perceivers: agents.iter().len(), agents: all.iter().len() };
    let weighted = !weights.is_empty();
    // Most crowds look as they did a tick before.
    if noted.known != Some(known) || weighted || !changed.is_empty() {
        noted.known = (!weighted).then_some(known);
        let mut cones = Cones::default();
        let mut perceiver = |(entity, behavior, body): (Entity, &B, &SteeringAgent)| Perceiver {
            alone: weighted && weights.contains(entity),
            ..behavior.perceiver(body, tick, &mut cones)
        };
        let Perceivers { perceivers, alike, farthest, .. } = &mut *noted;
        perceivers.clear();
        perceivers.extend(agents.iter().next().map(|agent| (agent.0, perceiver(agent))));
        let same = |perceiver: Perceiver| perceivers.iter().all(|(_, first)| *first == perceiver);
        *alike = known.perceivers == known.agents && agents.iter().all(|agent| same(perceiver(agent)));
        if !*alike {
            perceivers.clear();
            perceivers.extend(agents.iter().map(|agent| (agent.0, perceiver(agent))));
        }
        *farthest = perceivers.iter().map(|(_, perceiver)| perceiver.reach()).fold(0.0, f32::max);
    }
    neighbors.widen(noted.farthest);
}

/// Computes the forces of all agents with the behavior.
pub(crate) fn add_up<B: Flocking>(mut noted: ResMut<Perceivers<B>>, neighbors: Res<Neighbors>, tick: TickParam) {
    let Perceivers { perceivers, alike, order, groups, forces, scratch, .. } = &mut *noted;
    let agents = neighbors.bodies().len();
    forces.resize(agents, Vector::NAN);
    if agents == 0 || perceivers.is_empty() {
        return;
    }
    order.clear();
    if !*alike {
        order.resize(agents, NOBODY);
        for (number, (entity, _)) in perceivers.iter().enumerate() {
            if let Some(place) = neighbors.place_of(*entity) {
                order[place] = number as u32;
            }
        }
    }
    let anyone = |test: &dyn Fn(&Perceiver) -> bool| perceivers.iter().any(|(_, perceiver)| test(perceiver));
    groups.clear();
    let in_groups = anyone(&|perceiver| !neighbors.are_all_in(perceiver.groups));
    if in_groups {
        groups.extend((0..agents).map(|place| neighbors.groups(place)));
    }
    let in_cones = anyone(&|perceiver| perceiver.cones != [ALL_ROUND; 3]);
    let in_rings = anyone(&|perceiver| perceiver.radii != [perceiver.radii[0]; 3]);

    let pass = Pass { neighbors: &neighbors, perceivers, order, groups };
    let run = match (in_rings, in_cones, in_groups) {
        (false, false, false) => Pass::run::<B, false, false, false>,
        (true, false, false) => Pass::run::<B, true, false, false>,
        (_, true, false) => Pass::run::<B, true, true, false>,
        (_, _, true) => Pass::run::<B, true, true, true>,
    };
    if tick.threads.parallel(|| agents, PARALLEL_THRESHOLD) {
        by_rows(&neighbors, forces, |rows, forces| run(&pass, rows, &mut Scratch::default(), forces));
    } else {
        run(&pass, 0..neighbors.rows(), scratch, forces);
    }
}

/// Lets `run` find something for all agents in some rows of the index at a time, on threads, until there is all of `found`.
pub(crate) fn by_rows<T: Send>(neighbors: &Neighbors, found: &mut [T], run: impl Fn(Range<usize>, &mut [T]) + Sync) {
    let agents = neighbors.bodies().len();
    let pieces = threads::shares();
    let (mut rest, mut row, mut done) = (found, 0, 0);
    let shares = (1..=pieces).map(|piece| {
        let first_row = row;
        while row < neighbors.rows() && neighbors.row_start(row) < agents * piece / pieces {
            row += 1;
        }
        let these = rest.split_off_mut(..neighbors.row_start(row) - done).unwrap_or_default();
        done += these.len();
        (first_row..row, these)
    });
    threads::work_together(shares, |(rows, these)| run(rows, these));
}

//! The agents that have a flocking behavior, and the systems that compute their forces.

use alloc::vec::Vec;
use core::marker::PhantomData;

use bevy::prelude::*;

use crate::agent::{RateState, SteeringAgent};
use crate::math::Vector;
use crate::perception::field_of_view::{ALL_ROUND, Cones};
use crate::perception::flocking::group_weights::GroupWeights;
use crate::perception::flocking::kernel::{NeighborKernel, Perceiver};
use crate::perception::flocking::pass::{NOBODY, Pass, Scratch};
use crate::perception::flocking::sums_of_eight::Mark;
use crate::perception::neighbors::{Neighbors, PARALLEL_PASS, Radii, by_rows};
use crate::tick::TickParam;

/// How the agents with a behavior perceive, and the forces of the behavior in this tick.
#[derive(Resource)]
pub struct Perceivers<K> {
    /// In the order of the world; a single one while all agents have the behavior and are equal.
    perceivers: Vec<(Entity, Perceiver)>,
    equal: bool,
    /// How far they perceive.
    radii: Radii,
    /// The state of the world from which the above was computed. It stays valid while this and all components are unchanged.
    known: Option<Known>,
    /// The index in `perceivers` of each agent in the index; empty while all are equal.
    order: Vec<u32>,
    /// The groups and the height of each agent in the index; empty if they are not needed.
    marks: Vec<Mark>,
    /// The force of each agent in the index, with the weight; NaN if it must be computed for the agent alone.
    forces: Vec<Vector>,
    scratch: Scratch,
    kernel: PhantomData<fn(K)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    tick: f32,
    perceivers: usize,
    agents: usize,
}

impl<K> Default for Perceivers<K> {
    fn default() -> Self {
        Self {
            perceivers: Vec::new(),
            equal: false,
            radii: Radii::default(),
            known: None,
            order: Vec::new(),
            marks: Vec::new(),
            forces: Vec::new(),
            scratch: Scratch::default(),
            kernel: PhantomData,
        }
    }
}

impl<K> Perceivers<K> {
    /// The force of an agent, with the behavior's weight. If it is `None` or not finite, compute it with
    /// [`force_of_one`](crate::perception::flocking::force_of_one).
    #[inline]
    pub fn force(&self, agent: Entity, neighbors: &Neighbors) -> Option<Vector> {
        self.forces.get(neighbors.place_of(agent)?).copied()
    }
}

/// Records how all agents with the behavior perceive, and reports the radius to the index.
pub(crate) fn note_perceivers<K: NeighborKernel>(
    agents: Query<(Entity, &K, &SteeringAgent)>,
    changed: Query<(), (With<K>, Or<(Changed<K>, Changed<SteeringAgent>)>)>,
    all: Query<(), With<SteeringAgent>>,
    alone: Query<(), (With<K>, Or<(With<GroupWeights>, With<RateState>)>)>,
    mut noted: ResMut<Perceivers<K>>,
    mut neighbors: ResMut<Neighbors>,
    tick: TickParam,
) {
    let tick = tick.length();
    let known = Known { tick, perceivers: agents.iter().len(), agents: all.iter().len() };
    let any_alone = !alone.is_empty();
    // Usually nothing has changed since the previous tick.
    if noted.known != Some(known) || any_alone || !changed.is_empty() {
        noted.known = (!any_alone).then_some(known);
        let mut cones = Cones::default();
        let mut perceiver = |(entity, behavior, body): (Entity, &K, &SteeringAgent)| Perceiver {
            is_alone: any_alone && alone.contains(entity),
            ..behavior.perceiver(body, tick, &mut cones)
        };
        let Perceivers { perceivers, equal, radii, .. } = &mut *noted;
        perceivers.clear();
        perceivers.extend(agents.iter().next().map(|agent| (agent.0, perceiver(agent))));
        let same = |perceiver: Perceiver| perceivers.iter().all(|(_, first)| *first == perceiver);
        *equal = known.perceivers == known.agents && agents.iter().all(|agent| same(perceiver(agent)));
        if !*equal {
            perceivers.clear();
            perceivers.extend(agents.iter().map(|agent| (agent.0, perceiver(agent))));
        }
        *radii = Radii::default();
        let each = if *equal { known.perceivers as u32 } else { 1 };
        perceivers.iter().for_each(|(_, perceiver)| radii.note(perceiver.reach(), each));
    }
    neighbors.widen(&noted.radii);
}

/// Computes the forces of all agents with the behavior, except those left to [`force_of_one`](crate::perception::flocking::force_of_one).
pub(crate) fn add_up<K: NeighborKernel>(mut noted: ResMut<Perceivers<K>>, neighbors: Res<Neighbors>, tick: TickParam) {
    let Perceivers { perceivers, equal, order, marks, forces, scratch, .. } = &mut *noted;
    let agents = neighbors.bodies().len();
    forces.resize(agents, Vector::NAN);
    if agents == 0 || perceivers.is_empty() {
        return;
    }
    order.clear();
    if !*equal {
        order.resize(agents, NOBODY);
        for (number, (entity, _)) in perceivers.iter().enumerate() {
            if let Some(place) = neighbors.place_of(*entity) {
                order[place] = number as u32;
            }
        }
    }
    let anyone = |test: &dyn Fn(&Perceiver) -> bool| perceivers.iter().any(|(_, perceiver)| test(perceiver));
    marks.clear();
    let marked = neighbors.has_floors() || anyone(&|perceiver| !neighbors.are_all_in(perceiver.groups));
    if marked {
        let mark = |place| Mark { groups: neighbors.groups(place).bits(), height: neighbors.height(place) };
        marks.extend((0..agents).map(mark));
    }
    let in_cones = anyone(&|perceiver| perceiver.cones != [ALL_ROUND; 3]);
    let in_rings = anyone(&|perceiver| perceiver.radii != [perceiver.radii[0]; 3]);

    let pass = Pass { neighbors: &neighbors, perceivers, order, marks, floor_height: neighbors.floor_height() };
    // Where `K::DIFFERENT` is false, the radii are always equal, and the first arm is not compiled.
    let run = match (in_rings, in_cones, marked) {
        (true, false, false) if K::DIFFERENT => Pass::run::<K, true, false, false>,
        (_, false, false) => Pass::run::<K, false, false, false>,
        (_, true, false) => Pass::run::<K, true, true, false>,
        (_, _, true) => Pass::run::<K, true, true, true>,
    };
    if tick.threads.parallel(|| agents, PARALLEL_PASS) {
        by_rows(&neighbors, forces, |rows, forces| run(&pass, rows, &mut Scratch::default(), forces));
    } else {
        run(&pass, 0..neighbors.rows(), scratch, forces);
    }
}

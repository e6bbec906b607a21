//! The force of one agent, with any neighbors.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::Agent;
use crate::agent::SteeringAgent;
use crate::math::lanes::VectorOf;
use crate::math::{self, Vector};
use crate::perception::field_of_view::{ALL_ROUND, Cones};
use crate::perception::flocking::group_weights::GroupWeights;
use crate::perception::flocking::kernel::{NeighborKernel, Perceiver, Perceiving, Sums};
use crate::perception::flocking::perceivers::Perceivers;
use crate::perception::flocking::sight::{MOST_INTRUSION, Sight, intrusion, nearness};
use crate::perception::neighbors::{Neighbors, direction_to_coincident};

/// Sums of intrusions are clamped to this. Only weights far above 1 give larger sums.
const MOST_INTRUSIONS: f32 = 1e6;

/// The data that flocking behaviors read.
pub(crate) type AroundParam = (Res<'static, Neighbors>, Query<'static, 'static, &'static GroupWeights>);

/// The parameters of a behavior with a kernel.
pub(crate) type CrowdParam<K> = (AroundParam, Res<'static, Perceivers<K>>);

/// The force that a kernel gives one agent, before the behavior's weight.
pub(crate) fn force_of_one<K: NeighborKernel>(
    kernel: &K,
    agent: &Agent,
    around: &SystemParamItem<AroundParam>,
) -> Vector {
    let perceiver = perceiver_of(kernel, agent);
    let sums = sum_up::<K>(&perceiver, agent, around);
    let own = Perceiving { velocity: math::bounded(agent.velocity).into(), terms: perceiver.terms };
    K::force(&own, &sums).into()
}

/// The sums over the neighbors of one agent.
pub(crate) fn sums_of_one<K: NeighborKernel>(
    kernel: &K,
    agent: &Agent,
    around: &SystemParamItem<AroundParam>,
) -> Sums<f32> {
    sum_up::<K>(&perceiver_of(kernel, agent), agent, around)
}

fn perceiver_of<K: NeighborKernel>(kernel: &K, agent: &Agent) -> Perceiver {
    let body = SteeringAgent {
        mass: agent.mass,
        max_speed: agent.max_speed,
        max_force: agent.max_force,
        radius: agent.radius,
        response_time: agent.response_time,
    };
    kernel.perceiver(&body, agent.tick, &mut Cones::default())
}

fn sum_up<K: NeighborKernel>(
    perceiver: &Perceiver,
    agent: &Agent,
    (neighbors, weights): &SystemParamItem<AroundParam>,
) -> Sums<f32> {
    let weights = weights.get(agent.entity).ok();
    let sight = Sight::of_one(perceiver, agent.velocity.into());
    let is_within = |part: usize, to: Vector| {
        let to = VectorOf::from(to);
        sight.is_within::<true>(part, to.dot(to), sight.squared_ahead::<true>(to))
    };
    let in_any_group = neighbors.are_all_in(perceiver.groups);
    let all_round = |part: usize| perceiver.radii[part] == perceiver.reach() && perceiver.cones[part] == ALL_ROUND;
    let everywhere = [0, 1, 2].into_iter().any(all_round);
    let accepts = |place: usize, to: Vector| {
        (in_any_group || perceiver.groups.intersects(neighbors.groups(place)))
            && (everywhere || is_within(0, to) || is_within(1, to) || is_within(2, to))
    };
    let mut sums = Sums::default();
    neighbors.for_each_nearest_place(agent, perceiver.reach(), perceiver.most as usize, accepts, |place, to| {
        let weight = weights.map_or(1.0, |weights| weights.of(neighbors.groups(place)));
        let apart = if to == Vector::ZERO {
            direction_to_coincident(agent.id, neighbors.id(place)) * perceiver.reach()
        } else {
            to
        };
        if K::NEARNESS && is_within(0, to) {
            sums.nearness += VectorOf::from(apart) * (nearness::<f32, true>(to.length_squared()) * weight);
        }
        if K::PLACES && is_within(1, to) {
            sums.places += VectorOf::from(if K::COINCIDENT { apart } else { to }) * weight;
            sums.place_count += weight;
        }
        if K::INTRUSION && is_within(1, to) {
            let distance = to.length();
            let (direction, intrusion) = if distance > 0.0 {
                (to / distance, intrusion(1.0 / distance, perceiver.intrusion_radius))
            } else {
                (direction_to_coincident(agent.id, neighbors.id(place)), MOST_INTRUSION)
            };
            sums.intrusion += VectorOf::from(direction) * (intrusion * weight);
            sums.intrusions += intrusion * weight;
        }
        if K::MOTION && is_within(2, to) {
            sums.motion += VectorOf::from(neighbors.bodies()[place].velocity) * weight;
            sums.motion_count += weight;
        }
    });
    let bounded = |sum: VectorOf<f32>| VectorOf::from(math::bounded(sum.into()));
    Sums {
        nearness: bounded(sums.nearness),
        places: bounded(sums.places),
        intrusion: bounded(sums.intrusion),
        intrusions: sums.intrusions.min(MOST_INTRUSIONS),
        motion: bounded(sums.motion),
        ..sums
    }
}

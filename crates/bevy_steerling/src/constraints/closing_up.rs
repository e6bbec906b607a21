//! The systems with which agents close up at their destination and settle.

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::ExternalMovement;
use crate::agent::view::AgentData;
use crate::constraints::avoid_neighbors::AvoidNeighbors;
use crate::constraints::settling::{Settling, beside};
use crate::engine::destination::Destination;
use crate::math::Vector;
use crate::perception::neighbors::Neighbors;
use crate::tick::TickParam;

/// How long an agent tries to get nearer, as a share of the default time horizon.
const PATIENCE: f32 = 1.5;

/// The gap within which two agents are next to each other, as a share of the distance at which they touch.
const BESIDE: f32 = 0.15;

/// The same for members of the crowd.
const STILL_BESIDE: f32 = 0.6;

/// An agent that is slower than this share of its max speed may be held up by others.
const SLOW: f32 = 0.5;

/// Decides who belongs to a crowd, and who settles.
pub(crate) fn settle(
    mut agents: Query<(AgentData, &Destination, &AvoidNeighbors, &mut Settling), Without<ExternalMovement>>,
    neighbors: Res<Neighbors>,
    mut decided: Local<Vec<Settling>>,
    tick: TickParam,
) {
    let frame = tick.frame();
    let all = agents.as_readonly();
    decided.clear();
    decided.extend(all.iter().map(|(data, destination, avoid, settling)| {
        let Some(to) = destination.displacement.filter(|to| destination.stops && to.is_finite()) else {
            return Settling::default();
        };
        let (agent, mut settling) = (data.agent(Vector::ZERO, frame), *settling);
        settling.note(&agent, to);
        let distance = to.length();
        let may_join =
            settling.in_crowd || agent.velocity.length() < SLOW * agent.max_speed || distance < 2.0 * agent.radius;
        let (mut in_crowd, mut is_supported) = (false, distance <= 2.0 * agent.radius);
        if may_join {
            let margin = 1.0 + if settling.in_crowd { STILL_BESIDE } else { BESIDE };
            let reach = (agent.radius + neighbors.largest_radius()) * margin;
            neighbors.for_each_near(&agent, reach, |other, way| {
                let gap = way.length() / (agent.radius + other.radius);
                if gap < margin && avoid.groups.considers(other.groups) {
                    let its = all.get(other.entity).ok().map(|(.., settling)| settling);
                    let beside = beside(&agent, to, other, way, its);
                    in_crowd |= beside.admits;
                    is_supported |= beside.supports && gap < 1.0 + BESIDE;
                }
            });
        }
        if !in_crowd {
            let (nearest, time) = if settling.in_crowd { (distance, 0.0) } else { (settling.nearest, settling.time) };
            return Settling { nearest, time, in_crowd: false, is_settled: false, ..settling };
        }
        let horizon = 2.0 * agent.max_speed * agent.mass / agent.max_force + 8.0 * agent.radius / agent.max_speed;
        let settles = is_supported && settling.time >= PATIENCE * horizon;
        Settling { in_crowd, is_settled: settling.is_settled || settles, ..settling }
    }));
    for ((.., mut settling), decided) in agents.iter_mut().zip(&decided) {
        *settling.bypass_change_detection() = *decided;
    }
}

/// Tells the behaviors which agents have settled.
pub(crate) fn tell(mut agents: Query<(&Settling, &mut Destination)>) {
    agents.iter_mut().for_each(|(settling, mut destination)| {
        destination.bypass_change_detection().is_settled = settling.is_settled;
    });
}

//! The systems with which agents close up at their destination and settle.

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::view::AgentData;
use crate::agent::{Agent, FollowsForce, GroupMask, SteeringAgent};
use crate::behaviors::follow_path::{FollowPath, PathProgress};
use crate::constraints::avoid_neighbors::{AvoidNeighbors, default_time_horizon};
use crate::constraints::settling::{Beside, IDLE, Settling, beside};
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

/// The distance from the destination within which an agent may take turns with others, as a share of its radius.
const MIDDLE: f32 = 2.2;

/// How long agents take turns, as a share of their patience.
const TURNS: f32 = 4.0;

/// The agents that may settle.
type Settlers<'w, 's> =
    Query<'w, 's, (AgentData, &'static Destination, &'static AvoidNeighbors, &'static mut Settling), FollowsForce>;

/// Decides which agents belong to a crowd, and which settle.
pub(crate) fn settle(
    mut agents: Settlers,
    neighbors: Res<Neighbors>,
    mut decided: Local<Vec<Settling>>,
    tick: TickParam,
) {
    let frame = tick.frame();
    let all = agents.as_readonly();
    // All decide before the state of any changes.
    decided.clear();
    decided.extend(all.iter().map(|(data, destination, avoid, settling)| {
        if !data.is_thinking() {
            return *settling;
        }
        let Some(to) = destination.place_to_stop().filter(|to| to.is_finite()) else {
            return Settling::default();
        };
        let (agent, mut settling) = (data.agent(Vector::ZERO, frame), *settling);
        settling.note(&agent, to);
        let is_free = agent.velocity.length() >= SLOW * agent.max_speed && to.length() >= 2.0 * agent.radius;
        let beside = if is_free && !settling.in_crowd {
            Beside::default()
        } else {
            let its = |entity| all.get(entity).ok().map(|(.., settling)| settling);
            look_around(&agent, to, settling.in_crowd, avoid.groups, &neighbors, its)
        };
        after(settling, &agent, to.length(), &beside)
    }));
    for ((.., mut settling), decided) in agents.iter_mut().zip(&decided) {
        *settling.bypass_change_detection() = *decided;
    }
}

/// The relation of an agent to all agents next to it together.
fn look_around<'a>(
    agent: &Agent,
    to: Vector,
    in_crowd: bool,
    groups: GroupMask,
    neighbors: &Neighbors,
    its: impl Fn(Entity) -> Option<&'a Settling>,
) -> Beside {
    let margin = 1.0 + if in_crowd { STILL_BESIDE } else { BESIDE };
    let reach = (agent.radius + neighbors.largest_radius()) * margin;
    let mut all = Beside::default();
    neighbors.for_each_near(agent, reach, |other, way| {
        let gap = way.length() / (agent.radius + other.radius);
        if gap < margin && groups.considers(other.groups) {
            let one = beside(agent, to, other, way, its(other.entity));
            all.admits |= one.admits;
            all.has_taken |= one.has_taken;
            all.supports |= one.supports && gap < 1.0 + BESIDE;
        }
    });
    all
}

/// The state after this tick of an agent at this distance from its destination.
fn after(before: Settling, agent: &Agent, distance: f32, beside: &Beside) -> Settling {
    let out = Settling { in_crowd: false, takes_turns: false, is_settled: false, ..before };
    if !beside.admits {
        // After it has left the crowd, it tries again.
        return if before.in_crowd { Settling { nearest: distance, time: 0.0, ..out } } else { out };
    }
    let patience = PATIENCE * default_time_horizon(agent.max_speed, agent.max_force / agent.mass, agent.radius);
    let is_patient = before.time < patience;
    let in_middle = distance <= MIDDLE * agent.radius;
    let is_free = !beside.has_taken && distance > agent.radius;
    let takes_turns = !is_patient && in_middle && is_free && before.time < (1.0 + TURNS) * patience;
    // An agent that stands for long does not get nearer, whatever is in its way.
    let stands = before.time >= (1.0 + TURNS) * patience && agent.velocity.length() <= IDLE * agent.max_speed;
    let settles = !is_patient && !takes_turns && (in_middle || beside.supports || stands);
    Settling { in_crowd: true, takes_turns, is_settled: before.is_settled || settles, ..before }
}

/// Agents whose behaviors ask whether they have settled.
type Told<'w, 's> = Query<
    'w,
    's,
    (
        &'static Settling,
        &'static SteeringAgent,
        &'static mut Destination,
        Option<(&'static FollowPath, &'static mut PathProgress)>,
    ),
>;

/// Tells the behaviors which agents belong to a crowd, and which have settled.
pub(crate) fn tell(mut agents: Told, tick: TickParam) {
    for (settling, body, mut destination, path) in &mut agents {
        let destination = destination.bypass_change_detection();
        (destination.in_crowd, destination.is_settled) = (settling.in_crowd, settling.is_settled);
        if let (Some(place), Some((follow, mut progress))) =
            (settling.destination.filter(|_| settling.is_settled), path)
        {
            let space = tick.frame().space;
            follow.note_rest(progress.bypass_change_detection(), space, place, body.radius);
        }
    }
}

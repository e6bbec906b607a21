//! The systems with which agents close up at their destination and settle.

use alloc::vec::Vec;

use bevy::ecs::change_detection::ContiguousMut;
use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use crate::agent::view::{AgentData, TickFrame};
use crate::agent::{Agent, ExternalMovement, FollowsForce, GroupMask, MovedByForce};
use crate::behaviors::follow_path::{FollowPath, PathProgress, PathVisit};
use crate::constraints::avoid_neighbors::{AvoidNeighbors, default_time_horizon};
use crate::constraints::avoid_obstacles::AvoidObstacles;
use crate::constraints::crowds::Crowds;
use crate::constraints::gap::{Body, nearest_gap};
use crate::constraints::settling::{Beside, IDLE, NEARER, Settling, beside};
use crate::engine::destination::Destination;
use crate::math::{Vector, normalize};
use crate::perception::neighbors::{Neighbor, Neighbors, PARALLEL_PASS};
use crate::perception::obstacles::{ObstacleView, Obstacles};
use crate::tick::{TickParam, threads};

/// How long an agent tries to get nearer, as a share of the default time horizon.
const PATIENCE: f32 = 1.5;

/// The gap within which two agents are next to each other, as a share of the distance at which they touch.
const BESIDE: f32 = 0.15;

/// The same for members of the crowd.
const STILL_BESIDE: f32 = 0.6;

/// An agent that is slower than this share of its max speed may be held up by others.
const SLOW: f32 = 0.5;

/// The distance from the destination within which an agent may take turns with others, as a share of its radius. Half the distance between the
/// destinations is added.
const MIDDLE: f32 = 2.2;

/// How long agents take turns, as a share of their patience.
const TURNS: f32 = 4.0;

/// How often an agent that others hold up looks for a gap, as a share of its patience.
const LOOK: f32 = 0.25;

/// How far an agent looks for bodies beside a gap, as a share of the distance at which it touches the largest.
const AROUND: f32 = 2.5;

/// An agent has reached a gap at this distance from it, as a share of its radius.
const IN_GAP: f32 = 0.3;

/// A member starts to move along with its crowd if its place in the crowd is farther away than this multiple of its radius.
const OUT_OF_PLACE: f32 = 2.0;

/// It moves along until its place is nearer than this multiple of its radius.
const IN_PLACE: f32 = 0.7;

/// An agent that may settle.
#[derive(QueryData)]
#[query_data(contiguous(all))]
pub(crate) struct Settler {
    data: AgentData,
    destination: &'static Destination,
    path: Option<&'static FollowPath>,
    avoid: &'static AvoidNeighbors,
    walls: Option<&'static AvoidObstacles>,
}

type Settlers<'w, 's> = Query<'w, 's, (Settler, &'static mut Settling), FollowsForce>;

impl<'w, 's> SettlerContiguousItem<'w, 's> {
    #[inline(always)]
    fn row(&self, row: usize) -> SettlerItem<'w, 's> {
        SettlerItem {
            data: self.data.row(row),
            destination: &self.destination[row],
            path: self.path.map(|all| &all[row]),
            avoid: &self.avoid[row],
            walls: self.walls.map(|all| &all[row]),
        }
    }
}

impl SettlerItem<'_, '_> {
    /// The agent, the displacement to the place where it wants to stop, and its state with this place noted. `Err` is the final state of an
    /// agent that does not want to stop, or that neither thinks in this tick nor belongs to a crowd.
    #[inline(always)]
    fn noted(&self, before: &Settling, frame: TickFrame) -> Result<(Agent, Vector, Settling), Settling> {
        let is_thinking = self.data.is_thinking();
        if !is_thinking && !before.in_crowd {
            return Err(*before);
        }
        let (agent, mut settling) = (self.data.agent(Vector::ZERO, frame), *before);
        let known = || before.destination.map(|place| agent.to(place));
        let to = if is_thinking { self.destination.place_to_stop() } else { known() };
        let to = to.filter(|to| to.is_finite()).ok_or_else(Settling::default)?;
        if is_thinking {
            settling.note(&agent, to);
        }
        Ok((agent, to, settling))
    }

    /// The new state, if it does not depend on others.
    #[inline(always)]
    fn decide_alone(&self, before: &Settling, frame: TickFrame) -> Option<Settling> {
        let (agent, to, settling) = match self.noted(before, frame) {
            Ok(noted) => noted,
            Err(settling) => return Some(settling),
        };
        if !is_passing(&agent, to, settling.in_crowd) {
            return None;
        }
        let mut settling = after(settling, &agent, to.length(), &Beside::default());
        looks_for_gap(&mut settling, &agent, to.length());
        Some(settling)
    }
}

/// Decides which agents belong to a crowd, where its members go, and which settle.
pub(crate) fn settle(
    agents: Settlers,
    (neighbors, obstacles): (Res<Neighbors>, Res<Obstacles>),
    (mut decided, mut bodies, mut crowds): (Local<Vec<Option<Settling>>>, Local<Vec<Body>>, Local<Crowds>),
    tick: TickParam,
) {
    let frame = tick.frame();
    decide_alone(&agents, &mut decided, &tick);
    let all = agents.as_readonly();
    let its = |entity| all.get(entity).ok().map(|(_, settling)| settling);
    // All decide before the state of any changes.
    crowds.clear(neighbors.bodies().len());
    for ((settler, before), decided) in all.iter().zip(&mut *decided).filter(|(_, decided)| decided.is_none()) {
        let SettlerItem { data, avoid, walls, .. } = &settler;
        let Ok((agent, to, mut settling)) = settler.noted(before, frame) else { continue };
        let place = || neighbors.place_of(agent.entity);
        let unite = |other: &Neighbor| crowds.unite(place(), neighbors.place_of(other.entity));
        let beside = look_around(&agent, to, settling.in_crowd, avoid.groups, &neighbors, its, unite);
        if data.is_thinking() {
            settling = after(settling, &agent, to.length(), &beside);
        }
        if data.is_thinking() && looks_for_gap(&mut settling, &agent, to.length()) {
            let is_free = |gap: &Vector| free_way(&obstacles, &agent, *walls, *gap) >= gap.length();
            let gap = gap(&agent, to, avoid.groups, &neighbors, &mut bodies).filter(is_free);
            settling.gap = gap.map(|gap| agent.position + gap);
        }
        if settling.in_crowd {
            crowds.add(place(), to);
        }
        *decided = Some(settling);
    }
    if crowds.measure() {
        for ((settler, _), settling) in all.iter().zip(&mut *decided) {
            let Some(settling) = settling else { continue };
            let SettlerItem { data, destination, path, walls, .. } = settler;
            // An agent that must touch the points of its path does not leave one to make room.
            let stays = path.is_some_and(|path| path.visit == PathVisit::Every);
            let may_move = settling.in_crowd && data.is_thinking() && !stays;
            let to = destination.place_to_stop().filter(|_| may_move);
            let Some((to, place)) = to.zip(neighbors.place_of(data.entity)) else { continue };
            let agent = data.agent(Vector::ZERO, frame);
            let up_to_wall = |way: Vector| way.clamp_length_max(free_way(&obstacles, &agent, walls, way));
            let displacement = crowds.displacement(place, to).map(up_to_wall);
            move_along(settling, &agent, displacement, |way| sees(&obstacles, &agent, walls, way, to));
        }
    }
    write(agents, &mut decided, &tick);
}

/// Lists the new states of all agents that others do not matter to, and `None` for the rest.
fn decide_alone(agents: &Settlers, decided: &mut Vec<Option<Settling>>, tick: &TickParam) {
    let (agents, frame) = (agents.as_readonly(), tick.frame());
    decided.clear();
    decided.resize(agents.iter().len(), None);
    let Ok(tables) = agents.contiguous_iter() else {
        // Columns are not available if a component with which the app disables entities uses sparse storage.
        for ((settler, before), decided) in agents.iter().zip(decided) {
            *decided = settler.decide_alone(before, frame);
        }
        return;
    };
    let mut rest = &mut **decided;
    for (settlers, before) in tables {
        let decided = rest.split_off_mut(..before.len()).unwrap_or_default();
        let in_parallel = tick.threads.parallel(|| before.len(), PARALLEL_PASS);
        threads::divide(decided, in_parallel, |first, decided| {
            for (row, decided) in (first..).zip(decided) {
                *decided = settlers.row(row).decide_alone(&before[row], frame);
            }
        });
    }
}

/// Writes the states that agents have decided on.
fn write(mut agents: Settlers, mut decided: &mut [Option<Settling>], tick: &TickParam) {
    let Ok(tables) = agents.contiguous_iter_mut() else {
        for ((_, mut settling), decided) in agents.iter_mut().zip(decided) {
            let settling = settling.bypass_change_detection();
            *settling = decided.unwrap_or(*settling);
        }
        return;
    };
    for (_, settling) in tables {
        let (settling, _) = ContiguousMut::bypass_change_detection_split(settling);
        let decided = decided.split_off_mut(..settling.len()).unwrap_or_default();
        let in_parallel = tick.threads.parallel(|| settling.len(), PARALLEL_PASS);
        threads::divide((settling, decided), in_parallel, |_, (settling, decided)| {
            for (settling, decided) in settling.iter_mut().zip(decided) {
                *settling = decided.unwrap_or(*settling);
            }
        });
    }
}

/// The length of the part of a straight way on which the agent touches no static obstacle that it avoids, units.
fn free_way(obstacles: &Obstacles, agent: &Agent, walls: Option<&AvoidObstacles>, way: Vector) -> f32 {
    obstacles.free_way(agent.position, way, agent.radius, &view(agent, walls))
}

/// Whether the agent could see its destination, at the displacement `to`, from another place, at `from`. The destination may be inside a
/// small obstacle.
fn sees(obstacles: &Obstacles, agent: &Agent, walls: Option<&AvoidObstacles>, from: Vector, to: Vector) -> bool {
    let way = to - from;
    obstacles.free_way(agent.position + from, way, 0.0, &view(agent, walls)) >= way.length() - agent.radius
}

/// The obstacles that the agent avoids.
fn view(agent: &Agent, walls: Option<&AvoidObstacles>) -> ObstacleView {
    ObstacleView::of(agent, walls.map_or(GroupMask::NONE, |walls| walls.layers))
}

/// Whether an agent moves freely, so that agents next to it do not matter.
#[inline]
fn is_passing(agent: &Agent, to: Vector, in_crowd: bool) -> bool {
    !in_crowd && agent.velocity.length() >= SLOW * agent.max_speed && to.length() >= 2.0 * agent.radius
}

/// The relation of an agent to all agents next to it together. Calls `unite` with those that make it a member of their crowd.
#[inline]
fn look_around<'a>(
    agent: &Agent,
    to: Vector,
    in_crowd: bool,
    groups: GroupMask,
    neighbors: &Neighbors,
    its: impl Fn(Entity) -> Option<&'a Settling>,
    mut unite: impl FnMut(&Neighbor),
) -> Beside {
    let margin = 1.0 + if in_crowd { STILL_BESIDE } else { BESIDE };
    let reach = (agent.radius + neighbors.largest_radius()) * margin;
    let mut all = Beside::default();
    neighbors.for_each_near(agent, reach, |other, way| {
        let gap = way.length() / (agent.radius + other.radius);
        if gap < margin && groups.considers(other.groups) {
            let one = beside(agent, to, other, way, its(other.entity));
            if one.admits {
                all.admits = true;
                unite(other);
            }
            all.has_taken |= one.has_taken;
            all.holds |= one.holds && gap < 1.0 + BESIDE;
            all.supports |= one.supports && gap < 1.0 + BESIDE;
            all.apart = if one.admits { all.apart.max(one.apart) } else { all.apart };
        }
    });
    all
}

/// How long an agent tries to get nearer, seconds.
fn patience(agent: &Agent) -> f32 {
    PATIENCE * default_time_horizon(agent.max_speed, agent.max_force / agent.mass, agent.radius)
}

/// Whether an agent at this distance from its destination looks for a gap: others hold it up, or it has reached a gap.
fn looks_for_gap(settling: &mut Settling, agent: &Agent, distance: f32) -> bool {
    settling.looked += agent.tick;
    let patience = patience(agent);
    let is_due = match settling.gap.map(|gap| agent.to(gap).length()) {
        Some(left) => left <= IN_GAP * agent.radius || settling.looked > patience,
        None => settling.looked >= LOOK * patience && agent.velocity.length() <= IDLE * agent.max_speed,
    };
    if is_due {
        (settling.gap, settling.looked) = (None, 0.0);
    }
    let may_look =
        settling.in_crowd && !settling.takes_turns && !settling.moves_along && settling.time < (1.0 + TURNS) * patience;
    is_due && may_look && distance > MIDDLE * agent.radius
}

/// The displacement to a gap beside an agent, nearer to its destination.
fn gap(agent: &Agent, to: Vector, groups: GroupMask, neighbors: &Neighbors, bodies: &mut Vec<Body>) -> Option<Vector> {
    bodies.clear();
    neighbors.for_each_near(agent, AROUND * (agent.radius + neighbors.largest_radius()), |other, way| {
        if groups.considers(other.groups) {
            bodies.push(Body { way, touch: agent.radius + other.radius });
        }
    });
    nearest_gap(bodies, to, 1.0 + BESIDE, to.length() - NEARER * agent.radius)
}

/// The state after this tick of an agent at this distance from its destination.
fn after(before: Settling, agent: &Agent, distance: f32, beside: &Beside) -> Settling {
    let patience = patience(agent);
    // An agent that stands for long does not get nearer, whatever is in its way.
    let stands = before.time >= (1.0 + TURNS) * patience && agent.velocity.length() <= IDLE * agent.max_speed;
    if !beside.admits {
        let is_settled = stands && beside.holds && !before.in_crowd;
        let out = Settling { in_crowd: false, moves_along: false, takes_turns: false, is_settled, gap: None, ..before };
        // After it has left the crowd, it tries again.
        return if before.in_crowd { Settling { nearest: distance, time: 0.0, held_up: 0.0, ..out } } else { out };
    }
    let is_patient = before.time < patience;
    let in_middle = distance <= MIDDLE * agent.radius + 0.5 * beside.apart;
    let is_free = !beside.has_taken && distance > agent.radius;
    let takes_turns = !is_patient && in_middle && is_free && before.time < (1.0 + TURNS) * patience;
    let settles = !is_patient && !takes_turns && before.gap.is_none() && (in_middle || beside.supports || stands);
    let gap = before.gap.filter(|_| !takes_turns && !before.moves_along);
    Settling { in_crowd: true, takes_turns, is_settled: before.is_settled || settles, gap, ..before }
}

/// Sends a member to its place in the crowd, at this displacement, if it is far away. If something holds the member up for long, such as
/// others in front of an obstacle, it gives up until its place has moved away. It does not go where `is_open` says no.
fn move_along(
    settling: &mut Settling,
    agent: &Agent,
    displacement: Option<Vector>,
    is_open: impl FnOnce(Vector) -> bool,
) {
    let least = if settling.moves_along { IN_PLACE } else { OUT_OF_PLACE } * agent.radius;
    settling.moves_along = false;
    let Some(displacement) = displacement else { return };
    let (distance, patience) = (displacement.length(), patience(agent));
    let is_in_place = distance <= least;
    let is_farther = distance > settling.out_of_place + OUT_OF_PLACE * agent.radius;
    if is_in_place || settling.held_up > patience && is_farther {
        settling.held_up = 0.0;
    }
    if is_in_place || settling.held_up > patience || settling.still < patience || !is_open(displacement) {
        return;
    }
    let is_held_up = agent.velocity.dot(normalize(displacement)) <= IDLE * agent.max_speed;
    let held_up = if is_held_up { settling.held_up + agent.tick } else { 0.0 };
    let gap = Some(agent.position + displacement);
    *settling = Settling { moves_along: true, takes_turns: false, held_up, out_of_place: distance, gap, ..*settling };
}

/// Agents whose behaviors ask whether they have settled.
type Told<'w, 's> = Query<
    'w,
    's,
    (&'static Settling, AgentData, &'static mut Destination, Option<(&'static FollowPath, &'static mut PathProgress)>),
>;

/// Forgets the crowds of agents that something else has begun to move.
pub(crate) fn forget(mut agents: Query<&mut Settling, (With<ExternalMovement>, Without<MovedByForce>)>) {
    agents.iter_mut().for_each(|mut settling| *settling.bypass_change_detection() = Settling::default());
}

/// Tells the behaviors which agents belong to a crowd, and which have settled.
pub(crate) fn tell(mut agents: Told, tick: TickParam) {
    let frame = tick.frame();
    for (settling, data, mut destination, path) in &mut agents {
        let (agent, destination) = (|| data.agent(Vector::ZERO, frame), destination.bypass_change_detection());
        destination.gap = settling.gap.map(|gap| agent().to(gap));
        (destination.in_crowd, destination.is_settled) = (settling.is_there(), settling.is_settled);
        if let (Some(place), Some((follow, mut progress))) =
            (settling.destination.filter(|_| settling.is_settled()), path)
        {
            follow.note_rest(progress.bypass_change_detection(), frame.space, place, agent().radius);
        }
    }
}

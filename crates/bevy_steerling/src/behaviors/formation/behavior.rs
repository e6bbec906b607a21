//! The behavior of members, which keep their slots, and the constraint of the anchor, which waits for its members.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;
use fearless_simd::f32x8;
use fearless_simd::prelude::Simd;

use crate::agent::Agent;
use crate::behaviors::formation::keep::{Member, Report, force_to};
use crate::behaviors::formation::member::InFormation;
use crate::behaviors::formation::settings::Formation;
use crate::behaviors::formation::state::{FormationSlot, FormationState, Frame};
use crate::engine::approach::{Approach, Body, braking_speed};
use crate::engine::behavior::{Aim, SteeringBehavior};
use crate::engine::constraint::SteeringConstraint;
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::lanes::{LANES, VectorOf};
use crate::math::simd::{dispatch, level};
use crate::math::{Vector, normalize, truncate};
use crate::perception::obstacles::{ObstacleView, Obstacles};
use crate::perception::target::{Kinematics, Target};

/// The lowest speed of an anchor that waits, as a share of its max speed or that of the slowest member.
const WAITING: f32 = 0.25;

/// The share of its acceleration that an anchor uses to speed up.
const SPEEDING_UP: f32 = 0.25;

/// A vehicle aims this far ahead of its slot, in seconds of its motion.
const AHEAD: f32 = 1.0;

impl SteeringBehavior for InFormation {
    type State = FormationSlot;
    type Param = (Query<'static, 'static, (&'static Formation, &'static FormationState)>, Res<'static, Obstacles>);

    fn wish(&self, slot: &mut FormationSlot, agent: &Agent, param: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let (formations, obstacles) = param;
        let Some(lead) = self.lead(formations, slot) else { return Wish::Nothing };
        let member = Member::<f32>::gather((), |_| (agent, &*slot, lead.frame, lead.state.layout.pitch));
        let (place, velocity) = member.place();
        let to_place = agent.to(place.into());
        let Report { distance, late, pace } = member.report(to_place.into());
        slot.note(distance, late, pace);
        go_around(slot, agent, &lead, obstacles, to_place).unwrap_or_else(|| approach(agent, velocity.into(), to_place))
    }

    const EIGHT_AT_ONCE: bool = true;

    fn wishes(
        settings: &[Self; LANES],
        slots: &mut [FormationSlot; LANES],
        agents: &[Agent; LANES],
        param: &SystemParamItem<'_, '_, Self::Param>,
    ) -> [Wish; LANES] {
        dispatch!(level(), simd => keep_eight(simd, settings, slots, agents, param))
            .unwrap_or_else(|| core::array::from_fn(|lane| settings[lane].wish(&mut slots[lane], &agents[lane], param)))
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        [Some(Aim::at(Target::Entity(self.0))), None]
    }

    fn draw(
        &self,
        slot: &FormationSlot,
        agent: &Agent,
        (formations, _): &SystemParamItem<'_, '_, Self::Param>,
        figure: &mut Figure,
    ) {
        let Some(lead) = self.lead(formations, slot) else { return };
        let member = Member::<f32>::gather((), |_| (agent, slot, lead.frame, lead.state.layout.pitch));
        let place = agent.position + agent.to(member.place().0.into());
        figure.circle(place, agent.radius);
        figure.line(agent.position, place);
    }
}

impl SteeringConstraint for Formation {
    type State = FormationState;
    type Param = ();

    fn constrain(&self, state: &mut FormationState, agent: &Agent, _: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        // It speeds up gently, so that members ahead of it do not seem to be in its way.
        let faster = agent.velocity.length() + SPEEDING_UP * agent.max_force / agent.mass * agent.response_time;
        let fastest = if state.pace < f32::MAX { state.pace.min(faster) } else { f32::INFINITY };
        let fastest = fastest.max(WAITING * agent.max_speed.min(state.slowest));
        let wanted = agent.preferred_velocity();
        if wanted.length() <= fastest { agent.force } else { agent.force_to_reach(truncate(wanted, fastest)) }
    }

    fn draw(
        &self,
        state: &FormationState,
        agent: &Agent,
        _: &SystemParamItem<'_, '_, Self::Param>,
        figure: &mut Figure,
    ) {
        if let Some(frame) = state.frame {
            figure.line(agent.position, agent.position + frame.orientation.heading() * state.layout.pitch);
        }
        state.trail.iter().for_each(|place| figure.point(agent.position + agent.to(*place)));
    }
}

/// The formation of a member.
#[derive(Clone, Copy)]
struct Lead<'a> {
    formation: &'a Formation,
    state: &'a FormationState,
    frame: &'a Frame,
}

type Formations<'w, 's> = Query<'w, 's, (&'static Formation, &'static FormationState)>;

impl InFormation {
    /// The formation, if it has a slot for the agent.
    #[inline]
    fn lead<'a>(&self, formations: &'a Formations, slot: &FormationSlot) -> Option<Lead<'a>> {
        let (formation, state) = formations.get(self.0).ok()?;
        let frame = state.frame.as_ref().filter(|_| slot.is_around(self.0))?;
        Some(Lead { formation, state, frame })
    }
}

/// The wishes of eight members without body limits, in a world that does not wrap. `None` if one of them has no slot.
#[inline(always)]
fn keep_eight<S: Simd>(
    simd: S,
    settings: &[InFormation; LANES],
    slots: &mut [FormationSlot; LANES],
    agents: &[Agent; LANES],
    (formations, obstacles): &SystemParamItem<'_, '_, <InFormation as SteeringBehavior>::Param>,
) -> Option<[Wish; LANES]> {
    if agents[0].space.wraps() {
        return None;
    }
    let mut leads = [settings[0].lead(formations, &slots[0])?; LANES];
    for lane in 1..LANES {
        // Members of one formation are often next to each other.
        let is_same = settings[lane] == settings[lane - 1] && slots[lane].is_around(settings[lane].0);
        leads[lane] = if is_same { leads[lane - 1] } else { settings[lane].lead(formations, &slots[lane])? };
    }
    let each = |lane: usize| (&agents[lane], &slots[lane], leads[lane].frame, leads[lane].state.layout.pitch);
    let member = Member::<f32x8<S>>::gather(simd, each);
    let (place, velocity) = member.place();
    let to_place = place - VectorOf::gather(simd, |lane| agents[lane].position);
    let Report { distance, late, pace } = member.report(to_place);
    let forces = force_to(&member.body, velocity, to_place).to_array();
    let (velocity, to_place) = (velocity.to_array(), to_place.to_array());
    let mut wishes = [Wish::Nothing; LANES];
    for lane in 0..LANES {
        let (slot, agent) = (&mut slots[lane], &agents[lane]);
        slot.note(distance[lane], late[lane], pace[lane]);
        let around = go_around(slot, agent, &leads[lane], obstacles, to_place[lane]);
        let at_rest = velocity[lane] == Vector::ZERO;
        let ahead = if at_rest { Wish::arrive(to_place[lane]) } else { Wish::Force(forces[lane]) };
        wishes[lane] = around.unwrap_or(ahead);
    }
    Some(wishes)
}

/// The wish of a member whose way to its slot is blocked by a static obstacle, if the anchor's trail leads around it.
#[inline(always)]
fn go_around(
    slot: &FormationSlot,
    agent: &Agent,
    lead: &Lead,
    obstacles: &Obstacles,
    to_place: Vector,
) -> Option<Wish> {
    if slot.distance > agent.radius && is_blocked(agent, to_place, lead.formation, obstacles) {
        let place = on_trail(agent, slot, lead, obstacles)?;
        return Some(approach(agent, place.velocity, agent.to(place.position)));
    }
    None
}

/// The wish to reach a moving place.
fn approach(agent: &Agent, velocity: Vector, to_place: Vector) -> Wish {
    if velocity == Vector::ZERO {
        return Wish::arrive(to_place);
    }
    if agent.is_vehicle {
        return approach_as_vehicle(agent, velocity, to_place);
    }
    Wish::Force(force_to(&Body::<f32>::gather((), |_| agent), velocity.into(), to_place.into()).into())
}

/// Sends a vehicle to a point ahead of its place, at a higher or lower speed than that of the place.
fn approach_as_vehicle(agent: &Agent, velocity: Vector, to_place: Vector) -> Wish {
    let speed = velocity.length();
    let along = to_place.dot(velocity / speed.max(f32::MIN_POSITIVE));
    let change =
        braking_speed(along.abs(), agent.max_force / agent.mass, agent.tick).min(along.abs() / agent.response_time);
    let meeting = to_place.length() / (agent.max_speed + speed).max(f32::MIN_POSITIVE);
    let displacement = to_place + velocity * meeting.max(AHEAD);
    let speed = (speed + change.copysign(along)).max(0.0);
    Wish::Place { displacement, approach: Approach::AtSpeed { speed } }
}

/// Whether a static obstacle is in the way.
fn is_blocked(agent: &Agent, way: Vector, formation: &Formation, obstacles: &Obstacles) -> bool {
    let view = ObstacleView::of(agent, formation.layers);
    obstacles.free_way(agent.position, way, agent.radius, &view) < way.length()
}

/// The latest place on the anchor's trail that the agent can reach in a straight line, as far behind the anchor as the agent's slot. The
/// place moves along the trail as fast as the anchor.
fn on_trail(agent: &Agent, slot: &FormationSlot, lead: &Lead, obstacles: &Obstacles) -> Option<Kinematics> {
    let Lead { formation, state, frame } = *lead;
    let behind = (-slot.offset.x / state.layout.pitch.max(f32::MIN_POSITIVE)).max(0.0) as usize;
    let mut next = frame.position;
    for (number, place) in state.trail.iter().rev().enumerate() {
        if number >= behind && !is_blocked(agent, agent.to(*place), formation, obstacles) {
            // The velocity of the place must not take the agent off the straight line to it.
            let (ahead, way) = (normalize(agent.space.displacement(*place, next)), normalize(agent.to(*place)));
            let velocity = way * (frame.velocity.length() * ahead.dot(way).max(0.0));
            return Some(Kinematics { position: *place, velocity });
        }
        next = *place;
    }
    None
}

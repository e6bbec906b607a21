//! The behavior of members, which keep their slots, and the constraint of the anchor, which waits for them.

use bevy::ecs::system::SystemParamItem;
use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::Agent;
use crate::behaviors::formation::member::InFormation;
use crate::behaviors::formation::settings::Formation;
use crate::behaviors::formation::state::{FormationSlot, FormationState, Frame};
use crate::engine::approach::{Approach, braking_speed, braking_velocity};
use crate::engine::behavior::{Aim, SteeringBehavior};
use crate::engine::constraint::SteeringConstraint;
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::{Vector, normalize, truncate};
use crate::perception::obstacles::Obstacles;
use crate::perception::target::{Kinematics, Target};

/// For a member that is this many spacings behind its slot, the anchor waits.
const FAR_OFF: f32 = 4.0;

/// A member that is more than this share of the spacing off its slot is late.
const OFF: f32 = 0.25;

/// For a member that has been late for this time, the anchor waits, seconds.
const PATIENCE: f32 = 5.0;

/// The least speed of an anchor that waits, as a share of its max speed or that of the slowest member.
const WAITING: f32 = 0.25;

/// The share of its acceleration with which an anchor speeds up.
const SPEEDING_UP: f32 = 0.25;

/// The time constant with which a member that is close behind its slot catches up, seconds.
const CATCHING_UP: f32 = 0.5;

/// A vehicle aims this far ahead of its slot, in seconds of its motion.
const AHEAD: f32 = 1.0;

impl SteeringBehavior for InFormation {
    type State = FormationSlot;
    type Param = (Query<'static, 'static, (&'static Formation, &'static FormationState)>, Res<'static, Obstacles>);

    fn wish(&self, slot: &mut FormationSlot, agent: &Agent, param: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let (formations, obstacles) = param;
        let Ok((formation, state)) = formations.get(self.0) else { return Wish::Nothing };
        let Some(frame) = state.frame.filter(|_| slot.is_around(self.0)) else { return Wish::Nothing };
        let place = frame.place(slot.offset, agent.tick);
        let to_place = agent.to(place.position);
        report(slot, agent, &frame, to_place, state.layout.pitch);
        if slot.distance > agent.radius
            && is_blocked(agent, to_place, formation, obstacles)
            && let Some(place) = on_trail(agent, slot, state, &frame, formation, obstacles)
        {
            return approach(agent, &place, agent.to(place.position));
        }
        approach(agent, &place, to_place)
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
        let frame = formations.get(self.0).ok().and_then(|(_, state)| state.frame);
        let Some(frame) = frame.filter(|_| slot.is_around(self.0)) else { return };
        let place = agent.position + agent.to(frame.place(slot.offset, agent.tick).position);
        figure.circle(place, agent.radius);
        figure.line(agent.position, place);
    }
}

impl SteeringConstraint for Formation {
    type State = FormationState;
    type Param = ();

    fn constrain(&self, state: &mut FormationState, agent: &Agent, _: &SystemParamItem<'_, '_, Self::Param>) -> Vector {
        // It speeds up so gently that members ahead of it do not seem to be in its way.
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
            figure.line(agent.position, agent.position + frame.heading * state.layout.pitch);
        }
        state.trail.iter().for_each(|place| figure.point(agent.position + agent.to(*place)));
    }
}

/// Notes the distance of the member from its slot, and the highest speed of the anchor at which the member keeps up.
fn report(slot: &mut FormationSlot, agent: &Agent, frame: &Frame, to_place: Vector, pitch: f32) {
    slot.distance = to_place.length();
    let is_off = slot.distance > OFF * pitch;
    slot.late = (slot.late + if is_off { agent.tick } else { -agent.tick }).clamp(0.0, PATIENCE);
    // A member that is ahead of its slot need not keep up.
    let ahead = normalize(frame.velocity);
    let behind = to_place - ahead * to_place.dot(ahead).min(0.0);
    let share = 1.0 - behind.length() / (FAR_OFF * pitch).max(f32::MIN_POSITIVE);
    let wheeling = frame.turn.abs() / agent.tick * slot.offset.length();
    let pace = (agent.max_speed * share - wheeling) * (1.0 - slot.late / PATIENCE);
    // The anchor does not wait for a member without a finite position.
    slot.pace = if pace.is_nan() { f32::MAX } else { pace.max(0.0) };
}

/// The wish for a place that moves.
fn approach(agent: &Agent, place: &Kinematics, to_place: Vector) -> Wish {
    if place.velocity == Vector::ZERO {
        return Wish::arrive(to_place);
    }
    if agent.is_vehicle {
        return approach_as_vehicle(agent, place, to_place);
    }
    Wish::Force(agent.force_to_reach(velocity_to(agent, place, to_place)))
}

/// The velocity with which an agent goes to a place, as seen from the place, and stops there.
fn velocity_to(agent: &Agent, place: &Kinematics, to_place: Vector) -> Vector {
    let relative = Agent { velocity: agent.velocity - place.velocity, ..*agent };
    let closing = braking_velocity(&relative, to_place);
    let speed = place.velocity.length();
    if speed >= agent.max_speed {
        return truncate(place.velocity + closing, agent.max_speed);
    }
    // An agent that ran up to the one in front would be held up, and turn aside from its slot.
    let ahead = normalize(place.velocity);
    let catching_up = to_place.dot(ahead).max(0.0) / CATCHING_UP;
    let closing = closing - ahead * (closing.dot(ahead) - catching_up).max(0.0);
    let along = place.velocity.dot(normalize(to_place));
    let spare = (agent.max_speed - speed) * (agent.max_speed + speed);
    place.velocity + truncate(closing, ops::sqrt(along * along + spare) - along)
}

/// A vehicle goes to a point ahead of its place, faster or slower than the place.
fn approach_as_vehicle(agent: &Agent, place: &Kinematics, to_place: Vector) -> Wish {
    let speed = place.velocity.length();
    let along = to_place.dot(place.velocity / speed.max(f32::MIN_POSITIVE));
    let change =
        braking_speed(along.abs(), agent.max_force / agent.mass, agent.tick).min(along.abs() / agent.response_time);
    let meeting = to_place.length() / (agent.max_speed + speed).max(f32::MIN_POSITIVE);
    let displacement = to_place + place.velocity * meeting.max(AHEAD);
    let speed = (speed + change.copysign(along)).max(0.0);
    Wish::Place { displacement, approach: Approach::AtSpeed { speed } }
}

/// Whether an obstacle that stands still is in the way.
fn is_blocked(agent: &Agent, way: Vector, formation: &Formation, obstacles: &Obstacles) -> bool {
    obstacles.free_way(agent.position, way, agent.radius, &agent.space, formation.layers) < way.length()
}

/// The latest place on the trail of the anchor that the agent can go straight to, as far behind the anchor as its slot. It moves along the
/// trail as fast as the anchor.
fn on_trail(
    agent: &Agent,
    slot: &FormationSlot,
    state: &FormationState,
    frame: &Frame,
    formation: &Formation,
    obstacles: &Obstacles,
) -> Option<Kinematics> {
    let behind = (-slot.offset.x / state.layout.pitch.max(f32::MIN_POSITIVE)).max(0.0) as usize;
    let mut next = frame.position;
    for (number, place) in state.trail.iter().rev().enumerate() {
        if number >= behind && !is_blocked(agent, agent.to(*place), formation, obstacles) {
            // Its velocity must not lead the agent off the straight way to it.
            let (ahead, way) = (normalize(agent.space.displacement(*place, next)), normalize(agent.to(*place)));
            let velocity = way * (frame.velocity.length() * ahead.dot(way).max(0.0));
            return Some(Kinematics { position: *place, velocity });
        }
        next = *place;
    }
    None
}

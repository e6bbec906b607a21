//! The systems that assign slots to members.

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::SteeringId;
use crate::agent::view::AgentData;
use crate::behaviors::formation::assignment::{self, NONE, Scratch};
use crate::behaviors::formation::member::{FormationMembers, InFormation};
use crate::behaviors::formation::settings::Formation;
use crate::behaviors::formation::state::{FormationSlot, FormationState, Layout};
use crate::behaviors::leader::Leaders;
use crate::math::{Vector, finite_or_zero};
use crate::tick::TickParam;

/// The time between two decisions about the slots, seconds.
const REST: f32 = 0.25;

/// Slots are reassigned only if a member is more than this share of the spacing away from its own.
const OFF: f32 = 0.125;

/// The trail is longer than the formation by this number of spacings.
const MORE_TRAIL: usize = 32;

/// The longest trail, in spacings.
const LONGEST_TRAIL: usize = 512;

/// Computes the highest speed at which all members of each formation keep up.
pub(crate) fn gather_paces(members: Query<(&InFormation, &FormationSlot)>, mut formations: Query<&mut FormationState>) {
    formations.iter_mut().for_each(|mut state| state.bypass_change_detection().kept_up = f32::MAX);
    // Members of one formation are often next to each other.
    let mut gathered: Option<(Entity, f32)> = None;
    let mut lower = |(anchor, pace): (Entity, f32)| {
        if let Ok(mut state) = formations.get_mut(anchor) {
            let state = state.bypass_change_detection();
            state.kept_up = state.kept_up.min(pace);
        }
    };
    for (InFormation(anchor), slot) in &members {
        if !slot.is_around(*anchor) {
            continue;
        }
        gathered = match gathered {
            Some((same, pace)) if same == *anchor => Some((same, pace.min(slot.pace))),
            other => {
                other.into_iter().for_each(&mut lower);
                Some((*anchor, slot.pace))
            }
        };
    }
    gathered.into_iter().for_each(&mut lower);
}

/// The members, as the systems query them.
type Members<'w, 's> = Query<'w, 's, (AgentData, &'static mut FormationSlot)>;

/// Moves formations with their anchors, and assigns slots to their members.
pub(crate) fn arrange(
    mut formations: Query<(Entity, Ref<Formation>, &mut FormationState, Option<Ref<FormationMembers>>)>,
    mut members: Members,
    leaders: Leaders,
    tick: TickParam,
    mut muster: Local<Muster>,
) {
    for (anchor, formation, mut state, list) in &mut formations {
        let state = state.bypass_change_detection();
        state.change_pace(tick.length());
        let Some(leader) = leaders.find_entity(anchor, &state.seen(anchor)) else {
            state.frame = None;
            continue;
        };
        state.follow(&leader, formation.pattern.faces_about(), tick.length());
        state.rest -= tick.length();
        let is_due = state.rest <= 0.0;
        let may_differ =
            formation.is_changed() || list.as_ref().map_or(!state.holders.is_empty(), |list| list.is_changed());
        if is_due || may_differ {
            muster.call(anchor, list.as_deref(), state, &members, &tick);
            let pitch = formation.pitch(muster.largest_radius.max(leader.radius));
            let is_same = state.layout.pitch == pitch && state.layout.pattern == formation.pattern;
            if !is_same || muster.is_new() {
                state.layout = Layout { pattern: formation.pattern.clone(), pitch };
                muster.fall_in(anchor, state, &mut members);
            } else if is_due {
                muster.decide_again(anchor, state, &mut members);
            }
        }
        let depth = if state.layout.pitch > 0.0 { state.reach / state.layout.pitch } else { 0.0 };
        state.leave_trail(&tick.space(), (depth as usize).saturating_add(MORE_TRAIL).min(LONGEST_TRAIL));
    }
}

/// A formation whose slots are being assigned. The lists keep their capacity.
#[derive(Default)]
pub(crate) struct Muster {
    /// The members in the order of their ids, each with its place and slot.
    present: Vec<(SteeringId, Entity, Vector, u32)>,
    /// Their places in the frame of the formation.
    places: Vec<Vector>,
    /// The slots that the members have, and the slots that they get.
    now: Vec<u32>,
    chosen: Vec<u32>,
    slots: Vec<Vector>,
    scratch: Scratch,
    /// The number of slots whose holder has left.
    left: usize,
    largest_radius: f32,
}

impl Muster {
    /// Collects the members that are present.
    fn call(
        &mut self,
        anchor: Entity,
        list: Option<&FormationMembers>,
        state: &mut FormationState,
        members: &Members,
        tick: &TickParam,
    ) {
        let Some(frame) = state.frame else { return };
        self.present.clear();
        (self.largest_radius, state.slowest) = (0.0, f32::MAX);
        for member in list.into_iter().flat_map(FormationMembers::iter) {
            let Ok((data, slot)) = members.get(member) else { continue };
            let agent = data.agent(Vector::ZERO, tick.frame());
            self.largest_radius = self.largest_radius.max(agent.radius);
            state.slowest = state.slowest.min(agent.max_speed);
            let place = finite_or_zero(frame.orientation.to_local(-agent.to(frame.position)));
            let holds = slot.is_around(anchor) && state.holders.get(slot.index as usize) == Some(&member);
            self.present.push((agent.id, member, place, if holds { slot.index } else { NONE }));
        }
        self.present.sort_unstable_by_key(|(id, member, ..)| (*id, *member));
        self.places.clear();
        self.places.extend(self.present.iter().map(|(_, _, place, _)| *place));
        self.now.clear();
        self.now.extend(self.present.iter().map(|(.., slot)| *slot));
        self.left = state.holders.len() - self.now.iter().filter(|slot| **slot != NONE).count();
    }

    /// Whether members have joined or left.
    fn is_new(&self) -> bool {
        self.left > 0 || self.now.contains(&NONE)
    }

    /// Assigns a slot of a new layout to each member.
    fn fall_in(&mut self, anchor: Entity, state: &mut FormationState, members: &mut Members) {
        let count = self.present.len();
        state.layout.pattern.lay_out(count, state.layout.pitch, &mut self.slots);
        state.reach = self.slots.iter().map(|slot| slot.length()).fold(0.0, f32::max);
        for slot in &mut self.now {
            *slot = if (*slot as usize) < count { *slot } else { NONE };
        }
        self.assign(anchor, state, members);
        // Formations that were created together reassign their slots in different ticks.
        let turn = self.present.first().map_or(0, |(id, ..)| id.get() % 16);
        state.rest = REST * (1.0 + turn as f32 / 16.0);
    }

    /// Lets members trade slots if one of them is far from its own.
    fn decide_again(&mut self, anchor: Entity, state: &mut FormationState, members: &mut Members) {
        state.rest = REST;
        state.layout.pattern.lay_out(self.present.len(), state.layout.pitch, &mut self.slots);
        let off =
            |(place, slot): (&Vector, &u32)| place.distance(self.slots[*slot as usize]) > OFF * state.layout.pitch;
        if self.places.iter().zip(&self.now).any(off) {
            self.assign(anchor, state, members);
        }
    }

    fn assign(&mut self, anchor: Entity, state: &mut FormationState, members: &mut Members) {
        assignment::assign(&self.places, &self.slots, &self.now, &mut self.chosen, &mut self.scratch);
        state.holders.clear();
        state.holders.resize(self.present.len(), Entity::PLACEHOLDER);
        for ((_, member, ..), index) in self.present.iter().zip(&self.chosen) {
            state.holders[*index as usize] = *member;
            if let Ok((_, mut slot)) = members.get_mut(*member) {
                let slot = slot.bypass_change_detection();
                slot.hold(anchor, *index, self.slots[*index as usize]);
            }
        }
    }
}

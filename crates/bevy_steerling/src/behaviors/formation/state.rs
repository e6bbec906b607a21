//! The state of formations and of their members.

use core::f32::consts::PI;

use bevy::ecs::component::component_clone_ignore;
use bevy::prelude::*;

use crate::agent::list::List;
use crate::behaviors::formation::layout::Pattern;
use crate::behaviors::leader::{Leader, LeaderHeading};
use crate::math::Vector;
use crate::math::orientation::Orientation;
use crate::math::space::Space;
use crate::perception::target::Kinematics;

/// The state of a [`Formation`](crate::behaviors::formation::Formation). Updated every tick. Cloned entities start with a new state.
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct FormationState {
    /// The members in the order of their slots.
    #[entities]
    pub(super) holders: List<Entity>,
    /// The layout of the current slots.
    pub(super) layout: Layout,
    /// The distance of the farthest slot from the anchor, units.
    pub(super) reach: f32,
    /// The max speed of the slowest member, units/s.
    pub(super) slowest: f32,
    /// The time until the slots are reassigned, seconds.
    pub(super) rest: f32,
    /// The last heading of the anchor.
    pub(super) anchor_heading: Option<Vector>,
    /// The frame of the formation in this tick; `None` if the anchor has no position.
    pub(super) frame: Option<Frame>,
    /// The highest speed of the anchor at which all members kept up in the last tick, units/s; `f32::MAX` if there is no limit, because
    /// JSON has no infinity.
    pub(super) kept_up: f32,
    /// The same, smoothed.
    pub(super) pace: f32,
    /// The last places of the anchor, in the order of time.
    pub(super) trail: List<Vector>,
}

impl Default for FormationState {
    fn default() -> Self {
        Self {
            holders: List::default(),
            layout: Layout::default(),
            reach: 0.0,
            slowest: 0.0,
            rest: 0.0,
            anchor_heading: None,
            frame: None,
            kept_up: f32::MAX,
            pace: f32::MAX,
            trail: List::default(),
        }
    }
}

/// The largest share of the slowest member's max speed that is used for wheeling around the anchor.
const WHEELING: f32 = 0.5;

/// The speed of the farthest slot while the formation wheels, as a share of that max speed per remaining radian.
const PER_RADIAN: f32 = 2.0;

/// The time constant with which the pace changes, seconds.
const SMOOTHING: f32 = 0.25;

impl FormationState {
    /// The direction in which the formation faces, a unit vector; `None` before the first tick.
    pub fn heading(&self) -> Option<Vector> {
        self.frame.map(|frame| frame.orientation.heading())
    }

    /// The highest speed of the anchor at which all members keep up, units/s; `f32::MAX` without members. If the anchor is an agent,
    /// steering limits its speed to this. A game that moves the anchor itself should do the same.
    pub fn pace(&self) -> f32 {
        self.pace
    }

    /// The members in the order of their slots.
    pub fn holders(&self) -> &[Entity] {
        &self.holders
    }

    /// The state for a new anchor that takes the place of the old one.
    pub(super) fn handed_over(&self) -> Self {
        Self { frame: self.frame, anchor_heading: self.heading(), trail: self.trail.clone(), ..Self::default() }
    }

    /// The heading of the anchor in the last tick.
    pub(super) fn seen(&self, anchor: Entity) -> LeaderHeading {
        LeaderHeading::new(anchor, self.anchor_heading)
    }

    /// Moves the frame to the anchor. It turns no faster than the members can follow.
    pub(super) fn follow(&mut self, leader: &Leader, faces_about: bool, tick: f32) {
        self.anchor_heading = leader.seen.heading();
        let next = self.frame.map(|frame| frame.next_orientation.normalized());
        let mut orientation = next.unwrap_or_else(|| Orientation::along(leader.heading));
        if faces_about && orientation.heading().dot(leader.heading) < 0.0 {
            orientation = orientation.reversed();
            // Each slot is now on the other side, so members trade slots at once.
            self.rest = 0.0;
        }
        let rate = (self.slowest / self.reach.max(f32::MIN_POSITIVE) * tick).min(PI);
        let most = (WHEELING * rate).max(0.0);
        let step = |left: f32| (left * (PER_RADIAN * rate).min(1.0)).clamp(-most, most);
        let (next_orientation, turn) = orientation.turned_toward(leader.heading, step);
        let Kinematics { position, velocity } = leader.kinematics;
        self.frame = Some(Frame { position, velocity, orientation, turn, next_orientation, tick });
    }

    /// Adjusts the pace to what the members need.
    pub(super) fn change_pace(&mut self, tick: f32) {
        let is_known = self.pace < f32::MAX && self.kept_up < f32::MAX;
        let change = (self.kept_up - self.pace) * (tick / (tick + SMOOTHING));
        self.pace = if is_known { self.pace + change } else { self.kept_up };
    }

    /// Adds the place of the anchor to the trail.
    pub(super) fn leave_trail(&mut self, space: &Space, longest: usize) {
        let Some(Frame { position, .. }) = self.frame else { return };
        let is_far = |last: &Vector| space.displacement(*last, position).length() >= self.layout.pitch;
        if self.layout.pitch > 0.0 && self.trail.last().is_none_or(is_far) {
            let surplus = (self.trail.len() + 1).saturating_sub(longest);
            self.trail.drain(..surplus);
            self.trail.push(position);
        }
    }
}

/// The settings that determine the slots of a formation.
#[derive(Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Layout {
    pub pattern: Pattern,
    /// The distance between neighbors, units.
    pub pitch: f32,
}

/// The place, the orientation and the motion of a formation in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Frame {
    pub position: Vector,
    pub velocity: Vector,
    pub orientation: Orientation,
    /// The angle by which it turns in this tick, radians.
    pub turn: f32,
    /// The orientation after the tick.
    pub next_orientation: Orientation,
    /// The length of this tick, seconds.
    pub tick: f32,
}

/// The slot of an agent with [`InFormation`](crate::behaviors::formation::InFormation). Updated every tick. Cloned entities start with a
/// new state.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct FormationSlot {
    /// The anchor of the formation.
    #[entities]
    pub(super) anchor: Option<Entity>,
    pub(super) index: u32,
    pub(super) offset: Vector,
    pub(super) distance: f32,
    /// The time for which the agent has been away from its slot, seconds.
    pub(super) late: f32,
    /// The highest speed of the anchor at which this member keeps up, units/s.
    pub(super) pace: f32,
}

impl Default for FormationSlot {
    fn default() -> Self {
        Self { anchor: None, index: 0, offset: Vector::ZERO, distance: 0.0, late: 0.0, pace: f32::MAX }
    }
}

impl FormationSlot {
    /// The number of the slot; `None` before the agent gets one. Low numbers are nearest to the anchor.
    pub fn index(&self) -> Option<usize> {
        self.anchor.map(|_| self.index as usize)
    }

    /// The offset of the slot from the anchor: ahead of it, to its left and, in three dimensions, above it, units.
    pub fn offset(&self) -> Vector {
        self.offset
    }

    /// The distance of the agent from its slot at the start of the last tick, units.
    pub fn distance(&self) -> f32 {
        self.distance
    }

    pub(super) fn hold(&mut self, anchor: Entity, index: u32, offset: Vector) {
        let late = if self.is_around(anchor) { self.late } else { 0.0 };
        *self = Self { anchor: Some(anchor), index, offset, late, ..*self };
    }

    /// Records the distance from the slot, the time for which the agent has been away from it, and the highest anchor speed at which it
    /// keeps up.
    #[inline(always)]
    pub(super) fn note(&mut self, distance: f32, late: f32, pace: f32) {
        // The anchor does not wait for a member without a finite position.
        let pace = if pace.is_nan() { f32::MAX } else { pace.max(0.0) };
        *self = Self { distance, late, pace, ..*self };
    }

    /// Whether the agent holds a slot around `anchor`.
    pub(super) fn is_around(&self, anchor: Entity) -> bool {
        self.anchor == Some(anchor)
    }
}

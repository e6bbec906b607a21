//! How members keep their slots, for one agent or for eight.

use crate::agent::Agent;
use crate::behaviors::formation::state::{FormationSlot, Frame};
use crate::engine::approach::Body;
use crate::math::lanes::{Lanes, VectorOf};
use crate::math::orientation::OrientationOf;

/// The anchor waits for a member that is this many spacings behind its slot.
const FAR_OFF: f32 = 4.0;

/// A member that is more than this share of the spacing off its slot is late.
const OFF: f32 = 0.25;

/// The anchor waits for a member that has been late for this time, seconds.
const PATIENCE: f32 = 5.0;

/// The time constant with which a member that is close behind its slot catches up, seconds.
const CATCHING_UP: f32 = 0.5;

/// A member of a formation, or eight.
pub(super) struct Member<L> {
    pub body: Body<L>,
    /// The offset of the member's slot, and the time for which the member has been away from it.
    slot: VectorOf<L>,
    late: L,
    /// The frame of the formation.
    anchor: VectorOf<L>,
    velocity: VectorOf<L>,
    orientation: OrientationOf<L>,
    next_orientation: OrientationOf<L>,
    turn: L,
    /// The time in which the frame turns to the next orientation, seconds.
    tick: L,
    /// The distance between neighbors, units.
    pitch: L,
}

/// The values of [`FormationSlot`] that are measured each tick.
pub(super) struct Report<L> {
    pub distance: L,
    pub late: L,
    pub pace: L,
}

impl<L: Lanes> Member<L> {
    /// Gathers members, each with the frame and the pitch of its formation.
    #[inline(always)]
    pub fn gather<'a>(simd: L::Simd, each: impl Fn(usize) -> (&'a Agent, &'a FormationSlot, &'a Frame, f32)) -> Self {
        Self {
            body: Body::gather(simd, |lane| each(lane).0),
            slot: VectorOf::gather(simd, |lane| each(lane).1.offset),
            late: L::gather(simd, |lane| each(lane).1.late),
            anchor: VectorOf::gather(simd, |lane| each(lane).2.position),
            velocity: VectorOf::gather(simd, |lane| each(lane).2.velocity),
            orientation: OrientationOf::gather(simd, |lane| each(lane).2.orientation),
            next_orientation: OrientationOf::gather(simd, |lane| each(lane).2.next_orientation),
            turn: L::gather(simd, |lane| each(lane).2.turn),
            tick: L::gather(simd, |lane| each(lane).2.tick.max(f32::MIN_POSITIVE)),
            pitch: L::gather(simd, |lane| each(lane).3),
        }
    }

    /// The place of the slot, and the velocity that takes it to its place after the tick.
    #[inline(always)]
    pub fn place(&self) -> (VectorOf<L>, VectorOf<L>) {
        let place = self.orientation.to_world(self.slot);
        let wheeling = (self.next_orientation.to_world(self.slot) - place) / self.tick;
        (self.anchor + place, self.velocity + wheeling)
    }

    /// The distance of the member from its slot, and the highest anchor speed at which the member keeps up.
    #[inline(always)]
    pub fn report(&self, to_place: VectorOf<L>) -> Report<L> {
        let tick = self.body.tick;
        let (zero, one) = (tick.splat(0.0), tick.splat(1.0));
        let distance = to_place.length();
        let is_off = distance.simd_gt(tick.splat(OFF) * self.pitch);
        let late = (self.late + L::select(is_off, tick, -tick)).clamp(zero, tick.splat(PATIENCE));
        // A member ahead of its slot need not keep up.
        let ahead = self.velocity.unit();
        let behind = to_place - ahead * to_place.dot(ahead).fast_min(zero);
        let far = (tick.splat(FAR_OFF) * self.pitch).fast_max(tick.splat(f32::MIN_POSITIVE));
        let share = one - behind.length() / far;
        let wheeling = self.turn.abs() / self.tick * self.slot.length();
        let pace = (self.body.max_speed * share - wheeling) * (one - late / tick.splat(PATIENCE));
        Report { distance, late, pace }
    }
}

/// The force with which an agent moves to a moving place and stops relative to it.
#[inline(always)]
pub(super) fn force_to<L: Lanes>(body: &Body<L>, velocity: VectorOf<L>, to_place: VectorOf<L>) -> VectorOf<L> {
    let zero = body.tick.splat(0.0);
    let relative = Body { velocity: body.velocity - velocity, ..*body };
    let closing = relative.braking_velocity(to_place);
    let (ahead, speed) = velocity.unit_and_length();
    let at_most = (velocity + closing).shortened(body.max_speed);
    // An agent that ran up to the one in front would be held up and turn away from its slot.
    let catching_up = to_place.dot(ahead).fast_max(zero) / zero.splat(CATCHING_UP);
    let closing = closing - ahead * (closing.dot(ahead) - catching_up).fast_max(zero);
    let along = velocity.dot(to_place.unit());
    let spare = (body.max_speed - speed) * (body.max_speed + speed);
    let moved = velocity + closing.shortened((along * along + spare).sqrt() - along);
    let wanted = VectorOf::select(speed.simd_ge(body.max_speed), at_most, moved);
    (wanted - body.velocity) * (body.mass / body.response_time)
}

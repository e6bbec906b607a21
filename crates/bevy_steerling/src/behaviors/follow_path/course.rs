//! The course of a plan, for one agent or for eight: where it leads, and the highest speed at each point.

use crate::behaviors::follow_path::plan::{BRAKING_IN_CORNERS, Corner, Plan};
use crate::math::lanes::{Lanes, VectorOf};

/// The numbers of a [`Plan`] that an agent needs in each tick.
pub(super) struct Course<L> {
    start: VectorOf<L>,
    direction: VectorOf<L>,
    length: L,
    behind: Bend<L>,
    ahead: Bend<L>,
    exit: L,
    pub radius: L,
    pub acceleration: L,
    braking: L,
    pub max_speed: L,
}

/// A [`Corner`].
struct Bend<L> {
    reach: L,
    speed_squared: L,
    direction: VectorOf<L>,
}

impl<L: Lanes> Bend<L> {
    #[inline(always)]
    fn gather<'a>(simd: L::Simd, corner: impl Fn(usize) -> &'a Corner) -> Self {
        Self {
            reach: L::gather(simd, |lane| corner(lane).reach),
            speed_squared: L::gather(simd, |lane| corner(lane).speed_squared),
            direction: VectorOf::gather(simd, |lane| corner(lane).direction),
        }
    }
}

impl Course<f32> {
    /// The course of one agent.
    pub fn of(plan: &Plan) -> Self {
        Self::gather((), |_| plan)
    }
}

impl<L: Lanes> Course<L> {
    #[inline(always)]
    pub fn gather<'a>(simd: L::Simd, plan: impl Fn(usize) -> &'a Plan) -> Self {
        Self {
            start: VectorOf::gather(simd, |lane| plan(lane).start),
            direction: VectorOf::gather(simd, |lane| plan(lane).direction),
            length: L::gather(simd, |lane| plan(lane).length),
            behind: Bend::gather(simd, |lane| &plan(lane).behind),
            ahead: Bend::gather(simd, |lane| &plan(lane).ahead),
            exit: L::gather(simd, |lane| plan(lane).exit),
            radius: L::gather(simd, |lane| plan(lane).ability.radius),
            acceleration: L::gather(simd, |lane| plan(lane).ability.acceleration),
            braking: L::gather(simd, |lane| plan(lane).ability.braking),
            max_speed: L::gather(simd, |lane| plan(lane).ability.max_speed),
        }
    }

    /// The place and the direction at a distance along the leg. In a corner, the direction is shorter than 1: it is the agent's
    /// displacement per unit of progress.
    #[inline(always)]
    pub fn at(&self, along: L) -> (VectorOf<L>, VectorOf<L>) {
        let (zero, half, one) = (along.splat(0.0), along.splat(0.5), along.splat(1.0));
        let before_end = along - (self.length - self.ahead.reach);
        let behind = along.simd_lt(self.behind.reach);
        let ahead = !behind & before_end.simd_gt(zero) & self.ahead.reach.simd_gt(zero);
        let reach = L::select(behind, self.behind.reach, self.ahead.reach);
        let other = VectorOf::select(behind, self.behind.direction, self.ahead.direction);

        let way = half * L::select(behind, along, before_end) / reach;
        let share = L::select(behind, (half + way).fast_max(zero), way.fast_min(one));
        let rest = one - share;
        let (shared, rested) = (reach * share * share, reach * rest * rest);
        let own = L::select(behind, shared, L::select(ahead, self.length - rested, along));
        let aside = L::select(behind, -rested, shared).masked(behind | ahead);
        let place = self.start + self.direction * own + other * aside;

        let turned = self.direction * L::select(behind, share, rest) + other * L::select(behind, rest, share);
        (place, VectorOf::select(behind | ahead, turned, self.direction))
    }

    /// The agent's displacement per unit of progress over the next part of its way, which starts where the course is [`at`](Self::at).
    #[inline(always)]
    pub fn pace(&self, along: L, at: (VectorOf<L>, VectorOf<L>), way: L) -> VectorOf<L> {
        let (place, direction) = at;
        let moved = (self.at(along + way).0 - place) / way;
        VectorOf::select(way.simd_gt(way.splat(1e-6) * self.length), moved, direction)
    }

    /// The smallest progress that the plan covers.
    #[inline(always)]
    pub fn least(&self) -> L {
        -self.behind.reach
    }

    /// The remaining distance that the plan covers.
    #[inline(always)]
    pub fn left(&self, along: L) -> L {
        self.length + self.ahead.reach - along
    }

    /// The square of the highest speed at a distance along the leg, and the planned deceleration there.
    #[inline(always)]
    pub fn speed_squared(&self, along: L) -> (L, L) {
        let (zero, two) = (along.splat(0.0), along.splat(2.0));
        let in_corner = along.splat(BRAKING_IN_CORNERS) * self.braking;
        let to_corner = self.length - self.ahead.reach - along;
        let behind = along.simd_lt(self.behind.reach);
        let straight = (self.length - self.ahead.reach - self.behind.reach).fast_max(zero);
        let later = two * (self.braking * straight + in_corner * (self.behind.reach - along));
        let from_exit = two * in_corner * (two * self.ahead.reach + to_corner);
        let limit = L::select(behind, self.ahead.speed_squared + later, self.exit + from_exit);
        let most = L::select(behind, self.behind.speed_squared, self.ahead.speed_squared);
        let is_less = limit.simd_lt(most);
        let is_straight = !behind & to_corner.simd_gt(zero);
        (
            L::select(
                is_straight,
                self.ahead.speed_squared + two * self.braking * to_corner,
                L::select(is_less, limit, most),
            ),
            L::select(is_straight, self.braking, in_corner.masked(is_less)),
        )
    }

    /// The change of progress for an agent at the displacement `off` before the place on its course, with `direction` the direction there.
    #[inline(always)]
    pub fn change(off: VectorOf<L>, direction: VectorOf<L>, most: L) -> L {
        let change = -off.dot(direction) / direction.dot(direction).fast_max(most.splat(f32::MIN_POSITIVE));
        change.clamp(-most, most)
    }
}

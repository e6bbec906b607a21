//! The behavior of agents on a path.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;
use fearless_simd::f32x8;
use fearless_simd::prelude::{Simd, SimdMask};

use crate::agent::{Agent, BodyLimits};
use crate::behaviors::follow_path::course::Course;
use crate::behaviors::follow_path::drive::{self, Driver};
use crate::behaviors::follow_path::plan::{Ability, Basis};
use crate::behaviors::follow_path::progress::{PathProgress, is_near};
use crate::behaviors::follow_path::route::{PathVisit, Route};
use crate::behaviors::follow_path::settings::FollowPath;
use crate::engine::behavior::SteeringBehavior;
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::Vector;
use crate::math::lanes::{LANES, Lanes, VectorOf, bits, each_lane};
use crate::math::simd::{dispatch, level};
use crate::math::space::Space;

impl FollowPath {
    fn route(&self, space: Space) -> Route<'_> {
        Route::new(&self.path, self.end, space)
    }

    /// The index of the point that has this number on the route.
    pub(crate) fn waypoint(&self, number: u32) -> usize {
        self.route(Space::default()).index(number) as usize
    }

    /// Records that the agent has come to rest as near to the end of its path as others allow, if it wants to stop within `near` of
    /// `place`.
    pub(crate) fn note_rest(&self, progress: &mut PathProgress, space: Space, place: Vector, near: f32) {
        let route = self.route(space);
        let is_on_last_leg = route.is_last(progress.to) && progress.is_on(self.fingerprint());
        let is_at_end = if route.is_place() { !self.path.points().is_empty() } else { is_on_last_leg };
        if is_at_end && space.displacement(place, route.point(progress.to)).length() <= near {
            progress.finish();
        }
    }

    pub(super) fn steer(&self, progress: &mut PathProgress, agent: &Agent, limits: Option<&BodyLimits>) -> Wish {
        let route = self.route(agent.space);
        if let Some(wish) = self.set_out(progress, &route, agent, limits) {
            return wish;
        }
        progress.advance(self.visit, &route, agent);
        match (self.approach(progress, &route, agent, limits), limits) {
            (Next::Arrive(to), _) => Wish::arrive(to),
            (Next::Drive { .. }, Some(limits)) => drive::vehicle_wish(progress, &route, agent, limits),
            (next, None) => {
                let course = Course::of(&progress.plan);
                let force =
                    Driver::gather((), |_| (progress, agent)).force(&course, |place| agent.to(place.into()).into());
                next.wish(force.into())
            }
        }
    }

    /// Makes a plan if there is none. Returns the wish of an agent that has no way to follow.
    #[inline(always)]
    fn set_out(
        &self,
        progress: &mut PathProgress,
        route: &Route,
        agent: &Agent,
        limits: Option<&BodyLimits>,
    ) -> Option<Wish> {
        if !is_finite::<f32>(agent.position.into(), agent.velocity.into()) || self.path.points().is_empty() {
            return Some(Wish::Nothing);
        }
        if route.is_place() {
            let to_end = agent.to(route.point(0));
            progress.note_end(agent, to_end);
            return Some(Wish::arrive(to_end));
        }
        if !self.is_planned(progress, agent, limits) {
            let ability = Ability::new(self.radius, self.visit, agent, limits);
            progress.plan_on(self.fingerprint(), self.visit, route, agent, ability);
        }
        None
    }

    /// Whether the agent has a plan that is up to date. Without a way to follow, it has none.
    #[inline(always)]
    fn is_planned(&self, progress: &PathProgress, agent: &Agent, limits: Option<&BodyLimits>) -> bool {
        let basis = Basis::new(self.radius, self.visit, agent, limits);
        progress.is_planned(self.fingerprint(), &basis)
    }

    /// Decides whether the agent follows its plan. It leaves the plan at a point that it must touch, and at the end of the path.
    #[inline(always)]
    fn approach(&self, progress: &mut PathProgress, route: &Route, agent: &Agent, limits: Option<&BodyLimits>) -> Next {
        if progress.is_at_untouched_point(self.visit) {
            return Next::Arrive(agent.to(route.point(progress.to)));
        }
        if !route.is_last(progress.to) {
            return Next::Drive { end: None };
        }
        let to_end = agent.to(route.point(progress.to));
        progress.note_end(agent, to_end);
        let is_vehicle = limits.is_some() && progress.along >= progress.plan.behind.reach;
        progress.arrives = is_vehicle || drive::may_arrive(progress, agent, to_end);
        if progress.arrives { Next::Arrive(to_end) } else { Next::Drive { end: Some(to_end) } }
    }

    /// [`steer`](Self::steer) for eight agents without body limits, in a world that does not wrap. `None` if one of them has no way to
    /// follow.
    #[inline(always)]
    fn steer_eight<S: Simd>(
        simd: S,
        settings: &[Self; LANES],
        states: &mut [PathProgress; LANES],
        agents: &[Agent; LANES],
    ) -> Option<[Wish; LANES]> {
        let routes = each_lane(
            #[inline(always)]
            |lane| settings[lane].route(Space::default()),
        );
        let position = VectorOf::<f32x8<S>>::gather(simd, |lane| agents[lane].position);
        let velocity = VectorOf::gather(simd, |lane| agents[lane].velocity);
        if !(0..LANES).all(|lane| settings[lane].is_planned(&states[lane], &agents[lane], None))
            || !is_finite(position, velocity).all_true()
        {
            for lane in 0..LANES {
                let (state, route, agent) = (&mut states[lane], &routes[lane], &agents[lane]);
                if settings[lane].set_out(state, route, agent, None).is_some() {
                    return None;
                }
            }
        }
        let mut course = Course::gather(simd, |lane| &states[lane].plan);
        let (next, is_new) = Self::advance_eight(&course, position, settings, states, agents, &routes);
        if is_new {
            course = Course::gather(simd, |lane| &states[lane].plan);
        }
        let driver = Driver::gather(simd, |lane| (&states[lane], &agents[lane]));
        let forces = driver
            .force(
                &course,
                #[inline(always)]
                |place| place - position,
            )
            .to_array();
        let mut wishes = [Wish::Nothing; LANES];
        for lane in 0..LANES {
            wishes[lane] = next[lane].wish(forces[lane]);
        }
        Some(wishes)
    }

    /// Moves the progress of eight agents to where they are now. Returns their next moves, and whether any of them has a new plan.
    #[inline(always)]
    fn advance_eight<S: Simd>(
        course: &Course<f32x8<S>>,
        position: VectorOf<f32x8<S>>,
        settings: &[Self; LANES],
        states: &mut [PathProgress; LANES],
        agents: &[Agent; LANES],
        routes: &[Route; LANES],
    ) -> ([Next; LANES], bool) {
        let simd = position.x.simd;
        let moved = position - VectorOf::gather(simd, |lane| states[lane].seen);
        let stride = course.max_speed * agents[0].tick;
        let most = (moved.length() + stride) * 2.0;
        let along = Lanes::gather(simd, |lane| states[lane].along);
        let (place, direction) = course.at(along);
        let change = Course::change(place - position, direction, most);
        let along = along + change;
        let last_stride = Lanes::gather(simd, |lane| states[lane].stride);
        let end = Lanes::gather(simd, |lane| states[lane].plan.end);
        let back = Lanes::gather(simd, |lane| states[lane].plan.back);
        let is_near = is_near(most, stride, last_stride, course.radius);
        let stay = bits(is_near & along.simd_lt(end) & along.simd_gt(back));
        let moved = moved.to_array();
        let (mut next, mut is_new) = ([Next::Drive { end: None }; LANES], false);
        for lane in 0..LANES {
            let (settings, state, agent, route) = (&settings[lane], &mut states[lane], &agents[lane], &routes[lane]);
            if stay >> lane & 1 != 0 && settings.visit == PathVisit::Lane {
                state.stay_on_leg(agent, stride[lane], along[lane]);
            } else {
                is_new |= state.advance_by(settings.visit, route, agent, moved[lane], most[lane], change[lane]);
            }
            next[lane] = settings.approach(state, route, agent, None);
        }
        (next, is_new)
    }
}

/// Whether the sum of two vectors is finite. Zero times a number that is not finite is not zero.
#[inline(always)]
fn is_finite<L: Lanes>(position: VectorOf<L>, velocity: VectorOf<L>) -> L::Mask {
    let zero = position.x.splat(0.0);
    let nothing = (position + velocity) * zero;
    nothing
        .fold(
            #[inline(always)]
            |a, b| a + b,
        )
        .simd_le(zero)
}

/// The next move of an agent on a path.
#[derive(Clone, Copy)]
enum Next {
    /// It stops at this displacement.
    Arrive(Vector),
    /// It follows its plan. On the last leg, `end` is the displacement to the end.
    Drive { end: Option<Vector> },
}

impl Next {
    /// The wish of an agent that follows its plan with this force.
    #[inline(always)]
    fn wish(self, force: Vector) -> Wish {
        match self {
            Self::Arrive(to) => Wish::arrive(to),
            Self::Drive { end: Some(end) } => Wish::Way { force, end },
            Self::Drive { end: None } => Wish::Force(force),
        }
    }
}

impl SteeringBehavior for FollowPath {
    type State = PathProgress;
    /// The limits of vehicles.
    type Param = Query<'static, 'static, &'static BodyLimits>;

    fn wish(&self, progress: &mut PathProgress, agent: &Agent, limits: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let limits = if agent.is_vehicle { limits.get(agent.entity).ok() } else { None };
        self.steer(progress, agent, limits)
    }

    const EIGHT_AT_ONCE: bool = true;

    fn wishes(
        settings: &[Self; LANES],
        states: &mut [PathProgress; LANES],
        agents: &[Agent; LANES],
        limits: &SystemParamItem<'_, '_, Self::Param>,
    ) -> [Wish; LANES] {
        let together = if agents[0].space.wraps() {
            None
        } else {
            dispatch!(level(), simd => Self::steer_eight(simd, settings, states, agents))
        };
        together.unwrap_or_else(|| {
            core::array::from_fn(|lane| settings[lane].wish(&mut states[lane], &agents[lane], limits))
        })
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn draw(
        &self,
        progress: &PathProgress,
        agent: &Agent,
        _: &SystemParamItem<'_, '_, Self::Param>,
        figure: &mut Figure,
    ) {
        let ability = Ability::new(self.radius, self.visit, agent, None);
        let route = self.route(agent.space);
        let mut number = route.first();
        while let Some(next) = route.next(number, ability.apart) {
            let leg = route.leg(number, next);
            let start = route.point(number);
            figure.swept(start + leg.direction * leg.length, start, ability.radius);
            number = next;
            if number - route.first() >= route.lap() {
                break;
            }
        }
        if !route.is_place() && progress.is_on(self.fingerprint()) {
            let (place, _) = Course::of(&progress.plan).at(progress.along);
            figure.point(place.into());
            figure.line(agent.position, agent.position + agent.to(route.point(progress.to)));
        }
    }
}

//! The behavior of agents on a path.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, BodyLimits};
use crate::behaviors::follow_path::drive;
use crate::behaviors::follow_path::plan::Ability;
use crate::behaviors::follow_path::progress::PathProgress;
use crate::behaviors::follow_path::route::Route;
use crate::behaviors::follow_path::settings::FollowPath;
use crate::engine::behavior::SteeringBehavior;
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::space::Space;

impl FollowPath {
    fn route(&self, space: Space) -> Route<'_> {
        Route::new(&self.path, self.end, space)
    }

    /// The index of the point with this number on the way.
    pub(crate) fn waypoint(&self, number: u32) -> usize {
        self.route(Space::default()).index(number) as usize
    }

    pub(super) fn steer(&self, progress: &mut PathProgress, agent: &Agent, limits: Option<&BodyLimits>) -> Wish {
        if !(agent.position.is_finite() && agent.velocity.is_finite()) || self.path.points().is_empty() {
            return Wish::Nothing;
        }
        let ability = Ability::new(self.radius, self.visit, agent, limits);
        let route = self.route(agent.space);
        if route.is_place() {
            let to_end = agent.to(route.point(0));
            progress.note_end(agent, to_end);
            return Wish::arrive(to_end);
        }
        if !progress.is_on(self.fingerprint()) {
            progress.get_on(self.fingerprint(), self.visit, &route, agent, ability);
        } else if !progress.is_planned(ability) {
            progress.replan(&route, ability);
        }
        progress.advance(self.visit, &route, agent);
        if progress.is_at_untouched_point(self.visit) {
            return Wish::arrive(agent.to(route.point(progress.to)));
        }
        if route.is_last(progress.to) {
            let to_end = agent.to(route.point(progress.to));
            progress.note_end(agent, to_end);
            let is_vehicle = limits.is_some() && progress.along >= progress.plan.behind.reach;
            progress.arrives = is_vehicle || drive::may_arrive(progress, agent, to_end);
            if progress.arrives {
                return Wish::arrive(to_end);
            }
        }
        match limits {
            Some(limits) => drive::vehicle_wish(progress, &route, agent, limits),
            None => Wish::Force(drive::force(&progress.plan, progress.along, agent)),
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
            let (start, aside) = (route.point(number), leg.direction.perp() * ability.radius);
            let along = leg.direction * leg.length;
            figure.line(start + aside, start + aside + along);
            figure.line(start - aside, start - aside + along);
            figure.circle(start, ability.radius);
            number = next;
            if number - route.first() >= route.lap() {
                break;
            }
        }
        if !route.is_place() && progress.is_on(self.fingerprint()) {
            let (place, _) = progress.plan.at(progress.along);
            figure.point(place);
            figure.line(agent.position, agent.position + agent.to(route.point(progress.to)));
        }
    }
}

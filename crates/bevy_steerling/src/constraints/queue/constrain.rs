//! The motion of an agent with [`Queue`], computed for the whole crowd or for the agent alone.

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, GroupMask, SteeringAgent};
use crate::constraints::avoid_obstacles::AvoidObstacles;
use crate::constraints::queue::component::{Queue, QueuePlace, perception_radius};
use crate::constraints::queue::one_by_one::keep_place;
use crate::constraints::queue::side_by_side::Outcomes;
use crate::constraints::queue::wishes::Wishes;
use crate::engine::constraint::SteeringConstraint;
use crate::engine::figure::Figure;
use crate::math::Vector;
use crate::perception::neighbors::Neighbors;
use crate::perception::obstacles::Obstacles;

impl SteeringConstraint for Queue {
    type State = QueuePlace;
    type Param = (
        Res<'static, Neighbors>,
        Res<'static, Wishes>,
        Res<'static, Outcomes>,
        Res<'static, Obstacles>,
        Query<'static, 'static, &'static AvoidObstacles>,
    );

    fn constrain(
        &self,
        place: &mut QueuePlace,
        agent: &Agent,
        (neighbors, wishes, outcomes, obstacles, avoiding): &SystemParamItem<'_, '_, Self::Param>,
    ) -> Vector {
        let at = neighbors.place_of(agent.entity);
        let (total, next_place) = outcomes.of(at).filter(|_| wishes.is_total(at, agent.force)).unwrap_or_else(|| {
            let layers = avoiding.get(agent.entity).map_or(GroupMask::NONE, |avoid| avoid.layers);
            keep_place(agent, (self, place.get()), wishes, neighbors, (obstacles, layers))
        });
        place.set(next_place);
        total
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        perception_radius(self, agent.max_speed.max(0.0), agent.radius.max(0.0))
    }

    fn draw(
        &self,
        place: &QueuePlace,
        agent: &Agent,
        (neighbors, wishes, ..): &SystemParamItem<'_, '_, Self::Param>,
        figure: &mut Figure,
    ) {
        // Draws lines to the agents that go first.
        let far = perception_radius(self, agent.max_speed, agent.radius);
        neighbors.for_each_place_near(agent, far, |at, to| {
            let is_considered = self.groups.considers(neighbors.groups(at));
            if is_considered && wishes.at(at, neighbors).place < place.get() {
                figure.line(agent.position, agent.position + to);
            }
        });
    }
}

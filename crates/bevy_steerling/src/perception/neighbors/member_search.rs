//! Searches for members of groups: the nearest one, or all within a distance.
//!
//! A search by position widens its window until it finds a member. The members of a small group may be far away, with many other agents in
//! between. In that case, going through the list of all members is faster.

use bevy::prelude::*;

use crate::agent::SteeringId;
use crate::agent::{Agent, GroupMask};
use crate::math::Vector;
use crate::perception::neighbors::index::{NOWHERE, Neighbors};
use crate::perception::neighbors::members::{FEW, bits};
use crate::perception::neighbors::records::Neighbor;

impl Neighbors {
    /// The nearest other agent in any of these groups whose center is at most `radius` away, with the displacement to it. Ties are broken
    /// by the smallest id.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::behavior_prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// # const FRIENDS: GroupMask = GroupMask::bit(3);
    /// # fn nearest_friend(neighbors: &Neighbors, agent: &Agent) -> Option<Entity> {
    /// let (friend, displacement) = neighbors.nearest_of(agent, f32::INFINITY, FRIENDS)?;
    /// # Some(friend.entity)
    /// # }
    /// ```
    pub fn nearest_of(&self, agent: &Agent, radius: f32, groups: GroupMask) -> Option<(Neighbor, Vector)> {
        self.nearest_member(agent.entity, (agent.position, agent.height), radius, groups, |_| true)
    }

    /// Calls `visit` with each other agent in any of these groups whose center is at most `radius` away, and with the displacement to it.
    /// The order depends only on the positions and ids of the agents.
    pub fn for_each_of(&self, agent: &Agent, radius: f32, groups: GroupMask, mut visit: impl FnMut(&Neighbor, Vector)) {
        let count = self.members.count(groups);
        if count == 0 {
            return;
        }
        let by_place = || {
            let (_, window) = self.window(agent.position, radius)?;
            Some(self.grid.runs(window, &self.starts).map(|run| run.len()).sum::<usize>())
        };
        if !self.members.are_listed(groups) || count > FEW && by_place().is_some_and(|by_place| by_place < count) {
            return self.for_each_within(agent, radius, |neighbor, displacement| {
                if neighbor.groups.intersects(groups) {
                    visit(neighbor, displacement);
                }
            });
        }
        let Some((position, _)) = self.window(agent.position, radius) else { return };
        let me = self.place_of(agent.entity);
        for place in self.listed_members(groups).filter(|place| Some(*place) != me) {
            let displacement = self.space.displacement(position, self.bodies[place].position);
            if displacement.length_squared() <= radius * radius && self.is_on_floor(place, agent.height) {
                visit(&self.neighbor(place), displacement);
            }
        }
    }

    /// [`nearest_of`](Self::nearest_of) for an entity at a position and a height, among the members whose positions are accepted.
    pub(crate) fn nearest_member(
        &self,
        entity: Entity,
        (position, height): (Vector, f32),
        radius: f32,
        groups: GroupMask,
        accepts: impl Fn(Vector) -> bool,
    ) -> Option<(Neighbor, Vector)> {
        let count = self.members.count(groups);
        if count == 0 {
            return None;
        }
        let (position, _) = self.window(position, radius)?;
        let me = self.place_of(entity);
        let listed = self.members.are_listed(groups);
        let mut left = if listed { count } else { usize::MAX };
        let mut reach = self.grid.spacing(self.bodies.len()).min(radius);
        while left > FEW {
            let window = self.grid.window(position, position, reach);
            let runs = || self.grid.runs(window, &self.starts);
            let searched = runs().map(|run| run.len()).sum::<usize>();
            if searched > left {
                break;
            }
            left -= searched;
            let everybody = searched >= self.bodies.len() || reach >= radius;
            let limit = if everybody { radius } else { reach };
            let within = runs().flat_map(|run| run.range());
            let nearest = self.nearest_among((position, height), limit, groups, me, within, &accepts);
            if nearest.is_some() || everybody {
                return nearest;
            }
            reach = (2.0 * reach).min(radius);
        }
        self.nearest_among((position, height), radius, groups, me, self.listed_members(groups), &accepts)
    }

    /// The nearest member among the agents at these places.
    #[inline]
    fn nearest_among(
        &self,
        (position, height): (Vector, f32),
        radius: f32,
        groups: GroupMask,
        me: Option<usize>,
        places: impl Iterator<Item = usize>,
        accepts: impl Fn(Vector) -> bool,
    ) -> Option<(Neighbor, Vector)> {
        let mut nearest: Option<(f32, SteeringId, usize, Vector)> = None;
        let mut least = radius * radius;
        for place in places {
            let displacement = self.space.displacement(position, self.bodies[place].position);
            let squared = displacement.length_squared();
            if squared <= least && Some(place) != me && self.is_on_floor(place, height) {
                let record = &self.records[self.slots[place] as usize];
                let before = nearest.is_none_or(|(least, id, ..)| (squared, record.id) < (least, id));
                if record.groups.intersects(groups) && before && accepts(self.bodies[place].position) {
                    nearest = Some((squared, record.id, place, displacement));
                    least = squared;
                }
            }
        }
        nearest.map(|(_, _, place, displacement)| (self.neighbor(place), displacement))
    }

    /// The places of the members of these groups, each once. All members must be listed.
    fn listed_members(&self, groups: GroupMask) -> impl Iterator<Item = usize> + '_ {
        bits(groups)
            .flat_map(move |group| {
                let first =
                    move |slot: &&u32| bits(self.records[**slot as usize].groups & groups).next() == Some(group);
                self.members.lists[group].iter().filter(first)
            })
            .map(|slot| self.places[*slot as usize])
            .filter(|place| *place != NOWHERE)
            .map(|place| place as usize)
    }
}

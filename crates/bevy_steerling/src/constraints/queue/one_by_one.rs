//! The queue computed for one agent, with any neighbors.

use crate::agent::{Agent, GroupMask};
use crate::constraints::force_limits::ForceLimits;
use crate::constraints::queue::component::{Queue, perception_radius};
use crate::constraints::queue::keep_place::{Keeper, Line, limit_by_neighbor};
use crate::constraints::queue::wishes::Wishes;
use crate::math::{Vector, normalize};
use crate::perception::neighbors::Neighbors;
use crate::perception::obstacles::Obstacles;

/// The new total of an agent that keeps its place, and its place at the end of the tick. The agent stays clear of obstacles in `layers`.
pub(super) fn keep_place(
    agent: &Agent,
    (queue, place): (&Queue, f32),
    wishes: &Wishes,
    neighbors: &Neighbors,
    (obstacles, layers): (&Obstacles, GroupMask),
) -> (Vector, f32) {
    let largest = neighbors.largest_radius();
    let [time_gap, headway] = queue.times(agent.tick);
    let keeper = Keeper {
        velocity: agent.velocity.into(),
        others: agent.force.into(),
        heading: normalize(agent.preferred_velocity()).into(),
        place,
        radius: agent.radius,
        mass: agent.mass,
        max_speed: agent.max_speed,
        max_force: agent.max_force,
        response_time: agent.response_time,
        time_gap,
        headway,
        far: perception_radius(queue, agent.max_speed, agent.radius) + (largest - agent.radius).max(0.0),
    };
    let mut line = Line::<f32>::new(keeper, largest, agent.tick);
    let mut limits = ForceLimits::new(agent, agent.max_force);
    neighbors.for_each_place_near(agent, line.reach(), |at, to| {
        if !queue.groups.considers(neighbors.groups(at)) {
            return;
        }
        // Of two agents with the same place, the one with the smaller id goes first.
        let id = neighbors.id(at);
        let least_behind = if id < agent.id { 0.0 } else { f32::from_bits(1) };
        let wish = wishes.at(at, neighbors);
        if line.consider::<false>(&wish, to.into(), true, least_behind) {
            limit_by_neighbor(&mut limits, agent, id, wish.radius, to);
        }
    });
    obstacles.for_each_near(agent, line.stop + 2.0 * agent.radius, layers, |obstacle, position| {
        limits.limit_by_obstacle(agent, obstacle, position, |_, _| {});
    });
    limits.leave_overlapping_obstacles(agent, obstacles, layers);
    let total = Vector::from(line.total());
    (limits.apply(agent, total).unwrap_or(total), line.next_place())
}

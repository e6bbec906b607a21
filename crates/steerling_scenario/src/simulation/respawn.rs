//! Respawning: agents that enter an area are moved to another one.

use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;

use crate::dimension::{position, set_position};
use crate::file::areas::Respawn;
use crate::scenario::places::{PLACES, confine, random_place};
use crate::scenario::scene::Scenario;

#[derive(Resource)]
pub(crate) struct Respawns {
    areas: Vec<Respawn>,
    count: u64,
}

/// An agent that may respawn.
#[derive(Component)]
pub(crate) struct Respawning {
    /// For each area, whether it was inside at the end of the last tick.
    inside: Vec<bool>,
    /// The place that it was moved from in the last tick, if any.
    left: Option<Vector>,
    random: SteeringRng,
}

/// Prepares agents to respawn, if the scenario has respawns.
pub(crate) fn set_up(world: &mut World, scenario: &Scenario, agents: impl Iterator<Item = Entity>) {
    let areas: Vec<Respawn> = scenario.file.respawns.iter().map(|respawn| respawn.0.clone()).collect();
    for agent in agents.filter(|_| !areas.is_empty()) {
        let mut agent = world.entity_mut(agent);
        if let Ok((id, transform)) = agent.get_components::<(&SteeringId, &Transform)>() {
            let random = SteeringRng::new(SteeringSeed(scenario.file.seed.0), *id, PLACES);
            let inside = areas_around(transform, &areas).collect();
            agent.insert(Respawning { inside, left: None, random });
        }
    }
    world.insert_resource(Respawns { areas, count: 0 });
}

/// The areas that these agents are moved from. None if none of them respawns.
pub(crate) fn areas_of(world: &World, mut agents: impl Iterator<Item = Entity>) -> &[Respawn] {
    let any = agents.any(|agent| world.get::<Respawning>(agent).is_some());
    world.get_resource::<Respawns>().filter(|_| any).map_or(&[], |respawns| respawns.areas.as_slice())
}

/// The number of respawns so far.
pub(crate) fn count(world: &World) -> u64 {
    world.get_resource::<Respawns>().map_or(0, |respawns| respawns.count)
}

/// The place that an agent was moved from in the last tick, if any.
pub(crate) fn left(world: &World, agent: Entity) -> Option<Vector> {
    world.get::<Respawning>(agent)?.left
}

pub(crate) fn respawn(
    mut agents: Query<(&mut Transform, &mut Respawning)>,
    mut respawns: ResMut<Respawns>,
    bounds: Res<SteeringBounds>,
) {
    let Respawns { areas, count } = &mut *respawns;
    for (mut transform, mut agent) in &mut agents {
        agent.left = None;
        let was_inside = agent.inside.iter();
        let entered = areas_around(&transform, areas).zip(was_inside).position(|(is, was)| is && !was);
        if let Some(entered) = entered {
            agent.left = Some(position(&transform));
            let place = confine(random_place(&areas[entered].to, &mut agent.random), &bounds);
            set_position(&mut transform, place);
            *count += 1;
        }
        agent.inside = areas_around(&transform, areas).collect();
    }
}

/// For each area, whether the agent is inside.
fn areas_around(transform: &Transform, areas: &[Respawn]) -> impl Iterator<Item = bool> {
    let position = position(transform);
    areas.iter().map(move |Respawn { inside, .. }| {
        let [min, max] = inside.corners();
        position.cmpge(min).all() && position.cmple(max).all()
    })
}

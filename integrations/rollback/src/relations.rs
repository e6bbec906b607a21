//! References between entities, and what else can be restored only after all components.

use bevy::ecs::change_detection::{MAX_CHANGE_AGE, Tick};
use bevy::ecs::component::Mutable;
use bevy::ecs::entity::{EntityHashMap, EntityMapper};
use bevy::ecs::system::SystemChangeTick;
use bevy::prelude::*;
use bevy_ggrs::{
    CloneStrategy, ComponentSnapshotPlugin, GgrsComponentSnapshots, LoadWorld, LoadWorldSystems,
    ResourceSnapshotPlugin, RollbackApp, RollbackEntityMap, RollbackFrameCount, RollbackId, SaveWorld,
    SaveWorldSystems,
};
use bevy_steerling::agent::NextSteeringId;
use bevy_steerling::prelude::*;

pub(crate) fn plugin(app: &mut App) {
    type Snapshots = GgrsComponentSnapshots<InFormation>;
    let save = ComponentSnapshotPlugin::<CloneStrategy<InFormation>>::save;
    // An agent that is spawned again is given a number before it gets back its own.
    let load_next_id = ResourceSnapshotPlugin::<CloneStrategy<NextSteeringId>>::load;
    app.init_resource::<Respawned>()
        .init_resource::<Snapshots>()
        .rollback_resource_with_clone::<NextSteeringId>()
        .add_systems(
            SaveWorld,
            (Snapshots::sync_depth, Snapshots::discard_old_snapshots, save).chain().in_set(SaveWorldSystems::Snapshot),
        )
        .add_systems(
            LoadWorld,
            (
                note_respawned.after(LoadWorldSystems::EntityFlush).before(LoadWorldSystems::Data),
                (load_next_id, restore_members).in_set(LoadWorldSystems::Mapping),
                forget_changes::<FormationMembers>.after(LoadWorldSystems::Mapping),
            ),
        );
}

/// The entities that a rollback spawned again, by what they were in the snapshot.
#[derive(Resource, Default)]
struct Respawned(EntityHashMap<Entity>);

impl EntityMapper for &Respawned {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        self.0.get(&source).copied().unwrap_or(source)
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}

/// The map of `bevy_ggrs` leads from the entity that is there to that of the snapshot, or, if the entity was just spawned again, the other
/// way.
fn note_respawned(map: Res<RollbackEntityMap>, there: Query<(), With<RollbackId>>, mut respawned: ResMut<Respawned>) {
    let renamed = map.iter().filter(|(from, to)| from != to);
    respawned.0 = renamed
        .map(|(from, to)| if there.contains(from) && !there.contains(to) { (to, from) } else { (from, to) })
        .collect();
}

/// Makes the references in `C` follow entities that are spawned again.
pub(crate) fn follow_entities<C: Component<Mutability = Mutable>>(app: &mut App) {
    let is_any = |respawned: Res<Respawned>| !respawned.0.is_empty();
    app.add_systems(LoadWorld, map_entities::<C>.in_set(LoadWorldSystems::Mapping).run_if(is_any));
}

fn map_entities<C: Component<Mutability = Mutable>>(
    mut components: Query<&mut C, With<RollbackId>>,
    respawned: Res<Respawned>,
) {
    for mut component in &mut components {
        C::map_entities(&mut component, &mut &*respawned);
    }
}

/// Restores who is in which formation. The relationship can be inserted only after its target is there.
fn restore_members(world: &mut World, agents: &mut QueryState<(Entity, &RollbackId, Option<&InFormation>)>) {
    let frame = world.resource::<RollbackFrameCount>().0;
    world.resource_scope(|world, mut snapshots: Mut<GgrsComponentSnapshots<InFormation>>| {
        let snapshot = snapshots.rollback(frame).get();
        let mut respawned = world.resource::<Respawned>();
        let then = |id: &RollbackId| snapshot.get(id).map(|member| member.0);
        let outdated: Vec<(Entity, Option<Entity>)> = agents
            .iter(world)
            .map(|(agent, id, now)| (agent, then(id).map(|anchor| respawned.get_mapped(anchor)), now))
            .filter(|(_, then, now)| *then != now.map(|member| member.0))
            .map(|(agent, then, _)| (agent, then))
            .collect();
        for (agent, anchor) in outdated {
            match anchor {
                Some(anchor) => world.entity_mut(agent).insert(InFormation(anchor)),
                None => world.entity_mut(agent).remove::<InFormation>(),
            };
        }
    });
}

/// Makes all components of this type count as unchanged.
pub(crate) fn forget_changes<C: Component<Mutability = Mutable>>(
    mut components: Query<&mut C, With<RollbackId>>,
    ticks: SystemChangeTick,
) {
    let long_ago = Tick::new(ticks.this_run().get().wrapping_sub(MAX_CHANGE_AGE));
    for mut component in &mut components {
        component.set_last_changed(long_ago);
    }
}

//! Formations.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_steerling::prelude as plugin;
use bevy_steerling::prelude::{FormationMembers, InFormation};

use crate::export::agents::Found;
use crate::export::find::{entities_with, name_of};
use crate::file::formation::Formation;
use crate::json::strict::Object;
use crate::mapping::place::{Names, Place};

/// Returns the formations for a file in the order of their anchors, and notes what the file cannot express.
pub(crate) fn write(names: &Names, agents: &[Found]) -> Vec<Object<Formation>> {
    for anchor in entities_with::<plugin::Formation>(names, "anchor") {
        if !names.agents.contains_key(&anchor) {
            let owner = name_of(names.world, anchor, "anchor");
            Place::new(names, &owner).note("a formation whose anchor is not an agent in the file");
        }
    }
    for Found { id, entity, .. } in agents {
        let anchor = names.world.get(*entity).map(|InFormation(anchor)| *anchor);
        if anchor.is_some_and(|anchor| names.world.get::<plugin::Formation>(anchor).is_none()) {
            Place::new(names, id).note("`InFormation` with an anchor that has no formation");
        }
    }
    agents.iter().filter_map(|anchor| formation(names, anchor)).map(Object).collect()
}

fn formation(names: &Names, anchor: &Found) -> Option<Formation> {
    let component = names.world.get::<plugin::Formation>(anchor.entity)?;
    let owner = Place::new(names, &anchor.id);
    let place = owner.field("formation");
    if follows_itself(names.world, anchor.entity) {
        place.note("its anchor follows itself, by way of another formation");
        return None;
    }
    let members = names.world.get::<FormationMembers>(anchor.entity);
    let members = members.into_iter().flat_map(RelationshipTarget::iter);
    let members: BTreeSet<&String> = members.filter_map(|member| names.agents.get(&member)).collect();
    if members.is_empty() {
        place.note("no members");
        return None;
    }
    Formation::of(component, anchor.id.clone(), members.into_iter().cloned().collect(), &place)
}

fn follows_itself(world: &World, anchor: Entity) -> bool {
    let mut seen = vec![anchor];
    while let Some(InFormation(next)) = seen.last().and_then(|last| world.get(*last)) {
        if seen.contains(next) {
            return *next == anchor;
        }
        seen.push(*next);
    }
    false
}

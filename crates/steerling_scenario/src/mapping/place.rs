//! From entities to the names in a file that is being written.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use bevy::prelude::*;
use bevy_steerling::prelude::SteeringAgent;

use crate::mapping::left_out::Notes;

/// The names of the entities of a world in a file, and the notes about what the file leaves out.
pub(crate) struct Names<'a> {
    pub world: &'a World,
    pub agents: HashMap<Entity, String>,
    pub fields: HashMap<Entity, String>,
    pub notes: Notes,
    /// The names of targets that are no agents, found so far.
    markers: RefCell<HashMap<Entity, String>>,
}

impl<'a> Names<'a> {
    pub fn new(world: &'a World) -> Self {
        let (agents, fields) = (HashMap::new(), HashMap::new());
        Self { world, agents, fields, notes: Notes::default(), markers: RefCell::default() }
    }

    /// The name of the marker that stands for an entity that is no agent. `None` if the entity is not in the world.
    pub fn marker(&self, entity: Entity) -> Option<String> {
        let mut markers = self.markers.borrow_mut();
        if let Some(name) = markers.get(&entity) {
            return Some(name.clone());
        }
        let found = self.world.get_entity(entity).ok()?;
        if found.contains::<SteeringAgent>() || !found.contains::<Transform>() {
            return None;
        }
        let taken: HashSet<&str> = markers.values().map(String::as_str).collect();
        let name = unique(found.get::<Name>().map_or("target", Name::as_str), |name| taken.contains(name));
        markers.insert(entity, name.clone());
        Some(name)
    }

    /// The markers, by their names.
    pub fn markers(&self) -> BTreeMap<String, Entity> {
        self.markers.borrow().iter().map(|(entity, name)| (name.clone(), *entity)).collect()
    }
}

/// This name, or one that starts like it if it is taken.
pub(crate) fn unique(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    let mut numbered = (2..).map(|number: u64| format!("{name} {number}"));
    numbered.find(|name| !is_taken(name)).unwrap_or_default()
}

/// A place in a file that is being written.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub names: &'a Names<'a>,
    /// The agent whose fields are written, if any.
    pub agent: Option<Entity>,
    /// Its id, or another name for what is written.
    owner: &'a str,
    /// The place around this one, and the name of this one there.
    outer: Option<(&'a Self, &'a str)>,
}

impl<'a> Place<'a> {
    /// The place of an entity that is no agent, or of the world.
    pub fn new(names: &'a Names<'a>, owner: &'a str) -> Self {
        Self { names, agent: None, owner, outer: None }
    }

    /// The place of an agent.
    pub fn of_agent(names: &'a Names<'a>, agent: Entity, id: &'a str) -> Self {
        Self { agent: Some(agent), ..Self::new(names, id) }
    }

    /// A field here.
    pub fn field(&'a self, name: &'a str) -> Self {
        Self { outer: Some((self, name)), ..*self }
    }

    /// Notes that something here is left out, or said differently.
    pub fn note(&self, what: &str) {
        let path = self.path();
        let separator = if path.is_empty() { "" } else { ": " };
        self.names.notes.add(self.owner, format!("{path}{separator}{what}"));
    }

    fn path(&self) -> String {
        let Some((outer, name)) = self.outer else { return String::new() };
        let path = outer.path();
        if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
    }
}

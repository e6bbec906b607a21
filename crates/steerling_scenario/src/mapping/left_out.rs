//! The parts of a scene that an exported file leaves out.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;

/// A part of a scene that an exported file leaves out or changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// A description of the part, and of what the file has in its place.
    pub what: String,
    /// Where it is in the world: the ids of agents, or the kinds and numbers of other entities.
    pub places: Vec<String>,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, places } = self;
        match places.as_slice() {
            [] => formatter.write_str(what),
            [place] => write!(formatter, "{place}: {what}"),
            [place, others @ ..] => write!(formatter, "{place} and {} more: {what}", others.len()),
        }
    }
}

/// A growing list of the parts that are left out, each once.
#[derive(Debug, Default)]
pub(crate) struct Notes(RefCell<List>);

#[derive(Debug, Default)]
struct List {
    all: Vec<LeftOut>,
    indices: HashMap<String, usize>,
}

impl Notes {
    pub fn add(&self, place: &str, what: String) {
        let List { all, indices } = &mut *self.0.borrow_mut();
        let index = *indices.entry(what).or_insert_with_key(|what| {
            all.push(LeftOut { what: what.clone(), places: Vec::new() });
            all.len() - 1
        });
        let places = &mut all[index].places;
        if places.last().is_none_or(|last| last != place) {
            places.push(place.to_owned());
        }
    }

    pub fn into_list(self) -> Vec<LeftOut> {
        self.0.into_inner().all
    }
}

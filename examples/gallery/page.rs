//! The source of scenario files in a browser: the page.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bevy::prelude::*;
use include_dir::{Dir, include_dir};
use js_sys::wasm_bindgen::JsCast;
use js_sys::{Array, Reflect};
use steerling_scenario::{Scenario, ScenarioError};

use crate::Asked;

static OWN: Dir = include_dir!("$CARGO_MANIFEST_DIR/../assets/scenarios");

thread_local! {
    /// The text of the files dropped on the page.
    static DROPPED: RefCell<BTreeMap<PathBuf, String>> = const { RefCell::new(BTreeMap::new()) };
}

/// The modification time of a file, which is unknown here.
pub(crate) type Modified = ();

/// The project's own files, which are embedded in the program.
pub(crate) fn own() -> Vec<PathBuf> {
    OWN.files().map(|file| file.path().to_owned()).collect()
}

/// Reads a file.
pub(crate) fn read(path: &Path) -> Result<Scenario, ScenarioError> {
    let dropped = DROPPED.with_borrow(|dropped| dropped.get(path).cloned());
    let own = || OWN.get_file(path).and_then(|file| file.contents_utf8()).map(str::to_owned);
    Scenario::parse(&path.display().to_string(), &dropped.or_else(own).unwrap_or_default())
}

pub(crate) fn modified(_: &Path) -> Option<Modified> {
    None
}

/// Takes requests from the page: `location.hash` names a scene or one of the project's files; `dropped` has the names and texts of
/// dropped files.
pub(crate) fn listen(mut asked: MessageWriter<Asked>, mut last: Local<String>) {
    let page = js_sys::global();
    let hash = Reflect::get(&page, &"location".into()).and_then(|location| Reflect::get(&location, &"hash".into()));
    let hash = hash.ok().and_then(|hash| hash.as_string()).unwrap_or_default();
    if *last != hash {
        asked.write(Asked(hash.trim_start_matches('#').into()));
        *last = hash;
    }
    let dropped = Reflect::get(&page, &"dropped".into()).unwrap_or_default();
    let Ok(dropped) = dropped.dyn_into::<Array>() else { return };
    while dropped.length() >= 2 {
        let [name, text] = [dropped.shift(), dropped.shift()].map(|part| part.as_string().unwrap_or_default());
        DROPPED.with_borrow_mut(|all| all.insert(PathBuf::from(&name), text));
        asked.write(Asked(name.into()));
    }
}

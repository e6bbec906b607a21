//! The source of scenario files on a desktop: the disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bevy::prelude::*;
use steerling_scenario::{Scenario, ScenarioError};

use crate::Asked;

/// The modification time of a file.
pub(crate) type Modified = SystemTime;

/// The project's own files.
pub(crate) fn own() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/scenarios");
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// Reads a file.
pub(crate) fn read(path: &Path) -> Result<Scenario, ScenarioError> {
    Scenario::read(path)
}

/// The modification time of a file, if known.
pub(crate) fn modified(path: &Path) -> Option<Modified> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// Takes the files dropped on the window.
pub(crate) fn listen(mut drops: MessageReader<FileDragAndDrop>, mut asked: MessageWriter<Asked>) {
    for drop in drops.read() {
        if let FileDragAndDrop::DroppedFile { path_buf, .. } = drop {
            asked.write(Asked(path_buf.clone()));
        }
    }
}

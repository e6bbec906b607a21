//! The files of the project.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// The scenario files in a folder, with their names.
pub fn files(folder: impl AsRef<Path>) -> Vec<(String, Value)> {
    let entries = fs::read_dir(folder).expect("it is there").map(|entry| entry.expect("it is readable").path());
    let paths: BTreeSet<_> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
    let read = |path: &std::path::PathBuf| {
        let file: Value = serde_json::from_str(&fs::read_to_string(path).expect("it is text")).expect("it is JSON");
        (path.display().to_string(), file.get("scenario").cloned().unwrap_or(file))
    };
    paths.iter().map(read).collect()
}

//! Exports the scene to a scenario file. A web page has no folder for it, so there is no button there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, process};

use bevy::prelude::*;
use bevy_inspector_egui::egui;
use bevy_transform_interpolation::{RotationEasingState, TranslationEasingState};
use steerling_scenario::LeftOut;

use crate::scene::Playing;

/// The maximum number of lines about what is not in the file.
const MOST_LINES: usize = 20;

/// The outcome of the last export: a line, and more about it.
#[derive(Resource, Clone)]
struct Outcome {
    line: String,
    more: String,
}

/// Shows a button that exports the scene into the working directory, and what came of it.
pub(crate) fn show(world: &mut World, ui: &mut egui::Ui) {
    ui.horizontal(|ui| {
        if ui.button("export scenario").clicked() {
            let outcome = export(world);
            world.insert_resource(outcome);
        }
        if let Some(Outcome { line, more }) = world.get_resource() {
            let line = ui.label(line);
            if !more.is_empty() {
                line.on_hover_text(more);
            }
        }
    });
}

fn export(world: &mut World) -> Outcome {
    end_interpolation(world);
    let scene = world.get_resource::<Playing>().map_or("scene", |playing| playing.0.name);
    let exported = steerling_scenario::export(world);
    match write_new(&env::current_dir().unwrap_or_default(), &scene.replace(' ', "_"), &exported.text) {
        Ok(path) => {
            let left_out = match exported.left_out.len() {
                0 => String::new(),
                1 => "; 1 thing is not in it".to_owned(),
                count => format!("; {count} things are not in it"),
            };
            let lines = exported.left_out.iter().take(MOST_LINES).map(LeftOut::to_string);
            let more = lines.collect::<Vec<_>>().join("\n");
            Outcome { line: format!("wrote {}{left_out}", path.display()), more }
        }
        Err(error) => Outcome { line: format!("cannot write the file: {error}"), more: String::new() },
    }
}

/// Moves what is drawn between two ticks to where it is at the end of the last tick.
fn end_interpolation(world: &mut World) {
    let mut eased = world.query::<(&mut Transform, Option<&TranslationEasingState>, Option<&RotationEasingState>)>();
    for (mut transform, translation, rotation) in eased.iter_mut(world) {
        if let Some(end) = translation.and_then(|easing| easing.end) {
            transform.translation = end;
        }
        if let Some(end) = rotation.and_then(|easing| easing.end) {
            transform.rotation = end;
        }
    }
}

/// Writes a file with a name that no other file has. It appears as a whole, or not at all.
fn write_new(folder: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    let path = reserve(folder, name)?;
    let draft = folder.join(format!(".{name}.{}.json", process::id()));
    let write = || {
        let mut file = File::create(&draft)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&draft, &path)
    };
    if let Err(error) = write() {
        // Leaves nothing behind; the first error is the one to report.
        for file in [&draft, &path] {
            let _ = fs::remove_file(file);
        }
        return Err(error);
    }
    Ok(path)
}

/// Creates an empty file with a new name.
fn reserve(folder: &Path, name: &str) -> io::Result<PathBuf> {
    for number in 1_u32.. {
        let path = folder.join(if number == 1 { format!("{name}.json") } else { format!("{name}_{number}.json") });
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|_| path),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = env::temp_dir().join(format!("steerling_{name}_{}", process::id()));
            // Of an earlier process that did not end.
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).expect("it can be created");
            Self(folder)
        }

        fn files(&self) -> usize {
            fs::read_dir(&self.0).expect("it can be read").count()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn an_export_never_replaces_another() {
        let folder = Folder::new("exports");
        let expected = [("scene.json", "first"), ("scene_2.json", "second"), ("scene_3.json", "third")];
        for (name, text) in expected {
            assert_eq!(write_new(&folder.0, "scene", text).expect("it can be written"), folder.0.join(name));
        }
        for (name, text) in expected {
            assert_eq!(fs::read_to_string(folder.0.join(name)).expect("it is there"), text);
        }
        assert_eq!(folder.files(), 3);
    }

    #[test]
    fn a_failed_export_leaves_nothing_behind() {
        let folder = Folder::new("failed");
        assert!(write_new(&folder.0.join("missing"), "scene", "text").is_err());
        // The draft cannot be created where there is a folder.
        fs::create_dir(folder.0.join(format!(".scene.{}.json", process::id()))).expect("it can be created");
        assert!(write_new(&folder.0, "scene", "text").is_err());
        assert_eq!(folder.files(), 1);
    }

    #[test]
    fn an_export_has_the_positions_of_the_last_tick() {
        let mut world = World::new();
        let (end, turn) = (Vec3::new(8.0, 2.0, 0.0), Quat::from_rotation_z(1.0));
        let eased = world
            .spawn((
                Transform::from_xyz(4.0, 1.0, 0.0),
                TranslationEasingState { start: Some(Vec3::ZERO), end: Some(end) },
                RotationEasingState { start: Some(Quat::IDENTITY), end: Some(turn) },
            ))
            .id();
        let other = world.spawn(Transform::from_xyz(3.0, 0.0, 0.0)).id();
        end_interpolation(&mut world);
        let at = |entity| *world.get::<Transform>(entity).expect("it is there");
        assert_eq!((at(eased).translation, at(eased).rotation), (end, turn));
        assert_eq!(at(other).translation, Vec3::X * 3.0);
    }
}

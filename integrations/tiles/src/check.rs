//! Maps that contradict themselves, in which `bevy_ecs_ldtk` would panic.

use std::fmt::{Display, Formatter};

use bevy::prelude::*;
use bevy_ecs_ldtk::ldtk::{LdtkJson, Type};
use bevy_ecs_ldtk::prelude::*;

/// Looks at each map when it has been loaded. One that cannot be spawned is logged as an error, and not spawned.
///
/// The asset server logs files that cannot be read at all.
pub struct MapCheckPlugin;

impl Plugin for MapCheckPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, reject_maps);
    }
}

/// What is wrong with a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapError {
    /// A layer has no tiles, or tiles without a size.
    Size(String),
    /// A layer has more or fewer int grid values than tiles.
    Values(String),
    /// A layer has no definition.
    Definition(String),
    /// A layer has a tileset without a definition or an image.
    Tileset(String),
}

impl Display for MapError {
    fn fmt(&self, out: &mut Formatter) -> std::fmt::Result {
        match self {
            Self::Size(layer) => write!(out, "the layer {layer} needs a size and a grid size above 0"),
            Self::Values(layer) => write!(out, "the layer {layer} needs one int grid value for each tile"),
            Self::Definition(layer) => write!(out, "the layer {layer} has no definition"),
            Self::Tileset(layer) => write!(out, "the tileset of the layer {layer} is not defined or has no image"),
        }
    }
}

impl std::error::Error for MapError {}

/// Checks what `bevy_ecs_ldtk` relies on when it spawns a map.
///
/// # Errors
///
/// The first contradiction that is found.
pub fn check(map: &LdtkJson) -> Result<(), MapError> {
    let worlds = map.worlds.iter().flat_map(|world| &world.levels);
    let levels = map.levels.iter().chain(worlds);
    for layer in levels.flat_map(|level| level.layer_instances.iter().flatten()) {
        let name = || layer.identifier.clone();
        if !map.defs.layers.iter().any(|definition| definition.uid == layer.layer_def_uid) {
            return Err(MapError::Definition(name()));
        }
        let has_image = |uid| map.defs.tilesets.iter().any(|set| set.uid == uid && set.rel_path.is_some());
        if !layer.tileset_def_uid.is_none_or(has_image) {
            return Err(MapError::Tileset(name()));
        }
        if layer.layer_instance_type == Type::Entities {
            continue;
        }
        if layer.c_wid <= 0 || layer.c_hei <= 0 || layer.grid_size <= 0 {
            return Err(MapError::Size(name()));
        }
        let count = i64::from(layer.c_wid) * i64::from(layer.c_hei);
        if layer.layer_instance_type == Type::IntGrid && layer.int_grid_csv.len() as i64 != count {
            return Err(MapError::Values(name()));
        }
    }
    Ok(())
}

/// Runs before the levels of a new map are spawned, which is after `Update`.
fn reject_maps(
    projects: Res<Assets<LdtkProject>>,
    worlds: Query<(Entity, Ref<LdtkProjectHandle>)>,
    mut commands: Commands,
) {
    for (world, handle) in &worlds {
        if !projects.is_changed() && !handle.is_changed() {
            continue;
        }
        if let Some(Err(error)) = projects.get(&handle.handle).map(|project| check(project.json_data())) {
            error!("{}: {error}", handle.handle.path().map_or("a map".to_owned(), ToString::to_string));
            commands.entity(world).remove::<LdtkProjectHandle>();
        }
    }
}

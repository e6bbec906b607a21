//! Obstacles for the wall tiles of `LDtk` maps.

use bevy::prelude::*;
use bevy_ecs_ldtk::prelude::*;
use bevy_steerling::prelude::*;

use crate::cover::WallGrid;

/// Makes obstacles of the tiles whose int grid value is one of these.
///
/// Spawn, change, or remove [`IntGridCell`]s at any time: the obstacles follow in the next frame, and with them every
/// [`FlowField`] toward goals. Maps may be moved, but not scaled.
pub struct TileWallsPlugin {
    /// The int grid values of walls.
    pub values: Vec<i32>,
}

impl Plugin for TileWallsPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(WallValues(self.values.clone())).add_systems(Update, update_walls);
    }
}

/// The int grid values of walls.
#[derive(Resource, Clone, Debug)]
pub struct WallValues(pub Vec<i32>);

/// A part of the walls of a layer, with an [`Obstacle`]: tiles from `min` to before `max`. A child of the layer.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileWall(pub IRect);

/// Replaces the walls that have changed, and leaves the others as they are.
fn update_walls(
    layers: Query<(Entity, &LayerMetadata, &Children)>,
    cells: Query<(&IntGridCell, &GridCoords)>,
    changed: Query<(), Changed<IntGridCell>>,
    mut removed: RemovedComponents<IntGridCell>,
    walls: Query<(Entity, &TileWall)>,
    values: Res<WallValues>,
    mut commands: Commands,
) {
    let is_removed = removed.read().count() > 0;
    if changed.is_empty() && !is_removed && !values.is_changed() {
        return;
    }
    for (layer, metadata, children) in &layers {
        let mut grid = WallGrid::new(IVec2::new(metadata.c_wid, metadata.c_hei).max(IVec2::ZERO).as_uvec2());
        for (cell, coords) in children.iter().filter_map(|child| cells.get(child).ok()) {
            grid.set_wall((*coords).into(), values.0.contains(&cell.value));
        }
        let mut missing = grid.rectangles();
        for (entity, wall) in children.iter().filter_map(|child| walls.get(child).ok()) {
            match missing.iter().position(|area| *area == wall.0) {
                Some(known) => _ = missing.swap_remove(known),
                None => commands.entity(entity).despawn(),
            }
        }
        let size = metadata.grid_size as f32;
        for area in missing {
            let shape = Rectangle::from_size(area.size().as_vec2() * size);
            // The origin of a layer is the middle of its first tile.
            let middle = 0.5 * (area.min + area.max - 1).as_vec2() * size;
            let place = Transform::from_translation(middle.extend(0.0));
            commands.spawn((TileWall(area), Obstacle::new(shape), place, ChildOf(layer)));
        }
    }
}

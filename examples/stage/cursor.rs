//! An entity that goes where the mouse goes.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

/// Goes where the mouse goes, while that is in the window; until then it stays where the scene puts it.
#[derive(Component, Clone, Copy)]
#[require(Transform)]
pub struct Cursor;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, follow_mouse.before(TransformSystems::Propagate));
}

fn follow_mouse(
    mut cursors: Query<&mut Transform, With<Cursor>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
) {
    if let Some(place) = place_of_mouse((*window, *camera)) {
        for mut cursor in &mut cursors {
            cursor.translation = place.extend(cursor.translation.z);
        }
    }
}

/// Where in the world the mouse is, while it is in the window.
pub(crate) fn place_of_mouse((window, (camera, view)): (&Window, (&Camera, &GlobalTransform))) -> Option<Vec2> {
    camera.viewport_to_world_2d(view, window.cursor_position()?).ok()
}

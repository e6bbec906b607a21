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
    mut cursor: Single<&mut Transform, With<Cursor>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
) {
    let (camera, view) = *camera;
    let position = window.cursor_position().and_then(|mouse| camera.viewport_to_world_2d(view, mouse).ok());
    if let Some(position) = position {
        cursor.translation = position.extend(cursor.translation.z);
    }
}

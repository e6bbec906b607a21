//! The mouse or a finger, and entities that follow it.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::screenshot::Request;

/// Follows the mouse while it is in the window, or a finger; until then it stays where the scene puts it.
#[derive(Component, Clone, Copy)]
#[require(Transform)]
pub struct Cursor;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, follow.before(TransformSystems::Propagate));
}

fn follow(mut cursors: Query<&mut Transform, With<Cursor>>, pointer: Pointer) {
    if let Some(place) = pointer.place() {
        for mut cursor in &mut cursors {
            cursor.translation = place.extend(cursor.translation.z);
        }
    }
}

/// The mouse or a finger.
#[derive(SystemParam)]
pub struct Pointer<'w, 's> {
    windows: Query<'w, 's, &'static Window>,
    cameras: Query<'w, 's, (&'static Camera, &'static GlobalTransform)>,
    buttons: Res<'w, ButtonInput<MouseButton>>,
    touches: Res<'w, Touches>,
    request: Option<Res<'w, Request>>,
}

impl Pointer<'_, '_> {
    /// The position in the world, while the pointer is in the window. `None` while a screenshot is being taken.
    pub fn place(&self) -> Option<Vec2> {
        if self.request.is_some() {
            return None;
        }
        let finger = self.touches.iter().next().map(|finger| finger.position());
        let (camera, view) = self.cameras.single().ok()?;
        camera.viewport_to_world_2d(view, finger.or_else(|| self.windows.single().ok()?.cursor_position())?).ok()
    }

    /// The position in the world of a click in this frame.
    pub fn clicked(&self) -> Option<Vec2> {
        (self.buttons.just_pressed(MouseButton::Left) || self.touches.any_just_pressed()).then(|| self.place())?
    }
}

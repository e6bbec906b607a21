//! Words that fade away.

use bevy::prelude::*;

/// Fades a text in this time, seconds, and then removes it.
#[derive(Component, Clone, Copy)]
pub struct Fading(pub f32);

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, fade);
}

fn fade(mut commands: Commands, mut words: Query<(Entity, &Fading, &mut TextColor)>, time: Res<Time>) {
    for (entity, fading, mut color) in &mut words {
        let left = color.0.alpha() - time.delta_secs() / fading.0;
        if left > 0.0 {
            color.0.set_alpha(left);
        } else {
            commands.entity(entity).despawn();
        }
    }
}

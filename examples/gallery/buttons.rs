//! Buttons on the screen that replace keys on devices without a keyboard.

use bevy::input::InputSystems;
use bevy::prelude::*;
use bevy_inspector_egui::bevy_egui::{EguiContexts, EguiPreUpdateSet, EguiPrimaryContextPass};
use bevy_inspector_egui::egui;
use stage::Playing;

const KEYS: [(KeyCode, &str); 7] = [
    (KeyCode::Space, "pause"),
    (KeyCode::Period, "one tick"),
    (KeyCode::Comma, "slow"),
    (KeyCode::Backspace, "restart"),
    (KeyCode::KeyG, "thoughts"),
    (KeyCode::KeyP, "panel"),
    (KeyCode::KeyH, "keys"),
];

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Held>()
        .add_systems(EguiPrimaryContextPass, show)
        .add_systems(PreUpdate, press.after(InputSystems).after(EguiPreUpdateSet::ProcessInput));
}

/// The keys whose buttons are held now, and the keys that are pressed because of that.
#[derive(Resource, Default)]
struct Held {
    now: Vec<KeyCode>,
    pressed: Vec<KeyCode>,
}

fn show(mut contexts: EguiContexts, playing: Option<Res<Playing>>, mut held: ResMut<Held>) -> Result {
    let own = playing.map_or(&[][..], |playing| playing.0.keys);
    held.now.clear();
    egui::Area::new("buttons".into()).anchor(egui::Align2::RIGHT_BOTTOM, [-12.0, -12.0]).show(
        contexts.ctx_mut()?,
        |ui| {
            for keys in [own, &KEYS] {
                ui.horizontal_wrapped(|ui| {
                    for (key, what) in keys {
                        if ui.button(*what).is_pointer_button_down_on() {
                            held.now.push(*key);
                        }
                    }
                });
            }
        },
    );
    Ok(())
}

fn press(mut held: ResMut<Held>, mut keys: ResMut<ButtonInput<KeyCode>>) {
    let Held { now, pressed } = &mut *held;
    pressed.iter().filter(|key| !now.contains(key)).for_each(|key| keys.release(*key));
    now.iter().for_each(|key| keys.press(*key));
    pressed.clone_from(now);
}

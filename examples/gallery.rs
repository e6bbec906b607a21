//! Every scene and every scenario file, in one window. A file dropped on the window is played too, and again whenever it
//! changes.

#![expect(dead_code, reason = "the scenes are programs of their own, too, each with its `main`")]

mod arrive;
mod avoid_obstacles;
mod containment;
mod crossing;
mod custom_behavior;
mod doorway_queue;
mod events;
mod flee;
mod flock;
mod flock_100k;
mod hunter_prey;
#[path = "gallery/player.rs"]
mod player;
mod pursue_evade;
mod pursuit_race;
mod seek;
mod seek_flee;
mod wander;

use bevy::prelude::*;
use bevy_inspector_egui::bevy_egui::{EguiContexts, EguiPrimaryContextPass};
use bevy_inspector_egui::egui;
use clap::Args;
use player::Playlist;
use stage::{Next, Playing, Scene};

const SCENES: [Scene; 16] = [
    seek::SCENE,
    flee::SCENE,
    seek_flee::SCENE,
    arrive::SCENE,
    pursue_evade::SCENE,
    pursuit_race::SCENE,
    wander::SCENE,
    hunter_prey::SCENE,
    avoid_obstacles::SCENE,
    containment::SCENE,
    doorway_queue::SCENE,
    flock::SCENE,
    flock_100k::SCENE,
    crossing::SCENE,
    events::SCENE,
    custom_behavior::SCENE,
];

// Not a doc comment: that would be the first line of the help.
#[derive(Args)]
struct Options {
    /// Begin with this scene, or with this scenario file
    #[arg(value_name = "SCENE or FILE", default_value = "seek")]
    first: String,
}

fn main() -> AppExit {
    let (mut app, options) = stage::app::<Options>("gallery");
    for scene in SCENES.into_iter().chain([player::SCENE]) {
        scene.add_to(&mut app);
    }
    let first = SCENES.into_iter().find(|scene| scene.name == options.first);
    app.insert_resource(Playlist::new(first.is_none().then(|| options.first.into())))
        .insert_resource(Next(first.unwrap_or(player::SCENE)))
        .add_systems(Update, player::take_dropped_file)
        .add_systems(EguiPrimaryContextPass, show_list)
        .run()
}

fn show_list(
    mut contexts: EguiContexts,
    mut commands: Commands,
    playing: Option<Res<Playing>>,
    mut playlist: ResMut<Playlist>,
) -> Result {
    let context = contexts.ctx_mut()?;
    let playing = playing.map_or("", |playing| playing.0.name);
    let row = |ui: &mut egui::Ui, is_playing: bool, name: &str, about: &str| {
        let clicked = ui.selectable_label(is_playing, egui::RichText::new(name).strong()).clicked();
        ui.label(egui::RichText::new(about).small().weak());
        clicked
    };
    egui::Window::new("gallery").anchor(egui::Align2::LEFT_BOTTOM, [12.0, -12.0]).default_width(230.0).show(
        context,
        |ui| {
            egui::ScrollArea::vertical().max_height(440.0).show(ui, |ui| {
                ui.set_width(230.0);
                for scene in SCENES {
                    if row(ui, playing == scene.name, scene.name, scene.about) {
                        commands.insert_resource(Next(scene));
                    }
                }
                ui.separator();
                ui.label("scenario files (drop one on the window)");
                let mut chosen = None;
                for file in playlist.files() {
                    let is_playing = playing == player::SCENE.name && playlist.is_playing(file);
                    if row(ui, is_playing, &file.name, &file.about) {
                        chosen = Some(file.path.clone());
                    }
                }
                if let Some(path) = chosen {
                    playlist.play(path);
                    commands.insert_resource(Next(player::SCENE));
                }
            });
        },
    );
    if playing == player::SCENE.name
        && let Some(problem) = playlist.problem()
    {
        egui::Window::new("this file cannot be played")
            .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
            .collapsible(false)
            .show(context, |ui| ui.colored_label(egui::Color32::LIGHT_RED, problem));
    }
    Ok(())
}

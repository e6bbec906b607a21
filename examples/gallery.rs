//! Every scene and every scenario file in one window. It also plays a file that is dropped on the window, and restarts it when
//! the file changes.

#![expect(dead_code, reason = "each scene is also a program with its own `main`")]

mod arrive;
mod avoid_obstacles;
#[path = "gallery/buttons.rs"]
mod buttons;
mod cars;
mod containment;
mod crossing;
mod custom_behavior;
mod doorway_queue;
mod escort;
mod events;
mod flee;
mod flock;
mod flock_100k;
mod formation;
mod hide_and_seek;
mod hunter_prey;
mod maze;
mod paths;
mod pedestrians_50k;
#[path = "gallery/player.rs"]
mod player;
mod pursue_evade;
mod pursuit_race;
mod seek;
mod seek_flee;
mod sentries;
#[cfg_attr(target_family = "wasm", path = "gallery/page.rs")]
#[cfg_attr(not(target_family = "wasm"), path = "gallery/shelf.rs")]
mod shelf;
mod wander;

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_inspector_egui::bevy_egui::{EguiContexts, EguiPrimaryContextPass};
use bevy_inspector_egui::egui;
use clap::Args;
use player::Playlist;
use stage::{Next, Playing, Scene};

const SCENES: [Scene; 24] = [
    seek::SCENE,
    flee::SCENE,
    seek_flee::SCENE,
    arrive::SCENE,
    pursue_evade::SCENE,
    pursuit_race::SCENE,
    wander::SCENE,
    hunter_prey::SCENE,
    hide_and_seek::SCENE,
    sentries::SCENE,
    escort::SCENE,
    paths::SCENE,
    cars::SCENE,
    formation::SCENE,
    avoid_obstacles::SCENE,
    maze::SCENE,
    containment::SCENE,
    doorway_queue::SCENE,
    flock::SCENE,
    flock_100k::SCENE,
    crossing::SCENE,
    pedestrians_50k::SCENE,
    events::SCENE,
    custom_behavior::SCENE,
];

// Not a doc comment: that would be the first line of the help.
#[derive(Args)]
struct Options {
    /// Scene or scenario file to start with
    #[arg(value_name = "SCENE or FILE", default_value = "seek")]
    first: String,
}

fn main() -> AppExit {
    let (mut app, options) = stage::app::<Options>("gallery");
    for scene in SCENES.into_iter().chain([player::SCENE]) {
        scene.add_to(&mut app);
    }
    app.insert_resource(Playlist::new())
        .add_message::<Asked>()
        .add_plugins(buttons::plugin)
        .add_systems(Update, (shelf::listen, show_what_is_asked_for).chain())
        .add_systems(EguiPrimaryContextPass, show_list);
    app.world_mut().write_message(Asked(options.first.into()));
    app.run()
}

/// A request to show a scene or the scenario file at a path.
#[derive(Message)]
struct Asked(PathBuf);

fn show_what_is_asked_for(mut commands: Commands, mut asked: MessageReader<Asked>, mut playlist: ResMut<Playlist>) {
    for Asked(path) in asked.read() {
        let scene = SCENES.into_iter().find(|scene| path.as_os_str() == scene.name);
        if scene.is_none() {
            playlist.play(path.clone());
        }
        commands.insert_resource(Next(scene.unwrap_or(player::SCENE)));
    }
}

fn show_list(
    mut contexts: EguiContexts,
    mut commands: Commands,
    playing: Option<Res<Playing>>,
    mut playlist: ResMut<Playlist>,
) -> Result {
    let context = contexts.ctx_mut()?;
    let playing = playing.map_or("", |playing| playing.0.name);
    // A row is one button, so all of it can be clicked.
    let row = |ui: &mut egui::Ui, is_playing: bool, name: &str, about: &str| {
        let mut text = egui::text::LayoutJob::default();
        for line in [egui::RichText::new(name).strong(), egui::RichText::new(format!("\n{about}")).small()] {
            line.append_to(&mut text, ui.style(), egui::FontSelection::Default, egui::Align::Min);
        }
        let width = egui::vec2(ui.available_width(), 0.0);
        // The empty text on the right moves the other one to the left.
        ui.add(egui::Button::selectable(is_playing, text).wrap().min_size(width).right_text("")).clicked()
    };
    // On a small screen, the list must not cover the scene.
    let room = context.content_rect().size();
    let is_large = room.x > 800.0 && room.y > 400.0;
    let window = egui::Window::new("gallery").id(egui::Id::new(("gallery", is_large)));
    let window = if is_large {
        window.anchor(egui::Align2::LEFT_BOTTOM, [12.0, -12.0])
    } else {
        window.anchor(egui::Align2::LEFT_TOP, [12.0, 120.0])
    };
    window.default_width(230.0).default_open(is_large).show(context, |ui| {
        egui::ScrollArea::vertical().max_height((room.y - 200.0).clamp(100.0, 440.0)).show(ui, |ui| {
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
    });
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

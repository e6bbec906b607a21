//! The window, or one line that says why it cannot be opened.

use std::panic;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::app::PluginGroupBuilder;
use bevy::log::{Level, LogPlugin};
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::window::WindowResolution;

use crate::VIEW;

/// Whether the window is open and can be drawn to.
static OPEN: AtomicBool = AtomicBool::new(false);

/// The plugins that open a window and draw to it. If that is not possible, the process prints one line and exits with status 1.
///
/// With `complete_frames`, a frame waits until all that is in it can be drawn.
pub(crate) fn plugin(name: &'static str, complete_frames: bool) -> PluginGroupBuilder {
    if cfg!(not(target_family = "wasm")) {
        explain_failure_to_open(name);
    }
    let window = Window {
        title: format!("bevy_steerling: {name}"),
        resolution: WindowResolution::new(VIEW.x as u32, VIEW.y as u32),
        // For the web page.
        canvas: Some("#scene".to_owned()),
        fit_canvas_to_parent: true,
        ..default()
    };
    let renderer = RenderPlugin { synchronous_pipeline_compilation: complete_frames, ..default() };
    DefaultPlugins
        .set(renderer)
        .set(WindowPlugin { primary_window: Some(window), ..default() })
        .set(LogPlugin { level: Level::ERROR, filter: "wgpu_hal::vulkan::instance=off".into(), ..default() })
        .add(|app: &mut App| {
            app.add_systems(PreStartup, || OPEN.store(true, Ordering::Relaxed));
        })
}

/// Replaces the panic that Bevy raises without a display or a graphics driver with one line of text.
fn explain_failure_to_open(name: &'static str) {
    let report_panic = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if OPEN.load(Ordering::Relaxed) {
            report_panic(info);
            return;
        }
        let reason = info.payload_as_str().unwrap_or_default();
        let cause = if reason.contains("event loop") {
            "no display found".to_owned()
        } else if reason.contains("GPU") {
            "no graphics driver found (mesa-vulkan-drivers on Debian draws without a GPU)".to_owned()
        } else {
            format!("the window cannot be opened ({})", reason.lines().next().unwrap_or("for no known reason"))
        };
        eprintln!(
            "{name}: {cause}; to run without a window: cargo run --release -p steerling_cli -- run assets/scenarios/seek.json"
        );
        process::exit(1);
    }));
}

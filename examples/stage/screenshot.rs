//! `--screenshot FILE --after SECONDS`: saves a reproducible picture and exits.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::time::TimeUpdateStrategy;
use bevy_steerling::debug::SteeringGizmos;
use clap::{Args, CommandFactory, FromArgMatches, Parser};

use crate::TICKS_PER_FRAME;

#[derive(Parser)]
struct Arguments<O: Args> {
    /// Save a picture of the scene and exit
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// Take the picture after this time in the scene
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, requires = "screenshot", value_parser = seconds)]
    after: f32,
    /// Start with the thoughts of the behaviors drawn, as after pressing G
    #[arg(long)]
    debug: bool,
    #[command(flatten)]
    options: O,
}

fn seconds(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0 to 1e6".to_owned()),
    }
}

/// Parses the command line into a plugin, and the options of the scene.
pub(crate) fn from_command_line<O: Args>(name: &'static str) -> (ScreenshotPlugin, O) {
    let command = Arguments::<O>::command().name(name);
    // A web page has no command line.
    let matches = if cfg!(target_family = "wasm") { command.get_matches_from([name]) } else { command.get_matches() };
    let Arguments { screenshot, after, debug, options } =
        Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let request = screenshot.map(|path| Request { path, after });
    (ScreenshotPlugin { request, debug }, options)
}

/// Takes the requested screenshot, if any.
pub(crate) struct ScreenshotPlugin {
    request: Option<Request>,
    /// Whether the thoughts of the behaviors are drawn from the start.
    debug: bool,
}

impl ScreenshotPlugin {
    pub(crate) fn is_requested(&self) -> bool {
        self.request.is_some()
    }
}

impl Plugin for ScreenshotPlugin {
    fn build(&self, app: &mut App) {
        let debug = self.debug;
        let show_thoughts = move |mut gizmos: ResMut<GizmoConfigStore>| {
            gizmos.config_mut::<SteeringGizmos>().0.enabled = debug;
        };
        app.add_systems(Startup, show_thoughts);
        if let Some(request) = self.request.clone() {
            app.insert_resource(request)
                .insert_resource(TimeUpdateStrategy::FixedTimesteps(TICKS_PER_FRAME))
                .add_systems(Update, draw_last_frames)
                .add_systems(PostUpdate, take_screenshot);
        }
    }
}

/// A request for a screenshot.
#[derive(Resource, Clone)]
pub(crate) struct Request {
    path: PathBuf,
    /// The time in the scene, seconds.
    pub(crate) after: f32,
}

/// Draws nothing until shortly before the screenshot, because drawing without a GPU takes long.
fn draw_last_frames(request: Res<Request>, time: Res<Time<Virtual>>, mut cameras: Query<&mut Camera>) {
    for mut camera in &mut cameras {
        camera.is_active = time.elapsed_secs() + 1.0 > request.after;
    }
}

fn take_screenshot(mut commands: Commands, request: Res<Request>, time: Res<Time<Virtual>>, mut taken: Local<bool>) {
    if !*taken && time.elapsed_secs() >= request.after {
        *taken = true;
        commands.spawn(Screenshot::primary_window()).observe(save_and_exit);
    }
}

fn save_and_exit(captured: On<ScreenshotCaptured>, request: Res<Request>, mut exit: MessageWriter<AppExit>) {
    let saved = match captured.image.clone().try_into_dynamic() {
        // Drop transparency, because whatever is behind the window does not belong to the picture.
        Ok(picture) => picture.to_rgb8().save(&request.path).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    exit.write(match saved {
        Ok(()) => AppExit::Success,
        Err(error) => {
            eprintln!("{}: cannot be written: {error}", request.path.display());
            AppExit::error()
        }
    });
}

//! `--screenshot FILE --after SECONDS`: a picture, the same every time, and then the end.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::time::TimeUpdateStrategy;
use bevy_steerling::debug::SteeringGizmos;
use clap::{Args, CommandFactory, FromArgMatches, Parser};

use crate::panel::Panel;

/// Of a picture only the end is seen: so many ticks are one frame.
const TICKS_PER_FRAME: u32 = 4;

#[derive(Parser)]
struct Arguments<O: Args> {
    /// Save a picture of the scene, and exit
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// Take the picture after this time in the scene
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, requires = "screenshot", value_parser = seconds)]
    after: f32,
    /// Begin with what the behaviors think, as after G
    #[arg(long)]
    debug: bool,
    /// Begin with the panel open, as after P
    #[arg(long)]
    panel: bool,
    #[command(flatten)]
    options: O,
}

fn seconds(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0 to 1e6".to_owned()),
    }
}

/// Does what the command line asks for; and what the scene itself takes from there.
pub(crate) fn from_command_line<O: Args>(name: &'static str) -> (impl Plugin, O) {
    let command = Arguments::<O>::command().name(name);
    // A page has no command line.
    let matches = if cfg!(target_family = "wasm") { command.get_matches_from([name]) } else { command.get_matches() };
    let Arguments { screenshot, after, debug, panel, options } =
        Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let plugin = move |app: &mut App| {
        let show_thoughts = move |mut gizmos: ResMut<GizmoConfigStore>| {
            gizmos.config_mut::<SteeringGizmos>().0.enabled = debug;
        };
        app.add_systems(Startup, show_thoughts).insert_resource(Panel { open: panel, ..default() });
        if let Some(path) = screenshot.clone() {
            app.insert_resource(Request { path, after })
                .insert_resource(TimeUpdateStrategy::FixedTimesteps(TICKS_PER_FRAME))
                .add_systems(PostUpdate, take_screenshot);
        }
    };
    (plugin, options)
}

/// That a picture is to be taken.
#[derive(Resource)]
pub(crate) struct Request {
    path: PathBuf,
    after: f32,
}

fn take_screenshot(mut commands: Commands, request: Res<Request>, time: Res<Time<Virtual>>, mut taken: Local<bool>) {
    if !*taken && time.elapsed_secs() >= request.after {
        *taken = true;
        commands.spawn(Screenshot::primary_window()).observe(save_and_exit);
    }
}

fn save_and_exit(captured: On<ScreenshotCaptured>, request: Res<Request>, mut exit: MessageWriter<AppExit>) {
    let saved = match captured.image.clone().try_into_dynamic() {
        // Without transparency: what is behind the window is not part of the picture.
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

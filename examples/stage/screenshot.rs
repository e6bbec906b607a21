//! `--screenshot FILE --after SECONDS`: a picture, and then the end.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use clap::{CommandFactory, FromArgMatches, Parser};

#[derive(Parser)]
struct Args {
    /// Save a picture of the scene, and exit
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// Take the picture after this time in the scene
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, requires = "screenshot", value_parser = seconds)]
    after: f32,
}

fn seconds(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0 to 1e6".to_owned()),
    }
}

/// Takes the picture that the command line asks for, if it does.
pub(crate) fn from_command_line(name: &'static str) -> impl Plugin {
    let matches = Args::command().name(name).get_matches();
    let args = Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    move |app: &mut App| {
        if let Some(path) = args.screenshot.clone() {
            app.insert_resource(Request { path, after: args.after }).add_systems(PostUpdate, take_screenshot);
        }
    }
}

#[derive(Resource)]
struct Request {
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

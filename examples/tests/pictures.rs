//! Compares the scenes, rendered without a GPU, with the pictures in `assets/pictures/scenes`.
//!
//! Needs a real or virtual display, and the scenes:
//!
//! ```sh
//! cargo build --examples && cargo test -p steerling_examples --test pictures -- --ignored
//! ```
//!
//! With `ACCEPT_PICTURES=1` it stores the rendered pictures as the expected ones.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use image::RgbImage;
use image::imageops::{self, FilterType};

/// The least similarity to the expected picture; 1 means identical.
const LIKENESS: f64 = 0.98;
/// A quarter of the window.
const SIZE: (u32, u32) = (640, 360);

/// All scenes except the largest, and the time of each picture, seconds.
const SCENES: [(&str, f32); 22] = [
    ("arrive", 4.0),
    ("avoid_obstacles", 5.0),
    ("cars", 7.0),
    ("containment", 5.0),
    ("crossing", 5.0),
    ("custom_behavior", 9.2),
    ("doorway_queue", 6.0),
    ("escort", 6.0),
    ("events", 6.0),
    ("flee", 2.0),
    ("flock", 6.0),
    ("formation", 9.0),
    ("gallery", 1.0),
    ("hide_and_seek", 8.0),
    ("hunter_prey", 4.0),
    ("maze", 5.0),
    ("paths", 5.0),
    ("pursue_evade", 20.3),
    ("pursuit_race", 4.0),
    ("seek", 3.0),
    ("seek_flee", 4.0),
    ("wander", 2.5),
];

/// The folder of the programs that cargo builds from the scenes, next to that of this test.
fn programs() -> PathBuf {
    let test = env::current_exe().expect("this is a program");
    test.parent().and_then(Path::parent).expect("it is in target/debug/deps").join("examples")
}

/// Renders a scene, and returns the picture at a quarter of its size.
fn draw(scene: &str, after: f32, options: &[&str], file: &Path) -> RgbImage {
    let program = programs().join(scene);
    let run = Command::new(&program)
        .args(["--after", &after.to_string(), "--screenshot"])
        .arg(file)
        .args(options)
        .status()
        .unwrap_or_else(|error| panic!("{}: {error}: cargo build --examples comes first", program.display()));
    assert!(run.success(), "{scene}: {run}");
    let picture = image::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display())).to_rgb8();
    imageops::resize(&picture, SIZE.0, SIZE.1, FilterType::Triangle)
}

fn like_expected(scenes: &[(&str, f32)], variant: &str, options: &[&str]) {
    let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/pictures/scenes");
    let drawn = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut unlike = Vec::new();
    for (scene, after) in scenes {
        let name = format!("{scene}{variant}.png");
        let (expected, file) = (expected.join(&name), drawn.join(&name));
        let picture = draw(scene, *after, options, &file);
        if env::var_os("ACCEPT_PICTURES").is_some() {
            picture.save(&expected).unwrap_or_else(|error| panic!("{}: {error}", expected.display()));
            continue;
        }
        let stored = image::open(&expected).unwrap_or_else(|error| panic!("{}: {error}", expected.display())).to_rgb8();
        let likeness = image_compare::rgb_hybrid_compare(&stored, &picture).expect("they are of one size").score;
        println!("{name}: {likeness:.4}");
        if likeness < LIKENESS {
            unlike.push(format!("{} is {likeness:.4} like {}", file.display(), expected.display()));
        } else {
            fs::remove_file(&file).expect("it was just written");
        }
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
}

#[test]
#[ignore = "needs a screen"]
fn every_scene_looks_as_it_did() {
    like_expected(&SCENES, "", &[]);
}

#[test]
#[ignore = "needs a screen"]
fn every_scene_shows_what_its_behaviors_think() {
    like_expected(&SCENES, "-debug", &["--debug"]);
}

/// This picture shows times, so it differs in each run.
#[test]
#[ignore = "needs a screen"]
fn a_hundred_thousand_are_seen() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("flock_100k.png");
    let picture = draw("flock_100k", 1.0, &[], &file);
    let birds = picture.pixels().filter(|pixel| pixel.0[2] > 100).count();
    assert!(birds > picture.pixels().len() / 10, "{birds} pixels in {}", file.display());
}

#[test]
#[ignore = "needs a screen"]
fn the_panel_shows_every_field() {
    like_expected(&[("hunter_prey", 4.0), ("flock", 6.0)], "-panel", &["--panel"]);
}

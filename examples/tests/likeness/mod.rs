//! Draws scenes without a GPU, and compares them with the expected pictures.

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

/// The folder of the programs that cargo builds from the scenes, next to that of this test.
fn programs() -> PathBuf {
    let test = env::current_exe().expect("this is a program");
    test.parent().and_then(Path::parent).expect("it is in target/debug/deps").join("examples")
}

/// Renders a scene, and returns the picture at a quarter of its size.
pub fn draw(scene: &str, after: f32, options: &[&str], file: &Path) -> RgbImage {
    let program = programs().join(scene);
    let run = Command::new(&program)
        .args(["--after", &after.to_string(), "--screenshot"])
        .arg(file)
        .args(options)
        .status()
        .unwrap_or_else(|error| panic!("{}: {error}: the examples must be built first", program.display()));
    assert!(run.success(), "{scene}: {run}");
    let picture = image::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display())).to_rgb8();
    imageops::resize(&picture, SIZE.0, SIZE.1, FilterType::Triangle)
}

/// Draws each scene at its time, seconds, and compares it with the picture of its name and `variant` in the repository.
pub fn like_expected(scenes: &[(&str, f32)], variant: &str, options: &[&str]) {
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

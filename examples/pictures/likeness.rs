//! Draws scenes without a GPU, and compares them with the expected pictures.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use image::RgbImage;
use image::imageops::{self, FilterType};

/// A quarter of the window.
const SIZE: (u32, u32) = (640, 360);
/// Two pixels differ if a channel differs by more than this, of 255.
const TOLERANCE: u8 = 40;
/// The width and height of a window of the comparison, pixels. Windows overlap by half.
const WINDOW: u32 = 16;
/// The largest number of pixels in a window that may differ: less than those of the smallest agent.
const MOST: usize = 6;

/// The folder of the programs that cargo builds from the scenes, next to that of this test.
fn programs() -> PathBuf {
    let test = env::current_exe().expect("this is a program");
    test.parent().and_then(Path::parent).expect("it is in target/debug/deps").join("examples")
}

fn open(file: &Path) -> RgbImage {
    image::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display())).to_rgb8()
}

/// Renders a scene to a file, and returns the picture at a quarter of its size.
pub fn draw(scene: &str, after: f32, options: &[&str], file: &Path) -> RgbImage {
    let program = programs().join(scene);
    let run = Command::new(&program)
        .args(["--after", &after.to_string(), "--screenshot"])
        .arg(file)
        .args(options)
        .status()
        .unwrap_or_else(|error| panic!("{}: {error}: the examples must be built first", program.display()));
    assert!(run.success(), "{scene}: {run}");
    imageops::resize(&open(file), SIZE.0, SIZE.1, FilterType::Triangle)
}

/// The folder of the expected pictures.
fn expected_pictures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/pictures/scenes")
}

/// Draws each scene at its time, seconds, and compares it with the picture of its name and `variant` in the repository. Pictures that
/// differ stay in the folder `drawn`.
pub fn like_expected(scenes: &[(&str, f32)], variant: &str, options: &[&str], drawn: &Path) {
    let mut unlike = Vec::new();
    for (scene, after) in scenes {
        let name = format!("{scene}{variant}.png");
        let (expected, file) = (expected_pictures().join(&name), drawn.join(&name));
        let picture = draw(scene, *after, options, &file);
        if env::var_os("ACCEPT_PICTURES").is_some() {
            picture.save(&expected).unwrap_or_else(|error| panic!("{}: {error}", expected.display()));
            continue;
        }
        let Difference { pixels, place: (x, y) } = difference(&open(&expected), &picture);
        println!("{name}: at most {pixels} pixels of a window differ");
        if pixels > MOST {
            let (file, expected) = (file.display(), expected.display());
            unlike.push(format!("{file} differs from {expected} in {pixels} pixels near ({x}, {y})"));
        } else {
            fs::remove_file(&file).expect("it was just written");
        }
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
}

/// The window in which two pictures differ most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Difference {
    /// The number of pixels that differ in a window.
    pixels: usize,
    /// The top left corner of the window.
    place: (u32, u32),
}

/// Finds the window in which two pictures of the same size differ most. A missing detail counts as much as a change of the whole picture.
fn difference(expected: &RgbImage, picture: &RgbImage) -> Difference {
    assert_eq!(expected.dimensions(), picture.dimensions());
    let (width, height) = expected.dimensions();
    let differs = expected.pixels().zip(picture.pixels());
    let differs = differs.map(|(a, b)| a.0.into_iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > TOLERANCE));
    let differs: Vec<bool> = differs.collect();
    let mut most = Difference::default();
    for top in (0..height).step_by(WINDOW as usize / 2) {
        for left in (0..width).step_by(WINDOW as usize / 2) {
            let (right, bottom) = ((left + WINDOW).min(width), (top + WINDOW).min(height));
            let rows = (top..bottom).map(|y| &differs[(y * width + left) as usize..(y * width + right) as usize]);
            let pixels = rows.flatten().filter(|differs| **differs).count();
            if pixels > most.pixels {
                most = Difference { pixels, place: (left, top) };
            }
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pixels of each thing in a picture: of those that differ from the most frequent color and touch each other.
    fn things(picture: &RgbImage) -> (Vec<Vec<(u32, u32)>>, image::Rgb<u8>) {
        let ground = *picture.get_pixel(2, picture.height() / 2);
        let stands_out = |x, y| {
            picture.get_pixel(x, y).0.into_iter().zip(ground.0).any(|(a, b): (u8, u8)| a.abs_diff(b) > TOLERANCE)
        };
        let mut seen = vec![false; (picture.width() * picture.height()) as usize];
        let mut things = Vec::new();
        for (x, y) in (0..picture.height()).flat_map(|y| (0..picture.width()).map(move |x| (x, y))) {
            let (mut thing, mut next) = (Vec::new(), vec![(x, y)]);
            while let Some((x, y)) = next.pop() {
                let place = (y * picture.width() + x) as usize;
                if seen[place] || !stands_out(x, y) {
                    continue;
                }
                seen[place] = true;
                thing.push((x, y));
                let columns = x.saturating_sub(1)..=(x + 1).min(picture.width() - 1);
                next.extend(
                    columns
                        .flat_map(|x| (y.saturating_sub(1)..=(y + 1).min(picture.height() - 1)).map(move |y| (x, y))),
                );
            }
            if !thing.is_empty() {
                things.push(thing);
            }
        }
        (things, ground)
    }

    #[test]
    fn a_missing_agent_arrow_or_letter_is_a_difference() {
        let mut erased = 0;
        for scene in ["seek", "wander", "flock", "events", "hunter_prey-debug", "wander-debug", "doorway_queue"] {
            let expected = open(&expected_pictures().join(format!("{scene}.png")));
            assert_eq!(difference(&expected, &expected).pixels, 0);
            let (things, ground) = things(&expected);
            for thing in things.into_iter().filter(|thing| thing.len() > 2 * MOST) {
                let mut picture = expected.clone();
                thing.iter().for_each(|&(x, y)| picture.put_pixel(x, y, ground));
                assert!(difference(&expected, &picture).pixels > MOST, "{scene}: {:?}", thing[0]);
                erased += 1;
            }
        }
        assert!(erased > 300, "{erased} things");
    }

    #[test]
    fn a_slightly_different_color_is_none() {
        let expected = open(&expected_pictures().join("flock.png"));
        let mut picture = expected.clone();
        picture.iter_mut().for_each(|channel| *channel = channel.saturating_add(TOLERANCE / 2));
        assert_eq!(difference(&expected, &picture), Difference::default());
    }
}

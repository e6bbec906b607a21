//! Compares the scenes, rendered without a GPU, with the pictures in `assets/pictures/scenes`.
//!
//! Needs a real or virtual display, and the scenes:
//!
//! ```sh
//! cargo build --workspace --examples --features steerling_examples/gallery
//! cargo test -p steerling_pictures -- --ignored
//! ```
//!
//! With `ACCEPT_PICTURES=1` it stores the rendered pictures as the expected ones.

use std::path::Path;

use steerling_pictures::{draw, like_expected};

/// All scenes in two dimensions except the largest, and the time of each picture, seconds.
const SCENES: [(&str, f32); 23] = [
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
    ("sentries", 7.0),
    ("wander", 2.5),
];

/// The 3D scenes. The last draws no gizmos.
const SCENES_3D: [(&str, f32); 5] =
    [("cars_3d", 6.0), ("drones", 8.0), ("ground_crowd", 20.0), ("space_chase", 16.0), ("fish", 10.0)];

/// The folder for new pictures.
fn drawn() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

#[test]
#[ignore = "needs a screen"]
fn every_scene_looks_as_it_did() {
    like_expected(&SCENES, "", &[], drawn());
}

#[test]
#[ignore = "needs a screen"]
fn every_scene_shows_what_its_behaviors_think() {
    like_expected(&SCENES, "-debug", &["--debug"], drawn());
}

#[test]
#[ignore = "needs a screen"]
fn every_3d_scene_looks_as_it_did() {
    like_expected(&SCENES_3D, "", &[], drawn());
}

#[test]
#[ignore = "needs a screen"]
fn every_3d_scene_shows_what_its_behaviors_think() {
    like_expected(&SCENES_3D[..4], "-debug", &["--debug"], drawn());
}

/// These pictures show times, so they differ in each run.
#[test]
#[ignore = "needs a screen"]
fn tens_of_thousands_are_seen() {
    for scene in ["flock_100k", "pedestrians_50k"] {
        let file = drawn().join(format!("{scene}.png"));
        let picture = draw(scene, 1.0, &[], &file);
        let bright = picture.pixels().filter(|pixel| pixel.0[2] > 60).count();
        assert!(bright > picture.pixels().len() / 20, "{bright} pixels in {}", file.display());
    }
}

#[test]
#[ignore = "needs a screen"]
fn the_panel_shows_every_field() {
    like_expected(&[("hunter_prey", 4.0), ("flock", 6.0)], "-panel", &["--panel"], drawn());
}

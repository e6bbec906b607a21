//! Compares the 3D scenes, rendered without a GPU, with the pictures in `assets/pictures/scenes`.
//!
//! Needs a real or virtual display, and the scenes. In this folder:
//!
//! ```sh
//! cargo build --examples && cargo test --test pictures -- --ignored
//! ```
//!
//! With `ACCEPT_PICTURES=1` it stores the rendered pictures as the expected ones.

#[path = "../../examples/tests/likeness/mod.rs"]
mod likeness;

const SCENES: [(&str, f32); 5] =
    [("cars_3d", 6.0), ("drones", 8.0), ("fish", 10.0), ("ground_crowd", 20.0), ("space_chase", 16.0)];

/// The scenes with gizmos.
const THOUGHTFUL: [(&str, f32); 4] = [SCENES[0], SCENES[1], SCENES[3], SCENES[4]];

#[test]
#[ignore = "needs a screen"]
fn every_scene_looks_as_it_did() {
    likeness::like_expected(&SCENES, "", &[]);
}

#[test]
#[ignore = "needs a screen"]
fn every_scene_shows_what_its_behaviors_think() {
    likeness::like_expected(&THOUGHTFUL, "-debug", &["--debug"]);
}

//! A world in three dimensions that is exported and read again is the same.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use steerling_scenario_3d::export;

use crate::exporting::{
    check_that_an_export_starts_there, check_that_every_field_is_there, check_that_exports_move_alike,
    check_that_nothing_changes, exported, parse,
};
use crate::project::files;

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");
const EVERY_FIELD: &str = include_str!("../data/every_field.json");

#[test]
fn every_scenario_of_the_project_moves_as_its_export_does() {
    for (name, file) in files(format!("{ASSETS}/scenarios/space")) {
        check_that_exports_move_alike(&name, file, 300);
    }
}

#[test]
fn every_field_is_exported() {
    check_that_every_field_is_there(EVERY_FIELD, &["name", "about", "ticks", "remove"]);
    check_that_nothing_changes(EVERY_FIELD);
}

#[test]
fn an_export_in_the_middle_of_a_run_starts_with_the_same_positions_and_velocities() {
    for (name, file) in files(format!("{ASSETS}/scenarios/space")) {
        check_that_an_export_starts_there(&name, &file);
    }
}

#[test]
fn a_region_in_a_convex_hull_keeps_its_corners() {
    let region = r#"{"convex_hull": {"points": [[-50, -50, -50], [50, -50, -50], [0, 50, -50], [0, 0, 50.5]]}}"#;
    let text = format!(
        r#"{{"dimensions": 3, "agents": [{{"id": "a", "position": [0, 0, 0], "behaviors": [{{"contain": {{"region": {region}}}}}]}}]}}"#
    );
    let exported = exported(&parse(&text));
    assert_eq!(exported.left_out, []);
    for corner in ["[-50, -50, -50]", "[50, -50, -50]", "[0, 50, -50]", "[0, 0, 50.5]"] {
        assert!(exported.text.contains(corner), "{corner}: {}", exported.text);
    }
}

#[test]
fn turned_shapes_and_bad_numbers_are_exported_or_listed() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default()));
    let hull = ConvexHull::new([Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]).expect("it has a volume");
    let turned = Transform::from_rotation(Quat::from_rotation_x(0.7)).with_translation(Vec3::splat(3.0));
    for shape in [
        Cuboid::new(1.0, 2.0, 3.0).into(),
        Capsule3d::new(1.0, 5.0).into(),
        Cylinder::new(1.0, f32::INFINITY).into(),
        Sphere::new(f32::NAN).into(),
        InfinitePlane3d::new(Vec3::Y).into(),
        ObstacleShape::from(hull),
    ] {
        app.world_mut().spawn((Obstacle::new(shape.clone()), turned));
        app.world_mut().spawn((Obstacle::new(shape), Transform::from_xyz(f32::NAN, 0.0, 0.0), Name::new("nowhere")));
    }
    let far = (Obstacle::new(Capsule3d::new(1.0, 4e8)), Transform::from_xyz(0.0, 9e8, 0.0), Name::new("far"));
    app.world_mut().spawn(far);
    let exported = export(app.world());
    assert_eq!(parse(&exported.text).obstacle_count(), 6, "{}", exported.text);
    assert!(exported.text.contains("0.7"), "{}", exported.text);
    for name in ["nowhere", "far"] {
        assert!(exported.left_out.iter().any(|left_out| left_out.places.contains(&name.to_owned())), "{name}");
    }
}

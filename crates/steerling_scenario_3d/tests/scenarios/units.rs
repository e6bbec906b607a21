//! No behavior has a length or a mass of its own: a scene moves in the same way in meters and in pixels, in kilograms and in tons.

use crate::project::files;
use crate::scaling::check_that_units_do_not_matter;

#[test]
fn the_units_of_length_and_mass_do_not_matter() {
    let every_field = serde_json::from_str(include_str!("../data/every_field.json")).expect("it is JSON");
    check_that_units_do_not_matter("every field", &every_field, 120);
    let files = files(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/scenarios/space"));
    assert!(files.len() >= 3, "{} files", files.len());
    for (name, file) in files {
        check_that_units_do_not_matter(&name, &file, 60);
    }
}

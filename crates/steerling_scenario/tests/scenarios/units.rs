//! No behavior has a length or a mass of its own: a scene moves in the same way in meters and in pixels, in kilograms and in tons.

use crate::project::files;
use crate::scaling::check_that_units_do_not_matter;

const SCENARIOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/scenarios");

#[test]
fn the_units_of_length_and_mass_do_not_matter() {
    let every_field = serde_json::from_str(include_str!("../data/every_field.json")).expect("it is JSON");
    check_that_units_do_not_matter("every field", &every_field, 120);
    let mut checked = 0;
    for (folder, most) in [("", 60), ("figures", 1000), ("hard", 120), ("steerbench", 120)] {
        for (name, file) in files(format!("{SCENARIOS}/{folder}")) {
            let ticks = file["ticks"].as_u64().map_or(most, |ticks| ticks.min(most));
            check_that_units_do_not_matter(&name, &file, ticks);
            checked += 1;
        }
    }
    assert!(checked > 90, "{checked} files");
}

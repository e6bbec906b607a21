//! Writes the map of the scene, `assets/rooms.ldtk`, from the drawing in `assets/rooms.txt`.

use std::error::Error;
use std::fs;

use steerling_tiles::map;

fn main() -> Result<(), Box<dyn Error>> {
    let text = serde_json::to_string_pretty(&map::map(map::ROOMS))?;
    fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/rooms.ldtk"), text + "\n")?;
    Ok(())
}

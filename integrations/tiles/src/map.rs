//! Maps drawn with characters, written as `LDtk` files.

use bevy::prelude::*;
use bevy_ecs_ldtk::ldtk::{
    Definitions, IntGridValueDefinition, LayerDefinition, LayerInstance, LdtkJson, Level, Type, WorldLayout,
};

/// The int grid value of walls, drawn as `#`.
pub const WALL: i32 = 1;
/// The int grid value of closed doors, drawn as `+`.
pub const DOOR: i32 = 2;
/// The int grid value of open doors, drawn as `'`.
pub const OPEN_DOOR: i32 = 3;

/// The int grid values, with their names and colors.
pub const VALUES: [(i32, &str, Color); 3] = [
    (WALL, "wall", Color::srgb(0.376, 0.408, 0.478)),
    (DOOR, "door", Color::srgb(0.690, 0.478, 0.243)),
    (OPEN_DOOR, "open_door", Color::srgb(0.227, 0.196, 0.165)),
];

/// The size of a tile, units.
pub const TILE: i32 = 16;

/// The map of the scene. It is kept in `assets/rooms.ldtk`; `cargo run --example write_map` writes it again.
pub const ROOMS: &str = include_str!("../assets/rooms.txt");

/// A map with one layer of int grid values. Lines that are too short are filled up with floor.
pub fn map(drawing: &str) -> LdtkJson {
    let lines: Vec<&str> = drawing.lines().collect();
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let value = |tile: char| match tile {
        '#' => WALL,
        '+' => DOOR,
        '\'' => OPEN_DOOR,
        _ => 0,
    };
    let row = |line: &&str| -> Vec<i32> { line.chars().map(value).chain(std::iter::repeat(0)).take(columns).collect() };
    let values: Vec<i32> = lines.iter().flat_map(row).collect();
    let (wide, high) = (columns as i32, lines.len() as i32);
    let background = Color::srgb_u8(24, 27, 34);
    let layer = LayerInstance {
        c_wid: wide,
        c_hei: high,
        grid_size: TILE,
        identifier: "Walls".to_owned(),
        opacity: 1.0,
        layer_instance_type: Type::IntGrid,
        iid: "a2f1c3d0-66f0-11ee-8c99-0242ac120002".to_owned(),
        int_grid_csv: values,
        layer_def_uid: 1,
        level_id: 2,
        seed: 1,
        visible: true,
        ..default()
    };
    let level = Level {
        bg_color: background,
        smart_color: background,
        identifier: "Rooms".to_owned(),
        iid: "b6e4a1f0-66f0-11ee-8c99-0242ac120002".to_owned(),
        layer_instances: Some(vec![layer]),
        px_wid: wide * TILE,
        px_hei: high * TILE,
        uid: 2,
        ..default()
    };
    LdtkJson {
        bg_color: background,
        default_level_bg_color: background,
        default_grid_size: TILE,
        default_level_width: Some(wide * TILE),
        default_level_height: Some(high * TILE),
        world_grid_width: Some(wide * TILE),
        world_grid_height: Some(high * TILE),
        world_layout: Some(WorldLayout::Free),
        defs: Definitions { layers: vec![definition()], ..default() },
        dummy_world_iid: "c0a5b2e0-66f0-11ee-8c99-0242ac120002".to_owned(),
        iid: "c7d9e3a0-66f0-11ee-8c99-0242ac120002".to_owned(),
        json_version: "1.5.3".to_owned(),
        level_name_pattern: "Level_%idx".to_owned(),
        levels: vec![level],
        next_uid: 3,
        ..default()
    }
}

fn definition() -> LayerDefinition {
    let value = |(value, name, color): (i32, &str, Color)| IntGridValueDefinition {
        color,
        identifier: Some(name.to_owned()),
        value,
        ..default()
    };
    LayerDefinition {
        layer_definition_type: "IntGrid".to_owned(),
        purple_type: Type::IntGrid,
        display_opacity: 1.0,
        inactive_opacity: 0.6,
        grid_size: TILE,
        identifier: "Walls".to_owned(),
        int_grid_values: VALUES.map(value).into(),
        render_in_world_view: true,
        parallax_scaling: true,
        uid: 1,
        ..default()
    }
}

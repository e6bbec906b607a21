//! Maps that `bevy_ecs_ldtk` loads: their walls are obstacles, and those that are wrong are errors.

mod common;

use std::time::Duration;

use bevy::asset::LoadState;
use bevy::prelude::*;
use bevy_ecs_ldtk::ldtk::{LayerInstance, LdtkJson};
use bevy_ecs_ldtk::prelude::*;
use bevy_steerling::prelude::*;
use common::{Dice, app_with, distance, drawing, loaded, maze, noise};
use steerling_tiles::check::{MapError, check};
use steerling_tiles::cover::WallGrid;
use steerling_tiles::map::{self, TILE};
use steerling_tiles::walls::TileWall;

/// Compares the distance to obstacles with the distance to tiles, at random places.
fn assert_same(app: &mut App, grid: &WallGrid, dice: &mut Dice) {
    let obstacles = app.world().resource::<Obstacles>();
    let size = grid.size().as_vec2() * TILE as f32;
    for _ in 0..400 {
        let place = (1.4 * Vec2::new(dice.uniform(), dice.uniform()) - 0.2) * size;
        let nearest = obstacles.nearest(place, f32::INFINITY, &ObstacleFilter::default());
        let (found, expected) = (nearest.map_or(f32::INFINITY, |hit| hit.distance), distance(grid, place));
        let is_same = if expected < 0.0 { found <= 0.0 } else { (found - expected).abs() < 1e-2 || found == expected };
        assert!(is_same, "{place}: {found} from obstacles, {expected} from tiles of\n{}", drawing(grid));
    }
}

#[test]
fn obstacles_are_exactly_the_wall_tiles() {
    let mut dice = Dice::new(10);
    for round in 0..12 {
        let grid = if round % 2 == 0 {
            let size = UVec2::new(4 + dice.pick(30) as u32, 4 + dice.pick(20) as u32);
            let mut grid = noise(&mut dice, size, 0.4);
            grid.set_wall(IVec2::ZERO, true);
            grid
        } else {
            maze(&mut dice, IVec2::new(3, 2 + round))
        };
        let mut app = loaded(&drawing(&grid));
        assert_same(&mut app, &grid, &mut dice);
    }
}

#[test]
fn obstacles_follow_tiles_that_change() {
    let mut dice = Dice::new(11);
    for _ in 0..4 {
        let mut grid = maze(&mut dice, IVec2::new(6, 5));
        let mut app = loaded(&drawing(&grid));
        for _ in 0..10 {
            let world = app.world_mut();
            let mut cells: Vec<(Entity, IVec2)> = world
                .query_filtered::<(Entity, &GridCoords), With<IntGridCell>>()
                .iter(world)
                .map(|(entity, coords)| (entity, (*coords).into()))
                .collect();
            cells.sort_by_key(|(entity, _)| *entity);
            for _ in 0..1 + dice.pick(8) {
                // A tile breaks, comes back, or is despawned.
                let (entity, tile) = cells.swap_remove(dice.pick(cells.len()));
                let value = if dice.uniform() < 0.5 { map::WALL } else { 0 };
                if dice.uniform() < 0.2 {
                    world.despawn(entity);
                    grid.set_wall(tile, false);
                } else {
                    world.entity_mut(entity).insert(IntGridCell { value });
                    grid.set_wall(tile, value == map::WALL);
                }
            }
            (0..3).for_each(|_| app.update());
            assert_same(&mut app, &grid, &mut dice);
        }
    }
}

/// What does not change keeps its obstacle.
#[test]
fn a_change_replaces_few_obstacles() {
    let mut app = loaded(map::ROOMS);
    let walls = |app: &mut App| -> Vec<Entity> {
        let world = app.world_mut();
        world.query_filtered::<Entity, With<TileWall>>().iter(world).collect()
    };
    let before = walls(&mut app);
    let world = app.world_mut();
    let mut cells = world.query::<(&GridCoords, &mut IntGridCell)>();
    let (_, mut cell) =
        cells.iter_mut(world).find(|(coords, _)| **coords == GridCoords::new(22, 13)).expect("a pillar");
    cell.value = 0;
    (0..3).for_each(|_| app.update());
    let after = walls(&mut app);
    let kept = before.iter().filter(|wall| after.contains(wall)).count();
    assert!(kept + 1 == before.len(), "{kept} of {} are kept", before.len());
}

#[test]
fn the_file_of_the_scene_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/rooms.ldtk");
    let file: LdtkJson =
        serde_json::from_str(&std::fs::read_to_string(path).expect("it is there")).expect("it is a map");
    // Through text, which rounds colors.
    let text = serde_json::to_string(&map::map(map::ROOMS)).expect("maps can be written");
    assert_eq!(file, serde_json::from_str(&text).expect("it can be read"), "run cargo run --example write_map");
    let layers = file.levels[0].layer_instances.as_ref().expect("it has layers");
    assert!(layers[0].c_wid >= 40 && layers[0].c_hei >= 30);
    assert_eq!(check(&file), Ok(()));
}

/// Updates the app until the file is loaded, or has failed to load, and some more. Returns whether it was loaded.
fn load(app: &mut App) -> bool {
    for _ in 0..10_000 {
        app.update();
        let assets = app.world().resource::<AssetServer>();
        let handle = assets.get_handle::<LdtkProject>("map.ldtk");
        let state = handle.and_then(|handle| assets.get_load_state(&handle));
        // A map that was rejected is dropped.
        let is_over = match state {
            Some(LoadState::Failed(_)) | None => Some(false),
            Some(LoadState::Loaded) => Some(true),
            _ => None,
        };
        if let Some(is_loaded) = is_over {
            (0..5).for_each(|_| app.update());
            return is_loaded;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("the file is still being loaded after ten seconds");
}

fn wall_count(app: &mut App) -> usize {
    let world = app.world_mut();
    world.query::<&TileWall>().iter(world).count()
}

#[test]
fn a_map_that_contradicts_itself_is_rejected() {
    type Spoil = fn(&mut LdtkJson);
    let name = || "Walls".to_owned();
    let spoiled: [(Spoil, MapError); 7] = [
        (|map| _ = map.defs.layers.pop(), MapError::Definition(name())),
        (|map| first(map).layer_def_uid = 77, MapError::Definition(name())),
        (|map| first(map).int_grid_csv.truncate(5), MapError::Values(name())),
        (|map| first(map).int_grid_csv.extend([1; 100]), MapError::Values(name())),
        (|map| first(map).c_wid = -4, MapError::Size(name())),
        (|map| first(map).grid_size = 0, MapError::Size(name())),
        (|map| first(map).tileset_def_uid = Some(5), MapError::Tileset(name())),
    ];
    for (spoil, error) in spoiled {
        let mut map = map::map("#####\n#...#\n#####");
        assert_eq!(check(&map), Ok(()));
        spoil(&mut map);
        assert_eq!(check(&map), Err(error));
        let mut app = app_with(serde_json::to_string(&map).expect("maps can be written"));
        load(&mut app);
        assert_eq!(wall_count(&mut app), 0);
    }
}

fn first(map: &mut LdtkJson) -> &mut LayerInstance {
    &mut map.levels[0].layer_instances.as_mut().expect("it has layers")[0]
}

/// A file that is cut off, changed at random, or something else is an error or a map, and never a panic.
#[test]
fn a_broken_file_is_an_error() {
    let text = serde_json::to_string(&map::map("######\n#....#\n#.+#.#\n######")).expect("maps can be written");
    let mut dice = Dice::new(12);
    let (mut loaded, mut failed) = (0, 0);
    for round in 0..60 {
        let mut bytes = text.clone().into_bytes();
        match round % 3 {
            0 => bytes.truncate(dice.pick(bytes.len())),
            1 => {
                let at = dice.pick(bytes.len());
                bytes[at] = b"0,[]{}\"x"[dice.pick(8)];
            }
            _ => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|k| bytes[*k].is_ascii_digit()).collect();
                bytes[digits[dice.pick(digits.len())]] = b'0' + dice.pick(10) as u8;
            }
        }
        let mut app = app_with(bytes);
        if load(&mut app) { loaded += 1 } else { failed += 1 }
    }
    println!("{loaded} files were maps, {failed} were not");
    assert!(loaded > 0 && failed > 0);
}

//! Random maps, and a headless app that loads them with `bevy_ecs_ldtk`.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::path::Path;
use std::time::Duration;

use bevy::asset::io::memory::{Dir, MemoryAssetReader};
use bevy::asset::io::{AssetSourceBuilder, AssetSourceId};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_steerling::agent::SteeringId;
use bevy_steerling::agent::random::{SteeringRng, SteeringSeed};
use bevy_steerling::prelude::*;
use steerling_tiles::cover::WallGrid;
use steerling_tiles::crowd::{CrowdPlugin, middle};
use steerling_tiles::map;
use steerling_tiles::walls::TileWall;

/// Random numbers.
pub struct Dice(SteeringRng);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 7))
    }

    pub fn uniform(&mut self) -> f32 {
        self.0.uniform()
    }

    pub fn pick(&mut self, count: usize) -> usize {
        ((self.uniform() * count as f32) as usize).min(count.saturating_sub(1))
    }
}

/// A grid as the drawing of a map, the highest row first.
pub fn drawing(grid: &WallGrid) -> String {
    let tile = |x, y| if grid.is_wall(IVec2::new(x, y)) { '#' } else { '.' };
    let row = |y| (0..grid.size().x).map(|x| tile(x, y)).collect::<String>();
    (0..grid.size().y).rev().map(row).collect::<Vec<_>>().join("\n")
}

/// Tiles that are walls with a probability.
pub fn noise(dice: &mut Dice, size: UVec2, share: f32) -> WallGrid {
    let mut grid = WallGrid::new(size);
    for tile in grid.tiles() {
        grid.set_wall(tile, dice.uniform() < share);
    }
    grid
}

/// A random maze with walls one tile thick, ways two tiles wide, and some walls left out.
pub fn maze(dice: &mut Dice, rooms: IVec2) -> WallGrid {
    const PITCH: i32 = 3;
    let mut grid = WallGrid::new((rooms * PITCH + 1).as_uvec2());
    for tile in grid.tiles() {
        grid.set_wall(tile, tile.x % PITCH == 0 || tile.y % PITCH == 0);
    }
    let open = |grid: &mut WallGrid, room: IVec2, side: IVec2| {
        let wall = room * PITCH + 1 + side.max(IVec2::ZERO) * (PITCH - 1) + side.min(IVec2::ZERO);
        (0..PITCH - 1).for_each(|k| grid.set_wall(wall + side.perp().abs() * k, false));
    };
    let is_room = |room: IVec2| room.cmpge(IVec2::ZERO).all() && room.cmplt(rooms).all();
    let sides = [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y];
    let (mut seen, mut way) = (vec![IVec2::ZERO], vec![IVec2::ZERO]);
    while let Some(&room) = way.last() {
        let new: Vec<IVec2> =
            sides.into_iter().filter(|side| is_room(room + side) && !seen.contains(&(room + side))).collect();
        if new.is_empty() {
            way.pop();
            continue;
        }
        let side = new[dice.pick(new.len())];
        open(&mut grid, room, side);
        seen.push(room + side);
        way.push(room + side);
    }
    for room in (0..rooms.element_product()).map(|k| IVec2::new(k % rooms.x, k / rooms.x)) {
        let side = sides[dice.pick(2)];
        if is_room(room + side) && dice.uniform() < 0.15 {
            open(&mut grid, room, side);
        }
    }
    grid
}

/// A headless app that has begun to load a file with this text.
pub fn app_with(file: impl AsRef<[u8]>) -> App {
    let root = Dir::default();
    root.insert_asset(Path::new("map.ldtk"), file.as_ref().to_vec());
    let reader = move || Box::new(MemoryAssetReader { root: root.clone() }) as Box<_>;
    let mut app = App::new();
    app.register_asset_source(AssetSourceId::Default, AssetSourceBuilder::new(reader))
        .add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin))
        .init_asset::<Image>()
        .init_asset::<TextureAtlasLayout>()
        .add_plugins(CrowdPlugin { map: "map.ldtk".to_owned() })
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app
}

/// An app in which the drawing is loaded, and its walls are obstacles.
pub fn loaded(drawing: &str) -> App {
    let mut app = app_with(serde_json::to_string(&map::map(drawing)).expect("maps can be written"));
    for _ in 0..10_000 {
        app.update();
        if app.world_mut().query::<&TileWall>().iter(app.world()).next().is_some() {
            // The index of obstacles follows in the next tick.
            app.update();
            app.update();
            return app;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("the map is not there after ten seconds");
}

/// The distance from the tiles that are walls, units; negative within.
pub fn distance(grid: &WallGrid, place: Vec2) -> f32 {
    let half = 0.5 * map::TILE as f32;
    let to_tile = |tile: IVec2| (place - middle(tile)).abs() - half;
    let outside = |tile: IVec2| to_tile(tile).max(Vec2::ZERO).length();
    let walls = grid.tiles().filter(|tile| grid.is_wall(*tile));
    let gap = walls.map(outside).fold(f32::INFINITY, f32::min);
    if gap > 0.0 { gap } else { -1.0 }
}

/// Where agents are.
pub fn places(app: &mut App) -> Vec<Vec2> {
    let world = app.world_mut();
    let mut agents = world.query_filtered::<&Transform, With<SteeringAgent>>();
    agents.iter(world).map(|place| place.translation.truncate()).collect()
}

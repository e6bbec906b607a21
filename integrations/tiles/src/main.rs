//! A crowd follows a flow field through an `LDtk` map. A click moves the goal, another breaks a wall, and a key switches the doors.

use bevy::prelude::*;
use bevy::window::WindowResolution;
use bevy_ecs_ldtk::prelude::*;
use bevy_ecs_tilemap::tiles::{TileColor, TileVisible};
use bevy_steerling::prelude::*;
use steerling_tiles::crowd::{self, BODY, CrowdField, CrowdPlugin, Goal, Switching, middle, tile_at};
use steerling_tiles::map::{self, DOOR, OPEN_DOOR, TILE};
use steerling_tiles::walls::TileWall;

const GROUND: Color = Color::srgb(0.075, 0.086, 0.110);
const CROWD: Color = Color::srgb(0.376, 0.729, 0.953);
const GOAL: Color = Color::srgb(0.957, 0.647, 0.384);
const TEXT: Color = Color::srgb(0.847, 0.867, 0.910);

/// The size of the map of the scene, and what is beside it in the window, units.
const MAP: Vec2 = Vec2::new(52.0 * TILE as f32, 32.0 * TILE as f32);
const BESIDE: f32 = 32.0;
/// The number of pixels of a unit.
const SCALE: f32 = 1.4;

const CROWD_SIZE: usize = 200;

fn main() -> AppExit {
    let size = (MAP + 2.0 * BESIDE) * SCALE;
    let window = Window {
        title: "bevy_steerling: LDtk map".to_owned(),
        resolution: WindowResolution::new(size.x as u32, size.y as u32),
        ..default()
    };
    App::new()
        .add_plugins(
            DefaultPlugins
                .set(WindowPlugin { primary_window: Some(window), ..default() })
                .set(ImagePlugin::default_nearest()),
        )
        .add_plugins(CrowdPlugin { map: "rooms.ldtk".to_owned() })
        .insert_resource(ClearColor(GROUND))
        .insert_resource(Goal(middle(IVec2::new(42, 28))))
        .add_systems(Startup, spawn_camera)
        .add_systems(Update, (spawn_crowd, send, break_wall, switch_doors, color_tiles, draw_field, write))
        .run()
}

fn spawn_camera(mut commands: Commands) {
    let view = Projection::from(OrthographicProjection { scale: 1.0 / SCALE, ..OrthographicProjection::default_2d() });
    commands.spawn((Camera2d, view, Transform::from_translation((0.5 * MAP).extend(0.0))));
}

/// Spawns the crowd on the left, when the walls are there.
fn spawn_crowd(
    walls: Query<(), Added<TileWall>>,
    agents: Query<(), With<FollowField>>,
    cells: Query<(&GridCoords, &IntGridCell)>,
    field: Single<Entity, With<CrowdField>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    if walls.is_empty() || !agents.is_empty() {
        return;
    }
    let body = Mesh2d(meshes.add(Circle::new(BODY.radius)));
    let color = MeshMaterial2d(materials.add(ColorMaterial::from_color(CROWD)));
    let is_free = |tile: &IVec2| cells.iter().all(|(coords, cell)| cell.value == 0 || *tile != (*coords).into());
    let tiles = (1..31).flat_map(|y| (1..15).map(move |x| IVec2::new(x, y))).filter(is_free);
    for tile in tiles.take(CROWD_SIZE) {
        commands.spawn((crowd::agent(middle(tile), *field), body.clone(), color.clone()));
    }
}

/// The place under the cursor, units.
fn cursor(window: &Window, (camera, view): (&Camera, &GlobalTransform)) -> Option<Vec2> {
    camera.viewport_to_world_2d(view, window.cursor_position()?).ok()
}

fn send(
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut goal: ResMut<Goal>,
) {
    if buttons.just_pressed(MouseButton::Left)
        && let Some(place) = cursor(&window, *camera)
    {
        goal.0 = place;
    }
}

/// Breaks the wall tile under the cursor.
fn break_wall(
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut cells: Query<(&mut IntGridCell, &GridCoords)>,
) {
    if buttons.just_pressed(MouseButton::Right)
        && let Some(place) = cursor(&window, *camera)
    {
        let is_there = |coords: &GridCoords| tile_at(place) == (*coords).into();
        for (mut cell, _) in cells.iter_mut().filter(|(cell, coords)| cell.value == map::WALL && is_there(coords)) {
            cell.value = 0;
        }
    }
}

/// Opens closed doors, and closes open ones.
fn switch_doors(keys: Res<ButtonInput<KeyCode>>, cells: Query<(Entity, &IntGridCell)>, mut commands: Commands) {
    if keys.just_pressed(KeyCode::Space) {
        for (tile, _) in cells.iter().filter(|(_, cell)| [DOOR, OPEN_DOOR].contains(&cell.value)) {
            commands.entity(tile).insert(Switching);
        }
    }
}

/// Draws tiles as what they are now. Before, `bevy_ecs_ldtk` draws them with the colors of the map.
fn color_tiles(mut tiles: Query<(&IntGridCell, &mut TileColor, &mut TileVisible), Changed<IntGridCell>>) {
    for (cell, mut color, mut visible) in &mut tiles {
        let value = map::VALUES.iter().find(|(value, ..)| *value == cell.value);
        visible.0 = value.is_some();
        color.0 = value.map_or(GROUND, |(.., color)| *color);
    }
}

/// The directions of the field in the middles of tiles.
fn draw_field(field: Query<&FlowField>, goal: Res<Goal>, mut gizmos: Gizmos) {
    let Ok(field) = field.single() else { return };
    let size = (MAP / TILE as f32).as_ivec2();
    for tile in (0..size.element_product()).map(|k| IVec2::new(k % size.x, k / size.x)) {
        let (place, direction) = (middle(tile), field.direction(middle(tile)));
        if field.distance(place).is_some_and(f32::is_finite) {
            let way = 0.3 * TILE as f32 * direction;
            gizmos.line_gradient_2d(place - way, place + way, TEXT.with_alpha(0.03), TEXT.with_alpha(0.3));
        }
    }
    gizmos.circle_2d(goal.0, 7.0, GOAL);
    gizmos.circle_2d(goal.0, 3.0, GOAL);
}

fn write(walls: Query<(), With<TileWall>>, cells: Query<&IntGridCell>, mut gizmos: Gizmos) {
    let tiles = cells.iter().filter(|cell| [map::WALL, DOOR].contains(&cell.value)).count();
    let text = format!(
        "click: move the goal   right click: break a wall   space: switch doors   {} obstacles for {tiles} wall tiles",
        walls.iter().count()
    );
    let corner = Vec2::new(0.0, MAP.y + 0.5 * BESIDE);
    gizmos.text_2d(Isometry2d::from_translation(corner), &text, 10.0, Vec2::new(-0.5, 0.0), TEXT);
}

//! A click sends the crowd, which pushes crates aside. A right click sets off a blast.

use bevy::prelude::*;
use bevy::window::WindowResolution;
use bevy_steerling::prelude::*;
use steerling_warehouse::{BODY, Blast, Block, BlockKind, Goal, HALL, WALL, WarehousePlugin};

const GROUND: Color = Color::srgb(0.075, 0.086, 0.110);
const WALLS: Color = Color::srgb(0.302, 0.337, 0.400);
const CRATES: Color = Color::srgb(0.70, 0.47, 0.24);
const BARS: Color = Color::srgb(0.557, 0.396, 0.784);
const CROWD: Color = Color::srgb(0.376, 0.729, 0.953);
const GOAL: Color = Color::srgb(0.957, 0.647, 0.384);
const TEXT: Color = Color::srgb(0.847, 0.867, 0.910);

fn main() -> AppExit {
    let size = HALL + 2.0 * WALL + Vec2::new(20.0, 80.0);
    let window = Window {
        title: "bevy_steerling: rigid bodies".to_owned(),
        resolution: WindowResolution::new(size.x as u32, size.y as u32),
        ..default()
    };
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins(WarehousePlugin)
        .insert_resource(ClearColor(GROUND))
        .add_systems(Startup, |mut commands: Commands| _ = commands.spawn(Camera2d))
        .add_systems(PostStartup, (draw_boxes, draw_crowd))
        .add_systems(Update, (click, write))
        .run()
}

fn draw_boxes(blocks: Query<(Entity, &Block)>, mut commands: Commands) {
    for (entity, block) in &blocks {
        let color = match block.kind {
            BlockKind::Wall => WALLS,
            BlockKind::Crate => CRATES,
            BlockKind::Bar => BARS,
        };
        commands.entity(entity).insert(Sprite::from_color(color, block.size));
    }
}

fn draw_crowd(
    agents: Query<Entity, With<SteeringAgent>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    let body = meshes.add(Circle::new(BODY.radius));
    let color = materials.add(ColorMaterial::from_color(CROWD));
    for agent in &agents {
        commands.entity(agent).insert((Mesh2d(body.clone()), MeshMaterial2d(color.clone())));
    }
}

fn click(
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut goal: ResMut<Goal>,
    mut commands: Commands,
) {
    let (camera, view) = *camera;
    let Some(cursor) = window.cursor_position() else { return };
    let Ok(place) = camera.viewport_to_world_2d(view, cursor) else { return };
    if buttons.just_pressed(MouseButton::Left) {
        goal.0 = place;
    }
    if buttons.just_pressed(MouseButton::Right) {
        commands.trigger(Blast(place));
    }
}

fn write(goal: Res<Goal>, mut gizmos: Gizmos) {
    gizmos.circle_2d(goal.0, 7.0, GOAL);
    gizmos.circle_2d(goal.0, 3.0, GOAL);
    let text = "click: send the crowd    right click: set off a blast";
    let corner = Vec2::new(-0.5 * HALL.x, 0.5 * HALL.y + WALL + 20.0);
    gizmos.text_2d(Isometry2d::from_translation(corner), text, 13.0, Vec2::new(-0.5, 0.0), TEXT);
}

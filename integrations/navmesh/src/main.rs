//! A click sends 200 agents through a level; keys open and close its doors.

use bevy::prelude::*;
use bevy::window::WindowResolution;
use bevy_steerling::prelude::*;
use steerling_navmesh::crowd::{self, BODY, CrowdPlugin, Door};
use steerling_navmesh::level::{Level, SIZE, WALL};
use steerling_navmesh::navigation::{NavGoal, NavState};

const GROUND: Color = Color::srgb(0.075, 0.086, 0.110);
const WALLS: Color = Color::srgb(0.302, 0.337, 0.400);
const DOORS: Color = Color::srgb(0.70, 0.47, 0.24);
const CROWD: Color = Color::srgb(0.376, 0.729, 0.953);
const SHORT: Color = Color::srgb(0.957, 0.447, 0.384);
const TEXT: Color = Color::srgb(0.847, 0.867, 0.910);

/// The keys of the doors, in the order of their numbers.
const KEYS: [KeyCode; 17] = [
    KeyCode::KeyA,
    KeyCode::KeyB,
    KeyCode::KeyC,
    KeyCode::KeyD,
    KeyCode::KeyE,
    KeyCode::KeyF,
    KeyCode::KeyG,
    KeyCode::KeyH,
    KeyCode::KeyI,
    KeyCode::KeyJ,
    KeyCode::KeyK,
    KeyCode::KeyL,
    KeyCode::KeyM,
    KeyCode::KeyN,
    KeyCode::KeyO,
    KeyCode::KeyP,
    KeyCode::KeyQ,
];

fn main() -> AppExit {
    let size = SIZE + Vec2::new(80.0, 80.0);
    let window = Window {
        title: "bevy_steerling: navigation mesh".to_owned(),
        resolution: WindowResolution::new(size.x as u32, size.y as u32),
        ..default()
    };
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins(CrowdPlugin { count: 200 })
        .insert_resource(Level::new(3))
        .insert_resource(ClearColor(GROUND))
        .add_systems(Startup, |mut commands: Commands| _ = commands.spawn(Camera2d))
        .add_systems(PostStartup, (draw_walls, draw_crowd))
        .add_systems(Update, (send, switch_doors, draw_doors, draw_paths, write))
        .run()
}

fn draw_walls(level: Res<Level>, mut commands: Commands) {
    for wall in &level.walls {
        commands
            .spawn((Sprite::from_color(WALLS, wall.size()), Transform::from_translation(wall.center().extend(-1.0))));
    }
}

fn draw_crowd(
    agents: Query<Entity, With<NavGoal>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    let radius = BODY.radius;
    let body = meshes.add(Circle::new(radius));
    let nose = meshes.add(Rectangle::new(radius, 1.2));
    let [color, dark] = [CROWD, GROUND].map(|color| materials.add(ColorMaterial::from_color(color)));
    for agent in &agents {
        let front = Transform::from_xyz(0.5 * radius, 0.0, 0.1);
        let nose = (Mesh2d(nose.clone()), MeshMaterial2d(dark.clone()), front);
        let drawn = (Mesh2d(body.clone()), MeshMaterial2d(color.clone()));
        commands.entity(agent).insert((drawn, Visibility::default())).with_child(nose);
    }
}

/// Sends everybody to a click.
fn send(
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut goals: Query<&mut NavGoal>,
) {
    let (camera, view) = *camera;
    if buttons.just_pressed(MouseButton::Left)
        && let Some(cursor) = window.cursor_position()
        && let Ok(place) = camera.viewport_to_world_2d(view, cursor)
    {
        crowd::send_all(place, &mut goals);
    }
}

/// A letter opens or closes a door, the space bar all doors.
fn switch_doors(keys: Res<ButtonInput<KeyCode>>, mut doors: Query<&mut Door>) {
    if keys.just_pressed(KeyCode::Space) {
        let opens = doors.iter().any(|door| !door.opens);
        doors.iter_mut().for_each(|mut door| door.opens = opens);
    }
    for mut door in &mut doors {
        if KEYS.get(door.number).is_some_and(|key| keys.just_pressed(*key)) {
            door.opens = !door.opens;
        }
    }
}

fn draw_doors(doors: Query<(Entity, &Door, Option<&Obstacle>)>, mut gizmos: Gizmos, mut commands: Commands) {
    for (entity, door, obstacle) in &doors {
        let shade = if crowd::is_closed(obstacle) {
            1.0
        } else if door.opens {
            0.12
        } else {
            0.5
        };
        commands.entity(entity).insert(Sprite::from_color(GROUND.mix(&DOORS, shade), door.area.size()));
        let letter = char::from(b'A' + door.number as u8).to_string();
        gizmos.text_2d(Isometry2d::from_translation(door.area.center()), &letter, 11.0, Vec2::ZERO, TEXT);
    }
}

/// The goal, and the paths of some.
fn draw_paths(agents: Query<(&FollowPath, &NavGoal, &NavState)>, mut gizmos: Gizmos) {
    for (follow, ..) in agents.iter().step_by(8) {
        gizmos.linestrip_2d(follow.path.points().iter().copied(), CROWD.with_alpha(0.18));
    }
    if let Some((_, goal, state)) = agents.iter().next() {
        let color = if state.falls_short() { SHORT } else { TEXT };
        gizmos.circle_2d(goal.0, 8.0, color);
        gizmos.cross_2d(goal.0, 5.0, color);
    }
}

fn write(agents: Query<&NavState>, mut gizmos: Gizmos) {
    let short = agents.iter().filter(|state| state.falls_short()).count();
    let reached = if short > 0 {
        format!("{short} agents cannot get to the goal and go as near as they can")
    } else {
        "everybody can get to the goal".to_owned()
    };
    let text = format!("click: send everybody    A, B, ...: open or close a door    space: all doors        {reached}");
    let corner = Vec2::new(-0.5 * SIZE.x, 0.5 * (SIZE.y + WALL) + 20.0);
    gizmos.text_2d(Isometry2d::from_translation(corner), &text, 13.0, Vec2::new(-0.5, 0.0), TEXT);
}

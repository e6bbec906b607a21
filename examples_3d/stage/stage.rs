//! The window, light, camera, colors and screenshots of the 3D scenes.

mod camera;
#[path = "../../examples/stage/screenshot.rs"]
mod screenshot;
#[path = "../../examples/stage/window.rs"]
mod window;

use bevy::ecs::query::QueryFilter;
use bevy::prelude::*;
use bevy_steerling::debug::{SteeringDebugPlugin, SteeringGizmos};
use bevy_steerling::prelude::*;
use bevy_transform_interpolation::prelude::*;

pub use camera::Orbit;

/// The sky.
pub const SKY: Color = Color::srgb(0.62, 0.74, 0.86);
/// Meadows.
pub const GRASS: Color = Color::srgb(0.38, 0.52, 0.32);
/// Walls and roads.
pub const STONE: Color = Color::srgb(0.50, 0.50, 0.52);
/// The colors of agents.
pub const AGENTS: [Color; 4] = [
    Color::srgb(0.957, 0.447, 0.384),
    Color::srgb(0.976, 0.847, 0.286),
    Color::srgb(0.376, 0.729, 0.953),
    Color::srgb(0.690, 0.639, 0.886),
];

/// The size of the window, pixels.
const VIEW: Vec2 = Vec2::new(1280.0, 720.0);

/// Ticks per frame while a screenshot is pending: as many as Bevy runs in a frame, because drawing takes most of the time.
const TICKS_PER_FRAME: u32 = 16;

#[derive(clap::Args)]
struct NoOptions {}

/// Creates an app with a window, in which agents move on the ground: in meters, x to the right, y up.
///
/// It takes `--screenshot FILE --after SECONDS` and `--debug` from the command line. G draws what agents perceive and want.
pub fn app(name: &'static str) -> App {
    let (screenshot, NoOptions {}) = screenshot::from_command_line(name);
    let window = window::plugin(name, screenshot.is_requested());
    let mut app = App::new();
    app.add_plugins((window, TransformInterpolationPlugin::default(), screenshot))
        .add_plugins((SteeringPlugin::default(), SteeringDebugPlugin, camera::plugin))
        .insert_resource(SteeringPlane::XZ)
        .insert_resource(ClearColor(SKY))
        .insert_resource(GlobalAmbientLight { brightness: 400.0, ..default() })
        .add_systems(Startup, shine)
        .add_systems(Update, toggle_gizmos);
    app
}

/// Adds the plugin for agents in all three dimensions, and its gizmos.
pub fn in_space(app: &mut App) {
    use bevy_steerling_3d::SteeringPlugin;
    use bevy_steerling_3d::debug::{SteeringDebugPlugin, SteeringGizmos as SpaceGizmos};

    app.add_plugins((SteeringPlugin::default(), SteeringDebugPlugin)).add_systems(
        First,
        |mut gizmos: ResMut<GizmoConfigStore>| {
            let GizmoConfig { enabled, depth_bias, .. } = *gizmos.config::<SteeringGizmos>().0;
            let (config, _) = gizmos.config_mut::<SpaceGizmos>();
            (config.enabled, config.depth_bias) = (enabled, depth_bias);
        },
    );
}

fn shine(mut commands: Commands, mut gizmos: ResMut<GizmoConfigStore>) {
    let sun = Transform::from_xyz(-6.0, 12.0, 5.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight { illuminance: 9_000.0, shadow_maps_enabled: true, ..default() }, sun));
    // In front of everything, so that the ground hides no line.
    gizmos.config_mut::<SteeringGizmos>().0.depth_bias = -1.0;
}

fn toggle_gizmos(keys: Res<ButtonInput<KeyCode>>, mut gizmos: ResMut<GizmoConfigStore>) {
    if keys.just_pressed(KeyCode::KeyG) {
        let (config, _) = gizmos.config_mut::<SteeringGizmos>();
        config.enabled = !config.enabled;
    }
}

/// A system that puts the agents of a filter on the ground, after steering has moved them. `height` is that of the ground at a place on the
/// map.
pub fn stand_on<F: QueryFilter>(
    height: impl Fn(Vec2) -> f32 + Send + Sync + 'static,
) -> impl FnMut(Query<&mut Transform, (With<SteeringAgent>, F)>, Res<SteeringPlane>) {
    move |mut agents, plane| {
        for mut transform in &mut agents {
            let place = plane.to_plane(transform.translation);
            transform.translation = plane.to_world(place, height(place));
        }
    }
}

/// A mesh of the ground around the origin: `size` units wide and deep, with a vertex every `cell` units at this height.
pub fn terrain(size: Vec2, cell: f32, height: impl Fn(Vec2) -> f32) -> Mesh {
    let cells = (size / cell).as_uvec2();
    let mut mesh: Mesh = Plane3d::new(Vec3::Y, 0.5 * size).mesh().subdivisions(cells.max_element() - 1).into();
    if let Some(bevy::mesh::VertexAttributeValues::Float32x3(places)) = mesh.attribute_mut(Mesh::ATTRIBUTE_POSITION) {
        for place in places {
            place[1] = height(SteeringPlane::XZ.to_plane(Vec3::from(*place)));
        }
    }
    mesh.compute_smooth_normals();
    mesh
}

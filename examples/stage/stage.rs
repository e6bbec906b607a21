//! What the scenes share: the window, the palette, how agents are drawn, the controls and the panel, and screenshots.

mod controls;
mod cursor;
#[cfg(all(feature = "panel", not(target_family = "wasm")))]
mod export;
mod fading;
#[cfg(feature = "panel")]
mod panel;
mod scene;
mod screenshot;
mod trail;
mod watch;
mod window;

use bevy::camera::ScalingMode;
use bevy::prelude::*;
use bevy_prototype_lyon::prelude::*;
use bevy_steerling::agent::SteeringId;
use bevy_steerling::debug::{ShowSteering, SteeringDebugPlugin};
use bevy_steerling::prelude::*;
use bevy_transform_interpolation::prelude::*;
use bevy_transform_interpolation::{TransformEasingSystems, TranslationEasingState};

pub use bevy_steerling::debug::{DESIRED_VELOCITY, FORCE, VELOCITY};
pub use controls::Pace;
pub use cursor::{Cursor, Pointer};
pub use fading::Fading;
#[cfg(feature = "panel")]
pub use panel::Panel;
pub use scene::{Next, Permanent, Playing, Reseed, Scene, SceneApp};
pub use trail::Trail;
pub use watch::watch;

/// The README's program, compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// The dark background.
pub const GROUND: Color = Color::srgb(0.075, 0.086, 0.110);
/// Pursuers.
pub const PURSUER: Color = Color::srgb(0.957, 0.447, 0.384);
/// Quarries.
pub const QUARRY: Color = Color::srgb(0.376, 0.729, 0.953);
/// All other agents.
pub const CROWD: Color = Color::srgb(0.690, 0.639, 0.886);
/// Obstacles, places and other things that do not move.
pub const OBSTACLE: Color = Color::srgb(0.302, 0.337, 0.400);
/// Text.
pub const TEXT: Color = Color::srgb(0.847, 0.867, 0.910);

/// The part of the world around the origin that is always in view, units.
pub const VIEW: Vec2 = Vec2::new(1280.0, 720.0);

/// Creates an app with a window that steers and draws agents, and parses its own command line options.
pub fn app<O: clap::Args>(name: &'static str) -> (App, O) {
    let (screenshot, stage) = screenshot::from_command_line::<StageOptions<O>>(name);
    let window = window::plugin(name, screenshot.is_requested());
    let mut app = App::new();
    app.add_plugins((window, ShapePlugin, TransformInterpolationPlugin::default()))
        .add_plugins((SteeringPlugin::default(), SteeringDebugPlugin))
        .add_plugins((scene::plugin, controls::plugin, cursor::plugin, fading::plugin, trail::plugin, screenshot))
        .insert_resource(ClearColor(GROUND))
        .add_systems(Startup, spawn_camera)
        .add_systems(PreUpdate, show_few.after(scene::change_scene))
        .add_systems(FixedLast, jump.after(TransformEasingSystems::UpdateEnd))
        .add_systems(Update, (draw_bodies, spawn_arrows, draw_arrows).chain());
    #[cfg(feature = "panel")]
    app.add_plugins(panel::plugin).insert_resource(Panel { open: stage.panel, ..default() });
    (app, stage.options)
}

/// Ticks per frame while a screenshot is pending, when only the last frame matters.
const TICKS_PER_FRAME: u32 = 4;

#[derive(clap::Args)]
struct StageOptions<O: clap::Args> {
    /// Start with the panel open, as after pressing P
    #[cfg(feature = "panel")]
    #[arg(long)]
    panel: bool,
    #[command(flatten)]
    options: O,
}

/// Draws the agent as a dart that points where it moves, interpolated at any display rate.
#[derive(Component, Clone, Copy, PartialEq)]
#[require(FaceVelocity, TransformInterpolation, Visibility)]
pub struct Body(pub Color);

/// Draws arrows for an agent's velocity, force and, where the scene sets it, desired velocity.
#[derive(Component, Clone, Copy, Default)]
pub struct Arrows {
    /// The desired velocity, units/s.
    pub desired: Vec2,
}

/// The outline of a circle around the origin of its entity.
pub fn ring(radius: f32, color: Color) -> Shape {
    ShapeBuilder::with(&shapes::Circle { radius, center: Vec2::ZERO }).stroke((color, 2.0)).build()
}

/// A filled circle around the origin of its entity.
pub fn dot(radius: f32, color: Color) -> Shape {
    ShapeBuilder::with(&shapes::Circle { radius, center: Vec2::ZERO }).fill(color).build()
}

/// The shape of an obstacle. Shapes that are lines get the line width.
pub fn drawn(shape: &ObstacleShape, color: Color, line_width: f32) -> Shape {
    let polygon = |points: Vec<Vec2>, closed| shapes::Polygon { points, closed };
    let thin = |points| ShapeBuilder::with(&polygon(points, false)).stroke((color, line_width)).build();
    let solid = |points| ShapeBuilder::with(&polygon(points, true)).fill(color).build();
    match shape {
        ObstacleShape::Circle(circle) => dot(circle.radius, color),
        ObstacleShape::Rectangle(Rectangle { half_size: half }) => {
            solid([(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|corner| half * Vec2::from(corner)).to_vec())
        }
        ObstacleShape::Capsule(Capsule2d { radius, half_length }) => {
            let line = shapes::Line(Vec2::NEG_Y * half_length, Vec2::Y * half_length);
            let round = StrokeOptions::default().with_line_width(2.0 * radius).with_line_cap(LineCap::Round);
            ShapeBuilder::with(&line).stroke(Stroke { options: round, color }).build()
        }
        ObstacleShape::Segment(segment) => thin(segment.vertices.to_vec()),
        ObstacleShape::Polygon(polygon) => solid(polygon.vertices().to_vec()),
        ObstacleShape::Polyline(polyline) => thin(polyline.vertices.clone()),
    }
}

/// A label in the world.
pub fn label(text: impl Into<String>, color: Color) -> impl Bundle {
    (Text2d::new(text), TextFont::from_font_size(16.0), TextColor(color))
}

/// A label on the screen.
pub(crate) fn label_in_corner(text: impl Into<String>, color: Color) -> impl Bundle {
    (Text::new(text), TextFont::from_font_size(16.0), TextColor(color))
}

/// A caption at the left of the screen, on a background that keeps it readable. `top` is in pixels.
pub fn caption(top: f32) -> impl Bundle {
    let place = Node {
        position_type: PositionType::Absolute,
        left: px(6),
        top: px(top),
        padding: UiRect::axes(px(10), px(8)),
        ..default()
    };
    (label_in_corner("", TEXT), place, BackgroundColor(GROUND.with_alpha(0.7)))
}

fn spawn_camera(mut commands: Commands) {
    let scaling_mode = ScalingMode::AutoMin { min_width: VIEW.x, min_height: VIEW.y };
    commands.spawn((
        Camera2d,
        Permanent,
        Msaa::Sample4,
        Projection::Orthographic(OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() }),
    ));
}

/// In a large crowd, shows what about ten agents think: what all of them think would hide the scene.
fn show_few(
    mut commands: Commands,
    agents: Query<&SteeringId>,
    new: Query<(Entity, &SteeringId), (Added<SteeringId>, Without<ShowSteering>)>,
) {
    const LARGE: u64 = 60;
    let count = agents.iter().len() as u64;
    if count > LARGE {
        for (agent, id) in &new {
            commands.entity(agent).insert(ShowSteering(id.get().is_multiple_of(count / 10)));
        }
    }
}

fn draw_bodies(mut commands: Commands, bodies: Query<(Entity, &Body, &SteeringAgent), Changed<Body>>) {
    for (entity, body, agent) in &bodies {
        let outline = shapes::Polygon {
            points: [(1.0, 0.0), (-0.8, 0.75), (-0.4, 0.0), (-0.8, -0.75)]
                .map(|(x, y)| Vec2::new(x, y) * agent.radius * 1.2)
                .to_vec(),
            closed: true,
        };
        commands.entity(entity).insert(ShapeBuilder::with(&outline).fill(body.0).build());
    }
}

/// Ends the interpolation of agents that jump, such as across the edges of a world that wraps, so that they do not rush across.
fn jump(mut easings: Query<&mut TranslationEasingState>) {
    // Farther than any agent moves in a tick, units.
    const FAR: f32 = 100.0;
    for mut easing in &mut easings {
        if let (Some(start), Some(end)) = (easing.start, easing.end)
            && start.distance(end) > FAR
        {
            easing.start = Some(end);
        }
    }
}

/// What an arrow shows. The entity rotates; its child shaft stretches, and its child head moves along.
#[derive(Component, Clone, Copy)]
enum Arrow {
    Desired,
    Velocity,
    Force,
}

impl Arrow {
    const ALL: [Self; 3] = [Self::Desired, Self::Velocity, Self::Force];
    const HEAD: f32 = 9.0;

    fn color(self) -> Color {
        match self {
            Self::Desired => DESIRED_VELOCITY,
            Self::Velocity => VELOCITY,
            Self::Force => FORCE,
        }
    }

    /// The length and direction of the arrow: the path of half a second, or the push of 0.3 seconds.
    fn vector(self, arrows: &Arrows, velocity: &Velocity, force: &SteeringForce) -> Vec2 {
        match self {
            Self::Desired => arrows.desired * 0.5,
            Self::Velocity => velocity.0 * 0.5,
            Self::Force => force.0 * 0.3,
        }
    }
}

fn spawn_arrows(mut commands: Commands, agents: Query<Entity, Added<Arrows>>) {
    let polygon = |points: &[(f32, f32)], color| {
        let points = points.iter().map(|&(x, y)| Vec2::new(x, y)).collect();
        ShapeBuilder::with(&shapes::Polygon { points, closed: true }).fill(color).build()
    };
    for agent in &agents {
        for (arrow, z) in Arrow::ALL.into_iter().zip([-0.3, -0.2, -0.1]) {
            let shaft = polygon(&[(0.0, -1.25), (1.0, -1.25), (1.0, 1.25), (0.0, 1.25)], arrow.color());
            let head = polygon(&[(0.0, -4.5), (Arrow::HEAD, 0.0), (0.0, 4.5)], arrow.color());
            let parts = children![shaft, head];
            commands.entity(agent).with_child((arrow, Transform::from_xyz(0.0, 0.0, z), Visibility::default(), parts));
        }
    }
}

fn draw_arrows(
    agents: Query<(&Arrows, &Velocity, &SteeringForce, &Transform)>,
    mut arrows: Query<(&Arrow, &ChildOf, &Children, &mut Transform, &mut Visibility), Without<Arrows>>,
    mut parts: Query<&mut Transform, (Without<Arrow>, Without<Arrows>)>,
) {
    for (arrow, agent, children, mut transform, mut visibility) in &mut arrows {
        let Ok((shown, velocity, force, body)) = agents.get(agent.parent()) else { continue };
        let vector = arrow.vector(shown, velocity, force);
        let shaft_length = vector.length() - Arrow::HEAD;
        *visibility = if shaft_length > 0.0 { Visibility::Inherited } else { Visibility::Hidden };
        // The arrows do not rotate with the agent.
        let direction = Quat::from_rotation_arc_2d(Vec2::X, vector.normalize_or(Vec2::X));
        transform.rotation = body.rotation.inverse() * direction;
        if let Ok([mut shaft, mut head]) = parts.get_many_mut([children[0], children[1]]) {
            shaft.scale.x = shaft_length.max(0.0);
            head.translation.x = shaft_length;
        }
    }
}

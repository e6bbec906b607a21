//! Draws what agents and their behaviors perceive and want, with gizmos.

use alloc::vec::Vec;
use core::f32::consts::TAU;

use bevy::camera::{Camera, Projection};
use bevy::gizmos::AppGizmoBuilder;
use bevy::gizmos::prelude::*;
use bevy::prelude::*;

use crate::agent::view::AgentData;
use crate::agent::{SteeringAgent, SteeringForce, SteeringId};
use crate::engine::contribution::{OUTSIDE, ROUNDING};
use crate::engine::figure::{Mark, sides};
use crate::engine::figures::{FigureSystems, SteeringFigures};
use crate::engine::name::BehaviorName;
use crate::engine::trace::SteeringTrace;
use crate::math::Placement;
use crate::math::{Vector, normalize};
use crate::perception::sight::Sight;
use crate::tick::TickParam;
use crate::tick::schedule::{SteeringSchedule, SteeringSystems};

/// Draws what agents and their behaviors perceive and want, like the figures of the classic articles, but live.
///
/// Arrows show the velocity (green), the preferred velocity (gray), the contribution of each behavior (in its [color](color_of)) and the
/// total force (orange). Each behavior draws its [figure](crate::engine::behavior::SteeringBehavior::draw) in its color: its target, its
/// slowing radius, the circle of a wanderer, or what it perceives. A white sector shows the [`Sight`] of an agent. With an orthographic
/// camera, a legend in the upper right corner explains the colors.
///
/// [`SteeringGizmos`] configures what is drawn, and [`ShowSteering`] for which agents.
///
/// The plugin requires the feature `debug` and Bevy's gizmos (`bevy_gizmos_render`, a default feature of Bevy). Agents that are drawn get a
/// [`SteeringTrace`], which is removed when they are no longer drawn. Their motion does not change.
///
/// # Example
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// use bevy_steerling::debug::{SteeringDebugPlugin, SteeringGizmos};
///
/// App::new()
///     .add_plugins((DefaultPlugins, SteeringPlugin::default(), SteeringDebugPlugin))
///     .add_systems(Update, toggle)
///     .run();
///
/// fn toggle(keys: Res<ButtonInput<KeyCode>>, mut store: ResMut<GizmoConfigStore>) {
///     let (config, gizmos) = store.config_mut::<SteeringGizmos>();
///     if keys.just_pressed(KeyCode::KeyG) {
///         config.enabled = !config.enabled;
///     }
///     if keys.just_pressed(KeyCode::KeyF) {
///         gizmos.show::<Separation>(false);
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SteeringDebugPlugin;

impl Plugin for SteeringDebugPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<SteeringGizmos>().register_type::<ShowSteering>().add_systems(
            SteeringSchedule,
            (
                trace_agents.before(FigureSystems),
                (draw_figures, draw_sights, draw_arrows, draw_legend).chain().after(FigureSystems),
            )
                .chain()
                .after(SteeringSystems::React),
        );
    }
}

/// Configures what [`SteeringDebugPlugin`] draws. Bevy's [`GizmoConfig`] for this [`GizmoConfigGroup`] turns drawing on and off (`enabled`)
/// and sets the line width.
#[derive(GizmoConfigGroup, Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, PartialEq)]
pub struct SteeringGizmos {
    /// Whether agents without [`ShowSteering`] are drawn. Default: yes.
    pub all_agents: bool,
    /// Whether velocities are drawn. Default: yes.
    pub velocity: bool,
    /// Whether preferred velocities are drawn: see [`Agent::preferred_velocity`](crate::agent::Agent::preferred_velocity). Default: yes.
    pub desired_velocity: bool,
    /// Whether total forces are drawn. Default: yes.
    pub force: bool,
    /// Whether each behavior's contribution is drawn. Default: yes.
    pub contributions: bool,
    /// Whether each behavior's figure is drawn. Default: yes.
    pub figures: bool,
    /// Whether the legend is drawn. Default: yes.
    pub legend: bool,
    /// The scale of arrows, seconds. Default: 0.5. The arrow of a velocity is as long as the distance covered in this time. The arrow of
    /// max force is as long as that of max speed.
    pub seconds: f32,
    /// The behaviors that are not drawn.
    hidden: Vec<BehaviorName>,
}

impl Default for SteeringGizmos {
    fn default() -> Self {
        Self {
            all_agents: true,
            velocity: true,
            desired_velocity: true,
            force: true,
            contributions: true,
            figures: true,
            legend: true,
            seconds: 0.5,
            hidden: Vec::new(),
        }
    }
}

impl SteeringGizmos {
    /// Sets whether the figure and the contribution of the behavior or constraint `B` are drawn.
    pub fn show<B: Component>(&mut self, shown: bool) {
        self.show_named(BehaviorName::of::<B>(), shown);
    }

    /// Sets whether the figure and the contribution of a behavior are drawn, by its name.
    pub fn show_named(&mut self, behavior: BehaviorName, shown: bool) {
        self.hidden.retain(|hidden| *hidden != behavior);
        if !shown {
            self.hidden.push(behavior);
        }
    }

    /// Whether the figure and the contribution of a behavior are drawn.
    pub fn shows(&self, behavior: &BehaviorName) -> bool {
        !self.hidden.contains(behavior)
    }
}

/// Whether an agent is drawn. Overrides [`SteeringGizmos::all_agents`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub struct ShowSteering(pub bool);

/// The color of velocities.
pub const VELOCITY: Color = Color::srgb(0.400, 0.808, 0.443);
/// The color of preferred velocities.
pub const DESIRED_VELOCITY: Color = Color::srgb(0.612, 0.639, 0.686);
/// The color of fields of view.
pub const SIGHT: Color = Color::srgba(1.0, 1.0, 1.0, 0.5);
/// The color of total forces.
pub const FORCE: Color = Color::srgb(0.976, 0.659, 0.227);

/// The colors of the plugin's behaviors.
const COLORS: [(&str, Color); 17] = [
    ("Seek", Color::srgb(0.376, 0.729, 0.953)),
    ("Arrive", Color::srgb(0.322, 0.835, 0.847)),
    ("Pursue", Color::srgb(0.302, 0.533, 0.953)),
    ("MatchVelocity", Color::srgb(0.620, 0.800, 0.980)),
    ("Flee", Color::srgb(0.957, 0.447, 0.384)),
    ("Evade", Color::srgb(0.953, 0.263, 0.463)),
    ("Wander", Color::srgb(0.690, 0.639, 0.886)),
    ("Separation", Color::srgb(0.902, 0.447, 0.816)),
    ("Alignment", Color::srgb(0.745, 0.820, 0.298)),
    ("Cohesion", Color::srgb(0.478, 0.678, 0.322)),
    ("Flock", Color::srgb(0.831, 0.749, 0.420)),
    ("Contain", Color::srgb(0.831, 0.569, 0.427)),
    ("AvoidObstacles", Color::srgb(0.976, 0.847, 0.286)),
    ("AvoidWithFeelers", Color::srgb(0.976, 0.847, 0.286)),
    ("AvoidNeighbors", Color::srgb(0.647, 0.486, 0.973)),
    ("Queue", Color::srgb(0.902, 0.780, 0.655)),
    ("ClassicQueue", Color::srgb(0.902, 0.780, 0.655)),
];

/// The color of a behavior, which is always the same. Behaviors with the same [short name](BehaviorName::short) share a color.
///
/// ```
/// use bevy_steerling::debug::color_of;
/// use bevy_steerling::prelude::*;
///
/// # #[derive(Component)] struct Dance;
/// # use bevy::prelude::Component;
/// assert_ne!(color_of(&BehaviorName::of::<Seek>()), color_of(&BehaviorName::of::<Flee>()));
/// // Your own behaviors have colors too.
/// assert_eq!(color_of(&BehaviorName::of::<Dance>()), color_of(&BehaviorName::of::<Dance>()));
/// ```
pub fn color_of(behavior: &BehaviorName) -> Color {
    let name = behavior.short();
    COLORS.iter().find(|(known, _)| *known == name).map_or_else(
        || {
            let number = name.bytes().fold(7_u32, |number, byte| number.wrapping_mul(31).wrapping_add(byte.into()));
            Color::hsl((number % 360) as f32, 0.5, 0.7)
        },
        |(_, color)| *color,
    )
}

/// Marks agents whose [`SteeringTrace`] this plugin has inserted.
#[derive(Component)]
struct TracedForDrawing;

/// Inserts traces on agents that are drawn, removes them from others, and requests figures.
fn trace_agents(
    mut commands: Commands,
    agents: Query<(Entity, Option<&ShowSteering>, Has<SteeringTrace>, Has<TracedForDrawing>), With<SteeringAgent>>,
    store: Res<GizmoConfigStore>,
    mut figures: ResMut<SteeringFigures>,
) {
    let (config, gizmos) = store.config::<SteeringGizmos>();
    figures.shown.clear();
    figures.figures.clear();
    figures.hidden.clone_from(&gizmos.hidden);
    for (agent, shown, traced, for_drawing) in &agents {
        let drawn = config.enabled && is_drawn(shown, gizmos);
        if drawn && gizmos.figures {
            figures.shown.push(agent);
        }
        let wanted = drawn && gizmos.contributions;
        if wanted && !traced {
            commands.entity(agent).insert((SteeringTrace::default(), TracedForDrawing));
        } else if !wanted && for_drawing {
            commands.entity(agent).remove::<(SteeringTrace, TracedForDrawing)>();
        }
    }
}

fn is_drawn(shown: Option<&ShowSteering>, gizmos: &SteeringGizmos) -> bool {
    shown.map_or(gizmos.all_agents, |shown| shown.0)
}

fn draw_arrows(
    agents: Query<((&SteeringAgent, &SteeringForce, AgentData), Option<&SteeringTrace>, Option<&ShowSteering>)>,
    mut gizmos: Gizmos<SteeringGizmos>,
    tick: TickParam,
) {
    let shown = gizmos.config_ext.clone();
    for ((body, force, data), trace, show) in &agents {
        if !is_drawn(show, &shown) {
            continue;
        }
        let agent = data.agent(force.0, tick.frame());
        let plane = tick.plane().isometry(tick.plane().height(data.transform().translation));
        let from = agent.position;
        let tip = 0.35 * body.radius.max(0.0);
        let mut arrow = |vector: Vector, color: Color| {
            if vector.is_finite() && vector.length_squared() > 0.01 * tip * tip {
                gizmos.arrow(plane * in_world(from), plane * in_world(from + vector), color).with_tip_length(tip);
            }
        };
        // The arrow of max force is as long as that of max speed.
        let per_force = shown.seconds * body.max_speed / body.max_force.max(f32::MIN_POSITIVE);
        if shown.desired_velocity {
            arrow(agent.preferred_velocity() * shown.seconds, DESIRED_VELOCITY);
        }
        if shown.velocity {
            arrow(agent.velocity * shown.seconds, VELOCITY);
        }
        if shown.force {
            arrow(force.0 * per_force, FORCE);
        }
        if shown.contributions
            && let Some(trace) = trace
        {
            for contribution in &trace.contributions {
                let name = &contribution.behavior;
                if *name != ROUNDING && shown.shows(name) {
                    arrow(contribution.applied * per_force, color_of(name));
                }
            }
        }
    }
}

/// Draws the figures of the tick.
fn draw_figures(figures: Res<SteeringFigures>, plane: Res<Placement>, mut gizmos: Gizmos<SteeringGizmos>) {
    for drawn in &figures.figures {
        let color = color_of(&drawn.behavior).with_alpha(0.8);
        for mark in &drawn.figure.marks {
            draw_mark(&mut gizmos, plane.isometry(drawn.height), mark, 0.35 * drawn.radius, color);
        }
    }
}

/// Draws how far agents see, and their fields of view.
fn draw_sights(
    agents: Query<(&Sight, &Transform, Option<&ShowSteering>)>,
    plane: Res<Placement>,
    mut gizmos: Gizmos<SteeringGizmos>,
) {
    let shown = gizmos.config_ext.clone();
    let is_shown = |show: Option<&ShowSteering>| shown.figures && is_drawn(show, &shown);
    for (sight, transform, _) in agents.iter().filter(|(.., show)| is_shown(*show)) {
        let (center, heading) = (plane.position(transform), plane.heading(transform));
        let mark = Mark::Sector { center, radius: sight.range.max(0.0), heading, angle: sight.field_of_view };
        draw_mark(&mut gizmos, plane.isometry(plane.height(transform.translation)), &mark, 0.0, SIGHT);
    }
}

/// The number of lines of an arc.
const ARC: u8 = 32;

/// Converts a point of the plane to a point of the xy plane, which an isometry then maps to the plane of steering.
#[cfg(not(dim3))]
fn in_world(point: Vector) -> Vec3 {
    point.extend(0.0)
}

#[cfg(dim3)]
fn in_world(point: Vector) -> Vec3 {
    point
}

/// The arms of the cross that marks a point.
#[cfg(not(dim3))]
const ARMS: [Vector; 2] = [Vector::ONE, Vector::new(-1.0, 1.0)];
#[cfg(dim3)]
const ARMS: [Vector; 3] = [Vector::X, Vector::Y, Vector::Z];

/// Draws a mark in a plane. Points are crosses of this size.
fn draw_mark(gizmos: &mut Gizmos<SteeringGizmos>, plane: Isometry3d, mark: &Mark, size: f32, color: Color) {
    let place = |point: Vector| plane * in_world(point);
    let mut circle = |center: Vector, radius: f32| {
        let isometry = Isometry3d::new(place(center), plane.rotation);
        #[cfg(not(dim3))]
        gizmos.circle(isometry, radius, color).resolution(64);
        #[cfg(dim3)]
        gizmos.sphere(isometry, radius, color).resolution(64);
    };
    match *mark {
        Mark::Point(point) if point.is_finite() => {
            for arm in ARMS.map(|arm| arm * size) {
                gizmos.line(place(point - arm), place(point + arm), color);
            }
        }
        Mark::Line(from, to) if from.is_finite() && to.is_finite() => gizmos.line(place(from), place(to), color),
        Mark::Circle { center, radius } if center.is_finite() && radius.is_finite() => circle(center, radius),
        Mark::Sector { center, radius, heading, angle } if center.is_finite() && radius.is_finite() => {
            if heading == Vector::ZERO || !heading.is_finite() || angle.is_nan() || angle >= TAU {
                circle(center, radius);
                return;
            }
            let ahead = normalize(heading);
            let part = angle.max(0.0) / f32::from(ARC);
            for aside in sides(ahead) {
                let turned = |number: u8| {
                    let turn = Vec2::from_angle((f32::from(number) - 0.5 * f32::from(ARC)) * part) * radius;
                    place(center + ahead * turn.x + aside * turn.y)
                };
                let arc = (0..=ARC).map(turned);
                gizmos.linestrip([place(center)].into_iter().chain(arc).chain([place(center)]), color);
            }
        }
        Mark::Outline(ref corners) if corners.iter().all(|corner| corner.is_finite()) => {
            gizmos.linestrip(corners.iter().chain(corners.first()).map(|corner| place(*corner)), color);
        }
        _ => {}
    }
}

/// Draws the legend in the upper right corner of the view.
fn draw_legend(
    agents: Query<&SteeringTrace, With<SteeringId>>,
    cameras: Query<(&Camera, &Projection, &Transform)>,
    mut gizmos: Gizmos<SteeringGizmos>,
) {
    let shown = gizmos.config_ext.clone();
    let active = cameras.iter().find(|(camera, ..)| camera.is_active);
    let Some((camera, Projection::Orthographic(projection), transform)) = active else { return };
    let Some(size) = camera.logical_viewport_size().filter(|size| shown.legend && size.min_element() > 0.0) else {
        return;
    };
    let mut entries: Vec<(&str, Color)> = [
        ("velocity", VELOCITY, shown.velocity),
        ("desired velocity", DESIRED_VELOCITY, shown.desired_velocity),
        ("force", FORCE, shown.force),
    ]
    .into_iter()
    .filter_map(|(name, color, shown)| shown.then_some((name, color)))
    .collect();
    let mut names: Vec<&BehaviorName> = Vec::new();
    for name in agents.iter().flat_map(|trace| &trace.contributions).map(|contribution| &contribution.behavior) {
        if *name != ROUNDING && shown.shows(name) && !names.contains(&name) {
            names.push(name);
        }
    }
    names.sort_unstable_by_key(|name| name.short());
    let color = |name: &BehaviorName| if *name == OUTSIDE { Color::WHITE } else { color_of(name) };
    entries.extend(names.into_iter().map(|name| (name.short(), color(name))));

    // Converts pixels to units in front of the camera.
    let pixel = projection.area.size() / size;
    let depth = -(projection.near + 1e-3 * (projection.far - projection.near));
    for (line, (name, color)) in entries.into_iter().enumerate() {
        let place = projection.area.max + pixel * Vec2::new(-16.0, -70.0 - 18.0 * line as f32);
        let place = transform.to_isometry() * place.extend(depth);
        gizmos.text(Isometry3d::new(place, transform.rotation), name, 12.0 * pixel.y, Vec2::new(0.5, 0.5), color);
    }
}

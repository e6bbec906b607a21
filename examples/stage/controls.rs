//! The controls of every scene: pause, step, slow motion and restart, and the help that lists them.

use bevy::prelude::*;
use bevy::time::TimeSystems;

use bevy_steerling::debug::SteeringGizmos;

use crate::scene::{Next, Permanent, Playing};
use crate::{GROUND, TEXT, caption, label_in_corner};

/// The relative speed of slow motion.
const SLOW: f32 = 0.25;

#[cfg(feature = "panel")]
const PANEL: &str = "\nP             panel: every field of every behavior";
#[cfg(not(feature = "panel"))]
const PANEL: &str = "";

const KEYS: &str = "
G             what the behaviors think
Space         pause
. (period)    step one tick, and pause
, (comma)     slow motion
Backspace     restart";

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Pace>()
        .add_systems(Startup, spawn_help)
        .add_systems(First, keep_pace.after(TimeSystems))
        .add_systems(PreUpdate, (press_keys, show_scene_help.run_if(resource_exists_and_changed::<Playing>)));
}

/// How fast time passes.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Whether time is paused.
    pub paused: bool,
    /// Whether to run one tick although time is paused.
    pub step: bool,
    /// Whether time passes in slow motion.
    pub slow: bool,
}

fn keep_pace(mut pace: ResMut<Pace>, mut time: ResMut<Time<Virtual>>, mut ticks: ResMut<Time<Fixed>>) {
    if pace.bypass_change_detection().step {
        pace.step = false;
        let tick = ticks.timestep();
        ticks.accumulate_overstep(tick);
    }
    if pace.is_changed() {
        if pace.paused {
            time.pause();
        } else {
            time.unpause();
        }
        time.set_relative_speed(if pace.slow { SLOW } else { 1.0 });
    }
}

fn press_keys(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    playing: Option<Res<Playing>>,
    mut pace: ResMut<Pace>,
    mut gizmos: ResMut<GizmoConfigStore>,
    mut help: Single<&mut Visibility, With<Keys>>,
) {
    if keys.just_pressed(KeyCode::Space) {
        pace.paused = !pace.paused;
    }
    if keys.just_pressed(KeyCode::Period) {
        (pace.paused, pace.step) = (true, true);
    }
    if keys.just_pressed(KeyCode::Comma) {
        pace.slow = !pace.slow;
    }
    if keys.just_pressed(KeyCode::KeyG) {
        let config = gizmos.config_mut::<SteeringGizmos>().0;
        config.enabled = !config.enabled;
    }
    if keys.just_pressed(KeyCode::Backspace)
        && let Some(playing) = playing
    {
        commands.insert_resource(Next(playing.0));
    }
    if keys.any_just_pressed([KeyCode::KeyH, KeyCode::Slash]) {
        help.toggle_visible_hidden();
    }
}

/// The help text of the scene.
#[derive(Component)]
struct SceneHelp;

/// The list of keys.
#[derive(Component)]
struct Keys;

fn spawn_help(mut commands: Commands) {
    commands.spawn((SceneHelp, Permanent, caption(4.0)));
    let bottom = Node {
        position_type: PositionType::Absolute,
        left: px(16),
        bottom: px(12),
        padding: UiRect::all(px(10)),
        ..default()
    };
    let ground = BackgroundColor(GROUND.with_alpha(0.7));
    let keys = format!("H or ?        show these keys{PANEL}{KEYS}");
    commands.spawn((Keys, Permanent, label_in_corner(keys, TEXT), bottom, ground, Visibility::Hidden));
}

fn show_scene_help(playing: Res<Playing>, mut help: Single<&mut Text, With<SceneHelp>>) {
    help.0 = format!("{}   [H: keys]", playing.0.help);
}

//! The time per frame and per steering tick, on screen.

use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy_steerling::prelude::*;

use crate::SceneApp;

/// The time per frame and per tick, as a moving average, seconds.
#[derive(Resource, Clone)]
struct Watch {
    agents: usize,
    /// The name of one agent, such as "bird".
    name: &'static str,
    started: Option<Instant>,
    frame: f64,
    tick: f64,
}

impl Watch {
    fn smooth(mean: &mut f64, now: f64) {
        *mean = if *mean == 0.0 { now } else { *mean + 0.05 * (now - *mean) };
    }
}

#[derive(Component)]
struct Clock;

/// Shows, below `top`, how long frames and steering ticks take with so many agents of this name. If rendering is slow, time slows down instead of ticks
/// piling up.
pub fn watch(scene: &mut SceneApp, agents: usize, name: &'static str, top: f32) {
    scene
        .start_with(Watch { agents, name, started: None, frame: 0.0, tick: 0.0 })
        .on_start(move |commands: Commands, time: ResMut<Time<Virtual>>| setup(commands, time, top))
        .add_systems(FixedUpdate, (start.before(RunSteeringSystems), stop.after(RunSteeringSystems)))
        .add_systems(Update, show);
}

fn setup(mut commands: Commands, mut virtual_time: ResMut<Time<Virtual>>, top: f32) {
    virtual_time.set_max_delta(std::time::Duration::from_millis(70));
    commands.spawn((Clock, crate::caption(top)));
}

fn start(mut watch: ResMut<Watch>) {
    watch.started = Some(Instant::now());
}

fn stop(mut watch: ResMut<Watch>) {
    if let Some(started) = watch.started.take() {
        Watch::smooth(&mut watch.tick, started.elapsed().as_secs_f64());
    }
}

fn show(mut clock: Single<&mut Text, With<Clock>>, mut watch: ResMut<Watch>, time: Res<Time<Real>>) {
    Watch::smooth(&mut watch.frame, time.delta_secs_f64());
    clock.0 = format!(
        "{:.1} ms per frame, {:.1} ms per steering tick: {:.0} ns per {}",
        watch.frame * 1e3,
        watch.tick * 1e3,
        watch.tick * 1e9 / watch.agents as f64,
        watch.name,
    );
}

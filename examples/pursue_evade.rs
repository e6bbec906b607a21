//! A hunter runs to where its prey will be. The prey wanders until the hunter is near, and then evades.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use stage::{Arrows, Body, OBSTACLE, PURSUER, QUARRY, Scene, SceneApp, VIEW};

const PANIC_DISTANCE: f32 = 220.0;
const MAX_PREDICTION: f32 = 2.0;

pub(crate) const SCENE: Scene = Scene {
    name: "pursue_evade",
    about: "A hunter runs to where its prey will be; the prey evades.",
    help: "The hunter (red) is faster, but its prey (blue) turns more sharply.\n\
        The hunter runs to the small circle, where it expects to meet the prey. Within the large one, the prey evades.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .start_with(SteeringBounds::wrap(-0.5 * VIEW, 0.5 * VIEW))
        .on_start(setup)
        .add_systems(Update, show_prediction);
}

fn setup(mut commands: Commands) {
    let [hunter, prey] = [commands.spawn_empty().id(), commands.spawn_empty().id()];

    commands.entity(prey).insert((
        Evade::new(hunter).with_panic_distance(PANIC_DISTANCE),
        Wander::default().with_weight(0.5),
        SteeringAgent { max_speed: 170.0, max_force: 600.0, ..default() },
        Body(QUARRY),
        Arrows::default(),
        Transform::from_xyz(150.0, -60.0, 0.0),
    ));
    commands.entity(hunter).insert((
        Pursue::new(prey).with_max_prediction(MAX_PREDICTION),
        SteeringAgent { max_speed: 220.0, max_force: 320.0, radius: 12.0, ..default() },
        Body(PURSUER),
        Arrows::default(),
        Transform::from_xyz(-350.0, 120.0, 0.0),
    ));

    commands.spawn((PanicRing, stage::ring(PANIC_DISTANCE, OBSTACLE), Transform::default()));
    commands.spawn((Meeting, stage::ring(7.0, PURSUER), Transform::default()));
}

#[derive(Component)]
struct PanicRing;

#[derive(Component)]
struct Meeting;

/// Shows where the hunter runs to, using the prediction of Pursue as a plain function.
fn show_prediction(
    hunter: Single<(&Transform, &SteeringAgent, &Pursue)>,
    prey: Single<(&Transform, &Velocity), With<Evade>>,
    bounds: Res<SteeringBounds>,
    mut ring: Single<&mut Transform, (With<PanicRing>, Without<Evade>, Without<Pursue>)>,
    mut meeting: Single<&mut Transform, (With<Meeting>, Without<PanicRing>, Without<Evade>, Without<Pursue>)>,
) {
    let (hunter, agent, pursue) = *hunter;
    let (prey, velocity) = *prey;
    let to_prey = bounds.space().displacement(hunter.translation.truncate(), prey.translation.truncate());
    let time = pursue.prediction.time(to_prey, velocity.0, agent.max_speed).min(MAX_PREDICTION);

    ring.translation = prey.translation.with_z(-1.0);
    meeting.translation = prey.translation + (velocity.0 * time).extend(0.0);
}

//! Birds flock and flee from the mouse. Keys change the strength of each part of flocking.

use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_steerling::agent::SteeringId;
use bevy_steerling::agent::random::SteeringRng;
use bevy_steerling::prelude::*;
use stage::{Body, CROWD, Cursor, OBSTACLE, PURSUER, QUARRY, Scene, SceneApp, TEXT, VIEW};

const BIRDS: usize = 300;
const BIRD: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 130.0, max_force: 320.0, radius: 6.0, response_time: 0.0 };
const PANIC_DISTANCE: f32 = 110.0;

/// The parts of flocking: name, keys for less and more, and initial strength as a share of max force.
const PARTS: [(&str, KeyCode, KeyCode, &str, f32); 3] = [
    ("separation", KeyCode::KeyA, KeyCode::KeyQ, "A/Q", 0.45),
    ("alignment", KeyCode::KeyS, KeyCode::KeyW, "S/W", 0.3),
    ("cohesion", KeyCode::KeyD, KeyCode::KeyE, "D/E", 0.3),
];
/// How fast a strength changes while its key is held, shares of max force per second.
const RATE: f32 = 0.5;
const BAR: f32 = 160.0;

pub(crate) const SCENE: Scene = Scene {
    name: "flock",
    about: "Birds flock and flee from the mouse.",
    help: "Three hundred birds keep apart, align and stay together. They flee from the red hawk on the mouse.\n\
        Q and A: more and less separation. W and S: alignment. E and D: cohesion.",
    keys: &[
        (KeyCode::KeyQ, "separation +"),
        (KeyCode::KeyA, "\u{2212}"),
        (KeyCode::KeyW, "alignment +"),
        (KeyCode::KeyS, "\u{2212}"),
        (KeyCode::KeyE, "cohesion +"),
        (KeyCode::KeyD, "\u{2212}"),
    ],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .start_with(SteeringSeed(4))
        .start_with(SteeringBounds::wrap(-0.5 * VIEW, 0.5 * VIEW))
        .start_with(Strengths(PARTS.map(|part| part.4)))
        .on_start(setup)
        .add_systems(
            Update,
            (turn_knobs, (use_strengths, show_strengths).run_if(resource_exists_and_changed::<Strengths>)).chain(),
        );
}

/// The strengths of separation, alignment and cohesion, shares of max force.
#[derive(Resource, Clone)]
struct Strengths([f32; 3]);

/// The bar that shows a strength.
#[derive(Component)]
struct Bar(usize);

#[derive(Component)]
struct Words(usize);

fn setup(mut commands: Commands, seed: Res<SteeringSeed>) {
    let hawk = commands.spawn((Cursor, stage::dot(7.0, PURSUER), Transform::from_xyz(330.0, -80.0, 1.0))).id();
    commands.entity(hawk).with_child(stage::ring(PANIC_DISTANCE, OBSTACLE));
    let mut random = SteeringRng::new(*seed, SteeringId::new(0), 1);
    for k in 0..BIRDS {
        let place = (Vec2::new(random.uniform(), random.uniform()) - 0.5) * VIEW;
        let heading = Vec2::from_angle(random.uniform() * core::f32::consts::TAU);
        commands.spawn((
            Flock::default(),
            Flee::new(hawk).with_panic_distance(PANIC_DISTANCE).with_weight(2.0),
            BIRD,
            Body(if k % 6 == 0 { CROWD } else { QUARRY }),
            Velocity(heading * BIRD.max_speed * 0.5),
            Transform::from_translation(place.extend(0.0)),
        ));
    }
    for (number, (name, ..)) in PARTS.iter().enumerate() {
        let y = 236.0 - 30.0 * number as f32;
        let words = stage::label(*name, TEXT);
        let place = Transform::from_xyz(-624.0, y, 2.0);
        commands.spawn((Words(number), words, Anchor::CENTER_LEFT, place));
        let shape = Sprite { color: QUARRY, custom_size: Some(Vec2::new(1.0, 8.0)), ..default() };
        commands.spawn((Bar(number), shape, Transform::from_xyz(-430.0, y, 2.0)));
    }
}

fn turn_knobs(keys: Res<ButtonInput<KeyCode>>, time: Res<Time>, mut strengths: ResMut<Strengths>) {
    for (number, (_, less, more, ..)) in PARTS.iter().enumerate() {
        let change = f32::from(u8::from(keys.pressed(*more))) - f32::from(u8::from(keys.pressed(*less)));
        if change != 0.0 {
            let strength = &mut strengths.0[number];
            *strength = (*strength + change * RATE * time.delta_secs()).clamp(0.0, 1.0);
        }
    }
}

fn use_strengths(mut flocks: Query<&mut Flock>, strengths: Res<Strengths>) {
    let [separation, alignment, cohesion] = strengths.0.map(|share| Some(share * BIRD.max_force));
    for mut flock in &mut flocks {
        flock.separation.strength = separation;
        flock.alignment.strength = alignment;
        flock.cohesion.strength = cohesion;
    }
}

fn show_strengths(
    mut bars: Query<(&Bar, &mut Transform)>,
    mut words: Query<(&Words, &mut Text2d)>,
    strengths: Res<Strengths>,
) {
    for (bar, mut transform) in &mut bars {
        let length = strengths.0[bar.0] * BAR;
        transform.scale.x = length;
        transform.translation.x = -416.0 + 0.5 * length;
    }
    for (number, mut text) in &mut words {
        let (name, .., keys, _) = PARTS[number.0];
        text.0 = format!("{keys}  {name} {:.2}", strengths.0[number.0]);
    }
}

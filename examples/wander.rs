//! A crowd wanders and keeps apart. One agent shows how: it steers to a point that drifts along a circle.

use bevy::prelude::*;
use bevy_steerling::behaviors::wander::WanderState;
use bevy_steerling::prelude::*;
use stage::{Arrows, Body, CROWD, FORCE, OBSTACLE, QUARRY, Scene, SceneApp, VIEW};

const CROWD_SIZE: usize = 40;
const AGENT: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 90.0, max_force: 260.0, radius: 9.0, response_time: 0.0 };
const CIRCLE_DISTANCE: f32 = 60.0;
const CIRCLE_RADIUS: f32 = 35.0;

pub(crate) const SCENE: Scene = Scene {
    name: "wander",
    about: "A crowd wanders; one agent shows its wander circle.",
    help: "Every agent steers to a point (orange) that drifts along a circle ahead of it.\n\
        The edges wrap: an agent that leaves on one side enters on the other.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .start_with(SteeringBounds::wrap(-0.5 * VIEW, 0.5 * VIEW))
        .start_with(SteeringSeed(7))
        .on_start(setup)
        .add_systems(Update, show_circle);
}

fn setup(mut commands: Commands) {
    let wander = Wander::default().with_circle(CIRCLE_DISTANCE, CIRCLE_RADIUS);

    for k in 0..CROWD_SIZE {
        // A sunflower pattern: evenly spread, never in rows.
        let place = Vec2::from_angle(2.4 * k as f32) * 52.0 * (k as f32).sqrt();
        let mut agent = commands.spawn((
            wander.clone(),
            Separation::default(),
            AGENT,
            Body(CROWD),
            Transform::from_translation(place.extend(0.0)),
        ));
        if k == 0 {
            agent.insert((Body(QUARRY), Arrows::default()));
        }
    }

    commands.spawn((Circle, stage::ring(CIRCLE_RADIUS, OBSTACLE), Transform::default()));
    commands.spawn((Point, stage::dot(4.0, FORCE), Transform::default()));
}

#[derive(Component)]
struct Circle;

#[derive(Component)]
struct Point;

fn show_circle(
    agent: Single<(&Transform, &Velocity, &WanderState), With<Arrows>>,
    mut circle: Single<&mut Transform, (With<Circle>, Without<Arrows>)>,
    mut point: Single<&mut Transform, (With<Point>, Without<Circle>, Without<Arrows>)>,
) {
    let (transform, velocity, state) = *agent;
    let center = transform.translation + (velocity.normalize_or_zero() * CIRCLE_DISTANCE).extend(0.0);
    let on_circle = Vec2::from_angle(state.angle().unwrap_or_default()) * CIRCLE_RADIUS;
    circle.translation = center.with_z(-1.0);
    point.translation = center + on_circle.extend(0.0);
}

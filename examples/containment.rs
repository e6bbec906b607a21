//! Wanderers stay in their three rooms; one agent seeks the mouse and cannot get out.

use bevy::prelude::*;
use bevy_prototype_lyon::prelude::*;
use bevy_steerling::prelude::*;
use stage::{Body, CROWD, Cursor, OBSTACLE, PURSUER, QUARRY, Scene, SceneApp, Trail, VELOCITY};

const WANDERERS: usize = 6;
const AGENT: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 90.0, max_force: 260.0, radius: 9.0, response_time: 0.0 };
const LEFT: Vec2 = Vec2::new(-410.0, -20.0);
const TILT: f32 = 0.2;
const RIGHT: Vec2 = Vec2::new(410.0, -20.0);

pub(crate) const SCENE: Scene = Scene {
    name: "containment",
    about: "Wanderers stay in their rooms.",
    help: "Agents wander, and turn back before the walls of their rooms.\n\
        The red one seeks the mouse. If that is outside, it stops at the nearest point of its room.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene.start_with(SteeringSeed(3)).on_start(setup);
}

fn setup(mut commands: Commands) {
    let cursor = commands.spawn((Cursor, stage::dot(6.0, PURSUER), Transform::from_xyz(-150.0, 250.0, 1.0))).id();

    let hall = Rectangle::new(360.0, 420.0);
    let disc = Circle::new(185.0);
    let corners = [(-185.0, -210.0), (190.0, -210.0), (150.0, 60.0), (-20.0, 230.0), (-170.0, 110.0)].map(Vec2::from);
    let Ok(polygon) = ConvexPolygon::new(corners) else { return };

    let [x, y] = hall.half_size.to_array();
    let tilted = Transform::from_rotation(Quat::from_rotation_z(TILT));
    let walls = [(x, y), (-x, y), (-x, -y), (x, -y)].map(Vec2::from);
    commands.spawn((outline(&walls), tilted.with_translation(LEFT.extend(-1.0))));
    commands.spawn((stage::ring(disc.radius, OBSTACLE), Transform::from_xyz(0.0, -20.0, -1.0)));
    commands.spawn((outline(&corners), Transform::from_translation(RIGHT.extend(-1.0))));

    let hall = Contain::new(hall).with_center(LEFT).with_rotation(TILT);
    let disc = Contain::new(disc).with_center(Vec2::new(0.0, -20.0));
    let polygon = Contain::new(polygon).with_center(RIGHT);
    for (room, color) in [(&hall, QUARRY), (&disc, CROWD), (&polygon, VELOCITY)] {
        for k in 0..WANDERERS {
            let place = room.center + Vec2::from_angle(2.4 * k as f32) * 40.0 * (k as f32).sqrt();
            let transform = Transform::from_translation(place.extend(0.0));
            commands.spawn((
                Wander::default(),
                Separation::default(),
                room.clone(),
                AGENT,
                Body(color),
                Trail,
                transform,
            ));
        }
    }
    let place = Transform::from_translation(LEFT.extend(0.0));
    commands.spawn((Seek::new(cursor), hall, AGENT, Body(PURSUER), Trail, place));
}

fn outline(corners: &[Vec2]) -> Shape {
    ShapeBuilder::with(&shapes::Polygon { points: corners.to_vec(), closed: true }).stroke((OBSTACLE, 2.0)).build()
}

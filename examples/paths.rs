//! Agents on paths: a figure of eight, a hairpin road for heavy and light ones, and a road with traffic in both directions.

use std::f32::consts::TAU;

use bevy::math::ops;
use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_prototype_lyon::prelude::*;
use bevy_steerling::prelude::*;
use stage::{Body, CROWD, Cursor, FORCE, GROUND, OBSTACLE, Pointer, QUARRY, Scene, SceneApp, Trail};

/// The figure of eight: its middle, how far it reaches, and the number of its points.
const EIGHT: Vec2 = Vec2::new(-330.0, 95.0);
const EIGHT_SIZE: Vec2 = Vec2::new(250.0, 125.0);
const EIGHT_POINTS: u16 = 48;
const RUNNERS: u16 = 10;

const HAIRPIN: [Vec2; 8] = [
    Vec2::new(60.0, 240.0),
    Vec2::new(560.0, 240.0),
    Vec2::new(560.0, 160.0),
    Vec2::new(150.0, 160.0),
    Vec2::new(150.0, 80.0),
    Vec2::new(560.0, 80.0),
    Vec2::new(560.0, -20.0),
    Vec2::new(60.0, -20.0),
];
/// The masses and colors of the agents on the hairpin road.
const MASSES: [(f32, Color); 3] = [(1.0, QUARRY), (2.0, CROWD), (4.0, FORCE)];

const ROAD: [Vec2; 7] = [
    Vec2::new(-590.0, -160.0),
    Vec2::new(-420.0, -240.0),
    Vec2::new(-180.0, -250.0),
    Vec2::new(20.0, -160.0),
    Vec2::new(240.0, -140.0),
    Vec2::new(400.0, -260.0),
    Vec2::new(590.0, -260.0),
];
const WALKERS: u16 = 14;

/// Half the widths of the lanes.
const NARROW: f32 = 24.0;
const WIDE: f32 = 42.0;
const STONE: f32 = 12.0;

pub(crate) const SCENE: Scene = Scene {
    name: "paths",
    about: "A figure of eight, a hairpin road, and a road with traffic in both directions.",
    help: "Agents follow paths in lanes. They pass those who come toward them, and cross in the middle of the eight.\n\
        The heavier one is, the earlier it brakes for corners. Click to put a stone in the way.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene.on_start(setup).add_systems(Update, (drop_stone, carry_labels));
}

/// A label above an agent.
#[derive(Component)]
struct Label(Entity);

fn setup(mut commands: Commands) {
    commands.spawn((Cursor, stage::ring(STONE, OBSTACLE), Transform::from_xyz(-600.0, -330.0, -1.0)));

    let eight: Vec<Vec2> = (0..EIGHT_POINTS)
        .map(|k| f32::from(k) / f32::from(EIGHT_POINTS) * TAU)
        .map(|angle| EIGHT + EIGHT_SIZE * Vec2::new(ops::sin(angle), ops::sin(2.0 * angle)))
        .collect();
    draw_lane(&mut commands, &eight, true, NARROW);
    let eight = SteeringPath::new(eight);
    for k in 0..RUNNERS {
        let follow = FollowPath::new(&eight).with_end(PathEnd::Loop).with_radius(NARROW);
        let along = eight.length() * f32::from(k) / f32::from(RUNNERS);
        let (max_speed, color) = if k % 2 == 0 { (110.0, QUARRY) } else { (95.0, CROWD) };
        let body = SteeringAgent { max_speed, max_force: 400.0, ..default() };
        commands.spawn((follow, body, passing(), Body(color), Trail, place(&eight, along)));
    }

    draw_lane(&mut commands, &HAIRPIN, true, NARROW);
    let hairpin = SteeringPath::new(HAIRPIN);
    for (k, (mass, color)) in MASSES.into_iter().enumerate() {
        let follow = FollowPath::new(&hairpin).with_end(PathEnd::Loop).with_radius(NARROW);
        let body = SteeringAgent { mass, max_speed: 220.0, max_force: 400.0, radius: 6.0 + 1.5 * mass, ..default() };
        let start = place(&hairpin, 360.0 - 150.0 * k as f32);
        let agent = commands.spawn((follow, body, AvoidObstacles::default(), Body(color), Trail, start)).id();
        let text = stage::label(format!("mass {mass}"), color);
        commands.spawn((Label(agent), text, Anchor::BOTTOM_CENTER, Transform::default()));
    }

    draw_lane(&mut commands, &ROAD, false, WIDE);
    let road = SteeringPath::new(ROAD);
    let back = SteeringPath::new(ROAD.into_iter().rev());
    for k in 0..WALKERS {
        let (way, color) = if k % 2 == 0 { (&road, QUARRY) } else { (&back, CROWD) };
        let follow = FollowPath::new(way).with_end(PathEnd::PingPong).with_radius(WIDE);
        let body = SteeringAgent { max_speed: 80.0 + 15.0 * f32::from(k % 3), max_force: 400.0, ..default() };
        let along = way.length() * f32::from(k) / f32::from(WALKERS);
        commands.spawn((follow, body, passing(), Body(color), place(way, along)));
    }
}

/// Agents go around others and around stones.
fn passing() -> impl Bundle {
    (AvoidNeighbors::default(), AvoidObstacles::default())
}

/// The place at a distance along a path.
fn place(path: &SteeringPath, along: f32) -> Transform {
    Transform::from_translation(path.point_at(along).unwrap_or_default().extend(0.0))
}

fn draw_lane(commands: &mut Commands, points: &[Vec2], closed: bool, radius: f32) {
    let line = shapes::Polygon { points: points.to_vec(), closed };
    for (width, color, z) in [(2.0 * radius, GROUND.mix(&OBSTACLE, 0.25), -4.0), (1.5, OBSTACLE, -3.0)] {
        let options = StrokeOptions::default().with_line_width(width).with_line_join(LineJoin::Round);
        let options = options.with_line_cap(LineCap::Round);
        let drawn = ShapeBuilder::with(&line).stroke(Stroke { options, color }).build();
        commands.spawn((drawn, Transform::from_xyz(0.0, 0.0, z)));
    }
}

fn drop_stone(mut commands: Commands, pointer: Pointer) {
    if let Some(place) = pointer.clicked() {
        let obstacle = Obstacle::new(Circle::new(STONE));
        commands.spawn((obstacle, stage::dot(STONE, OBSTACLE), Transform::from_translation(place.extend(-1.0))));
    }
}

fn carry_labels(mut labels: Query<(&Label, &mut Transform)>, agents: Query<&Transform, Without<Label>>) {
    for (label, mut transform) in &mut labels {
        if let Ok(agent) = agents.get(label.0) {
            transform.translation = agent.translation + Vec3::new(0.0, 14.0, 1.0);
        }
    }
}

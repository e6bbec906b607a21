//! A crowd runs back and forth through a field of obstacles. A click drops another obstacle.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use stage::{Body, CROWD, Cursor, OBSTACLE, Pointer, Scene, SceneApp, Trail, VIEW};

const CROWD_SIZE: usize = 16;
const AGENT: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 150.0, max_force: 450.0, radius: 8.0, response_time: 0.0 };
/// The distance of the targets to the left and right of the middle.
const SIDE: f32 = 580.0;

pub(crate) const SCENE: Scene = Scene {
    name: "avoid_obstacles",
    about: "A crowd runs through a field of standing and moving obstacles.",
    help: "Every agent seeks the other side and goes around obstacles. The bar and the ball move.\n\
        Click to drop another obstacle.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .on_start(setup)
        .add_systems(FixedUpdate, (patrol, turn_round).before(RunSteeringSystems))
        .add_systems(Update, drop_obstacle);
}

fn setup(mut commands: Commands) {
    commands.spawn((Cursor, stage::ring(30.0, OBSTACLE), Transform::from_xyz(0.0, -330.0, -1.0)));

    let hexagon = ConvexPolygon::new((0..6).map(|k| Vec2::from_angle(k as f32 * 1.047) * 62.0));
    let zigzag = Polyline2d::new([(-70.0, -60.0), (0.0, 0.0), (-30.0, 80.0)].map(Vec2::from));
    let walls: [(ObstacleShape, Transform); 8] = [
        (Circle::new(70.0).into(), place(-330.0, 90.0, 0.0)),
        (Rectangle::new(150.0, 50.0).into(), place(-120.0, -60.0, 0.7)),
        (Capsule2d::new(22.0, 120.0).into(), place(60.0, 190.0, 0.4)),
        (Segment2d::new(Vec2::new(0.0, -70.0), Vec2::new(0.0, 70.0)).into(), place(-40.0, 260.0, -0.5)),
        (hexagon.map_or(Circle::new(62.0).into(), ObstacleShape::from), place(290.0, -130.0, 0.2)),
        (zigzag.into(), place(180.0, 60.0, 0.0)),
        (Circle::new(34.0).into(), place(-250.0, -230.0, 0.0)),
        (Rectangle::new(40.0, 130.0).into(), place(380.0, 180.0, -0.3)),
    ];
    for (shape, transform) in walls {
        spawn_obstacle(&mut commands, shape, transform);
    }
    let bar = spawn_obstacle(&mut commands, Rectangle::new(24.0, 150.0), place(-440.0, 0.0, 0.0));
    let ball = spawn_obstacle(&mut commands, Circle::new(36.0), place(60.0, -200.0, 0.0));
    commands.entity(bar).insert((Patrol, Velocity(Vec2::new(0.0, 50.0))));
    commands.entity(ball).insert((Patrol, Velocity(Vec2::new(0.0, -40.0))));

    for k in 0..CROWD_SIZE {
        let (y, side) = ((k as f32 / (CROWD_SIZE - 1) as f32 - 0.5) * 560.0, if k % 2 == 0 { -SIDE } else { SIDE });
        let body = (AGENT, Body(CROWD), Trail, place(side, y, 0.0));
        commands.spawn((Seek::new(Vec2::new(-side, y)), AvoidObstacles::default(), Separation::default(), body));
    }
}

fn place(x: f32, y: f32, angle: f32) -> Transform {
    Transform::from_xyz(x, y, -1.0).with_rotation(Quat::from_rotation_z(angle))
}

fn spawn_obstacle(commands: &mut Commands, shape: impl Into<ObstacleShape>, transform: Transform) -> Entity {
    let obstacle = Obstacle::new(shape);
    let drawn = stage::drawn(&obstacle.shape, OBSTACLE, 4.0);
    commands.spawn((obstacle, drawn, transform)).id()
}

/// An obstacle that moves up and down.
#[derive(Component)]
struct Patrol;

fn patrol(mut patrols: Query<(&mut Transform, &mut Velocity), With<Patrol>>, time: Res<Time>) {
    for (mut transform, mut velocity) in &mut patrols {
        transform.translation += velocity.extend(0.0) * time.delta_secs();
        if transform.translation.y * velocity.y > 0.0 && transform.translation.y.abs() > 0.35 * VIEW.y {
            velocity.y = -velocity.y;
        }
    }
}

/// Sends agents that have arrived to the other side.
fn turn_round(mut agents: Query<(&mut Seek, &Transform)>) {
    for (mut seek, transform) in &mut agents {
        if let Target::Point(target) = seek.target
            && transform.translation.truncate().distance(target) < 30.0
        {
            seek.target = Target::Point(target * Vec2::new(-1.0, 1.0));
        }
    }
}

fn drop_obstacle(mut commands: Commands, pointer: Pointer) {
    if let Some(place) = pointer.clicked() {
        spawn_obstacle(&mut commands, Circle::new(30.0), Transform::from_translation(place.extend(0.0)));
    }
}

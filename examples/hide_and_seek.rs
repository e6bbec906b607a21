//! Hiders keep obstacles of all shapes between themselves and a seeker, which wanders or follows the mouse.

use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_prototype_lyon::prelude::*;
use bevy_steerling::prelude::*;
use stage::{Body, FORCE, GROUND, OBSTACLE, PURSUER, Pointer, QUARRY, Scene, SceneApp, TEXT, Trail};

const HIDERS: usize = 12;
const HIDER: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 150.0, max_force: 500.0, radius: 8.0, response_time: 0.0 };
const SEEKER: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 100.0, max_force: 250.0, radius: 12.0, response_time: 0.0 };
/// The field that all agents stay in.
const FIELD: Rect = Rect { min: Vec2::new(-620.0, -310.0), max: Vec2::new(620.0, 270.0) };

const HIDDEN: Color = QUARRY;
const SEEN: Color = FORCE;
/// The range of the seeker's sight, units: across the whole field.
const SIGHT: f32 = 2_000.0;

pub(crate) const SCENE: Scene = Scene {
    name: "hide_and_seek",
    about: "Hiders keep obstacles between themselves and a seeker.",
    help: "The seeker (red) does not see what is in the dark. Hiders go to the nearest place behind an obstacle.\n\
        Those that it sees are orange. The seeker wanders; while the mouse is in the window, it goes to the mouse.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .start_with(SteeringSeed(5))
        .on_start(setup)
        .add_systems(FixedUpdate, lead_seeker.before(RunSteeringSystems))
        .add_systems(Update, (draw_shadows, show_seen).chain());
}

#[derive(Component)]
struct Seeker;

/// The part of the field that the seeker does not see because of an obstacle.
#[derive(Component)]
struct Shadow(Entity);

#[derive(Component)]
struct Score;

fn setup(mut commands: Commands) {
    for (shape, place) in shapes() {
        let drawn = stage::drawn(&shape, OBSTACLE, 6.0);
        let obstacle = commands.spawn((Obstacle::new(shape), drawn, place)).id();
        commands.spawn((Shadow(obstacle), shadow(Vec::new()), Transform::from_xyz(0.0, 0.0, -4.0)));
    }
    let inside = Contain::new(Rectangle::from_size(FIELD.size())).with_center(FIELD.center());
    let seeker = commands
        .spawn((
            Seeker,
            Wander::default(),
            AvoidObstacles::default(),
            inside.clone(),
            SEEKER,
            Body(PURSUER),
            Trail,
            Transform::from_xyz(-130.0, -40.0, 0.0),
        ))
        .id();
    for k in 0..HIDERS {
        let (column, row) = (k % 4, k / 4);
        commands.spawn((
            Hide::new(seeker),
            AvoidObstacles::default(),
            AvoidNeighbors::default(),
            inside.clone(),
            HIDER,
            Body(HIDDEN),
            Transform::from_xyz(-525.0 + 350.0 * column as f32, -230.0 + 210.0 * row as f32, 0.0),
        ));
    }
    let place = Transform::from_xyz(-624.0, -334.0, 0.0);
    commands.spawn((Score, stage::label("", TEXT), Anchor::CENTER_LEFT, place));
}

fn shapes() -> [(ObstacleShape, Transform); 10] {
    let place = |x, y, angle| Transform::from_xyz(x, y, -1.0).with_rotation(Quat::from_rotation_z(angle));
    let hexagon = ConvexPolygon::new((0..6).map(|k| Vec2::from_angle(k as f32 * 1.047) * 52.0));
    let triangle = ConvexPolygon::new([(-45.0, -40.0), (50.0, -40.0), (0.0, 50.0)].map(Vec2::from));
    let corner = Polyline2d::new([(-60.0, 50.0), (0.0, 0.0), (70.0, 30.0)].map(Vec2::from));
    [
        (Circle::new(48.0).into(), place(-420.0, 120.0, 0.0)),
        (Rectangle::new(130.0, 44.0).into(), place(-180.0, 150.0, -0.4)),
        (hexagon.map_or(Circle::new(52.0).into(), ObstacleShape::from), place(60.0, 60.0, 0.3)),
        (Capsule2d::new(20.0, 90.0).into(), place(270.0, 170.0, 1.0)),
        (Circle::new(34.0).into(), place(470.0, 90.0, 0.0)),
        (triangle.map_or(Circle::new(45.0).into(), ObstacleShape::from), place(-450.0, -140.0, 0.0)),
        (corner.into(), place(-250.0, -200.0, 0.0)),
        (Rectangle::new(40.0, 110.0).into(), place(0.0, -190.0, 0.3)),
        (Circle::new(42.0).into(), place(230.0, -110.0, 0.0)),
        (Capsule2d::new(18.0, 110.0).into(), place(450.0, -170.0, -0.5)),
    ]
}

/// Sends the seeker to the mouse while that is in the window.
fn lead_seeker(mut commands: Commands, seeker: Single<(Entity, Has<Wander>), With<Seeker>>, pointer: Pointer) {
    let (seeker, wanders) = *seeker;
    match pointer.place() {
        Some(place) => _ = commands.entity(seeker).remove::<Wander>().insert(Arrive::new(place)),
        None if !wanders => _ = commands.entity(seeker).remove::<Arrive>().insert(Wander::default()),
        None => {}
    }
}

fn shadow(points: Vec<Vec2>) -> Shape {
    ShapeBuilder::with(&shapes::Polygon { points, closed: true }).fill(GROUND.darker(0.03)).build()
}

/// Draws a shadow behind each obstacle, as if the seeker were a lamp.
fn draw_shadows(
    seeker: Single<&Transform, With<Seeker>>,
    obstacles: Query<(&Obstacle, &Transform)>,
    mut shadows: Query<(&Shadow, &mut Shape)>,
) {
    let eye = seeker.translation.truncate();
    for (Shadow(obstacle), mut drawn) in &mut shadows {
        let Ok((obstacle, place)) = obstacles.get(*obstacle) else { continue };
        let placed = obstacle.shape.placed(place, SteeringPlane::XY);
        let to_center = placed.center() - eye;
        let rays = placed.tangents(eye, to_center.normalize_or_zero(), 0.0);
        // The corner that a ray touches.
        let near = rays.map(|ray| {
            let off = |corner: &Vec2| (ray.perp_dot(*corner - eye).abs() - placed.radius()).abs();
            let touched = placed.corners().iter().min_by(|a, b| off(a).total_cmp(&off(b)));
            eye + ray * touched.map_or(0.0, |corner| ray.dot(*corner - eye))
        });
        let far = rays.map(|ray| eye + ray * SIGHT);
        *drawn = shadow(vec![near[0], near[1], far[1], far[0]]);
    }
}

/// Colors the hiders that the seeker sees, and counts them.
fn show_seen(
    seeker: Single<&Transform, With<Seeker>>,
    obstacles: Res<Obstacles>,
    mut hiders: Query<(&Transform, &mut Body), With<Hide>>,
    mut score: Single<&mut Text2d, With<Score>>,
    mut gizmos: Gizmos,
) {
    let eye = seeker.translation.truncate();
    let mut seen = 0;
    for (hider, mut body) in &mut hiders {
        let place = hider.translation.truncate();
        let is_seen = obstacles.has_line_of_sight(eye, place, &ObstacleFilter::default());
        if is_seen {
            seen += 1;
            gizmos.line_2d(eye, place, SEEN.with_alpha(0.25));
        }
        body.set_if_neq(Body(if is_seen { SEEN } else { HIDDEN }));
    }
    score.0 = format!("{:2} hidden, {seen} seen", HIDERS - seen);
}

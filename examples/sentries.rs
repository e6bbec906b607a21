//! Sentries see what is in their field of view and not behind a wall. They chase an intruder as long as they see it.

use bevy::math::ops;
use bevy::prelude::*;
use bevy_prototype_lyon::prelude::*;
use bevy_steerling::prelude::*;
use stage::{Body, CROWD, FORCE, Fading, OBSTACLE, PURSUER, Pointer, QUARRY, Scene, SceneApp, Trail};

const SENTRY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 130.0, max_force: 420.0, radius: 11.0, response_time: 0.0 };
const INTRUDER: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 110.0, max_force: 500.0, radius: 9.0, response_time: 0.0 };
/// The place where the intruder enters.
const ENTRANCE: Vec2 = Vec2::new(-600.0, -270.0);
/// The way of an intruder that the mouse does not lead.
const TOUR: [Vec2; 6] = [
    ENTRANCE,
    Vec2::new(-430.0, 60.0),
    Vec2::new(-60.0, 240.0),
    Vec2::new(330.0, 190.0),
    Vec2::new(560.0, -120.0),
    Vec2::new(40.0, -270.0),
];
const RANGE: f32 = 260.0;
const FIELD_OF_VIEW: f32 = 1.3;
/// The number of rays with which a field of view is drawn.
const RAYS: u16 = 60;
/// The lifetime of a word, seconds.
const FADE: f32 = 1.4;

pub(crate) const SCENE: Scene = Scene {
    name: "sentries",
    about: "Sentries chase an intruder as long as they see it.",
    help: "Sentries (purple) look around. One that sees the intruder (blue) turns red, and chases it until it is out of sight.\n\
        A caught intruder starts again at the entrance. While the mouse is in the window, the intruder goes to it.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .on_start(setup)
        .add_systems(FixedUpdate, (lead_intruder, look_around).before(RunSteeringSystems))
        .add_systems(Update, draw_views);
}

#[derive(Component)]
struct Intruder;

/// A sentry, and the direction in which it looks at its post, radians.
#[derive(Component)]
struct Sentry(f32);

/// The area that a sentry sees.
#[derive(Component)]
struct View(Entity);

fn setup(mut commands: Commands) {
    for (size, x, y, angle) in [
        (Vec2::new(220.0, 16.0), -330.0, 150.0, 0.3),
        (Vec2::new(16.0, 230.0), -140.0, -140.0, 0.0),
        (Vec2::new(200.0, 16.0), 60.0, 90.0, 0.0),
        (Vec2::new(16.0, 170.0), 240.0, -70.0, -0.4),
        (Vec2::new(150.0, 16.0), 430.0, 90.0, 0.6),
    ] {
        let place = Transform::from_xyz(x, y, -1.0).with_rotation(Quat::from_rotation_z(angle));
        commands.spawn((Obstacle::new(Rectangle::from_size(size)), Sprite::from_color(OBSTACLE, size), place));
    }
    let tour = FollowPath::new(TOUR).with_end(PathEnd::Loop).with_radius(20.0);
    let start = Transform::from_translation(ENTRANCE.extend(0.0));
    let behaviors = (tour, Arrive::new(Vec2::ZERO).with_weight(0.0), AvoidObstacles::default());
    let intruder = (Intruder, behaviors, INTRUDER, Body(QUARRY), Trail, start);
    let intruder = commands.spawn(intruder).id();
    for (x, y, looks) in [(-420.0, -60.0, -2.4), (0.0, -80.0, -0.8), (120.0, 230.0, 2.9), (520.0, -230.0, 2.2)] {
        let place = Transform::from_xyz(x, y, 0.0).with_rotation(Quat::from_rotation_z(looks));
        let sentry = commands
            .spawn((
                (Sentry(looks), SENTRY, Body(CROWD)),
                (Hold::default(), Pursue::new(intruder).with_weight(0.0)),
                (AvoidObstacles::default(), AvoidNeighbors::default()),
                Sight::new(RANGE).with_field_of_view(FIELD_OF_VIEW),
                (SteeringEvents::default(), FaceVelocity::default().with_turn_rate(5.0)),
                place,
            ))
            .observe(chase)
            .observe(go_back)
            .observe(throw_out)
            .id();
        commands.spawn((View(sentry), view(Vec::new(), CROWD), Transform::from_xyz(0.0, 0.0, -3.0)));
    }
}

type Sentries<'w, 's> = Query<'w, 's, (&'static mut Pursue, &'static mut Hold, &'static mut Body, &'static Transform)>;

fn chase(found: On<TargetFound>, mut sentries: Sentries, mut commands: Commands) {
    if let Ok((mut pursue, mut hold, mut body, place)) = sentries.get_mut(found.entity) {
        (pursue.weight, hold.weight, *body) = (1.0, 0.0, Body(PURSUER));
        say(&mut commands, "!", PURSUER, place);
    }
}

fn go_back(lost: On<TargetLost>, mut sentries: Sentries, mut commands: Commands) {
    if let Ok((mut pursue, mut hold, mut body, place)) = sentries.get_mut(lost.entity) {
        if pursue.weight > 0.0 {
            say(&mut commands, "?", FORCE, place);
        }
        (pursue.weight, hold.weight, *body) = (0.0, 1.0, Body(CROWD));
    }
}

fn throw_out(caught: On<Caught>, mut places: Query<&mut Transform, With<Intruder>>) {
    if let Ok(mut place) = places.get_mut(caught.quarry) {
        place.translation = ENTRANCE.extend(0.0);
    }
}

/// Sends the intruder to the mouse while that is in the window.
fn lead_intruder(intruder: Single<(&mut FollowPath, &mut Arrive), With<Intruder>>, pointer: Pointer) {
    let (mut tour, mut arrive) = intruder.into_inner();
    let place = pointer.place();
    (tour.weight, arrive.weight) = if place.is_some() { (0.0, 1.0) } else { (1.0, 0.0) };
    arrive.target = place.unwrap_or_default().into();
}

/// Turns the sentries that stand at their posts to and fro.
fn look_around(mut sentries: Query<(&Sentry, &Velocity, &Pursue, &mut Transform)>, time: Res<Time>) {
    for (Sentry(looks), velocity, pursue, mut place) in &mut sentries {
        if pursue.weight == 0.0 && velocity.0.length() < 1.0 {
            let goal = Quat::from_rotation_z(looks + 0.9 * ops::sin(0.7 * time.elapsed_secs() + looks));
            place.rotation = place.rotation.slerp(goal, 3.0 * time.delta_secs());
        }
    }
}

fn view(points: Vec<Vec2>, color: Color) -> Shape {
    ShapeBuilder::with(&shapes::Polygon { points, closed: true }).fill(color.with_alpha(0.16)).build()
}

/// Draws what sentries see: to the end of their range, or to the first obstacle.
fn draw_views(
    sentries: Query<(&Transform, &Sight, &Body)>,
    obstacles: Res<Obstacles>,
    mut views: Query<(&View, &mut Shape)>,
) {
    for (View(sentry), mut drawn) in &mut views {
        let Ok((place, sight, Body(color))) = sentries.get(*sentry) else { continue };
        let (eye, ahead) = (place.translation.truncate(), place.local_x().truncate());
        let filter = ObstacleFilter::in_layers(sight.layers);
        let ends = (0..=RAYS).map(|ray| {
            let turn = (f32::from(ray) / f32::from(RAYS) - 0.5) * sight.field_of_view;
            let way = Vec2::from_angle(turn).rotate(ahead) * sight.range;
            obstacles.cast_ray(eye, way, &filter).map_or(eye + way, |hit| hit.point)
        });
        *drawn = view([eye].into_iter().chain(ends).collect(), *color);
    }
}

/// Shows a word above a sentry.
fn say(commands: &mut Commands, word: &str, color: Color, sentry: &Transform) {
    let place = Transform::from_translation(sentry.translation + Vec3::new(0.0, 26.0, 2.0));
    commands.spawn((Fading(FADE), stage::label(word, color), place.with_scale(Vec3::splat(2.0))));
}

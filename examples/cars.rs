//! Cars with turning circles on a circuit with two lanes. They brake behind slower ones, and change lanes to overtake.

use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_prototype_lyon::prelude::*;
use bevy_steerling::agent::Vehicle;
use bevy_steerling::prelude::*;
use bevy_transform_interpolation::prelude::*;
use stage::{CROWD, GROUND, OBSTACLE, PURSUER, QUARRY, Scene, SceneApp, TEXT, VELOCITY};

/// The corners of the circuit, which is driven clockwise.
const CIRCUIT: [Vec2; 13] = [
    Vec2::new(-540.0, -60.0),
    Vec2::new(-490.0, 170.0),
    Vec2::new(-270.0, 220.0),
    Vec2::new(-150.0, 80.0),
    Vec2::new(20.0, 40.0),
    Vec2::new(140.0, 180.0),
    Vec2::new(360.0, 230.0),
    Vec2::new(540.0, 110.0),
    Vec2::new(490.0, -90.0),
    Vec2::new(260.0, -110.0),
    Vec2::new(180.0, -260.0),
    Vec2::new(-80.0, -280.0),
    Vec2::new(-350.0, -290.0),
];
/// The number of points of the path between two corners.
const FINE: usize = 6;
/// The width of a lane, units.
const LANE: f32 = 36.0;
/// The name, the color and the max speed of each team, and the number of its cars.
const TEAMS: [(&str, Color, f32); 4] =
    [("red", PURSUER, 190.0), ("green", VELOCITY, 165.0), ("blue", QUARRY, 140.0), ("violet", CROWD, 115.0)];
const CARS: usize = 16;
/// The lanes.
const LEFT: usize = 0;
const RIGHT: usize = 1;
const LENGTH: f32 = 26.0;
const WIDTH: f32 = 13.0;

pub(crate) const SCENE: Scene = Scene {
    name: "cars",
    about: "Cars with turning circles on a circuit with two lanes; fast ones overtake.",
    help: "Cars follow the lanes of a circuit. Each has a turning circle, and brakes behind others. To overtake a slower one,\n\
        it changes lanes: a rule of this game replaces its path.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .on_start(setup)
        .add_systems(FixedUpdate, change_lanes.before(RunSteeringSystems))
        .add_systems(Update, (light_brakes, show_laps));
}

/// The paths of the two lanes.
#[derive(Resource)]
struct Lanes([SteeringPath; 2]);

/// A car: the number of its team, its lane, when it changed lanes, seconds, and how far it has driven, units.
#[derive(Component)]
struct Car {
    team: usize,
    lane: usize,
    changed: f32,
    driven: f32,
}

/// A brake light of a car.
#[derive(Component)]
struct BrakeLight;

/// The line on the scoreboard of a team.
#[derive(Component)]
struct Laps(usize);

fn setup(mut commands: Commands) {
    let middle = circuit();
    for (width, color) in [(2.0 * LANE + 12.0, OBSTACLE), (2.0 * LANE, GROUND.mix(&OBSTACLE, 0.35))] {
        commands.spawn((outline(&middle, width, color), Transform::from_xyz(0.0, 0.0, -0.01 * width - 2.0)));
    }
    for dash in middle.chunks(2) {
        let [from, to] = [dash[0], dash[dash.len() - 1]];
        let way = to - from;
        let place = Transform::from_translation(from.midpoint(to).extend(-1.0));
        let line = Sprite::from_color(OBSTACLE, Vec2::new(way.length(), 2.0));
        commands.spawn((line, place.with_rotation(Quat::from_rotation_z(way.to_angle()))));
    }
    let lanes = [0.5, -0.5].map(|side| SteeringPath::new(beside(&middle, side * LANE)));
    for k in 0..CARS {
        spawn_car(&mut commands, &lanes, k);
    }
    commands.insert_resource(Lanes(lanes));
    let place = Transform::from_xyz(-300.0, -38.0, 0.0);
    commands.spawn((stage::label("laps of four cars", TEXT), Anchor::CENTER_LEFT, place));
    for (team, (_, color, _)) in TEAMS.iter().enumerate() {
        let place = Transform::from_xyz(-300.0, -60.0 - 22.0 * team as f32, 0.0);
        commands.spawn((Laps(team), stage::label("", *color), Anchor::CENTER_LEFT, place));
    }
}

/// The points of the circuit, on a smooth line through its corners.
fn circuit() -> Vec<Vec2> {
    let points = CIRCUIT.map(|corner| [corner]);
    let curve = CubicCardinalSpline::new_catmull_rom(points.concat()).to_curve_cyclic();
    curve.map_or(CIRCUIT.to_vec(), |curve| {
        let mut points: Vec<Vec2> = curve.iter_positions(CIRCUIT.len() * FINE).collect();
        // The last point is the first one again.
        points.pop();
        points
    })
}

/// The same way, at a distance to the left of it.
fn beside(points: &[Vec2], distance: f32) -> Vec<Vec2> {
    let count = points.len();
    let left = |k: usize| (points[(k + 1) % count] - points[(k + count - 1) % count]).normalize_or_zero().perp();
    (0..count).map(|k| points[k] + left(k) * distance).collect()
}

fn outline(points: &[Vec2], width: f32, color: Color) -> Shape {
    ShapeBuilder::with(&shapes::Polygon { points: points.to_vec(), closed: true }).stroke((color, width)).build()
}

fn spawn_car(commands: &mut Commands, lanes: &[SteeringPath; 2], k: usize) {
    let team = k % TEAMS.len();
    let (_, color, max_speed) = TEAMS[team];
    let points = lanes[RIGHT].points();
    let (place, next) = (points[4 * k], points[4 * k + 1]);
    let body = shapes::Rectangle {
        extents: Vec2::new(LENGTH, WIDTH),
        origin: RectangleOrigin::Center,
        radii: Some(BorderRadii::single(4.0)),
    };
    let window = Sprite::from_color(GROUND, Vec2::new(5.0, WIDTH - 4.0));
    let light = Sprite::from_color(Color::srgb(1.0, 0.1, 0.1), Vec2::new(3.0, WIDTH));
    commands.spawn((
        Car { team, lane: RIGHT, changed: 0.0, driven: 0.0 },
        follow(&lanes[RIGHT]),
        ClassicQueue::default().with_look_ahead(30.0).with_radius(20.0),
        SteeringAgent { max_speed, max_force: 450.0, radius: 10.0, ..default() },
        BodyLimits::default()
            .with_min_turning_radius(28.0)
            .with_max_acceleration(120.0)
            .with_max_braking(260.0)
            .with_heading(next - place),
        (FaceVelocity::default(), TransformInterpolation, ShapeBuilder::with(&body).fill(color).build()),
        Transform::from_translation(place.extend(0.0)).with_rotation(Quat::from_rotation_z((next - place).to_angle())),
        children![
            (window, Transform::from_xyz(4.0, 0.0, 0.1)),
            (BrakeLight, light, Visibility::Hidden, Transform::from_xyz(-0.5 * LENGTH, 0.0, 0.1)),
        ],
    ));
}

fn follow(lane: &SteeringPath) -> FollowPath {
    FollowPath::new(lane).with_end(PathEnd::Loop).with_radius(0.4 * LANE)
}

/// A car behind a slower one goes to the left lane, and back to the right one behind what it has overtaken.
fn change_lanes(
    mut cars: Query<(Entity, &mut Car, &mut FollowPath, &Transform, &Velocity, &SteeringAgent, &Vehicle)>,
    lanes: Res<Lanes>,
    time: Res<Time>,
) {
    /// The least time between two changes, seconds.
    const SELDOM: f32 = 1.5;
    let others: Vec<(Entity, usize, Vec2, f32)> = cars
        .iter()
        .map(|(car, Car { lane, .. }, _, place, velocity, ..)| {
            (car, *lane, place.translation.truncate(), velocity.length())
        })
        .collect();
    for (entity, mut car, mut follow_path, place, velocity, body, vehicle) in &mut cars {
        car.driven += velocity.length() * time.delta_secs();
        let place = place.translation.truncate();
        let heading = vehicle.heading().unwrap_or(Vec2::X);
        // Whether there is nobody in a lane who is slower than this speed, from `behind` to `ahead` of the car.
        let is_free = |lane: usize, speed: f32, behind: f32, ahead: f32| {
            others.iter().filter(|other| other.0 != entity && other.1 == lane).all(|&(.., there, its_speed)| {
                let along = heading.dot(there - place);
                let is_near = there.distance(place) < ahead.max(behind) && (-behind..ahead).contains(&along);
                !is_near || its_speed > speed
            })
        };
        let ahead = 2.0 * LENGTH + 0.5 * velocity.length();
        let wants = match car.lane {
            RIGHT => !is_free(RIGHT, 0.95 * body.max_speed, 0.0, ahead),
            _ => is_free(RIGHT, 0.95 * body.max_speed, 0.0, 1.5 * ahead),
        };
        let now = time.elapsed_secs();
        let other = LEFT + RIGHT - car.lane;
        if wants && now > car.changed + SELDOM && is_free(other, f32::INFINITY, 2.0 * LENGTH, 2.0 * LENGTH) {
            (car.lane, car.changed) = (other, now);
            follow_path.path = lanes.0[other].clone();
        }
    }
}

fn light_brakes(
    cars: Query<(&Velocity, &SteeringForce, &Children)>,
    mut lights: Query<&mut Visibility, With<BrakeLight>>,
) {
    for (velocity, force, children) in &cars {
        let brakes = force.dot(velocity.normalize_or_zero()) < -30.0;
        for &child in children {
            if let Ok(mut light) = lights.get_mut(child) {
                light.set_if_neq(if brakes { Visibility::Inherited } else { Visibility::Hidden });
            }
        }
    }
}

fn show_laps(cars: Query<&Car>, lanes: Res<Lanes>, mut board: Query<(&Laps, &mut Text2d)>) {
    for (laps, mut text) in &mut board {
        let team = cars.iter().filter(|car| car.team == laps.0);
        let driven: f32 = team.map(|car| car.driven).sum();
        let (name, _, speed) = TEAMS[laps.0];
        text.0 = format!("{:5.1}  {name}, up to {speed} units/s", driven / lanes.0[RIGHT].length());
    }
}

//! Fifty thousand pedestrians, each on its way to one place after another, with the time per frame and per tick. Keys select in how many
//! ticks each of them thinks.

use bevy::prelude::*;
use bevy_steerling::agent::SteeringId;
use bevy_steerling::agent::random::SteeringRng;
use bevy_steerling::prelude::*;
use stage::{CROWD, PURSUER, QUARRY, Scene, SceneApp, VIEW};

const PEDESTRIANS: u16 = 50_000;
/// Units per meter: one pedestrian per two square meters.
const METER: f32 = 3.0;
const PEDESTRIAN: SteeringAgent = SteeringAgent {
    mass: 1.0,
    max_speed: 1.34 * METER,
    max_force: 8.0 * METER,
    radius: 0.25 * METER,
    response_time: 0.0,
};
/// How far each walks before it chooses another place, at most.
const WALK: f32 = 60.0 * METER;
/// The numbers of ticks from one thought to the next, by key.
const RATES: [(KeyCode, u32); 4] =
    [(KeyCode::Digit1, 1), (KeyCode::Digit2, 2), (KeyCode::Digit4, 4), (KeyCode::Digit8, 8)];

pub(crate) const SCENE: Scene = Scene {
    name: "pedestrians_50k",
    about: "Fifty thousand pedestrians that avoid each other.",
    help: "Fifty thousand pedestrians avoid each other, 60 ticks per second. At first each thinks in every fourth tick.\n\
        1, 2, 4 or 8: think in every tick, or in every second, fourth or eighth.",
    keys: &[(KeyCode::Digit1, "1"), (KeyCode::Digit2, "2"), (KeyCode::Digit4, "4"), (KeyCode::Digit8, "8")],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .start_with(Time::<Fixed>::from_hz(60.0))
        .start_with(SteeringSeed(4))
        .on_start(setup)
        .add_systems(FixedUpdate, walk_on.after(RunSteeringSystems))
        .add_systems(Update, choose);
    stage::watch(scene, PEDESTRIANS.into(), "pedestrian", 56.0);
}

/// The random numbers of a pedestrian.
#[derive(Component)]
struct Dice(SteeringRng);

fn place(random: &mut SteeringRng) -> Vec2 {
    (Vec2::new(random.uniform(), random.uniform()) - 0.5) * (VIEW - 2.0 * PEDESTRIAN.radius)
}

/// A place not far from another.
fn next_place(from: Vec2, random: &mut SteeringRng) -> Vec2 {
    from + (place(random) - from).clamp_length_max(WALK)
}

fn setup(
    mut commands: Commands,
    seed: Res<SteeringSeed>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let mesh = meshes.add(Circle::new(PEDESTRIAN.radius));
    let clothes = [CROWD, PURSUER, QUARRY].map(|color| materials.add(color));
    // On a jittered grid, so that nobody starts inside another.
    let columns = (f32::from(PEDESTRIANS) * VIEW.x / VIEW.y).sqrt().ceil();
    let rows = (f32::from(PEDESTRIANS) / columns).ceil();
    for number in 0..PEDESTRIANS {
        let id = SteeringId::new(number.into());
        let mut random = SteeringRng::new(*seed, id, 1);
        let (column, row) = (f32::from(number) % columns, (f32::from(number) / columns).floor());
        let jitter = (Vec2::new(random.uniform(), random.uniform()) - 0.5) * 0.5;
        let start = VIEW * ((Vec2::new(column, row) + 0.5 + jitter) / Vec2::new(columns, rows) - 0.5);
        commands.spawn((
            (PEDESTRIAN, id, SteeringRate::every(4)),
            (Arrive::new(next_place(start, &mut random)), AvoidNeighbors::default()),
            Dice(random),
            Mesh2d(mesh.clone()),
            MeshMaterial2d(clothes[usize::from(number) % clothes.len()].clone()),
            Transform::from_translation(start.extend(0.0)),
        ));
    }
}

/// Gives pedestrians another place to go to before they stop.
fn walk_on(mut pedestrians: Query<(&mut Arrive, &mut Dice, &Transform)>) {
    for (mut arrive, mut dice, transform) in &mut pedestrians {
        let Target::Point(place) = arrive.target else { continue };
        let here = transform.translation.truncate();
        if here.distance(place) < METER {
            arrive.target = next_place(here, &mut dice.0).into();
        }
    }
}

fn choose(keys: Res<ButtonInput<KeyCode>>, mut rates: Query<&mut SteeringRate>) {
    if let Some((_, ticks)) = RATES.iter().find(|(key, _)| keys.just_pressed(*key)) {
        for mut rate in &mut rates {
            *rate = SteeringRate::every(*ticks);
        }
    }
}

//! Two streams of walkers cross, and crowds on a circle change places. Keys select the crossing; counters show arrivals and
//! overlaps.

use std::collections::HashSet;
use std::f32::consts::{PI, TAU};

use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_steerling::agent::SteeringId;
use bevy_steerling::agent::random::SteeringRng;
use bevy_steerling::prelude::*;
use stage::{Body, CROWD, OBSTACLE, PURSUER, QUARRY, Scene, SceneApp, TEXT};

/// The crossings, by key from 1 on: two streams, or a number of agents on a circle.
const CROSSINGS: [(Option<u16>, &str); 6] = [
    (None, "two streams"),
    (Some(10), "10 on a circle"),
    (Some(20), "20 on a circle"),
    (Some(50), "50 on a circle"),
    (Some(100), "100 on a circle"),
    (Some(250), "250 on a circle"),
];

/// The center of the scene, and the radius of the circle.
const MIDDLE: Vec2 = Vec2::new(190.0, -15.0);
const CIRCLE: f32 = 310.0;
/// An agent within this many radii of its goal has arrived.
const NEAR: f32 = 1.5;

/// The distance from the middle at which the streams begin and end, their width, and the number of walkers in each.
const STREAM_LENGTH: f32 = 320.0;
const STREAM_WIDTH: f32 = 130.0;
const WALKERS: u16 = 45;
const WALKER_RADIUS: f32 = 7.0;
/// New walkers keep this many radii away from others.
const SPACING: f32 = 2.6;
const SEED: SteeringSeed = SteeringSeed(3);

const OVERLAPPING: Color = PURSUER;
const COLUMN: f32 = -624.0;

pub(crate) const SCENE: Scene = Scene {
    name: "crossing",
    about: "Two streams cross; crowds on a circle change places.",
    help: "Agents walk straight to their goals and pass others without touching them. Red agents overlap.\n\
        1 to 6, or left and right: two streams, or a circle whose agents go to the opposite point.",
    keys: &[(KeyCode::ArrowLeft, "previous"), (KeyCode::ArrowRight, "next")],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .start_with(Crossing(0))
        .start_with(SEED)
        .start_with(Dice(SteeringRng::new(SEED, SteeringId::new(0), 1)))
        .start_with(Counters::default())
        .on_start(setup)
        .add_systems(FixedUpdate, start.run_if(resource_exists_and_changed::<Crossing>).before(RunSteeringSystems))
        .add_systems(FixedUpdate, (count_overlaps, count_arrivals, come_in_again).chain().after(RunSteeringSystems))
        .add_systems(Update, (choose, show_choice, show_counters, show_overlaps).chain());
}

/// The index of the current one of the [`CROSSINGS`].
#[derive(Resource, Clone)]
struct Crossing(usize);

#[derive(Resource, Clone)]
struct Dice(SteeringRng);

/// Counts since the start.
#[derive(Resource, Clone, Default)]
struct Counters {
    /// Seconds.
    time: f32,
    arrived: usize,
    of: usize,
    /// The time at which the last agent of a circle arrived, seconds.
    last: f32,
    /// The pairs that overlap now, and the number of overlaps so far.
    overlapping: HashSet<(Entity, Entity)>,
    overlaps: usize,
}

/// The goal of an agent on a circle that has not arrived yet.
#[derive(Component)]
struct OnItsWay(Vec2);

/// A walker in a stream, and its direction.
#[derive(Component, Clone, Copy)]
struct Walker {
    way: Vec2,
}

/// The color of an agent while it does not overlap another.
#[derive(Component)]
struct Shade(Color);

/// A line in the list of crossings.
#[derive(Component)]
struct Choice(usize);

#[derive(Component)]
struct Scoreboard;

fn setup(mut commands: Commands) {
    for (number, (_, name)) in CROSSINGS.iter().enumerate() {
        let place = Transform::from_xyz(COLUMN, 220.0 - 26.0 * number as f32, 0.0);
        let name = stage::label(format!("{}  {name}", number + 1), OBSTACLE);
        commands.spawn((Choice(number), name, Anchor::CENTER_LEFT, place));
    }
    let place = Transform::from_xyz(COLUMN, 30.0, 0.0);
    commands.spawn((Scoreboard, stage::label("", TEXT), Anchor::TOP_LEFT, place));
}

/// Starts the crossing again.
fn start(
    mut commands: Commands,
    crowd: Query<Entity, With<SteeringAgent>>,
    crossing: Res<Crossing>,
    seed: Res<SteeringSeed>,
    mut dice: ResMut<Dice>,
    mut counters: ResMut<Counters>,
) {
    for agent in &crowd {
        commands.entity(agent).despawn();
    }
    dice.0 = SteeringRng::new(*seed, SteeringId::new(0), 1);
    *counters = Counters::default();
    match CROSSINGS[crossing.0].0 {
        Some(agents) => {
            counters.of = agents.into();
            spawn_circle(&mut commands, agents);
        }
        None => spawn_streams(&mut commands, &mut dice),
    }
}

/// Spawns identical agents at equal distances on a circle.
fn spawn_circle(commands: &mut Commands, agents: u16) {
    let radius = (0.6 * PI * CIRCLE / f32::from(agents)).min(10.0);
    for k in 0..agents {
        let around = f32::from(k) / f32::from(agents);
        let from = Vec2::from_angle(around * TAU) * CIRCLE;
        let color = Color::hsl(around * 360.0, 0.55, 0.65);
        let goal = MIDDLE - from;
        commands.spawn((Arrive::new(goal), OnItsWay(goal), agent(40.0, radius, color, MIDDLE + from)));
    }
}

fn spawn_streams(commands: &mut Commands, dice: &mut Dice) {
    let mut taken = Vec::new();
    for way in [Vec2::X, Vec2::Y] {
        for _ in 0..WALKERS {
            // Along the whole stream, up to where the streams meet.
            if let Some(place) = free_place(way, -STREAM_LENGTH, -STREAM_WIDTH, &mut taken, dice) {
                spawn_walker(commands, Walker { way }, place);
            }
        }
    }
}

fn spawn_walker(commands: &mut Commands, walker: Walker, place: Vec2) {
    let color = if walker.way == Vec2::X { QUARRY } else { CROWD };
    // Far away, so that all walkers of a stream want to go in the same direction.
    let far = MIDDLE + walker.way * 1e5;
    commands.spawn((Seek::new(far), walker, agent(60.0, WALKER_RADIUS, color, place)));
}

fn agent(max_speed: f32, radius: f32, color: Color, place: Vec2) -> impl Bundle {
    (
        SteeringAgent { max_speed, max_force: 8.0 * max_speed, radius, ..default() },
        AvoidNeighbors::default(),
        Body(color),
        Shade(color),
        Transform::from_translation(place.extend(0.0)),
        children![(stage::ring(radius - 0.5, OBSTACLE), Transform::from_xyz(0.0, 0.0, -1.0))],
    )
}

/// Finds a free random place in a stream, between two distances along it.
fn free_place(way: Vec2, from: f32, to: f32, taken: &mut Vec<Vec2>, dice: &mut Dice) -> Option<Vec2> {
    const TRIES: usize = 1_000;
    let mut between = |low: f32, high: f32| low + (high - low) * dice.0.uniform();
    let place = (0..TRIES)
        .map(|_| MIDDLE + way * between(from, to) + way.perp() * between(-0.5, 0.5) * STREAM_WIDTH)
        .find(|place| taken.iter().all(|other| other.distance(*place) > SPACING * WALKER_RADIUS))?;
    taken.push(place);
    Some(place)
}

fn count_overlaps(crowd: Query<(Entity, &Transform, &SteeringAgent)>, time: Res<Time>, mut counters: ResMut<Counters>) {
    counters.time += time.delta_secs();
    let overlap = |[(_, a, body), (_, b, other)]: &[(Entity, &Transform, &SteeringAgent); 2]| {
        a.translation.distance(b.translation) < 0.999 * (body.radius + other.radius)
    };
    let overlapping: HashSet<(Entity, Entity)> =
        crowd.iter_combinations().filter(overlap).map(|[(a, ..), (b, ..)]| (a.min(b), a.max(b))).collect();
    counters.overlaps += overlapping.difference(&counters.overlapping).count();
    counters.overlapping = overlapping;
}

fn count_arrivals(
    mut commands: Commands,
    crowd: Query<(Entity, &Transform, &SteeringAgent, &OnItsWay)>,
    mut counters: ResMut<Counters>,
) {
    for (agent, transform, body, goal) in &crowd {
        if transform.translation.truncate().distance(goal.0) <= NEAR * body.radius {
            commands.entity(agent).remove::<OnItsWay>();
            counters.arrived += 1;
            counters.last = counters.time;
        }
    }
}

/// Replaces walkers that have left a stream with new ones at its start.
fn come_in_again(
    mut commands: Commands,
    crowd: Query<(Entity, &Transform, &Walker)>,
    mut dice: ResMut<Dice>,
    mut counters: ResMut<Counters>,
) {
    let mut taken: Vec<Vec2> = crowd.iter().map(|(_, transform, _)| transform.translation.truncate()).collect();
    for (agent, transform, walker) in &crowd {
        let from_middle = transform.translation.truncate() - MIDDLE;
        let along = from_middle.dot(walker.way);
        if (along > STREAM_LENGTH || from_middle.length() > 1.5 * STREAM_LENGTH)
            && let Some(place) = free_place(walker.way, -STREAM_LENGTH, -STREAM_LENGTH + 60.0, &mut taken, &mut dice)
        {
            commands.entity(agent).despawn();
            spawn_walker(&mut commands, *walker, place);
            counters.arrived += 1;
        }
    }
}

/// Selects another crossing, or restarts the current one.
fn choose(keys: Res<ButtonInput<KeyCode>>, mut crossing: ResMut<Crossing>) {
    use KeyCode::{ArrowLeft, ArrowRight, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6};
    if let Some(number) =
        [Digit1, Digit2, Digit3, Digit4, Digit5, Digit6].iter().position(|&key| keys.just_pressed(key))
    {
        crossing.0 = number;
    } else if keys.just_pressed(ArrowRight) {
        crossing.0 = (crossing.0 + 1) % CROSSINGS.len();
    } else if keys.just_pressed(ArrowLeft) {
        crossing.0 = (crossing.0 + CROSSINGS.len() - 1) % CROSSINGS.len();
    }
}

fn show_choice(crossing: Res<Crossing>, mut choices: Query<(&Choice, &mut TextColor)>) {
    if crossing.is_changed() {
        for (choice, mut color) in &mut choices {
            color.0 = if choice.0 == crossing.0 { QUARRY } else { OBSTACLE };
        }
    }
}

fn show_counters(counters: Res<Counters>, mut board: Single<&mut Text2d, With<Scoreboard>>) {
    let arrived = match counters.of {
        0 => format!("{:6}  got through", counters.arrived),
        of if counters.arrived == of => format!("{of:6}  arrived: all, in {:.0} s", counters.last),
        of => format!("{:6}  of {of} arrived", counters.arrived),
    };
    board.0 = format!(
        "{:6.0}  seconds\n{arrived}\n\n{:6}  pairs overlap\n{:6}  overlaps so far",
        counters.time,
        counters.overlapping.len(),
        counters.overlaps,
    );
}

/// Colors overlapping agents red.
fn show_overlaps(mut crowd: Query<(Entity, &Shade, &mut Body)>, counters: Res<Counters>) {
    let overlapping: HashSet<Entity> = counters.overlapping.iter().flat_map(|&(a, b)| [a, b]).collect();
    for (agent, shade, mut body) in &mut crowd {
        let color = if overlapping.contains(&agent) { OVERLAPPING } else { shade.0 };
        if body.0 != color {
            body.0 = color;
        }
    }
}

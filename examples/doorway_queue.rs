//! A crowd leaves a room through a door. Keys select how it queues; counters show the result.

use std::collections::{HashSet, VecDeque};

use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy::text::TextBounds;
use bevy_steerling::agent::SteeringId;
use bevy_steerling::agent::random::SteeringRng;
use bevy_steerling::prelude::*;
use clap::Args;
use stage::{Body, OBSTACLE, PURSUER, QUARRY, Scene, SceneApp, TEXT};

const CROWD_SIZE: usize = 70;
/// An agent that can stop within its own radius.
const AGENT: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 90.0, max_force: 450.0, radius: 10.0, response_time: 0.0 };

/// The inside of the room.
const ROOM: Rect = Rect { min: Vec2::new(-220.0, -330.0), max: Vec2::new(610.0, 180.0) };
const WALL: f32 = 20.0;
/// The center of the door in the upper wall, and its width: three agents side by side.
const DOOR: Vec2 = Vec2::new(195.0, 190.0);
const DOOR_WIDTH: f32 = 6.0 * AGENT.radius;
/// The point that all agents seek, and the y at which they leave the scene.
const GOAL: Vec2 = Vec2::new(DOOR.x, 320.0);
const EXIT: f32 = 265.0;

/// The area in which the crowd starts, and the area in which agents come in again.
const START: Rect = Rect { min: Vec2::new(-200.0, -310.0), max: Vec2::new(590.0, 80.0) };
const ENTRANCE: Rect = Rect { min: Vec2::new(-200.0, -310.0), max: Vec2::new(590.0, -170.0) };
/// The minimum distance of new agents to others, so that both can still stop.
const SPACING: f32 = 4.0 * AGENT.radius;
const SEED: SteeringSeed = SteeringSeed(1);

const WALKING: Color = QUARRY;
const WAITING: Color = Color::srgb(0.420, 0.455, 0.520);
const OVERLAPPING: Color = PURSUER;

/// The period over which passages are counted, seconds.
const RECENT: f32 = 30.0;

/// The left edge and the width of the text column.
const COLUMN: f32 = -624.0;
const COLUMN_WIDTH: f32 = 360.0;

/// How a crowd queues.
enum Queuing {
    Nobody,
    InLine,
    Classic(ClassicQueueStyle),
}

/// The ways to queue, by key: style, name, explanation.
const STYLES: [(Queuing, &str, &str); 6] = [
    (Queuing::Nobody, "no queue", "Nobody waits; agents walk through each other."),
    (Queuing::InLine, "Queue", "Agents keep their places in line, close up, and never touch."),
    (
        Queuing::Classic(ClassicQueueStyle::HardStop),
        "ClassicQueue, HardStop",
        "Agents with another one ahead stop at once, without braking.",
    ),
    (
        Queuing::Classic(ClassicQueueStyle::Brake),
        "ClassicQueue, Brake",
        "Agents with another one ahead brake, but do not stop at once.",
    ),
    (
        Queuing::Classic(ClassicQueueStyle::BrakeAndHardStop),
        "ClassicQueue, BrakeAndHardStop",
        "Agents with another one ahead brake; crowded agents stop at once.",
    ),
    (
        Queuing::Classic(ClassicQueueStyle::BrakeAndSeparate),
        "ClassicQueue, BrakeAndSeparate",
        "Agents with another one ahead brake and keep apart; crowded agents stop at once.",
    ),
];

// Not a doc comment: that would be the first line of the help.
#[derive(Args)]
struct Options {
    /// Start with this style, named as in scenario files, or with `none`
    #[arg(long, default_value = "keep_place", value_parser = style)]
    style: usize,
}

/// Parses the name of a style into its index.
fn style(name: &str) -> Result<usize, String> {
    const NAMES: [&str; STYLES.len()] =
        ["none", "keep_place", "hard_stop", "brake", "brake_and_hard_stop", "brake_and_separate"];
    NAMES.iter().position(|known| *known == name).ok_or_else(|| format!("expected one of {}", NAMES.join(", ")))
}

pub(crate) const SCENE: Scene = Scene {
    name: "doorway_queue",
    about: "A crowd leaves a room through a door, without a queue or in one of five styles.",
    help: "A crowd leaves through a door and comes in again below. Blue agents walk, gray ones wait, red ones overlap.\n\
        0 to 5, or left and right: another style of queuing.",
    keys: &[(KeyCode::ArrowLeft, "previous"), (KeyCode::ArrowRight, "next")],
    build,
};

fn main() -> AppExit {
    SCENE.run_with(|options: Options, scene| _ = scene.start_with(Style(options.style)))
}

fn build(scene: &mut SceneApp) {
    scene
        .start_with(Style(1))
        .start_with(SEED)
        .start_with(Dice(SteeringRng::new(SEED, SteeringId::new(0), 1)))
        .start_with(Counters::default())
        .on_start(setup)
        .add_systems(FixedUpdate, start.run_if(resource_exists_and_changed::<Style>).before(RunSteeringSystems))
        .add_systems(FixedUpdate, (count_overlaps, count_passages, come_in_again).chain().after(RunSteeringSystems))
        .add_systems(
            Update,
            (choose, show_style.run_if(resource_exists_and_changed::<Style>), show_counters, show_state).chain(),
        );
}

/// The index of the current one of the [`STYLES`].
#[derive(Resource, Clone)]
struct Style(usize);

#[derive(Resource, Clone)]
struct Dice(SteeringRng);

/// An agent that is still in the room.
#[derive(Component)]
struct Inside;

/// Counts since the crowd started.
#[derive(Resource, Clone, Default)]
struct Counters {
    /// Seconds.
    time: f32,
    through: usize,
    /// The times of the recent passages, seconds.
    recent: VecDeque<f32>,
    /// The time of the last passage, or of the start, and the longest time between two passages, seconds.
    last: f32,
    longest_wait: f32,
    /// The pairs that overlap now, and the number of overlaps so far.
    overlapping: HashSet<(Entity, Entity)>,
    overlaps: usize,
}

/// A line in the list of styles.
#[derive(Component)]
struct Choice(usize);

/// The explanation of the style.
#[derive(Component)]
struct Explanation;

#[derive(Component)]
struct Scoreboard;

fn setup(mut commands: Commands) {
    let outside = ROOM.inflate(WALL);
    let left_of_door = DOOR.x - 0.5 * DOOR_WIDTH;
    let right_of_door = DOOR.x + 0.5 * DOOR_WIDTH;
    for wall in [
        Rect::new(outside.min.x, outside.min.y, ROOM.min.x, outside.max.y),
        Rect::new(ROOM.max.x, outside.min.y, outside.max.x, outside.max.y),
        Rect::new(ROOM.min.x, outside.min.y, ROOM.max.x, ROOM.min.y),
        Rect::new(ROOM.min.x, ROOM.max.y, left_of_door, outside.max.y),
        Rect::new(right_of_door, ROOM.max.y, ROOM.max.x, outside.max.y),
    ] {
        commands.spawn((
            Obstacle::new(Rectangle::from_size(wall.size())),
            Sprite::from_color(OBSTACLE, wall.size()),
            Transform::from_translation(wall.center().extend(-2.0)),
        ));
    }

    for (number, (_, name, _)) in STYLES.iter().enumerate() {
        let place = Transform::from_xyz(COLUMN, 240.0 - 26.0 * number as f32, 0.0);
        commands.spawn((
            Choice(number),
            stage::label(format!("{number}  {name}"), OBSTACLE),
            Anchor::CENTER_LEFT,
            place,
        ));
    }
    let bounds = TextBounds::new_horizontal(COLUMN_WIDTH);
    let place = Transform::from_xyz(COLUMN, 70.0, 0.0);
    commands.spawn((Explanation, stage::label("", TEXT), bounds, Anchor::TOP_LEFT, place));
    let place = Transform::from_xyz(COLUMN, -40.0, 0.0);
    commands.spawn((Scoreboard, stage::label("", TEXT), Anchor::TOP_LEFT, place));
}

/// Starts again, with the agents at the same places for every style.
fn start(
    mut commands: Commands,
    crowd: Query<Entity, With<SteeringAgent>>,
    style: Res<Style>,
    seed: Res<SteeringSeed>,
    mut dice: ResMut<Dice>,
    mut counters: ResMut<Counters>,
) {
    for agent in &crowd {
        commands.entity(agent).despawn();
    }
    dice.0 = SteeringRng::new(*seed, SteeringId::new(0), 1);
    *counters = Counters::default();
    let mut taken = Vec::new();
    for _ in 0..CROWD_SIZE {
        if let Some(place) = free_place(START, &mut taken, &mut dice) {
            come_in(&mut commands, place, &style);
        }
    }
}

/// Finds a free random place, and marks it as taken.
fn free_place(area: Rect, taken: &mut Vec<Vec2>, dice: &mut Dice) -> Option<Vec2> {
    const TRIES: usize = 1_000;
    let place = (0..TRIES)
        .map(|_| area.min + area.size() * Vec2::new(dice.0.uniform(), dice.0.uniform()))
        .find(|place| taken.iter().all(|other| other.distance(*place) > SPACING))?;
    taken.push(place);
    Some(place)
}

fn come_in(commands: &mut Commands, place: Vec2, style: &Style) {
    let mut agent = commands.spawn((
        AGENT,
        Inside,
        Seek::new(GOAL),
        AvoidObstacles::default(),
        Body(WALKING),
        Transform::from_translation(place.extend(0.0)),
        children![(stage::ring(AGENT.radius - 1.0, OBSTACLE), Transform::from_xyz(0.0, 0.0, -1.0))],
    ));
    match STYLES[style.0].0 {
        Queuing::Nobody => {}
        Queuing::InLine => _ = agent.insert(Queue::default()),
        Queuing::Classic(style) => _ = agent.insert(ClassicQueue::new(style)),
    }
}

/// Counts agents that leave the room, unless they were pushed through the wall.
fn count_passages(
    mut commands: Commands,
    inside: Query<(Entity, &Transform), With<Inside>>,
    mut counters: ResMut<Counters>,
) {
    for (agent, transform) in &inside {
        if transform.translation.y > ROOM.max.y + WALL {
            commands.entity(agent).remove::<Inside>();
            if (transform.translation.x - DOOR.x).abs() < 0.5 * DOOR_WIDTH {
                counters.count_passage();
            }
        }
    }
}

/// Replaces agents that have left the scene with new ones in the room.
fn come_in_again(
    mut commands: Commands,
    crowd: Query<(Entity, &Transform), With<SteeringAgent>>,
    style: Res<Style>,
    mut dice: ResMut<Dice>,
) {
    let mut taken: Vec<Vec2> = crowd.iter().map(|(_, transform)| transform.translation.truncate()).collect();
    for (agent, transform) in &crowd {
        if transform.translation.y > EXIT
            && let Some(place) = free_place(ENTRANCE, &mut taken, &mut dice)
        {
            commands.entity(agent).despawn();
            come_in(&mut commands, place, &style);
        }
    }
}

impl Counters {
    fn count_passage(&mut self) {
        self.longest_wait = self.longest_wait();
        self.last = self.time;
        self.recent.push_back(self.time);
        self.through += 1;
    }

    /// The longest time without a passage since the start. Somebody is always waiting.
    fn longest_wait(&self) -> f32 {
        self.longest_wait.max(self.time - self.last)
    }

    fn per_minute(&self) -> f32 {
        60.0 * self.recent.len() as f32 / self.time.clamp(1.0, RECENT)
    }
}

fn count_overlaps(
    crowd: Query<(Entity, &Transform), With<SteeringAgent>>,
    time: Res<Time>,
    mut counters: ResMut<Counters>,
) {
    counters.time += time.delta_secs();
    let now = counters.time;
    counters.recent.retain(|passage| now - passage < RECENT);

    let overlapping: HashSet<(Entity, Entity)> = crowd
        .iter_combinations()
        .filter(|[(_, a), (_, b)]| a.translation.distance(b.translation) < 2.0 * AGENT.radius)
        .map(|[(a, _), (b, _)]| (a.min(b), a.max(b)))
        .collect();
    counters.overlaps += overlapping.difference(&counters.overlapping).count();
    counters.overlapping = overlapping;
}

/// Selects another style, or restarts the current one.
fn choose(keys: Res<ButtonInput<KeyCode>>, mut style: ResMut<Style>) {
    use KeyCode::{ArrowLeft, ArrowRight, Digit0, Digit1, Digit2, Digit3, Digit4, Digit5};
    if let Some(number) =
        [Digit0, Digit1, Digit2, Digit3, Digit4, Digit5].iter().position(|&key| keys.just_pressed(key))
    {
        style.0 = number;
    } else if keys.just_pressed(ArrowRight) {
        style.0 = (style.0 + 1) % STYLES.len();
    } else if keys.just_pressed(ArrowLeft) {
        style.0 = (style.0 + STYLES.len() - 1) % STYLES.len();
    }
}

fn show_style(
    style: Res<Style>,
    mut choices: Query<(&Choice, &mut TextColor)>,
    mut explanation: Single<&mut Text2d, With<Explanation>>,
) {
    for (choice, mut color) in &mut choices {
        color.0 = if choice.0 == style.0 { WALKING } else { WAITING };
    }
    explanation.0 = STYLES[style.0].2.to_owned();
}

fn show_counters(counters: Res<Counters>, mut board: Single<&mut Text2d, With<Scoreboard>>) {
    board.0 = format!(
        "{:6.0}  seconds\n{:6}  got through\n{:6.0}  per minute, in the last {RECENT} s\n\n\
         {:6}  pairs overlap\n{:6}  overlaps so far\n\n\
         {:6.1}  seconds: the longest time\n        without a passage",
        counters.time,
        counters.through,
        counters.per_minute(),
        counters.overlapping.len(),
        counters.overlaps,
        counters.longest_wait(),
    );
}

/// Colors agents by speed, and overlapping ones red.
fn show_state(mut crowd: Query<(Entity, &Velocity, &mut Body)>, counters: Res<Counters>) {
    // Few shades, because each change of color rebuilds the mesh.
    const SHADES: f32 = 6.0;
    let overlapping: HashSet<Entity> = counters.overlapping.iter().flat_map(|&(a, b)| [a, b]).collect();
    for (agent, velocity, mut body) in &mut crowd {
        let shade = (velocity.length() / AGENT.max_speed * SHADES).round() / SHADES;
        let color = if overlapping.contains(&agent) { OVERLAPPING } else { WAITING.mix(&WALKING, shade) };
        if body.0 != color {
            body.0 = color;
        }
    }
}

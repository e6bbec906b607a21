//! A formation changes its pattern, passes gates narrower than itself, and outlives its leaders.

use std::f32::consts::PI;

use bevy::math::ops;
use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_prototype_lyon::prelude::*;
use bevy_steerling::prelude::*;
use stage::{Body, CROWD, FORCE, OBSTACLE, PURSUER, QUARRY, Scene, SceneApp, TEXT};

/// The path, which is followed counterclockwise: two straights, joined by half circles.
const MIDDLE: Vec2 = Vec2::new(0.0, -25.0);
const HALF_STRAIGHT: f32 = 310.0;
const CURVE: f32 = 125.0;
/// The number of points on each half circle.
const FINE: u16 = 16;

/// The thickness of the wall across both straights, its ends, and the width of its gates.
const WALL: f32 = 16.0;
const WALL_ENDS: [f32; 2] = [-500.0, 500.0];
const GATE: f32 = 64.0;

const MEMBERS: u16 = 20;
const SPACING: f32 = 19.0;
const MEMBER: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 150.0, max_force: 1_200.0, radius: 6.0, response_time: 0.0 };
const LEADER: SteeringAgent = SteeringAgent { max_speed: 90.0, ..MEMBER };

/// The time between two changes of the pattern, and between the losses of two leaders, seconds.
const CHANGE: f32 = 10.0;
const LOSS: f32 = 25.0;

/// The place where recruits wait, the distance from which they come, and the distance at which they join the leader, units.
const CAMP: Vec2 = Vec2::new(550.0, -265.0);
const FAR: f32 = 150.0;
const NEAR: f32 = 260.0;

pub(crate) const SCENE: Scene = Scene {
    name: "formation",
    about: "A formation changes its pattern, passes gates, and outlives its leaders.",
    help: "Members (blue) keep their slots (rings) around the leader (orange), who waits for them. When the leader is lost,\n\
        the nearest member takes over, and a recruit (violet) joins. 1 to 6, left, right: pattern. L: lose the leader.",
    keys: &[(KeyCode::ArrowLeft, "previous"), (KeyCode::ArrowRight, "next"), (KeyCode::KeyL, "lose the leader")],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .start_with(Drill { pattern: 0, changes_in: CHANGE, loss_in: LOSS })
        .on_start(setup)
        .add_systems(FixedUpdate, (give_orders, take_command, join).chain().before(RunSteeringSystems))
        .add_systems(Update, (press_keys, show_pattern, draw_slots, shrink_marks));
}

/// The patterns and their names.
fn patterns() -> [(&'static str, Pattern); 6] {
    let arms = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y];
    let cross = (1..=MEMBERS.div_ceil(4)).flat_map(|k| arms.map(|arm| arm * f32::from(k) * SPACING));
    [
        ("box", Pattern::Box),
        ("wedge", Pattern::Wedge),
        ("line", Pattern::Line),
        ("column", Pattern::Column),
        ("circle", Pattern::Circle),
        ("cross", Pattern::Places(cross.collect())),
    ]
}

/// The index of the pattern, and the time until the next change and until the next loss of a leader, seconds.
#[derive(Resource, Clone)]
struct Drill {
    pattern: usize,
    changes_in: f32,
    loss_in: f32,
}

impl Drill {
    fn change(&mut self, pattern: usize) {
        (self.pattern, self.changes_in) = (pattern % patterns().len(), CHANGE);
    }
}

/// The path of the leaders.
#[derive(Resource)]
struct Way(SteeringPath);

/// Waits to join the formation.
#[derive(Component)]
struct Recruit;

/// Marks where a leader was lost.
#[derive(Component)]
struct Mark;

/// A line in the list of patterns.
#[derive(Component)]
struct Choice(usize);

fn setup(mut commands: Commands) {
    let way = way();
    let line = ShapeBuilder::with(&shapes::Polygon { points: way.clone(), closed: true });
    commands.spawn((line.stroke((OBSTACLE.with_alpha(0.5), 2.0)).build(), Transform::from_xyz(0.0, 0.0, -3.0)));
    build_wall(&mut commands);
    commands.spawn((stage::ring(30.0, OBSTACLE), at(CAMP)));
    let start = way[0];
    commands.insert_resource(Way(SteeringPath::new(way)));

    let leader = commands.spawn((Formation::new(Pattern::Box).with_spacing(SPACING), agent(start))).id();
    for k in 0..MEMBERS {
        let place = start + Vec2::new(-1.0 - f32::from(k / 5), 2.0 - f32::from(k % 5)) * SPACING;
        commands.spawn((InFormation(leader), agent(place)));
    }
    for (number, (name, _)) in patterns().iter().enumerate() {
        let place = Transform::from_xyz(-624.0, 272.0 - 20.0 * number as f32, 0.0);
        let name = stage::label(format!("{}  {name}", number + 1), OBSTACLE);
        commands.spawn((Choice(number), name, Anchor::CENTER_LEFT, place));
    }
}

/// The points of the path.
fn way() -> Vec<Vec2> {
    let angle = |k: u16| PI * (f32::from(k) / f32::from(FINE) - 0.5);
    let curve = (0..=FINE).map(angle).map(|angle| Vec2::new(ops::cos(angle), ops::sin(angle)) * CURVE);
    let half = curve.map(|point| Vec2::X * HALF_STRAIGHT + point);
    half.clone().map(|point| MIDDLE + point).chain(half.map(|point| MIDDLE - point)).collect()
}

/// Builds a wall with a gate on each straight.
fn build_wall(commands: &mut Commands) {
    let [low, high] = [MIDDLE.y - CURVE, MIDDLE.y + CURVE];
    let [bottom, top] = WALL_ENDS;
    let half_gate = 0.5 * GATE;
    for (from, to) in [(bottom, low - half_gate), (low + half_gate, high - half_gate), (high + half_gate, top)] {
        let shape = ObstacleShape::from(Rectangle::new(WALL, to - from));
        let drawn = stage::drawn(&shape, OBSTACLE, 0.0);
        commands.spawn((Obstacle::new(shape), drawn, Transform::from_xyz(MIDDLE.x, from.midpoint(to), -1.0)));
    }
}

fn agent(place: Vec2) -> impl Bundle {
    // In a formation, agents are too close together to look far ahead.
    (AvoidNeighbors::default().with_time_horizon(0.3), AvoidObstacles::default(), MEMBER, Body(QUARRY), at(place))
}

fn at(place: Vec2) -> Transform {
    Transform::from_translation(place.extend(0.0))
}

/// Changes the pattern, and takes the leader out.
fn give_orders(
    mut commands: Commands,
    mut formation: Single<(Entity, &mut Formation, &Transform)>,
    members: Query<(), With<InFormation>>,
    recruits: Query<(), With<Recruit>>,
    mut drill: ResMut<Drill>,
    time: Res<Time>,
) {
    drill.changes_in -= time.delta_secs();
    drill.loss_in -= time.delta_secs();
    if drill.changes_in <= 0.0 {
        let next = drill.pattern + 1;
        drill.change(next);
    }
    let (leader, formation, place) = &mut *formation;
    let (_, pattern) = &patterns()[drill.pattern];
    if formation.pattern != *pattern {
        formation.pattern = pattern.clone();
    }
    if drill.loss_in <= 0.0 && !members.is_empty() {
        drill.loss_in = LOSS;
        commands.entity(*leader).despawn();
        commands.spawn((Mark, stage::ring(20.0, PURSUER), at(place.translation.truncate())));
        let waiting = recruits.iter().len();
        let place = CAMP + Vec2::new((waiting % 3) as f32 - 1.0, (waiting / 3) as f32) * SPACING;
        commands.spawn((Recruit, Arrive::new(place), agent(place + Vec2::X * FAR))).insert(Body(CROWD));
    }
}

/// Gives the first leader, and each that takes over, its orders.
fn take_command(mut commands: Commands, leaders: Query<Entity, Added<Formation>>, way: Res<Way>) {
    for leader in &leaders {
        let follow = FollowPath::new(&way.0).with_end(PathEnd::Loop).with_radius(10.0);
        let ring = (stage::ring(10.0, FORCE), Transform::default());
        commands.entity(leader).insert((follow, LEADER, Body(FORCE))).with_child(ring);
    }
}

/// Recruits join when the leader comes near the camp.
fn join(
    mut commands: Commands,
    recruits: Query<Entity, With<Recruit>>,
    leader: Single<(Entity, &Transform), With<Formation>>,
) {
    let (leader, place) = *leader;
    if place.translation.truncate().distance(CAMP) < NEAR {
        for recruit in &recruits {
            commands.entity(recruit).remove::<(Recruit, Arrive)>().insert((InFormation(leader), Body(QUARRY)));
        }
    }
}

fn press_keys(keys: Res<ButtonInput<KeyCode>>, mut drill: ResMut<Drill>) {
    use KeyCode::*;
    let (now, count) = (drill.pattern, patterns().len());
    let digits = [Digit1, Digit2, Digit3, Digit4, Digit5, Digit6];
    if let Some(chosen) = digits.iter().position(|&digit| keys.just_pressed(digit)) {
        drill.change(chosen);
    } else if keys.just_pressed(ArrowRight) {
        drill.change(now + 1);
    } else if keys.just_pressed(ArrowLeft) {
        drill.change(now + count - 1);
    }
    if keys.just_pressed(KeyL) {
        drill.loss_in = 0.0;
    }
}

fn show_pattern(drill: Res<Drill>, mut choices: Query<(&Choice, &mut TextColor)>) {
    for (choice, mut color) in &mut choices {
        color.set_if_neq(TextColor(if choice.0 == drill.pattern { TEXT } else { OBSTACLE }));
    }
}

fn draw_slots(slots: Query<&FormationSlot>, leader: Single<(&FormationState, &Transform)>, mut gizmos: Gizmos) {
    let (formation, place) = *leader;
    let Some(heading) = formation.heading() else { return };
    for slot in formation.holders().iter().filter_map(|holder| slots.get(*holder).ok()) {
        let place = place.translation.truncate() + heading.rotate(slot.offset());
        gizmos.circle_2d(place, MEMBER.radius, OBSTACLE);
    }
}

fn shrink_marks(mut commands: Commands, mut marks: Query<(Entity, &mut Transform), With<Mark>>, time: Res<Time>) {
    /// How long a mark takes to vanish, seconds.
    const LIFETIME: f32 = 6.0;
    for (mark, mut transform) in &mut marks {
        transform.scale -= time.delta_secs() / LIFETIME;
        if transform.scale.x <= 0.0 {
            commands.entity(mark).despawn();
        }
    }
}

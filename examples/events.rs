//! The six events, each with an observer that reacts to it.

use bevy::ecs::system::SystemParam;
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_steerling::prelude::*;
use stage::{
    Body, CROWD, DESIRED_VELOCITY, FORCE, Fading, GROUND, OBSTACLE, PURSUER, QUARRY, Scene, SceneApp, TEXT, Trail,
    VELOCITY,
};

const AGENT: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 170.0, max_force: 500.0, radius: 11.0, response_time: 0.0 };
/// The centers of the small scenes, and how far they reach to the left and right.
const ARRIVED: Vec2 = Vec2::new(-320.0, 210.0);
const LOST: Vec2 = Vec2::new(-320.0, 20.0);
const COLLISION: Vec2 = Vec2::new(-320.0, -190.0);
const CAUGHT: Vec2 = Vec2::new(235.0, 140.0);
const STUCK: Vec2 = Vec2::new(235.0, -90.0);
const SIDE: f32 = 240.0;
/// The lifetime of a target, seconds.
const STAY: f32 = 2.2;
/// The lifetime of an event's label, seconds.
const FADE: f32 = 1.6;
/// The number of events in the list.
const LINES: usize = 7;

pub(crate) const SCENE: Scene = Scene {
    name: "events",
    about: "Agents show their events and react to them.",
    help: "Agents show their events and react to them.\n\
        T removes the orange target early.",
    keys: &[(KeyCode::KeyT, "remove target")],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .app()
        .init_resource::<Log>()
        .add_observer(|on: On<Arrived>, mut say: Say| say.words(on.entity, "Arrived", VELOCITY))
        .add_observer(|on: On<TargetLost>, mut say: Say| say.words(on.entity, "TargetLost", FORCE))
        .add_observer(|on: On<Caught>, mut say: Say| say.words(on.entity, "Caught", PURSUER))
        .add_observer(|on: On<Stuck>, mut say: Say| say.words(on.entity, "Stuck", CROWD))
        .add_observer(|on: On<Unstuck>, mut say: Say| say.words(on.entity, "Unstuck", QUARRY))
        .add_observer(|on: On<CollisionImminent>, mut say: Say| {
            say.words(on.entity, &format!("CollisionImminent: {:.2} s", on.time), TEXT);
        });
    scene
        .start_with(Log::default())
        .on_start((setup, spawn_walkers, spawn_hunt, spawn_gate))
        .add_systems(FixedUpdate, wither.before(RunSteeringSystems))
        .add_systems(Update, (take_away.run_if(input_just_pressed(KeyCode::KeyT)), list));
}

fn agent(color: Color, place: Vec2) -> impl Bundle {
    // Only the agents of the collision scene get warnings.
    let events = SteeringEvents::default().with_warning_time(0.0);
    (AGENT, events, Body(color), Trail, Transform::from_translation(place.extend(0.0)))
}

fn title(commands: &mut Commands, words: &str, place: Vec2) {
    let place = Transform::from_translation((place - Vec2::new(SIDE, 0.0)).extend(0.0));
    commands.spawn((stage::label(words, DESIRED_VELOCITY), Anchor::CENTER_LEFT, place));
}

fn setup(mut commands: Commands) {
    let place = Transform::from_translation((STUCK + Vec2::new(-SIDE, -80.0)).extend(0.0));
    commands.spawn((List, stage::label("", TEXT), Anchor::TOP_LEFT, place));

    title(&mut commands, "Arrived: it goes to the other circle", ARRIVED + Vec2::Y * 60.0);
    for side in [-SIDE, SIDE] {
        let place = Transform::from_translation((ARRIVED + Vec2::X * side).extend(-1.0));
        commands.spawn((stage::ring(16.0, OBSTACLE), place));
    }
    let arrive = Arrive::new(ARRIVED + Vec2::X * SIDE);
    commands.spawn((arrive, agent(VELOCITY, ARRIVED - Vec2::X * SIDE))).observe(go_back);

    title(&mut commands, "TargetLost: it finds another target", LOST + Vec2::Y * 60.0);
    let target = spawn_target(&mut commands, SIDE);
    commands.spawn((Arrive::new(target), agent(FORCE, LOST))).observe(look_for_another);
}

/// Sends an agent that has arrived to the other side of its scene.
fn go_back(arrived: On<Arrived>, mut agents: Query<&mut Arrive>) {
    if let Ok(mut arrive) = agents.get_mut(arrived.entity)
        && let Target::Point(goal) = arrive.target
    {
        let middle = if goal.x < 0.0 { ARRIVED.x } else { STUCK.x };
        arrive.target = Vec2::new(2.0 * middle - goal.x, goal.y).into();
    }
}

/// A target that disappears, and its remaining time, seconds.
#[derive(Component)]
struct Fleeting(f32);

fn spawn_target(commands: &mut Commands, side: f32) -> Entity {
    let place = Transform::from_translation((LOST + Vec2::X * side).extend(-1.0));
    commands.spawn((Fleeting(STAY), stage::dot(9.0, FORCE), place)).id()
}

fn wither(mut commands: Commands, mut targets: Query<(Entity, &mut Fleeting)>, time: Res<Time>) {
    for (target, mut fleeting) in &mut targets {
        fleeting.0 -= time.delta_secs();
        if fleeting.0 < 0.0 {
            commands.entity(target).despawn();
        }
    }
}

fn take_away(mut commands: Commands, target: Single<Entity, With<Fleeting>>) {
    commands.entity(*target).despawn();
}

fn look_for_another(lost: On<TargetLost>, mut commands: Commands, places: Query<&Transform>) {
    if let Ok(place) = places.get(lost.entity) {
        let target = spawn_target(&mut commands, if place.translation.x < LOST.x { SIDE } else { -SIDE });
        commands.entity(lost.entity).insert(Arrive::new(target));
    }
}

fn spawn_walkers(mut commands: Commands) {
    title(&mut commands, "CollisionImminent: they start to avoid each other", COLLISION + Vec2::Y * 60.0);
    for (side, color) in [(-SIDE, QUARRY), (SIDE, PURSUER)] {
        let arrive = Arrive::new(COLLISION - Vec2::X * side);
        commands
            .spawn((arrive, agent(color, COLLISION + Vec2::X * side)))
            .insert(SteeringEvents::default())
            .observe(look_out)
            .observe(look_out_no_more)
            .observe(go_back);
    }
}

fn look_out(collision: On<CollisionImminent>, mut commands: Commands) {
    commands.entity(collision.entity).insert(AvoidNeighbors::default());
}

fn look_out_no_more(arrived: On<Arrived>, mut commands: Commands) {
    commands.entity(arrived.entity).remove::<AvoidNeighbors>();
}

fn spawn_hunt(mut commands: Commands) {
    title(&mut commands, "Caught: the prey gets another life", CAUGHT + Vec2::Y * 130.0);
    let field = Contain::new(Rectangle::new(2.0 * SIDE, 200.0)).with_center(CAUGHT);
    let body = SteeringAgent { max_speed: 90.0, ..AGENT };
    let place = Transform::from_translation((CAUGHT + Vec2::new(120.0, 40.0)).extend(0.0));
    let prey = commands.spawn((Wander::default(), field.clone(), body, Body(QUARRY), Trail, place)).id();
    commands.spawn((Pursue::new(prey), field, agent(PURSUER, CAUGHT - Vec2::X * SIDE))).observe(give_life);
}

/// Moves the prey to the other side.
fn give_life(caught: On<Caught>, mut places: Query<&mut Transform>) {
    if let Ok(mut place) = places.get_mut(caught.quarry) {
        let side = if place.translation.x < CAUGHT.x { 200.0 } else { -200.0 };
        place.translation.x = CAUGHT.x + side;
    }
}

#[derive(Component)]
struct Gate;

fn spawn_gate(mut commands: Commands) {
    title(&mut commands, "Stuck: the gate opens. Unstuck: it closes", STUCK + Vec2::Y * 75.0);
    for y in [-42.0, 42.0] {
        spawn_wall(&mut commands, Rectangle::new(2.0 * SIDE + 60.0, 6.0), STUCK + Vec2::Y * y, OBSTACLE);
    }
    let gate = spawn_wall(&mut commands, Rectangle::new(10.0, 78.0), STUCK, CROWD);
    commands.entity(gate).insert(Gate);
    let arrive = Arrive::new(STUCK + Vec2::X * SIDE);
    let walker = (arrive, AvoidObstacles::default(), agent(CROWD, STUCK - Vec2::X * SIDE));
    commands.spawn(walker).observe(go_back).observe(open).observe(close);
}

fn spawn_wall(commands: &mut Commands, wall: Rectangle, place: Vec2, color: Color) -> Entity {
    let place = Transform::from_translation(place.extend(-1.0));
    commands.spawn((Obstacle::new(wall), Sprite::from_color(color, wall.size()), place)).id()
}

/// Opens the gate: an obstacle in no layer blocks nobody.
fn open(_: On<Stuck>, gate: Single<(&mut Obstacle, &mut Sprite), With<Gate>>) {
    let (mut obstacle, mut sprite) = gate.into_inner();
    obstacle.layers = GroupMask::NONE;
    sprite.color = CROWD.mix(&GROUND, 0.8);
}

fn close(_: On<Unstuck>, gate: Single<(&mut Obstacle, &mut Sprite), With<Gate>>) {
    let (mut obstacle, mut sprite) = gate.into_inner();
    obstacle.layers = GroupMask::DEFAULT;
    sprite.color = CROWD;
}

/// The events so far.
#[derive(Resource, Clone, Default)]
struct Log(Vec<String>);

/// Shows the name of an event above its agent, and logs it.
#[derive(SystemParam)]
struct Say<'w, 's> {
    commands: Commands<'w, 's>,
    places: Query<'w, 's, &'static Transform>,
    time: Res<'w, Time>,
    log: ResMut<'w, Log>,
}

impl Say<'_, '_> {
    fn words(&mut self, agent: Entity, words: &str, color: Color) {
        if let Ok(place) = self.places.get(agent) {
            // Above agents that go left and below agents that go right, so that the labels of two that meet do not overlap.
            let aside = if place.local_x().x < 0.0 { 28.0 } else { -28.0 };
            let beside = Transform::from_translation(place.translation + Vec3::new(0.0, aside, 2.0));
            self.commands.spawn((Fading(FADE), stage::label(words, color), beside));
        }
        self.log.0.push(format!("{:6.2} s  {words}", self.time.elapsed_secs()));
    }
}

/// The list of the latest events.
#[derive(Component)]
struct List;

fn list(log: Res<Log>, mut list: Single<&mut Text2d, With<List>>) {
    if log.is_changed() {
        list.0 = log.0[log.0.len().saturating_sub(LINES)..].join("\n");
    }
}

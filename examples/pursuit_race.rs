//! A race for the same quarry: to the exact meeting point, to an estimate of it, or to where the quarry is.

use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_steerling::prelude::*;
use stage::{Body, FORCE, PURSUER, QUARRY, Scene, SceneApp, Trail, VELOCITY};

/// Where the racers start, where the quarry starts, and its velocity, units/s.
const RACES: [(Vec2, Vec2, Vec2); 4] = [
    (Vec2::new(-20.0, -220.0), Vec2::new(-480.0, 220.0), Vec2::new(190.0, 0.0)),
    (Vec2::new(-120.0, 200.0), Vec2::new(520.0, 20.0), Vec2::new(-172.0, -80.0)),
    (Vec2::new(-20.0, 240.0), Vec2::new(-200.0, -240.0), Vec2::new(172.0, 80.0)),
    (Vec2::new(-200.0, -240.0), Vec2::new(400.0, 40.0), Vec2::new(-184.0, 49.0)),
];
const SPEED: f32 = 220.0;
/// The distance within which a racer catches the quarry, units.
const REACH: f32 = 20.0;
/// How long the result is shown, seconds.
const PAUSE: f32 = 2.0;

pub(crate) const SCENE: Scene = Scene {
    name: "pursuit_race",
    about: "The racer that predicts best catches the quarry first.",
    help: "Three equally fast racers chase the same quarry (blue) and stop where they catch it.\n\
        The better a racer predicts, the sooner it gets there.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .start_with(Race::default())
        .add_systems(
            FixedUpdate,
            (start.run_if(resource_exists_and_changed::<Race>), catch).chain().before(RunSteeringSystems),
        )
        .add_systems(Update, show_times);
}

/// The number of the current race.
#[derive(Resource, Clone, Default)]
struct Race(usize);

#[derive(Component)]
struct Quarry;

/// A racer, and how long it has run, seconds.
#[derive(Component)]
struct Racer(f32);

/// A racer that has not caught the quarry yet.
#[derive(Component)]
struct Running;

/// The line on the scoreboard with a racer's name and time.
#[derive(Component)]
struct Score {
    name: &'static str,
    racer: Entity,
}

fn start(mut commands: Commands, race: Res<Race>, old: Query<Entity, Or<(With<Quarry>, With<Racer>, With<Score>)>>) {
    for entity in &old {
        commands.entity(entity).despawn();
    }

    let (start, quarry_start, velocity) = RACES[race.0 % RACES.len()];
    let quarry = commands
        .spawn((
            Quarry,
            SteeringAgent { max_speed: SPEED, ..default() },
            Velocity(velocity),
            Body(QUARRY),
            Trail,
            Transform::from_translation(quarry_start.extend(0.0)),
        ))
        .id();

    let exact = Pursue::new(quarry);
    let proportional = Pursue::new(quarry).with_prediction(Prediction::Proportional);
    enter(&mut commands, start, exact, "Pursue, Intercept", PURSUER, -290.0);
    enter(&mut commands, start, proportional, "Pursue, Proportional", FORCE, -312.0);
    enter(&mut commands, start, Seek::new(quarry), "Seek", VELOCITY, -334.0);
}

/// Spawns a racer, and its line on the scoreboard.
fn enter(commands: &mut Commands, start: Vec2, behavior: impl Bundle, name: &'static str, color: Color, line: f32) {
    let racer = commands
        .spawn((
            Racer(0.0),
            Running,
            behavior,
            SteeringAgent { max_speed: SPEED, max_force: 700.0, radius: 10.0, ..default() },
            Body(color),
            Trail,
            Transform::from_translation(start.extend(0.0)),
        ))
        .id();
    let place = Transform::from_xyz(-624.0, line, 0.0);
    commands.spawn((Score { name, racer }, stage::label("", color), Anchor::CENTER_LEFT, place));
}

/// Stops racers that reach the quarry. Some time after the last one, starts the next race.
fn catch(
    mut commands: Commands,
    quarry: Single<&Transform, With<Quarry>>,
    mut racers: Query<(Entity, &mut Racer, &mut Velocity, &Transform), With<Running>>,
    time: Res<Time>,
    mut race: ResMut<Race>,
    mut pause: Local<f32>,
) {
    for (entity, mut racer, mut velocity, transform) in &mut racers {
        if transform.translation.distance(quarry.translation) < REACH {
            velocity.0 = Vec2::ZERO;
            commands.entity(entity).remove::<(Running, Seek, Pursue)>();
        } else {
            racer.0 += time.delta_secs();
        }
    }
    *pause = if racers.is_empty() { *pause + time.delta_secs() } else { 0.0 };
    if *pause > PAUSE {
        race.0 += 1;
    }
}

fn show_times(mut scores: Query<(&Score, &mut Text2d)>, racers: Query<&Racer>) {
    for (score, mut text) in &mut scores {
        if let Ok(racer) = racers.get(score.racer) {
            text.0 = format!("{:.2} s  {}", racer.0, score.name);
        }
    }
}

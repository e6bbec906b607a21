//! A small game: hunters tire, prey evade the closest hunter, and the mouse lures them. The rules are plain systems that insert
//! and remove behaviors.

use bevy::ecs::query::QueryFilter;
use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_steerling::agent::SteeringId;
use bevy_steerling::agent::random::SteeringRng;
use bevy_steerling::prelude::*;
use stage::{Body, Cursor, FORCE, OBSTACLE, PURSUER, QUARRY, Scene, SceneApp, Trail, VELOCITY, VIEW};

/// Where the hunters start, and their initial stamina.
const HUNTERS: [(Vec2, f32); 3] =
    [(Vec2::new(-480.0, 120.0), 1.0), (Vec2::new(460.0, 200.0), 0.7), (Vec2::new(120.0, -280.0), 0.4)];
const PREY: usize = 14;
const PANIC_DISTANCE: f32 = 120.0;
const LURE_DISTANCE: f32 = 200.0;
/// The distance within which a hunter catches prey, units.
const REACH: f32 = 20.0;
/// The minimum distance from all hunters at which caught prey reappears, units.
const SAFE_DISTANCE: f32 = 250.0;
/// How long a hunter can run, and how long it must then rest, seconds.
const RUN: f32 = 6.0;
const REST: f32 = 3.0;
const SEED: SteeringSeed = SteeringSeed(3);

pub(crate) const SCENE: Scene = Scene {
    name: "hunter_prey",
    about: "A small game: hunters tire, and the mouse lures the prey.",
    help: "Hunters (red) pursue the closest prey, which costs stamina. At zero they rest (orange bar) until it is full.\n\
        Prey (blue) wander, evade hunters that are near, and otherwise come to the mouse from within the circle.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .start_with(SteeringBounds::wrap(-0.5 * VIEW, 0.5 * VIEW))
        .start_with(SEED)
        .on_start(setup)
        .add_systems(FixedUpdate, (catch, hunt, mind_hunters, be_lured).chain().before(RunSteeringSystems))
        .add_systems(Update, show_stamina);
}

/// A hunter's stamina, from 0 to 1.
#[derive(Component)]
struct Stamina(f32);

#[derive(Component)]
struct Prey;

#[derive(Resource)]
struct Dice(SteeringRng);

fn setup(mut commands: Commands, seed: Res<SteeringSeed>) {
    commands.insert_resource(Dice(SteeringRng::new(*seed, SteeringId::new(0), 1)));
    for (place, stamina) in HUNTERS {
        let hunter = commands
            .spawn((
                Stamina(stamina),
                SteeringAgent { max_speed: 200.0, max_force: 350.0, radius: 13.0, ..default() },
                Body(PURSUER),
                Trail,
                Transform::from_translation(place.extend(0.0)),
            ))
            .id();
        let left = Transform::from_xyz(-0.5 * BAR.x, 0.0, 0.1);
        commands.spawn((
            Bar(hunter),
            Sprite::from_color(OBSTACLE, BAR),
            children![(Sprite::from_color(VELOCITY, BAR), Anchor::CENTER_LEFT, left)],
        ));
    }

    for k in 0..PREY {
        let place = Vec2::from_angle(2.4 * k as f32) * 85.0 * (k as f32).sqrt();
        commands.spawn((
            Prey,
            Wander::default(),
            Separation::default(),
            SteeringAgent { max_speed: 160.0, max_force: 450.0, ..default() },
            Body(QUARRY),
            Transform::from_translation(place.extend(0.0)),
        ));
    }

    commands.spawn((
        Cursor,
        stage::dot(5.0, OBSTACLE),
        Transform::from_xyz(-180.0, -60.0, -2.0),
        children![stage::ring(LURE_DISTANCE, OBSTACLE)],
    ));
}

/// Moves caught prey far away from the hunters.
fn catch(
    mut prey: Query<&mut Transform, With<Prey>>,
    hunters: Query<(&Transform, Has<Pursue>), (With<Stamina>, Without<Prey>)>,
    bounds: Res<SteeringBounds>,
    mut dice: ResMut<Dice>,
) {
    for mut prey in &mut prey {
        let is_near = |hunter: &Transform, place, distance| between(&bounds, place, hunter.translation) < distance;
        if hunters.iter().any(|(hunter, running)| running && is_near(hunter, prey.translation, REACH)) {
            while hunters.iter().any(|(hunter, _)| is_near(hunter, prey.translation, SAFE_DISTANCE)) {
                let uniform = Vec2::new(dice.0.uniform(), dice.0.uniform());
                prey.translation = ((uniform - 0.5) * VIEW).extend(0.0);
            }
        }
    }
}

/// Makes hunters pursue the closest prey until their stamina is used up, then rest until it is full.
fn hunt(
    mut commands: Commands,
    mut hunters: Query<(Entity, &mut Stamina, &Transform, Has<Pursue>)>,
    prey: Query<(Entity, &Transform), With<Prey>>,
    bounds: Res<SteeringBounds>,
    time: Res<Time>,
) {
    for (hunter, mut stamina, transform, running) in &mut hunters {
        let change = if running { -1.0 / RUN } else { 1.0 / REST };
        stamina.0 = (stamina.0 + change * time.delta_secs()).clamp(0.0, 1.0);

        if stamina.0 == 0.0 {
            // With an infinite tolerance, it has arrived wherever it is.
            let halt = Arrive::new(Vec2::ZERO).with_arrival_tolerance(f32::INFINITY);
            commands.entity(hunter).remove::<Pursue>().insert(halt);
        } else if (running || stamina.0 == 1.0)
            && let Some((closest, _)) = closest(&bounds, transform, &prey)
        {
            commands.entity(hunter).remove::<Arrive>().insert(Pursue::new(closest).with_max_prediction(1.0));
        }
    }
}

/// Makes prey evade the closest hunter while that is near.
fn mind_hunters(
    mut commands: Commands,
    prey: Query<(Entity, &Transform), With<Prey>>,
    hunters: Query<(Entity, &Transform), With<Stamina>>,
    bounds: Res<SteeringBounds>,
) {
    for (entity, transform) in &prey {
        match closest(&bounds, transform, &hunters) {
            Some((hunter, distance)) if distance < PANIC_DISTANCE => {
                commands.entity(entity).insert(Evade::new(hunter).with_weight(4.0));
            }
            _ => {
                commands.entity(entity).remove::<Evade>();
            }
        }
    }
}

/// Makes prey that is near the mouse come to it, unless it evades a hunter.
fn be_lured(
    mut commands: Commands,
    prey: Query<(Entity, &Transform, Has<Evade>), With<Prey>>,
    cursor: Single<(Entity, &Transform), With<Cursor>>,
    bounds: Res<SteeringBounds>,
) {
    let (cursor, lure) = *cursor;
    for (entity, transform, evading) in &prey {
        if !evading && between(&bounds, transform.translation, lure.translation) < LURE_DISTANCE {
            commands.entity(entity).insert(Arrive::new(cursor));
        } else {
            commands.entity(entity).remove::<Arrive>();
        }
    }
}

fn closest<F: QueryFilter>(
    bounds: &SteeringBounds,
    to: &Transform,
    candidates: &Query<(Entity, &Transform), F>,
) -> Option<(Entity, f32)> {
    candidates
        .iter()
        .map(|(entity, candidate)| (entity, between(bounds, to.translation, candidate.translation)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The distance between two places in a world that wraps.
fn between(bounds: &SteeringBounds, a: Vec3, b: Vec3) -> f32 {
    bounds.space().displacement(a.truncate(), b.truncate()).length()
}

/// Shows a hunter's stamina above it.
#[derive(Component)]
struct Bar(Entity);

const BAR: Vec2 = Vec2::new(36.0, 5.0);

fn show_stamina(
    hunters: Query<(&Stamina, &Transform, Has<Pursue>)>,
    mut bars: Query<(&Bar, &Children, &mut Transform), Without<Stamina>>,
    mut fills: Query<&mut Sprite>,
) {
    for (bar, children, mut transform) in &mut bars {
        let Ok((stamina, hunter, running)) = hunters.get(bar.0) else { continue };
        transform.translation = hunter.translation + Vec3::new(0.0, 28.0, 1.0);
        if let Ok(mut fill) = fills.get_mut(children[0]) {
            fill.color = if running { VELOCITY } else { FORCE };
            fill.custom_size = Some(BAR * Vec2::new(stamina.0, 1.0));
        }
    }
}

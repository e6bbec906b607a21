//! The rules of the game.

use bevy::ecs::query::QueryFilter;
use bevy::ecs::schedule::ScheduleConfigs;
use bevy::ecs::system::ScheduleSystem;
use bevy::prelude::*;
use bevy_ggrs::prelude::*;
use bevy_steerling::prelude::*;

use super::{Dice, HuntConfig, Hunter, PLAYERS, Player, Prey, SIZE, Score, Through, Walker};

const PREY: usize = 14;
const WALKERS: usize = 10;
const GUARDS: usize = 3;
/// Where the hunters start, and their initial stamina.
const HUNTERS: [(Vec2, f32); 3] =
    [(Vec2::new(-480.0, 120.0), 1.0), (Vec2::new(460.0, 200.0), 0.7), (Vec2::new(120.0, -280.0), 0.4)];
const PLAYER_SPEED: f32 = 140.0;
const PANIC_DISTANCE: f32 = 120.0;
/// The distance from a player within which prey follows it, units.
const LURE_DISTANCE: f32 = 200.0;
/// The distance within which a hunter catches prey, units.
const REACH: f32 = 20.0;
/// How long a hunter can run, and how long it must then rest, seconds.
const RUN: f32 = 6.0;
const REST: f32 = 3.0;
/// Where the walkers come from, and where they go.
const ENTRANCE: Vec2 = Vec2::new(-540.0, -240.0);
const EXIT: Vec2 = Vec2::new(-160.0, -240.0);
/// How far a patrolling obstacle goes from the middle, units.
const BEAT: f32 = 200.0;

/// An agent, as rules see it.
type Place = (Entity, &'static SteeringId, &'static Transform);

/// The rules of a frame, in order.
pub(super) fn systems() -> ScheduleConfigs<ScheduleSystem> {
    (move_players, patrol, catch, hunt, mind_hunters, follow_players, leave).chain()
}

pub(super) fn setup(mut commands: Commands, mut dice: ResMut<Dice>) {
    for (shape, x, y) in [
        (Rectangle::new(12.0, 90.0), -300.0, -305.0),
        (Rectangle::new(12.0, 90.0), -300.0, -175.0),
        (Rectangle::new(90.0, 30.0), 300.0, 60.0),
    ] {
        commands.spawn((Obstacle::new(shape), Transform::from_xyz(x, y, 0.0)));
    }
    let patrol = (Obstacle::new(Circle::new(40.0)), Velocity(Vec2::new(60.0, 0.0)));
    commands.spawn((patrol, Transform::from_xyz(0.0, 180.0, 0.0)));

    let body = SteeringAgent { max_speed: 200.0, max_force: 350.0, radius: 13.0, ..default() };
    for (place, stamina) in HUNTERS {
        commands.spawn((Hunter(stamina), body, AvoidObstacles::default(), at(place)));
    }
    for player in 0..PLAYERS {
        let body = SteeringAgent { max_speed: PLAYER_SPEED, ..default() };
        let anchor =
            commands.spawn((Player(player), body, ExternalMovement, at(Vec2::new(0.0, 100.0 * player as f32)))).id();
        commands.entity(anchor).insert(Formation::new(Pattern::Circle));
        for guard in 0..GUARDS {
            let place = Vec2::new(30.0 * guard as f32 - 30.0, 100.0 * player as f32 - 50.0);
            commands.spawn((InFormation(anchor), AvoidNeighbors::default(), AvoidObstacles::default(), at(place)));
        }
    }
    for _ in 0..PREY {
        let place = dice.place(Vec2::ZERO, 0.5 * SIZE);
        spawn_prey(&mut commands, place);
    }
    for number in 0..WALKERS {
        spawn_walker(&mut commands, ENTRANCE + Vec2::new(22.0 * (number / 3) as f32, 22.0 * (number % 3) as f32));
    }
}

fn at(place: Vec2) -> Transform {
    Transform::from_translation(place.extend(0.0))
}

fn spawn_prey(commands: &mut Commands, place: Vec2) {
    let body = SteeringAgent { max_speed: 160.0, max_force: 450.0, ..default() };
    let behaviors = (Wander::default(), Flock::default(), AvoidNeighbors::default(), AvoidObstacles::default());
    commands.spawn((Prey, body, behaviors, FaceVelocity::default().with_turn_rate(6.0), at(place)));
}

fn spawn_walker(commands: &mut Commands, place: Vec2) {
    let body = SteeringAgent { max_speed: 60.0, ..default() };
    let behaviors = (Arrive::new(EXIT), Queue::default(), AvoidObstacles::default());
    commands.spawn((Walker, body, behaviors, SteeringEvents::default(), at(place)));
}

fn move_players(
    mut players: Query<(&Player, &mut Transform, &mut Velocity)>,
    inputs: Res<PlayerInputs<HuntConfig>>,
    time: Res<Time>,
) {
    for (player, mut transform, mut velocity) in &mut players {
        velocity.0 = PLAYER_SPEED * inputs[player.0].0.direction();
        let moved = transform.translation.truncate() + velocity.0 * time.delta_secs();
        // Steering does not move players, so they go round the world by themselves.
        transform.translation = ((moved + 0.5 * SIZE).rem_euclid(SIZE) - 0.5 * SIZE).extend(0.0);
    }
}

/// Moves obstacles to and fro.
fn patrol(mut obstacles: Query<(&mut Transform, &mut Velocity), With<Obstacle>>, time: Res<Time>) {
    for (mut transform, mut velocity) in &mut obstacles {
        let x = transform.translation.x + velocity.x * time.delta_secs();
        velocity.x = if x.abs() > BEAT { velocity.x.abs() * -x.signum() } else { velocity.x };
        transform.translation.x = x;
    }
}

/// Takes caught prey from the game and lets other prey in, far from all hunters.
fn catch(
    mut commands: Commands,
    prey: Query<Place, With<Prey>>,
    hunters: Query<&Transform, (With<Hunter>, With<Pursue>)>,
    bounds: Res<SteeringBounds>,
    mut dice: ResMut<Dice>,
    mut score: ResMut<Score>,
) {
    for (entity, _, prey) in in_order(&prey) {
        if !hunters.iter().any(|hunter| distance(&bounds, hunter, prey) < REACH) {
            continue;
        }
        // Both ways are rolled back.
        if score.caught.is_multiple_of(2) {
            commands.entity(entity).despawn_rollback();
        } else {
            commands.entity(entity).despawn();
        }
        score.caught += 1;
        let place = dice.place(Vec2::ZERO, SIZE);
        spawn_prey(&mut commands, place);
    }
}

/// Makes hunters pursue the closest prey until they have caught it or are tired. Then they rest.
fn hunt(
    mut commands: Commands,
    mut hunters: Query<(Entity, &mut Hunter, &Transform, Option<&Pursue>)>,
    prey: Query<Place, With<Prey>>,
    bounds: Res<SteeringBounds>,
    time: Res<Time>,
) {
    for (entity, mut hunter, transform, pursue) in &mut hunters {
        let change = if pursue.is_some() { -1.0 / RUN } else { 1.0 / REST };
        hunter.0 = (hunter.0 + change * time.delta_secs()).clamp(0.0, 1.0);
        let hunts =
            pursue.is_some_and(|pursue| matches!(pursue.target, Target::Entity(quarry) if prey.contains(quarry)));
        if hunter.0 == 0.0 {
            // With an infinite tolerance, it has arrived wherever it is.
            let halt = Arrive::new(Vec2::ZERO).with_arrival_tolerance(f32::INFINITY);
            commands.entity(entity).remove::<Pursue>().insert(halt);
        } else if !hunts
            && (pursue.is_some() || hunter.0 == 1.0)
            && let Some((closest, _)) = closest(&bounds, transform, &prey)
        {
            commands.entity(entity).remove::<Arrive>().insert(Pursue::new(closest).with_max_prediction(1.0));
        }
    }
}

/// Makes prey evade the closest hunter while that is near.
fn mind_hunters(
    mut commands: Commands,
    prey: Query<(Entity, &Transform, Has<Evade>), With<Prey>>,
    hunters: Query<Place, With<Hunter>>,
    bounds: Res<SteeringBounds>,
) {
    for (entity, transform, evades) in &prey {
        match closest(&bounds, transform, &hunters) {
            Some((hunter, distance)) if distance < PANIC_DISTANCE => {
                commands.entity(entity).insert(Evade::new(hunter).with_weight(4.0));
            }
            _ if evades => _ = commands.entity(entity).remove::<Evade>(),
            _ => {}
        }
    }
}

/// Makes prey near a player follow it, unless it evades a hunter.
fn follow_players(
    mut commands: Commands,
    prey: Query<(Entity, &Transform, Has<Evade>, Has<Arrive>), With<Prey>>,
    players: Query<Place, With<Player>>,
    bounds: Res<SteeringBounds>,
) {
    for (entity, transform, evades, follows) in &prey {
        let player = closest(&bounds, transform, &players).filter(|(_, distance)| *distance < LURE_DISTANCE);
        match player {
            Some((player, _)) if !evades && !follows => _ = commands.entity(entity).insert(Arrive::new(player)),
            None if follows => _ = commands.entity(entity).remove::<Arrive>(),
            _ => {}
        }
    }
}

/// Lets walkers that have arrived leave the game, and others come in.
fn leave(
    mut commands: Commands,
    walkers: Query<Place, (With<Walker>, With<Through>)>,
    mut dice: ResMut<Dice>,
    mut score: ResMut<Score>,
) {
    for (entity, ..) in in_order(&walkers) {
        commands.entity(entity).despawn();
        score.through += 1;
        let place = dice.place(ENTRANCE, Vec2::new(60.0, 100.0));
        spawn_walker(&mut commands, place);
    }
}

/// Agents in the order of their ids.
fn in_order<'a, F: QueryFilter>(agents: &'a Query<Place, F>) -> Vec<(Entity, &'a SteeringId, &'a Transform)> {
    let mut agents: Vec<_> = agents.iter().collect();
    agents.sort_unstable_by_key(|(_, id, _)| **id);
    agents
}

/// The closest agent and its distance, units.
fn closest<F: QueryFilter>(bounds: &SteeringBounds, to: &Transform, agents: &Query<Place, F>) -> Option<(Entity, f32)> {
    agents
        .iter()
        .map(|(entity, id, agent)| (entity, distance(bounds, to, agent), id))
        .min_by(|a, b| a.1.total_cmp(&b.1).then(a.2.cmp(b.2)))
        .map(|(entity, distance, _)| (entity, distance))
}

/// The distance of two agents in a world that wraps, units.
fn distance(bounds: &SteeringBounds, a: &Transform, b: &Transform) -> f32 {
    bounds.space().displacement(a.translation.truncate(), b.translation.truncate()).length()
}

//! A thousand agents share one flow field, which leads them through a maze. A click moves its goal.

use bevy::math::ops;
use bevy::prelude::*;
use bevy_steerling::agent::SteeringId;
use bevy_steerling::agent::random::SteeringRng;
use bevy_steerling::prelude::*;
use bevy_transform_interpolation::prelude::*;
use stage::{FORCE, GROUND, OBSTACLE, Pointer, QUARRY, Scene, SceneApp};

const CROWD_SIZE: usize = 1_000;
const AGENT: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 70.0, max_force: 350.0, radius: 4.0, response_time: 0.0 };

/// The number of rooms of the maze, the size of a room, units, and the middle of the maze.
const ROOMS: IVec2 = IVec2::new(20, 10);
const ROOM: f32 = 62.0;
const MIDDLE: Vec2 = Vec2::new(0.0, -32.0);
const WALL: f32 = 8.0;
/// The share of walls that are left out, so that there is more than one way.
const GAPS: f32 = 0.15;
/// The distance between the places for which the field is computed, units.
const CELL: f32 = 4.0;
/// The number of arrows in a room, in each direction.
const ARROWS: i32 = 3;
const SHADES: u16 = 8;

const FIRST_GOAL: IVec2 = IVec2::new(14, 5);
/// Agents within this distance have arrived, units. They start again at least this far away.
const NEAR: f32 = 24.0;
const FAR: f32 = 300.0;

pub(crate) const SCENE: Scene = Scene {
    name: "maze",
    about: "A thousand agents share a flow field through a maze.",
    help: "A thousand agents go the shortest way to the goal (orange), then start again elsewhere. The arrows are the flow\n\
        field that all of them share; they are brighter near the goal. Click to move the goal.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene
        .start_with(SteeringSeed(2))
        .on_start(setup)
        .add_systems(FixedUpdate, start_again.after(RunSteeringSystems))
        .add_systems(Update, (move_goal, turn_arrows).chain());
}

#[derive(Resource)]
struct Dice(SteeringRng);

#[derive(Component)]
struct Goal;

/// The colors of arrows, the brightest for the goal.
#[derive(Resource)]
struct Shades(Vec<Handle<ColorMaterial>>);

/// Shows the direction of the field.
#[derive(Component)]
struct Arrow;

fn setup(
    mut commands: Commands,
    seed: Res<SteeringSeed>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) -> Result {
    let mut dice = SteeringRng::new(*seed, SteeringId::new(0), 1);
    let walls: Vec<(Obstacle, Transform)> = walls(&mut dice).into_iter().map(wall).collect();
    let obstacles = Obstacles::standing_at(walls.clone(), &SteeringBounds::default(), SteeringPlane::XY);
    for (obstacle, place) in walls {
        let drawn = stage::drawn(&obstacle.shape, OBSTACLE, 1.0);
        commands.spawn((obstacle, drawn, place));
    }

    let goal = room_middle(FIRST_GOAL);
    let field = FlowField::toward([goal], &obstacles, CELL, AGENT.radius)?;
    let shade = |k: u16| materials.add(GROUND.mix(&FORCE, 0.2 + 0.6 * f32::from(k) / f32::from(SHADES)));
    let shades: Vec<_> = (0..=SHADES).map(shade).collect();
    let arrow = meshes.add(Triangle2d::new(Vec2::new(6.0, 0.0), Vec2::new(-4.0, 2.5), Vec2::new(-4.0, -2.5)));
    for room in rooms() {
        for k in 0..ARROWS * ARROWS {
            let offset = (Vec2::new((k % ARROWS) as f32, (k / ARROWS) as f32) + 0.5) / ARROWS as f32 - 0.5;
            let place = room_middle(room) + offset * (ROOM - WALL);
            let drawn = (Mesh2d(arrow.clone()), MeshMaterial2d(shades[0].clone()));
            commands.spawn((Arrow, drawn, Transform::from_translation(place.extend(-2.0))));
        }
    }
    commands.spawn((Goal, stage::dot(9.0, FORCE), children![stage::ring(NEAR, FORCE)], at(goal)));

    let body = meshes.add(Triangle2d::new(Vec2::new(6.0, 0.0), Vec2::new(-4.0, 4.0), Vec2::new(-4.0, -4.0)));
    let color = materials.add(ColorMaterial::from_color(QUARRY));
    let mut taken = Vec::new();
    let field_entity = commands.spawn_empty().id();
    for _ in 0..CROWD_SIZE {
        let Some(place) = free_place(&field, &mut taken, &mut dice) else { continue };
        commands.spawn((
            FollowField::new(field_entity).with_stop(false),
            AvoidObstacles::default(),
            Queue::default(),
            AGENT,
            (FaceVelocity::default(), TransformInterpolation),
            (Mesh2d(body.clone()), MeshMaterial2d(color.clone())),
            at(place),
        ));
    }
    commands.entity(field_entity).insert(field);
    commands.insert_resource(Dice(dice));
    commands.insert_resource(Shades(shades));
    Ok(())
}

fn at(place: Vec2) -> Transform {
    Transform::from_translation(place.extend(0.0))
}

fn rooms() -> impl Iterator<Item = IVec2> {
    (0..ROOMS.y).flat_map(|y| (0..ROOMS.x).map(move |x| IVec2::new(x, y)))
}

fn room_middle(room: IVec2) -> Vec2 {
    MIDDLE + (room.as_vec2() + 0.5 - 0.5 * ROOMS.as_vec2()) * ROOM
}

/// The room at a place.
fn room_at(place: Vec2) -> IVec2 {
    ((place - MIDDLE) / ROOM + 0.5 * ROOMS.as_vec2()).floor().as_ivec2().clamp(IVec2::ZERO, ROOMS - 1)
}

/// The walls of a random maze, each between two neighboring rooms, or at the edge.
fn walls(dice: &mut SteeringRng) -> Vec<(IVec2, IVec2)> {
    let is_inside = |room: IVec2| room.cmpge(IVec2::ZERO).all() && room.cmplt(ROOMS).all();
    let sides = [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y];
    let mut pick = |count: usize| ((dice.uniform() * count as f32) as usize).min(count - 1);
    // A walk through all rooms, which turns back at dead ends.
    let (mut seen, mut way, mut open) = (vec![IVec2::ZERO], vec![IVec2::ZERO], Vec::new());
    while let Some(&room) = way.last() {
        let new: Vec<IVec2> =
            sides.iter().map(|side| room + side).filter(|room| is_inside(*room) && !seen.contains(room)).collect();
        if new.is_empty() {
            way.pop();
            continue;
        }
        let next = new[pick(new.len())];
        open.push((room.min(next), room.max(next)));
        seen.push(next);
        way.push(next);
    }
    let edges = (-1..ROOMS.y).flat_map(|y| (-1..ROOMS.x).map(move |x| IVec2::new(x, y)));
    let all = edges.flat_map(|room| [(room, room + IVec2::X), (room, room + IVec2::Y)]);
    all.filter(|wall @ (room, next)| match (is_inside(*room), is_inside(*next)) {
        (true, true) => !open.contains(wall) && pick(1_000) as f32 >= GAPS * 1_000.0,
        (inside, other_inside) => inside || other_inside,
    })
    .collect()
}

fn wall((room, next): (IVec2, IVec2)) -> (Obstacle, Transform) {
    let across = (next - room).as_vec2();
    let size = across * WALL + across.perp().abs() * (ROOM + WALL);
    let middle = room_middle(room).midpoint(room_middle(next));
    (Obstacle::new(Rectangle::from_size(size)), Transform::from_translation(middle.extend(-1.0)))
}

/// Finds a random place for an agent, far away from the goal and free of others, and marks it as taken.
fn free_place(field: &FlowField, taken: &mut Vec<Vec2>, dice: &mut SteeringRng) -> Option<Vec2> {
    const TRIES: usize = 30;
    const SPACING: f32 = 3.0 * AGENT.radius;
    let place = (0..TRIES)
        .map(|_| MIDDLE + (Vec2::new(dice.uniform(), dice.uniform()) - 0.5) * ROOMS.as_vec2() * ROOM)
        .find(|place| {
            let from_middle = (*place - room_middle(room_at(*place))).abs().max_element();
            from_middle < 0.5 * (ROOM - WALL) - AGENT.radius
                && field.distance(*place).is_some_and(|way| way > FAR)
                && taken.iter().all(|other| other.distance(*place) > SPACING)
        })?;
    taken.push(place);
    Some(place)
}

/// Moves agents that have arrived to another place in the maze.
fn start_again(
    mut crowd: Query<&mut Transform, With<FollowField>>,
    goal: Single<&Transform, (With<Goal>, Without<FollowField>)>,
    field: Single<&FlowField>,
    mut dice: ResMut<Dice>,
) {
    let arrived = |place: &Transform| place.translation.distance(goal.translation) < NEAR;
    if !crowd.iter().any(arrived) {
        return;
    }
    let mut taken: Vec<Vec2> = crowd.iter().map(|place| place.translation.truncate()).collect();
    for mut transform in &mut crowd {
        if arrived(&transform)
            && let Some(place) = free_place(&field, &mut taken, &mut dice.0)
        {
            *transform = at(place);
        }
    }
}

/// Moves the goal to the middle of the room that is clicked.
fn move_goal(
    pointer: Pointer,
    obstacles: Res<Obstacles>,
    mut goal: Single<&mut Transform, With<Goal>>,
    mut field: Single<&mut FlowField>,
) -> Result {
    if let Some(place) = pointer.clicked() {
        let place = room_middle(room_at(place));
        goal.translation = place.extend(0.0);
        **field = FlowField::toward([place], &obstacles, CELL, AGENT.radius)?;
    }
    Ok(())
}

/// Shows the field when it has changed.
fn turn_arrows(
    field: Single<&FlowField, Changed<FlowField>>,
    mut arrows: Query<(&mut Transform, &mut MeshMaterial2d<ColorMaterial>), With<Arrow>>,
    shades: Res<Shades>,
) {
    for (mut transform, mut material) in &mut arrows {
        let place = transform.translation.truncate();
        transform.rotation = Quat::from_rotation_z(field.direction(place).to_angle());
        let near = field.distance(place).map_or(0.0, |way| ops::exp(-way / 600.0));
        material.0 = shades.0[(near * f32::from(SHADES)) as usize].clone();
    }
}

//! The simulation of the scene: a crowd in a [`Level`], and doors that open and close.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use vleue_navigator::prelude::*;

use crate::level::{Dice, Level, SIZE, WALL};
use crate::navigation::{NavGoal, NavigationPlugin};

/// The bodies.
pub const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 80.0, max_force: 400.0, radius: 4.0, response_time: 0.0 };

/// The distance between paths and walls, units: the body, and the lane in which it follows its path.
pub const MESH_RADIUS: f32 = BODY.radius + LANE;

/// Half the width of the lane, units.
const LANE: f32 = 4.0;

/// The layer of doors that cannot close yet, because someone is in the doorway. Nobody avoids it.
const CLOSING: GroupMask = GroupMask::bit(1);

/// The crowd and the doors. Needs `TransformPlugin`, `AssetPlugin`, and a [`Level`].
pub struct CrowdPlugin {
    /// The number of agents.
    pub count: usize,
}

impl Plugin for CrowdPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((SteeringPlugin::default(), NavigationPlugin))
            .insert_resource(CrowdSize(self.count))
            .add_systems(Startup, (build_level, spawn_crowd))
            .add_systems(FixedUpdate, move_doors.before(RunSteeringSystems));
    }
}

#[derive(Resource)]
struct CrowdSize(usize);

/// A door in a doorway. It closes when nobody is in the doorway anymore; paths avoid it at once.
#[derive(Component, Clone, Copy, Debug)]
pub struct Door {
    /// The number of the doorway in the [`Level`].
    pub number: usize,
    /// The doorway.
    pub area: Rect,
    /// Whether the door is meant to be open.
    pub opens: bool,
}

/// Whether the door blocks the way.
pub fn is_closed(obstacle: Option<&Obstacle>) -> bool {
    obstacle.is_some_and(|obstacle| obstacle.layers == GroupMask::DEFAULT)
}

/// What is in the way of bodies and paths.
fn wall(area: Rect) -> (Obstacle, PrimitiveObstacle, Transform) {
    let shape = Rectangle::from_size(area.size());
    (Obstacle::new(shape), PrimitiveObstacle::Rectangle(shape), Transform::from_translation(area.center().extend(0.0)))
}

fn build_level(level: Res<Level>, mut commands: Commands) {
    let half = 0.5 * (SIZE + WALL);
    let edges = [Vec2::new(-half.x, -half.y), Vec2::new(half.x, -half.y), half, Vec2::new(-half.x, half.y)];
    commands.spawn(NavMeshSettings {
        fixed: Triangulation::from_outer_edges(&edges),
        agent_radius: MESH_RADIUS,
        merge_steps: 2,
        ..default()
    });
    commands.spawn_batch(level.walls.iter().map(|area| wall(*area)).collect::<Vec<_>>());
    for (number, (area, _)) in level.doorways.iter().enumerate() {
        let place = Transform::from_translation(area.center().extend(0.0));
        commands.spawn((Door { number, area: *area, opens: true }, place));
    }
}

/// Spawns groups in two rooms.
fn spawn_crowd(level: Res<Level>, size: Res<CrowdSize>, mut commands: Commands) {
    for (room, count) in [(0, size.0.div_ceil(2)), (level.rooms.len() - 1, size.0 / 2)] {
        for place in places(level.rooms[room]).take(count) {
            commands.spawn((
                NavGoal(place),
                FollowPath::default().with_radius(LANE),
                AvoidObstacles { layers: GroupMask::DEFAULT, ..default() },
                AvoidNeighbors::default(),
                FaceVelocity::default(),
                BODY,
                Transform::from_translation(place.extend(1.0)),
            ));
        }
    }
}

/// The places of a grid in a room.
fn places(room: Rect) -> impl Iterator<Item = Vec2> {
    const SPACING: f32 = 2.75 * BODY.radius;
    let area = Rect::from_center_size(room.center(), room.size() - 4.0 * BODY.radius);
    let columns = (area.width() / SPACING) as usize;
    (0..).map(move |k: usize| area.min + SPACING * (Vec2::new((k % columns) as f32, (k / columns) as f32) + 0.5))
}

/// Opens and closes doors.
fn move_doors(
    doors: Query<(Entity, &Door, Option<&Obstacle>)>,
    agents: Query<(&Transform, &Velocity, &SteeringAgent)>,
    mut commands: Commands,
) {
    for (entity, door, obstacle) in &doors {
        match (door.opens, obstacle) {
            (true, Some(_)) => _ = commands.entity(entity).remove::<(Obstacle, PrimitiveObstacle)>(),
            (false, None) => {
                let (obstacle, blocked, _) = wall(door.area);
                commands.entity(entity).insert((obstacle.with_layers(CLOSING), blocked));
            }
            (false, Some(obstacle))
                if !is_closed(Some(obstacle)) && agents.iter().all(|agent| is_clear(door, agent)) =>
            {
                commands.entity(entity).insert(wall(door.area).0);
            }
            _ => {}
        }
    }
}

/// Whether an agent can stop before the door.
fn is_clear(door: &Door, (transform, velocity, body): (&Transform, &Velocity, &SteeringAgent)) -> bool {
    let place = transform.translation.truncate();
    let gap = place.distance(place.clamp(door.area.min, door.area.max)) - body.radius;
    let speed = velocity.length();
    // Half of the force stops it, and it moves on for a few ticks.
    gap > speed * speed * body.mass / body.max_force + 0.05 * speed
}

/// Sends everybody to a place.
pub fn send_all(place: Vec2, goals: &mut Query<&mut NavGoal>) {
    for mut goal in goals {
        goal.0 = place;
    }
}

/// A random place in a room, far enough from its walls for a crowd.
pub fn random_goal(level: &Level, dice: &mut Dice) -> (usize, Vec2) {
    let room = dice.pick(level.rooms.len());
    (room, dice.place(level.rooms[room], 70.0))
}

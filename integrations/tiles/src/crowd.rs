//! The simulation of the scene: a crowd that follows a flow field through a tile map, doors, and walls that break.

use bevy::prelude::*;
use bevy_ecs_ldtk::prelude::*;
use bevy_steerling::prelude::*;

use crate::check::MapCheckPlugin;
use crate::map::{DOOR, OPEN_DOOR, TILE, WALL};
use crate::walls::TileWallsPlugin;

/// The bodies.
pub const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 60.0, max_force: 300.0, radius: 3.0, response_time: 0.0 };

/// The distance between the nodes of the field, units: a quarter of a tile, so that they are on the sides of tiles and in the middle.
pub const CELL: f32 = 0.25 * TILE as f32;

/// A map with a flow field to a [`Goal`], and doors. Agents follow the field of the entity with [`CrowdField`].
///
/// Needs `AssetPlugin`, `TransformPlugin`, and the assets `Image` and `TextureAtlasLayout`.
pub struct CrowdPlugin {
    /// The path of the map.
    pub map: String,
}

impl Plugin for CrowdPlugin {
    fn build(&self, app: &mut App) {
        let map = self.map.clone();
        let load = move |mut commands: Commands, assets: Res<AssetServer>| {
            commands.spawn(LdtkWorldBundle { ldtk_handle: assets.load(&map).into(), ..default() });
        };
        app.add_plugins((SteeringPlugin::default(), LdtkPlugin, MapCheckPlugin))
            .add_plugins(TileWallsPlugin { values: vec![WALL, DOOR] })
            .insert_resource(LdtkSettings { level_background: LevelBackground::Nonexistent, ..default() })
            .insert_resource(LevelSelection::index(0))
            .init_resource::<Goal>()
            .add_systems(Startup, (load, |mut commands: Commands| _ = commands.spawn(CrowdField)))
            .add_systems(FixedUpdate, (set_field, move_doors).before(RunSteeringSystems));
    }
}

/// Where the crowd goes, units.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Goal(pub Vec2);

/// The entity with the [`FlowField`] of the crowd.
#[derive(Component)]
pub struct CrowdField;

/// A door tile that is about to open or close. It closes when nobody is in it anymore.
#[derive(Component)]
pub struct Switching;

/// An agent at a place that follows a field.
pub fn agent(place: Vec2, field: Entity) -> impl Bundle {
    (
        FollowField::new(field),
        AvoidObstacles::default(),
        AvoidNeighbors::default(),
        FaceVelocity::default(),
        BODY,
        Transform::from_translation(place.extend(10.0)),
    )
}

/// The middle of a tile, units.
pub fn middle(tile: IVec2) -> Vec2 {
    (tile.as_vec2() + 0.5) * TILE as f32
}

/// The tile at a place.
pub fn tile_at(place: Vec2) -> IVec2 {
    (place / TILE as f32).floor().as_ivec2()
}

/// The field computes itself again when walls change.
fn set_field(
    goal: Res<Goal>,
    field: Single<Entity, With<CrowdField>>,
    obstacles: Res<Obstacles>,
    mut commands: Commands,
) {
    if goal.is_changed() {
        match FlowField::toward([goal.0], &obstacles, CELL, BODY.radius) {
            Ok(new) => _ = commands.entity(*field).insert(new),
            Err(error) => warn!("no way to {}: {error}", goal.0),
        }
    }
}

/// Opens and closes the door tiles that are [`Switching`].
fn move_doors(
    mut doors: Query<(Entity, &mut IntGridCell, &GridCoords), With<Switching>>,
    agents: Query<(&Transform, &Velocity, &SteeringAgent)>,
    mut commands: Commands,
) {
    for (entity, mut cell, coords) in &mut doors {
        let closes = cell.value == OPEN_DOOR;
        let middle = middle((*coords).into());
        if closes && !agents.iter().all(|agent| is_clear(middle, agent)) {
            continue;
        }
        cell.value = if closes { DOOR } else { OPEN_DOOR };
        commands.entity(entity).remove::<Switching>();
    }
}

/// Whether an agent can stop before the tile with this middle.
fn is_clear(middle: Vec2, (transform, velocity, body): (&Transform, &Velocity, &SteeringAgent)) -> bool {
    let off = (transform.translation.truncate() - middle).abs() - 0.5 * TILE as f32;
    let speed = velocity.length();
    // Half of the force stops it, and it moves on for a few ticks.
    off.max(Vec2::ZERO).length() - body.radius > speed * speed * body.mass / body.max_force + 0.05 * speed
}

//! Forty agents go from one corner of an `LDtk` map to another.

use bevy::prelude::*;
use bevy_ecs_ldtk::prelude::*;
use bevy_steerling::prelude::*;
use steerling_tiles::check::MapCheckPlugin;
use steerling_tiles::walls::{TileWall, TileWallsPlugin};

const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 60.0, max_force: 300.0, radius: 3.0, response_time: 0.0 };

/// The size of a tile, units.
const TILE: f32 = 16.0;

fn main() {
    App::new()
        // In a game: DefaultPlugins
        .add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin))
        .init_asset::<Image>()
        .init_asset::<TextureAtlasLayout>()
        // The values of walls and of closed doors in the int grid of the map.
        .add_plugins((SteeringPlugin::default(), LdtkPlugin, MapCheckPlugin, TileWallsPlugin { values: vec![1, 2] }))
        .insert_resource(LdtkSettings { level_background: LevelBackground::Nonexistent, ..default() })
        .insert_resource(LevelSelection::index(0))
        .add_systems(Startup, load)
        .add_systems(FixedUpdate, (start.before(RunSteeringSystems), report.after(RunSteeringSystems)))
        .run();
}

fn load(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(LdtkWorldBundle { ldtk_handle: assets.load("rooms.ldtk").into(), ..default() });
}

/// Spawns the agents and their field when the walls are there. The field follows the walls from then on.
fn start(
    walls: Query<(), With<TileWall>>,
    fields: Query<(), With<FlowField>>,
    obstacles: Res<Obstacles>,
    mut commands: Commands,
) -> Result {
    if walls.is_empty() || !fields.is_empty() {
        return Ok(());
    }
    // A row of the file counts from the top, a row in the world from the bottom.
    let goal = TILE * Vec2::new(48.0, 2.0);
    let field = commands.spawn(FlowField::toward([goal], &obstacles, 0.25 * TILE, BODY.radius)?).id();
    for k in 0..40 {
        commands.spawn((
            FollowField::new(field),
            AvoidObstacles::default(),
            AvoidNeighbors::default(),
            BODY,
            Transform::from_xyz(TILE * (2.5 + (k % 8) as f32), TILE * (2.5 + (k / 8) as f32), 0.0),
        ));
    }
    Ok(())
}

/// Ends the program when nobody moves anymore.
fn report(
    agents: Query<(&Transform, &Velocity), With<FollowField>>,
    field: Query<&FlowField>,
    time: Res<Time>,
    mut rest: Local<f32>,
    mut exit: MessageWriter<AppExit>,
) {
    let is_at_rest = !agents.is_empty() && agents.iter().all(|(_, velocity)| velocity.length() < 1.0);
    *rest = if is_at_rest { *rest + time.delta_secs() } else { 0.0 };
    if *rest > 1.0
        && let Ok(field) = field.single()
    {
        let way = |(place, _): (&Transform, &Velocity)| field.distance(place.translation.truncate());
        let longest = agents.iter().filter_map(way).fold(0.0, f32::max);
        println!("{} agents are at most {longest:.0} units from the goal", agents.iter().len());
        exit.write(AppExit::Success);
    }
}

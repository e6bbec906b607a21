//! Twenty agents go from one room to another, through the gap in the wall between them.

use bevy::prelude::*;
use bevy_steerling::behaviors::follow_path::PathProgress;
use bevy_steerling::prelude::*;
use steerling_navmesh::navigation::{NavGoal, NavigationPlugin};
use vleue_navigator::prelude::*;

const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 100.0, max_force: 500.0, radius: 8.0, response_time: 0.0 };

/// Half the width of the lane in which an agent follows its path, units.
const LANE: f32 = 8.0;

fn main() {
    App::new()
        // In a game: DefaultPlugins
        .add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin))
        .add_plugins((SteeringPlugin::default(), NavigationPlugin))
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, report.after(RunSteeringSystems))
        .run();
}

fn setup(mut commands: Commands) {
    let corners = [(-400.0, -300.0), (400.0, -300.0), (400.0, 300.0), (-400.0, 300.0)].map(Vec2::from);
    commands.spawn(NavMeshSettings {
        fixed: Triangulation::from_outer_edges(&corners),
        agent_radius: BODY.radius + LANE,
        agent_radius_on_outer_edge: true,
        ..default()
    });
    for (y, height) in [(-190.0, 220.0), (130.0, 340.0)] {
        let wall = Rectangle::new(20.0, height);
        // The first is in the way of bodies, the second in that of paths.
        commands.spawn((Obstacle::new(wall), PrimitiveObstacle::Rectangle(wall), Transform::from_xyz(0.0, y, 0.0)));
    }
    for k in 0..20 {
        commands.spawn((
            NavGoal(Vec2::new(250.0, 100.0)),
            FollowPath::default().with_radius(LANE),
            AvoidObstacles::default(),
            AvoidNeighbors::default(),
            BODY,
            Transform::from_xyz(-300.0 + 30.0 * (k % 5) as f32, 60.0 + 30.0 * (k / 5) as f32, 0.0),
        ));
    }
}

/// Ends the program when nobody moves anymore.
fn report(
    agents: Query<(&Transform, &Velocity), With<PathProgress>>,
    time: Res<Time>,
    mut exit: MessageWriter<AppExit>,
) {
    let is_at_rest = agents.iter().all(|(_, velocity)| velocity.length() < 1.0);
    if is_at_rest && time.elapsed_secs() > 2.0 {
        let there = agents.iter().filter(|(place, _)| place.translation.x > 0.0).count();
        println!("{there} agents are in the other room after {:.1} s", time.elapsed_secs());
        exit.write(AppExit::Success);
    }
}

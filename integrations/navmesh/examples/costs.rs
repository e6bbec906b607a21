//! Prints what paths cost: the mesh, a path, and new paths for the whole crowd of 200.

use std::time::{Duration, Instant};

use bevy::diagnostic::{Diagnostic, DiagnosticsPlugin, DiagnosticsStore};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use steerling_navmesh::crowd::{self, CrowdPlugin, Door};
use steerling_navmesh::ground::Ground;
use steerling_navmesh::level::{Dice, Level};
use steerling_navmesh::navigation::{NavGoal, NavState, PathBudget};
use vleue_navigator::prelude::*;

const CROWD: usize = 200;
const LEVELS: u64 = 5;

fn main() {
    println!("level | polygons | mesh | its index | path: mean | median | longest | to a closed room: mean");
    println!("---|---|---|---|---|---|---|---");
    (0..LEVELS).for_each(print_paths);
    println!();
    println!("budget | ticks until all have new paths | longest tick | tick without new paths");
    println!("---|---|---|---");
    for budget in [8, 32, CROWD] {
        print_ticks(budget);
    }
}

/// The level in an app whose mesh is built.
fn app(seed: u64) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin, CrowdPlugin { count: CROWD }))
        .add_plugins(DiagnosticsPlugin)
        .insert_resource(Level::new(seed))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.add_observer(|settings: On<Add, NavMeshSettings>, mut commands: Commands| {
        commands.entity(settings.entity).insert(NavMeshUpdateModeBlocking);
    });
    app.finish();
    (0..10).for_each(|_| app.update());
    app
}

fn print_paths(seed: u64) {
    let mut app = app(seed);
    let level = app.world().resource::<Level>().clone();
    let mut dice = Dice::new(seed);
    let goals: Vec<Vec2> = (0..10).map(|_| crowd::random_goal(&level, &mut dice).1).collect();
    let starts = starts(&mut app);
    let ground = app.world().resource::<Ground>();
    let polygons = ground.polygon_count();
    let index = (0..20).map(|_| time(|| ground.again())).min().unwrap_or_default();
    let open = times(ground, &starts, &goals);
    // Every goal in another room is behind a closed door.
    set_doors(&mut app, false);
    (0..10).for_each(|_| app.update());
    let closed = times(app.world().resource::<Ground>(), &starts, &goals);
    let builds = app.world().resource::<DiagnosticsStore>().get(&NAVMESH_BUILD_DURATION).and_then(Diagnostic::average);
    println!(
        "{seed} | {polygons} | {:.1} ms | {index:.0?} | {:.1?} | {:.1?} | {:.1?} | {:.1?}",
        1000.0 * builds.unwrap_or(f64::NAN),
        mean(&open),
        open[open.len() / 2],
        open[open.len() - 1],
        mean(&closed)
    );
}

/// Sends everybody elsewhere, with a budget of paths per tick.
fn print_ticks(budget: usize) {
    let mut app = app(0);
    app.insert_resource(PathBudget(budget));
    let level = app.world().resource::<Level>().clone();
    let mut dice = Dice::new(1);
    let (mut longest, mut ticks, mut others) = (Duration::ZERO, 0, Vec::new());
    for _ in 0..10 {
        let goal = crowd::random_goal(&level, &mut dice).1;
        let world = app.world_mut();
        world.query::<&mut NavGoal>().iter_mut(world).for_each(|mut current| current.0 = goal);
        (ticks, longest) = (1, longest.max(time(|| app.update())));
        while is_waiting(&mut app) {
            (ticks, longest) = (ticks + 1, longest.max(time(|| app.update())));
        }
        others.extend((0..100).map(|_| time(|| app.update())));
    }
    println!("{budget} | {ticks} | {longest:.1?} | {:.1?}", mean(&others));
}

fn starts(app: &mut App) -> Vec<Vec2> {
    let world = app.world_mut();
    let mut agents = world.query_filtered::<&Transform, With<NavGoal>>();
    agents.iter(world).map(|place| place.translation.truncate()).collect()
}

fn set_doors(app: &mut App, opens: bool) {
    let world = app.world_mut();
    world.query::<&mut Door>().iter_mut(world).for_each(|mut door| door.opens = opens);
}

fn is_waiting(app: &mut App) -> bool {
    let world = app.world_mut();
    world.query::<&NavState>().iter(world).any(NavState::is_waiting)
}

/// The times of all ways, the shortest first.
fn times(ground: &Ground, starts: &[Vec2], goals: &[Vec2]) -> Vec<Duration> {
    let ways = goals.iter().flat_map(|goal| starts.iter().map(|start| time(|| ground.way(*start, *goal))));
    let mut times: Vec<Duration> = ways.collect();
    times.sort();
    times
}

fn time<T>(task: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let result = task();
    let time = start.elapsed();
    drop(result);
    time
}

fn mean(times: &[Duration]) -> Duration {
    times.iter().sum::<Duration>() / times.len().max(1) as u32
}

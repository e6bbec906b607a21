//! Plays a scenario file.

use std::path::PathBuf;
use std::time::Duration;

use bevy::prelude::*;
use bevy::time::common_conditions::on_real_timer;
use bevy_prototype_lyon::prelude::*;
use bevy_steerling::math::space::Edge;
use bevy_steerling::prelude::*;
use stage::{Body, CROWD, FORCE, Next, OBSTACLE, PURSUER, QUARRY, Scene, SceneApp, Trail, VELOCITY, VIEW};
use steerling_scenario::{Scenario, ScenarioPlugin};

use crate::shelf;

pub(crate) const SCENE: Scene = Scene {
    name: "scenario file",
    about: "A scene as data.",
    help: "A scenario file. It restarts when the file changes.",
    keys: &[],
    build,
};

const COLORS: [Color; 5] = [PURSUER, QUARRY, CROWD, VELOCITY, FORCE];
/// Larger crowds leave no trails.
const MOST_TRAILS: usize = 40;

fn build(scene: &mut SceneApp) {
    scene.app().add_plugins(ScenarioPlugin);
    scene
        .on_start(start)
        .add_systems(Update, reload.run_if(on_real_timer(Duration::from_millis(500))))
        .add_systems(FixedUpdate, repeat);
}

/// The files that can be played.
#[derive(Resource)]
pub(crate) struct Playlist {
    files: Vec<File>,
    playing: PathBuf,
    /// The modification time of the playing file, if known. On a web page it is not.
    modified: Option<shelf::Modified>,
    /// How many ticks are left until the playing file starts again, if it does.
    ticks_left: Option<u64>,
    problem: Option<String>,
}

/// A file in the list.
pub(crate) struct File {
    pub path: PathBuf,
    pub name: String,
    pub about: String,
}

impl Playlist {
    /// The project's own files.
    pub fn new() -> Self {
        let mut paths = shelf::own();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        let files = paths.into_iter().map(File::new).collect();
        Self { files, playing: PathBuf::new(), modified: None, ticks_left: None, problem: None }
    }

    pub fn files(&self) -> &[File] {
        &self.files
    }

    pub fn is_playing(&self, file: &File) -> bool {
        self.playing == file.path
    }

    /// Why the selected file cannot be played.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Selects a file, and adds it to the list if it is new.
    pub fn play(&mut self, path: PathBuf) {
        if !self.files.iter().any(|file| file.path == path) {
            self.files.push(File::new(path.clone()));
        }
        self.playing = path;
    }
}

impl File {
    fn new(path: PathBuf) -> Self {
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let about = shelf::read(&path).ok().and_then(|scenario| scenario.about().map(str::to_owned));
        Self { path, name, about: about.unwrap_or_default() }
    }
}

fn reload(mut commands: Commands, playlist: Res<Playlist>) {
    if shelf::modified(&playlist.playing) != playlist.modified {
        commands.insert_resource(Next(SCENE));
    }
}

/// Starts a figure of the docs again when its last tick is over. Pages of behaviors show it.
fn repeat(mut commands: Commands, mut playlist: ResMut<Playlist>) {
    if let Some(left) = &mut playlist.ticks_left {
        *left = left.saturating_sub(1);
        if *left == 0 {
            commands.insert_resource(Next(SCENE));
        }
    }
}

fn start(world: &mut World) {
    let path = world.resource::<Playlist>().playing.clone();
    let (modified, read) = (shelf::modified(&path), shelf::read(&path));
    let mut playlist = world.resource_mut::<Playlist>();
    playlist.modified = modified;
    let is_figure = path.parent().is_some_and(|folder| folder.ends_with("figures"));
    playlist.ticks_left = read.as_ref().ok().filter(|_| is_figure).map(Scenario::ticks);
    playlist.problem = read.as_ref().err().map(ToString::to_string);
    if let Ok(scenario) = read {
        play(world, &scenario);
    }
}

fn play(world: &mut World, scenario: &Scenario) {
    let placed = scenario.place(world);

    let bounds = *world.resource::<SteeringBounds>();
    let mut seen = Rect::EMPTY;
    if bounds.edge != Edge::None {
        seen = seen.union(Rect::from_corners(bounds.min, bounds.max));
    }
    for (center, radius) in scenario.goals() {
        seen = seen.union(Rect::from_center_half_size(center, Vec2::splat(radius)));
    }
    let mut places = world.query::<(&Transform, Option<&SteeringAgent>, Option<&Obstacle>)>();
    let mut ends = Vec::new();
    let entities = placed.agents.iter().map(|(_, agent)| agent).chain(&placed.obstacles);
    for &entity in entities.chain(placed.markers.iter().map(|(_, marker)| marker)) {
        if let Ok((transform, agent, obstacle)) = places.get(world, entity) {
            let radius = agent.map_or(0.0, |agent| agent.radius);
            ends.push(Rect::from_center_half_size(transform.translation.truncate(), Vec2::splat(radius)));
            if let Some(obstacle) = obstacle {
                let shape = obstacle.shape.placed(transform, SteeringPlane::XY);
                let around = |corner: &Vec2| Rect::from_center_half_size(*corner, Vec2::splat(shape.radius()));
                ends.extend(shape.corners().iter().chain([&shape.center()]).map(around));
            }
        }
    }
    let seen =
        ends.into_iter().chain(scenario.gates().map(|[a, b]| Rect::from_corners(a, b))).fold(seen, |a, b| a.union(b));
    let scale = fit_camera(world, seen);

    let thin = 2.0 * scale;
    for (_, marker) in placed.markers {
        world.entity_mut(marker).insert(stage::dot(3.0 * thin, OBSTACLE));
    }
    for obstacle in placed.obstacles {
        if let Some(shape) =
            world.get::<Obstacle>(obstacle).map(|obstacle| stage::drawn(&obstacle.shape, OBSTACLE, thin))
        {
            world.entity_mut(obstacle).insert(shape);
        }
    }
    let few = placed.agents.len() <= MOST_TRAILS;
    for (number, (id, agent)) in placed.agents.into_iter().enumerate() {
        // One color per crowd: the ids of its agents differ only in the number at the end.
        let kind = if few { number } else { id.trim_end_matches(|c: char| c.is_ascii_digit()).len() };
        let mut agent = world.entity_mut(agent);
        agent.insert(Body(COLORS[kind % COLORS.len()]));
        if few {
            agent.insert(Trail);
        }
    }
    let line = |points: Vec<Vec2>, closed, color| {
        ShapeBuilder::with(&shapes::Polygon { points, closed }).stroke((color, thin)).build()
    };
    if bounds.edge != Edge::None {
        let SteeringBounds { min, max, .. } = bounds;
        let corners = vec![min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
        world.spawn((line(corners, true, OBSTACLE), Transform::from_xyz(0.0, 0.0, -3.0)));
    }
    for [start, end] in scenario.gates() {
        world.spawn((line(vec![start, end], false, FORCE), Transform::from_xyz(0.0, 0.0, -3.0)));
    }
    let mut goals: Vec<(Vec2, f32)> = scenario.goals().collect();
    goals.dedup();
    for (center, radius) in goals {
        let circle = shapes::Circle { radius, center };
        let ring = ShapeBuilder::with(&circle).stroke((OBSTACLE, 0.5 * thin)).build();
        world.spawn((ring, Transform::from_xyz(0.0, 0.0, -3.0)));
    }
}

/// Fits the camera to an area, and returns the size of a pixel.
fn fit_camera(world: &mut World, area: Rect) -> f32 {
    let area = if area.is_empty() { Rect::from_center_size(area.center(), VIEW) } else { area };
    let scale = 1.15 * (area.size() / VIEW).max_element();
    let mut cameras = world.query::<(&mut Transform, &mut Projection)>();
    for (mut transform, mut projection) in cameras.iter_mut(world) {
        transform.translation = area.center().extend(0.0);
        if let Projection::Orthographic(projection) = &mut *projection {
            projection.scale = scale;
        }
    }
    scale
}

//! Paths for agents: asked for when a goal or the mesh changes, and replaced under way.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use bevy_steerling::behaviors::follow_path::PathProgress;
use bevy_steerling::prelude::*;
use vleue_navigator::prelude::*;

use crate::ground::{Ground, Way};

/// Finds paths for agents with a [`NavGoal`], on the mesh of the entity with [`NavMeshSettings`].
///
/// Every entity with a [`PrimitiveObstacle`] is left out of the mesh; give it an [`Obstacle`] of the same shape, too. The plugin needs
/// `TransformPlugin` and `AssetPlugin`, which are parts of `DefaultPlugins`.
pub struct NavigationPlugin;

impl Plugin for NavigationPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((VleueNavigatorPlugin, NavmeshUpdaterPlugin::<PrimitiveObstacle>::default()))
            .init_resource::<PathBudget>()
            .init_resource::<MeshChanges>()
            .add_systems(Update, request_mesh)
            .add_systems(FixedUpdate, (take_mesh, check_paths, find_paths).chain().before(RunSteeringSystems));
    }
}

/// Where an agent wants to go, units. Write it to send the agent elsewhere.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[require(FollowPath, NavState)]
pub struct NavGoal(pub Vec2);

/// The most paths that are searched for in a tick. Default: 32. Other agents keep their old paths for some more ticks.
#[derive(Resource, Clone, Copy, Debug)]
pub struct PathBudget(pub usize);

impl Default for PathBudget {
    fn default() -> Self {
        Self(32)
    }
}

/// What an agent knows about its path.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct NavState {
    need: Need,
    falls_short: bool,
}

impl NavState {
    /// Whether the path ends at the nearest place that can be reached, because the goal cannot.
    pub fn falls_short(&self) -> bool {
        self.falls_short
    }

    /// Whether the agent waits for a path.
    pub fn is_waiting(&self) -> bool {
        self.need != Need::Nothing
    }
}

/// How urgently an agent needs a new path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// Its path is blocked, or leads elsewhere.
    Urgent,
    /// There may be a shorter path.
    Shorter,
    #[default]
    Nothing,
}

/// Changes that are not in the mesh yet.
#[derive(Resource, Default)]
struct MeshChanges {
    is_outdated: bool,
    /// Something was removed that blocked ways, since the last request, and before it.
    opened: bool,
    opened_in_build: bool,
}

/// An agent checks this often whether something is in its way, in ticks.
const CHECK_EVERY: u32 = 32;

/// A new path that is not needed must be shorter than this share of the old one.
const SHORTER: f32 = 0.99;

/// Asks for a new mesh. `vleue_navigator` drops a request during a build, so it has to wait for the end.
fn request_mesh(
    mut meshes: Query<(&mut NavMeshUpdateMode, &NavMeshStatus, Ref<NavMeshSettings>)>,
    changed: Query<(), (With<PrimitiveObstacle>, Or<(Changed<PrimitiveObstacle>, Changed<Transform>)>)>,
    moved: Query<(), (With<PrimitiveObstacle>, Changed<Transform>)>,
    mut removed: RemovedComponents<PrimitiveObstacle>,
    mut changes: ResMut<MeshChanges>,
) {
    let opened = removed.read().count() > 0 || !moved.is_empty();
    let is_new = meshes.iter().any(|(.., settings)| settings.is_changed());
    if opened || is_new || !changed.is_empty() {
        changes.is_outdated = true;
        changes.opened |= opened || is_new;
    }
    if !changes.is_outdated || meshes.iter().any(|(_, status, _)| *status == NavMeshStatus::Building) {
        return;
    }
    for (mut mode, ..) in &mut meshes {
        *mode = NavMeshUpdateMode::OnDemand(true);
        changes.is_outdated = false;
    }
    changes.opened_in_build |= std::mem::take(&mut changes.opened);
}

/// An agent with a goal.
#[derive(QueryData)]
#[query_data(mutable)]
struct Traveler {
    entity: Entity,
    transform: &'static Transform,
    body: &'static SteeringAgent,
    follow: &'static mut FollowPath,
    progress: &'static PathProgress,
    goal: Ref<'static, NavGoal>,
    state: &'static mut NavState,
}

impl TravelerItem<'_, '_> {
    /// The rest of its path, from where it is.
    fn rest(&self, plane: &SteeringPlane) -> Way {
        let points = self.follow.path.points();
        let next = self.progress.waypoint().min(points.len().saturating_sub(1));
        let here = plane.to_plane(self.transform.translation);
        Way { points: std::iter::once(here).chain(points[next..].iter().copied()).collect(), is_complete: true }
    }

    /// Whether an obstacle is on the rest of its path. This is cheaper than to search for a path.
    fn is_blocked(&self, rest: &Way, obstacles: &Obstacles) -> bool {
        // An agent that avoids others is closer to walls than the mesh.
        let (radius, filter) = (0.5 * self.body.radius, ObstacleFilter::default());
        let is_hit = |ends: &[Vec2]| obstacles.cast_body(ends[0], ends[1] - ends[0], radius, &filter).is_some();
        rest.points.windows(2).any(is_hit)
    }

    /// The end of its path, if the straight way there is free and the path is another.
    fn end_in_sight(&self, plane: &SteeringPlane, obstacles: &Obstacles) -> Option<Vec2> {
        let [_, .., end] = *self.follow.path.points() else { return None };
        let here = plane.to_plane(self.transform.translation);
        let filter = ObstacleFilter::default();
        obstacles.cast_body(here, end - here, self.body.radius, &filter).is_none().then_some(end)
    }

    /// Takes the way to its goal. Without any it stays where it is.
    fn take(&mut self, way: Option<Way>, plane: &SteeringPlane) {
        let need = std::mem::take(&mut self.state.need);
        let rest = self.rest(plane);
        let way = way.unwrap_or(Way { points: vec![rest.points[0]], is_complete: false });
        let is_needed = need == Need::Urgent || self.state.falls_short;
        if is_needed || way.length() < SHORTER * rest.length() {
            self.state.falls_short = !way.is_complete;
            self.follow.path = SteeringPath::new(way.points);
        }
    }
}

/// Takes a mesh that has been built, and finds the agents that need a new path because of it.
fn take_mesh(
    meshes: Query<&ManagedNavMesh>,
    built: Res<Assets<NavMesh>>,
    ground: Option<Res<Ground>>,
    mut changes: ResMut<MeshChanges>,
    mut travelers: Query<Traveler>,
    obstacles: Res<Obstacles>,
    plane: Res<SteeringPlane>,
    mut commands: Commands,
) {
    let Some(mesh) = meshes.iter().find_map(|mesh| built.get(mesh.id())) else { return };
    if ground.is_some_and(|ground| ground.is_of(mesh)) {
        return;
    }
    commands.insert_resource(Ground::new(mesh));
    let opened = std::mem::take(&mut changes.opened_in_build);
    for mut traveler in &mut travelers {
        let rest = traveler.rest(&plane);
        // Nothing is shorter than a straight line.
        let is_shortest = SHORTER * rest.length() <= rest.points[0].distance(traveler.goal.0);
        if traveler.is_blocked(&rest, &obstacles) {
            traveler.state.need = Need::Urgent;
        } else if opened && (traveler.state.falls_short || !is_shortest) {
            traveler.state.need = traveler.state.need.min(Need::Shorter);
        }
    }
}

/// Finds agents with a new goal and, once in a while, those that see the end of their path or were pushed around a corner.
fn check_paths(
    mut travelers: Query<Traveler>,
    obstacles: Res<Obstacles>,
    plane: Res<SteeringPlane>,
    mut tick: Local<u32>,
) {
    *tick = tick.wrapping_add(1);
    for mut traveler in &mut travelers {
        let is_turn = traveler.entity.index_u32().wrapping_add(*tick).is_multiple_of(CHECK_EVERY);
        if traveler.goal.is_changed() {
            traveler.state.need = Need::Urgent;
        } else if !is_turn {
            continue;
        } else if let Some(end) = traveler.end_in_sight(&plane, &obstacles) {
            // From all sides, agents form a rounder crowd than along the path.
            traveler.follow.path = SteeringPath::new([end]);
        } else if traveler.is_blocked(&traveler.rest(&plane), &obstacles) {
            traveler.state.need = Need::Urgent;
        }
    }
}

/// Searches for the paths of some of those who need one, the most urgent first.
fn find_paths(
    mut travelers: Query<Traveler>,
    ground: Option<Res<Ground>>,
    budget: Res<PathBudget>,
    plane: Res<SteeringPlane>,
) {
    let Some(ground) = ground else { return };
    let needs = |traveler: &TravelerReadOnlyItem| traveler.state.need != Need::Nothing;
    let mut waiting: Vec<(Need, Entity)> =
        travelers.iter().filter(needs).map(|traveler| (traveler.state.need, traveler.entity)).collect();
    waiting.sort();
    for (_, entity) in waiting.into_iter().take(budget.0) {
        if let Ok(mut traveler) = travelers.get_mut(entity) {
            let way = ground.way(plane.to_plane(traveler.transform.translation), traveler.goal.0);
            traveler.take(way, &plane);
        }
    }
}

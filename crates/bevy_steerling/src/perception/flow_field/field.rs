//! The component that holds a flow field.

use alloc::vec::Vec;

use bevy::prelude::*;
use fearless_simd::{Simd, f32x8};

use crate::agent::GroupMask;
use crate::math::lanes::{LANES, VectorOf};
use crate::math::{Vector, integers_of};
use crate::perception::flow_field::error::FlowFieldError;
use crate::perception::flow_field::grid::{Grid, MAX_NODES};
use crate::perception::flow_field::lattice::{Area, Columns, columns_of, corners_of, size_of};
use crate::perception::flow_field::map::{Map, Recipe};
use crate::perception::flow_field::sample::FlowSample;
use crate::perception::obstacles::Obstacles;

/// A grid of directions, on an entity of its own. Any number of agents can [follow](crate::behaviors::follow_field::FollowField) it.
///
/// A field [toward goals](Self::toward) leads along the shortest way around obstacles to the nearest goal. It covers all obstacles and
/// goals; agents outside move toward it. To define your own directions, use [a function](Self::from_fn) or [data](Self::from_directions).
///
/// # Obstacles that change
///
/// A field toward goals is updated in the tick after obstacles are added, removed or moved, so it can be spawned before, after or together
/// with them. Only distances to the goal that are longer than that of the change are recomputed, so an obstacle that is farther from the
/// goals than all agents costs little.
///
/// Only obstacles that stand still are in the field. An obstacle whose [`Velocity`](crate::agent::Velocity) is not zero, or whose
/// `Transform` changes, is ignored. Moving obstacles cost nothing, and
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) keeps agents away from them.
///
/// # How it is computed
///
/// The nodes of a grid are `cell` apart. Nodes with the clearance pass their distance to their neighbors, the nearest first, as in fast
/// marching (James Sethian, 1996). A body with the clearance fits along each of these steps. On a grid, fast marching has an error near
/// goals and behind corners. Here each node also stores the next goal or corner that it sees on its way, so distances are exact, except
/// that corners are at nodes. Directions are interpolated between nodes, but not across walls. Beside walls, where a body with the
/// clearance does not fit, they lead away from the wall.
///
/// A gap counts as open if it is wider than twice the clearance plus one cell, and as closed if it is narrower than twice the clearance.
/// Choose a cell size of at most the clearance.
#[cfg_attr(not(dim3), doc = "A clearance below 0.71 cells counts as 0.71 cells.")]
#[cfg_attr(dim3, doc = "A clearance below 0.87 cells counts as 0.87 cells.")]
///
/// # Saving
///
/// A field toward goals is saved without its directions. They are recomputed when it is loaded, with the same result.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// fn setup(mut commands: Commands, obstacles: Res<Obstacles>) -> Result {
///     commands.spawn((Obstacle::new(Rectangle::new(20.0, 300.0)), Transform::default()));
///     let field = commands.spawn(FlowField::toward([Vec2::new(200.0, 0.0)], &obstacles, 5.0, 8.0)?).id();
///     for y in 0..100 {
///         commands.spawn((FollowField::new(field), Transform::from_xyz(-200.0, 20.0 * y as f32, 0.0)));
///     }
///     Ok(())
/// }
/// # App::new().add_plugins((MinimalPlugins, SteeringPlugin::default())).add_systems(Startup, setup).update();
/// ```
#[derive(Component, Clone, Debug, Default, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct FlowField {
    source: Source,
    #[reflect(ignore)]
    #[cfg_attr(feature = "serialize", serde(skip))]
    computed: Computed,
}

/// The source of a field: goals, or given directions.
#[derive(Clone, Debug, PartialEq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
enum Source {
    Goals { goals: Vec<Vector>, cell: f32, clearance: f32, layers: GroupMask, updates: bool },
    Directions { low: Vector, spacing: Vector, columns: Columns, directions: Vec<Vector> },
}

impl Default for Source {
    fn default() -> Self {
        Self::Directions {
            low: Vector::ZERO,
            spacing: Vector::ONE,
            columns: Columns::default(),
            directions: Vec::new(),
        }
    }
}

/// The parameters of a flow field toward goals, which [`FlowField::recipe`] returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowRecipe<'a> {
    /// The goals, units.
    pub goals: &'a [Vector],
    /// The distance between nodes, units.
    pub cell: f32,
    /// The distance that ways keep from obstacles, units.
    pub clearance: f32,
    /// The layers of the obstacles that the field leads around.
    pub layers: GroupMask,
    /// Whether the plugin updates the field when obstacles change.
    pub updates: bool,
}

/// The data that is computed from the source of a field and the obstacles.
#[derive(Clone, Debug, Default)]
struct Computed {
    map: Map,
    /// The version of the obstacles.
    version: Option<u64>,
}

/// Two fields are equal if their sources are equal.
impl PartialEq for FlowField {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl FlowField {
    /// The maximum number of nodes of a field: 2²².
    #[cfg_attr(not(dim3), doc = "This is a square of 2048 × 2048. A field toward goals takes 27 bytes per node.")]
    #[cfg_attr(dim3, doc = "This is nearly a cube of 161 × 161 × 161. A field toward goals takes 40 bytes per node.")]
    pub const MAX_CELLS: usize = MAX_NODES;

    /// A field that leads to the nearest of the `goals` along the shortest way that keeps the distance `clearance` from obstacles, which is
    /// usually the radius of the agents.
    ///
    /// `cell` is the distance between nodes, units, > 0. The obstacles are those of the default layer; see
    /// [`with_layers`](Self::with_layers). A goal inside an obstacle is moved to the nearest place outside. In a world that wraps, the
    /// field wraps.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no goal, if a number is out of range, or if the field would have more than
    /// [`MAX_CELLS`](Self::MAX_CELLS) nodes.
    pub fn toward(
        goals: impl IntoIterator<Item = Vector>,
        obstacles: &Obstacles,
        cell: f32,
        clearance: f32,
    ) -> Result<Self, FlowFieldError> {
        let goals: Vec<Vector> = goals.into_iter().collect();
        let source = Source::Goals { goals, cell, clearance, layers: GroupMask::DEFAULT, updates: true };
        let mut field = Self { source, computed: Computed::default() };
        field.update(obstacles)?;
        Ok(field)
    }

    /// Sets the layers of the obstacles that the field leads around. Takes effect with the next [`update`](Self::update), at the latest in
    /// the next tick.
    #[must_use]
    pub fn with_layers(mut self, new: GroupMask) -> Self {
        if let Source::Goals { layers, .. } = &mut self.source {
            *layers = new;
            self.computed.version = None;
        }
        self
    }

    /// Turns automatic updates off: the field follows changes of obstacles only when the game calls [`update`](Self::update).
    #[must_use]
    pub fn with_manual_updates(mut self) -> Self {
        if let Source::Goals { updates, .. } = &mut self.source {
            *updates = false;
        }
        self
    }

    /// A field of custom directions over an area. `direction` is called for each node. Nodes are at most `cell` apart, units.
    ///
    /// The length of a direction is the share of max speed at which agents move there: 1 for a unit vector. Outside the area, the nearest
    /// direction is used.
    ///
    /// # Errors
    ///
    /// Returns an error if a number is out of range, or if the field would have more than [`MAX_CELLS`](Self::MAX_CELLS) nodes.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// // A whirl around the origin.
    /// let field = FlowField::from_fn(Rect::new(-100.0, -100.0, 100.0, 100.0), 10.0, |place| place.perp().normalize_or_zero())?;
    /// assert_eq!(field.direction(Vec2::new(50.0, 0.0)), Vec2::Y);
    /// # Ok::<(), bevy_steerling::perception::flow_field::FlowFieldError>(())
    /// ```
    pub fn from_fn(area: Area, cell: f32, direction: impl Fn(Vector) -> Vector) -> Result<Self, FlowFieldError> {
        if !(cell.is_finite() && cell > 0.0) {
            return Err(FlowFieldError::Cell(cell));
        }
        let (low, high) = corners_of(&area);
        let size = high - low;
        if !(size.is_finite() && size.min_element() > 0.0) {
            return Err(FlowFieldError::Area);
        }
        let cells = (size / cell).ceil();
        if cells.max_element() >= MAX_NODES as f32 || (cells + 1.0).element_product() > MAX_NODES as f32 {
            return Err(FlowFieldError::TooManyCells);
        }
        let (spacing, nodes) = (size / cells, integers_of(cells) + 1);
        let grid = Grid::starting_at(low, spacing, nodes);
        let directions = (0..grid.len()).map(|index| direction(grid.place(index))).collect();
        Self::from_directions(low, spacing, columns_of(nodes), directions)
    }

    /// A field of given directions, row by row from the node at `low` in the direction of +x, then +y and, in three dimensions, then +z.
    /// Nodes are `spacing` apart, units.
    ///
    /// # Errors
    ///
    /// Returns an error if a number is out of range, if an axis has fewer than two nodes, if a row is incomplete, or if there are more than
    /// [`MAX_CELLS`](Self::MAX_CELLS) directions.
    pub fn from_directions(
        low: Vector,
        spacing: Vector,
        columns: Columns,
        directions: Vec<Vector>,
    ) -> Result<Self, FlowFieldError> {
        let mut field =
            Self { source: Source::Directions { low, spacing, columns, directions }, computed: Computed::default() };
        field.computed.map = field.given()?;
        Ok(field)
    }

    /// Updates a field toward goals to the current obstacles. The result is bit-identical to that of a new field. The plugin calls this in
    /// each tick in which obstacles have changed, unless the field has [manual updates](Self::with_manual_updates).
    ///
    /// # Errors
    ///
    /// Returns an error if the field would have more than [`MAX_CELLS`](Self::MAX_CELLS) nodes because obstacles are far away. The field is
    /// then left unchanged.
    pub fn update(&mut self, obstacles: &Obstacles) -> Result<(), FlowFieldError> {
        let Source::Goals { goals, cell, clearance, layers, .. } = &self.source else { return Ok(()) };
        let recipe = Recipe { goals, cell: *cell, clearance: *clearance, layers: *layers };
        recipe.check()?;
        self.computed.map.update(&recipe, obstacles)?;
        self.computed.version = Some(obstacles.version);
        Ok(())
    }

    /// Returns the parameters of a field toward goals, or `None` for a field of given directions.
    pub fn recipe(&self) -> Option<FlowRecipe<'_>> {
        match &self.source {
            Source::Goals { goals, cell, clearance, layers, updates } => {
                Some(FlowRecipe { goals, cell: *cell, clearance: *clearance, layers: *layers, updates: *updates })
            }
            Source::Directions { .. } => None,
        }
    }

    /// The direction at a place: a unit vector, or zero where no way leads to a goal.
    pub fn direction(&self, place: Vector) -> Vector {
        self.sample(place, Vector::ZERO).map_or(Vector::ZERO, |sample| sample.direction)
    }

    /// The length of the way from a place to the nearest goal, units; `None` if there is no way.
    pub fn distance(&self, place: Vector) -> Option<f32> {
        self.computed.map.distance(place)
    }

    #[inline]
    pub(crate) fn sample(&self, place: Vector, ahead: Vector) -> Option<FlowSample> {
        self.computed.map.sample(place, ahead)
    }

    #[inline(always)]
    pub(crate) fn sample_eight<S: Simd>(
        &self,
        places: VectorOf<f32x8<S>>,
        ahead: VectorOf<f32x8<S>>,
    ) -> [Option<FlowSample>; LANES] {
        self.computed.map.sample_eight(places, ahead)
    }

    /// Whether the field leads to goals.
    #[inline]
    pub(crate) fn has_goals(&self) -> bool {
        !self.computed.map.goals.is_empty()
    }

    /// The distance between nodes, units.
    pub(crate) fn spacing(&self) -> Vector {
        self.computed.map.grid.spacing
    }

    /// Whether the field must be recomputed for a version of the obstacles.
    pub(super) fn is_outdated(&self, version: u64) -> bool {
        match &self.source {
            Source::Goals { updates, .. } => {
                self.computed.version.is_none_or(|computed| *updates && computed != version)
            }
            Source::Directions { directions, .. } => self.computed.map.nodes.len() != directions.len(),
        }
    }

    /// Computes the field for the current obstacles. If that fails, it is not retried for the same obstacles.
    pub(super) fn refresh(&mut self, obstacles: &Obstacles) -> Result<(), FlowFieldError> {
        let outcome = match &self.source {
            Source::Goals { .. } => self.update(obstacles),
            Source::Directions { .. } => self.given().map(|map| self.computed.map = map),
        };
        self.computed.version = Some(obstacles.version);
        outcome
    }

    /// The map of given directions.
    fn given(&self) -> Result<Map, FlowFieldError> {
        let Source::Directions { low, spacing, columns, directions } = &self.source else { return Ok(Map::default()) };
        let count = directions.len();
        if !(low.is_finite() && spacing.is_finite() && spacing.min_element() > 0.0) {
            return Err(FlowFieldError::Area);
        }
        let size = size_of(*columns, count).ok_or(FlowFieldError::Directions(count))?;
        if count > MAX_NODES {
            return Err(FlowFieldError::TooManyCells);
        }
        Ok(Map::given(Grid::starting_at(*low, *spacing, size), directions))
    }
}

impl Recipe<'_> {
    fn check(&self) -> Result<(), FlowFieldError> {
        if !(self.cell.is_finite() && self.cell > 0.0) {
            return Err(FlowFieldError::Cell(self.cell));
        }
        if !(self.clearance.is_finite() && self.clearance >= 0.0) {
            return Err(FlowFieldError::Clearance(self.clearance));
        }
        if self.goals.is_empty() {
            return Err(FlowFieldError::NoGoal);
        }
        self.goals.iter().find(|goal| !goal.is_finite()).map_or(Ok(()), |goal| Err(FlowFieldError::Goal(*goal)))
    }
}

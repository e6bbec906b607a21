//! Hide: keep an obstacle between the agent and a seeker.

use bevy::ecs::component::component_clone_ignore;
use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::{Agent, GroupMask, SteeringAgent};
use crate::behaviors::arrive::SlowingRadius;
use crate::behaviors::flee::{draw_panic, flee, is_calm};
use crate::engine::behavior::{Aim, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::engine::wish::Wish;
use crate::math::{Vector, normalize};
use crate::perception::obstacles::{IndexedObstacle, ObstacleView, Obstacles, PlacedShape};
use crate::perception::prediction::{Prediction, to_predicted};
use crate::perception::target::{Kinematics, Target, Targets};

/// Hides from a target, the seeker, behind the nearest obstacle.
///
#[cfg_attr(doc, doc = figure!("hide"))]
///
#[cfg_attr(not(dim3), doc = "*Hide: an agent keeps a pillar between itself and a seeker that walks past.*")]
///
/// # Formula
///
/// A line from the seeker through the middle of an obstacle leaves the obstacle, expanded by `distance`, at a hiding place. For a circle or
/// a sphere, this is `radius + distance` from its center. The agent arrives at the nearest hiding place (Mat Buckland, Programming Game AI
/// by Example, 2005).
#[cfg_attr(not(dim3), doc = "Each wall of a [`Polyline2d`] counts as an obstacle of its own.")]
///
/// Three kinds of places do not count:
///
/// - places nearer to the seeker than to the agent, so that the agent does not run past the seeker;
/// - places without room for the agent's body;
/// - places behind an obstacle that contains the seeker.
///
/// Once the agent has chosen an obstacle, it changes to another one only if the distance to its hiding place is less than 0.7 times the
/// distance to the current one. If there is no hiding place, the agent flees from the predicted position of the seeker, as
/// [`Evade`](crate::behaviors::evade::Evade) does. For a [`Target::Group`], the seeker is the nearest member.
///
/// # When to use it
///
/// For stealth games, snipers and shy animals. The agent stays hidden as long as it is fast enough to follow its hiding place, which moves
/// around the obstacle as the seeker does. An agent behind a thin wall cannot hide for long from a seeker that walks around it.
///
/// # Combines with
///
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles), or else the agent walks through obstacles to its place; and
/// [`Wander`](crate::behaviors::wander::Wander) while no seeker is within the panic distance.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// commands.spawn((Obstacle::new(Circle::new(40.0)), Transform::from_xyz(100.0, 0.0, 0.0)));
/// let guard = commands.spawn((Wander::default(), Transform::from_xyz(-200.0, 0.0, 0.0))).id();
/// commands.spawn((Hide::new(guard), AvoidObstacles::default(), Transform::default()));
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent, HideState)]
pub struct Hide {
    /// The seeker. If the target no longer exists, the behavior applies no force.
    #[entities]
    pub from: Target,
    /// The distance of the agent's center from the obstacle, units, ≥ 0. Default: twice the agent's radius. Negative values count as 0.
    pub distance: Option<f32>,
    /// How to slow down: see [`SlowingRadius`]. Default: [`SlowingRadius::Auto`].
    pub slowing_radius: SlowingRadius,
    /// How far ahead to predict the seeker if there is no hiding place. Default: [`Prediction::Intercept`].
    pub prediction: Prediction,
    /// The agent hides if the seeker is within this distance, units, ≥ 0. Default: no limit. With a negative distance it never hides.
    pub panic_distance: Option<f32>,
    /// The layers of the obstacles to hide behind. Default: all.
    pub layers: GroupMask,
    /// The factor on the force. Default: 1. A negative weight reverses the force.
    pub weight: f32,
}

/// The obstacle that an agent hides behind. Updated every tick. Cloned entities start with a new state.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct HideState {
    #[entities]
    obstacle: Option<Entity>,
    /// The index of the obstacle's wall.
    wall: u32,
}

impl HideState {
    /// The obstacle that the agent hides behind; `None` if it does not hide.
    pub fn obstacle(&self) -> Option<Entity> {
        self.obstacle
    }
}

impl Hide {
    /// Hides from `from`, usually an `Entity`.
    pub fn new(from: impl Into<Target>) -> Self {
        Self {
            from: from.into(),
            distance: None,
            slowing_radius: SlowingRadius::Auto,
            prediction: Prediction::default(),
            panic_distance: None,
            layers: GroupMask::ALL,
            weight: 1.0,
        }
    }

    /// Sets the [`distance`](Self::distance), units.
    #[must_use]
    pub fn with_distance(self, distance: f32) -> Self {
        Self { distance: Some(distance), ..self }
    }

    /// Slows down linearly within `radius`, units: [`SlowingRadius::Linear`].
    #[must_use]
    pub fn with_slowing_radius(self, radius: f32) -> Self {
        Self { slowing_radius: SlowingRadius::Linear(radius), ..self }
    }

    /// Sets the [`prediction`](Self::prediction).
    #[must_use]
    pub fn with_prediction(self, prediction: Prediction) -> Self {
        Self { prediction, ..self }
    }

    /// Sets the [`panic_distance`](Self::panic_distance), units.
    #[must_use]
    pub fn with_panic_distance(self, distance: f32) -> Self {
        Self { panic_distance: Some(distance), ..self }
    }

    /// Sets the [`layers`](Self::layers).
    #[must_use]
    pub fn with_layers(self, layers: GroupMask) -> Self {
        Self { layers, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// The distance to the current hiding place is multiplied by this, so that other places must be clearly nearer.
const CHOSEN: f32 = 0.7;

/// Rounding errors of a hiding place, as a share of its distance from the obstacle.
const ROUNDING: f32 = 1e-3;

/// The hiding place behind a wall of a shape; `None` if the seeker is inside the wall.
fn place_behind(shape: &PlacedShape, wall: usize, seeker: Vector, distance: f32) -> Option<Vector> {
    let middle = shape.middle_of_wall(wall);
    let away = normalize(middle - seeker);
    if away == Vector::ZERO || shape.distance_to_wall(wall, seeker).0 <= 0.0 {
        return None;
    }
    // Casts from beyond the shape back to it.
    let beyond = 2.0 * (shape.extent() + distance);
    let back = shape.cast_distance_to_wall(wall, middle + away * beyond, -away, distance)?;
    Some(middle + away * (beyond - back))
}

/// The search for the nearest hiding place.
struct Search<'a> {
    agent: &'a Agent,
    to_seeker: Vector,
    obstacles: &'a Obstacles,
    layers: GroupMask,
    distance: f32,
    chosen: HideState,
    /// The best place so far and the way to it, and the length of that way, which is reduced for the current place.
    best: Option<(HideState, Vector)>,
    length: f32,
}

impl Search<'_> {
    /// Looks for places behind an obstacle. `position` is the agent's position relative to the obstacle.
    fn look_behind(&mut self, obstacle: &IndexedObstacle, position: Vector) {
        let shape = &obstacle.shape;
        let to_shape = position.distance(shape.center()) - shape.extent() - self.distance;
        if to_shape * CHOSEN > self.length {
            return;
        }
        for wall in 0..shape.wall_count() {
            let state = HideState { obstacle: Some(obstacle.entity), wall: wall as u32 };
            let Some(place) = place_behind(shape, wall, position + self.to_seeker, self.distance) else { continue };
            let way = place - position;
            let length = way.length() * if state == self.chosen { CHOSEN } else { 1.0 };
            // The seeker would get there first.
            let lost = way.distance(self.to_seeker) < length;
            if length < self.length && !lost && self.is_free(self.agent.position + way) {
                self.best = Some((state, way));
                self.length = length;
            }
        }
    }

    /// Whether there is room for the agent.
    fn is_free(&self, place: Vector) -> bool {
        let radius = self.agent.radius.min(self.distance) * (1.0 - ROUNDING);
        let mut free = true;
        let view = ObstacleView::of(self.agent, self.layers);
        self.obstacles.for_each_around(place, radius, &view, |obstacle, place| {
            free &= obstacle.shape.distance(place).0 >= radius;
        });
        free
    }
}

impl Hide {
    /// The nearest hiding place, and the way to it.
    fn find_place(
        &self,
        chosen: HideState,
        agent: &Agent,
        to_seeker: Vector,
        obstacles: &Obstacles,
    ) -> Option<(HideState, Vector)> {
        let mut search = Search {
            agent,
            to_seeker,
            obstacles,
            layers: self.layers,
            distance: self.distance.map_or(2.0 * agent.radius, |distance| distance.max(0.0)),
            chosen,
            best: None,
            length: f32::INFINITY,
        };
        obstacles.for_each_near(agent, f32::INFINITY, self.layers, |obstacle, position| {
            search.look_behind(obstacle, position);
        });
        search.best
    }

    /// The seeker, if it exists and is within the panic distance.
    fn find_seeker(&self, agent: &Agent, targets: &Targets) -> Option<Kinematics> {
        let seeker = targets.find_for(agent, self.from)?;
        (!is_calm(agent.to(seeker.position), self.panic_distance)).then_some(seeker)
    }
}

impl SteeringBehavior for Hide {
    type State = HideState;
    type Param = (Targets<'static, 'static>, Res<'static, Obstacles>);
    const PARALLEL_THRESHOLD: usize = 256;

    fn wish(&self, state: &mut HideState, agent: &Agent, param: &SystemParamItem<'_, '_, Self::Param>) -> Wish {
        let (targets, obstacles) = param;
        let seeker = self.find_seeker(agent, targets);
        let place = seeker.and_then(|seeker| self.find_place(*state, agent, agent.to(seeker.position), obstacles));
        *state = place.map_or(HideState::default(), |(state, _)| state);
        match (place, seeker) {
            (Some((_, displacement)), _) => Wish::Place { displacement, approach: self.slowing_radius.approach(0.0) },
            (None, Some(seeker)) => flee(agent, to_predicted(agent, &seeker, self.prediction, None)),
            (None, None) => Wish::Nothing,
        }
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    fn priority(&self) -> i32 {
        30
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        [Some(Aim::at(self.from)), None]
    }

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        self.from.perception_radius(agent)
    }

    fn draw(
        &self,
        state: &HideState,
        agent: &Agent,
        param: &SystemParamItem<'_, '_, Self::Param>,
        figure: &mut Figure,
    ) {
        let (targets, obstacles) = param;
        let seeker = targets.find_for(agent, self.from);
        draw_panic(agent, seeker, self.panic_distance, figure);
        let Some(seeker) = self.find_seeker(agent, targets) else { return };
        let to_seeker = agent.to(seeker.position);
        if let Some((_, way)) = self.find_place(*state, agent, to_seeker, obstacles) {
            figure.line(agent.position + to_seeker, agent.position + way);
            figure.point(agent.position + way);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::plane::SteeringPlane;
    use crate::perception::obstacles::ObstacleShape;

    #[test]
    fn the_place_behind_a_circle_is_the_radius_and_the_distance_from_its_center() {
        let circle =
            ObstacleShape::from(Circle::new(40.0)).placed(&Transform::from_xyz(150.0, 150.0, 0.0), SteeringPlane::XY);
        let place = place_behind(&circle, 0, Vector::new(20.0, 20.0), 20.0).expect("there is one");
        let expected = Vector::splat(150.0) + normalize(Vector::ONE) * 60.0;
        assert!(place.distance(expected) < 1e-3, "{place} instead of {expected}");
        assert_eq!(place_behind(&circle, 0, Vector::splat(150.0), 20.0), None);
        assert_eq!(place_behind(&circle, 0, Vector::new(160.0, 150.0), 20.0), None);
    }

    #[test]
    fn the_place_behind_a_thin_wall_is_away_from_all_of_it() {
        let wall = Segment2d::new(Vector::new(0.0, -50.0), Vector::new(0.0, 50.0));
        let wall = ObstacleShape::from(wall).placed(&Transform::default(), SteeringPlane::XY);
        for seeker in [Vector::new(-90.0, 0.0), Vector::new(-90.0, 70.0), Vector::new(-9.0, 200.0)] {
            let place = place_behind(&wall, 0, seeker, 15.0).expect("there is one");
            assert!((wall.distance(place).0 - 15.0).abs() < 1e-3, "{place}");
            assert!(place.perp_dot(seeker).abs() < 1e-1 && place.dot(seeker) < 0.0, "{place}");
        }
    }
}

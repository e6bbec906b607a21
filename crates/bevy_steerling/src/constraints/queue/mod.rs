//! Queue up instead of pushing in.

mod keep_place;
mod one_by_one;
mod side_by_side;
mod wishes;

use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::agent::SteeringAgent;
use crate::behaviors::separation::Separation;
use crate::constraints::avoid_obstacles::{AvoidObstacles, Detection};
use crate::engine::behavior::{self, Agent, BehaviorSystems, SteeringBehavior};
use crate::engine::figure::Figure;
use crate::math::{Vector, normalize};
use crate::perception::flocking::{self, AroundParam};
use crate::perception::obstacles::Obstacles;
use keep_place::perception_radius;
use wishes::Wishes;

pub(crate) use wishes::note_wishes;

/// Waits its turn instead of pushing in: a crowd before a door becomes a queue.
///
#[cfg_attr(doc, doc = figure!("queue"))]
///
/// *Queue: a crowd leaves by a door in turn.*
///
/// With [`QueueStyle::KeepPlace`], the default, agents go in the order in which they are on their way. Everyone knows its
/// [`place`](Self::place) and lets those go first who are before it: it walks at the pace of those just before it, closes up
/// smoothly to a [`time_gap`](Self::time_gap), and keeps out of their way. It comes no nearer to anybody than it can still stop, each
/// of two within its own half of the gap, nor to obstacles where it has [`AvoidObstacles`] with [`Detection::Swept`].
///
/// Queue runs after all other behaviors, in [`SteeringSystems::Constrain`](crate::tick::schedule::SteeringSystems::Constrain),
/// so that it sees their sum.
///
/// # Formula
///
/// `KeepPlace`: between two agents that want to go along the unit vectors `n` and `m`, at the displacement `d`, the places differ by
/// `½ · d · (n + m)`; each agent brings its place in line with those of its neighbors and counts down its own steps.
///
/// The other styles are the classic articles' (Fernando Bevilacqua, Understanding Steering Behaviors: Queue, 2013). An agent looks
/// at a place ahead of it, `position + n(velocity) · look_ahead`. While another agent is within `radius` of that place it
/// brakes: it takes back most of what all its other behaviors want together, `F`, and asks to stand still,
/// `−brake · F − velocity/response_time`. A hard stop is quicker: it takes velocity away at once,
/// `v' = hard_stop · v + F/m · h`. Which of them acts when is up to the [`style`](Self::style).
///
/// # Parameters
///
/// | parameter | unit | range | default | beyond that |
/// |---|---|---|---|---|
/// | [`style`](Self::style) | – | one of five | `KeepPlace` | – |
/// | [`time_gap`](Self::time_gap) | s | ≥ 0 | 0.25 | below 0 as 0 |
/// | [`look_ahead`](Self::look_ahead) | units | ≥ 0 | 3 · the agent's radius | below 0 as 0 |
/// | [`radius`](Self::radius) | units | ≥ 0 | 3 · the agent's radius | below 0: nobody is in the way |
/// | [`brake`](Self::brake) | – | 0 to 1 | 0.8 | above 1 it pushes back |
/// | [`hard_stop`](Self::hard_stop) | – | 0 to 1 | 0.3 | the nearest of 0 and 1 |
/// | [`separation`](Self::separation) | – | – | [`Separation`]'s | only for `BrakeAndSeparate` |
/// | [`weight`](Self::weight) | – | 0 to 1 | 1 | less bends the sum only partly, and nothing is promised then; 0 is off |
/// | [`stopping`](Self::stopping), [`place`](Self::place) | – | – | – | written by the behavior |
///
/// `time_gap` is for `KeepPlace`, the others are for the classic styles.
///
/// # When to use it
///
/// At doors, gates, counters, bridges: wherever more want through than can at once. All that stand in line should have it. For
/// ways that cross in the open use [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors). The classic styles are
/// there for those who know them; how all of them measure up to people at a door is in the repository, in `docs/doorway.md`.
///
/// # Combines with
///
/// [`Seek`](crate::behaviors::seek::Seek) of a point *beyond* the door,
/// [`AvoidObstacles`](crate::constraints::avoid_obstacles::AvoidObstacles) for its walls, and [`Solid`](crate::world::solid::Solid). Take
/// agents away, or give them a new target, once they are through: who stops right behind the door holds up all others.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// for x in 0..10 {
///     commands.spawn((
///         Seek::new(Vec2::new(90.0, 200.0)),
///         Queue::default(),
///         Transform::from_xyz(20.0 * x as f32, 0.0, 0.0),
///     ));
/// }
/// # }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Queue {
    /// What it does about others. Default: [`QueueStyle::KeepPlace`].
    pub style: QueueStyle,
    /// [`QueueStyle::KeepPlace`]: how long it takes at the present speed to where the way of someone before it begins, s, ≥ 0.
    /// Default: 0.25.
    pub time_gap: f32,
    /// The classic styles: how far ahead the place is that should be free, units, ≥ 0. Default: three times the agent's own
    /// radius.
    pub look_ahead: Option<f32>,
    /// The classic styles: agents whose centers are within this distance of that place are in the way, and those within this
    /// distance of the agent itself crowd it, units. Default: three times the agent's own radius.
    pub radius: Option<f32>,
    /// The classic styles: the share of the other behaviors' force that braking takes back, ≥ 0. Default: 0.8.
    pub brake: f32,
    /// The classic styles: the share of its velocity that a hard stop leaves the agent with each tick, however long the tick is, 0 to 1.
    /// Default: 0.3.
    pub hard_stop: f32,
    /// How it keeps apart while it brakes in style [`QueueStyle::BrakeAndSeparate`]. Default: that of [`Separation`].
    pub separation: Separation,
    /// Factor on the force, but not on the hard stop. Default: 1.
    pub weight: f32,
    /// Whether the hard stop acts in this tick: found out anew in each. The velocity of an agent with
    /// [`ExternalMovement`](crate::agent::ExternalMovement) is not touched; whatever moves it may look here.
    pub stopping: bool,
    /// Its place in line: how far it has to go, units, compared with the agents around it, whose places are measured from the same
    /// unknown point. The smaller goes first. Written by [`QueueStyle::KeepPlace`]: neighbors agree about the difference between
    /// them, and each counts its own steps.
    pub place: f32,
}

/// What [`Queue`] does about others ahead and around.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
pub enum QueueStyle {
    /// It keeps its place in line, and closes up.
    #[default]
    KeepPlace,
    /// With another agent ahead it stops hard. It does not brake.
    HardStop,
    /// With another agent ahead it brakes. It never stops hard.
    Brake,
    /// With another agent ahead it brakes; when it is crowded it stops hard.
    BrakeAndHardStop,
    /// The same, and while it brakes it keeps apart from others: [`Separation`], which is not braked.
    BrakeAndSeparate,
}

impl Default for Queue {
    fn default() -> Self {
        Self {
            style: QueueStyle::default(),
            time_gap: 0.25,
            look_ahead: None,
            radius: None,
            brake: 0.8,
            hard_stop: 0.3,
            separation: Separation::default(),
            weight: 1.0,
            stopping: false,
            place: 0.0,
        }
    }
}

impl Queue {
    /// Sets the [`style`](Self::style).
    #[must_use]
    pub fn with_style(self, style: QueueStyle) -> Self {
        Self { style, ..self }
    }

    /// Sets the [`time_gap`](Self::time_gap), s.
    #[must_use]
    pub fn with_time_gap(self, time: f32) -> Self {
        Self { time_gap: time, ..self }
    }

    /// Sets [`look_ahead`](Self::look_ahead), units.
    #[must_use]
    pub fn with_look_ahead(self, distance: f32) -> Self {
        Self { look_ahead: Some(distance), ..self }
    }

    /// Sets the [`radius`](Self::radius), units.
    #[must_use]
    pub fn with_radius(self, radius: f32) -> Self {
        Self { radius: Some(radius), ..self }
    }

    /// Sets the share of the other behaviors' force that is taken back by the [`brake`](Self::brake).
    #[must_use]
    pub fn with_brake(self, brake: f32) -> Self {
        Self { brake, ..self }
    }

    /// Sets the share of the velocity that a [`hard_stop`](Self::hard_stop) leaves, 0 to 1.
    #[must_use]
    pub fn with_hard_stop(self, hard_stop: f32) -> Self {
        Self { hard_stop, ..self }
    }

    /// Sets the [`separation`](Self::separation).
    #[must_use]
    pub fn with_separation(self, separation: Separation) -> Self {
        Self { separation, ..self }
    }

    /// Sets the [`weight`](Self::weight).
    #[must_use]
    pub fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    #[inline]
    fn look_ahead_for(&self, agent_radius: f32) -> f32 {
        self.look_ahead.unwrap_or(agent_radius * 3.0).max(0.0)
    }

    #[inline]
    fn radius_for(&self, agent_radius: f32) -> f32 {
        self.radius.unwrap_or(agent_radius * 3.0)
    }

    /// Its place, whatever the field holds.
    #[inline]
    pub(crate) fn known_place(&self) -> f32 {
        if self.place.is_finite() { self.place } else { 0.0 }
    }

    /// The share of its velocity that the agent keeps in this tick.
    #[inline]
    pub(crate) fn kept_velocity(&self) -> f32 {
        // NaN, which passes through `clamp`, is zero.
        if self.stopping { self.hard_stop.clamp(0.0, 1.0).max(0.0) } else { 1.0 }
    }
}

/// The place that should be free, `look_ahead` ahead.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::constraints::queue::place_ahead;
/// assert_eq!(place_ahead(Vec2::new(1.0, 1.0), Vec2::new(3.0, 4.0), 10.0), Vec2::new(7.0, 9.0));
/// // At rest that is where the agent is.
/// assert_eq!(place_ahead(Vec2::new(1.0, 1.0), Vec2::ZERO, 10.0), Vec2::new(1.0, 1.0));
/// ```
#[inline]
pub fn place_ahead(position: Vector, velocity: Vector, look_ahead: f32) -> Vector {
    position + normalize(velocity) * look_ahead
}

/// The force that takes back a share of what the `others` among an agent's behaviors want, and asks to stand still.
///
/// ```
/// # use bevy::math::Vec2;
/// # use bevy_steerling::constraints::queue::braking_force;
/// assert_eq!(braking_force(Vec2::new(10.0, 0.0), 0.5, Vec2::new(4.0, 2.0), 2.0), Vec2::new(-7.0, -1.0));
/// ```
#[inline]
pub fn braking_force(others: Vector, brake: f32, velocity: Vector, response_time: f32) -> Vector {
    -others * brake - velocity / response_time
}

impl Queue {
    /// The force of the classic styles.
    fn brake_behind(&mut self, agent: &Agent, around: &SystemParamItem<AroundParam>) -> Vector {
        let neighbors = &around.0;
        let radius = self.radius_for(agent.radius);
        let anyone_near = |position| {
            let mut anyone = false;
            neighbors.for_each_within(&Agent { position, ..*agent }, radius, |_, _| anyone = true);
            anyone
        };
        let blocked = anyone_near(place_ahead(agent.position, agent.velocity, self.look_ahead_for(agent.radius)));
        self.stopping = match self.style {
            QueueStyle::HardStop => blocked,
            QueueStyle::Brake | QueueStyle::KeepPlace => false,
            QueueStyle::BrakeAndHardStop | QueueStyle::BrakeAndSeparate => anyone_near(agent.position),
        };
        if !blocked || self.style == QueueStyle::HardStop {
            return Vector::ZERO;
        }
        let braking = braking_force(agent.force, self.brake, agent.velocity, agent.response_time);
        if self.style == QueueStyle::BrakeAndSeparate {
            braking + flocking::force_of_one(&self.separation, agent, around) * self.separation.weight
        } else {
            braking
        }
    }
}

impl SteeringBehavior for Queue {
    type Param =
        (AroundParam, Res<'static, Obstacles>, Query<'static, 'static, &'static AvoidObstacles>, Res<'static, Wishes>);

    fn steer(
        &mut self,
        agent: &Agent,
        (around, obstacles, avoiding, wishes): &SystemParamItem<'_, '_, Self::Param>,
    ) -> Vector {
        if self.style != QueueStyle::KeepPlace {
            return self.brake_behind(agent, around);
        }
        self.stopping = false;
        let avoided = avoiding.get(agent.entity).ok().filter(|avoid| avoid.detection == Detection::Swept);
        let layers = avoided.map_or(0, |avoid| avoid.layers);
        let own = (self.known_place(), self.time_gap);
        let (force, place) = one_by_one::keep_place(agent, own, wishes, &around.0, (obstacles, layers));
        self.place = place;
        force
    }

    #[inline]
    fn weight(&self) -> f32 {
        self.weight
    }

    const ACTS_ON_SUM: bool = true;

    #[inline]
    fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
        let ahead = self.look_ahead_for(agent.radius) + self.radius_for(agent.radius);
        match self.style {
            QueueStyle::KeepPlace => {
                perception_radius(agent.max_speed.max(0.0), agent.radius.max(0.0), self.time_gap.max(0.0))
            }
            QueueStyle::BrakeAndSeparate => ahead.max(self.separation.perception_radius(agent)),
            _ => ahead,
        }
    }

    fn draw(&self, agent: &Agent, (around, .., wishes): &SystemParamItem<'_, '_, Self::Param>, figure: &mut Figure) {
        let (neighbors, radius) = (&around.0, self.radius_for(agent.radius));
        if self.style == QueueStyle::KeepPlace {
            // Those who are before it in line, as far as it minds them.
            let far = perception_radius(agent.max_speed, agent.radius, self.time_gap.max(0.0));
            neighbors.for_each_place_near(agent, far, |at, to| {
                if wishes.at(at, neighbors).place < self.place {
                    figure.line(agent.position, agent.position + to);
                }
            });
            return;
        }
        let ahead = place_ahead(agent.position, agent.velocity, self.look_ahead_for(agent.radius));
        figure.line(agent.position, ahead);
        figure.circle(ahead, radius);
        neighbors.for_each_within(&Agent { position: ahead, ..*agent }, radius, |_, to| figure.point(ahead + to));
    }
}

pub(crate) fn register(app: &mut App) {
    app.init_resource::<Wishes>().init_resource::<side_by_side::Outcomes>();
    let steer = (side_by_side::find_places, side_by_side::queue_up).chain();
    behavior::register_systems::<Queue>(app, BehaviorSystems::Queueing, behavior::look::<Queue>.into_configs(), steer);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hard_stop_never_speeds_up_or_turns_round() {
        for (hard_stop, kept) in [(0.3, 0.3), (-1.0, 0.0), (2.0, 1.0), (f32::NAN, 0.0), (f32::INFINITY, 1.0)] {
            let queue = Queue { stopping: true, ..Queue::default().with_hard_stop(hard_stop) };
            assert_eq!(queue.kept_velocity(), kept);
            assert_eq!(Queue { stopping: false, ..queue }.kept_velocity(), 1.0);
        }
    }

    #[test]
    fn it_sees_as_far_as_its_style_looks() {
        let body = SteeringAgent { radius: 2.0, ..SteeringAgent::default() };
        let queue =
            Queue::default().with_style(QueueStyle::Brake).with_separation(Separation::default().with_radius(100.0));
        assert_eq!(queue.perception_radius(&body), 12.0);
        assert_eq!(queue.clone().with_look_ahead(-50.0).with_radius(3.0).perception_radius(&body), 3.0);
        assert_eq!(queue.with_style(QueueStyle::BrakeAndSeparate).perception_radius(&body), 100.0);
    }
}

//! Leaders, and the places around them.

use bevy::ecs::component::component_clone_ignore;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

#[cfg(not(dim3))]
use crate::agent::BodyLimits;
use crate::agent::{Agent, SteeringAgent, heading_along};
use crate::math::{Placement, Vector};
use crate::perception::target::{Kinematics, Target, Targets};

/// The last heading of the leader of an agent. Updated every tick. Cloned entities start with a new state.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(clone_behavior = Custom(component_clone_ignore))]
pub struct LeaderHeading {
    /// The leader whose heading it is.
    #[entities]
    leader: Option<Entity>,
    /// A unit vector.
    heading: Option<Vector>,
}

impl LeaderHeading {
    pub(crate) fn new(leader: Entity, heading: Option<Vector>) -> Self {
        Self { leader: Some(leader), heading }
    }

    /// The last heading of the leader, a unit vector; `None` before it first moves.
    pub fn heading(&self) -> Option<Vector> {
        self.heading
    }
}

/// Finds leaders: the system parameter of behaviors that follow one.
#[derive(SystemParam)]
pub struct Leaders<'w, 's> {
    targets: Targets<'w, 's>,
    bodies: Query<'w, 's, &'static SteeringAgent>,
    #[cfg(not(dim3))]
    limits: Query<'w, 's, &'static BodyLimits>,
}

/// A leader as an agent sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leader {
    pub kinematics: Kinematics,
    /// The heading, a unit vector.
    pub heading: Vector,
    /// The radius of its body, units.
    pub radius: f32,
    /// The heading to remember until the next tick.
    pub seen: LeaderHeading,
}

impl Leader {
    /// The place at an offset ahead of the leader and to the left, units.
    pub fn place(&self, offset: Vector) -> Kinematics {
        let Kinematics { position, velocity } = self.kinematics;
        Kinematics { position: position + Placement::USUAL.beside(self.heading, offset), velocity }
    }
}

impl Leaders<'_, '_> {
    /// The leader of `agent`, which last had the heading `seen`.
    ///
    /// The heading is the direction of motion; at rest, it is the last one. A leader that has not moved yet has the heading of its
    /// `Transform`. A body with limits may move backward.
    pub(crate) fn find(&self, agent: &Agent, leader: Target, seen: &LeaderHeading) -> Option<Leader> {
        let leader = self.targets.nearest(agent, leader)?;
        Some(self.know(leader, self.targets.find_for(agent, leader)?, seen))
    }

    /// The leader that is this entity, on any floor, which last had the heading `seen`: see [`find`](Self::find).
    pub(crate) fn find_entity(&self, leader: Entity, seen: &LeaderHeading) -> Option<Leader> {
        let leader = Target::Entity(leader);
        Some(self.know(leader, self.targets.find(leader)?, seen))
    }

    fn know(&self, target: Target, kinematics: Kinematics, seen: &LeaderHeading) -> Leader {
        let entity = if let Target::Entity(entity) = target { Some(entity) } else { None };
        let body = entity.and_then(|entity| self.bodies.get(entity).ok());
        let last = if seen.leader == entity { seen.heading } else { None };
        let max_speed = body.map_or(0.0, |body| body.max_speed.max(0.0));
        let gear = entity.and_then(|entity| self.gear(entity));
        let moving = heading_along(kinematics.velocity, last, max_speed, gear.is_some_and(|gear| gear.reverses));
        let initial = || gear.and_then(|gear| gear.initial_heading).or_else(|| self.targets.facing(entity?));
        let heading = moving.or_else(initial);
        Leader {
            kinematics,
            heading: heading.unwrap_or(Vector::X),
            radius: body.map_or(0.0, |body| body.radius.max(0.0)),
            // Only a body with limits has a heading before it moves. Other leaders may be rotated until then.
            seen: LeaderHeading { leader: entity, heading: if gear.is_some() { heading } else { moving } },
        }
    }

    /// How the limits of the body affect its heading, if it has limits.
    #[cfg(not(dim3))]
    fn gear(&self, leader: Entity) -> Option<Gear> {
        let limits = self.limits.get(leader).ok()?;
        Some(Gear { reverses: limits.reverse_speed > 0.0, initial_heading: limits.initial_direction() })
    }

    /// No body has limits in three dimensions.
    #[cfg(dim3)]
    fn gear(&self, _: Entity) -> Option<Gear> {
        None
    }
}

/// How the limits of a body affect its heading.
#[derive(Clone, Copy)]
struct Gear {
    reverses: bool,
    /// The heading before the body first moves, a unit vector.
    initial_heading: Option<Vector>,
}

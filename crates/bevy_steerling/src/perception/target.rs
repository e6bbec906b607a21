//! The targets of behaviors, and their positions.

use core::mem;

use bevy::ecs::entity::MapEntities;
use bevy::ecs::system::SystemParam;
use bevy::platform::sync::atomic::{AtomicU64, Ordering};
use bevy::prelude::*;

use crate::agent::{Agent, GroupMask, SteeringAgent, Velocity};
use crate::math::Placement;
use crate::math::{self, Vector};
use crate::perception::neighbors::{Neighbor, Neighbors};
use crate::perception::obstacles::Obstacles;
use crate::perception::sight::Sight;

/// The target of a behavior: a point, an entity with a `Transform`, or a group of agents.
///
/// Behaviors take anything that converts into a `Target`, such as a vector or an `Entity`.
///
/// A point does not move. An entity moves at its [`Velocity`]; without one, it stands still. A target gives no force if it has been
/// despawned, has lost its `Transform`, or is a group without other members. An agent with a [`Sight`] must see its target.
#[cfg_attr(
    not(dim3),
    doc = "An entity on [another floor](crate::math::plane::SteeringPlane::with_floor_height) gives no force either."
)]
///
/// # Groups
///
/// [`Flee`](crate::behaviors::flee::Flee) and [`Evade`](crate::behaviors::evade::Evade) run away from all other members within their panic
/// distance. Other behaviors, such as [`Pursue`](crate::behaviors::pursue::Pursue), [`Seek`](crate::behaviors::seek::Seek),
/// [`Arrive`](crate::behaviors::arrive::Arrive) and [`MatchVelocity`](crate::behaviors::match_velocity::MatchVelocity), use the nearest
/// other member, at any distance. Ties are broken by the smallest [`SteeringId`](crate::agent::SteeringId). The nearest member is
/// determined anew in each tick. An agent that approaches one of two equally near members stays with it, because that member becomes the
/// nearer one.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// const GUARDS: GroupMask = GroupMask::bit(1);
///
/// fn setup(mut commands: Commands) {
///     let prey = commands.spawn(Seek::new(Vec2::new(200.0, 0.0))).id();
///     commands.spawn(Pursue::new(prey));
///
///     // The nearest guard.
///     commands.spawn((Wander::default(), SteeringGroups(GUARDS)));
///     commands.spawn(Pursue::new(Target::Group(GUARDS)));
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Reflect, MapEntities)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum Target {
    #[cfg_attr(not(dim3), doc = "A point of the [`SteeringPlane`](crate::math::plane::SteeringPlane).")]
    #[cfg_attr(dim3, doc = "A point in space.")]
    Point(Vector),
    /// An agent, or anything else with a `Transform`.
    Entity(#[entities] Entity),
    /// The other agents that belong to any of these groups: see [`SteeringGroups`](crate::agent::SteeringGroups).
    Group(GroupMask),
}

impl Target {
    /// The [`perception_radius`](crate::engine::behavior::SteeringBehavior::perception_radius) of a behavior that aims at the nearest
    /// member of a group, units. Zero for other targets.
    #[inline]
    pub fn perception_radius(self, agent: &SteeringAgent) -> f32 {
        match self {
            // The search has no limit. The index only has to exist, built for short distances.
            Self::Group(_) => (4.0 * agent.radius).max(f32::MIN_POSITIVE),
            Self::Point(_) | Self::Entity(_) => 0.0,
        }
    }
}

impl From<Vector> for Target {
    fn from(point: Vector) -> Self {
        Self::Point(point)
    }
}

impl From<Entity> for Target {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

/// The position and the velocity of a target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kinematics {
    /// The position, units.
    pub position: Vector,
    /// The velocity, units/s.
    pub velocity: Vector,
}

/// Finds [`Target`]s: the system parameter of behaviors that have one.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # #[derive(Component)] struct Home(Target);
/// fn distance_home(agents: Query<(&Transform, &Home)>, targets: Targets, plane: Res<SteeringPlane>) {
///     for (transform, home) in &agents {
///         if let Some(found) = targets.find(home.0) {
///             println!("{}", found.position.distance(plane.to_plane(transform.translation)));
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(distance_home);
/// ```
#[derive(SystemParam)]
pub struct Targets<'w, 's> {
    places: Places<'w, 's>,
    neighbors: Res<'w, Neighbors>,
    common: Res<'w, CommonTarget>,
    sights: Query<'w, 's, (&'static Sight, &'static Transform)>,
    obstacles: Res<'w, Obstacles>,
}

/// Finds the positions of entities.
#[derive(SystemParam)]
pub(crate) struct Places<'w, 's> {
    entities: Query<'w, 's, (&'static Transform, Option<&'static Velocity>, Has<ChildOf>)>,
    hierarchy: TransformHelper<'w, 's>,
    plane: Res<'w, Placement>,
}

impl Places<'_, '_> {
    // Not inlined, so that loops over agents that all have a point as their target stay small.
    #[inline(never)]
    fn find(&self, entity: Entity) -> Option<Kinematics> {
        self.find_if(entity, |_| true)
    }

    /// The entity, if it is on the floor with this height, units.
    #[cold]
    #[inline(never)]
    fn find_on_floor(&self, entity: Entity, height: f32) -> Option<Kinematics> {
        self.find_if(entity, |place| self.plane.on_one_floor(height, self.plane.height(place)))
    }

    /// The entity, if `is_found` accepts its position in the world.
    #[inline]
    fn find_if(&self, entity: Entity, is_found: impl Fn(Vec3) -> bool) -> Option<Kinematics> {
        let (transform, velocity, has_parent) = self.entities.get(entity).ok()?;
        let place = if has_parent {
            self.hierarchy.compute_global_transform(entity).ok()?.translation()
        } else {
            transform.translation
        };
        let position = self.plane.point(place);
        let velocity = velocity.map_or(Vector::ZERO, |velocity| math::finite_or_zero(velocity.0));
        (position.is_finite() && is_found(place)).then_some(Kinematics { position, velocity })
    }

    fn facing(&self, entity: Entity) -> Option<Vector> {
        let (transform, _, has_parent) = self.entities.get(entity).ok()?;
        let facing = if has_parent {
            self.plane.heading(&self.hierarchy.compute_global_transform(entity).ok()?.compute_transform())
        } else {
            self.plane.heading(transform)
        };
        (facing.is_finite() && facing != Vector::ZERO).then_some(facing)
    }
}

impl Targets<'_, '_> {
    /// The position and the velocity of `target` for `agent`, as in [`find`](Self::find); for a group, those of the nearest other member.
    /// `None` for a target that an agent with a [`Sight`] does not see.
    #[cfg_attr(
        not(dim3),
        doc = "`None` also for an entity on [another floor](crate::math::plane::SteeringPlane::with_floor_height)."
    )]
    ///
    /// If a behavior uses this for groups, it must return [`Target::perception_radius`] as its
    /// [`perception_radius`](crate::engine::behavior::SteeringBehavior::perception_radius). While no behavior has one, the index is empty
    /// and no member is found.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steerling::prelude::*;
    /// use bevy_steerling::behavior_prelude::*;
    ///
    /// #[derive(Component)]
    /// #[require(SteeringAgent)]
    /// struct Shadow { target: Target }
    ///
    /// impl SteeringBehavior for Shadow {
    ///     type State = Stateless;
    ///     type Param = Targets<'static, 'static>;
    ///
    ///     fn wish(&self, _: &mut Stateless, agent: &Agent, targets: &SystemParamItem<Self::Param>) -> Wish {
    ///         let Some(target) = targets.find_for(agent, self.target) else { return Wish::Nothing };
    ///         Wish::Velocity(target.velocity + agent.to(target.position))
    ///     }
    ///
    ///     fn perception_radius(&self, agent: &SteeringAgent) -> f32 {
    ///         self.target.perception_radius(agent)
    ///     }
    /// }
    /// ```
    #[inline]
    pub fn find_for(&self, agent: &Agent, target: Target) -> Option<Kinematics> {
        match target {
            Target::Entity(entity) if self.places.plane.has_floors() || self.common.anybody_has_sight => {
                self.find_perceived(agent.entity, agent.height, entity)
            }
            Target::Point(_) | Target::Entity(_) => self.find(target),
            // Not by reference, which would keep the agent out of registers for other targets as well.
            Target::Group(groups) => self.find_nearest(agent.entity, (agent.position, agent.height), groups),
        }
    }

    /// An entity on the floor of an agent at this height, if the agent sees it.
    #[cold]
    #[inline(never)]
    fn find_perceived(&self, agent: Entity, height: f32, entity: Entity) -> Option<Kinematics> {
        let found = self.places.find_on_floor(entity, height)?;
        self.seen_by(agent)(found.position).then_some(found)
    }

    #[cold]
    #[inline(never)]
    fn find_nearest(&self, agent: Entity, place: (Vector, f32), groups: GroupMask) -> Option<Kinematics> {
        let (member, _) = self.neighbors.nearest_member(agent, place, f32::INFINITY, groups, self.seen_by(agent))?;
        Some(Kinematics { position: member.position, velocity: member.velocity })
    }

    /// Whether an agent sees a point.
    fn seen_by(&self, agent: Entity) -> impl Fn(Vector) -> bool {
        let sight = if self.common.anybody_has_sight { self.sights.get(agent).ok() } else { None };
        move |point| sight.is_none_or(|(sight, eye)| sight.sees_point(eye, point, &self.obstacles))
    }

    /// The nearest other member of a group that the agent sees.
    pub(crate) fn nearest_member(&self, agent: &Agent, groups: GroupMask) -> Option<Neighbor> {
        let place = (agent.position, agent.height);
        let seen = self.seen_by(agent.entity);
        self.neighbors.nearest_member(agent.entity, place, f32::INFINITY, groups, seen).map(|(member, _)| member)
    }

    /// The same target; for a group, the nearest other member.
    pub(crate) fn nearest(&self, agent: &Agent, target: Target) -> Option<Target> {
        let Target::Group(groups) = target else { return Some(target) };
        self.nearest_member(agent, groups).map(|member| Target::Entity(member.entity))
    }

    /// The direction in which the front of an entity points, a unit vector.
    pub(crate) fn facing(&self, entity: Entity) -> Option<Vector> {
        self.places.facing(entity)
    }

    /// Calls `visit` with each other member of a group that the agent sees within `radius`, and perhaps with some just outside.
    pub(crate) fn for_each_member(
        &self,
        agent: &Agent,
        groups: GroupMask,
        radius: f32,
        mut visit: impl FnMut(&Kinematics),
    ) {
        let seen = self.seen_by(agent.entity);
        self.neighbors.for_each_of(agent, radius * 1.000_01, groups, |neighbor, _| {
            if seen(neighbor.position) {
                visit(&Kinematics { position: neighbor.position, velocity: neighbor.velocity });
            }
        });
    }

    /// The position and the velocity of `target`; `None` if it no longer exists, or if it or one of its parents has no `Transform`. Also
    /// `None` for a group: use [`find_for`](Self::find_for) to find its nearest member.
    ///
    /// For an entity with parents, this is its current position in the world, which is computed by walking up to its root.
    #[inline]
    pub fn find(&self, target: Target) -> Option<Kinematics> {
        match target {
            Target::Point(position) => Some(Kinematics { position, velocity: Vector::ZERO }),
            Target::Entity(entity) => self.find_entity(entity),
            Target::Group(_) => None,
        }
    }

    #[inline]
    fn find_entity(&self, entity: Entity) -> Option<Kinematics> {
        self.common.get(entity).unwrap_or_else(|| {
            self.common.note(entity);
            self.places.find(entity)
        })
    }
}

/// The entity that agents targeted in the last tick, looked up once for all agents that still target it, because many agents often share a
/// target.
///
/// It is only known while behaviors and constraints run, when nothing moves.
#[derive(Resource, Debug, Default)]
pub(crate) struct CommonTarget {
    entity: Option<Entity>,
    found: Option<(Entity, Option<Kinematics>)>,
    /// The bits of an entity that was looked up and differs from the one found, or zero.
    next: AtomicU64,
    /// Whether any agent has a [`Sight`].
    anybody_has_sight: bool,
}

impl CommonTarget {
    /// The position of the entity, if it is known: the inner `None` means that it has none.
    #[inline]
    fn get(&self, entity: Entity) -> Option<Option<Kinematics>> {
        match self.found {
            Some((known, found)) if known == entity => Some(found),
            _ => None,
        }
    }

    fn note(&self, entity: Entity) {
        let bits = entity.to_bits();
        // Written rarely, so that threads do not wait for each other.
        if self.next.load(Ordering::Relaxed) == 0 {
            self.next.store(bits, Ordering::Relaxed);
        }
    }
}

/// Finds the entity of this tick.
pub(crate) fn find_common_target(places: Places, sights: Query<(), With<Sight>>, mut common: ResMut<CommonTarget>) {
    let common = common.bypass_change_detection();
    common.anybody_has_sight = !sights.is_empty();
    let next = mem::take(common.next.get_mut());
    common.entity = if next == 0 { common.entity } else { Entity::try_from_bits(next) };
    common.found = common.entity.map(|entity| (entity, places.find(entity)));
}

/// Clears the position, because agents move from here on.
pub(crate) fn forget_common_target(mut common: ResMut<CommonTarget>) {
    common.bypass_change_detection().found = None;
}

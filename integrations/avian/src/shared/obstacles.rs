//! Makes obstacles of colliders.

use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_steerling::prelude::*;

use super::bodies::Motion;
use super::engine::{self, Bodies, Collider};
use super::shapes::footprint;
use crate::outline::Placed;
use crate::{ColliderObstacle, ColliderObstacles, ObstacleHeights, ObstacleOf};

/// The inputs from which the obstacles of a collider were made. A collider without this component has no obstacles.
#[derive(Component, PartialEq)]
pub(crate) struct Mapped {
    place: GlobalTransform,
    layers: GroupMask,
    motion: Motion,
}

/// The bodies of colliders, and where both are.
#[derive(SystemParam)]
pub(crate) struct Hierarchy<'w, 's> {
    bodies: Bodies<'w, 's>,
    parents: Query<'w, 's, &'static ChildOf>,
    transforms: TransformHelper<'w, 's>,
}

impl Hierarchy<'_, '_> {
    /// The nearest body among the entity and its ancestors.
    pub fn body_of(&self, collider: Entity) -> Option<Entity> {
        let mut ancestors = core::iter::once(collider).chain(self.parents.iter_ancestors(collider));
        ancestors.find(|entity| self.bodies.contains(*entity))
    }

    /// The place of an entity in the world; `None` if it has no `Transform`.
    pub fn place(&self, entity: Entity) -> Option<GlobalTransform> {
        self.transforms.compute_global_transform(entity).ok()
    }
}

type ColliderQuery<'w, 's> =
    Query<'w, 's, (Entity, Ref<'static, Collider>, Has<Obstacle>, Option<&'static Mapped>), engine::TakesPart>;

/// Updates the obstacles of all colliders.
pub(crate) fn update_obstacles(
    colliders: ColliderQuery,
    left: Query<Entity, (With<Mapped>, Or<(With<Disabled>, engine::TakesNoPart)>)>,
    settings: Query<&ColliderObstacle>,
    agents: Query<(), With<SteeringAgent>>,
    hierarchy: Hierarchy,
    (plane, heights): (Res<SteeringPlane>, Res<ObstacleHeights>),
    mut commands: Commands,
) {
    for (entity, collider, is_obstacle, mapped) in &colliders {
        let body = hierarchy.body_of(entity);
        let set = settings.get(entity).ok().or_else(|| settings.get(body?).ok());
        let by_default = || {
            let is_agent = body.is_some_and(|body| agents.contains(body));
            if !is_agent && hierarchy.bodies.is_in_the_way(body) { GroupMask::DEFAULT } else { GroupMask::NONE }
        };
        let is_out = is_obstacle || body.is_some_and(|body| hierarchy.bodies.is_disabled(body));
        let layers = if is_out { GroupMask::NONE } else { set.map_or_else(by_default, |set| set.layers) };
        let place = hierarchy.place(entity).filter(|_| !layers.is_empty());
        let Some(place) = place else {
            if mapped.is_some() {
                clear(&mut commands, entity);
            }
            continue;
        };
        let motion = body.map_or_else(Motion::default, |body| hierarchy.bodies.motion(body));
        let now = Mapped { place, layers, motion };
        if mapped == Some(&now) && !collider.is_changed() && !heights.is_changed() && !plane.is_changed() {
            continue;
        }
        let obstacles = obstacles(&collider, &now, *plane, *heights);
        commands.entity(entity).queue_silenced(move |mut collider: EntityWorldMut| {
            write(&mut collider, obstacles);
            collider.insert(now);
        });
    }
    left.iter().for_each(|entity| clear(&mut commands, entity));
}

fn clear(commands: &mut Commands, collider: Entity) {
    commands.entity(collider).queue_silenced(|mut collider: EntityWorldMut| {
        collider.despawn_related::<ColliderObstacles>().remove::<Mapped>();
    });
}

/// The obstacles of a collider.
fn obstacles(
    collider: &Collider,
    Mapped { place, layers, motion }: &Mapped,
    plane: SteeringPlane,
    heights: ObstacleHeights,
) -> Vec<(Obstacle, Transform, Velocity)> {
    let transform = place.compute_transform();
    let (outlines, x_axis) = footprint(collider, &transform, plane, heights);
    let (origin, height) = (plane.to_plane(transform.translation), plane.height(transform.translation));
    let obstacle = |(shape, local): Placed| {
        let place = Isometry2d::new(origin, Rot2::from_sin_cos(x_axis.y, x_axis.x)) * local;
        let x_axis = plane.to_world(place.rotation * Vec2::X, 0.0);
        let transform = Transform {
            translation: plane.to_world(place.translation, height),
            rotation: Quat::from_rotation_arc(Vec3::X, x_axis),
            ..default()
        };
        let velocity = motion.at(transform.translation, plane);
        let obstacle = Obstacle::new(shape).with_layers(*layers).with_turn_rate(motion.turn_rate(plane));
        (obstacle, transform, Velocity(velocity))
    };
    outlines.iter().filter_map(|outline| outline.obstacle()).map(obstacle).collect()
}

/// Replaces the obstacles of a collider.
fn write(collider: &mut EntityWorldMut, obstacles: Vec<(Obstacle, Transform, Velocity)>) {
    let owner = collider.id();
    let parts: Vec<Entity> = collider.get::<ColliderObstacles>().map_or(&[][..], |parts| &parts[..]).to_vec();
    collider.world_scope(|world| {
        for part in parts.iter().skip(obstacles.len()) {
            world.despawn(*part);
        }
        for (index, obstacle) in obstacles.into_iter().enumerate() {
            if let Some(part) = parts.get(index) {
                world.entity_mut(*part).insert(obstacle);
            } else {
                world.spawn((obstacle, ObstacleOf(owner)));
            }
        }
    });
}

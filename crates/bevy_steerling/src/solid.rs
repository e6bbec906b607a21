//! Bodies that cannot be entered.

use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::{ExternalMovement, SteeringAgent, SteeringId, Velocity};
use crate::behavior::TickParam;
use crate::math::{self, Vector, normalize};
use crate::neighbors::direction_to_coincident;
use crate::obstacles::Obstacles;

/// Makes an agent's body solid: others with `Solid` cannot enter it, nor it the obstacles.
///
/// It is the backstop where forces do not suffice. After the movement of a tick bodies that overlap are moved apart, the lighter
/// one farther, and lose the speed with which they ran into each other; nothing bounces. What something else moves
/// ([`ExternalMovement`]) is not moved, but moves others.
///
/// In a dense crowd that is pushed together a thousandth of a radius and more of overlap may be left.
///
/// # Example
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steerling::prelude::*;
/// # fn setup(mut commands: Commands) {
/// for x in 0..10 {
///     commands.spawn((Solid::default(), Seek::new(Vec2::ZERO), Transform::from_xyz(20.0 * x as f32, 90.0, 0.0)));
/// }
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize), reflect(Serialize, Deserialize))]
#[require(SteeringAgent)]
pub struct Solid {
    /// Only obstacles in one of these layers are solid to it. Default: all.
    pub layers: u32,
}

impl Default for Solid {
    fn default() -> Self {
        Self { layers: u32::MAX }
    }
}

/// How many times all overlaps are resolved in a tick, at most. Each may bring about others.
const ROUNDS: usize = 32;

/// Overlaps of less than this share of the smaller radius are left.
const SLOP: f32 = 1e-4;

/// What is nearer than this share of the larger radius may touch in a later round.
const NEAR: f32 = 0.5;

/// A body while it is moved out of others.
pub(crate) struct Body {
    entity: Entity,
    id: SteeringId,
    position: Vector,
    start: Vector,
    radius: f32,
    /// How easily it is moved: 1/mass, and zero if not at all.
    lightness: f32,
    layers: u32,
}

/// Moves bodies that overlap apart.
pub(crate) fn keep_apart(
    mut agents: Query<(
        Entity,
        &SteeringId,
        &SteeringAgent,
        &Solid,
        &mut Transform,
        &mut Velocity,
        Has<ExternalMovement>,
    )>,
    obstacles: Res<Obstacles>,
    tick: TickParam,
    mut bodies: Local<Vec<Body>>,
    mut pairs: Local<Vec<(usize, usize)>>,
) {
    let space = tick.space();
    bodies.clear();
    bodies.extend(agents.iter().filter_map(|(entity, id, agent, solid, transform, _, moved_elsewhere)| {
        let position = space.wrap(math::position(transform));
        position.is_finite().then_some(Body {
            entity,
            id: *id,
            position,
            start: position,
            radius: agent.radius.max(0.0),
            lightness: if moved_elsewhere { 0.0 } else { agent.effective_mass().recip() },
            layers: solid.layers,
        })
    }));
    // The order in which overlaps are resolved follows from where the bodies are.
    bodies.sort_unstable_by(|a, b| a.position.x.total_cmp(&b.position.x).then(a.id.cmp(&b.id)));

    let largest = bodies.iter().map(|body| body.radius).fold(0.0, f32::max);
    let reach = (2.0 + NEAR) * largest;
    pairs.clear();
    for first in 0..bodies.len() {
        for step in 1..bodies.len() {
            let (second, lap) = if first + step < bodies.len() {
                (first + step, 0.0)
            } else {
                (first + step - bodies.len(), space.size.x)
            };
            let beyond_the_last = first + step >= bodies.len() && lap == 0.0;
            if beyond_the_last || bodies[second].position.x + lap - bodies[first].position.x > reach {
                break;
            }
            let between = space.displacement(bodies[first].position, bodies[second].position);
            let near = bodies[first].radius + bodies[second].radius + NEAR * largest;
            if between.length_squared() < near * near {
                pairs.push((first, second));
            }
        }
    }

    for _ in 0..ROUNDS {
        let mut moved = false;
        for &(first, second) in &*pairs {
            let (a, b) = (&bodies[first], &bodies[second]);
            let between = space.displacement(a.position, b.position);
            let depth = a.radius + b.radius - between.length();
            let lightness = a.lightness + b.lightness;
            if depth > SLOP * a.radius.min(b.radius) && lightness > 0.0 {
                let direction =
                    if between == Vector::ZERO { direction_to_coincident(a.id, b.id) } else { normalize(between) };
                let shift = direction * (depth / lightness);
                let (share_of_a, share_of_b) = (a.lightness, b.lightness);
                bodies[first].position -= shift * share_of_a;
                bodies[second].position += shift * share_of_b;
                moved = true;
            }
        }
        for body in bodies.iter_mut().filter(|body| body.lightness > 0.0) {
            let (start, mut shift) = (body.position, Vector::ZERO);
            obstacles.for_each_around(start, &space, body.radius, body.layers, |obstacle, position| {
                obstacle.shape.for_each_wall(position + shift, |distance, away| {
                    if body.radius - distance > SLOP * body.radius {
                        shift += away * (body.radius - distance);
                    }
                });
            });
            body.position += shift;
            moved |= shift != Vector::ZERO;
        }
        if !moved {
            break;
        }
    }

    for body in bodies.iter().filter(|body| body.position != body.start) {
        let Ok((.., mut transform, mut velocity, _)) = agents.get_mut(body.entity) else { continue };
        let shift = body.position - body.start;
        let position = math::position(&transform);
        math::set_position(&mut transform, position + shift);
        let out = normalize(shift);
        let against = velocity.0.dot(out).min(0.0);
        if against < 0.0 {
            velocity.0 -= out * against;
        }
    }
}

//! Solid bodies.

use alloc::vec::Vec;
use core::mem;

use bevy::prelude::*;

use crate::agent::random::direction_from;
use crate::agent::{ExternalMovement, GroupMask, SteeringAgent, SteeringId, Velocity};
use crate::constraints::exits::{depth, way_out};
use crate::math::space::{Space, SteeringBounds};
use crate::math::{self, Placement, Vector, normalize, truncate};
use crate::motion::knockback::Knockback;
use crate::perception::neighbors::direction_to_coincident;
use crate::perception::obstacles::{ObstacleView, Obstacles};
use crate::tick::TickParam;
use crate::world::pairs::{Pair, Rows, in_order};
use crate::world::walls::{SLOP, Walls, wall_radius};

/// Makes the agent's body solid: it overlaps neither other bodies with `Solid` nor obstacles.
///
/// Behaviors and constraints keep agents apart by forces. `Solid` is the backstop where forces are not enough. After agents have moved,
/// overlapping bodies are moved apart, the lighter one farther. They are also moved out of obstacles, and back within edges of the world
/// that bounce. Contacts are inelastic: two bodies lose the speed at which they approach each other, and a moving wall carries bodies
/// along. An agent with [`ExternalMovement`] is not moved but moves others.
///
/// In a dense crowd of hundreds, an overlap of a hundredth of a radius may remain, and more in the tick in which bodies collide. A body
/// does not pass through a static obstacle, however hard others press it, unless its radius is tiny compared with the distance that it
/// moves in a tick. Two bodies that move farther than their radii in a tick may pass through each other, and a moving obstacle may pass
/// through a body. Move obstacles before
/// [`SteeringSystems::Confine`](crate::tick::schedule::SteeringSystems::Confine); otherwise bodies react one tick late. Bodies with radii
/// above 1e9 units are not solid.
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
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[require(SteeringAgent)]
pub struct Solid {
    /// The layers of the obstacles that the body does not enter. Default: all.
    pub layers: GroupMask,
}

impl Default for Solid {
    fn default() -> Self {
        Self { layers: GroupMask::ALL }
    }
}

/// The maximum number of rounds per tick in which all overlaps are resolved. Resolving one overlap may cause another.
const ROUNDS: usize = 32;

/// The maximum number of rounds per tick in which all approaching speeds are removed.
const IMPULSES: usize = 8;

/// A body that was moved out of an obstacle touches walls within this share of its radius.
const TOUCHING: f32 = 10.0 * SLOP;

/// Bodies within this share of the largest radius may touch in a later round.
const NEAR: f32 = 0.5;

/// A body that moves at most this share of its radius in a tick does not pass through a wall, unless it overlaps the wall already.
const JUMP: f32 = 0.5;

/// Bodies with larger radii are ignored, units, and so are walls that a body has penetrated deeper than twice this. Moving such bodies out
/// could overflow.
const LARGEST: f32 = 1e9;

/// A solid body during the resolution of overlaps.
#[derive(Clone, Copy)]
struct Body {
    entity: Entity,
    id: SteeringId,
    position: Vector,
    /// The height above the plane, units.
    height: f32,
    velocity: Vector,
    /// The position and velocity before.
    before: (Vector, Vector),
    /// The position at the end of the last round, on the same side of all walls.
    settled: Vector,
    radius: f32,
    max_speed: f32,
    /// 1/mass; zero for a body that is not moved.
    lightness: f32,
    layers: GroupMask,
    /// Whether an obstacle or an edge of the world has moved it.
    at_wall: bool,
    /// The last round in which it was moved, counted from one; zero if it was not.
    moved_in: usize,
}

impl Body {
    fn view(&self, space: Space) -> ObstacleView {
        ObstacleView { space, height: self.height, layers: self.layers }
    }

    fn wall_radius(&self) -> f32 {
        wall_radius(self.radius, self.position)
    }

    fn walls<'a>(&self, around: &Surroundings<'a>) -> Walls<'a> {
        Walls { obstacles: around.obstacles, view: self.view(around.space), radius: self.wall_radius() }
    }

    /// Records that the body was moved in this round.
    fn note_move(&mut self, index: usize, round: usize, moved: &mut Vec<usize>) {
        if self.moved_in < round {
            self.moved_in = round;
            moved.push(index);
        }
    }

    /// The new velocity. In the direction opposite to that in which the body was moved, it is at most the actual speed of the tick, so that
    /// a crowd that is pushed together settles.
    fn velocity_left(&self, tick: f32) -> Vector {
        let shift = self.position - self.before.0;
        let out = normalize(shift);
        let really = self.before.1.dot(out) + shift.length() / tick;
        self.velocity + out * (really.min(0.0) - self.velocity.dot(out)).max(0.0)
    }
}

/// A contact of a body with another body or a wall.
struct Contact {
    body: usize,
    other: Other,
    /// The unit vector away from the other body or the wall.
    away: Vector,
}

enum Other {
    Body(usize),
    /// A wall with this velocity.
    Wall(Vector),
}

/// The bodies of a tick and what they touch. The lists keep their capacity between ticks.
#[derive(Default)]
pub(crate) struct Bodies {
    /// In the order of the world.
    unsorted: Vec<Body>,
    /// An order that depends only on positions and ids. Overlaps are resolved in this order.
    sorted: Vec<Body>,
    /// The order of the x of `unsorted`, with their indices in the lower half.
    keys: Vec<u64>,
    places: Vec<Vec2>,
    rows: Rows,
    pairs: Vec<Pair>,
    contacts: Vec<Contact>,
    /// The indices of the bodies that were moved in this round and in the previous one.
    moved: Vec<usize>,
    moved_before: Vec<usize>,
}

/// What bodies can collide with, and how distances are measured.
struct Surroundings<'a> {
    obstacles: &'a Obstacles,
    bounds: &'a SteeringBounds,
    space: Space,
    /// The length of the tick, seconds.
    tick: f32,
}

/// Moves bodies that have passed through a wall, or are so fast that they may have, back to the wall, and lets them slide along it.
pub(crate) fn stop_before_walls(
    mut agents: Query<
        (&SteeringAgent, &Solid, &mut Velocity, &mut Transform, Option<&mut Knockback>),
        Without<ExternalMovement>,
    >,
    obstacles: Res<Obstacles>,
    tick: TickParam,
) {
    if obstacles.is_empty() {
        return;
    }
    let (space, plane) = (tick.space(), tick.plane());
    for (agent, solid, mut velocity, mut transform, mut knockback) in &mut agents {
        let pushed = knockback.as_ref().map_or(Vector::ZERO, |knockback| knockback.way());
        let way = velocity.0 * tick.length() + pushed;
        let place = plane.position(&transform) - way;
        if way == Vector::ZERO || agent.radius > LARGEST || !place.is_finite() {
            continue;
        }
        let radius = wall_radius(agent.radius.max(0.0), place.abs() + way.abs());
        let view = ObstacleView { space, height: plane.height(transform.translation), layers: solid.layers };
        let walls = Walls { obstacles: &obstacles, view, radius };
        if way.length() <= JUMP * radius && !walls.crosses(place, way) {
            continue;
        }
        let mut after = velocity.0;
        let mut on_wall = |away: Vector, wall_velocity: Vector| {
            after -= away * (after - wall_velocity).dot(away).min(0.0);
            if let Some(knockback) = &mut knockback {
                knockback.stop_at_wall(away);
            }
        };
        let mut end = walls.slide(place, way, &mut on_wall);
        let beyond = end.unwrap_or(place + way);
        let held = tick.bounds().held(beyond);
        if held != beyond && walls.crosses(place, held - place) {
            end = Some(walls.slide_within(tick.bounds(), place, held, &mut on_wall));
        }
        if let Some(end) = end {
            plane.set_position(&mut transform, end);
            velocity.0 = truncate(after, agent.max_speed);
        }
    }
}

type SolidAgents<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        &'static SteeringId,
        &'static SteeringAgent,
        &'static Solid,
        &'static mut Transform,
        &'static mut Velocity,
        Has<ExternalMovement>,
    ),
>;

/// Moves overlapping bodies apart.
pub(crate) fn keep_apart(
    mut agents: SolidAgents,
    obstacles: Res<Obstacles>,
    tick: TickParam,
    mut bodies: Local<Bodies>,
) {
    let around =
        Surroundings { obstacles: &obstacles, bounds: tick.bounds(), space: tick.space(), tick: tick.length() };
    let plane = tick.plane();
    bodies.list(&agents, &around.space, plane);
    bodies.find_pairs(&around.space, plane);
    around.part_all(&mut bodies);
    around.stop_all(&mut bodies);

    for body in bodies.sorted.iter().filter(|body| body.lightness > 0.0) {
        let is_moved = body.position != body.before.0;
        if !is_moved && body.velocity == body.before.1 {
            continue;
        }
        let Ok((.., mut transform, mut velocity, _)) = agents.get_mut(body.entity) else { continue };
        if is_moved {
            plane.set_position(&mut transform, around.space.wrap(body.position));
        }
        let after = body.velocity_left(around.tick);
        if after != body.before.1 {
            velocity.0 = truncate(after, body.max_speed);
        }
    }
}

impl Bodies {
    /// Lists the solid bodies.
    fn list(&mut self, agents: &SolidAgents, space: &Space, plane: Placement) {
        let Self { unsorted, sorted, keys, places, .. } = self;
        unsorted.clear();
        unsorted.extend(agents.iter().filter_map(
            |(entity, id, agent, solid, transform, velocity, moved_elsewhere)| {
                let position = space.wrap(plane.position(transform));
                let velocity = truncate(math::finite_or_zero(velocity.0), f32::INFINITY);
                let radius = agent.radius.max(0.0);
                let lightness = if moved_elsewhere { 0.0 } else { agent.effective_mass().recip() };
                let body = Body {
                    entity,
                    id: *id,
                    position,
                    height: plane.height(transform.translation),
                    velocity,
                    before: (position, velocity),
                    settled: position,
                    radius,
                    max_speed: agent.max_speed,
                    lightness,
                    layers: solid.layers,
                    at_wall: false,
                    moved_in: 0,
                };
                (position.is_finite() && radius <= LARGEST).then_some(body)
            },
        ));
        keys.clear();
        keys.extend(unsorted.iter().zip(0..).map(|(body, index)| u64::from(in_order(body.position.x)) << 32 | index));
        keys.sort_unstable();
        let body_of = |key: &u64| &unsorted[*key as u32 as usize];
        for alike in keys.chunk_by_mut(|a, b| a >> 32 == b >> 32).filter(|alike| alike.len() > 1) {
            alike.sort_unstable_by_key(|key| body_of(key).id);
        }
        sorted.clear();
        sorted.extend(keys.iter().map(body_of));
        places.clear();
        places.extend(sorted.iter().map(|body| Vec2::new(body.position.x, body.position.y)));
    }

    /// Finds all pairs that may touch in this tick.
    fn find_pairs(&mut self, space: &Space, plane: Placement) {
        let bodies = &self.sorted;
        let largest = bodies.iter().map(|body| body.radius).fold(0.0, f32::max);
        let is_near = |first: usize, second: usize| {
            let (first, second) = (&bodies[first], &bodies[second]);
            let between = space.displacement(first.position, second.position);
            let near = first.radius + second.radius + NEAR * largest;
            between.length_squared() < near * near && plane.on_one_floor(first.height, second.height)
        };
        let size = Vec2::new(space.size.x, space.size.y);
        self.rows.list_pairs(&self.places, (2.0 + NEAR) * largest, size, is_near, &mut self.pairs);
    }
}

/// The unit vector from the first body of a pair to the second.
fn direction(bodies: &[Body], pair: &Pair, space: &Space) -> Vector {
    let (a, b) = (&bodies[pair.first], &bodies[pair.second]);
    let between = space.displacement(a.position, b.position);
    if between == Vector::ZERO { direction_to_coincident(a.id, b.id) } else { normalize(between) }
}

/// Moves two bodies apart, the lighter one farther. Returns whether they overlapped.
fn part(bodies: &mut [Body], pair: &mut Pair, space: &Space) -> bool {
    let (a, b) = (&bodies[pair.first], &bodies[pair.second]);
    let depth = a.radius + b.radius - space.displacement(a.position, b.position).length();
    let lightness = a.lightness + b.lightness;
    if depth <= SLOP * a.radius.min(b.radius) || lightness <= 0.0 {
        return false;
    }
    let shift = direction(bodies, pair, space) * depth;
    let shares = [a.lightness / lightness, b.lightness / lightness];
    bodies[pair.first].position -= shift * shares[0];
    bodies[pair.second].position += shift * shares[1];
    pair.touching = true;
    true
}

/// Removes the speed at which a body approaches what it touches. Returns whether the change was significant.
fn stop_closing(bodies: &mut [Body], contact: &Contact, tick: f32) -> bool {
    let body = &bodies[contact.body];
    let (velocity, lightness, radius) = match contact.other {
        Other::Body(other) => (bodies[other].velocity, bodies[other].lightness, bodies[other].radius),
        Other::Wall(velocity) => (velocity, 0.0, body.radius),
    };
    let closing = (velocity - body.velocity).dot(contact.away);
    if closing <= 0.0 || !closing.is_finite() {
        return false;
    }
    let (share, smaller_radius) = (body.lightness / (body.lightness + lightness), radius.min(body.radius));
    bodies[contact.body].velocity += contact.away * (closing * share);
    if let Other::Body(other) = contact.other {
        bodies[other].velocity -= contact.away * (closing * (1.0 - share));
    }
    closing * tick > SLOP * smaller_radius
}

impl Surroundings<'_> {
    /// Moves bodies apart and out of obstacles until none overlap, or for [`ROUNDS`] rounds.
    fn part_all(&self, bodies: &mut Bodies) {
        let Bodies { sorted: bodies, pairs, moved, moved_before, .. } = bodies;
        moved_before.clear();
        moved_before.extend(0..bodies.len());
        for round in 1..=ROUNDS {
            moved.clear();
            // Bodies that have not moved since they were last checked need no check.
            let is_new = |body: &Body| body.moved_in + 1 >= round;
            for pair in &mut *pairs {
                let [first, second] = [pair.first, pair.second];
                if (is_new(&bodies[first]) || is_new(&bodies[second])) && part(bodies, pair, &self.space) {
                    bodies[first].note_move(first, round, moved);
                    bodies[second].note_move(second, round, moved);
                }
            }
            let parted = moved.len();
            for number in 0..parted + moved_before.len() {
                let index = if number < parted { moved[number] } else { moved_before[number - parted] };
                let body = &mut bodies[index];
                let is_next = number < parted || body.moved_in < round;
                if is_next && body.lightness > 0.0 && self.move_out(body) {
                    body.note_move(index, round, moved);
                }
            }
            if moved.is_empty() {
                break;
            }
            mem::swap(moved, moved_before);
        }
        for body in bodies.iter_mut().filter(|body| body.at_wall && body.lightness > 0.0) {
            self.move_out_of_all(body);
        }
    }

    /// Removes the speeds at which bodies that touch approach each other or an obstacle.
    fn stop_all(&self, bodies: &mut Bodies) {
        let Bodies { sorted: bodies, pairs, contacts, .. } = bodies;
        contacts.clear();
        contacts.extend(pairs.iter().filter(|pair| pair.touching).map(|pair| Contact {
            body: pair.first,
            other: Other::Body(pair.second),
            away: -direction(bodies, pair, &self.space),
        }));
        for (index, body) in bodies.iter().enumerate().filter(|(_, body)| body.at_wall) {
            self.find_walls(index, body, contacts);
        }
        for _ in 0..IMPULSES {
            let mut changed = false;
            for contact in &*contacts {
                changed |= stop_closing(bodies, contact, self.tick);
            }
            if !changed {
                break;
            }
        }
    }

    /// Moves a body out of obstacles and back within the edges of the world. Returns whether it was moved.
    fn move_out(&self, body: &mut Body) -> bool {
        let (start, radius, mut shift) = (body.position, body.wall_radius(), Vector::ZERO);
        let (mut nearest, mut farthest) = (radius, 0.0);
        let (mut overlaps, mut is_inside) = (0, false);
        self.obstacles.for_each_around(start, radius, &body.view(self.space), |obstacle, position| {
            for wall in 0..obstacle.shape.wall_count() {
                let (distance, away) = obstacle.shape.distance_to_wall(wall, position + shift);
                let depth = radius - distance;
                nearest = distance.min(nearest);
                if depth > SLOP * radius && depth <= 2.0 * LARGEST {
                    let away = if away == Vector::ZERO { direction_from(body.id.get()) } else { away };
                    shift += away * depth;
                    farthest += depth;
                    overlaps += 1;
                    is_inside |= distance < 0.0;
                }
            }
        });
        if is_inside && overlaps > 1 {
            // One way out of all of them, from where the body was before.
            let (before, view) = (body.before.0, body.view(self.space));
            let way = way_out(self.obstacles, before, body.radius, &view, Vector::ZERO);
            shift = way.map_or(shift, |way| self.space.displacement(start, before) + way);
            farthest += shift.length();
        }
        body.position = self.bounds.held(start + shift);
        farthest += body.position.distance(body.settled);
        if nearest <= farthest {
            self.keep_side(body, start);
        }
        body.settled = body.position;
        let moved = body.position != start;
        body.at_wall |= moved;
        moved
    }

    /// Lets a body slide along walls to `target` if it has passed through a wall in this round.
    fn keep_side(&self, body: &mut Body, target: Vector) {
        let walls = body.walls(self);
        if walls.crosses(body.settled, body.position - body.settled) {
            body.position = walls.slide_within(self.bounds, body.settled, target, |_, _| {});
            body.at_wall = true;
        }
    }

    /// Moves a body out of obstacles that overlap, if the shortest way out of each leads into another.
    fn move_out_of_all(&self, body: &mut Body) {
        let view = body.view(self.space);
        let is_inside = depth(self.obstacles, body.position, 0.0, &view) > SLOP * body.radius;
        if is_inside && let Some(way) = way_out(self.obstacles, body.position, body.radius, &view, Vector::ZERO) {
            let place = self.bounds.held(body.position + way);
            if !body.walls(self).crosses_standing(body.position, place - body.position) {
                body.position = place;
            }
        }
    }

    /// Finds the walls and edges that a body touches.
    fn find_walls(&self, index: usize, body: &Body, contacts: &mut Vec<Contact>) {
        let reach = body.wall_radius() * (1.0 + TOUCHING);
        self.obstacles.for_each_around(body.position, reach, &body.view(self.space), |obstacle, position| {
            for wall in 0..obstacle.shape.wall_count() {
                let (distance, away) = obstacle.shape.distance_to_wall(wall, position);
                if distance <= reach && away != Vector::ZERO {
                    contacts.push(Contact { body: index, other: Other::Wall(obstacle.velocity_at(position)), away });
                }
            }
        });
        for inward in Vector::AXES.into_iter().flat_map(|axis| [axis, -axis]) {
            let outward = body.position - inward * (TOUCHING * body.radius);
            if self.bounds.held(outward) != outward {
                contacts.push(Contact { body: index, other: Other::Wall(Vector::ZERO), away: inward });
            }
        }
    }
}

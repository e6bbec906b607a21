//! Who steers which agent, and what servers tell each other.

use std::collections::{BTreeMap, BTreeSet};

use bevy::log::{debug, error};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_steerling::prelude::*;
use serde::{Deserialize, Serialize};

use super::link::Link;
use super::state::{self, AgentState, Types};

/// The number of ticks after which a handover without acknowledgment is sent again.
const RESEND: u32 = 8;
/// The number of ticks between two messages about ghosts.
const GHOSTS_EVERY: u32 = 2;
/// The number of ticks after which a ghost that nobody tells about disappears.
const FORGET: u32 = 32;
/// The number of ghosts in a message, so that it fits in a packet.
const GHOSTS_AT_ONCE: usize = 20;

/// The border of this server's region: a straight line.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct Border {
    /// A point of the line, units.
    pub point: Vec2,
    /// The direction to the other region.
    pub outward: Dir2,
    /// An agent is handed over when it is farther than this beyond the line, units, so that it does not go to and fro.
    pub margin: f32,
    /// The other server sees agents that are nearer to the line than this, units. It should be at least twice as far as agents perceive.
    pub sight: f32,
}

impl Border {
    /// How far a position is beyond the border, units; negative on this side.
    pub fn beyond(&self, position: Vec2) -> f32 {
        (position - self.point).dot(*self.outward)
    }
}

/// An agent that the other server steers. It goes on at its last known velocity.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ghost {
    /// The tick in which it was last heard of, here and there.
    heard: u32,
    sent: Option<u32>,
}

/// The handovers of this server.
#[derive(Resource, Debug, Default)]
pub struct Handovers {
    tick: u32,
    /// Those without acknowledgment, by number, with the tick in which they were last sent.
    pending: BTreeMap<u64, (AgentState, Option<u32>)>,
    next: u64,
    /// The numbers of those that this server has taken.
    taken: BTreeSet<u64>,
    /// All numbers below this are taken.
    all_below: u64,
    /// The numbers of those that this server cannot take, because something is wrong with them.
    refused: BTreeSet<u64>,
}

impl Handovers {
    /// The agents that this server has given up and that the other has not yet acknowledged.
    pub fn pending(&self) -> impl Iterator<Item = &AgentState> {
        self.pending.values().map(|(state, _)| state)
    }

    /// The number of agents that this server has given up so far.
    pub fn given(&self) -> u64 {
        self.next
    }

    fn is_taken(&self, number: u64) -> bool {
        number < self.all_below || self.taken.contains(&number)
    }

    fn take(&mut self, number: u64) {
        self.taken.insert(number);
        while self.taken.remove(&self.all_below) {
            self.all_below += 1;
        }
    }
}

/// This server has taken over an agent. A game can add what is not handed over, such as its looks.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub struct TakenOver {
    /// The agent.
    pub entity: Entity,
}

/// Hands agents over at the [`Border`], and shows each server ghosts of the other's agents. It needs the resources [`Border`] and [`Link`],
/// and the `SteeringPlugin` in `FixedUpdate`.
#[derive(Clone, Copy, Debug, Default)]
pub struct BorderPlugin;

/// What [`BorderPlugin`] does in each tick.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BorderSystems {
    /// Before steering: takes agents over, and moves ghosts.
    Receive,
    /// After steering: hands agents over.
    Send,
}

impl Plugin for BorderPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Transform>()
            .init_resource::<Handovers>()
            .configure_sets(FixedUpdate, (BorderSystems::Receive, RunSteeringSystems, BorderSystems::Send).chain())
            .add_systems(
                FixedUpdate,
                (
                    (receive, move_ghosts).chain().in_set(BorderSystems::Receive),
                    (give_up, send).chain().in_set(BorderSystems::Send),
                )
                    .run_if(resource_exists::<Border>.and_then(resource_exists::<Link>)),
            );
    }

    fn finish(&self, app: &mut App) {
        // All components are registered by now.
        let types = Types::new(app.world());
        app.insert_resource(types);
    }
}

#[derive(Serialize, Deserialize)]
enum Message {
    Handover { number: u64, agent: AgentState },
    Ack { number: u64 },
    Ghosts { tick: u32, ghosts: Vec<Look> },
}

/// What the other server sees of an agent.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Look {
    id: SteeringId,
    translation: Vec3,
    velocity: Vec2,
    radius: f32,
    max_speed: f32,
    groups: Option<SteeringGroups>,
}

fn post(link: &mut Link, fingerprint: u64, message: &Message) {
    match postcard::to_stdvec(&(fingerprint, message)) {
        Ok(datagram) => link.0.send(&datagram),
        Err(error) => error!("cannot write a message to the other server: {error}"),
    }
}

fn receive(world: &mut World, agents: &mut QueryState<(&SteeringId, Entity)>) {
    world.resource_mut::<Handovers>().tick += 1;
    let fingerprint = world.resource::<Types>().fingerprint;
    let mut ids: HashMap<SteeringId, Entity> = agents.iter(world).map(|(id, agent)| (*id, agent)).collect();
    world.resource_scope(|world, mut link: Mut<Link>| {
        while let Some(datagram) = link.0.receive() {
            match postcard::from_bytes::<(u64, Message)>(&datagram) {
                Ok((theirs, _)) if theirs != fingerprint => debug!("a message of a server with other components"),
                Ok((_, Message::Handover { number, agent })) => {
                    if take_over(world, number, &agent, &mut ids) {
                        post(&mut link, fingerprint, &Message::Ack { number });
                    }
                }
                Ok((_, Message::Ack { number })) => _ = world.resource_mut::<Handovers>().pending.remove(&number),
                Ok((_, Message::Ghosts { tick, ghosts })) => {
                    ghosts.iter().for_each(|look| update_ghost(world, tick, look, &mut ids));
                }
                Err(error) => debug!("a message that cannot be read: {error}"),
            }
        }
    });
}

/// Takes an agent over, once. Returns whether this server has it, or had it.
fn take_over(world: &mut World, number: u64, state: &AgentState, ids: &mut HashMap<SteeringId, Entity>) -> bool {
    if world.resource::<Handovers>().is_taken(number) {
        return true;
    }
    let known = ids.get(&state.id()).copied();
    let result = if known.is_some_and(|known| !world.entity(known).contains::<Ghost>()) {
        Err(BevyError::from("there is another entity with this id"))
    } else {
        state.check(world).and_then(|()| {
            let agent = known.unwrap_or_else(|| world.spawn(state.id()).id());
            ids.insert(state.id(), agent);
            world.entity_mut(agent).remove::<(Ghost, ExternalMovement)>();
            state.apply(world, agent, ids).map(|()| agent)
        })
    };
    match result {
        Ok(agent) => {
            world.resource_mut::<Handovers>().take(number);
            world.trigger(TakenOver { entity: agent });
            world.flush();
            true
        }
        Err(error) => {
            if world.resource_mut::<Handovers>().refused.insert(number) {
                error!("cannot take over agent {}: {error}", state.id().get());
            }
            false
        }
    }
}

fn update_ghost(world: &mut World, sent: u32, look: &Look, ids: &mut HashMap<SteeringId, Entity>) {
    let heard = world.resource::<Handovers>().tick;
    let known = ids.get(&look.id).copied();
    if let Some(known) = known {
        // An old message about an agent that is here by now, or about a ghost of which there is newer news.
        match world.get::<Ghost>(known) {
            Some(ghost) if ghost.sent.is_none_or(|before| before < sent) => {}
            _ => return,
        }
    }
    let agent = known.unwrap_or_else(|| world.spawn(look.id).id());
    ids.insert(look.id, agent);
    let mut agent = world.entity_mut(agent);
    let body = SteeringAgent { radius: look.radius, max_speed: look.max_speed, ..default() };
    agent.insert((Ghost { heard, sent: Some(sent) }, ExternalMovement, body, Velocity(look.velocity)));
    let mut transform = agent.get::<Transform>().copied().unwrap_or_default();
    transform.translation = look.translation;
    agent.insert(transform);
    match look.groups {
        Some(groups) => agent.insert(groups),
        None => agent.remove::<SteeringGroups>(),
    };
}

/// Moves ghosts, and forgets those that are gone.
fn move_ghosts(
    mut commands: Commands,
    mut ghosts: Query<(Entity, &Ghost, &mut Transform, &Velocity)>,
    handovers: Res<Handovers>,
    plane: Res<SteeringPlane>,
    time: Res<Time>,
) {
    for (entity, ghost, mut transform, velocity) in &mut ghosts {
        if handovers.tick - ghost.heard > FORGET {
            commands.entity(entity).despawn();
        } else {
            transform.translation += plane.to_world(velocity.0 * time.delta_secs(), 0.0);
        }
    }
}

/// Gives up the agents that are beyond the border.
fn give_up(world: &mut World, agents: &mut QueryState<(Entity, &Transform), (With<SteeringAgent>, Without<Ghost>)>) {
    let (border, plane) = (*world.resource::<Border>(), *world.resource::<SteeringPlane>());
    let is_beyond = |transform: &Transform| border.beyond(plane.to_plane(transform.translation)) > border.margin;
    let gone: Vec<Entity> =
        agents.iter(world).filter(|(_, transform)| is_beyond(transform)).map(|(agent, _)| agent).collect();
    for agent in gone {
        match AgentState::of(world, agent) {
            Ok(state) => {
                state::strip(world, agent);
                let mut handovers = world.resource_mut::<Handovers>();
                let (number, heard) = (handovers.next, handovers.tick);
                handovers.next += 1;
                handovers.pending.insert(number, (state, None));
                world.entity_mut(agent).insert((Ghost { heard, sent: None }, ExternalMovement));
            }
            Err(error) => error!("cannot hand over agent {agent}: {error}"),
        }
    }
}

/// Sends what has no acknowledgment yet, and what the other server sees.
fn send(
    agents: Query<(&SteeringId, &SteeringAgent, &Transform, &Velocity, Option<&SteeringGroups>), Without<Ghost>>,
    mut handovers: ResMut<Handovers>,
    mut link: ResMut<Link>,
    border: Res<Border>,
    plane: Res<SteeringPlane>,
    types: Res<Types>,
) {
    let tick = handovers.tick;
    for (number, (agent, sent)) in &mut handovers.pending {
        if sent.is_none_or(|sent| tick - sent >= RESEND) {
            *sent = Some(tick);
            post(&mut link, types.fingerprint, &Message::Handover { number: *number, agent: agent.clone() });
        }
    }
    if !tick.is_multiple_of(GHOSTS_EVERY) {
        return;
    }
    let looks: Vec<Look> = agents
        .iter()
        .filter(|(_, _, transform, ..)| border.beyond(plane.to_plane(transform.translation)) > -border.sight)
        .map(|(id, agent, transform, velocity, groups)| Look {
            id: *id,
            translation: transform.translation,
            velocity: velocity.0,
            radius: agent.radius,
            max_speed: agent.max_speed,
            groups: groups.copied(),
        })
        .collect();
    for looks in looks.chunks(GHOSTS_AT_ONCE) {
        post(&mut link, types.fingerprint, &Message::Ghosts { tick, ghosts: looks.to_vec() });
    }
}

//! The server's side: updates, and which agents each client sees.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_replicon::prelude::*;
use bevy_replicon::server::increment_tick;
use bevy_replicon::server::visibility::client_visibility::ClientVisibility;
use bevy_replicon::server::visibility::filters_mask::FilterBit;
use bevy_replicon::server::visibility::registry::FilterRegistry;
use bevy_replicon::shared::replication::registry::ReplicationRegistry;
use bevy_replicon_renet::{RenetSend, RepliconRenetPlugins};
use bevy_steerling::prelude::*;

use crate::seen::{self, LookAt, Seen};

/// An agent in view stays visible until it is farther away than the radius multiplied by this, so that it does not come and go.
pub const STAYS_VISIBLE: f32 = 1.1;

/// Sends agents with [`Seen`] to clients. Add it after Bevy's `StatesPlugin` and the `SteeringPlugin`, which steers in `FixedUpdate`.
#[derive(Clone, Copy, Debug)]
pub struct SteeringServerPlugin {
    /// The number of fixed ticks between two updates, at least 1.
    pub ticks_per_update: u32,
    /// The largest radius of a client's view, units. Clients see all agents if it is `None`.
    pub interest: Option<f32>,
}

impl Plugin for SteeringServerPlugin {
    fn build(&self, app: &mut App) {
        let every = self.ticks_per_update.max(1);
        let is_due = move |mut ticks: Local<u32>| {
            *ticks += 1;
            ticks.is_multiple_of(every)
        };
        app.add_plugins((
            RepliconPlugins.set(ServerPlugin { tick_schedule: None, ..default() }),
            RepliconRenetPlugins,
            seen::plugin,
        ))
        .register_required_components::<Seen, Replicated>()
        .init_resource::<Spent>()
        .add_systems(
            FixedUpdate,
            (
                (|mut spent: ResMut<Spent>| spent.start()).before(RunSteeringSystems),
                (|mut spent: ResMut<Spent>| spent.stop_steering()).after(RunSteeringSystems),
            ),
        )
        .add_systems(
            FixedPostUpdate,
            (
                |mut spent: ResMut<Spent>| spent.start(),
                see,
                limit_views.run_if(resource_exists::<Interest>),
                increment_tick,
                |mut spent: ResMut<Spent>| spent.updates += 1,
                |mut spent: ResMut<Spent>| spent.stop_replication(),
            )
                .chain()
                .run_if(in_state(ServerState::Running).and_then(is_due)),
        )
        .add_systems(
            PostUpdate,
            (
                (|mut spent: ResMut<Spent>| spent.start()).before(ServerSystems::Send),
                (|mut spent: ResMut<Spent>| spent.stop_replication()).after(RenetSend),
            ),
        );
        if let Some(max_radius) = self.interest {
            let bit = app.world_mut().resource_scope(|world, mut filters: Mut<FilterRegistry>| {
                world.resource_scope(|world, mut registry: Mut<ReplicationRegistry>| {
                    filters.register_scope::<Entity>(world, &mut registry, ScopeLifetime::WhileVisible)
                })
            });
            app.insert_resource(Interest { max_radius, bit }).add_observer(look_at);
        }
    }
}

/// The limit of what clients see.
#[derive(Resource)]
struct Interest {
    max_radius: f32,
    bit: FilterBit,
}

/// What a client looks at. A client without it sees nothing.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    /// The middle of the view, units.
    pub center: Vec2,
    /// How far the client sees, units.
    pub radius: f32,
}

/// How long the parts of the server's work took.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Spent {
    started: Option<Instant>,
    /// The time of all steering.
    pub steering: Duration,
    /// The time of all updates: deciding who sees what, writing messages and sending them.
    pub replication: Duration,
    /// The number of ticks.
    pub ticks: u32,
    /// The number of updates.
    pub updates: u32,
}

impl Spent {
    fn start(&mut self) {
        self.started = Some(Instant::now());
    }

    fn stop_steering(&mut self) {
        self.steering += self.started.take().map_or(Duration::ZERO, |start| start.elapsed());
        self.ticks += 1;
    }

    fn stop_replication(&mut self) {
        self.replication += self.started.take().map_or(Duration::ZERO, |start| start.elapsed());
    }
}

/// Writes what clients see. Agents that stand still do not count as changed.
fn see(mut agents: Query<(&Transform, &Velocity, &mut Seen)>, plane: Res<SteeringPlane>) {
    for (transform, velocity, mut seen) in &mut agents {
        seen.set_if_neq(Seen::new(plane.to_plane(transform.translation), velocity.0));
    }
}

fn look_at(look: On<FromClient<LookAt>>, mut commands: Commands, interest: Res<Interest>) {
    let LookAt { center, radius } = look.message;
    // Clients may send anything.
    if let ClientId::Client(client) = look.client_id
        && center.is_finite()
    {
        // Nothing is in view if it is NaN.
        let radius = if radius > 0.0 { radius.min(interest.max_radius) } else { 0.0 };
        commands.entity(client).try_insert(Viewpoint { center, radius });
    }
}

/// Shows each client the agents in its view.
fn limit_views(
    mut clients: Query<(&mut ClientVisibility, Option<&Viewpoint>)>,
    agents: Query<(Entity, &Transform), With<Seen>>,
    interest: Res<Interest>,
    plane: Res<SteeringPlane>,
    bounds: Res<SteeringBounds>,
) {
    let space = bounds.space();
    for (mut visibility, viewpoint) in &mut clients {
        for (agent, transform) in &agents {
            let is_in_view = viewpoint.is_some_and(|viewpoint| {
                let distance = space.displacement(viewpoint.center, plane.to_plane(transform.translation)).length();
                let was_hidden = visibility.get(agent).contains(interest.bit);
                distance <= viewpoint.radius * if was_hidden { 1.0 } else { STAYS_VISIBLE }
            });
            visibility.set(agent, interest.bit, is_in_view);
        }
    }
}

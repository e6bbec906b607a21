//! A server and its clients.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy::time::TimeUpdateStrategy;
use bevy_replicon::prelude::*;
use bevy_replicon_renet::RenetClient;
use bevy_steerling::agent::random::SteeringRng;
use bevy_steerling::prelude::*;
use steerling_replication::client::{Shown, SteeringClientPlugin};
use steerling_replication::net::{connect, start_server};
use steerling_replication::seen::{Kind, LookAt, Seen};
use steerling_replication::server::{STAYS_VISIBLE, SteeringServerPlugin};

const TICK: Duration = Duration::from_micros(15_625);
const SIZE: f32 = 1000.0;
const SPEED: f32 = 80.0;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, StatesPlugin)).insert_resource(TimeUpdateStrategy::ManualDuration(TICK));
    app
}

fn server(agents: u64, interest: Option<f32>) -> (App, SocketAddr) {
    let mut app = app();
    app.add_plugins((SteeringPlugin::default(), SteeringServerPlugin { ticks_per_update: 4, interest }))
        .insert_resource(SteeringBounds::bounce(Vec2::splat(-0.5 * SIZE), Vec2::splat(0.5 * SIZE)));
    app.finish();
    app.cleanup();
    let address = start_server(&mut app, 8).expect("a socket");
    (0..agents).for_each(|id| spawn(&mut app, id));
    app.update();
    (app, address)
}

fn spawn(server: &mut App, id: u64) {
    let mut dice = SteeringRng::new(SteeringSeed(1), SteeringId::new(id), 70);
    let place = (Vec2::new(dice.uniform(), dice.uniform()) - 0.5) * SIZE;
    let body = SteeringAgent { max_speed: SPEED, ..default() };
    let looks = (Seen::default(), Kind((id % 3) as u8));
    let behaviors = (Wander::default(), AvoidNeighbors::default());
    server.world_mut().spawn((
        SteeringId::new(id),
        body,
        looks,
        behaviors,
        Transform::from_translation(place.extend(0.0)),
    ));
}

fn client(server: SocketAddr, id: u64) -> App {
    let mut app = app();
    app.add_plugins(SteeringClientPlugin);
    app.finish();
    app.cleanup();
    connect(&mut app, server, id).expect("a socket");
    app
}

fn run(server: &mut App, clients: &mut [App], ticks: usize) {
    for _ in 0..ticks {
        server.update();
        clients.iter_mut().for_each(App::update);
    }
}

fn run_until_connected(server: &mut App, clients: &mut [App]) {
    for _ in 0..500 {
        run(server, clients, 1);
        if clients.iter().all(|client| client.world().resource::<RenetClient>().is_connected()) {
            return run(server, clients, 20);
        }
    }
    panic!("a client cannot connect");
}

fn look(client: &mut App, center: Vec2, radius: f32) {
    client.world_mut().client_trigger(LookAt { center, radius });
}

/// Where all agents are.
fn truth(server: &mut App) -> BTreeMap<u64, (u8, Vec2)> {
    let world = server.world_mut();
    let mut agents = world.query_filtered::<(&SteeringId, &Kind, &Transform), With<SteeringAgent>>();
    agents.iter(world).map(|(id, kind, transform)| (id.get(), (kind.0, transform.translation.truncate()))).collect()
}

/// What a client knows, and where it shows it.
fn known(client: &mut App) -> BTreeMap<u64, (u8, Vec2, Vec2)> {
    let world = client.world_mut();
    let mut agents = world.query_filtered::<(&SteeringId, &Kind, &Seen, &Shown), With<Remote>>();
    let all: Vec<_> = agents
        .iter(world)
        .map(|(id, kind, seen, shown)| (id.get(), (kind.0, seen.position(), shown.position)))
        .collect();
    let by_id: BTreeMap<_, _> = all.iter().copied().collect();
    assert_eq!(by_id.len(), all.len(), "an agent is there twice");
    // Nothing else has been spawned by the server.
    let mut remote = world.query_filtered::<(), With<Remote>>();
    assert_eq!(remote.iter(world).count(), all.len());
    by_id
}

/// Makes all agents stand still, or go on.
fn freeze(server: &mut App, freezes: bool) {
    let world = server.world_mut();
    let mut agents = world.query_filtered::<Entity, With<SteeringAgent>>();
    let agents: Vec<Entity> = agents.iter(world).collect();
    for agent in agents {
        let mut agent = world.entity_mut(agent);
        if freezes {
            agent.insert((ExternalMovement, Velocity::default()));
        } else {
            agent.remove::<ExternalMovement>();
        }
    }
}

/// What a client with this view knows is what is there, up to these distances, units.
fn compare(server: &mut App, client: &mut App, view: (Vec2, f32), moved: f32, tolerance: f32) {
    let (truth, known) = (truth(server), known(client));
    for (id, (kind, position)) in &truth {
        let distance = position.distance(view.0);
        match known.get(id) {
            Some((known_kind, seen, shown)) => {
                assert!(distance <= view.1 * STAYS_VISIBLE + moved, "knows agent {id} at {distance}");
                assert_eq!(known_kind, kind);
                let errors = [seen.distance(*position), shown.distance(*position)];
                assert!(errors.iter().all(|error| *error <= tolerance), "agent {id}: {errors:?}");
            }
            None => assert!(distance > view.1 - moved, "does not know agent {id} at {distance}"),
        }
    }
    assert!(known.keys().all(|id| truth.contains_key(id)), "knows somebody who is gone");
}

#[test]
fn clients_know_what_is_in_view_and_nothing_else() {
    let (mut server, address) = server(150, Some(400.0));
    let mut clients = [1, 2, 3].map(|id| client(address, id));
    run_until_connected(&mut server, &mut clients);
    // A client that has not looked at anything sees nothing.
    assert!(clients.iter_mut().all(|client| known(client).is_empty()));
    let mut dice = SteeringRng::new(SteeringSeed(2), SteeringId::new(0), 71);
    let mut next = 150;
    let mut seen = 0;
    for _ in 0..12 {
        let views =
            [(); 3].map(|()| ((Vec2::new(dice.uniform(), dice.uniform()) - 0.5) * SIZE, 50.0 + 250.0 * dice.uniform()));
        for (client, (center, radius)) in clients.iter_mut().zip(views) {
            look(client, center, radius);
        }
        // Agents come and go.
        for _ in 0..5 {
            spawn(&mut server, next);
            let world = server.world_mut();
            let mut agents = world.query::<(Entity, &SteeringId)>();
            let oldest = agents.iter(world).find(|(_, id)| id.get() == next - 140).map(|(agent, _)| agent);
            if let Some(agent) = oldest {
                world.despawn(agent);
            }
            next += 1;
        }
        run(&mut server, &mut clients, 12);
        for _ in 0..40 {
            run(&mut server, &mut clients, 1);
            for (client, view) in clients.iter_mut().zip(views) {
                // As far as an agent goes in two updates.
                compare(&mut server, client, view, 0.13 * SPEED, 0.2 * SPEED);
            }
        }
        freeze(&mut server, true);
        run(&mut server, &mut clients, 80);
        for (client, view) in clients.iter_mut().zip(views) {
            compare(&mut server, client, view, Seen::STEP, Seen::STEP);
        }
        freeze(&mut server, false);
        seen += clients.iter_mut().map(|client| known(client).len()).sum::<usize>();
    }
    assert!(seen > 200, "{seen} agents");
}

#[test]
fn one_joins_late_and_one_leaves() {
    let (mut server, address) = server(100, None);
    let mut clients: Vec<App> = [1, 2].map(|id| client(address, id)).into();
    run_until_connected(&mut server, &mut clients);
    let everywhere = (Vec2::ZERO, 10.0 * SIZE);
    run(&mut server, &mut clients, 200);
    let entities = |server: &mut App| server.world_mut().query::<Entity>().iter(server.world()).count();
    let with_two = entities(&mut server);

    clients.push(client(address, 3));
    run_until_connected(&mut server, &mut clients);
    assert!(entities(&mut server) > with_two);
    freeze(&mut server, true);
    run(&mut server, &mut clients, 80);
    for client in &mut clients {
        compare(&mut server, client, everywhere, 0.0, Seen::STEP);
        assert_eq!(known(client).len(), 100);
    }
    freeze(&mut server, false);

    let mut leaving = clients.remove(0);
    leaving.world_mut().resource_mut::<RenetClient>().disconnect();
    run(&mut server, std::slice::from_mut(&mut leaving), 20);
    run(&mut server, &mut clients, 50);
    let world = server.world_mut();
    assert_eq!(world.query::<&ConnectedClient>().iter(world).count(), 2);
    assert_eq!(entities(&mut server), with_two);
    freeze(&mut server, true);
    run(&mut server, &mut clients, 80);
    for client in &mut clients {
        compare(&mut server, client, everywhere, 0.0, Seen::STEP);
    }
}

#[test]
fn a_view_is_limited_whatever_a_client_asks_for() {
    let (mut server, address) = server(100, Some(150.0));
    let mut clients = [client(address, 1)];
    run_until_connected(&mut server, &mut clients);
    for (center, radius) in [(Vec2::ZERO, 1e9), (Vec2::NAN, 100.0), (Vec2::ZERO, f32::INFINITY)] {
        look(&mut clients[0], center, radius);
        freeze(&mut server, true);
        run(&mut server, &mut clients, 80);
        compare(&mut server, &mut clients[0], (Vec2::ZERO, 150.0), Seen::STEP, Seen::STEP);
        freeze(&mut server, false);
    }
    look(&mut clients[0], Vec2::ZERO, f32::NAN);
    run(&mut server, &mut clients, 80);
    assert!(known(&mut clients[0]).is_empty());
}

//! A server steers 2,000 agents, and four clients in processes of their own see them: once all of them, once those in view. The last client
//! joins late, and the first one leaves.
//!
//! `cargo run --example server_and_clients [SECONDS]`

use std::error::Error;
use std::net::SocketAddr;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_replicon::prelude::*;
use bevy_replicon::shared::backend::connected_client::NetworkId;
use bevy_steerling::agent::random::SteeringRng;
use bevy_steerling::prelude::*;
use serde::{Deserialize, Serialize};
use steerling_replication::client::SteeringClientPlugin;
use steerling_replication::net::{connect, start_server};
use steerling_replication::seen::{Kind, LookAt, Seen};
use steerling_replication::server::{Spent, SteeringServerPlugin, Viewpoint};

const AGENTS: u64 = 2000;
const CLIENTS: u64 = 4;
/// The world is a square, units.
const SIZE: f32 = 3000.0;
const RADIUS: f32 = 400.0;
const TICKS_PER_SECOND: f64 = 32.0;
const TICKS_PER_UPDATE: u32 = 3;

/// What a client tells the server: how many agents it knows, and how many bytes and messages about agents it has received, since when.
#[derive(Event, Component, Clone, Copy, Serialize, Deserialize)]
struct Known {
    agents: u32,
    bytes: usize,
    messages: usize,
    seconds: f32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [role, address, id, seconds] = &arguments[..]
        && role == "client"
    {
        return client(address.parse()?, id.parse()?, seconds.parse()?);
    }
    let seconds = arguments.first().map_or(Ok(12.0), |seconds| seconds.parse())?;
    for interest in [None, Some(RADIUS)] {
        server(interest, seconds)?;
    }
    Ok(())
}

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, StatesPlugin));
    app
}

fn client(server: SocketAddr, id: u64, seconds: f32) -> Result<(), Box<dyn Error>> {
    let mut app = app();
    app.add_plugins(SteeringClientPlugin)
        .init_resource::<ClientReplicationStats>()
        .add_client_event::<Known>(Channel::Ordered);
    app.finish();
    app.cleanup();
    connect(&mut app, server, id)?;
    let angle = std::f32::consts::TAU * id as f32 / CLIENTS as f32;
    let center = Vec2::from_angle(angle) * 0.25 * SIZE;
    let start = Instant::now();
    let mut frames = 0;
    while start.elapsed().as_secs_f32() < seconds {
        app.update();
        frames += 1;
        if frames % 30 == 0 {
            let world = app.world_mut();
            let agents = world.query::<&Seen>().iter(world).count() as u32;
            let ClientReplicationStats { bytes, messages, .. } = *world.resource::<ClientReplicationStats>();
            world.client_trigger(LookAt { center, radius: RADIUS });
            world.client_trigger(Known { agents, bytes, messages, seconds: start.elapsed().as_secs_f32() });
        }
        std::thread::sleep(Duration::from_millis(15));
    }
    app.world_mut().resource_mut::<bevy_replicon_renet::RenetClient>().disconnect();
    app.update();
    Ok(())
}

fn spawn_agents(app: &mut App) {
    let mut dice = SteeringRng::new(SteeringSeed(1), SteeringId::new(0), 1);
    let mut place = || ((Vec2::new(dice.uniform(), dice.uniform()) - 0.5) * SIZE).extend(0.0);
    for _ in 0..60 {
        app.world_mut().spawn((Obstacle::new(Circle::new(40.0)), Transform::from_translation(place())));
    }
    for id in 0..AGENTS {
        let behaviors = (Wander::default(), AvoidNeighbors::default(), AvoidObstacles::default());
        let looks = (Seen::default(), Kind((id % 4) as u8));
        app.world_mut().spawn((SteeringId::new(id), behaviors, looks, Transform::from_translation(place())));
    }
}

fn server(interest: Option<f32>, seconds: f32) -> Result<(), Box<dyn Error>> {
    let mut app = app();
    app.add_plugins((SteeringPlugin::default(), SteeringServerPlugin { ticks_per_update: TICKS_PER_UPDATE, interest }))
        .add_client_event::<Known>(Channel::Ordered)
        .insert_resource(Time::<Fixed>::from_hz(TICKS_PER_SECOND))
        .insert_resource(SteeringBounds::bounce(Vec2::splat(-0.5 * SIZE), Vec2::splat(0.5 * SIZE)))
        .add_observer(|known: On<FromClient<Known>>, mut commands: Commands| {
            if let ClientId::Client(client) = known.client_id {
                commands.entity(client).try_insert(known.message);
            }
        });
    app.finish();
    app.cleanup();
    let address = start_server(&mut app, CLIENTS as usize)?;
    spawn_agents(&mut app);
    match interest {
        Some(radius) => println!("\nClients see agents within {radius} units:\n"),
        None => println!("\nClients see all agents:\n"),
    }
    println!("| second | client | knows | in view | kB/s | messages/s |\n|---|---|---|---|---|---|");
    let start = Instant::now();
    let (mut steering, mut replication) = (Vec::new(), Vec::new());
    let mut children = Children::default();
    let mut second = 0;
    while start.elapsed().as_secs_f32() < seconds {
        let before = *app.world().resource::<Spent>();
        app.update();
        let after = app.world().resource::<Spent>();
        if after.ticks == before.ticks + 1 {
            steering.push((after.steering - before.steering).as_secs_f64());
        }
        if after.updates == before.updates + 1 {
            replication.push((after.replication - before.replication).as_secs_f64());
        }
        let now = start.elapsed().as_secs_f32();
        // The first one leaves after three quarters of the time, the last one joins after a quarter.
        children.start(now, 0.0, 0..CLIENTS - 1, address, |id| seconds * if id == 0 { 0.75 } else { 1.0 })?;
        children.start(now, 0.25 * seconds, CLIENTS - 1..CLIENTS, address, |_| 0.75 * seconds)?;
        if now < seconds && now as u32 > second {
            second = now as u32;
            if second.is_multiple_of(3) {
                print_clients(&mut app, second);
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    print_clients(&mut app, seconds as u32);
    let [steering, replication] = [steering, replication].map(|mut times: Vec<f64>| {
        times.sort_unstable_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(0.0) * 1e3
    });
    println!("\nmedian: {steering:.2} ms for the steering of a tick, {replication:.2} ms for an update of all clients");
    println!("{} ticks in {seconds} s", app.world().resource::<Spent>().ticks);
    Ok(())
}

/// The processes of the clients.
#[derive(Default)]
struct Children(Vec<Child>);

impl Children {
    /// Starts these clients if it is time and they do not run yet.
    fn start(
        &mut self,
        now: f32,
        time: f32,
        ids: std::ops::Range<u64>,
        server: SocketAddr,
        seconds: impl Fn(u64) -> f32,
    ) -> Result<(), Box<dyn Error>> {
        if now >= time && self.0.len() as u64 == ids.start {
            for id in ids {
                let program = std::env::current_exe()?;
                let arguments = ["client".to_owned(), server.to_string(), id.to_string(), seconds(id).to_string()];
                self.0.push(Command::new(program).args(arguments).spawn()?);
            }
        }
        Ok(())
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // It may have ended by itself.
            _ = child.kill();
            _ = child.wait();
        }
    }
}

fn print_clients(app: &mut App, second: u32) {
    let world = app.world_mut();
    let mut agents = world.query_filtered::<&Transform, With<Seen>>();
    let places: Vec<Vec2> = agents.iter(world).map(|transform| transform.translation.truncate()).collect();
    let mut clients = world.query::<(&NetworkId, &Known, Option<&Viewpoint>)>();
    let mut rows: Vec<(u64, String)> = Vec::new();
    for (id, known, viewpoint) in clients.iter(world) {
        let in_view = viewpoint.map_or(places.len(), |view| {
            places.iter().filter(|place| place.distance(view.center) <= view.radius).count()
        });
        let [rate, messages] = [known.bytes, known.messages].map(|sum| sum as f32 / known.seconds);
        let counts = format!("{} | {} | {in_view}", id.get(), known.agents);
        rows.push((id.get(), format!("| {second} | {counts} | {:.1} | {messages:.0} |", rate / 1e3)));
    }
    rows.sort_unstable();
    rows.iter().for_each(|(_, row)| println!("{row}"));
}

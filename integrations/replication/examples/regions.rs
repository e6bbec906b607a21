//! Two server processes steer one world, each a half of it, and hand agents to each other at the border. At the end, every agent is on
//! exactly one of them.
//!
//! `cargo run --example regions [SECONDS]`

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{BufRead, BufReader, Write, stdin};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_steerling::agent::random::SteeringRng;
use bevy_steerling::prelude::*;
use steerling_replication::handover::{Border, BorderPlugin, Ghost, Handovers, Link, ServerIds, UdpLink};

/// How many agents each server starts with.
const AGENTS: usize = 500;
/// Half of the world, units.
const HALF: Vec2 = Vec2::new(1200.0, 600.0);
/// For how long nobody is handed over at the end, so that all handovers arrive, seconds.
const QUIET: f32 = 1.0;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [role, number, seconds] = &arguments[..]
        && role == "server"
    {
        return server(number.parse()?, seconds.parse()?);
    }
    let seconds = arguments.first().map_or(Ok(20.0), |seconds| seconds.parse::<f32>())?;
    let mut servers = [start(0, seconds)?, start(1, seconds)?];
    let mut outputs = Vec::new();
    for server in &mut servers {
        outputs.push(BufReader::new(server.stdout.take().ok_or("no output")?).lines());
    }
    // Each server prints its address first, and reads that of the other.
    let addresses = [0, 1].map(|number: usize| outputs[number].next());
    for (server, other) in servers.iter_mut().zip(addresses.into_iter().rev()) {
        writeln!(server.stdin.take().ok_or("no input")?, "{}", other.ok_or("no address")??)?;
    }
    let mut all = Vec::new();
    for (number, lines) in outputs.into_iter().enumerate() {
        for line in lines {
            match line?.strip_prefix("agent ") {
                Some(id) => all.push(id.parse::<u64>()?),
                None => println!("server {number} ended too early"),
            }
        }
    }
    for server in &mut servers {
        server.wait()?;
    }
    let distinct: BTreeSet<u64> = all.iter().copied().collect();
    println!("{} agents at the start, {} at the end, {} of them different", 2 * AGENTS, all.len(), distinct.len());
    let is_right = all.len() == 2 * AGENTS && distinct == (0..2 * AGENTS as u64).collect();
    if is_right { Ok(()) } else { Err("an agent is lost or twice there".into()) }
}

fn start(number: u32, seconds: f32) -> std::io::Result<Child> {
    Command::new(std::env::current_exe()?)
        .args(["server".to_owned(), number.to_string(), seconds.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
}

fn server(number: u32, seconds: f32) -> Result<(), Box<dyn Error>> {
    let link = UdpLink::bind()?;
    println!("{}", link.address()?);
    let mut other = String::new();
    stdin().read_line(&mut other)?;
    let link = link.to(other.trim().parse()?);

    let outward = if number == 0 { Dir2::X } else { Dir2::NEG_X };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default(), BorderPlugin))
        .insert_resource(SteeringBounds::bounce(-HALF, HALF))
        .insert_resource(Border { point: Vec2::ZERO, outward, margin: 2.0, sight: 100.0 })
        .insert_resource(ServerIds::new(number, 2))
        .insert_resource(Link::new(link));
    app.finish();
    app.cleanup();
    spawn_agents(app.world_mut(), number);

    let start = Instant::now();
    while start.elapsed().as_secs_f32() < seconds {
        if start.elapsed().as_secs_f32() > seconds - QUIET {
            app.world_mut().resource_mut::<Border>().margin = f32::INFINITY;
        }
        app.update();
        std::thread::sleep(Duration::from_millis(4));
    }
    let world = app.world_mut();
    let ghosts = world.query::<&Ghost>().iter(world).count();
    let mut agents = world.query_filtered::<&SteeringId, (With<SteeringAgent>, Without<Ghost>)>();
    let ids: Vec<u64> = agents.iter(world).map(|id| id.get()).collect();
    let handovers = world.resource::<Handovers>();
    eprintln!(
        "server {number} steers {} agents, has given up {}, sees {ghosts} ghosts; {} handovers are on their way",
        ids.len(),
        handovers.given(),
        handovers.pending().count()
    );
    ids.iter().for_each(|id| println!("agent {id}"));
    Ok(())
}

fn spawn_agents(world: &mut World, number: u32) {
    let side = if number == 0 { -1.0 } else { 1.0 };
    let mut dice = SteeringRng::new(SteeringSeed(1), SteeringId::new(u64::from(number)), 1);
    for _ in 0..AGENTS {
        let id = world.resource_mut::<ServerIds>().take();
        let place = HALF * Vec2::new(side * dice.uniform(), 2.0 * dice.uniform() - 1.0);
        let behaviors = (Wander::default(), AvoidNeighbors::default());
        world.spawn((id, behaviors, Transform::from_translation(place.extend(0.0))));
    }
}

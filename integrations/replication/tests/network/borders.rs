//! Two servers with a border between their regions.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_steerling::agent::random::SteeringRng;
use bevy_steerling::prelude::*;
use steerling_replication::handover::{
    AgentState, Border, BorderPlugin, Ghost, Handovers, Link, ServerIds, TakenOver, UdpLink,
};

use crate::bad_link::BadLink;

const HALF: Vec2 = Vec2::new(300.0, 150.0);
const TICK: Duration = Duration::from_micros(15_625);

/// What a server has taken over in this tick, as it is after it was taken over, and who else was there.
#[derive(Resource, Default)]
struct Taken(Vec<(AgentState, BTreeSet<SteeringId>)>);

fn app(seed: u64) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(TICK))
        .insert_resource(SteeringSeed(seed))
        .insert_resource(SteeringBounds::bounce(-HALF, HALF));
    app
}

/// Two servers, one for the left half of the world and one for the right. The network between them is bad for so many ticks.
fn servers(seed: u64, sight: f32, share: f32, delay: f32, bad_for: u32) -> [App; 2] {
    let sockets = [0, 1].map(|_| UdpLink::bind().expect("a socket"));
    let addresses = [0, 1].map(|server: usize| sockets[server].address().expect("an address"));
    let mut sockets = sockets.into_iter();
    [0, 1].map(|server: usize| {
        let socket = sockets.next().expect("there are two").to(addresses[1 - server]);
        let link = BadLink::new(socket, 2 * seed + server as u64, share, delay, bad_for);
        let mut app = app(seed);
        let outward = if server == 0 { Dir2::X } else { Dir2::NEG_X };
        app.add_plugins(BorderPlugin)
            .insert_resource(Border { point: Vec2::ZERO, outward, margin: 2.0, sight })
            .insert_resource(Link::new(link))
            .insert_resource(ServerIds::new(server as u32, 2))
            .init_resource::<Taken>()
            .add_observer(|taken: On<TakenOver>, mut commands: Commands| {
                let agent = taken.entity;
                commands.queue(move |world: &mut World| {
                    let state = AgentState::of(world, agent).expect("an agent");
                    let there = world.query::<&SteeringId>().iter(world).copied().collect();
                    world.resource_mut::<Taken>().0.push((state, there));
                });
            });
        app.finish();
        app.cleanup();
        app.update();
        app
    })
}

/// The agents that a server steers.
fn steered(server: &mut App) -> BTreeMap<SteeringId, Entity> {
    let world = server.world_mut();
    let mut agents = world.query_filtered::<(&SteeringId, Entity), (With<SteeringAgent>, Without<Ghost>)>();
    let all: Vec<(SteeringId, Entity)> = agents.iter(world).map(|(id, agent)| (*id, agent)).collect();
    let by_id: BTreeMap<_, _> = all.iter().copied().collect();
    assert_eq!(by_id.len(), all.len(), "an agent is there twice");
    by_id
}

fn pending(server: &App) -> BTreeSet<SteeringId> {
    server.world().resource::<Handovers>().pending().map(AgentState::id).collect()
}

/// Agents with several behaviors on both sides.
fn spawn_crowd(servers: &mut [App; 2], seed: u64, count: usize) -> BTreeSet<SteeringId> {
    let mut dice = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 50);
    let mut ids = BTreeSet::new();
    for server in servers.iter_mut() {
        let side = if ids.is_empty() { -1.0 } else { 1.0 };
        let world = server.world_mut();
        world.spawn((Obstacle::new(Circle::new(20.0)), Transform::from_xyz(40.0, 20.0, 0.0)));
        let mut quarry: Option<Entity> = None;
        for number in 0..count {
            let id = world.resource_mut::<ServerIds>().take();
            let place = Vec2::new(side * HALF.x * (0.05 + 0.9 * dice.uniform()), HALF.y * (1.8 * dice.uniform() - 0.9));
            let all = (
                id,
                AvoidNeighbors::default(),
                AvoidObstacles::default(),
                Transform::from_translation(place.extend(0.0)),
            );
            let mut agent = world.spawn(all);
            let route = [Vec2::new(-200.0, 0.7 * place.y), Vec2::new(200.0, place.y), Vec2::new(0.0, -place.y)];
            match (number % 4, quarry) {
                (0, _) => _ = agent.insert(FollowPath::new(route).with_end(PathEnd::Loop)),
                (1, Some(quarry)) => _ = agent.insert((Pursue::new(quarry), SteeringEvents::default())),
                (2, _) => _ = agent.insert((Wander::default(), Arbitration::new(ArbitrationMode::Dithering))),
                _ => _ = agent.insert((Wander::default(), Flock::default(), Queue::default())),
            }
            quarry = Some(agent.id());
            ids.insert(id);
        }
    }
    ids
}

/// Nobody is lost, and nobody is steered by two servers.
fn check(servers: &mut [App; 2], ids: &BTreeSet<SteeringId>, tick: u32) {
    let [left, right] = servers;
    let steered = [steered(left), steered(right)].map(|agents| agents.into_keys().collect::<BTreeSet<SteeringId>>());
    let twice: Vec<_> = steered[0].intersection(&steered[1]).collect();
    assert!(twice.is_empty(), "tick {tick}: both steer {twice:?}");
    let there: BTreeSet<SteeringId> =
        steered.iter().flatten().copied().chain(pending(left)).chain(pending(right)).collect();
    assert_eq!(there, *ids, "tick {tick}");
}

#[test]
fn nobody_is_lost_and_nobody_is_there_twice_whatever_the_network_does() {
    const BAD: u32 = 1500;
    for (seed, share, delay) in [(1, 0.0, 0.0), (2, 0.1, 5.0), (3, 0.3, 20.0), (4, 0.45, 60.0)] {
        let mut servers = servers(seed, 60.0, share, delay, BAD);
        let ids = spawn_crowd(&mut servers, seed, 24);
        let (mut compared, mut lost_targets) = (0, 0);
        for tick in 0..BAD + 200 {
            for server in 0..2 {
                servers[server].update();
                let taken = std::mem::take(&mut servers[server].world_mut().resource_mut::<Taken>().0);
                for (state, there) in taken {
                    let handovers = servers[1 - server].world().resource::<Handovers>();
                    let given: Vec<&AgentState> =
                        handovers.pending().filter(|given| given.id() == state.id()).collect();
                    if given.iter().any(|given| given.references().any(|id| !there.contains(&id))) {
                        lost_targets += 1;
                        continue;
                    }
                    assert!(given.contains(&&state), "tick {tick}: another state");
                    compared += 1;
                }
            }
            check(&mut servers, &ids, tick);
        }
        // The network is good by now: nobody stays on the way for more than a few ticks.
        let is_at_rest = |servers: &[App; 2]| servers.iter().all(|server| pending(server).is_empty());
        let mut waited = 0;
        while !is_at_rest(&servers) {
            servers.iter_mut().for_each(App::update);
            waited += 1;
            assert!(waited < 100, "{:?}", pending(&servers[0]));
        }
        check(&mut servers, &ids, BAD + 200);
        let steering = servers.each_mut().map(|server| steered(server).len());
        assert_eq!(steering[0] + steering[1], ids.len());
        let given: u64 = servers.iter().map(|server| server.world().resource::<Handovers>().given()).sum();
        assert!(given > 30 && compared > 2 * lost_targets, "{given} given, {compared} compared, {lost_targets} not");
    }
}

/// The path of an agent, tick by tick.
fn path_of(id: SteeringId, world: &mut World) -> Option<Vec2> {
    let mut agents = world.query_filtered::<(&SteeringId, &Transform), Without<Ghost>>();
    agents.iter(world).find(|(other, _)| **other == id).map(|(_, transform)| transform.translation.truncate())
}

#[test]
fn an_agent_goes_on_as_if_there_were_no_border() {
    let walker = |id: SteeringId| {
        let route = [Vec2::new(-50.0, 0.0), Vec2::new(60.0, 30.0), Vec2::new(20.0, -60.0)];
        let path = FollowPath::new(route).with_end(PathEnd::Loop).with_weight(0.6);
        let place = Transform::from_xyz(-60.0, 0.0, 0.0);
        (id, Wander::default(), path, AvoidObstacles::default(), FaceVelocity::default().with_turn_rate(2.0), place)
    };
    for seed in 0..8 {
        let id = SteeringId::new(0);
        let mut whole = app(seed);
        whole.update();
        whole.world_mut().spawn(walker(id));
        let expected: Vec<Vec2> = (0..1200)
            .map(|_| {
                whole.update();
                path_of(id, whole.world_mut()).expect("it is there")
            })
            .collect();
        let mut servers = servers(seed, 60.0, 0.2, 5.0, u32::MAX);
        servers[0].world_mut().spawn(walker(id));
        let mut path = Vec::new();
        while path.len() < expected.len() {
            for server in &mut servers {
                let before = path_of(id, server.world_mut());
                server.update();
                // It is moved in the tick in which it is taken over, too.
                let after = path_of(id, server.world_mut()).or_else(|| {
                    before?;
                    given_up_at(id, server)
                });
                path.extend(after);
            }
        }
        path.truncate(expected.len());
        assert!(path == expected, "seed {seed}: {:?}", path.iter().zip(&expected).position(|(a, b)| a != b));
        assert!(servers[0].world().resource::<Handovers>().given() > 2);
    }
}

/// Where a server has given up an agent in this tick.
fn given_up_at(id: SteeringId, server: &mut App) -> Option<Vec2> {
    let world = server.world_mut();
    let mut ghosts = world.query_filtered::<(&SteeringId, &Transform), With<Ghost>>();
    ghosts.iter(world).find(|(other, _)| **other == id).map(|(_, transform)| transform.translation.truncate())
}

#[test]
fn agents_avoid_ghosts_across_the_border() {
    let closest = |sight: f32| {
        let mut servers = servers(5, sight, 0.1, 2.0, u32::MAX);
        let [left, right] = &mut servers;
        // One stands on the left; the other passes on the right, 10 units away: bodies of 8 units would touch.
        left.world_mut().spawn((SteeringId::new(0), SteeringAgent::default(), Transform::from_xyz(-5.0, 0.0, 0.0)));
        let goal = Arrive::new(Vec2::new(5.0, 120.0));
        let place = Transform::from_xyz(5.0, -120.0, 0.0);
        right.world_mut().spawn((SteeringId::new(1), goal, AvoidNeighbors::default(), place));
        let mut closest = f32::INFINITY;
        for _ in 0..300 {
            servers.iter_mut().for_each(App::update);
            if let Some(walker) = path_of(SteeringId::new(1), servers[1].world_mut()) {
                closest = closest.min(walker.distance(Vec2::new(-5.0, 0.0)));
            }
        }
        closest
    };
    assert!(closest(0.0) < 11.0, "{}", closest(0.0));
    assert!(closest(80.0) > 15.9, "{}", closest(80.0));
}

#[test]
fn nonsense_is_ignored() {
    let mut servers = servers(6, 60.0, 0.0, 0.0, 0);
    let ids = spawn_crowd(&mut servers, 6, 8);
    let mut dice = SteeringRng::new(SteeringSeed(6), SteeringId::new(0), 51);
    for tick in 0..300 {
        for server in &mut servers {
            // From the right sender, but any bytes.
            let nonsense: Vec<u8> =
                (0..(dice.uniform() * 60.0) as usize).map(|_| (dice.uniform() * 256.0) as u8).collect();
            server.world_mut().resource_mut::<Link>().0.send(&nonsense);
            server.update();
        }
        check(&mut servers, &ids, tick);
    }
}

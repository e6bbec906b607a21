//! Agents that start in a plane stay in it, and move there as those of `bevy_steerling` do.

use std::collections::BTreeSet;
use std::time::Duration;

use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use {bevy_steerling as flat, bevy_steerling_3d as deep};

/// How many kinds of behavior there are in [`insert`].
const KINDS: usize = 18;

const AGENTS: usize = 45;

/// The ground, as in `SteeringPlane::XZ`.
fn on_the_ground(place: Vec2) -> Vec3 {
    Vec3::new(place.x, 0.0, -place.y)
}

fn to_map(place: Vec3) -> Vec2 {
    Vec2::new(place.x, -place.z)
}

/// Gives an agent of the dimension the behavior of this number.
macro_rules! insert {
    ($dimension:ident, $agent:expr, $kind:expr, $target:expr, $to:expr) => {{
        use $dimension::prelude::*;
        let (agent, target, to): (&mut EntityWorldMut, Target, fn(Vec2) -> _) = ($agent, $target, $to);
        match $kind {
            0 => agent.insert(Seek::new(target)),
            1 => agent.insert(Flee::new(target).with_panic_distance(80.0)),
            2 => agent.insert(Arrive::new(target)),
            3 => agent.insert(Pursue::new(target).with_prediction(Prediction::Proportional)),
            4 => agent.insert(Evade::new(target).with_prediction(Prediction::Proportional)),
            5 => agent.insert(MatchVelocity::new(target)),
            6 => agent.insert(Separation::default()),
            7 => agent.insert(Alignment { max_neighbors: 3, ..default() }),
            8 => agent.insert(Cohesion::default()),
            9 => agent.insert(Flock::default()),
            10 => agent.insert(Interpose::new(target, to(Vec2::new(90.0, 120.0)))),
            11 => agent.insert(OffsetPursuit::new(target, OFFSET.extended())),
            12 => agent.insert(Knockback::new(to(Vec2::new(150.0, -60.0))).with_time_constant(2.0)),
            13 => agent.insert(Arbitration::new(ArbitrationMode::PrioritizedSum)),
            14 => agent.insert(AvoidNeighbors::default()),
            15 => agent.insert(FollowPath::new(PATH.map(to)).with_end(PathEnd::Loop)),
            16 => agent.insert(Solid::default()),
            _ => agent.insert(SteeringEvents::default().with_patience(0.5)),
        };
    }};
}

const PATH: [Vec2; 4] =
    [Vec2::new(60.0, 80.0), Vec2::new(320.0, 60.0), Vec2::new(300.0, 330.0), Vec2::new(90.0, 250.0)];

/// Ahead and to the left of the leader.
const OFFSET: Vec2 = Vec2::new(-20.0, 10.0);

trait Extended<V> {
    fn extended(self) -> V;
}

impl Extended<Vec2> for Vec2 {
    fn extended(self) -> Vec2 {
        self
    }
}

impl Extended<Vec3> for Vec2 {
    fn extended(self) -> Vec3 {
        self.extend(0.0)
    }
}

/// Numbers from 0 to 1.
fn numbers(seed: u64) -> impl FnMut() -> f32 {
    let mut random =
        flat::agent::random::SteeringRng::new(flat::prelude::SteeringSeed(seed), flat::agent::SteeringId::new(0), 0);
    move || random.uniform()
}

/// What happened since it was last read: the kind of event, who it is about, and what else it says.
#[derive(Resource, Default)]
struct Happened(Vec<(&'static str, Vec<Entity>, String)>);

impl Happened {
    fn note(&mut self, kind: &'static str, who: impl Into<Vec<Entity>>, what: impl ToString) {
        self.0.push((kind, who.into(), what.to_string()));
    }
}

/// Notes all events of an app.
macro_rules! note_events {
    ($dimension:ident, $app:expr) => {{
        use $dimension::prelude::*;
        let entity_of = |target: Target| match target {
            Target::Entity(entity) => vec![entity],
            Target::Point(_) | Target::Group(_) => vec![],
        };
        $app.init_resource::<Happened>()
            .add_observer(move |on: On<Arrived>, mut happened: ResMut<Happened>| {
                happened.note("Arrived", [vec![on.entity], entity_of(on.target)].concat(), on.behavior.short());
            })
            .add_observer(move |on: On<TargetLost>, mut happened: ResMut<Happened>| {
                happened.note("TargetLost", [on.entity], on.behavior.short());
            })
            .add_observer(|on: On<Caught>, mut happened: ResMut<Happened>| {
                happened.note("Caught", [on.entity, on.quarry], "");
            })
            .add_observer(|on: On<WaypointReached>, mut happened: ResMut<Happened>| {
                happened.note("WaypointReached", [on.entity], on.index);
            })
            .add_observer(|on: On<PathFinished>, mut happened: ResMut<Happened>| {
                happened.note("PathFinished", [on.entity], "");
            })
            .add_observer(|on: On<Stuck>, mut happened: ResMut<Happened>| happened.note("Stuck", [on.entity], ""))
            .add_observer(|on: On<Unstuck>, mut happened: ResMut<Happened>| happened.note("Unstuck", [on.entity], ""))
            .add_observer(|on: On<CollisionImminent>, mut happened: ResMut<Happened>| {
                happened.note("CollisionImminent", [on.entity, on.other], "");
            });
    }};
}

/// What happened since the last call, with the numbers of agents instead of entities.
fn happened(app: &mut App, agents: &[Entity]) -> Vec<(&'static str, Vec<Option<usize>>, String)> {
    let number = |entity: Entity| agents.iter().position(|agent| *agent == entity);
    let events = app.world_mut().resource_mut::<Happened>().0.split_off(0);
    events.into_iter().map(|(kind, who, what)| (kind, who.into_iter().map(number).collect(), what)).collect()
}

/// An app with a crowd in which each kind of behavior has somebody, together with others.
macro_rules! crowd {
    ($dimension:ident, $to:expr, $bounds:expr, $setup:expr) => {{
        use $dimension::prelude::*;
        let to: fn(Vec2) -> _ = $to;
        let mut app = App::new();
        app.add_plugins(SteeringPlugin::new(Update)).insert_resource(SteeringThreads::Single);
        app.insert_resource($bounds);
        note_events!($dimension, app);
        $setup(&mut app);
        app.finish();
        let mut random = numbers(1);
        let mut place = || Vec2::new(random(), random()) * 400.0;
        let world = app.world_mut();
        let agents: Vec<Entity> = (0..AGENTS)
            .map(|number| {
                let (place, velocity) = (place(), (place() - 200.0) * 0.3);
                let groups = SteeringGroups(GroupMask::from_bits(1 + (number % 3) as u32));
                let transform = Transform::from_translation(on_the_ground(place));
                let watched = (SteeringAgent::default(), SteeringEvents::default());
                world.spawn((watched, Velocity(to(velocity)), groups, transform)).id()
            })
            .collect();
        for (number, agent) in agents.iter().enumerate() {
            let target = match number % 3 {
                0 => Target::Group(GroupMask::bit(1)),
                1 => Target::Point(to(Vec2::new(350.0, 7.0 * number as f32))),
                _ => Target::Entity(agents[(number * 7 + 1) % AGENTS]),
            };
            for kind in [number % KINDS, (number * 4 + 7) % KINDS, (number * 8 + 3) % KINDS] {
                // An agent that is surrounded by a group flees in a random direction, which may lead out of the plane.
                let flees = matches!(kind, 1 | 4) && matches!(target, Target::Group(_));
                let target = if flees { Target::Entity(agents[(number + 1) % AGENTS]) } else { target };
                insert!($dimension, &mut world.entity_mut(*agent), kind, target, to);
            }
        }
        (app, agents)
    }};
}

/// The place and the velocity of an agent.
macro_rules! state {
    ($dimension:ident, $app:expr, $agent:expr) => {{
        let agent = $app.world().entity($agent);
        let place = agent.get::<Transform>().expect("agents have a place").translation;
        (place, agent.get::<$dimension::prelude::Velocity>().expect("agents have a velocity").0)
    }};
}

/// The agents of `bevy_steerling` move on the ground, too.
fn on_xz(app: &mut App) {
    app.insert_resource(flat::prelude::SteeringPlane::XZ);
}

/// Compares a tick at a time. What differs by more than rounding errors differs by more than `slack` times these limits. Returns the kinds
/// of events that occurred, the same in both.
fn compare([mut flat, mut deep]: [(App, Vec<Entity>); 2], slack: f32) -> BTreeSet<&'static str> {
    let (mut kinds, mut others) = (BTreeSet::new(), Vec::new());
    for tick in 0..300 {
        for (app, schedule) in [
            (&mut flat.0, flat::prelude::SteeringSchedule.intern()),
            (&mut deep.0, deep::prelude::SteeringSchedule.intern()),
        ] {
            app.world_mut().resource_mut::<Time>().advance_by(Duration::from_millis(20));
            app.world_mut().run_schedule(schedule);
            if tick == MEDDLING {
                meddle(app.world_mut());
            }
        }
        let events = happened(&mut flat.0, &flat.1);
        assert_eq!(happened(&mut deep.0, &deep.1), events, "tick {tick}");
        kinds.extend(events.iter().map(|(kind, ..)| *kind));
        for (number, (one, other)) in flat.1.iter().zip(&deep.1).enumerate() {
            let (place, velocity) = state!(flat, flat.0, *one);
            let (found, speed) = state!(deep, deep.0, *other);
            assert!(
                found.y.abs() < 1e-3 && speed.y.abs() < 1e-2,
                "agent {number} leaves the plane in tick {tick}: {found} {speed} {place} {velocity}"
            );
            let is_there = to_map(found).distance(to_map(place)) < 2e-3 * slack;
            if !is_there || to_map(speed).distance(velocity) >= slack * (0.02 + 1e-3 * velocity.length()) {
                others.push(format!("agent {number} in tick {tick}: {found}, {speed}, not {place}, {velocity}"));
            }
            // So that the differences do not grow.
            let mut agent = deep.0.world_mut().entity_mut(*other);
            agent.insert((Transform::from_translation(place), deep::prelude::Velocity(on_the_ground(velocity))));
        }
    }
    // Rounding may decide whether an agent in a dense crowd can satisfy all limits at once.
    assert!(others.len() <= 2, "{others:#?}");
    kinds
}

/// The tick after which targets vanish or move.
const MEDDLING: usize = 200;

/// A target without a body.
#[derive(Component)]
enum Post {
    Vanishes,
    MovesTo(Vec2),
}

fn meddle(world: &mut World) {
    let mut posts = world.query::<(Entity, &Post)>();
    let posts: Vec<_> = posts.iter(world).map(|(entity, post)| (entity, place_of(post))).collect();
    for (entity, place) in posts {
        match place {
            Some(place) => _ = world.entity_mut(entity).insert(Transform::from_translation(on_the_ground(place))),
            None => _ = world.despawn(entity),
        }
    }
}

fn place_of(post: &Post) -> Option<Vec2> {
    match *post {
        Post::Vanishes => None,
        Post::MovesTo(place) => Some(place),
    }
}

#[test]
fn agents_move_on_the_ground_as_those_of_the_plane_do() {
    let (low, high) = (Vec2::ZERO, Vec2::splat(400.0));
    let [low_3d, high_3d] = [Vec3::new(0.0, -50.0, -400.0), Vec3::new(400.0, 50.0, 0.0)];
    compare(
        [
            crowd!(flat, |place| place, SteeringBounds::bounce(low, high), on_xz),
            crowd!(deep, on_the_ground, SteeringBounds::bounce(low_3d, high_3d), |_: &mut App| {}),
        ],
        1.0,
    );
    compare(
        [
            crowd!(flat, |place| place, SteeringBounds::wrap(low, high), on_xz),
            crowd!(deep, on_the_ground, SteeringBounds::wrap(low_3d, high_3d), |_: &mut App| {}),
        ],
        1.0,
    );
}

/// The slots of formations: ahead of the anchor and to its left.
fn slots() -> [Vec<Vec2>; 3] {
    let numbers = || (0..12_u8).map(f32::from);
    let beside = |number: f32| if number % 2.0 < 1.0 { 10.0 * number + 20.0 } else { -10.0 * number - 10.0 };
    [
        numbers().map(|number| Vec2::new(0.0, beside(number))).collect(),
        numbers().map(|number| Vec2::new(-20.0 * (number + 1.0), 0.0)).collect(),
        numbers().map(|number| Vec2::from_angle(number) * (20.0 + 4.0 * number)).collect(),
    ]
}

/// An app with formations whose anchors follow a path that turns by up to a right angle. The members start near their slots, so that
/// rounding does not decide who gets which.
macro_rules! formations {
    ($dimension:ident, $to:expr, $setup:expr) => {{
        use $dimension::prelude::*;
        let to: fn(Vec2) -> _ = $to;
        let mut app = App::new();
        app.add_plugins(SteeringPlugin::new(Update)).insert_resource(SteeringThreads::Single);
        $setup(&mut app);
        app.finish();
        let mut random = numbers(2);
        app.init_resource::<Happened>();
        let mut agents = Vec::new();
        for (number, slots) in slots().into_iter().enumerate() {
            let pattern = match number {
                0 => Pattern::Line,
                1 => Pattern::Column,
                _ => Pattern::Places(slots.iter().map(|slot| slot.extended()).collect()),
            };
            let path = PATH.map(|point| Vec2::new(900.0 * number as f32, 0.0) + 2.0 * point);
            let ahead = (path[1] - path[0]).normalize();
            let start = |place: Vec2| Transform::from_translation(on_the_ground(path[0] + ahead.rotate(place)));
            let body = SteeringAgent { max_speed: 60.0, radius: 5.0, ..default() };
            let follow = FollowPath::new(path.map(to)).with_end(PathEnd::Loop);
            let formation = Formation::new(pattern).with_spacing(20.0);
            let moving = Velocity(to(ahead));
            let anchor = app.world_mut().spawn((formation, follow, body.clone(), moving, start(Vec2::ZERO))).id();
            agents.push(anchor);
            for slot in slots {
                let place = start(slot + Vec2::new(random() - 0.5, random() - 0.5) * 8.0);
                let body = SteeringAgent { max_speed: 100.0, ..body.clone() };
                agents.push(app.world_mut().spawn((InFormation(anchor), body, place)).id());
            }
        }
        (app, agents)
    }};
}

#[test]
fn formations_move_on_the_ground_as_those_of_the_plane_do() {
    // The frames of formations keep their own rounding errors.
    compare([formations!(flat, |place| place, on_xz), formations!(deep, on_the_ground, |_: &mut App| {})], 2.0);
}

/// An app in which everything happens that there is an event for.
macro_rules! eventful {
    ($dimension:ident, $to:expr, $bounds:expr, $setup:expr) => {{
        use $dimension::prelude::*;
        let to: fn(Vec2) -> _ = $to;
        let mut app = App::new();
        app.add_plugins(SteeringPlugin::new(Update)).insert_resource(SteeringThreads::Single);
        app.insert_resource($bounds);
        note_events!($dimension, app);
        $setup(&mut app);
        app.finish();
        let world = app.world_mut();
        let at = |x: f32, y: f32| Transform::from_translation(on_the_ground(Vec2::new(x, y)));
        let agent = |x: f32, y: f32| (SteeringAgent::default(), SteeringEvents::default(), at(x, y));
        let lost = world.spawn((Post::Vanishes, at(380.0, 20.0))).id();
        let beyond = world.spawn((Post::MovesTo(Vec2::new(200.0, 300.0)), at(200.0, 900.0))).id();
        let slow = SteeringAgent { max_speed: 20.0, ..default() };
        let ahead = Velocity(to(Vec2::new(0.0, 20.0)));
        let quarry = world.spawn((slow, ahead, SteeringEvents::default(), at(300.0, 100.0))).id();
        let agents = vec![
            world.spawn((agent(20.0, 20.0), Arrive::new(to(Vec2::new(90.0, 40.0))))).id(),
            world.spawn((agent(40.0, 90.0), Arrive::new(lost))).id(),
            world.spawn((agent(150.0, 110.0), Pursue::new(quarry))).id(),
            quarry,
            // Past its target, which is beyond the edge until it moves.
            world.spawn((agent(200.0, 350.0), Seek::new(beyond))).id(),
            world
                .spawn((
                    agent(60.0, 200.0),
                    FollowPath::new([[60.0, 200.0], [90.0, 250.0], [120.0, 220.0]].map(|point| to(point.into()))),
                ))
                .id(),
            // Two that run into each other.
            world.spawn((agent(20.0, 300.0), Seek::new(to(Vec2::new(150.0, 300.0))))).id(),
            world.spawn((agent(150.0, 305.0), Seek::new(to(Vec2::new(20.0, 305.0))))).id(),
        ];
        (app, agents)
    }};
}

#[test]
fn events_on_the_ground_are_those_of_the_plane() {
    let (low, high) = (Vec2::ZERO, Vec2::splat(400.0));
    let [low_3d, high_3d] = [Vec3::new(0.0, -50.0, -400.0), Vec3::new(400.0, 50.0, 0.0)];
    let kinds = compare(
        [
            eventful!(flat, |place| place, SteeringBounds::bounce(low, high), on_xz),
            eventful!(deep, on_the_ground, SteeringBounds::bounce(low_3d, high_3d), |_: &mut App| {}),
        ],
        1.0,
    );
    let all =
        ["Arrived", "Caught", "CollisionImminent", "PathFinished", "Stuck", "TargetLost", "Unstuck", "WaypointReached"];
    assert_eq!(kinds, all.into());
}

//! Agents that start in a plane stay in it, and move there as those of `bevy_steerling` do.

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
            _ => agent.insert(SteeringEvents::default()),
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

/// An app with a crowd in which each kind of behavior has somebody, together with others.
macro_rules! crowd {
    ($dimension:ident, $to:expr, $bounds:expr, $setup:expr) => {{
        use $dimension::prelude::*;
        let to: fn(Vec2) -> _ = $to;
        let mut app = App::new();
        app.add_plugins(SteeringPlugin::new(Update)).insert_resource(SteeringThreads::Single);
        app.insert_resource($bounds);
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
                world.spawn((SteeringAgent::default(), Velocity(to(velocity)), groups, transform)).id()
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

/// Compares a tick at a time. What differs by more than rounding errors differs by more than `slack` times these limits.
fn compare([mut flat, mut deep]: [(App, Vec<Entity>); 2], slack: f32) {
    for tick in 0..300 {
        for (app, schedule) in [
            (&mut flat.0, flat::prelude::SteeringSchedule.intern()),
            (&mut deep.0, deep::prelude::SteeringSchedule.intern()),
        ] {
            app.world_mut().resource_mut::<Time>().advance_by(Duration::from_millis(20));
            app.world_mut().run_schedule(schedule);
        }
        for (number, (one, other)) in flat.1.iter().zip(&deep.1).enumerate() {
            let (place, velocity) = state!(flat, flat.0, *one);
            let (found, speed) = state!(deep, deep.0, *other);
            assert!(
                found.y.abs() < 1e-3 && speed.y.abs() < 1e-2,
                "agent {number} leaves the plane in tick {tick}: {found} {speed} {place} {velocity}"
            );
            let context = format!("agent {number} in tick {tick}: {found}, {speed}, not {place}, {velocity}");
            assert!(to_map(found).distance(to_map(place)) < 2e-3 * slack, "{context}");
            assert!(to_map(speed).distance(velocity) < slack * (0.02 + 1e-3 * velocity.length()), "{context}");
            // So that the differences do not grow.
            let mut agent = deep.0.world_mut().entity_mut(*other);
            agent.insert((Transform::from_translation(place), deep::prelude::Velocity(on_the_ground(velocity))));
        }
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

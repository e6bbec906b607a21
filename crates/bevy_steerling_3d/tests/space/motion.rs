//! Motion, neighbors and facing.

use std::collections::HashSet;
use std::f32::consts::{FRAC_PI_2, PI, TAU};
use std::sync::{Condvar, Mutex};
use std::thread::{self, ThreadId};

use bevy::math::ops;
use bevy_steerling_3d::perception::interception::Interceptor;

use super::*;

/// A school with all behaviors, in the order of `ids`.
pub fn school(app: &mut App, ids: &[u64]) -> Vec<Entity> {
    let quarry = app.world_mut().spawn((SteeringAgent::default(), SteeringId::new(1_000_000))).id();
    app.world_mut().entity_mut(quarry).insert((Wander::default(), SteeringGroups(GroupMask::bit(1))));
    ids.iter()
        .map(|id| {
            let mut random = numbers(*id);
            let place = Transform::from_translation(vector(&mut random, 300.0));
            let body = (SteeringId::new(*id), Velocity(vector(&mut random, 100.0)), place);
            let mut agent = app.world_mut().spawn((SteeringAgent::default(), body));
            agent.insert((Flock::default(), Wander::default(), FaceVelocity::default()));
            match id % 6 {
                0 => agent.insert(Pursue::new(quarry)),
                1 => agent.insert(Separation::default()),
                2 => agent.insert((Alignment::default(), Cohesion::default())),
                3 => agent.insert(Evade::new(Target::Group(GroupMask::bit(1)))),
                4 => agent.insert((OffsetPursuit::new(quarry, Vec3::new(-20.0, 10.0, 5.0)), SteeringTrace::default())),
                _ => agent.insert((Arrive::new(Vec3::ONE), Arbitration::new(ArbitrationMode::Dithering))),
            };
            agent.id()
        })
        .collect()
}

/// The threads that have met.
#[derive(Resource, Default)]
struct Meeting {
    present: Mutex<HashSet<ThreadId>>,
    somebody_came: Condvar,
}

/// Waits for a second thread that processes agents, if there is a [`Meeting`].
#[derive(Component)]
#[require(SteeringAgent)]
struct Meet;

impl SteeringBehavior for Meet {
    type State = Stateless;
    type Param = Option<Res<'static, Meeting>>;

    fn wish(&self, _: &mut Stateless, _: &Agent, meeting: &SystemParamItem<Self::Param>) -> Wish {
        if let Some(meeting) = meeting {
            let mut present = meeting.present.lock().expect("nobody panics before");
            present.insert(thread::current().id());
            meeting.somebody_came.notify_all();
            let is_alone = |present: &mut HashSet<ThreadId>| present.len() < 2;
            let waiting = meeting.somebody_came.wait_timeout_while(present, Duration::from_secs(60), is_alone);
            assert!(waiting.is_ok_and(|(_, waiting)| !waiting.timed_out()), "one thread processes all agents");
        }
        Wish::Nothing
    }
}

#[test]
fn results_depend_on_neither_threads_nor_the_order_of_spawning() {
    start_threads();
    let ids: Vec<u64> = (0..3_000).collect();
    let shuffled: Vec<u64> = ids.iter().map(|id| id * 1_231 % 3_000).collect();
    let [expected, threads, order] =
        [(SteeringThreads::Single, &ids), (SteeringThreads::Many, &ids), (SteeringThreads::Single, &shuffled)].map(
            |(threads, ids)| {
                let mut app = app();
                app.add_steering_behavior::<Meet>();
                app.insert_resource(threads)
                    .insert_resource(SteeringBounds::wrap(Vec3::splat(-150.0), Vec3::splat(150.0)));
                if threads == SteeringThreads::Many {
                    app.init_resource::<Meeting>();
                }
                let agents = school(&mut app, ids);
                for agent in &agents {
                    app.world_mut().entity_mut(*agent).insert(Meet);
                }
                run(&mut app, 20);
                let mut state: Vec<_> = ids
                    .iter()
                    .zip(agents)
                    .map(|(id, agent)| (*id, transform(&app, agent), velocity(&app, agent)))
                    .collect();
                state.sort_by_key(|(id, ..)| *id);
                state
            },
        );
    assert!(expected == threads);
    assert!(expected == order);
}

#[test]
fn the_index_finds_the_same_neighbors_as_a_search_of_all() {
    let mut random = numbers(1);
    for case in 0..60 {
        let size = 50.0 + 500.0 * random();
        // Flat worlds, long ones, and cubes.
        let shape = Vec3::from_array([(); 3].map(|()| if random() < 0.3 { 0.02 } else { 1.0 })) * size;
        let mut app = app();
        let bounds = match case % 3 {
            0 => SteeringBounds::default(),
            1 => SteeringBounds::bounce(-0.5 * shape, 0.5 * shape),
            _ => SteeringBounds::wrap(-0.5 * shape, 0.5 * shape),
        };
        app.insert_resource(bounds);
        let radius = size * (0.02 + 0.3 * random());
        app.world_mut().resource_mut::<Neighbors>().keep_for(radius);
        let places: Vec<Vec3> = (0..300).map(|_| vector(&mut random, 1.0) * shape).collect();
        let agents: Vec<Entity> = places
            .iter()
            .map(|place| app.world_mut().spawn((SteeringAgent::default(), Transform::from_translation(*place))).id())
            .collect();
        run(&mut app, 1);
        let neighbors = app.world().resource::<Neighbors>();
        let space = bounds.space();
        for _ in 0..20 {
            let center = vector(&mut random, 1.2) * shape;
            let center = if case % 3 == 2 { vector(&mut random, 1.0) * shape } else { center };
            let mut found: Vec<Entity> =
                neighbors.within(center, radius).map(|(neighbor, _)| neighbor.entity).collect();
            found.sort();
            let near = |place: &Vec3| space.displacement(center, *place).length_squared() <= radius * radius;
            let mut expected: Vec<Entity> =
                places.iter().zip(&agents).filter(|(place, _)| near(place)).map(|(_, agent)| *agent).collect();
            expected.sort();
            assert_eq!(found, expected, "case {case}");
            let mut nearest: Vec<(Neighbor, Vec3)> = Vec::new();
            neighbors.nearest(center, f32::INFINITY, 5, &mut nearest);
            let mut distances: Vec<f32> =
                places.iter().map(|place| space.displacement(center, *place).length_squared()).collect();
            distances.sort_by(f32::total_cmp);
            assert_eq!(nearest.len(), 5);
            for ((_, displacement), distance) in nearest.iter().zip(distances) {
                assert_eq!(displacement.length_squared(), distance, "case {case}");
            }
        }
    }
}

#[test]
fn a_seeker_gets_to_any_place_and_one_that_arrives_rests_there() {
    let mut random = numbers(2);
    let mut app = app();
    let agents: Vec<(Entity, Vec3)> = (0..200)
        .map(|_| {
            let target = vector(&mut random, 600.0);
            let start = (Velocity(vector(&mut random, 150.0)), Transform::from_translation(vector(&mut random, 600.0)));
            (app.world_mut().spawn((Arrive::new(target), start)).id(), target)
        })
        .collect();
    run(&mut app, 60 * 30);
    for (agent, target) in agents {
        assert!(transform(&app, agent).translation.distance(target) < 0.01);
        assert!(velocity(&app, agent).length() < 0.01);
    }
}

#[test]
fn a_plan_meets_a_quarry_from_any_direction() {
    let mut random = numbers(3);
    let (mut planned, mut met) = (0, 0);
    for _ in 0..400 {
        let body = Interceptor {
            velocity: vector(&mut random, 1.0).normalize() * 20.0 * random(),
            max_speed: 20.0,
            max_acceleration: 5.0 + 40.0 * random(),
        };
        let to_quarry = vector(&mut random, 1.0).normalize() * (30.0 + 100.0 * random());
        let quarry = vector(&mut random, 1.0).normalize() * 16.0 * random();
        let Some(meeting) = body.intercept(to_quarry, quarry, 1e3) else { continue };
        planned += 1;
        assert!((meeting.heading.length() - 1.0).abs() < 1e-5);
        let (mut place, mut after) = (Vec3::ZERO, body);
        let step = meeting.time / 4_000.0;
        for _ in 0..4_000 {
            let before = after.velocity;
            after.velocity = after.velocity_after(meeting.heading, step);
            place += 0.5 * (before + after.velocity) * step;
        }
        let miss = place.distance(to_quarry + quarry * meeting.time) / to_quarry.length();
        met += usize::from(miss < 5e-3);
    }
    println!("{met} of {planned} meet");
    assert!(planned > 380, "{planned}");
    assert!(100 * met > 95 * planned, "{met} of {planned}");
}

#[test]
fn a_model_looks_where_it_moves_and_is_upright() {
    let mut random = numbers(4);
    for _ in 0..100 {
        let mut app = app();
        let direction = vector(&mut random, 1.0).normalize();
        let target = direction * 1e5;
        let agent = app.world_mut().spawn((Seek::new(target), FaceVelocity::default())).id();
        run(&mut app, 30);
        let model = transform(&app, agent);
        assert!(model.forward().distance(direction) < 1e-3, "{} {direction}", *model.forward());
        assert!(model.right().y.abs() < 1e-3 && model.up().y >= -1e-3, "{}", *model.up());
    }

    // Straight up and straight down it keeps its side, and the turn rate limits every turn.
    for direction in [Vec3::Y, Vec3::NEG_Y] {
        for turn_rate in [Some(PI), None] {
            let mut app = app();
            let agent = (Seek::new(direction * 1e5), FaceVelocity { turn_rate, ..default() });
            let agent = app.world_mut().spawn(agent).id();
            let mut before = transform(&app, agent).rotation;
            for _ in 0..60 {
                run(&mut app, 1);
                let now = transform(&app, agent).rotation;
                assert!(turn_rate.is_none() || now.angle_between(before) < PI * TICK + 1e-3);
                before = now;
            }
            assert!((before * Vec3::NEG_Z).distance(direction) < 1e-3);
            assert!((before * Vec3::X).distance(Vec3::X) < 1e-3, "{direction} {turn_rate:?}: {before:?}");
        }
    }
}

#[test]
fn a_model_leans_into_a_level_turn_as_far_as_an_aircraft() {
    let mut random = numbers(8);
    for _ in 0..100 {
        let mut app = app();
        let gravity = 100.0 + 400.0 * random();
        let radius = 40.0 + 100.0 * random();
        let body = SteeringAgent { max_speed: 60.0, mass: 0.5 + random(), ..default() };
        let turn = (Orbit::new(Vec3::ZERO, radius), FaceVelocity::default().with_banking(1.0 / gravity));
        let ahead = if random() < 0.5 { Vec3::NEG_Z } else { Vec3::Z };
        let start = (Velocity(ahead * body.max_speed), Transform::from_xyz(radius, 0.0, 0.0));
        let agent = app.world_mut().spawn((body, turn, start)).id();
        run(&mut app, 30);
        let (model, speed) = (transform(&app, agent), velocity(&app, agent).length());
        let inward = -model.translation.normalize();
        // The force that keeps it on the circle, less than its weight.
        let expected = ops::atan2(speed * speed / radius, gravity);
        let lean = ops::atan2(model.up().dot(inward), model.up().y);
        assert!((lean - expected).abs() < 0.02 * expected, "{lean} instead of {expected}");
        assert!(model.up().dot(*model.forward()).abs() < 1e-3 && model.forward().y.abs() < 1e-3);
    }
}

/// How many neighbors an agent perceives, and how many there are.
#[derive(Component, Default)]
struct Counted([usize; 2]);

#[derive(Component)]
#[require(SteeringAgent, Counted)]
struct Count;

/// How far agents with [`Count`] perceive.
const NEAR: f32 = 10.0;

impl SteeringBehavior for Count {
    type State = Counted;
    type Param = Res<'static, Neighbors>;

    fn wish(&self, counted: &mut Counted, agent: &Agent, neighbors: &SystemParamItem<Self::Param>) -> Wish {
        counted.0 = [0; 2];
        neighbors.for_each_near(agent, NEAR, |_, _| counted.0[0] += 1);
        neighbors.for_each_within(agent, NEAR, |_, _| counted.0[1] += 1);
        Wish::Nothing
    }

    fn perception_radius(&self, _: &SteeringAgent) -> f32 {
        NEAR
    }
}

#[test]
fn all_neighbors_of_a_dense_school_are_perceived() {
    let mut app = app();
    app.add_steering_behavior::<Count>();
    let mut random = numbers(7);
    // Up to a hundred within the radius.
    for _ in 0..1_500 {
        app.world_mut().spawn((Count, Transform::from_translation(vector(&mut random, 38.0))));
    }
    run(&mut app, 1);
    let mut counts = app.world_mut().query::<&Counted>();
    let counts: Vec<[usize; 2]> = counts.iter(app.world()).map(|counted| counted.0).collect();
    assert!(counts.iter().any(|[_, all]| *all > 80));
    for [near, all] in counts {
        assert_eq!(near, all);
    }
}

#[test]
fn a_model_with_face_looks_at_its_target() {
    let mut random = numbers(5);
    let mut app = app();
    let target = vector(&mut random, 100.0);
    for _ in 0..100 {
        let place = Transform::from_translation(vector(&mut random, 500.0));
        app.world_mut().spawn((Wander::default(), Face::new(target), place));
    }
    run(&mut app, 60);
    let mut models = app.world_mut().query_filtered::<&Transform, With<Face>>();
    for model in models.iter(app.world()) {
        assert!(model.forward().dot((target - model.translation).normalize()) > 0.9999);
    }
}

#[test]
fn a_model_with_face_turns_at_its_turn_rate() {
    let mut random = numbers(9);
    for _ in 0..60 {
        let mut app = app();
        let turn_rate = 0.5 + 3.0 * random();
        let start = Transform::from_rotation(rotation(&mut random));
        let target = direction(&mut random) * 100.0;
        let face = Face::new(target).with_turn_rate(turn_rate);
        let agent = app.world_mut().spawn((SteeringAgent::default(), face, start)).id();
        let mut before = start.rotation;
        let mut is_there = false;
        for _ in 0..(60.0 * PI / turn_rate) as usize + 2 {
            run(&mut app, 1);
            let now = transform(&app, agent).rotation;
            let turn = now.angle_between(before);
            assert!(turn < turn_rate * TICK + 1e-3, "{turn}");
            is_there = (now * Vec3::NEG_Z).dot(target) > 99.99;
            assert!(is_there || turn > turn_rate * TICK - 1e-3, "{turn}");
            before = now;
        }
        assert!(is_there, "it looks along {}", before * Vec3::NEG_Z);
    }
}

#[test]
fn a_field_of_view_is_a_cone() {
    let mut random = numbers(10);
    let mut app = app();
    let mut agents = Vec::new();
    for case in 0..600_u16 {
        let ahead = direction(&mut random);
        let field_of_view = random() * TAU;
        let to_other = direction(&mut random) * (5.0 + 40.0 * random());
        let off = ahead.angle_between(to_other);
        // Rounding decides about those at its edge.
        if (off - 0.5 * field_of_view).abs() < 1e-3 {
            continue;
        }
        // Each pair is out of sight of the others.
        let place = Vec3::X * 200.0 * f32::from(case);
        let looks = (Velocity(ahead * 20.0), Transform::from_translation(place));
        let mut agent = app.world_mut().spawn((SteeringAgent::default(), looks));
        match case % 3 {
            0 => agent.insert(Cohesion { field_of_view, ..default() }.with_radius(50.0)),
            1 => agent.insert(Separation { field_of_view, ..default() }.with_radius(50.0)),
            _ => agent.insert(Alignment { field_of_view, ..default() }.with_radius(50.0)),
        };
        agents.push((agent.id(), off, field_of_view));
        app.world_mut().spawn((SteeringAgent::default(), Transform::from_translation(place + to_other)));
    }
    run(&mut app, 1);
    let mut seen = 0;
    for (agent, off, field_of_view) in &agents {
        let is_seen = app.world().get::<SteeringForce>(*agent).expect("it is steered").0 != Vec3::ZERO;
        assert_eq!(is_seen, *off < 0.5 * field_of_view, "{off} off in a field of view of {field_of_view}");
        seen += usize::from(is_seen);
    }
    assert!((200..400).contains(&seen), "{seen} of {}", agents.len());
}

#[test]
fn wanderers_spread_alike_in_all_directions_at_any_rate() {
    for tick in [1.0 / 30.0, 1.0 / 120.0] {
        let mut app = app();
        let agents: Vec<Entity> = (0..1_500).map(|_| app.world_mut().spawn(Wander::default()).id()).collect();
        let before: Vec<Vec3> = {
            for _ in 0..(2.0 / tick) as usize {
                app.world_mut().resource_mut::<Time>().advance_by(Duration::from_secs_f32(tick));
                app.world_mut().run_schedule(SteeringSchedule);
            }
            agents.iter().map(|agent| velocity(&app, *agent)).collect()
        };
        for _ in 0..(1.0 / tick) as usize {
            app.world_mut().resource_mut::<Time>().advance_by(Duration::from_secs_f32(tick));
            app.world_mut().run_schedule(SteeringSchedule);
        }
        let mut mean = Vec3::ZERO;
        let mut squares = Vec3::ZERO;
        let mut turned = 0.0;
        for (agent, before) in agents.iter().zip(before) {
            let place = transform(&app, *agent).translation / agents.len() as f32;
            mean += place;
            squares += place * place * agents.len() as f32;
            turned += velocity(&app, *agent).angle_between(before) / agents.len() as f32;
        }
        let spread = squares.map(f32::sqrt);
        assert!(mean.length() < 0.1 * spread.length(), "{mean} of {spread}");
        assert!(spread.max_element() < 1.1 * spread.min_element(), "{spread}");
        println!("{turned} rad in a second, {spread}");
        assert!((0.3..FRAC_PI_2).contains(&turned), "{turned}");
    }
}

#[test]
fn crowds_that_want_to_be_at_one_place_come_to_rest_side_by_side() {
    let mut random = numbers(8);
    for case in 0..4 {
        let mut app = app();
        let place = direction(&mut random) * 1e3;
        let (mass, size) = ([0.2, 1.0, 5.0][case % 3], 4.0 + 6.0 * random());
        let agents: Vec<(Entity, f32)> = (0..30)
            .map(|_| {
                let radius = size * (0.7 + 0.6 * random());
                let body = SteeringAgent { mass, max_force: 300.0 * mass.max(1.0), radius, ..default() };
                let start = Transform::from_translation(place + direction(&mut random) * 300.0 * random());
                let mut agent = app.world_mut().spawn((body, Separation::default(), start));
                if case % 2 == 0 {
                    agent.insert(Arrive::new(place))
                } else {
                    agent.insert(Seek::new(place))
                };
                (agent.id(), radius)
            })
            .collect();
        run(&mut app, 60 * 20);
        for (k, (agent, radius)) in agents.iter().enumerate() {
            for (other, other_radius) in &agents[..k] {
                let distance = position(&app, *agent).distance(position(&app, *other));
                assert!(distance >= radius + other_radius, "case {case}: {distance} of {}", radius + other_radius);
            }
        }
        let speed = agents.iter().map(|(agent, _)| velocity(&app, *agent).length()).sum::<f32>() / 30.0;
        // A tick of full force makes agents of this strength 5 units/s faster.
        assert!(case % 2 == 1 || speed < 5.0, "case {case}: {speed}");
    }
}

#[test]
fn a_large_crowd_from_one_side_comes_to_rest_around_its_target() {
    let mut random = numbers(9);
    // They start in space, or in a tilted plane, which they leave to make room for each other.
    for is_flat in [false, true] {
        let mut app = app();
        let (normal, radius, count) = (Vec3::new(0.48, 0.6, 0.64), 8.0, 60);
        let mut starts: Vec<Vec3> = Vec::new();
        while starts.len() < count {
            let place = Vec3::X * -300.0 + direction(&mut random) * 120.0 * random().cbrt();
            let place = if is_flat { place.reject_from(normal) } else { place };
            if starts.iter().all(|other| other.distance(place) > 2.1 * radius) {
                starts.push(place);
            }
        }
        let body = SteeringAgent { max_speed: 60.0, max_force: 300.0, radius, ..default() };
        let spawn = |place: &Vec3| {
            let walker = (Arrive::new(Vec3::ZERO), AvoidNeighbors::default(), body);
            app.world_mut().spawn((walker, Transform::from_translation(*place))).id()
        };
        let agents: Vec<Entity> = starts.iter().map(spawn).collect();
        run(&mut app, 60 * 25);
        let center = agents.iter().map(|agent| position(&app, *agent)).sum::<Vec3>() / count as f32;
        let speed = agents.iter().map(|agent| velocity(&app, *agent).length()).sum::<f32>() / count as f32;
        let far = agents.iter().map(|agent| position(&app, *agent).length()).fold(0.0, f32::max) + radius;
        // A ball of which the bodies fill 64 %.
        let needed = radius * (count as f32 / 0.64).cbrt();
        assert!(speed < 0.6, "flat: {is_flat}: {speed} units/s");
        assert!(center.length() < 0.3 * needed, "flat: {is_flat}: {center}");
        assert!(far < 1.5 * needed, "flat: {is_flat}: {} times as wide as needed", far / needed);
    }
}

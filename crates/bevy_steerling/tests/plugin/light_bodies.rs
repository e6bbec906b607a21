//! Light bodies answer wishes like others: without flicker.

use proptest::prelude::*;

use super::*;

/// A body of any mass, with some acceleration.
fn body() -> impl Strategy<Value = SteeringAgent> {
    let response_time = prop_oneof![Just(0.0), 0.0..0.5_f32];
    (-3.0..3.0_f32, 50.0..2000.0_f32, response_time).prop_map(|(magnitude, acceleration, response_time)| {
        let mass = ops::powf(10.0, magnitude);
        SteeringAgent { mass, max_force: mass * acceleration, response_time, ..default() }
    })
}

/// A velocity in any direction, as a share of max speed.
fn velocities() -> impl Strategy<Value = Vec2> {
    (0.0..std::f32::consts::TAU, 0.0..1.0_f32).prop_map(|(direction, speed)| Vec2::from_angle(direction) * speed)
}

proptest! {
    #![proptest_config(config(20))]

    #[test]
    fn the_force_on_the_straight_does_not_flicker_at_any_mass(
        bodies in proptest::collection::vec((body(), velocities(), any::<bool>()), 20),
        rate in 20.0..240.0_f64,
    ) {
        let mut app = app_at(rate);
        let mut agents = Vec::new();
        for &(body, start, wanders) in &bodies {
            let mut agent = app.world_mut().spawn((body, Velocity(start * body.max_speed)));
            if wanders {
                agent.insert(Wander::default().with_angle_change(0.0).with_initial_angle(1.0));
            } else {
                agent.insert(Seek::new(Vec2::new(1e6, -5e5)));
            }
            agents.push(agent.id());
        }
        let second = rate.ceil() as usize;
        // The weakest takes four seconds to turn back at full speed.
        run(&mut app, 6 * second);
        let mut changes = vec![0.0; agents.len()];
        for _ in 0..2 * second {
            let before: Vec<Vec2> = agents.iter().map(|agent| force(&app, *agent)).collect();
            run(&mut app, 1);
            for ((change, agent), before) in changes.iter_mut().zip(&agents).zip(before) {
                *change += force(&app, *agent).distance(before) / (2 * second) as f32;
            }
        }
        for (change, (body, _, wanders)) in changes.into_iter().zip(&bodies) {
            let share = change / body.max_force;
            prop_assert!(share < 0.01, "{share} of max force from tick to tick: {body:?}, wanders: {wanders}");
        }
    }

    #[test]
    fn a_light_body_strong_enough_has_the_velocity_that_it_wants_after_one_tick(
        bodies in proptest::collection::vec((-3.0..0.0_f32, velocities(), velocities()), 20),
        rate in 20.0..240.0_f64,
    ) {
        let mut app = app_at(rate);
        let mut agents = Vec::new();
        for (magnitude, start, wanted) in bodies {
            let (start, wanted) = (Velocity(start * 100.0), Velocity(wanted * 100.0));
            let leader = app.world_mut().spawn((wanted, Transform::default())).id();
            let body = SteeringAgent { mass: ops::powf(10.0, magnitude), max_force: 1e9, ..default() };
            agents.push((app.world_mut().spawn((MatchVelocity::new(leader), body, start)).id(), wanted.0));
        }
        for _ in 0..3 {
            run(&mut app, 1);
            for &(agent, wanted) in &agents {
                let velocity = velocity(&app, agent);
                prop_assert!(velocity.distance(wanted) < 1e-3, "{velocity} instead of {wanted}");
            }
        }
    }
}

/// Every behavior and constraint, with a target or another behavior that makes it act.
const KINDS: [(&str, fn(&mut EntityWorldMut, Entity)); 25] = [
    ("Alignment", |agent, _| _ = agent.insert(Alignment::default().with_radius(200.0))),
    ("Arrive", |agent, other| _ = agent.insert(Arrive::new(other))),
    ("AvoidNeighbors", |agent, _| _ = agent.insert((AvoidNeighbors::default(), Seek::new(Vec2::new(200.0, 0.0))))),
    ("AvoidObstacles", |agent, _| _ = agent.insert((AvoidObstacles::default(), Seek::new(Vec2::new(200.0, 0.0))))),
    ("AvoidWithFeelers", |agent, _| _ = agent.insert((AvoidWithFeelers::default(), Seek::new(Vec2::new(200.0, 0.0))))),
    ("ClassicQueue", |agent, _| {
        let style = ClassicQueueStyle::BrakeAndSeparate;
        agent.insert((ClassicQueue::new(style).with_radius(60.0), Seek::new(Vec2::new(200.0, 0.0))));
    }),
    ("Cohesion", |agent, _| _ = agent.insert(Cohesion::default().with_radius(200.0))),
    ("Contain", |agent, _| {
        agent.insert((Contain::new(Circle::new(100.0)), Seek::new(Vec2::new(200.0, 0.0))));
    }),
    ("Evade", |agent, other| _ = agent.insert(Evade::new(other))),
    ("Flee", |agent, other| _ = agent.insert(Flee::new(other))),
    ("Flock", |agent, _| _ = agent.insert(Flock::default().with_weight(0.5))),
    ("FollowPath", |agent, _| _ = agent.insert(FollowPath::new([Vec2::ZERO, Vec2::new(90.0, 20.0), Vec2::ZERO]))),
    ("FollowLeader", |agent, other| _ = agent.insert(FollowLeader::new(other))),
    ("FollowWall", |agent, _| _ = agent.insert(FollowWall::new(ObstacleSide::Left, 30.0))),
    ("Hide", |agent, other| _ = agent.insert(Hide::new(other))),
    ("Interpose", |agent, other| _ = agent.insert(Interpose::new(other, Vec2::new(0.0, 90.0)))),
    ("MatchVelocity", |agent, other| _ = agent.insert(MatchVelocity::new(other))),
    ("OffsetPursuit", |agent, other| _ = agent.insert(OffsetPursuit::new(other, Vec2::new(-30.0, 20.0)))),
    ("Orbit", |agent, other| _ = agent.insert(Orbit::new(other, 60.0))),
    ("Pursue", |agent, other| _ = agent.insert(Pursue::new(other))),
    ("Queue", |agent, _| _ = agent.insert((Queue::default(), Seek::new(Vec2::new(200.0, 0.0))))),
    ("Seek", |agent, other| _ = agent.insert(Seek::new(other))),
    ("Separation", |agent, _| _ = agent.insert(Separation::default().with_radius(100.0))),
    ("Wander", |agent, _| _ = agent.insert(Wander::default())),
    ("all at once", |agent, _| {
        agent.insert((Wander::default(), Seek::new(Vec2::new(200.0, 0.0)), Cohesion::default().with_radius(100.0)));
        agent.insert((AvoidObstacles::default(), AvoidNeighbors::default()));
    }),
];

/// The positions of an agent in each tick. Its mass and max force are scaled by `share`.
fn way(insert: fn(&mut EntityWorldMut, Entity), share: f32, response_time: f32) -> Vec<Vec2> {
    let mut app = app();
    app.world_mut().spawn((Obstacle::new(Circle::new(30.0)), at(90.0, 10.0)));
    app.world_mut().spawn((SteeringAgent::default(), at(-60.0, 0.0)));
    let other = app.world_mut().spawn((Seek::new(Vec2::new(0.0, 900.0)), Queue::default(), at(10.0, -80.0))).id();
    let body = SteeringAgent { mass: share, max_force: 300.0 * share, response_time, ..default() };
    let mut agent = app.world_mut().spawn((body, SteeringId::new(7)));
    insert(&mut agent, other);
    let agent = agent.id();
    (0..300)
        .map(|_| {
            run(&mut app, 1);
            position(&app, agent)
        })
        .collect()
}

#[test]
fn a_light_body_moves_as_one_of_mass_1_with_the_same_acceleration() {
    let mut failures = Vec::new();
    for (name, insert) in KINDS {
        for response_time in [0.0, 0.25] {
            let expected = way(insert, 1.0, response_time);
            assert!(expected.iter().any(|place| place.distance(expected[0]) > 5.0), "{name} moves");
            // Powers of two, so that nothing is rounded otherwise.
            for share in [0.5, 0.125, 1.0 / 1024.0] {
                if way(insert, share, response_time) != expected {
                    failures.push(format!("{name}, mass {share}, response time {response_time}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

//! Light bodies answer wishes like others: without flicker.

use proptest::prelude::*;

use super::*;

/// A body of any mass, with some acceleration, and a tick rate.
fn body() -> impl Strategy<Value = (SteeringAgent, f64)> {
    let response_time = prop_oneof![Just(0.0), 0.0..0.5_f32];
    (-3.0..3.0_f32, 50.0..2000.0_f32, response_time, 20.0..240.0_f64).prop_map(
        |(magnitude, acceleration, response_time, rate)| {
            let mass = 10.0_f32.powf(magnitude);
            let max_force = mass * acceleration;
            (SteeringAgent { mass, max_force, response_time, ..default() }, rate)
        },
    )
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn the_force_on_the_straight_does_not_flicker_at_any_mass(
        (body, rate) in body(),
        direction in 0.0..std::f32::consts::TAU,
        speed in 0.0..1.0_f32,
        wanders in any::<bool>(),
    ) {
        let mut app = app_at(rate);
        let start = Velocity(Vec2::from_angle(direction) * (speed * body.max_speed));
        let agent = app.world_mut().spawn((body, start)).id();
        if wanders {
            app.world_mut().entity_mut(agent).insert(Wander::default().with_angle_change(0.0).with_initial_angle(1.0));
        } else {
            app.world_mut().entity_mut(agent).insert(Seek::new(Vec2::new(1e6, -5e5)));
        }
        let second = rate.ceil() as usize;
        run(&mut app, second);
        let (mut changes, mut last) = (0.0, force(&app, agent));
        for _ in 0..2 * second {
            run(&mut app, 1);
            changes += force(&app, agent).distance(last);
            last = force(&app, agent);
        }
        let mean = changes / (2 * second) as f32 / body.max_force;
        prop_assert!(mean < 0.01, "{mean} of max force from tick to tick");
    }

    #[test]
    fn a_light_body_strong_enough_has_the_velocity_that_it_wants_after_one_tick(
        magnitude in -3.0..0.0_f32,
        start in (-70.0..70.0_f32, -70.0..70.0_f32),
        wanted in (-70.0..70.0_f32, -70.0..70.0_f32),
        rate in 20.0..240.0_f64,
    ) {
        let mut app = app_at(rate);
        let (start, wanted) = (Vec2::from(start), Vec2::from(wanted));
        let leader = app.world_mut().spawn((Velocity(wanted), Transform::default())).id();
        let body = SteeringAgent { mass: 10.0_f32.powf(magnitude), max_force: 1e9, ..default() };
        let agent = app.world_mut().spawn((MatchVelocity::new(leader), body, Velocity(start))).id();
        for _ in 0..3 {
            run(&mut app, 1);
            prop_assert!(velocity(&app, agent).distance(wanted) < 1e-3, "{} instead of {wanted}", velocity(&app, agent));
        }
    }
}

/// A wanderer that avoids obstacles and others: where it is tick by tick, with a mass of this share, and as much less force.
fn way(share: f32, response_time: f32) -> Vec<Vec2> {
    let mut app = app();
    app.world_mut().spawn((Obstacle::new(Circle::new(30.0)), at(90.0, 10.0)));
    app.world_mut().spawn((SteeringAgent::default(), at(-60.0, 0.0)));
    let body = SteeringAgent { mass: share, max_force: 300.0 * share, response_time, ..default() };
    let behaviors =
        (Wander::default(), Seek::new(Vec2::new(200.0, 0.0)), AvoidObstacles::default(), AvoidNeighbors::default());
    let agent = app.world_mut().spawn((body, behaviors, SteeringId::new(7))).id();
    (0..600)
        .map(|_| {
            run(&mut app, 1);
            position(&app, agent)
        })
        .collect()
}

#[test]
fn a_light_body_moves_as_one_of_mass_1_with_the_same_acceleration() {
    for response_time in [0.0, 0.25] {
        let expected = way(1.0, response_time);
        assert!(expected[599].distance(expected[0]) > 10.0);
        // Powers of two, so that nothing is rounded otherwise.
        for share in [0.5, 0.125, 1.0 / 1024.0] {
            assert_eq!(way(share, response_time), expected, "mass {share}");
        }
    }
}

//! Separation beside the other behaviors: crowds that want to be in one place come to rest side by side.

use bevy::math::ops;

use super::*;

const RATES: [f64; 4] = [30.0, 60.0, 120.0, 240.0];

/// What an agent of a crowd is like, and where it starts.
type Member = (SteeringAgent, Vec2);

/// Up to sixty agents of different sizes around a point, all light or all heavy.
fn crowd(number: &mut impl FnMut() -> f32) -> Vec<Member> {
    let count = 2 + (number() * 59.0) as usize;
    let (size, mass) = (4.0 + 8.0 * number(), ops::powf(10.0, 2.0 * number() - 1.0));
    let response_time = (0.6 * number() - 0.3).max(0.0);
    let agent = |_| {
        let mass = (mass * (0.5 + number())).clamp(0.1, 10.0);
        let radius = size * (0.6 + 0.8 * number());
        let body = SteeringAgent { mass, max_force: 300.0 * mass.max(1.0), radius, response_time, ..default() };
        (body, Vec2::new(number() - 0.5, number() - 0.5) * 600.0)
    };
    (0..count).map(agent).collect()
}

/// An app in which the crowd has sought the point for so long that it has settled.
fn gathered(rate: f64, crowd: &[Member], point: Vec2, arrives: bool) -> (App, Vec<Entity>) {
    let mut app = app_at(rate);
    let agents = crowd.iter().enumerate().map(|(k, (body, start))| {
        let place = at(point.x + start.x, point.y + start.y);
        let mut agent = app.world_mut().spawn((*body, Separation::default(), SteeringId::new(k as u64), place));
        if arrives {
            agent.insert(Arrive::new(point))
        } else {
            agent.insert(Seek::new(point))
        };
        agent.id()
    });
    let agents = agents.collect();
    run(&mut app, (25.0 * rate) as usize);
    (app, agents)
}

/// The deepest overlap, as a share of the distance at which the two would touch.
fn deepest_overlap(app: &App, crowd: &[Member], agents: &[Entity]) -> f32 {
    let mut deepest = 0.0_f32;
    for (k, agent) in agents.iter().enumerate() {
        for (l, other) in agents[..k].iter().enumerate() {
            let distance = position(app, *agent).distance(position(app, *other));
            deepest = deepest.max(1.0 - distance / (crowd[k].0.radius + crowd[l].0.radius));
        }
    }
    deepest
}

fn mean(numbers: impl ExactSizeIterator<Item = f32>) -> f32 {
    let count = numbers.len() as f32;
    numbers.sum::<f32>() / count
}

#[test]
fn crowds_that_want_to_be_at_one_point_come_to_rest_side_by_side() {
    let mut number = numbers(1);
    let (mut crowds, mut restless) = (0, Vec::new());
    for case in 0..quarter_of(48) as usize {
        let crowd = crowd(&mut number);
        // At a thousand, positions are exact to a ten-thousandth.
        let point = Vec2::new(number() - 0.5, number() - 0.5) * 2e3;
        let (rate, arrives) = (RATES[case % 4], case / 4 % 2 == 0);
        let (app, agents) = gathered(rate, &crowd, point, arrives);
        let overlap = deepest_overlap(&app, &crowd, &agents);
        assert!(overlap <= 0.0, "case {case} at {rate} Hz: {} overlap by {overlap}", crowd.len());
        if arrives {
            let speed = mean(agents.iter().map(|agent| velocity(&app, *agent).length()));
            assert!(speed < 10.0, "case {case} at {rate} Hz: {} move at {speed}", crowd.len());
            crowds += 1;
            restless.extend((speed > 1.0).then_some((case, speed)));
        }
    }
    // Crowds of agents that are small for their speed may tremble.
    assert!(restless.len() <= crowds / 8, "{restless:?} of {crowds}");
}

#[test]
fn twenty_spread_equally_at_every_rate() {
    let body = SteeringAgent::default();
    for (seed, arrives) in [(3, false), (4, true)] {
        let mut number = numbers(seed);
        let crowd: Vec<Member> = (0..20).map(|_| (body, Vec2::new(number() - 0.5, number() - 0.5) * 600.0)).collect();
        let spread = |rate| {
            let (app, agents) = gathered(rate, &crowd, Vec2::ZERO, arrives);
            assert!(deepest_overlap(&app, &crowd, &agents) <= 0.0, "at {rate} Hz");
            mean(agents.iter().map(|agent| position(&app, *agent).length()))
        };
        let expected = spread(RATES[3]);
        for rate in &RATES[..3] {
            // A crowd has several ways to pack, which differ in their mean distance by a hundredth.
            let ratio = spread(*rate) / expected;
            assert!((ratio - 1.0).abs() < 0.02, "{ratio} of {expected} at {rate} Hz");
        }
    }
}

#[test]
fn seek_and_separation_are_an_even_match_where_two_bodies_touch() {
    let mut number = numbers(5);
    for case in 0..200 {
        let mut app = app_at(RATES[case % 4]);
        let body = SteeringAgent {
            mass: ops::powf(10.0, -number()),
            max_speed: 10.0 + 200.0 * number(),
            max_force: 1e9,
            radius: 1.0 + 20.0 * number(),
            response_time: (0.6 * number() - 0.3).max(0.0),
        };
        let way = Vec2::from_angle(core::f32::consts::TAU * number());
        let beside = way * 2.0 * body.radius;
        app.world_mut().spawn((SteeringAgent { max_speed: 0.0, ..body }, at(beside.x, beside.y)));
        let seeker = app.world_mut().spawn((body, Seek::new(way * 1e3), at(0.0, 0.0))).id();
        let apart = app.world_mut().spawn((body, Separation::default().with_groups(GroupMask::bit(5)))).id();
        let place = 2.0 * beside;
        app.world_mut().entity_mut(apart).insert(at(place.x, place.y));
        app.world_mut().spawn((body, SteeringGroups(GroupMask::bit(5)), at(1.5 * place.x, 1.5 * place.y)));
        run(&mut app, 1);
        let (seek, separation) = (force(&app, seeker), force(&app, apart));
        // Rounding errors of places.
        assert!((seek + separation).length() < 1e-3 * seek.length(), "{seek} against {separation} of {body:?}");
    }
}

/// Sums of whole numbers are exact in any order.
#[test]
fn with_max_separation_the_force_is_the_classic_one_bit_for_bit() {
    let mut number = numbers(6);
    for case in 0..200 {
        let mut app = app_at(RATES[case % 4]);
        let whole = |number: &mut dyn FnMut() -> f32, size: f32| ((number() - 0.5) * size).round();
        let max_separation = 1.0 + 1e4 * number();
        let body = SteeringAgent { mass: 0.1 + 9.0 * number(), max_force: 1e9, ..default() };
        let separation = Separation::default().with_max_separation(max_separation).with_radius(40.0);
        let me = app.world_mut().spawn((body, separation, at(0.0, 0.0))).id();
        let mut sum = Vec2::ZERO;
        for _ in 0..1 + case % 20 {
            let place = Vec2::new(whole(&mut number, 90.0), whole(&mut number, 90.0));
            if place != Vec2::ZERO {
                app.world_mut().spawn((SteeringAgent::default(), at(place.x, place.y)));
                sum += if place.length_squared() <= 1600.0 { place } else { Vec2::ZERO };
            }
        }
        run(&mut app, 1);
        let expected = bevy_steerling::behaviors::separation::force(sum, max_separation);
        assert_eq!(force(&app, me), expected, "case {case}");
    }
}

//! The edges of the world.

use super::*;

const SIZE: Vec3 = Vec3::new(300.0, 70.0, 150.0);

/// Agents that keep their velocities, and where they start.
fn coasting(app: &mut App, random: &mut impl FnMut() -> f32) -> Vec<(Entity, Vec3, Vec3)> {
    let start = |app: &mut App, random: &mut _| {
        let (place, velocity) = (vector(random, 1.0) * SIZE, vector(random, 100.0));
        let motion = (Velocity(velocity), Transform::from_translation(place));
        (app.world_mut().spawn((SteeringAgent::default(), motion)).id(), place, velocity)
    };
    (0..50).map(|_| start(app, random)).collect()
}

#[test]
fn agents_that_leave_enter_on_the_other_side_of_any_axis() {
    let mut app = app();
    let bounds = SteeringBounds::wrap(-0.5 * SIZE, 0.5 * SIZE);
    app.insert_resource(bounds);
    let agents = coasting(&mut app, &mut numbers(1));
    run(&mut app, 300);
    let mut rounds = [0.0, 0.0];
    for (agent, start, speed) in agents {
        let (place, straight) = (position(&app, agent), start + speed * 5.0);
        assert!(place.abs().cmple(0.5 * SIZE).all(), "{place}");
        // Each tick rounds.
        assert!(bounds.space().displacement(place, straight).length() < 0.01, "{place} instead of {straight}");
        assert_eq!(velocity(&app, agent), speed);
        rounds = [straight.y.min(rounds[0]), straight.y.max(rounds[1])];
    }
    assert!(rounds[0] < -1.5 * SIZE.y && rounds[1] > 1.5 * SIZE.y, "{rounds:?}");
}

#[test]
fn agents_bounce_off_the_floor_and_the_ceiling_as_off_walls() {
    let mut app = app();
    app.insert_resource(SteeringBounds::bounce(-0.5 * SIZE, 0.5 * SIZE));
    let agents = coasting(&mut app, &mut numbers(2));
    let mut bounces = [Vec3::ZERO; 50];
    for _ in 0..300 {
        let before: Vec<Vec3> = agents.iter().map(|(agent, ..)| velocity(&app, *agent)).collect();
        run(&mut app, 1);
        for ((bounces, (agent, _, start)), before) in bounces.iter_mut().zip(&agents).zip(before) {
            let (place, now) = (position(&app, *agent), velocity(&app, *agent));
            assert!(place.abs().cmple(0.5 * SIZE).all(), "{place}");
            assert_eq!(now.abs(), start.abs(), "a bounce turns an agent back, and no more");
            let has_turned = (now * before).cmplt(Vec3::ZERO);
            let at_edge = place.abs().cmpeq(0.5 * SIZE);
            assert_eq!(has_turned, at_edge, "at {place}, from {before} to {now}");
            assert!(((now * place).cmplt(Vec3::ZERO) & at_edge) == at_edge, "{now} leads out at {place}");
            *bounces += Vec3::select(has_turned, Vec3::ONE, Vec3::ZERO);
        }
    }
    for (bounces, (_, start, speed)) in bounces.into_iter().zip(agents) {
        // A world as wide as its axis, after another: an agent is late by a part of a tick at each edge.
        let crossed = (start + speed * 5.0 + 0.5 * SIZE) / SIZE;
        let expected = crossed.floor().abs();
        assert!((bounces - expected).abs().max_element() <= 1.0, "{bounces} instead of {expected}");
    }
}

#[test]
fn a_chase_across_the_seam_above_is_as_one_without_a_seam() {
    let size = Vec3::new(2_000.0, 100.0, 2_000.0);
    for seed in 0..60 {
        let chase = |bounds: SteeringBounds| {
            let mut random = numbers(seed);
            let mut app = app();
            app.insert_resource(bounds);
            let upward = if seed % 2 == 0 { 1.0 } else { -1.0 };
            let hunter = Vec3::new(0.0, 35.0 * upward, 0.0) + vector(&mut random, 20.0);
            let quarry = Vec3::new(0.0, 62.0 * upward, 0.0) + vector(&mut random, 20.0);
            let spawn = |app: &mut App, place: Vec3| {
                let place = Transform::from_translation(bounds.space().displacement(Vec3::ZERO, place));
                app.world_mut().spawn((SteeringAgent::default(), place)).id()
            };
            let [hunter, quarry] = [hunter, quarry].map(|place| spawn(&mut app, place));
            app.world_mut().entity_mut(hunter).insert(Pursue::new(quarry));
            app.world_mut().entity_mut(quarry).insert(Evade::new(hunter));
            let ways: Vec<[Vec3; 2]> = (0..90)
                .map(|_| {
                    run(&mut app, 1);
                    [hunter, quarry].map(|agent| position(&app, agent))
                })
                .collect();
            ways
        };
        let torus = SteeringBounds::wrap(-0.5 * size, 0.5 * size);
        for (across, straight) in chase(torus).into_iter().zip(chase(SteeringBounds::default())) {
            for (across, straight) in across.into_iter().zip(straight) {
                let apart = torus.space().displacement(across, straight);
                assert!(apart.length() < 0.02, "seed {seed}: {across} instead of {straight}");
                assert!(across.y.abs() <= 50.0);
            }
        }
    }
}

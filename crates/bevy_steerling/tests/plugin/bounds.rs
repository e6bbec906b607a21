//! The world's edges.

use super::*;

const MIN: Vec2 = Vec2::new(0.0, 0.0);
const MAX: Vec2 = Vec2::new(200.0, 100.0);

fn coasting(app: &mut App, start: Vec2, velocity: Vec2) -> Entity {
    app.world_mut()
        .spawn((SteeringAgent::default(), Velocity(velocity), Transform::from_translation(start.extend(0.0))))
        .id()
}

#[test]
fn without_bounds_agents_leave() {
    let mut app = app();
    let agent = coasting(&mut app, Vec2::new(199.0, 50.0), Vec2::new(60.0, 0.0));
    run(&mut app, 60);
    assert!((position(&app, agent).x - 259.0).abs() < 1e-3);
}

#[test]
fn wrapping_leads_out_on_one_side_and_in_on_the_other() {
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(MIN, MAX));
    let agent = coasting(&mut app, Vec2::new(199.0, 1.0), Vec2::new(60.0, -60.0));
    run(&mut app, 3);
    assert!(position(&app, agent).distance(Vec2::new(2.0, 98.0)) < 1e-3);
    assert_eq!(velocity(&app, agent), Vec2::new(60.0, -60.0));
}

#[test]
fn a_pursuer_takes_the_short_way_across_the_seam() {
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(MIN, MAX));
    let prey = coasting(&mut app, Vec2::new(5.0, 95.0), Vec2::ZERO);
    let hunter = app.world_mut().spawn((Pursue::new(prey), at(195.0, 5.0))).id();
    run(&mut app, 1);
    let velocity = velocity(&app, hunter);
    assert!(velocity.x > 0.0 && velocity.y < 0.0, "{velocity}");
}

#[test]
fn neighbors_push_each_other_across_the_seam() {
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(MIN, MAX));
    let separation = Separation::default().with_radius(20.0);
    let left = app.world_mut().spawn((separation.clone(), at(2.0, 50.0))).id();
    let right = app.world_mut().spawn((separation, at(198.0, 50.0))).id();
    run(&mut app, 1);
    assert!(velocity(&app, left).x > 0.0 && velocity(&app, right).x < 0.0);
}

#[test]
fn bouncing_turns_round_only_what_led_out() {
    let mut app = app();
    app.insert_resource(SteeringBounds::bounce(MIN, MAX));
    let agent = coasting(&mut app, Vec2::new(199.5, 50.0), Vec2::new(60.0, 30.0));
    run(&mut app, 1);
    assert_eq!(position(&app, agent), Vec2::new(200.0, 50.5));
    assert_eq!(velocity(&app, agent), Vec2::new(-60.0, 30.0));
}

#[test]
fn one_that_starts_outside_is_brought_in_and_stays() {
    let mut app = app();
    app.insert_resource(SteeringBounds::bounce(MIN, MAX));
    // Already on its way in: it must not be turned round and lost.
    let agent = coasting(&mut app, Vec2::new(-500.0, 50.0), Vec2::new(60.0, 0.0));
    run(&mut app, 60);
    let position = position(&app, agent);
    assert!(position.cmpge(MIN).all() && position.cmple(MAX).all(), "{position}");
    assert_eq!(velocity(&app, agent), Vec2::new(60.0, 0.0));
}

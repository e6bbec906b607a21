//! Entities with parents.

use super::non_finite::warnings;
use super::*;

/// How far an agent gets along x that seeks a point behind a wall at x = 60, in one second.
fn reach(app: &mut App) -> f32 {
    let agent = app.world_mut().spawn((Seek::new(Vec2::new(300.0, 0.0)), AvoidObstacles::default(), at(0.0, 0.0))).id();
    run(app, 120);
    app.world().get::<Transform>(agent).unwrap().translation.x
}

fn wall() -> Obstacle {
    Obstacle::new(Rectangle::new(10.0, 2000.0))
}

#[test]
fn an_obstacle_with_parents_is_where_its_hierarchy_puts_it() {
    let mut app = app_at(60.0);
    let root = app.world_mut().spawn(at(20.0, 0.0)).id();
    let level = app.world_mut().spawn((at(10.0, 0.0), ChildOf(root))).id();
    let child = app.world_mut().spawn((wall(), at(30.0, 0.0), ChildOf(level))).id();
    let x = reach(&mut app);
    assert!((40.0..=55.0).contains(&x), "stopped at {x} before the wall at 60");

    // The parent moves, and the child with it.
    app.world_mut().get_mut::<Transform>(root).unwrap().translation.x = 120.0;
    let x = reach(&mut app);
    assert!((140.0..=155.0).contains(&x), "stopped at {x} before the wall at 160");

    // On its own it is where its own Transform says.
    app.world_mut().entity_mut(child).remove::<ChildOf>();
    let x = reach(&mut app);
    assert!((10.0..=25.0).contains(&x), "stopped at {x} before the wall at 30");
}

#[test]
fn an_agent_with_a_parent_is_warned_about_once() {
    warnings();
    let mut app = app();
    let ship = app.world_mut().spawn(at(50.0, 0.0)).id();
    let sailor = (Wander::default(), Name::new("sailor"), at(0.0, 0.0));
    let sailor = app.world_mut().spawn((sailor, ChildOf(ship))).id();
    run(&mut app, 5);
    app.world_mut().entity_mut(sailor).insert(Seek::new(Vec2::ZERO));
    run(&mut app, 5);
    let warnings = warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("sailor") && warnings[0].contains("has a parent"), "{warnings:?}");
}

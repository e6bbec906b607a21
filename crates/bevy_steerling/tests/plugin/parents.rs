//! Entities with parents.

use std::f32::consts::FRAC_PI_2;

use super::non_finite::warnings;
use super::*;

/// The position, after two seconds, of an agent that seeks a point behind a wall.
fn end(app: &mut App) -> Vec2 {
    let agent = (Seek::new(Vec2::new(300.0, 0.0)), AvoidObstacles::default(), at(0.0, 0.0));
    let agent = app.world_mut().spawn(agent).id();
    run(app, 120);
    let end = position(app, agent);
    app.world_mut().despawn(agent);
    end
}

fn assert_ends_at(app: &mut App, expected: Vec2) {
    let end = end(app);
    assert!(end.distance(expected) < 0.1, "{end} instead of {expected}");
}

fn wall() -> Obstacle {
    Obstacle::new(Rectangle::new(10.0, 2000.0))
}

/// The same, with a wall without parents.
fn end_before_wall_at(x: f32) -> Vec2 {
    let mut app = app_at(60.0);
    app.world_mut().spawn((wall(), at(x, 0.0)));
    end(&mut app)
}

#[test]
fn an_obstacle_with_parents_is_where_its_hierarchy_puts_it() {
    let [near, middle, far] = [30.0, 60.0, 160.0].map(end_before_wall_at);
    assert!(near.distance(middle) > 1.0 && middle.distance(far) > 1.0, "{near} {middle} {far}");

    let mut app = app_at(60.0);
    let root = app.world_mut().spawn(at(20.0, 0.0)).id();
    let level = app.world_mut().spawn((at(10.0, 0.0), ChildOf(root))).id();
    let child = app.world_mut().spawn((wall(), at(30.0, 0.0), ChildOf(level))).id();
    assert_ends_at(&mut app, middle);

    // The parent moves, and the child with it.
    app.world_mut().get_mut::<Transform>(root).unwrap().translation.x = 120.0;
    assert_ends_at(&mut app, far);

    // The parent turns, and the child around it. The child turns back, so that the wall is upright.
    *app.world_mut().get_mut::<Transform>(root).unwrap() =
        at(100.0, 30.0).with_rotation(Quat::from_rotation_z(FRAC_PI_2));
    *app.world_mut().get_mut::<Transform>(child).unwrap() =
        at(-40.0, 40.0).with_rotation(Quat::from_rotation_z(-FRAC_PI_2));
    assert_ends_at(&mut app, middle);

    // On its own it is where its own Transform says.
    *app.world_mut().get_mut::<Transform>(child).unwrap() = at(30.0, 0.0);
    app.world_mut().entity_mut(child).remove::<ChildOf>();
    assert_ends_at(&mut app, near);
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

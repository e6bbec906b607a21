//! The progress of an agent that is pushed along its path, or put somewhere else on it.

use super::*;

/// The points that the agent has passed, and `None` for the end of its path.
#[derive(Resource, Default)]
struct Passed(Vec<Option<usize>>);

#[test]
fn an_agent_that_is_pushed_back_over_a_corner_has_come_less_far() {
    let points = [(0.0, 0.0), (120.0, 0.0), (120.0, 200.0), (400.0, 200.0)].map(Vec2::from);
    let path = SteeringPath::new(points);
    let mut app = app();
    let agent = app.world_mut().spawn((FollowPath::new(&path).with_radius(8.0), at(0.0, 0.0))).id();
    let progress = |app: &App| {
        let progress = app.world().get::<PathProgress>(agent).expect("it follows a path");
        (progress.distance(), progress.waypoint())
    };
    for (corner, length, before, ahead) in [(1, 120.0, Vec2::NEG_X, Vec2::Y), (2, 320.0, Vec2::NEG_Y, Vec2::X)] {
        let corner_place = points[corner];
        let mut ticks = 0;
        while (position(&app, agent) - corner_place).dot(ahead) < 10.0 {
            run(&mut app, 1);
            ticks += 1;
            assert!(ticks < 600, "it is still at {}", position(&app, agent));
        }
        assert_eq!(progress(&app).1, corner + 1);
        // Farther at once would be a jump.
        for pushed in [20.0, 40.0, 60.0] {
            let place = corner_place + before * pushed;
            app.world_mut().entity_mut(agent).insert((at(place.x, place.y), Velocity::default()));
            run(&mut app, 1);
        }
        let (distance, waypoint) = progress(&app);
        assert_eq!(waypoint, corner, "it is at {}", position(&app, agent));
        assert!((distance - (length - 60.0)).abs() < 2.0, "{distance} instead of {}", length - 60.0);
    }
}

#[test]
fn a_point_is_told_when_it_is_passed_and_not_when_the_agent_is_put_behind_it() {
    let mut app = app();
    app.init_resource::<Passed>()
        .add_observer(|on: On<WaypointReached>, mut passed: ResMut<Passed>| passed.0.push(Some(on.index)))
        .add_observer(|_: On<PathFinished>, mut passed: ResMut<Passed>| passed.0.push(None));
    let points = [(0.0, 0.0), (400.0, 0.0), (400.0, 400.0), (0.0, 400.0)].map(Vec2::from);
    let agent = app.world_mut().spawn((FollowPath::new(points), SteeringEvents::default(), at(0.0, 0.0))).id();
    run(&mut app, 30);
    assert_eq!(app.world().resource::<Passed>().0, [Some(0)]);
    app.world_mut().entity_mut(agent).insert(at(400.0, 200.0));
    run(&mut app, 60 * 20);
    assert_eq!(app.world().resource::<Passed>().0, [Some(0), Some(2), Some(3), None]);
}

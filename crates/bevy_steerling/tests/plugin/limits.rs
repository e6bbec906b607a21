//! The limits that `docs/limits.md` names, in numbers. A limit that is gone fails its test, so that the page is brought up to date.

use super::*;

#[test]
fn an_agent_that_seeks_a_place_inside_an_obstacle_circles_around_it() {
    let mut app = app();
    app.world_mut().spawn((Obstacle::new(Circle::new(60.0)), at(0.0, 0.0)));
    let agent = app.world_mut().spawn((Seek::new(Vec2::ZERO), AvoidObstacles::default(), at(-300.0, 40.0))).id();
    run(&mut app, 60 * 30);
    assert!(velocity(&app, agent).length() > 90.0, "{}", velocity(&app, agent));
}

#[test]
fn an_obstacle_that_moves_into_a_crowd_runs_over_those_who_stand_before_others() {
    let (mut app, mut number) = (app(), numbers(1));
    let ferry = Rectangle::new(60.0, 120.0);
    let entity = app.world_mut().spawn((Obstacle::new(ferry), Velocity(Vec2::new(20.0, 0.0)), at(-300.0, 0.0))).id();
    let agents: Vec<Entity> = (0..30)
        .map(|_| {
            let start = at(300.0 * number() - 150.0, 300.0 * number() - 150.0);
            let behaviors = (Arrive::new(Vec2::ZERO), AvoidObstacles::default(), AvoidNeighbors::default());
            app.world_mut().spawn((behaviors, start)).id()
        })
        .collect();
    let mut run_over = vec![false; agents.len()];
    for tick in 0..60 * 20_u16 {
        let transform = at(-300.0 + 20.0 * TICK * f32::from(tick), 0.0);
        *app.world_mut().get_mut::<Transform>(entity).expect("it is there") = transform;
        run(&mut app, 1);
        let placed = ObstacleShape::from(ferry).placed(&transform, SteeringPlane::XY);
        for (run_over, agent) in run_over.iter_mut().zip(&agents) {
            *run_over |= placed.distance(position(&app, *agent)).0 < 4.0;
        }
    }
    let count = run_over.iter().filter(|run_over| **run_over).count();
    assert!(count > 0);
}

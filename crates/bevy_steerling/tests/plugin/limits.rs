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
fn an_obstacle_that_moves_into_a_crowd_presses_agents_into_each_other() {
    let (mut app, mut number) = (app(), numbers(1));
    let velocity = Velocity(Vec2::new(20.0, 0.0));
    let ferry = app.world_mut().spawn((Obstacle::new(Rectangle::new(60.0, 120.0)), velocity, at(-300.0, 0.0))).id();
    let agents: Vec<Entity> = (0..30)
        .map(|_| {
            let start = at(300.0 * number() - 150.0, 300.0 * number() - 150.0);
            let behaviors = (Arrive::new(Vec2::ZERO), AvoidObstacles::default(), AvoidNeighbors::default());
            app.world_mut().spawn((behaviors, start)).id()
        })
        .collect();
    let mut deepest = 0.0_f32;
    for tick in 0..60 * 20_u16 {
        *app.world_mut().get_mut::<Transform>(ferry).expect("it is there") =
            at(-300.0 + 20.0 * TICK * f32::from(tick), 0.0);
        run(&mut app, 1);
        if tick < 60 * 5 {
            continue;
        }
        for (index, agent) in agents.iter().enumerate() {
            let place = position(&app, *agent);
            let overlaps = agents[..index].iter().map(|other| 16.0 - place.distance(position(&app, *other)));
            deepest = overlaps.fold(deepest, f32::max);
        }
    }
    assert!(deepest > 4.0, "{deepest}");
}

//! Obstacles that turn.

use super::*;

#[test]
fn a_bar_that_turns_touches_no_agent_that_can_get_away() {
    let body = SteeringAgent { max_speed: 100.0, max_force: 300.0, radius: 8.0, ..default() };
    let mut count = 0;
    for seed in 0..30 {
        let (mut app, mut random) = (app(), numbers(seed));
        let length = 60.0 + 200.0 * random();
        let bar = ObstacleShape::from(Cuboid::new(length, 10.0 + 20.0 * random(), 10.0));
        // The agents are faster than its ends.
        let speed = 0.85 * body.max_speed / (0.5 * length + body.radius) * (0.2 + 0.8 * random());
        let turn_rate = direction(&mut random) * speed;
        let mut place = Transform::from_rotation(rotation(&mut random));
        let obstacle = app.world_mut().spawn((Obstacle::new(bar.clone()).with_turn_rate(turn_rate), place)).id();
        let mut agents = Vec::new();
        for _ in 0..4 {
            let start = vector(&mut random, 0.6 * length);
            let meets_at = speed * (start.length() + body.radius);
            let room = 1.1 * body.radius + meets_at * meets_at / (1.2 * body.max_force);
            if bar.placed(&place).distance(start).0 > room {
                let agent =
                    app.world_mut().spawn((AvoidObstacles::default(), body, Transform::from_translation(start)));
                agents.push(agent.id());
            }
        }
        count += agents.len();
        for tick in 0..60 * 12 {
            place.rotation = (Quat::from_scaled_axis(turn_rate * TICK) * place.rotation).normalize();
            *app.world_mut().get_mut::<Transform>(obstacle).expect("it is there") = place;
            run(&mut app, 1);
            let placed = bar.placed(&place);
            for agent in &agents {
                let gap = placed.distance(position(&app, *agent)).0 - body.radius;
                assert!(gap >= 0.0, "seed {seed}: {gap} in tick {tick}");
            }
        }
    }
    assert!(count > 60, "{count}");
}

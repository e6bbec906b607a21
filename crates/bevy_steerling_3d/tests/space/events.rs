//! Events in space.

use super::*;

/// The warnings of collisions in a random crowd in clusters that may be far apart, to every tenth agent, if all agents with a number
/// divisible by `watched` are watched.
fn warnings_in_random_crowd(case: u64, watched: u64) -> Vec<(Entity, Entity)> {
    let (mut app, mut random) = (app(), numbers(case));
    let (count, clusters) = (60 + (140.0 * random()) as u64, 1 + (4.0 * random()) as usize);
    let spread = 60.0 + 400.0 * random();
    let around: Vec<Vec3> = (0..clusters).map(|_| vector(&mut random, 6000.0)).collect();
    let agents: Vec<Entity> = (0..count)
        .map(|k| {
            let place = around[k as usize % clusters] + vector(&mut random, spread);
            let speed = if random() < 0.1 { 1000.0 } else { 20.0 + 80.0 * random() };
            let radius = 2.0 + if random() < 0.1 { 30.0 } else { 6.0 } * random();
            let body = SteeringAgent { max_speed: speed, max_force: speed * 2.0, radius, ..default() };
            let going = Velocity(direction(&mut random) * speed);
            let wander = (Wander::default(), Transform::from_translation(place));
            let mut agent = app.world_mut().spawn((body, wander, going, SteeringId::new(k)));
            if k % watched == 0 {
                agent.insert(SteeringEvents::default());
            }
            agent.id()
        })
        .collect();
    let warned = warnings(&mut app);
    run(&mut app, 100);
    let warned = warned.lock().unwrap();
    warned.iter().filter(|(agent, _)| agents.iter().step_by(10).any(|some| some == agent)).copied().collect()
}

#[test]
fn agents_of_random_crowds_are_warned_of_the_same_however_many_are_watched() {
    let mut count = 0;
    for case in 0..30 {
        let told = warnings_in_random_crowd(case, 10);
        assert_eq!(told, warnings_in_random_crowd(case, 1), "case {case}");
        count += told.len();
    }
    assert!(count > 100, "{count}");
}

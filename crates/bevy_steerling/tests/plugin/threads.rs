//! The same motion on one thread and on all.

use std::thread;

use bevy::math::ops;
use bevy::tasks::ComputeTaskPool;

use super::*;

/// Around the numbers of agents from which on loops use threads.
const COUNTS: [usize; 3] = [16_383, 16_385, 32_769];

/// A crowd with ten units between neighbors in the mean, among obstacles, and each agent's number, place, velocity and force, to the last
/// bit, after some ticks.
fn motion(threads: SteeringThreads, count: usize, ticks: usize, behaviors: impl Bundle + Clone) -> Vec<[u32; 6]> {
    let mut app = app();
    app.insert_resource(threads);
    let side = 10.0 * ops::sqrt(count as f32);
    let mut random = numbers(3);
    let mut place = || at(side * random(), side * random());
    for _ in 0..100 {
        app.world_mut().spawn((Obstacle::new(Circle::new(20.0)), place()));
    }
    let agents: Vec<Entity> = (0..count)
        .map(|k| {
            let body = SteeringAgent { radius: 2.0, ..default() };
            app.world_mut().spawn((SteeringId::new(k as u64), body, behaviors.clone(), place())).id()
        })
        .collect();
    run(&mut app, ticks);
    let state = |&agent: &Entity| {
        let [place, velocity, force] = [position(&app, agent), velocity(&app, agent), force(&app, agent)];
        [place.x, place.y, velocity.x, velocity.y, force.x, force.y].map(f32::to_bits)
    };
    agents.iter().map(state).collect()
}

#[track_caller]
fn assert_alike(count: usize, ticks: usize, behaviors: impl Bundle + Clone) {
    let alone = motion(SteeringThreads::Single, count, ticks, behaviors.clone());
    let moving = alone.iter().filter(|[.., x, y]| f32::from_bits(*x) != 0.0 || f32::from_bits(*y) != 0.0).count();
    assert!(moving > count / 4, "{moving} of {count} have a force");
    for threads in [SteeringThreads::Many, SteeringThreads::Auto] {
        let together = motion(threads, count, ticks, behaviors.clone());
        let first = alone.iter().zip(&together).position(|(alone, together)| alone != together);
        assert_eq!((first, together.len()), (None, count), "{threads:?}, {count} agents");
    }
    assert!(ComputeTaskPool::get().thread_num() > 1, "there are threads to use");
}

#[test]
fn agents_that_mind_only_themselves_move_the_same_on_all_threads() {
    for count in COUNTS {
        assert_alike(count, 3, Seek::new(Vec2::ZERO));
        assert_alike(count, 3, (Wander::default(), Arrive::new(Vec2::splat(300.0))));
    }
}

#[test]
fn agents_that_mind_neighbors_and_obstacles_move_the_same_on_all_threads() {
    let others = || (Separation::default().with_radius(8.0), AvoidObstacles::default(), Solid::default());
    for count in COUNTS {
        assert_alike(count, 2, (Seek::new(Vec2::splat(300.0)), others()));
    }
    let avoiding = (AvoidNeighbors::default(), Flock::default().with_radius(15.0));
    assert_alike(COUNTS[1], 1, (Seek::new(Vec2::splat(300.0)), others(), avoiding));
    let seldom = (Seek::new(Vec2::splat(300.0)), AvoidNeighbors::default(), SteeringRate::every(3));
    assert_alike(COUNTS[1], 4, seldom);
}

#[test]
fn apps_that_share_the_threads_do_not_disturb_each_other() {
    let behaviors = || (Wander::default(), Separation::default(), AvoidObstacles::default(), Solid::default());
    let settings = [SteeringThreads::Single, SteeringThreads::Many, SteeringThreads::Many, SteeringThreads::Auto];
    let expected = motion(SteeringThreads::Single, 3000, 20, behaviors());
    // Each app in a thread of its own, all at once.
    thread::scope(|scope| {
        let apps = settings.map(|threads| scope.spawn(move || motion(threads, 3000, 20, behaviors())));
        for (app, threads) in apps.into_iter().zip(settings) {
            assert!(app.join().expect("it runs to its end") == expected, "{threads:?}");
        }
    });
}

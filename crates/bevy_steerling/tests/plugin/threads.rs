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

/// A component with which an app disables entities. It is in a sparse set, so no system can read whole columns.
#[derive(Component)]
#[component(storage = "SparseSet")]
struct Paused;

/// The events of a crowd: an agent, and the other one that it may touch.
#[derive(Resource, Default)]
struct Log(Vec<(SteeringId, Option<(SteeringId, u32)>)>);

fn note_collision(on: On<CollisionImminent>, ids: Query<&SteeringId>, mut log: ResMut<Log>) {
    if let (Ok(id), Ok(other)) = (ids.get(on.entity), ids.get(on.other)) {
        log.0.push((*id, Some((*other, on.time.to_bits()))));
    }
}

fn note_arrival(on: On<Arrived>, ids: Query<&SteeringId>, mut log: ResMut<Log>) {
    log.0.extend(ids.get(on.entity).map(|id| (*id, None)));
}

/// A watched crowd of different agents that closes up and settles around two points, on these threads: the last place and velocity of each
/// agent, and all events in order.
fn settling(
    threads: SteeringThreads,
    has_columns: bool,
) -> (Vec<[u32; 4]>, Vec<(SteeringId, Option<(SteeringId, u32)>)>) {
    let mut app = app();
    app.insert_resource(threads).init_resource::<Log>().add_observer(note_collision).add_observer(note_arrival);
    if !has_columns {
        app.world_mut().register_disabling_component::<Paused>();
    }
    let mut random = numbers(7);
    let agents: Vec<Entity> = (0..200)
        .map(|k| {
            let body = SteeringAgent { radius: 2.0 + 2.0 * random(), ..default() };
            let (place, goal) = (at(400.0 * random(), 400.0 * random()), Vec2::new([100.0, 300.0][k % 2], 200.0));
            let behaviors = (Arrive::new(goal), AvoidNeighbors::default(), SteeringEvents::default());
            let mut agent = app.world_mut().spawn((SteeringId::new(k as u64), body, behaviors, place));
            if k % 3 == 0 {
                agent.insert(AvoidObstacles::default());
            }
            if k % 5 == 0 {
                agent.insert((Solid::default(), SteeringGroups(GroupMask::bit(1))));
            }
            match k % 21 {
                0 | 7 => _ = agent.insert(SteeringRate::every(3)),
                1 => _ = agent.insert(BodyLimits { max_turn_rate: Some(4.0), ..default() }),
                2 => _ = agent.insert((ExternalMovement, Velocity(Vec2::X))),
                3 => _ = agent.insert(at(f32::NAN, 0.0)),
                _ => {}
            }
            agent.id()
        })
        .collect();
    app.world_mut().spawn((Obstacle::new(Circle::new(20.0)), at(200.0, 200.0)));
    run(&mut app, 60);
    let (gone, agents) = agents.split_at(10);
    gone.iter().for_each(|agent| _ = app.world_mut().despawn(*agent));
    run(&mut app, 640);
    let state = |&agent: &Entity| {
        let [place, velocity] = [position(&app, agent), velocity(&app, agent)];
        [place.x, place.y, velocity.x, velocity.y].map(f32::to_bits)
    };
    let states = agents.iter().map(state).collect();
    (states, app.world_mut().remove_resource::<Log>().expect("it is there").0)
}

#[test]
fn a_crowd_settles_with_the_same_events_on_all_threads_and_without_columns() {
    let (states, log) = settling(SteeringThreads::Single, true);
    let at_rest = states.iter().filter(|[.., x, y]| Vec2::from([*x, *y].map(f32::from_bits)).length() < 1.0).count();
    let arrived = log.iter().filter(|(_, collision)| collision.is_none()).count();
    assert!(at_rest > 100 && arrived > 100, "{at_rest} at rest, {arrived} arrived");
    assert!(log.len() > arrived + 100, "{} warnings", log.len() - arrived);
    for (threads, has_columns) in
        [(SteeringThreads::Many, true), (SteeringThreads::Single, false), (SteeringThreads::Many, false)]
    {
        let (others, told) = settling(threads, has_columns);
        let first = states.iter().zip(&others).position(|(state, other)| state != other);
        assert_eq!(first, None, "{threads:?}, columns: {has_columns}");
        let first = log.iter().zip(&told).position(|(event, other)| event != other);
        assert_eq!((first, told.len()), (None, log.len()), "{threads:?}, columns: {has_columns}");
    }
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

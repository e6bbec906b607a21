//! `Queue` in its default style: everybody in turn, and nobody into anybody.

use super::*;
use proptest::prelude::*;

const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 60.0, max_force: 240.0, radius: 5.0, response_time: 0.0 };

/// How far the bodies of a pair overlap at most.
fn deepest(app: &App, agents: &[Entity]) -> f32 {
    let places: Vec<Vec2> = agents.iter().map(|agent| position(app, *agent)).collect();
    let pairs = (0..places.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    pairs.map(|(a, b)| 2.0 * BODY.radius - places[a].distance(places[b])).fold(0.0, f32::max)
}

#[test]
fn a_line_closes_up_and_starts_again_as_a_wave() {
    let mut app = app();
    let counter = app.world_mut().spawn(at(0.0, 0.0)).id();
    let line: Vec<Entity> = (0..8_u8)
        .map(|k| {
            let aim = (Arrive::new(counter), Queue::default(), BODY);
            app.world_mut().spawn((aim, at(-40.0 - 25.0 * f32::from(k), 0.0))).id()
        })
        .collect();
    run(&mut app, 600);
    let places: Vec<f32> = line.iter().map(|agent| position(&app, *agent).x).collect();
    assert!(places[0].abs() < 0.1, "the first is where it wanted to go: {places:?}");
    for pair in places.windows(2) {
        let gap = pair[0] - pair[1] - 2.0 * BODY.radius;
        assert!((0.0..3.0).contains(&gap), "closed up, and apart: {places:?}");
    }
    assert!(line.iter().all(|agent| velocity(&app, *agent).length() < 0.5));

    // The line moves on.
    app.world_mut().entity_mut(counter).insert(at(400.0, 0.0));
    let mut started = vec![0; line.len()];
    for tick in 1..600 {
        run(&mut app, 1);
        for (started, agent) in started.iter_mut().zip(&line) {
            if *started == 0 && velocity(&app, *agent).x > 0.2 * BODY.max_speed {
                *started = tick;
            }
        }
        assert!(deepest(&app, &line) <= 0.001 * BODY.radius);
    }
    assert!(started.windows(2).all(|pair| 0 < pair[0] && pair[0] < pair[1]), "one after another: {started:?}");
    let order: Vec<f32> = line.iter().map(|agent| position(&app, *agent).x).collect();
    assert!(order.windows(2).all(|pair| pair[0] > pair[1]), "in the order in which they stood: {order:?}");
}

#[test]
fn who_does_not_queue_is_waited_for_where_it_stands_in_the_way() {
    let mut app = app();
    let bystander = app.world_mut().spawn((BODY, at(0.0, 0.0))).id();
    let waiting = app.world_mut().spawn((Seek::new(Vec2::new(90.0, 0.0)), Queue::default(), BODY, at(-80.0, 1.0))).id();
    let passing =
        app.world_mut().spawn((Seek::new(Vec2::new(90.0, 30.0)), Queue::default(), BODY, at(-80.0, 30.0))).id();
    run(&mut app, 240);
    assert!(position(&app, waiting).x < -2.0 * BODY.radius && velocity(&app, waiting).length() < 0.5);
    assert!(position(&app, passing).x > 20.0, "it is not in its way");
    assert_eq!(position(&app, bystander), Vec2::ZERO);
}

#[test]
fn two_in_one_place_part() {
    let mut app = app();
    let pair: Vec<Entity> = (0..2)
        .map(|_| app.world_mut().spawn((Seek::new(Vec2::new(200.0, 0.0)), Queue::default(), BODY, at(0.0, 0.0))).id())
        .collect();
    run(&mut app, 120);
    assert!(deepest(&app, &pair) <= 0.001 * BODY.radius);
    assert!(pair.iter().all(|agent| position(&app, *agent).x > 20.0));
}

/// More touch it than are reckoned with at once: those in its way must be among them.
#[test]
fn a_large_one_amid_many_small_ones_runs_into_none() {
    for direction in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y, Vec2::new(0.6, 0.8)] {
        let mut app = app();
        let large = SteeringAgent { radius: 50.0, ..BODY };
        let small: Vec<Entity> = (0..60_u8)
            .map(|k| {
                let place = Vec2::from_angle(f32::from(k) / 60.0 * std::f32::consts::TAU) * 52.3;
                app.world_mut().spawn((SteeringAgent { radius: 2.0, ..BODY }, at(place.x, place.y))).id()
            })
            .collect();
        let seek = Seek::new(direction * 900.0);
        let large = app.world_mut().spawn((seek, Queue::default(), large, at(0.0, 0.0))).id();
        for _ in 0..120 {
            run(&mut app, 1);
            let gaps = small.iter().map(|other| position(&app, *other).distance(position(&app, large)) - 52.0);
            let gap = gaps.fold(f32::INFINITY, f32::min);
            assert!(gap > -0.01, "{gap} toward {direction}");
        }
    }
}

#[test]
fn an_agent_alone_is_not_held_up() {
    let [alone, queueing] = [false, true].map(|queues| {
        let mut app = app();
        let agent = app.world_mut().spawn((Arrive::new(Vec2::new(150.0, 70.0)), BODY, at(0.0, 0.0))).id();
        if queues {
            app.world_mut().entity_mut(agent).insert(Queue::default());
        }
        (0..200)
            .map(|_| {
                run(&mut app, 1);
                position(&app, agent)
            })
            .collect::<Vec<_>>()
    });
    assert_eq!(alone, queueing);
}

fn scene() -> impl Strategy<Value = (Vec<Vec2>, Vec<Vec2>, f64)> {
    let rates = prop_oneof![Just(30.0), Just(60.0), Just(120.0)];
    let cells = prop::collection::btree_set((0..12_i8, 0..12_i8), 2..40);
    (cells, prop::collection::vec((-200.0_f32..200.0, -200.0_f32..200.0), 1..4), rates).prop_map(
        |(cells, targets, rate)| {
            let places = cells.into_iter().map(|(x, y)| Vec2::new(f32::from(x) - 6.0, f32::from(y) - 6.0) * 14.0);
            (places.collect(), targets.into_iter().map(Vec2::from).collect(), rate)
        },
    )
}

proptest! {
    #![proptest_config(config(60))]

    /// Whatever they want, head-on, across and all to one point: agents that queue do not run into each other.
    #[test]
    fn bodies_stay_apart((places, targets, rate) in scene(), headway in 0.0_f32..1.5) {
        let mut app = app_at(rate);
        let agents: Vec<Entity> = places
            .iter()
            .enumerate()
            .map(|(k, place)| {
                let aim = Seek::new(targets[k % targets.len()]);
                app.world_mut().spawn((aim, Queue::default().with_headway(headway), BODY, at(place.x, place.y))).id()
            })
            .collect();
        let way_left = |app: &App| -> f32 {
            let ways = agents.iter().zip(targets.iter().cycle());
            ways.map(|(agent, target)| position(app, *agent).distance(*target)).sum()
        };
        let way = way_left(&app);
        for _ in 0..(4.0 * rate) as usize {
            run(&mut app, 1);
            let depth = deepest(&app, &agents);
            prop_assert!(depth <= 0.001 * BODY.radius, "overlap of {depth}");
        }
        // The targets have room for one: many have to stop around them.
        prop_assert!(way_left(&app) < 0.8 * way, "from {way} to {}", way_left(&app));
    }

    /// With a headway no longer than the time gap, agents move as without one, to the bit.
    #[test]
    fn a_short_headway_changes_nothing((places, targets, rate) in scene(), headway in 0.0_f32..=0.25) {
        let [without, with] = [0.0, headway].map(|headway| {
            let mut app = app_at(rate);
            let crowd = places.iter().zip(targets.iter().cycle());
            let agents: Vec<Entity> = crowd
                .map(|(place, target)| {
                    let queue = Queue::default().with_headway(headway);
                    app.world_mut().spawn((Seek::new(*target), queue, BODY, at(place.x, place.y))).id()
                })
                .collect();
            run(&mut app, (2.0 * rate) as usize);
            agents.iter().map(|agent| position(&app, *agent)).collect::<Vec<_>>()
        });
        prop_assert_eq!(without, with);
    }
}

proptest! {
    #![proptest_config(config(quarter_of(60)))]

    /// Behind a slower one, whether it starts near or far.
    #[test]
    fn a_follower_falls_back_or_closes_up_to_its_headway(
        headway in 0.3_f32..2.0,
        pace in 0.2_f32..0.9,
        distance in 11.0_f32..150.0,
    ) {
        let mut app = app();
        let mut walker = |x: f32, pace: f32| {
            let body = SteeringAgent { max_speed: pace * BODY.max_speed, ..BODY };
            let queue = Queue::default().with_headway(headway);
            app.world_mut().spawn((Seek::new(Vec2::new(1e5, 0.0)), queue, body, at(x, 0.0))).id()
        };
        let (leader, follower) = (walker(0.0, pace), walker(-distance, 1.0));
        // Ten times as long as it takes to fall back.
        run(&mut app, 80 * 60);
        let gap = position(&app, leader).x - position(&app, follower).x - 2.1 * BODY.radius;
        let expected = headway * velocity(&app, leader).x;
        prop_assert!((gap - expected).abs() < 0.03 * expected, "a gap of {gap} instead of {expected}");
    }
}

//! `AvoidNeighbors`: past others without touching them, and on to where everyone wants to go.

use core::f32::consts::{FRAC_PI_2, TAU};

use bevy::math::ops;

use super::*;
use proptest::prelude::*;

const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 60.0, max_force: 180.0, radius: 6.0, response_time: 0.0 };

/// What became of a few agents.
#[derive(Debug)]
struct Outcome {
    /// How near the bodies came to each other at least, as a share of the smaller radius of a pair; negative for an overlap.
    least_gap: f32,
    /// When each was first within its radius of its target, ticks.
    arrived: Vec<Option<usize>>,
    /// How many times each turned the other way, by more than 0.003 radians per tick in a tenth of a second.
    swerves: Vec<usize>,
}

/// The ticks in a tenth of a second.
const TENTH: usize = 6;

/// Runs until all of `agents` are within their radius of their targets.
fn watch(app: &mut App, agents: &[(Entity, Vec2)], ticks: usize) -> Outcome {
    let mut outcome =
        Outcome { least_gap: f32::INFINITY, arrived: vec![None; agents.len()], swerves: vec![0; agents.len()] };
    let mut last_turns = vec![0.0; agents.len()];
    let mut velocities: Vec<Vec<Vec2>> = Vec::new();
    for tick in 0..ticks {
        velocities.push(agents.iter().map(|(agent, _)| velocity(app, *agent)).collect());
        let before = &velocities[tick.saturating_sub(TENTH - 1)];
        run(app, 1);
        for (k, &(agent, target)) in agents.iter().enumerate() {
            let (me, place, after) = (body(app, agent), position(app, agent), velocity(app, agent));
            if outcome.arrived[k].is_none() && place.distance(target) <= me.radius {
                outcome.arrived[k] = Some(tick);
            }
            let turn = before[k].normalize_or_zero().perp_dot(after.normalize_or_zero());
            if turn.abs() > 3e-3 * TENTH as f32 && before[k].length().min(after.length()) > 0.05 * me.max_speed {
                outcome.swerves[k] += usize::from(turn * last_turns[k] < 0.0);
                last_turns[k] = turn;
            }
            for &(other, _) in &agents[..k] {
                let radii = (me.radius, body(app, other).radius);
                let gap = place.distance(position(app, other)) - radii.0 - radii.1;
                outcome.least_gap = outcome.least_gap.min(gap / radii.0.min(radii.1));
            }
        }
        if outcome.arrived.iter().all(Option::is_some) {
            break;
        }
    }
    outcome
}

fn body(app: &App, entity: Entity) -> SteeringAgent {
    *app.world().get::<SteeringAgent>(entity).unwrap()
}

fn spawn(app: &mut App, body: SteeringAgent, from: Vec2, to: Vec2) -> (Entity, Vec2) {
    (app.world_mut().spawn((Arrive::new(to), AvoidNeighbors::default(), body, at(from.x, from.y))).id(), to)
}

#[test]
pub fn two_head_on_pass_each_other_on_the_right() {
    let mut app = app();
    let ways = [(Vec2::new(-240.0, 0.0), Vec2::new(240.0, 0.0)), (Vec2::new(240.0, 0.0), Vec2::new(-240.0, 0.0))];
    let pair = ways.map(|(from, to)| spawn(&mut app, BODY, from, to));
    let mut widest = [0.0_f32; 2];
    for _ in 0..540 {
        run(&mut app, 1);
        let [a, b] = pair.map(|(agent, _)| position(&app, agent));
        assert!((a + b).length() < 1e-3, "both do the same: {a} {b}");
        assert!(a.distance(b) >= 2.0 * BODY.radius);
        widest = [widest[0].min(a.y), widest[1].max(b.y)];
    }
    assert!(widest[0] < -BODY.radius && widest[0] > -2.0 * BODY.radius, "just so far as needed: {widest:?}");
    for (agent, target) in pair {
        assert!(position(&app, agent).distance(target) < 1e-3 && velocity(&app, agent).length() < 1e-3);
    }

    let mut app = self::app();
    let pair = ways.map(|(from, to)| spawn(&mut app, BODY, from, to));
    let outcome = watch(&mut app, &pair, 600);
    assert!(outcome.swerves.iter().all(|swerves| *swerves <= 3), "out, along, and back: {outcome:?}");
    // 8 s and what braking takes: hardly longer than alone.
    assert!(outcome.arrived.iter().all(|arrived| arrived.is_some_and(|tick| tick < 8 * 60 + 40)), "{outcome:?}");
}

#[test]
fn of_two_that_meet_at_right_angles_the_one_on_the_right_goes_first() {
    let mut app = app();
    let east = spawn(&mut app, BODY, Vec2::new(-200.0, 0.0), Vec2::new(200.0, 0.0));
    let north = spawn(&mut app, BODY, Vec2::new(0.0, -200.0), Vec2::new(0.0, 200.0));
    // Who goes north comes from the right of who goes east.
    let mut crossed = [None; 2];
    for tick in 0..480 {
        run(&mut app, 1);
        let done = [position(&app, east.0).x > 0.0, position(&app, north.0).y > 0.0];
        for (crossed, done) in crossed.iter_mut().zip(done) {
            if done && crossed.is_none() {
                *crossed = Some(tick);
            }
        }
    }
    assert!(crossed[1].unwrap() < crossed[0].unwrap(), "{crossed:?}");
}

/// Two ways that cross in the middle: the angle, and for each agent how fast, strong and large it is.
fn crossing() -> impl Strategy<Value = (f32, f32, [SteeringAgent; 2])> {
    let body = || {
        (0.3_f32..1.0, 1.0_f32..5.0, 0.4_f32..1.6).prop_map(|(speed, force, radius)| SteeringAgent {
            max_speed: speed * BODY.max_speed,
            max_force: force * speed * BODY.max_speed,
            radius: radius * BODY.radius,
            ..BODY
        })
    };
    (0.0..TAU, -1.0_f32..1.0, [body(), body()])
}

proptest! {
    #![proptest_config(config(quarter_of(300)))]

    #[test]
    fn any_two_whose_ways_cross_pass_and_arrive((angle, offset, bodies) in crossing(), exact in any::<bool>()) {
        let offset = if exact { 0.0 } else { offset };
        let mut app = app();
        // Both would be in the middle after five seconds.
        let way = Vec2::from_angle(angle);
        let aside = way.perp() * offset * BODY.radius;
        let length = 5.0 * bodies[1].max_speed;
        let first = spawn(&mut app, bodies[0], Vec2::NEG_X * 5.0 * bodies[0].max_speed, Vec2::X * 5.0 * bodies[0].max_speed);
        let second = spawn(&mut app, bodies[1], aside - way * length, aside + way * length);
        let touch = bodies[0].radius + bodies[1].radius + 1.0;
        let places = [position(&app, first.0), first.1];
        let other_places = [position(&app, second.0), second.1];
        let apart = |a: &Vec2| other_places.iter().all(|b| a.distance(*b) > touch);
        prop_assume!(places.iter().all(apart));

        let outcome = watch(&mut app, &[first, second], 60 * 20);
        prop_assert!(outcome.least_gap > 0.0, "{outcome:?}");
        prop_assert!(outcome.arrived.iter().all(Option::is_some), "{outcome:?}");
        prop_assert!(outcome.swerves.iter().all(|swerves| *swerves <= 12), "{outcome:?}");
    }
}

#[test]
fn a_faster_one_overtakes() {
    for aside in [0.0, 2.0, -2.0] {
        let mut app = app();
        let slow = SteeringAgent { max_speed: 25.0, ..BODY };
        let ahead = spawn(&mut app, slow, Vec2::new(0.0, 0.0), Vec2::new(400.0, 0.0));
        let behind = spawn(&mut app, BODY, Vec2::new(-60.0, aside), Vec2::new(440.0, 0.0));
        let outcome = watch(&mut app, &[ahead, behind], 60 * 20);
        assert!(outcome.least_gap > 0.0, "{outcome:?}");
        // 500 units at 60/s, and a little.
        assert!(outcome.arrived[1].is_some_and(|tick| tick < 60 * 9), "{outcome:?}");
        assert!(outcome.arrived[0].is_some_and(|tick| tick < 60 * 18), "{outcome:?}");
        assert!(outcome.swerves.iter().all(|swerves| *swerves <= 4), "{outcome:?}");
    }
}

#[test]
fn who_does_not_avoid_others_is_avoided_all_the_more() {
    // Something else moves it; it has no behavior; it does not look.
    for kind in 0..3 {
        let mut app = app();
        let walker = spawn(&mut app, BODY, Vec2::new(-200.0, 0.0), Vec2::new(200.0, 0.0));
        let moving = (BODY, Velocity(Vec2::new(-50.0, 0.0)), at(200.0, 0.0));
        let other = match kind {
            0 => app.world_mut().spawn((moving, ExternalMovement, AvoidNeighbors::default())).id(),
            1 => app.world_mut().spawn((moving, ExternalMovement)).id(),
            _ => app.world_mut().spawn((moving, Seek::new(Vec2::new(-1e6, 0.0)))).id(),
        };
        let mut nearest = f32::INFINITY;
        for _ in 0..60 * 8 {
            run(&mut app, 1);
            if kind < 2 {
                let mut transform = app.world_mut().get_mut::<Transform>(other).unwrap();
                transform.translation.x -= 50.0 * TICK;
            }
            nearest = nearest.min(position(&app, walker.0).distance(position(&app, other)));
        }
        assert!(nearest > 2.0 * BODY.radius, "{kind}: {nearest}");
        assert!(position(&app, walker.0).distance(walker.1) < 1e-3, "{kind}");
        assert_eq!(position(&app, other).y, 0.0);
    }
}

/// Moves bodies by their force, with the formula of steering.
fn push(
    mut bodies: Query<(&SteeringAgent, &SteeringForce, &mut Velocity, &mut Transform), With<MovedByForce>>,
    time: Res<Time>,
) {
    let tick = time.delta_secs();
    for (body, force, mut velocity, mut transform) in &mut bodies {
        velocity.0 = truncate(velocity.0 + force.0 * (tick / body.mass), body.max_speed);
        transform.translation += (velocity.0 * tick).extend(0.0);
    }
}

/// The places after 15 seconds of twelve bodies, which something else moves by their force or which steering moves.
fn crowd(seed: u64, by_force: bool) -> Vec<Vec2> {
    let mut app = app();
    app.add_systems(SteeringSchedule, push.after(SteeringSystems::Integrate).before(SteeringSystems::Confine));
    let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 1);
    let size = 60.0 + 20.0 * seed as f32;
    let mut within = |size: f32| size * Vec2::new(2.0 * random.uniform() - 1.0, 2.0 * random.uniform() - 1.0);
    let agents: Vec<_> = (0..12).map(|_| spawn(&mut app, BODY, within(size), within(0.5 * size)).0).collect();
    if by_force {
        agents.iter().for_each(|agent| _ = app.world_mut().entity_mut(*agent).insert(MovedByForce));
    }
    run(&mut app, 60 * 15);
    agents.iter().map(|agent| position(&app, *agent)).collect()
}

#[test]
fn bodies_that_are_moved_by_their_force_move_like_others() {
    for seed in 0..20 {
        assert_eq!(crowd(seed, true), crowd(seed, false), "crowd {seed}");
    }
}

#[test]
fn a_target_right_beside_someone_is_reached() {
    for (k, gap) in [0.1, 1.0].into_iter().flat_map(|gap| (0..12_u8).map(move |k| (k, gap))) {
        for avoids in [true, false] {
            let mut app = app();
            let idle = app.world_mut().spawn((Arrive::new(Vec2::ZERO), BODY, at(0.0, 0.0))).id();
            if avoids {
                app.world_mut().entity_mut(idle).insert(AvoidNeighbors::default());
            }
            let target = Vec2::new(2.0 * BODY.radius + gap, 0.0);
            let from = Vec2::from_angle(f32::from(k) * TAU / 12.0) * 120.0;
            let walker = spawn(&mut app, BODY, from, target);
            run(&mut app, 60 * 8);
            let missed = position(&app, walker.0).distance(target).max(position(&app, idle).length());
            assert!(missed < 0.05, "from {from}, {gap} beside one that avoids it: {avoids}, missed by {missed}");
        }
    }
}

/// Eight agents that cross in the middle of a circle of `size`, spawned in the order given; where they are after five seconds.
fn star(order: impl Iterator<Item = usize>, size: f32, bounds: Option<SteeringBounds>, middle: Vec2) -> Vec<Vec2> {
    let mut app = app();
    if let Some(bounds) = bounds {
        app.insert_resource(bounds);
    }
    let body = SteeringAgent {
        max_speed: BODY.max_speed * size,
        max_force: BODY.max_force * size,
        radius: BODY.radius * size,
        ..BODY
    };
    let mut agents: Vec<(usize, Entity)> = order
        .map(|k| {
            let from = Vec2::from_angle(k as f32 * TAU / 8.0) * (150.0 * size);
            let space = bounds.unwrap_or_default().space();
            let wrapped = |place: Vec2| middle + space.displacement(middle, place);
            let bundle = (Arrive::new(wrapped(middle - from)), AvoidNeighbors::default(), body);
            let place = middle + from;
            let agent = app.world_mut().spawn((bundle, SteeringId::new(k as u64), at(place.x, place.y))).id();
            (k, agent)
        })
        .collect();
    agents.sort_unstable_by_key(|(k, _)| *k);
    run(&mut app, 150);
    agents.iter().map(|(_, agent)| position(&app, *agent)).collect()
}

#[test]
fn the_order_of_spawning_does_not_matter() {
    let forward = star(0..8, 1.0, None, Vec2::ZERO);
    assert_eq!(star((0..8).rev(), 1.0, None, Vec2::ZERO), forward);
    assert_eq!(star([3, 1, 4, 0, 5, 7, 2, 6].into_iter(), 1.0, None, Vec2::ZERO), forward);
}

#[test]
fn the_same_scene_in_other_units_moves_alike() {
    let pixels = star(0..8, 1.0, None, Vec2::ZERO);
    // A power of two, so that nothing is rounded otherwise.
    let meters: Vec<Vec2> = star(0..8, 1.0 / 64.0, None, Vec2::ZERO).iter().map(|place| *place * 64.0).collect();
    assert_eq!(pixels, meters);
}

#[test]
fn it_works_across_the_seams_of_a_world_that_wraps() {
    let bounds = SteeringBounds::wrap(Vec2::splat(-512.0), Vec2::splat(512.0));
    let open = star(0..8, 1.0, None, Vec2::ZERO);
    let corner = Vec2::splat(512.0);
    let across = star(0..8, 1.0, Some(bounds), corner);
    for (place, expected) in across.iter().zip(&open) {
        let off = bounds.space().displacement(corner + *expected, *place).length();
        assert!(off < 0.5, "{place} instead of {expected} from the corner");
    }
}

#[test]
fn a_crowd_on_one_point_parts() {
    let mut app = app();
    let crowd: Vec<Entity> = (0..30)
        .map(|_| app.world_mut().spawn((Arrive::new(Vec2::ZERO), AvoidNeighbors::default(), BODY, at(0.0, 0.0))).id())
        .collect();
    run(&mut app, 60 * 10);
    let places: Vec<Vec2> = crowd.iter().map(|agent| position(&app, *agent)).collect();
    for (k, a) in places.iter().enumerate() {
        for b in &places[..k] {
            assert!(a.distance(*b) > 1.98 * BODY.radius, "{a} {b}");
        }
        assert!(a.length() < 20.0 * BODY.radius, "but not far: {a}");
    }
}

#[test]
fn nobody_near_nothing_to_do() {
    let [alone, avoiding] = [false, true].map(|avoids| {
        let mut app = app();
        let agent = app.world_mut().spawn((Arrive::new(Vec2::new(150.0, 70.0)), BODY, at(0.0, 0.0))).id();
        if avoids {
            app.world_mut().entity_mut(agent).insert(AvoidNeighbors::default());
        }
        (0..300).map(|_| (run(&mut app, 1), position(&app, agent)).1).collect::<Vec<_>>()
    });
    assert_eq!(alone, avoiding);
}

/// Agents on their way to one point, or to points nearer to each other than two radii.
#[derive(Debug)]
struct Contest {
    rate: f64,
    body: SteeringAgent,
    /// The start of each and its target.
    ways: Vec<(Vec2, Vec2)>,
}

impl Contest {
    /// How many do not get to their targets. Those that do are removed.
    fn losers(&self) -> usize {
        let Self { rate, body, ways } = self;
        let mut app = app_at(*rate);
        let mut agents: Vec<_> = ways.iter().map(|(from, to)| spawn(&mut app, *body, *from, *to)).collect();
        // 42 radii, and 18 for each of the others: half of what the slowest of 3,000 took.
        let longest = (42.0 + 18.0 * ways.len() as f32) * body.radius / body.max_speed * 2.0;
        for _ in 0..(f64::from(longest) * rate) as usize {
            run(&mut app, 1);
            for (k, a) in agents.iter().enumerate() {
                for b in &agents[..k] {
                    let distance = position(&app, a.0).distance(position(&app, b.0));
                    assert!(distance >= 2.0 * body.radius, "{self:?}");
                }
            }
            agents.retain(|(agent, target)| {
                let is_there = position(&app, *agent).distance(*target) <= body.radius;
                if is_there {
                    app.world_mut().despawn(*agent);
                }
                !is_there
            });
        }
        agents.len()
    }
}

fn contest() -> impl Strategy<Value = Contest> {
    let body =
        (2.0_f32..10.0, 1.5_f32..10.0, prop_oneof![Just(0.5_f32), Just(8.0)]).prop_map(|(speed, force, radius)| {
            let max_speed = speed * radius;
            SteeringAgent { max_speed, max_force: force * max_speed, radius, ..BODY }
        });
    // Directions, and distances in radii.
    let polar = |distances| (0.0..TAU, distances).prop_map(|(angle, distance)| Vec2::from_angle(angle) * distance);
    let apart =
        |starts: &Vec<Vec2>| starts.iter().enumerate().all(|(k, a)| starts[..k].iter().all(|b| a.distance(*b) > 2.2));
    let anywhere = prop::collection::vec(polar(4.0_f32..30.0), 2..=8).prop_filter("overlap", apart);
    let ring = (2_u8..=8, 0.0..TAU).prop_map(|(count, turn)| {
        let place = |k| Vec2::from_angle(turn + f32::from(k) * TAU / f32::from(count)) * (12.0 + f32::from(count));
        (0..count).map(place).collect()
    });
    let targets = prop_oneof![Just(vec![Vec2::ZERO; 8]), prop::collection::vec(polar(0.0_f32..1.0), 8)];
    let rate = prop_oneof![Just(20.0), Just(60.0)];
    (rate, body, prop_oneof![anywhere, ring], targets).prop_map(|(rate, body, starts, targets)| {
        let ways = starts.into_iter().zip(targets).map(|(from, to)| (from * body.radius, to * body.radius));
        Contest { rate, body, ways: ways.collect() }
    })
}

proptest! {
    #![proptest_config(config(quarter_of(100)))]

    #[test]
    fn agents_whose_targets_fit_only_one_get_there_one_after_another(contest in contest()) {
        prop_assert_eq!(contest.losers(), 0);
    }
}

#[test]
fn agents_around_targets_that_differ_take_turns() {
    // Each stands between two others and their targets. The radius of their ring is more than 2.2 radii for some of their targets.
    let targets = [[0.0, 0.0], [0.0, 0.0], [0.32, 0.0], [-0.4, 0.87], [0.07, -0.42], [0.23, -0.84]];
    for turn in 0..quarter_of(24) {
        let body = SteeringAgent { max_speed: 2.3, max_force: 14.6, radius: 0.5, ..BODY };
        let ways = targets.iter().enumerate().map(|(k, target)| {
            let angle = TAU * (k as f32 / 6.0 + turn as f32 / 24.0);
            (Vec2::from_angle(angle) * 9.0, Vec2::from_array(*target) * body.radius)
        });
        let contest = Contest { rate: 20.0, body, ways: ways.collect() };
        assert_eq!(contest.losers(), 0, "{turn}");
    }
}

#[test]
fn a_row_of_people_is_walked_round() {
    // A wall of them across the way, nobody moves, and there is no gap.
    let mut app = app();
    for k in -3..=3_i8 {
        let y = f32::from(k) * 2.2 * BODY.radius;
        app.world_mut().spawn((
            Arrive::new(Vec2::new(0.0, y)),
            AvoidNeighbors::default(),
            ExternalMovement,
            BODY,
            at(0.0, y),
        ));
    }
    let walker = spawn(&mut app, BODY, Vec2::new(-150.0, 0.0), Vec2::new(150.0, 0.0));
    let outcome = watch(&mut app, &[walker], 60 * 40);
    assert!(outcome.arrived[0].is_some(), "{outcome:?} at {}", position(&app, walker.0));
}

#[test]
fn between_two_walls_it_touches_neither_them_nor_who_comes_toward_it() {
    let mut app = app();
    for y in [-20.0, 20.0] {
        let wall = Obstacle::new(Segment2d::new(Vec2::new(-300.0, y), Vec2::new(300.0, y)));
        app.world_mut().spawn((wall, Transform::default()));
    }
    let mut agents = Vec::new();
    for x in [-100.0, 100.0] {
        let agent = spawn(&mut app, BODY, Vec2::new(x, 0.0), Vec2::new(-x, 0.0));
        app.world_mut().entity_mut(agent.0).insert(AvoidObstacles::default());
        agents.push(agent);
    }
    for _ in 0..60 * 6 {
        run(&mut app, 1);
        let [a, b] = [0, 1].map(|k| position(&app, agents[k].0));
        assert!(a.distance(b) > 2.0 * BODY.radius);
        assert!(a.y.abs().max(b.y.abs()) <= 20.0 - BODY.radius);
    }
    for (agent, target) in agents {
        assert!(position(&app, agent).distance(target) < 0.5, "{}", position(&app, agent));
    }
}

#[test]
fn it_stays_right_at_any_tick_rate() {
    for rate in [10.0, 30.0, 144.0] {
        let mut app = app_at(rate);
        let ways = [Vec2::X, Vec2::from_angle(2.0 * FRAC_PI_2 / 3.0), Vec2::NEG_Y].map(|way| way * 180.0);
        let agents = ways.map(|way| spawn(&mut app, BODY, -way, way));
        let outcome = watch(&mut app, &agents, (rate * 12.0) as usize);
        assert!(outcome.least_gap > 0.0 && outcome.arrived.iter().all(Option::is_some), "{rate} Hz: {outcome:?}");
    }
}

/// Two that meet in a gap for one beside a pillar; there is another gap on its other side. Whether both got past in time.
fn pass_a_pillar(number: &mut impl FnMut() -> f32) -> bool {
    let (mut app, body) = (app(), SteeringAgent { max_speed: 60.0 + 40.0 * number(), ..default() });
    let pillar = 12.0 + 48.0 * number();
    let wall = pillar + 2.0 * body.radius * (1.15 + 1.05 * number());
    app.world_mut().spawn((Obstacle::new(Circle::new(pillar)), at(0.0, 0.0)));
    for side in [-1.0, 1.0] {
        app.world_mut().spawn((Obstacle::new(Rectangle::new(2000.0, 20.0)), at(0.0, side * (wall + 10.0))));
    }
    let agents = [-1.0, 1.0].map(|side| {
        let start = at(side * (pillar + 60.0 + 20.0 * number()), (number() - 0.5) * pillar);
        let seek = Seek::new(Vec2::new(-side * 2000.0, start.translation.y));
        (side, app.world_mut().spawn((seek, AvoidObstacles::default(), AvoidNeighbors::default(), body, start)).id())
    });
    (0..60 * 12).any(|_| {
        run(&mut app, 1);
        let [one, other] = agents.map(|(_, agent)| position(&app, agent));
        assert!(one.distance(other) > 2.0 * body.radius, "they touch");
        agents.iter().all(|(side, agent)| side * position(&app, *agent).x < -pillar)
    })
}

#[test]
fn of_two_that_meet_in_a_gap_for_one_beside_a_pillar_one_takes_the_other_gap() {
    let mut number = numbers(1);
    let passed = (0..100).filter(|_| pass_a_pillar(&mut number)).count();
    assert!(passed >= 98, "{passed} of 100");
}

/// A car that does not avoid anybody heads for the place at which a walker would be when it comes, at 1 to 50 times its max speed. The least gap
/// between the bodies.
fn meets_a_car(seed: u64, factor: f32) -> f32 {
    let mut number = numbers(seed);
    let mut app = app_at([30.0, 60.0, 120.0][seed as usize % 3]);
    let max_speed = 20.0 + 40.0 * number();
    let body = SteeringAgent {
        max_speed,
        max_force: max_speed * (2.0 + 4.0 * number()),
        radius: 3.0 + 6.0 * number(),
        ..default()
    };
    let walks = number() < 0.7;
    let way = if walks { Vec2::X } else { Vec2::ZERO };
    let walker = app.world_mut().spawn((body, AvoidNeighbors::default(), at(0.0, 0.0))).id();
    if walks {
        app.world_mut().entity_mut(walker).insert((Seek::new(Vec2::X * 1e5), Velocity(way * max_speed)));
    }
    let radius = body.radius * (0.5 + 2.0 * number());
    let speed = factor * max_speed;
    // It comes after a time that is longer than the walker looks ahead.
    let horizon = 2.0 * max_speed / body.max_force + 8.0 * body.radius / max_speed;
    let time = horizon * (1.2 + number());
    let direction = Vec2::from_angle(TAU * number());
    let meeting = way * max_speed * time + direction.perp() * (2.0 * number() - 1.0) * (radius + body.radius);
    let start = meeting - direction * speed * time;
    let car = SteeringAgent { max_speed: speed, radius, ..default() };
    let car = app.world_mut().spawn((car, Velocity(direction * speed), at(start.x, start.y))).id();
    let touch = radius + body.radius;
    let mut least = f32::INFINITY;
    if start.length() < 3.0 * touch {
        // A car that comes from behind would begin beside the walker.
        return least;
    }
    while (position(&app, car) - meeting).dot(direction) < 4.0 * touch {
        let before = position(&app, car) - position(&app, walker);
        app.update();
        let after = position(&app, car) - position(&app, walker);
        // The nearest that they come to each other within the tick.
        least = least.min(to_segment(Vec2::ZERO, before, after) - touch);
    }
    least
}

#[test]
fn a_walker_gets_out_of_the_way_of_cars_of_up_to_fifty_times_its_speed() {
    let mut number = numbers(77);
    for seed in 0..u64::from(quarter_of(800)) {
        // Slow and fast cars are equally frequent.
        let factor = 1.2_f32.max(ops::powf(50.0, number()));
        let least = meets_a_car(seed, factor);
        assert!(least > -1e-3, "seed {seed}: it is run over at {factor} times its speed: {least}");
    }
}

//! Crowds with `AvoidNeighbors` that want to stop at the same place come to rest there.

use core::f32::consts::{FRAC_PI_2, TAU};

use bevy_steerling::constraints::settling::Settling;

use super::*;

/// How many times `Arrived` was triggered for each agent.
#[derive(Resource, Default)]
struct Arrivals(Vec<Entity>);

fn app_that_counts(rate: f64) -> App {
    let mut app = app_at(rate);
    app.init_resource::<Arrivals>();
    app.add_observer(|arrived: On<Arrived>, mut arrivals: ResMut<Arrivals>| arrivals.0.push(arrived.entity));
    app
}

/// Where the agents of a crowd start, and how their targets differ.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Around,
    FourSides,
    NearTargets,
    TwoSizes,
    SecondOrder,
    OneSide,
}

const KINDS: [Kind; 6] =
    [Kind::Around, Kind::FourSides, Kind::NearTargets, Kind::TwoSizes, Kind::SecondOrder, Kind::OneSide];

/// The start of an agent, in multiples of the size of the crowd.
fn start(kind: Kind, number: &mut impl FnMut() -> f32) -> Vec2 {
    let mut between = |low: f32, high: f32| low + (high - low) * number();
    if kind == Kind::FourSides {
        let side = Vec2::from_angle((between(0.0, 4.0) as u8 % 4) as f32 * FRAC_PI_2);
        side.rotate(Vec2::new(between(1.0, 3.0), between(-0.5, 0.5)))
    } else if kind == Kind::OneSide {
        Vec2::new(between(1.0, 3.0), between(-0.5, 0.5))
    } else {
        Vec2::new(between(-1.5, 1.5), between(-1.5, 1.5))
    }
}

/// So many of the places that `place` returns, each farther than `clear` from those before.
pub(super) fn places_apart(count: usize, clear: f32, mut place: impl FnMut() -> Vec2) -> Vec<Vec2> {
    let mut places: Vec<Vec2> = Vec::new();
    while places.len() < count {
        let next = place();
        if places.iter().all(|other| other.distance(next) > clear) {
            places.push(next);
        }
    }
    places
}

/// The deepest overlap of any two bodies.
pub(super) fn overlap(app: &App, agents: &[Entity]) -> f32 {
    let body = |agent: Entity| (position(app, agent), app.world().get::<SteeringAgent>(agent).unwrap().radius);
    let bodies: Vec<(Vec2, f32)> = agents.iter().map(|agent| body(*agent)).collect();
    let mut deepest = 0.0_f32;
    for (k, a) in bodies.iter().enumerate() {
        for b in &bodies[..k] {
            deepest = deepest.max(a.1 + b.1 - a.0.distance(b.0));
        }
    }
    deepest
}

/// The radius of a disc around the bodies, at most a few percent larger than the smallest.
pub(super) fn width(app: &App, agents: &[Entity]) -> f32 {
    let reach = |from: Vec2, agent: &Entity| {
        position(app, *agent).distance(from) + app.world().get::<SteeringAgent>(*agent).unwrap().radius
    };
    let mut center = agents.iter().map(|agent| position(app, *agent)).sum::<Vec2>() / agents.len() as f32;
    for step in 2..400_u16 {
        let farthest = agents.iter().max_by(|a, b| reach(center, a).total_cmp(&reach(center, b))).unwrap();
        center += (position(app, *farthest) - center) / f32::from(step);
    }
    agents.iter().map(|agent| reach(center, agent)).fold(0.0, f32::max)
}

/// A crowd on its way to one place comes to rest, without a touch, and everybody is told. How many times as wide as needed the crowd is then.
fn comes_to_rest(kind: Kind, count: usize, seed: u64) -> f32 {
    let mut number = numbers(seed);
    let rate = [30.0, 60.0, 64.0][seed as usize % 3];
    let size = [8.0, 0.5][seed as usize % 2];
    let max_speed = size * (5.0 + 10.0 * number());
    let body = SteeringAgent { max_speed, max_force: max_speed * (1.5 + 5.0 * number()), radius: size, ..default() };
    let scale = size * (count as f32 / 0.4).sqrt() * 2.5;
    let mut app = app_that_counts(rate);
    let starts = places_apart(count, 2.3 * size, || start(kind, &mut number) * scale);
    let agents: Vec<Entity> = (0..)
        .zip(&starts)
        .map(|(k, place)| {
            let radius = if kind == Kind::TwoSizes && k % 2 == 0 { 0.5 * size } else { size };
            let spread = if kind == Kind::NearTargets { size } else { 0.0 };
            let target = Vec2::new(number() - 0.5, number() - 0.5) * 2.0 * spread;
            let walker = (Arrive::new(target), AvoidNeighbors::default(), SteeringAgent { radius, ..body });
            app.world_mut().spawn((walker, SteeringEvents::default(), at(place.x, place.y))).id()
        })
        .collect();
    let case = format!("{kind:?}, {count} agents, seed {seed}");

    let mut target = Vec2::ZERO;
    if kind == Kind::SecondOrder {
        run(&mut app, (f64::from(scale / max_speed) * rate) as usize);
        target = Vec2::splat(scale);
        for agent in &agents {
            app.world_mut().get_mut::<Arrive>(*agent).unwrap().target = target.into();
        }
        app.world_mut().resource_mut::<Arrivals>().0.clear();
    }
    // Ten seconds for an agent that covers 12.5 radii per second, more for a slower one.
    let mut time = 10.0 * (12.5 * size / max_speed).max(1.0);
    if kind == Kind::OneSide {
        // The last start later.
        time += 2.0 * scale / max_speed;
    }
    let mut left = None;
    let mut rested = false;
    for _ in 0..(f64::from(10.0 * scale / max_speed + time) * rate) as usize {
        run(&mut app, 1);
        let touch = overlap(&app, &agents);
        assert!(touch <= 1e-3 * size, "{case}: an overlap of {touch}");
        let is_there = |agent: &Entity| position(&app, *agent).distance(target) < 2.0 * size;
        left = left.or(agents.iter().any(is_there).then_some((f64::from(time) * rate) as usize));
        let speed = agents.iter().map(|agent| velocity(&app, *agent).length()).sum::<f32>() / count as f32;
        rested = left.is_some() && speed < 0.01 * max_speed;
        if rested {
            break;
        }
        if let Some(left) = &mut left {
            assert!(*left > 0, "{case}: {speed} units/s ten seconds after the first arrival");
            *left -= 1;
        }
    }
    assert!(rested, "{case}: nobody arrives");
    // Agents in the middle may take turns for some time before they settle.
    run(&mut app, (f64::from(2.0 * time) * rate) as usize);
    let mut told = app.world().resource::<Arrivals>().0.clone();
    let arrivals = told.len();
    told.sort_unstable();
    told.dedup();
    assert_eq!(told.len(), count, "{case}: not everybody is told");
    assert!(arrivals <= count + count.div_ceil(20), "{case}: {arrivals} arrivals");
    // Discs need at least this radius. A few agents do not fill a disc.
    let area: f32 = agents
        .iter()
        .map(|agent| app.world().get::<SteeringAgent>(*agent).unwrap().radius)
        .map(|radius| radius * radius)
        .sum();
    let packed = (area / 0.85).sqrt().max(2.0 * size.min(size * count as f32 / 2.0));
    let wide = width(&app, &agents) / packed;
    let widest = match kind {
        _ if count < 30 => 1.4,
        // One agent may settle farther out.
        _ if count == 30 => 1.33,
        _ => 1.3,
    };
    assert!(wide <= widest, "{case}: {wide} times as wide as needed");
    wide
}

#[test]
fn crowds_of_any_kind_come_to_rest_at_one_target() {
    let seeds = u64::from(quarter_of(12));
    for count in [2, 5, 12, 30] {
        let crowds = KINDS.into_iter().flat_map(|kind| (0..seeds).map(move |seed| comes_to_rest(kind, count, seed)));
        let widths: Vec<f32> = crowds.collect();
        let mean = widths.iter().sum::<f32>() / widths.len() as f32;
        assert!(count < 30 || mean <= 1.22, "{count} agents: {mean} times as wide as needed in the mean");
        let wide = widths.iter().filter(|wide| count == 30 && **wide > 1.3).count();
        assert!(wide <= seeds as usize / 12, "{wide} of {} crowds are more than 1.3 times as wide", widths.len());
    }
}

#[test]
fn large_crowds_come_to_rest_in_a_disc() {
    for (count, seeds) in [(40, 8), (100, 8), (300, 2)] {
        for seed in 0..u64::from(quarter_of(seeds)) {
            comes_to_rest(Kind::Around, count, seed);
            comes_to_rest(Kind::OneSide, count, seed);
        }
    }
}

#[test]
fn a_crowd_at_rest_stays_until_its_target_is_moved() {
    let mut app = app();
    let crowd: Vec<Entity> = (0..20_u8)
        .map(|k| {
            let place = Vec2::from_angle(f32::from(k) * TAU / 20.0) * 120.0;
            app.world_mut().spawn((Arrive::new(Vec2::ZERO), AvoidNeighbors::default(), at(place.x, place.y))).id()
        })
        .collect();
    let settled =
        |app: &App| crowd.iter().filter(|agent| app.world().get::<Settling>(**agent).unwrap().is_settled()).count();
    run(&mut app, 60 * 15);
    assert!(settled(&app) >= 19, "all but at most the one in the middle: {}", settled(&app));
    let places: Vec<Vec2> = crowd.iter().map(|agent| position(&app, *agent)).collect();
    run(&mut app, 60 * 60);
    let moved = places.iter().zip(&crowd).map(|(place, agent)| place.distance(position(&app, *agent)));
    assert!(moved.fold(0.0, f32::max) < 0.01);

    for agent in &crowd {
        app.world_mut().get_mut::<Arrive>(*agent).unwrap().target = Vec2::new(500.0, 0.0).into();
    }
    run(&mut app, 60 * 20);
    for agent in &crowd {
        assert!(position(&app, *agent).distance(Vec2::new(500.0, 0.0)) < 80.0, "{}", position(&app, *agent));
    }
}

#[test]
fn agents_of_different_sizes_rest_side_by_side() {
    for (ratio, weak) in [0.3, 0.5, 2.0, 4.0].into_iter().flat_map(|ratio| [true, false].map(|weak| (ratio, weak))) {
        let mut app = app();
        let walkers = [(-60.0, 8.0), (90.0, 8.0 * ratio)].map(|(x, radius)| {
            let body = SteeringAgent { radius, max_force: if weak { 100.0 } else { 400.0 }, ..default() };
            app.world_mut().spawn((Arrive::new(Vec2::ZERO), AvoidNeighbors::default(), body, at(x, 3.0))).id()
        });
        run(&mut app, 60 * 12);
        let places = walkers.map(|walker| position(&app, walker));
        assert!(overlap(&app, &walkers) <= 0.0);
        run(&mut app, 60 * 20);
        for (walker, place) in walkers.into_iter().zip(places) {
            let moved = position(&app, walker).distance(place);
            assert!(moved < 0.05, "{ratio} times as large: {moved} units in twenty seconds");
        }
    }
}

#[test]
fn those_behind_move_up_when_those_before_them_leave() {
    let mut app = app();
    let mut crowd: Vec<Entity> = (0..12_u8)
        .map(|k| {
            let place = Vec2::new(-60.0 - 20.0 * f32::from(k), 3.0 * f32::from(k % 3));
            app.world_mut().spawn((Arrive::new(Vec2::ZERO), AvoidNeighbors::default(), at(place.x, place.y))).id()
        })
        .collect();
    while crowd.len() > 1 {
        run(&mut app, 60 * 8);
        crowd.sort_by(|a, b| position(&app, *a).length().total_cmp(&position(&app, *b).length()));
        assert!(position(&app, crowd[0]).length() < 16.0, "{} of {}", position(&app, crowd[0]), crowd.len());
        app.world_mut().despawn(crowd.remove(0));
    }
}

#[test]
fn an_agent_that_wants_to_stop_elsewhere_passes_a_crowd_at_rest() {
    let mut number = numbers(1);
    for case in 0..quarter_of(40) {
        let mut app = app();
        for k in 0..6_u8 {
            let place = Vec2::from_angle(f32::from(k) * TAU / 6.0) * 60.0;
            app.world_mut().spawn((Arrive::new(Vec2::ZERO), AvoidNeighbors::default(), at(place.x, place.y)));
        }
        run(&mut app, 60 * 10);
        let way = Vec2::from_angle(TAU * number());
        let start = -way * (60.0 + 200.0 * number()) + way.perp() * 40.0 * (number() - 0.5);
        let goal = way * (60.0 + 200.0 * number()) + way.perp() * 40.0 * (number() - 0.5);
        let walker = (Arrive::new(goal), AvoidNeighbors::default(), at(start.x, start.y));
        let walker = app.world_mut().spawn(walker).id();
        for _ in 0..60 * 12 {
            run(&mut app, 1);
            let place = position(&app, walker);
            let settling = app.world().get::<Settling>(walker).expect("it avoids others");
            let may_settle = place.distance(goal) < 16.0;
            assert!(!settling.is_settled() || may_settle, "{case}: it settles at {place}, on the way to {goal}");
        }
        let off = position(&app, walker).distance(goal);
        assert!(off < 1.0, "{case}: {off} off");
    }
}

/// What a game does with a settled agent.
type Change = fn(&mut EntityWorldMut);

#[test]
fn a_settled_agent_that_no_longer_avoids_others_sets_out_again() {
    let changes: [Change; 3] = [
        |agent| _ = agent.remove::<AvoidNeighbors>(),
        |agent| _ = agent.insert(ExternalMovement).remove::<AvoidNeighbors>(),
        |agent| _ = agent.insert(ExternalMovement),
    ];
    for (case, change) in changes.into_iter().enumerate() {
        let mut app = app_that_counts(60.0);
        let walkers = [-80.0, 80.0].map(|x| {
            let walker = (Arrive::new(Vec2::ZERO), AvoidNeighbors::default(), SteeringEvents::default(), at(x, 5.0));
            app.world_mut().spawn(walker).id()
        });
        run(&mut app, 60 * 15);
        let is_settled = |agent: &Entity| app.world().get::<Settling>(*agent).unwrap().is_settled();
        let agent = walkers.into_iter().find(is_settled).expect("one of them cannot get to the place");
        app.world_mut().resource_mut::<Arrivals>().0.clear();

        change(&mut app.world_mut().entity_mut(agent));
        let goal = Vec2::new(0.0, 200.0);
        app.world_mut().entity_mut(agent).insert(Arrive::new(goal));
        run(&mut app, 3);
        assert_eq!(app.world().resource::<Arrivals>().0, [], "{case}: it has just set out");
        app.world_mut().entity_mut(agent).remove::<ExternalMovement>();
        run(&mut app, 60 * 6);
        assert!(position(&app, agent).distance(goal) < 1.0, "{case}: {}", position(&app, agent));
    }
}

//! Crowds with `AvoidNeighbors` come to rest at the end of a path.

use core::f32::consts::{PI, TAU};

use bevy_steerling::constraints::settling::Settling;

use super::closing_up::{overlap, places_apart, width};
use super::*;

/// The agent was told that its path is finished.
#[derive(Component)]
struct Finished;

/// Random legs, which turn by less than a right angle.
fn path(number: &mut impl FnMut() -> f32, legs: usize, length: f32) -> Vec<Vec2> {
    let mut points = vec![Vec2::ZERO];
    let mut angle = number() * TAU;
    for _ in 0..legs {
        points.push(points[points.len() - 1] + Vec2::from_angle(angle) * length * (0.7 + 0.6 * number()));
        angle += (number() - 0.5) * PI;
    }
    points
}

/// A crowd follows a path of some legs and rests at its end, without a touch. Everybody is told that the path is finished. How many times as
/// wide as needed the crowd is.
fn gathers(count: usize, legs: usize, seed: u64) -> f32 {
    let mut number = numbers(seed + 1000 * legs as u64 + 10_000 * count as u64);
    let rate = [30.0, 60.0, 64.0][seed as usize % 3];
    let size = [8.0, 0.5][seed as usize % 2];
    let max_speed = size * (5.0 + 10.0 * number());
    let body = SteeringAgent { max_speed, max_force: max_speed * (1.5 + 5.0 * number()), radius: size, ..default() };
    let crowd = size * (count as f32 / 0.4).sqrt();
    let length = (0.5 + 3.5 * number()) * crowd + 10.0 * size;
    let points = path(&mut number, legs, length);
    let (start, end, path) = (points[0], points[legs], SteeringPath::new(points));
    let lane = size * (1.2 + 3.0 * number());
    let mut app = app_at(rate);
    app.add_observer(|finished: On<PathFinished>, mut commands: Commands| {
        commands.entity(finished.entity).insert(Finished);
    });
    let starts =
        places_apart(count, 2.3 * size, || start + Vec2::new(number() - 0.5, number() - 0.5) * 2.0 * (1.5 * crowd));
    let agents: Vec<Entity> = starts
        .into_iter()
        .map(|place| {
            let follow = FollowPath::new(&path).with_radius(lane);
            let walker = (follow, AvoidNeighbors::default(), body, SteeringEvents::default());
            app.world_mut().spawn((walker, at(place.x, place.y))).id()
        })
        .collect();
    let case = format!("{count} agents, {legs} legs, seed {seed}");

    let mut left = None;
    let mut rested = false;
    let time = f64::from(20.0 * (12.5 * size / max_speed).max(1.0));
    // Those behind wait until those before them in the lane are through.
    let queue = count as f32 * 2.5 * size;
    for _ in 0..(f64::from(3.0 * (length * (legs + 1) as f32 + queue) / max_speed + 20.0) * rate) as usize {
        run(&mut app, 1);
        let touch = overlap(&app, &agents);
        assert!(touch <= 1e-3 * size, "{case}: an overlap of {touch}");
        let speed = agents.iter().map(|agent| velocity(&app, *agent).length()).sum::<f32>() / count as f32;
        let is_there = |agent: &Entity| position(&app, *agent).distance(end) < 2.0 * crowd;
        left = left.or(agents.iter().all(is_there).then_some((time * rate) as usize));
        rested = left.is_some() && speed < 0.01 * max_speed;
        if rested {
            break;
        }
        if let Some(left) = &mut left {
            assert!(*left > 0, "{case}: {speed} units/s after everybody is there");
            *left -= 1;
        }
    }
    let far = agents.iter().filter(|agent| position(&app, **agent).distance(end) >= 2.0 * crowd).count();
    assert!(rested, "{case}: {far} are not there");
    run(&mut app, (2.0 * time * rate) as usize);
    let told = agents.iter().filter(|agent| app.world().get::<Finished>(**agent).is_some()).count();
    assert_eq!(told, count, "{case}: not everybody is told");
    let packed = size * (count as f32 / 0.85).sqrt().max(2.0_f32.min(count as f32));
    let wide = width(&app, &agents) / packed;
    assert!(wide <= 1.5, "{case}: {wide} times as wide as needed");
    wide
}

#[test]
fn crowds_rest_at_the_end_of_a_path() {
    let cases = [2, 5, 12, 30, 80].into_iter().flat_map(|count| [1, 2, 4].map(|legs| (count, legs)));
    let mut widths = Vec::new();
    for (case, (count, legs)) in (0..).zip(cases) {
        for seed in 0..u64::from(quarter_of(4)) {
            widths.push(gathers(count, legs, case + 16 * seed));
        }
    }
    let mean = widths.iter().sum::<f32>() / widths.len() as f32;
    assert!(mean <= 1.25, "{widths:?}");
}

#[test]
fn an_agent_rests_at_the_only_point_of_a_path() {
    let mut number = numbers(1);
    for end in [PathEnd::Stop, PathEnd::Loop, PathEnd::PingPong] {
        for _ in 0..8 {
            let mut app = app();
            let [point, start] = [0, 1].map(|_| Vec2::new(number() - 0.5, number() - 0.5) * 400.0);
            let follow = FollowPath::new([point]).with_end(end);
            let agent = (follow, Velocity(Vec2::new(50.0, 0.0)), at(start.x, start.y));
            let agent = app.world_mut().spawn(agent).id();
            run(&mut app, 60 * 10);
            let off = position(&app, agent).distance(point);
            assert!(off < 0.1 && velocity(&app, agent).length() < 0.1, "{end:?}: {off} off");
            assert!(app.world().get::<PathProgress>(agent).expect("it is on a path").is_finished());
        }
    }
}

/// It rests, but at another place.
#[test]
fn a_crowd_at_rest_elsewhere_has_not_finished_a_path_of_one_point() {
    let mut app = app();
    app.add_observer(|finished: On<PathFinished>, mut commands: Commands| {
        commands.entity(finished.entity).insert(Finished);
    });
    let crowd: Vec<Entity> = (0..8_u8)
        .map(|k| {
            let start = Vec2::from_angle(f32::from(k) * TAU / 8.0) * 100.0;
            let walker = (Arrive::new(Vec2::ZERO), AvoidNeighbors::default(), SteeringEvents::default());
            app.world_mut().spawn((walker, at(start.x, start.y))).id()
        })
        .collect();
    run(&mut app, 60 * 60);
    let is_settled = |agent: &&Entity| app.world().get::<Settling>(**agent).is_some_and(Settling::is_settled);
    let settled = crowd.iter().filter(is_settled).count();
    assert!(settled >= 7, "all but at most the one in the middle: {settled}");
    for &agent in &crowd {
        app.world_mut().entity_mut(agent).remove::<Arrive>().insert(FollowPath::new([Vec2::new(2_000.0, 0.0)]));
    }
    run(&mut app, 2);
    let told = crowd.iter().filter(|agent| app.world().get::<Finished>(**agent).is_some()).count();
    assert_eq!(told, 0, "they are far from the end");
}

//! Agents on paths: events, traffic, roads with walls, vehicles.

use std::f32::consts::TAU;

use super::*;

const RADIUS: f32 = 8.0;

fn body(max_speed: f32) -> SteeringAgent {
    SteeringAgent { max_speed, radius: RADIUS, ..default() }
}

fn place(at: Vec2) -> Transform {
    Transform::from_translation(at.extend(0.0))
}

fn progress(app: &App, agent: Entity) -> &PathProgress {
    app.world().get(agent).expect("it is on a path")
}

/// The least distance between the centers of any two of them.
fn least_distance(app: &App, agents: &[Entity]) -> f32 {
    let mut least = f32::INFINITY;
    for (k, a) in agents.iter().enumerate() {
        for b in &agents[..k] {
            least = least.min(position(app, *a).distance(position(app, *b)));
        }
    }
    least
}

/// The distance of a place from a polyline.
fn distance_to(points: &[Vec2], place: Vec2) -> f32 {
    let path = SteeringPath::new(points.iter().copied());
    let nearest = path.point_at(path.distance_to_nearest(place)).expect("it has points");
    nearest.distance(place)
}

/// The points that agents have passed, and `None` for the end of the path.
#[derive(Resource, Default)]
struct Log(Vec<(Entity, Option<usize>)>);

fn log_of(app: &App, agent: Entity) -> Vec<Option<usize>> {
    app.world().resource::<Log>().0.iter().filter(|(of, _)| *of == agent).map(|(_, index)| *index).collect()
}

fn listen(app: &mut App) {
    app.init_resource::<Log>()
        .add_observer(|on: On<WaypointReached>, mut log: ResMut<Log>| log.0.push((on.entity, Some(on.index))))
        .add_observer(|on: On<PathFinished>, mut log: ResMut<Log>| log.0.push((on.entity, None)));
}

#[test]
fn each_point_is_told_once_in_order_and_so_is_the_end() {
    let mut random = numbers(1);
    let mut app = app();
    listen(&mut app);
    let ends = [PathEnd::Stop, PathEnd::Loop, PathEnd::PingPong];
    let mut agents = Vec::new();
    for case in 0..60 {
        let count = 2 + (random() * 6.0) as usize;
        let mut points = vec![Vec2::new(10_000.0 * case as f32, 0.0)];
        while points.len() < count {
            // Some points are so near to each other that the agent treats them as one.
            let length = if points.len() > 1 && random() < 0.2 { 3.0 * random() } else { 30.0 + 200.0 * random() };
            points.push(points[points.len() - 1] + Vec2::from_angle(random() * TAU) * length);
        }
        let start = place(points[0]);
        let end = ends[case % 3];
        let follow = FollowPath::new(points).with_end(end);
        let agent = app.world_mut().spawn((follow, body(100.0), SteeringEvents::default(), start)).id();
        agents.push((agent, count, end));
    }
    run(&mut app, 60 * 60);
    for (agent, count, end) in agents {
        let log = log_of(&app, agent);
        let lap: Vec<usize> = match end {
            PathEnd::Stop | PathEnd::Loop => (0..count).collect(),
            PathEnd::PingPong => (0..count).chain((1..count - 1).rev()).collect(),
        };
        let all: Vec<Option<usize>> = if end == PathEnd::Stop {
            lap.into_iter().map(Some).chain([None]).collect()
        } else {
            assert!(log.len() > lap.len(), "{end:?}: {} points of a lap of {}", log.len(), lap.len());
            lap.into_iter().cycle().take(log.len()).map(Some).collect()
        };
        assert_eq!(log, all, "{end:?}");
    }
}

#[test]
fn a_point_with_somebody_on_it_is_passed_beside_them() {
    let mut random = numbers(2);
    for visit in [PathVisit::Lane, PathVisit::Every] {
        let mut app = app();
        listen(&mut app);
        let agents: Vec<(Entity, Entity)> = (0..40)
            .map(|case| {
                let start = Vec2::new(0.0, 2000.0 * case as f32);
                let point = start + Vec2::new(200.0, 0.0);
                let end = point + Vec2::from_angle(2.0 * (random() - 0.5)) * 200.0;
                let standing = point + Vec2::from_angle(random() * TAU) * 4.0 * random();
                let follow = FollowPath::new([start, point, end]).with_visit(visit);
                let behaviors = (follow, AvoidNeighbors::default());
                let agent = (behaviors, body(40.0 + 60.0 * random()), SteeringEvents::default(), place(start));
                let world = app.world_mut();
                (world.spawn(agent).id(), world.spawn((body(0.0), place(standing))).id())
            })
            .collect();
        let mut least = f32::INFINITY;
        for _ in 0..60 * 40 {
            run(&mut app, 1);
            least = agents.iter().map(|(a, b)| least_distance(&app, &[*a, *b])).fold(least, f32::min);
        }
        assert!(least >= 2.0 * RADIUS, "{least}");
        for (agent, _) in agents {
            assert_eq!(log_of(&app, agent), [Some(0), Some(1), Some(2), None], "{visit:?}");
        }
    }
}

/// A ring of this radius.
fn ring(radius: f32) -> Vec<Vec2> {
    (0..80_u8).map(|corner| Vec2::from_angle(f32::from(corner) / 80.0 * TAU) * radius).collect()
}

#[test]
fn two_lanes_of_opposite_traffic_pass_for_ten_minutes() {
    let mut random = numbers(3);
    let mut app = app_at(30.0);
    let mut agents = Vec::new();
    for (lane, radius) in [250.0, 250.0 + 2.2 * RADIUS].into_iter().enumerate() {
        let mut points = ring(radius);
        if lane == 1 {
            points.reverse();
        }
        let path = SteeringPath::new(points);
        for k in 0..8_u8 {
            let start = path.point_at(path.length() * (f32::from(k) + 0.5 * random()) / 8.0).expect("it has points");
            let follow = FollowPath::new(&path).with_end(PathEnd::Loop);
            let agent = (follow, AvoidNeighbors::default(), body(50.0 + 30.0 * random()), place(start));
            agents.push(app.world_mut().spawn(agent).id());
        }
    }
    let mut least = f32::INFINITY;
    for _ in 0..30 * 600 {
        run(&mut app, 1);
        least = least.min(least_distance(&app, &agents));
    }
    assert!(least >= 2.0 * RADIUS, "{least}");
    for agent in agents {
        let lap = progress(&app, agent).lap();
        assert!(lap >= 15, "{lap}");
    }
}

/// A winding road: its middle line, and the walls on both sides.
struct Road {
    middle: Vec<Vec2>,
    walls: [Vec<Vec2>; 2],
}

impl Road {
    fn new(random: &mut impl FnMut() -> f32, start: f32, half_width: f32) -> Self {
        let mut middle = vec![Vec2::ZERO, Vec2::new(start, 0.0)];
        let mut heading: f32 = 0.0;
        for _ in 0..4 {
            let turn = (0.3 + 0.8 * random()) * if heading > 0.0 { -1.0 } else { 1.0 };
            heading += turn;
            let length = 150.0 + 150.0 * random();
            middle.push(middle[middle.len() - 1] + Vec2::from_angle(heading) * length);
        }
        let walls = [half_width, -half_width].map(|aside| Self::beside(&middle, aside));
        Self { middle, walls }
    }

    /// The line at this distance on the left.
    fn beside(middle: &[Vec2], aside: f32) -> Vec<Vec2> {
        let direction = |k: usize| (middle[k + 1] - middle[k]).normalize();
        let last = middle.len() - 1;
        (0..=last)
            .map(|k| {
                let (before, after) = (direction(k.max(1) - 1), direction(k.min(last - 1)));
                let normal = (before + after).normalize().perp();
                middle[k] + normal * (aside / normal.dot(before.perp()))
            })
            .collect()
    }
}

#[test]
fn on_a_walled_road_all_get_through_and_the_fast_pass() {
    const COUNT: usize = 30;
    for seed in 0..4 {
        let mut random = numbers(10 + seed);
        let (half_width, start) = (5.0 * RADIUS, 520.0);
        let road = Road::new(&mut random, start, half_width);
        let mut app = app_at(30.0);
        for wall in &road.walls {
            app.world_mut().spawn((Obstacle::new(Polyline2d::new(wall.clone())), Transform::default()));
        }
        let path = SteeringPath::new(road.middle.iter().copied());
        let mut agents: Vec<Entity> = Vec::new();
        let mut times = [0.0; 3];
        while agents.len() < COUNT {
            let free = half_width - 1.2 * RADIUS;
            let at = Vec2::new(10.0 + (start - 40.0) * random(), free * (2.0 * random() - 1.0));
            if agents.iter().all(|other| position(&app, *other).distance(at) > 2.3 * RADIUS) {
                let speed = [40.0, 60.0, 80.0][agents.len() % 3];
                let behaviors = (FollowPath::new(&path), AvoidObstacles::default(), AvoidNeighbors::default());
                agents.push(app.world_mut().spawn((behaviors, body(speed), place(at))).id());
            }
        }
        let mut on_the_way: Vec<(usize, Entity)> = agents.iter().copied().enumerate().collect();
        let end = road.middle[road.middle.len() - 1];
        let longest = 1.4 * path.length() / 40.0;
        for tick in 0..(30.0 * longest) as u16 {
            run(&mut app, 1);
            let here: Vec<Entity> = on_the_way.iter().map(|(_, agent)| *agent).collect();
            let least = least_distance(&app, &here);
            assert!(least >= 2.0 * RADIUS, "road {seed}: {least}");
            on_the_way.retain(|(k, agent)| {
                let at = position(&app, *agent);
                let to_wall = road.walls.iter().map(|wall| distance_to(wall, at)).fold(f32::INFINITY, f32::min);
                assert!(to_wall >= RADIUS, "road {seed}: {to_wall} from a wall");
                let reached = at.distance(end) <= half_width;
                if reached {
                    times[k % 3] += f32::from(tick) / 30.0;
                    app.world_mut().despawn(*agent);
                }
                !reached
            });
        }
        assert!(on_the_way.is_empty(), "road {seed}: {} are on the way after {longest} s", on_the_way.len());
        assert!(times[2] < times[1] && times[1] < times[0], "road {seed}: {times:?}");
    }
}

#[test]
fn vehicles_stay_on_their_circuit() {
    let mut random = numbers(4);
    let mut app = app();
    let circuits: Vec<(Entity, Vec<Vec2>, f32)> = (0..40)
        .map(|case| {
            let count = 6 + (random() * 6.0) as u8;
            let turning_radius = 10.0 + 20.0 * random();
            let center = Vec2::new(20_000.0 * case as f32, 0.0);
            let points: Vec<Vec2> = (0..count)
                .map(|corner| {
                    let angle = (f32::from(corner) + 0.4 * random()) / f32::from(count) * TAU;
                    center + Vec2::from_angle(angle) * turning_radius * (12.0 + 4.0 * random())
                })
                .collect();
            let limits = BodyLimits::default()
                .with_min_turning_radius(turning_radius)
                .with_max_turn_rate(1.0 + 3.0 * random())
                .with_max_acceleration(50.0 + 100.0 * random())
                .with_max_braking(80.0 + 200.0 * random());
            let lane = turning_radius.max(2.0 * RADIUS);
            let follow = FollowPath::new(points.clone()).with_end(PathEnd::Loop).with_radius(lane);
            let mut points = points;
            points.push(points[0]);
            let car = (follow, limits, body(60.0 + 100.0 * random()), place(points[0]));
            (app.world_mut().spawn(car).id(), points, lane)
        })
        .collect();
    let mut worst: f32 = 0.0;
    for _ in 0..60 * 90 {
        run(&mut app, 1);
        for (car, points, lane) in &circuits {
            // It starts in any direction.
            if progress(&app, *car).lap() > 0 {
                worst = worst.max(distance_to(points, position(&app, *car)) / lane);
            }
        }
    }
    assert!(worst < 1.2, "{worst} times the half width of the lane");
    for (car, ..) in &circuits {
        let lap = progress(&app, *car).lap();
        assert!(lap >= 2, "{lap}");
    }
}

/// A path of so many legs, without sharp corners.
fn gentle_path(random: &mut impl FnMut() -> f32, legs: usize, shortest: f32) -> Vec<Vec2> {
    let (mut points, mut heading) = (vec![Vec2::ZERO], TAU * random());
    for _ in 0..legs {
        points.push(points[points.len() - 1] + Vec2::from_angle(heading) * shortest * (1.0 + random()));
        heading += 1.6 * (random() - 0.5);
    }
    points
}

#[test]
fn progress_tells_the_way_that_is_done_and_the_next_point() {
    let mut random = numbers(5);
    for _ in 0..quarter_of(120) {
        let lane = 10.0 + 20.0 * random();
        let points = gentle_path(&mut random, 5, 120.0);
        let path = SteeringPath::new(points.clone());
        let corners: Vec<f32> =
            (1..points.len()).map(|last| SteeringPath::new(points[..=last].iter().copied()).length()).collect();
        let mut app = app();
        let follow = FollowPath::new(&path).with_radius(lane);
        let agent = app.world_mut().spawn((follow, body(100.0), place(points[0]))).id();
        run(&mut app, 2);
        let mut before = 0.0;
        while !progress(&app, agent).is_finished() {
            run(&mut app, 1);
            let done = progress(&app, agent).distance();
            assert!((before..=before + 3.0).contains(&done), "{done} after {before}");
            before = done;
            let passed = path.distance_to_nearest(position(&app, agent));
            assert!((done - passed).abs() < 3.0 + 0.2 * lane, "{done} instead of {passed}, in a lane of {lane}");
            // In the lane at a corner either point may be the next.
            let next = corners.iter().filter(|corner| **corner < done).count() + 1;
            let waypoint = progress(&app, agent).waypoint();
            let is_at_corner = corners.iter().any(|corner| (done - corner).abs() < lane);
            assert!(waypoint == next.min(5) || is_at_corner, "{waypoint} instead of {next} after {done}: {corners:?}");
        }
        assert!((before - path.length()).abs() < 1.0, "{before} of {}", path.length());
    }
}

#[test]
fn vehicles_come_to_rest_at_the_end_of_their_path() {
    let mut random = numbers(6);
    let mut app = app();
    let cars: Vec<(Entity, Vec<Vec2>, f32)> = (0..60)
        .map(|_| {
            let turning_radius = 10.0 + 20.0 * random();
            let points = gentle_path(&mut random, 4, 8.0 * turning_radius);
            let limits = BodyLimits::default()
                .with_min_turning_radius(turning_radius)
                .with_max_acceleration(50.0 + 100.0 * random())
                .with_max_braking(80.0 + 200.0 * random())
                .with_heading(points[1] - points[0]);
            let lane = turning_radius.max(2.0 * RADIUS);
            let follow = FollowPath::new(points.clone()).with_radius(lane);
            let car = (follow, limits, body(60.0 + 100.0 * random()), place(Vec2::ZERO));
            (app.world_mut().spawn(car).id(), points, lane)
        })
        .collect();
    let mut worst: f32 = 0.0;
    for _ in 0..60 * 60 {
        run(&mut app, 1);
        for (car, points, lane) in &cars {
            worst = worst.max(distance_to(points, position(&app, *car)) / lane);
        }
    }
    assert!(worst < 1.2, "{worst} times the half width of the lane");
    for (car, points, _) in cars {
        let end = points[4];
        let (off, speed) = (position(&app, car).distance(end), velocity(&app, car).length());
        assert!(off < RADIUS && speed < 0.1, "{off} off at {speed} units/s");
        assert!(progress(&app, car).is_finished());
    }
}

#[test]
fn who_gets_another_path_follows_that_at_once() {
    let mut random = numbers(7);
    let mut app = app();
    let spawn = |case: u16| {
        let start = Vec2::new(0.0, 20_000.0 * f32::from(case));
        let follow = FollowPath::new([start, start + Vec2::new(9_000.0, 0.0)]);
        app.world_mut().spawn((follow, body(100.0), place(start))).id()
    };
    let agents: Vec<Entity> = (0..40).map(spawn).collect();
    run(&mut app, 90);
    let goals: Vec<(Entity, Vec2)> = agents
        .into_iter()
        .map(|agent| {
            let mut points = gentle_path(&mut random, 2, 100.0);
            points.iter_mut().for_each(|point| *point += position(&app, agent));
            let goal = points[2];
            app.world_mut().entity_mut(agent).insert(FollowPath::new(points));
            (agent, goal)
        })
        .collect();
    run(&mut app, 60 * 10);
    for (agent, goal) in goals {
        let (off, speed) = (position(&app, agent).distance(goal), velocity(&app, agent).length());
        assert!(off < RADIUS && speed < 0.1, "{off} off at {speed} units/s");
    }
}

#[test]
pub fn whose_path_is_shortened_on_the_way_stops_at_its_new_end() {
    let mut random = numbers(13);
    let mut app = app();
    let points: Vec<Vec2> =
        (0..12_u8).map(|corner| Vec2::new(60.0 * f32::from(corner), 40.0 * f32::from(corner % 2))).collect();
    let ends = [PathEnd::Stop, PathEnd::Loop, PathEnd::PingPong];
    let agents: Vec<(Entity, usize)> = (0..48)
        .map(|case| {
            let aside = Vec2::Y * 1_000.0 * case as f32;
            let path = SteeringPath::new(points.iter().map(|point| *point + aside));
            let follow = FollowPath::new(path).with_end(ends[case % 3]);
            (app.world_mut().spawn((follow, SteeringEvents::default(), body(80.0), place(aside))).id(), case)
        })
        .collect();
    run(&mut app, 180);
    // They are beyond all points of the new paths. The shortest ones have a single point or none.
    for (agent, case) in &agents {
        run(&mut app, 1 + (10.0 * random()) as usize);
        let rest = points[..case % 4].iter().map(|point| *point + Vec2::Y * 1_000.0 * *case as f32);
        let follow = FollowPath::new(SteeringPath::new(rest));
        app.world_mut().entity_mut(*agent).insert(follow);
    }
    run(&mut app, 60 * 20);
    for (agent, case) in agents {
        let (at, speed) = (position(&app, agent), velocity(&app, agent).length());
        assert!(at.is_finite() && speed.is_finite(), "{case}: {at}");
        if let Some(last) = (case % 4).checked_sub(1) {
            let off = at.distance(points[last] + Vec2::Y * 1_000.0 * case as f32);
            assert!(off < RADIUS && speed < 0.1, "{case}: {off} off at {speed} units/s");
        } else {
            assert_eq!(force(&app, agent), Vec2::ZERO, "{case}: without a point there is nowhere to go");
        }
    }
}

#[test]
fn an_agent_whose_body_changes_on_the_way_follows_its_path_with_the_new_one() {
    let mut random = numbers(8);
    let mut app = app();
    let agents: Vec<(Entity, SteeringAgent, Vec<Vec2>)> = (0..40_u16)
        .map(|case| {
            let start = Vec2::new(0.0, 20_000.0 * f32::from(case));
            let corner = start + Vec2::new(400.0, 0.0);
            let points = vec![start, corner, corner + Vec2::from_angle(1.0 + random()) * 300.0];
            let body = SteeringAgent { max_force: 400.0 + 400.0 * random(), ..body(100.0) };
            (app.world_mut().spawn((FollowPath::new(points.clone()), body, place(start))).id(), body, points)
        })
        .collect();
    run(&mut app, 120);
    for (case, (agent, body, _)) in agents.iter().enumerate() {
        // Weaker by far, or faster.
        let (weak, fast) = (0.1 * body.max_force, 160.0);
        let weaker = SteeringAgent { max_force: weak, ..*body };
        let faster = SteeringAgent { max_speed: fast, ..*body };
        app.world_mut().entity_mut(*agent).insert(if case % 2 == 0 { weaker } else { faster });
    }
    let (mut worst, mut fastest) = (0.0_f32, vec![0.0_f32; agents.len()]);
    for _ in 0..60 * 15 {
        run(&mut app, 1);
        for ((agent, _, points), fastest) in agents.iter().zip(&mut fastest) {
            worst = worst.max(distance_to(points, position(&app, *agent)));
            *fastest = fastest.max(velocity(&app, *agent).length());
        }
    }
    assert!(worst < 2.2 * RADIUS, "{worst} off its path");
    for fastest in fastest.iter().skip(1).step_by(2) {
        assert!(*fastest > 150.0, "{fastest}");
    }
}

#[test]
fn who_is_pushed_back_before_the_start_of_its_first_lap_goes_on_from_there() {
    let points: Vec<Vec2> = (0..12_u8).map(|corner| Vec2::from_angle(f32::from(corner) / 12.0 * TAU) * 300.0).collect();
    let mut app = app();
    let follow = FollowPath::new(points.clone()).with_end(PathEnd::Loop);
    let agent = app.world_mut().spawn((follow, body(60.0), place(points[0]))).id();
    run(&mut app, 30);
    assert_eq!(progress(&app, agent).waypoint(), 1);
    // On the last leg.
    app.world_mut().entity_mut(agent).insert(place(points[0].lerp(points[11], 0.2)));
    run(&mut app, 5);
    assert_eq!((progress(&app, agent).waypoint(), progress(&app, agent).lap()), (0, 0));
    run(&mut app, 180);
    assert_eq!((progress(&app, agent).waypoint(), progress(&app, agent).lap()), (1, 0));
}

#[test]
fn an_agent_whose_rate_changes_stays_on_its_lap() {
    let mut random = numbers(12);
    let mut app = app();
    let agents: Vec<Entity> = (0..12_u16)
        .map(|case| {
            let (center, points) = (Vec2::X * 1_000.0 * f32::from(case), ring(60.0));
            let follow =
                FollowPath::new(SteeringPath::new(points.iter().map(|point| center + point))).with_end(PathEnd::Loop);
            app.world_mut().spawn((follow, body(40.0 + 40.0 * random()), place(center + points[0]))).id()
        })
        .collect();
    let mut laps = vec![0; agents.len()];
    for _ in 0..60 {
        for (agent, lap) in agents.iter().zip(&mut laps) {
            // From seldom to often and back, and from fast to slow.
            let rate = if random() < 0.5 { 1 } else { 1 + (40.0 * random()) as u32 };
            app.world_mut().entity_mut(*agent).insert((SteeringRate::every(rate), body(20.0 + 60.0 * random())));
            if random() < 0.3 {
                app.world_mut().entity_mut(*agent).remove::<SteeringRate>();
            }
            assert!(progress(&app, *agent).lap() >= *lap, "{agent} joins its path again");
            *lap = progress(&app, *agent).lap();
        }
        run(&mut app, 50);
    }
    assert!(laps.iter().all(|lap| *lap > 2), "{laps:?}");
}

#[test]
fn vehicles_beside_the_middle_of_their_lane_get_back_to_it() {
    let mut random = numbers(9);
    let mut app = app();
    let cars: Vec<(Entity, f32, f32)> = (0..40_u16)
        .map(|case| {
            let turning_radius = 10.0 + 20.0 * random();
            let limits = BodyLimits::default().with_min_turning_radius(turning_radius).with_heading(Vec2::X);
            let (lane, side) = (turning_radius.max(2.0 * RADIUS), if case % 2 == 0 { 1.0 } else { -1.0 });
            let start = Vec2::new(0.0, 2_000.0 * f32::from(case));
            // Not on the last leg, where they go straight to the end.
            let corner = start + Vec2::new(3_000.0, 0.0);
            let follow = FollowPath::new([start, corner, corner + Vec2::new(0.0, 500.0)]).with_radius(lane);
            let beside = start + Vec2::new(20.0, side * (0.5 + 0.5 * random()) * lane);
            let car = (follow, limits, body(60.0 + 60.0 * random()), place(beside));
            (app.world_mut().spawn(car).id(), start.y, lane)
        })
        .collect();
    run(&mut app, 60 * 8);
    for (car, middle, lane) in cars {
        let off = (position(&app, car).y - middle).abs();
        assert!(off < 0.05 * lane, "{off} off the middle of a lane of {lane}");
    }
}

#[test]
fn who_is_put_beside_its_last_leg_gets_back_to_its_lane_unless_the_end_is_beside_it() {
    let mut random = numbers(10);
    let mut app = app();
    let agents: Vec<(Entity, Vec2, f32)> = (0..60_u16)
        .map(|case| {
            let start = Vec2::new(0.0, 2_000.0 * f32::from(case));
            let follow = FollowPath::new([start, start + Vec2::new(800.0, 0.0)]);
            let agent = app.world_mut().spawn((follow, body(80.0), place(start))).id();
            let aside = (60.0 + 60.0 * random()) * if case % 2 == 0 { 1.0 } else { -1.0 };
            // Far before the end or at its side.
            (agent, start + Vec2::new(if case % 3 == 0 { 795.0 } else { 150.0 }, aside), start.y)
        })
        .collect();
    run(&mut app, 60);
    for (agent, put, _) in &agents {
        app.world_mut().entity_mut(*agent).insert(place(*put));
    }
    run(&mut app, 60 * 5);
    for (case, (agent, put, middle)) in agents.iter().enumerate() {
        let (at, end) = (position(&app, *agent), Vec2::new(800.0, *middle));
        let off = if case % 3 == 0 { at.distance(end) } else { (at.y - middle).abs() };
        assert!(off < RADIUS, "{off} off at {at} from {put}");
    }
    run(&mut app, 60 * 10);
    for (agent, _, middle) in agents {
        assert!(position(&app, agent).distance(Vec2::new(800.0, middle)) < RADIUS);
    }
}

/// The points that an agent has reached since it was last asked, and whether it has finished its path.
#[derive(Resource, Default)]
struct News(Vec<usize>, usize);

#[test]
fn an_agent_that_starts_anew_follows_the_whole_path_again() {
    // How it starts anew.
    let changes: [fn(&mut EntityWorldMut, &FollowPath); 3] = [
        // It is moved to the start.
        |agent, _| agent.get_mut::<Transform>().unwrap().translation = Vec3::ZERO,
        // It is moved there and gets the same path.
        |agent, follow| {
            agent.get_mut::<Transform>().unwrap().translation = Vec3::ZERO;
            agent.insert(follow.clone());
        },
        // It first does without a path for some time.
        |agent, follow| {
            agent.remove::<FollowPath>().get_mut::<Transform>().unwrap().translation = Vec3::ZERO;
            agent.insert(follow.clone());
        },
    ];
    let mut number = numbers(8);
    for case in 0..quarter_of(48) as usize {
        let mut app = app_at([30.0, 60.0, 120.0][case % 3]);
        app.init_resource::<News>();
        app.add_observer(|reached: On<WaypointReached>, mut news: ResMut<News>| news.0.push(reached.index));
        app.add_observer(|_: On<PathFinished>, mut news: ResMut<News>| news.1 += 1);
        // A path whose end is near its start, so that the straight way there is short.
        let corners = 3 + case % 4;
        let points: Vec<Vec2> = (0..corners)
            .map(|k| Vec2::from_angle(5.0 * k as f32 / corners as f32) * (150.0 + 100.0 * number()))
            .collect();
        let first = points[0];
        let follow = FollowPath::new(SteeringPath::new(points.iter().map(|point| *point - first)));
        let agent = app.world_mut().spawn((follow.clone(), SteeringEvents::default(), at(0.0, 0.0))).id();
        let all: Vec<usize> = (1..corners).collect();
        let go = |app: &mut App| {
            run(app, 60 * 20 * (case % 3 + 1));
            let News(reached, finished) = core::mem::take(&mut *app.world_mut().resource_mut::<News>());
            assert!(reached.ends_with(&all), "{case}: {reached:?} of {corners} points");
            assert_eq!(finished, 1, "{case}");
        };
        go(&mut app);
        changes[case % 3](&mut app.world_mut().entity_mut(agent), &follow);
        go(&mut app);
        // It is at rest there, and gets the path again after a while without it.
        app.world_mut().entity_mut(agent).remove::<FollowPath>();
        run(&mut app, 3);
        app.world_mut().entity_mut(agent).insert(follow);
        run(&mut app, 60);
        assert_eq!(app.world().resource::<News>().1, 1, "{case}: it is told again");
    }
}

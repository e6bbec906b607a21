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

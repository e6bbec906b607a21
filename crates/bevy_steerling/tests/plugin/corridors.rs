//! Streams of agents with `AvoidNeighbors` between walls: in corridors, and on roads with a bend.

use core::f32::consts::PI;

use super::*;

/// The radius of all agents.
const RADIUS: f32 = 8.0;

/// By how much two may overlap where a dense crowd leaves no velocity that keeps an agent from all around it, as a share of the radius.
const TOUCH: f32 = 0.01;

/// Somebody on the way.
#[derive(Clone, Copy)]
struct Walker {
    agent: Entity,
    /// Whether it goes the other way.
    back: bool,
    max_speed: f32,
    /// Its way to the middle, units.
    way: f32,
    /// How long it has stood with a free way ahead, seconds.
    stands: f32,
}

/// Random places in a strip: the distances from its beginning, and the distances aside.
fn places(count: usize, length: f32, half: f32, number: &mut impl FnMut() -> f32) -> Vec<Vec2> {
    let mut places: Vec<Vec2> = Vec::new();
    while places.len() < count {
        let place = Vec2::new(length * number(), (2.0 * number() - 1.0) * (half - 1.1 * RADIUS));
        if places.iter().all(|other| other.distance(place) > 2.25 * RADIUS) {
            places.push(place);
        }
    }
    places
}

/// Asserts that nobody overlaps with anybody. Returns where everybody is.
fn apart(app: &App, walkers: &[Walker], case: &str) -> Vec<Vec2> {
    let places: Vec<Vec2> = walkers.iter().map(|walker| position(app, walker.agent)).collect();
    for (k, place) in places.iter().enumerate() {
        for other in &places[..k] {
            let gap = place.distance(*other) - 2.0 * RADIUS;
            assert!(gap > -TOUCH * RADIUS, "{case}: a gap of {gap}");
        }
    }
    places
}

/// How clearly people who go one way keep to lanes, from 0 to 1, and what a random arrangement of the same people has in the mean: the
/// band index of Yamori (Going With the Flow, 1998) in rows as wide as a body.
fn lanes(walkers: &[Walker], places: &[Vec2], half: f32) -> [f32; 2] {
    let mut rows = vec![[0.0; 2]; (half / RADIUS) as usize];
    let height = 2.0 * half / rows.len() as f32;
    for (walker, place) in walkers.iter().zip(places) {
        if place.x.abs() < 150.0 {
            rows[((place.y + half) / height) as usize][usize::from(walker.back)] += 1.0;
        }
    }
    let ways = [0, 1].map(|way| rows.iter().map(|row| row[way]).sum::<f32>());
    // Lanes form only between walkers in both directions.
    if ways[0].min(ways[1]) < 4.0 {
        return [0.0; 2];
    }
    let all = ways[0] + ways[1];
    let imbalance = ((ways[0] - ways[1]) / all) * ((ways[0] - ways[1]) / all);
    let of_row = |[a, b]: &[f32; 2]| {
        let count = a + b;
        let random = imbalance * count + 1.0 - imbalance;
        if count > 1.0 { Vec2::new((a - b) * (a - b) / count, random) } else { Vec2::ZERO }
    };
    (rows.iter().map(of_row).sum::<Vec2>() / all).to_array()
}

/// Two streams meet in a corridor: so many on each side, in a corridor so many bodies wide. Returns how clearly they form lanes, in the mean
/// over time, and what random arrangements would have.
fn meet_in_a_corridor(count: usize, width: f32, seed: u64) -> [f32; 2] {
    let case = format!("{count} on each side, {width} bodies wide, seed {seed}");
    let (mut app, mut number, half) = (app(), numbers(seed), RADIUS * width);
    let length = (2.0 * count as f32 * 23.0 * 23.0 / (2.0 * half)).max(250.0);
    for side in [-1.0, 1.0] {
        let wall = Obstacle::new(Rectangle::new(2.0 * length + 3e3, 40.0));
        app.world_mut().spawn((wall, at(0.0, side * (half + 20.0))));
    }
    let max_speed = SteeringAgent::default().max_speed;
    let mut walkers: Vec<Walker> = Vec::new();
    for back in [false, true] {
        let ahead = if back { -1.0 } else { 1.0 };
        for place in places(count, length, half, &mut number) {
            let seek = Seek::new(Vec2::new(ahead * 4e3, 0.0));
            let walker = (seek, AvoidObstacles::default(), AvoidNeighbors::default());
            let way = 150.0 + place.x;
            let agent = app.world_mut().spawn((walker, at(-ahead * way, place.y))).id();
            walkers.push(Walker { agent, back, max_speed, way, stands: 0.0 });
        }
    }
    let mut seen = [0.0; 2];
    for _ in 0..((40.0 + 3.0 * length / max_speed) * RATE as f32) as usize {
        run(&mut app, 1);
        let places = apart(&app, &walkers, &case);
        for (walker, place) in walkers.iter_mut().zip(&places) {
            let ahead = if walker.back { Vec2::NEG_X } else { Vec2::X };
            let in_the_way = |other: &Vec2| {
                let way = ahead.rotate(*other - *place);
                way.x > 0.0 && way.x < 7.0 * RADIUS && way.y.abs() < 2.0 * RADIUS
            };
            let stands = velocity(&app, walker.agent).length() < 0.1 * max_speed && !places.iter().any(in_the_way);
            walker.stands = if stands { walker.stands + TICK } else { 0.0 };
            assert!(walker.stands < 3.0, "{case}: somebody stands at {place} with a free way");
        }
        let [index, random] = lanes(&walkers, &places, half);
        seen = [seen[0] + index, seen[1] + random];
        walkers.retain(|walker| {
            let x = position(&app, walker.agent).x;
            let is_through = if walker.back { x < -300.0 } else { x > 300.0 };
            if is_through {
                app.world_mut().despawn(walker.agent);
            }
            !is_through
        });
        if walkers.is_empty() {
            break;
        }
    }
    assert!(walkers.is_empty(), "{case}: {} have not got through", walkers.len());
    seen
}

#[test]
fn two_streams_form_lanes_and_get_through_a_corridor() {
    for (count, width) in [(5, 5.0), (15, 7.0), (30, 7.0), (10, 10.0), (40, 10.0), (60, 15.0), (40, 20.0)] {
        let seeds = 0..u64::from(quarter_of(8));
        let [index, random] =
            seeds.map(|seed| meet_in_a_corridor(count, width, seed)).fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
        // Fewer have passed each other before there are lanes, and nobody has lanes before they meet.
        assert!(
            count < 15 || index > 1.5 * random,
            "{count} on each side, {width} bodies wide: {index} instead of {random}"
        );
    }
}

/// A road with a bend between two walls.
struct Road {
    /// The directions before and after the bend, which is at the origin.
    ways: [Vec2; 2],
    half: f32,
}

impl Road {
    fn new(turn: f32, half: f32) -> Self {
        Self { ways: [Vec2::X, Vec2::from_angle(turn)], half }
    }

    /// The wall on one side, or a line beside the middle.
    fn beside(&self, aside: f32) -> [Vec2; 3] {
        let [before, after] = self.ways;
        let corner = (before + after).perp() * aside / (1.0 + before.dot(after));
        [before.perp() * aside - before * FAR, corner, after.perp() * aside + after * FAR]
    }

    /// The place at a distance behind the bend, before it for those who go `back`.
    fn place(&self, place: Vec2, back: bool) -> Vec2 {
        let [before, after] = self.ways;
        if back { after * place.x + after.perp() * place.y } else { before.perp() * place.y - before * place.x }
    }

    /// How far somebody has got beyond the bend.
    fn beyond(&self, place: Vec2, back: bool) -> f32 {
        if back { -place.dot(self.ways[0]) } else { place.dot(self.ways[1]) }
    }

    fn gap_to_walls(&self, place: Vec2) -> f32 {
        let distance = |ends: &[Vec2]| to_segment(place, ends[0], ends[1]);
        let walls = [-self.half, self.half].map(|aside| self.beside(aside));
        walls.iter().flat_map(|wall| wall.windows(2)).map(distance).fold(f32::INFINITY, f32::min) - RADIUS
    }
}

/// The length of a road on each side of the bend.
const FAR: f32 = 3_000.0;

/// Walkers of three speeds go along a road with a bend, one way or both ways.
fn go_along_a_road(seed: u64) {
    let mut number = numbers(seed);
    let (both_ways, on_path) = (number() < 0.5, number() < 0.5);
    // There is always room for two who meet.
    let width = if both_ways { 5.0 + 7.0 * number() } else { 1.3 + 7.0 * number() };
    // In a sharper bend, `Seek` leads into the wall instead of along it.
    let turn = (number() - 0.5) * if on_path { 1.2 * PI } else { 0.7 * PI };
    let road = Road::new(turn, width * RADIUS);
    let count = 10 + (number() * 45.0) as usize;
    let case = format!("seed {seed}: {count}, {width} bodies wide, turn {turn}, both ways {both_ways}, path {on_path}");
    let mut app = app();
    for aside in [-road.half, road.half] {
        app.world_mut().spawn((Obstacle::new(Polyline2d::new(road.beside(aside))), Transform::default()));
    }
    // A quarter of the floor is covered, and less of a narrow one.
    let beyond = road.half + 150.0;
    let length = 300.0 + count as f32 * 800.0 / (2.0 * road.half).min(8.0 * road.half - 4.0 * 2.0 * RADIUS);
    let mut walkers: Vec<Walker> = Vec::new();
    for (k, place) in places(count, length, road.half, &mut number).into_iter().enumerate() {
        let back = both_ways && k % 2 == 0;
        let (way, place) = (place.x + beyond, road.place(place + Vec2::X * beyond, back));
        let max_speed = [40.0, 60.0, 80.0][k % 3];
        let body = SteeringAgent { max_speed, max_force: 3.0 * max_speed, radius: RADIUS, ..default() };
        let walker = (AvoidObstacles::default(), AvoidNeighbors::default(), body, at(place.x, place.y));
        let mut agent = app.world_mut().spawn(walker);
        let mut points = road.beside(0.0);
        if back {
            points.reverse();
        }
        if on_path {
            agent.insert(FollowPath::new(points).with_radius((road.half - 1.1 * RADIUS).max(1.0)));
        } else {
            agent.insert(Seek::new(points[2]));
        }
        walkers.push(Walker { agent: agent.id(), back, max_speed, way, stands: 0.0 });
    }
    // How far each kind gets, and the time it takes.
    let mut kinds = [Vec2::ZERO; 3];
    let longest = 2.0 * (length + 2.0 * beyond) / 40.0;
    for tick in 0..(longest * RATE as f32) as u16 {
        run(&mut app, 1);
        let places = apart(&app, &walkers, &case);
        for place in places {
            let gap = road.gap_to_walls(place);
            // Rounding errors of coordinates of a few hundred.
            assert!(gap > -1e-4 * RADIUS, "{case}: a gap of {gap} to a wall at {place}");
        }
        walkers.retain(|walker| {
            let is_through = road.beyond(position(&app, walker.agent), walker.back) > beyond;
            if is_through {
                kinds[(walker.max_speed / 20.0) as usize - 2] += Vec2::new(walker.way + beyond, f32::from(tick) * TICK);
                app.world_mut().despawn(walker.agent);
            }
            !is_through
        });
        if walkers.is_empty() {
            break;
        }
    }
    assert!(walkers.is_empty(), "{case}: {} of {count} are on the way after {longest} s", walkers.len());
    let speeds = kinds.map(|kind| kind.x / kind.y);
    // Without room to pass, fast walkers follow slow ones.
    let has_room = width >= 5.0;
    assert!(!has_room || speeds[2] > 1.15 * speeds[0] && speeds[1] > speeds[0], "{case}: mean speeds {speeds:?}");
}

#[test]
fn on_a_road_with_a_bend_all_get_through_whatever_their_speeds() {
    for seed in 0..u64::from(quarter_of(80)) {
        go_along_a_road(seed);
    }
}

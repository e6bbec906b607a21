//! Solid bodies that push each other, or are knocked about, stay in the rooms where they are.

use std::f32::consts::TAU;

use super::*;

/// The way in which the walls of a room are made.
#[derive(Clone, Copy, Debug)]
enum Walls {
    Segments,
    Polyline,
    Capsules(f32),
    Rectangles,
}

const WALLS: [Walls; 5] =
    [Walls::Segments, Walls::Polyline, Walls::Capsules(0.0), Walls::Capsules(2.0), Walls::Rectangles];

/// A convex room, from its corners in counterclockwise order.
#[derive(Debug)]
struct Room(Vec<Vec2>);

impl Room {
    /// A room with this many corners on an ellipse.
    fn new(number: &mut impl FnMut() -> f32, corners: u8) -> Self {
        let (turn, size) = (TAU * number(), Vec2::new(60.0 + 80.0 * number(), 60.0 + 80.0 * number()));
        let center = Vec2::new(number() - 0.5, number() - 0.5) * 400.0;
        let step = TAU / f32::from(corners);
        let angle = |corner: u8, spread: f32| turn + step * (f32::from(corner) + 0.5 * spread);
        Self((0..corners).map(|corner| center + size * Vec2::from_angle(angle(corner, number()))).collect())
    }

    fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
        self.0.iter().copied().zip(self.0.iter().copied().cycle().skip(1))
    }

    fn middle(&self) -> Vec2 {
        self.0.iter().sum::<Vec2>() / self.0.len() as f32
    }

    /// How far a place is from the nearest wall; negative outside.
    fn inside(&self, place: Vec2) -> f32 {
        let heights = self.edges().map(|(start, end)| (end - start).normalize().perp_dot(place - start));
        heights.fold(f32::INFINITY, f32::min)
    }

    fn spawn(&self, app: &mut App, walls: Walls) {
        if let Walls::Polyline = walls {
            let corners = self.0.iter().chain([&self.0[0]]).copied();
            app.world_mut().spawn((Obstacle::new(Polyline2d::new(corners)), Transform::default()));
            return;
        }
        for (start, end) in self.edges() {
            let (middle, along) = (0.5 * (start + end), end - start);
            let turned = |angle: f32| at(middle.x, middle.y).with_rotation(Quat::from_rotation_z(angle));
            let (shape, place) = match walls {
                Walls::Capsules(radius) => {
                    let shape = Capsule2d::new(radius, along.length()).into();
                    (shape, turned(along.to_angle() + TAU / 4.0))
                }
                Walls::Rectangles => (Rectangle::new(along.length() + 2.0, 2.0).into(), turned(along.to_angle())),
                _ => (ObstacleShape::from(Segment2d::new(start, end)), Transform::default()),
            };
            app.world_mut().spawn((Obstacle::new(shape), place));
        }
    }
}

fn pick<T: Copy>(number: &mut impl FnMut() -> f32, choices: &[T]) -> T {
    choices[(number() * choices.len() as f32) as usize % choices.len()]
}

/// An app at one of these tick rates, with a room.
fn random_room(number: &mut impl FnMut() -> f32, rates: &[f64]) -> (App, Room, Walls) {
    let corners = pick(number, &[3, 4, 5, 8]);
    let room = Room::new(number, corners);
    let (walls, rate) = (pick(number, &WALLS), pick(number, rates));
    let mut app = app_at(rate);
    room.spawn(&mut app, walls);
    (app, room, walls)
}

fn direction(number: &mut impl FnMut() -> f32) -> Vec2 {
    Vec2::from_angle(TAU * number())
}

/// Spawns a body that wanders or runs toward a place in or out of the room, and is perhaps knocked back.
fn spawn_body(app: &mut App, number: &mut impl FnMut() -> f32, room: &Room, body: SteeringAgent, blow: f32) -> Entity {
    let mut aside = 30.0 * number() * direction(number);
    while room.inside(room.middle() + aside) < body.radius + 2.0 && aside.length() > 1.0 {
        aside *= 0.5;
    }
    let start = room.middle() + aside;
    let velocity = Velocity(body.max_speed * number() * direction(number));
    let knockback = Knockback::new(blow * direction(number)).with_time_constant(pick(number, &[0.05, 0.2, 2.0]));
    let agent = app.world_mut().spawn((Solid::default(), body, velocity, knockback, at(start.x, start.y))).id();
    let target = room.middle() + 300.0 * number() * direction(number);
    let mut agent = app.world_mut().entity_mut(agent);
    if number() < 0.3 {
        agent.insert(Wander::default())
    } else {
        agent.insert(Seek::new(target))
    };
    agent.id()
}

/// Runs some ticks. Tells which of the agents left the room, and when.
fn first_out(app: &mut App, room: &Room, agents: &[Entity], ticks: usize) -> Option<String> {
    (0..ticks).find_map(|tick| {
        run(app, 1);
        let out = agents.iter().find(|agent| room.inside(position(app, **agent)) < 0.0)?;
        Some(format!("at {} in tick {tick}", position(app, *out)))
    })
}

#[test]
fn a_crowd_presses_nobody_through_a_wall() {
    let mut failures = Vec::new();
    let cases = quarter_of(240);
    for case in 0..cases {
        let mut number = numbers(u64::from(case));
        let (mut app, room, walls) = random_room(&mut number, &[30.0, 60.0, 64.0]);
        let agents: Vec<Entity> = (0..12)
            .map(|_| {
                let max_speed = pick(&mut number, &[100.0, 200.0, 400.0]);
                let max_force = max_speed * pick(&mut number, &[1.0, 10.0]);
                let (radius, mass) = (pick(&mut number, &[1.0, 2.0, 4.0, 8.0]), pick(&mut number, &[1.0, 10.0, 300.0]));
                let body = SteeringAgent { radius, mass, max_speed, max_force, ..default() };
                let blow = pick(&mut number, &[0.0, 300.0, 1400.0]);
                spawn_body(&mut app, &mut number, &room, body, blow)
            })
            .collect();
        failures.extend(first_out(&mut app, &room, &agents, 90).map(|out| format!("case {case}, {walls:?}: {out}")));
    }
    assert!(failures.is_empty(), "{} of {cases}: {failures:#?}", failures.len());
}

#[test]
fn a_fast_body_of_any_size_stays_in_its_room() {
    let mut failures = Vec::new();
    let cases = quarter_of(800);
    for case in 0..cases {
        let mut number = numbers(u64::from(case));
        let (mut app, room, walls) = random_room(&mut number, &[10.0, 20.0, 64.0, 240.0]);
        let radius = pick(&mut number, &[0.0, 1e-6, 0.01, 0.5, 4.0, 8.0]);
        // At most 80 units in a tick if the body is tiny. Rounding decides where a faster one goes.
        let slow = if radius < 0.1 { 0.02 } else { 1.0 };
        let max_speed = slow * pick(&mut number, &[2e3, 5e3, 2e4]);
        let max_force = max_speed * pick(&mut number, &[1.0, 10.0]);
        let body = SteeringAgent { radius, max_speed, max_force, ..default() };
        let blow = slow * pick(&mut number, &[0.0, 3e3, 2e4]);
        let agent = spawn_body(&mut app, &mut number, &room, body, blow);
        let out = first_out(&mut app, &room, &[agent], 60);
        failures.extend(out.map(|out| format!("case {case}, radius {radius}, speed {max_speed}, {walls:?}: {out}")));
    }
    assert!(failures.is_empty(), "{} of {cases}: {failures:#?}", failures.len());
}

#[test]
fn a_heavy_body_presses_a_small_one_against_a_wall_and_stops() {
    let wall = |number: &mut dyn FnMut() -> f32| -> ObstacleShape {
        match (number() * 3.0) as u8 {
            0 => Segment2d::new(Vec2::new(0.0, -150.0), Vec2::new(0.0, 150.0)).into(),
            1 => Rectangle::new(pick(&mut || number(), &[0.5, 4.0]), 300.0).into(),
            _ => Capsule2d::new(pick(&mut || number(), &[0.0, 1.0]), 300.0).into(),
        }
    };
    let mut failures = Vec::new();
    let cases = quarter_of(400);
    for case in 0..cases {
        let mut number = numbers(u64::from(case));
        let mut app = app_at(pick(&mut number, &[30.0, 60.0, 64.0]));
        app.world_mut().spawn((Obstacle::new(wall(&mut number)), at(100.0, 0.0)));
        let mut runner = |radius: f32, mass: f32, speed: f32, place: Vec2| {
            let body = SteeringAgent { radius, mass, max_speed: speed, max_force: 1e4 * mass, ..default() };
            let runs = (Seek::new(Vec2::new(300.0, place.y)), Velocity(Vec2::new(speed, 0.0)));
            app.world_mut().spawn((Solid::default(), body, runs, at(place.x, place.y))).id()
        };
        let (speed, aside) = (100.0 + 400.0 * number(), 1.0 - 2.0 * number());
        let radius = 1.0 + 7.0 * number();
        let small = runner(radius, 1.0, 0.5 * speed, Vec2::new(88.0, aside));
        let mass = pick(&mut number, &[1.0, 10.0, 1000.0]);
        let large = runner(8.0, mass, speed, Vec2::new(40.0, 0.0));
        let mut widest = 0.0_f32;
        for _ in 0..60 {
            run(&mut app, 1);
            widest = widest.max(position(&app, small).x);
        }
        let depth = radius + 8.0 - position(&app, small).distance(position(&app, large));
        if widest > 100.0 || depth > 0.02 * radius {
            failures.push(format!("case {case}, radius {radius}, mass {mass}: up to {widest}, {depth} deep"));
        }
    }
    assert!(failures.is_empty(), "{} of {cases}: {failures:#?}", failures.len());
}

#[test]
fn nobody_gets_around_a_wall_that_ends_at_an_edge_of_the_world() {
    let mut failures = Vec::new();
    let cases = quarter_of(400);
    for case in 0..cases {
        let mut number = numbers(u64::from(case));
        let mut app = app_at(pick(&mut number, &[20.0, 60.0]));
        app.insert_resource(SteeringBounds::bounce(Vec2::splat(-100.0), Vec2::splat(100.0)));
        let ends = [Vec2::new(-100.0, 40.0 * number()), Vec2::new(100.0, 40.0 * number())];
        app.world_mut().spawn((Obstacle::new(Segment2d::new(ends[0], ends[1])), Transform::default()));
        let max_speed = pick(&mut number, &[200.0, 2e3, 1e4]);
        let body = SteeringAgent { radius: 6.0 * number(), max_speed, max_force: 5.0 * max_speed, ..default() };
        let velocity = Velocity(max_speed * number() * direction(&mut number));
        let start = Vec2::new(160.0 * number() - 80.0, -20.0 - 60.0 * number());
        let motion = (Solid::default(), Wander::default(), velocity, Knockback::new(2e3 * direction(&mut number)));
        let agent = app.world_mut().spawn((motion, body, at(start.x, start.y))).id();
        let height = |place: Vec2| (ends[1] - ends[0]).normalize().perp_dot(place - ends[0]);
        for tick in 0..90 {
            run(&mut app, 1);
            let place = position(&app, agent);
            if height(place) > 0.0 {
                failures
                    .push(format!("case {case}, radius {}, speed {max_speed}: {place} in tick {tick}", body.radius));
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{} of {cases}: {failures:#?}", failures.len());
}

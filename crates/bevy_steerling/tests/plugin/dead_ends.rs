//! Agents get out of dead ends without a map.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use bevy_steerling::constraints::avoid_obstacles::AvoidObstaclesState;
use bevy_steerling::perception::obstacles::ObstacleSide;

use super::*;

/// A dead end between an agent and its target, around the origin.
struct Pocket {
    obstacles: Vec<(Obstacle, Transform)>,
    start: Vec2,
    target: Vec2,
}

/// Places in a scene that is turned by a random angle.
struct Draw<'a, R> {
    random: &'a mut R,
    turn: f32,
}

impl<R: FnMut() -> f32> Draw<'_, R> {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (self.random)() * (high - low)
    }

    fn flips(&mut self) -> bool {
        (self.random)() < 0.5
    }

    fn turned(&self, place: Vec2) -> Vec2 {
        Vec2::from_angle(self.turn).rotate(place)
    }

    fn place(&mut self, low: Vec2, high: Vec2) -> Vec2 {
        let place = Vec2::new(self.between(low.x, high.x), self.between(low.y, high.y));
        self.turned(place)
    }

    fn walls(&self, corners: &[Vec2]) -> (Obstacle, Transform) {
        let corners = corners.iter().map(|corner| self.turned(*corner));
        (Obstacle::new(Polyline2d::new(corners)), Transform::default())
    }

    fn block(&self, center: Vec2, half_size: Vec2, turn: f32) -> (Obstacle, Transform) {
        let rotation = Quat::from_rotation_z(self.turn + turn);
        let transform = Transform::from_translation(self.turned(center).extend(0.0)).with_rotation(rotation);
        (Obstacle::new(Rectangle { half_size }), transform)
    }

    fn disc(&self, center: Vec2, radius: f32) -> (Obstacle, Transform) {
        (Obstacle::new(Circle::new(radius)), Transform::from_translation(self.turned(center).extend(0.0)))
    }

    /// Three walls, thin or thick, with the open side to the left.
    fn u(&mut self) -> Pocket {
        let (depth, half) = (self.between(60.0, 300.0), self.between(40.0, 150.0));
        let arms = [self.between(0.3, 1.0) * depth, self.between(0.3, 1.0) * depth];
        let obstacles = if self.flips() {
            let [upper, lower] = arms.map(|arm| depth - arm);
            let corners = [(upper, half), (depth, half), (depth, -half), (lower, -half)];
            vec![self.walls(&corners.map(Vec2::from))]
        } else {
            let thick = self.between(4.0, 12.0);
            let arm =
                |length: f32, y: f32| (Vec2::new(depth - 0.5 * length, y), Vec2::new(0.5 * length + thick, thick));
            let back = (Vec2::new(depth, 0.0), Vec2::new(thick, half + thick));
            [back, arm(arms[0], half), arm(arms[1], -half)].map(|(center, size)| self.block(center, size, 0.0)).into()
        };
        let start = self.place(Vec2::new(-200.0, -0.4 * half), Vec2::new(depth - 30.0, 0.4 * half));
        let target = self.place(Vec2::new(depth + 40.0, -half), Vec2::new(depth + 300.0, half));
        Pocket { obstacles, start, target }
    }

    /// A pocket with a hook that leaves a narrow entrance.
    fn g(&mut self) -> Pocket {
        let (depth, half) = (self.between(100.0, 300.0), self.between(60.0, 150.0));
        let (hook, arm) = (self.between(-0.6, 0.5) * half, self.between(0.3, 1.0) * depth);
        let corners = [(depth - arm, half), (depth, half), (depth, -half), (0.0, -half), (0.0, hook)];
        let side = if self.flips() { Vec2::ONE } else { Vec2::new(1.0, -1.0) };
        let obstacles = vec![self.walls(&corners.map(|corner| Vec2::from(corner) * side))];
        let start = if self.flips() {
            self.place(Vec2::new(30.0, -0.6 * half), Vec2::new(depth - 30.0, 0.6 * half))
        } else {
            self.place(Vec2::new(-200.0, -half), Vec2::new(-40.0, half))
        };
        let target = self.place(Vec2::new(depth + 40.0, -half), Vec2::new(depth + 300.0, half));
        Pocket { obstacles, start, target }
    }

    /// A spiral, out of which or into which the agent has to go.
    fn spiral(&mut self) -> Pocket {
        let (turns, pitch, first) = (self.between(1.2, 3.0), self.between(30.0, 60.0), self.between(0.0, TAU));
        let (sense, step) = (if self.flips() { 1.0 } else { -1.0 }, self.between(0.2, 0.45));
        let arms = (0..(turns * TAU / step) as usize).map(|k| k as f32 * step);
        let corners: Vec<Vec2> =
            arms.map(|arm| Vec2::from_angle(first + sense * arm) * (30.0 + pitch * arm / TAU)).collect();
        let obstacles = vec![self.walls(&corners)];
        let outside = Vec2::from_angle(self.between(0.0, TAU)) * (60.0 + pitch * turns + self.between(0.0, 200.0));
        let [start, target] = if self.flips() { [Vec2::ZERO, outside] } else { [outside, Vec2::ZERO] };
        Pocket { obstacles, start: self.turned(start), target: self.turned(target) }
    }

    /// A room with one door, out of which or into which the agent has to go.
    fn room(&mut self) -> Pocket {
        let half = Vec2::new(self.between(50.0, 150.0), self.between(50.0, 150.0));
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|corner| Vec2::from(corner) * half);
        let wall = self.between(0.0, 4.0) as usize % 4;
        let corner = |k: usize| corners[(wall + k) % 4];
        let along = corner(1) - corner(0);
        let door = self.between(20.0, 45.0) / along.length();
        let from = self.between(0.05, 0.95 - door);
        let [near, far] = [from, from + door].map(|share| corner(0) + along * share);
        let obstacles = vec![self.walls(&[far, corner(1), corner(2), corner(3), corner(0), near])];
        let inside = half - 25.0;
        let inside = self.place(-inside, inside);
        let outside = Vec2::from_angle(self.between(0.0, TAU)) * (half.length() + self.between(30.0, 200.0));
        let [start, target] = if self.flips() { [inside, outside] } else { [outside, inside] };
        Pocket { obstacles, start, target }
    }

    /// Shapes that touch each other, in an arc.
    fn touching(&mut self) -> Pocket {
        let (radius, span, count) =
            (self.between(80.0, 180.0), self.between(2.0, 5.0), self.between(5.0, 10.0) as usize);
        let gap = radius * span / (count - 1) as f32;
        let obstacles = (0..count).map(|k| {
            let angle = span * (k as f32 / (count - 1) as f32 - 0.5);
            let center = Vec2::from_angle(angle) * radius;
            match self.between(0.0, 3.0) as usize {
                0 => self.disc(center, 0.55 * gap),
                1 => {
                    let half_size = Vec2::new(0.56 * gap + 4.0, self.between(8.0, 20.0));
                    self.block(center, half_size, angle + FRAC_PI_2)
                }
                _ => {
                    let turn = self.between(0.0, PI);
                    self.block(center, Vec2::splat(0.6 * gap), turn)
                }
            }
        });
        let obstacles = obstacles.collect();
        let start = self.place(Vec2::new(-350.0, -50.0), Vec2::new(-250.0, 50.0));
        let target = self.place(Vec2::new(radius + 120.0, -100.0), Vec2::new(radius + 300.0, 100.0));
        Pocket { obstacles, start, target }
    }

    /// A bay with a round back, made of thin walls.
    fn bay(&mut self) -> Pocket {
        let (radius, span, count) =
            (self.between(50.0, 200.0), self.between(2.0, 5.0), self.between(8.0, 30.0) as usize);
        let corners = (0..=count).map(|k| Vec2::from_angle(span * (k as f32 / count as f32 - 0.5)) * radius);
        let obstacles = vec![self.walls(&corners.collect::<Vec<_>>())];
        let start = self.place(Vec2::new(-250.0, -0.3 * radius), Vec2::new(0.3 * radius, 0.3 * radius));
        let target = self.place(Vec2::new(radius + 40.0, -0.5 * radius), Vec2::new(radius + 300.0, 0.5 * radius));
        Pocket { obstacles, start, target }
    }

    fn pocket(&mut self, family: usize) -> Pocket {
        match family {
            0 => self.u(),
            1 => self.g(),
            2 => self.spiral(),
            3 => self.room(),
            4 => self.touching(),
            _ => self.bay(),
        }
    }
}

/// An agent in a pocket.
struct Escape {
    pocket: Pocket,
    body: SteeringAgent,
    shortest: f32,
    /// Its place in an app with many pockets.
    origin: Vec2,
    agent: Entity,
    place: Vec2,
    way: f32,
    arrived: bool,
    followed: Option<ObstacleSide>,
}

impl Escape {
    fn new(app: &mut App, pocket: Pocket, body: SteeringAgent, shortest: f32, origin: Vec2) -> Self {
        let moved = |(obstacle, at): &(Obstacle, Transform)| {
            (obstacle.clone(), at.with_translation(at.translation + origin.extend(0.0)))
        };
        let obstacles: Vec<_> = pocket.obstacles.iter().map(moved).collect();
        app.world_mut().spawn_batch(obstacles);
        let start = Transform::from_translation((origin + pocket.start).extend(0.0));
        let avoid = AvoidObstacles::default().with_leave_dead_ends(true);
        let agent = app.world_mut().spawn((Arrive::new(origin + pocket.target), avoid, body, start)).id();
        let place = pocket.start;
        Self { pocket, body, shortest, origin, agent, place, way: 0.0, arrived: false, followed: None }
    }

    fn check(&mut self, app: &App) {
        let state = app.world().get::<AvoidObstaclesState>(self.agent).expect("it avoids obstacles");
        let following = state.side().filter(|_| state.follows_boundary());
        assert!(self.followed.is_none() || following.is_none() || self.followed == following, "it turns back");
        self.followed = following;
        let place = position(app, self.agent) - self.origin;
        self.way += self.place.distance(place);
        self.place = place;
        for (obstacle, transform) in &self.pocket.obstacles {
            let gap = obstacle.shape.placed(transform, SteeringPlane::XY).distance(place).0 - self.body.radius;
            assert!(gap > 0.0, "it touches a wall at {place}: {gap}");
        }
        self.arrived = place.distance(self.pocket.target) < self.body.radius;
    }
}

/// Lets all agents go until they arrive, but not farther than this many times the shortest way at full speed.
fn run(app: &mut App, escapes: &mut [Escape], rate: f64, patience: f32) {
    let time = |escape: &Escape| (patience * escape.shortest + 1000.0) / escape.body.max_speed;
    let longest = escapes.iter().map(time).fold(0.0, f32::max);
    for _ in 0..(longest * rate as f32) as usize {
        if escapes.iter().all(|escape| escape.arrived) {
            break;
        }
        app.update();
        escapes.iter_mut().filter(|escape| !escape.arrived).for_each(|escape| escape.check(app));
    }
}

/// The shortest way for a body; `None` if there is none, or if it starts or ends beside a wall.
fn shortest_way(pocket: &Pocket, radius: f32) -> Option<f32> {
    let obstacles =
        Obstacles::standing_at(pocket.obstacles.iter().cloned(), &SteeringBounds::default(), SteeringPlane::XY);
    let gap = |place: Vec2| {
        let gaps = pocket
            .obstacles
            .iter()
            .map(|(obstacle, at)| obstacle.shape.placed(at, SteeringPlane::XY).distance(place).0);
        gaps.fold(f32::INFINITY, f32::min)
    };
    if gap(pocket.start).min(gap(pocket.target)) < 1.5 * radius {
        return None;
    }
    FlowField::toward([pocket.target], &obstacles, 6.0, 1.1 * radius).ok()?.distance(pocket.start)
}

/// Pockets in one app.
const TOGETHER: usize = 30;

#[test]
fn out_of_every_random_pocket_an_agent_arrives_on_a_short_way_and_does_not_turn_back() {
    let mut random = numbers(1);
    let (rate, mut number, mut all) = (30.0, 0, Vec::new());
    for _ in 0..10 {
        let mut app = app_at(rate);
        let mut escapes = Vec::new();
        while escapes.len() < TOGETHER {
            let turn = TAU * random();
            let pocket = Draw { random: &mut random, turn }.pocket(number % 6);
            number += 1;
            let body =
                SteeringAgent { max_speed: 40.0 + 160.0 * random(), max_force: 150.0 + 850.0 * random(), ..default() };
            if let Some(shortest) = shortest_way(&pocket, body.radius) {
                let origin = 3_000.0 * Vec2::new((escapes.len() % 6) as f32, (escapes.len() / 6) as f32);
                escapes.push(Escape::new(&mut app, pocket, body, shortest, origin));
            }
        }
        run(&mut app, &mut escapes, rate, 8.0);
        all.extend(escapes);
    }
    let late = |escape: &&Escape| !escape.arrived || escape.way > 4.0 * escape.shortest;
    let told = |escape: &Escape| (escape.arrived, escape.way / escape.shortest, escape.place);
    let late: Vec<_> = all.iter().filter(late).map(told).collect();
    assert!(late.is_empty(), "{late:?}");
    let long = all.iter().filter(|escape| escape.way > 2.5 * escape.shortest).count();
    assert!(long < all.len() / 10, "{long}");
}

#[test]
fn an_agent_gets_out_of_a_square_pocket_and_past_walls_in_a_zigzag() {
    let mut random = numbers(1);
    let draw = Draw { random: &mut random, turn: 0.0 };
    let square = [(0.0, 100.0), (150.0, 100.0), (150.0, -100.0), (0.0, -100.0)].map(Vec2::from);
    let zigzag = [((100.0, 60.0), (10.0, 160.0)), ((60.0, -90.0), (50.0, 10.0)), ((20.0, 0.0), (10.0, 40.0))];
    let pockets = [
        Pocket { obstacles: vec![draw.walls(&square)], start: Vec2::new(-100.0, 5.0), target: Vec2::new(400.0, 0.0) },
        Pocket {
            obstacles: zigzag.map(|(center, size)| draw.block(center.into(), size.into(), 0.0)).into(),
            start: Vec2::new(-150.0, 0.0),
            target: Vec2::new(300.0, 20.0),
        },
    ];
    for pocket in pockets {
        let body = SteeringAgent::default();
        let shortest = shortest_way(&pocket, body.radius).expect("there is a way");
        let mut app = app();
        let mut escape = Escape::new(&mut app, pocket, body, shortest, Vec2::ZERO);
        run(&mut app, std::slice::from_mut(&mut escape), RATE, 3.0);
        assert!(escape.arrived && escape.way <= 2.0 * shortest, "{} instead of {shortest}", escape.way);
    }
}

fn spawn_wall(app: &mut App, corners: &[(f32, f32)]) -> Entity {
    let corners = corners.iter().copied().map(Vec2::from);
    app.world_mut().spawn((Obstacle::new(Polyline2d::new(corners)), Transform::default())).id()
}

fn spawn_leaver(app: &mut App, target: Vec2, body: SteeringAgent, start: (f32, f32)) -> Entity {
    let avoid = AvoidObstacles::default().with_leave_dead_ends(true);
    app.world_mut().spawn((Arrive::new(target), avoid, body, at(start.0, start.1))).id()
}

fn follows_boundary(app: &App, agent: Entity) -> bool {
    app.world().get::<AvoidObstaclesState>(agent).expect("it avoids obstacles").follows_boundary()
}

#[test]
fn an_agent_that_is_shut_in_looks_for_a_way_every_two_seconds() {
    let mut delays = Vec::new();
    for shut in 0..8 {
        let mut app = app();
        spawn_wall(&mut app, &[(-60.0, 60.0), (60.0, 60.0), (60.0, -60.0), (-60.0, -60.0)]);
        let door = spawn_wall(&mut app, &[(-60.0, 60.0), (-60.0, -60.0)]);
        let agent = spawn_leaver(&mut app, Vec2::new(300.0, 0.0), SteeringAgent::default(), (0.0, 0.0));
        super::run(&mut app, 200 + 15 * shut);
        assert!(!follows_boundary(&app, agent));
        app.world_mut().despawn(door);
        let mut delay = 0;
        while !follows_boundary(&app, agent) && delay < 300 {
            super::run(&mut app, 1);
            delay += 1;
        }
        delays.push(delay);
    }
    let (shortest, longest) = (delays.iter().min().unwrap_or(&0), delays.iter().max().unwrap_or(&0));
    // Up to a tick of rounding.
    assert!((1..=15).contains(shortest) && (105..=122).contains(longest), "{delays:?}");
}

#[test]
fn a_heavy_agent_with_as_much_more_force_takes_the_same_way_out() {
    let way_out = |mass: f32| {
        let mut app = app();
        spawn_wall(&mut app, &[(0.0, 100.0), (150.0, 100.0), (150.0, -100.0), (0.0, -100.0)]);
        let body = SteeringAgent { mass, max_force: 120.0 * mass, ..default() };
        let agent = spawn_leaver(&mut app, Vec2::new(400.0, 0.0), body, (60.0, 5.0));
        let mut places = Vec::new();
        for _ in 0..120 {
            super::run(&mut app, 10);
            places.push(position(&app, agent));
        }
        places
    };
    let usual = way_out(1.0);
    assert!(usual[119].distance(Vec2::new(400.0, 0.0)) < 1.0, "it arrives at {}", usual[119]);
    for mass in [0.25, 4.0] {
        let places = way_out(mass);
        let apart = usual.iter().zip(&places).map(|(one, other)| one.distance(*other)).fold(0.0, f32::max);
        assert!(apart < 0.01, "with a mass of {mass} it is {apart} away");
    }
}

#[test]
fn an_agent_takes_a_gap_that_is_wide_enough_for_it_and_goes_past_a_narrower_one() {
    for radius in [4.0, 8.0, 13.0] {
        for (width, is_open) in [(1.9, false), (2.05, false), (2.2, true), (2.6, true)] {
            let mut app = app();
            let half_gap = 0.5 * width * radius;
            spawn_wall(&mut app, &[(0.0, 400.0), (0.0, 40.0 + half_gap)]);
            spawn_wall(&mut app, &[(0.0, 40.0 - half_gap), (0.0, -1500.0)]);
            let body = SteeringAgent { radius, ..default() };
            let agent = spawn_leaver(&mut app, Vec2::new(100.0, 120.0), body, (-100.0, 120.0));
            let mut ticks = 0;
            while position(&app, agent).x < 0.0 {
                super::run(&mut app, 1);
                ticks += 1;
                assert!(ticks < 60 * 30, "radius {radius}, gap {width}: it is still at {}", position(&app, agent));
            }
            let crossing = position(&app, agent).y;
            let expected = if is_open { 40.0 - half_gap..40.0 + half_gap } else { 400.0..450.0 };
            assert!(expected.contains(&crossing), "radius {radius}, gap {width}: it crosses the wall at {crossing}");
        }
    }
}

#[test]
fn the_way_out_is_given_up_when_the_destination_moves_by_half_its_distance() {
    for (moved, goes_on) in [(Vec2::Y * 40.0, true), (Vec2::X * 50.0, true), (Vec2::Y * 65.0, false)] {
        let mut app = app();
        spawn_wall(&mut app, &[(-100.0, 200.0), (100.0, 200.0), (100.0, -200.0), (-100.0, -200.0)]);
        let agent = spawn_leaver(&mut app, Vec2::new(200.0, 10.0), SteeringAgent::default(), (0.0, 0.0));
        let mut ticks = 0;
        while !follows_boundary(&app, agent) {
            super::run(&mut app, 1);
            ticks += 1;
            assert!(ticks < 300, "it is at {}", position(&app, agent));
        }
        // The blocked way ends 109 units from the destination.
        super::run(&mut app, 10);
        app.world_mut().get_mut::<Arrive>(agent).expect("it has a target").target =
            (Vec2::new(200.0, 10.0) + moved).into();
        super::run(&mut app, 1);
        assert_eq!(follows_boundary(&app, agent), goes_on, "moved by {moved}");
    }
}

#[test]
fn an_agent_on_its_way_out_tells_on_which_side_the_walls_are() {
    for (y, expected) in [(40.0, ObstacleSide::Right), (-40.0, ObstacleSide::Left)] {
        let mut app = app();
        spawn_wall(&mut app, &[(0.0, 100.0), (150.0, 100.0), (150.0, -100.0), (0.0, -100.0)]);
        let agent = spawn_leaver(&mut app, Vec2::new(400.0, y), SteeringAgent::default(), (60.0, y));
        let (mut told, mut ticks) = (Vec::new(), 0);
        while position(&app, agent).x < 390.0 {
            super::run(&mut app, 1);
            let state = app.world().get::<AvoidObstaclesState>(agent).expect("it avoids obstacles");
            told.extend(state.follows_boundary().then(|| state.side()));
            ticks += 1;
            assert!(ticks < 1200, "it is still at {}", position(&app, agent));
        }
        let wrong = told.iter().filter(|side| **side != Some(expected)).count();
        assert!(told.len() > 120 && wrong == 0, "{wrong} of {} ticks on the wrong side", told.len());
    }
}

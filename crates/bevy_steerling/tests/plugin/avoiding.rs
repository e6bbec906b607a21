//! Agents go round obstacles.

use std::f32::consts::{PI, TAU};

use bevy::math::ops;
use bevy_steerling::constraints::avoid_obstacles::AvoidObstaclesState;
use proptest::prelude::*;

use super::*;

/// A convex shape, at most twice `size` wide.
fn shape(size: f32) -> impl Strategy<Value = ObstacleShape> {
    let corners = proptest::collection::btree_set(0..360_u16, 3..9);
    prop_oneof![
        Just(Circle::new(size).into()),
        (0.05..1.0_f32).prop_map(move |slim| Rectangle::new(2.0 * size, 2.0 * size * slim).into()),
        (0.05..0.5_f32).prop_map(move |slim| Capsule2d::new(size * slim, 2.0 * size * (1.0 - slim)).into()),
        Just(Segment2d::new(Vec2::new(-size, 0.0), Vec2::new(size, 0.0)).into()),
        corners.prop_filter_map("a polygon that is hardly one", move |degrees| {
            let corners = degrees.into_iter().map(|degree| Vec2::from_angle(f32::from(degree).to_radians()) * size);
            ConvexPolygon::new(corners).ok().map(ObstacleShape::from)
        }),
    ]
}

#[derive(Clone, Debug)]
struct Course {
    rate: f64,
    body: SteeringAgent,
    obstacle: ObstacleShape,
    rotation: f32,
    start: Vec2,
    velocity: Vec2,
    goal: Vec2,
}

/// Start and goal on two sides of an obstacle and clear of it, the way from one to the other leading through it or by.
fn course() -> impl Strategy<Value = Course> {
    let body =
        (2.0..20.0_f32, 0.3..3.0_f32, 20.0..300.0_f32, 0.7..8.0_f32).prop_map(|(radius, mass, max_speed, force)| {
            SteeringAgent { radius, mass, max_speed, max_force: mass * max_speed * force, response_time: 0.0 }
        });
    let rate = prop_oneof![Just(30.0), Just(60.0), Just(120.0)];
    let size = prop_oneof![0.1..2.0_f32, 1.0..30.0_f32];
    let offset = prop_oneof![1 => Just(0.0), 4 => -1.5..1.5_f32];
    (rate, body, size, 0.0..1.0_f32, 0.0..1.0_f32, offset, 0.0..TAU, 0.0..TAU).prop_flat_map(
        |(rate, body, size, way, speed, offset, direction, rotation)| {
            let size = size * body.radius;
            let stopping_distance = body.max_speed * body.max_speed * body.mass / (2.0 * body.max_force);
            let clear = size + 4.0 * body.radius;
            let direction = Vec2::from_angle(direction);
            let start = -direction * (clear + stopping_distance * (1.0 + 3.0 * way)) + direction.perp() * offset * size;
            let (velocity, goal) = (direction * speed * body.max_speed, direction * clear);
            shape(size).prop_map(move |obstacle| Course { rate, body, obstacle, rotation, start, velocity, goal })
        },
    )
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn it_goes_round_any_convex_obstacle_never_touches_it_and_never_stops(course in course()) {
        let Course { rate, body, obstacle, rotation, start, velocity: speed, goal } = course;
        let mut app = app_at(rate);
        let transform = Transform::from_rotation(Quat::from_rotation_z(rotation));
        let placed = obstacle.placed(&transform, SteeringPlane::XY);
        app.world_mut().spawn((Obstacle::new(obstacle), transform));
        let behaviors = (Arrive::new(goal), AvoidObstacles::default());
        let start = Transform::from_translation(start.extend(0.0));
        let agent = app.world_mut().spawn((behaviors, body, Velocity(speed), start)).id();
        // Time to get away, and thrice the way round the obstacle.
        let way = start.translation.truncate().distance(goal) + 30.0 * placed.distance(goal).0;
        let seconds = 5.0 * body.max_speed * body.mass / body.max_force + 3.0 * way / body.max_speed;
        let mut hesitating = 0;
        let mut ticks = 0..(f64::from(seconds) * rate) as usize;
        while position(&app, agent).distance(goal) > body.radius {
            let tick = ticks.next();
            prop_assert!(tick.is_some(), "not there after {seconds} s, but at {}", position(&app, agent));
            app.update();
            let gap = placed.distance(position(&app, agent)).0 - body.radius;
            prop_assert!(gap > 0.0, "{gap} at {}", position(&app, agent));
            let started = tick.is_some_and(|tick| tick as f64 > 0.5 * rate);
            // At most for a moment, in which it turns.
            let hesitates = started && velocity(&app, agent).length() < 0.1 * body.max_speed;
            hesitating = if hesitates { hesitating + 1 } else { 0 };
            prop_assert!(hesitating as f64 <= 0.1 * rate, "stops at {}", position(&app, agent));
        }
    }
}

/// An agent that seeks the origin, where it is after some seconds, and how near it came to an obstacle.
fn seek_past(obstacle: (ObstacleShape, Transform, Velocity), start: Vec2, seconds: usize) -> (f32, f32) {
    let mut app = app();
    let (shape, mut transform, drift) = obstacle;
    let wall = app.world_mut().spawn((Obstacle::new(shape.clone()), transform, drift)).id();
    let agent = app
        .world_mut()
        .spawn((Seek::new(Vec2::ZERO), AvoidObstacles::default(), Transform::from_translation(start.extend(0.0))))
        .id();
    let (mut nearest, mut gap) = (f32::INFINITY, f32::INFINITY);
    for _ in 0..seconds * 60 {
        app.update();
        transform.translation += drift.extend(0.0) * TICK;
        *app.world_mut().get_mut::<Transform>(wall).expect("it is there") = transform;
        nearest = nearest.min(position(&app, agent).length());
        gap = gap.min(shape.placed(&transform, SteeringPlane::XY).distance(position(&app, agent)).0 - 8.0);
    }
    (nearest, gap)
}

fn standing(shape: impl Into<ObstacleShape>, x: f32, y: f32) -> (ObstacleShape, Transform, Velocity) {
    (shape.into(), at(x, y), Velocity(Vec2::ZERO))
}

#[test]
fn a_target_beside_a_wall_is_reached() {
    // The agent's radius is 8: it just fits between the wall and the target.
    for room in [9.0, 12.0, 20.0, 40.0] {
        for angle in [0.0, 0.4, 1.0, 1.4] {
            let start = Vec2::from_angle(angle) * 250.0;
            let wall = standing(Rectangle::new(20.0, 400.0), -10.0 - room, 0.0);
            let (nearest, gap) = seek_past(wall, start, 30);
            assert!(nearest < 4.0, "{nearest} from the target with room for {room}, from {angle}");
            assert!(gap > 0.0, "{gap}");
        }
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn an_agent_that_arrives_beside_an_obstacle_rests_there(
        center in prop::array::uniform2(-300.0_f32..300.0),
        radius in 5.0_f32..60.0,
        gap in 1.1_f32..4.0,
        angle in 0.0_f32..TAU,
        from in 0.0_f32..TAU,
    ) {
        let mut app = app();
        let center = Vec2::from(center);
        let body = SteeringAgent { max_speed: 60.0, max_force: 300.0, radius: 3.0, ..default() };
        let goal = center + Vec2::from_angle(angle) * (radius + gap * body.radius);
        let start = center + Vec2::from_angle(from) * (radius + 100.0);
        app.world_mut().spawn((Obstacle::new(Circle::new(radius)), Transform::from_translation(center.extend(0.0))));
        let start = Transform::from_translation(start.extend(0.0));
        let agent = app.world_mut().spawn((body, Arrive::new(goal), AvoidObstacles::default(), start)).id();
        for _ in 0..900 {
            app.update();
        }
        prop_assert!(velocity(&app, agent).length() < 1e-2, "{} at {}", velocity(&app, agent), position(&app, agent));
        prop_assert!(position(&app, agent).distance(goal) < 1e-2);
    }
}

#[test]
fn what_comes_toward_it_is_avoided_in_time() {
    for speed in [-30.0, -60.0, 25.0] {
        for aside in [0.0, 5.0, -20.0] {
            let ball = (Circle::new(30.0).into(), at(150.0, aside), Velocity(Vec2::new(speed, 0.0)));
            let (nearest, gap) = seek_past(ball, Vec2::new(-300.0, 0.0), 20);
            assert!(gap > 0.0, "{gap} from what moves at {speed}, {aside} aside");
            assert!(nearest < 10.0, "{nearest}");
        }
    }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn a_ball_that_is_slower_than_an_agent_does_not_touch_it(
        radius in 10.0_f32..30.0,
        speed in 0.0_f32..50.0,
        aside in -10.0_f32..10.0,
        angle in 0.0_f32..TAU,
        // A game may move it before or after the agents.
        moves_first in any::<bool>(),
    ) {
        let mut app = app();
        let toward = Vec2::from_angle(angle);
        let mut place = toward.rotate(Vec2::new(-200.0, aside));
        let there = Transform::from_translation(place.extend(0.0));
        let ball = app.world_mut().spawn((Obstacle::new(Circle::new(radius)), Velocity(toward * speed), there)).id();
        let body = SteeringAgent { max_speed: 60.0, max_force: 600.0, radius: 2.0, ..default() };
        let agent = app.world_mut().spawn((body, Arrive::new(Vec2::ZERO), AvoidObstacles::default())).id();
        for _ in 0..1_200 {
            if !moves_first {
                app.update();
            }
            place += toward * speed * TICK;
            app.world_mut().get_mut::<Transform>(ball).expect("it is there").translation = place.extend(0.0);
            if moves_first {
                app.update();
            }
            let gap = place.distance(position(&app, agent)) - radius - body.radius;
            prop_assert!(gap > 0.0, "{gap} at {}", position(&app, agent));
        }
    }
}

#[test]
pub fn from_inside_it_takes_the_shortest_way_out() {
    let mut app = app();
    app.world_mut().spawn((Obstacle::new(Rectangle::new(300.0, 60.0)), Transform::default()));
    let agent = app.world_mut().spawn((AvoidObstacles::default(), at(40.0, 12.0))).id();
    run(&mut app, 240);
    let position = position(&app, agent);
    assert!((position.x - 40.0).abs() < 1.0 && position.y >= 38.0, "{position}");
}

/// One of each shape, and agents at rest in the middle of it, on its corners and on its lines.
#[test]
pub fn it_gets_out_of_any_shape_from_any_place_in_it() {
    let triangle = [Vec2::new(-30.0, -20.0), Vec2::new(40.0, -20.0), Vec2::new(0.0, 50.0)];
    let shapes: [ObstacleShape; 7] = [
        Circle::new(40.0).into(),
        Rectangle::new(80.0, 30.0).into(),
        Capsule2d::new(20.0, 60.0).into(),
        Segment2d::new(Vec2::new(-40.0, 10.0), Vec2::new(40.0, -20.0)).into(),
        ConvexPolygon::new(triangle).expect("it is convex").into(),
        Polyline2d::new([Vec2::new(-60.0, 0.0), Vec2::ZERO, Vec2::new(20.0, 60.0)]).into(),
        Polyline2d::new([Vec2::new(-60.0, 0.0), Vec2::ZERO, Vec2::new(0.0, 60.0), Vec2::new(60.0, 60.0)]).into(),
    ];
    for shape in shapes {
        for turn in [0.0, 0.7] {
            let transform = at(12.0, -5.0).with_rotation(Quat::from_rotation_z(turn));
            let placed = shape.placed(&transform, SteeringPlane::XY);
            let mut app = app();
            app.world_mut().spawn((Obstacle::new(shape.clone()), transform));
            let mut agents = Vec::new();
            let corners = placed.corners();
            let between = corners.windows(2).map(|ends| 0.5 * (ends[0] + ends[1]));
            for start in corners.iter().copied().chain(between).chain([placed.center()]) {
                // Some want nothing, and some in the very direction that leads in or along.
                for wish in [None, Some(placed.center()), Some(Vec2::new(500.0, 0.0)), Some(Vec2::new(0.0, -500.0))] {
                    let agent = app.world_mut().spawn((AvoidObstacles::default(), at(start.x, start.y))).id();
                    if let Some(target) = wish {
                        app.world_mut().entity_mut(agent).insert(Seek::new(target));
                    }
                    agents.push((agent, start, wish));
                }
            }
            run(&mut app, 240);
            for (agent, start, wish) in agents {
                let gap = placed.distance(position(&app, agent)).0 - 8.0;
                assert!(gap > -0.01, "{gap} from {start}, to {wish:?}, turned by {turn}, in {shape:?}");
            }
        }
    }
}

#[test]
fn only_obstacles_in_its_layers_matter_and_only_while_they_are_there() {
    let mut app = app();
    let obstacle = Obstacle::new(Circle::new(40.0)).with_layers(GroupMask::from_bits(0b10));
    let obstacle = app.world_mut().spawn((obstacle, at(150.0, 0.0))).id();
    let seek = Seek::new(Vec2::new(400.0, 0.0));
    let blind =
        app.world_mut().spawn((seek.clone(), AvoidObstacles::default().with_layers(GroupMask::from_bits(0b01)))).id();
    let seeing = app.world_mut().spawn((seek, AvoidObstacles::default().with_layers(GroupMask::from_bits(0b11)))).id();
    run(&mut app, 90);
    assert_eq!(position(&app, blind).y, 0.0);
    assert!(position(&app, seeing).y.abs() > 5.0, "{}", position(&app, seeing));

    app.world_mut().despawn(obstacle);
    run(&mut app, 1);
    let free = force(&app, seeing);
    let to_target = (Vec2::new(400.0, 0.0) - position(&app, seeing)).normalize();
    assert!(free.dot(to_target) >= 0.0, "{free}");
}

#[test]
fn what_is_gone_between_two_ticks_is_gone() {
    let mut app = app();
    let obstacle = app.world_mut().spawn((Obstacle::new(Circle::new(40.0)), at(150.0, 0.0))).id();
    let seeker = (Seek::new(Vec2::new(400.0, 0.0)), AvoidObstacles::default());
    let agent = app.world_mut().spawn(seeker).id();
    run(&mut app, 1);
    app.world_mut().despawn(obstacle);
    // As when many frames pass without a tick.
    (0..4).for_each(|_| app.world_mut().clear_trackers());
    run(&mut app, 120);
    assert_eq!(position(&app, agent).y, 0.0);
}

#[test]
fn a_wall_on_the_other_side_of_a_seam_is_seen() {
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(Vec2::splat(-200.0), Vec2::splat(200.0)));
    let transform = at(-180.0, 0.0);
    let placed = ObstacleShape::from(Circle::new(15.0)).placed(&transform, SteeringPlane::XY);
    app.world_mut().spawn((Obstacle::new(Circle::new(15.0)), transform));
    let agent = (Seek::new(Vec2::new(-120.0, 0.0)), AvoidObstacles::default(), Velocity(Vec2::new(100.0, 0.0)));
    let agent = app.world_mut().spawn((agent, at(120.0, 0.0))).id();
    for _ in 0..120 {
        run(&mut app, 1);
        assert!(placed.distance(position(&app, agent)).0 > 8.0);
    }
}

#[test]
fn a_ball_that_recedes_is_not_touched_by_who_follows_it() {
    let mut number = numbers(1);
    for case in 0..quarter_of(80) {
        let mut app = app();
        let (radius, speed, toward) = (10.0 + 20.0 * number(), 50.0 * number(), Vec2::from_angle(TAU * number()));
        let mut place = toward * (radius + 2.1 + 30.0 * number());
        let ball = (Obstacle::new(Circle::new(radius)), Velocity(toward * speed), at(place.x, place.y));
        let ball = app.world_mut().spawn(ball).id();
        let body = SteeringAgent { max_speed: 60.0, max_force: 600.0, radius: 2.0, ..default() };
        // It cannot get there before the ball.
        let goal = Seek::new(toward * 1e6);
        let agent = app.world_mut().spawn((body, goal, AvoidObstacles::default(), Velocity(toward * speed))).id();
        for _ in 0..300 {
            if case % 2 == 0 {
                app.update();
            }
            place += toward * speed * TICK;
            app.world_mut().get_mut::<Transform>(ball).expect("it is there").translation = place.extend(0.0);
            if case % 2 == 1 {
                app.update();
            }
            let gap = place.distance(position(&app, agent)) - radius - body.radius;
            assert!(gap > 0.0, "{case}: {gap} at {}", position(&app, agent));
        }
    }
}

#[test]
fn an_agent_tells_on_which_side_the_obstacle_is_that_it_passes() {
    for (y, expected) in [(10.0, ObstacleSide::Left), (-10.0, ObstacleSide::Right)] {
        let mut app = app();
        app.world_mut().spawn((Obstacle::new(Circle::new(30.0)), at(0.0, y)));
        let agent =
            app.world_mut().spawn((Seek::new(Vec2::new(900.0, 0.0)), AvoidObstacles::default(), at(-150.0, 0.0))).id();
        let side = |app: &App| app.world().get::<AvoidObstaclesState>(agent).expect("it avoids obstacles").side();
        run(&mut app, 1);
        assert_eq!(side(&app), None, "it is far away");
        let mut told = Vec::new();
        while position(&app, agent).x < 200.0 {
            run(&mut app, 1);
            told.push(side(&app));
        }
        let passing = told.iter().filter(|side| **side == Some(expected)).count();
        let other = told.iter().flatten().filter(|side| **side != expected).count();
        assert!(passing > 30 && other == 0, "{passing} ticks on the right side, {other} on the wrong one");
        assert_eq!(told.last(), Some(&None), "it is past");
    }
}

#[test]
fn an_agent_on_the_wrong_side_of_a_long_wall_goes_back_to_the_door() {
    let mut number = numbers(33);
    for case in 0..quarter_of(120) {
        let rate = [20.0, 60.0, 120.0][case as usize % 3];
        let (mut app, body) = (app_at(rate), random_body(&mut number));
        let SteeringAgent { radius, max_speed, .. } = body;
        let (half_width, half_depth) = (radius * (1.5 + number()), radius * (0.1 + 1.9 * number()));
        spawn_wall_with_door(&mut app, radius, half_width, half_depth);
        let aside = if number() < 0.5 { -1.0 } else { 1.0 };
        let (x, y) = (half_depth + radius * (1.1 + 2.0 * number()), aside * radius * (15.0 + 25.0 * number()));
        // It is leaving, with the wall on the side that leads to the far end.
        let side = if aside > 0.0 { ObstacleSide::Left } else { ObstacleSide::Right };
        let mut agent = app.world_mut().spawn((body, AvoidObstacles::default(), at(x, y)));
        agent.insert((Velocity(Vec2::Y * aside * max_speed), SteeringId::new(case.into())));
        agent.insert(state_with::<AvoidObstaclesState, _>("side", Some(side)));
        if case % 2 == 0 {
            agent.insert(Seek::new(Vec2::new(-10.0 * radius, 0.0)));
        } else {
            agent.insert(FollowPath::new(SteeringPath::new([30.0, 0.0, -60.0].map(|x| Vec2::new(x * radius, 0.0)))));
        }
        let agent = agent.id();
        // It may go the wrong way for three seconds.
        let seconds = 2.0 * (y.abs() + 20.0 * radius) / max_speed + 2.0 * 3.0 + 2.0;
        let passed = (0..(f64::from(seconds) * rate) as usize).any(|_| {
            run(&mut app, 1);
            position(&app, agent).x < -half_depth - radius
        });
        assert!(passed, "case {case}: from {x}, {y} with a radius of {radius} to {}", position(&app, agent));
    }
}

/// An agent that starts beside a wall with a random velocity, and the place behind the wall to which it must get.
#[derive(Debug)]
struct Behind {
    body: SteeringAgent,
    start: Vec2,
    place: Vec2,
    /// The length of the wall, units.
    length: f32,
}

impl Behind {
    fn pass(&self, case: u32, number: &mut impl FnMut() -> f32, wall: Obstacle) {
        let rate = [20.0, 60.0, 120.0][case as usize % 3];
        let (mut app, SteeringAgent { radius, max_speed, .. }) = (app_at(rate), self.body);
        app.world_mut().spawn((wall, at(0.0, 0.0)));
        let bundle = (self.body, AvoidObstacles::default(), Arrive::new(self.place), SteeringId::new(case.into()));
        let velocity = Velocity(Vec2::from_angle(TAU * number()) * max_speed);
        let agent = app.world_mut().spawn((bundle, velocity, at(self.start.x, self.start.y))).id();
        let seconds = (3.0 * self.length + 60.0 * radius) / max_speed + 10.0;
        let arrived = (0..(f64::from(seconds) * rate) as usize).any(|_| {
            run(&mut app, 1);
            position(&app, agent).distance(self.place) < radius
        });
        assert!(arrived, "case {case}: {} instead of {self:?}", position(&app, agent));
    }
}

#[test]
fn an_agent_gets_to_a_place_behind_a_long_closed_wall() {
    let mut number = numbers(34);
    for case in 0..quarter_of(120) {
        let body = random_body(&mut number);
        let radius = body.radius;
        let (half_length, half_depth) = (radius * (20.0 + 60.0 * number()), radius * (0.1 + 1.9 * number()));
        let mut along = || half_length * (1.6 * number() - 0.8);
        let (start, place) = (along(), along());
        let place = Vec2::new(-half_depth - radius * (2.0 + 20.0 * number()), place);
        let start = Vec2::new(half_depth + radius * (1.5 + 20.0 * number()), start);
        let wall = Obstacle::new(Rectangle::new(2.0 * half_depth, 2.0 * half_length));
        Behind { body, start, place, length: 2.0 * half_length }.pass(case, &mut number, wall);
    }
}

#[test]
fn an_agent_gets_behind_a_bent_wall_from_outside() {
    let mut number = numbers(35);
    for case in 0..quarter_of(120) {
        let body = random_body(&mut number);
        let (bend, length) = (PI * (0.4 + 0.4 * number()), body.radius * (40.0 + 120.0 * number()));
        // An arc around the origin, with two edges or more.
        let (edges, bow) = (2 + (7.0 * number()) as u16, length / bend);
        let corner = |k: u16| Vec2::from_angle(bend * (f32::from(k) / f32::from(edges) - 0.5)) * bow;
        let wall = Obstacle::new(Polyline2d::new((0..=edges).map(corner)));
        let start = Vec2::from_angle(bend * (0.8 * number() - 0.4)) * (bow + body.radius * (1.5 + 20.0 * number()));
        // Between the ends, up to half as far from them as the middle of the wall.
        let ends = ops::cos(0.5 * bend);
        let place = Vec2::X * bow * (ends + 0.5 * (1.0 - ends) * number());
        Behind { body, start, place, length }.pass(case, &mut number, wall);
    }
}

#[test]
fn agents_between_two_long_walls_get_around_them_whatever_their_patience() {
    let body = SteeringAgent { max_speed: 28.3, max_force: 103.0, radius: 2.46, ..default() };
    let (goal, ids) = (Vec2::new(38.9, 17.6), 0..200);
    let corners = [
        [(0.6, 1.1), (-103.1, 60.6), (-104.3, 58.5), (-0.6, -1.1)],
        [(1.2, -1.2), (-1.2, -1.2), (-1.2, -130.9), (1.2, -119.5)],
    ];
    for rate in [20.0, 60.0, 120.0] {
        let mut app = app_at(rate);
        for corners in corners {
            let wall = ConvexPolygon::new(corners.map(Vec2::from)).unwrap();
            app.world_mut().spawn((Obstacle::new(wall), at(0.0, 0.0)));
        }
        let mut agents: Vec<Entity> = ids
            .clone()
            .map(|id| {
                let going = (Velocity(Vec2::new(26.5, -9.7)), Seek::new(goal), AvoidObstacles::default());
                app.world_mut().spawn((body, going, SteeringId::new(id), at(-33.6, -106.5))).id()
            })
            .collect();
        for _ in 0..(40.0 * rate) as usize {
            run(&mut app, 1);
            agents.retain(|agent| position(&app, *agent).distance(goal) > 2.0 * body.radius);
        }
        assert_eq!(agents.len(), 0, "{rate} ticks per second");
    }
}

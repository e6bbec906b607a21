//! Follow wall goes along walls at a distance.

use std::f32::consts::TAU;

use super::*;

/// An agent beside a wall.
#[derive(Clone, Debug)]
struct Case {
    rate: f64,
    body: SteeringAgent,
    obstacles: Vec<(ObstacleShape, Transform)>,
    side: ObstacleSide,
    distance: f32,
    start: Vec2,
    velocity: Vec2,
    limits: Option<BodyLimits>,
}

/// Corners around the origin, at a distance between `low` and `high`.
fn corners(number: &mut impl FnMut() -> f32, count: usize, low: f32, high: f32) -> Vec<Vec2> {
    let turn = TAU * number();
    let part = TAU / count as f32;
    (0..count)
        .map(|k| Vec2::from_angle(turn + part * (k as f32 + 0.3 * number())) * (low + (high - low) * number()))
        .collect()
}

/// Something to walk around.
fn block(number: &mut impl FnMut() -> f32) -> Vec<(ObstacleShape, Transform)> {
    let (a, b) = (40.0 + 160.0 * number(), 40.0 + 160.0 * number());
    let turned = Transform::from_rotation(Quat::from_rotation_z(TAU * number()));
    let one = |shape: ObstacleShape| vec![(shape, turned)];
    match (7.0 * number()) as u32 {
        0 => one(Circle::new(0.5 * a).into()),
        1 => one(Rectangle::new(a, b).into()),
        2 => one(Capsule2d::new(0.3 * a, b).into()),
        3 => one(Segment2d::new(Vec2::new(-a, 0.0), Vec2::new(a, 0.0)).into()),
        4 => one(ConvexPolygon::new(corners(number, 5, a, a)).expect("it is convex").into()),
        5 => {
            let mut corners = corners(number, 7, 0.4 * a + 30.0, a + 60.0);
            corners.push(corners[0]);
            one(Polyline2d::new(corners).into())
        }
        _ => {
            let arm = turned.with_translation(Vec3::new(0.4 * a, 0.0, 0.0));
            let across = turned.with_rotation(turned.rotation * Quat::from_rotation_z(1.2));
            vec![(Rectangle::new(a, b).into(), arm), (Rectangle::new(b, 2.0 * a).into(), across)]
        }
    }
}

/// Walls around the origin.
fn room(number: &mut impl FnMut() -> f32) -> Vec<(ObstacleShape, Transform)> {
    let count = 3 + (6.0 * number()) as usize;
    let mut corners = corners(number, count, 150.0, 400.0);
    corners.push(corners[0]);
    vec![(Polyline2d::new(corners).into(), Transform::default())]
}

impl Case {
    fn random(number: &mut impl FnMut() -> f32) -> Self {
        let is_room = number() < 0.4;
        let obstacles = if is_room { room(number) } else { block(number) };
        let mut scale = |low: f32, high: f32| low * ops::powf(high / low, number());
        let (mass, acceleration, max_speed) = (scale(0.1, 10.0), scale(200.0, 3000.0), scale(50.0, 200.0));
        let distance = scale(10.0, 60.0);
        let response_time = 0.3 * number();
        let body = SteeringAgent { mass, max_speed, max_force: mass * acceleration, response_time, ..default() };
        let start = if is_room { 100.0 * number() } else { 350.0 * number() };
        let start = Vec2::from_angle(TAU * number()) * start;
        let velocity = Vec2::from_angle(TAU * number()) * max_speed * number();
        let side = if number() < 0.5 { ObstacleSide::Left } else { ObstacleSide::Right };
        let rate = 30.0 + 90.0 * f64::from(number());
        let case = Self { rate, body, obstacles, side, distance, start, velocity, limits: None };
        if case.distance_at(case.start) < distance { Self::random(number) } else { case }
    }

    fn is_convex(&self) -> bool {
        self.obstacles.len() == 1 && !matches!(self.obstacles[0].0, ObstacleShape::Polyline(_))
    }

    /// The distance from the nearest wall.
    fn distance_at(&self, place: Vec2) -> f32 {
        let distances = self
            .obstacles
            .iter()
            .map(|(shape, transform)| shape.placed(transform, SteeringPlane::XY).distance(place).0);
        distances.fold(f32::INFINITY, f32::min)
    }

    fn spawn(&self) -> (App, Entity) {
        let mut app = app_at(self.rate);
        for (shape, transform) in &self.obstacles {
            app.world_mut().spawn((Obstacle::new(shape.clone()), *transform));
        }
        let follow = FollowWall::new(self.side, self.distance).with_reach(1000.0);
        let start = Transform::from_translation(self.start.extend(0.0));
        let agent = app.world_mut().spawn((follow, self.body, Velocity(self.velocity), start)).id();
        if let Some(limits) = &self.limits {
            app.world_mut().entity_mut(agent).insert(limits.clone());
        }
        (app, agent)
    }
}

/// The motion of an agent after it reached the walls.
#[derive(Debug)]
struct Followed {
    /// The least distance from the nearest wall, relative to the one it keeps.
    near: f32,
    /// The greatest, in the second half of the time.
    far: f32,
    /// The time to reach the walls, seconds.
    joining: f32,
    /// The mean and the lowest speed, relative to max speed.
    mean: f32,
    slowest: f32,
    /// The share of the time for which the nearest wall was on its other side.
    other_side: f32,
}

impl Case {
    fn follow(&self, seconds: f32) -> Followed {
        let (mut app, agent) = self.spawn();
        let mut followed =
            Followed { near: f32::INFINITY, far: 0.0, joining: 0.0, mean: 0.0, slowest: 1.0, other_side: 0.0 };
        let (rate, mut ticks, mut before) = (self.rate as f32, 0.0, self.start);
        for tick in 0..(seconds * rate) as usize {
            run(&mut app, 1);
            let place = position(&app, agent);
            let (moved, distance) = (place - before, self.distance_at(place) / self.distance);
            before = place;
            followed.near = followed.near.min(distance);
            if followed.joining == 0.0 {
                if distance < 1.3 {
                    followed.joining = (tick + 1) as f32 / rate;
                }
                continue;
            }
            let along = |way: Vec2| self.distance_at(place + way) - self.distance_at(place - way);
            let away = Vec2::new(along(Vec2::X * 0.1), along(Vec2::Y * 0.1));
            let is_left = moved.perp_dot(away) < 0.0;
            let speed = moved.length() * rate / self.body.max_speed;
            ticks += 1.0;
            if tick as f32 > 0.5 * seconds * rate {
                followed.far = followed.far.max(distance);
            }
            followed.mean += speed;
            followed.slowest = followed.slowest.min(speed);
            followed.other_side += if is_left == (self.side == ObstacleSide::Left) { 0.0 } else { 1.0 };
        }
        followed.mean /= ticks;
        followed.other_side /= ticks;
        followed
    }
}

#[test]
fn from_anywhere_it_gets_to_the_walls_and_follows_them_at_its_distance() {
    let mut number = numbers(1);
    for index in 0..quarter_of(100) {
        let case = Case::random(&mut number);
        let followed = case.follow(12.0);
        let context = format!("case {index}: {followed:?}, {case:?}");
        // The radius of its turn at full speed, relative to the distance.
        let turn = case.body.max_speed / case.body.max_force * case.body.mass * case.body.max_speed / case.distance;
        assert!(followed.joining > 0.0 && followed.joining < 10.0, "{context}");
        // It cuts outer corners by a little, and inner ones by the arc of its turn.
        assert!(followed.near > 0.88, "{context}");
        assert!(followed.far < if case.is_convex() { 1.1 } else { 1.35 + turn }, "{context}");
        assert!(followed.mean > 0.85 * ops::sqrt(turn).recip().min(1.0), "{context}");
        assert!(followed.slowest > 0.01, "{context}");
        // In an inner corner the wall ahead may be the nearer one.
        assert!(followed.other_side < 0.05, "{context}");
    }
}

#[test]
fn bodies_that_turn_slowly_follow_walls_too() {
    let mut number = numbers(2);
    let (mut cases, mut close) = (0, 0);
    for index in 0..60 {
        let mut case = Case { velocity: Vec2::ZERO, ..Case::random(&mut number) };
        if case.distance_at(case.start) < 2.0 * case.distance {
            continue;
        }
        case.limits = Some(if !case.is_convex() || number() < 0.5 {
            BodyLimits::default().with_max_turn_rate(1.0 + 4.0 * number())
        } else {
            BodyLimits::default().with_min_turning_radius(case.distance * number())
        });
        let followed = case.follow(12.0);
        let context = format!("case {index}: {followed:?}, {case:?}");
        assert!(followed.joining > 0.0 && followed.near > 0.3, "{context}");
        cases += 1;
        close += usize::from(followed.near < 0.9);
        assert!(followed.far < if case.is_convex() { 1.3 } else { 4.0 }, "{context}");
        // In a narrow corner it turns slowly.
        assert!(followed.other_side < 0.4, "{context}");
    }
    // Bodies with a turning radius come closer in narrow corners.
    assert!(close * 10 < cases, "{close} of {cases} come close to a wall");
}

/// A long wall along the x axis.
fn straight_wall(app: &mut App) -> Entity {
    app.world_mut().spawn((Obstacle::new(Rectangle::new(8000.0, 20.0)), Transform::default())).id()
}

#[test]
fn on_a_straight_wall_it_is_exact_and_as_fast_as_it_can() {
    let mut number = numbers(3);
    for case in 0..40 {
        let mut app = app_at(30.0 + 90.0 * f64::from(number()));
        straight_wall(&mut app);
        let distance = 10.0 + 50.0 * number();
        let start = at(-1500.0, 10.0 + 100.0 * number());
        let follow = FollowWall::new(ObstacleSide::Right, distance).with_reach(200.0);
        let agent = app.world_mut().spawn((follow, start)).id();
        run(&mut app, 60 * 10);
        for _ in 0..60 {
            run(&mut app, 1);
            let (off, speed) = (position(&app, agent).y - 10.0 - distance, velocity(&app, agent).x);
            assert!(off.abs() < 0.01 * distance, "case {case}: {off}");
            assert!(speed > 0.999 * SteeringAgent::default().max_speed, "case {case}: {speed}");
        }
    }
}

#[test]
fn it_passes_narrow_gaps_and_goes_through_wide_ones() {
    for (gap, goes_through) in [(1.0, false), (1.8, false), (2.3, true), (4.0, true)] {
        let (mut app, distance) = (app(), 25.0);
        for side in [-1.0, 1.0] {
            let place = at(side * (400.0 + 0.5 * gap * distance), 0.0);
            app.world_mut().spawn((Obstacle::new(Rectangle::new(800.0, 20.0)), place));
        }
        let follow = FollowWall::new(ObstacleSide::Right, distance);
        let agent = app.world_mut().spawn((follow, at(-300.0, 40.0))).id();
        let through = (0..60 * 8).any(|_| {
            run(&mut app, 1);
            position(&app, agent).y < -20.0
        });
        assert_eq!(through, goes_through, "a gap of {gap} times the distance");
    }
}

#[test]
fn a_wall_goes_on_across_the_edge_of_a_world_that_wraps() {
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(Vec2::ZERO, Vec2::new(400.0, 300.0)));
    app.world_mut().spawn((Obstacle::new(Rectangle::new(400.0, 20.0)), at(200.0, 295.0)));
    let follow = FollowWall::new(ObstacleSide::Left, 20.0);
    let agent = app.world_mut().spawn((follow, at(30.0, 260.0))).id();
    run(&mut app, 60);
    let mut laps = 0;
    for _ in 0..60 * 30 {
        let before = position(&app, agent);
        run(&mut app, 1);
        let place = position(&app, agent);
        laps += usize::from(place.x < before.x);
        assert!((place.y - 265.0).abs() < 0.5, "{place}");
    }
    assert!(laps >= 6, "{laps}");
}

#[derive(Resource, Default)]
struct Lost(Vec<Entity>);

#[test]
fn it_says_when_it_has_no_wall() {
    let mut app = app();
    app.init_resource::<Lost>().add_observer(|on: On<WallLost>, mut lost: ResMut<Lost>| lost.0.push(on.entity));
    let follow = FollowWall::new(ObstacleSide::Right, 20.0).with_reach(60.0);
    let agent = app.world_mut().spawn((follow, SteeringEvents::default(), at(0.0, 60.0))).id();
    let count = |app: &App| app.world().resource::<Lost>().0.len();
    // There is none to begin with.
    run(&mut app, 30);
    assert_eq!((count(&app), velocity(&app, agent)), (1, Vec2::ZERO));
    let wall = straight_wall(&mut app);
    run(&mut app, 60);
    assert_eq!(count(&app), 1);
    assert!(velocity(&app, agent).x > 50.0);
    app.world_mut().despawn(wall);
    run(&mut app, 30);
    assert_eq!(count(&app), 2);
    assert_eq!(force(&app, agent), Vec2::ZERO);
    // A wall that is too far away.
    let wall = straight_wall(&mut app);
    app.world_mut().entity_mut(agent).insert(at(0.0, 71.0)).insert(Velocity::default());
    run(&mut app, 30);
    assert_eq!((count(&app), velocity(&app, agent)), (2, Vec2::ZERO));
    app.world_mut().entity_mut(agent).insert(at(0.0, 69.0));
    run(&mut app, 30);
    assert!(velocity(&app, agent).x > 10.0);
    // A wall that moves is none to follow.
    app.world_mut().entity_mut(wall).insert(Velocity(Vec2::Y));
    run(&mut app, 2);
    assert_eq!(app.world().resource::<Lost>().0, [agent; 3]);
    // It is told again after the behavior was added anew.
    let follow = app.world_mut().entity_mut(agent).take::<FollowWall>().expect("it follows walls");
    run(&mut app, 2);
    app.world_mut().entity_mut(agent).insert(follow);
    run(&mut app, 2);
    assert_eq!(app.world().resource::<Lost>().0, [agent; 4]);
}

#[test]
fn it_has_lost_its_wall_when_it_is_moved_beyond_its_reach() {
    let mut app = app();
    app.init_resource::<Lost>().add_observer(|on: On<WallLost>, mut lost: ResMut<Lost>| lost.0.push(on.entity));
    straight_wall(&mut app);
    for case in 0..50 {
        let follow = FollowWall::new(ObstacleSide::Right, 20.0).with_reach(60.0);
        let agent = app.world_mut().spawn((follow, SteeringEvents::default(), at(0.0, 31.0))).id();
        run(&mut app, 10);
        // Within reach.
        app.world_mut().entity_mut(agent).insert((at(0.0, 69.5), Velocity::default()));
        run(&mut app, 1);
        assert_eq!(app.world().resource::<Lost>().0, [], "case {case}");
        app.world_mut().entity_mut(agent).insert((at(0.0, 70.5 + 5.0 * case as f32), Velocity::default()));
        run(&mut app, 1);
        assert_eq!(std::mem::take(&mut app.world_mut().resource_mut::<Lost>().0), [agent], "case {case}");
        assert_eq!(force(&app, agent), Vec2::ZERO, "case {case}");
        app.world_mut().despawn(agent);
    }
}

#[test]
fn an_agent_that_thinks_seldom_has_not_lost_its_wall_before_it_thinks() {
    let mut app = app();
    app.init_resource::<Lost>().add_observer(|on: On<WallLost>, mut lost: ResMut<Lost>| lost.0.push(on.entity));
    let wall = straight_wall(&mut app);
    let seldom = (SteeringRate::every(7), SteeringEvents::default());
    let agents: Vec<Entity> =
        (0..14_u8).map(|k| app.world_mut().spawn((seldom.clone(), at(40.0 * f32::from(k), 60.0))).id()).collect();
    for agent in &agents {
        run(&mut app, 1);
        app.world_mut().entity_mut(*agent).insert(FollowWall::new(ObstacleSide::Right, 20.0).with_reach(60.0));
    }
    run(&mut app, 14);
    assert_eq!(app.world().resource::<Lost>().0, []);
    app.world_mut().despawn(wall);
    run(&mut app, 14);
    assert_eq!(app.world().resource::<Lost>().0.len(), agents.len());
    // Each gets the behavior anew before it thinks.
    for agent in &agents {
        let follow = app.world_mut().entity_mut(*agent).take::<FollowWall>().expect("it follows walls");
        run(&mut app, 1);
        app.world_mut().entity_mut(*agent).insert(follow);
    }
    run(&mut app, 14);
    assert_eq!(app.world().resource::<Lost>().0.len(), 2 * agents.len());
}

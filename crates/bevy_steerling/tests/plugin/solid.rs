//! Bodies that are solid stay out of each other and out of obstacles, and move on as freely as that lets them.

use super::*;

const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 100.0, max_force: 300.0, radius: 8.0, response_time: 0.0 };

/// Overlaps that may be left between two bodies, or between a body and a wall, units: a ten-thousandth of a radius, and rounding.
const LEFT: f32 = 2e-4 * BODY.radius;

fn shapes() -> [ObstacleShape; 6] {
    let triangle = [Vec2::new(-30.0, -20.0), Vec2::new(40.0, -20.0), Vec2::new(0.0, 50.0)];
    [
        Circle::new(40.0).into(),
        Rectangle::new(80.0, 30.0).into(),
        Capsule2d::new(20.0, 60.0).into(),
        Segment2d::new(Vec2::new(-40.0, 0.0), Vec2::new(40.0, 0.0)).into(),
        ConvexPolygon::new(triangle).expect("it is convex").into(),
        Polyline2d::new([Vec2::new(-60.0, 0.0), Vec2::ZERO, Vec2::new(0.0, 60.0)]).into(),
    ]
}

/// The middle of a shape, its corners, and the middle between two of them.
fn awkward_places(shape: &PlacedShape) -> Vec<Vec2> {
    let corners = shape.corners();
    let between = corners.windows(2).map(|ends| 0.5 * (ends[0] + ends[1]));
    corners.iter().copied().chain(between).chain([shape.center()]).collect()
}

fn deepest(app: &App, agents: &[Entity]) -> f32 {
    let places: Vec<Vec2> = agents.iter().map(|agent| position(app, *agent)).collect();
    let pairs = (0..places.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    pairs.map(|(a, b)| 2.0 * BODY.radius - places[a].distance(places[b])).fold(0.0, f32::max)
}

#[test]
fn they_get_out_of_any_shape_from_any_place_in_it() {
    for shape in shapes() {
        let placed = shape.placed(&Transform::default(), SteeringPlane::XY);
        for start in awkward_places(&placed) {
            let mut app = app();
            app.world_mut().spawn((Obstacle::new(shape.clone()), Transform::default()));
            let agent = app.world_mut().spawn((Solid::default(), BODY, at(start.x, start.y))).id();
            run(&mut app, 5);
            let gap = placed.distance(position(&app, agent)).0 - BODY.radius;
            assert!(gap >= -LEFT, "{gap} from {start} in {shape:?}: at {}", position(&app, agent));
            let way = position(&app, agent).distance(start);
            assert!(way < 60.0, "{way} from {start} in {shape:?}: at {}", position(&app, agent));
        }
    }
}

#[test]
fn who_touches_one_that_walks_the_same_way_walks_on() {
    let mut app = app();
    let walker = |app: &mut App, max_speed: f32, x: f32| {
        let body = SteeringAgent { max_speed, ..BODY };
        let walks = (Seek::new(Vec2::new(1e4, 0.0)), Solid::default(), Velocity(Vec2::new(max_speed, 0.0)));
        app.world_mut().spawn((walks, body, at(x, 0.0))).id()
    };
    let (faster, slower) = (walker(&mut app, 100.0, 0.0), walker(&mut app, 90.0, 16.05));
    for _ in 0..120 {
        run(&mut app, 1);
        assert!(deepest(&app, &[faster, slower]) <= LEFT);
        let speeds = [velocity(&app, faster).x, velocity(&app, slower).x];
        assert!(speeds[0] >= 89.0 && speeds[1] >= 89.0, "{speeds:?}");
    }
    // The faster one pushes a little.
    let way = position(&app, slower).x - 16.05;
    assert!((179.0..191.0).contains(&way), "{way}");
}

#[test]
fn two_that_run_into_each_other_stop_and_the_heavier_one_pushes_on() {
    for (mass, expected) in [(1.0, 0.0), (3.0, 25.0)] {
        let mut app = app();
        let runner = |app: &mut App, mass: f32, side: f32| {
            let body = SteeringAgent { mass, ..BODY };
            let runs = (Solid::default(), Velocity(Vec2::new(-50.0 * side, 0.0)));
            app.world_mut().spawn((runs, body, at(20.0 * side, 0.0))).id()
        };
        let pair = [runner(&mut app, mass, -1.0), runner(&mut app, 1.0, 1.0)];
        run(&mut app, 60);
        assert!(deepest(&app, &pair) <= LEFT);
        for agent in pair {
            let speed = velocity(&app, agent);
            assert!(speed.distance(Vec2::new(expected, 0.0)) < 0.1, "mass {mass}: {speed}");
        }
    }
}

#[test]
fn the_lighter_one_is_moved_farther() {
    let mut app = app();
    let heavy = SteeringAgent { mass: 3.0, ..BODY };
    let pair =
        [(heavy, 0.0), (BODY, 8.0)].map(|(body, x)| app.world_mut().spawn((Solid::default(), body, at(x, 5.0))).id());
    run(&mut app, 3);
    let [heavy, light] = pair.map(|agent| position(&app, agent));
    assert!(heavy.distance(Vec2::new(-2.0, 5.0)) < 0.01 && light.distance(Vec2::new(14.0, 5.0)) < 0.01);
    assert_eq!(pair.map(|agent| velocity(&app, agent)), [Vec2::ZERO; 2]);
}

#[test]
fn along_a_wall_nothing_is_lost() {
    let mut app = app();
    let wall = Obstacle::new(Rectangle::new(2000.0, 20.0));
    app.world_mut().spawn((wall, at(0.0, -18.0)));
    let slides = (Solid::default(), Velocity(Vec2::new(60.0, -80.0)));
    let agent = app.world_mut().spawn((slides, BODY, at(0.0, 1.0))).id();
    run(&mut app, 60);
    assert!(velocity(&app, agent).distance(Vec2::new(60.0, 0.0)) < 0.1, "{}", velocity(&app, agent));
    assert!((position(&app, agent) - Vec2::new(60.0, 0.0)).abs().max_element() < 0.1, "{}", position(&app, agent));
}

/// A wall that a system of the game moves, at the velocity that it has, among the steering of a tick.
fn moving_wall(app: &mut App, velocity: Vec2) -> Entity {
    fn advance(mut walls: Query<(&mut Transform, &Velocity), With<Obstacle>>, time: Res<Time>) {
        for (mut transform, velocity) in &mut walls {
            transform.translation += (velocity.0 * time.delta_secs()).extend(0.0);
        }
    }
    app.add_systems(SteeringSchedule, advance.after(SteeringSystems::Integrate).before(SteeringSystems::Confine));
    let wall = Obstacle::new(Rectangle::new(20.0, 200.0));
    app.world_mut().spawn((wall, Velocity(velocity), at(-30.0, 0.0))).id()
}

#[test]
fn what_moves_into_them_pushes_them_along() {
    let mut app = app();
    let wall = moving_wall(&mut app, Vec2::new(50.0, 0.0));
    let pushed = app.world_mut().spawn((Solid::default(), BODY, at(-5.0, 0.0))).id();
    let seek = Seek::new(Vec2::new(-900.0, 60.0));
    let pushing = app.world_mut().spawn((seek, Solid::default(), BODY, at(0.0, 60.0))).id();
    for tick in 0..240 {
        run(&mut app, 1);
        for agent in [pushed, pushing] {
            let depth = position(&app, wall).x + 10.0 + BODY.radius - position(&app, agent).x;
            assert!(depth <= LEFT, "{depth} in tick {tick}");
        }
    }
    assert!((velocity(&app, pushed).x - 50.0).abs() < 0.1, "{}", velocity(&app, pushed));
    assert!((velocity(&app, pushing).x - 50.0).abs() < 0.1, "{}", velocity(&app, pushing));
}

#[test]
fn a_wall_that_goes_away_holds_nobody_up() {
    let mut app = app();
    moving_wall(&mut app, Vec2::new(-50.0, 0.0));
    let follows = (Seek::new(Vec2::new(-900.0, 0.0)), Solid::default(), Velocity(Vec2::new(-100.0, 0.0)));
    let agent = app.world_mut().spawn((follows, BODY, at(-10.0, 0.0))).id();
    run(&mut app, 60);
    assert!((velocity(&app, agent).x + 50.0).abs() < 0.1, "{}", velocity(&app, agent));
}

#[test]
fn a_thin_wall_is_not_jumped_over() {
    // Up to four diameters in a tick, straight and at an angle, onto a wall and into a corner.
    let corner = [Vec2::new(-2000.0, 0.0), Vec2::new(2000.0, 0.0), Vec2::new(2000.0, 900.0)];
    for shape in [Segment2d::new(corner[0], corner[1]).into(), ObstacleShape::from(Polyline2d::new(corner))] {
        for speed in [400.0, 1500.0, 4000.0] {
            for direction in [Vec2::NEG_Y, Vec2::new(0.8, -0.6), Vec2::new(-0.96, -0.28)] {
                for height in [8.0, 20.0, 71.0] {
                    let mut app = app();
                    app.world_mut().spawn((Obstacle::new(shape.clone()), Transform::default()));
                    let body = SteeringAgent { max_speed: speed, max_force: 60.0 * speed, ..BODY };
                    let runs = (Seek::new(direction * 1e5), Solid::default(), Velocity(direction * speed));
                    let agent = app.world_mut().spawn((runs, body, at(0.0, height))).id();
                    for _ in 0..20 {
                        run(&mut app, 1);
                        let place = position(&app, agent);
                        assert!(place.y >= BODY.radius - LEFT, "{place} at {speed} along {direction} from {height}");
                    }
                    let way = position(&app, agent).x;
                    assert!(way * direction.x >= 0.0 && (direction.x == 0.0 || way.abs() > 90.0), "it slides: {way}");
                }
            }
        }
    }
}

#[test]
fn only_obstacles_in_its_layers_are_solid() {
    let mut app = app();
    app.world_mut()
        .spawn((Obstacle::new(Circle::new(40.0)).with_layers(GroupMask::from_bits(0b10)), Transform::default()));
    let [other, same] = [0b01, 0b11]
        .map(GroupMask::from_bits)
        .map(|layers| app.world_mut().spawn((Solid { layers }, BODY, at(20.0, 0.0))).id());
    // Each alone, so that they do not push each other.
    app.world_mut().entity_mut(same).insert(at(-20.0, 0.0));
    run(&mut app, 5);
    assert_eq!(position(&app, other), Vec2::new(20.0, 0.0));
    assert!((position(&app, same).x + 48.0).abs() < 0.01, "{}", position(&app, same));
}

#[test]
fn only_solid_bodies_push_and_are_pushed() {
    let mut app = app();
    let ghost = app.world_mut().spawn((BODY, at(0.0, 0.0))).id();
    let solid = app.world_mut().spawn((Solid::default(), BODY, at(5.0, 0.0))).id();
    run(&mut app, 5);
    assert_eq!([ghost, solid].map(|agent| position(&app, agent).x), [0.0, 5.0]);
}

#[test]
fn what_something_else_moves_is_not_moved_but_moves_others() {
    let mut app = app();
    let moved = Velocity(Vec2::new(40.0, 0.0));
    let player = app.world_mut().spawn((ExternalMovement, moved, Solid::default(), BODY, at(0.0, 0.0))).id();
    let seek = Seek::new(Vec2::new(-900.0, 0.0));
    let agent = app.world_mut().spawn((seek, Solid::default(), BODY, at(30.0, 0.0))).id();
    for tick in 0..120 {
        app.world_mut().get_mut::<Transform>(player).expect("it is there").translation.x += 40.0 * TICK;
        let place = position(&app, player);
        run(&mut app, 1);
        assert_eq!((position(&app, player), velocity(&app, player)), (place, moved.0), "tick {tick}");
        assert!(deepest(&app, &[player, agent]) <= LEFT, "{} in tick {tick}", deepest(&app, &[player, agent]));
    }
    assert!((velocity(&app, agent).x - 40.0).abs() < 0.1, "{}", velocity(&app, agent));
}

#[test]
fn across_a_seam_they_push_each_other_too() {
    for (places, along) in [([(-99.0, 0.0), (98.0, 0.0)], Vec2::X), ([(0.0, 97.0), (0.0, -98.0)], Vec2::Y)] {
        let mut app = app();
        let bounds = SteeringBounds::wrap(Vec2::splat(-100.0), Vec2::splat(100.0));
        app.insert_resource(bounds);
        let pair = places.map(|(x, y)| app.world_mut().spawn((Solid::default(), BODY, at(x, y))).id());
        run(&mut app, 5);
        let [a, b] = pair.map(|agent| position(&app, agent));
        let between = bounds.space().displacement(a, b);
        assert!((between.dot(along).abs() - 16.0).abs() < 0.01, "{a} {b}");
        for place in [a, b] {
            assert!(place.cmpge(bounds.min).all() && place.cmplt(bounds.max).all(), "{place}");
        }
    }
}

#[test]
fn a_pair_pressed_against_the_edge_of_the_world_stays_apart_and_inside() {
    let mut app = app();
    app.insert_resource(SteeringBounds::bounce(Vec2::splat(-100.0), Vec2::splat(100.0)));
    // One behind the other into the edge, and a crowd into a corner.
    let into_edge = [0.0, 3.0].map(|aside| (Vec2::new(60.0 - 20.0 * aside, -60.0 + aside), Vec2::new(300.0, -60.0)));
    let into_corner = (0..20_u8).map(|k| (Vec2::new(f32::from(k % 5), f32::from(k / 5)) * 17.0, Vec2::splat(300.0)));
    let agents: Vec<Entity> = into_edge
        .into_iter()
        .chain(into_corner)
        .map(|(place, target)| {
            app.world_mut().spawn((Seek::new(target), Solid::default(), BODY, at(place.x, place.y))).id()
        })
        .collect();
    for tick in 0..600 {
        run(&mut app, 1);
        let depth = deepest(&app, &agents);
        assert!(depth <= 0.005 * BODY.radius, "{depth} in tick {tick}");
        for agent in &agents {
            let place = position(&app, *agent);
            assert!(place.abs().max_element() <= 100.0, "{place}");
        }
    }
    assert_eq!(position(&app, agents[0]).x, 100.0);
}

#[test]
fn a_large_crowd_that_is_pushed_together_comes_to_rest() {
    let mut app = app();
    app.world_mut().spawn((Obstacle::new(Rectangle::new(40.0, 90.0)), at(60.0, 0.0)));
    let agents: Vec<Entity> = (0..400_u16)
        .map(|k| {
            let place = (Vec2::new(f32::from(k % 20), f32::from(k / 20)) - 9.5) * 22.0;
            app.world_mut().spawn((Arrive::new(Vec2::ZERO), Solid::default(), BODY, at(place.x, place.y))).id()
        })
        .collect();
    let wall = ObstacleShape::from(Rectangle::new(40.0, 90.0)).placed(&at(60.0, 0.0), SteeringPlane::XY);
    let mut before = Vec::new();
    for tick in 0..1200 {
        run(&mut app, 1);
        // Who starts in the wall may be in others for a moment.
        if tick > 240 && tick % 5 == 0 {
            let depth = deepest(&app, &agents);
            assert!(depth <= 0.02 * BODY.radius, "{depth} in tick {tick}");
            let into_wall = agents.iter().map(|agent| BODY.radius - wall.distance(position(&app, *agent)).0);
            let depth = into_wall.fold(0.0, f32::max);
            assert!(depth <= 0.01 * BODY.radius, "{depth} into the wall in tick {tick}");
        }
        if tick == 1139 {
            before = agents.iter().map(|agent| position(&app, *agent)).collect();
        }
    }
    let moved = agents.iter().zip(&before).map(|(agent, before)| position(&app, *agent).distance(*before));
    let farthest = moved.fold(0.0, f32::max);
    assert!(farthest < 0.1 * BODY.radius, "{farthest} in the last second");
    let fastest = agents.iter().map(|agent| velocity(&app, *agent).length()).fold(0.0, f32::max);
    assert!(fastest < 0.1 * BODY.max_speed, "{fastest}");
}

#[test]
pub fn bodies_of_any_size_harm_nobody() {
    for radius in [f32::INFINITY, f32::NAN, f32::MAX, 1e30, 1e9, -3.0] {
        let mut app = app();
        let huge = SteeringAgent { radius, ..BODY };
        let agents: Vec<Entity> = [(huge, 0.0), (BODY, 1.0), (BODY, 5.0), (huge, 9.0)]
            .map(|(body, x)| app.world_mut().spawn((Seek::new(Vec2::ZERO), Solid::default(), body, at(x, 0.0))).id())
            .into();
        app.world_mut().spawn((Obstacle::new(Circle::new(radius)), at(3.0, 3.0)));
        run(&mut app, 20);
        for agent in &agents {
            assert!(position(&app, *agent).is_finite() && velocity(&app, *agent).is_finite(), "{radius}");
            if radius > 1e10 {
                assert!(position(&app, *agent).length() < 100.0, "{radius} is no size");
            }
        }
        assert!(deepest(&app, &agents[1..3]) <= LEFT, "{radius}");
    }
}

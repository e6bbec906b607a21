//! Targets inside obstacles, heaps of obstacles that overlap, and obstacles nearly as wide as a world that wraps.

use std::f32::consts::TAU;
use std::ops::Range;

use super::*;

const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 100.0, max_force: 300.0, radius: 8.0, response_time: 0.0 };

/// A convex shape, at most twice a size in this range wide.
fn shape(number: &mut impl FnMut() -> f32, sizes: Range<f32>) -> ObstacleShape {
    let size = sizes.start + (sizes.end - sizes.start) * number();
    match (number() * 4.0) as u8 {
        0 => Circle::new(size).into(),
        1 => Rectangle::new(2.0 * size * (0.1 + 0.6 * number()), 1.4 * size).into(),
        2 => Capsule2d::new(0.5 * size, size * number()).into(),
        _ => {
            let turn = TAU * number();
            let corners = (0..3_u8).map(|k| Vec2::from_angle(turn + f32::from(k) * TAU / 3.0) * size);
            ConvexPolygon::new(corners).expect("it is convex").into()
        }
    }
}

fn place_in(number: &mut impl FnMut() -> f32, half: f32) -> Vec2 {
    Vec2::new(number() - 0.5, number() - 0.5) * 2.0 * half
}

/// Spawns an obstacle there, turned at random.
fn spawn(app: &mut App, number: &mut impl FnMut() -> f32, shape: &ObstacleShape, place: Vec2) -> PlacedShape {
    let transform = at(place.x, place.y).with_rotation(Quat::from_rotation_z(TAU * number()));
    app.world_mut().spawn((Obstacle::new(shape.clone()), transform));
    shape.placed(&transform, SteeringPlane::XY)
}

/// The entities that were told that they are stuck.
#[derive(Resource, Default)]
struct Held(Vec<Entity>);

#[test]
fn an_agent_whose_target_is_inside_an_obstacle_rests_at_the_nearest_place_outside_and_is_stuck() {
    let mut cases = 0;
    for seed in 0..u64::from(quarter_of(80)) {
        let (mut app, mut number) = (app(), numbers(seed));
        app.init_resource::<Held>().add_observer(|on: On<Stuck>, mut held: ResMut<Held>| held.0.push(on.entity));
        app.add_observer(|on: On<Arrived>| panic!("{} has not arrived", on.entity));
        let obstacle = shape(&mut number, 20.0..100.0);
        let obstacle = spawn(&mut app, &mut number, &obstacle, Vec2::ZERO);
        // Every fourth is at the center, where all ways out of a circle are equal.
        let target = if seed % 4 == 0 { obstacle.center() } else { place_in(&mut number, 80.0) };
        if obstacle.distance(target).0 > 0.0 {
            continue;
        }
        let body = SteeringAgent { radius: 4.0 + 10.0 * number(), max_force: 100.0 + 300.0 * number(), ..BODY };
        let start = Vec2::from_angle(TAU * number()) * 250.0;
        let behaviors = (Arrive::new(target), AvoidObstacles::default(), SteeringEvents::default());
        let agent = app.world_mut().spawn((behaviors, body, at(start.x, start.y))).id();
        run(&mut app, 60 * 20);
        let place = position(&app, agent);
        assert!(velocity(&app, agent).length() < 1e-2 * body.max_speed, "seed {seed}: moves at {place}");
        assert!(obstacle.distance(place).0 > body.radius, "seed {seed}: touches it at {place}");
        // An agent prefers its own side unless the way to another is 2 % shorter, and keeps a clearance of 7.5 % of its radius.
        let nearest = body.radius - obstacle.distance(target).0;
        let far = target.distance(place);
        assert!(far < 1.03 * nearest + 0.2 * body.radius, "seed {seed}: {far} instead of {nearest} from the target");
        assert_eq!(app.world().resource::<Held>().0, [agent], "seed {seed}");
        cases += 1;
    }
    assert!(cases >= quarter_of(80) / 3, "only {cases} targets are inside");
}

#[test]
fn an_agent_whose_target_is_inside_a_heap_of_obstacles_rests_near_the_nearest_place_outside() {
    let (mut cases, mut elsewhere) = (0, 0);
    for seed in 0..u64::from(quarter_of(80)) {
        let (mut app, mut number) = (app(), numbers(seed));
        let shapes = heap(&mut app, &mut number, seed);
        let target = place_in(&mut number, 60.0);
        if depth(&shapes, target, 0.0) <= 0.0 {
            continue;
        }
        let start = Vec2::from_angle(TAU * number()) * 400.0;
        let agent = (Arrive::new(target), AvoidObstacles::default(), BODY, at(start.x, start.y));
        let agent = app.world_mut().spawn(agent).id();
        run(&mut app, 60 * 30);
        let place = position(&app, agent);
        assert!(velocity(&app, agent).length() < 1e-2 * BODY.max_speed, "seed {seed}: moves at {place}");
        let deep = depth(&shapes, place, BODY.radius);
        assert!(deep <= 0.0, "seed {seed}: {deep} deep at {place}");
        let (far, nearest) = (target.distance(place), shortest_way_out(&shapes, target, BODY.radius));
        elsewhere += u32::from(far > 1.1 * nearest + 0.5 * BODY.radius);
        cases += 1;
    }
    assert!(cases >= quarter_of(80) / 2, "only {cases} targets are inside");
    // An agent may stop in a notch of the heap, on its own side.
    assert!(elsewhere <= 1, "{elsewhere} of {cases} rest elsewhere");
}

/// How deep a body is in any of the shapes, units.
fn depth(shapes: &[PlacedShape], place: Vec2, radius: f32) -> f32 {
    shapes.iter().map(|shape| radius - shape.distance(place).0).fold(0.0, f32::max)
}

/// The shortest straight way out of all of the shapes, found by trying.
fn shortest_way_out(shapes: &[PlacedShape], place: Vec2, radius: f32) -> f32 {
    let along = |degree: u16| {
        let direction = Vec2::from_angle(f32::from(degree).to_radians());
        let mut ways = (0..800_u16).map(f32::from);
        ways.find(|way| depth(shapes, place + direction * *way, radius) <= 0.0).unwrap_or(f32::INFINITY)
    };
    (0..72).map(|k| along(5 * k)).fold(f32::INFINITY, f32::min)
}

/// Two to eight obstacles around the origin.
fn heap(app: &mut App, number: &mut impl FnMut() -> f32, seed: u64) -> Vec<PlacedShape> {
    (0..2 + seed % 7)
        .map(|_| {
            let (shape, place) = (shape(number, 30.0..100.0), place_in(number, 60.0));
            spawn(app, number, &shape, place)
        })
        .collect()
}

#[test]
fn a_heap_of_overlapping_obstacles_is_left_on_a_short_way() {
    for seed in 0..u64::from(quarter_of(80)) {
        let (mut app, mut number) = (app(), numbers(seed));
        let shapes = heap(&mut app, &mut number, seed);
        let agents: Vec<(Entity, Vec2)> = (0..10)
            .map(|k| {
                let start = place_in(&mut number, 60.0);
                let mut agent = app.world_mut().spawn((AvoidObstacles::default(), BODY, at(start.x, start.y)));
                if k % 2 == 0 {
                    agent.insert(AvoidNeighbors::default().with_groups(GroupMask::NONE));
                }
                (agent.id(), start)
            })
            .collect();
        // Outside they coast on, so the first place outside counts.
        let mut inside = agents;
        for _ in 0..60 * 6 {
            inside.retain(|(agent, start)| {
                let place = position(&app, *agent);
                if depth(&shapes, place, BODY.radius) > 0.0 {
                    return true;
                }
                // The directions tried are up to 11° apart, so an agent may miss a notch.
                let (way, shortest) = (place.distance(*start), shortest_way_out(&shapes, *start, BODY.radius));
                assert!(way < 1.5 * shortest + BODY.radius, "seed {seed}: {way} instead of {shortest} from {start}");
                false
            });
            run(&mut app, 1);
        }
        if let Some(&(agent, start)) = inside.first() {
            let (place, speed) = (position(&app, agent), velocity(&app, agent).length());
            let deep = depth(&shapes, place, BODY.radius);
            panic!("seed {seed}: {deep} deep at {place}, at a speed of {speed}, from {start}");
        }
    }
}

#[test]
fn a_solid_body_is_moved_out_of_a_heap_of_overlapping_obstacles() {
    let mut wedged = 0;
    for seed in 0..u64::from(quarter_of(80)) {
        let (mut app, mut number) = (app(), numbers(seed));
        let shapes = heap(&mut app, &mut number, seed);
        for _ in 0..10 {
            let start = place_in(&mut number, 60.0);
            let body = app.world_mut().spawn((Solid::default(), BODY, at(start.x, start.y))).id();
            run(&mut app, 3);
            let place = position(&app, body);
            let deep = depth(&shapes, place, 0.0);
            assert!(deep <= 0.0, "seed {seed}: the center is {deep} deep at {place}, from {start}");
            wedged += u32::from(depth(&shapes, place, BODY.radius) > 0.01 * BODY.radius);
            let (way, shortest) = (place.distance(start), shortest_way_out(&shapes, start, BODY.radius));
            assert!(way < 1.5 * shortest + BODY.radius, "seed {seed}: a way of {way} instead of {shortest}");
            app.world_mut().despawn(body);
        }
    }
    // In a notch that is too narrow for it, a body still overlaps two of them.
    assert!(wedged <= 1, "{wedged}");
}

#[test]
fn an_obstacle_nearly_as_wide_as_a_world_that_wraps_is_avoided_on_both_sides() {
    let mut all = 0;
    for seed in 0..u64::from(quarter_of(80)) {
        let (mut app, mut number) = (app(), numbers(seed));
        let size = Vec2::new(400.0, 300.0 + 200.0 * number());
        app.insert_resource(SteeringBounds::wrap(Vec2::ZERO, size));
        // Every fourth is a rectangle that leaves a gap on every side; the others have any shape and are turned.
        let (shape, turn) = if seed % 4 == 0 {
            let half = size * Vec2::new(0.3 + 0.12 * number(), 0.1 + 0.3 * number());
            (Rectangle::new(2.0 * half.x, 2.0 * half.y).into(), 0.0)
        } else {
            (shape(&mut number, 100.0..0.42 * size.min_element()), TAU * number())
        };
        let at = |place: Vec2| at(place.x, place.y).with_rotation(Quat::from_rotation_z(turn));
        let (mut place, drift) = (place_in(&mut number, 200.0), Vec2::from_angle(TAU * number()) * 30.0);
        let drift = if (seed / 4).is_multiple_of(2) { Vec2::ZERO } else { drift };
        let wall = app.world_mut().spawn((Obstacle::new(shape.clone()), Velocity(drift), at(place))).id();
        let gap = |place: Vec2, agent: Vec2| {
            let placed = shape.placed(&at(place), SteeringPlane::XY);
            let images = (0..9_u8).map(|k| agent + size * (Vec2::new(f32::from(k % 3), f32::from(k / 3)) - 1.0));
            let nearest = placed.center() + app_displacement(size, placed.center(), agent);
            images.map(|image| placed.distance(image - agent + nearest).0).fold(f32::INFINITY, f32::min) - BODY.radius
        };
        let agents: Vec<Entity> = (0..6)
            .filter_map(|_| {
                let start = Vec2::new(number(), number()) * size;
                let speed = Vec2::from_angle(TAU * number()) * BODY.max_speed * 0.5;
                let goal = Vec2::new(number(), number()) * size;
                let behaviors = (Seek::new(goal), AvoidObstacles::default(), Velocity(speed), BODY);
                // With room to stop.
                (gap(place, start) > 25.0).then(|| app.world_mut().spawn((behaviors, at(start))).id())
            })
            .collect();
        all += agents.len();
        for _ in 0..60 * 8 {
            run(&mut app, 1);
            place += drift * TICK;
            app.world_mut().get_mut::<Transform>(wall).expect("it is there").translation = place.extend(0.0);
            for &agent in &agents {
                let gap = gap(place, position(&app, agent));
                assert!(gap > 0.0, "seed {seed}: a gap of {gap} at {}", position(&app, agent));
            }
        }
    }
    assert!(all as u64 > u64::from(quarter_of(80)), "only {all} agents");
}

/// The shortest displacement in a world of this size that wraps.
fn app_displacement(size: Vec2, from: Vec2, to: Vec2) -> Vec2 {
    SteeringBounds::wrap(Vec2::ZERO, size).space().displacement(from, to)
}

#[test]
fn an_obstacle_that_moves_into_a_crowd_runs_over_nobody() {
    for seed in 0..u64::from(quarter_of(24)) {
        let (mut app, mut number) = (app(), numbers(seed));
        let ferry = Rectangle::new(40.0 + 40.0 * number(), 60.0 + 100.0 * number());
        let (speed, count) = (10.0 + 20.0 * number(), 10 + (30.0 * number()) as u32);
        let entity = app.world_mut().spawn((Obstacle::new(ferry), Velocity(Vec2::new(speed, 0.0)))).id();
        let agents: Vec<Entity> = (0..count)
            .map(|_| {
                let start = place_in(&mut number, 150.0);
                let behaviors = (Arrive::new(Vec2::ZERO), AvoidObstacles::default(), AvoidNeighbors::default());
                app.world_mut().spawn((behaviors, BODY, at(start.x, start.y))).id()
            })
            .collect();
        for tick in 0..(500.0 / speed / TICK) as u32 {
            let transform = at(-300.0 + speed * TICK * tick as f32, 0.0);
            *app.world_mut().get_mut::<Transform>(entity).expect("it is there") = transform;
            run(&mut app, 1);
            let placed = ObstacleShape::from(ferry).placed(&transform, SteeringPlane::XY);
            for agent in &agents {
                let depth = BODY.radius - placed.distance(position(&app, *agent)).0;
                assert!(depth < 0.05 * BODY.radius, "seed {seed}, tick {tick}: {depth} deep");
            }
        }
    }
}

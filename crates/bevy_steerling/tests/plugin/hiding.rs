//! Hide keeps obstacles between agents and seekers.

use std::f32::consts::TAU;

use bevy_steerling::behaviors::hide::HideState;

use super::*;

/// An obstacle of any shape at a random place and angle.
fn spawn_obstacle(app: &mut App, number: &mut impl FnMut() -> f32) {
    let (a, b) = (20.0 + 60.0 * number(), 20.0 + 60.0 * number());
    let corners = [Vec2::new(-a, -b), Vec2::new(a, -b), Vec2::new(0.3 * a, b)];
    let shape: ObstacleShape = match (6.0 * number()) as u32 {
        0 => Circle::new(a).into(),
        1 => Rectangle::new(a, b).into(),
        2 => Capsule2d::new(0.3 * a, b).into(),
        3 => Segment2d::new(Vec2::new(-a, 0.0), Vec2::new(a, 0.0)).into(),
        4 => ConvexPolygon::new(corners).expect("it is convex").into(),
        _ => Polyline2d::new(corners).into(),
    };
    let (angle, place) = (TAU * number(), Vec2::new(number() - 0.5, number() - 0.5) * 900.0);
    let transform = at(place.x, place.y).with_rotation(Quat::from_rotation_z(angle));
    app.world_mut().spawn((Obstacle::new(shape), transform));
}

/// Whether an obstacle cuts the line between two agents.
fn is_cut(app: &mut App, one: Entity, other: Entity) -> bool {
    let (from, to) = (position(app, one), position(app, other));
    let way = to - from;
    let mut obstacles = app.world_mut().query::<(&Obstacle, &Transform)>();
    obstacles.iter(app.world()).any(|(obstacle, transform)| {
        let shape = obstacle.shape.placed(transform, SteeringPlane::XY);
        // Each side on its own: a line from inside does not hit the shape again.
        shape.cast_distance(from, way.normalize(), 0.0).is_some_and(|distance| distance < way.length())
    })
}

fn chosen(app: &App, agent: Entity) -> Option<Entity> {
    app.world().get::<HideState>(agent).expect("it hides").obstacle()
}

struct Scene {
    app: App,
    agent: Entity,
    seeker: Entity,
}

/// An agent that hides from a seeker among some obstacles. The seeker is outside all of them.
fn scene(number: &mut impl FnMut() -> f32) -> Scene {
    let mut app = app();
    for _ in 0..1 + (8.0 * number()) as usize {
        spawn_obstacle(&mut app, number);
    }
    let mut place = || at((number() - 0.5) * 900.0, (number() - 0.5) * 900.0);
    let seeker = app.world_mut().spawn(place()).id();
    let body = SteeringAgent { max_speed: 150.0, max_force: 500.0, ..default() };
    let agent = app.world_mut().spawn((Hide::new(seeker), body, place())).id();
    Scene { app, agent, seeker }
}

#[test]
fn an_agent_comes_to_rest_out_of_sight_of_a_seeker_that_stands_still() {
    let mut number = numbers(1);
    let (mut hidden, mut changes) = (0, 0);
    for case in 0..quarter_of(400) {
        let Scene { mut app, agent, seeker } = scene(&mut number);
        let start = position(&app, agent).distance(position(&app, seeker));
        run(&mut app, 1);
        let mut before = chosen(&app, agent);
        for _ in 0..60 * 10 {
            run(&mut app, 1);
            let now = chosen(&app, agent);
            changes += usize::from(now != before);
            before = now;
            // A place nearer to the seeker than to the agent is not worth the way.
            let distance = position(&app, agent).distance(position(&app, seeker));
            assert!(distance > 0.49 * start, "case {case}: {distance} from the seeker, {start} at the start");
        }
        if before.is_some() {
            hidden += 1;
            assert!(is_cut(&mut app, seeker, agent), "case {case}: it is in sight at {}", position(&app, agent));
            // Up to rounding of the place.
            assert!(velocity(&app, agent).length() < 0.01, "case {case}: {}", velocity(&app, agent));
        } else {
            let distance = position(&app, agent).distance(position(&app, seeker));
            assert!(distance > start + 900.0, "case {case}: it neither hides nor runs away");
        }
    }
    println!("{hidden} hidden, {changes} changes");
    assert!(hidden > quarter_of(250), "only {hidden} find a place");
    assert!(changes < quarter_of(20) as usize, "{changes} changes of mind");
}

#[test]
fn it_stays_hidden_from_a_seeker_that_walks_around_and_rarely_changes_its_mind() {
    let mut number = numbers(2);
    let (mut hidden, mut exposed, mut changes, mut scenes) = (0, 0, 0, 0);
    for _ in 0..quarter_of(100) {
        let mut app = app();
        // Far enough apart for the seeker to walk between them.
        for place in [Vec2::new(-150.0, -100.0), Vec2::new(160.0, -60.0), Vec2::new(0.0, 170.0)] {
            let place = place + Vec2::new(number(), number()) * 40.0;
            let size = 50.0 + 40.0 * number();
            let shape = if number() < 0.5 {
                ObstacleShape::from(Circle::new(0.5 * size))
            } else {
                Rectangle::new(size, size * (0.6 + 0.4 * number())).into()
            };
            let transform = at(place.x, place.y).with_rotation(Quat::from_rotation_z(TAU * number()));
            app.world_mut().spawn((Obstacle::new(shape), transform));
        }
        let body = SteeringAgent { max_speed: 30.0, ..default() };
        let walk = (Wander::default(), Contain::new(Rectangle::new(800.0, 800.0)), AvoidObstacles::default());
        let seeker = app.world_mut().spawn((body, walk, at(-300.0, 200.0 * number()))).id();
        let body = SteeringAgent { max_speed: 200.0, max_force: 1000.0, ..default() };
        let agent = app.world_mut().spawn((body, Hide::new(seeker), at(200.0, 0.0))).id();
        run(&mut app, 60 * 5);
        let mut before = chosen(&app, agent);
        // Ticks since it last chose a place.
        let mut settled = 0;
        for _ in 0..60 * 60 {
            run(&mut app, 1);
            let now = chosen(&app, agent);
            let changed = now != before;
            changes += usize::from(changed);
            settled = if changed || now.is_none() { 0 } else { settled + 1 };
            before = now;
            // A second to get there.
            if settled > 120 {
                hidden += 1;
                exposed += usize::from(!is_cut(&mut app, seeker, agent));
            }
        }
        scenes += 1;
    }
    println!("{hidden} ticks hidden, {exposed} exposed, {changes} changes in {scenes} scenes");
    assert!(hidden > 100 * scenes);
    assert!(exposed * 1000 < hidden, "{exposed} of {hidden} ticks in sight");
    assert!(changes < 20 * scenes, "{changes} changes of mind");
}

#[test]
fn where_there_is_no_place_it_evades() {
    let mut app = app();
    let seeker = app.world_mut().spawn((at(0.0, 0.0), Velocity(Vec2::new(50.0, 0.0)))).id();
    let [hider, evader] = [0, 1].map(|_| app.world_mut().spawn(at(100.0, 30.0)).id());
    app.world_mut().entity_mut(hider).insert(Hide::new(seeker));
    app.world_mut().entity_mut(evader).insert(Evade::new(seeker));
    run(&mut app, 60);
    assert_eq!(position(&app, hider), position(&app, evader));
    assert!(position(&app, hider).x > 150.0);
}

#[test]
fn a_place_without_room_is_no_hiding_place() {
    let mut number = numbers(5);
    let mut rests = 0;
    for case in 0..quarter_of(160) {
        let mut app = app();
        let seeker = app.world_mut().spawn(at(-300.0, 0.0)).id();
        let mut obstacles = Vec::new();
        for _ in 0..8 {
            let (x, y, radius) = (200.0 * number() - 100.0, 200.0 * number() - 100.0, 8.0 + 22.0 * number());
            app.world_mut().spawn((Obstacle::new(Circle::new(radius)), at(x, y)));
            obstacles.push((Vec2::new(x, y), radius));
        }
        let agent =
            app.world_mut().spawn((Hide::new(seeker), at(200.0 * number() - 100.0, 200.0 * number() - 100.0))).id();
        run(&mut app, 60 * 6);
        if velocity(&app, agent).length() < 0.1 {
            rests += 1;
            let gaps = obstacles.iter().map(|(center, radius)| position(&app, agent).distance(*center) - radius);
            let gap = gaps.fold(f32::INFINITY, f32::min);
            assert!(gap > 7.9, "{case}: {gap} from an obstacle");
        }
    }
    assert!(rests > 30, "it rests in {rests} cases only");
}

/// The lengths of the ways to the hiding places behind discs, of those that count. The way behind the disc that the agent has chosen is
/// shorter by three tenths.
fn ways_behind(
    discs: &[(Entity, Vec2, f32)],
    agent: Vec2,
    seeker: Vec2,
    already: Option<Entity>,
) -> impl Iterator<Item = (Entity, f32)> {
    discs.iter().filter_map(move |(disc, center, radius)| {
        let place = *center + (*center - seeker).normalize() * (radius + 16.0);
        let has_room = discs.iter().all(|(_, other, radius)| place.distance(*other) > radius + 8.0);
        let way = agent.distance(place) * if already == Some(*disc) { 0.7 } else { 1.0 };
        (seeker.distance(*center) > *radius && has_room && place.distance(seeker) > way).then_some((*disc, way))
    })
}

#[test]
fn of_many_hiding_places_it_takes_the_nearest_that_counts() {
    let mut number = numbers(6);
    let (mut stays, mut changes, mut none) = (0, 0, 0);
    for case in 0..24 {
        let mut app = app();
        let mut place = |size: f32| Vec2::new(number() - 0.5, number() - 0.5) * size;
        let (count, spread) = ([2, 6, 25][case % 3], [300.0, 700.0, 1400.0, 2000.0][case % 4]);
        let discs: Vec<(Entity, Vec2, f32)> = (0..count)
            .map(|_| {
                let (center, radius) = (place(spread), 8.0 + place(50.0).x.abs());
                let disc = (Obstacle::new(Circle::new(radius)), at(center.x, center.y));
                (app.world_mut().spawn(disc).id(), center, radius)
            })
            .collect();
        let seeker = app.world_mut().spawn(at(0.0, 0.0)).id();
        let agent = app.world_mut().spawn((Hide::new(seeker), at(0.0, 0.0))).id();
        for step in 0..40 {
            let (from, to) = (place(spread), place(spread));
            if step % 8 == 0 {
                app.world_mut().entity_mut(seeker).insert(at(from.x, from.y));
            }
            app.world_mut().entity_mut(agent).insert(at(to.x, to.y));
            let (from, before) = (position(&app, seeker), chosen(&app, agent));
            run(&mut app, 1);
            let now = chosen(&app, agent);
            let ways: Vec<(Entity, f32)> = ways_behind(&discs, to, from, before).collect();
            let nearest = ways.iter().map(|(_, way)| *way).reduce(f32::min);
            let way = now.and_then(|now| ways.iter().find(|(disc, _)| *disc == now)).map(|(_, way)| *way);
            assert_eq!(way.is_some(), nearest.is_some(), "case {case}, step {step}: {way:?} instead of {nearest:?}");
            if let (Some(way), Some(nearest)) = (way, nearest) {
                assert!(way < nearest + 0.01, "case {case}, step {step}: {way} instead of {nearest}");
            }
            match now {
                None => none += 1,
                now if now == before => stays += 1,
                _ => changes += 1,
            }
        }
    }
    assert!(stays > 50 && changes > 50 && none > 20, "{stays} stays, {changes} changes, {none} without a place");
}

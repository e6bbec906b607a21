//! Flow fields, and agents that follow them.

use super::closing_up::{overlap, places_apart, width};
use super::mazes::{Maze, ShortestWays};
use super::*;

const RADIUS: f32 = 8.0;

/// An app with the walls of a maze, which are indexed.
fn app_with(maze: &Maze) -> App {
    let mut app = app();
    maze.spawn(app.world_mut());
    run(&mut app, 1);
    app
}

fn obstacles(app: &App) -> &Obstacles {
    app.world().resource::<Obstacles>()
}

/// The field toward a goal in a maze whose cells are as large as the slack in its narrowest doors.
fn field_toward(goals: &[Vec2], app: &App) -> FlowField {
    FlowField::toward(goals.iter().copied(), obstacles(app), 0.2 * RADIUS, RADIUS).expect("the numbers are in range")
}

fn maze(random: &mut impl FnMut() -> f32) -> Maze {
    Maze::new(random, 5, 60.0, 2.2 * RADIUS)
}

#[test]
fn the_distance_is_that_of_the_shortest_way() {
    let mut random = numbers(1);
    let mut sum = 0.0;
    for case in 0..20 {
        let maze = maze(&mut random);
        let goal = maze.place(&mut random, RADIUS + 4.0);
        let app = app_with(&maze);
        let (field, ways) = (field_toward(&[goal], &app), ShortestWays::new(&maze, goal, RADIUS));
        for _ in 0..50 {
            let place = maze.place(&mut random, RADIUS + 3.0);
            let (shortest, distance) = (ways.from(place), field.distance(place).expect("all rooms are connected"));
            // Corners are at nodes, at most a cell from where they are, and there are up to a dozen on a way. The other ways are up to 1 %
            // too long.
            let range = 0.99 * shortest - 0.1..=1.05 * shortest + 0.2 * RADIUS;
            assert!(range.contains(&distance), "case {case}: {distance} from {place}, but the shortest is {shortest}");
            sum += distance / shortest / 1000.0;
        }
    }
    assert!(sum < 1.02, "{sum} on average");
}

#[test]
fn with_several_goals_the_nearest_counts() {
    let mut random = numbers(7);
    for case in 0..20 {
        let maze = maze(&mut random);
        let goals = [0; 3].map(|_| maze.place(&mut random, RADIUS + 4.0));
        let app = app_with(&maze);
        let (all, each) = (field_toward(&goals, &app), goals.map(|goal| field_toward(&[goal], &app)));
        for _ in 0..50 {
            let place = maze.place(&mut random, RADIUS + 3.0);
            let distance = |field: &FlowField| field.distance(place).expect("all rooms are connected");
            let nearest = each.each_ref().map(distance).into_iter().fold(f32::INFINITY, f32::min);
            // Between two goals, the nearest node may belong to the other one.
            assert!((distance(&all) - nearest).abs() < 0.2 * RADIUS, "case {case}: {} for {nearest}", distance(&all));
        }
    }
}

#[test]
fn directions_lead_to_the_goal_and_not_into_walls() {
    let mut random = numbers(2);
    for case in 0..20 {
        let maze = maze(&mut random);
        let goals = [maze.place(&mut random, RADIUS + 4.0), maze.place(&mut random, RADIUS + 4.0)];
        let app = app_with(&maze);
        let field = field_toward(&goals, &app);
        for _ in 0..20 {
            let mut place = maze.place(&mut random, RADIUS + 3.0);
            let expected = field.distance(place).expect("all rooms are connected");
            let (step, mut way) = (0.25 * RADIUS, 0.0);
            while goals.iter().all(|goal| goal.distance(place) > step) {
                place += step * field.direction(place);
                way += step;
                // Straight steps along a curve run off it a little.
                assert!(
                    maze.room_at(place) >= 0.9 * RADIUS,
                    "case {case}: at {place} it is {} from a wall",
                    maze.room_at(place)
                );
                assert!(way <= 1.05 * expected + 2.0 * RADIUS, "case {case}: lost at {place}");
            }
        }
    }
}

#[test]
fn no_way_leads_through_gaps_that_are_too_narrow() {
    let mut random = numbers(3);
    for _ in 0..200 {
        // A wall with a gap, and a way around its far end.
        let (gap, turn) = (RADIUS * (1.5 + random()), Quat::from_rotation_z(random() * 6.0));
        let place = |x: f32, y: f32| (turn * Vec3::new(x, y, 0.0)).truncate();
        let piece = |from: f32, to: f32| {
            let transform =
                Transform::from_translation(turn * Vec3::new(0.0, 0.5 * (from + to), 0.0)).with_rotation(turn);
            (Obstacle::new(Rectangle::new(2.0, to - from)), transform)
        };
        let walls = [piece(-300.0, -0.5 * gap), piece(0.5 * gap, 200.0)];
        let index = Obstacles::standing_at(walls, &SteeringBounds::default(), SteeringPlane::XY);
        let cell = RADIUS * (0.1 + 0.3 * random());
        let field = FlowField::toward([place(50.0, 0.0)], &index, cell, RADIUS).expect("the numbers are in range");
        let way = field.distance(place(-50.0, 0.0)).expect("there is a way around");
        if gap < 2.0 * RADIUS {
            assert!(way > 400.0, "{way} through a gap of {gap} with cells of {cell}");
        } else if gap > 2.0 * RADIUS + cell {
            assert!(way < 110.0, "{way} with a gap of {gap} and cells of {cell}");
        }
    }
}

#[test]
fn followers_arrive_by_nearly_the_shortest_way_and_touch_nothing() {
    let mut random = numbers(4);
    for case in 0..quarter_of(300) {
        let maze = maze(&mut random);
        let goal = maze.place(&mut random, RADIUS + 4.0);
        let mut app = app_with(&maze);
        let field = field_toward(&[goal], &app);
        let field = app.world_mut().spawn(field).id();
        let ways = ShortestWays::new(&maze, goal, RADIUS);
        let mut followers: Vec<(Entity, Vec2, f32, f32)> = Vec::new();
        while followers.len() < 4 {
            let place = maze.place(&mut random, RADIUS + 3.0);
            let shortest = ways.from(place);
            assert!(shortest.is_finite(), "all rooms are connected");
            let body = SteeringAgent {
                max_speed: 40.0 + 100.0 * random(),
                max_force: 150.0 + 500.0 * random(),
                response_time: (0.4 * random() - 0.2).max(0.0),
                radius: RADIUS,
                ..default()
            };
            let behaviors = (FollowField::new(field), AvoidObstacles::default());
            let follower = app.world_mut().spawn((body, behaviors, at(place.x, place.y))).id();
            followers.push((follower, place, shortest, 0.0));
        }
        for _ in 0..60 * 60 {
            run(&mut app, 1);
            for (follower, place, _, way) in &mut followers {
                let next = position(&app, *follower);
                *way += next.distance(*place);
                *place = next;
                let room = maze.room_at(next);
                assert!(room >= RADIUS, "case {case}: {room} from a wall at {next}");
            }
            let rests = |(follower, place, ..): &(Entity, Vec2, f32, f32)| {
                place.distance(goal) < 0.01 && velocity(&app, *follower).length() < 0.01
            };
            if followers.iter().all(rests) {
                break;
            }
        }
        for (_, place, shortest, way) in followers {
            assert!(place.distance(goal) < 0.01, "case {case}: it ends at {place}, not at {goal}");
            assert!(way <= 1.1 * shortest, "case {case}: {way}, but the shortest is {shortest}");
        }
    }
}

#[test]
fn an_update_gives_the_same_as_a_new_field() {
    let mut random = numbers(5);
    for case in 0..40 {
        let maze = maze(&mut random);
        let goals = [maze.place(&mut random, RADIUS + 4.0), maze.place(&mut random, RADIUS + 4.0)];
        let mut app = app();
        let mut walls = maze.spawn(app.world_mut());
        run(&mut app, 1);
        let updated = field_toward(&goals, &app);
        let updated = app.world_mut().spawn(updated).id();
        for _ in 0..4 {
            if random() < 0.5 {
                let wall = walls.swap_remove((random() * walls.len() as f32) as usize % walls.len());
                app.world_mut().despawn(wall);
            } else {
                let (place, radius) = (maze.place(&mut random, 0.0), 2.0 + 10.0 * random());
                walls.push(app.world_mut().spawn((Obstacle::new(Circle::new(radius)), at(place.x, place.y))).id());
            }
            run(&mut app, 1);
            let made_anew = field_toward(&goals, &app);
            let updated = app.world().get::<FlowField>(updated).expect("it is there");
            for _ in 0..2000 {
                let place = Vec2::new(random() - 0.05, random() - 0.05) * 330.0;
                let [one, other] = [updated, &made_anew].map(|field| {
                    let direction = field.direction(place).to_array().map(f32::to_bits);
                    (direction, field.distance(place).map(f32::to_bits))
                });
                assert_eq!(one, other, "case {case} at {place}");
            }
        }
    }
}

#[test]
fn a_moving_obstacle_is_not_in_the_field_until_it_stands() {
    let mut app = app();
    let goal = Vec2::new(100.0, 0.0);
    let field = FlowField::toward([goal], obstacles(&app), 2.0, RADIUS).expect("the numbers are in range");
    let field = app.world_mut().spawn(field).id();
    let door = app.world_mut().spawn((Obstacle::new(Rectangle::new(4.0, 200.0)), Transform::default())).id();
    run(&mut app, 1);
    let way = |app: &App| app.world().get::<FlowField>(field).unwrap().distance(-goal).unwrap();
    assert!(way(&app) > 250.0, "{}", way(&app));
    for tick in 0..10 {
        app.world_mut().get_mut::<Transform>(door).unwrap().translation.y = 5.0 * tick as f32;
        run(&mut app, 1);
        assert!(tick == 0 || way(&app) < 201.0, "it moves, tick {tick}: {}", way(&app));
    }
    run(&mut app, 1);
    assert!(way(&app) > 220.0, "it stands");
    app.world_mut().entity_mut(door).insert(Velocity(Vec2::Y));
    run(&mut app, 1);
    assert!(way(&app) < 201.0, "it has a velocity");
    app.world_mut().entity_mut(door).remove::<Velocity>();
    run(&mut app, 1);
    assert!(way(&app) > 220.0);
    app.world_mut().despawn(door);
    run(&mut app, 1);
    assert!(way(&app) < 201.0, "it is gone");
}

#[test]
fn a_field_wraps_where_the_world_does() {
    let mut random = numbers(6);
    for _ in 0..100 {
        let size = Vec2::new(200.0 + 100.0 * random(), 150.0 + 100.0 * random());
        let low = Vec2::new(random() - 0.5, random() - 0.5) * 400.0;
        let bounds = SteeringBounds::wrap(low, low + size);
        let mut place = || low + size * Vec2::new(random(), random());
        let (goal, start) = (place(), place());
        let field = FlowField::toward([goal], &Obstacles::standing_at([], &bounds, SteeringPlane::XY), 5.0, 5.0)
            .expect("they are in range");
        let straight = bounds.space().displacement(start, goal);
        let distance = field.distance(start).expect("nothing is in the way");
        // Halfway around, it may take the other way to the nearest node.
        assert!((distance - straight.length()).abs() < 0.2, "{distance} for {straight}");
        // A wall across the world, at the seam: only the other way is left.
        let wall = (Obstacle::new(Rectangle::new(1.0, 2.0 * size.y)), Transform::from_xyz(low.x, low.y, 0.0));
        let walled = Obstacles::standing_at([wall], &bounds, SteeringPlane::XY);
        let field =
            FlowField::toward([low + size * Vec2::new(0.9, 0.5)], &walled, 5.0, 5.0).expect("they are in range");
        let way = field.distance(low + size * Vec2::new(0.1, 0.5)).expect("there is another way");
        assert!((way - 0.8 * size.x).abs() < 0.5, "{way} in a world of {size}");
    }
}

#[test]
fn unusable_numbers_are_errors() {
    use bevy_steerling::perception::flow_field::FlowFieldError as Error;
    let index = Obstacles::default();
    for cell in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-30] {
        assert!(FlowField::toward([Vec2::ZERO, Vec2::splat(50.0)], &index, cell, 1.0).is_err(), "{cell}");
        assert!(FlowField::from_fn(Rect::new(0.0, 0.0, 50.0, 50.0), cell, |_| Vec2::X).is_err(), "{cell}");
    }
    for clearance in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(FlowField::toward([Vec2::ZERO], &index, 1.0, clearance).is_err(), "{clearance}");
    }
    let toward = |goals: &[Vec2], cell| FlowField::toward(goals.iter().copied(), &index, cell, 1.0).err();
    assert_eq!(toward(&[], 1.0), Some(Error::NoGoal));
    assert!(matches!(toward(&[Vec2::splat(f32::INFINITY)], 1.0), Some(Error::Goal(_))));
    assert_eq!(toward(&[Vec2::ZERO, Vec2::splat(1e5)], 1.0), Some(Error::TooManyCells));
    assert_eq!(toward(&[Vec2::splat(1e30)], 1.0), Some(Error::TooManyCells));
    let given = |columns, count| FlowField::from_directions(Vec2::ZERO, Vec2::ONE, columns, vec![Vec2::X; count]).err();
    assert_eq!(
        [given(3, 6), given(3, 7), given(1, 6), given(0, 0), given(6, 6)].map(|error| error.is_some()),
        [false, true, true, true, true]
    );
}

#[test]
fn a_follower_without_a_field_or_a_way_stands_still() {
    let mut app = app();
    let nobody = app.world_mut().spawn_empty().id();
    let lost = app.world_mut().spawn((FollowField::new(nobody), at(0.0, 0.0))).id();
    // It is shut in, and cannot stop at once.
    let walls =
        Polyline2d::new([(-40.0, -40.0), (40.0, -40.0), (40.0, 40.0), (-40.0, 40.0), (-40.0, -40.0)].map(Vec2::from));
    app.world_mut().spawn((Obstacle::new(walls), at(300.0, 0.0)));
    let field = FlowField::toward([Vec2::new(500.0, 0.0)], obstacles(&app), 2.0, 8.0).expect("they are in range");
    let field = app.world_mut().spawn(field).id();
    let shut_in = app.world_mut().spawn((FollowField::new(field), Velocity(Vec2::X * 50.0), at(300.0, 0.0))).id();
    run(&mut app, 60);
    assert_eq!((velocity(&app, lost), position(&app, lost)), (Vec2::ZERO, Vec2::ZERO));
    assert_eq!(velocity(&app, shut_in), Vec2::ZERO);
}

#[test]
fn a_direction_shorter_than_one_makes_agents_slower() {
    for (direction, speed) in [(Vec2::new(0.3, 0.0), 30.0), (Vec2::new(0.0, -0.75), 75.0), (Vec2::ZERO, 0.0)] {
        let mut app = app();
        let field = FlowField::from_fn(Rect::new(-200.0, -200.0, 200.0, 200.0), 20.0, |_| direction);
        let field = app.world_mut().spawn(field.expect("the numbers are in range")).id();
        // More than eight are computed together.
        let follower = |x: u8| (FollowField::new(field), Velocity(Vec2::X * 50.0), at(f32::from(x), 0.0));
        let agents: Vec<Entity> = (0..11).map(|x| app.world_mut().spawn(follower(x)).id()).collect();
        run(&mut app, 60);
        for agent in agents {
            let (way, expected) = (velocity(&app, agent), direction * 100.0);
            assert!(way.distance(expected) < 0.01 && (way.length() - speed).abs() < 0.01, "{way} along {direction}");
        }
    }
}

/// An agent that follows a field does not avoid the walls that the field leads around. Others do.
#[test]
fn a_follower_does_not_change_how_others_avoid_walls() {
    let mut random = numbers(9);
    for case in 0..20 {
        let half_size = Vec2::new(5.0 + 20.0 * random(), 20.0 + 60.0 * random());
        let start = Vec2::new(-250.0, 120.0 * random() - 60.0);
        let path = |with_follower: bool| {
            let mut app = app();
            app.world_mut().spawn((Obstacle::new(Rectangle { half_size }), Transform::default()));
            let agent = (Seek::new(Vec2::X * 250.0), AvoidObstacles::default(), at(start.x, start.y));
            let agent = app.world_mut().spawn(agent).id();
            run(&mut app, 1);
            if with_follower {
                let field = field_toward(&[Vec2::X * 250.0], &app);
                let field = app.world_mut().spawn(field).id();
                app.world_mut().spawn((FollowField::new(field), AvoidObstacles::default(), at(0.0, 900.0)));
            }
            let places = (0..60 * 8).map(|_| {
                run(&mut app, 1);
                position(&app, agent)
            });
            places.collect::<Vec<Vec2>>()
        };
        let alone = path(false);
        assert!(alone.iter().any(|place| place.distance(Vec2::X * 250.0) < 4.0), "{case}: it gets past the wall");
        assert_eq!(alone, path(true), "{case}");
    }
}

/// Crowds that reach farther than the distance from which their members brake, with and without a door on the way.
#[test]
fn a_large_crowd_comes_to_rest_at_the_goal() {
    const HALF: Vec2 = Vec2::new(600.0, 400.0);
    for seed in 0..6 {
        let mut number = numbers(70 + seed);
        let (count, max_speed) = (60 + (number() * 100.0) as usize, 40.0 + 40.0 * number());
        let mut walls = vec![
            (Vec2::new(0.0, HALF.y), Vec2::new(2.0 * HALF.x, 20.0)),
            (Vec2::new(0.0, -HALF.y), Vec2::new(2.0 * HALF.x, 20.0)),
            (Vec2::new(HALF.x, 0.0), Vec2::new(20.0, 2.0 * HALF.y)),
            (Vec2::new(-HALF.x, 0.0), Vec2::new(20.0, 2.0 * HALF.y)),
        ];
        let door = 12.0 * RADIUS + 12.0 * RADIUS * number();
        if number() < 0.5 {
            let length = HALF.y - 0.5 * door;
            let wall = |side: f32| (Vec2::new(-80.0, side * 0.5 * (door + length)), Vec2::new(20.0, length));
            walls.extend([wall(1.0), wall(-1.0)]);
        }
        let mut app = app();
        for (middle, size) in &walls {
            app.world_mut().spawn((Obstacle::new(Rectangle::from_size(*size)), at(middle.x, middle.y)));
        }
        run(&mut app, 1);
        let goal = Vec2::new(150.0 + 250.0 * number(), 500.0 * (number() - 0.5));
        let field = field_toward(&[goal], &app);
        let field = app.world_mut().spawn(field).id();
        let body = SteeringAgent { max_speed, max_force: 8.0 * max_speed, radius: RADIUS, ..default() };
        let start = || Vec2::new(-560.0 + 440.0 * number(), 720.0 * (number() - 0.5));
        let spawn = |place: Vec2| {
            let behaviors = (FollowField::new(field), AvoidNeighbors::default(), AvoidObstacles::default());
            app.world_mut().spawn((behaviors, body, at(place.x, place.y))).id()
        };
        let agents: Vec<Entity> = places_apart(count, 2.3 * RADIUS, start).into_iter().map(spawn).collect();

        let case = format!("{count} agents at {max_speed}, {} walls, seed {seed}", walls.len());
        let speed = |app: &App| agents.iter().map(|agent| velocity(app, *agent).length()).sum::<f32>() / count as f32;
        let in_wall = |place: Vec2| {
            walls.iter().any(|(middle, size)| {
                let apart = (place - middle).abs();
                apart.distance(apart.min(0.5 * size)) < RADIUS - 1e-3
            })
        };
        let mut ticks = 64;
        run(&mut app, ticks);
        while speed(&app) > 0.01 * max_speed {
            run(&mut app, 16);
            ticks += 16;
            assert!(overlap(&app, &agents) <= 1e-3 * RADIUS, "{case}");
            assert!(!agents.iter().any(|agent| in_wall(position(&app, *agent))), "{case}");
            assert!((ticks as f32) < 60.0 * (2_000.0 / max_speed + 20.0), "{case}: {} units/s", speed(&app));
        }
        // At this max force, they brake within (5/8 + 5/60) seconds of their max speed.
        let (wide, needed) = (width(&app, &agents), RADIUS * (count as f32 / 0.85).sqrt());
        assert!(wide > 0.71 * max_speed, "{case}: all are near enough to brake");
        assert!(wide < 1.3 * needed, "{case}: {} times as wide as needed", wide / needed);
    }
}

//! Flow fields, and agents that follow them.

use bevy::math::bounding::Aabb3d;
use bevy::math::ops;
use bevy_steerling as flat;
use bevy_steerling_3d::perception::flow_field::FlowFieldError;

use super::obstacles::{depth, forest};
use super::*;

type Obstacles3d = Vec<(Obstacle, Transform)>;

fn standing(obstacles: &Obstacles3d) -> Obstacles {
    Obstacles::standing_at(obstacles.clone(), &SteeringBounds::default())
}

fn field_toward(goal: Vec3, obstacles: &Obstacles, cell: f32, clearance: f32) -> FlowField {
    FlowField::toward([goal], obstacles, cell, clearance).expect("the numbers are in range")
}

fn cuboid(low: Vec3, high: Vec3) -> (Obstacle, Transform) {
    let shape = Cuboid { half_size: 0.5 * (high - low) };
    (Obstacle::new(shape), Transform::from_translation(0.5 * (low + high)))
}

#[test]
fn in_the_open_ways_are_straight() {
    let mut random = numbers(1);
    for _ in 0..20 {
        let (goal, cell) = (vector(&mut random, 100.0), 4.0 + 4.0 * random());
        // Two balls in opposite corners: the field covers the room between them.
        let corners = [Vec3::splat(-80.0), Vec3::splat(80.0)];
        let balls = corners.map(|place| (Obstacle::new(Sphere::new(0.5)), Transform::from_translation(place)));
        let field = field_toward(goal, &standing(&balls.to_vec()), cell, 0.0);
        for _ in 0..100 {
            let place = vector(&mut random, 120.0);
            let straight = goal - place;
            let way = field.distance(place).expect("nothing is in the way");
            assert!((way / straight.length() - 1.0).abs() < 1e-4, "{way} from {place} to {goal}");
            let off = field.direction(place).angle_between(straight);
            assert!(off < 1e-3, "{off} rad off at {place}, with the goal {goal}");
        }
    }
}

/// Ways as shares of the shortest.
#[derive(Default)]
struct Shares(Vec<f32>);

impl Shares {
    fn add(&mut self, way: f32, shortest: f32, cell: f32) {
        // Corners are at nodes, at most a cell from where they are, and there are several on a way.
        let range = 0.995 * shortest..=1.05 * shortest + 2.0 * cell;
        assert!(range.contains(&way), "{way}, but the shortest is {shortest}");
        self.0.push(way / shortest);
    }

    fn mean(&self) -> f32 {
        self.0.iter().sum::<f32>() / self.0.len() as f32
    }
}

#[test]
fn around_a_ball_ways_are_nearly_the_shortest() {
    let mut random = numbers(2);
    let mut shares = Shares::default();
    for _ in 0..10 {
        let (cell, body) = (3.0, 3.0);
        let (radius, center) = (20.0 + 10.0 * random(), vector(&mut random, cell));
        let ball = (Obstacle::new(Sphere::new(radius)), Transform::from_translation(center));
        let ahead = direction(&mut random);
        let goal = center + ahead * (50.0 + 20.0 * random());
        let field = field_toward(goal, &standing(&vec![ball]), cell, body);
        for _ in 0..50 {
            let place = center - ahead * 55.0 + vector(&mut random, 40.0);
            let way = field.distance(place).expect("there is a way around");
            shares.add(way, around_a_ball(place - center, goal - center, radius + body), cell);
        }
    }
    assert!(shares.mean() < 1.025, "{}", shares.mean());
}

/// The length of the shortest way around a ball at the origin: two tangents and an arc.
fn around_a_ball(from: Vec3, to: Vec3, radius: f32) -> f32 {
    let tangent = |place: Vec3| (place.length_squared() - radius * radius).sqrt();
    let arc = from.angle_between(to) - [from, to].map(|place| ops::acos(radius / place.length())).iter().sum::<f32>();
    if arc > 0.0 { tangent(from) + tangent(to) + radius * arc } else { from.distance(to) }
}

#[test]
fn around_a_box_ways_are_nearly_the_shortest() {
    let mut random = numbers(3);
    let mut shares = Shares::default();
    for _ in 0..10 {
        // There are nodes at its rounded edges.
        let (cell, body) = (3.0, 3.0);
        let half = cell * Vec3::new(2.0 + 2.0 * random(), 6.0 + 4.0 * random(), 6.0 + 4.0 * random()).round();
        let goal = Vec3::new(40.0, 20.0 * random(), -20.0 * random());
        let field = field_toward(goal, &standing(&vec![cuboid(-half, half)]), cell, body);
        for _ in 0..50 {
            let place = Vec3::new(-40.0, 0.0, 0.0) + vector(&mut random, 30.0);
            let way = field.distance(place).expect("there is a way around");
            shares.add(way, past_a_box(place, goal, half, body), cell);
        }
    }
    assert!(shares.mean() < 1.02, "{}", shares.mean());
}

/// The length of the shortest way past one of four sides of a box, for a body between places before and behind it along x. The
/// surface around two parallel edges is unrolled.
fn past_a_box(from: Vec3, to: Vec3, half: Vec3, body: f32) -> f32 {
    let past = |(axis, sign): (usize, f32)| {
        let flat = |place: Vec3| Vec2::new(place.x, sign * place[axis]);
        let across = over_a_wall(flat(from), flat(to), Vec2::new(half.x, half[axis]), body);
        ops::hypot(across, from[3 - axis] - to[3 - axis])
    };
    [(1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)].map(past).into_iter().fold(f32::INFINITY, f32::min)
}

/// The length of a string over two circles around the upper corners of a rectangle.
fn over_a_wall(from: Vec2, to: Vec2, corner: Vec2, radius: f32) -> f32 {
    let from_one_side = |place: Vec2| {
        let to_place = place - corner;
        let tangent = (to_place.length_squared() - radius * radius).sqrt();
        // The angle between +y and the place where the tangent meets the circle.
        let contact = ops::atan2(to_place.x, to_place.y) - ops::acos(radius / to_place.length());
        tangent + radius * contact.max(0.0)
    };
    from_one_side(from * Vec2::new(-1.0, 1.0)) + from_one_side(to) + 2.0 * corner.x
}

/// Spawns followers of a field that avoid obstacles, and runs until they rest. Returns where each ends, and the length of its way.
fn follow(app: &mut App, field: Entity, starts: &[(SteeringAgent, Vec3)], obstacles: &Obstacles3d) -> Vec<(Vec3, f32)> {
    let spawn = |&(body, start): &(SteeringAgent, Vec3)| {
        let behaviors = (FollowField::new(field), AvoidObstacles::default());
        app.world_mut().spawn((body, behaviors, Transform::from_translation(start))).id()
    };
    let followers: Vec<Entity> = starts.iter().map(spawn).collect();
    let mut ends: Vec<(Vec3, f32)> = starts.iter().map(|(_, start)| (*start, 0.0)).collect();
    for tick in 0..3_600 {
        run(app, 1);
        let mut all_rest = true;
        for ((follower, end), (body, _)) in followers.iter().zip(&mut ends).zip(starts) {
            let place = position(app, *follower);
            *end = (place, end.1 + place.distance(end.0));
            all_rest &= velocity(app, *follower).length() < 1e-3;
            if tick % 8 == 0 {
                let depth = depth(obstacles, place, body.radius);
                assert!(depth < 1e-3, "{depth} inside an obstacle at {place}");
            }
        }
        if all_rest && tick > 60 {
            break;
        }
    }
    ends
}

fn body(random: &mut impl FnMut() -> f32, radius: f32) -> SteeringAgent {
    SteeringAgent {
        max_speed: 30.0 + 50.0 * random(),
        max_force: 100.0 + 300.0 * random(),
        response_time: (0.4 * random() - 0.2).max(0.0),
        radius,
        ..default()
    }
}

/// An app with obstacles, and a field that leads around them.
fn app_with(obstacles: &Obstacles3d, goal: Vec3, cell: f32, clearance: f32) -> (App, Entity) {
    let mut app = app();
    app.world_mut().spawn_batch(obstacles.clone());
    run(&mut app, 1);
    let field = field_toward(goal, app.world().resource::<Obstacles>(), cell, clearance);
    let field = app.world_mut().spawn(field).id();
    (app, field)
}

#[test]
fn followers_arrive_through_a_forest_and_touch_nothing() {
    for seed in 0..4 {
        let mut random = numbers(seed);
        let (forest, radius) = (forest(&mut random), 5.0);
        let mut free_place = |size: f32, room: f32| loop {
            let place = vector(&mut random, size);
            if depth(&forest, place, room) == 0.0 {
                return place;
            }
        };
        let goal = free_place(200.0, 2.0 * radius);
        let starts: Vec<Vec3> = (0..10).map(|_| free_place(360.0, 1.5 * radius)).collect();
        let starts: Vec<_> = starts.into_iter().map(|start| (body(&mut random, radius), start)).collect();
        let (mut app, field) = app_with(&forest, goal, 5.5, radius);
        let ways: Vec<Option<f32>> = {
            let field = app.world().get::<FlowField>(field).expect("it is there");
            starts.iter().map(|(_, start)| field.distance(*start)).collect()
        };
        let ends = follow(&mut app, field, &starts, &forest);
        for (((_, start), (end, way)), expected) in starts.iter().zip(ends).zip(ways) {
            let expected = expected.expect("there is room between the obstacles");
            assert!(end.distance(goal) < 0.01, "seed {seed}: from {start} to {end}, not to {goal}");
            assert!(way < 1.05 * expected + radius, "seed {seed}: {way}, not {expected}");
        }
    }
}

/// Rooms in a cube. All are connected, and one has a window to the outside; a wall with a window has four pieces.
struct Maze {
    walls: Obstacles3d,
    side: usize,
    room: f32,
}

impl Maze {
    fn new(random: &mut impl FnMut() -> f32, side: usize, room: f32, window: f32) -> Self {
        let mut maze = Self { walls: Vec::new(), side, room };
        let mut joined: Vec<usize> = (0..side.pow(3)).collect();
        let mut borders: Vec<(usize, usize)> = (0..side.pow(3)).flat_map(|k| [(k, 0), (k, 1), (k, 2)]).collect();
        while !borders.is_empty() {
            let (room, axis) = borders.swap_remove((random() * borders.len() as f32) as usize % borders.len());
            let low = maze.low(room);
            let stride = side.pow(axis as u32);
            let place = room / stride % side;
            if place == 0 {
                maze.add_wall(low, axis, None);
            }
            let is_open = if place + 1 == side {
                room + 1 == side.pow(3) && axis == 0
            } else {
                let (one, other) = (joined[room], joined[room + stride]);
                joined.iter_mut().filter(|room| **room == other).for_each(|room| *room = one);
                one != other
            };
            let place = [(); 2].map(|()| 2.0 + random() * (maze.room - window - 4.0));
            let window = is_open.then(|| place.map(|from| (from, from + window)));
            maze.add_wall(low + Vec3::AXES[axis] * maze.room, axis, window);
        }
        maze
    }

    /// The corner of a room with the smallest coordinates.
    fn low(&self, room: usize) -> Vec3 {
        Vec3::from_array([0, 1, 2].map(|axis| (room / self.side.pow(axis) % self.side) as f32)) * self.room
    }

    /// A wall across an axis, which starts at a place, with a window between these places along the other two axes.
    fn add_wall(&mut self, start: Vec3, axis: usize, window: Option<[(f32, f32); 2]>) {
        let (ahead, [along, up]) = (Vec3::AXES[axis], [1, 2].map(|k| Vec3::AXES[(axis + k) % 3]));
        let mut piece = |[left, right]: [f32; 2], [below, above]: [f32; 2]| {
            let low = start + along * left + up * below - 0.5 * ahead;
            self.walls.push(cuboid(low, start + along * right + up * above + 0.5 * ahead));
        };
        let end = self.room;
        match window {
            None => piece([0.0, end], [0.0, end]),
            Some([(left, right), (below, above)]) => {
                piece([0.0, left], [0.0, end]);
                piece([right, end], [0.0, end]);
                piece([left, right], [0.0, below]);
                piece([left, right], [above, end]);
            }
        }
    }
}

#[test]
fn all_followers_leave_a_maze_of_rooms() {
    for seed in 0..3 {
        let mut random = numbers(seed);
        let radius = 3.0;
        let maze = Maze::new(&mut random, 3, 30.0, 9.5);
        let goal = Vec3::new(110.0, 75.0, 75.0);
        let (mut app, field) = app_with(&maze.walls, goal, 3.0, radius);
        let starts: Vec<_> = (0..27)
            .step_by(2)
            .map(|room| {
                let start = maze.low(room) + 15.0 + vector(&mut random, 20.0);
                (body(&mut random, radius), start)
            })
            .collect();
        for ((_, start), (end, way)) in starts.iter().zip(follow(&mut app, field, &starts, &maze.walls)) {
            assert!(end.distance(goal) < 0.01, "seed {seed}: from {start} to {end} by {way}");
        }
    }
}

#[test]
fn where_there_is_no_way_followers_stand_still() {
    // A room without a window.
    let mut maze = Maze { walls: Vec::new(), side: 1, room: 40.0 };
    for axis in 0..3 {
        maze.add_wall(Vec3::ZERO, axis, None);
        maze.add_wall(Vec3::AXES[axis] * 40.0, axis, None);
    }
    let (mut app, field) = app_with(&maze.walls, Vec3::new(80.0, 20.0, 20.0), 4.0, 4.0);
    let mut random = numbers(1);
    for _ in 0..200 {
        let (inside, outside) = (Vec3::splat(20.0) + vector(&mut random, 30.0), direction(&mut random) * 100.0);
        let field = app.world().get::<FlowField>(field).expect("it is there");
        assert_eq!((field.distance(inside), field.direction(inside)), (None, Vec3::ZERO), "{inside}");
        assert!(field.distance(outside).is_some() && field.direction(outside) != Vec3::ZERO, "{outside}");
    }
    let nobody = app.world_mut().spawn_empty().id();
    let place = Transform::from_translation(Vec3::splat(20.0));
    let [shut_in, lost] = [field, nobody]
        .map(|field| app.world_mut().spawn((FollowField::new(field), Velocity(Vec3::X * 5.0), place)).id());
    run(&mut app, 120);
    assert_eq!(velocity(&app, shut_in), Vec3::ZERO);
    assert_eq!(velocity(&app, lost), Vec3::X * 5.0, "without a field it coasts");
}

/// Runs a follower of a field around pillars on the ground, and returns its place in each tick.
macro_rules! on_the_ground {
    ($dimension:ident, $obstacles:expr, $field:expr, $start:expr, $setup:expr) => {{
        use $dimension::prelude::*;
        let mut app = App::new();
        app.add_plugins(SteeringPlugin::new(Update)).insert_resource(SteeringThreads::Single);
        ($setup)(&mut app);
        app.finish();
        app.world_mut().spawn_batch($obstacles);
        app.world_mut().run_schedule(SteeringSchedule);
        let field = ($field)(app.world().resource::<Obstacles>());
        let field = app.world_mut().spawn(field.expect("the numbers are in range")).id();
        let body = SteeringAgent { max_speed: 40.0, max_force: 120.0, radius: 5.0, ..default() };
        let start = Transform::from_translation($start);
        let agent = app.world_mut().spawn((body, FollowField::new(field), AvoidObstacles::default(), start)).id();
        let mut places = Vec::new();
        for _ in 0..600 {
            app.world_mut().resource_mut::<Time>().advance_by(Duration::from_secs_f32(TICK));
            app.world_mut().run_schedule(SteeringSchedule);
            places.push(transform(&app, agent).translation);
        }
        places
    }};
}

#[test]
fn among_tall_pillars_a_follower_moves_as_in_a_plane() {
    for seed in 0..4 {
        let mut random = numbers(seed);
        // As they stand on the ground, which the plane has as x and -z.
        let pillars: Vec<(Vec3, f32)> = (0..8)
            .map(|k| Vec3::new(50.0 * (k % 4) as f32 - 75.0, 0.0, 60.0 * (k / 4) as f32 - 30.0))
            .map(|place| (place + vector(&mut random, 20.0).with_y(0.0), 8.0 + 8.0 * random()))
            .collect();
        let (goal, start) = (Vec3::new(110.0, 0.0, 10.0), Vec3::new(-115.0, 0.0, 40.0 * random() - 20.0));
        let at = |(place, _): &(Vec3, f32)| Transform::from_translation(*place);
        let circles: Vec<_> =
            pillars.iter().map(|pillar| (flat::prelude::Obstacle::new(Circle::new(pillar.1)), at(pillar))).collect();
        let tall: Vec<_> =
            pillars.iter().map(|pillar| (Obstacle::new(Cylinder::new(pillar.1, 160.0)), at(pillar))).collect();
        let in_plane = on_the_ground!(
            flat,
            circles,
            |obstacles: &_| FlowField::toward([Vec2::new(goal.x, -goal.z)], obstacles, 5.0, 5.0),
            start,
            |app: &mut App| {
                app.insert_resource(SteeringPlane::XZ);
            }
        );
        let in_space = on_the_ground!(
            bevy_steerling_3d,
            tall,
            |obstacles: &_| FlowField::toward([goal], obstacles, 5.0, 5.0),
            start,
            |_: &mut App| {}
        );
        let apart = in_plane.iter().zip(&in_space).map(|(one, other)| one.distance(*other)).fold(0.0, f32::max);
        assert!(apart < 1.0, "seed {seed}: {apart} apart");
        assert!(in_space.last().is_some_and(|end| end.distance(goal) < 0.01), "seed {seed}");
    }
}

#[test]
fn an_update_gives_the_same_as_a_new_field() {
    for seed in 0..4 {
        let mut random = numbers(seed);
        let mut app = app();
        let mut obstacles: Vec<Entity> =
            forest(&mut random).into_iter().map(|obstacle| app.world_mut().spawn(obstacle).id()).collect();
        run(&mut app, 1);
        let goals = [vector(&mut random, 200.0), vector(&mut random, 200.0)];
        let toward = |app: &App| {
            FlowField::toward(goals, app.world().resource::<Obstacles>(), 10.0, 9.0).expect("the numbers are in range")
        };
        let updated = toward(&app);
        let updated = app.world_mut().spawn(updated).id();
        for _ in 0..4 {
            // Some of these are half-spaces.
            if random() < 0.5 {
                let gone = obstacles.swap_remove((random() * obstacles.len() as f32) as usize % obstacles.len());
                app.world_mut().despawn(gone);
            } else {
                let place =
                    Transform::from_translation(vector(&mut random, 150.0)).with_rotation(rotation(&mut random));
                let half_size = Vec3::splat(5.0) + 20.0 * random();
                obstacles.push(app.world_mut().spawn((Obstacle::new(Cuboid { half_size }), place)).id());
            }
            run(&mut app, 1);
            let made_anew = toward(&app);
            let updated = app.world().get::<FlowField>(updated).expect("it is there");
            for _ in 0..1_000 {
                let place = vector(&mut random, 330.0);
                let [one, other] = [updated, &made_anew].map(|field| {
                    let direction = field.direction(place).to_array().map(f32::to_bits);
                    (direction, field.distance(place).map(f32::to_bits))
                });
                assert_eq!(one, other, "seed {seed} at {place}");
            }
        }
    }
}

#[test]
fn a_field_wraps_where_the_world_does() {
    let mut random = numbers(6);
    for _ in 0..15 {
        let size = Vec3::splat(80.0) + Vec3::new(random(), random(), random()) * 40.0;
        let low = vector(&mut random, 400.0);
        let bounds = SteeringBounds::wrap(low, low + size);
        let mut place = || low + size * Vec3::new(random(), random(), random());
        let (goal, start) = (place(), place());
        let way = |obstacles: Obstacles3d, goal: Vec3, from: Vec3| {
            field_toward(goal, &Obstacles::standing_at(obstacles, &bounds), 6.0, 6.0).distance(from)
        };
        let straight = bounds.space().displacement(start, goal).length();
        let distance = way(Vec::new(), goal, start).expect("nothing is in the way");
        // Halfway around, it may take the other way to the nearest node.
        assert!((distance - straight).abs() < 0.3, "{distance} for {straight}");
        // A wall across the world, at the seam: only the other way is left.
        let [near, far] = [0.2, 0.8].map(|share| low + size * Vec3::new(share, 0.5, 0.5));
        let wall = cuboid(low - Vec3::new(0.5, size.y, size.z), low + Vec3::new(0.5, size.y, size.z));
        let distance = way(vec![wall], far, near).expect("there is another way");
        assert!((distance - 0.6 * size.x).abs() < 1.5, "{distance} in a world of {size}");
        // So it is with a half-space that ends before it gets to the other place.
        let behind = Obstacle::new(InfinitePlane3d::new(Vec3::X));
        let half_space = (behind, Transform::from_translation(low + 0.02 * size));
        let distance = way(vec![half_space.clone()], far, near).expect("there is another way");
        assert!((distance - 0.6 * size.x).abs() < 1.5, "{distance} in a world of {size}");
        let higher = half_space.1.with_translation(low + 0.5 * size);
        assert_eq!(way(vec![(half_space.0, higher)], far, near), None, "it is inside the half-space");
    }
}

#[test]
fn given_directions_are_blended_between_eight_nodes() {
    let mut random = numbers(8);
    let turn = |place: Vec3| Vec3::new(0.01 * place.y, -0.01 * place.x, 0.02 * place.z + 0.1);
    let area = Aabb3d::new(Vec3::new(10.0, 0.0, -5.0), Vec3::new(40.0, 30.0, 20.0));
    let field = FlowField::from_fn(area, 7.0, turn).expect("the numbers are in range");
    for _ in 0..200 {
        let place = Vec3::new(10.0, 0.0, -5.0) + vector(&mut random, 2.0) * Vec3::new(39.0, 29.0, 19.0);
        assert!(field.direction(place).distance(turn(place)) < 1e-5, "{place}");
    }
    let directions = (0..24).map(|k| Vec3::splat(k as f32)).collect();
    let field = FlowField::from_directions(Vec3::ZERO, Vec3::ONE, UVec2::new(2, 3), directions);
    let last = field.expect("4 layers of 2 times 3").direction(Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(last, Vec3::splat(23.0));
}

#[test]
fn eight_followers_at_once_move_as_each_alone() {
    let mut random = numbers(9);
    let forest = forest(&mut random);
    let field = field_toward(Vec3::new(100.0, 100.0, 100.0), &standing(&forest), 9.0, 5.0).with_manual_updates();
    let starts: Vec<(Vec3, Vec3)> =
        (0..40).map(|_| (vector(&mut random, 300.0), direction(&mut random) * 40.0)).collect();
    let ends = |starts: &[(Vec3, Vec3)]| {
        let mut app = app();
        let field = app.world_mut().spawn(field.clone()).id();
        let spawn = |(start, velocity): &(Vec3, Vec3)| {
            let body = SteeringAgent { response_time: 0.5, ..default() };
            let agent = (body, FollowField::new(field), Velocity(*velocity), Transform::from_translation(*start));
            app.world_mut().spawn(agent).id()
        };
        let agents: Vec<Entity> = starts.iter().map(spawn).collect();
        run(&mut app, 40);
        agents.into_iter().map(|agent| position(&app, agent).to_array().map(f32::to_bits)).collect::<Vec<_>>()
    };
    for (start, together) in starts.iter().zip(ends(&starts)) {
        assert_eq!(ends(&[*start]), [together], "{start:?}");
    }
}

#[test]
fn unusable_numbers_are_errors() {
    use FlowFieldError as Error;
    let index = Obstacles::default();
    let area = Aabb3d::new(Vec3::ZERO, Vec3::splat(25.0));
    for cell in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-30] {
        assert!(FlowField::toward([Vec3::ZERO, Vec3::splat(50.0)], &index, cell, 1.0).is_err(), "{cell}");
        assert!(FlowField::from_fn(area, cell, |_| Vec3::X).is_err(), "{cell}");
    }
    let flat = Aabb3d::new(Vec3::ZERO, Vec3::new(25.0, 0.0, 25.0));
    assert_eq!(FlowField::from_fn(flat, 1.0, |_| Vec3::X).err(), Some(Error::Area));
    for clearance in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(FlowField::toward([Vec3::ZERO], &index, 1.0, clearance).is_err(), "{clearance}");
    }
    let toward = |goals: &[Vec3], cell| FlowField::toward(goals.iter().copied(), &index, cell, 1.0).err();
    assert_eq!(toward(&[], 1.0), Some(Error::NoGoal));
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert!(matches!(toward(&[Vec3::ZERO.with_z(odd)], 1.0), Some(Error::Goal(_))));
    }
    assert_eq!(toward(&[Vec3::ZERO, Vec3::splat(1e3)], 1.0), Some(Error::TooManyCells));
    assert_eq!(toward(&[Vec3::ZERO, Vec3::splat(4e6)], 1.0), Some(Error::TooManyCells));
    assert_eq!(toward(&[Vec3::splat(1e30)], 1.0), Some(Error::TooManyCells));
    let given = |x, y, count| {
        FlowField::from_directions(Vec3::ZERO, Vec3::ONE, UVec2::new(x, y), vec![Vec3::X; count]).is_err()
    };
    assert_eq!(
        [
            given(3, 2, 12),
            given(3, 2, 13),
            given(3, 2, 6),
            given(1, 6, 12),
            given(0, 0, 0),
            given(u32::MAX, u32::MAX, 9)
        ],
        [false, true, true, true, true, true]
    );
}

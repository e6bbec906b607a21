//! Planes: agents move on the ground of a 3D world, and in any other plane, as they do in the plane of x and y.

use core::f32::consts::TAU;

use super::*;

/// A direction in space.
fn direction(random: &mut impl FnMut() -> f32) -> Dir3 {
    loop {
        let vector = Vec3::new(random(), random(), random()) * 2.0 - 1.0;
        if let Ok(direction) = Dir3::new(vector)
            && vector.length() < 1.0
        {
            return direction;
        }
    }
}

fn any_plane(random: &mut impl FnMut() -> f32) -> SteeringPlane {
    let front = if random() < 0.5 { Front::X } else { Front::NegZ };
    SteeringPlane::new(direction(random), direction(random)).with_front(front)
}

/// Takes everything from the plane of x and y to another plane, each at a height of its own.
fn move_to(world: &mut World, plane: SteeringPlane) {
    world.insert_resource(plane);
    let mut places = world.query::<(&mut Transform, Has<SteeringAgent>)>();
    for (number, (mut transform, is_agent)) in places.iter_mut(world).enumerate() {
        transform.translation = plane.to_world(transform.translation.truncate(), height(number));
        let (sin, cos) = (transform.rotation.z, transform.rotation.w);
        transform.rotation = if is_agent {
            plane.rotation_to((transform.rotation * Vec3::X).truncate())
        } else if plane == SteeringPlane::XZ {
            // To the bit.
            Quat::from_xyzw(0.0, sin, 0.0, cos)
        } else {
            // The x axis of a shape is that of its entity, whatever the front of agents.
            plane.with_front(Front::X).rotation_to((transform.rotation * Vec3::X).truncate())
        };
    }
}

fn height(number: usize) -> f32 {
    0.5 * (number % 7) as f32 - 1.0
}

/// A crowd with every behavior in the plane of x and y, and the same crowd in another plane.
fn crowds(plane: SteeringPlane, bounds: SteeringBounds) -> [(App, Vec<Entity>); 2] {
    [SteeringPlane::XY, plane].map(|plane| {
        let mut app = crowd::app();
        app.insert_resource(bounds);
        let world = app.world_mut();
        let agents = crowd::spawn_crowd(world, 2 * crowd::KINDS);
        let mut random = numbers(5);
        let mut taken: Vec<Vec3> = Vec::new();
        for agent in &agents {
            let mut transform = world.get_mut::<Transform>(*agent).expect("it has a place");
            // Without ties, and without bodies inside each other: rounding would decide where these go.
            let mut near = || transform.translation + Vec3::new(random(), random(), 0.0) * 6.0;
            let is_free = |place: &Vec3| taken.iter().all(|other| other.distance(*place) > 16.5);
            let place = (0..50).map(|_| near()).find(is_free).unwrap_or_else(near);
            transform.translation = place;
            taken.push(place);
        }
        for mut transform in world.query_filtered::<&mut Transform, With<Obstacle>>().iter_mut(world) {
            transform.rotation = SteeringPlane::XY.rotation_to(Vec2::from_angle(random() * TAU));
        }
        if plane != SteeringPlane::XY {
            move_to(world, plane);
        }
        (app, agents)
    })
}

/// The position, velocity and force of an agent in the plane of its world.
fn state(app: &App, agent: Entity) -> [Vec2; 3] {
    let world = app.world();
    let place = world.get::<Transform>(agent).expect("it has a place").translation;
    [world.resource::<SteeringPlane>().to_plane(place), velocity(app, agent), force(app, agent)]
}

/// The direction in which an agent of the crowd looks.
fn facing(app: &App, agent: Entity) -> Vec2 {
    let world = app.world();
    let (plane, transform) =
        (world.resource::<SteeringPlane>(), world.get::<Transform>(agent).expect("it has a place"));
    let front = if *plane == plane.with_front(Front::X) { Vec3::X } else { Vec3::NEG_Z };
    plane.to_plane(transform.rotation * front)
}

#[test]
fn every_behavior_moves_on_the_ground_as_in_the_plane_of_x_and_y_to_the_bit() {
    let (low, high) = (Vec2::ZERO, Vec2::splat(400.0));
    for bounds in [SteeringBounds::wrap(low, high), SteeringBounds::bounce(low, high), SteeringBounds::default()] {
        let [(mut flat, agents), (mut ground, others)] = crowds(SteeringPlane::XZ, bounds);
        let heights = |app: &App| -> Vec<f32> {
            let places = others.iter().map(|agent| app.world().get::<Transform>(*agent).expect("it has a place"));
            places.map(|place| place.translation.y).collect()
        };
        // A behavior may read the heading of an agent at rest from its rotation, which differs by rounding once the agent has turned.
        for (app, agents) in [(&mut flat, &agents), (&mut ground, &others)] {
            for agent in agents {
                app.world_mut().entity_mut(*agent).remove::<(FaceVelocity, Face)>();
            }
        }
        let before = heights(&ground);
        for tick in 0..600 {
            crowd::tick(flat.world_mut());
            crowd::tick(ground.world_mut());
            for (number, (agent, other)) in agents.iter().zip(&others).enumerate() {
                let context = format!("agent {number} in tick {tick}, {bounds:?}");
                assert_eq!(state(&flat, *agent), state(&ground, *other), "{context}");
            }
        }
        assert_eq!(heights(&ground), before);
    }
}

#[test]
fn an_agent_faces_its_velocity_on_the_ground_as_in_the_plane_of_x_and_y() {
    let [(mut flat, agents), (mut ground, others)] = [SteeringPlane::XY, SteeringPlane::XZ].map(|plane| {
        let mut app = app();
        app.insert_resource(plane);
        let mut random = numbers(6);
        let wanderer = |number| {
            let place = plane.to_world(Vec2::new(random(), random()) * 400.0, height(number));
            let turn_rate = (number % 2 == 0).then_some(0.5 + 3.0 * random());
            let transform =
                Transform::from_translation(place).with_rotation(plane.rotation_to(Vec2::from_angle(random() * TAU)));
            app.world_mut().spawn((Wander::default(), FaceVelocity { turn_rate }, transform)).id()
        };
        let agents: Vec<Entity> = (0..40).map(wanderer).collect();
        (app, agents)
    });
    for tick in 0..600 {
        run(&mut flat, 1);
        run(&mut ground, 1);
        for (number, (agent, other)) in agents.iter().zip(&others).enumerate() {
            let context = format!("agent {number} in tick {tick}");
            assert_eq!(state(&flat, *agent), state(&ground, *other), "{context}");
            assert!(facing(&flat, *agent).distance(facing(&ground, *other)) < 1e-5, "{context}");
        }
    }
    // Those without a turn rate look exactly where they go.
    let ahead = |agent: &Entity| facing(&flat, *agent).dot(velocity(&flat, *agent).normalize());
    assert!(agents.iter().skip(1).step_by(2).all(|agent| ahead(agent) > 0.999));
}

#[test]
fn every_behavior_moves_in_any_plane_as_in_the_plane_of_x_and_y() {
    let mut random = numbers(1);
    for round in 0..20 {
        let plane = any_plane(&mut random);
        let [(mut flat, agents), (mut tilted, others)] =
            crowds(plane, SteeringBounds::wrap(Vec2::ZERO, Vec2::splat(400.0)));
        for _ in 0..10 {
            crowd::tick(flat.world_mut());
            crowd::tick(tilted.world_mut());
        }
        let off = |(agent, other): (&Entity, &Entity)| {
            let ([place, velocity, _], [other_place, other_velocity, _]) =
                (state(&flat, *agent), state(&tilted, *other));
            let turned = facing(&flat, *agent).distance(facing(&tilted, *other));
            place.distance(other_place).max(0.1 * velocity.distance(other_velocity)).max(10.0 * turned)
        };
        // In a jam, rounding may decide who goes first.
        let off = agents.iter().zip(&others).filter(|pair| off(*pair) > 0.05).count();
        assert!(off <= 2, "{off} of {} agents in round {round}", agents.len());
    }
}

#[test]
fn places_are_the_same_there_and_back() {
    let mut random = numbers(2);
    for _ in 0..1_000 {
        let plane = any_plane(&mut random);
        let (point, height) = (Vec2::new(random(), random()) * 200.0 - 100.0, random() * 200.0 - 100.0);
        let place = plane.to_world(point, height);
        assert!(plane.to_plane(place).distance(point) < 1e-4);
        assert!((plane.height(place) - height).abs() < 1e-4);
        // Distances stay as they are, and left stays left.
        let [x, y, up] = [(Vec2::X, 0.0), (Vec2::Y, 0.0), (Vec2::ZERO, 1.0)].map(|(at, up)| plane.to_world(at, up));
        assert!(x.cross(y).distance(up) < 1e-5 && (x.length() - 1.0).abs() < 1e-5, "{plane:?}");
    }
    assert_eq!(SteeringPlane::new(Dir3::Z, Dir3::X).to_plane(Vec3::new(1.0, 2.0, 3.0)), Vec2::new(3.0, 1.0));
    let leaning = SteeringPlane::new(Dir3::X, Dir3::new(Vec3::new(5.0, 1.0, 0.0)).expect("it is a direction"));
    assert!(leaning.to_plane(Vec3::new(1.0, 2.0, 3.0)).distance(Vec2::new(1.0, 2.0)) < 1e-6);
    for _ in 0..1_000 {
        // Parallel axes, exactly and nearly.
        let x_axis = direction(&mut random);
        let noise = Vec3::new(random(), random(), random()) * if random() < 0.5 { 1e-4 } else { 1e-7 };
        for y_axis in [x_axis, -x_axis, Dir3::new(*x_axis + noise).expect("it is a direction")] {
            let plane = SteeringPlane::new(x_axis, y_axis);
            let [x, y] = [Vec2::X, Vec2::Y].map(|axis| plane.to_world(axis, 0.0));
            assert!(x.distance(x_axis.into()) < 1e-5 && y.dot(x).abs() < 1e-5 && (y.length() - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn the_front_points_ahead_and_the_upper_side_up() {
    let mut random = numbers(3);
    let mut planes = vec![SteeringPlane::XY, SteeringPlane::XZ, SteeringPlane::XZ.with_front(Front::X)];
    planes.push(SteeringPlane::XY.with_front(Front::NegZ));
    planes.extend((0..200).map(|_| any_plane(&mut random)));
    for plane in planes {
        for angle in [0.0, 0.25 * TAU, 0.5 * TAU, -0.25 * TAU, random() * TAU, random() * TAU] {
            let ahead = Vec2::from_angle(angle);
            let transform = Transform::from_rotation(plane.rotation_to(ahead));
            // Both kinds of front, told apart by the height of the local axes.
            let [front, up] = if plane == plane.with_front(Front::X) {
                [transform.right(), transform.back()]
            } else {
                [transform.forward(), transform.up()]
            };
            assert!(front.distance(plane.to_world(ahead, 0.0)) < 1e-5, "{plane:?}: {front:?} for {ahead}");
            assert!(up.distance(plane.to_world(Vec2::ZERO, 1.0)) < 1e-5, "{plane:?}: {up:?}");
        }
    }
}

#[test]
fn a_model_on_the_ground_looks_where_it_walks() {
    let mut random = numbers(4);
    let mut app = app();
    app.insert_resource(SteeringPlane::XZ);
    for _ in 0..50 {
        let target = Vec3::new(random() - 0.5, 0.0, random() - 0.5) * 2_000.0;
        let walker = (Seek::new(SteeringPlane::XZ.to_plane(target)), FaceVelocity::default());
        let walker = app.world_mut().spawn((walker, Transform::from_xyz(0.0, 1.5, 0.0))).id();
        run(&mut app, 30);
        let transform = app.world().get::<Transform>(walker).expect("it has a place");
        let way = (target - transform.translation).with_y(0.0).normalize();
        assert!(transform.translation.with_y(0.0).length() > 1.0 && transform.translation.y == 1.5);
        assert!(transform.forward().distance(way) < 1e-3, "{:?} instead of {way}", transform.forward());
        assert!(transform.up().distance(Vec3::Y) < 1e-5);
    }
}

#[test]
fn a_model_that_lies_on_its_back_turns_all_the_same() {
    let mut random = numbers(6);
    let mut app = app();
    app.insert_resource(SteeringPlane::XY.with_front(Front::NegZ));
    for turn_rate in [None, Some(1.0)] {
        let walker = (Seek::new(Vec2::new(1_000.0 * random(), 1_000.0)), FaceVelocity { turn_rate });
        let walker = app.world_mut().spawn(walker).id();
        run(&mut app, 30);
        let transform = app.world().get::<Transform>(walker).expect("it has a place");
        let way = velocity(&app, walker).normalize().extend(0.0);
        assert!(transform.rotation.is_normalized() && transform.forward().distance(way) < 1e-3, "{transform:?}");
    }
}

#[test]
fn agents_at_rest_do_not_drift_in_any_plane_and_others_keep_their_heights() {
    let mut random = numbers(7);
    for _ in 0..quarter_of(8) {
        let plane = any_plane(&mut random);
        let mut app = crowd::app();
        app.insert_resource(plane).insert_resource(SteeringBounds::default());
        let place = plane.to_world(Vec2::new(1_000.0, 500.0), 50.0);
        let world = app.world_mut();
        let [still, walker] = [Vec2::ZERO, Vec2::new(0.7, -0.4)].map(|velocity| {
            world.spawn((SteeringAgent::default(), Velocity(velocity), Transform::from_translation(place))).id()
        });
        for _ in 0..50_000 {
            crowd::tick(world);
        }
        let now = |agent: Entity| world.get::<Transform>(agent).expect("it has a place").translation;
        assert_eq!(now(still), place);
        // At most half a digit of each coordinate per tick.
        let rounding = 50_000.0 * 0.5 * 2.0 * f32::EPSILON * place.length();
        assert!((plane.height(now(walker)) - 50.0).abs() < rounding, "{}", plane.height(now(walker)));
    }
}

#[test]
fn targets_with_parents_are_projected() {
    let mut app = app();
    app.insert_resource(SteeringPlane::XZ);
    let cart = Transform::from_xyz(100.0, 20.0, -50.0).with_rotation(Quat::from_rotation_y(0.25 * TAU));
    let cart = app.world_mut().spawn(cart).id();
    let flag = app.world_mut().spawn((Transform::from_xyz(0.0, 5.0, 40.0), ChildOf(cart))).id();
    let agent = app.world_mut().spawn(Arrive::new(flag)).id();
    run(&mut app, 600);
    let place = app.world().get::<Transform>(agent).expect("it has a place").translation;
    assert!(place.distance(Vec3::new(140.0, 0.0, -50.0)) < 0.1, "{place}");
}

#[test]
fn obstacles_follow_a_change_of_the_plane() {
    // A wall across the way in the plane of x and y, far from it on the ground.
    let mut app = app();
    let wall = Transform::from_xyz(60.0, 0.0, 500.0);
    app.world_mut().spawn((Obstacle::new(Rectangle::new(10.0, 300.0)), wall));
    let spawn = |app: &mut App| {
        let agent = (Seek::new(Vec2::new(1_000.0, 0.0)), Solid::default(), Transform::default());
        app.world_mut().spawn(agent).id()
    };
    let x = |app: &App, agent: Entity| app.world().get::<Transform>(agent).expect("it has a place").translation.x;
    let stopped = spawn(&mut app);
    run(&mut app, 180);
    assert!(x(&app, stopped) < 60.0, "{}", x(&app, stopped));
    app.world_mut().despawn(stopped);
    app.insert_resource(SteeringPlane::XZ);
    let free = spawn(&mut app);
    run(&mut app, 180);
    assert!(x(&app, free) > 150.0, "{}", x(&app, free));
}

//! Paths, orbits, hiding places and regions.

use std::sync::{Arc, Mutex};

use super::*;

/// A path whose corners turn by less than a right angle, and an agent that keeps to it well.
fn path(random: &mut impl FnMut() -> f32) -> Vec<Vec3> {
    let (mut place, mut ahead) = (Vec3::ZERO, direction(random));
    (0..8)
        .map(|_| {
            place += ahead * (60.0 + 60.0 * random());
            ahead = (ahead + 1.2 * direction(random)).normalize();
            place
        })
        .collect()
}

/// The distance from a polyline.
fn distance(path: &[Vec3], place: Vec3) -> f32 {
    let from_segment = |ends: &[Vec3]| {
        let segment = ends[1] - ends[0];
        let along = ((place - ends[0]).dot(segment) / segment.length_squared()).clamp(0.0, 1.0);
        (ends[0] + segment * along).distance(place)
    };
    path.windows(2).map(from_segment).fold(f32::INFINITY, f32::min)
}

#[test]
fn agents_keep_to_the_lane_of_any_path_and_come_to_rest_at_its_end() {
    for seed in 0..60 {
        let mut random = numbers(seed);
        let points = path(&mut random);
        let radius = 2.0 + 8.0 * random();
        let max_speed = 20.0 + 100.0 * random();
        let body = SteeringAgent {
            max_speed,
            max_force: max_speed * (1.0 + 4.0 * random()),
            radius: 2.0,
            response_time: if seed % 2 == 0 { 0.0 } else { 0.2 },
            ..default()
        };
        let mut app = app();
        let follow = FollowPath::new(points.clone()).with_radius(radius);
        let agent = app.world_mut().spawn((body, follow, Transform::from_translation(points[0]))).id();
        let length: f32 = points.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
        let mut widest = 0.0_f32;
        let mut left = (60.0 * (10.0 + 8.0 * length / max_speed)) as usize;
        while position(&app, agent).distance(points[7]) > 0.01 && left > 0 {
            run(&mut app, 1);
            widest = widest.max(distance(&points, position(&app, agent)));
            left -= 1;
        }
        assert!(left > 0, "seed {seed}: not at the end, but at {}", position(&app, agent));
        assert!(widest <= radius + max_speed * TICK, "seed {seed}: {widest} from a lane of {radius}");
        run(&mut app, 300);
        assert!(velocity(&app, agent).length() < 1e-3 && position(&app, agent).distance(points[7]) < 0.01);
    }
}

#[test]
fn waypoints_are_reported_in_order_and_the_end_once() {
    let mut app = app();
    let mut random = numbers(3);
    let points = path(&mut random);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (waypoints, end) = (seen.clone(), seen.clone());
    app.add_observer(move |event: On<WaypointReached>| waypoints.lock().unwrap().push(event.index));
    app.add_observer(move |_: On<PathFinished>| end.lock().unwrap().push(usize::MAX));
    let start = Transform::from_translation(points[0]);
    app.world_mut().spawn((FollowPath::new(points), SteeringEvents::default(), start));
    run(&mut app, 3_000);
    assert_eq!(*seen.lock().unwrap(), [0, 1, 2, 3, 4, 5, 6, 7, usize::MAX]);
}

#[test]
fn agents_circle_any_target_at_their_distance() {
    for seed in 0..40 {
        let mut random = numbers(seed);
        let radius = 20.0 + 60.0 * random();
        let drift = if seed % 2 == 0 { Vec3::ZERO } else { direction(&mut random) * 15.0 };
        let mut app = app();
        let target = app.world_mut().spawn((Transform::default(), Velocity(drift))).id();
        let body = SteeringAgent { max_speed: 60.0, max_force: 300.0, ..default() };
        let start = (Velocity(direction(&mut random) * 60.0), Transform::from_translation(vector(&mut random, 400.0)));
        let agent = app.world_mut().spawn((body, Orbit::new(target, radius), start)).id();
        let mut covered = 0.0;
        for tick in 0..1_200 {
            let before = position(&app, agent) - position(&app, target);
            run(&mut app, 1);
            app.world_mut().get_mut::<Transform>(target).expect("it is there").translation += drift * TICK;
            let around = position(&app, agent) - position(&app, target);
            if tick >= 900 {
                assert!(
                    (around.length() - radius).abs() < 0.015 * radius,
                    "seed {seed}: {} from {radius}",
                    around.length()
                );
                covered += before.angle_between(around);
            }
        }
        assert!(covered > 1.0, "seed {seed}: it covers only {covered}");
    }
}

#[test]
fn an_orbit_is_in_the_plane_of_the_motion_or_level() {
    for seed in 0..40 {
        let mut random = numbers(seed);
        let radius = 20.0 + 40.0 * random();
        let orbit = Orbit { clockwise: random() < 0.5, ..Orbit::new(Vec3::ZERO, radius) };
        let out = direction(&mut random);
        let (start, start_velocity) = if seed % 3 == 0 {
            // At rest, or straight toward the target.
            let out = out.with_y(0.0).normalize();
            (out * 90.0, if seed % 2 == 0 { Vec3::ZERO } else { out * -30.0 })
        } else {
            (out * (10.0 + 100.0 * random()), direction(&mut random) * 60.0)
        };
        let normal = if seed % 3 > 0 {
            // It keeps its direction of rotation, whatever it was told.
            start.cross(start_velocity).normalize()
        } else if orbit.clockwise {
            Vec3::NEG_Y
        } else {
            Vec3::Y
        };
        let mut app = app();
        let body = SteeringAgent { max_speed: 60.0, max_force: 400.0, ..default() };
        let motion = (Velocity(start_velocity), Transform::from_translation(start));
        let agent = app.world_mut().spawn((body, orbit, motion)).id();
        for tick in 0..400 {
            run(&mut app, 1);
            let place = position(&app, agent);
            assert!(place.dot(normal).abs() < 0.02 * radius, "seed {seed}: {} off its plane", place.dot(normal));
            if tick > 120 {
                let around = place.cross(velocity(&app, agent)).normalize();
                assert!(around.dot(normal) > 0.999, "seed {seed}: around {around} instead of {normal}");
            }
        }
    }
}

#[test]
fn a_hiding_agent_comes_to_rest_out_of_sight() {
    let mut hidden = 0;
    for seed in 0..40 {
        let mut random = numbers(seed);
        let mut app = app();
        let shape: ObstacleShape = match seed % 3 {
            0 => Sphere::new(20.0 + 20.0 * random()).into(),
            1 => Cuboid::from_length(40.0 + 30.0 * random()).into(),
            _ => Cylinder::new(20.0 + 10.0 * random(), 80.0).into(),
        };
        let place = Transform::from_rotation(rotation(&mut random));
        let placed = shape.placed(&place);
        app.world_mut().spawn((Obstacle::new(shape), place));
        let seeker = direction(&mut random) * 150.0;
        let seeker = app.world_mut().spawn(Transform::from_translation(seeker)).id();
        let body = SteeringAgent { max_speed: 60.0, max_force: 300.0, radius: 3.0, ..default() };
        let start = Transform::from_translation(direction(&mut random) * 120.0);
        let agent = app.world_mut().spawn((body, Hide::new(seeker), AvoidObstacles::default(), start)).id();
        run(&mut app, 900);
        let [from, to] = [seeker, agent].map(|entity| position(&app, entity));
        if to.distance(start.translation) > 300.0 {
            // It has fled, because the seeker was nearer to every hiding place.
            continue;
        }
        hidden += 1;
        let seen = placed.cast_distance(from, (to - from).normalize(), 0.0);
        assert!(seen.is_some_and(|way| way < from.distance(to)), "seed {seed}: seen at {to} from {from}");
        assert!(velocity(&app, agent).length() < 0.1, "seed {seed}");
        assert!(placed.distance(to).0 > 3.0, "seed {seed}");
    }
    assert!(hidden > 20, "{hidden}");
}

fn regions(random: &mut impl FnMut() -> f32) -> [(Region, ObstacleShape); 3] {
    let hull = ConvexHull::new((0..20).map(|_| direction(random) * 120.0)).expect("the points do not lie in a plane");
    let half_size = Vec3::new(60.0 + 60.0 * random(), 60.0 + 60.0 * random(), 60.0 + 60.0 * random());
    let (ball, cuboid) = (Sphere::new(60.0 + 60.0 * random()), Cuboid { half_size });
    [(ball.into(), ball.into()), (cuboid.into(), cuboid.into()), (hull.clone().into(), hull.into())]
}

#[test]
fn no_point_of_a_region_is_nearer_than_the_nearest() {
    let mut random = numbers(5);
    for _ in 0..100 {
        for (region, shape) in regions(&mut random) {
            let shape = shape.placed(&Transform::default());
            assert!((-shape.distance(region.incenter()).0 - region.inradius()).abs() < 1e-2, "{region:?}");
            for _ in 0..10 {
                let point = vector(&mut random, 500.0);
                let margin = 0.9 * random() * region.inradius();
                let nearest = region.nearest(point, margin);
                assert!(
                    shape.distance(nearest).0 <= 1e-2 - margin,
                    "{nearest} by {margin}: {:?}",
                    shape.distance(nearest)
                );
                assert_eq!(nearest == point, shape.distance(point).0 <= -margin, "{point} to {nearest}");
                // In a convex region that holds if the displacement to it makes no acute angle with that to any other point.
                let other = region.nearest(vector(&mut random, 500.0), margin);
                let lead = (point - nearest).dot(other - nearest);
                assert!(
                    lead <= 1e-3 * point.length() * shape.extent(),
                    "{other} is nearer to {point} than {nearest}: {lead}"
                );
            }
        }
    }
}

#[test]
fn contained_agents_stay_inside_and_keep_moving() {
    let mut random = numbers(6);
    for round in 0..8 {
        for (region, shape) in regions(&mut random) {
            let (center, rotation) = (vector(&mut random, 100.0), rotation(&mut random));
            let placed = shape.placed(&Transform::from_translation(center).with_rotation(rotation));
            let mut app = app();
            let body = SteeringAgent { max_speed: 40.0, max_force: 160.0, radius: 4.0, ..default() };
            let middle = center + rotation * region.incenter();
            let contain = Contain::new(region).with_center(center).with_rotation(rotation);
            let agents: Vec<Entity> = (0..4)
                .map(|number| {
                    let place = Transform::from_translation(middle + vector(&mut random, 20.0));
                    let agent = app.world_mut().spawn((body, contain.clone(), SteeringId::new(number), place)).id();
                    match number {
                        // It seeks a point outside.
                        0 => app.world_mut().entity_mut(agent).insert(Seek::new(center + Vec3::splat(300.0))),
                        _ => app.world_mut().entity_mut(agent).insert(Wander::default()),
                    };
                    agent
                })
                .collect();
            let mut slowest = [f32::INFINITY; 4];
            for tick in 0..1_800 {
                run(&mut app, 1);
                for (&agent, slowest) in agents.iter().zip(&mut slowest) {
                    let room = -placed.distance(position(&app, agent)).0 - 4.0;
                    assert!(room > -1e-2, "round {round}: {room} in {shape:?}");
                    if tick > 120 {
                        *slowest = slowest.min(velocity(&app, agent).length());
                    }
                }
            }
            assert!(velocity(&app, agents[0]).length() < 1.0, "round {round}: a seeker is not at rest at the rim");
            assert!(slowest[1..].iter().all(|slowest| *slowest > 4.0), "round {round}: {slowest:?} in {shape:?}");
        }
    }
}

#[test]
fn followers_make_way_for_a_leader_and_come_to_rest_behind_it_apart() {
    for seed in 0..12 {
        let mut random = numbers(seed);
        let mut app = app();
        let way = direction(&mut random);
        let body = SteeringAgent { max_speed: 60.0, max_force: 100.0, ..default() };
        let leader = app.world_mut().spawn((body, Seek::new(way * 1e6))).id();
        // Half of them start ahead of it.
        let followers: Vec<Entity> = (0..16)
            .map(|_| {
                let place = Transform::from_translation(direction(&mut random) * (60.0 + 60.0 * random()));
                app.world_mut().spawn((FollowLeader::new(leader), place)).id()
            })
            .collect();
        let ahead = |app: &App| {
            let ahead = followers.iter().map(|agent| (position(app, *agent) - position(app, leader)).dot(way));
            ahead.fold(f32::NEG_INFINITY, f32::max)
        };
        assert!(ahead(&app) > 0.0, "seed {seed}");
        for _ in 0..600 {
            run(&mut app, 1);
            let nearest = followers.iter().map(|agent| position(&app, *agent).distance(position(&app, leader)));
            let nearest = nearest.fold(f32::INFINITY, f32::min);
            assert!(nearest > 16.0, "seed {seed}: one comes as near to the leader as {nearest}");
        }
        assert!(ahead(&app) < 0.0, "seed {seed}: one is {} ahead", ahead(&app));

        let here = position(&app, leader);
        app.world_mut().entity_mut(leader).remove::<Seek>().insert(Arrive::new(here + way * 200.0));
        run(&mut app, 1_800);
        for (index, follower) in followers.iter().enumerate() {
            assert!(
                velocity(&app, *follower).length() < 0.1,
                "seed {seed}: {} is not at rest",
                velocity(&app, *follower)
            );
            for other in &followers[..index] {
                let apart = position(&app, *follower).distance(position(&app, *other));
                assert!(apart > 16.0, "seed {seed}: {apart} apart");
            }
        }
    }
}

//! Queries of obstacles, and sight.

use super::*;

/// Balls and boxes at random places, some of which overlap, in an app that has run a tick.
fn scattered(random: &mut impl FnMut() -> f32) -> (App, Vec<Entity>) {
    let mut app = app();
    let obstacles = (0..30)
        .map(|k| {
            let shape: ObstacleShape = if k % 2 == 0 {
                Sphere::new(2.0 + 18.0 * random()).into()
            } else {
                Cuboid { half_size: Vec3::new(random(), random(), random()) * 25.0 + 1.0 }.into()
            };
            let layers = GroupMask::bit((3.0 * random()) as u32);
            let place = Transform::from_translation(vector(random, 100.0)).with_rotation(rotation(random));
            app.world_mut().spawn((Obstacle::new(shape).with_layers(layers), place)).id()
        })
        .collect();
    run(&mut app, 1);
    (app, obstacles)
}

/// The least distance from a way to the obstacles in these layers, sampled.
fn least_along(app: &App, obstacles: &[Entity], layers: GroupMask, from: Vec3, way: Vec3) -> f32 {
    let obstacle = |entity: &Entity| app.world().get::<Obstacle>(*entity).unwrap();
    let admitted = obstacles.iter().filter(|entity| obstacle(entity).layers.intersects(layers));
    let placed = admitted.map(|entity| obstacle(entity).shape.placed(&transform(app, *entity)));
    let distance = |shape: PlacedShape| {
        let points = (0..=200_u16).map(|step| from + way * (f32::from(step) / 200.0));
        points.map(|point| shape.distance(point).0).fold(f32::INFINITY, f32::min)
    };
    placed.map(distance).fold(f32::INFINITY, f32::min)
}

#[test]
fn casts_and_lines_of_sight_agree_with_many_points_on_the_way() {
    let mut random = numbers(11);
    let (mut hits, mut free) = (0, 0);
    for _ in 0..12 {
        let (app, obstacles) = scattered(&mut random);
        let index = app.world().resource::<Obstacles>();
        for _ in 0..100 {
            let filter = ObstacleFilter::in_layers(GroupMask::from_bits((8.0 * random()) as u32));
            let (from, way, radius) = (vector(&mut random, 120.0), vector(&mut random, 150.0), 6.0 * random());
            let least = |part: f32| least_along(&app, &obstacles, filter.layers, from, way * part);
            let nearest = index.nearest(from, 1e4, &filter).map_or(f32::INFINITY, |nearest| nearest.distance);
            assert!((nearest - least(0.0)).abs() < 1e-2 || nearest == least(0.0), "{nearest} {}", least(0.0));
            if nearest <= radius {
                continue;
            }
            match index.cast_body(from, way, radius, &filter) {
                Some(hit) => {
                    let place = from + way.normalize() * hit.distance;
                    assert!((place.distance(hit.point) - radius).abs() < 1e-2, "it touches the surface");
                    assert!((index.nearest(place, 1e4, &filter).unwrap().distance - radius).abs() < 1e-2);
                    assert!(hit.normal.dot(way) <= 1e-3 && least(0.999 * hit.distance / way.length()) > radius - 1e-2);
                    hits += 1;
                }
                None => assert!(least(1.0) > radius - 1e-2),
            }
            let (least, sees) = (least(1.0), index.has_line_of_sight(from, from + way, &filter));
            assert!(if sees { least > -0.01 } else { least < 1.5 }, "{least}");
            assert_eq!(sees, index.has_line_of_sight(from + way, from, &filter));
            free += usize::from(sees);
        }
    }
    assert!(hits > 200 && free > 200, "{hits} {free}");
}

#[test]
fn a_target_gives_a_force_exactly_if_it_is_in_sight() {
    let mut random = numbers(12);
    let mut counts = [0, 0];
    for _ in 0..300 {
        let (mut app, obstacles) = scattered(&mut random);
        let sight =
            Sight::new(60.0 + 120.0 * random()).with_field_of_view(2.0 * PI * random()).with_layers(GroupMask::bit(1));
        let prey = app.world_mut().spawn(Transform::from_translation(vector(&mut random, 100.0))).id();
        let eye = Transform::from_translation(vector(&mut random, 60.0)).with_rotation(rotation(&mut random));
        let guard = app.world_mut().spawn((sight, Seek::new(prey), eye)).id();
        run(&mut app, 1);
        let to = position(&app, prey) - eye.translation;
        let margins = [sight.range - to.length(), 0.5 * sight.field_of_view - eye.forward().angle_between(to)];
        let least = least_along(&app, &obstacles, sight.layers, eye.translation, to);
        if margins.iter().all(|margin| margin.abs() > 1e-3) && least.abs() > 0.5 {
            let sees = margins.iter().all(|margin| *margin > 0.0) && least > 0.0;
            assert_eq!(app.world().get::<SteeringForce>(guard).unwrap().0 != Vec3::ZERO, sees, "{margins:?} {least}");
            counts[usize::from(sees)] += 1;
        }
    }
    assert!(counts[0] > 50 && counts[1] > 20, "{counts:?}");
}

/// The positions of the agents of a flock after one second with this radius of alignment.
fn flock_with_alignment(radius: f32) -> Vec<Vec3> {
    let (mut app, mut random) = (app(), numbers(5));
    let mut flock = Flock::default();
    flock.alignment.radius = Some(radius);
    let agents: Vec<Entity> = (0..80)
        .map(|_| {
            let motion = (Velocity(vector(&mut random, 50.0)), Transform::from_translation(vector(&mut random, 60.0)));
            app.world_mut().spawn((flock.clone(), motion)).id()
        })
        .collect();
    run(&mut app, 60);
    agents.into_iter().map(|agent| position(&app, agent)).collect()
}

#[test]
fn a_radius_that_is_not_a_number_sees_nobody_and_hides_nobody() {
    let without = flock_with_alignment(-1.0);
    assert_ne!(without, flock_with_alignment(90.0));
    assert_eq!(without, flock_with_alignment(f32::NAN));
}

//! Agents go round obstacles.

use super::*;

fn shape(number: &mut impl FnMut() -> f32, size: f32) -> ObstacleShape {
    match (number() * 5.0) as usize {
        0 => Circle::new(size).into(),
        1 => Rectangle::new(2.0 * size, size * (0.1 + 1.9 * number())).into(),
        2 => Capsule2d::new(size * (0.1 + 0.5 * number()), size).into(),
        3 => Segment2d::new(Vec2::new(-size, 0.0), Vec2::new(size, 0.0)).into(),
        _ => {
            let count = 3 + (number() * 4.0) as usize;
            let corners = (0..count).map(|k| Vec2::from_angle(k as f32 / count as f32 * 6.28) * size);
            ConvexPolygon::new(corners.map(|corner| corner * Vec2::new(1.0, 0.3 + 0.0))).unwrap().into()
        }
    }
}

#[test]
fn probe() {
    let mut number = numbers(9);
    let (mut touched, mut lost, mut stopped) = (0, 0, 0);
    let n = 1500;
    for k in 0..n {
        let mut app = app_at([30.0, 60.0, 120.0][k % 3]);
        let radius = 4.0 + 8.0 * number();
        let max_speed = 50.0 + 150.0 * number();
        let mass = 0.3 + 3.0 * number();
        let body = SteeringAgent {
            mass,
            max_speed,
            max_force: mass * max_speed * (0.7 + 8.0 * number()),
            radius,
            ..default()
        };
        let size = radius * (0.1 + 30.0 * number() * number());
        let shape = shape(&mut number, size);
        let rotation = 6.28 * number();
        let transform = Transform::from_rotation(Quat::from_rotation_z(rotation));
        let direction = Vec2::from_angle(6.28 * number());
        let far = size * 1.5 + 4.0 * radius + 2.5 * mass * max_speed * max_speed / body.max_force * (0.5 + number());
        let offset = if k % 5 == 0 { 0.0 } else { (2.0 * number() - 1.0) * size };
        let start = -direction * far + direction.perp() * offset;
        let goal = direction * (size * 1.5 + 4.0 * radius) + direction.perp() * offset * 0.3;
        let placed = shape.placed(&transform);
        app.world_mut().spawn((Obstacle::new(shape.clone()), transform));
        let speed = if k % 3 == 0 { 0.0 } else { max_speed };
        let agent = app
            .world_mut()
            .spawn((
                Seek::new(goal),
                AvoidObstacles::default(),
                body,
                Velocity(direction * speed),
                Transform::from_translation(start.extend(0.0)),
            ))
            .id();
        let mut arrived = None;
        let (mut nearest, mut slowest) = (f32::INFINITY, f32::INFINITY);
        for tick in 0..3000 {
            app.update();
            let p = position(&app, agent);
            nearest = nearest.min(placed.distance(p).0 - radius);
            if tick > 60 {
                slowest = slowest.min(velocity(&app, agent).length());
            }
            if p.distance(goal) < radius {
                arrived = Some(tick);
                break;
            }
        }
        if nearest < 0.0 {
            touched += 1;
        }
        if arrived.is_none() {
            lost += 1;
        }
        if slowest < 0.01 * max_speed {
            stopped += 1;
        }
        if nearest < 0.0 || arrived.is_none() || slowest < 0.01 * max_speed {
            println!(
                "BAD {k} m {mass} {shape:?} r {radius} s {max_speed} f {} size {size} off {offset} near {nearest} arrived {arrived:?} slow {slowest}",
                body.max_force
            );
        }
    }
    println!("BAD touched {touched} lost {lost} stopped {stopped} of {n}");
}

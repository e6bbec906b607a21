//! Agents stay in their region.

use std::f32::consts::TAU;
use std::ops::Range;

use bevy_steerling::constraints::contain::ContainState;
use proptest::prelude::*;

use super::*;

/// A region of this depth, around the origin or beside it, and the same shape to measure it by. A polygon without corners that
/// are needles: its depth is at least this share of the radius of the circle that its corners lie on.
fn region(depth: f32, least_share: f32) -> impl Strategy<Value = (Region, ObstacleShape)> {
    let corners = proptest::collection::btree_set(0..360_u16, 3..9);
    prop_oneof![
        Just((Circle::new(depth).into(), Circle::new(depth).into())),
        (1.0..8.0_f32).prop_map(move |long| {
            let rectangle = Rectangle::new(2.0 * depth, 2.0 * depth * long);
            (rectangle.into(), rectangle.into())
        }),
        corners.prop_filter_map("a polygon that is hardly one", move |degrees| {
            let corner = |degree: &u16| Vec2::from_angle(f32::from(*degree).to_radians());
            let share = Region::from(ConvexPolygon::new(degrees.iter().map(corner)).ok()?).inradius();
            let polygon = ConvexPolygon::new(degrees.iter().map(|degree| corner(degree) * (depth / share))).ok()?;
            (share > least_share).then(|| (polygon.clone().into(), polygon.into()))
        }),
    ]
}

#[derive(Clone, Debug)]
struct Stay {
    body: SteeringAgent,
    contain: Contain,
    /// The region in its place.
    shape: PlacedShape,
    /// Inside, with room for the body.
    start: Vec2,
    /// So slow that there is room to stop.
    velocity: Vec2,
}

/// An agent in a region; `depths` is how deep that is, in look-aheads.
fn stay(depths: Range<f32>, least_share: f32) -> impl Strategy<Value = Stay> {
    let body =
        (2.0..20.0_f32, 0.3..3.0_f32, 20.0..300.0_f32, 0.7..8.0_f32).prop_map(|(radius, mass, max_speed, force)| {
            SteeringAgent { radius, mass, max_speed, max_force: mass * max_speed * force, response_time: 0.0 }
        });
    let center = (-300.0..300.0_f32, -300.0..300.0_f32).prop_map(Vec2::from);
    (body, depths, center, 0.0..TAU, 0.0..TAU, 0.0..1.0_f32, 0.0..TAU, 0.0..1.0_f32).prop_flat_map(
        move |(body, depth, center, rotation, from, off, direction, speed)| {
            let depth = depth * look_ahead(&body) + 1.1 * body.radius;
            region(depth, least_share).prop_map(move |(region, shape)| {
                let transform = Transform::from_translation(center.extend(0.0));
                let shape = shape.placed(&transform.with_rotation(Quat::from_rotation_z(rotation)), SteeringPlane::XY);
                let start = region.nearest(Vec2::from_angle(from) * (off * shape.extent()), 1.06 * body.radius);
                let start = center + Vec2::from_angle(rotation).rotate(start);
                let room = -shape.distance(start).0 - body.radius;
                let fastest = (2.0 * room * body.max_force / body.mass).sqrt().min(body.max_speed);
                let velocity = Vec2::from_angle(direction) * (speed * fastest);
                let contain = Contain::new(region).with_center(center).with_rotation(rotation);
                Stay { body, contain, shape, start, velocity }
            })
        },
    )
}

/// Many of them, each in its own region, and a tick rate.
fn crowd(depths: Range<f32>, least_share: f32) -> impl Strategy<Value = (f64, Vec<Stay>)> {
    let rate = prop_oneof![Just(30.0), Just(60.0), Just(120.0)];
    (rate, proptest::collection::vec(stay(depths, least_share), 40))
}

/// Twice the way to stop, and twice the radius.
fn look_ahead(body: &SteeringAgent) -> f32 {
    body.max_speed * reaction(body) + 2.0 * body.radius
}

/// How long it takes to full speed, seconds.
fn reaction(body: &SteeringAgent) -> f32 {
    body.max_speed * body.mass / body.max_force
}

impl Stay {
    fn spawn(&self, app: &mut App, others: impl Bundle) -> Entity {
        let start = Transform::from_translation(self.start.extend(0.0));
        app.world_mut().spawn((self.contain.clone(), self.body, Velocity(self.velocity), start, others)).id()
    }

    /// The way from the body to the rim.
    fn gap(&self, app: &App, agent: Entity) -> f32 {
        -self.shape.distance(position(app, agent)).0 - self.body.radius
    }

    /// A place, in extents of the region from its center.
    fn place(&self, angle: f32, way: f32) -> Vec2 {
        self.contain.center + Vec2::from_angle(angle) * (way * self.shape.extent())
    }

    /// Whether no part of the body is outside, but for rounding.
    fn is_inside(&self, app: &App, agent: Entity) -> bool {
        self.gap(app, agent) > -1e-5 * self.shape.extent()
    }
}

/// Angle, distance in extents of the region, and weight of something to seek or flee.
fn aim(distance: Range<f32>) -> impl Strategy<Value = Option<(f32, f32, f32)>> {
    proptest::option::of((0.0..TAU, distance, 0.1..3.0_f32))
}

proptest! {
    #![proptest_config(config(3))]

    #[test]
    fn no_part_of_it_is_ever_outside_whatever_the_others_want(
        (rate, crowd) in crowd(0.02..4.0, 0.05),
        others in proptest::collection::vec((proptest::option::of(0.1..3.0_f32), aim(0.0..3.0), aim(0.0..1.0)), 40),
    ) {
        let mut app = app_at(rate);
        let mut agents = Vec::new();
        for (stay, (wander, seek, flee)) in crowd.iter().zip(others) {
            let agent = stay.spawn(&mut app, ());
            let mut entity = app.world_mut().entity_mut(agent);
            if let Some(weight) = wander {
                entity.insert(Wander::default().with_weight(weight));
            }
            if let Some((angle, way, weight)) = seek {
                entity.insert(Seek::new(stay.place(angle, way)).with_weight(weight));
            }
            if let Some((angle, way, weight)) = flee {
                entity.insert(Flee::new(stay.place(angle, way)).with_weight(weight));
            }
            agents.push(agent);
        }
        for _ in 0..(20.0 * rate) as usize {
            app.update();
            for (stay, &agent) in crowd.iter().zip(&agents) {
                prop_assert!(stay.is_inside(&app, agent), "{} of {stay:?}", stay.gap(&app, agent));
            }
        }
    }

    #[test]
    fn wanderers_never_stop_and_do_not_keep_to_the_rim((rate, crowd) in crowd(1.5..4.0, 0.35), seed in 0..1000_u64) {
        let mut app = app_at(rate);
        app.insert_resource(SteeringSeed(seed));
        let agents: Vec<Entity> = crowd.iter().map(|stay| stay.spawn(&mut app, Wander::default())).collect();
        let mut slow = vec![0.0; crowd.len()];
        let mut at_the_rim = vec![0.0; crowd.len()];
        for tick in 0..(60.0 * rate) as usize {
            app.update();
            let time = tick as f64 / rate;
            for (index, (stay, &agent)) in crowd.iter().zip(&agents).enumerate() {
                prop_assert!(stay.is_inside(&app, agent), "{} of {stay:?}", stay.gap(&app, agent));
                let is_slow = velocity(&app, agent).length() < 0.2 * stay.body.max_speed;
                slow[index] = if is_slow { slow[index] + 1.0 / rate } else { 0.0 };
                // Deep in a corner it takes some time to turn round.
                let longest = 1.0 + 2.0 * f64::from(reaction(&stay.body));
                prop_assert!(slow[index] < longest, "slow for {longest} s at {time} s and {}: {stay:?}", position(&app, agent));
                let near = stay.gap(&app, agent) < 0.25 * look_ahead(&stay.body);
                at_the_rim[index] += if near { 1.0 / rate } else { 0.0 };
            }
        }
        for (stay, time) in crowd.iter().zip(at_the_rim) {
            prop_assert!(time < 20.0, "{time} s at the rim: {stay:?}");
        }
    }

    #[test]
    fn who_seeks_a_point_outside_comes_to_rest_at_the_place_inside_nearest_to_it(
        (rate, crowd) in crowd(0.5..2.0, 0.35),
        targets in proptest::collection::vec((0.0..TAU, 1.1..4.0_f32), 40),
    ) {
        let mut app = app_at(rate);
        let mut agents = Vec::new();
        for (stay, (angle, way)) in crowd.iter().zip(targets) {
            let target = stay.place(angle, way);
            let Contain { region, center, rotation, .. } = &stay.contain;
            let seen = Vec2::from_angle(-rotation).rotate(target - *center);
            let nearest = *center + Vec2::from_angle(*rotation).rotate(region.nearest(seen, stay.body.radius));
            agents.push((stay.spawn(&mut app, Seek::new(target)), nearest));
        }
        let seconds = crowd.iter().map(|stay| 20.0 * reaction(&stay.body) + 40.0 * stay.shape.extent() / stay.body.max_speed);
        for _ in 0..(f64::from(seconds.fold(0.0, f32::max)) * rate) as usize {
            app.update();
        }
        for (stay, (agent, nearest)) in crowd.iter().zip(agents) {
            let (place, speed) = (position(&app, agent), velocity(&app, agent).length());
            prop_assert!(place.distance(nearest) < 0.3 * stay.body.radius, "{place} instead of {nearest}: {stay:?}");
            prop_assert!(speed < 0.01 * stay.body.max_speed, "{speed}: {stay:?}");
        }
    }
}

/// An agent with other behaviors in a room of 600 by 400 around the origin.
fn in_a_room(others: impl Bundle, x: f32, y: f32) -> (App, Entity) {
    let mut app = app();
    let room = Contain::new(Rectangle::new(600.0, 400.0));
    let agent = app.world_mut().spawn((room, others, at(x, y))).id();
    (app, agent)
}

#[test]
fn far_from_the_rim_it_wants_nothing() {
    let (mut app, agent) = in_a_room(Seek::new(Vec2::new(100.0, 50.0)), -100.0, 0.0);
    let free = app.world_mut().spawn((Seek::new(Vec2::new(100.0, 50.0)), at(-100.0, 0.0))).id();
    for _ in 0..60 {
        app.update();
        assert_eq!((position(&app, agent), force(&app, agent)), (position(&app, free), force(&app, free)));
    }
}

#[test]
fn who_runs_into_a_wall_turns_round_in_an_arc_and_leaves_it() {
    // Straight at it: to the left. At an angle: as it leads.
    for (direction, side) in [(0.0, 1.0), (0.4, 1.0), (-0.4, -1.0), (1.2, 1.0), (-1.2, -1.0)] {
        // As a wanderer without random numbers.
        let onward = Wander::default().with_circle(50.0, 0.0);
        let start = Velocity(Vec2::from_angle(direction) * 100.0);
        let (mut app, agent) = in_a_room((onward, start), 220.0, -50.0 * direction.signum());
        let (mut last, mut turned, mut slowest) = (start.0, 0.0, f32::INFINITY);
        for _ in 0..120 {
            app.update();
            let velocity = velocity(&app, agent);
            let turn = last.angle_to(velocity);
            // It never turns back, and never by more than its force allows.
            assert!((-1e-4..0.06).contains(&(turn * side)), "{turn} to {velocity}");
            (last, turned, slowest) = (velocity, turned + turn, slowest.min(velocity.length()));
        }
        assert!(turned * side > 0.0 && last.x < -40.0, "{turned} to {last}");
        assert!(slowest > 60.0, "{slowest}");
        assert!(position(&app, agent).x < 250.0, "{}", position(&app, agent));
    }
}

#[test]
fn who_seeks_a_point_outside_is_not_torn_to_and_fro() {
    for k in 0..16_u8 {
        let target = Vec2::from_angle(f32::from(k) * TAU / 16.0 + 0.1) * 500.0;
        let (mut app, agent) = in_a_room(Seek::new(target), 20.0, -30.0);
        let (mut last, mut reversals) = (Vec2::ZERO, 0);
        for _ in 0..600 {
            app.update();
            let force = force(&app, agent);
            reversals += usize::from(force.dot(last) < 0.0 && force.length().min(last.length()) > 30.0);
            last = force;
        }
        assert!(reversals < 4, "{reversals} times by more than a tenth of its force");
    }
}

#[test]
fn from_outside_it_takes_the_shortest_way_in() {
    for (x, y, inside) in [(400.0, 100.0, Vec2::new(291.6, 100.0)), (500.0, 500.0, Vec2::new(291.6, 191.6))] {
        let (mut app, agent) = in_a_room((), x, y);
        let start = Vec2::new(x, y);
        let mut ticks = 0..300;
        while position(&app, agent).distance(start) < inside.distance(start) {
            assert!(ticks.next().is_some(), "at {}", position(&app, agent));
            app.update();
            let aside = (inside - start).normalize().perp_dot(position(&app, agent) - start);
            assert!(aside.abs() < 0.1, "{aside} aside of the straight way");
        }
        run(&mut app, 60);
        assert!(position(&app, agent).abs().cmple(Vec2::new(292.0, 192.0)).all(), "{}", position(&app, agent));
    }
}

#[test]
fn where_its_body_does_not_fit_it_goes_to_the_middle_and_stays() {
    for size in [15.9, 10.0, 0.0] {
        for others in [Some(Seek::new(Vec2::new(-500.0, 0.0))), None] {
            let mut app = app();
            let cell = Contain::new(Rectangle::new(200.0, size)).with_center(Vec2::new(30.0, 40.0));
            let agent = app.world_mut().spawn((cell, at(100.0, 0.0))).id();
            if let Some(others) = others {
                app.world_mut().entity_mut(agent).insert(others);
            }
            run(&mut app, 300);
            let off = position(&app, agent).distance(Vec2::new(30.0, 40.0));
            assert!(off < 1e-3 && velocity(&app, agent).length() < 1e-3, "{off} from the middle");
        }
    }
}

#[test]
fn a_region_across_a_seam_is_one() {
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(Vec2::splat(-200.0), Vec2::splat(200.0)));
    let disc = Contain::new(Circle::new(80.0)).with_center(Vec2::new(190.0, 0.0));
    let agent = app.world_mut().spawn((disc, Wander::default(), at(-180.0, 10.0))).id();
    let mut sides = [false; 2];
    for _ in 0..60 * 60 {
        app.update();
        let position = position(&app, agent);
        let space = app.world().resource::<SteeringBounds>().space();
        assert!(space.displacement(Vec2::new(190.0, 0.0), position).length() <= 72.0, "{position}");
        sides[usize::from(position.x > 0.0)] = true;
    }
    assert_eq!(sides, [true; 2], "on both sides of the seam");
}

#[test]
fn a_strip_is_endless_along_one_axis_only() {
    for (strip, along) in
        [(Rectangle::new(f32::INFINITY, 90.0), Vec2::X), (Rectangle::new(90.0, f32::INFINITY), Vec2::Y)]
    {
        let mut app = app();
        let seek = Seek::new(600.0 * along + 400.0 * along.perp());
        let agent = app.world_mut().spawn((seek, Contain::new(strip), at(0.0, 0.0))).id();
        for _ in 0..900 {
            run(&mut app, 1);
            let across = position(&app, agent).dot(along.perp());
            // Its radius is 8.
            assert!(across.abs() <= 37.0, "{across}");
        }
        assert!(position(&app, agent).dot(along) > 500.0, "{}", position(&app, agent));
    }
}

#[test]
fn without_it_agents_are_free_again() {
    let (mut app, agent) = in_a_room(Seek::new(Vec2::new(400.0, 0.0)), 250.0, 0.0);
    run(&mut app, 300);
    assert!(position(&app, agent).x < 292.0);
    app.world_mut().entity_mut(agent).remove::<Contain>();
    run(&mut app, 100);
    assert!(position(&app, agent).x > 300.0);
}

#[test]
fn its_state_tells_whether_it_turns_back_from_the_rim() {
    let mut number = numbers(1);
    for case in 0..quarter_of(80) {
        let onward = Wander::default().with_circle(50.0, 0.0);
        let start = Velocity(Vec2::from_angle(TAU * number()) * 100.0);
        let (mut app, agent) = in_a_room((onward, start), 300.0 * (number() - 0.5), 200.0 * (number() - 0.5));
        let look_ahead = look_ahead(app.world().get::<SteeringAgent>(agent).expect("it has a body"));
        let mut turns = 0;
        for _ in 0..600 {
            let (place, before) = (position(&app, agent), velocity(&app, agent));
            run(&mut app, 1);
            let is_turning = app.world().get::<ContainState>(agent).expect("it is contained").is_turning();
            turns += usize::from(is_turning);
            // Its radius is 8; a little more is kept clear.
            let gap = (Vec2::new(300.0, 200.0) - place.abs()).min_element() - 8.4;
            assert!(!is_turning || gap < look_ahead, "{case}: {gap} from the rim it need not turn");
            let turn = before.angle_to(velocity(&app, agent)).abs();
            assert!(is_turning || turn < 1e-3, "{case}: it turns by {turn} at {place}");
        }
        assert!((20..580).contains(&turns), "{case}: it turns in {turns} ticks");
    }
}

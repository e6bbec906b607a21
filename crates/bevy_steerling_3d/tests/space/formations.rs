//! Formations gather, turn in any direction, pass gates, and outlive their leaders.

use super::*;

const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 100.0, max_force: 300.0, radius: 6.0, response_time: 0.0 };

fn patterns() -> [Pattern; 8] {
    let own = (0..40_u8).map(|k| Vec3::new(f32::from(k % 3) - 3.0, f32::from(k / 3 % 4), f32::from(k / 12)) * 30.0);
    [
        Pattern::Line,
        Pattern::Column,
        Pattern::Wedge,
        Pattern::Box,
        Pattern::Circle,
        Pattern::Sphere,
        Pattern::Cube,
        Pattern::Places(own.collect()),
    ]
}

/// A leader and its members.
struct Troop {
    app: App,
    leader: Entity,
    members: Vec<Entity>,
}

impl Troop {
    fn heading(&self) -> Vec3 {
        let state = self.app.world().get::<FormationState>(self.leader).expect("it is an anchor");
        state.heading().expect("it is somewhere")
    }

    fn offset(&self, member: Entity) -> Vec3 {
        self.app.world().get::<FormationSlot>(member).expect("it has a slot").offset()
    }

    /// The distance of the farthest member from its slot.
    fn farthest(&self) -> f32 {
        let distance = |member: &Entity| self.app.world().get::<FormationSlot>(*member).expect("it has one").distance();
        self.members.iter().map(distance).fold(0.0, f32::max)
    }

    /// The smallest gap between two bodies.
    fn gap(&self) -> f32 {
        let bodies: Vec<Vec3> =
            self.members.iter().chain([&self.leader]).map(|agent| position(&self.app, *agent)).collect();
        let pairs = bodies.iter().enumerate().flat_map(|(i, a)| bodies[..i].iter().map(move |b| a.distance(*b)));
        pairs.fold(f32::INFINITY, f32::min) - 2.0 * BODY.radius
    }

    fn go(&mut self, direction: Vec3) {
        self.app.world_mut().entity_mut(self.leader).insert(Seek::new(direction * 1e6));
    }
}

/// A formation that heads in a direction, with its members on their slots.
fn troop(pattern: Pattern, count: usize, direction: Vec3) -> Troop {
    let mut app = app();
    let leading = SteeringAgent { max_speed: 80.0, ..BODY };
    let formation = Formation::new(pattern).with_spacing(24.0);
    let start = (Velocity(direction), Transform::default());
    let leader = app.world_mut().spawn((formation, leading, AvoidNeighbors::default(), start)).id();
    let member = (InFormation(leader), BODY, AvoidNeighbors::default(), Transform::from_xyz(-900.0, 0.0, 0.0));
    let members: Vec<Entity> = (0..count).map(|_| app.world_mut().spawn(member.clone()).id()).collect();
    run(&mut app, 1);
    let mut troop = Troop { app, leader, members };
    let up = if direction.cross(Vec3::Y).length() > 1e-3 { Vec3::Y } else { Vec3::Z };
    let frame = Transform::IDENTITY.looking_to(direction, up);
    for member in troop.members.clone() {
        let offset = troop.offset(member);
        let place = frame.rotation * Vec3::new(-offset.y, offset.z, -offset.x);
        troop.app.world_mut().entity_mut(member).insert((Transform::from_translation(place), Velocity::default()));
    }
    troop.app.world_mut().entity_mut(leader).insert((Transform::default(), Velocity(direction)));
    troop
}

#[test]
fn neighbors_are_as_far_apart_as_they_should_be_and_nobody_is_on_the_anchor() {
    for pattern in patterns() {
        if matches!(pattern, Pattern::Places(_)) {
            continue;
        }
        for count in [1, 2, 3, 4, 5, 8, 9, 12, 26, 27, 28, 63, 150] {
            let troop = troop(pattern.clone(), count, Vec3::X);
            let mut slots: Vec<Vec3> = troop.members.iter().map(|member| troop.offset(*member)).collect();
            slots.push(Vec3::ZERO);
            for (number, slot) in slots.iter().enumerate() {
                let apart = slots[..number].iter().map(|other| other.distance(*slot)).fold(f32::INFINITY, f32::min);
                assert!(number == 0 || apart > 23.9, "{pattern:?} of {count}: slot {number} at {slot}: {apart}");
            }
            let size = slots.iter().map(|slot| slot.abs().max_element()).fold(0.0, f32::max);
            let side = 24.0 * (count as f32).cbrt().ceil();
            assert!(pattern != Pattern::Cube || size <= side, "{count} in a cube of {size}");
        }
    }
}

#[test]
fn after_five_seconds_straight_on_all_are_in_their_slots() {
    let mut random = numbers(1);
    for case in 0..32 {
        let pattern = patterns()[case % 8].clone();
        let ahead = direction(&mut random);
        let mut troop = troop(pattern.clone(), 1 + (20.0 * random()) as usize, ahead);
        for member in troop.members.clone() {
            let astray = vector(&mut random, 50.0);
            troop.app.world_mut().get_mut::<Transform>(member).expect("it is there").translation += astray;
            if case % 2 == 0 {
                troop.app.world_mut().entity_mut(member).remove::<AvoidNeighbors>();
            }
        }
        troop.go(ahead);
        run(&mut troop.app, 300);
        assert!(troop.farthest() < 2.5, "{case}: {} in {pattern:?} of {}", troop.farthest(), troop.members.len());
        assert!(velocity(&troop.app, troop.leader).dot(ahead) > 60.0, "{case}: it waits");
    }
}

#[test]
fn a_formation_turns_in_any_direction_without_a_touch_and_is_in_order_and_upright_again() {
    let mut random = numbers(2);
    for case in 0..24 {
        let pattern = patterns()[case % 8].clone();
        let (before, after) = match case / 8 {
            // Up into a climb, and out of it over the back.
            0 => (Vec3::X, Vec3::Y),
            1 => (Vec3::new(1.0, 20.0, 0.0).normalize(), Vec3::new(-1.0, 20.0, 0.0).normalize()),
            _ => (direction(&mut random), direction(&mut random)),
        };
        let mut troop = troop(pattern.clone(), 1 + (10.0 * random()) as usize, before);
        troop.go(before);
        run(&mut troop.app, 120);
        troop.go(after);
        for _ in 0..450 {
            run(&mut troop.app, 4);
            assert!(troop.gap() > 0.0, "{case}, {pattern:?}: two overlap by {}", -troop.gap());
        }
        let heading = troop.heading();
        let faces = if pattern == Pattern::Line { heading.dot(after).abs() } else { heading.dot(after) };
        assert!(faces > 0.99, "{case}, {pattern:?}: it faces along {heading} instead of {after}");
        assert!(troop.farthest() < 4.0, "{case}, {pattern:?}: {}", troop.farthest());
        if after.y.abs() < 0.7 {
            let right = after.cross(Vec3::Y).normalize() * heading.dot(after).signum();
            let above = right.cross(heading);
            for member in &troop.members {
                let (offset, way) =
                    (troop.offset(*member), position(&troop.app, *member) - position(&troop.app, troop.leader));
                let found = Vec3::new(way.dot(heading), -way.dot(right), way.dot(above));
                assert!(found.distance(offset) < 6.0, "{case}, {pattern:?}: at {found} instead of {offset}");
            }
        }
    }
}

#[test]
fn a_formation_passes_a_gate_narrower_than_itself_and_forms_up_again() {
    let mut app = app();
    // A hole of 60 by 60 in a wall across x.
    for (size, place) in [
        (Vec3::new(20.0, 400.0, 900.0), Vec3::new(200.0, 230.0, 0.0)),
        (Vec3::new(20.0, 400.0, 900.0), Vec3::new(200.0, -230.0, 0.0)),
        (Vec3::new(20.0, 60.0, 400.0), Vec3::new(200.0, 0.0, 230.0)),
        (Vec3::new(20.0, 60.0, 400.0), Vec3::new(200.0, 0.0, -230.0)),
    ] {
        app.world_mut().spawn((Obstacle::new(Cuboid::from_size(size)), Transform::from_translation(place)));
    }
    let leading = SteeringAgent { max_speed: 60.0, ..BODY };
    let avoid = (AvoidObstacles::default(), AvoidNeighbors::default());
    let path = FollowPath::new([Vec3::ZERO, Vec3::new(1e4, 0.0, 0.0)]);
    let leader = app.world_mut().spawn((Formation::new(Pattern::Cube).with_spacing(24.0), leading, path)).id();
    app.world_mut().entity_mut(leader).insert(avoid.clone());
    let members: Vec<Entity> = (0..64)
        .map(|n| {
            let place = Vec3::new(-((n / 16 + 1) as f32), (n / 4 % 4) as f32 - 1.5, (n % 4) as f32 - 1.5) * 24.0;
            let start = Transform::from_translation(place);
            app.world_mut().spawn((InFormation(leader), BODY, avoid.clone(), start)).id()
        })
        .collect();
    let mut troop = Troop { app, leader, members };
    let is_through = |troop: &Troop| troop.members.iter().all(|member| position(&troop.app, *member).x > 220.0);
    let mut ticks = 0;
    while !is_through(&troop) {
        run(&mut troop.app, 1);
        ticks += 1;
        assert!(ticks < 60 * 40, "not through");
        assert!(troop.gap() > -1e-3, "two overlap by {}", -troop.gap());
    }
    run(&mut troop.app, 60 * 12);
    assert!(troop.farthest() < 4.0, "{}", troop.farthest());
}

#[test]
fn the_nearest_member_takes_over_and_nobody_turns_around() {
    let mut random = numbers(3);
    for case in 0..16 {
        let ahead = direction(&mut random);
        let mut troop = troop(patterns()[case % 8].clone(), 2 + case, ahead);
        troop.go(ahead);
        run(&mut troop.app, 120);
        let (heading, place) = (troop.heading(), position(&troop.app, troop.leader));
        let distance = |member: &Entity| (position(&troop.app, *member).distance(place), *member);
        let distances: Vec<(f32, Entity)> = troop.members.iter().map(distance).collect();
        let nearest = distances.iter().map(|(distance, _)| *distance).fold(f32::INFINITY, f32::min);
        troop.app.world_mut().despawn(troop.leader);
        let is_heir = |(_, member): &&(f32, Entity)| troop.app.world().entity(*member).contains::<Formation>();
        let (distance, heir) = *distances.iter().find(is_heir).expect("somebody takes over");
        assert!(distance <= nearest, "{case}");
        troop.members.retain(|member| *member != heir);
        troop.leader = heir;
        run(&mut troop.app, 1);
        assert!(troop.heading().dot(heading) > 0.95, "{case}: it turns around because its leader is gone");
        assert!(
            troop
                .members
                .iter()
                .all(|member| troop.app.world().get::<InFormation>(*member).expect("it follows").0 == heir)
        );
    }
}

#[test]
fn no_numbers_break_a_formation() {
    let odd = [0.0, -5.0, f32::NAN, f32::INFINITY, 1e-30, 1e9, f32::MAX];
    for spacing in odd {
        for pattern in patterns() {
            let mut app = app();
            let leader = app.world_mut().spawn((Formation::new(pattern).with_spacing(spacing), Wander::default())).id();
            let members: Vec<Entity> = odd
                .iter()
                .map(|&radius| {
                    let body = SteeringAgent { radius, ..BODY };
                    app.world_mut().spawn((InFormation(leader), body, Transform::from_xyz(0.0, 0.0, 9.0))).id()
                })
                .collect();
            run(&mut app, 10);
            app.world_mut().entity_mut(leader).insert(Transform::from_xyz(0.0, f32::NAN, 0.0));
            run(&mut app, 5);
            app.world_mut().entity_mut(leader).insert(Transform::default());
            run(&mut app, 10);
            for member in members {
                assert!(position(&app, member).is_finite() && velocity(&app, member).is_finite(), "{spacing}");
            }
        }
    }
}

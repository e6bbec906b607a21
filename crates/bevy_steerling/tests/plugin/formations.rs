//! Formations gather, turn, pass gates, and outlive their leaders.

use std::collections::BTreeSet;
use std::f32::consts::{FRAC_PI_2, PI};

use super::*;

const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 100.0, max_force: 300.0, radius: 8.0, response_time: 0.0 };

fn pick<T: Clone>(number: &mut impl FnMut() -> f32, from: &[T]) -> T {
    from[(number() * from.len() as f32) as usize % from.len()].clone()
}

fn patterns() -> [Pattern; 6] {
    let own = (0..40_u8).map(|k| Vec2::new(f32::from(k % 3) - 3.0, f32::from(k / 3) - 4.0) * 40.0);
    [Pattern::Line, Pattern::Column, Pattern::Wedge, Pattern::Box, Pattern::Circle, Pattern::Places(own.collect())]
}

/// A leader and its members.
struct Troop {
    app: App,
    leader: Entity,
    members: Vec<Entity>,
}

impl Troop {
    fn state(&self) -> &FormationState {
        self.app.world().get(self.leader).expect("it is an anchor")
    }

    /// Where the slot of a member is.
    fn slot(&self, member: Entity) -> Vec2 {
        let offset = self.app.world().get::<FormationSlot>(member).expect("it has a slot").offset();
        position(&self.app, self.leader) + self.state().heading().expect("it is somewhere").rotate(offset)
    }

    /// The distance of the farthest member from its slot.
    fn farthest(&self) -> f32 {
        self.members.iter().map(|&member| self.slot(member).distance(position(&self.app, member))).fold(0.0, f32::max)
    }

    /// The smallest gap between two bodies.
    fn gap(&self) -> f32 {
        let body = |agent: &Entity| {
            (position(&self.app, *agent), self.app.world().get::<SteeringAgent>(*agent).expect("it has a body").radius)
        };
        let bodies: Vec<(Vec2, f32)> = self.members.iter().chain([&self.leader]).map(body).collect();
        let pairs = bodies.iter().enumerate().flat_map(|(i, a)| bodies[..i].iter().map(move |b| (a, b)));
        pairs.map(|(a, b)| a.0.distance(b.0) - a.1 - b.1).fold(f32::INFINITY, f32::min)
    }

    /// Runs for so many seconds.
    fn run(&mut self, seconds: f32) {
        for _ in 0..self.ticks(seconds) {
            run(&mut self.app, 1);
        }
    }

    fn ticks(&self, seconds: f32) -> usize {
        (seconds / self.app.world().resource::<Time<Fixed>>().timestep().as_secs_f32()).round() as usize
    }

    fn indices(&self) -> BTreeSet<usize> {
        let index = |member: &Entity| self.app.world().get::<FormationSlot>(*member)?.index();
        self.members.iter().map(|member| index(member).expect("it has a slot")).collect()
    }
}

/// A formation that heads along +x. The members are anywhere within `near` of places of the pattern.
fn random_troop(number: &mut impl FnMut() -> f32, near: f32) -> Troop {
    let mut app = app_at(pick(number, &[20.0, 30.0, 60.0]));
    let pattern = pick(number, &patterns());
    let count = 1 + (number() * 20.0) as usize;
    let mass = 0.3 + 3.0 * number();
    let body = |radius: f32| SteeringAgent { mass, max_force: 300.0 * mass, radius, ..BODY };
    let spacing = 26.0 + 24.0 * number();
    let formation = Formation::new(pattern).with_spacing(spacing);
    let leading = SteeringAgent { max_speed: 80.0, ..body(8.0) };
    let leader = app.world_mut().spawn((formation, leading, AvoidNeighbors::default())).id();
    let mut members: Vec<Entity> = Vec::new();
    for _ in 0..count {
        let member = (InFormation(leader), body(5.0 + 3.0 * number()), AvoidNeighbors::default());
        members.push(app.world_mut().spawn((member, at(-500.0, 0.0))).id());
    }
    run(&mut app, 1);
    let mut troop = Troop { app, leader, members };
    let slots: Vec<Vec2> = troop.members.iter().map(|member| troop.slot(*member)).collect();
    let mut taken: Vec<Vec2> = vec![position(&troop.app, leader)];
    for (member, slot) in troop.members.iter().zip(&slots) {
        let mut places = (0..1000).map(|_| *slot + Vec2::new(number() - 0.5, number() - 0.5) * near);
        let is_free = |place: &Vec2| taken.iter().all(|other| other.distance(*place) > 17.0);
        let place = places.find(is_free).unwrap_or(*slot);
        taken.push(place);
        let transform = Transform::from_translation(place.extend(0.0));
        troop.app.world_mut().entity_mut(*member).insert((transform, Velocity::default()));
    }
    let still = (Transform::default(), Velocity(Vec2::new(1.0, 0.0)));
    troop.app.world_mut().entity_mut(leader).insert(still);
    troop
}

fn go(troop: &mut Troop, direction: Vec2) {
    troop.app.world_mut().entity_mut(troop.leader).insert(Seek::new(direction * 1e6));
}

#[test]
fn after_five_seconds_straight_on_all_are_within_half_a_radius_of_their_slots() {
    let mut number = numbers(1);
    for case in 0..40 {
        let mut troop = random_troop(&mut number, 60.0);
        if case % 2 == 0 {
            for agent in troop.members.clone() {
                troop.app.world_mut().entity_mut(agent).remove::<AvoidNeighbors>();
            }
        }
        go(&mut troop, Vec2::X);
        troop.run(5.0);
        let pattern = &troop.app.world().get::<Formation>(troop.leader).expect("it is an anchor").pattern;
        assert!(troop.farthest() < 2.5, "{case}: {} in {pattern:?} of {}", troop.farthest(), troop.members.len());
        assert!(velocity(&troop.app, troop.leader).x > 60.0, "{case}: it waits at {}", troop.state().pace());
    }
}

#[test]
fn a_formation_turns_without_a_touch_and_is_in_order_again() {
    let mut number = numbers(2);
    for case in 0..30 {
        let mut troop = random_troop(&mut number, 20.0);
        go(&mut troop, Vec2::X);
        troop.run(4.0);
        let turn = if case % 2 == 0 { FRAC_PI_2 } else { PI } * if number() < 0.5 { -1.0 } else { 1.0 };
        let direction = Vec2::from_angle(turn);
        go(&mut troop, direction);
        for _ in 0..troop.ticks(15.0) {
            run(&mut troop.app, 1);
            assert!(troop.gap() > 0.0, "{case}: two overlap by {}", -troop.gap());
        }
        let heading = troop.state().heading().expect("it is somewhere");
        let pattern = &troop.app.world().get::<Formation>(troop.leader).expect("it is an anchor").pattern;
        assert!(troop.farthest() < 4.0, "{case}: {} in {pattern:?}", troop.farthest());
        let faces = if *pattern == Pattern::Line { heading.dot(direction).abs() } else { heading.dot(direction) };
        // A long formation takes long to wheel: its farthest member at half its max speed.
        let reach = troop.members.iter().map(|member| troop.slot(*member).distance(position(&troop.app, troop.leader)));
        let is_done = turn.abs() * reach.fold(0.0, f32::max) < 50.0 * 12.0;
        assert!(faces > 0.99 || !is_done, "{case}: it faces along {heading} instead of {direction}");
    }
}

#[test]
fn a_hundred_pass_a_gate_half_as_wide_as_they_are_and_form_up_again() {
    for spacing in [24.0, 40.0] {
        let mut app = app();
        let half_gate = 0.25 * (9.0 * spacing + 16.0);
        for side in [-1.0, 1.0] {
            app.world_mut()
                .spawn((Obstacle::new(Rectangle::new(20.0, 2000.0)), at(300.0, side * (1000.0 + half_gate))));
        }
        let leading = SteeringAgent { max_speed: 80.0, ..BODY };
        let avoid = (AvoidObstacles::default(), AvoidNeighbors::default());
        let path = FollowPath::new([Vec2::ZERO, Vec2::new(1e4, 0.0)]);
        let formation = Formation::new(Pattern::Box).with_spacing(spacing);
        let leader = app.world_mut().spawn((formation, leading, path, avoid.clone(), at(0.0, 0.0))).id();
        let members = (0..100).map(|n| {
            let place = Vec2::new(-((n / 10 + 1) as f32), (n % 10) as f32 - 4.5) * spacing;
            app.world_mut().spawn((InFormation(leader), BODY, avoid.clone(), at(place.x, place.y))).id()
        });
        let members = members.collect();
        let mut troop = Troop { app, leader, members };
        let mut through = None;
        for tick in 0.. {
            run(&mut troop.app, 1);
            let is_through = troop.members.iter().all(|member| position(&troop.app, *member).x > 318.0);
            through = through.or(is_through.then_some(tick));
            if tick % 20 == 0 {
                assert!(troop.gap() > -0.01, "two overlap by {}", -troop.gap());
            }
            if through.is_some() && troop.farthest() < 4.0 {
                println!("spacing {spacing}: through after {} ticks, formed up after {tick}", through.unwrap_or(0));
                break;
            }
            assert!(tick < 60 * 90, "not all are through");
            assert!(through.is_none_or(|through| tick < through + 600), "{} off", troop.farthest());
        }
    }
}

#[test]
fn a_slot_that_falls_free_is_filled_and_a_newcomer_gets_one() {
    let mut number = numbers(3);
    for case in 0..30 {
        let mut troop = random_troop(&mut number, 40.0);
        go(&mut troop, Vec2::X);
        troop.run(1.0);
        if troop.members.len() > 1 {
            let gone = troop.members.remove((number() * 100.0) as usize % troop.members.len());
            if case % 2 == 0 {
                troop.app.world_mut().despawn(gone);
            } else {
                troop.app.world_mut().entity_mut(gone).remove::<InFormation>();
            }
        }
        run(&mut troop.app, 1);
        assert!(troop.indices().into_iter().eq(0..troop.members.len()), "{case}: one is left out");
        let place = position(&troop.app, troop.leader) - Vec2::new(300.0, 0.0);
        let newcomer = (InFormation(troop.leader), BODY, AvoidNeighbors::default(), at(place.x, place.y));
        let newcomer = troop.app.world_mut().spawn(newcomer).id();
        troop.members.push(newcomer);
        run(&mut troop.app, 1);
        assert!(troop.indices().into_iter().eq(0..troop.members.len()), "{case}: the newcomer is left out");
        assert_eq!(troop.state().holders().len(), troop.members.len());
    }
}

#[test]
fn the_nearest_member_takes_over_unless_the_formation_dissolves() {
    let mut number = numbers(4);
    for case in 0..30 {
        let mut troop = random_troop(&mut number, 40.0);
        go(&mut troop, Vec2::X);
        troop.run(2.0);
        let dissolves = case % 3 == 0;
        if dissolves {
            let mut formation = troop.app.world_mut().get_mut::<Formation>(troop.leader).expect("it is an anchor");
            formation.succession = Succession::Dissolve;
        }
        let (heading, settings) = (troop.state().heading(), troop.app.world().get::<Formation>(troop.leader).cloned());
        let place = position(&troop.app, troop.leader);
        let distance = |member: &Entity| position(&troop.app, *member).distance(place);
        let heir = *troop.members.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("it has members");
        troop.app.world_mut().despawn(troop.leader);
        let world = troop.app.world();
        if dissolves {
            assert!(troop.members.iter().all(|member| !world.entity(*member).contains::<InFormation>()));
            troop.members.iter().for_each(|member| assert!(!world.entity(*member).contains::<Formation>()));
            continue;
        }
        assert_eq!(world.get::<Formation>(heir).cloned(), settings, "{case}");
        troop.members.retain(|member| *member != heir);
        for member in &troop.members {
            assert_eq!(world.get::<InFormation>(*member), Some(&InFormation(heir)));
        }
        troop.leader = heir;
        run(&mut troop.app, 1);
        assert!(troop.indices().into_iter().eq(0..troop.members.len()));
        if !troop.members.is_empty() {
            let turned = troop.state().heading().expect("it is somewhere").dot(heading.expect("it was somewhere"));
            assert!(turned > 0.95, "{case}: the formation turns around because its leader is gone");
        }
    }
}

#[test]
fn a_formation_is_not_handed_over_when_its_anchor_lays_it_down() {
    let mut app = app();
    let leader = app.world_mut().spawn((Formation::default(), Wander::default())).id();
    let member = app.world_mut().spawn((InFormation(leader), at(30.0, 0.0))).id();
    run(&mut app, 30);
    app.world_mut().entity_mut(leader).remove::<Formation>();
    run(&mut app, 2);
    assert!(app.world().get::<Formation>(member).is_none());
    assert_eq!(force(&app, member), Vec2::ZERO);
}

#[test]
fn an_anchor_may_be_an_empty_that_the_game_moves_and_turns() {
    let mut app = app();
    let anchor = app.world_mut().spawn((Formation::new(Pattern::Column).with_spacing(30.0), at(10.0, 20.0))).id();
    let member = app.world_mut().spawn((InFormation(anchor), at(0.0, 0.0))).id();
    run(&mut app, 300);
    assert!(position(&app, member).distance(Vec2::new(-20.0, 20.0)) < 1e-3);
    let mut transform = app.world_mut().get_mut::<Transform>(anchor).expect("it has a place");
    *transform = transform.with_rotation(Quat::from_rotation_z(FRAC_PI_2));
    run(&mut app, 600);
    assert!(position(&app, member).distance(Vec2::new(10.0, -10.0)) < 0.01, "{}", position(&app, member));
    assert_eq!(
        app.world().get::<FormationMembers>(anchor).expect("it has members").iter().collect::<Vec<_>>(),
        [member]
    );
}

#[test]
fn an_anchor_is_no_faster_than_its_members() {
    let mut app = app();
    let fast = SteeringAgent { max_speed: 300.0, max_force: 900.0, ..BODY };
    let slow = SteeringAgent { max_speed: 40.0, ..BODY };
    let leader = app.world_mut().spawn((Formation::new(Pattern::Wedge), fast, Seek::new(Vec2::new(1e6, 0.0)))).id();
    let place = |app: &mut App, y| app.world_mut().spawn((InFormation(leader), slow, at(-20.0, y))).id();
    let members = vec![place(&mut app, -20.0), place(&mut app, 20.0)];
    let mut troop = Troop { app, leader, members };
    troop.run(30.0);
    let speed = velocity(&troop.app, leader).length();
    assert!(speed > 38.0 && speed < 40.1, "{speed}");
    assert!(troop.farthest() < 4.0, "{}", troop.farthest());
    // Alone again, it goes at full speed.
    for member in troop.members.drain(..) {
        troop.app.world_mut().despawn(member);
    }
    troop.run(2.0);
    assert!(velocity(&troop.app, leader).length() > 299.0);
}

#[test]
fn formations_of_formations_work_and_circles_of_them_do_not_hang() {
    let mut app = app();
    let formation = |pattern| (Formation::new(pattern).with_spacing(30.0), BODY);
    let general = app.world_mut().spawn((formation(Pattern::Column), Seek::new(Vec2::new(1e6, 0.0)))).id();
    let captain = app.world_mut().spawn((formation(Pattern::Line), InFormation(general), at(-40.0, 10.0))).id();
    let soldier = app.world_mut().spawn((InFormation(captain), BODY, at(-40.0, 60.0))).id();
    run(&mut app, 900);
    let way = position(&app, soldier) - position(&app, general);
    assert!(way.distance(Vec2::new(-30.0, 30.0)) < 1.0, "{way}");
    app.world_mut().entity_mut(general).insert(InFormation(soldier));
    app.world_mut().entity_mut(soldier).insert(formation(Pattern::Circle));
    run(&mut app, 300);
    assert!([general, captain, soldier].iter().all(|agent| position(&app, *agent).is_finite()));
}

#[test]
fn vehicles_keep_their_slots_and_a_world_that_wraps_has_no_seam() {
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(Vec2::splat(-200.0), Vec2::splat(200.0)));
    let leading = SteeringAgent { max_speed: 60.0, ..BODY };
    let leader = (Formation::new(Pattern::Wedge).with_spacing(40.0), leading, Seek::new(Vec2::new(150.0, 0.0)));
    let leader = app.world_mut().spawn((leader, at(0.0, 0.0))).id();
    app.world_mut()
        .entity_mut(leader)
        .remove::<Seek>()
        .insert((MatchVelocity::new(leader), Velocity(Vec2::new(60.0, 0.0))));
    let car = BodyLimits::default().with_min_turning_radius(20.0);
    let members: Vec<Entity> = [-40.0, 40.0]
        .into_iter()
        .map(|y| app.world_mut().spawn((InFormation(leader), BODY, car.clone(), at(-60.0, y))).id())
        .collect();
    run(&mut app, 60 * 20);
    let space = app.world().resource::<SteeringBounds>().space();
    for (member, side) in members.into_iter().zip([-1.0, 1.0]) {
        let way = space.displacement(position(&app, leader), position(&app, member));
        assert!(way.distance(Vec2::new(-1.0, side) * 28.28) < 4.0, "{way}");
    }
}

#[test]
fn no_numbers_break_a_formation() {
    let odd = [0.0, -5.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-30, 1e9, f32::MAX];
    for spacing in odd {
        for pattern in patterns() {
            let mut app = app();
            let leader = app.world_mut().spawn((Formation::new(pattern).with_spacing(spacing), Wander::default())).id();
            let members: Vec<Entity> = odd
                .iter()
                .map(|&radius| {
                    let body = SteeringAgent { radius, ..BODY };
                    app.world_mut().spawn((InFormation(leader), body, at(radius.min(100.0), 0.0))).id()
                })
                .collect();
            run(&mut app, 20);
            app.world_mut().entity_mut(leader).insert(at(f32::NAN, 0.0));
            run(&mut app, 5);
            app.world_mut().entity_mut(leader).insert(at(5.0, 0.0));
            run(&mut app, 20);
            for (member, place) in members.into_iter().zip(odd) {
                let there = position(&app, member);
                assert!(there.is_finite() || !place.min(100.0).is_finite(), "{there} with {spacing}");
                assert!(force(&app, member).is_finite());
            }
        }
    }
}

/// In the order of spawning, or the other way round.
fn places_after_a_while(count: usize, backward: bool) -> Vec<Vec2> {
    let mut app = app();
    let leading = SteeringAgent { max_speed: 80.0, ..BODY };
    let leader = (Formation::new(Pattern::Box).with_spacing(20.0), leading, Seek::new(Vec2::new(1e6, 3e5)));
    let leader = app.world_mut().spawn((leader, SteeringId::new(1_000))).id();
    let mut order: Vec<usize> = (0..count).collect();
    if backward {
        order.reverse();
    }
    let mut members: Vec<(usize, Entity)> = Vec::new();
    for n in order {
        // Several in the same place, at the same distance from several slots.
        let place = at(-((n % 7) as f32) * 20.0, ((n / 14) as f32) * 20.0);
        let member = (InFormation(leader), BODY, SteeringId::new(n as u64), Separation::default(), place);
        members.push((n, app.world_mut().spawn(member).id()));
    }
    run(&mut app, 200);
    members.sort();
    members.iter().map(|(_, member)| position(&app, *member)).collect()
}

#[test]
fn who_gets_which_slot_does_not_depend_on_the_order_of_spawning() {
    for count in [9, 64, 150] {
        assert_eq!(places_after_a_while(count, false), places_after_a_while(count, true), "{count}");
    }
}

#[test]
fn slots_tell_how_far_away_their_members_are() {
    let mut number = numbers(9);
    for case in 0..quarter_of(40) {
        let mut troop = random_troop(&mut number, 200.0);
        go(&mut troop, Vec2::from_angle(2.0 * number()));
        for _ in 0..60 {
            let anchor = position(&troop.app, troop.leader);
            let before: Vec<Vec2> = troop.members.iter().map(|member| position(&troop.app, *member)).collect();
            run(&mut troop.app, 1);
            for (member, place) in troop.members.iter().zip(before) {
                let told = troop.app.world().get::<FormationSlot>(*member).expect("it has a slot").distance();
                let distance = (troop.slot(*member) - position(&troop.app, troop.leader) + anchor).distance(place);
                assert!((told - distance).abs() < 1e-3 * (1.0 + distance), "{case}: {told} instead of {distance}");
            }
        }
    }
}

#[test]
fn an_anchor_is_held_to_the_pace_that_it_tells() {
    let mut number = numbers(10);
    let mut waits = 0;
    for case in 0..quarter_of(40) {
        let mut troop = random_troop(&mut number, 300.0);
        // It would also make way for its members.
        troop.app.world_mut().entity_mut(troop.leader).remove::<AvoidNeighbors>();
        go(&mut troop, Vec2::X);
        for _ in 0..troop.ticks(4.0) {
            let before = velocity(&troop.app, troop.leader).length();
            run(&mut troop.app, 1);
            let (pace, speed) = (troop.state().pace(), velocity(&troop.app, troop.leader).length());
            // Its least speed is a quarter of its max speed.
            let held = pace.max(20.0) + 5.0;
            assert!(speed <= held.max(before), "{case}: {before} to {speed} units/s at a pace of {pace}");
            waits += usize::from(pace < 60.0);
        }
        for member in troop.members.clone() {
            troop.app.world_mut().despawn(member);
        }
        run(&mut troop.app, 1);
        assert_eq!(troop.state().pace(), f32::MAX, "{case}: nobody is left");
    }
    assert!(waits > 100, "it waits in {waits} ticks only");
}

/// The number of places on the trail of a formation, from its state as a tool shows it.
fn trail_length(state: &FormationState) -> usize {
    let trail = state.reflect_path("trail").expect("there is such a field");
    format!("{trail:?}").matches("Vec2(").count()
}

#[test]
fn the_trail_of_a_long_column_reaches_its_last_member() {
    let mut app = app();
    let formation = Formation::new(Pattern::Column).with_spacing(20.0);
    let leading = SteeringAgent { max_speed: 80.0, ..BODY };
    let leader = app.world_mut().spawn((formation, leading, Seek::new(Vec2::X * 1e6))).id();
    let member = |k: u8| (InFormation(leader), BODY, at(-20.0 * f32::from(k), 0.0));
    let members: Vec<Entity> = (1..=60).map(|k| app.world_mut().spawn(member(k)).id()).collect();
    let mut troop = Troop { app, leader, members };
    troop.run(40.0);
    let reach = troop.members.iter().map(|member| troop.slot(*member).distance(position(&troop.app, leader)));
    let (reach, length) = (reach.fold(0.0, f32::max), trail_length(troop.state()));
    assert!(reach > 1000.0 && 20.0 * length as f32 >= reach, "{length} places for {reach} units");
}

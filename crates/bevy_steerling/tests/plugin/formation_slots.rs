//! The slots of members while a formation turns, while members trade places, and when they change to another formation.

use std::collections::BTreeSet;
use std::f32::consts::PI;

use super::*;

const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 100.0, max_force: 300.0, radius: 8.0, response_time: 0.0 };

/// A body that hardly moves within half a second.
const SLOW: SteeringAgent = SteeringAgent { max_force: 10.0, radius: 2.0, ..BODY };

fn slot(app: &App, member: Entity) -> &FormationSlot {
    app.world().get(member).expect("it is in a formation")
}

fn index(app: &App, member: Entity) -> usize {
    slot(app, member).index().expect("it has a slot")
}

fn state(app: &App, anchor: Entity) -> &FormationState {
    app.world().get(anchor).expect("it is an anchor")
}

fn heading(app: &App, anchor: Entity) -> Vec2 {
    state(app, anchor).heading().expect("it has a place")
}

/// The place of a member's slot.
fn place_of_slot(app: &App, anchor: Entity, member: Entity) -> Vec2 {
    position(app, anchor) + heading(app, anchor).rotate(slot(app, member).offset())
}

/// An anchor at a place, which faces along +x, and so many members behind it.
fn spawn_formation(app: &mut App, formation: Formation, place: Vec2, members: usize) -> (Entity, Vec<Entity>) {
    let anchor = app.world_mut().spawn((formation, at(place.x, place.y))).id();
    let mut member = |k: usize| {
        let member = (InFormation(anchor), BODY, at(place.x - 30.0 * (k + 1) as f32, place.y));
        app.world_mut().spawn(member).id()
    };
    let members = (0..members).map(&mut member).collect();
    (anchor, members)
}

/// Turns the anchor of six members about, so many ticks after they have fallen in. Returns the angle by which the formation turns within a
/// tick, and the largest distance of any member from where it was, during some seconds and at the end.
fn turn_about(pattern: Pattern, ticks: usize) -> (f32, f32, f32) {
    let mut app = app();
    let (anchor, members) = spawn_formation(&mut app, Formation::new(pattern).with_spacing(30.0), Vec2::ZERO, 6);
    run(&mut app, 60 * 8 + ticks);
    let start: Vec<Vec2> = members.iter().map(|member| position(&app, *member)).collect();
    let farthest = |app: &App| {
        let ways = members.iter().zip(&start).map(|(member, start)| position(app, *member).distance(*start));
        ways.fold(0.0, f32::max)
    };
    app.world_mut().get_mut::<Transform>(anchor).expect("it has a place").rotation = Quat::from_rotation_z(PI);
    run(&mut app, 1);
    let (turned, mut away) = (heading(&app, anchor).angle_to(Vec2::X).abs(), 0.0_f32);
    for _ in 0..60 * 10 {
        run(&mut app, 1);
        away = away.max(farthest(&app));
    }
    let faces = heading(&app, anchor);
    assert!(faces.dot(Vec2::NEG_X) > 0.9, "it faces along {faces}");
    (turned, away, farthest(&app))
}

#[test]
fn a_line_faces_about_while_other_formations_wheel() {
    for ticks in [0, 1, 8] {
        let (turned, away, at_end) = turn_about(Pattern::Line, ticks);
        assert!(turned > 3.1 && away < 0.01 && at_end < 0.01, "{turned}, {away}, {at_end}");
    }
    for pattern in [Pattern::Column, Pattern::Wedge, Pattern::Box, Pattern::Circle] {
        let (turned, away, _) = turn_about(pattern.clone(), 1);
        assert!(turned < 0.1 && away > 59.0, "{pattern:?}: {turned}, {away}");
    }
}

/// A formation of slow members in the given places, which has just fallen in. The first one has this id.
fn fallen_in(app: &mut App, formation: Formation, places: &[Vec2], first: u64) -> Vec<Entity> {
    let anchor = app.world_mut().spawn((formation, at(0.0, 0.0))).id();
    let mut member = |(place, id): (&Vec2, u64)| {
        app.world_mut().spawn((InFormation(anchor), SLOW, SteeringId::new(id), at(place.x, place.y))).id()
    };
    let members: Vec<Entity> = places.iter().zip(first..).map(&mut member).collect();
    run(app, 1);
    assert!(members.iter().enumerate().all(|(k, member)| index(app, *member) == k), "each is in its slot");
    members
}

fn trade_places(app: &mut App, one: Entity, other: Entity) {
    let [place, other_place] = [one, other].map(|member| position(app, member));
    app.world_mut().entity_mut(one).insert(at(other_place.x, other_place.y));
    app.world_mut().entity_mut(other).insert(at(place.x, place.y));
}

#[test]
fn members_that_trade_places_trade_slots_within_half_a_second() {
    let places = [40.0, -40.0, 80.0, -80.0].map(|left| Vec2::new(0.0, left));
    // A formation decides about its slots every quarter of a second, and the first time up to twice as late.
    for (first, wait) in [(0, 15), (7, 22), (15, 30), (16, 15)] {
        let mut app = app();
        let members = fallen_in(&mut app, Formation::new(Pattern::Line).with_spacing(40.0), &places, first);
        for (trade, expected) in [[2, 1, 0, 3], [0, 1, 2, 3], [2, 1, 0, 3]].into_iter().enumerate() {
            trade_places(&mut app, members[0], members[2]);
            let mut ticks = 0;
            while members.iter().zip(expected).any(|(member, expected)| index(&app, *member) != expected) {
                run(&mut app, 1);
                ticks += 1;
                assert!(ticks <= 30, "trade {trade}, first id {first}");
            }
            let expected = if trade == 0 { wait } else { 15 };
            assert!((expected - 1..=expected + 1).contains(&ticks), "{ticks} instead of {expected} ticks");
        }
    }
}

#[test]
fn members_that_are_at_most_an_eighth_of_the_spacing_off_keep_their_slots() {
    let places = [Vec2::new(-20.0, 0.0), Vec2::new(-20.0, 3.0)];
    for (spacing, expected) in [(40.0, [0, 1]), (26.0, [0, 1]), (16.0, [1, 0])] {
        let mut app = app();
        let formation = Formation::new(Pattern::Places(places.to_vec())).with_spacing(spacing);
        let members = fallen_in(&mut app, formation, &places, 0);
        trade_places(&mut app, members[0], members[1]);
        run(&mut app, 30);
        assert_eq!([0, 1].map(|k: usize| index(&app, members[k])), expected, "spacing {spacing}");
    }
}

#[test]
fn a_member_that_changes_to_another_formation_gives_up_its_slot_and_gets_one_there() {
    let mut app = app();
    let formation = || Formation::new(Pattern::Column).with_spacing(30.0);
    let (first, members) = spawn_formation(&mut app, formation(), Vec2::ZERO, 3);
    let (second, others) = spawn_formation(&mut app, formation(), Vec2::new(0.0, 200.0), 2);
    run(&mut app, 60);
    let (leaver, stay) = (members[0], &members[1..]);
    assert_eq!(index(&app, leaver), 0);
    app.world_mut().entity_mut(leaver).insert(InFormation(second));
    run(&mut app, 1);
    let indices =
        |app: &App, members: &[Entity]| members.iter().map(|member| index(app, *member)).collect::<BTreeSet<_>>();
    let joined = [others[0], others[1], leaver];
    assert!(indices(&app, stay).into_iter().eq(0..2) && indices(&app, &joined).into_iter().eq(0..3));
    for (anchor, members) in [(first, stay), (second, &joined)] {
        assert_eq!(state(&app, anchor).holders().len(), members.len());
        for member in members {
            assert_eq!(state(&app, anchor).holders()[index(&app, *member)], *member);
        }
    }
    run(&mut app, 60 * 8);
    for (anchor, members) in [(first, stay), (second, &joined)] {
        for member in members {
            let (place, slot) = (position(&app, *member), place_of_slot(&app, anchor, *member));
            assert!(place.distance(slot) < 0.1, "it is at {place} instead of {slot}");
        }
    }
}

#[test]
fn a_formation_is_as_fast_as_before_with_a_newcomer_that_was_far_off_in_another_one() {
    let mut app = app();
    let formation = || Formation::new(Pattern::Column).with_spacing(30.0);
    let (second, _) = spawn_formation(&mut app, formation(), Vec2::new(3000.0, 0.0), 1);
    let first = app.world_mut().spawn((formation(), at(0.0, 0.0))).id();
    let newcomer = app.world_mut().spawn((InFormation(first), BODY, at(2940.0, 0.0))).id();
    run(&mut app, 3);
    assert_eq!((state(&app, first).pace(), state(&app, second).pace()), (0.0, 100.0));
    app.world_mut().entity_mut(newcomer).insert(InFormation(second));
    for _ in 0..30 {
        run(&mut app, 1);
        assert!(state(&app, second).pace() > 98.0, "{}", state(&app, second).pace());
    }
}

#[test]
fn a_member_whose_slot_is_in_a_wall_waits_on_the_trail_as_far_behind_as_its_slot() {
    for behind in [30.0, 90.0, 150.0] {
        let mut app = app();
        let formation = Formation::new(Pattern::Places(vec![Vec2::new(-behind, 60.0)])).with_spacing(30.0);
        let anchor = app.world_mut().spawn((formation, at(-400.0, 0.0))).id();
        app.world_mut().spawn((Obstacle::new(Circle::new(25.0)), at(-behind, 60.0)));
        let member = app.world_mut().spawn((InFormation(anchor), BODY, at(-behind, -80.0))).id();
        for step in 0..=200_u8 {
            app.world_mut().entity_mut(anchor).insert(at(2.0 * f32::from(step) - 400.0, 0.0));
            run(&mut app, 1);
        }
        run(&mut app, 60 * 5);
        let place = position(&app, member);
        assert!(place.y.abs() < 1.0 && (-behind - 30.0..=-behind).contains(&place.x), "{behind}: {place}");
    }
}

#[test]
fn nobody_holds_a_slot_once_the_last_member_has_left() {
    let mut app = app();
    let formation = Formation::new(Pattern::Column).with_spacing(30.0);
    let (anchor, members) = spawn_formation(&mut app, formation, Vec2::ZERO, 2);
    run(&mut app, 2);
    assert_eq!(state(&app, anchor).holders().len(), 2);
    for member in members {
        app.world_mut().entity_mut(member).remove::<InFormation>();
    }
    run(&mut app, 1);
    assert!(state(&app, anchor).holders().is_empty());
}

#[test]
fn members_get_the_slots_of_a_new_pattern_at_once() {
    let mut app = app();
    let formation = Formation::new(Pattern::Line).with_spacing(30.0);
    let (anchor, members) = spawn_formation(&mut app, formation, Vec2::ZERO, 4);
    run(&mut app, 120);
    app.world_mut().get_mut::<Formation>(anchor).expect("it is an anchor").pattern = Pattern::Column;
    run(&mut app, 1);
    for member in &members {
        let offset = slot(&app, *member).offset();
        assert!(offset.x < -29.0 && offset.y == 0.0, "{offset}");
    }
}

#[test]
fn a_member_that_leaves_and_comes_back_gets_a_slot_of_its_own() {
    let mut app = app();
    let formation = Formation::new(Pattern::Column).with_spacing(30.0);
    let (anchor, members) = spawn_formation(&mut app, formation, Vec2::ZERO, 4);
    run(&mut app, 60);
    let leaver = *members.iter().find(|member| index(&app, **member) == 0).expect("somebody is first");
    app.world_mut().entity_mut(leaver).remove::<InFormation>();
    run(&mut app, 1);
    app.world_mut().entity_mut(leaver).insert(InFormation(anchor));
    run(&mut app, 1);
    let indices: BTreeSet<usize> = members.iter().map(|member| index(&app, *member)).collect();
    assert!(indices.iter().copied().eq(0..4), "{indices:?}");
}

//! Groups of agents as targets: the nearest member, or all of them.

use super::*;

const PREY: GroupMask = GroupMask::bit(1);
const HUNTERS: GroupMask = GroupMask::bit(2);

/// An agent strong enough to show what it wants.
const STRONG: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 100.0, max_force: 1e9, radius: 8.0, response_time: 0.0 };

/// The velocity that an agent desires which is at rest and strong enough.
fn desired(app: &App, agent: Entity) -> Vec2 {
    force(app, agent) * TICK
}

fn spawn_member(app: &mut App, groups: GroupMask, x: f32, y: f32) -> Entity {
    app.world_mut().spawn((SteeringAgent::default(), SteeringGroups(groups), at(x, y))).id()
}

/// What `behavior` desires at a place with members of the hunters at others.
fn desired_among(behavior: impl Bundle, place: Vec2, hunters: &[Vec2]) -> Vec2 {
    let mut app = app();
    let agent = app.world_mut().spawn((behavior, STRONG, SteeringId::new(7), at(place.x, place.y))).id();
    for hunter in hunters {
        spawn_member(&mut app, HUNTERS, hunter.x, hunter.y);
    }
    run(&mut app, 1);
    desired(&app, agent)
}

/// What has a target.
type Insert = fn(&mut EntityWorldMut, Target);

const ALL: [Insert; 8] = [
    |agent, target| _ = agent.insert(Seek::new(target)),
    |agent, target| _ = agent.insert(Arrive::new(target)),
    |agent, target| _ = agent.insert(Pursue::new(target)),
    |agent, target| _ = agent.insert(MatchVelocity::new(target)),
    |agent, target| _ = agent.insert(Flee::new(target).with_panic_distance(90.0)),
    |agent, target| _ = agent.insert(Flee::new(target).with_panic_distance(1e9)),
    |agent, target| _ = agent.insert(Evade::new(target).with_panic_distance(90.0)),
    |agent, target| _ = agent.insert(Evade::new(target).with_panic_distance(90.0).with_max_prediction(0.3)),
];

#[test]
fn a_group_of_one_is_a_target_like_its_member() {
    let way = |insert: Insert, group: bool, bounds: SteeringBounds| {
        let mut app = app();
        app.insert_resource(bounds);
        let world = app.world_mut();
        let member = world.spawn((Wander::default(), SteeringGroups(HUNTERS), at(70.0, 20.0))).id();
        // Others make no difference.
        world.spawn((Wander::default(), SteeringGroups(PREY), at(20.0, 10.0)));
        world.spawn((Wander::default(), at(20.0, 0.0)));
        let mut agent = world.spawn(at(10.0, 10.0));
        insert(&mut agent, if group { Target::Group(HUNTERS) } else { member.into() });
        let agent = agent.id();
        (0..300)
            .map(|_| {
                run(&mut app, 1);
                position(&app, agent)
            })
            .collect::<Vec<Vec2>>()
    };
    for insert in ALL {
        for bounds in [SteeringBounds::default(), SteeringBounds::wrap(Vec2::splat(-40.0), Vec2::splat(120.0))] {
            let ways = way(insert, true, bounds);
            assert_eq!(ways, way(insert, false, bounds));
            assert_ne!(ways[0], ways[299]);
        }
    }
}

#[test]
fn a_group_without_other_members_gives_no_force() {
    for insert in ALL {
        let mut app = app();
        spawn_member(&mut app, PREY, 10.0, 0.0);
        // Of one's own group, all others count.
        let mut agent = app.world_mut().spawn((SteeringGroups(HUNTERS), Velocity(Vec2::new(3.0, 4.0))));
        insert(&mut agent, Target::Group(HUNTERS));
        let agent = agent.id();
        run(&mut app, 1);
        assert_eq!(force(&app, agent), Vec2::ZERO);
        let member = spawn_member(&mut app, HUNTERS | PREY, 20.0, 0.0);
        run(&mut app, 1);
        assert_ne!(force(&app, agent), Vec2::ZERO);
        app.world_mut().entity_mut(member).insert(SteeringGroups(PREY));
        run(&mut app, 1);
        assert_eq!(force(&app, agent), Vec2::ZERO);
        app.world_mut().entity_mut(member).insert(SteeringGroups(HUNTERS));
        app.world_mut().despawn(member);
        run(&mut app, 1);
        assert_eq!(force(&app, agent), Vec2::ZERO);
    }
}

#[test]
fn who_says_nothing_about_groups_belongs_to_the_first() {
    for (groups, found) in [(1, true), (0b11, true), (0b10, false), (0, false)] {
        let mut app = app();
        app.world_mut().spawn((SteeringAgent::default(), at(50.0, 0.0)));
        let agent = app.world_mut().spawn((Seek::new(Target::Group(GroupMask::from_bits(groups))), STRONG)).id();
        run(&mut app, 1);
        assert_eq!(force(&app, agent) != Vec2::ZERO, found, "{groups}");
    }
}

#[test]
fn the_nearest_member_is_pursued_however_far_away_it_is() {
    for scale in [1e-3, 1.0, 1e6] {
        let mut app = app();
        let hunter = app.world_mut().spawn((Pursue::new(Target::Group(PREY)), STRONG)).id();
        let mut random = numbers(3);
        for _ in 0..50 {
            let place = Vec2::from_angle(6.0 * random()) * (2.0 + 30.0 * random()) * scale;
            spawn_member(&mut app, PREY, place.x, place.y);
        }
        spawn_member(&mut app, HUNTERS, 0.1 * scale, 0.0);
        spawn_member(&mut app, PREY, 0.0, -1.5 * scale);
        run(&mut app, 1);
        let off = desired(&app, hunter) - Vec2::new(0.0, -100.0);
        assert!(off.length() < 1e-3, "{scale}: {off}");
    }
}

#[test]
fn the_nearest_is_nearest_across_the_seam() {
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(Vec2::ZERO, Vec2::splat(100.0)));
    spawn_member(&mut app, PREY, 30.0, 50.0);
    spawn_member(&mut app, PREY, 95.0, 50.0);
    let hunter = app.world_mut().spawn((Pursue::new(Target::Group(PREY)), STRONG, at(5.0, 50.0))).id();
    run(&mut app, 1);
    assert!(desired(&app, hunter).x < -99.0);
}

#[test]
fn of_two_equally_near_it_stays_with_one() {
    for swapped in [false, true] {
        let mut app = app();
        // They run away from it as fast as it runs, each to its side.
        let numbers = if swapped { [9, 4] } else { [4, 9] };
        for (number, y) in numbers.into_iter().zip([30.0, -30.0]) {
            app.world_mut().spawn((
                Evade::new(Target::Group(HUNTERS)),
                SteeringGroups(PREY),
                SteeringId::new(number),
                at(60.0, y),
            ));
        }
        let hunter = app
            .world_mut()
            .spawn((Pursue::new(Target::Group(PREY)), SteeringGroups(HUNTERS), Velocity(Vec2::new(100.0, 0.0))))
            .id();
        for tick in 0..300 {
            run(&mut app, 1);
            let side = if swapped { -1.0 } else { 1.0 };
            assert!(position(&app, hunter).y * side > 0.0, "{swapped} {tick}: {}", position(&app, hunter));
        }
    }
}

#[test]
fn it_flees_from_all_members_near_and_most_from_the_nearest() {
    let flee = || Flee::new(Target::Group(HUNTERS)).with_panic_distance(100.0);
    let hunters = [Vec2::new(20.0, 0.0), Vec2::new(0.0, 50.0), Vec2::new(0.0, -101.0)];
    // Weights 1/20 − 1/100 and 1/50 − 1/100; the third is too far away.
    let expected = Vec2::new(-0.04, -0.01).normalize() * 100.0;
    let wanted = desired_among(flee(), Vec2::ZERO, &hunters);
    assert!(wanted.distance(expected) < 1e-3, "{wanted}");
    // Standing still, they are no nearer in future.
    let evaded = desired_among(Evade::new(Target::Group(HUNTERS)).with_panic_distance(100.0), Vec2::ZERO, &hunters);
    assert!(evaded.distance(expected) < 1e-3, "{evaded}");
    assert_eq!(desired_among(flee(), Vec2::ZERO, &hunters[2..]), Vec2::ZERO);
}

#[test]
fn without_a_panic_distance_members_matter_within_a_second_of_max_speed() {
    for behavior in [
        |at: f32| desired_among(Flee::new(Target::Group(HUNTERS)), Vec2::ZERO, &[Vec2::new(at, 0.0)]),
        |at: f32| desired_among(Evade::new(Target::Group(HUNTERS)), Vec2::ZERO, &[Vec2::new(at, 0.0)]),
    ] {
        assert!(behavior(100.0).x < -99.0);
        assert_eq!(behavior(100.1), Vec2::ZERO);
    }
}

#[test]
fn it_evades_where_each_of_them_will_be() {
    let mut app = app();
    let evade = Evade::new(Target::Group(HUNTERS)).with_prediction(Prediction::Fixed(1.0));
    let agent = app.world_mut().spawn((evade, STRONG)).id();
    for y in [15.0, -15.0] {
        let hunter = spawn_member(&mut app, HUNTERS, -30.0, y);
        // Both run past it to the right.
        app.world_mut().entity_mut(hunter).insert(Velocity(Vec2::new(90.0, 0.0)));
    }
    run(&mut app, 1);
    assert!(desired(&app, agent).x < -99.0, "{}", desired(&app, agent));
}

/// The largest change of what it desires from one place to the next on a straight way in so many steps.
fn largest_jump(from: Vec2, to: Vec2, steps: u16, hunters: &[Vec2]) -> f32 {
    let mut app = app();
    for hunter in hunters {
        spawn_member(&mut app, HUNTERS, hunter.x, hunter.y);
    }
    let flee = Flee::new(Target::Group(HUNTERS)).with_panic_distance(60.0);
    let places = (0..=steps).map(|k| from.lerp(to, f32::from(k) / f32::from(steps)));
    // The same agent at all places: one number, one way of its own.
    let agents: Vec<Entity> = places
        .map(|place| app.world_mut().spawn((flee.clone(), STRONG, SteeringId::new(7), at(place.x, place.y))).id())
        .collect();
    run(&mut app, 1);
    let wanted: Vec<Vec2> = agents.iter().map(|&agent| desired(&app, agent)).collect();
    assert!(wanted.iter().all(|wanted| wanted.length() <= 100.01), "{wanted:?}");
    wanted.windows(2).map(|pair| pair[0].distance(pair[1])).fold(0.0, f32::max)
}

#[test]
fn what_it_desires_does_not_jump_as_it_goes_through_the_midst_of_them() {
    let pair = vec![Vec2::new(-30.0, 0.0), Vec2::new(30.0, 0.0)];
    let ring: Vec<Vec2> = (0..7_u8).map(|k| Vec2::from_angle(f32::from(k) * 0.8976) * 40.0).collect();
    // From one to the other, across, in from outside, where more and more of them matter, and through a ring.
    for (from, to, hunters) in [
        (Vec2::new(-29.0, 0.0), Vec2::new(29.0, 0.0), &pair),
        (Vec2::new(0.3, -40.0), Vec2::new(0.3, 40.0), &pair),
        (Vec2::new(-85.0, 3.0), Vec2::new(10.0, 3.0), &pair),
        (Vec2::new(-10.0, -30.0), Vec2::new(12.0, 30.0), &ring),
    ] {
        let [coarse, fine] = [400, 1600].map(|steps| largest_jump(from, to, steps, hunters));
        assert!(coarse < 12.0 && fine < 0.3 * coarse, "{from} to {to}: {coarse}, {fine}");
    }
}

#[test]
fn surrounded_it_does_not_stand_and_wait() {
    for hunters in [
        vec![Vec2::new(-30.0, 0.0), Vec2::new(30.0, 0.0)],
        vec![Vec2::new(-30.0, 0.0), Vec2::new(30.0, 0.0), Vec2::new(0.0, 30.0), Vec2::new(0.0, -30.0)],
    ] {
        let wanted = desired_among(Flee::new(Target::Group(HUNTERS)), Vec2::ZERO, &hunters);
        assert!((wanted.length() - 100.0).abs() < 1e-2, "{wanted}");
    }
}

#[test]
fn members_in_its_own_place_are_fled_from_like_others() {
    let here = Vec2::new(3.0, 4.0);
    let flee = |hunters: &[Vec2]| desired_among(Flee::new(Target::Group(HUNTERS)), here, hunters);
    let one = flee(&[here]);
    assert!((one.length() - 100.0).abs() < 1e-3, "{one}");
    // Near and far ones make no difference to that.
    assert!(flee(&[here, here, Vec2::new(40.0, 4.0)]).distance(one) < 1e-2);
    for tiny in [1e-6, 1e-20, 1e-30] {
        let wanted = flee(&[here, here + Vec2::splat(tiny), here - Vec2::splat(tiny), Vec2::ZERO]);
        assert!(wanted.is_finite() && wanted.length() <= 100.01, "{wanted}");
    }
}

#[test]
fn a_flock_of_prey_and_its_hunters_are_the_same_in_any_order_of_spawning() {
    let way = |reverse: bool| {
        let mut app = app();
        let mut order: Vec<u16> = (0..60).collect();
        if reverse {
            order.reverse();
        }
        let mut agents: Vec<(u16, Entity)> = order
            .into_iter()
            .map(|k| {
                let place = at(f32::from(k * 79 % 200), f32::from(k * 47 % 200));
                let mut agent = app.world_mut().spawn((SteeringId::new(k.into()), place));
                if k % 6 == 0 {
                    agent.insert((Pursue::new(Target::Group(PREY)), SteeringGroups(HUNTERS)));
                } else {
                    agent.insert((Evade::new(Target::Group(HUNTERS)), Wander::default(), SteeringGroups(PREY)));
                }
                (k, agent.id())
            })
            .collect();
        run(&mut app, 120);
        agents.sort();
        agents.into_iter().map(|(_, agent)| position(&app, agent)).collect::<Vec<_>>()
    };
    assert_eq!(way(false), way(true));
}

/// No other behavior asks for the index of neighbors.
#[test]
fn a_behavior_finds_a_group_alone() {
    let all: [(&str, Insert); 12] = [
        ("Arrive", |agent, target| _ = agent.insert(Arrive::new(target))),
        ("Evade", |agent, target| _ = agent.insert(Evade::new(target))),
        ("Face", |agent, target| _ = agent.insert(Face::new(target))),
        ("Flee", |agent, target| _ = agent.insert(Flee::new(target))),
        ("Hide", |agent, target| _ = agent.insert(Hide::new(target))),
        ("Interpose", |agent, target| _ = agent.insert(Interpose::new(Vec2::new(0.0, 90.0), target))),
        ("Interpose, the other way round", |agent, target| {
            agent.insert(Interpose::new(target, Vec2::new(0.0, 90.0)));
        }),
        ("MatchVelocity", |agent, target| _ = agent.insert(MatchVelocity::new(target))),
        ("OffsetPursuit", |agent, target| _ = agent.insert(OffsetPursuit::new(target, Vec2::new(-30.0, 20.0)))),
        ("Orbit", |agent, target| _ = agent.insert(Orbit::new(target, 60.0))),
        ("Pursue", |agent, target| _ = agent.insert(Pursue::new(target))),
        ("Seek", |agent, target| _ = agent.insert(Seek::new(target))),
    ];
    for (name, insert) in all {
        let mut app = app();
        app.world_mut().spawn((Obstacle::new(Circle::new(10.0)), at(20.0, -60.0)));
        let hunter = spawn_member(&mut app, HUNTERS, 50.0, 60.0);
        app.world_mut().entity_mut(hunter).insert(Velocity(Vec2::new(0.0, 30.0)));
        let mut agent = app.world_mut().spawn(Transform::default());
        insert(&mut agent, Target::Group(HUNTERS));
        let agent = agent.id();
        run(&mut app, 2);
        let turned = app.world().get::<Transform>(agent).expect("it is somewhere").rotation != Quat::IDENTITY;
        assert!(turned || force(&app, agent) != Vec2::ZERO, "{name} sees nobody");
    }
}

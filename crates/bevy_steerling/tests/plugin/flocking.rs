//! Separation, Alignment, Cohesion and Flock in crowds.

use core::f32::consts::{PI, TAU};

use super::*;

/// A crowd with one of the behaviors, in the order that `order` gives, at seeded places in a square.
fn crowd(
    bounds: SteeringBounds,
    count: usize,
    side: f32,
    order: impl Fn(usize) -> usize,
    equip: impl Fn(usize, &mut EntityWorldMut),
) -> (App, Vec<Entity>) {
    let mut app = app();
    app.insert_resource(bounds);
    let mut random = numbers(5);
    let states: Vec<[f32; 4]> = (0..count).map(|_| [random(), random(), random(), random()]).collect();
    let mut entities = vec![Entity::PLACEHOLDER; count];
    for k in (0..count).map(order) {
        let [x, y, vx, vy] = states[k];
        let mut agent = app.world_mut().spawn((
            SteeringAgent { radius: 1.0, ..default() },
            SteeringId::new(k as u64),
            SteeringGroups(GroupMask::bit((k % 3) as u32)),
            Velocity(Vec2::new(vx - 0.5, vy - 0.5) * 90.0),
            at(x * side, y * side),
        ));
        equip(k, &mut agent);
        entities[k] = agent.id();
    }
    (app, entities)
}

fn parts(separation: f32, alignment: f32, cohesion: f32) -> Flock {
    Flock::default()
        .with_separation(FlockPart::default().with_radius(separation))
        .with_alignment(FlockPart::default().with_radius(alignment))
        .with_cohesion(FlockPart::default().with_radius(cohesion))
}

/// What each of the behaviors can be like.
fn equipment() -> Vec<Box<dyn Fn(usize, &mut EntityWorldMut)>> {
    vec![
        Box::new(|_, agent| {
            agent.insert(Separation::default().with_radius(9.0));
        }),
        Box::new(|k, agent| {
            agent.insert(Separation::default().with_radius(5.0 + (k % 7) as f32).with_field_of_view(PI));
        }),
        Box::new(|_, agent| {
            agent.insert(Alignment::default().with_radius(9.0).with_field_of_view(4.0));
        }),
        Box::new(|k, agent| {
            if k % 4 != 0 {
                agent.insert(
                    Alignment::default()
                        .with_radius(9.0)
                        .with_groups(GroupMask::from_bits(0b011))
                        .with_max_neighbors(6),
                );
            }
        }),
        Box::new(|_, agent| {
            agent.insert(Cohesion::default().with_radius(12.0));
        }),
        Box::new(|k, agent| {
            agent.insert(
                Cohesion::default().with_radius(12.0).with_groups(GroupMask::bit((k % 3) as u32)).with_weight(-0.5),
            );
        }),
        Box::new(|_, agent| {
            agent.insert(Flock::default().with_radius(10.0));
        }),
        Box::new(|_, agent| {
            agent.insert(parts(5.0, 7.5, 9.0));
        }),
        Box::new(|k, agent| {
            let mut flock =
                parts(5.0, 7.5, 9.0).with_weight(0.5 + (k % 5) as f32).with_groups(GroupMask::from_bits(0b110));
            flock.separation.field_of_view = 4.7;
            flock.alignment = flock.alignment.with_field_of_view(1.6).with_strength(80.0);
            flock.cohesion.field_of_view = 3.4;
            agent.insert(flock);
        }),
        Box::new(|_, agent| {
            agent.insert(Flock::default().with_radius(10.0).with_max_neighbors(12));
        }),
        Box::new(|k, agent| {
            let mut flock = parts(5.0, 9.0, 7.5).with_max_neighbors(k as u32 % 8);
            flock.cohesion.field_of_view = 3.0;
            agent.insert(if k % 3 == 0 { flock.with_groups(GroupMask::from_bits(0b011)) } else { flock });
        }),
        Box::new(|k, agent| {
            let none = |part: usize| if k % 3 == part { f32::NAN } else { 9.0 };
            agent.insert(parts(none(0), none(1), none(2)).with_max_neighbors(3));
        }),
        Box::new(|k, agent| {
            agent.insert((
                SteeringAgent { max_speed: 50.0 + k as f32, response_time: 0.2, ..default() },
                parts(9.0, 3.0, 6.0),
            ));
        }),
    ]
}

/// Endless, wide, and hardly wider than one sees.
fn worlds() -> [(SteeringBounds, usize, f32); 4] {
    let wrap = |side| SteeringBounds::wrap(Vec2::ZERO, Vec2::splat(side));
    [
        (SteeringBounds::default(), 400, 80.0),
        (wrap(80.0), 400, 80.0),
        (wrap(30.0), 80, 30.0),
        (SteeringBounds::wrap(Vec2::ZERO, Vec2::new(80.0, 15.0)), 100, 80.0),
    ]
}

/// Weights of one for everybody mean nothing, but leave each agent on its own.
#[test]
fn together_and_alone_they_want_the_same() {
    for (bounds, count, side) in worlds() {
        for (number, equip) in equipment().iter().enumerate() {
            let (mut together, entities) = crowd(bounds, count, side, |k| k, equip);
            let (mut alone, others) = crowd(
                bounds,
                count,
                side,
                |k| k,
                |k, agent| {
                    equip(k, agent);
                    agent.insert(GroupWeights::new([(GroupMask::from_bits(0b111), 1.0)]));
                },
            );
            run(&mut together, 1);
            run(&mut alone, 1);
            let mut moved = 0;
            for (entity, other) in entities.into_iter().zip(others) {
                let (expected, found) = (force(&alone, other), force(&together, entity));
                let error = (found - expected).length();
                assert!(error <= 2e-3 * (1.0 + expected.length()), "{number} {bounds:?}: {found} {expected}");
                moved += usize::from(expected != Vec2::ZERO);
            }
            assert!(moved > count / 3, "{number}: {moved}");
        }
    }
}

#[test]
fn results_depend_on_neither_the_order_of_spawning_nor_threads() {
    for (bounds, count, side) in worlds() {
        for (number, equip) in equipment().iter().enumerate() {
            let (mut forward, entities) = crowd(bounds, count, side, |k| k, equip);
            let (mut backward, others) = crowd(bounds, count, side, |k| count - 1 - k, equip);
            backward.insert_resource(SteeringThreads::Many);
            run(&mut forward, 5);
            run(&mut backward, 5);
            for (entity, other) in entities.into_iter().zip(others) {
                assert_eq!(position(&forward, entity), position(&backward, other), "{number} {bounds:?}");
                assert_eq!(velocity(&forward, entity), velocity(&backward, other), "{number} {bounds:?}");
            }
        }
    }
}

/// One in the middle that moves right at 10, and others with places and velocities around it.
fn among(others: &[(Vec2, Vec2)], equip: impl Fn(&mut EntityWorldMut)) -> (App, Entity) {
    let mut app = app();
    let mut me = app.world_mut().spawn((SteeringId::new(1000), Velocity(Vec2::new(10.0, 0.0)), at(100.0, 50.0)));
    equip(&mut me);
    let me = me.id();
    for (k, (place, velocity)) in others.iter().enumerate() {
        app.world_mut().spawn((
            SteeringAgent::default(),
            SteeringId::new(k as u64),
            SteeringGroups(GroupMask::bit(k as u32)),
            Velocity(*velocity),
            at(100.0 + place.x, 50.0 + place.y),
        ));
    }
    run(&mut app, 1);
    (app, me)
}

fn assert_near(found: Vec2, expected: Vec2) {
    assert!((found - expected).length() < 1e-3 * (1.0 + expected.length()), "{found} instead of {expected}");
}

const OTHERS: [(Vec2, Vec2); 3] = [
    (Vec2::new(4.0, 3.0), Vec2::new(10.0, 3.0)),
    (Vec2::new(-6.0, 8.0), Vec2::new(13.0, -6.0)),
    (Vec2::new(0.0, -40.0), Vec2::new(99.0, 99.0)),
];

#[test]
fn alignment_wants_the_mean_velocity_of_those_within_the_radius() {
    let (app, me) = among(&OTHERS, |me| {
        me.insert((SteeringAgent { max_force: 1e6, ..default() }, Alignment::default().with_radius(20.0)));
    });
    assert_near(velocity(&app, me), Vec2::new(11.5, -1.5));
}

#[test]
fn cohesion_seeks_the_mean_place() {
    let (app, me) = among(&OTHERS, |me| {
        me.insert((SteeringAgent { max_force: 1e6, ..default() }, Cohesion::default().with_radius(20.0)));
    });
    assert_near(velocity(&app, me), Vec2::new(-1.0, 5.5).normalize() * 100.0);
}

#[test]
fn a_flock_adds_three_unit_lengths_times_their_weights() {
    let (app, me) = among(&OTHERS, |me| {
        let part = |radius, weight| FlockPart::default().with_radius(radius).with_strength(weight);
        me.insert(
            Flock::default()
                .with_separation(part(6.0, 120.0))
                .with_alignment(part(20.0, 20.0))
                .with_cohesion(part(20.0, 70.0)),
        );
    });
    let separation = Vec2::new(-0.8, -0.6) * 120.0;
    let alignment = Vec2::new(1.5, -1.5).normalize() * 20.0;
    let wish = Vec2::new(-1.0, 5.5).normalize() * 100.0;
    let cohesion = (wish - Vec2::new(10.0, 0.0)).normalize() * 70.0;
    assert_near(force(&app, me), separation + alignment + cohesion);
}

#[test]
fn only_those_in_view_in_the_groups_and_nearest_count() {
    let seen_by = |cohesion: Cohesion| {
        let (app, me) = among(&OTHERS, |me| {
            me.insert((SteeringAgent { max_force: 1e6, ..default() }, cohesion.clone().with_radius(60.0)));
        });
        velocity(&app, me).normalize()
    };
    let toward = |places: &[usize]| places.iter().map(|k| OTHERS[*k].0).sum::<Vec2>().normalize();
    assert_near(seen_by(Cohesion::default()), toward(&[0, 1, 2]));
    assert_near(seen_by(Cohesion::default().with_field_of_view(PI * 0.9)), toward(&[0]));
    assert_near(seen_by(Cohesion::default().with_field_of_view(PI * 1.1)), toward(&[0, 2]));
    assert_near(seen_by(Cohesion::default().with_field_of_view(TAU)), toward(&[0, 1, 2]));
    assert_near(seen_by(Cohesion::default().with_groups(GroupMask::from_bits(0b110))), toward(&[1, 2]));
    assert_near(seen_by(Cohesion::default().with_max_neighbors(2)), toward(&[0, 1]));
    assert_near(
        seen_by(Cohesion::default().with_max_neighbors(1).with_groups(GroupMask::from_bits(0b110))),
        toward(&[1]),
    );
}

#[test]
fn who_is_in_no_group_does_not_count() {
    let seen = |others: GroupMask, mask: GroupMask| {
        let (mut app, me) = among(&OTHERS, |me| {
            me.insert((SteeringAgent { max_force: 1e6, ..default() }, Cohesion::default().with_radius(60.0)));
        });
        let world = app.world_mut();
        let others_than_me: Vec<_> =
            world.query_filtered::<Entity, (With<SteeringAgent>, Without<Cohesion>)>().iter(world).collect();
        for other in others_than_me {
            world.entity_mut(other).insert((SteeringGroups(others), Cohesion::default().with_groups(mask)));
        }
        world.entity_mut(me).insert(SteeringForce::default());
        run(&mut app, 1);
        force(&app, me) != Vec2::ZERO
    };
    for mask in [GroupMask::ALL, GroupMask::from_bits(0b10)] {
        assert!(seen(GroupMask::DEFAULT, mask), "with others who look for {mask:?}");
        assert!(!seen(GroupMask::NONE, mask), "with others who look for {mask:?}");
    }
}

#[test]
fn weights_by_group_count_others_more_or_less() {
    let (app, me) = among(&OTHERS, |me| {
        let weights = GroupWeights::new([(GroupMask::from_bits(0b001), 3.0), (GroupMask::from_bits(0b100), 0.0)]);
        let body = SteeringAgent { max_force: 1e6, ..default() };
        me.insert((body, Alignment::default().with_radius(60.0), weights));
    });
    assert_near(velocity(&app, me), (OTHERS[0].1 * 3.0 + OTHERS[1].1) / 4.0);
}

/// Whoever is added, changed or removed counts in the same tick.
#[test]
fn what_changes_is_noticed() {
    let (mut app, entities) = crowd(
        SteeringBounds::default(),
        30,
        20.0,
        |k| k,
        |_, agent| {
            agent.insert(Flock::default().with_radius(10.0));
        },
    );
    run(&mut app, 2);
    let last = entities[29];
    app.world_mut().get_mut::<Flock>(last).unwrap().weight = 0.0;
    run(&mut app, 1);
    assert_eq!(force(&app, last), Vec2::ZERO);
    assert_ne!(force(&app, entities[0]), Vec2::ZERO);
    app.world_mut().get_mut::<Flock>(last).unwrap().weight = 1.0;
    app.world_mut().entity_mut(entities[0]).remove::<Flock>();
    run(&mut app, 1);
    assert_ne!(force(&app, last), Vec2::ZERO);
    assert_eq!(force(&app, entities[0]), Vec2::ZERO);
    entities[..29].iter().for_each(|entity| app.world_mut().entity_mut(*entity).despawn());
    run(&mut app, 1);
    assert_eq!(force(&app, last), Vec2::ZERO);
}

/// All on one point, and all within one radius: everybody is finite, and nearly everybody leaves.
#[test]
pub fn crowds_far_denser_than_bodies_stand_part() {
    for side in [0.0, 1.0] {
        let (mut app, entities) = crowd(
            SteeringBounds::default(),
            3000,
            side,
            |k| k,
            |_, agent| {
                agent.insert((Flock::default().with_radius(10.0), Velocity(Vec2::ZERO)));
            },
        );
        // Around their middle, so that a crowd that leaves as one does not count.
        let ways_to_middle = |app: &App| {
            let places: Vec<Vec2> = entities.iter().map(|entity| position(app, *entity)).collect();
            let middle = places.iter().sum::<Vec2>() / 3000.0;
            places.iter().map(|place| place.distance(middle)).collect::<Vec<f32>>()
        };
        let before = ways_to_middle(&app);
        run(&mut app, 30);
        assert!(entities.iter().all(|entity| position(&app, *entity).is_finite()));
        let [mean_before, mean] = [&before, &ways_to_middle(&app)].map(|ways| ways.iter().sum::<f32>() / 3000.0);
        assert!(mean > mean_before + 0.5, "{mean} after {mean_before}");
        run(&mut app, 30);
        let after = ways_to_middle(&app);
        let leaves = before.iter().zip(&after).filter(|(before, after)| *after - *before > 0.3);
        assert!(leaves.count() > 2850, "{side}");
    }
}

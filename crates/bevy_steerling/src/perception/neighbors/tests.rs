use alloc::format;
use alloc::vec::Vec;

use bevy::prelude::*;

use crate::agent::Agent;
use crate::agent::random::{SteeringRng, SteeringSeed};
use crate::agent::{GroupMask, SteeringId, Velocity};
use crate::math::Placement;
use crate::math::Vector;
use crate::math::space::Space;
use crate::math::space::SteeringBounds;
use crate::perception::neighbors::direction_to_coincident;
use crate::perception::neighbors::index::{MOST_CANDIDATES, Neighbors};
use crate::perception::neighbors::radii::Radii;
use crate::perception::neighbors::records::{Body, Record};
use crate::perception::neighbors::update::gather;
use crate::tick::schedule::SteeringThreads;

fn crowd(count: u64, spread: f32) -> Vec<(Record, Body)> {
    let mut random = SteeringRng::new(SteeringSeed(3), SteeringId::new(0), 1);
    let mut coordinate = move || (random.uniform() - 0.3) * spread;
    let mut crowd: Vec<_> = (0..count)
        .map(|k| {
            let entity = Entity::from_raw_u32(k as u32).unwrap();
            let body = Body { position: Vector::new(coordinate(), coordinate()), velocity: Vector::ZERO };
            (Record { entity, id: SteeringId::new(k), radius: 1.0, groups: GroupMask::DEFAULT }, body)
        })
        .collect();
    crowd[1].1.position = crowd[0].1.position;
    crowd
}

fn agent((record, body): &(Record, Body), space: Space) -> Agent {
    Agent { entity: record.entity, id: record.id, space, ..Agent::at(body.position) }
}

fn index(crowd: &[(Record, Body)], space: Space, sight: f32) -> Neighbors {
    let mut neighbors = Neighbors::default();
    widen(&mut neighbors, sight, 1);
    neighbors.know(crowd.iter().map(|(record, _)| *record));
    build(&mut neighbors, crowd, space);
    neighbors
}

/// So many agents with a behavior perceive so far.
fn widen(neighbors: &mut Neighbors, radius: f32, count: u32) {
    let mut radii = Radii::default();
    radii.note(radius, count);
    neighbors.widen(&radii);
}

fn build(neighbors: &mut Neighbors, crowd: &[(Record, Body)], space: Space) {
    neighbors.build(space, SteeringThreads::Single, |bodies| {
        let transforms: Vec<_> =
            crowd.iter().map(|(_, body)| Transform::from_translation(body.position.extend(0.0))).collect();
        let velocities = crowd.iter().map(|(_, body)| Velocity(body.velocity)).collect::<Vec<_>>();
        gather(space, Placement::USUAL, transforms.iter().zip(&velocities), bodies)
    });
}

fn found(neighbors: &Neighbors, agent: &Agent, radius: f32) -> Vec<SteeringId> {
    let mut found = Vec::new();
    neighbors.for_each_within(agent, radius, |neighbor, _| found.push(neighbor.id));
    found
}

#[test]
fn finds_exactly_those_that_a_search_through_all_finds() {
    let spaces = [
        Space::default(),
        SteeringBounds::wrap(Vector::splat(-20.0), Vector::splat(60.0)).space(),
        SteeringBounds::wrap(Vector::splat(-3.0), Vector::new(9.0, 100.0)).space(),
    ];
    for space in spaces {
        for spread in [1.0, 100.0, 2e7] {
            let crowd = crowd(150, spread);
            for sight in [0.01, 7.0, 30.0, 1e9] {
                let neighbors = index(&crowd, space, sight);
                for me in &crowd {
                    let me = agent(me, space);
                    for radius in [-1.0, 0.0, sight / 3.0, sight, 45.0] {
                        let home = space.wrap(me.position);
                        let expected: Vec<_> = crowd
                            .iter()
                            .filter(|(other, _)| other.entity != me.entity)
                            .filter(|(_, other)| {
                                let d = space.displacement(home, space.wrap(other.position));
                                d.length_squared() <= radius * radius && radius >= 0.0
                            })
                            .map(|(other, _)| other.id)
                            .collect();
                        let mut found = found(&neighbors, &me, radius);
                        found.sort();
                        assert_eq!(found, expected, "{space:?} spread {spread} sight {sight} radius {radius}");
                    }
                }
            }
        }
    }
}

/// A crowd as dense as bodies stand, in a small part of the world.
fn dense_crowd(count: u64, radius: f32, at: Vector) -> Vec<(Record, Body)> {
    let mut crowd = crowd(count, radius * 2.0 * (count as f32).sqrt());
    crowd.iter_mut().for_each(|(_, body)| body.position += at);
    crowd
}

#[test]
fn a_search_in_a_crowd_does_not_depend_on_how_far_others_perceive_nor_on_the_size_of_the_world() {
    let wraps = |size: f32| SteeringBounds::wrap(Vector::ZERO, Vector::new(size, 1.7 * size)).space();
    for space in [Space::default(), wraps(3e3), wraps(2e4), wraps(1e7)] {
        for place in [0.0, 0.31, 0.9999] {
            let crowd = dense_crowd(600, 8.0, space.size * place);
            for others in [&[][..], &[(5e3, 1)], &[(5e3, 30)], &[(300.0, 600)], &[(1e9, 600)]] {
                let mut neighbors = index(&crowd, space, 0.0);
                widen(&mut neighbors, 48.0, 600);
                others.iter().for_each(|(radius, count)| widen(&mut neighbors, *radius, *count));
                build(&mut neighbors, &crowd, space);
                for me in crowd.iter().step_by(7) {
                    let me = agent(me, space);
                    let mut expected = found(&neighbors, &me, 48.0);
                    let mut near = Vec::new();
                    neighbors.for_each_near(&me, 48.0, |neighbor, _| near.push(neighbor.id));
                    expected.sort();
                    near.sort();
                    assert_eq!(near, expected, "{space:?} at {place} with {others:?}");
                }
            }
        }
    }
}

#[test]
fn a_search_in_a_sparse_crowd_finds_all_however_little_others_perceive() {
    for (spread, radius) in [(500.0, 40.0), (2e3, 100.0), (4e3, 200.0), (1e4, 700.0)] {
        let crowd = crowd(1000, spread);
        for (shorter, far) in [(2.0, 1000), (8.0, 1000), (15.0, 1000), (60.0, 1000), (8.0, 20), (30.0, 20)] {
            let mut neighbors = index(&crowd, Space::default(), 0.0);
            widen(&mut neighbors, radius / shorter, 1000);
            widen(&mut neighbors, radius, far);
            build(&mut neighbors, &crowd, Space::default());
            for me in crowd.iter().step_by(7) {
                let me = agent(me, Space::default());
                let mut expected = found(&neighbors, &me, radius);
                assert!(expected.len() < MOST_CANDIDATES);
                let mut near = Vec::new();
                neighbors.for_each_near(&me, radius, |neighbor, _| near.push(neighbor.id));
                expected.sort();
                near.sort();
                assert_eq!(near, expected, "spread {spread} radius {radius} shorter {shorter}");
            }
        }
    }
}

#[test]
fn the_nearest_agents_are_found_in_a_heap_under_coarse_cells() {
    let crowd = crowd(900, 1.5);
    let mut neighbors = index(&crowd, Space::default(), 1.0);
    widen(&mut neighbors, 1e9, 1);
    build(&mut neighbors, &crowd, Space::default());
    let mut most_within = 0;
    for me in crowd.iter().step_by(9) {
        let me = agent(me, Space::default());
        most_within = most_within.max(found(&neighbors, &me, 1.0).len());
        for most in [0, 1, 10, 300] {
            // The agent itself is among them.
            let mut expected = Vec::new();
            neighbors.nearest(me.position, 1.0, most + 1, &mut expected);
            let mut expected: Vec<_> =
                expected.iter().map(|(other, _)| other.id).filter(|id| *id != me.id).take(most).collect();
            let mut nearest = Vec::new();
            neighbors.for_each_nearest(&me, 1.0, most, |_, _| true, |neighbor, _| nearest.push(neighbor.id));
            expected.sort();
            nearest.sort();
            assert_eq!(nearest, expected);
        }
    }
    assert!(most_within > 2 * MOST_CANDIDATES, "{most_within}");
}

#[test]
fn the_members_of_a_group_are_those_of_a_search_through_all() {
    let spaces = [Space::default(), SteeringBounds::wrap(Vector::splat(-20.0), Vector::splat(60.0)).space()];
    // Large groups, and small ones that are far away from most.
    let groups_of: [fn(u64) -> GroupMask; 2] = [
        |number| GroupMask::bit((number % 3) as u32),
        |number| {
            GroupMask::from_bits(if number < 180 { 1 | u32::from(number == 0) << 3 } else { 0b110 & number as u32 })
        },
    ];
    for (space, groups_of) in spaces.into_iter().flat_map(|space| groups_of.map(|groups_of| (space, groups_of))) {
        let mut crowd = crowd(250, 100.0);
        for (record, body) in &mut crowd {
            record.groups = groups_of(record.id.get());
            body.position += if record.groups == GroupMask::bit(2) { Vector::splat(35.0) } else { Vector::ZERO };
        }
        for sight in [0.5, 7.0, 1e4] {
            let neighbors = index(&crowd, space, sight);
            for me in crowd.iter().map(|me| agent(me, space)) {
                let home = space.wrap(me.position);
                for (groups, radius) in [
                    (1, f32::INFINITY),
                    (0b110, 30.0),
                    (0b100, 1e9),
                    (0b10, 9.0),
                    (0b1000, f32::INFINITY),
                    (0b1_0000, 1e9),
                    (u32::MAX, f32::INFINITY),
                    (0b110, -1.0),
                    (0, 1e9),
                ]
                .map(|(bits, radius)| (GroupMask::from_bits(bits), radius))
                {
                    let members =
                        crowd.iter().filter(|(other, _)| other.groups.intersects(groups) && other.entity != me.entity);
                    let mut expected: Vec<_> = members
                        .map(|(other, body)| (space.displacement(home, space.wrap(body.position)), other.id))
                        .map(|(displacement, id)| (displacement.length_squared(), id))
                        .filter(|(squared, _)| *squared <= radius * radius && radius >= 0.0)
                        .collect();
                    expected.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                    let what = format!("groups {groups:?} radius {radius} sight {sight}");

                    let nearest = neighbors.nearest_of(&me, radius, groups);
                    let nearest = nearest.map(|(other, d)| (d.length_squared(), other.id));
                    assert_eq!(nearest, expected.first().copied(), "{what}");
                    let mut found = Vec::new();
                    neighbors.for_each_of(&me, radius, groups, |other, d| found.push((d.length_squared(), other.id)));
                    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                    assert_eq!(found, expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn the_order_does_not_depend_on_the_order_of_spawning() {
    let mut crowd = crowd(100, 50.0);
    let me = agent(&crowd[7], Space::default());
    let forward = found(&index(&crowd, Space::default(), 9.0), &me, 9.0);
    crowd.reverse();
    let backward = found(&index(&crowd, Space::default(), 9.0), &me, 9.0);
    assert!(forward.len() > 3);
    assert_eq!(forward, backward);
}

#[test]
fn agents_that_are_nowhere_are_left_out() {
    let mut crowd = crowd(4, 1.0);
    crowd[2].1.position.x = f32::NAN;
    crowd[3].1.position.y = f32::INFINITY;
    let neighbors = index(&crowd, Space::default(), 5.0);
    assert_eq!(found(&neighbors, &agent(&crowd[0], Space::default()), 5.0), [SteeringId::new(1)]);
    assert!(found(&neighbors, &agent(&crowd[2], Space::default()), 5.0).is_empty());
}

#[test]
fn two_agents_in_one_place_see_each_other_in_opposite_directions() {
    let (a, b) = (SteeringId::new(4), SteeringId::new(9));
    assert_eq!(direction_to_coincident(a, b), -direction_to_coincident(b, a));
    assert!((direction_to_coincident(a, b).length() - 1.0).abs() < 1e-6);
}

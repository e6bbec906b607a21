//! What is known to have broken other steering libraries: each row of `tests/data/bad_inputs.json` has its tests, here or elsewhere.

use super::*;
use crate::{
    avoiding, avoiding_neighbors, bad_inputs, flocking, following_path, lifecycle, non_finite, schedule, solid,
};

/// By the name of the row.
const TESTS: [(&str, &[fn()]); 17] = [
    (
        "target at own position",
        &[
            bad_inputs::a_target_in_the_agents_own_place,
            bad_inputs::fleeing_from_ones_own_place_always_takes_the_same_way,
        ],
    ),
    ("two agents on one point", &[bad_inputs::two_agents_on_one_point_part, solid_bodies_on_one_point_part]),
    (
        "all N (1000+) agents on one point",
        &[
            bad_inputs::a_thousand_agents_on_one_point_part,
            flocking::crowds_far_denser_than_bodies_stand_part,
            on_one_point_nobody_looks_at_everybody,
        ],
    ),
    (
        "zero velocity / zero heading",
        &[lifecycle::at_rest_an_agent_keeps_facing_where_it_did, who_cannot_move_keeps_facing_where_it_did],
    ),
    (
        "no neighbours / empty path / one waypoint / no target / despawned target",
        &[lifecycle::a_target_that_is_gone_gives_no_force, alone_in_the_world_nobody_wants_anything],
    ),
    ("path index past the end", &[following_path::whose_path_is_shortened_on_the_way_stops_at_its_new_end]),
    (
        "agent inside an obstacle",
        &[avoiding::from_inside_it_takes_the_shortest_way_out, avoiding::it_gets_out_of_any_shape_from_any_place_in_it],
    ),
    ("obstacle gap narrower than the agent, near-parallel walls", &[a_gap_too_narrow_holds_up_whoever_wants_through]),
    (
        "perfectly symmetric head-on (SteerBench oncoming-1/4, squeeze)",
        &[avoiding_neighbors::two_head_on_pass_each_other_on_the_right],
    ),
    ("dt = 0", &[schedule::a_tick_of_zero_length_does_nothing]),
    // Negative ones there are not: the length of a tick is a `Duration`.
    ("dt huge (1 s, 10 s) / negative", &[bad_inputs::very_long_ticks]),
    (
        "NaN / inf in position, velocity, target, parameters",
        &[
            bad_inputs::what_is_not_a_number_stays_with_its_agent,
            bad_inputs::options_that_make_no_sense,
            non_finite::a_velocity_that_is_not_finite_is_like_none,
            non_finite::a_force_that_is_not_finite_is_like_none,
            non_finite::a_target_that_is_not_finite_is_like_none,
            non_finite::who_is_nowhere_is_left_out_until_it_is_somewhere,
        ],
    ),
    ("max_speed 0, negative; max_force 0; mass 0; radius 0 or negative", &[bad_inputs::bodies_that_make_no_sense]),
    ("huge coordinates (1e6, 1e7)", &[bad_inputs::far_away_and_very_fast, far_away_it_is_the_same_but_for_the_digits]),
    (
        "overlapping spawn",
        &[bad_inputs::agents_that_start_in_each_other_part_at_most_at_max_speed, solid::bodies_of_any_size_harm_nobody],
    ),
    ("neighbour list contains self", &[nobody_is_its_own_neighbor]),
    ("removing an entity twice / during update", &[who_is_removed_twice_or_within_a_tick_is_gone]),
];

#[test]
fn each_row_of_the_list_has_its_tests() {
    #[derive(serde::Deserialize)]
    struct Row {
        input: String,
    }
    let rows: Vec<Row> = serde_json::from_str(include_str!("../data/bad_inputs.json")).expect("it is a list of rows");
    let listed: Vec<&str> = rows.iter().map(|row| row.input.as_str()).collect();
    let tested = TESTS.iter().filter(|(_, tests)| !tests.is_empty()).map(|(input, _)| *input);
    let mut known: Vec<&str> = tested.collect();
    known.sort_by_key(|input| listed.iter().position(|row| row == input));
    assert_eq!(known, listed);
}

#[test]
fn solid_bodies_on_one_point_part() {
    let mut app = app();
    let pair = [0, 1].map(|_| app.world_mut().spawn((Solid::default(), at(3.0, 4.0))).id());
    run(&mut app, 1);
    let [a, b] = pair.map(|agent| position(&app, agent));
    // Side by side, but for the hundredth of a percent that is left.
    assert!((a.distance(b) - 16.0).abs() < 0.01, "{a} {b}");
    assert_eq!(pair.map(|agent| velocity(&app, agent)), [Vec2::ZERO; 2], "moved, not shot");
}

/// Counts the others that it sees within its radius.
#[derive(Component, Default)]
#[require(SteeringAgent, Counted)]
struct Count {
    radius: f32,
}

/// How many others an agent sees.
#[derive(Component, Default)]
struct Counted {
    near: usize,
    within: usize,
    itself: bool,
}

impl SteeringBehavior for Count {
    type State = Counted;
    type Param = Res<'static, Neighbors>;

    fn wish(&self, counted: &mut Counted, agent: &Agent, neighbors: &SystemParamItem<Self::Param>) -> Wish {
        *counted = Counted::default();
        let mut note = |neighbor: &Neighbor| counted.itself |= neighbor.entity == agent.entity;
        neighbors.for_each_near(agent, self.radius, |neighbor, _| {
            note(neighbor);
            counted.near += 1;
        });
        neighbors.for_each_within(agent, self.radius, |neighbor, _| {
            note(neighbor);
            counted.within += 1;
        });
        neighbors.for_each_nearest(agent, self.radius, 5, |_, _| true, |neighbor, _| note(neighbor));
        Wish::Nothing
    }

    fn perception_radius(&self, _: &SteeringAgent) -> f32 {
        self.radius
    }
}

#[test]
fn on_one_point_nobody_looks_at_everybody() {
    let mut app = app();
    app.add_steering_behavior::<Count>();
    let count = || Count { radius: 30.0 };
    let crowd: Vec<Entity> = (0..5000).map(|_| app.world_mut().spawn((count(), at(3.0, 4.0))).id()).collect();
    run(&mut app, 1);
    for &agent in &crowd {
        let count = app.world().get::<Counted>(agent).expect("it counts");
        assert!((200..300).contains(&count.near), "{}", count.near);
    }
}

#[test]
fn nobody_is_its_own_neighbor() {
    let mut app = app();
    app.add_steering_behavior::<Count>();
    let count = || Count { radius: 30.0 };
    let pair = [0, 1].map(|_| app.world_mut().spawn((count(), Separation::default(), at(3.0, 4.0))).id());
    let alone = app.world_mut().spawn((count(), Separation::default(), Flock::default(), at(300.0, 4.0))).id();
    run(&mut app, 1);
    for (agent, others) in [(pair[0], 1), (pair[1], 1), (alone, 0)] {
        let count = app.world().get::<Counted>(agent).expect("it counts");
        assert_eq!((count.near, count.within, count.itself), (others, others, false));
    }
    assert_eq!(force(&app, alone), Vec2::ZERO);
}

#[test]
fn who_cannot_move_keeps_facing_where_it_did() {
    let mut app = app();
    let rooted = SteeringAgent { max_force: 0.0, ..default() };
    let turned = at(10.0, 10.0).with_rotation(Quat::from_rotation_z(2.0));
    let target = Target::Point(Vec2::new(90.0, 40.0));
    let agents = bad_inputs::with_each_behavior(app.world_mut(), target, (rooted, turned));
    for &agent in &agents {
        // Those would be moved: by others that stand in them, and by what knocked them.
        app.world_mut().entity_mut(agent).insert(FaceVelocity::default()).remove::<(Solid, Knockback)>();
    }
    run(&mut app, 30);
    for &agent in &agents {
        assert_eq!(app.world().get::<Transform>(agent), Some(&turned));
        assert_eq!((velocity(&app, agent), force(&app, agent)), (Vec2::ZERO, Vec2::ZERO));
    }
}

#[test]
fn alone_in_the_world_nobody_wants_anything() {
    let gone = |app: &mut App| {
        let gone = app.world_mut().spawn(at(30.0, 0.0)).id();
        app.world_mut().despawn(gone);
        Target::Entity(gone)
    };
    for target in [gone, |_: &mut App| Target::Group(GroupMask::bit(9)), |_: &mut App| Target::Group(GroupMask::NONE)] {
        let mut app = app();
        let target = target(&mut app);
        let drift = Velocity(Vec2::new(3.0, 4.0));
        let agents = bad_inputs::with_each_behavior(app.world_mut(), target, drift);
        // Out of sight of each other; and who wanders wants something for itself.
        for (place, &agent) in (0_u16..).zip(&agents) {
            let mut agent = app.world_mut().entity_mut(agent);
            agent.insert(at(f32::from(place) * 1e5, 0.0));
            agent.remove::<(Wander, Contain)>();
        }
        run(&mut app, 5);
        for &agent in &agents {
            assert_eq!((velocity(&app, agent), force(&app, agent)), (drift.0, Vec2::ZERO), "{target:?}");
        }
    }
}

#[test]
fn a_gap_too_narrow_holds_up_whoever_wants_through() {
    for tilt in [0.0, 1e-6, 1e-3, 0.2] {
        let mut app = app();
        let goal = Vec2::new(200.0, 0.0);
        // Two long walls with three quarters of a body between them at their near ends, and even less at the others.
        for side in [-1.0, 1.0] {
            let ends = [Vec2::new(0.0, side * 6.0), Vec2::new(100.0, side * (6.0 - 25.0 * tilt))];
            app.world_mut().spawn((Obstacle::new(Polyline2d::new(ends)), Transform::default()));
            let ends = [Vec2::new(0.0, side * 6.0), Vec2::new(0.0, side * 400.0)];
            app.world_mut().spawn((Obstacle::new(Polyline2d::new(ends)), Transform::default()));
        }
        let agents = [
            app.world_mut().spawn((Seek::new(goal), Solid::default(), at(-60.0, 0.0))).id(),
            app.world_mut().spawn((Seek::new(goal), AvoidObstacles::default(), at(-100.0, 0.0))).id(),
            app.world_mut().spawn((Seek::new(goal), AvoidObstacles::default(), Solid::default(), at(-140.0, 1.0))).id(),
            // Where it could not have come.
            app.world_mut().spawn((Seek::new(goal), AvoidObstacles::default(), Solid::default(), at(50.0, 0.0))).id(),
        ];
        for _ in 0..300 {
            run(&mut app, 1);
            bad_inputs::assert_finite(&app, &agents, "a narrow gap");
            for &agent in &agents[..3] {
                assert!(position(&app, agent).x < 0.0, "tilt {tilt}: through at {}", position(&app, agent));
                assert!(velocity(&app, agent).length() <= 100.001);
            }
        }
    }
}

#[test]
fn far_away_it_is_the_same_but_for_the_digits() {
    let paths = |origin: f32| {
        let mut app = app();
        let goal = Vec2::new(origin + 150.0, origin + 40.0);
        let bundle = at(origin, origin);
        let agents = [
            app.world_mut().spawn((Seek::new(goal), bundle)).id(),
            app.world_mut().spawn((Arrive::new(goal), bundle)).id(),
        ];
        let ticks = 90;
        let path = |_| {
            run(&mut app, 1);
            agents.map(|agent| (position(&app, agent) - Vec2::splat(origin), velocity(&app, agent)))
        };
        (0..ticks).map(path).collect::<Vec<_>>()
    };
    let near = paths(0.0);
    for (origin, digit) in [(1e6, 0.0625), (1e7, 1.0)] {
        let far = paths(origin);
        for (tick, (near, far)) in near.iter().zip(&far).enumerate() {
            for (near, far) in near.iter().zip(far) {
                // Each step is rounded, by half a digit along each axis at most.
                let off = (near.0 - far.0).abs().max_element();
                assert!(off <= 0.5 * (tick + 1) as f32 * digit, "{origin}: {off} off in tick {tick}");
                // While it accelerates, its velocity does not depend on such a small part of the way.
                let off = if tick < 20 { near.1.distance(far.1) } else { 0.0 };
                assert!(off < 0.1 * near.1.length(), "{origin}: {off} units/s off in tick {tick}");
            }
        }
    }
    // Who has arrived stays, and does not tremble.
    for (origin, digit) in [(1e6_f32, 0.0625), (1e7, 1.0)] {
        let mut app = app();
        let goal = Vec2::new(origin + 150.0, origin + 40.0);
        let agent = app.world_mut().spawn((Arrive::new(goal), at(origin, origin))).id();
        run(&mut app, 600);
        let place = position(&app, agent);
        // Braking, it gets no farther once it goes less than half a digit per tick along each axis.
        let slow = 0.5 * digit / TICK * std::f32::consts::SQRT_2;
        let stopping = slow * slow / (2.0 * SteeringAgent::default().max_force);
        assert!(place.distance(goal) <= stopping + digit, "{place}");
        for _ in 0..60 {
            run(&mut app, 1);
            assert_eq!(position(&app, agent), place);
        }
    }
}

#[test]
fn who_is_removed_twice_or_within_a_tick_is_gone() {
    #[derive(Resource)]
    struct Doomed(Vec<Entity>);
    let mut app = app();
    let world = app.world_mut();
    let prey = world.spawn((Wander::default(), at(50.0, 0.0))).id();
    let agents = bad_inputs::with_each_behavior(world, Target::Entity(prey), at(0.0, 0.0));
    let wall = world.spawn((Obstacle::new(Circle::new(9.0)), at(20.0, 0.0))).id();
    let doomed = [prey, wall, agents[0], agents[5], agents[14]];
    // Twice within a tick, between its phases, and once more after it.
    let remove = |mut commands: Commands, doomed: Res<Doomed>| {
        for &entity in doomed.0.iter().chain(&doomed.0) {
            commands.entity(entity).try_despawn();
        }
    };
    app.insert_resource(Doomed(Vec::new()));
    app.add_systems(SteeringSchedule, remove.after(SteeringSystems::Sense).before(SteeringSystems::Steer));
    run(&mut app, 5);
    app.world_mut().resource_mut::<Doomed>().0 = doomed.to_vec();
    run(&mut app, 1);
    assert!(!doomed.iter().any(|&entity| app.world_mut().despawn(entity)), "they are gone already");
    run(&mut app, 30);
    let left: Vec<Entity> = agents.into_iter().filter(|agent| !doomed.contains(agent)).collect();
    bad_inputs::assert_finite(&app, &left, "after a removal");
}

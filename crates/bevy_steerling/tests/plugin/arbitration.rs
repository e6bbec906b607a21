//! How the contributions of behaviors combine, and what a trace tells of it.

use bevy::math::ops;
use bevy_steerling::engine::contribution::{OUTSIDE, Outcome};

use super::*;

const PRIORITIZED: [ArbitrationMode; 3] =
    [ArbitrationMode::PrioritizedSum, ArbitrationMode::PriorityGroups { threshold: 0.0 }, ArbitrationMode::Dithering];

fn trace(app: &App, agent: Entity) -> &SteeringTrace {
    app.world().get::<SteeringTrace>(agent).expect("it is traced")
}

/// Name and outcome of each contribution, in order.
fn outcomes(app: &App, agent: Entity) -> Vec<(&str, Outcome)> {
    trace(app, agent).contributions.iter().map(|c| (c.behavior.short(), c.outcome)).collect()
}

/// How near to the middle of an obstacle an agent comes that seeks, pursues and arrives at what is behind it.
fn nearest_to_the_obstacle(mode: ArbitrationMode) -> f32 {
    let mut app = app();
    app.world_mut().spawn((Obstacle::new(Circle::new(40.0)), at(0.0, 0.0)));
    let quarry = app.world_mut().spawn(at(300.0, 0.0)).id();
    let goals = (Seek::new(quarry), Arrive::new(quarry), Pursue::new(quarry));
    let avoid = AvoidWithFeelers::default().with_look_ahead(60.0).with_max_avoid_force(600.0);
    // A little off the center, so that it is clear which way round is the shorter.
    let body = SteeringAgent { max_force: 600.0, ..default() };
    let agent = app.world_mut().spawn((body, goals, avoid, Arbitration::new(mode), at(-300.0, 3.0))).id();
    let mut nearest = f32::INFINITY;
    for _ in 0..60 * 20 {
        run(&mut app, 1);
        nearest = nearest.min(position(&app, agent).length());
    }
    assert!(position(&app, agent).distance(Vec2::new(300.0, 0.0)) < 60.0, "{mode:?}: it gets there");
    nearest
}

#[test]
fn an_obstacle_is_not_drowned_by_seek_arrive_and_pursue_together() {
    let nearest = nearest_to_the_obstacle(ArbitrationMode::WeightedSum);
    assert!(nearest < 20.0, "the sum of three drowns it: {nearest}");
    for mode in PRIORITIZED {
        let nearest = nearest_to_the_obstacle(mode);
        // Three points tell of a rim only so well: it is grazed.
        assert!(nearest > 36.0, "{mode:?}: {nearest}");
    }
}

/// How near two come to each other that run side by side toward an obstacle still far away, which pushes both to the same side.
fn nearest_to_each_other(mode: ArbitrationMode) -> f32 {
    let mut app = app();
    app.world_mut().spawn((Obstacle::new(Circle::new(60.0)), at(400.0, -40.0)));
    let pushed = AvoidWithFeelers::default().with_look_ahead(380.0).with_max_avoid_force(300.0);
    let apart = Separation::default().with_radius(32.0).with_max_separation(300.0);
    let still = SteeringAgent { max_speed: 0.0, ..default() };
    app.world_mut().spawn((still, at(0.0, 30.0)));
    let runner = (apart, Seek::new(Vec2::new(900.0, 0.0)), pushed, Velocity(Vec2::X * 100.0));
    let agent = app.world_mut().spawn((runner, Arbitration::new(mode), at(-60.0, 20.0))).id();
    let mut nearest = f32::INFINITY;
    for _ in 0..120 {
        run(&mut app, 1);
        nearest = nearest.min(position(&app, agent).distance(Vec2::new(0.0, 30.0)));
    }
    nearest
}

#[test]
fn separation_is_not_drowned_by_an_obstacle_far_away() {
    let nearest = nearest_to_each_other(ArbitrationMode::WeightedSum);
    assert!(nearest < 16.0, "the push runs it into the other one: {nearest}");
    for mode in PRIORITIZED {
        let nearest = nearest_to_each_other(mode);
        assert!(nearest > 16.0, "{mode:?}: {nearest}");
    }
}

/// Behaviors that always want the same.
macro_rules! wants {
    ($($name:ident),+) => {$(
        #[derive(Component, Clone)]
        #[require(SteeringAgent)]
        struct $name(Vec2);

        impl SteeringBehavior for $name {
            type State = Stateless;
            type Param = ();

            fn wish(&self, _: &mut Stateless, _: &Agent, (): &()) -> Wish {
                Wish::Force(self.0)
            }

            fn priority(&self) -> i32 {
                0
            }
        }
    )+};
}

wants!(First, Second, Third);

const WANTS: (First, Second, Third) =
    (First(Vec2::new(60.0, 0.0)), Second(Vec2::new(0.0, 80.0)), Third(Vec2::new(-10.0, 0.0)));

/// An app, and an agent of max force 100 with those behaviors.
fn wanting(arbitration: Arbitration) -> (App, Entity) {
    let mut app = app();
    app.add_steering_behavior::<First>().add_steering_behavior::<Second>().add_steering_behavior::<Third>();
    let body = SteeringAgent { max_force: 100.0, ..default() };
    let agent = app.world_mut().spawn((body, WANTS, arbitration, SteeringTrace::default())).id();
    (app, agent)
}

/// The applied contributions and outcomes after a tick, in order, and the force.
fn applied(arbitration: Arbitration) -> (Vec<(&'static str, Vec2, Outcome)>, Vec2) {
    let (mut app, agent) = wanting(arbitration);
    run(&mut app, 1);
    let name = |name: &str| ["First", "Second", "Third"].into_iter().find(|known| *known == name).unwrap_or("another");
    let contributions = &trace(&app, agent).contributions;
    (contributions.iter().map(|c| (name(c.behavior.short()), c.applied, c.outcome)).collect(), force(&app, agent))
}

/// In the opposite order.
fn reversed(mode: ArbitrationMode) -> Arbitration {
    Arbitration::new(mode).with_priority::<First>(-1).with_priority::<Third>(1)
}

#[test]
fn a_weighted_sum_applies_everything() {
    let (First(first), Second(second), Third(third)) = WANTS;
    let (contributions, force) = applied(Arbitration::default().with_priority::<Third>(9));
    assert_eq!(
        contributions,
        [("First", first, Outcome::Applied), ("Second", second, Outcome::Applied), ("Third", third, Outcome::Applied)]
    );
    assert_eq!(force, Vec2::new(50.0, 80.0));
}

#[test]
fn a_prioritized_sum_ends_when_max_force_is_spent() {
    let (First(first), Second(second), Third(third)) = WANTS;
    let (contributions, force) = applied(Arbitration::new(ArbitrationMode::PrioritizedSum));
    assert_eq!(contributions[0], ("First", first, Outcome::Applied));
    // As long as what 60 leaves of 100.
    assert_eq!(contributions[1].0, "Second");
    assert!((contributions[1].1 - Vec2::new(0.0, 40.0)).length() < 1e-4);
    assert_eq!(contributions[1].2, Outcome::Truncated);
    assert_eq!(contributions[2], ("Third", Vec2::ZERO, Outcome::Spent));
    assert!((force - Vec2::new(60.0, 40.0)).length() < 1e-4);

    let (contributions, force) = applied(reversed(ArbitrationMode::PrioritizedSum));
    assert_eq!(contributions[0], ("Third", third, Outcome::Applied));
    assert_eq!(contributions[1], ("Second", second, Outcome::Applied));
    let left = 100.0 - (second + third).length();
    assert!((contributions[2].1 - Vec2::new(left, 0.0)).length() < 1e-4);
    assert!((force - Vec2::new(left - 10.0, 80.0)).length() < 1e-4);
}

#[test]
fn the_first_group_that_wants_something_wins() {
    let (First(first), Second(second), Third(third)) = WANTS;
    let groups = |threshold| ArbitrationMode::PriorityGroups { threshold };
    let lost = |name, why| (name, Vec2::ZERO, why);
    // All in one, as they are by default.
    let (_, force) = applied(Arbitration::new(groups(0.0)));
    assert_eq!(force, first + second + third);

    let (contributions, force) = applied(reversed(groups(0.0)));
    assert_eq!(
        contributions,
        [("Third", third, Outcome::Applied), lost("Second", Outcome::Outranked), lost("First", Outcome::Outranked)]
    );
    assert_eq!(force, third);

    let (contributions, force) = applied(reversed(groups(10.0)));
    assert_eq!(
        contributions,
        [
            lost("Third", Outcome::BelowThreshold),
            ("Second", second, Outcome::Applied),
            lost("First", Outcome::Outranked)
        ]
    );
    assert_eq!(force, second);

    let (contributions, force) = applied(reversed(groups(80.0)));
    assert!(contributions.iter().all(|(.., outcome)| *outcome == Outcome::BelowThreshold));
    assert_eq!(force, Vec2::ZERO);
    // What wants nothing, in the sum, is no group that wins.
    let (mut app, agent) = wanting(reversed(groups(0.0)).with_priority::<Second>(1));
    app.world_mut().entity_mut(agent).insert((Second(Vec2::new(10.0, 0.0)), Third(Vec2::new(-10.0, 0.0))));
    run(&mut app, 1);
    assert_eq!(super::force(&app, agent), first);
}

#[test]
fn dice_choose_one_behavior_for_the_tick() {
    let dithering = || reversed(ArbitrationMode::Dithering);
    let certain = dithering().with_probability::<Third>(0.0).with_probability::<Second>(1.0);
    let (contributions, force) = applied(certain);
    let outcomes: Vec<_> = contributions.iter().map(|(name, _, outcome)| (*name, *outcome)).collect();
    assert_eq!(outcomes, [("Third", Outcome::NotDrawn), ("Second", Outcome::Applied), ("First", Outcome::Outranked)]);
    assert_eq!(force, Vec2::new(0.0, 80.0));

    let winners = |seed: u64, id: u64| -> Vec<Option<String>> {
        let (mut app, agent) = wanting(dithering().with_probability::<Third>(0.5).with_probability::<Second>(0.5));
        app.insert_resource(SteeringSeed(seed)).world_mut().entity_mut(agent).insert(SteeringId::new(id));
        (0..1000)
            .map(|_| {
                run(&mut app, 1);
                let winner = |c: &&Contribution| c.outcome == Outcome::Applied;
                trace(&app, agent).contributions.iter().find(winner).map(|c| c.behavior.short().to_owned())
            })
            .collect()
    };
    let drawn = winners(1, 7);
    assert_eq!(drawn, winners(1, 7));
    assert_ne!(drawn, winners(2, 7));
    assert_ne!(drawn, winners(1, 8));
    // 0.5, 0.5 · 0.5, 0.25 · 0.8 and the rest, give or take four times the deviation of a thousand draws.
    for (name, share) in [(Some("Third"), 0.5), (Some("Second"), 0.25), (Some("First"), 0.2), (None, 0.05)] {
        let count = drawn.iter().filter(|winner| winner.as_deref() == name).count() as f32;
        let deviation = ops::sqrt(1000.0 * share * (1.0 - share));
        assert!((count - 1000.0 * share).abs() < 4.0 * deviation, "{name:?}: {count}");
    }
}

#[test]
fn what_the_game_adds_comes_first_and_is_never_left_out() {
    for mode in PRIORITIZED {
        let (mut app, agent) = wanting(Arbitration::new(mode).with_priority::<First>(i32::MAX));
        let push = |mut forces: Query<&mut SteeringForce>| forces.iter_mut().for_each(|mut force| force.0.y -= 90.0);
        app.add_systems(SteeringSchedule, push.after(SteeringSystems::Sense).before(SteeringSystems::Steer));
        run(&mut app, 1);
        let first = &trace(&app, agent).contributions[0];
        assert_eq!(first.behavior, OUTSIDE);
        assert_eq!(first.raw, Vec2::new(0.0, -90.0));
        assert!(first.applied.y < -80.0, "{mode:?}: {first:?}");
    }
    // It is part of what there is to spend.
    let (mut app, agent) = wanting(Arbitration::new(ArbitrationMode::PrioritizedSum));
    let push = |mut forces: Query<&mut SteeringForce>| forces.iter_mut().for_each(|mut force| force.0.y -= 90.0);
    app.add_systems(SteeringSchedule, push.after(SteeringSystems::Sense).before(SteeringSystems::Steer));
    run(&mut app, 1);
    assert!((force(&app, agent) - Vec2::new(10.0, -90.0)).length() < 1e-4);
}

#[test]
fn the_queue_acts_on_the_arbitrated_sum_and_is_never_starved() {
    use bevy_steerling::constraints::classic_queue::braking_force;

    for mode in PRIORITIZED {
        let (mut app, agent) = wanting(Arbitration::new(mode));
        app.world_mut().spawn((SteeringAgent::default(), at(20.0, 0.0)));
        app.world_mut().entity_mut(agent).insert(ClassicQueue::default());
        for _ in 0..20 {
            // So slow that braking is no more than max force.
            let velocity = Vec2::new(0.5, 0.0);
            app.world_mut().entity_mut(agent).insert((Velocity(velocity), at(0.0, 0.0)));
            run(&mut app, 1);
            let (queue, others) = trace(&app, agent).contributions.split_last().expect("it wants something");
            let others: Vec2 = others.iter().map(|contribution| contribution.applied).sum();
            assert!(others.length() <= 100.001, "{mode:?}: {others}");
            assert_eq!((queue.behavior.short(), queue.outcome), ("ClassicQueue", Outcome::Applied), "{mode:?}");
            assert!(
                (queue.applied - braking_force(others, 0.8, velocity, TICK)).length() < 1e-4,
                "{mode:?}: {queue:?}"
            );
            assert_eq!(trace(&app, agent).force(), force(&app, agent));
        }
    }
}

/// Notes the force that it finds, and takes it back.
#[derive(Component, Default)]
#[require(SteeringAgent, TakenBack)]
struct TakeBack;

#[derive(Component, Default)]
struct TakenBack(Vec2);

impl SteeringConstraint for TakeBack {
    type State = TakenBack;
    type Param = ();

    fn constrain(&self, taken: &mut TakenBack, agent: &Agent, (): &()) -> Vec2 {
        taken.0 = agent.force;
        Vec2::ZERO
    }
}

#[test]
fn a_constraint_of_ones_own_acts_on_the_arbitrated_sum() {
    let (mut app, agent) =
        wanting(Arbitration::new(ArbitrationMode::PriorityGroups { threshold: 0.0 }).with_priority::<Third>(1));
    app.add_steering_constraint::<TakeBack>().world_mut().entity_mut(agent).insert(TakeBack);
    run(&mut app, 1);
    assert_eq!(app.world().get::<TakenBack>(agent).expect("it has it").0, Vec2::new(-10.0, 0.0));
    assert_eq!(outcomes(&app, agent).last(), Some(&("TakeBack", Outcome::Applied)));
    assert_eq!(force(&app, agent), Vec2::ZERO);
    assert_eq!(trace(&app, agent).of::<TakeBack>().map(|c| c.applied), Some(Vec2::new(10.0, 0.0)));
}

#[test]
fn a_trace_tells_the_raw_and_the_weighted_contribution_and_what_was_not_wanted() {
    let mut app = app();
    let behaviors = (
        Seek::new(Vec2::new(100.0, 0.0)).with_weight(0.5),
        Flee::new(Vec2::new(100.0, 0.0)).with_panic_distance(20.0),
        Separation::default().with_max_separation(1e6).with_weight(2.0),
        Wander::default().with_weight(f32::NAN),
    );
    let body = SteeringAgent { max_force: 1e6, ..default() };
    let agent = app.world_mut().spawn((body, behaviors, SteeringTrace::default(), at(0.0, 0.0))).id();
    app.world_mut().spawn((Seek::new(Vec2::ZERO), at(10.0, 0.0)));
    run(&mut app, 1);
    assert_eq!(
        outcomes(&app, agent),
        [
            ("Separation", Outcome::Truncated),
            ("Flee", Outcome::Idle),
            ("Seek", Outcome::Truncated),
            ("Wander", Outcome::NotFinite)
        ]
    );
    let trace = trace(&app, agent);
    let (seek, separation) = (trace.of::<Seek>().expect("it seeks"), trace.of::<Separation>().expect("it keeps apart"));
    assert!((seek.raw - Vec2::new(6000.0, 0.0)).length() < 0.01);
    assert_eq!(seek.weighted, seek.raw * 0.5);
    assert_eq!(separation.raw, Vec2::new(-1e6, 0.0));
    assert_eq!(separation.weighted, Vec2::new(-2e6, 0.0));
    assert_eq!(trace.force(), force(&app, agent));
    // Both are shortened by the same factor.
    let (seek, separation) = (seek.applied.x / seek.weighted.x, separation.applied.x / separation.weighted.x);
    assert!((seek - separation).abs() < 1e-6 && seek < 0.51, "{seek} {separation}");
}

#[test]
fn without_its_components_an_agent_steers_as_before() {
    let (mut app, agent) = wanting(Arbitration::new(ArbitrationMode::Dithering));
    run(&mut app, 3);
    app.world_mut().entity_mut(agent).remove::<(Arbitration, SteeringTrace)>();
    run(&mut app, 1);
    assert_eq!(force(&app, agent), Vec2::new(50.0, 80.0));
    // And back.
    app.world_mut().entity_mut(agent).insert(SteeringTrace::default());
    run(&mut app, 1);
    assert_eq!(trace(&app, agent).contributions.len(), 3);
}

#[test]
fn the_priorities_of_behaviors_are_those_of_their_kind() {
    let (point, nobody) = (Vec2::ZERO, Entity::PLACEHOLDER);
    let all = [
        ("Separation", Separation::default().priority(), 50),
        ("AvoidWithFeelers", AvoidWithFeelers::default().priority(), 40),
        ("Evade", Evade::new(point).priority(), 30),
        ("Flee", Flee::new(point).priority(), 30),
        ("Hide", Hide::new(point).priority(), 30),
        ("Pursue", Pursue::new(point).priority(), 20),
        ("Arrive", Arrive::new(point).priority(), 20),
        ("Hold", Hold::default().priority(), 20),
        ("Interpose", Interpose::new(point, point).priority(), 20),
        ("FollowPath", FollowPath::new([point, Vec2::X]).priority(), 20),
        ("InFormation", InFormation(nobody).priority(), 20),
        ("OffsetPursuit", OffsetPursuit::new(point, point).priority(), 20),
        ("FollowLeader", FollowLeader::new(point).priority(), 20),
        ("Orbit", Orbit::new(point, 9.0).priority(), 20),
        ("FollowField", FollowField::new(nobody).priority(), 20),
        ("FollowWall", FollowWall::new(ObstacleSide::Left, 9.0).priority(), 20),
        ("Seek", Seek::new(point).priority(), 20),
        ("Flock", Flock::default().priority(), 10),
        ("Alignment", Alignment::default().priority(), 10),
        ("Cohesion", Cohesion::default().priority(), 10),
        ("MatchVelocity", MatchVelocity::new(point).priority(), 10),
        ("Wander", Wander::default().priority(), 0),
    ];
    for (name, priority, expected) in all {
        assert_eq!(priority, expected, "{name}");
    }
}

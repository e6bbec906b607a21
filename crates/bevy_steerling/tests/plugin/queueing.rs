//! `ClassicQueue`: who is ahead, who crowds, and what becomes of the velocity.

use super::*;
use bevy::ecs::change_detection::DetectChanges;

/// An agent strong enough to show what it wants, too fast for its limits to matter.
const STRONG: SteeringAgent =
    SteeringAgent { mass: 2.0, max_speed: 1e4, max_force: 1e9, radius: 8.0, response_time: 0.0 };
const VELOCITY: Vec2 = Vec2::new(30.0, 0.0);
/// What its other behavior wants.
const OTHERS: Vec2 = Vec2::new(60.0, 20.0);
const BRAKING: Vec2 = Vec2::new(-0.8 * OTHERS.x - VELOCITY.x / TICK, -0.8 * OTHERS.y);

/// Always wants the same.
#[derive(Component, Default)]
#[require(SteeringAgent)]
struct Push;

impl SteeringBehavior for Push {
    type State = Stateless;
    type Param = ();

    fn wish(&self, _: &mut Stateless, _: &Agent, (): &()) -> Wish {
        Wish::Force(OTHERS)
    }
}

/// Looks at the place (30, 0), as far round as 10.
fn queue(style: ClassicQueueStyle) -> ClassicQueue {
    let separation = Separation::default().with_radius(50.0).with_max_separation(500.0);
    ClassicQueue::new(style).with_look_ahead(30.0).with_radius(10.0).with_separation(separation)
}

/// An agent at the origin that is pushed, and others in some places.
fn queuing(queue: ClassicQueue, others: &[Vec2]) -> (App, Entity) {
    let mut app = app();
    app.add_steering_behavior::<Push>();
    for place in others {
        app.world_mut().spawn((SteeringAgent::default(), at(place.x, place.y)));
    }
    let agent = app.world_mut().spawn((queue, Push, STRONG, Velocity(VELOCITY), at(0.0, 0.0))).id();
    (app, agent)
}

#[track_caller]
fn assert_near(got: Vec2, expected: Vec2, what: &str) {
    assert!(got.distance(expected) <= 1e-5 * expected.length(), "{what}: got {got}, expected {expected}");
}

const AHEAD: Vec2 = Vec2::new(39.0, 0.0);
const BESIDE: Vec2 = Vec2::new(0.0, -9.0);
/// In neither disc, though not far.
const BEHIND: Vec2 = Vec2::new(-11.0, 0.0);
const BETWEEN: Vec2 = Vec2::new(19.0, 0.0);

#[test]
fn each_style_does_its_part_about_others_ahead_and_around() {
    use ClassicQueueStyle::{Brake, BrakeAndHardStop, BrakeAndSeparate, HardStop};
    let apart = |directions: Vec2| -directions.normalize() * 500.0;
    for (style, others, queueing, kept) in [
        (HardStop, &[AHEAD][..], Vec2::ZERO, 0.3),
        (HardStop, &[BESIDE], Vec2::ZERO, 1.0),
        (Brake, &[AHEAD], BRAKING, 1.0),
        (Brake, &[BESIDE], Vec2::ZERO, 1.0),
        (Brake, &[AHEAD, BESIDE], BRAKING, 1.0),
        (BrakeAndHardStop, &[AHEAD], BRAKING, 1.0),
        (BrakeAndHardStop, &[BESIDE], Vec2::ZERO, 0.3),
        (BrakeAndHardStop, &[AHEAD, BESIDE], BRAKING, 0.3),
        (BrakeAndSeparate, &[AHEAD], BRAKING + apart(AHEAD), 1.0),
        (BrakeAndSeparate, &[BESIDE], Vec2::ZERO, 0.3),
        (BrakeAndSeparate, &[AHEAD, BESIDE, BEHIND], BRAKING + apart(AHEAD + BESIDE + BEHIND), 0.3),
    ] {
        let (mut app, agent) = queuing(queue(style), others);
        run(&mut app, 1);
        let what = format!("{style:?} with {others:?}");
        assert_near(force(&app, agent), OTHERS + queueing, &what);
        assert_near(velocity(&app, agent), VELOCITY * kept + (OTHERS + queueing) / 2.0 * TICK, &what);
        assert_eq!(
            app.world().get::<bevy_steerling::agent::HardStop>(agent).unwrap().is_stopping(),
            kept < 1.0,
            "{what}"
        );
    }
    for style in [HardStop, Brake, BrakeAndHardStop, BrakeAndSeparate] {
        let (mut app, agent) = queuing(queue(style), &[BEHIND, BETWEEN]);
        run(&mut app, 1);
        assert_eq!(force(&app, agent), OTHERS, "{style:?} with nobody ahead or around");
    }
}

#[test]
fn the_hard_stop_acts_before_max_speed_and_is_not_weighted() {
    let (mut app, agent) =
        queuing(queue(ClassicQueueStyle::HardStop).with_weight(0.0).with_kept_velocity(0.5), &[AHEAD]);
    app.world_mut().entity_mut(agent).insert(SteeringAgent { max_speed: 15.0, ..STRONG });
    run(&mut app, 1);
    assert_near(velocity(&app, agent), (VELOCITY * 0.5 + OTHERS / 2.0 * TICK).normalize() * 15.0, "a hard stop");
}

#[test]
fn weight_and_response_time_soften_the_braking() {
    let (mut app, agent) =
        queuing(queue(ClassicQueueStyle::BrakeAndSeparate).with_weight(0.5).with_brake(0.4), &[AHEAD]);
    app.world_mut().entity_mut(agent).insert(SteeringAgent { response_time: 0.2, ..STRONG });
    run(&mut app, 1);
    let queueing = -0.4 * OTHERS - VELOCITY / 0.2 - Vec2::new(500.0, 0.0);
    assert_near(force(&app, agent), OTHERS + 0.5 * queueing, "half the weight");
}

#[test]
fn it_brakes_what_every_other_behavior_wants_whenever_that_was_registered() {
    let force_when = |early: bool| {
        let mut app = App::new();
        if early {
            app.add_steering_behavior::<Push>();
        }
        app.add_plugins((MinimalPlugins, SteeringPlugin::default()))
            .add_systems(
                SteeringSchedule,
                (|mut forces: Query<&mut SteeringForce>| forces.iter_mut().for_each(|mut force| force.y -= 7.0))
                    .after(SteeringSystems::Sense)
                    .before(SteeringSystems::Steer),
            )
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        app.add_steering_behavior::<Push>();
        app.update();
        app.world_mut().spawn((SteeringAgent::default(), at(0.0, 0.0)));
        let bundle =
            (queue(ClassicQueueStyle::Brake).with_brake(1.0), Push, Seek::new(Vec2::X), Wander::default(), STRONG);
        let agent = app.world_mut().spawn(bundle).id();
        run(&mut app, 1);
        force(&app, agent)
    };
    assert_eq!(force_when(true), Vec2::ZERO);
    assert_eq!(force_when(false), Vec2::ZERO);
}

#[test]
fn removing_it_turns_it_off() {
    let (mut app, agent) = queuing(queue(ClassicQueueStyle::BrakeAndHardStop).with_look_ahead(0.0), &[BESIDE]);
    run(&mut app, 1);
    assert!(velocity(&app, agent).x < 10.0);
    app.world_mut().entity_mut(agent).remove::<ClassicQueue>();
    let before = velocity(&app, agent);
    run(&mut app, 1);
    assert_eq!(force(&app, agent), OTHERS);
    assert_near(velocity(&app, agent), before + OTHERS / 2.0 * TICK, "on its own");
}

/// Body limits apply after a hard stop: the body then moves like one that had the remaining velocity from the start.
#[test]
fn the_limits_of_a_body_hold_for_the_velocity_after_a_hard_stop() {
    let limits = BodyLimits::default().with_max_turn_rate(0.5).with_max_acceleration(20.0).with_max_braking(2.0);
    for kept in [0.0, 0.3, 0.8] {
        let queue = queue(ClassicQueueStyle::HardStop).with_kept_velocity(kept);
        let (mut stopped, agent) = queuing(queue.clone(), &[AHEAD]);
        stopped.world_mut().entity_mut(agent).insert(limits.clone());
        run(&mut stopped, 1);
        let (mut slow, other) = queuing(queue, &[]);
        slow.world_mut().entity_mut(other).insert((limits.clone(), Velocity(kept * VELOCITY)));
        run(&mut slow, 1);
        assert!(stopped.world().get::<HardStop>(agent).unwrap().is_stopping());
        assert_near(velocity(&stopped, agent), velocity(&slow, other), &format!("{kept} of the velocity"));
        assert!(velocity(&stopped, agent).length() <= kept * VELOCITY.x + 20.0 * TICK + 1e-3);
    }
}

#[test]
fn it_looks_across_the_seam() {
    let (mut app, agent) = queuing(queue(ClassicQueueStyle::HardStop), &[AHEAD - Vec2::new(50.0, 0.0)]);
    app.insert_resource(SteeringBounds::wrap(Vec2::splat(-25.0), Vec2::splat(25.0)));
    run(&mut app, 1);
    assert!(app.world().get::<HardStop>(agent).unwrap().is_stopping());
}

#[test]
fn agents_that_something_else_moves_keep_their_velocity_and_are_told() {
    let (mut app, agent) = queuing(queue(ClassicQueueStyle::BrakeAndHardStop), &[AHEAD, BESIDE]);
    app.world_mut().entity_mut(agent).insert(ExternalMovement);
    run(&mut app, 2);
    assert_eq!((velocity(&app, agent), position(&app, agent)), (VELOCITY, Vec2::ZERO));
    assert_near(force(&app, agent), OTHERS + BRAKING, "it may brake");
    assert!(app.world().get::<HardStop>(agent).unwrap().is_stopping());
}

/// Nobody sees a velocity that is stopped already: the others' places and velocities are those of the tick's start.
#[test]
fn a_queue_moves_alike_whatever_the_order_of_spawning() {
    let motion = |order: &mut dyn Iterator<Item = u64>| {
        let mut app = app();
        let mut agents: Vec<(u64, Entity)> = Vec::new();
        for id in order {
            let style = [
                ClassicQueueStyle::HardStop,
                ClassicQueueStyle::Brake,
                ClassicQueueStyle::BrakeAndHardStop,
                ClassicQueueStyle::BrakeAndSeparate,
            ][(id % 4) as usize];
            let place = at((id * 37 % 100) as f32, (id * 61 % 90) as f32);
            let bundle = (ClassicQueue::new(style), Seek::new(Vec2::new(50.0, 300.0)), place);
            agents.push((id, app.world_mut().spawn((bundle, SteeringId::new(id))).id()));
        }
        agents.sort();
        // Each pursues the next, and so sees its velocity.
        for (k, (_, agent)) in agents.iter().enumerate() {
            let next = agents[(k + 1) % agents.len()].1;
            app.world_mut().entity_mut(*agent).insert(Pursue::new(next).with_weight(0.3));
        }
        run(&mut app, 120);
        agents.iter().map(|&(_, agent)| (position(&app, agent), velocity(&app, agent))).collect::<Vec<_>>()
    };
    assert_eq!(motion(&mut (0..30)), motion(&mut (0..30).rev()));
}

#[test]
fn a_stop_triggers_change_detection_as_long_as_it_changes_the_velocity() {
    #[derive(Resource, Default)]
    struct Changed(Vec<Entity>);

    let mut app = app();
    app.init_resource::<Changed>().add_systems(
        Update,
        |agents: Query<(Entity, Ref<Velocity>)>, mut changed: ResMut<Changed>| {
            changed.0 = agents.iter().filter(|(_, velocity)| velocity.is_changed()).map(|(agent, _)| agent).collect();
        },
    );
    app.add_steering_behavior::<Push>();
    let stop = queue(ClassicQueueStyle::HardStop).with_look_ahead(0.0).with_kept_velocity(0.0);
    let stopped = app.world_mut().spawn((stop.clone(), Velocity(VELOCITY))).id();
    // Stopped and pushed anew each tick, it moves on at one speed.
    let creeping = app.world_mut().spawn((stop, Push, Velocity(VELOCITY))).id();
    run(&mut app, 1);
    app.world_mut().resource_mut::<Changed>().0.sort();
    let mut both = [stopped, creeping];
    both.sort();
    assert_eq!(app.world().resource::<Changed>().0, both);
    run(&mut app, 1);
    assert_eq!(app.world().resource::<Changed>().0, []);
    assert_eq!(velocity(&app, stopped), Vec2::ZERO);
    assert!(velocity(&app, creeping).length() > 0.0);
}

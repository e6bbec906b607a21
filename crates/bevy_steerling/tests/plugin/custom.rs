//! Behaviors of a game's own beside the plugin's.

use super::*;

mod mine {
    use super::*;

    /// Seeks upward, with the name of one of the plugin's behaviors.
    #[derive(Component, Clone)]
    #[require(SteeringAgent)]
    pub struct Seek {
        pub target: Target,
    }

    impl SteeringBehavior for Seek {
        type State = Stateless;
        type Param = Targets<'static, 'static>;

        fn wish(&self, _: &mut Stateless, agent: &Agent, targets: &SystemParamItem<Self::Param>) -> Wish {
            targets.find_for(agent, self.target).map(|found| Wish::arrive(agent.to(found.position))).into()
        }

        fn aims(&self) -> [Option<Aim>; 2] {
            [Some(Aim::at(self.target).with_arrival(Arrival::AtRest { tolerance: 1.0 })), None]
        }
    }
}

/// An app with that behavior, which notes arrivals and lost targets.
fn app_with_both() -> App {
    let mut app = app();
    app.add_steering_behavior::<mine::Seek>()
        .init_resource::<Log>()
        .add_observer(|on: On<Arrived>, mut log: ResMut<Log>| log.arrived.push((on.entity, on.behavior.clone())))
        .add_observer(|on: On<TargetLost>, mut log: ResMut<Log>| log.lost.push((on.entity, on.behavior.clone())));
    app
}

/// What was told, of whom and of which behavior.
#[derive(Resource, Debug, Default)]
struct Log {
    arrived: Vec<(Entity, BehaviorName)>,
    lost: Vec<(Entity, BehaviorName)>,
}

const RIGHT: Vec2 = Vec2::new(500.0, 0.0);
const UP: Vec2 = Vec2::new(0.0, 500.0);

#[test]
fn a_rule_for_one_behavior_does_not_apply_to_another_of_the_same_name() {
    let force_with = |arbitration: Arbitration| {
        let mut app = app_with_both();
        let both = (Seek::new(RIGHT), mine::Seek { target: UP.into() });
        let agent = app.world_mut().spawn((both, arbitration)).id();
        run(&mut app, 1);
        force(&app, agent)
    };
    let groups = || Arbitration::new(ArbitrationMode::PriorityGroups { threshold: 0.0 });
    let right = force_with(groups().with_priority::<Seek>(99));
    assert!(right.x > 100.0 && right.y == 0.0, "{right}");
    let up = force_with(groups().with_priority::<mine::Seek>(99));
    assert!(up.y > 100.0 && up.x == 0.0, "{up}");

    let dithering = || Arbitration::new(ArbitrationMode::Dithering);
    let right = force_with(dithering().with_probability::<Seek>(1.0).with_probability::<mine::Seek>(0.0));
    assert!(right.x > 100.0 && right.y == 0.0, "{right}");
    let up = force_with(dithering().with_probability::<Seek>(0.0).with_probability::<mine::Seek>(1.0));
    assert!(up.y > 100.0 && up.x == 0.0, "{up}");
}

#[test]
fn a_trace_tells_apart_two_behaviors_of_the_same_name() {
    let mut app = app_with_both();
    let both = (Seek::new(RIGHT), mine::Seek { target: UP.into() });
    let agent = app.world_mut().spawn((both, SteeringTrace::default())).id();
    run(&mut app, 1);
    let trace = app.world().get::<SteeringTrace>(agent).expect("it is traced");
    assert_eq!(trace.contributions.len(), 2);
    let [plugins, mine] = [trace.of::<Seek>(), trace.of::<mine::Seek>()].map(|c| c.expect("it contributes"));
    assert!(plugins.raw.x > 0.0 && plugins.raw.y == 0.0, "{plugins:?}");
    assert!(mine.raw.y > 0.0 && mine.raw.x == 0.0, "{mine:?}");
    assert_eq!((plugins.behavior.short(), mine.behavior.short()), ("Seek", "Seek"));
    assert_eq!(trace.named(&BehaviorName::of::<mine::Seek>()), Some(mine));
}

#[test]
fn events_tell_apart_two_behaviors_of_the_same_name() {
    let mut app = app_with_both();
    let [there, gone] = [(); 2].map(|()| app.world_mut().spawn(at(0.0, 0.0)).id());
    let both = (Seek::new(there), mine::Seek { target: gone.into() });
    let agent = app.world_mut().spawn((both, SteeringEvents::default(), at(300.0, 0.0))).id();
    run(&mut app, 2);
    app.world_mut().despawn(gone);
    run(&mut app, 1);
    assert_eq!(app.world().resource::<Log>().lost, [(agent, BehaviorName::of::<mine::Seek>())]);
    run(&mut app, 300);
    let log = app.world().resource::<Log>();
    assert!(!log.arrived.is_empty() && log.arrived.iter().all(|(_, behavior)| behavior.is::<Seek>()), "{log:?}");
    app.world_mut().despawn(there);
    run(&mut app, 1);
    let lost = [BehaviorName::of::<mine::Seek>(), BehaviorName::of::<Seek>()].map(|behavior| (agent, behavior));
    assert_eq!(app.world().resource::<Log>().lost, lost);
}

#[test]
fn a_behavior_of_ones_own_arrives_and_loses_its_target() {
    let mut app = app_with_both();
    let goal = app.world_mut().spawn(at(200.0, 50.0)).id();
    let agent = app.world_mut().spawn((mine::Seek { target: goal.into() }, SteeringEvents::default())).id();
    let name = BehaviorName::of::<mine::Seek>();
    let mut ticks = 0..600;
    while app.world().resource::<Log>().arrived.is_empty() {
        assert!(ticks.next().is_some(), "at {}", position(&app, agent));
        run(&mut app, 1);
    }
    assert!(position(&app, agent).distance(Vec2::new(200.0, 50.0)) < 10.0 && velocity(&app, agent).length() <= 10.0);
    run(&mut app, 300);
    assert_eq!(app.world().resource::<Log>().arrived, [(agent, name.clone())], "once");
    assert!(app.world().resource::<Log>().lost.is_empty());
    app.world_mut().despawn(goal);
    run(&mut app, 30);
    assert_eq!(app.world().resource::<Log>().lost, [(agent, name)], "once");
    assert_eq!(force(&app, agent), Vec2::ZERO);
}

#[test]
fn a_wish_for_a_place_brings_a_body_with_limits_there_without_orbiting() {
    let limits = [
        BodyLimits::default().with_min_turning_radius(40.0),
        BodyLimits::default().with_max_turn_rate(1.5),
        BodyLimits::default().with_min_turning_radius(40.0).with_max_braking(150.0).with_reverse_speed(30.0),
    ];
    // Inside the turning circle, beside, behind, and ahead.
    let places = [Vec2::new(0.0, 25.0), Vec2::new(15.0, -50.0), Vec2::new(-120.0, 5.0), Vec2::new(300.0, 0.0)];
    for limits in limits {
        for place in places {
            let mut app = app_with_both();
            let body = (limits.clone(), SteeringEvents::default(), Velocity(Vec2::new(60.0, 0.0)));
            let agent = app.world_mut().spawn((mine::Seek { target: place.into() }, body)).id();
            let (mut turned, mut heading) = (0.0_f32, Vec2::X);
            for _ in 0..60 * 20 {
                run(&mut app, 1);
                let velocity = velocity(&app, agent);
                if velocity.length() > 1.0 {
                    // Along its way, whichever gear it is in.
                    let along = if velocity.dot(heading) < 0.0 { -velocity } else { velocity };
                    turned += heading.angle_to(along).abs();
                    heading = along.normalize();
                }
            }
            let off = position(&app, agent).distance(place);
            assert!(off < 1.0 && velocity(&app, agent).length() < 0.1, "{off} from {place} with {limits:?}");
            assert!(turned < 1.5 * std::f32::consts::TAU, "turned by {turned} to {place} with {limits:?}");
            let log = app.world().resource::<Log>();
            assert_eq!(log.arrived, [(agent, BehaviorName::of::<mine::Seek>())], "{place} with {limits:?}");
        }
    }
}

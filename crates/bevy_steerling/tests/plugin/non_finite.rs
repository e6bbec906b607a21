//! A value that is not finite, written by a game into one agent, stays with it: it counts as nothing, and is reported once.

use std::cell::RefCell;
use std::sync::Once;

use bevy_steerling::math::space::Edge;

use super::*;

const NON_FINITE: [Vec2; 4] =
    [Vec2::NAN, Vec2::new(f32::INFINITY, 0.0), Vec2::new(0.0, f32::NEG_INFINITY), Vec2::new(3.0, f32::NAN)];

/// Keeps what is logged, for each thread on its own: tests run side by side.
struct Log;

thread_local! {
    static WARNINGS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

impl log::Log for Log {
    fn enabled(&self, _: &log::Metadata) -> bool {
        true
    }

    fn log(&self, record: &log::Record) {
        if record.level() <= log::Level::Warn && record.target().starts_with("bevy_steerling") {
            WARNINGS.with_borrow_mut(|warnings| warnings.push(record.args().to_string()));
        }
    }

    fn flush(&self) {}
}

/// What was logged in this test since it was last asked.
pub fn warnings() -> Vec<String> {
    static SET: Once = Once::new();
    SET.call_once(|| {
        log::set_logger(&Log).expect("no other is set");
        log::set_max_level(log::LevelFilter::Warn);
    });
    WARNINGS.take()
}

/// A small crowd with every behavior around an agent that wants nothing: that, and the others.
fn crowd() -> (App, Entity, Vec<Entity>) {
    warnings();
    let mut app = app();
    let after_all = push.after(SteeringSystems::Constrain).before(SteeringSystems::Integrate);
    app.insert_resource(SteeringThreads::Single).add_systems(SteeringSchedule, after_all);
    let world = app.world_mut();
    let idle = world.spawn((SteeringAgent::default(), Solid::default(), at(15.0, 10.0))).id();
    let mut others = bad_inputs::with_each_behavior(world, Target::Entity(idle), at(10.0, 10.0));
    others.extend(bad_inputs::with_each_behavior(world, Target::Group(GroupMask::DEFAULT), at(12.0, 18.0)));
    (app, idle, others)
}

/// What `others` come to when `meddle` was done to the idle one before a tick, and again after some.
fn outcome(meddle: impl Fn(&mut App, Entity)) -> (Vec<[Vec2; 3]>, Vec<String>) {
    let (mut app, idle, others) = crowd();
    for _ in 0..3 {
        run(&mut app, 5);
        meddle(&mut app, idle);
        run(&mut app, 1);
        bad_inputs::assert_finite(&app, &others, "beside an broken one");
    }
    run(&mut app, 20);
    let state = |&agent: &Entity| [position(&app, agent), velocity(&app, agent), force(&app, agent)];
    (others.iter().map(state).collect(), warnings())
}

#[track_caller]
fn assert_said_once(warnings: &[String], what: &str) {
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("agent ") && warnings[0].contains(&format!("{what} is ")), "{warnings:?}");
}

#[test]
pub fn a_velocity_that_is_not_finite_is_like_none() {
    let with = |velocity: Vec2| {
        outcome(move |app, agent| app.world_mut().get_mut::<Velocity>(agent).expect("it moves").0 = velocity)
    };
    let sound = with(Vec2::ZERO);
    assert!(sound.1.is_empty(), "{:?}", sound.1);
    for broken in NON_FINITE {
        let (others, warnings) = with(broken);
        assert_eq!(others, sound.0);
        assert_said_once(&warnings, "velocity");
    }
}

/// Added to the force of all who have it, once.
#[derive(Component)]
struct Push(Vec2);

fn push(mut agents: Query<(Entity, &Push, &mut SteeringForce)>, mut commands: Commands) {
    for (entity, push, mut force) in &mut agents {
        force.0 += push.0;
        commands.entity(entity).remove::<Push>();
    }
}

#[test]
pub fn a_force_that_is_not_finite_is_like_none() {
    let with = |force: Vec2| {
        outcome(move |app, agent| {
            app.world_mut().entity_mut(agent).insert(Push(force));
        })
    };
    let sound = with(Vec2::ZERO);
    assert!(sound.1.is_empty(), "{:?}", sound.1);
    for broken in NON_FINITE {
        let (others, warnings) = with(broken);
        assert_eq!(others, sound.0);
        assert_said_once(&warnings, "force");
    }
}

/// Wants nonsense.
#[derive(Component)]
#[require(SteeringAgent)]
struct Nonsense(Vec2);

impl SteeringBehavior for Nonsense {
    type State = Stateless;
    type Param = ();

    fn wish(&self, _: &mut Stateless, _: &Agent, (): &()) -> Wish {
        Wish::Force(self.0)
    }
}

#[test]
fn a_behavior_that_wants_what_is_not_finite_is_like_none() {
    let steered = |itemized: bool, add: &dyn Fn(EntityWorldMut)| {
        let mut app = app();
        app.add_steering_behavior::<Nonsense>().insert_resource(SteeringThreads::Single);
        warnings();
        let start = (Wander::default(), SteeringId::new(7), at(5.0, 5.0));
        let agent = app.world_mut().spawn(start).id();
        app.world_mut().spawn((SteeringAgent::default(), at(9.0, 5.0)));
        if itemized {
            app.world_mut().entity_mut(agent).insert(SteeringTrace::default());
        }
        add(app.world_mut().entity_mut(agent));
        run(&mut app, 5);
        (velocity(&app, agent), warnings())
    };
    for itemized in [false, true] {
        let (alone, none) = steered(itemized, &|_| {});
        assert!(none.is_empty(), "{none:?}");
        for broken in NON_FINITE {
            let (velocity, warnings) = steered(itemized, &|mut agent| {
                agent.insert(Nonsense(broken));
            });
            assert_eq!(velocity, alone);
            assert_said_once(&warnings, "Nonsense");
        }
        for weight in [f32::NAN, f32::INFINITY] {
            let adders: [(&str, &dyn Fn(EntityWorldMut)); 4] = [
                ("Seek", &|mut agent| {
                    agent.insert(Seek::new(Vec2::new(90.0, 70.0)).with_weight(weight));
                }),
                ("Separation", &|mut agent| {
                    agent.insert(Separation::default().with_weight(weight));
                }),
                ("AvoidNeighbors", &|mut agent| {
                    agent.insert((AvoidNeighbors::default().with_weight(weight), Velocity(Vec2::new(50.0, 0.0))));
                }),
                ("ClassicQueue", &|mut agent| {
                    agent.insert(ClassicQueue::default().with_weight(weight));
                }),
            ];
            for (name, add) in adders {
                let (velocity, warnings) = steered(itemized, add);
                assert!(velocity.is_finite());
                assert_said_once(&warnings, name);
            }
        }
    }
}

#[test]
pub fn a_target_that_is_not_finite_is_like_none() {
    let velocity_with = |target: Option<Vec2>| {
        let mut app = app();
        let start = (Velocity(Vec2::new(3.0, 4.0)), Wander::default(), SteeringId::new(7), at(5.0, 5.0));
        let agent = app.world_mut().spawn(start).id();
        if let Some(target) = target {
            let broken = app.world_mut().spawn(at(target.x, target.y)).id();
            let mut agent = app.world_mut().entity_mut(agent);
            agent.insert((Seek::new(broken), Flee::new(broken), Arrive::new(broken), Pursue::new(broken)));
            agent.insert((Evade::new(broken), MatchVelocity::new(broken)));
            // A point infinitely far away is far away.
            if target.is_nan() {
                agent.insert((Seek::new(target), Flee::new(target), Arrive::new(target), Evade::new(target)));
            }
        }
        run(&mut app, 30);
        velocity(&app, agent)
    };
    for broken in NON_FINITE {
        assert_eq!(velocity_with(Some(broken)), velocity_with(None), "{broken}");
    }
}

#[test]
pub fn who_is_nowhere_is_left_out_until_it_is_somewhere() {
    for edge in [Edge::None, Edge::Wrap, Edge::Bounce] {
        for broken in NON_FINITE {
            warnings();
            let mut app = app();
            app.insert_resource(SteeringBounds { min: Vec2::splat(-500.0), max: Vec2::splat(500.0), edge });
            let goal = Vec2::new(90.0, 0.0);
            let bundle = (Seek::new(goal), Separation::default(), Solid::default(), AvoidNeighbors::default());
            let agent = app.world_mut().spawn((bundle, FaceVelocity::default(), at(broken.x, broken.y))).id();
            let queued = app.world_mut().spawn((Seek::new(goal), Queue::default(), at(broken.x, broken.y))).id();
            run(&mut app, 10);
            for agent in [agent, queued] {
                let place = position(&app, agent);
                assert_eq!(place.to_array().map(f32::to_bits), broken.to_array().map(f32::to_bits), "not moved");
                assert_eq!((velocity(&app, agent), force(&app, agent)), (Vec2::ZERO, Vec2::ZERO));
            }
            assert_eq!(warnings().len(), 2);
            for (agent, y) in [(agent, 100.0), (queued, -100.0)] {
                *app.world_mut().get_mut::<Transform>(agent).expect("it has a place") = at(0.0, y);
            }
            run(&mut app, 10);
            for agent in [agent, queued] {
                assert!(position(&app, agent).x > 0.0 && velocity(&app, agent).x > 0.0, "{edge:?} {broken}");
            }
            assert!(warnings().is_empty());
        }
    }
}

#[test]
fn of_an_agent_that_something_else_moves_only_the_force_is_mended() {
    for broken in NON_FINITE {
        warnings();
        let mut app = app();
        let agent = app.world_mut().spawn((ExternalMovement, Velocity(broken), Seek::new(Vec2::X), at(9.0, 9.0))).id();
        run(&mut app, 3);
        assert_eq!(force(&app, agent), Vec2::ZERO, "what it wants depends on its velocity");
        assert_eq!(velocity(&app, agent).to_array().map(f32::to_bits), broken.to_array().map(f32::to_bits));
        assert_said_once(&warnings(), "velocity");
        app.world_mut().get_mut::<Velocity>(agent).expect("it moves").0 = Vec2::ZERO;
        run(&mut app, 1);
        assert_ne!(force(&app, agent), Vec2::ZERO);
    }
}

#[test]
fn a_crowd_that_is_nowhere_is_reported_agent_by_agent_and_its_entities_are_forgotten() {
    let mut app = app();
    warnings();
    for _ in 0..20 {
        let agents: Vec<Entity> =
            (0..300).map(|_| app.world_mut().spawn((Seek::new(Vec2::X), at(f32::NAN, 0.0))).id()).collect();
        run(&mut app, 3);
        assert_eq!(warnings().len(), agents.len());
        for agent in agents {
            app.world_mut().despawn(agent);
        }
    }
}

#[derive(Resource, Default)]
struct Changed {
    transforms: Vec<Entity>,
    velocities: Vec<Entity>,
}

#[test]
fn neither_an_agent_that_is_nowhere_nor_those_at_rest_beside_it_are_marked_as_changed() {
    let mut app = app();
    let note = |agents: Query<(Entity, Ref<Transform>, Ref<Velocity>)>, mut changed: ResMut<Changed>| {
        let transforms = agents.iter().filter(|(_, transform, _)| transform.is_changed());
        let velocities = agents.iter().filter(|(.., velocity)| velocity.is_changed());
        *changed = Changed {
            transforms: transforms.map(|(agent, ..)| agent).collect(),
            velocities: velocities.map(|(agent, ..)| agent).collect(),
        };
    };
    app.init_resource::<Changed>().add_systems(Update, note);
    let [nowhere, resting, coasting] = [(f32::NAN, 0.0), (0.0, 0.0), (50.0, 5.0)].map(|(x, speed)| {
        app.world_mut().spawn((SteeringAgent::default(), Velocity(Vec2::X * speed), at(x, 0.0))).id()
    });
    run(&mut app, 5);
    let changed = app.world().resource::<Changed>();
    assert_eq!((&*changed.transforms, &*changed.velocities), (&[coasting][..], &[][..]));
    // Too fast, or not finite: that is corrected once.
    for (agent, speed) in [(nowhere, 500.0), (resting, f32::NAN)] {
        app.world_mut().get_mut::<Velocity>(agent).expect("it moves").bypass_change_detection().0.x = speed;
        run(&mut app, 1);
        let changed = app.world().resource::<Changed>();
        assert_eq!((&*changed.transforms, &*changed.velocities), (&[coasting][..], &[agent][..]));
        run(&mut app, 1);
        assert!(app.world().resource::<Changed>().velocities.is_empty(), "a speed of {speed}");
    }
    assert_eq!((velocity(&app, nowhere), velocity(&app, resting)), (Vec2::X * 100.0, Vec2::ZERO));
}

//! Agents that get new targets are told that they arrive.

use proptest::prelude::*;

use bevy_steerling::events::EventState;

use super::*;

/// How often each agent was told that it is there, and by which behavior.
#[derive(Resource, Default)]
struct Arrivals(Vec<(Entity, BehaviorName)>);

fn listening_at(rate: f64) -> App {
    let mut app = app_at(rate);
    app.init_resource::<Arrivals>().add_observer(|on: On<Arrived>, mut arrivals: ResMut<Arrivals>| {
        arrivals.0.push((on.entity, on.behavior.clone()));
    });
    app
}

/// How often it was told since it was asked last: by `Arrive`, and by `Seek`.
fn arrivals(app: &mut App, ticks: usize) -> [usize; 2] {
    run(app, ticks);
    let told = std::mem::take(&mut app.world_mut().resource_mut::<Arrivals>().0);
    let seek = told.iter().filter(|(_, behavior)| behavior.is::<Seek>()).count();
    [told.len() - seek, seek]
}

/// A way in which a game sets a target.
#[derive(Clone, Copy, Debug)]
enum Setting {
    Field,
    Component,
    /// Removes the component first.
    Anew,
}

fn setting() -> impl Strategy<Value = Setting> {
    prop_oneof![Just(Setting::Field), Just(Setting::Component), Just(Setting::Anew)]
}

impl Setting {
    fn set(self, app: &mut App, agent: Entity, target: Vec2) {
        let mut agent = app.world_mut().entity_mut(agent);
        match self {
            Self::Field => agent.get_mut::<Arrive>().unwrap().target = target.into(),
            Self::Component => _ = agent.insert(Arrive::new(target)),
            Self::Anew => _ = agent.remove::<Arrive>().insert(Arrive::new(target)),
        }
    }
}

fn body() -> impl Strategy<Value = SteeringAgent> {
    (1.0..20.0_f32, 0.2..8.0_f32, 40.0..200.0_f32, 1.0..6.0_f32).prop_map(|(radius, mass, max_speed, agility)| {
        SteeringAgent { radius, mass, max_speed, max_force: mass * max_speed * agility, ..default() }
    })
}

fn rate() -> impl Strategy<Value = f64> {
    prop_oneof![Just(20.0), Just(60.0), Just(144.0)]
}

proptest! {
    #![proptest_config(config(quarter_of(200)))]

    /// Each target that is set is told once, however near it is to the last one.
    #[test]
    fn each_target_that_is_set_is_arrived_at_once(
        body in body(),
        rate in rate(),
        way in (-150.0..150.0_f32, -150.0..150.0_f32),
        targets in proptest::collection::vec((setting(), -4.0..4.0_f32, -4.0..4.0_f32, any::<bool>()), 1..6),
    ) {
        let mut app = listening_at(rate);
        let seconds = |count: f64| (count * rate) as usize;
        let mut target = Vec2::from(way);
        let agent = app.world_mut().spawn((Arrive::new(target), body, SteeringEvents::default(), at(0.0, 0.0))).id();
        prop_assert_eq!(arrivals(&mut app, seconds(15.0)), [1, 0]);
        for (setting, x, y, same) in targets {
            target += if same { Vec2::ZERO } else { Vec2::new(x, y) * body.radius };
            setting.set(&mut app, agent, target);
            let at_once = arrivals(&mut app, 1);
            prop_assert!(!same || at_once == [1, 0], "{:?}", at_once);
            let later = arrivals(&mut app, seconds(15.0));
            prop_assert_eq!(at_once[0] + later[0], 1);
            prop_assert!(position(&app, agent).distance(target) <= 1.1 * body.radius);
        }
    }

    /// A target that moves arms the event only when it is twice as far, and setting one behavior does not arm another.
    #[test]
    fn a_target_that_moves_arms_nothing_and_neither_does_another_behavior(
        body in body(),
        rate in rate(),
        settings in proptest::collection::vec(setting(), 1..4),
        steps in proptest::collection::vec((-1.0..1.0_f32, -1.0..1.0_f32), 20),
    ) {
        let mut app = listening_at(rate);
        let marker = app.world_mut().spawn(at(0.0, 0.0)).id();
        let watched = (body, ExternalMovement, SteeringEvents::default(), at(0.0, 0.0));
        let agent = app.world_mut().spawn((Arrive::new(marker), Seek::new(marker), watched)).id();
        prop_assert_eq!(arrivals(&mut app, 5), [1, 1]);
        for (x, y) in steps {
            // At most 1.5 times the arrival distance away.
            let place = Vec2::new(x, y).clamp_length_max(1.0) * 1.5 * 1.1 * body.radius;
            app.world_mut().get_mut::<Transform>(marker).unwrap().translation = place.extend(0.0);
            prop_assert_eq!(arrivals(&mut app, 2), [0, 0]);
        }
        for setting in settings {
            setting.set(&mut app, agent, Vec2::ZERO);
            prop_assert_eq!(arrivals(&mut app, 5), [1, 0]);
        }
        app.world_mut().get_mut::<Seek>(agent).unwrap().target = Vec2::ZERO.into();
        prop_assert_eq!(arrivals(&mut app, 5), [0, 1]);
    }
}

/// An observer that sends the agent on is told about each place, however near the next one is.
#[test]
fn a_patrol_goes_on_from_each_place() {
    for spacing in [1.0, 5.0, 30.0] {
        let mut app = listening_at(RATE);
        let patrol = (Arrive::new(Vec2::ZERO), SteeringEvents::default(), at(0.0, 0.0));
        let agent = app.world_mut().spawn(patrol).id();
        app.add_observer(move |on: On<Arrived>, mut patrols: Query<&mut Arrive>| {
            let mut arrive = patrols.get_mut(on.entity).unwrap();
            let Target::Point(place) = arrive.target else { panic!("it is a point") };
            if place.x < 9.5 * spacing {
                arrive.target = (place + Vec2::X * spacing).into();
            }
        });
        run(&mut app, 1200);
        assert_eq!(app.world().resource::<Arrivals>().0.len(), 11, "{spacing}");
        assert!((position(&app, agent).x - 10.0 * spacing).abs() <= 8.8);
    }
}

/// A saved game that is restored tells nothing again: its settings and its state are set together.
#[test]
fn a_restored_agent_does_not_arrive_again() {
    let mut app = listening_at(RATE);
    let agent = (Arrive::new(Vec2::ZERO), SteeringEvents::default(), at(0.0, 0.0));
    let agent = app.world_mut().spawn(agent).id();
    assert_eq!(arrivals(&mut app, 5), [1, 0]);
    let state = app.world().get::<EventState>(agent).unwrap().clone();
    app.world_mut().entity_mut(agent).insert((Arrive::new(Vec2::ZERO), state));
    assert_eq!(arrivals(&mut app, 5), [0, 0]);
}

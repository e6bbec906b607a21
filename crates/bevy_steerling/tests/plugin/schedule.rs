//! Where and when steering runs.

use super::*;
use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings, Schedules};

#[test]
fn no_two_systems_are_ambiguous() {
    let mut app = app();
    let world = app.world_mut();
    let mut schedules = world.remove_resource::<Schedules>().unwrap();
    let schedule = schedules.get_mut(SteeringSchedule).unwrap();
    schedule.set_build_settings(ScheduleBuildSettings {
        ambiguity_detection: LogLevel::Warn,
        auto_insert_apply_deferred: false,
        ..default()
    });
    schedule.initialize(world).unwrap();
    assert!(schedule.graph().systems.len() > 15, "there is something to check");
    let ambiguous = &schedule.graph().conflicting_systems().0;
    assert!(ambiguous.is_empty(), "{ambiguous:?}");
}

#[test]
fn steers_in_the_schedule_it_is_given() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::new(PostUpdate)))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
    app.update();
    let agent = app.world_mut().spawn((SteeringAgent::default(), Velocity(Vec2::new(10.0, 0.0)))).id();
    run(&mut app, 5);
    assert!((position(&app, agent).x - 5.0).abs() < 1e-4);
}

#[test]
pub fn a_tick_of_zero_length_does_nothing() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::new(Update)))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    let agent =
        app.world_mut().spawn((Seek::new(Vec2::new(5.0, 5.0)), Wander::default(), Velocity(Vec2::new(10.0, 0.0)))).id();
    run(&mut app, 5);
    assert_eq!(position(&app, agent), Vec2::ZERO);
    assert_eq!(velocity(&app, agent), Vec2::new(10.0, 0.0));
    assert_eq!(force(&app, agent), Vec2::ZERO);
}

#[test]
fn without_a_clock_time_stands_still() {
    let mut app = App::new();
    app.add_plugins(SteeringPlugin::new(Update));
    let agent = app.world_mut().spawn(Seek::new(Vec2::new(5.0, 5.0))).id();
    run(&mut app, 3);
    assert_eq!(position(&app, agent), Vec2::ZERO);
}

#[test]
fn the_phases_of_a_tick_run_in_order() {
    #[derive(Resource, Default)]
    struct Order(Vec<&'static str>);
    fn note(name: &'static str) -> impl FnMut(ResMut<Order>) {
        move |mut order| order.0.push(name)
    }
    let mut app = app();
    app.init_resource::<Order>()
        .add_systems(FixedUpdate, (note("before").before(RunSteeringSystems), note("after").after(RunSteeringSystems)))
        .add_systems(
            SteeringSchedule,
            (
                note("react").in_set(SteeringSystems::React),
                note("confine").in_set(SteeringSystems::Confine),
                note("integrate").in_set(SteeringSystems::Integrate),
                note("restrain").in_set(SteeringSystems::Constrain),
                note("steer").in_set(SteeringSystems::Steer),
                note("sense").in_set(SteeringSystems::Sense),
            ),
        );
    run(&mut app, 1);
    assert_eq!(
        app.world().resource::<Order>().0,
        ["before", "sense", "steer", "restrain", "integrate", "confine", "react", "after"]
    );
}

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
fn a_long_frame_is_divided_into_ticks() {
    #[derive(Resource, Default)]
    struct Seen(Vec<Time>);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::new(Update)))
        .init_resource::<Seen>()
        .add_systems(SteeringSchedule, |time: Res<Time>, mut seen: ResMut<Seen>| seen.0.push(*time));
    app.update();
    let agent = app.world_mut().spawn((SteeringAgent::default(), Velocity(Vec2::new(10.0, 0.0)))).id();
    let mut x = 0.0;
    for (milliseconds, parts) in [(4, 1), (50, 1), (51, 2), (200, 4), (240, 5)] {
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(milliseconds)));
        app.update();
        let (seen, time) = (app.world_mut().resource_mut::<Seen>().0.split_off(0), *app.world().resource::<Time>());
        let deltas: Vec<Duration> = seen.iter().map(Time::delta).collect();
        assert_eq!((deltas.len(), deltas.iter().sum()), (parts, time.delta()));
        assert!(deltas.iter().all(|delta| delta.abs_diff(deltas[0]) < Duration::from_micros(1)), "{deltas:?}");
        assert!(seen.windows(2).all(|pair| pair[0].elapsed() + pair[1].delta() == pair[1].elapsed()));
        assert_eq!(seen.last().map(Time::elapsed), Some(time.elapsed()));
        x += milliseconds as f32 * 1e-3 * 10.0;
        assert!((position(&app, agent).x - x).abs() < 1e-4);
    }
    for unlimited in [LongestTick::UNLIMITED, LongestTick(0.0), LongestTick(f32::NAN)] {
        app.insert_resource(unlimited);
        app.update();
        assert_eq!(app.world_mut().resource_mut::<Seen>().0.split_off(0).len(), 1);
    }
    // Fixed timesteps are as long as the game has made them.
    assert_eq!(*super::app().world().resource::<LongestTick>(), LongestTick::UNLIMITED);
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

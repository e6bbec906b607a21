//! `assets/scenarios/parking.json`: cars reach places that are hard to reach.

use steerling_scenario::{Plot, Scenario, Simulation, Summary, Threads, run};

fn parking() -> Scenario {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/scenarios/parking.json");
    Scenario::read(file).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_car_gets_to_its_place_and_touches_no_wall() {
    let scenario = parking();
    let Ok(Summary { goals, collisions, .. }) =
        run::<std::convert::Infallible>(&scenario, scenario.ticks(), Threads::Auto, |_| Ok(()));
    assert_eq!((goals.reached, goals.of), (10, 10));
    assert_eq!((collisions.with_agents.unique, collisions.with_obstacles.unique), (0, 0));
}

#[test]
fn cars_that_arrive_stand_still_in_the_end() {
    let scenario = parking();
    let mut simulation = Simulation::new(&scenario, Threads::Auto);
    for _ in 0..scenario.ticks() {
        simulation.step();
    }
    let moving: Vec<&str> =
        simulation.agents().iter().filter(|agent| agent.velocity.length() > 0.0).map(|agent| &*agent.id).collect();
    assert_eq!(moving, ["cannot brake"]);
}

#[test]
fn a_knock_back_is_part_of_the_way_and_the_line_hangs_together() {
    let text = r#"{"tick": 0.05, "ticks": 100, "agents": [
        {"id": "a", "position": [0, 0], "impulse": {"velocity": [100, 0], "time_constant": 0.2}}]}"#;
    let scenario = Scenario::parse("knocked.json", text).unwrap_or_else(|error| panic!("{error}"));
    let mut plot = Plot::new(&scenario);
    let Ok(Summary { path_length, .. }) =
        run::<std::convert::Infallible>(&scenario, scenario.ticks(), Threads::Auto, |simulation| {
            plot.record(simulation);
            Ok(())
        });
    let way = path_length.expect("there is an agent");
    assert!((way - 20.0).abs() < 0.01, "{way}");
    let drawn = plot.finish();
    let path = drawn.split("<path d=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("there is a line");
    assert_eq!((path.matches('M').count(), path.matches('L').count()), (1, 1), "{path}");
}

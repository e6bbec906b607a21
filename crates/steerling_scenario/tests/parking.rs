//! `assets/scenarios/parking.json`: cars get to places that are hard to get to.

use steerling_scenario::{Scenario, Simulation, Summary, Threads, run};

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

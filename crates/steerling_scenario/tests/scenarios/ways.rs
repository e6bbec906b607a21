//! Agents that find their way by a flow field.

use std::convert::Infallible;

use bevy::math::Vec2;
use steerling_scenario::{Scenario, Simulation, Summary, Threads, run};

/// Runs a scene of one agent until it is at its goal; returns the length of its path.
fn path_length(name: &str, text: &str) -> f32 {
    let scenario = Scenario::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
    let (goal, radius) = scenario.goals().next().expect("it has a goal");
    let mut simulation = Simulation::new(&scenario, Threads::Exactly(1));
    let (mut place, mut length) = (simulation.agents()[0].position, 0.0);
    for _ in 0..scenario.ticks() {
        simulation.step();
        let next = simulation.agents()[0].position;
        length += next.distance(place);
        place = next;
        if place.distance(goal) <= radius {
            return length;
        }
    }
    panic!("{name}: it ends at {place}, not at {goal}");
}

/// The shortest way through points, rounded off at the corners by a body of this radius.
fn around(points: &[Vec2]) -> f32 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

#[test]
fn nobody_stays_in_a_dead_end() {
    // The shortest ways of the center, which keeps 8 from walls, by the corners that it passes.
    let dead_end = around(&[
        Vec2::new(-100.0, 5.0),
        Vec2::new(0.0, 108.0),
        Vec2::new(150.0, 108.0),
        Vec2::new(158.0, 100.0),
        Vec2::new(400.0, 0.0),
    ]);
    let length = path_length("dead_end", include_str!("../data/dead_end.json"));
    assert!(length <= 1.15 * dead_end, "{length}, shortest {dead_end}");
    let slalom = around(&[
        Vec2::new(-150.0, 0.0),
        Vec2::new(2.0, -100.0),
        Vec2::new(110.0, -108.0),
        Vec2::new(118.0, -100.0),
        Vec2::new(300.0, 20.0),
    ]);
    let length = path_length("slalom_dead_end", include_str!("../data/slalom_dead_end.json"));
    assert!(length <= 1.15 * slalom, "{length}, shortest {slalom}");
}

#[test]
fn a_thousand_people_get_out_of_a_maze_of_doors_without_a_touch() {
    let scenario = Scenario::parse("maze", include_str!("../../../../assets/scenarios/maze_of_doors.json"));
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    let Ok(Summary { gates, collisions, .. }) =
        run::<Infallible>(&scenario, scenario.ticks(), Threads::Auto, |_| Ok(()));
    assert_eq!(gates[0].crossings, 1000);
    let deepest = collisions.with_agents.max_depth.max(collisions.with_obstacles.max_depth);
    assert!(deepest <= 0.001, "{deepest}");
}

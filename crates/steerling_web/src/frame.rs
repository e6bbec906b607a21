//! The state of a scene as lists of numbers, which a page draws.

use bevy::math::ops;
use bevy::prelude::*;
use bevy_steerling::prelude::*;
use steerling_scenario::{Scenario, Simulation, Threads};

/// The simulation of a scenario, with agents that face the direction in which they move. A browser gives a page one thread.
pub(crate) fn simulation(scenario: &Scenario) -> Simulation {
    Simulation::extended(scenario, Threads::Exactly(1), |app, spawned| {
        for &(_, agent) in &spawned.agents {
            app.world_mut().entity_mut(agent).insert_if_new(FaceVelocity::default());
        }
    })
}

/// Position, heading and radius of each agent.
pub(crate) fn agents(simulation: &Simulation) -> Vec<f32> {
    let world = simulation.world();
    let agent = |&entity: &Entity| {
        let (transform, body) = world.entity(entity).get_components::<(&Transform, &SteeringAgent)>().ok()?;
        let (position, heading) = (transform.translation, transform.rotation * Vec3::X);
        Some([position.x, position.y, ops::atan2(heading.y, heading.x), body.radius])
    };
    simulation.entities().iter().filter_map(agent).flatten().collect()
}

/// Radius, closedness, number of corners, and corners of each obstacle.
pub(crate) fn obstacles(simulation: &Simulation) -> Vec<f32> {
    let mut numbers = Vec::new();
    for shape in simulation.obstacles() {
        let corners = shape.corners();
        numbers.extend([shape.radius(), f32::from(u8::from(shape.is_closed())), corners.len() as f32]);
        numbers.extend(corners.iter().flat_map(|corner| corner.to_array()));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use super::*;

    fn running(text: &str) -> Simulation {
        simulation(&Scenario::parse("scene.json", text).unwrap_or_else(|error| panic!("{error}")))
    }

    #[test]
    fn agents_are_in_the_order_of_their_ids_and_look_where_they_go() {
        let mut simulation = running(
            r#"{"tick": 0.5, "agents": [
                {"id": "b", "position": [1, 2], "velocity": [0, 4], "radius": 3},
                {"id": "a", "position": [-5, 0], "velocity": [2, 0]}
            ]}"#,
        );
        simulation.step();
        let [ax, ay, a_heading, a_radius, bx, by, b_heading, b_radius] = agents(&simulation)[..] else {
            panic!("two agents")
        };
        assert_eq!(([ax, ay], a_radius, [bx, by], b_radius), ([-4.0, 0.0], 8.0, [1.0, 4.0], 3.0));
        assert!(a_heading.abs() < 1e-6 && (b_heading - FRAC_PI_2).abs() < 1e-6, "{a_heading} {b_heading}");
    }

    #[test]
    fn an_agent_that_reached_a_goal_that_removes_it_is_not_drawn() {
        let mut simulation = running(
            r#"{"agents": [{"id": "a", "position": [0, 0], "goal": {"position": [0, 0], "radius": 1, "remove": true}}]}"#,
        );
        assert_eq!(agents(&simulation).len(), 4);
        simulation.step();
        simulation.step();
        assert!(agents(&simulation).is_empty());
    }

    #[test]
    fn obstacles_are_outlines_where_they_are_now() {
        let mut simulation = running(
            r#"{"tick": 1, "obstacles": [
                {"circle": {"center": [5, 6], "radius": 2}, "velocity": [1, 0]},
                {"capsule": {"start": [0, 0], "end": [4, 0], "radius": 0.5}},
                {"polyline": {"points": [[0, 0], [1, 1], [2, 0]]}},
                {"polygon": {"points": [[0, 0], [2, 0], [0, 2]]}}
            ]}"#,
        );
        simulation.step();
        let mut numbers = &obstacles(&simulation)[..];
        let mut outlines = Vec::new();
        while let [radius, closed, count, rest @ ..] = numbers {
            let (corners, others) = rest.split_at(2 * *count as usize);
            outlines.push((*radius, *closed, corners.to_vec()));
            numbers = others;
        }
        let [circle, capsule, polyline, polygon] = &outlines[..] else { panic!("four obstacles: {outlines:?}") };
        assert_eq!((circle.0, &circle.2[..]), (2.0, &[6.0, 6.0][..]));
        assert_eq!((capsule.0, capsule.1, capsule.2.len()), (0.5, 0.0, 4));
        assert_eq!((polyline.1, polyline.2.len()), (0.0, 6));
        assert_eq!((polygon.0, polygon.1, polygon.2.len()), (0.0, 1.0, 6));
    }
}

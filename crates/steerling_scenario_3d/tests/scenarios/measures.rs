//! Crowds, goals, respawns and measures in three dimensions.

use std::convert::Infallible;

use bevy::math::Vec3;
use serde_json::{Value, json};
use steerling_scenario_3d::{AgentState, Scenario, Simulation, Threads, run};

use crate::running::{scenario, summary};

fn start(scenario: &Scenario) -> Vec<AgentState> {
    Simulation::new(scenario, Threads::Exactly(1)).agents().to_vec()
}

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-4, "{found} instead of {expected}");
}

/// The shortest displacement in a box that wraps on the axes with a finite size.
fn shortest(from: Vec3, to: Vec3, size: Vec3) -> f32 {
    let apart = (to - from).abs();
    apart.min((size - apart).abs()).length()
}

#[test]
fn a_crowd_has_its_places_in_a_box_and_keeps_its_distance() {
    for (edge, size) in [("none", Vec3::INFINITY), ("wrap", Vec3::new(40.0, 20.0, 30.0))] {
        let agents = start(&scenario(&json!({
            "dimensions": 3, "seed": 3, "bounds": {"min": [-20, 0, -30], "max": [20, 20, 0], "edge": edge},
            "crowds": [{
                "prefix": "fish", "count": 150, "spacing": 4, "speed": 5,
                "area": {"min": [-20, 0, -30], "max": [20, 20, 0]}, "agent": {"mass": 3}
            }]
        })));
        assert_eq!(agents.len(), 150);
        for (index, agent) in agents.iter().enumerate() {
            let place = agent.position;
            let is_inside = place.cmpge(Vec3::new(-20.0, 0.0, -30.0)) & place.cmple(Vec3::new(20.0, 20.0, 0.0));
            assert!(is_inside.all(), "{place}");
            assert!((agent.velocity.length() - 5.0).abs() < 1e-4, "{}", agent.velocity);
            for other in &agents[..index] {
                let apart = shortest(place, other.position, size);
                assert!(apart >= 3.999, "{} and {} are {apart} apart", agent.id, other.id);
            }
        }
        // On a sphere, the mean of the squares is the same along each axis.
        let squares = agents.iter().map(|agent| agent.velocity * agent.velocity / 25.0).sum::<Vec3>() / 150.0;
        assert!((squares - Vec3::splat(1.0 / 3.0)).abs().max_element() < 0.08, "{squares}");
        for axis in 0..3 {
            let ahead = agents.iter().filter(|agent| agent.velocity[axis] > 0.0).count();
            let near = agents.iter().filter(|agent| agent.position[axis] > [0.0, 10.0, -15.0][axis]).count();
            assert!((50..100).contains(&ahead) && (50..100).contains(&near), "axis {axis}: {ahead} {near}");
        }
    }
}

#[test]
fn a_crowd_that_does_not_fit_its_box_is_refused() {
    let crowd = |height: f32| {
        let area = json!({"min": [0, 0, 0], "max": [10, 10, height]});
        let crowd = json!({"prefix": "c", "count": 50, "spacing": 4, "area": area, "agent": {}});
        Scenario::parse("scene.json", &json!({"dimensions": 3, "crowds": [crowd]}).to_string())
    };
    let message = crowd(1.0).unwrap_err().to_string();
    assert!(
        message.starts_with("scene.json: crowds[0]: expected an area with room for 50 agents 4 apart"),
        "{message}"
    );
    assert!(crowd(60.0).is_ok());
}

#[test]
fn bodies_overlap_only_if_they_are_near_along_all_axes() {
    // They start 10 apart along z, meet, pass through each other, and are 10 apart again.
    let passing = |x: f32| {
        let agent =
            |id: &str, x: f32, z: f32| json!({"id": id, "position": [x, 0, z], "velocity": [0, 0, -z], "radius": 1});
        summary(&json!({"dimensions": 3, "tick": 0.01, "ticks": 200, "agents": [agent("a", 0.0, 5.0), agent("b", x, -5.0)]}))
            .collisions
            .with_agents
    };
    let head_on = passing(0.0);
    assert_eq!(head_on.unique, 1);
    assert_near(head_on.max_depth, 2.0);
    // Both move 0.05 per tick: 40 ticks in which they are less than 2 apart.
    assert_eq!(head_on.agent_ticks, 2 * 40);
    let touching = passing(1.5);
    assert_eq!(touching.unique, 1);
    assert_near(touching.max_depth, 0.5);
    assert_eq!(passing(2.1).unique, 0);
}

#[test]
fn bodies_overlap_across_a_seam_along_z() {
    let overlaps = |edge: &str| {
        let agents = [9.8, 0.3].map(|z| json!({"id": z.to_string(), "position": [5, 5, z], "radius": 0.5}));
        let bounds = json!({"min": [0, 0, 0], "max": [10, 10, 10], "edge": edge});
        summary(&json!({"dimensions": 3, "ticks": 2, "bounds": bounds, "agents": agents})).collisions.with_agents
    };
    assert_eq!(overlaps("none").unique, 0);
    assert_eq!(overlaps("wrap").unique, 1);
    assert_near(overlaps("wrap").max_depth, 0.5);
}

#[test]
fn a_goal_is_a_ball() {
    let reached = |goal: [f32; 3]| {
        let agent = json!({
            "id": "a", "position": [0, 0, 0], "velocity": [0, 0, 2], "goal": {"position": goal, "radius": 1.25, "remove": true}
        });
        summary(&json!({"dimensions": 3, "tick": 0.5, "ticks": 20, "agents": [agent]}))
    };
    let straight = reached([0.0, 0.0, 6.0]);
    assert_eq!((straight.goals.reached, straight.goals.last_time), (1, Some(2.5)));
    assert_eq!(straight.path_length, Some(5.0), "it is removed there");
    assert_eq!(reached([0.75, 1.0, 6.0]).goals.last_time, Some(3.0), "on its rim");
    assert_eq!(reached([0.8, 1.0, 6.0]).goals.reached, 0);
    assert_eq!(reached([0.0, 0.0, -6.0]).goals.reached, 0);
}

#[test]
fn a_flow_field_leads_out_of_a_box_that_is_open_at_its_back() {
    // Four sides, and a front between the crowd and the goal.
    let half_sizes = [[30, 2, 30], [30, 2, 30], [30, 30, 2], [30, 30, 2], [2, 30, 30]];
    let centers = [[0, 30, 0], [0, -30, 0], [0, 0, 30], [0, 0, -30], [30, 0, 0]];
    let walls = centers.iter().zip(half_sizes);
    let walls: Vec<_> =
        walls.map(|(center, half_size)| json!({"cuboid": {"center": center, "half_size": half_size}})).collect();
    let found = |behavior: Value| {
        let file = json!({
            "dimensions": 3, "tick": 0.02, "ticks": 800, "obstacles": walls,
            "fields": [{"id": "out", "toward": [[60, 10, -10]], "cell": 4, "clearance": 4}],
            "crowds": [{
                "prefix": "drone", "count": 4, "spacing": 10, "area": {"min": [0, -20, -20], "max": [20, 20, 20]},
                "agent": {
                    "radius": 3, "max_speed": 30, "max_force": 90, "behaviors": [behavior, {"avoid_obstacles": {}}],
                    "goal": {"position": [60, 10, -10], "radius": 6, "remove": true}
                }
            }]
        });
        let summary = summary(&file);
        assert_eq!(summary.collisions.with_obstacles.unique, 0);
        summary.goals.reached
    };
    assert_eq!(found(json!({"follow_field": {"field": "out"}})), 4);
    assert_eq!(found(json!({"seek": {"target": {"point": [60, 10, -10]}}})), 0, "the box holds those without a field");
}

#[test]
fn an_agent_that_enters_a_box_is_moved_to_another() {
    let respawns = |z: [f32; 2]| {
        let [low, high] = z;
        let scenario = scenario(&json!({
            "dimensions": 3, "tick": 1, "ticks": 5, "agents": [{"id": "a", "position": [0, 0, 0], "velocity": [0, 0, 1]}],
            "respawns": [{
                "inside": {"min": [-1, -1, low], "max": [1, 1, high]}, "to": {"min": [5, 6, 7], "max": [5, 6, 8]}
            }]
        }));
        let mut last = Vec3::ZERO;
        let Ok(summary) = run::<Infallible>(&scenario, 5, Threads::Exactly(1), |simulation| {
            last = simulation.agents()[0].position;
            Ok(())
        });
        (summary.respawns, last)
    };
    assert_eq!(respawns([9.0, 10.0]), (0, Vec3::new(0.0, 0.0, 5.0)));
    let (count, place) = respawns([2.5, 3.5]);
    assert_eq!((count, place.x, place.y), (1, 5.0, 6.0));
    assert!((9.0..=10.0).contains(&place.z), "two ticks later: {place}");
}

/// The number and sizes of components, and the mean distance to the nearest other one, by a search through all pairs.
fn by_search(places: &[Vec3], link_radius: f32, size: Vec3) -> (f64, f64, f64) {
    let mut unseen: Vec<usize> = (0..places.len()).collect();
    let mut sizes = Vec::new();
    while let Some(first) = unseen.pop() {
        let mut component = vec![first];
        let mut next = 0;
        while let Some(&here) = component.get(next) {
            next += 1;
            component
                .extend(unseen.extract_if(.., |place| shortest(places[here], places[*place], size) <= link_radius));
        }
        sizes.push(component.len());
    }
    let nearest = places.iter().enumerate().map(|(index, place)| {
        let others = places.iter().enumerate().filter(|(other, _)| *other != index);
        f64::from(others.map(|(_, other)| shortest(*place, *other, size)).fold(f32::INFINITY, f32::min))
    });
    let largest = sizes.iter().copied().max().unwrap_or_default();
    let all = places.len() as f64;
    (sizes.len() as f64, largest as f64 / all, nearest.sum::<f64>() / all)
}

#[test]
fn the_measures_of_a_flock_are_those_that_a_search_through_all_pairs_finds() {
    let mut counts = Vec::new();
    for (edge, size) in [("none", Vec3::INFINITY), ("wrap", Vec3::new(30.0, 8.0, 20.0))] {
        for link_radius in [0.5_f32, 2.0, 2.8, 3.4, 12.0, 50.0] {
            let scenario = scenario(&json!({
                "dimensions": 3, "ticks": 1, "seed": 8, "bounds": {"min": [-10, 0, -5], "max": [20, 8, 15], "edge": edge},
                "crowds": [{"prefix": "c", "count": 200, "area": {"min": [-10, 0, -5], "max": [20, 8, 15]}, "agent": {}}],
                "flock_measures": {"link_radius": link_radius}
            }));
            let mut places = Vec::new();
            let Ok(summary) = run::<Infallible>(&scenario, 1, Threads::Exactly(1), |simulation| {
                places = simulation.agents().iter().map(|agent| agent.position).collect();
                Ok(())
            });
            let flock = summary.flock.unwrap();
            let (count, largest, nearest) = by_search(&places, link_radius, size);
            assert_near(flock.components.count.unwrap(), count);
            assert_near(flock.components.largest.unwrap(), largest);
            assert_near(flock.nearest_neighbor.unwrap(), nearest);
            counts.push(count as usize);
        }
    }
    // From hardly any links to all of them.
    assert!(counts[0] > 190 && counts[5] == 1 && (2..190).contains(&counts[2]), "{counts:?}");
    assert!(counts[8] < counts[2], "links across the seams: {counts:?}");
}

#[test]
fn polarization_counts_all_directions() {
    let polarization = |velocities: &[[f32; 3]]| {
        let agents: Vec<Value> = (0..)
            .zip(velocities)
            .map(|(k, velocity)| json!({"id": k.to_string(), "position": [9 * k, 0, 0], "velocity": velocity}))
            .collect();
        let file = json!({"dimensions": 3, "ticks": 1, "agents": agents, "flock_measures": {"link_radius": 1}});
        summary(&file).flock.unwrap().polarization.unwrap()
    };
    assert_near(polarization(&[[0.0, 0.0, 1.0], [0.0, 0.0, 7.0]]), 1.0);
    assert_near(polarization(&[[0.0, 0.0, 1.0], [0.0, 0.0, -7.0]]), 0.0);
    assert_near(polarization(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), 1.0 / 3.0_f64.sqrt());
}

#[test]
fn a_marker_jumps_and_is_sought_in_all_dimensions() {
    let scenario = scenario(&json!({
        "dimensions": 3, "tick": 0.1, "ticks": 100, "markers": {"m": [[0, 9, 9, 9], [2, 3, -4, 12]]},
        "agents": [{"id": "a", "position": [0, 0, 0], "max_speed": 20, "max_force": 90,
                    "behaviors": [{"arrive": {"target": {"marker": "m"}}}]}]
    }));
    let mut places = Vec::new();
    let Ok(_) = run::<Infallible>(&scenario, 100, Threads::Exactly(1), |simulation| {
        places.push(simulation.agents()[0].position);
        Ok(())
    });
    assert!(places[20].distance(Vec3::splat(9.0)) < 0.01, "{}", places[20]);
    assert!(places[100].distance(Vec3::new(3.0, -4.0, 12.0)) < 0.01, "{}", places[100]);
}

#[test]
fn an_impulse_pushes_along_z() {
    let scenario = scenario(&json!({
        "dimensions": 3, "tick": 0.1, "ticks": 100,
        "agents": [{"id": "a", "position": [1, 2, 3], "impulse": {"velocity": [0, 0, 10], "time_constant": 0.5}}]
    }));
    let Ok(summary) = run::<Infallible>(&scenario, 100, Threads::Exactly(1), |simulation| {
        let place = simulation.agents()[0].position;
        assert!((place.x, place.y) == (1.0, 2.0) && (3.0..8.001).contains(&place.z), "{place}");
        Ok(())
    });
    assert_near(summary.path_length.unwrap(), 5.0);
}

#[test]
fn overlaps_with_obstacles_are_as_deep_as_a_body_is_in_the_shape() {
    // Each shape reaches up to the height of 10 above the origin; two of them are moved or turned to get there.
    for obstacle in [
        json!({"sphere": {"center": [0, 0, 0], "radius": 10}}),
        json!({"sphere": {"center": [0, -3, 0], "radius": 10}, "velocity": [0, 3, 0]}),
        json!({"cuboid": {"center": [0, 0, 0], "half_size": [2, 10, 3]}}),
        json!({"cuboid": {"center": [0, 0, 0], "half_size": [10, 20, 30], "rotation": [0, 0, 1.570_796_4]}}),
        json!({"capsule": {"start": [0, 0, -9], "end": [0, 0, 9], "radius": 10}}),
        json!({"capsule": {"start": [0, -5, 0], "end": [0, 6, 0], "radius": 4}}),
        json!({"cylinder": {"start": [3, -5, 0], "end": [3, 10, 0], "radius": 5}}),
        json!({"cylinder": {"start": [-9, 0, 0], "end": [9, 0, 0], "radius": 10}}),
        json!({"half_space": {"point": [7, 10, 8], "normal": [0, 3, 0]}}),
        json!({"convex_hull": {"points": [[-9, 10, -9], [9, 10, -9], [0, 10, 9], [0, -10, 0]]}}),
    ] {
        let summary = summary(&json!({
            "dimensions": 3, "tick": 1, "ticks": 1, "obstacles": [obstacle],
            "agents": [
                {"id": "deep", "position": [0, 11.5, 0], "radius": 2},
                {"id": "out", "position": [0, 12.5, 0], "radius": 2}
            ]
        }));
        let overlaps = summary.collisions.with_obstacles;
        assert_eq!(overlaps.unique, 1, "{obstacle}");
        assert_near(overlaps.max_depth, 0.5);
    }
}

#[test]
fn agents_go_around_obstacles_and_stay_in_regions() {
    let arrive = json!({"arrive": {"target": {"point": [60, 3, 5]}}});
    let summary = summary(&json!({
        "dimensions": 3, "ticks": 900,
        "obstacles": [
            {"sphere": {"center": [0, 0, 0], "radius": 12}},
            {"cylinder": {"start": [30, -40, 0], "end": [30, 40, 5], "radius": 6}},
            {"half_space": {"point": [0, -8, 0], "normal": [0, 1, 0]}}
        ],
        "agents": [
            {
                "id": "guest", "position": [-60, 1, 2], "max_speed": 20, "max_force": 60, "radius": 2,
                "goal": {"position": [60, 3, 5], "radius": 1}, "behaviors": [arrive, {"avoid_obstacles": {}}]
            },
            {
                "id": "captive", "position": [-50, 30, 0], "max_speed": 20, "max_force": 60, "radius": 2,
                "goal": {"position": [60, 3, 5], "radius": 1},
                "behaviors": [arrive, {"contain": {"region": {"sphere": {"center": [-50, 30, 0], "radius": 10}}}}]
            }
        ]
    }));
    assert_eq!(summary.collisions.with_obstacles.unique, 0);
    assert_eq!(summary.goals.reached, 1);
    // The mean of two ways: at least the straight one of 120, and from the center of a ball to where a body of radius 2 touches its rim.
    let detour = 2.0 * summary.path_length.unwrap() - 120.0 - 8.0;
    assert!((0.0..10.0).contains(&detour), "{detour}");
}

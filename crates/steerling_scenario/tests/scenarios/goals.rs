//! Goals: reached in order, measured, and the removal of agents at the last one.

use bevy::math::Vec2;
use bevy_steerling::behavior_prelude::SteeringRng;
use bevy_steerling::prelude::{SteeringId, SteeringSeed};
use serde_json::{Value, json};
use steerling_scenario::{Expectation, Goals, Scenario, Simulation, Summary, Threads};

use crate::running::{scenario, summary};

/// An agent that moves right at one unit per tick, in ticks of half a second.
fn runner(fields: Value) -> Value {
    let mut agent = json!({"id": "a", "position": [0, 0], "velocity": [2, 0], "radius": 0.1});
    agent.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    json!({"tick": 0.5, "ticks": 20, "agents": [agent]})
}

#[test]
fn goals_count_only_in_their_order() {
    let goal = |x: f32, radius: f32| json!({"position": [x, 0], "radius": radius});
    let reached_at = |goals: &[Value]| summary(&runner(json!({"goals": goals}))).goals.last_time;
    assert_eq!(reached_at(&[goal(3.0, 0.1), goal(7.0, 0.1)]), Some(3.5));
    assert_eq!(reached_at(&[goal(7.0, 0.1), goal(3.0, 0.1)]), None, "it never comes back to the second");
    assert_eq!(reached_at(&[goal(7.0, 0.1), goal(3.0, 6.0)]), Some(3.5), "within both at once");
    assert_eq!(reached_at(&[goal(7.0, 0.1), goal(3.0, 3.5)]), None, "it has left the second");
    assert_eq!(reached_at(&[goal(5.0, 0.0), goal(5.0, 0.0), goal(5.5, 0.5)]), Some(2.5), "all three at once");
    assert_eq!(reached_at(&[goal(4.5, 0.4)]), None, "between two ticks");
}

#[test]
fn a_goal_is_short_for_a_list_of_one() {
    for remove in [false, true] {
        let goal = json!({"position": [6, 0], "radius": 1.5, "remove": remove});
        let [short, long] = [json!({"goal": goal}), json!({"goals": [goal]})].map(|fields| {
            let summary = summary(&runner(fields));
            Summary { ns_per_agent_tick: None, ..summary }
        });
        assert_eq!(short, long);
        assert_eq!(short.goals, Goals { reached: 1, of: 1, mean_time: Some(2.5), last_time: Some(2.5) });
        assert_eq!(short.path_length, Some(if remove { 5.0 } else { 20.0 }));
        assert_eq!(short.speed, Some(2.0), "while it was there");
    }
    assert_eq!(summary(&runner(json!({"goals": []}))).goals.of, 0);
}

#[test]
fn who_is_removed_is_there_for_the_last_time_at_the_end_of_that_tick() {
    let mut file = runner(json!({"goal": {"position": [6, 0], "radius": 1.5, "remove": true}}));
    let agents = file["agents"].as_array_mut().unwrap();
    // Where it would go on to, and where it is removed.
    agents.push(json!({"id": "b", "position": [9, 0], "radius": 0.1}));
    agents.push(json!({"id": "c", "position": [5, 0], "radius": 0.1}));
    assert_eq!(summary(&file).collisions.with_agents.unique, 1);
    let mut simulation = Simulation::new(&scenario(&file), Threads::Exactly(1));
    for tick in 1..=20 {
        simulation.step();
        assert_eq!(simulation.agents().len(), if tick <= 5 { 3 } else { 2 }, "tick {tick}");
    }
    let check = |tick: u8| {
        let agents = json!({"a": {"position": [tick, 0], "velocity": [2, 0]}});
        let expected = json!([{"tick": tick, "agents": agents}]);
        let text = json!({"scenario": file, "expected": expected, "position_tolerance": 0.001}).to_string();
        let expectation = Expectation::parse("scene.json", &text).unwrap_or_else(|error| panic!("{error}"));
        expectation.check(Threads::Exactly(1)).mismatch.map(|mismatch| mismatch.to_string())
    };
    assert_eq!(check(5), None);
    assert!(check(6).is_some_and(|text| text.contains("because a gate or a goal has removed it")));
}

/// Wanderers with up to four goals each, half of which remove agents, in a world that wraps or not.
fn random_scene(seed: u64) -> Value {
    let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 1);
    let mut number = |size: f32| (random.uniform() - 0.5) * size;
    let agents: Vec<Value> = (0..6)
        .map(|index| {
            let count = ((number(1.0) + 0.5) * 5.0) as usize;
            let mut goals: Vec<Value> = (0..count)
                .map(|_| json!({"position": [number(60.0), number(60.0)], "radius": number(8.0).abs() + 6.0}))
                .collect();
            if number(1.0) > 0.0
                && let Some(last) = goals.last_mut()
            {
                last["remove"] = json!(true);
            }
            json!({"id": format!("w{index}"), "position": [number(60.0), number(60.0)], "max_speed": 40, "radius": 1,
                "goals": goals, "behaviors": [{"wander": {}}]})
        })
        .collect();
    let edge = if number(1.0) > 0.0 { "wrap" } else { "bounce" };
    json!({"tick": 0.05, "ticks": 300, "seed": seed, "agents": agents,
        "bounds": {"min": [-30, -30], "max": [30, 30], "edge": edge}})
}

/// The tick in which an agent reaches the last of its goals, from the places where it is after each tick.
fn reached_in(goals: &[Value], places: &[Vec2], distance: impl Fn(Vec2, Vec2) -> f32) -> Option<usize> {
    let mut tick = 0;
    for goal in goals {
        let number = |value: &Value| value.as_f64().unwrap() as f32;
        let center = Vec2::new(number(&goal["position"][0]), number(&goal["position"][1]));
        tick += places[tick..].iter().position(|place| distance(*place, center) <= number(&goal["radius"]))?;
    }
    (!goals.is_empty()).then_some(tick)
}

#[test]
fn the_summary_says_what_the_paths_say() {
    let (mut reached, mut removed) = (0, 0);
    for seed in 0..200 {
        let file = random_scene(seed);
        // Nobody is removed, and wanderers do not look at each other, so they move the same.
        let mut all_stay = Simulation::new(&scenario(&untouched(&file)), Threads::Exactly(1));
        let mut places = vec![Vec::new(); 6];
        for _ in 0..300 {
            all_stay.step();
            for (places, agent) in places.iter_mut().zip(all_stay.agents()) {
                places.push(agent.position);
            }
        }
        let goals: Vec<&Vec<Value>> = (0..6).map(|k| file["agents"][k]["goals"].as_array().unwrap()).collect();
        let distance = |a: Vec2, b: Vec2| all_stay.space().displacement(a, b).length();
        let ticks: Vec<Option<usize>> =
            goals.iter().zip(&places).map(|(goals, places)| reached_in(goals, places, distance)).collect();
        let leaves = |k: usize| goals[k].last().is_some_and(|goal| goal["remove"] == true);

        let summary = summary(&file);
        let times: Vec<f64> = ticks.iter().flatten().map(|tick| (tick + 1) as f64 * 0.05).collect();
        assert_eq!(summary.goals.reached, times.len(), "seed {seed}");
        assert_eq!(summary.goals.of, goals.iter().filter(|goals| !goals.is_empty()).count());
        let last = times.iter().copied().reduce(f64::max);
        assert!((summary.goals.last_time.unwrap_or(-1.0) - last.unwrap_or(-1.0)).abs() < 1e-9, "seed {seed}");

        let mut some_leave = Simulation::new(&scenario(&file), Threads::Exactly(1));
        for tick in 0..300 {
            some_leave.step();
            let there = (0..6).filter(|k| !leaves(*k) || ticks[*k].is_none_or(|reached| tick <= reached)).count();
            assert_eq!(some_leave.agents().len(), there, "seed {seed}, tick {tick}");
        }
        reached += times.len();
        removed += 6 - some_leave.agents().len();
    }
    assert!(reached > 300 && removed > 100, "{reached} {removed}");
}

/// The same scene without goals.
fn untouched(file: &Value) -> Value {
    let mut file = file.clone();
    for agent in file["agents"].as_array_mut().unwrap() {
        agent["goals"] = json!([]);
    }
    file
}

#[test]
fn the_agents_of_a_crowd_each_have_their_goals() {
    let file = json!({"tick": 0.05, "ticks": 400, "crowds": [{
        "prefix": "c", "count": 20, "area": {"min": [0, 0], "max": [40, 40]}, "spacing": 3,
        "agent": {"max_speed": 20, "max_force": 90, "radius": 1, "behaviors": [{"seek": {"target": {"point": [90, 20]}}}],
            "goals": [{"position": [45, 20], "radius": 22}, {"position": [90, 20], "radius": 3, "remove": true}]}
    }]});
    let summary = summary(&file);
    assert_eq!((summary.goals.reached, summary.goals.of), (20, 20));
    let mut simulation = Simulation::new(&scenario(&file), Threads::Exactly(1));
    for _ in 0..400 {
        simulation.step();
    }
    assert!(simulation.agents().is_empty());
}

#[test]
fn goals_that_contradict_each_other_are_refused() {
    let goal = json!({"position": [0, 0], "radius": 1});
    let last = json!({"position": [0, 0], "radius": 1, "remove": true});
    let agent = json!({"agents": [{"id": "a", "position": [0, 0], "goal": goal, "goals": [goal]}]});
    let crowd = json!({"crowds": [{"prefix": "c", "count": 1, "area": {"min": [0, 0], "max": [1, 1]},
        "agent": {"goals": [goal, last, goal]}}]});
    let no_radius = json!({"agents": [{"id": "a", "position": [0, 0], "goals": [{"position": [0, 0]}]}]});
    for (file, problem) in [
        (agent, "agents[0].goals: expected none, because the agent has a `goal`"),
        (crowd, "crowds[0].agent.goals[1].remove: expected only the last goal to remove the agent"),
        (no_radius, "missing field `radius`"),
    ] {
        let error = Scenario::parse("scene.json", &file.to_string()).unwrap_err().to_string();
        assert!(error.starts_with("scene.json: ") && error.contains(problem), "{error}");
    }
}

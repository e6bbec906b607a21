//! Separation, alignment, cohesion, and looking around.

use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::prelude::*;
use serde_json::Value;

use crate::case::Input;
use crate::dimension::at;
use crate::outcome::{Outcome, ensure};
use crate::stage::*;

pub fn keeps_apart(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let separation = Separation {
        radius: input.number("radius").or(input.number("max_distance")),
        max_separation: input.number("strength"),
        ..default()
    };
    let agent = app.world_mut().spawn((agent_of(input), separation)).id();
    for neighbor in input.list("neighbours") {
        let place = match &neighbor {
            // The agent is among those that can be seen anyway.
            Value::String(name) if name == "self" => continue,
            // How large it is makes no difference: distances are between centers.
            Value::Object(fields) => &fields["pos"],
            place => place,
        };
        app.world_mut().spawn((SteeringAgent::default(), at(input.flatten(place))));
    }
    app.update();
    as_expected(input, &app, agent)
}

pub fn part(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let radius = input.number("desired_radius").expect("it has a radius");
    // As far as they see; but only who is too near counts.
    input.ignore("radius");
    let agents: Vec<Entity> = input
        .list("agents")
        .iter()
        .map(|agent| (Separation::default().with_radius(radius), at(input.flatten(&agent["pos"]))))
        .map(|agent| app.world_mut().spawn(agent).id())
        .collect();
    app.update();
    let ways = [0, 1].map(|index| input.lift(force(&app, agents[index]).normalize_or_zero()));
    ensure(ways[0].x < -0.5 && ways[1].x > 0.5, || format!("go {ways:?}"))
}

/// Farther than any agent of a case is away.
const ANYWHERE: f32 = 1e4;

pub fn aligns(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let alignment = Alignment::default().with_radius(input.number("radius").unwrap_or(ANYWHERE));
    // An agent with neighbors that do not move would stop.
    input.ignore("heading");
    assert!(input.list("neighbour_headings").is_empty(), "neighbors have places");
    let mut agent = agent_of(input);
    let own_name = input.take("self");
    let boids = match input.take("boids") {
        Some(Value::Object(boids)) => boids,
        _ => Default::default(),
    };
    let kinematics =
        |input: &Input, fields: &Value| (at(input.flatten(&fields["pos"])), Velocity(input.flatten(&fields["vel"])));
    for (name, fields) in boids {
        let (place, velocity) = kinematics(input, &fields);
        if own_name == Some(name.into()) {
            (agent.1, agent.2) = (place, velocity);
        } else {
            app.world_mut().spawn((SteeringAgent::default(), place, velocity));
        }
    }
    for neighbor in input.list("neighbours") {
        app.world_mut().spawn((SteeringAgent::default(), kinematics(input, &neighbor)));
    }
    let agent = app.world_mut().spawn((agent, alignment)).id();
    app.update();
    as_expected(input, &app, agent)
}

pub fn align(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let radius = input.number("radius").expect("it has a radius");
    let agents: Vec<Entity> = input
        .list("agents")
        .iter()
        .map(|agent| (at(input.flatten(&agent["pos"])), Velocity(input.flatten(&agent["vel"]))))
        .map(|agent| app.world_mut().spawn((Alignment::default().with_radius(radius), agent)).id())
        .collect();
    app.update();
    let ways = [0, 1].map(|index| input.lift(force(&app, agents[index]).normalize_or_zero()));
    ensure(ways[0].x > 0.5 && ways[1].z > 0.5, || format!("turn to {ways:?}"))
}

pub fn coheres(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let cohesion = Cohesion::default().with_radius(input.number("radius").unwrap_or(ANYWHERE));
    let agent = app.world_mut().spawn((agent_of(input), cohesion)).id();
    for neighbor in input.list("neighbours") {
        app.world_mut().spawn((SteeringAgent::default(), at(input.flatten(&neighbor))));
    }
    app.update();
    as_expected(input, &app, agent)
}

/// Notes whom it sees.
#[derive(Component, Default)]
#[require(SteeringAgent, Seen)]
pub struct Lookout {
    radius: f32,
}

/// Whom a lookout has seen.
#[derive(Component, Default)]
pub struct Seen(Vec<Entity>);

impl SteeringBehavior for Lookout {
    type State = Seen;
    type Param = Res<'static, Neighbors>;

    fn wish(&self, seen: &mut Seen, agent: &Agent, neighbors: &SystemParamItem<Self::Param>) -> Wish {
        neighbors.for_each_within(agent, self.radius, |neighbor, _| seen.0.push(neighbor.entity));
        Wish::Nothing
    }

    fn perception_radius(&self, _: &SteeringAgent) -> f32 {
        self.radius
    }
}

/// Agents in all places, and one more who looks: it sees who is in its own place, but not itself.
pub fn looks_around(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    // The index has no edges.
    input.ignore("grid_extent");
    let points = input.list("points");
    let points = points.iter().map(|point| (SteeringAgent::default(), at(input.flatten(point))));
    let points: Vec<Entity> = points.map(|agent| app.world_mut().spawn(agent).id()).collect();
    let place = at(input.vector("query").expect("somebody looks"));
    let lookout = Lookout { radius: input.number("radius").expect("it sees so far") };
    let lookout = app.world_mut().spawn((lookout, place)).id();
    app.update();
    let seen = &app.world().get::<Seen>(lookout).expect("it looks").0;
    let mut seen: Vec<_> = seen.iter().map(|entity| points.iter().position(|point| point == entity)).collect();
    seen.sort();
    let expected = input.case.expect.value.as_array().expect("it is a list");
    let expected: Vec<_> = expected.iter().map(|index| index.as_u64().map(|index| index as usize)).collect();
    ensure(seen == expected, || format!("sees {seen:?} instead of {expected:?}"))
}

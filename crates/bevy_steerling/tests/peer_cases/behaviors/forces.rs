//! Sums of forces, what they make of an agent, and their limit.

use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::math::{Vector, truncate};
use bevy_steerling::prelude::*;
use serde_json::Value;

use crate::case::{Input, to_number};
use crate::outcome::{Outcome, ensure, near, near_number};
use crate::stage::*;

/// A force as such, or one of several.
#[derive(Component, Clone)]
#[require(SteeringAgent)]
pub struct Push<const N: usize> {
    pub force: Vector,
    pub weight: f32,
}

impl<const N: usize> SteeringBehavior for Push<N> {
    type State = Stateless;
    type Param = ();

    fn wish(&self, _: &mut Stateless, _: &Agent, (): &SystemParamItem<Self::Param>) -> Wish {
        Wish::Force(self.force)
    }

    fn weight(&self) -> f32 {
        self.weight
    }
}

/// Forces on an agent, or none, and what they make of it.
pub fn is_pushed(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let steps = input.number("steps").unwrap_or(1.0) as usize;
    let body = agent_of(input);
    let mut agent = app.world_mut().spawn(body);
    let mut forces: Vec<Vector> = input.list("forces").iter().map(|force| input.flatten(force)).collect();
    forces.extend(input.vector("force"));
    forces.extend(input.vector("acceleration").map(|acceleration| acceleration * body.0.mass));
    let weights = input.list("weights");
    for (index, force) in forces.into_iter().enumerate() {
        let weight = weights.get(index).map_or(1.0, to_number);
        match index {
            0 => agent.insert(Push::<0> { force, weight }),
            1 => agent.insert(Push::<1> { force, weight }),
            2 => agent.insert(Push::<2> { force, weight }),
            _ => panic!("{}: too many forces", input.case.id),
        };
    }
    // A behavior is turned off by taking it away.
    for (index, _) in input.list("active").iter().enumerate().filter(|(_, active)| **active == Value::Bool(false)) {
        match index {
            0 => agent.remove::<Push<0>>(),
            _ => agent.remove::<Push<1>>(),
        };
    }
    let agent = agent.id();
    let mut positions = Vec::new();
    for _ in 0..steps {
        app.update();
        positions.push(position(&app, agent));
    }
    if input.case.expect.kind != "sequence_x" {
        return as_expected(input, &app, agent);
    }
    let expected = input.case.expect.value.as_array().expect("it is a list");
    ensure(expected.len() == steps, || "not as many places as steps".to_owned())?;
    let mut places = positions.iter().zip(expected);
    places.try_for_each(|(place, x)| near_number(input, input.lift(*place).x as f32, to_number(x)))
}

/// The same two forces, the first one more urgent.
pub fn is_pushed_by_priority(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let mode = match input.number("threshold") {
        Some(threshold) => ArbitrationMode::PriorityGroups { threshold },
        None => ArbitrationMode::PrioritizedSum,
    };
    let arbitration = Arbitration::new(mode).with_priority::<Push<0>>(2).with_priority::<Push<1>>(1);
    let forces: Vec<Vector> = input.list("forces").iter().map(|force| input.flatten(force)).collect();
    let weights = input.list("weights");
    let weight = |index: usize| weights.get(index).map_or(1.0, to_number);
    let mut agent = app.world_mut().spawn((agent_of(input), arbitration));
    agent.insert(Push::<0> { force: forces[0], weight: weight(0) });
    if let Some(force) = forces.get(1) {
        agent.insert(Push::<1> { force: *force, weight: weight(1) });
    }
    let agent = agent.id();
    app.update();
    as_expected(input, &app, agent)
}

pub fn is_truncated(input: &mut Input) -> Outcome {
    let vector = input.vector("v").expect("there is a vector");
    let max = input.number("max").expect("there is a limit");
    near(input, truncate(vector, max), input.expected())
}

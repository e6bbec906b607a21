//! Seek, Flee, Arrive, Pursue and Evade.

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;
use serde_json::Value;

use crate::case::{Input, to_number};
use crate::dimension::{at, beside, looking_along, position_of};
use crate::outcome::{Outcome, ensure, near};
use crate::stage::*;

pub fn has_a_target(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let (body, place, mut velocity) = agent_of(input);
    let world = app.world_mut();
    let target: Target = if input.case.input.get("target") == Some(&Value::Null) {
        input.ignore("target");
        // Neither full speed nor rest is wanted, but nothing at all.
        velocity = Velocity(Vector::X * 3.0 - Vector::Y * 4.0);
        let gone = world.spawn(Transform::default()).id();
        world.despawn(gone);
        gone.into()
    } else if let Some(point) = input.vector("target") {
        point.into()
    } else {
        let position = input.vector("target_pos").expect("it has a target");
        let velocity = input.vector("target_vel").unwrap_or_default();
        world.spawn((at(position), Velocity(velocity))).id().into()
    };
    let agent = world.spawn((body, place, velocity)).id();
    insert(world, agent, target, input);
    app.update();
    as_expected(input, &app, agent)
}

/// Gives `agent` the behavior of a case.
pub fn insert(world: &mut World, agent: Entity, target: Target, input: &mut Input) {
    let panic_distance = input.number("panic_distance");
    let prediction = prediction_of(world, agent, target, input);
    // Where an agent looks to makes no difference to where it runs.
    input.ignore("heading");
    input.ignore("target_heading");
    let mut agent = world.entity_mut(agent);
    match input.case.behavior.as_str() {
        "seek" => agent.insert(Seek::new(target)),
        "flee" => agent.insert(Flee { panic_distance, ..Flee::new(target) }),
        "arrive" => agent.insert(arrive(&agent, target, input)),
        "pursue" => agent.insert(Pursue::new(target).with_prediction(prediction)),
        "evade" => agent.insert(Evade { panic_distance, ..Evade::new(target).with_prediction(prediction) }),
        other => panic!("`{other}` has no target"),
    };
}

fn arrive(agent: &EntityWorldMut, target: Target, input: &mut Input) -> Arrive {
    let arrive = Arrive::new(target);
    let max_speed = agent.get::<SteeringAgent>().expect("it is steered").max_speed;
    // Who runs as fast as it takes to be there in so many seconds is slower than its max speed within this distance.
    let by_time = input.number("deceleration_s").map(|seconds| max_speed * seconds);
    let radius = input.number("slow_radius").or(by_time);
    let tolerance = input.number("tolerance").or(input.number("satisfaction_radius")).unwrap_or_default();
    radius.map_or(arrive.clone(), |radius| arrive.with_slowing_radius(radius)).with_arrival_tolerance(tolerance)
}

/// The peer looks ahead for distance / (max speed + target's speed) seconds, times a factor: here those seconds are given.
fn prediction_of(world: &World, agent: Entity, target: Target, input: &mut Input) -> Prediction {
    let (Some(factor), Target::Entity(target)) = (input.number("prediction_factor"), target) else {
        return Prediction::default();
    };
    let place = |entity| position_of(world.get(entity).expect("it has a place"));
    let speeds = world.get::<SteeringAgent>(agent).expect("it is steered").max_speed
        + world.get::<Velocity>(target).expect("it moves").length();
    Prediction::Fixed(factor * place(agent).distance(place(target)) / speeds)
}

pub fn interposes(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let agent = agent_of(input);
    let [a, b] = [("a_pos", "a_vel"), ("b_pos", "b_vel")].map(|(place, velocity)| {
        let place = at(input.vector(place).expect("it has two targets"));
        let velocity = Velocity(input.vector(velocity).expect("they have velocities"));
        app.world_mut().spawn((place, velocity)).id()
    });
    let interpose = Interpose::new(a, b);
    let radius = input.number("deceleration_s").map(|seconds| agent.0.max_speed * seconds);
    let interpose = radius.map_or(interpose.clone(), |radius| interpose.with_slowing_radius(radius));
    let agent = app.world_mut().spawn((agent, interpose)).id();
    app.update();
    as_expected(input, &app, agent)
}

pub fn keeps_offset(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let agent = agent_of(input);
    let place = at(input.vector("leader_pos").expect("there is a leader"));
    let heading = input.vector("leader_heading").expect("it looks somewhere");
    let velocity = Velocity(input.vector("leader_vel").expect("it has a velocity"));
    let leader = app.world_mut().spawn((place.with_rotation(looking_along(heading)), velocity)).id();
    // To the left, above and ahead.
    let [left, above, ahead] = [0, 1, 2].map(|axis| to_number(&input.case.input["offset_local"][axis]));
    input.ignore("offset_local");
    let seconds = input.number("deceleration_s").expect("it slows down");
    let pursuit = OffsetPursuit::new(leader, beside(ahead, left, above));
    let agent = app.world_mut().spawn((pursuit.with_slowing_radius(agent.0.max_speed * seconds), agent)).id();
    app.update();
    as_expected(input, &app, agent)
}

pub fn hides(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let agent = agent_of(input);
    let threat = at(input.vector("threat").expect("there is one"));
    let velocity = Velocity(input.vector("threat_vel").unwrap_or_default());
    let threat = app.world_mut().spawn((threat, velocity)).id();
    let distance = input.number("threat_distance").expect("there is one");
    assert_eq!(input.take("obstacles"), Some(Value::Array(Vec::new())), "there is nothing to hide behind");
    let agent = app.world_mut().spawn((agent, Hide::new(threat).with_panic_distance(distance))).id();
    let before = position(&app, agent);
    app.update();
    match input.case.expect.rule.as_deref() {
        Some("force == 0") => ensure(force(&app, agent) == Vector::ZERO, || format!("wants {}", force(&app, agent))),
        Some("y<0") => ensure(position(&app, agent).y < before.y, || format!("goes to {}", position(&app, agent))),
        rule => panic!("nothing is known of {rule:?}"),
    }
}

pub fn mirrors_seek(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let body = agent_of(input);
    let target = input.vector("target").expect("it has a target");
    let seeker = app.world_mut().spawn((body, Seek::new(target))).id();
    let fleer = app.world_mut().spawn((body, Flee::new(target))).id();
    app.update();
    ensure(force(&app, seeker).length() > 0.0, || "wants nothing".to_owned())?;
    near(input, force(&app, fleer), -force(&app, seeker))
}

pub fn slows_down(input: &mut Input) -> Outcome {
    let mut app = app_of(input);
    let warm_up = input.number("warmup_steps").expect("it takes time") as usize;
    let body = agent_of(input);
    let target = input.vector("target").expect("it has a target");
    let agent = app.world_mut().spawn(body).id();
    insert(app.world_mut(), agent, target.into(), input);
    let mut speed = || {
        app.update();
        velocity(&app, agent).length()
    };
    (1..warm_up).for_each(|_| _ = speed());
    let speeds = [speed(), speed(), speed()];
    ensure(speeds[0] > speeds[1] && speeds[1] > speeds[2] && speeds[2] > 0.0, || format!("speeds {speeds:?}"))
}

pub fn wants_nothing_only_on_arrival(input: &mut Input) -> Outcome {
    // Any places and velocities: those below.
    input.ignore("random");
    let (target, radius) = (Vector::Y * 70.0 - Vector::X * 30.0, 10.0);
    let (mut random, mut app) = (numbers(), app(1.0));
    let mut agents = Vec::new();
    for k in 0..400_u16 {
        let distance = 2.0 * radius * random();
        let place = at(target + vector_of(&mut random).normalize() * distance);
        // Half of them at rest: only they can want nothing on arrival.
        let at_rest = k % 2 == 0;
        let velocity = if at_rest { Vector::ZERO } else { vector_of(&mut random) * 100.0 };
        let arrive = Arrive::new(target).with_arrival_tolerance(radius);
        let arrive = if k % 3 == 0 { arrive.with_slowing_radius(4.0 * radius) } else { arrive };
        let body = SteeringAgent { max_force: STRONG, ..default() };
        let agent = app.world_mut().spawn((arrive, body, place, Velocity(velocity))).id();
        // Within a rounding of the rim it may be either.
        if (distance - radius).abs() > 1e-3 {
            agents.push((agent, distance < radius && at_rest));
        }
    }
    app.update();
    for (agent, arrived) in &agents {
        let force = force(&app, *agent);
        ensure((force == Vector::ZERO) == *arrived, || format!("arrived at rest: {arrived}, and wants {force}"))?;
    }
    let arrived = agents.iter().filter(|(_, arrived)| *arrived).count();
    ensure(arrived > 50 && agents.len() > 350, || format!("only {arrived} of {} arrived", agents.len()))
}

/// No behavior turns its agent, whatever its kinematics and target.
pub fn never_turns(input: &mut Input) -> Outcome {
    // Any floats: those below.
    input.ignore("random");
    let (mut vector, mut app) = (vectors(), app(1.0));
    let world = app.world_mut();
    let mut before = EntityHashMap::default();
    for k in 0..200_u8 {
        let place = at(vector()).with_rotation(Quat::from_rotation_z(f32::from(k)));
        let agent = world.spawn((SteeringAgent::default(), place, Velocity(vector()))).id();
        if input.case.behavior == "separation" {
            world.entity_mut(agent).insert(Separation::default().with_radius(1e3));
        } else {
            let target = world.spawn((at(vector()), Velocity(vector()))).id();
            insert(world, agent, target.into(), input);
        }
        before.insert(agent, place.rotation);
    }
    let facing = world.spawn((FaceVelocity::default(), Velocity(Vector::NEG_X))).id();
    (0..5).for_each(|_| app.update());
    ensure(heading(&app, facing).distance(Vector::NEG_X) < 1e-3, || "what does turn is not noticed".to_owned())?;
    let mut steered = 0;
    for (agent, rotation) in before {
        let place = app.world().get::<Transform>(agent).expect("it has a place");
        ensure(place.is_finite() && place.rotation == rotation, || format!("turned to {place:?}"))?;
        steered += usize::from(force(&app, agent) != Vector::ZERO);
    }
    ensure(steered > 50, || format!("only {steered} are steered at all"))
}

/// Without what it takes to be moved, an entity is left alone, and others are steered.
pub fn is_left_alone(input: &mut Input) -> Outcome {
    // It never is.
    input.ignore("movable");
    let target = input.vector("target").expect("it has a target");
    let lacks: [fn(&mut EntityWorldMut); 4] = [
        |entity| _ = entity.remove::<SteeringAgent>(),
        |entity| _ = entity.remove::<Velocity>(),
        |entity| _ = entity.remove::<SteeringForce>(),
        |entity| _ = entity.remove::<Transform>(),
    ];
    for (tick, wanted) in [(input.number("dt").unwrap_or_default(), 0.0), (1.0, 100.0)] {
        let mut app = app(tick);
        let world = app.world_mut();
        let entities = lacks.map(|lack| {
            let mut entity = world.spawn(Seek::new(target));
            lack(&mut entity);
            entity.id()
        });
        let sound = world.spawn(Seek::new(target)).id();
        app.update();
        for entity in entities {
            let place = app.world().get::<Transform>(entity).copied().unwrap_or_default();
            ensure(place == Transform::default(), || format!("moved to {place:?}"))?;
        }
        near(input, force(&app, sound), target.normalize() * wanted)?;
    }
    Ok(())
}

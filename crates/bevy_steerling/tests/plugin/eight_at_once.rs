//! Agents that are next to each other in memory are steered eight at a time. Nothing about their motion tells.

use super::*;

const AGENTS: usize = 29;
const TICKS: usize = 150;

/// The states of all agents after each tick. Agents with a trace are steered one at a time.
fn states<B: Bundle>(
    one_at_a_time: bool,
    seed: u64,
    prepare: fn(&mut App, &mut dyn FnMut() -> f32) -> Vec<B>,
    disturb: fn(EntityWorldMut, &mut dyn FnMut() -> f32),
) -> Vec<u32> {
    let (mut app, mut number) = (app(), numbers(seed));
    let agents: Vec<Entity> =
        prepare(&mut app, &mut number).into_iter().map(|agent| app.world_mut().spawn(agent).id()).collect();
    for (index, &agent) in agents.iter().enumerate() {
        let mut agent = app.world_mut().entity_mut(agent);
        agent.insert(SteeringId::new(index as u64));
        if one_at_a_time {
            agent.insert(SteeringTrace::default());
        }
    }
    let mut states = Vec::new();
    for tick in 0..TICKS {
        if tick % 9 == 8 {
            let agent = agents[(number() * AGENTS as f32) as usize];
            disturb(app.world_mut().entity_mut(agent), &mut number);
        }
        app.update();
        states.extend(agents.iter().flat_map(|agent| {
            let (position, velocity) = (position(&app, *agent), velocity(&app, *agent));
            [position.x, position.y, velocity.x, velocity.y].map(f32::to_bits)
        }));
    }
    states
}

/// A body, and where it starts.
type Body = (SteeringAgent, Velocity, Transform);

fn body(number: &mut dyn FnMut() -> f32) -> Body {
    let agent = SteeringAgent {
        mass: 0.3 + 2.0 * number(),
        max_speed: 20.0 + 200.0 * number(),
        max_force: 50.0 + 600.0 * number(),
        radius: 1.0 + 10.0 * number(),
        response_time: if number() < 0.5 { 0.0 } else { 0.5 * number() },
    };
    let velocity = Velocity(Vec2::new(number() - 0.5, number() - 0.5) * 200.0);
    (agent, velocity, at(400.0 * number(), 400.0 * number()))
}

/// Moves an agent to another place, pushes it, or changes its body.
fn disturb_body(mut agent: EntityWorldMut, number: &mut dyn FnMut() -> f32) {
    let (new_body, new_velocity, place) = body(number);
    match (4.0 * number()) as usize {
        0 => agent.insert(place),
        1 => agent.insert(new_velocity),
        2 => agent.insert(new_body),
        _ => agent.insert(Velocity(Vec2::splat(f32::NAN))),
    };
}

/// The same, or gives an agent another path.
fn disturb_follower(mut agent: EntityWorldMut, number: &mut dyn FnMut() -> f32) {
    if number() < 0.6 {
        return disturb_body(agent, number);
    }
    let points = (0..(4.0 * number()) as usize).map(|_| Vec2::new(number(), number()) * 400.0);
    let path = FollowPath::new(points.collect::<Vec<_>>());
    agent.insert(if number() < 0.5 { path } else { path.with_radius(40.0 * number()) });
}

fn path_followers(_: &mut App, number: &mut dyn FnMut() -> f32) -> Vec<(FollowPath, Body)> {
    let mut points: Vec<Vec2> = (0..9).map(|_| Vec2::new(number(), number()) * 400.0).collect();
    if number() < 0.3 {
        points.push(points[0]);
    }
    let path = SteeringPath::new(points);
    (0..AGENTS)
        .map(|_| {
            let end = [PathEnd::Stop, PathEnd::Loop, PathEnd::PingPong][(3.0 * number()) as usize % 3];
            let visit = if number() < 0.7 { PathVisit::Lane } else { PathVisit::Every };
            let follow = FollowPath { end, visit, ..FollowPath::new(&path) };
            (if number() < 0.5 { follow } else { follow.with_radius(40.0 * number()) }, body(number))
        })
        .collect()
}

fn field_followers(app: &mut App, number: &mut dyn FnMut() -> f32) -> Vec<(FollowField, Body)> {
    for _ in 0..12 {
        let wall = Obstacle::new(Rectangle::new(10.0 + 80.0 * number(), 10.0));
        app.world_mut().spawn((wall, at(40.0 + 300.0 * number(), 40.0 + 300.0 * number())));
    }
    app.update();
    let goals = [Vec2::new(number(), number()) * 400.0, Vec2::new(number(), number()) * 400.0];
    let field = FlowField::toward(goals, app.world().resource::<Obstacles>(), 4.0 + 8.0 * number(), 6.0)
        .expect("the numbers are in range");
    let [field, other] = [field.clone(), field].map(|field| app.world_mut().spawn(field).id());
    let other_for_some = number() < 0.3;
    (0..AGENTS)
        .map(|index| {
            let field = if other_for_some && index % 7 == 3 { other } else { field };
            (FollowField::new(field).with_stop(number() < 0.7), body(number))
        })
        .collect()
}

fn members(app: &mut App, number: &mut dyn FnMut() -> f32) -> Vec<(InFormation, Body)> {
    let wall = Obstacle::new(Rectangle::new(10.0, 300.0));
    app.world_mut().spawn((wall, at(200.0 + 200.0 * number(), 200.0)));
    let anchors = [Pattern::Wedge, Pattern::Box].map(|pattern| {
        let (agent, velocity, place) = body(number);
        app.world_mut().spawn((Formation::new(pattern), Wander::default(), agent, velocity, place)).id()
    });
    (0..AGENTS).map(|_| (InFormation(anchors[usize::from(number() < 0.5)]), body(number))).collect()
}

#[test]
fn followers_of_a_path_move_as_they_do_one_at_a_time() {
    for seed in 0..60 {
        let states = |one_at_a_time| states(one_at_a_time, seed, path_followers, disturb_follower);
        assert!(states(true) == states(false), "seed {seed}");
    }
}

#[test]
fn followers_of_a_field_move_as_they_do_one_at_a_time() {
    for seed in 0..60 {
        let states = |one_at_a_time| states(one_at_a_time, seed, field_followers, disturb_body);
        assert!(states(true) == states(false), "seed {seed}");
    }
}

#[test]
fn members_of_formations_move_as_they_do_one_at_a_time() {
    for seed in 0..60 {
        let states = |one_at_a_time| states(one_at_a_time, seed, members, disturb_body);
        assert!(states(true) == states(false), "seed {seed}");
    }
}

//! The weight of a behavior is a factor on its force, that of a constraint on its change of the total.

use std::f32::consts::TAU;

use super::*;

/// The entities that behaviors refer to.
#[derive(Clone, Copy)]
struct Others {
    /// Another agent.
    other: Entity,
    /// A flow field.
    field: Entity,
}

type Insert = fn(&mut EntityWorldMut, Others, f32);

const BEHAVIORS: [(&str, Insert); 21] = [
    ("Alignment", |agent, _, weight| _ = agent.insert(Alignment::default().with_radius(200.0).with_weight(weight))),
    ("Arrive", |agent, to, weight| _ = agent.insert(Arrive::new(to.other).with_weight(weight))),
    ("AvoidWithFeelers", |agent, _, weight| {
        agent.insert(AvoidWithFeelers::default().with_look_ahead(80.0).with_weight(weight));
    }),
    ("Cohesion", |agent, _, weight| _ = agent.insert(Cohesion::default().with_radius(200.0).with_weight(weight))),
    ("Evade", |agent, to, weight| _ = agent.insert(Evade::new(to.other).with_weight(weight))),
    ("Flee", |agent, to, weight| _ = agent.insert(Flee::new(to.other).with_weight(weight))),
    ("Flock", |agent, _, weight| _ = agent.insert(Flock::default().with_weight(0.1 * weight))),
    ("FollowField", |agent, to, weight| _ = agent.insert(FollowField::new(to.field).with_weight(weight))),
    ("FollowLeader", |agent, to, weight| _ = agent.insert(FollowLeader::new(to.other).with_weight(weight))),
    ("FollowPath", |agent, _, weight| {
        agent.insert(FollowPath::new([Vec2::ZERO, Vec2::new(90.0, 20.0)]).with_weight(weight));
    }),
    ("FollowWall", |agent, _, weight| {
        agent.insert(FollowWall::new(ObstacleSide::Left, 30.0).with_weight(weight));
    }),
    ("Hide", |agent, to, weight| _ = agent.insert(Hide::new(to.other).with_weight(weight))),
    ("Hold", |agent, _, weight| _ = agent.insert(Hold::at(Vec2::new(9.0, 20.0)).with_weight(weight))),
    ("Interpose", |agent, to, weight| {
        agent.insert(Interpose::new(to.other, Vec2::new(0.0, 90.0)).with_weight(weight));
    }),
    ("MatchVelocity", |agent, to, weight| _ = agent.insert(MatchVelocity::new(to.other).with_weight(weight))),
    ("OffsetPursuit", |agent, to, weight| {
        agent.insert(OffsetPursuit::new(to.other, Vec2::new(-30.0, 20.0)).with_weight(weight));
    }),
    ("Orbit", |agent, to, weight| _ = agent.insert(Orbit::new(to.other, 60.0).with_weight(weight))),
    ("Pursue", |agent, to, weight| _ = agent.insert(Pursue::new(to.other).with_weight(weight))),
    ("Seek", |agent, to, weight| _ = agent.insert(Seek::new(to.other).with_weight(weight))),
    ("Separation", |agent, _, weight| _ = agent.insert(Separation::default().with_weight(weight))),
    ("Wander", |agent, _, weight| _ = agent.insert(Wander::default().with_weight(weight))),
];

/// They act on an agent that seeks a point ahead.
const CONSTRAINTS: [(&str, Insert); 5] = [
    ("AvoidNeighbors", |agent, _, weight| _ = agent.insert((ahead(), AvoidNeighbors::default().with_weight(weight)))),
    ("AvoidObstacles", |agent, _, weight| _ = agent.insert((ahead(), AvoidObstacles::default().with_weight(weight)))),
    ("ClassicQueue", |agent, _, weight| {
        let queue = ClassicQueue::new(ClassicQueueStyle::BrakeAndSeparate).with_radius(60.0);
        agent.insert((ahead(), queue.with_weight(weight)));
    }),
    ("Contain", |agent, _, weight| {
        let contain = Contain::new(Circle::new(100.0)).with_center(Vec2::new(-85.0, 0.0));
        agent.insert((ahead(), contain.with_weight(weight)));
    }),
    ("Queue", |agent, _, weight| _ = agent.insert((ahead(), Queue::default().with_weight(weight)))),
];

fn ahead() -> Seek {
    Seek::new(Vec2::new(200.0, 0.0))
}

/// The force on an agent in its first tick.
fn first_force(insert: Insert, weight: f32, max_force: f32, seed: u64) -> Vec2 {
    let (app, agent) = first_tick(insert, weight, max_force, seed);
    force(&app, agent)
}

/// The first tick of an agent with somebody, somebody else and an obstacle in its way.
fn first_tick(insert: Insert, weight: f32, max_force: f32, seed: u64) -> (App, Entity) {
    let mut number = numbers(seed);
    let mut app = app();
    let mut direction = |length: f32| Vec2::from_angle(TAU * number()) * length;
    let (there, going) = (direction(35.0), Velocity(direction(40.0)));
    let mut aside = || number() - 0.5;
    let (start, beside) = (Velocity(Vec2::from_angle(0.4 * aside()) * 60.0), at(20.0, 6.0 * aside()));
    app.world_mut().spawn((Obstacle::new(Circle::new(10.0)), at(40.0, 8.0 * aside())));
    app.world_mut().spawn((SteeringAgent::default(), beside));
    let other = app.world_mut().spawn((SteeringAgent::default(), going, at(there.x, there.y))).id();
    let obstacles = Obstacles::standing_at([], &SteeringBounds::default(), SteeringPlane::XY);
    let field = FlowField::toward([Vec2::new(50.0, 70.0)], &obstacles, 5.0, 8.0).expect("the numbers are in range");
    let field = app.world_mut().spawn(field).id();
    let body = SteeringAgent { max_force, response_time: 0.3, ..default() };
    let mut agent = app.world_mut().spawn((body, start, SteeringId::new(7)));
    insert(&mut agent, Others { other, field }, weight);
    // Its forces are added one by one.
    if seed.is_multiple_of(2) {
        agent.insert(SteeringTrace::default());
    }
    let agent = agent.id();
    run(&mut app, 1);
    (app, agent)
}

#[test]
fn a_weight_is_a_factor_on_the_force_of_a_behavior() {
    for (name, insert) in BEHAVIORS {
        let mut acts = 0;
        for seed in 0..6 {
            let whole = first_force(insert, 1.0, 1e6, seed);
            acts += usize::from(whole.length() > 1.0);
            for weight in [0.0, 0.25, -0.5] {
                let part = first_force(insert, weight, 1e6, seed);
                assert!(
                    part.distance(weight * whole) <= 1e-4 * whole.length(),
                    "{name}: {weight} of {whole} is {part}"
                );
            }
        }
        assert!(acts >= 2, "{name} acts {acts} times only");
    }
}

#[test]
fn a_weight_is_the_share_by_which_a_constraint_bends_the_total() {
    for (name, insert) in CONSTRAINTS {
        let mut acts = 0;
        for seed in 0..6 {
            let before = first_force(|agent, _, _| _ = agent.insert(ahead()), 1.0, 1000.0, seed);
            let whole = first_force(insert, 1.0, 1000.0, seed) - before;
            acts += usize::from(whole.length() > 1.0);
            for weight in [0.0, 0.25, 0.75] {
                let part = first_force(insert, weight, 1000.0, seed) - before;
                let off = part.distance(weight * whole);
                assert!(off <= 1e-4 * (1.0 + whole.length()), "{name}: {weight} of {whole} is {part}");
            }
        }
        assert!(acts >= 2, "{name} acts {acts} times only");
    }
}

#[test]
fn a_trace_has_the_force_of_a_behavior_before_and_after_the_weight() {
    for (name, insert) in BEHAVIORS {
        for seed in [0, 2, 4] {
            let contribution = |weight| {
                let (app, agent) = first_tick(insert, weight, 1e6, seed);
                app.world().get::<SteeringTrace>(agent).unwrap().contributions[0].clone()
            };
            let whole = contribution(1.0);
            let flock = if name == "Flock" { 0.1 } else { 1.0 };
            for weight in [0.25, -0.5] {
                let Contribution { raw, weighted, .. } = contribution(weight);
                let most = 1e-4 * whole.raw.length();
                assert!(raw.distance(whole.raw) <= most, "{name}: {raw} instead of {}", whole.raw);
                let right = raw * (flock * weight);
                assert!(weighted.distance(right) <= most, "{name}: {weight} of {raw} is {weighted}");
            }
        }
    }
}

//! Agents with every behavior, and a clock that a test moves on by hand.

#[cfg_attr(not(dim3), path = "crowd/planar.rs")]
#[cfg_attr(dim3, path = "crowd/spatial.rs")]
#[allow(dead_code, reason = "not every test that shares this file needs all of it")]
pub mod dimension;

use std::time::Duration;

use bevy::prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;
use dimension::point;

/// How many kinds of behavior there are in both dimensions.
const COMMON_KINDS: usize = 34;

/// How many kinds of behavior there are in [`insert`] and [`remove`].
pub const KINDS: usize = COMMON_KINDS + dimension::KINDS;

/// A world that wraps, with nobody in it, on one thread.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins(SteeringPlugin::new(Update))
        .insert_resource(SteeringSeed(5))
        .insert_resource(SteeringThreads::Single)
        .insert_resource(SteeringBounds::wrap(Vector::ZERO, dimension::SIZE));
    app.finish();
    app
}

/// One tick of a fiftieth of a second.
pub fn tick(world: &mut World) {
    world.resource_mut::<Time>().advance_by(Duration::from_millis(20));
    world.run_schedule(SteeringSchedule);
    // As an app does after each update.
    world.clear_trackers();
}

/// Gives an agent the behavior of this number.
pub fn insert(agent: &mut EntityWorldMut, kind: usize, target: Target) {
    if let Some(kind) = kind.checked_sub(COMMON_KINDS) {
        return dimension::insert(agent, kind);
    }
    match kind {
        0 => agent.insert(Seek::new(target)),
        1 => agent.insert(Flee::new(target).with_panic_distance(80.0)),
        2 => agent.insert(Arrive::new(target)),
        3 => agent.insert(Pursue::new(target)),
        4 => agent.insert(Evade::new(target)),
        5 => agent.insert(MatchVelocity::new(target)),
        6 => agent.insert(Wander::default()),
        7 => agent.insert(Separation::default()),
        8 => agent.insert(Alignment { max_neighbors: 3, ..default() }),
        9 => agent.insert(Cohesion::default()),
        10 => agent.insert(Flock::default()),
        11 => agent.insert(Contain::new(dimension::room()).with_center(point(150.0, 150.0))),
        12 => agent.insert(AvoidObstacles::default()),
        13 => agent.insert(AvoidWithFeelers::default()),
        14 => agent.insert(AvoidNeighbors::default()),
        SOLID => agent.insert(Solid::default()),
        16 => agent.insert(FaceVelocity::default().with_turn_rate(3.0)),
        17 => agent.insert(GroupWeights::new([(GroupMask::bit(1), 0.5)])),
        18 => agent.insert(Knockback::new(point(150.0, -60.0)).with_time_constant(2.0)),
        19 => agent.insert(Arbitration::new(ArbitrationMode::Dithering).with_priority::<Wander>(60)),
        20 => agent.insert(SteeringTrace::default()),
        21 => agent.insert(SteeringEvents::default()),
        22 => agent.insert(Interpose::new(target, point(90.0, 120.0))),
        23 => agent.insert(OffsetPursuit::new(target, point(-20.0, 10.0))),
        24 => agent.insert(Hide::new(target)),
        25 => agent.insert(Orbit::new(target, 60.0)),
        26 => agent.insert(FollowLeader::new(target)),
        27 => agent.insert(Face::new(target).with_turn_rate(3.0)),
        28 => agent.insert(FollowPath::new(PATH.map(|[x, y]| point(x, y))).with_end(PathEnd::Loop)),
        29 => match target {
            Target::Entity(anchor) => {
                agent.world_scope(|world| _ = world.entity_mut(anchor).insert_if_new(Formation::new(Pattern::Wedge)));
                agent.insert(InFormation(anchor))
            }
            Target::Point(_) | Target::Group(_) => agent.insert(Formation::new(Pattern::Circle)),
        },
        30 => {
            let field = agent.world_scope(field);
            agent.insert(FollowField::new(field))
        }
        31 => agent.insert(Hold::default()),
        32 => agent.insert(Sight::new(120.0).with_field_of_view(3.0)),
        33 => agent.insert(SteeringRate::every(3)),
        _ => unreachable!("there are no more kinds"),
    };
}

/// The flow field of the world.
fn field(world: &mut World) -> Entity {
    let mut fields = world.query_filtered::<Entity, With<FlowField>>();
    if let Some(field) = fields.iter(world).next() {
        return field;
    }
    let field = FlowField::toward([point(350.0, 50.0)], world.resource::<Obstacles>(), dimension::CELL, 8.0);
    world.spawn((field.expect("the numbers are in range"), Transform::default())).id()
}

const SOLID: usize = 15;

const PATH: [[f32; 2]; 3] = [[50.0, 50.0], [350.0, 80.0], [180.0, 300.0]];

/// Takes the behavior of this number from an agent.
#[allow(dead_code, reason = "not every test that shares this file removes behaviors")]
pub fn remove(agent: &mut EntityWorldMut, kind: usize) {
    if let Some(kind) = kind.checked_sub(COMMON_KINDS) {
        return dimension::remove(agent, kind);
    }
    match kind {
        0 => agent.remove::<Seek>(),
        1 => agent.remove::<Flee>(),
        2 => agent.remove::<Arrive>(),
        3 => agent.remove::<Pursue>(),
        4 => agent.remove::<Evade>(),
        5 => agent.remove::<MatchVelocity>(),
        6 => agent.remove::<Wander>(),
        7 => agent.remove::<Separation>(),
        8 => agent.remove::<Alignment>(),
        9 => agent.remove::<Cohesion>(),
        10 => agent.remove::<Flock>(),
        11 => agent.remove::<Contain>(),
        12 => agent.remove::<AvoidObstacles>(),
        13 => agent.remove::<AvoidWithFeelers>(),
        14 => agent.remove::<AvoidNeighbors>(),
        SOLID => agent.remove::<Solid>(),
        16 => agent.remove::<FaceVelocity>(),
        17 => agent.remove::<GroupWeights>(),
        18 => agent.remove::<Knockback>(),
        19 => agent.remove::<Arbitration>(),
        20 => agent.remove::<SteeringTrace>(),
        21 => agent.remove::<SteeringEvents>(),
        22 => agent.remove::<Interpose>(),
        23 => agent.remove::<OffsetPursuit>(),
        24 => agent.remove::<Hide>(),
        25 => agent.remove::<Orbit>(),
        26 => agent.remove::<FollowLeader>(),
        27 => agent.remove::<Face>(),
        28 => agent.remove::<FollowPath>(),
        29 => agent.remove::<(InFormation, Formation)>(),
        30 => agent.remove::<FollowField>(),
        31 => agent.remove::<Hold>(),
        32 => agent.remove::<Sight>(),
        33 => agent.remove::<SteeringRate>(),
        _ => unreachable!("there are no more kinds"),
    };
}

/// The kinds of the agent of this number: each kind has somebody, together with others.
pub fn kinds(number: usize) -> [usize; 4] {
    [number % KINDS, (number * 5 + 7) % KINDS, (number * 8 + 3) % KINDS, SOLID]
}

/// What the agent of this number aims at.
pub fn target(number: usize, others: &[Entity]) -> Target {
    match number % 4 {
        0 => Target::Group(GroupMask::bit(1)),
        1 => Target::Point(point(350.0, 20.0 * (number % 20) as f32)),
        _ => Target::Entity(others[(number * 7 + 1) % others.len()]),
    }
}

/// The agent of this number, with nothing to do.
pub fn spawn_agent(world: &mut World, number: usize) -> Entity {
    let mut agent = world.spawn((
        SteeringAgent::default(),
        SteeringGroups(GroupMask::from_bits(1 + (number % 3) as u32)),
        dimension::place(number),
    ));
    if number % 11 == 3 {
        agent.insert((ExternalMovement, Velocity(point(20.0, 5.0))));
    }
    if number % 22 == 3 {
        agent.insert(MovedByForce);
    }
    agent.id()
}

/// So many agents with all behaviors among obstacles.
#[allow(dead_code, reason = "not every test that shares this file begins with a crowd")]
pub fn spawn_crowd(world: &mut World, count: usize) -> Vec<Entity> {
    for number in 0..4 {
        dimension::spawn_obstacle(world, number);
    }
    let agents: Vec<Entity> = (0..count).map(|number| spawn_agent(world, number)).collect();
    for (number, &agent) in agents.iter().enumerate() {
        let target = target(number, &agents);
        for kind in kinds(number) {
            insert(&mut world.entity_mut(agent), kind, target);
        }
    }
    agents
}

//! Agents with every behavior, and a clock that a test moves on by hand.

use std::time::Duration;

use bevy::prelude::*;
use bevy_steerling::prelude::*;

/// How many kinds of behavior there are in [`insert`] and [`remove`].
pub const KINDS: usize = 36;

/// A world that wraps, with nobody in it, on one thread.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins(SteeringPlugin::new(Update))
        .insert_resource(SteeringSeed(5))
        .insert_resource(SteeringThreads::Single)
        .insert_resource(SteeringBounds::wrap(Vec2::ZERO, Vec2::splat(400.0)));
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
        11 => agent.insert(Contain::new(Circle::new(90.0)).with_center(Vec2::splat(150.0))),
        12 => agent.insert(AvoidObstacles::default()),
        13 => agent.insert(AvoidWithFeelers::default()),
        14 => agent.insert(AvoidNeighbors::default()),
        15 => agent.insert(Queue::default()),
        16 => agent.insert(ClassicQueue::new(ClassicQueueStyle::BrakeAndSeparate)),
        17 => agent.insert(ClassicQueue::new(ClassicQueueStyle::HardStop)),
        18 => agent.insert(Solid::default()),
        19 => agent.insert(FaceVelocity::default().with_turn_rate(3.0)),
        20 => agent.insert(GroupWeights::new([(GroupMask::bit(1), 0.5)])),
        21 => agent.insert(BodyLimits::default().with_min_turning_radius(15.0).with_reverse_speed(40.0)),
        22 => agent.insert(Knockback::new(Vec2::new(150.0, -60.0)).with_time_constant(2.0)),
        23 => agent.insert(Arbitration::new(ArbitrationMode::Dithering).with_priority::<Wander>(60)),
        24 => agent.insert(SteeringTrace::default()),
        25 => agent.insert(SteeringEvents::default()),
        26 => agent.insert(Interpose::new(target, Vec2::new(90.0, 120.0))),
        32 => agent.insert(
            FollowPath::new([Vec2::splat(50.0), Vec2::new(350.0, 80.0), Vec2::new(180.0, 300.0)])
                .with_end(PathEnd::Loop),
        ),
        27 => agent.insert(OffsetPursuit::new(target, Vec2::new(-20.0, 10.0))),
        28 => agent.insert(Hide::new(target)),
        29 => agent.insert(Orbit::new(target, 60.0)),
        30 => agent.insert(FollowLeader::new(target)),
        31 => agent.insert(Face::new(target).with_turn_rate(3.0)),
        33 => {
            let field = agent.world_scope(field);
            agent.insert(FollowField::new(field))
        }
        34 => match target {
            Target::Entity(anchor) => {
                agent.world_scope(|world| _ = world.entity_mut(anchor).insert_if_new(Formation::new(Pattern::Wedge)));
                agent.insert(InFormation(anchor))
            }
            Target::Point(_) | Target::Group(_) => agent.insert(Formation::new(Pattern::Circle)),
        },
        35 => agent.insert(FollowWall::new(ObstacleSide::Left, 15.0)),
        _ => unreachable!("there are no more kinds"),
    };
}

/// The flow field of the world.
fn field(world: &mut World) -> Entity {
    let mut fields = world.query_filtered::<Entity, With<FlowField>>();
    if let Some(field) = fields.iter(world).next() {
        return field;
    }
    let field = FlowField::toward([Vec2::new(350.0, 50.0)], world.resource::<Obstacles>(), 8.0, 8.0);
    world.spawn((field.expect("the numbers are in range"), Transform::default())).id()
}

/// Takes the behavior of this number from an agent.
#[allow(dead_code, reason = "not every test that shares this file removes behaviors")]
pub fn remove(agent: &mut EntityWorldMut, kind: usize) {
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
        15 => agent.remove::<Queue>(),
        16 | 17 => agent.remove::<ClassicQueue>(),
        18 => agent.remove::<Solid>(),
        19 => agent.remove::<FaceVelocity>(),
        20 => agent.remove::<GroupWeights>(),
        21 => agent.remove::<BodyLimits>(),
        22 => agent.remove::<Knockback>(),
        23 => agent.remove::<Arbitration>(),
        24 => agent.remove::<SteeringTrace>(),
        25 => agent.remove::<SteeringEvents>(),
        26 => agent.remove::<Interpose>(),
        32 => agent.remove::<FollowPath>(),
        27 => agent.remove::<OffsetPursuit>(),
        28 => agent.remove::<Hide>(),
        29 => agent.remove::<Orbit>(),
        30 => agent.remove::<FollowLeader>(),
        31 => agent.remove::<Face>(),
        33 => agent.remove::<FollowField>(),
        34 => agent.remove::<(InFormation, Formation)>(),
        35 => agent.remove::<FollowWall>(),
        _ => unreachable!("there are no more kinds"),
    };
}

/// The kinds of the agent of this number: each kind has somebody, together with others.
pub fn kinds(number: usize) -> [usize; 4] {
    [number % KINDS, (number * 5 + 7) % KINDS, (number * 8 + 3) % KINDS, 18]
}

/// What the agent of this number aims at.
pub fn target(number: usize, others: &[Entity]) -> Target {
    match number % 4 {
        0 => Target::Group(GroupMask::bit(1)),
        1 => Target::Point(Vec2::new(350.0, 20.0 * (number % 20) as f32)),
        _ => Target::Entity(others[(number * 7 + 1) % others.len()]),
    }
}

/// The agent of this number, with nothing to do.
pub fn spawn_agent(world: &mut World, number: usize) -> Entity {
    let place = Vec3::new((number * 37 % 400) as f32, (number * 53 % 390) as f32, 0.0);
    let mut agent = world.spawn((
        SteeringAgent::default(),
        SteeringGroups(GroupMask::from_bits(1 + (number % 3) as u32)),
        Transform::from_translation(place),
    ));
    if number % 11 == 3 {
        agent.insert((ExternalMovement, Velocity(Vec2::new(20.0, 5.0))));
    }
    agent.id()
}

/// A wall that stands, or one that moves.
pub fn spawn_obstacle(world: &mut World, number: usize) -> Entity {
    let place = Transform::from_xyz((number * 91 % 400) as f32, (number * 67 % 400) as f32, 0.0);
    if number.is_multiple_of(2) {
        world.spawn((Obstacle::new(Circle::new(12.0)), place)).id()
    } else {
        world.spawn((Obstacle::new(Rectangle::new(30.0, 9.0)), place, Velocity(Vec2::new(9.0, 4.0)))).id()
    }
}

/// So many agents with all behaviors among obstacles.
#[allow(dead_code, reason = "not every test that shares this file begins with a crowd")]
pub fn spawn_crowd(world: &mut World, count: usize) -> Vec<Entity> {
    for number in 0..4 {
        spawn_obstacle(world, number);
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

//! Floors: agents on other floors are out of sight and out of reach.

use super::*;

/// The height of the upper floor.
const UPPER: f32 = 10.0;

/// A plane whose upper floor is apart from the lower one.
const TWO_FLOORS: SteeringPlane = SteeringPlane::XY.with_floor_height(4.0);

/// A crowd with every behavior and its obstacles on the lower floor.
fn lower_crowd(plane: SteeringPlane, bounds: SteeringBounds) -> (App, Vec<Entity>) {
    let mut app = crowd::app();
    app.insert_resource(plane).insert_resource(bounds);
    let agents = crowd::spawn_crowd(app.world_mut(), 2 * crowd::KINDS);
    let mut random = numbers(5);
    for agent in &agents {
        let mut transform = app.world_mut().get_mut::<Transform>(*agent).expect("it has a place");
        transform.translation += Vec3::new(random(), random(), random()) * 3.0;
    }
    (app, agents)
}

/// Spawns another such crowd, with obstacles in the same places, on the upper floor.
fn spawn_upper_crowd(app: &mut App, lower: &[Entity]) {
    let world = app.world_mut();
    let mut old: Vec<Entity> = world.query_filtered::<Entity, With<Obstacle>>().iter(world).collect();
    old.extend(lower);
    crowd::spawn_crowd(world, 2 * crowd::KINDS);
    let mut random = numbers(6);
    let mut places = world.query_filtered::<(Entity, &mut Transform, Has<Obstacle>), Without<FlowField>>();
    for (_, mut transform, is_obstacle) in places.iter_mut(world).filter(|(entity, ..)| !old.contains(entity)) {
        let shift = if is_obstacle { Vec3::ZERO } else { Vec3::new(random(), random(), random()) * 3.0 };
        transform.translation += shift + UPPER * Vec3::Z;
    }
}

/// How often an event was triggered.
#[derive(Resource, Default)]
struct Told(usize);

/// Counts events from now on.
fn count<E: Event>(app: &mut App) {
    app.init_resource::<Told>().add_observer(|_: On<E>, mut told: ResMut<Told>| told.0 += 1);
}

fn state(app: &App, agent: Entity) -> [Vec2; 3] {
    [position(app, agent), velocity(app, agent), force(app, agent)]
}

#[test]
fn agents_with_every_behavior_move_as_if_they_were_alone_on_their_floor() {
    let (low, high) = (Vec2::ZERO, Vec2::splat(400.0));
    for bounds in [SteeringBounds::wrap(low, high), SteeringBounds::bounce(low, high)] {
        let (mut alone, agents) = lower_crowd(TWO_FLOORS, bounds);
        let (mut below, same) = lower_crowd(TWO_FLOORS, bounds);
        spawn_upper_crowd(&mut below, &same);
        // On one floor the others matter: these agents are in each other's way.
        let (mut together, others) = lower_crowd(SteeringPlane::XY, bounds);
        spawn_upper_crowd(&mut together, &others);
        for tick in 0..300 {
            crowd::tick(alone.world_mut());
            crowd::tick(below.world_mut());
            crowd::tick(together.world_mut());
            for (number, (agent, same)) in agents.iter().zip(&same).enumerate() {
                let [expected, found] = [state(&alone, *agent), state(&below, *same)];
                // Sums over neighbors differ by rounding where the order of the index does, and contacts of solid bodies are
                // resolved further while others still move apart.
                let near = expected.iter().zip(&found).all(|(a, b)| a.distance(*b) <= 0.02 + 1e-3 * a.length());
                assert!(near, "agent {number} in tick {tick}, {bounds:?}: {found:?} instead of {expected:?}");
                // So that the differences do not grow.
                let (from, mut to) = (alone.world().entity(*agent), below.world_mut().entity_mut(*same));
                to.insert((from.get::<Transform>().copied().unwrap_or_default(), Velocity(velocity(&alone, *agent))));
            }
        }
        let moved = |(agent, other): (&Entity, &Entity)| state(&alone, *agent) != state(&together, *other);
        let disturbed = agents.iter().zip(&others).filter(|pair| moved(*pair)).count();
        assert!(2 * disturbed > agents.len(), "{disturbed} of {} agents", agents.len());
    }
}

/// A walker below a bridge, on which somebody stands beside a wall.
fn spawn_bridge(app: &mut App, height: f32) -> Entity {
    let world = app.world_mut();
    let place = Transform::from_xyz(100.0, 3.0, height);
    world.spawn((SteeringAgent::default(), Solid::default(), place));
    world.spawn((Obstacle::new(Rectangle::new(10.0, 60.0)), Transform::from_xyz(200.0, 0.0, height)));
    let constraints = (AvoidObstacles::default(), AvoidNeighbors::default(), Solid::default());
    let walker = (Arrive::new(Vec2::new(400.0, 0.0)), constraints, SteeringEvents::default());
    world.spawn(walker).id()
}

#[test]
fn the_floor_height_decides_who_is_on_the_same_floor() {
    let mut random = numbers(1);
    for case in 0..40 {
        let floor_height = 0.5 + 5.0 * random();
        let share = 2.0 * random();
        let height = if case % 2 == 0 { share } else { -share } * floor_height;
        let mut app = app();
        app.insert_resource(SteeringPlane::XY.with_floor_height(floor_height));
        let walker = spawn_bridge(&mut app, height);
        count::<CollisionImminent>(&mut app);
        let mut straight = true;
        for _ in 0..600 {
            run(&mut app, 1);
            straight &= position(&app, walker).y == 0.0;
        }
        let context = format!("{height} of {floor_height}");
        assert!(position(&app, walker).distance(Vec2::new(400.0, 0.0)) < 1.0, "{context}");
        assert_eq!(straight, share > 1.0, "{context}");
        assert!(share <= 1.0 || app.world().resource::<Told>().0 == 0, "{context}");
    }
}

#[test]
fn a_target_on_another_floor_is_lost_until_it_comes_back() {
    let mut app = app();
    app.insert_resource(TWO_FLOORS);
    count::<TargetLost>(&mut app);
    let world = app.world_mut();
    let quarry = world.spawn(Transform::from_xyz(500.0, 0.0, 3.0)).id();
    let hunter = world.spawn((Seek::new(quarry), SteeringEvents::default())).id();
    let lost = |app: &App| app.world().resource::<Told>().0;
    let climb = |app: &mut App, height: f32| {
        app.world_mut().get_mut::<Transform>(quarry).expect("it has a place").translation.z = height;
        run(app, 2);
    };
    run(&mut app, 2);
    assert!(force(&app, hunter).x > 0.0);
    assert_eq!(lost(&app), 0);
    climb(&mut app, 5.0);
    assert_eq!(force(&app, hunter), Vec2::ZERO);
    assert_eq!(lost(&app), 1);
    climb(&mut app, 4.0);
    assert!(force(&app, hunter).x > 0.0);
    assert_eq!(lost(&app), 1);
    climb(&mut app, -5.0);
    assert_eq!(lost(&app), 2);

    // A point is on all floors.
    app.world_mut().entity_mut(hunter).insert(Seek::new(Vec2::new(-500.0, 0.0)));
    run(&mut app, 2);
    assert!(force(&app, hunter).x < 0.0);
}

#[test]
fn an_agent_that_returns_from_another_floor_is_warned_about_again() {
    let mut app = app();
    app.insert_resource(TWO_FLOORS);
    count::<CollisionImminent>(&mut app);
    let world = app.world_mut();
    let other = world.spawn((SteeringAgent::default(), at(30.0, 0.0))).id();
    world.spawn((SteeringEvents::default(), Velocity(Vec2::X * 60.0)));
    for (height, told) in [(0.0, 1), (0.0, 1), (UPPER, 1), (0.0, 2), (3.0, 2)] {
        app.world_mut().get_mut::<Transform>(other).expect("it has a place").translation.z = height;
        run(&mut app, 2);
        assert_eq!(app.world().resource::<Told>().0, told, "at {height}");
    }
}

#[test]
fn of_a_group_the_nearest_on_the_same_floor_is_the_target() {
    const QUARRY: GroupMask = GroupMask::bit(3);
    let mut random = numbers(2);
    for _ in 0..50 {
        let mut app = app();
        app.insert_resource(TWO_FLOORS);
        let mut quarry = |height: f32| {
            let place = Vec3::new(random() - 0.5, random() - 0.5, 0.0) * 800.0 + Vec3::Z * height;
            (SteeringAgent::default(), SteeringGroups(QUARRY), Transform::from_translation(place))
        };
        // Few, many of a few, and many of many.
        let upper: Vec<_> = (0..40).map(|_| quarry(UPPER)).collect();
        let lower: Vec<_> = (0..5).map(|_| quarry(0.0)).collect();
        let nearest = lower.iter().map(|(.., place)| place.translation.truncate());
        let nearest = nearest.min_by(|a, b| a.length().total_cmp(&b.length())).expect("there are five");
        app.world_mut().spawn_batch(upper);
        app.world_mut().spawn_batch(lower);
        let hunter = app.world_mut().spawn(Seek::new(Target::Group(QUARRY))).id();
        run(&mut app, 2);
        assert!(force(&app, hunter).normalize().distance(nearest.normalize()) < 1e-3);
    }
}

#[test]
fn heights_that_are_no_numbers_belong_to_all_floors() {
    for height in [f32::NAN, f32::INFINITY] {
        let mut app = app();
        app.insert_resource(TWO_FLOORS);
        let walker = spawn_bridge(&mut app, height);
        run(&mut app, 600);
        assert!(position(&app, walker).is_finite());
    }
    for floor_height in [f32::NAN, -1.0, f32::INFINITY, 0.0] {
        let mut app = app();
        app.insert_resource(SteeringPlane::XY.with_floor_height(floor_height));
        let walker = spawn_bridge(&mut app, 0.0);
        run(&mut app, 600);
        assert!(position(&app, walker).distance(Vec2::new(400.0, 0.0)) < 1.0, "{floor_height}");
    }
}

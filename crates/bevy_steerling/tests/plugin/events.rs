//! What observers are told, when, and in which order.

use core::f32::consts::TAU;

use bevy_steerling::events::EventState;

use super::*;

/// What was told.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Told {
    Lost(Of),
    Arrived(Of),
    Caught(Entity),
    Unstuck,
    Stuck,
    Collision(Entity),
}

/// Of which behavior.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Of {
    Evade,
    Flee,
    Pursue,
    Arrive,
    Seek,
    MatchVelocity,
}

impl From<&BehaviorName> for Of {
    fn from(name: &BehaviorName) -> Self {
        match name {
            name if name.is::<Evade>() => Self::Evade,
            name if name.is::<Flee>() => Self::Flee,
            name if name.is::<Pursue>() => Self::Pursue,
            name if name.is::<Arrive>() || name.is::<ArriveFromSparseSet>() => Self::Arrive,
            name if name.is::<Seek>() => Self::Seek,
            name if name.is::<MatchVelocity>() => Self::MatchVelocity,
            name => panic!("{name} has no target"),
        }
    }
}

/// Who was told what.
#[derive(Resource, Default)]
struct Log(Vec<(Entity, Told)>);

/// An app that notes what is told.
fn listening() -> App {
    listening_at(RATE)
}

fn listening_at(rate: f64) -> App {
    let mut app = app_at(rate);
    listen(&mut app);
    app
}

fn listen(app: &mut App) {
    app.init_resource::<Log>()
        .add_observer(|on: On<TargetLost>, mut log: ResMut<Log>| {
            log.0.push((on.entity, Told::Lost(Of::from(&on.behavior))));
        })
        .add_observer(|on: On<Arrived>, mut log: ResMut<Log>| {
            log.0.push((on.entity, Told::Arrived(Of::from(&on.behavior))));
        })
        .add_observer(|on: On<Caught>, mut log: ResMut<Log>| log.0.push((on.entity, Told::Caught(on.quarry))))
        .add_observer(|on: On<Unstuck>, mut log: ResMut<Log>| log.0.push((on.entity, Told::Unstuck)))
        .add_observer(|on: On<Stuck>, mut log: ResMut<Log>| log.0.push((on.entity, Told::Stuck)))
        .add_observer(|on: On<CollisionImminent>, mut log: ResMut<Log>| {
            log.0.push((on.entity, Told::Collision(on.other)));
        });
}

/// What has been told since it was asked last.
fn told(app: &mut App) -> Vec<(Entity, Told)> {
    std::mem::take(&mut app.world_mut().resource_mut::<Log>().0)
}

/// What is told to whom within so many ticks.
fn run_told(app: &mut App, ticks: usize) -> Vec<(Entity, Told)> {
    run(app, ticks);
    told(app)
}

fn events() -> SteeringEvents {
    SteeringEvents::default()
}

fn put(app: &mut App, entity: Entity, x: f32, y: f32) {
    app.world_mut().get_mut::<Transform>(entity).unwrap().translation = Vec3::new(x, y, 0.0);
}

fn set_velocity(app: &mut App, entity: Entity, x: f32, y: f32) {
    app.world_mut().get_mut::<Velocity>(entity).unwrap().0 = Vec2::new(x, y);
}

#[test]
fn who_arrives_is_told_once_and_again_only_after_it_was_away() {
    let mut app = listening();
    let goal = Vec2::new(200.0, 0.0);
    let agent = app.world_mut().spawn((Arrive::new(goal), events(), at(0.0, 0.0))).id();
    let arrived = (agent, Told::Arrived(Of::Arrive));
    while told(&mut app).is_empty() {
        run(&mut app, 1);
    }
    // Near, and slow.
    assert!(position(&app, agent).distance(goal) <= 8.8 && velocity(&app, agent).length() <= 10.0);
    assert_eq!(run_told(&mut app, 300), []);
    // Not twice as far.
    put(&mut app, agent, 200.0, 17.0);
    assert_eq!(run_told(&mut app, 300), []);
    put(&mut app, agent, 200.0, 18.0);
    assert_eq!(run_told(&mut app, 300), [arrived]);
    app.world_mut().get_mut::<Arrive>(agent).unwrap().target = Vec2::new(0.0, 50.0).into();
    assert_eq!(run_told(&mut app, 300), [arrived]);
}

#[test]
fn who_seeks_arrives_each_time_it_comes_by() {
    let mut app = listening();
    let weak = SteeringAgent { max_force: 100.0, ..default() };
    let agent = app.world_mut().spawn((Seek::new(Vec2::ZERO), weak, events(), at(-150.0, 3.0))).id();
    let (mut away, mut passes) = (true, 0);
    for _ in 0..1200 {
        run(&mut app, 1);
        let distance = position(&app, agent).length();
        passes += usize::from(away && distance <= 8.8);
        away = if distance <= 8.8 { false } else { away || distance > 17.6 };
    }
    assert!(passes > 3, "{passes}");
    let told = told(&mut app);
    assert_eq!(told.len(), passes);
    assert!(told.iter().all(|told| *told == (agent, Told::Arrived(Of::Seek))));
}

#[test]
fn nobody_is_too_fast_to_be_noticed() {
    let mut app = listening_at(2.0);
    let prey = app.world_mut().spawn((SteeringAgent { radius: 1.0, ..default() }, at(475.0, 0.0))).id();
    let body = SteeringAgent { radius: 1.0, ..default() };
    let going = Velocity(Vec2::new(100.0, 0.0));
    let agent = app
        .world_mut()
        .spawn((Seek::new(prey).with_weight(0.0), body, going, events().with_warning_time(0.0), at(0.0, 0.0)))
        .id();
    // From 450 to 500 in one tick.
    assert_eq!(run_told(&mut app, 9), []);
    assert_eq!(run_told(&mut app, 1), [(agent, Told::Arrived(Of::Seek)), (agent, Told::Caught(prey))]);
    assert_eq!(run_told(&mut app, 10), []);
}

#[test]
fn at_a_threshold_nothing_flickers() {
    let mut app = listening();
    let goal = Vec2::new(300.0, 0.0);
    let prey = app.world_mut().spawn((SteeringAgent::default(), at(0.0, 0.0))).id();
    let bundle = (Arrive::new(goal), Pursue::new(prey), ExternalMovement, events().with_patience(0.0));
    let agent = app.world_mut().spawn((bundle, at(100.0, 0.0))).id();
    let other = app.world_mut().spawn((SteeringAgent::default(), ExternalMovement, at(150.0, 0.0))).id();
    for k in 0..200_u8 {
        // About where it arrives, and where it catches; and toward the other one, or just past it.
        let jitter = if k % 2 == 0 { 0.1 } else { -0.1 };
        match k / 50 {
            0 => put(&mut app, agent, 300.0 - 8.8 + jitter, 0.0),
            1 => put(&mut app, agent, 16.8 + jitter, 0.0),
            2 => {
                put(&mut app, agent, 100.0, 0.0);
                set_velocity(&mut app, agent, 100.0, 35.0 + 10.0 * jitter);
            }
            _ => set_velocity(&mut app, agent, 100.0 + 30.0 * jitter, 0.0),
        }
        run(&mut app, 1);
    }
    let expected = [Told::Arrived(Of::Arrive), Told::Caught(prey), Told::Collision(other)];
    assert_eq!(told(&mut app), expected.map(|told| (agent, told)));
}

#[test]
fn a_lost_target_is_told_once_for_each_behavior_and_again_when_another_one_is_lost() {
    let mut app = listening();
    let agent = app.world_mut().spawn((SteeringAgent::default(), events().with_warning_time(0.0))).id();
    let all = [Of::Evade, Of::Flee, Of::Pursue, Of::Arrive, Of::Seek, Of::MatchVelocity];
    let lost = all.map(|behavior| (agent, Told::Lost(behavior)));
    for way_to_go in 0..3 {
        let target = app.world_mut().spawn(at(500.0, 0.0)).id();
        app.world_mut().entity_mut(agent).insert((
            (Evade::new(target), Flee::new(target), Pursue::new(target)),
            (Arrive::new(target), Seek::new(target), MatchVelocity::new(target)),
        ));
        assert_eq!(run_told(&mut app, 10), []);
        match way_to_go {
            0 => _ = app.world_mut().despawn(target),
            1 => _ = app.world_mut().entity_mut(target).remove::<Transform>(),
            _ => {
                app.world_mut().despawn(target);
                // Somebody in its place is not it.
                app.world_mut().spawn(at(500.0, 0.0));
            }
        }
        assert_eq!(run_told(&mut app, 1), lost);
        assert_eq!(run_told(&mut app, 30), []);
    }
    app.world_mut().entity_mut(agent).remove::<(Evade, Flee, Arrive, Seek, MatchVelocity)>();
    assert_eq!(run_told(&mut app, 10), []);
    // Anew, it is gone from the beginning.
    app.world_mut().entity_mut(agent).insert(Seek::new(Entity::PLACEHOLDER));
    assert_eq!(run_told(&mut app, 10), [(agent, Told::Lost(Of::Seek))]);
}

#[test]
fn a_group_is_lost_with_its_last_member() {
    let mut app = listening();
    let groups = SteeringGroups(GroupMask::from_bits(0b10));
    let hunter =
        (Pursue::new(Target::Group(GroupMask::from_bits(0b10))), groups, events().with_warning_time(0.0), at(0.0, 0.0));
    let hunter = app.world_mut().spawn(hunter).id();
    let lost = (hunter, Told::Lost(Of::Pursue));
    assert_eq!(run_told(&mut app, 5), [lost], "it is not its own prey");
    let herd = [1.0, 2.0].map(|y| app.world_mut().spawn((SteeringAgent::default(), groups, at(900.0, y))).id());
    assert_eq!(run_told(&mut app, 5), []);
    app.world_mut().despawn(herd[0]);
    assert_eq!(run_told(&mut app, 5), []);
    app.world_mut().entity_mut(herd[1]).insert(SteeringGroups(GroupMask::DEFAULT));
    assert_eq!(run_told(&mut app, 5), [lost]);
}

#[test]
fn a_quarry_is_caught_once_and_again_only_after_it_got_away() {
    for solid in [false, true] {
        let mut app = listening();
        let prey = app.world_mut().spawn((SteeringAgent { max_force: 0.0, ..default() }, at(150.0, 0.0))).id();
        let hunter = app.world_mut().spawn((Pursue::new(prey), events().with_warning_time(0.0), at(0.0, 0.0))).id();
        if solid {
            for body in [prey, hunter] {
                app.world_mut().entity_mut(body).insert(Solid::default());
            }
        }
        let caught = (hunter, Told::Caught(prey));
        let mut first = vec![];
        while first.is_empty() {
            first = run_told(&mut app, 1);
        }
        assert_eq!(first, [caught]);
        let distance = position(&app, hunter).distance(position(&app, prey));
        assert!((14.0..=16.8).contains(&distance), "{distance}");
        app.world_mut().entity_mut(hunter).insert(ExternalMovement);
        // It may have been bumped into.
        set_velocity(&mut app, prey, 0.0, 0.0);
        assert_eq!(run_told(&mut app, 60), []);
        // It is not far before it is, from its center to the rim of the prey, twice as far.
        for (x, expected) in [(33.0, 0), (16.0, 0), (34.0, 0), (16.0, 1), (17.0, 0)] {
            put(&mut app, hunter, 0.0, 0.0);
            put(&mut app, prey, x, 0.0);
            set_velocity(&mut app, hunter, 0.0, 0.0);
            assert_eq!(run_told(&mut app, 1), vec![caught; expected], "{x}");
        }
    }
}

#[test]
fn of_a_group_each_is_caught_on_its_own() {
    let mut app = listening();
    let still = SteeringAgent { max_speed: 0.0, ..default() };
    let herd = [10.0, 11.0, 90.0]
        .map(|x| app.world_mut().spawn((still, SteeringGroups(GroupMask::from_bits(2)), at(x, 0.0))).id());
    let bundle = (
        Seek::new(Target::Group(GroupMask::from_bits(2))),
        ExternalMovement,
        SteeringGroups(GroupMask::from_bits(4)),
        events().with_warning_time(0.0),
    );
    let hunter = app.world_mut().spawn((bundle, at(0.0, 0.0))).id();
    let mut caught = vec![];
    for k in 0..100_u8 {
        // Now the one is nearer, now the other.
        put(&mut app, hunter, if k % 2 == 0 { 9.0 } else { 12.0 }, 0.0);
        caught.extend(run_told(&mut app, 1).into_iter().filter(|(_, told)| matches!(told, Told::Caught(_))));
    }
    assert_eq!(caught, [(hunter, Told::Caught(herd[0])), (hunter, Told::Caught(herd[1]))]);
}

/// A dead end around the origin, open to the left.
fn dead_end(app: &mut App) -> Entity {
    let corners = [(-80.0, 60.0), (40.0, 60.0), (40.0, -60.0), (-80.0, -60.0)].map(Vec2::from);
    app.world_mut().spawn((Obstacle::new(Polyline2d::new(corners)), at(0.0, 0.0))).id()
}

#[test]
fn who_runs_into_a_dead_end_is_stuck_until_it_opens() {
    let mut app = listening();
    let walls = dead_end(&mut app);
    let target = Seek::new(Vec2::new(2000.0, 5.0));
    let agent = app
        .world_mut()
        .spawn((target, AvoidObstacles::default(), events().with_warning_time(0.0), at(-200.0, 0.0)))
        .id();
    let mut patience = 0;
    while told(&mut app).is_empty() {
        run(&mut app, 1);
        patience += 1;
        assert!(patience < 600, "at {}", position(&app, agent));
    }
    assert!(position(&app, agent).x.abs() < 80.0);
    // It takes 2.5 s to get there, and a second and the time to turn round.
    assert!(patience > 200, "{patience}");
    assert_eq!(run_told(&mut app, 1200), []);
    app.world_mut().despawn(walls);
    assert_eq!(run_told(&mut app, 300), [(agent, Told::Unstuck)]);
}

#[test]
fn who_is_held_by_solid_walls_and_edges_is_stuck() {
    let mut app = listening();
    app.insert_resource(SteeringBounds::bounce(Vec2::splat(-500.0), Vec2::splat(500.0)));
    dead_end(&mut app);
    let away = Seek::new(Vec2::new(2000.0, 0.0));
    let no_warning = events().with_warning_time(0.0);
    let at_wall = app.world_mut().spawn((away.clone(), Solid::default(), no_warning.clone(), at(0.0, 0.0))).id();
    let at_edge = app.world_mut().spawn((away.clone(), no_warning.clone(), at(450.0, 0.0))).id();
    let held = Contain::new(Circle::new(50.0)).with_center(Vec2::new(0.0, 400.0));
    let contained = app.world_mut().spawn((away, held, no_warning, at(0.0, 400.0))).id();
    let mut stuck: Vec<Entity> = run_told(&mut app, 600)
        .into_iter()
        .map(|(agent, told)| {
            assert_eq!(told, Told::Stuck, "{agent} of {at_wall}, {at_edge}, {contained}");
            agent
        })
        .collect();
    stuck.sort_unstable();
    let mut all = [at_wall, at_edge, contained];
    all.sort_unstable();
    assert_eq!(stuck, all);
}

#[test]
fn who_gets_on_or_wants_nothing_is_not_stuck() {
    let mut app = listening();
    let world = app.world_mut();
    let watched = events().with_warning_time(0.0);
    let body = |mass, max_force| SteeringAgent { mass, max_force, ..default() };
    let goal = Vec2::new(50.0, 0.0);
    world.spawn((Arrive::new(goal), watched.clone(), at(0.0, 0.0)));
    world.spawn((Arrive::new(goal).with_slowing_radius(400.0), watched.clone(), at(0.0, 0.0)));
    world.spawn((SteeringAgent::default(), watched.clone(), at(0.0, 0.0)));
    world.spawn((Separation::default(), watched.clone(), at(0.0, 900.0)));
    // To and fro about a place: quickly, slowly, and on the spot.
    for (mass, max_force) in [(1.0, 300.0), (10.0, 300.0), (100.0, 300.0), (0.1, 300.0), (1.0, 1e6)] {
        world.spawn((Seek::new(goal), body(mass, max_force), watched.clone(), at(0.0, 0.0)));
    }
    for _ in 0..10 {
        world.spawn((Wander::default(), watched.clone(), at(0.0, 0.0)));
    }
    let stuck = run_told(&mut app, 60 * 30).into_iter().filter(|(_, told)| matches!(told, Told::Stuck)).count();
    assert_eq!(stuck, 0);
}

#[test]
fn who_waits_in_a_queue_is_not_stuck_but_who_pushes_is() {
    for style in
        [None, Some(None), Some(Some(ClassicQueueStyle::BrakeAndHardStop)), Some(Some(ClassicQueueStyle::HardStop))]
    {
        let mut app = listening();
        app.world_mut().spawn((SteeringAgent::default(), ExternalMovement, Solid::default(), at(0.0, 0.0)));
        let walker = (Seek::new(Vec2::new(900.0, 0.0)), Solid::default(), events().with_warning_time(0.0));
        for x in [-60.0, -90.0, -120.0] {
            let mut walker = app.world_mut().spawn((walker.clone(), at(x, 0.0)));
            match style {
                None => {}
                Some(None) => _ = walker.insert(Queue::default()),
                Some(Some(style)) => _ = walker.insert(ClassicQueue::new(style)),
            }
        }
        let told = run_told(&mut app, 900);
        assert_eq!(told.len(), if style.is_some() { 0 } else { 3 }, "{style:?}: {told:?}");
        assert!(told.iter().all(|(_, told)| *told == Told::Stuck));
    }
}

#[test]
fn a_queue_does_not_hide_a_dead_end() {
    let mut app = listening();
    dead_end(&mut app);
    let way = (Seek::new(Vec2::new(2000.0, 0.0)), AvoidObstacles::default(), Queue::default());
    let agent = app.world_mut().spawn((way, events().with_warning_time(0.0), at(-200.0, 0.0))).id();
    assert_eq!(run_told(&mut app, 900), [(agent, Told::Stuck)]);
}

#[test]
fn a_collision_is_told_to_both_in_time_and_once() {
    let mut app = listening();
    let walker = |x: f32, id: u64| {
        let going = Velocity(Vec2::new(-x.signum() * 60.0, 0.0));
        (SteeringAgent::default(), going, events(), SteeringId::new(id), at(x, 3.0 * x.signum()))
    };
    let [one, two] = [(150.0, 7), (-150.0, 4)].map(|(x, id)| app.world_mut().spawn(walker(x, id)).id());
    let both = [(two, Told::Collision(one)), (one, Told::Collision(two))];
    let mut first = vec![];
    while first.is_empty() {
        first = run_told(&mut app, 1);
    }
    assert_eq!(first, both);
    // The time in which they can stop, give or take a tick.
    let gap = position(&app, one).distance(position(&app, two)) - 16.0;
    assert!((gap / 120.0 - 1.0 / 3.0).abs() < 2.0 * TICK, "{gap}");
    assert_eq!(run_told(&mut app, 200), []);
    for agent in [one, two] {
        app.world_mut().get_mut::<Velocity>(agent).unwrap().0 *= -1.0;
    }
    assert_eq!(run_told(&mut app, 300), both);
}

#[test]
fn an_obstacle_that_the_agent_minds_is_an_imminent_collision() {
    let mut app = listening();
    let wall = |x, layers| (Obstacle::new(Circle::new(20.0)).with_layers(GroupMask::from_bits(layers)), at(x, 3.0));
    let [low, high] = [(300.0, 1), (600.0, 2)].map(|(x, layers)| app.world_mut().spawn(wall(x, layers)).id());
    let moving = app.world_mut().spawn((wall(1500.0, 2), Velocity(Vec2::new(-300.0, 0.0)))).id();
    let agent = |y| (SteeringAgent::default(), Velocity(Vec2::new(100.0, 0.0)), events(), at(0.0, y));
    let everything = app.world_mut().spawn(agent(0.0)).id();
    let minding = AvoidObstacles::default().with_layers(GroupMask::from_bits(2)).with_weight(0.0);
    let flying = app.world_mut().spawn((agent(1.0), minding)).id();
    let away = app.world_mut().spawn(agent(100.0)).id();
    app.add_systems(FixedUpdate, |mut walls: Query<(&mut Transform, &Velocity), With<Obstacle>>, time: Res<Time>| {
        for (mut place, velocity) in &mut walls {
            place.translation += velocity.extend(0.0) * time.delta_secs();
        }
    });
    let heard = run_told(&mut app, 600);
    let of = |agent| heard.iter().filter(|told| told.0 == agent).map(|told| told.1).collect::<Vec<_>>();
    assert_eq!(of(everything), [low, moving, high].map(Told::Collision).to_vec());
    assert_eq!(of(flying), [moving, high].map(Told::Collision).to_vec());
    assert_eq!(of(away), []);
}

/// Agents by number, spawned in this order, to which everything happens in two ticks: who was told what in each.
fn everything_at_once(numbers: &[u64]) -> [Vec<(u64, String)>; 2] {
    let mut app = listening();
    let mut hunts = vec![];
    for &number in numbers {
        let y = 1000.0 * number as f32;
        let still = (SteeringAgent { max_speed: 0.0, ..default() }, at(300.0, y));
        let prey = app.world_mut().spawn((still, SteeringId::new(100 + number))).id();
        for (x, id) in [(40.0, 200), (-40.0, 300)] {
            let coming = (SteeringAgent::default(), Velocity(Vec2::new(-3.0 * x, 0.0)));
            app.world_mut().spawn((coming, SteeringId::new(id + number), at(x, y)));
        }
        app.world_mut().spawn((Obstacle::new(Circle::new(10.0)), Velocity(Vec2::new(0.0, -90.0)), at(0.0, y + 40.0)));
        let behaviors = (
            Flee::new(Entity::PLACEHOLDER),
            Pursue::new(prey),
            Arrive::new(prey),
            MatchVelocity::new(Entity::PLACEHOLDER),
        );
        let watched = (ExternalMovement, SteeringId::new(number), events().with_patience(0.5 * TICK), Solid::default());
        app.world_mut().spawn((behaviors, watched, at(0.0, y)));
        hunts.push((prey, y));
    }
    let held_up = run_told(&mut app, 1);
    for (prey, y) in hunts {
        put(&mut app, prey, 3.0, y);
    }
    let there = run_told(&mut app, 1);
    let number = |entity: Entity| app.world().get::<SteeringId>(entity).map(|id| id.get());
    let name = |told| match told {
        Told::Collision(other) => format!("Collision with {:?}", number(other).map(|number| number / 100)),
        Told::Caught(_) => "Caught".to_owned(),
        told => format!("{told:?}"),
    };
    [held_up, there].map(|told| told.into_iter().map(|(agent, told)| (number(agent).unwrap(), name(told))).collect())
}

#[test]
fn the_order_within_a_tick_is_that_of_numbers_and_then_of_kinds() {
    let held_up = [
        "Lost(Flee)",
        "Lost(MatchVelocity)",
        "Stuck",
        "Collision with Some(2)",
        "Collision with Some(3)",
        "Collision with None",
    ];
    let there = ["Arrived(Arrive)", "Caught", "Unstuck"];
    let all = [&held_up[..], &there].map(|of_each| {
        let all = [3, 5, 9].into_iter().flat_map(|number| of_each.iter().map(move |what| (number, what.to_string())));
        all.collect::<Vec<_>>()
    });
    for order in [[3, 5, 9], [9, 5, 3], [5, 9, 3]] {
        assert_eq!(everything_at_once(&order), all);
    }
}

#[test]
fn observers_may_despawn_anybody() {
    let mut app = listening();
    let prey = app.world_mut().spawn((SteeringAgent::default(), at(5.0, 0.0))).id();
    let hunters: Vec<Entity> = (0..3)
        .map(|k| app.world_mut().spawn((Pursue::new(prey), events(), SteeringId::new(k), at(0.0, k as f32))).id())
        .collect();
    // The first one eats the prey and a rival, and disappears.
    let rival = hunters[1];
    app.world_mut().entity_mut(hunters[0]).observe(move |caught: On<Caught>, mut commands: Commands| {
        commands.entity(caught.quarry).despawn();
        commands.entity(rival).despawn();
        commands.entity(caught.entity).despawn();
    });
    assert_eq!(run_told(&mut app, 1), [(hunters[0], Told::Caught(prey))], "there is nothing left to catch");
    assert_eq!(run_told(&mut app, 5), [(hunters[2], Told::Lost(Of::Pursue))]);
}

#[test]
fn observers_may_turn_events_and_behaviors_off() {
    let mut app = listening();
    let agent = (Arrive::new(Vec2::ZERO), Seek::new(Vec2::ZERO), Flee::new(Entity::PLACEHOLDER), events());
    let agent = app.world_mut().spawn((agent, at(0.0, 0.0))).id();
    app.add_observer(|arrived: On<Arrived>, mut commands: Commands| {
        commands.entity(arrived.entity).remove::<(SteeringEvents, Seek, SteeringAgent)>();
    });
    let expected = [Told::Lost(Of::Flee), Told::Arrived(Of::Arrive)].map(|told| (agent, told));
    assert_eq!(run_told(&mut app, 5), expected);
}

#[test]
fn an_event_is_told_within_its_tick() {
    let mut app = listening();
    let agent = app.world_mut().spawn((Flee::new(Entity::PLACEHOLDER), events())).id();
    app.add_systems(
        FixedUpdate,
        (move |mut log: ResMut<Log>| assert_eq!(std::mem::take(&mut log.0), [(agent, Told::Lost(Of::Flee))]))
            .run_if(run_once)
            .after(RunSteeringSystems),
    );
    run(&mut app, 1);
    assert_eq!(told(&mut app), []);
}

#[test]
fn a_tick_of_zero_length_tells_nothing() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::new(Update)))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    listen(&mut app);
    app.world_mut().spawn((Flee::new(Entity::PLACEHOLDER), Arrive::new(Vec2::ZERO), events()));
    assert_eq!(run_told(&mut app, 5), []);
}

/// Where a crowd is after a while, of which those are watched that `watched` says, and how much was told.
fn crowd(watched: impl Fn(u16) -> bool) -> (Vec<Vec2>, usize) {
    let mut app = listening();
    app.insert_resource(SteeringBounds::wrap(Vec2::ZERO, Vec2::splat(300.0)));
    app.world_mut().spawn((Obstacle::new(Circle::new(30.0)), at(150.0, 150.0)));
    let agents: Vec<Entity> = (0..60_u16)
        .map(|k| {
            let place = at(f32::from(k % 10) * 30.0, f32::from(k / 10) * 50.0);
            let behaviors = (Wander::default(), Separation::default(), AvoidObstacles::default());
            let mut agent = app.world_mut().spawn((behaviors, SteeringId::new(k.into()), place));
            if k % 3 == 0 {
                agent.insert((AvoidNeighbors::default(), Seek::new(Target::Group(GroupMask::DEFAULT))));
            }
            if watched(k) {
                agent.insert(events());
            }
            agent.id()
        })
        .collect();
    let told = run_told(&mut app, 200);
    assert!(told.iter().all(|(agent, _)| app.world().get::<SteeringEvents>(*agent).is_some()));
    (agents.iter().map(|agent| position(&app, *agent)).collect(), told.len())
}

#[test]
fn watching_changes_no_motion_and_who_is_not_watched_is_told_nothing() {
    let (unwatched, nothing) = crowd(|_| false);
    assert_eq!(nothing, 0);
    for watched in [|k| k % 2 == 0, |_| true] as [fn(u16) -> bool; 2] {
        let (places, told) = crowd(watched);
        assert_eq!(places, unwatched);
        assert!(told > 20, "{told}");
    }
}

#[test]
fn a_crowd_where_nobody_else_looks_around_is_watched_too() {
    let mut app = listening();
    for k in 0..40_u8 {
        let going = Velocity(if k % 2 == 0 { Vec2::X } else { Vec2::NEG_X } * 50.0);
        let place = at(f32::from(k) * 40.0, 0.0);
        app.world_mut().spawn((SteeringAgent::default(), going, events(), place));
    }
    let told = run_told(&mut app, 60);
    assert!(told.iter().all(|(_, told)| matches!(told, Told::Collision(_))));
    // Everyone meets one within the second, but for those at the ends that go away.
    assert!(told.len() >= 40, "{}", told.len());
}

#[test]
fn what_is_not_a_number_is_no_trouble() {
    for odd in [0.0, -1.0, 1e-30, 1e9, 1e30, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut app = listening();
        let quarry = app.world_mut().spawn((SteeringAgent { radius: odd, ..default() }, at(20.0, 0.0))).id();
        app.world_mut().spawn((Obstacle::new(Circle::new(5.0)), Velocity(Vec2::splat(odd)), at(20.0, 0.0)));
        let options = events().with_arrival_distance(odd).with_reach(odd).with_patience(odd).with_warning_time(odd);
        let bodies = [
            SteeringAgent::default(),
            SteeringAgent { radius: odd, mass: odd, ..default() },
            SteeringAgent { max_speed: odd, ..default() },
            SteeringAgent { max_force: odd, response_time: odd, ..default() },
        ];
        for body in bodies {
            for (place, going) in [(0.0, odd), (odd, 0.0), (0.0, 0.0)] {
                let going = Velocity(Vec2::new(going, 1.0));
                let behaviors =
                    (Pursue::new(quarry), Seek::new(quarry), Arrive::new(Vec2::splat(odd)), Queue::default());
                app.world_mut().spawn((body, behaviors.clone(), options.clone(), going, at(place, 0.0)));
                app.world_mut().spawn((body, behaviors, events(), going, at(place, 0.0)));
            }
        }
        run(&mut app, 20);
        let mut watched = app.world_mut().query::<&EventState>();
        let poisoned = watched.iter(app.world()).filter(|state| **state != (*state).clone());
        assert_eq!(poisoned.count(), 0, "{odd}");
    }
}

/// Three of sixty wanderers are told the same whether they alone are watched or everybody is.
#[test]
fn an_agent_is_told_the_same_however_many_are_watched() {
    for (seed, wraps) in [(0, false), (1, true), (2, false), (3, true)] {
        let told = |watched: usize| {
            let (mut app, mut number) = (listening(), numbers(seed));
            let (low, high) = (Vec2::splat(-150.0), Vec2::splat(150.0));
            let bounce = SteeringBounds::bounce(low, high);
            app.insert_resource(if wraps { SteeringBounds::wrap(low, high) } else { bounce });
            let agents: Vec<Entity> = (0..60)
                .map(|k| {
                    let (x, y) = (300.0 * number() - 150.0, 300.0 * number() - 150.0);
                    let mut agent = app.world_mut().spawn((Wander::default(), SteeringId::new(k), at(x, y)));
                    if (k as usize) < watched {
                        agent.insert(SteeringEvents::default());
                    }
                    agent.id()
                })
                .collect();
            run(&mut app, 60 * 10);
            let log = &app.world().resource::<Log>().0;
            log.iter().filter(|(agent, _)| agents[..3].contains(agent)).copied().collect::<Vec<_>>()
        };
        let alone = told(3);
        assert!(alone.iter().any(|(_, told)| matches!(told, Told::Collision(_))), "seed {seed}");
        assert_eq!(alone, told(60), "seed {seed}");
    }
}

/// A random crowd in clusters that may be far apart. Its agents differ, and some are moved elsewhere in the middle of a tick. The events of
/// every twentieth agent, if all agents with a number divisible by `watched` are watched.
fn told_in_random_crowd(case: u64, watched: u64) -> Vec<(Entity, Told)> {
    let (mut app, mut number) = (listening_at([20.0, 60.0, 144.0][case as usize % 3]), numbers(case));
    let (count, clusters) = (60 + (240.0 * number()) as u64, 1 + (4.0 * number()) as usize);
    let (spread, is_dense) = (30.0 + 900.0 * number() * number(), number() < 0.5);
    let around: Vec<Vec2> = (0..clusters).map(|_| Vec2::new(number() - 0.5, number() - 0.5) * 6000.0).collect();
    let mut agents = Vec::new();
    for k in 0..count {
        let place = around[k as usize % clusters] + Vec2::new(number() - 0.5, number() - 0.5) * spread;
        let speed = if number() < 0.1 { 1000.0 } else { 20.0 + 80.0 * number() };
        let radius = 2.0 + if number() < 0.1 { 30.0 } else { 6.0 } * number();
        let body = SteeringAgent { max_speed: speed, max_force: speed * 2.0, radius, ..default() };
        let going = Velocity(Vec2::from_angle(TAU * number()) * speed);
        let warning_time = Some(2.0 * number()).filter(|time| *time < 1.0);
        let mut agent = app.world_mut().spawn((body, Wander::default(), going, SteeringId::new(k)));
        agent.insert(at(place.x, place.y));
        if is_dense {
            agent.insert(Separation::default());
        }
        if k % watched == 0 {
            agent.insert(SteeringEvents { warning_time, ..default() });
        }
        agents.push(agent.id());
    }
    let throw = |mut agents: Query<(&SteeringId, &mut Transform)>, mut tick: Local<u64>| {
        *tick += 1;
        for (_, mut place) in agents.iter_mut().filter(|(id, _)| id.get() % 97 == *tick % 97) {
            place.translation.x *= -1.0;
        }
    };
    app.add_systems(SteeringSchedule, throw.after(SteeringSystems::Integrate).before(SteeringSystems::Confine));
    let told = run_told(&mut app, 100);
    told.into_iter().filter(|(agent, _)| agents.iter().step_by(20).any(|some| some == agent)).collect()
}

#[test]
fn agents_of_random_crowds_are_told_the_same_however_many_are_watched() {
    let mut count = 0;
    for case in 0..u64::from(quarter_of(120)) {
        let told = told_in_random_crowd(case, 20);
        assert_eq!(told, told_in_random_crowd(case, 1), "case {case}");
        count += told.len();
    }
    assert!(count > 500, "{count}");
}

/// Arrives, from a sparse set.
#[derive(Component, Clone, Copy)]
#[component(storage = "SparseSet")]
#[require(SteeringAgent)]
struct ArriveFromSparseSet(Vec2);

impl SteeringBehavior for ArriveFromSparseSet {
    type State = Stateless;
    type Param = ();

    fn wish(&self, _: &mut Stateless, agent: &Agent, (): &()) -> Wish {
        Wish::arrive(agent.to(self.0))
    }

    fn aims(&self) -> [Option<Aim>; 2] {
        Arrive::new(self.0).aims()
    }
}

#[test]
fn a_behavior_from_a_sparse_set_has_the_same_events() {
    let mut app = listening();
    app.add_steering_behavior::<ArriveFromSparseSet>();
    let mut agents = Vec::new();
    for k in 0..60_u8 {
        // Agents that are spawned and despawned out of order, in two tables, some without the behavior.
        let x = f32::from(k) * 100.0;
        let mut agent = app.world_mut().spawn((events(), SteeringAgent::default(), at(x, 0.0)));
        if k % 3 != 0 {
            agent.insert(ArriveFromSparseSet(Vec2::new(x, 60.0)));
        }
        if k % 4 == 0 {
            agent.insert(Name::new("in another table"));
        }
        agents.push((agent.id(), k % 3 != 0));
    }
    for (agent, _) in agents.extract_if(.., |(agent, _)| agent.index_u32() % 7 == 0) {
        app.world_mut().despawn(agent);
    }
    let mut told = run_told(&mut app, 300);
    told.sort_by_key(|(agent, _)| *agent);
    agents.retain(|(_, arrives)| *arrives);
    agents.sort();
    let expected: Vec<_> = agents.into_iter().map(|(agent, _)| (agent, Told::Arrived(Of::Arrive))).collect();
    assert_eq!(told, expected);
}

//! Agents, behaviors and targets come and go.

use super::*;
use bevy::ecs::change_detection::DetectChanges;
use bevy::ecs::entity_disabling::Disabled;
use bevy_steerling::behaviors::wander::WanderState;

#[test]
fn a_behavior_and_a_place_are_enough() {
    let mut app = app();
    let agent = app.world_mut().spawn((Seek::new(Vec2::new(1000.0, 0.0)), Transform::default())).id();
    run(&mut app, 60);
    assert!(position(&app, agent).x > 50.0);
    assert_eq!(position(&app, agent).y, 0.0);
}

#[test]
fn removing_a_behavior_turns_it_off_and_adding_one_turns_it_on() {
    let mut app = app();
    let agent = app.world_mut().spawn((Seek::new(Vec2::new(1000.0, 0.0)), Transform::default())).id();
    run(&mut app, 120);
    app.world_mut().entity_mut(agent).remove::<Seek>();
    let coasting = velocity(&app, agent);
    run(&mut app, 10);
    assert_eq!(velocity(&app, agent), coasting);
    assert_eq!(force(&app, agent), Vec2::ZERO);

    app.world_mut().entity_mut(agent).insert(Flee::new(Vec2::new(1000.0, 0.0)));
    run(&mut app, 120);
    assert!(velocity(&app, agent).x < 0.0);
}

#[test]
fn an_agent_follows_a_target_that_moves() {
    let mut app = app();
    let cursor = app.world_mut().spawn(at(100.0, 0.0)).id();
    let agent = app.world_mut().spawn((Arrive::new(cursor), Transform::default())).id();
    run(&mut app, 300);
    assert!(position(&app, agent).distance(Vec2::new(100.0, 0.0)) < 0.01);
    app.world_mut().get_mut::<Transform>(cursor).unwrap().translation = Vec3::new(0.0, -50.0, 9.0);
    run(&mut app, 300);
    assert!(position(&app, agent).distance(Vec2::new(0.0, -50.0)) < 0.01);
}

#[test]
fn a_target_with_parents_is_where_it_is_in_the_world() {
    let mut app = app();
    let mut turret = Entity::PLACEHOLDER;
    app.world_mut().spawn(at(100.0, 0.0)).with_children(|ship| {
        turret = ship.spawn(at(0.0, 20.0)).id();
    });
    let agent = app.world_mut().spawn((Arrive::new(turret), Transform::default())).id();
    run(&mut app, 300);
    assert!(position(&app, agent).distance(Vec2::new(100.0, 20.0)) < 0.01);
}

/// Each behavior that takes a target, aimed at one entity.
fn chasers(world: &mut World, target: Entity) -> Vec<Entity> {
    vec![
        world.spawn((Seek::new(target), at(0.0, 1.0))).id(),
        world.spawn((Flee::new(target), at(0.0, 2.0))).id(),
        world.spawn((Arrive::new(target), at(0.0, 3.0))).id(),
        world.spawn((Pursue::new(target), at(0.0, 4.0))).id(),
        world.spawn((Evade::new(target), at(0.0, 5.0))).id(),
    ]
}

#[test]
pub fn a_target_that_is_gone_gives_no_force() {
    let mut app = app();
    let despawned = app.world_mut().spawn(at(10.0, 0.0)).id();
    let nowhere = app.world_mut().spawn(at(10.0, 0.0)).id();
    let mut agents = chasers(app.world_mut(), despawned);
    agents.extend(chasers(app.world_mut(), nowhere));
    run(&mut app, 5);
    for &agent in &agents {
        assert_ne!(force(&app, agent), Vec2::ZERO);
    }
    app.world_mut().despawn(despawned);
    app.world_mut().entity_mut(nowhere).remove::<Transform>();
    let before: Vec<Vec2> = agents.iter().map(|&agent| velocity(&app, agent)).collect();
    run(&mut app, 5);
    for (&agent, before) in agents.iter().zip(before) {
        assert_eq!(force(&app, agent), Vec2::ZERO);
        assert_eq!(velocity(&app, agent), before);
    }
    // Another entity in the same slot is another entity.
    app.world_mut().spawn(at(500.0, 0.0));
    run(&mut app, 1);
    assert_eq!(force(&app, agents[0]), Vec2::ZERO);
}

#[test]
fn a_pursuer_leads_a_target_only_when_it_has_a_velocity() {
    let mut app = app();
    let still = app.world_mut().spawn(at(100.0, 0.0)).id();
    let moving = app.world_mut().spawn((Velocity(Vec2::new(0.0, 50.0)), at(100.0, 0.0))).id();
    let [a, b] = [still, moving].map(|target| app.world_mut().spawn((Pursue::new(target), Transform::default())).id());
    run(&mut app, 1);
    assert_eq!(force(&app, a).y, 0.0);
    assert!(force(&app, b).y > 0.0);
    // What is not an agent is not moved.
    assert_eq!(position(&app, moving), Vec2::new(100.0, 0.0));
}

#[test]
fn agents_that_something_else_moves_get_their_force_and_nothing_more() {
    let mut app = app();
    app.insert_resource(SteeringBounds::wrap(Vec2::ZERO, Vec2::splat(200.0)));
    let quick = SteeringAgent { max_force: 50.0, ..default() };
    let ship = app
        .world_mut()
        .spawn((ExternalMovement, Seek::new(Vec2::ZERO), quick, Velocity(Vec2::new(3.0, 4.0)), at(250.0, 0.0)))
        .id();
    let hunter = app.world_mut().spawn((Pursue::new(ship), at(40.0, 100.0))).id();
    run(&mut app, 3);
    assert_eq!(position(&app, ship), Vec2::new(250.0, 0.0));
    assert_eq!(velocity(&app, ship), Vec2::new(3.0, 4.0));
    assert!((force(&app, ship).length() - 50.0).abs() < 1e-3, "limited to max force");
    assert_ne!(velocity(&app, hunter), Vec2::ZERO, "others can pursue it");
}

#[test]
fn depth_rotation_and_scale_are_left_alone() {
    let mut app = app();
    let start =
        Transform::from_xyz(0.0, 0.0, 7.0).with_rotation(Quat::from_rotation_z(1.0)).with_scale(Vec3::splat(3.0));
    let agent = app.world_mut().spawn((Wander::default(), Separation::default(), start)).id();
    app.world_mut().spawn((Wander::default(), Separation::default(), at(1.0, 0.0)));
    run(&mut app, 60);
    let end = *app.world().get::<Transform>(agent).unwrap();
    assert_ne!(end.translation.truncate(), Vec2::ZERO);
    assert_eq!((end.translation.z, end.rotation, end.scale), (7.0, start.rotation, start.scale));
}

#[derive(Component)]
#[require(SteeringAgent, Calls)]
struct Upward {
    weight: f32,
}

#[derive(Component, Default)]
struct Calls(u32);

impl SteeringBehavior for Upward {
    type State = Calls;
    type Param = ();

    fn wish(&self, calls: &mut Calls, agent: &Agent, _: &SystemParamItem<Self::Param>) -> Wish {
        calls.0 += 1;
        Wish::Force(Vec2::new(0.0, agent.mass))
    }

    fn weight(&self) -> f32 {
        self.weight
    }
}

#[test]
fn a_users_own_behavior_is_weighted_and_added_up_like_any_other() {
    let mut app = app();
    // Twice is as good as once.
    app.add_steering_behavior::<Upward>().add_steering_behavior::<Upward>();
    let agent = app.world_mut().spawn((Upward { weight: 3.0 }, SteeringAgent { mass: 2.0, ..default() })).id();
    run(&mut app, 4);
    assert_eq!(force(&app, agent), Vec2::new(0.0, 6.0));
    assert_eq!(app.world().get::<Calls>(agent).unwrap().0, 4);
}

#[test]
fn a_users_own_behavior_runs_after_the_plugins_whichever_came_first() {
    #[derive(Component)]
    #[require(SteeringAgent)]
    struct Last;

    impl SteeringBehavior for Last {
        type State = Stateless;
        type Param = ();

        fn wish(&self, _: &mut Stateless, _: &Agent, (): &()) -> Wish {
            // Far below the last digit of what Seek and Flee want, which cancels out: lost unless it comes last.
            Wish::Force(Vec2::new(1e-6, 0.0))
        }
    }

    let force_when = |early: bool| {
        let mut app = App::new();
        if early {
            app.add_steering_behavior::<Last>();
        }
        app.add_plugins((MinimalPlugins, SteeringPlugin::default()));
        app.add_steering_behavior::<Last>().insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        app.update();
        let target = Vec2::new(9.0, 7.0);
        let agent = app.world_mut().spawn((Last, Seek::new(target), Flee::new(target))).id();
        run(&mut app, 1);
        force(&app, agent)
    };
    assert_eq!(force_when(true), Vec2::new(1e-6, 0.0));
    assert_eq!(force_when(false), Vec2::new(1e-6, 0.0));
}

#[test]
fn agents_move_also_where_columns_cannot_be_walked() {
    #[derive(Component)]
    #[component(storage = "SparseSet")]
    struct Asleep;

    let mut app = App::new();
    app.world_mut().register_disabling_component::<Asleep>();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    let [awake, asleep] = [(); 2].map(|()| app.world_mut().spawn(Seek::new(Vec2::new(500.0, 0.0))).id());
    app.world_mut().entity_mut(asleep).insert(Asleep);
    run(&mut app, 30);
    assert!(position(&app, awake).x > 10.0);
    assert_eq!(position(&app, asleep).x, 0.0);
}

/// Frames without a tick: enough for Bevy to clear its lists of removed components.
const FRAMES: usize = 5;

fn frames_without_a_tick(app: &mut App) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    run(app, FRAMES);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
}

/// Counts the obstacles around its agent.
#[derive(Component)]
#[require(SteeringAgent, Counted)]
struct CountObstacles;

#[derive(Component, Default)]
struct Counted(usize);

impl SteeringBehavior for CountObstacles {
    type State = Counted;
    type Param = Res<'static, Obstacles>;

    fn wish(&self, counted: &mut Counted, agent: &Agent, obstacles: &SystemParamItem<Self::Param>) -> Wish {
        counted.0 = 0;
        obstacles.for_each_near(agent, 1000.0, GroupMask::ALL, |_, _| counted.0 += 1);
        Wish::Nothing
    }
}

#[test]
fn an_obstacle_that_was_disabled_is_avoided_again() {
    let mut app = app();
    app.add_steering_behavior::<CountObstacles>();
    let counter = app.world_mut().spawn((CountObstacles, at(-50.0, 40.0))).id();
    let obstacles: Vec<Entity> =
        (0..3).map(|k| app.world_mut().spawn((Obstacle::new(Circle::new(5.0)), at(k as f32, 0.0))).id()).collect();
    let nowhere = app.world_mut().spawn((Obstacle::new(Circle::new(5.0)), at(f32::NAN, 0.0))).id();
    let agent = (Seek::new(Vec2::new(100.0, 0.0)), AvoidObstacles::default(), at(-50.0, 1.0));
    let agent = app.world_mut().spawn(agent).id();
    let check = |app: &mut App, disabled: &[Entity], expected: usize| {
        for entity in obstacles.iter().chain([&nowhere]) {
            if disabled.contains(entity) {
                app.world_mut().entity_mut(*entity).insert(Disabled);
            } else {
                app.world_mut().entity_mut(*entity).remove::<Disabled>();
            }
        }
        run(app, 1);
        assert_eq!(app.world().get::<Counted>(counter).unwrap().0, expected, "without {disabled:?}");
    };
    check(&mut app, &[], 3);
    check(&mut app, &obstacles[..2], 1);
    // One for another, so that there are as many as before.
    check(&mut app, &obstacles[1..], 1);
    check(&mut app, &[nowhere], 3);
    check(&mut app, &obstacles, 0);
    frames_without_a_tick(&mut app);
    check(&mut app, &[], 3);
    let mut nearest = f32::INFINITY;
    for _ in 0..200 {
        run(&mut app, 1);
        nearest =
            nearest.min((0..3).map(|k| position(&app, agent).distance(Vec2::new(k as f32, 0.0))).fold(9e9, f32::min));
    }
    let radius = SteeringAgent::default().radius;
    assert!(nearest >= 5.0 + radius && nearest < 20.0 + radius, "{nearest}");
}

#[test]
fn an_agent_that_is_enabled_in_place_of_another_avoids_others() {
    let mut app = app();
    // Two agents that never move perceive nobody.
    let agents = [0.0, 100.0].map(|y| {
        let body = SteeringAgent { max_speed: 0.0, ..default() };
        app.world_mut().spawn((body, AvoidNeighbors::default(), at(-300.0, y))).id()
    });
    let walker = (Seek::new(Vec2::new(300.0, 0.0)), AvoidNeighbors::default(), at(-100.0, 0.0));
    let walker = app.world_mut().spawn((walker, Disabled)).id();
    let post = app.world_mut().spawn((SteeringAgent::default(), at(0.0, 1.0))).id();
    run(&mut app, 3);
    app.world_mut().entity_mut(agents[1]).insert(Disabled);
    app.world_mut().entity_mut(walker).remove::<Disabled>();
    let mut nearest = f32::INFINITY;
    for _ in 0..200 {
        run(&mut app, 1);
        nearest = nearest.min(position(&app, walker).distance(position(&app, post)));
    }
    assert!(nearest >= 2.0 * SteeringAgent::default().radius && nearest < 100.0, "{nearest}");
}

#[test]
fn a_prey_that_leaves_its_group_is_no_longer_chased_however_many_frames_pass_before_the_next_tick() {
    let mut app = app();
    let prey = GroupMask::bit(3);
    let agent = app.world_mut().spawn((Pursue::new(Target::Group(prey)), at(0.0, 0.0))).id();
    let quarry = app.world_mut().spawn((SteeringAgent::default(), SteeringGroups(prey), at(100.0, 0.0))).id();
    run(&mut app, 3);
    assert!(force(&app, agent) != Vec2::ZERO);
    app.world_mut().entity_mut(quarry).remove::<SteeringGroups>();
    frames_without_a_tick(&mut app);
    run(&mut app, 1);
    assert_eq!(force(&app, agent), Vec2::ZERO);
}

#[test]
fn a_game_can_add_a_force_of_its_own() {
    let mut app = app();
    app.add_systems(
        SteeringSchedule,
        (|mut forces: Query<&mut SteeringForce>| forces.iter_mut().for_each(|mut force| force.x += 6.0))
            .after(SteeringSystems::Sense)
            .before(SteeringSystems::Steer),
    );
    let agent = app.world_mut().spawn(SteeringAgent::default()).id();
    run(&mut app, 2);
    assert_eq!(force(&app, agent), Vec2::new(6.0, 0.0));
    assert!((velocity(&app, agent).x - 2.0 * 6.0 * TICK).abs() < 1e-6);
}

/// Entities whose component was changed in the last update.
#[derive(Resource, Default)]
struct Changed {
    transforms: Vec<Entity>,
    velocities: Vec<Entity>,
    behaviors: Vec<Entity>,
}

#[test]
fn only_what_really_changed_triggers_change_detection() {
    let mut app = app();
    app.init_resource::<Changed>().add_systems(
        Update,
        |agents: Query<(Entity, Ref<Transform>, Ref<Velocity>, Option<Ref<Wander>>)>, mut changed: ResMut<Changed>| {
            *changed = Changed::default();
            for (entity, transform, velocity, wander) in &agents {
                if transform.is_changed() {
                    changed.transforms.push(entity);
                }
                if velocity.is_changed() {
                    changed.velocities.push(entity);
                }
                if wander.is_some_and(|wander| wander.is_changed()) {
                    changed.behaviors.push(entity);
                }
            }
        },
    );
    let world = app.world_mut();
    world.spawn((Arrive::new(Vec2::new(50.0, 0.0)), at(50.0, 0.0)));
    // Slower than its place has digits for.
    let crawling = Velocity(Vec2::new(1e-4, 0.0));
    world.spawn((SteeringAgent::default(), crawling, at(1000.0, 0.0)));
    let coasting = world.spawn((SteeringAgent::default(), Velocity(Vec2::new(5.0, 0.0)), at(0.0, 0.0))).id();
    let wandering = world.spawn((Wander::default(), at(0.0, 0.0))).id();
    run(&mut app, 10);
    let mut changed = app.world_mut().resource_mut::<Changed>();
    changed.transforms.sort();
    let mut moving = [coasting, wandering];
    moving.sort();
    assert_eq!(changed.transforms, moving);
    assert_eq!(changed.velocities, [wandering]);
    assert!(changed.behaviors.is_empty());
}

/// Every component comes back from its reflected copy.
#[test]
fn components_are_reflected_with_their_state() {
    let mut app = app();
    let agent = app.world_mut().spawn((Wander::default(), Separation::default())).id();
    run(&mut app, 30);
    let wander = app.world().get::<Wander>(agent).unwrap();
    let copy = Wander::from_reflect(wander.to_dynamic().as_partial_reflect()).unwrap();
    assert_eq!(*wander, copy);
    let state = app.world().get::<WanderState>(agent).unwrap();
    let copy = WanderState::from_reflect(state.to_dynamic().as_partial_reflect()).unwrap();
    assert_eq!(*state, copy);
    assert_ne!(copy, state_with("angle", state.angle()), "its random numbers are part of its state");

    let registry = app.world().resource::<AppTypeRegistry>().read();
    for id in [
        std::any::TypeId::of::<Seek>(),
        std::any::TypeId::of::<Wander>(),
        std::any::TypeId::of::<Separation>(),
        std::any::TypeId::of::<Queue>(),
        std::any::TypeId::of::<SteeringAgent>(),
        std::any::TypeId::of::<SteeringId>(),
    ] {
        assert!(registry.get_type_data::<ReflectComponent>(id).is_some());
    }
}

/// The angle of an agent's x axis, radians.
fn angle(app: &App, entity: Entity) -> f32 {
    app.world().get::<Transform>(entity).unwrap().rotation.to_euler(EulerRot::XYZ).2
}

#[test]
fn an_agent_faces_where_it_moves_at_the_rate_it_can_turn() {
    let mut app = app();
    let up = Velocity(Vec2::new(0.0, 20.0));
    let world = app.world_mut();
    let quick = world.spawn((FaceVelocity::default(), up)).id();
    let slow = world.spawn((FaceVelocity::default().with_turn_rate(1.0), up)).id();
    let indifferent = world.spawn((SteeringAgent::default(), up)).id();
    run(&mut app, 30);
    assert!((angle(&app, quick) - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
    assert!((angle(&app, slow) - 0.5).abs() < 1e-5);
    assert_eq!(angle(&app, indifferent), 0.0);
    run(&mut app, 100);
    assert!((angle(&app, slow) - std::f32::consts::FRAC_PI_2).abs() < 1e-6, "not beyond");
}

#[test]
pub fn at_rest_an_agent_keeps_facing_where_it_did() {
    let mut app = app();
    let target = Vec2::new(30.0, 40.0);
    let agent = app.world_mut().spawn((Arrive::new(target), FaceVelocity::default())).id();
    // Jostled at less than a thousandth of its max speed.
    let resting = app.world_mut().spawn((FaceVelocity::default(), Velocity(Vec2::new(-0.05, 0.05)))).id();
    run(&mut app, 600);
    assert!((angle(&app, agent) - target.to_angle()).abs() < 1e-3);
    assert_eq!(angle(&app, resting), 0.0);
}

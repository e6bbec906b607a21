//! The components of the plugin: cloned, reflected, written as scenes, and cleaned up.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};

use bevy_steerling::agent::{HardStop, RateState, Vehicle};
use bevy_steerling::behaviors::face::FaceState;
use bevy_steerling::behaviors::hide::HideState;
use bevy_steerling::behaviors::hold::HoldState;
use bevy_steerling::behaviors::leader::LeaderHeading;
use bevy_steerling::behaviors::wander::WanderState;
use bevy_steerling::constraints::avoid_neighbors::{Detour, PreferredVelocity};
use bevy_steerling::constraints::avoid_obstacles::AvoidObstaclesState;
use bevy_steerling::constraints::contain::ContainState;
use bevy_steerling::constraints::queue::QueuePlace;
use bevy_steerling::engine::arbitration::ArbitrationState;
use bevy_steerling::events::EventState;

use super::*;

/// An agent that is also an obstacle, with every component that the plugin has, none of them as it is by default.
fn spawn_with_everything(world: &mut World) -> Entity {
    let target = world.spawn(at(500.0, 0.0)).id();
    let triangle = ConvexPolygon::new([Vec2::new(-90.0, -60.0), Vec2::new(90.0, -60.0), Vec2::new(0.0, 90.0)]);
    let groups = GroupMask::bit(3);
    let mut agent = world.spawn((
        SteeringAgent { mass: 2.0, max_speed: 80.0, max_force: 900.0, radius: 3.0, response_time: 0.1 },
        (Velocity(Vec2::new(5.0, 6.0)), SteeringForce(Vec2::new(7.0, 8.0)), SteeringId::new(900)),
        (SteeringGroups(groups), MovedByForce, BodyLimits::default().with_max_turn_rate(2.0)),
        (FaceVelocity::default().with_turn_rate(3.0), Knockback::new(Vec2::X), Solid { layers: groups }),
        (GroupWeights::new([(groups, 2.0)]), Obstacle::new(Circle::new(2.0)).with_layers(groups), at(30.0, 40.0)),
    ));
    agent.insert((
        (Seek::new(target).with_weight(2.0), Flee::new(target).with_weight(2.0), Arrive::new(target).with_weight(2.0)),
        (Pursue::new(target).with_weight(2.0), Evade::new(target).with_weight(2.0)),
        FollowPath::new([Vec2::ZERO, Vec2::X]).with_end(PathEnd::Loop),
        (Formation::new(Pattern::Box).with_spacing(9.0), InFormation(target)),
        (OffsetPursuit::new(target, Vec2::X).with_weight(2.0), FollowLeader::new(target).with_weight(2.0)),
        (Hide::new(target).with_weight(2.0), Orbit::new(target, 9.0).with_weight(2.0)),
        (Face::new(target).with_turn_rate(2.0), FollowWall::new(ObstacleSide::Left, 9.0).with_weight(2.0)),
        (Interpose::new(target, Vec2::ZERO).with_weight(2.0), FollowField::new(target).with_weight(2.0)),
        FlowField::from_directions(Vec2::ZERO, Vec2::ONE, 2, vec![Vec2::X; 4]).expect("it is a field"),
        (MatchVelocity::new(target).with_weight(2.0), Wander::default().with_angle_change(2.0)),
        (Separation::default().with_weight(2.0), Alignment::default().with_weight(2.0)),
        (Cohesion::default().with_weight(2.0), Flock::default().with_weight(2.0)),
        (AvoidWithFeelers::default().with_weight(2.0), Hold::at(Vec2::Y).with_weight(2.0)),
    ));
    agent.insert((
        Contain::new(triangle.expect("it is convex")).with_weight(0.5),
        AvoidObstacles::default().with_weight(0.5),
        AvoidNeighbors::default().with_weight(0.5),
        (Queue::default().with_weight(0.5), ClassicQueue::default().with_weight(0.5)),
        Arbitration::new(ArbitrationMode::Dithering).with_priority::<Seek>(7),
        (SteeringEvents::default().with_reach(9.0), Sight::new(800.0).with_field_of_view(3.0)),
        PreferredVelocity { velocity: Vec2::new(1.0, 2.0), circled: 3.0, stood: 0.5, time_to_goal: Some(4.0) },
    ));
    let mut trace = SteeringTrace::default();
    trace.contributions.push(Contribution {
        behavior: BehaviorName::of::<Seek>(),
        raw: Vec2::X,
        weighted: Vec2::X,
        applied: Vec2::X,
        outcome: bevy_steerling::engine::contribution::Outcome::Applied,
    });
    agent.insert(trace);
    agent.insert((
        state_with::<WanderState, _>("angle", Some(2.0_f32)),
        state_with::<FaceState, _>("place", Some(Vec2::Y)),
        state_with::<HideState, _>("wall", 2_u32),
        state_with::<HoldState, _>("place", Some(Vec2::Y)),
        state_with::<LeaderHeading, _>("heading", Some(Vec2::Y)),
        state_with::<FormationState, _>("rest", 2.0_f32),
        state_with::<FormationSlot, _>("index", 2_u32),
        state_with::<ContainState, _>("turning", true),
        state_with::<AvoidObstaclesState, _>("side", Some(ObstacleSide::Left)),
        state_with::<Detour, _>(".0", 0.5_f32),
        state_with::<QueuePlace, _>("place", 3.0_f32),
        (HardStop::keeping(0.3), SteeringRate::every(3), state_with::<RateState, _>("left", 2_u32)),
        state_with::<Vehicle, _>("heading", Some(Vec2::Y)),
        state_with::<EventState, _>("open", 4.0_f32),
        state_with::<ArbitrationState, _>("random", Some(SteeringRng::new(SteeringSeed(1), SteeringId::new(2), 3))),
    ));
    let agent = agent.id();
    world.spawn(InFormation(agent));
    agent
}

/// What a behavior remembers.
fn states() -> [TypeId; 17] {
    [
        TypeId::of::<WanderState>(),
        TypeId::of::<FaceState>(),
        TypeId::of::<HideState>(),
        TypeId::of::<HoldState>(),
        TypeId::of::<LeaderHeading>(),
        TypeId::of::<FormationState>(),
        TypeId::of::<FormationSlot>(),
        TypeId::of::<ContainState>(),
        TypeId::of::<AvoidObstaclesState>(),
        TypeId::of::<Detour>(),
        TypeId::of::<PreferredVelocity>(),
        TypeId::of::<QueuePlace>(),
        TypeId::of::<HardStop>(),
        TypeId::of::<RateState>(),
        TypeId::of::<Vehicle>(),
        TypeId::of::<EventState>(),
        TypeId::of::<ArbitrationState>(),
    ]
}

/// The types of the components of an entity.
fn components(world: &World, entity: Entity) -> BTreeSet<TypeId> {
    let all = world.inspect_entity(entity).expect("it is there");
    all.map(|component| component.type_id().expect("it is a type of Rust")).collect()
}

#[test]
fn every_component_is_reflected() {
    let mut app = app();
    let agent = spawn_with_everything(app.world_mut());
    let place = app.world_mut().spawn(Transform::default()).id();
    let there = components(app.world(), agent);
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let reflected: BTreeMap<TypeId, &str> = registry
        .iter()
        .filter(|registration| registration.data::<ReflectComponent>().is_some())
        .filter(|registration| registration.data::<ReflectResource>().is_none())
        .map(|registration| (registration.type_id(), registration.type_info().type_path()))
        .filter(|(_, path)| path.starts_with("bevy_steerling::"))
        .collect();
    assert!(reflected.len() > 35, "{reflected:?}");
    for (id, path) in &reflected {
        assert!(there.contains(id), "the agent of this test has no {path}");
    }
    // Components of a bare `Transform` are Bevy's own. The only others are the contribution log and the destination, which are cleared in
    // each tick.
    let others = there.difference(&components(app.world(), place)).filter(|id| !reflected.contains_key(id)).count();
    assert_eq!(others, 2);
}

#[test]
fn a_clone_has_the_settings_of_the_original_and_none_of_its_state() {
    let mut app = app();
    let agent = spawn_with_everything(app.world_mut());
    let clone = app.world_mut().entity_mut(agent).clone_and_spawn();
    let world = app.world();
    let registry = world.resource::<AppTypeRegistry>().read();
    let (mut settings, mut fresh) = (0, 0);
    for id in components(world, agent) {
        // The members stay with the original.
        let Some(registration) = registry.get(id).filter(|_| id != TypeId::of::<FormationMembers>()) else { continue };
        let (name, reflect) = (registration.type_info().type_path(), registration.data::<ReflectComponent>());
        let reflect = reflect.expect("it is a component");
        let of = |entity| reflect.reflect(world.entity(entity)).unwrap_or_else(|| panic!("it has a {name}"));
        let (original, cloned) = (of(agent), of(clone));
        let alike = original.reflect_partial_eq(cloned.as_partial_reflect()).expect("they can be compared");
        if id == TypeId::of::<SteeringId>() {
            assert!(!alike, "it has a number of its own");
        } else if states().contains(&id) {
            let default = registry.get_type_data::<ReflectDefault>(id).expect("it has a default").default();
            let is_default = |state: &dyn Reflect| state.reflect_partial_eq(default.as_partial_reflect()) == Some(true);
            assert!(!is_default(original) && is_default(cloned), "{name} starts anew: {cloned:?}");
            fresh += 1;
        } else {
            assert!(alike, "{name} is cloned: {original:?}, {cloned:?}");
            settings += 1;
        }
    }
    assert_eq!(fresh, states().len());
    assert!(settings > 25, "{settings}");
    drop(registry);
    // And it is ready to go.
    run(&mut app, 30);
    assert!(position(&app, clone).is_finite() && force(&app, clone).is_finite());
}

#[test]
fn a_cloned_wanderer_goes_a_way_of_its_own() {
    let mut app = app();
    let original = app.world_mut().spawn((Wander::default(), at(3.0, 4.0))).id();
    run(&mut app, 60);
    let clone = app.world_mut().entity_mut(original).clone_and_spawn();
    assert_eq!(position(&app, clone), position(&app, original));
    assert_eq!(velocity(&app, clone), velocity(&app, original));
    run(&mut app, 300);
    let apart = position(&app, clone).distance(position(&app, original));
    assert!(apart > 50.0, "{apart} apart after five seconds");
}

/// How many components an entity has.
fn count(app: &App, entity: Entity) -> usize {
    app.world().entity(entity).archetype().component_count()
}

#[test]
fn a_trace_or_an_arbitration_that_is_removed_leaves_nothing_behind() {
    let insert: [fn(&mut EntityWorldMut); 3] = [
        |agent| _ = agent.insert(SteeringTrace::default()),
        |agent| _ = agent.insert(Arbitration::new(ArbitrationMode::PrioritizedSum)),
        |agent| _ = agent.insert((SteeringTrace::default(), Arbitration::default())),
    ];
    for insert in insert {
        let mut app = app();
        let agent = app.world_mut().spawn((Seek::new(Vec2::new(500.0, 0.0)), ArbitrationState::default())).id();
        run(&mut app, 3);
        let before = count(&app, agent);
        insert(&mut app.world_mut().entity_mut(agent));
        run(&mut app, 3);
        assert!(count(&app, agent) > before + 1, "there is something to leave behind");
        app.world_mut().entity_mut(agent).remove::<(SteeringTrace, Arbitration)>();
        assert!(count(&app, agent) > before, "until the next tick");
        run(&mut app, 1);
        assert_eq!(count(&app, agent), before);
        // And it steers on.
        run(&mut app, 60);
        assert!(position(&app, agent).x > 50.0);
    }
}

#[test]
fn a_trace_goes_on_without_the_arbitration_and_the_other_way_round() {
    let mut app = app();
    let both = (SteeringTrace::default(), Arbitration::new(ArbitrationMode::PrioritizedSum));
    let agent = app.world_mut().spawn((Seek::new(Vec2::new(500.0, 0.0)), both)).id();
    run(&mut app, 2);
    app.world_mut().entity_mut(agent).remove::<Arbitration>();
    run(&mut app, 2);
    let trace = app.world().get::<SteeringTrace>(agent).expect("it is traced");
    assert_eq!(trace.force(), force(&app, agent));
    assert_eq!(trace.contributions.len(), 1);
    let only = Arbitration::new(ArbitrationMode::PriorityGroups { threshold: f32::INFINITY });
    app.world_mut().entity_mut(agent).remove::<SteeringTrace>().insert(only);
    run(&mut app, 2);
    assert_eq!(force(&app, agent), Vec2::ZERO);
}

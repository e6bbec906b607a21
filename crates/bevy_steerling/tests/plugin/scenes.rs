//! Agents that are written as scenes, with Bevy's `bsn!`.

use std::collections::BTreeSet;

use bevy::asset::AssetPlugin;
use bevy::scene::ScenePlugin;
use bevy_steerling::behaviors::arrive::SlowingRadius;

use super::*;

/// An app that can spawn scenes.
fn app_with_scenes() -> App {
    app_with((AssetPlugin::default(), ScenePlugin), RATE)
}

fn spawn(app: &mut App, scene: impl Scene) -> Entity {
    app.world_mut().spawn_scene(scene).unwrap_or_else(|error| panic!("{error}")).id()
}

#[track_caller]
fn assert_has<C: Component + PartialEq + std::fmt::Debug>(app: &App, agent: Entity, expected: C) {
    assert_eq!(app.world().get::<C>(agent), Some(&expected));
}

#[test]
fn settings_that_a_scene_leaves_out_are_as_by_default() {
    let mut app = app_with_scenes();
    let scene = bsn! {
        SteeringAgent { max_speed: 120.0, max_force: 400.0 }
        Velocity(Vec2::new(5.0, 6.0))
        SteeringGroups({GroupMask::bit(3)})
        MovedByForce
        BodyLimits { max_turn_rate: {Some(2.0)} }
        FaceVelocity { turn_rate: {Some(3.0)} }
        Knockback::new(Vec2::X)
        Solid { layers: {GroupMask::bit(3)} }
        GroupWeights::new([(GroupMask::bit(3), 2.0)])
        Obstacle { shape: {Rectangle::new(4.0, 2.0)} }
        SteeringEvents { reach: {Some(9.0)} }
        SteeringTrace
        Arbitration::new(ArbitrationMode::Dithering)
    };
    let agent = spawn(&mut app, scene);
    assert_has(&app, agent, SteeringAgent { max_speed: 120.0, max_force: 400.0, ..default() });
    assert_has(&app, agent, Velocity(Vec2::new(5.0, 6.0)));
    assert_has(&app, agent, SteeringGroups(GroupMask::bit(3)));
    assert_has(&app, agent, ExternalMovement);
    assert_has(&app, agent, MovedByForce);
    assert_has(&app, agent, BodyLimits::default().with_max_turn_rate(2.0));
    assert_has(&app, agent, FaceVelocity::default().with_turn_rate(3.0));
    assert_has(&app, agent, Knockback::new(Vec2::X));
    assert_has(&app, agent, Solid { layers: GroupMask::bit(3) });
    assert_has(&app, agent, GroupWeights::new([(GroupMask::bit(3), 2.0)]));
    assert_has(&app, agent, Obstacle::new(Rectangle::new(4.0, 2.0)));
    assert_has(&app, agent, SteeringEvents::default().with_reach(9.0));
    assert_has(&app, agent, SteeringTrace::default());
    assert_has(&app, agent, Arbitration::new(ArbitrationMode::Dithering));
}

#[test]
fn every_behavior_and_constraint_can_be_written_as_a_scene() {
    let mut app = app_with_scenes();
    let scene = bsn! {
        Transform
        Seek { target: {Vec2::new(9.0, 8.0)}, weight: 2.0 }
        Flee { weight: 2.0 }
        Arrive { slowing_radius: {SlowingRadius::Linear(50.0)} }
        Pursue::new(Vec2::new(7.0, 6.0))
        Evade { target: {Target::Group(GroupMask::bit(3))}, panic_distance: {Some(5.0)} }
        MatchVelocity { weight: 2.0 }
        Interpose::new(Vec2::X, Vec2::Y)
        FollowPath { path: {SteeringPath::new([Vec2::X, Vec2::Y])}, end: {PathEnd::Loop} }
        OffsetPursuit { leader: {Vec2::X}, offset: {Vec2::Y} }
        Hide { distance: {Some(9.0)} }
        Orbit { radius: 50.0 }
        FollowLeader { spacing: {Some(9.0)} }
        Hold { place: {Some(Vec2::Y)} }
        Face { turn_rate: {Some(2.0)} }
        FlowField
        Formation { pattern: {Pattern::Circle}, spacing: {Some(30.0)} }
        Wander { angle_change: 2.0 }
        Separation { weight: 2.0 }
        Alignment { weight: 2.0 }
        Cohesion { weight: 2.0 }
        Flock { weight: 2.0 }
        AvoidWithFeelers { weight: 2.0 }
        Contain { region: {Rectangle::new(80.0, 40.0)}, weight: 0.5 }
        AvoidObstacles { weight: 0.5 }
        AvoidNeighbors { weight: 0.5 }
        Queue { weight: 0.5 }
        ClassicQueue { brake: 0.5 }
    };
    let agent = spawn(&mut app, scene);
    assert_has(&app, agent, Seek::new(Vec2::new(9.0, 8.0)).with_weight(2.0));
    assert_has(&app, agent, Flee::new(Vec2::ZERO).with_weight(2.0));
    assert_has(&app, agent, Arrive::new(Vec2::ZERO).with_slowing_radius(50.0));
    assert_has(&app, agent, Pursue::new(Vec2::new(7.0, 6.0)));
    assert_has(&app, agent, Evade::new(Target::Group(GroupMask::bit(3))).with_panic_distance(5.0));
    assert_has(&app, agent, MatchVelocity::new(Vec2::ZERO).with_weight(2.0));
    assert_has(&app, agent, Interpose::new(Vec2::X, Vec2::Y));
    assert_has(&app, agent, FollowPath::new([Vec2::X, Vec2::Y]).with_end(PathEnd::Loop));
    assert_has(&app, agent, OffsetPursuit::new(Vec2::X, Vec2::Y));
    assert_has(&app, agent, Hide::new(Vec2::ZERO).with_distance(9.0));
    assert_has(&app, agent, Orbit::new(Vec2::ZERO, 50.0));
    assert_has(&app, agent, FollowLeader::new(Vec2::ZERO).with_spacing(9.0));
    assert_has(&app, agent, Hold::at(Vec2::Y));
    assert_has(&app, agent, Face::new(Vec2::ZERO).with_turn_rate(2.0));
    assert_has(&app, agent, FlowField::default());
    assert_has(&app, agent, Formation::new(Pattern::Circle).with_spacing(30.0));
    assert_has(&app, agent, Wander::default().with_angle_change(2.0));
    assert_has(&app, agent, Separation::default().with_weight(2.0));
    assert_has(&app, agent, Alignment::default().with_weight(2.0));
    assert_has(&app, agent, Cohesion::default().with_weight(2.0));
    assert_has(&app, agent, Flock::default().with_weight(2.0));
    assert_has(&app, agent, AvoidWithFeelers::default().with_weight(2.0));
    assert_has(&app, agent, Contain::new(Rectangle::new(80.0, 40.0)).with_weight(0.5));
    assert_has(&app, agent, AvoidObstacles::default().with_weight(0.5));
    assert_has(&app, agent, AvoidNeighbors::default().with_weight(0.5));
    assert_has(&app, agent, Queue::default().with_weight(0.5));
    assert_has(&app, agent, ClassicQueue::default().with_brake(0.5));
    run(&mut app, 30);
    assert!(position(&app, agent).is_finite());
}

#[test]
fn agents_of_a_scene_aim_at_each_other_by_their_names() {
    let mut app = app_with_scenes();
    let scene = bsn_list![
        (#Prey Wander Evade::new(#Hunter) Transform { translation: {Vec3::new(80.0, 0.0, 0.0)} }),
        (#Hunter Pursue::new(#Prey) Pursue { weight: 2.0 }),
        (#Guard Interpose::new(#Hunter, #Prey) Transform { translation: {Vec3::new(0.0, 90.0, 0.0)} }),
        (#Wingman OffsetPursuit::new(#Hunter, Vec2::X)),
        (#Walker FollowField::new(#Hunter) FollowField { weight: 2.0 }),
        (#Member InFormation(#Hunter)),
    ];
    let entities: BTreeSet<Entity> =
        app.world_mut().spawn_scene_list(scene).expect("it is a scene").into_iter().collect();
    assert_eq!(entities.len(), 6);
    let world = app.world_mut();
    let named = |world: &mut World, name: &str| {
        let mut names = world.query::<(Entity, &Name)>();
        names.iter(world).find(|(_, found)| found.as_str() == name).map(|(entity, _)| entity).expect("it is there")
    };
    let [prey, hunter, guard, wingman, walker, member] =
        ["Prey", "Hunter", "Guard", "Wingman", "Walker", "Member"].map(|name| named(world, name));
    assert_eq!(entities, BTreeSet::from([prey, hunter, guard, wingman, walker, member]));
    assert_has(&app, prey, Evade::new(hunter));
    assert_has(&app, hunter, Pursue::new(prey).with_weight(2.0));
    assert_has(&app, guard, Interpose::new(hunter, prey));
    assert_has(&app, wingman, OffsetPursuit::new(hunter, Vec2::X));
    assert_has(&app, walker, FollowField::new(hunter).with_weight(2.0));
    assert_has(&app, member, InFormation(hunter));
    run(&mut app, 30);
    assert!(position(&app, hunter).x > 5.0);
}

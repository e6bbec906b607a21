//! A game that is saved with serde and restored in another app goes on as if nothing had happened.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_steerling::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default()))
        .insert_resource(SteeringSeed(5))
        .insert_resource(SteeringBounds::wrap(Vec2::ZERO, Vec2::splat(300.0)))
        .insert_resource(Time::<Fixed>::from_duration(Duration::from_millis(20)))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    app
}

fn run(app: &mut App, ticks: usize) {
    for _ in 0..ticks {
        app.update();
    }
}

fn copy<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

/// Copies a component, by way of JSON, between entities that correspond.
fn copy_component<C: Component<Mutability = bevy::ecs::component::Mutable> + Serialize + DeserializeOwned>(
    from: &World,
    to: &mut World,
    entities: &[(Entity, Entity)],
) {
    for &(source, target) in entities {
        if let Some(component) = from.get::<C>(source) {
            to.entity_mut(target).insert(copy(component));
        }
    }
}

/// The level, which is not saved.
fn add_obstacle(world: &mut World) {
    world.spawn((Obstacle::new(Rectangle::new(20.0, 60.0)), Transform::from_xyz(130.0, 60.0, 0.0)));
}

#[test]
fn a_restored_game_goes_on_identically() {
    let mut original = app();
    let world = original.world_mut();
    add_obstacle(world);
    let agents: Vec<Entity> = (0..24_u8)
        .map(|k| {
            let (x, y) = (f32::from(k % 12) * 20.0, 90.0 + 30.0 * f32::from(k / 12));
            world.spawn((Wander::default(), Separation::default(), Transform::from_xyz(x, y, 1.0))).id()
        })
        .collect();
    for (k, &agent) in agents.iter().enumerate() {
        // Points, so that no entity has to be mapped.
        let point = Vec2::new(150.0, 20.0 * k as f32);
        let mut agent = world.entity_mut(agent);
        match k % 7 {
            0 => agent.insert(Seek::new(point)),
            1 => {
                agent.insert((Flee::new(point).with_panic_distance(50.0), AvoidNeighbors::default(), Flock::default()))
            }
            2 => agent.insert((Arrive::new(point), Queue::default().with_style(QueueStyle::BrakeAndSeparate))),
            3 => agent.insert((Pursue::new(point), MatchVelocity::new(Target::Group(0b10)), SteeringGroups(0b10))),
            // In line, and round what is in the way.
            4 => agent.insert((Seek::new(point), Queue::default(), AvoidObstacles::default())),
            5 => agent.insert((Seek::new(point), AvoidObstacles::default(), Solid { layers: 0b11 })),
            _ => agent.insert((
                Evade::new(Target::Group(0b11)),
                FaceVelocity::default(),
                Contain::new(Circle::new(40.0)).with_center(point),
            )),
        };
    }
    run(&mut original, 40);
    let world = original.world();
    let any = |has: &dyn Fn(Entity) -> bool| agents.iter().any(|agent| has(*agent));
    assert!(any(&|agent| world.get::<Queue>(agent).is_some_and(|queue| queue.place != 0.0)), "somebody has a place");
    assert!(any(&|agent| world.get::<AvoidObstacles>(agent).is_some_and(|avoid| avoid.side.is_some())), "and a side");

    let mut restored = app();
    add_obstacle(restored.world_mut());
    restored.insert_resource(copy(original.world().resource::<SteeringBounds>()));
    let entities: Vec<(Entity, Entity)> =
        agents.iter().map(|&agent| (agent, restored.world_mut().spawn_empty().id())).collect();
    let (from, to) = (original.world(), restored.world_mut());
    copy_component::<Transform>(from, to, &entities);
    copy_component::<SteeringAgent>(from, to, &entities);
    copy_component::<SteeringId>(from, to, &entities);
    copy_component::<Velocity>(from, to, &entities);
    copy_component::<SteeringForce>(from, to, &entities);
    copy_component::<Wander>(from, to, &entities);
    copy_component::<Separation>(from, to, &entities);
    copy_component::<Flock>(from, to, &entities);
    copy_component::<Contain>(from, to, &entities);
    copy_component::<AvoidObstacles>(from, to, &entities);
    copy_component::<AvoidNeighbors>(from, to, &entities);
    copy_component::<Queue>(from, to, &entities);
    copy_component::<Solid>(from, to, &entities);
    copy_component::<Seek>(from, to, &entities);
    copy_component::<Flee>(from, to, &entities);
    copy_component::<Arrive>(from, to, &entities);
    copy_component::<Pursue>(from, to, &entities);
    copy_component::<Evade>(from, to, &entities);
    copy_component::<MatchVelocity>(from, to, &entities);
    copy_component::<SteeringGroups>(from, to, &entities);
    copy_component::<FaceVelocity>(from, to, &entities);

    run(&mut original, 40);
    run(&mut restored, 40);
    for (source, target) in entities {
        let (a, b) = (original.world(), restored.world());
        assert_eq!(a.get::<Transform>(source), b.get::<Transform>(target));
        assert_eq!(a.get::<Velocity>(source), b.get::<Velocity>(target));
        assert_eq!(a.get::<Wander>(source), b.get::<Wander>(target));
        assert_eq!(a.get::<Queue>(source), b.get::<Queue>(target));
        assert_eq!(a.get::<AvoidObstacles>(source), b.get::<AvoidObstacles>(target));
    }
}

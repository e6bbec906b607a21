//! Agents and obstacles that come and go within a tick.

use super::*;

/// A parent that is replaced by a child.
#[derive(Component, Clone, Copy)]
struct Parent(u64);

fn replace(commands: &mut Commands, entity: Entity, Parent(number): Parent, place: Vec2) {
    let child = (Seek::new(place + Vec2::new(200.0, 0.0)), Separation::default(), AvoidObstacles::default());
    commands.entity(entity).despawn();
    commands.spawn((Obstacle::new(Circle::new(4.0)), at(place.x + 30.0, place.y)));
    commands.spawn((SteeringId::new(100 + number), child, AvoidNeighbors::default(), at(place.x, place.y)));
}

/// An app in which parents arrive one after the other.
fn parents() -> (App, Vec<Entity>) {
    let mut app = app();
    let mut random = numbers(7);
    let parents = (0..20).map(|number| {
        let (x, y) = (60.0 * random(), 300.0 * random());
        let agent = (SteeringId::new(number), Arrive::new(Vec2::new(80.0, y)), SteeringEvents::default());
        app.world_mut().spawn((Parent(number), agent, AvoidNeighbors::default(), at(x, y))).id()
    });
    let parents = parents.collect();
    (app, parents)
}

/// The number, place and velocity of each agent, in the order of the numbers.
fn states(app: &mut App) -> Vec<(SteeringId, Vec2, Vec2)> {
    let world = app.world_mut();
    let mut agents = world.query::<(&SteeringId, &Transform, &Velocity)>();
    let agents =
        agents.iter(world).map(|(id, transform, velocity)| (*id, transform.translation.truncate(), velocity.0));
    let mut states: Vec<_> = agents.collect();
    states.sort_by_key(|(id, ..)| *id);
    states
}

#[test]
fn what_an_observer_spawns_is_what_a_game_spawns_after_the_tick() {
    let (mut observed, _) = parents();
    observed.add_observer(|arrived: On<Arrived>, parents: Query<(&Parent, &Transform)>, mut commands: Commands| {
        if let Ok((parent, transform)) = parents.get(arrived.entity) {
            replace(&mut commands, arrived.entity, *parent, transform.translation.truncate());
        }
    });
    let (mut game, mut left) = parents();
    let (mut replaced, mut ticks_with) = (0, 0);
    for tick in 0..300 {
        run(&mut observed, 1);
        run(&mut game, 1);
        let before = left.len();
        let there: Vec<SteeringId> = states(&mut observed).iter().map(|(id, ..)| *id).collect();
        left.retain(|&entity| {
            let parent = *game.world().get::<Parent>(entity).expect("it is left");
            let stays = there.contains(&SteeringId::new(parent.0));
            if !stays {
                let place = position(&game, entity);
                replace(&mut game.world_mut().commands(), entity, parent, place);
            }
            stays
        });
        game.world_mut().flush();
        replaced += before - left.len();
        ticks_with += usize::from(before > left.len());
        assert_eq!(states(&mut observed), states(&mut game), "tick {tick}");
    }
    assert!(replaced == 20 && ticks_with > 5, "{replaced} in {ticks_with} ticks");
}

/// Removes an agent and adds another, some with a wall.
fn come_and_go(agents: Query<(Entity, &SteeringId)>, mut commands: Commands, mut random: Local<Option<SteeringRng>>) {
    let random = random.get_or_insert_with(|| SteeringRng::new(SteeringSeed(2), SteeringId::new(0), 1));
    let mut ids: Vec<(&SteeringId, Entity)> = agents.iter().map(|(entity, id)| (id, entity)).collect();
    ids.sort();
    let gone = ids[(random.uniform() * ids.len() as f32) as usize];
    commands.entity(gone.1).despawn();
    let place = at(200.0 * random.uniform(), 200.0 * random.uniform());
    let behaviors = (Wander::default(), Separation::default(), AvoidNeighbors::default(), AvoidObstacles::default());
    // It takes over the number, too.
    let mut agent = commands.spawn((*gone.0, behaviors, Solid::default(), SteeringEvents::default(), place));
    if random.uniform() < 0.1 {
        agent.insert(Obstacle::new(Circle::new(2.0)));
    }
}

#[test]
fn agents_may_come_and_go_between_any_phases_of_a_tick() {
    use SteeringSystems::{Confine, Constrain, Integrate, React, Sense, Steer};
    for (before, after) in
        [(Sense, Steer), (Steer, Constrain), (Constrain, Integrate), (Integrate, Confine), (Confine, React)]
    {
        let run_on = |threads| {
            let mut app = app();
            app.insert_resource(threads).add_systems(SteeringSchedule, come_and_go.after(before).before(after));
            let mut random = numbers(9);
            for id in 0..150 {
                let place = at(200.0 * random(), 200.0 * random());
                app.world_mut().spawn((
                    SteeringId::new(id),
                    Seek::new(Vec2::splat(100.0)),
                    Separation::default(),
                    place,
                ));
            }
            run(&mut app, 60);
            states(&mut app)
        };
        let states = run_on(SteeringThreads::Single);
        assert_eq!(states.len(), 150);
        for (id, place, velocity) in &states {
            let is_sound = place.is_finite() && velocity.length() <= 100.001;
            assert!(is_sound, "{id:?} at {place}, velocity {velocity}, from after {before:?}");
        }
        let moving = states.iter().filter(|(.., velocity)| *velocity != Vec2::ZERO).count();
        assert!(moving > 140, "{moving}");
        assert!(run_on(SteeringThreads::Many) == states, "on all threads, from after {before:?}");
    }
}

//! Each behavior with a target tells when it loses the target and when it finds it.

use super::*;

type Insert = fn(&mut EntityWorldMut, Entity);

/// Whether the target was found or lost, of which behavior, and which target.
type Told = (bool, String, Target);

#[derive(Resource, Default)]
struct Log(Vec<Told>);

const POINT: Vec2 = Vec2::new(0.0, 90.0);

const ALL: [(&str, Insert); 14] = [
    ("Arrive", |agent, target| _ = agent.insert(Arrive::new(target))),
    ("Evade", |agent, target| _ = agent.insert(Evade::new(target))),
    ("Face", |agent, target| _ = agent.insert(Face::new(target))),
    ("Flee", |agent, target| _ = agent.insert(Flee::new(target))),
    ("FollowLeader", |agent, target| _ = agent.insert(FollowLeader::new(target))),
    ("Hide", |agent, target| _ = agent.insert(Hide::new(target))),
    ("InFormation", |agent, target| _ = agent.insert(InFormation(target))),
    ("Interpose", |agent, target| _ = agent.insert(Interpose::new(target, POINT))),
    ("Interpose", |agent, target| _ = agent.insert(Interpose::new(POINT, target))),
    ("MatchVelocity", |agent, target| _ = agent.insert(MatchVelocity::new(target))),
    ("OffsetPursuit", |agent, target| _ = agent.insert(OffsetPursuit::new(target, Vec2::new(-30.0, 20.0)))),
    ("Orbit", |agent, target| _ = agent.insert(Orbit::new(target, 60.0))),
    ("Pursue", |agent, target| _ = agent.insert(Pursue::new(target))),
    ("Seek", |agent, target| _ = agent.insert(Seek::new(target))),
];

fn run_told(app: &mut App, ticks: usize) -> Vec<Told> {
    run(app, ticks);
    std::mem::take(&mut app.world_mut().resource_mut::<Log>().0)
}

#[test]
fn each_behavior_tells_that_its_target_is_gone_and_that_it_is_back() {
    for (name, insert) in ALL {
        let mut app = app();
        app.init_resource::<Log>()
            .add_observer(|on: On<TargetLost>, mut log: ResMut<Log>| {
                log.0.push((false, on.behavior.short().to_owned(), on.target));
            })
            .add_observer(|on: On<TargetFound>, mut log: ResMut<Log>| {
                log.0.push((true, on.behavior.short().to_owned(), on.target));
            });
        // Without a place at first.
        let target = app.world_mut().spawn_empty().id();
        let mut agent = app.world_mut().spawn((SteeringEvents::default(), at(0.0, 0.0)));
        insert(&mut agent, target);
        let told = |is_found: bool| [(is_found, name.to_owned(), Target::Entity(target))];
        assert_eq!(run_told(&mut app, 5), told(false));
        app.world_mut().entity_mut(target).insert(at(200.0, 50.0));
        assert_eq!(run_told(&mut app, 5), told(true));
        app.world_mut().entity_mut(target).remove::<Transform>();
        assert_eq!(run_told(&mut app, 5), told(false));
        app.world_mut().entity_mut(target).insert(at(200.0, 50.0));
        assert_eq!(run_told(&mut app, 5), told(true));
        app.world_mut().despawn(target);
        let lost = run_told(&mut app, 5);
        if name == "InFormation" {
            // It is no longer in a formation.
            assert_eq!(lost, []);
        } else {
            assert_eq!(lost, told(false));
        }
    }
}

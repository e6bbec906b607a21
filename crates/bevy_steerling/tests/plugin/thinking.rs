//! Agents that do not think in every tick.

use std::f32::consts::TAU;

use bevy_steerling::agent::RateState;

use super::*;

fn is_thinking(app: &App, agent: Entity) -> bool {
    app.world().get::<RateState>(agent).expect("it has a rate").is_thinking()
}

/// Ids whose agents think in the same ticks: in the first one, and in every `ticks`-th after it. The first period of others is shorter.
fn ids_in_step(ticks: u32, count: usize) -> Vec<SteeringId> {
    let mut app = app();
    let ids = (0..40 * count as u64).map(SteeringId::new);
    let agents: Vec<_> = ids.map(|id| (id, app.world_mut().spawn((SteeringRate::every(ticks), id)).id())).collect();
    run(&mut app, ticks as usize + 1);
    let in_step = agents.iter().filter(|(_, agent)| is_thinking(&app, *agent)).map(|(id, _)| *id);
    let ids: Vec<SteeringId> = in_step.take(count).collect();
    assert_eq!(ids.len(), count);
    ids
}

/// Gives an agent a mix of behaviors.
fn insert_behaviors(agent: &mut EntityWorldMut, number: &mut impl FnMut() -> f32) {
    let mut place = || Vec2::new(400.0 * number() - 200.0, 400.0 * number() - 200.0);
    let (one, other) = (place(), place());
    match (number() * 8.0) as usize {
        0 => agent.insert((Arrive::new(one), AvoidNeighbors::default(), AvoidObstacles::default())),
        1 => agent.insert((Seek::new(one), Separation::default())),
        2 => agent.insert((FollowPath::new([Vec2::ZERO, one, other]), AvoidObstacles::default())),
        3 => agent.insert((Flock::default(), Seek::new(one).with_weight(0.2))),
        4 => agent.insert((Seek::new(one), Queue::default())),
        5 => agent.insert((Orbit::new(one, 60.0), AvoidNeighbors::default())),
        6 => agent.insert((Flee::new(one), Contain::new(Circle::new(250.0)))),
        _ => agent.insert((Hold::at(one), Arbitration::new(ArbitrationMode::PrioritizedSum), SteeringTrace::default())),
    };
}

/// A crowd with all kinds of behaviors, that thinks `1 / every` as often as it moves, and how long its ticks are.
fn crowd(seed: u64, ids: &[SteeringId], every: u32, rate: f64) -> (App, Vec<Entity>) {
    let (mut app, mut number) = (app_at(rate), numbers(seed));
    for _ in 0..3 {
        let place = at(300.0 * number() - 150.0, 300.0 * number() - 150.0);
        app.world_mut().spawn((Obstacle::new(Circle::new(10.0 + 20.0 * number())), place));
    }
    let mut spawn = |id: &SteeringId| {
        let body = SteeringAgent {
            mass: 0.5 + number(),
            radius: 3.0 + 3.0 * number(),
            response_time: 0.2 * number(),
            ..default()
        };
        let place = at(400.0 * number() - 200.0, 400.0 * number() - 200.0);
        let velocity = Vec2::from_angle(TAU * number()) * 100.0 * number();
        let mut agent = app.world_mut().spawn((*id, body, place, Velocity(velocity)));
        if every > 1 {
            agent.insert(SteeringRate::every(every));
        }
        insert_behaviors(&mut agent, &mut number);
        agent.id()
    };
    let agents = ids.iter().map(&mut spawn).collect();
    (app, agents)
}

#[test]
fn an_agent_moves_as_in_ticks_that_are_as_long_as_its_thoughts() {
    for seed in 0..u64::from(quarter_of(40)) {
        let every = [2, 3, 4, 8][seed as usize % 4];
        let ids = ids_in_step(every, 30);
        let (mut often, agents) = crowd(seed, &ids, every, 60.0);
        let (mut seldom, same) = crowd(seed, &ids, 1, 60.0 / f64::from(every));
        let mut moved = 0.0;
        // Before a difference in the last digit decides who goes first.
        for tick in 1..=5 {
            run(&mut often, every as usize);
            run(&mut seldom, 1);
            for (agent, same) in agents.iter().zip(&same) {
                let (here, there) = (position(&often, *agent), position(&seldom, *same));
                assert!(here.distance(there) < 0.02, "seed {seed}, tick {tick}: {here} instead of {there}");
                moved += velocity(&seldom, *same).length();
            }
        }
        assert!(moved > 5.0 * 30.0 * 20.0, "seed {seed}: they hardly move");
    }
}

#[test]
fn a_crowd_passes_without_a_touch_whoever_thinks_when() {
    let (mut late, mut all) = (0, 0);
    for seed in 0..u64::from(quarter_of(24)) {
        let (mut app, mut number) = (app(), numbers(seed));
        // All the same rate, or each its own.
        let common = [2, 4, 8, 0][seed as usize % 4];
        let mut agents = Vec::new();
        for k in 0..40_u8 {
            let cell = Vec2::new(f32::from(k % 8) - 3.5, f32::from(k / 8) - 2.0);
            let start = cell * 34.0 + Vec2::from_angle(TAU * number()) * 7.0;
            let rate = if common == 0 { (number() * 9.0) as u32 } else { common };
            let arrive = Arrive::new(-1.5 * start);
            let mut agent = app.world_mut().spawn((arrive, AvoidNeighbors::default(), at(start.x, start.y)));
            agent.insert((SteeringRate::every(rate), AvoidObstacles::default()));
            agents.push((agent.id(), -1.5 * start));
        }
        app.world_mut().spawn((Obstacle::new(Circle::new(5.0)), at(0.0, 17.0)));
        let mut closest = f32::INFINITY;
        for _ in 0..1200 {
            run(&mut app, 1);
            for (k, (one, _)) in agents.iter().enumerate() {
                let here = position(&app, *one);
                closest = closest.min(here.distance(Vec2::new(0.0, 17.0)) - 13.0);
                for (other, _) in &agents[..k] {
                    closest = closest.min(here.distance(position(&app, *other)) - 16.0);
                }
            }
        }
        assert!(closest > -0.02, "seed {seed}: an overlap of {}", -closest);
        // Those whose goals are beside or inside the obstacle may not get there.
        let can_arrive = |(_, goal): &&(Entity, Vec2)| goal.distance(Vec2::new(0.0, 17.0)) > 2.0 * 16.0;
        let is_late = |(agent, goal): &&(Entity, Vec2)| position(&app, *agent).distance(*goal) > 1.0;
        late += agents.iter().filter(can_arrive).filter(is_late).count();
        all += agents.len();
    }
    // Two that meet beside the obstacle do not always part.
    assert!(50 * late <= all, "{late} of {all} are not there");
}

#[test]
fn it_comes_to_rest_where_it_wants_to() {
    for every in 1..12 {
        let mut app = app();
        let goal = Vec2::new(123.0, -45.0);
        let agent = app.world_mut().spawn((Arrive::new(goal), SteeringRate::every(every))).id();
        run(&mut app, 400);
        let (miss, speed) = (position(&app, agent).distance(goal), velocity(&app, agent).length());
        assert!(miss < 1e-4 && speed < 1e-3, "every {every} ticks: {miss} units off, at {speed}");
    }
}

#[test]
fn in_between_the_force_is_kept_and_a_push_of_the_game_has_the_same_effect() {
    let wind = |mut agents: Query<&mut SteeringForce>| {
        for mut force in &mut agents {
            force.0 += Vec2::new(30.0, 0.0);
        }
    };
    let mut app = app();
    app.add_systems(SteeringSchedule, wind.after(SteeringSystems::Sense).before(SteeringSystems::Steer));
    let agent = app.world_mut().spawn((SteeringRate::every(4), SteeringAgent::default())).id();
    let other = app.world_mut().spawn(SteeringAgent::default()).id();
    let pushed = app.world_mut().spawn((SteeringRate::every(4), SteeringAgent::default(), MovedByForce)).id();
    for _ in 0..61 {
        run(&mut app, 1);
        assert_eq!((force(&app, agent), force(&app, pushed)), (Vec2::new(30.0, 0.0), Vec2::new(30.0, 0.0)));
        let ahead = velocity(&app, agent).x - velocity(&app, other).x;
        assert!((-1e-3..=3.0 * 30.0 * TICK + 1e-3).contains(&ahead), "{ahead}");
    }
    assert_eq!(velocity(&app, pushed), Vec2::ZERO);
}

#[test]
fn the_trace_is_that_of_the_last_thought_and_sums_up_to_the_force() {
    let mut app = app();
    let both = (Seek::new(Vec2::new(300.0, 20.0)), Wander::default(), SteeringRate::every(5));
    let arbitration = Arbitration::new(ArbitrationMode::PrioritizedSum);
    let agent = app.world_mut().spawn((both, arbitration, SteeringTrace::default())).id();
    let (mut before, mut thoughts) = (Vec2::NAN, 0);
    for _ in 0..50 {
        run(&mut app, 1);
        let trace = app.world().get::<SteeringTrace>(agent).expect("it is traced");
        assert_eq!(trace.force(), force(&app, agent));
        assert!(trace.of::<Seek>().is_some() && trace.of::<Wander>().is_some());
        if is_thinking(&app, agent) {
            thoughts += 1;
        } else {
            assert_eq!(force(&app, agent), before);
        }
        before = force(&app, agent);
    }
    assert!((10..=11).contains(&thoughts), "{thoughts}");
}

#[test]
fn threads_and_traces_change_nothing() {
    let ids: Vec<SteeringId> = (0..60).map(SteeringId::new).collect();
    for seed in 0..4 {
        let motion = |threads, is_traced: bool| {
            let (mut app, agents) = crowd(seed, &ids, 3, 60.0);
            app.insert_resource(threads);
            for agent in agents.iter().filter(|_| is_traced) {
                app.world_mut().entity_mut(*agent).insert(SteeringTrace::default());
            }
            run(&mut app, 90);
            let state = |agent: &Entity| [position(&app, *agent), velocity(&app, *agent)];
            agents.iter().map(state).collect::<Vec<_>>()
        };
        let usual = motion(SteeringThreads::Single, false);
        assert_eq!(motion(SteeringThreads::Many, false), usual, "seed {seed}");
        assert_eq!(motion(SteeringThreads::Single, true), usual, "seed {seed}");
    }
}

#[test]
fn members_of_a_formation_keep_their_slots_in_a_turn() {
    let off = |rate: Option<u32>| {
        let mut app = app();
        let slow = SteeringAgent { max_speed: 40.0, ..default() };
        let anchor = (Orbit::new(Vec2::ZERO, 200.0), Formation::new(Pattern::Line), slow, at(200.0, 0.0));
        let anchor = app.world_mut().spawn(anchor).id();
        let members: Vec<Entity> = (0..6_u8)
            .map(|k| {
                let place = at(200.0 + 20.0 * f32::from(k), -30.0);
                let mut member = app.world_mut().spawn((InFormation(anchor), place));
                if let Some(rate) = rate {
                    member.insert(SteeringRate::every(rate));
                }
                member.id()
            })
            .collect();
        run(&mut app, 900);
        let (mut off, count) = (0.0, 300);
        for _ in 0..count {
            run(&mut app, 1);
            let slot = |member| app.world().get::<FormationSlot>(member).expect("it has a slot");
            off += members.iter().map(|member| slot(*member).distance()).sum::<f32>();
        }
        off / (count * members.len()) as f32
    };
    let usual = off(None);
    for rate in [1, 4] {
        assert!(off(Some(rate)) < usual + 0.5, "{} instead of {usual}, every {rate} ticks", off(Some(rate)));
    }
}

#[test]
fn bodies_with_limits_and_agents_without_a_rate_think_in_every_tick() {
    let mut app = app();
    let seek = || Seek::new(Vec2::new(0.0, 300.0));
    let limits = BodyLimits::default().with_max_turn_rate(1.0);
    let mut spawn = |rate: Option<SteeringRate>| {
        let mut agent = app.world_mut().spawn((seek(), limits.clone(), Velocity(Vec2::X * 50.0)));
        if let Some(rate) = rate {
            agent.insert(rate);
        }
        agent.id()
    };
    let (often, seldom) = (spawn(None), spawn(Some(SteeringRate::every(9))));
    let freed = app.world_mut().spawn((seek(), SteeringRate::every(1000))).id();
    run(&mut app, 30);
    assert_eq!(position(&app, often), position(&app, seldom));
    assert!(!is_thinking(&app, freed));
    app.world_mut().entity_mut(freed).remove::<SteeringRate>();
    let mut before = force(&app, freed);
    for speed in 1..10_u8 {
        app.world_mut().entity_mut(freed).insert(Velocity(Vec2::X * f32::from(speed)));
        run(&mut app, 1);
        assert!(app.world().get::<RateState>(freed).is_none());
        assert_ne!(force(&app, freed), before);
        before = force(&app, freed);
    }
}

#[test]
fn any_rate_keeps_agents_finite_and_within_max_speed() {
    for ticks in [0, 1, 7, 1_000_000, u32::MAX] {
        let mut app = app();
        let ids = (0..40).map(|id| {
            let id = SteeringId::new(id);
            let place = at(id.get() as f32 * 9.0, 0.0);
            let behaviors = (Wander::default(), Separation::default(), AvoidNeighbors::default());
            app.world_mut().spawn((behaviors, SteeringRate::every(ticks), id, place)).id()
        });
        let agents: Vec<Entity> = ids.collect();
        run(&mut app, 60);
        for agent in agents {
            assert!(position(&app, agent).is_finite() && velocity(&app, agent).length() <= 100.001, "{ticks}");
        }
    }
}

use core::time::Duration;

use bevy::tasks::{ComputeTaskPool, TaskPool};

use super::*;
use crate::agent::random::SteeringRng;
use crate::constraints::test_app::app_with;
use crate::engine::contributor::Bends;
use crate::engine::runner::run;
use crate::math::Vector;
use crate::math::space::SteeringBounds;
use crate::perception::obstacles::Obstacle;
use crate::prelude::*;

/// How the outcomes are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    ForAll,
    OnThreads,
    OneByOne,
    /// Without finding out beforehand which agents are relevant.
    ByLookingAtAll,
}

fn forget_outcomes(mut outcomes: ResMut<Outcomes>) {
    outcomes.0.fill(Outcome::UNKNOWN);
}

fn forget_walkers(neighbors: Res<Neighbors>, mut walkers: ResMut<Walkers>) {
    walkers.forget(&neighbors, 0);
}

/// A world with obstacles.
fn world(seed: u64, half_size: f32, how: How) -> App {
    let mut app = app_with::<Arrive>();
    if seed % 3 == 2 {
        app.insert_resource(SteeringBounds::wrap(Vector::splat(-half_size), Vector::splat(half_size)));
    }
    if seed % 4 == 3 {
        app.insert_resource(SteeringPlane::XY.with_floor_height(3.0));
    }
    let avoid = || run::<Bends<AvoidNeighbors>>;
    match how {
        How::ForAll => {}
        How::OnThreads => {
            ComputeTaskPool::get_or_init(TaskPool::new);
            app.insert_resource(SteeringThreads::Many);
        }
        How::OneByOne => _ = app.add_systems(SteeringSchedule, forget_outcomes.after(pass_all).before(avoid())),
        How::ByLookingAtAll => {
            let forget = forget_walkers.after(write_preferred_velocities).before(pass_all);
            app.add_systems(SteeringSchedule, forget);
        }
    }
    for k in 0..4 {
        let place = Transform::from_xyz(half_size * 0.4 * k as f32 - 0.7 * half_size, 0.3 * half_size, 0.0);
        app.world_mut().spawn((Obstacle::new(Rectangle::new(0.5 * k as f32, 1.0)), place));
    }
    app
}

/// A crowd of different agents, of which some avoid others.
fn crowd(seed: u64, half_size: f32, how: How) -> (App, Vec<Entity>) {
    let mut app = world(seed, half_size, how);
    let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 1);
    let mut within = move |low: f32, high: f32| low + (high - low) * random.uniform();
    let mut agents: Vec<Entity> = Vec::new();
    for k in 0..240 {
        let body = SteeringAgent {
            mass: within(0.5, 2.0),
            max_speed: within(0.5, 3.0),
            max_force: within(2.0, 20.0),
            radius: within(0.05, 0.4),
            response_time: within(0.0, 0.1),
        };
        // Many stand still, like agents that have arrived.
        let velocity = if k % 3 == 0 { 0.0 } else { body.max_speed };
        let velocity = Vector::new(within(-1.0, 1.0), within(-1.0, 1.0)) * velocity;
        let place =
            Transform::from_xyz(within(-half_size, half_size), within(-half_size, half_size), (k % 2) as f32 * 9.0);
        let mut agent = app.world_mut().spawn((body, SteeringId::new(k * 7 % 240), place, Velocity(velocity)));
        let target = match k % 11 {
            0 if k > 0 => Target::Entity(agents[agents.len() / 2]),
            1 => Target::Group(GroupMask::bit(1)),
            2..6 => Target::Point(Vector::ZERO),
            _ => Target::Point(Vector::new(within(-half_size, half_size), within(-half_size, half_size))),
        };
        agent.insert(Arrive::new(target));
        if k % 5 == 0 {
            agent.insert(SteeringGroups(GroupMask::bit(1 + (k % 2) as u32)));
        }
        if k % 7 != 0 {
            let groups = if k % 13 == 0 { GroupMask::bit(1) } else { GroupMask::ALL };
            agent.insert(AvoidNeighbors::default().with_groups(groups));
            // Some are already in a jam, or circle.
            let (stood, circled) = (within(-1.0, 1.0).max(0.0), within(-3.0, 1.0).max(0.0));
            agent.insert(PreferredVelocity { stood, circled, ..PreferredVelocity::default() });
        }
        if k % 4 != 0 {
            agent.insert(AvoidObstacles::default());
        }
        if k % 17 == 0 {
            agent.insert(ExternalMovement);
        }
        if k % 19 == 0 {
            agent.insert(BodyLimits { max_turn_rate: Some(2.0), ..default() });
        }
        agents.push(agent.id());
    }
    (app, agents)
}

/// The places, forces and detours of a crowd after some ticks.
fn after_some_ticks(seed: u64, half_size: f32, how: How) -> Vec<(Vec3, Vector, f32)> {
    let (mut app, agents) = crowd(seed, half_size, how);
    for _ in 0..40 {
        app.world_mut().resource_mut::<Time>().advance_by(Duration::from_secs_f32(1.0 / 30.0));
        app.world_mut().run_schedule(SteeringSchedule);
        let computed = app.world().resource::<Outcomes>().0.iter().filter(|outcome| outcome.total.is_finite()).count();
        let for_all = [How::ForAll, How::OnThreads].contains(&how);
        assert!((computed > 150) == for_all, "{computed} outcomes, {how:?}");
    }
    let jammed = agents.iter().filter_map(|agent| app.world().get::<PreferredVelocity>(*agent));
    assert!(jammed.filter(|preferred| preferred.jammed() > 0.0).count() > 10, "crowd {seed}");
    let of = |agent: &Entity| {
        let agent = app.world().entity(*agent);
        let place = agent.get::<Transform>().expect("it is somewhere").translation;
        let force = agent.get::<SteeringForce>().expect("it is steered").0;
        (place, force, agent.get::<Detour>().map_or(0.0, Detour::get))
    };
    agents.iter().map(of).collect()
}

#[test]
fn leaving_out_those_who_cannot_matter_changes_nothing() {
    let (mut detours, mut moved) = (0, 0);
    for seed in 0..12 {
        // From a heap to a loose crowd.
        let half_size = [2.0, 5.0, 20.0][seed as usize / 4];
        let together = after_some_ticks(seed, half_size, How::ForAll);
        assert_eq!(together, after_some_ticks(seed, half_size, How::OnThreads), "crowd {seed}");
        assert_eq!(together, after_some_ticks(seed, half_size, How::OneByOne), "crowd {seed}");
        assert_eq!(together, after_some_ticks(seed, half_size, How::ByLookingAtAll), "crowd {seed}");
        detours += together.iter().filter(|(.., detour)| *detour != 0.0).count();
        moved += together.iter().filter(|(_, force, _)| *force != Vector::ZERO).count();
    }
    assert!(detours > 200 && moved > 2000, "{detours} detours, {moved} move");
}

#[test]
fn it_sees_as_far_as_two_come_toward_each_other() {
    let body = SteeringAgent { max_speed: 2.0, max_force: 4.0, radius: 0.25, ..SteeringAgent::default() };
    // A horizon of twice half a second, plus one second for eight radii.
    assert_eq!(AvoidNeighbors::default().perception_radius(&body), 2.0 * (2.0 * 2.0 + 0.25));
    assert_eq!(AvoidNeighbors::default().with_time_horizon(3.0).perception_radius(&body), 2.0 * (2.0 * 3.0 + 0.25));
    assert_eq!(AvoidNeighbors::default().perception_radius(&SteeringAgent { max_force: 0.0, ..body }), 0.0);
}

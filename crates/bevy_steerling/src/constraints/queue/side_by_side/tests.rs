use core::time::Duration;

use super::*;
use crate::agent::SteeringId;
use crate::agent::random::SteeringRng;
use crate::constraints::queue::QueuePlace;
use crate::constraints::test_app::app_with;
use crate::engine::contributor::Bends;
use crate::engine::runner::run;
use crate::math::space::SteeringBounds;
use crate::perception::obstacles::Obstacle;
use crate::prelude::*;

fn leave_all_to_one_by_one(mut found: ResMut<Outcomes>) {
    found.outcomes.fill(UNKNOWN);
}

/// Runs a tick of a crowd of different agents. Returns their forces and places, and how many were computed one by one.
fn tick_of_a_crowd(seed: u64, bounds: &SteeringBounds, one_by_one: bool) -> (Vec<(Vector, f32)>, usize) {
    let mut app = app_with::<Seek>();
    app.insert_resource(*bounds);
    if one_by_one {
        app.add_systems(SteeringSchedule, leave_all_to_one_by_one.after(find_places).before(run::<Bends<Queue>>));
    }
    let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 1);
    let mut within = move |low: f32, high: f32| low + (high - low) * random.uniform();
    for _ in 0..6 {
        let place = Transform::from_xyz(within(-9.0, 9.0), within(-9.0, 9.0), 0.0);
        app.world_mut().spawn((Obstacle::new(Rectangle::new(within(0.1, 2.0), within(0.1, 2.0))), place));
    }
    let mut agents = Vec::new();
    for k in 0..700 {
        let body = SteeringAgent {
            mass: within(0.5, 2.0),
            max_speed: within(0.5, 2.0),
            max_force: within(2.0, 9.0),
            radius: within(0.05, 0.25),
            response_time: within(0.0, 0.1),
        };
        let mut place = QueuePlace::default();
        place.set(within(-9.0, 9.0));
        let queue = Queue::default().with_time_gap(within(0.0, 0.5)).with_headway(within(0.0, 1.5));
        let velocity = Vector::new(within(-1.0, 1.0), within(-1.0, 1.0)) * (0.7 * body.max_speed);
        let mut agent = app.world_mut().spawn((
            body,
            SteeringId::new(k),
            Transform::from_xyz(within(-9.0, 9.0), within(-9.0, 9.0), 0.0),
            Velocity(if k % 5 == 0 { Vector::ZERO } else { velocity }),
            Seek::new(Vector::new(within(-9.0, 9.0), within(-9.0, 9.0))),
        ));
        if k % 7 != 0 {
            if k % 9 == 0 {
                agent.insert(ClassicQueue::default());
            } else {
                agent.insert((queue, place));
            }
        }
        if k % 4 != 0 {
            agent.insert(AvoidObstacles::default());
        }
        agents.push(agent.id());
    }
    app.world_mut().resource_mut::<Time>().advance_by(Duration::from_secs_f32(1.0 / 60.0));
    app.world_mut().run_schedule(SteeringSchedule);
    let left = app.world().resource::<Outcomes>().outcomes.iter().filter(|outcome| outcome.total.is_nan()).count();
    let of = |agent: &Entity| {
        let place = app.world().get::<QueuePlace>(*agent).map_or(0.0, QueuePlace::get);
        (app.world().get::<SteeringForce>(*agent).expect("it is steered").0, place)
    };
    (agents.iter().map(of).collect(), left)
}

#[test]
fn eight_at_a_time_is_the_same_as_one_by_one() {
    let endless = SteeringBounds::default();
    let round = SteeringBounds::wrap(Vector::splat(-8.0), Vector::splat(8.0));
    for (seed, bounds) in [(1, &endless), (2, &endless), (3, &round), (4, &round)] {
        let (together, left) = tick_of_a_crowd(seed, bounds, false);
        let (one_by_one, all) = tick_of_a_crowd(seed, bounds, true);
        assert!(left < 250 && all == 700, "{left} of {all} are computed one by one");
        for (k, (this, other)) in together.iter().zip(&one_by_one).enumerate() {
            let (off, place) = (this.0.distance(other.0), (this.1 - other.1).abs());
            assert!(off < 1e-3 && place < 1e-4, "{k} of crowd {seed}: {this:?}, alone {other:?}");
        }
    }
}

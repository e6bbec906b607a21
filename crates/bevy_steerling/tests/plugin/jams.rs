//! Crowds that would block each other before a narrow door, and single agents, get through it without touching.

use super::closing_up::{overlap, places_apart};
use super::*;

/// The behavior that steers an agent through the door.
#[derive(Clone, Copy, Debug)]
enum Guide {
    Arrive,
    Seek,
    Path,
}

/// A door in the wall at x = 0.
#[derive(Debug)]
struct Door {
    body: SteeringAgent,
    rate: f64,
    /// Half the width of the door and half the depth of the wall, units.
    half_width: f32,
    half_depth: f32,
    guide: Guide,
}

impl Door {
    /// A door that is between `narrowest` and `widest` bodies wide.
    fn random(number: &mut impl FnMut() -> f32, narrowest: f32, widest: f32, guide: Guide) -> Self {
        let body = random_body(number);
        let radius = body.radius;
        Self {
            body,
            rate: [20.0, 30.0, 60.0][(3.0 * number()) as usize],
            half_width: radius * (narrowest + (widest - narrowest) * number()),
            half_depth: radius * (0.1 + 1.9 * number()),
            guide,
        }
    }

    /// Agents that start at these places with these velocities, and want to get to the left of the door.
    fn spawn(&self, agents: impl IntoIterator<Item = (Vec2, Vec2)>) -> (App, Vec<Entity>) {
        let (mut app, radius) = (app_at(self.rate), self.body.radius);
        spawn_wall_with_door(&mut app, radius, self.half_width, self.half_depth);
        let path = SteeringPath::new([30.0, 0.0, -60.0].map(|x| Vec2::new(x * radius, 0.0)));
        let spawn = |(place, velocity): (Vec2, Vec2)| {
            let avoid = (AvoidObstacles::default(), AvoidNeighbors::default());
            let mut agent = app.world_mut().spawn((avoid, self.body, at(place.x, place.y), Velocity(velocity)));
            match self.guide {
                Guide::Arrive => agent.insert(Arrive::new(Vec2::new(-20.0 * radius, 0.0))),
                Guide::Seek => agent.insert(Seek::new(Vec2::new(-200.0 * radius, 0.0))),
                Guide::Path => agent.insert(FollowPath::new(&path)),
            };
            agent.id()
        };
        let agents = agents.into_iter().map(spawn).collect();
        (app, agents)
    }

    /// Runs for the time in which an agent moves `way` radii, and removes all that get through. Returns how many do not.
    fn pass(&self, (mut app, mut agents): (App, Vec<Entity>), way: f32) -> usize {
        let (radius, time) = (self.body.radius, way * self.body.radius / self.body.max_speed + 5.0);
        for _ in 0..(f64::from(time) * self.rate) as usize {
            run(&mut app, 1);
            let touch = overlap(&app, &agents);
            assert!(touch < 0.01 * radius, "an overlap of {touch} before {self:?}");
            agents.retain(|agent| {
                let is_through = position(&app, *agent).x < -self.half_depth - 8.0 * radius;
                if is_through {
                    app.world_mut().despawn(*agent);
                }
                !is_through
            });
            if agents.is_empty() {
                break;
            }
        }
        agents.len()
    }
}

/// A random crowd before a door that is one to two bodies wide. How many do not get through.
fn stay_before_a_door(number: &mut impl FnMut() -> f32, guide: Guide) -> usize {
    let door = Door::random(number, 1.3, 2.2, guide);
    let (radius, count) = (door.body.radius, 6 + (12.0 * number()) as usize);
    let places = places_apart(count, 2.2 * radius, || {
        let place = Vec2::new(2.0 + (4.0 + count as f32) * number(), 16.0 * number() - 8.0) * radius;
        place + Vec2::X * door.half_depth
    });
    let crowd = door.spawn(places.into_iter().map(|place| (place, Vec2::ZERO)));
    let left = door.pass(crowd, 60.0 + 14.0 * count as f32);
    if left > 0 {
        println!("{left} of {count} stay before {door:?}");
    }
    left
}

#[test]
fn crowds_get_through_doors_for_one() {
    let mut number = numbers(31);
    let crowds = quarter_of(360);
    let guides = [Guide::Arrive, Guide::Seek, Guide::Path].into_iter().cycle().take(crowds as usize);
    let stay: Vec<usize> =
        guides.map(|guide| stay_before_a_door(&mut number, guide)).filter(|left| *left > 0).collect();
    assert!(stay.is_empty(), "{stay:?} in {crowds} crowds");
}

#[test]
fn an_agent_alone_gets_through_a_door_wherever_it_comes_from() {
    let mut number = numbers(32);
    for guide in [Guide::Arrive, Guide::Seek, Guide::Path] {
        for _ in 0..quarter_of(200) {
            let door = Door::random(&mut number, 1.2, 3.0, guide);
            let radius = door.body.radius;
            let place =
                Vec2::new(door.half_depth + radius * (1.5 + 20.0 * number()), radius * (50.0 * number() - 25.0));
            let velocity = Vec2::from_angle(core::f32::consts::TAU * number()) * door.body.max_speed;
            let agent = door.spawn([(place, velocity)]);
            assert_eq!(door.pass(agent, 150.0), 0, "from {place} at {velocity} through {door:?}");
        }
    }
}

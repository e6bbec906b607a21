//! Agents, targets and obstacles come and go, and behaviors are put on and taken off, at random.

use allocation_counter::measure;
use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::*;

use crate::crowd::{self, KINDS, dimension};

const TICKS: usize = 10_000;
const AGENTS: usize = 42;
const TARGETS: usize = 6;
const OBSTACLES: usize = 5;

/// The entities, each in its slot.
struct Churn {
    agents: Vec<Entity>,
    /// Whether each agent has its behaviors.
    busy: [bool; AGENTS],
    targets: Vec<Entity>,
    obstacles: Vec<Entity>,
    random: SteeringRng,
}

impl Churn {
    fn new(world: &mut World) -> Self {
        let targets = (0..TARGETS).map(|number| spawn_target(world, number)).collect();
        let obstacles = (0..OBSTACLES).map(|number| dimension::spawn_obstacle(world, number)).collect();
        let agents = (0..AGENTS).map(|number| crowd::spawn_agent(world, number)).collect();
        let random = SteeringRng::new(SteeringSeed(3), SteeringId::new(0), 1);
        Self { agents, busy: [false; AGENTS], targets, obstacles, random }
    }

    fn pick(&mut self, count: usize) -> usize {
        (self.random.uniform() * count as f32) as usize
    }

    /// One thing that a game might do between two ticks.
    fn meddle(&mut self, world: &mut World) {
        match self.pick(8) {
            0 => {
                let slot = self.pick(AGENTS);
                world.despawn(self.agents[slot]);
                self.agents[slot] = crowd::spawn_agent(world, slot);
                self.busy[slot] = false;
            }
            1 => {
                // Those who aim at it are left without a target until they are given another.
                let slot = self.pick(TARGETS);
                world.despawn(self.targets[slot]);
                self.targets[slot] = spawn_target(world, slot);
            }
            2 => {
                let slot = self.pick(OBSTACLES);
                world.despawn(self.obstacles[slot]);
                self.obstacles[slot] = dimension::spawn_obstacle(world, slot + self.pick(2));
            }
            _ => {
                // The same kinds each time, so that sooner or later there is an archetype for each slot.
                let slot = self.pick(AGENTS);
                self.busy[slot] = !self.busy[slot];
                let aims: Vec<Entity> = self.targets.iter().chain(&self.agents).copied().collect();
                let target = crowd::target(slot, &aims);
                for kind in crowd::kinds(slot) {
                    let agent = &mut world.entity_mut(self.agents[slot]);
                    if self.busy[slot] {
                        crowd::insert(agent, kind, target);
                    } else {
                        crowd::remove(agent, kind);
                    }
                }
            }
        }
    }

    /// An agent without a behavior that does not wait for others has no force.
    fn assert_no_stale_force(&self, world: &World) {
        for (&agent, busy) in self.agents.iter().zip(self.busy) {
            let force = world.get::<SteeringForce>(agent).expect("it is an agent").0;
            let waits = world.get::<Formation>(agent).is_some();
            assert!(force.is_finite() && (busy || waits || force == Vector::ZERO), "{agent}: {force}");
        }
    }
}

/// Something to aim at that is not an agent.
fn spawn_target(world: &mut World, number: usize) -> Entity {
    let place = Transform::from_xyz((number * 61 % 400) as f32, 200.0, 0.0);
    world.spawn((place, Velocity(Vector::Y * 10.0))).id()
}

#[test]
fn what_comes_and_goes_leaves_nothing_behind() {
    assert!((0..KINDS).all(|kind| (0..AGENTS).any(|slot| crowd::kinds(slot).contains(&kind))), "every kind is there");
    let mut app = crowd::app();
    let world = app.world_mut();
    let mut churn = Churn::new(world);
    let (mut live, mut most) = (0, [i64::MIN; 4]);
    for tick in 0..TICKS {
        live += measure(|| {
            for _ in 0..churn.pick(3) {
                churn.meddle(world);
            }
            crowd::tick(world);
        })
        .bytes_current;
        churn.assert_no_stale_force(world);
        let quarter = &mut most[tick * most.len() / TICKS];
        *quarter = live.max(*quarter);
    }
    // Archetypes and lists do not grow any more in the second half.
    assert!(most[3] <= most[1] + most[1] / 50, "live bytes at most, by quarters of the run: {most:?}");
    assert_eq!(world.query::<&SteeringAgent>().iter(world).count(), AGENTS);
}

#[test]
fn whoever_loses_its_target_wants_nothing_in_the_next_tick() {
    let mut app = crowd::app();
    let world = app.world_mut();
    for round in 0..100 {
        let target = spawn_target(world, round);
        let agents: Vec<Entity> = (0..6)
            .map(|kind| {
                let agent = crowd::spawn_agent(world, 2 * kind + round);
                world.entity_mut(agent).remove::<ExternalMovement>();
                crowd::insert(&mut world.entity_mut(agent), kind, target.into());
                agent
            })
            .collect();
        crowd::tick(world);
        assert!(agents.iter().any(|agent| world.get::<SteeringForce>(*agent) != Some(&SteeringForce::default())));
        world.despawn(target);
        crowd::tick(world);
        for agent in agents {
            assert_eq!(world.get::<SteeringForce>(agent), Some(&SteeringForce::default()));
            world.despawn(agent);
        }
    }
}

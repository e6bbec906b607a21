//! Runs all scenes.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::error::Error;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use bevy::math::Vec2;
use steerling_scenario::{Scenario, Simulation, Summary, Threads, run};

use crate::scenes::{self, DOORWAYS, Scene, doorway_file};

/// The seeds of the crowds before doorways.
pub const SEEDS: [u64; 3] = [1, 2, 3];

/// All runs by their files and seeds.
pub struct Runs(BTreeMap<(String, u64), Run>);

/// The outcome of a scene.
pub struct Run {
    pub summary: Summary,
    pub agents: BTreeMap<String, Way>,
}

/// The outcome of an agent.
pub struct Way {
    pub start: Vec2,
    /// The last place, after which it may have been removed.
    pub end: Vec2,
    /// The velocity at the end, m/s.
    pub velocity: Vec2,
    /// The sum of the velocities in the second half of the run, m/s,
    sum: Vec2,
    /// and the number of ticks that it was there.
    ticks: u32,
}

impl Way {
    /// The mean velocity in the second half of the run, m/s.
    pub fn mean_velocity(&self) -> Vec2 {
        self.sum / self.ticks.max(1) as f32
    }
}

impl Runs {
    /// Runs all scenes of a folder, on all cores.
    pub fn of(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let mut scenes = Vec::new();
        for Scene { file, .. } in scenes::all() {
            let path = folder.join(format!("{file}.json"));
            let is_doorway = DOORWAYS.iter().any(|width| doorway_file(*width) == file);
            for seed in if is_doorway { SEEDS.to_vec() } else { vec![SEEDS[0]] } {
                scenes.push(((file.clone(), seed), Scenario::read_with_seed(&path, seed)?));
            }
        }
        // The longest first, so that no thread has to wait for another at the end.
        scenes.sort_by_key(|(_, scenario)| std::cmp::Reverse(scenario.ticks() * scenario.agent_count() as u64));

        let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some((key, scenario)) = scenes.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let result = measure(scenario);
                        done.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone(), result);
                    }
                });
            }
        });
        Ok(Self(done.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }

    /// The run of a scene, with the first seed.
    pub fn of_file(&self, file: &str) -> &Run {
        self.with_seed(file, SEEDS[0])
    }

    /// The run of a scene with this seed.
    pub fn with_seed(&self, file: &str, seed: u64) -> &Run {
        self.0.get(&(file.to_owned(), seed)).unwrap_or_else(|| panic!("there is no scene {file}"))
    }
}

fn measure(scenario: &Scenario) -> Run {
    let mut agents = BTreeMap::<String, Way>::new();
    let half = scenario.ticks() / 2;
    let observe = |simulation: &Simulation| -> Result<(), Infallible> {
        for agent in simulation.agents() {
            if let Some(way) = agents.get_mut(&agent.id) {
                way.end = agent.position;
                way.velocity = agent.velocity;
                if simulation.ticks_done() > half {
                    way.sum += agent.velocity;
                    way.ticks += 1;
                }
            } else {
                let (start, zero) = (agent.position, Vec2::ZERO);
                let way = Way { start, end: start, velocity: agent.velocity, sum: zero, ticks: 0 };
                agents.insert(agent.id.clone(), way);
            }
        }
        Ok(())
    };
    let Ok(summary) = run(scenario, scenario.ticks(), Threads::Exactly(1), observe);
    Run { summary, agents }
}

//! The threads of a simulation.

use bevy::app::TaskPoolThreadAssignmentPolicy;
use bevy::prelude::*;
use bevy_steerling::prelude::SteeringThreads;

/// The number of threads of a [`Simulation`](crate::Simulation). It does not affect the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// The plugin decides: one thread for small scenes.
    #[default]
    Auto,
    /// This many threads, including the one that runs the simulation.
    ///
    /// Bevy's thread pool belongs to the process: the first simulation determines how many threads it has.
    Exactly(usize),
}

impl Threads {
    pub(crate) fn steering_threads(self) -> SteeringThreads {
        match self {
            Self::Auto => SteeringThreads::Auto,
            Self::Exactly(1) => SteeringThreads::Single,
            Self::Exactly(_) => SteeringThreads::Many,
        }
    }

    pub(crate) fn task_pools(self) -> TaskPoolPlugin {
        let mut task_pool_options = TaskPoolOptions::default();
        if let Self::Exactly(threads) = self {
            let exactly = |threads| TaskPoolThreadAssignmentPolicy {
                min_threads: threads,
                max_threads: threads,
                percent: 1.0,
                on_thread_spawn: None,
                on_thread_destroy: None,
            };
            task_pool_options = TaskPoolOptions {
                min_total_threads: threads,
                max_total_threads: threads + 2,
                io: exactly(1),
                async_compute: exactly(1),
                compute: exactly((threads - 1).max(1)),
            };
        }
        TaskPoolPlugin { task_pool_options }
    }
}

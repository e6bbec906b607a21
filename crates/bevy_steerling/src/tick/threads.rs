//! Shares work among the threads of the compute pool.

use core::hint;
use core::sync::atomic::{AtomicUsize, Ordering};

use bevy::platform::sync::{Mutex, PoisonError};
use bevy::tasks::ComputeTaskPool;

/// The number of shares per thread. With many small shares, a thread that starts late simply takes fewer of them.
const SHARES: usize = 16;

/// The number of spins while other threads finish their last shares, 10 to 100 µs in all. Waking a sleeping thread would take longer than a
/// share.
const PATIENCE: usize = 2_000;

/// The best number of shares to divide work into.
pub(crate) fn shares() -> usize {
    SHARES * (ComputeTaskPool::get().thread_num() + 1)
}

/// The number of items per share, out of `count` items.
pub(crate) fn share(count: usize) -> usize {
    count.div_ceil(shares())
}

/// Runs `work` on all shares, on the threads of the pool and this one. Each thread takes the next share as soon as it is free.
pub(crate) fn work_together<S>(shares: impl Iterator<Item = S> + Send, work: impl Fn(S) + Sync) {
    let left = Mutex::new(shares);
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    on_all_threads(&|| {
        while let Some(share) = next() {
            work(share);
        }
    });
}

/// Runs `work` on each thread of the pool and on this one. It is not generic, so that the pool is compiled once.
fn on_all_threads(work: &(dyn Fn() + Sync)) {
    let busy = AtomicUsize::new(0);
    let work_on = || {
        busy.fetch_add(1, Ordering::Relaxed);
        work();
        busy.fetch_sub(1, Ordering::Release);
    };
    let pool = ComputeTaskPool::get();
    pool.scope(|scope| {
        for _ in 0..pool.thread_num() {
            scope.spawn(async { work_on() });
        }
        work_on();
        for _ in 0..PATIENCE {
            if busy.load(Ordering::Acquire) == 0 {
                break;
            }
            hint::spin_loop();
        }
    });
}

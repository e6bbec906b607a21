//! How work is shared among threads.

use core::hint;
use core::sync::atomic::{AtomicUsize, Ordering};

use bevy::platform::sync::{Mutex, PoisonError};
use bevy::tasks::ComputeTaskPool;

/// How many shares there are for each thread: those who start late find less left to do.
const SHARES: usize = 16;

/// How often to look, without sleep, whether others have ended what they have begun: to be woken takes longer than a share does. It takes
/// some ten to a hundred microseconds.
const PATIENCE: usize = 2_000;

/// Into how many shares work is best divided.
pub(crate) fn shares() -> usize {
    SHARES * (ComputeTaskPool::get().thread_num() + 1)
}

/// How many of `count` items are one share.
pub(crate) fn share(count: usize) -> usize {
    count.div_ceil(shares())
}

/// Does all shares of some work, on the threads of the pool and this one: whoever is free takes the next.
pub(crate) fn work_together<S>(shares: impl Iterator<Item = S> + Send, work: impl Fn(S) + Sync) {
    let left = Mutex::new(shares);
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let busy = AtomicUsize::new(0);
    let work_on = || {
        busy.fetch_add(1, Ordering::Relaxed);
        while let Some(share) = next() {
            work(share);
        }
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

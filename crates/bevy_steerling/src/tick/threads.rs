//! Shares work among the threads of the compute pool.

use core::hint;
use core::iter;
use core::sync::atomic::{AtomicUsize, Ordering};

use bevy::platform::sync::{Mutex, MutexGuard, PoisonError};
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
    let next = || locked(&left).next();
    on_all_threads(&|| {
        while let Some(share) = next() {
            work(share);
        }
    });
}

/// Locks a mutex, even if a thread has panicked while it held the lock.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The value in a mutex, without locking it.
pub(crate) fn inner<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Items that can be divided among threads: a slice, or two of the same length.
pub(crate) trait Divisible: Send + Sized {
    fn len(&self) -> usize;

    /// The first `count` items. The others remain.
    fn split_off(&mut self, count: usize) -> Self;
}

impl<T: Send> Divisible for &mut [T] {
    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    fn split_off(&mut self, count: usize) -> Self {
        self.split_off_mut(..count).unwrap_or_default()
    }
}

impl<A: Divisible, B: Divisible> Divisible for (A, B) {
    fn len(&self) -> usize {
        debug_assert_eq!(self.0.len(), self.1.len());
        self.0.len()
    }

    fn split_off(&mut self, count: usize) -> Self {
        (self.0.split_off(count), self.1.split_off(count))
    }
}

/// Divides the items into shares, and calls `work` with each of them and the number of its first item. Uses several threads if `in_parallel`.
pub(crate) fn divide<D: Divisible>(mut items: D, in_parallel: bool, work: impl Fn(usize, D) + Sync) {
    if !in_parallel {
        return work(0, items);
    }
    let (most, mut first) = (share(items.len()), 0);
    let shares = iter::from_fn(|| {
        let (this, count) = (first, most.min(items.len()));
        first += count;
        (count > 0).then(|| (this, items.split_off(count)))
    });
    work_together(shares, |(first, items)| work(first, items));
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

//! How work is shared among threads.

use bevy::tasks::ComputeTaskPool;

/// Into how many shares work is divided: several for each thread of the pool and the one that waits for them, as some may have
/// other things to do.
pub(crate) fn shares() -> usize {
    4 * (ComputeTaskPool::get().thread_num() + 1)
}

/// How many of `count` items are one share: a multiple of `piece`.
pub(crate) fn share(count: usize, piece: usize) -> usize {
    count.div_ceil(shares()).next_multiple_of(piece)
}

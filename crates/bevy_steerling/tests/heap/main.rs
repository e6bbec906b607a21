//! What a tick asks of the heap: nothing, once everything has found its size, and nothing that stays.

mod allocations;
mod churn;
mod crowd;

//! Heap allocations: a tick makes none once all lists have their capacity, and never leaks memory.

mod allocations;
mod churn;
mod crowd;

//! Gates: which agents cross them, when, and in which order.

pub(crate) mod crossing;
pub(crate) mod order;
pub(crate) mod statistics;
pub(crate) mod watch;

pub(crate) use watch::Gates;

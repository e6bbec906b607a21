//! Replication to clients, and agents that are handed over between servers, over UDP.

mod bad_link;
mod borders;
mod clients;
mod programs;

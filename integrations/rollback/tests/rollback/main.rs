//! Steering under rollback: sync tests of ggrs, two peers over UDP, and what is restored.
#![allow(unexpected_cfgs, reason = "the crowd of the plugin's tests is shared with the crate for three dimensions")]

#[allow(dead_code, reason = "these tests bring their own app and clock")]
#[path = "../../../../crates/bevy_steerling/tests/heap/crowd.rs"]
mod crowd;
mod everything;
mod peers;
mod programs;
mod random_crowd;
mod session;
mod sync_test;

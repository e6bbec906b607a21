//! Any bytes are read as a scenario, or refused with a message of one line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steerling_scenario::{Expectation, Scenario};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Err(error) = Scenario::parse("fuzz.json", text) {
        let message = error.to_string();
        assert!(message.starts_with("fuzz.json: ") && message.lines().count() == 1, "{message}");
    }
    _ = Expectation::parse("fuzz.json", text);
});

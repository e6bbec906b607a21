//! Errors of scenario files.

use std::io;

/// The reason why a file was rejected. The message is a single line, whatever names the file contains.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", one_line(file))]
    Unreadable {
        /// The name of the file.
        file: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file is not a valid scenario.
    #[error("{}: {}", one_line(file), one_line(problem))]
    Invalid {
        /// The name of the file.
        file: String,
        /// The place in the file, what is wrong there, and what was expected.
        problem: String,
    },
}

/// Escapes control characters: names in a file may contain line breaks and terminal codes.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}

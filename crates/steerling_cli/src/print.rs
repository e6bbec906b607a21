//! Printing.

use std::io::{self, Write};

use serde::Serialize;

/// Prints an error in one line on standard error. If that fails, there is no other place to report it.
pub fn complain(error: &str) {
    let _ = writeln!(io::stderr(), "error: {}", one_line(error));
}

/// Escapes control characters: names in a file may contain line breaks and terminal codes.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}

/// Pretty-printed JSON.
pub fn pretty(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// Prints to standard output. A closed pipe, as with `head`, is not an error.
pub fn say(text: &str) -> Result<(), String> {
    match io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

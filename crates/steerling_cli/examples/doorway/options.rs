//! The options of the command.

use std::path::PathBuf;

use clap::Parser;
use serde_json::Value;

/// Prints measurements of a crowd at a door, for every style of queuing, as Markdown.
#[derive(Parser)]
pub struct Options {
    /// Run only this style, or `none` for no queue [default: all styles, and none]
    #[arg(long)]
    pub style: Option<String>,
    /// Set a field of the queue, in JSON
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub set: Vec<(String, Value)>,
    /// Set a field of all agents, in JSON
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub agent: Vec<(String, Value)>,
    /// Also draw the figure, in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "style")]
    pub figures: Option<PathBuf>,
}

/// Parses `KEY=VALUE`; a value that is not JSON is a string.
fn key_and_value(text: &str) -> Result<(String, Value), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), serde_json::from_str(value).unwrap_or_else(|_| Value::from(value))))
}

//! The text of a file: a line for each agent and each other element of a list, so that it is short and easy to compare.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::file::scenario::ScenarioFile;

pub(crate) fn text_of(file: &ScenarioFile) -> String {
    let mut bytes = Vec::new();
    // Neither the file nor memory can fail to be written.
    let written = file.serialize(&mut Serializer::with_formatter(&mut bytes, Layout::default()));
    debug_assert!(written.is_ok(), "{written:?}");
    bytes.push(b'\n');
    String::from_utf8(bytes).unwrap_or_default()
}

/// Breaks the lines of the file itself and of the lists in it, and nothing within these.
#[derive(Default)]
struct Layout {
    /// For each open list or object, whether its elements have lines of their own.
    has_lines: Vec<bool>,
}

impl Layout {
    fn open(&mut self, writer: &mut (impl Write + ?Sized), bracket: &str, is_list: bool) -> io::Result<()> {
        let depth = self.has_lines.len();
        self.has_lines.push(depth == 0 || depth == 1 && is_list);
        writer.write_all(bracket.as_bytes())
    }

    fn separate(&self, writer: &mut (impl Write + ?Sized), is_first: bool) -> io::Result<()> {
        let has_lines = self.has_lines.last() == Some(&true);
        let comma = match (is_first, has_lines) {
            (true, _) => "",
            (false, true) => ",",
            (false, false) => ", ",
        };
        writer.write_all(comma.as_bytes())?;
        if has_lines { self.begin_line(writer) } else { Ok(()) }
    }

    fn close(&mut self, writer: &mut (impl Write + ?Sized), bracket: &str) -> io::Result<()> {
        if self.has_lines.pop() == Some(true) {
            self.begin_line(writer)?;
        }
        writer.write_all(bracket.as_bytes())
    }

    fn begin_line(&self, writer: &mut (impl Write + ?Sized)) -> io::Result<()> {
        write!(writer, "\n{}", "  ".repeat(self.has_lines.len()))
    }
}

impl Formatter for Layout {
    fn begin_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, "[", true)
    }

    fn end_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, "]")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, writer: &mut W, is_first: bool) -> io::Result<()> {
        self.separate(writer, is_first)
    }

    fn begin_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, "{", false)
    }

    fn end_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, "}")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, writer: &mut W, is_first: bool) -> io::Result<()> {
        self.separate(writer, is_first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

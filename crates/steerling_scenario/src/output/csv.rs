//! CSV tables.

use std::io;

use bevy_steerling::math::Vector;

use crate::dimension::AXES;

/// Starts a table with its header.
pub(crate) fn csv_writer<W: io::Write>(
    output: W,
    header: impl IntoIterator<Item = String>,
) -> io::Result<csv::Writer<W>> {
    let mut rows = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(output);
    rows.write_record(header)?;
    Ok(rows)
}

/// The names of the columns of a vector, such as `vx` and `vy`.
pub(crate) fn columns(prefix: &str) -> impl Iterator<Item = String> {
    AXES.into_iter().map(move |axis| format!("{prefix}{axis}"))
}

/// The coordinates of a vector, each in its shortest exact form.
pub(crate) fn coordinates(vector: Vector) -> impl Iterator<Item = String> {
    vector.to_array().into_iter().map(shortest)
}

/// A number in its shortest exact form: `{:?}` prints the fewest digits that parse back to the same number, and an
/// exponent instead of many zeros.
pub(crate) fn shortest(number: impl std::fmt::Debug) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact() {
        for (number, text) in [(0.1_f32, "0.1"), (3.0, "3"), (-0.0, "-0"), (1e-7, "1e-7"), (1e20, "1e20")] {
            assert_eq!(shortest(number), text);
            assert_eq!(text.parse::<f32>().unwrap().to_bits(), number.to_bits());
        }
    }
}

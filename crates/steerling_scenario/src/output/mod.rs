//! Output formats: traces and contributions as CSV, plots as SVG.

pub(crate) mod csv;
pub(crate) mod plot;
pub(crate) mod trace;
pub(crate) mod why;

//! Plots of runs as SVG.

pub(crate) mod canvas;
pub(crate) mod paths;
pub(crate) mod picture;
pub(crate) mod scenery;
pub(crate) mod trails;
pub(crate) mod views;

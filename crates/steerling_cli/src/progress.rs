//! Progress of long runs, on a terminal.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter runs show no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error, if that is a terminal and the run takes longer than a second.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: Cell<bool>,
}

impl Progress {
    /// The progress of a run with this number of ticks.
    pub fn new(ticks: u64) -> Self {
        let style = ProgressStyle::with_template("{wide_bar} {percent}% of {len} ticks, {eta} to go");
        let bar = ProgressBar::with_draw_target(Some(ticks), ProgressDrawTarget::hidden())
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, started: Instant::now(), shown: Cell::new(false) }
    }

    /// Sets the number of ticks done.
    pub fn set(&self, ticks: u64) {
        if !self.shown.get() && self.started.elapsed() > PATIENCE {
            self.shown.set(true);
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(ticks);
    }

    /// Adds one tick.
    pub fn advance(&self) {
        self.set(self.bar.position() + 1);
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

//! How far a long run is, on a terminal.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Runs shorter than this are not worth a word.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error, if that is a terminal and the run takes longer than a second.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: Cell<bool>,
}

impl Progress {
    /// Of a run of so many ticks.
    pub fn new(ticks: u64) -> Self {
        let style = ProgressStyle::with_template("{wide_bar} {percent}% of {len} ticks, {eta} to go");
        let bar = ProgressBar::with_draw_target(Some(ticks), ProgressDrawTarget::hidden())
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, started: Instant::now(), shown: Cell::new(false) }
    }

    /// So many ticks are done.
    pub fn set(&self, ticks: u64) {
        if !self.shown.get() && self.started.elapsed() > PATIENCE {
            self.shown.set(true);
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(ticks);
    }

    /// Another tick is done.
    pub fn advance(&self) {
        self.set(self.bar.position() + 1);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

//! The simplest numbers that a reader takes for the right ones.

/// The first of several candidates that is read back as the same thing. `write` makes a candidate from numbers that are passed through the
/// function it gets: rounded to ever more decimals, and at last not at all. That last one is the result if none is read back as the same.
pub(crate) fn simplest<T>(write: impl Fn(&dyn Fn(f64) -> f64) -> T, is_same: impl Fn(&T) -> bool) -> T {
    let scales = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9_f64];
    let mut candidates = scales.into_iter().map(|scale| write(&move |number| (number * scale).round() / scale + 0.0));
    candidates.find(is_same).unwrap_or_else(|| write(&|number| number))
}

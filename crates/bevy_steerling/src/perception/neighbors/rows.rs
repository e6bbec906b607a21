//! Passes over all agents in the order of the index.

use core::ops::Range;

use crate::math::Vector;
use crate::perception::neighbors::index::Neighbors;
use crate::perception::neighbors::records::Body;
use crate::tick::threads;

/// The minimum number of agents for which a pass uses several threads.
pub(crate) const PARALLEL_PASS: usize = 4_096;

/// The first of these agents that are close enough to each other to share one neighbor search: the corners around them, and their number.
#[inline]
pub(crate) fn group_of_near(bodies: &[Body], reach: f32) -> (Vector, Vector, usize) {
    let corners = |bodies: &[Body]| {
        let first = bodies[0].position;
        bodies.iter().fold((first, first), |(low, high), body| (low.min(body.position), high.max(body.position)))
    };
    let (low, high) = corners(bodies);
    if (high - low).max_element() <= 4.0 * reach {
        return (low, high, bodies.len());
    }
    let first = bodies[0].position;
    let near = |body: &&Body| (body.position - first).abs().max_element() <= 2.0 * reach;
    let count = bodies.iter().take_while(near).count().max(1);
    let (low, high) = corners(&bodies[..count]);
    (low, high, count)
}

/// Calls `run` on several threads with some rows of the index and the part of `results` for their agents, until all rows are done.
/// `results` has one element for each agent in the index.
pub(crate) fn by_rows<T: Send>(neighbors: &Neighbors, results: &mut [T], run: impl Fn(Range<usize>, &mut [T]) + Sync) {
    let agents = neighbors.bodies().len();
    let pieces = threads::shares();
    let (mut rest, mut row, mut done) = (results, 0, 0);
    let shares = (1..=pieces).map(|piece| {
        let first_row = row;
        while row < neighbors.rows() && neighbors.row_start(row) < agents * piece / pieces {
            row += 1;
        }
        let these = rest.split_off_mut(..neighbors.row_start(row) - done).unwrap_or_default();
        done += these.len();
        (first_row..row, these)
    });
    threads::work_together(shares, |(rows, these)| run(rows, these));
}

//! [`AvoidNeighbors`](crate::constraints::avoid_neighbors::AvoidNeighbors) for the whole crowd, in the order of the neighbor index: agents
//! that are near each other look at the same others.

use core::ops::Range;

use bevy::prelude::*;

use crate::agent::ExternalMovement;
use crate::constraints::avoid_neighbors::{Approaches, Around, Shares};
use crate::constraints::walkers::{Outcome, Outcomes, Walkers};
use crate::perception::neighbors::{Neighbors, PARALLEL_PASS, by_rows};
use crate::perception::obstacles::Obstacles;
use crate::tick::TickParam;

/// Computes the new totals of all agents that avoid others, if there are many.
pub(crate) fn pass_all(
    neighbors: Res<Neighbors>,
    walkers: Res<Walkers>,
    obstacles: Res<Obstacles>,
    avoiding: Query<Shares, Without<ExternalMovement>>,
    approaches: Query<Approaches>,
    mut outcomes: ResMut<Outcomes>,
    tick: TickParam,
) {
    let members = walkers.members();
    outcomes.0.resize(members.len(), Outcome::UNKNOWN);
    if members.is_empty() {
        return;
    }
    let around = Around {
        neighbors: &neighbors,
        walkers: &walkers,
        obstacles: &obstacles,
        avoiding: &avoiding,
        approaches: &approaches,
    };
    let pass = |rows: Range<usize>, outcomes: &mut [Outcome]| {
        let first = neighbors.row_start(rows.start);
        for (member, outcome) in members[first..].iter().zip(outcomes) {
            *outcome = member.as_ref().map_or(Outcome::UNKNOWN, |member| around.pass(member));
        }
    };
    if tick.threads.parallel(|| members.len(), PARALLEL_PASS) {
        by_rows(&neighbors, &mut outcomes.0, pass);
    } else {
        pass(0..neighbors.rows(), &mut outcomes.0);
    }
}

#[cfg(test)]
mod tests;

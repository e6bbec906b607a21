//! The directions of nodes beside walls: back to the nearest node with the clearance.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::perception::flow_field::grid::Grid;
use crate::perception::flow_field::lattice::STEP_COUNT;
use crate::perception::flow_field::march::Way;
use crate::perception::flow_field::passages::Passage;

/// The nearest node with a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Exit {
    pub distance: f32,
    pub index: u32,
}

/// For each node without the clearance, the nearest node with a way, at most `farthest` along open passages.
pub(super) fn exits(grid: &Grid, passages: &[Passage], ways: &[Way], farthest: f32) -> Vec<Option<Exit>> {
    let mut exits: Vec<Option<Exit>> = core::iter::repeat_n(None, passages.len()).collect();
    let mut queue = BinaryHeap::new();
    let is_rim = |index: usize| {
        let passage = passages[index];
        passage.free && passage.clear != passage.open && ways[index].distance < f32::INFINITY
    };
    for index in (0..passages.len()).filter(|index| is_rim(*index)) {
        let exit = Exit { distance: 0.0, index: index as u32 };
        spread(grid, passages, index, exit, farthest, &mut exits, &mut queue);
    }
    while let Some(Reverse(entry)) = queue.pop() {
        let (distance, index) = (f32::from_bits((entry >> 32) as u32), entry as u32 as usize);
        if let Some(exit) = exits[index].filter(|exit| exit.distance == distance) {
            spread(grid, passages, index, exit, farthest, &mut exits, &mut queue);
        }
    }
    exits
}

fn spread(
    grid: &Grid,
    passages: &[Passage],
    index: usize,
    exit: Exit,
    farthest: f32,
    exits: &mut [Option<Exit>],
    queue: &mut BinaryHeap<Reverse<u64>>,
) {
    for step in (0..STEP_COUNT).filter(|step| passages[index].is_open(*step)) {
        let Some(neighbor) = grid.neighbor(index, step) else { continue };
        let distance = exit.distance + grid.step(step).length();
        let is_nearer = exits[neighbor].is_none_or(|known| (distance, exit.index) < (known.distance, known.index));
        if !passages[neighbor].free && distance <= farthest && is_nearer {
            exits[neighbor] = Some(Exit { distance, ..exit });
            queue.push(Reverse(u64::from(distance.to_bits()) << 32 | neighbor as u64));
        }
    }
}

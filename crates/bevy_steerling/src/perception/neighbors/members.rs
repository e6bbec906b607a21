//! The members of each group.

use alloc::vec::Vec;
use core::iter;

use crate::agent::GroupMask;
use crate::perception::neighbors::records::Record;

/// Groups with at most this many members are searched one member after another.
pub(super) const FEW: usize = 16;

/// The members of each group.
#[derive(Debug, Default)]
pub(super) struct Members {
    counts: [usize; 32],
    /// The indices of the members in the records, by group number. Groups with a large share of all agents have no list, because a search
    /// by position soon finds a member.
    pub lists: [Vec<u32>; 32],
}

impl Members {
    /// Lists the members.
    pub fn note(&mut self, records: &[Record], ordered: bool) {
        self.counts = [0; 32];
        for group in records.iter().flat_map(|record| bits(record.groups)) {
            self.counts[group] += 1;
        }
        self.lists.iter_mut().for_each(Vec::clear);
        for (record, slot) in records.iter().zip(0..) {
            for group in bits(record.groups).filter(|group| self.counts[*group] <= (records.len() / 4).max(FEW)) {
                self.lists[group].push(slot);
            }
        }
        if !ordered {
            for list in &mut self.lists {
                list.sort_unstable_by_key(|slot| (records[*slot as usize].id, *slot));
            }
        }
    }

    /// The sum of the member counts of these groups.
    pub fn count(&self, groups: GroupMask) -> usize {
        bits(groups).map(|group| self.counts[group]).sum()
    }

    /// Whether the members of all these groups are listed.
    pub fn are_listed(&self, groups: GroupMask) -> bool {
        bits(groups).all(|group| self.lists[group].len() == self.counts[group])
    }
}

/// The numbers of the groups in a mask.
pub(super) fn bits(groups: GroupMask) -> impl Iterator<Item = usize> {
    let mut groups = groups.bits();
    iter::from_fn(move || {
        let group = groups.trailing_zeros() as usize;
        groups &= groups.wrapping_sub(1);
        (group < 32).then_some(group)
    })
}

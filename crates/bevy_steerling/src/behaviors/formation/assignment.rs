//! Assigns slots to members.
//!
//! Up to [`EXACT`] members, shortest augmenting paths find the assignment that minimizes the sum of squared distances (Roy Jonker and Anton
//! Volgenant, A Shortest Augmenting Path Algorithm for Dense and Sparse Linear Assignment Problems, 1987). A larger set of members and
//! their slots is halved along the longest side of the slots until each part is small enough.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::math::{DIMENSIONS, Vector};

/// The maximum number of members for which the assignment is exact.
pub(super) const EXACT: usize = 64;

/// Members trade slots only if that reduces their sum of squared distances by more than this share.
const GAIN: f64 = 0.1;

/// The slot of a member without one, and the member in a free slot.
pub(super) const NONE: u32 = u32::MAX;

/// Lists for intermediate results, which keep their capacity.
#[derive(Default)]
pub(super) struct Scratch {
    members: Vec<u32>,
    slots: Vec<u32>,
    holders: Vec<u32>,
    done: Vec<bool>,
    costs: Vec<f64>,
}

/// Writes the slot of each member to `chosen`. `now` has the slots that the members currently have, or [`NONE`]. There are as many slots as
/// members.
///
/// Each member without a slot gets one. The other members trade slots only if that is a clear gain.
pub(super) fn assign(members: &[Vector], slots: &[Vector], now: &[u32], chosen: &mut Vec<u32>, scratch: &mut Scratch) {
    chosen.clear();
    // With more members, the test would take longer than it saves.
    if members.len() <= EXACT && is_each_nearest_to_its_own(members, slots, now) {
        return chosen.extend(now);
    }
    assign_anew(members, slots, now, chosen, scratch);
}

/// [`assign`] for members that may gain by a trade.
fn assign_anew(members: &[Vector], slots: &[Vector], now: &[u32], chosen: &mut Vec<u32>, scratch: &mut Scratch) {
    let way = |member: u32, slot: u32| way(members[member as usize], slots[slot as usize]);
    let all = 0..members.len() as u32;
    chosen.extend(all.clone().map(|_| NONE));
    scratch.members.clear();
    scratch.members.extend(all.clone());
    scratch.slots.clear();
    scratch.slots.extend(all);
    halve(members, slots, &mut scratch.members, &mut scratch.slots, &way, chosen, &mut scratch.costs);
    keep_unless_better(now, chosen, &way, scratch);
}

/// Whether each member has a slot, and no slot is nearer to it. Then no trade is a gain.
fn is_each_nearest_to_its_own(members: &[Vector], slots: &[Vector], now: &[u32]) -> bool {
    members.iter().zip(now).all(|(member, now)| {
        let distance = slots.get(*now as usize).map(|own| way(*member, *own));
        // This has no branch, so that the loop vectorizes.
        distance.is_some_and(|distance| {
            slots.iter().fold(true, |is_nearest, slot| is_nearest & (distance <= way(*member, *slot)))
        })
    })
}

/// The squared distance. Its type is that of a sum over thousands of members.
fn way(from: Vector, to: Vector) -> f64 {
    let way: f64 = (to - from).to_array().map(|part| f64::from(part) * f64::from(part)).into_iter().sum();
    if way.is_finite() { way } else { 0.0 }
}

/// Assigns some of the members to the same number of slots.
fn halve(
    places: &[Vector],
    targets: &[Vector],
    members: &mut [u32],
    slots: &mut [u32],
    way: &impl Fn(u32, u32) -> f64,
    chosen: &mut [u32],
    costs: &mut Vec<f64>,
) {
    if members.len() <= EXACT {
        costs.clear();
        costs.extend(members.iter().flat_map(|member| slots.iter().map(|slot| way(*member, *slot))));
        return exact(members.len(), costs, |row, column| chosen[members[row] as usize] = slots[column]);
    }
    let at = |slot: &u32| targets[*slot as usize];
    let (low, high) = slots
        .iter()
        .map(at)
        .fold((Vector::INFINITY, Vector::NEG_INFINITY), |(low, high), slot| (low.min(slot), high.max(slot)));
    let size = (high - low).to_array();
    let axis = (1..DIMENSIONS).fold(0, |longest, axis| if size[axis] > size[longest] { axis } else { longest });
    let middle = members.len() / 2;
    let order = |of: &[Vector], a: u32, b: u32| {
        let [a_at, b_at] = [of[a as usize], of[b as usize]];
        let along = |axis: usize| a_at[axis].total_cmp(&b_at[axis]);
        (0..DIMENSIONS).map(along).fold(along(axis), Ordering::then).then(a.cmp(&b))
    };
    members.select_nth_unstable_by(middle, |a, b| order(places, *a, *b));
    slots.select_nth_unstable_by(middle, |a, b| order(targets, *a, *b));
    let ((members, other_members), (slots, other_slots)) = (members.split_at_mut(middle), slots.split_at_mut(middle));
    halve(places, targets, members, slots, way, chosen, costs);
    halve(places, targets, other_members, other_slots, way, chosen, costs);
}

/// Calls `assigned` with the row and the column of each pair in the assignment with the smallest total cost. The costs are given row by
/// row.
///
/// Each row is added along the shortest path of trades, where lengths are costs minus the prices of rows and columns.
fn exact(count: usize, costs: &[f64], mut assigned: impl FnMut(usize, usize)) {
    // A new row starts at the last column.
    let start = count;
    let mut row_prices = [0.0; EXACT];
    let mut column_prices = [0.0; EXACT + 1];
    let mut row_of = [usize::MAX; EXACT + 1];
    // These are used for one row after another.
    let (mut shortest, mut before, mut done) = ([0.0; EXACT], [start; EXACT], [start; EXACT + 1]);
    // Columns that are done get no path, so that the loops have no branches.
    let mut blocked = [0.0; EXACT];
    for row in 0..count {
        row_of[start] = row;
        shortest[..count].fill(f64::INFINITY);
        blocked[..count].fill(0.0);
        let mut done_count = 0;
        let mut column = start;
        while row_of[column] != usize::MAX {
            done[done_count] = column;
            done_count += 1;
            if column < count {
                blocked[column] = f64::INFINITY;
            }
            let from = row_of[column];
            let (costs, price) = (&costs[from * count..][..count], row_prices[from]);
            let columns = shortest[..count].iter_mut().zip(&mut before).zip(costs).zip(&column_prices).zip(&blocked);
            for ((((shortest, before), cost), column_price), blocked) in columns {
                let reduced = cost - price - column_price + blocked;
                *before = if reduced < *shortest { column } else { *before };
                *shortest = if reduced < *shortest { reduced } else { *shortest };
            }
            let (mut least, mut next) = (f64::INFINITY, start);
            for other in 0..count {
                let length = shortest[other] + blocked[other];
                next = if length < least { other } else { next };
                least = if length < least { length } else { least };
            }
            for column in &done[..done_count] {
                row_prices[row_of[*column]] += least;
                column_prices[*column] -= least;
            }
            // Finished columns are not read again.
            shortest[..count].iter_mut().for_each(|shortest| *shortest -= least);
            column = next;
        }
        while column != start {
            row_of[column] = row_of[before[column]];
            column = before[column];
        }
    }
    (0..count).for_each(|column| assigned(row_of[column], column));
}

/// Undoes trades that gain too little. Trades form cycles; each cycle is kept or undone as a whole.
fn keep_unless_better(now: &[u32], chosen: &mut [u32], way: &impl Fn(u32, u32) -> f64, scratch: &mut Scratch) {
    let Scratch { holders, done, .. } = scratch;
    holders.clear();
    holders.resize(now.len(), NONE);
    done.clear();
    done.resize(now.len(), false);
    for (member, slot) in (0..).zip(now) {
        if *slot != NONE {
            holders[*slot as usize] = member;
        }
    }
    // A member without a slot takes the slot of another member, which takes the next one, and so on up to a free slot.
    for newcomer in (0..now.len()).filter(|member| now[*member] == NONE) {
        let mut member = newcomer as u32;
        while member != NONE {
            done[member as usize] = true;
            member = holders[chosen[member as usize] as usize];
        }
    }
    for first in 0..now.len() {
        if done[first] {
            continue;
        }
        let (mut member, mut before, mut after) = (first, 0.0, 0.0);
        while !done[member] {
            done[member] = true;
            before += way(member as u32, now[member]);
            after += way(member as u32, chosen[member]);
            member = holders[chosen[member] as usize] as usize;
        }
        if after >= (1.0 - GAIN) * before {
            let mut member = first;
            while chosen[member] != now[member] {
                let next = holders[chosen[member] as usize] as usize;
                chosen[member] = now[member];
                member = next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::SteeringId;
    use crate::agent::random::{SteeringRng, SteeringSeed};

    fn places(random: &mut SteeringRng, count: usize, size: f32) -> Vec<Vector> {
        (0..count).map(|_| Vector::new(random.uniform(), random.uniform()) * size).collect()
    }

    fn random(seed: u64) -> SteeringRng {
        SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 1)
    }

    fn assigned(members: &[Vector], slots: &[Vector], now: &[u32]) -> Vec<u32> {
        let mut chosen = Vec::new();
        assign(members, slots, now, &mut chosen, &mut Scratch::default());
        let mut sorted = chosen.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..members.len() as u32), "each slot once");
        chosen
    }

    fn total(members: &[Vector], slots: &[Vector], chosen: &[u32]) -> f64 {
        members.iter().zip(chosen).map(|(member, slot)| way(*member, slots[*slot as usize])).sum()
    }

    /// The smallest total over all ways to assign the remaining slots to the members from `member` on.
    fn brute_force(members: &[Vector], slots: &[Vector], member: usize, taken: &mut Vec<bool>) -> f64 {
        if member == members.len() {
            return 0.0;
        }
        let mut least = f64::INFINITY;
        for slot in 0..slots.len() {
            if !taken[slot] {
                taken[slot] = true;
                least = least.min(way(members[member], slots[slot]) + brute_force(members, slots, member + 1, taken));
                taken[slot] = false;
            }
        }
        least
    }

    #[test]
    fn the_total_squared_way_is_the_least_there_is() {
        let mut random = random(1);
        for round in 0..300 {
            let count = 1 + round % 7;
            // Some are in the same place.
            let grid = |places: Vec<Vector>| {
                if round % 3 == 0 { places.iter().map(|at| at.floor()).collect() } else { places }
            };
            let (members, slots) = (grid(places(&mut random, count, 4.0)), grid(places(&mut random, count, 4.0)));
            let chosen = assigned(&members, &slots, &alloc::vec![NONE; count]);
            let least = brute_force(&members, &slots, 0, &mut alloc::vec![false; count]);
            assert!((total(&members, &slots, &chosen) - least).abs() <= 1e-9 * (1.0 + least));
        }
    }

    /// By linear programming duality, an assignment is optimal if no cycle of trades reduces its cost.
    fn can_be_improved(members: &[Vector], slots: &[Vector], chosen: &[u32]) -> bool {
        let count = members.len();
        let own = |member: usize| way(members[member], slots[chosen[member] as usize]);
        let gain = |member: usize, other: usize| way(members[member], slots[chosen[other] as usize]) - own(member);
        let mut least = alloc::vec![0.0; count];
        for _ in 0..count {
            let mut changed = false;
            for member in 0..count {
                for other in 0..count {
                    if least[member] + gain(member, other) < least[other] - 1e-9 {
                        least[other] = least[member] + gain(member, other);
                        changed = true;
                    }
                }
            }
            if !changed {
                return false;
            }
        }
        true
    }

    #[test]
    fn up_to_64_it_is_exact_and_beyond_nearly_so() {
        let mut random = random(2);
        for count in [10, 33, 63, 64] {
            let (members, slots) = (places(&mut random, count, 1.0), places(&mut random, count, 1.0));
            let chosen = assigned(&members, &slots, &alloc::vec![NONE; count]);
            assert!(!can_be_improved(&members, &slots, &chosen), "{count}");
            let mut other = chosen.clone();
            other.swap(0, count - 1);
            assert!(can_be_improved(&members, &slots, &other), "the check can fail");
        }
    }

    #[test]
    fn nobody_trades_slots_for_less_than_a_tenth() {
        let slots = [Vector::ZERO, Vector::X];
        // The remaining share of the distance after a trade, and whether the members trade.
        let trades = |x: f32| {
            let members = [Vector::new(x, 0.0), Vector::new(1.0 - x, 0.0)];
            let (kept, traded) = (total(&members, &slots, &[0, 1]), total(&members, &slots, &[1, 0]));
            (assigned(&members, &slots, &[0, 1]) == [1, 0], traded / kept)
        };
        let mut traded = 0;
        for k in 0..=100_u8 {
            let (trades, share) = trades(f32::from(k) / 100.0);
            assert_eq!(trades, share < 0.9, "{k}: {share}");
            traded += usize::from(trades);
        }
        assert!(traded > 30 && traded < 60, "{traded}");
    }

    #[test]
    fn members_that_are_nearest_to_their_own_slots_keep_them() {
        let mut random = random(4);
        let (mut kept, mut traded) = (0, 0);
        for round in 0..4_000 {
            let count = 1 + round % 70;
            // Some slots are in the same place.
            let slots: Vec<Vector> = (0..count).map(|x| Vector::X * (x - usize::from(x % 9 == 4)) as f32).collect();
            let now: Vec<u32> = (0..count as u32).map(|slot| (slot + 3) % count as u32).collect();
            let off = places(&mut random, count, if round % 2 == 0 { 0.49 } else { 2.0 });
            let members: Vec<Vector> = now.iter().zip(&off).map(|(slot, off)| slots[*slot as usize] + *off).collect();
            let chosen = assigned(&members, &slots, &now);
            if is_each_nearest_to_its_own(&members, &slots, &now) {
                let mut scratch = Scratch::default();
                let mut other = Vec::new();
                assign_anew(&members, &slots, &now, &mut other, &mut scratch);
                assert_eq!((&chosen, &other), (&now, &now), "{members:?}");
                kept += 1;
            } else {
                traded += usize::from(chosen != now);
            }
        }
        assert!(kept > 500 && traded > 500, "{kept}, {traded}");
    }

    #[test]
    fn a_free_slot_is_filled_with_the_least_way_and_all_others_may_stay() {
        // In a row, a newcomer at the end takes the free slot in the middle only if no member would rather move up.
        let slots: Vec<Vector> = (0..5_u8).map(|x| Vector::new(f32::from(x), 0.0)).collect();
        let members = [slots[0], slots[1], slots[3], slots[4], Vector::new(5.0, 0.0)];
        let chosen = assigned(&members, &slots, &[0, 1, 3, 4, NONE]);
        assert_eq!(chosen, [0, 1, 2, 3, 4], "three small ways are less than one squared");
    }

    #[test]
    fn more_are_assigned_nearly_as_well() {
        let mut random = random(3);
        for round in 0..4 {
            let count = 65 + 20 * round;
            let (members, slots) = (places(&mut random, count, 1.0), places(&mut random, count, 1.0));
            let near = assigned(&members, &slots, &alloc::vec![NONE; count]);
            let mut least = 0.0;
            large_exact(&members, &slots, &mut least);
            let near = total(&members, &slots, &near);
            println!("{count}: {:.3}", near / least);
            assert!(near >= least * 0.999_999 && near <= 1.5 * least, "{count}: {near} instead of {least}");
        }
    }

    /// The smallest total, found by canceling cycles of trades: slow, but without a limit on the size.
    fn large_exact(members: &[Vector], slots: &[Vector], least: &mut f64) {
        let count = members.len();
        let mut chosen = assigned(members, slots, &alloc::vec![NONE; count]);
        loop {
            let gain = |from: usize, to: usize, chosen: &[u32]| {
                way(members[from], slots[chosen[to] as usize]) - way(members[from], slots[chosen[from] as usize])
            };
            let (mut lengths, mut before, mut last) = (alloc::vec![0.0; count], alloc::vec![NONE; count], None);
            for _ in 0..count {
                last = None;
                for from in 0..count {
                    for to in 0..count {
                        if lengths[from] + gain(from, to, &chosen) < lengths[to] - 1e-12 {
                            lengths[to] = lengths[from] + gain(from, to, &chosen);
                            before[to] = from as u32;
                            last = Some(to);
                        }
                    }
                }
                if last.is_none() {
                    break;
                }
            }
            let Some(mut on) = last else { break };
            (0..count).for_each(|_| on = before[on] as usize);
            let (first, mut to) = (on, on);
            let mut traded = chosen.clone();
            loop {
                let from = before[to] as usize;
                traded[from] = chosen[to];
                to = from;
                if to == first {
                    break;
                }
            }
            chosen = traded;
        }
        *least = total(members, slots, &chosen);
    }
}

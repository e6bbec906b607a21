//! A list of the most urgent items.

use crate::agent::SteeringId;

/// The `N` most urgent items, the most urgent first. The order of insertion does not matter.
pub(super) struct MostUrgent<T, const N: usize> {
    /// The urgency of each item, the number of the agent, and the place of the item in `items`, in order.
    order: [(f32, SteeringId, usize); N],
    items: [T; N],
    count: usize,
}

impl<T: Copy, const N: usize> MostUrgent<T, N> {
    pub const fn new(filler: T) -> Self {
        Self { order: [(0.0, SteeringId::new(0), 0); N], items: [filler; N], count: 0 }
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }

    pub fn insert(&mut self, urgency: f32, id: SteeringId, item: T) {
        let mut place = self.count;
        let is_before = |earlier: &(f32, SteeringId, usize)| (earlier.0, earlier.1) < (urgency, id);
        while place > 0 && !is_before(&self.order[place - 1]) {
            place -= 1;
        }
        if place == N {
            return;
        }
        // Items are large, so they stay where they are. A full list drops the last one.
        let last = self.count.min(N - 1);
        let free = if self.count < N { self.count } else { self.order[last].2 };
        self.order.copy_within(place..last, place + 1);
        self.order[place] = (urgency, id, free);
        self.items[free] = item;
        self.count = last + 1;
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The urgency from which on items are not added.
    pub fn least(&self) -> f32 {
        if self.count < N { f32::INFINITY } else { self.order[N - 1].0 }
    }

    pub fn iter(&self) -> impl Iterator<Item = (f32, SteeringId, &T)> {
        self.order[..self.count].iter().map(|(urgency, id, place)| (*urgency, *id, &self.items[*place]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn the_most_urgent_are_minded_whatever_the_order() {
        let numbers = |order: &mut dyn Iterator<Item = u64>| {
            let mut most = MostUrgent::<u64, 16>::new(0);
            order.for_each(|k| most.insert((k * 7 % 40) as f32, SteeringId::new(k), k));
            most.iter().map(|(.., k)| *k).collect::<Vec<_>>()
        };
        let forward = numbers(&mut (0..80));
        assert_eq!(numbers(&mut (0..80).rev()), forward);
        assert_eq!(forward[..4], [0, 40, 23, 63]);
        assert_eq!(numbers(&mut (0..3)).len(), 3);
    }
}

//! The crowds of agents that want to stop at the same place, and how each moves as a whole.

use alloc::vec::Vec;

use crate::math::{DIMENSIONS, Vector};

/// A crowd of fewer members does not move as a whole. Its members find gaps soon enough.
const FEW: f32 = 10.0;

/// A crowd is flat if the product of its variances along all axes is at most this share of that of a round crowd.
#[cfg(dim3)]
const FLAT: f32 = 1e-3;

/// No crowd.
const NONE: u32 = u32::MAX;

/// The members of all crowds, and which of them belong together. Agents are identified by their places in the neighbor index, so that sums
/// do not depend on the order of entities.
#[derive(Default)]
pub(crate) struct Crowds {
    /// For each agent, another agent of the same crowd, or itself.
    parents: Vec<u32>,
    /// For each agent that others refer to, the index of its crowd in `shapes`.
    numbers: Vec<u32>,
    /// The members of crowds, with the displacements to the places where they want to stop.
    members: Vec<(u32, Vector)>,
    shapes: Vec<Shape>,
}

/// The distribution of the members of a crowd around the places where they want to stop.
#[derive(Clone, Copy, Default)]
struct Shape {
    count: f32,
    /// The sum of the displacements to these places, units.
    sum: Vector,
    /// The sum of the products of their components, units².
    products: [Vector; DIMENSIONS],
}

impl Crowds {
    /// Forgets all crowds. There are `count` agents.
    pub(super) fn clear(&mut self, count: usize) {
        self.parents.clear();
        self.parents.extend(0..count as u32);
        self.numbers.clear();
        self.numbers.resize(count, NONE);
        self.members.clear();
        self.shapes.clear();
    }

    /// Records that two agents belong to the same crowd, if both are in the index.
    pub(super) fn unite(&mut self, one: Option<usize>, other: Option<usize>) {
        if let Some((one, other)) = one.zip(other) {
            let (one, other) = (self.first(one), self.first(other));
            self.parents[one.max(other)] = one.min(other) as u32;
        }
    }

    /// Records a member that wants to stop at the displacement `to`, if it is in the index.
    pub(super) fn add(&mut self, place: Option<usize>, to: Vector) {
        self.members.extend(place.map(|place| (place as u32, to)));
    }

    /// Measures the crowds, after all members have been recorded and united. Returns whether there are any.
    pub(super) fn measure(&mut self) -> bool {
        self.members.sort_unstable_by_key(|(place, _)| *place);
        for member in 0..self.members.len() {
            let (place, to) = self.members[member];
            let first = self.first(place as usize);
            if self.numbers[first] == NONE {
                self.numbers[first] = self.shapes.len() as u32;
                self.shapes.push(Shape::default());
            }
            self.shapes[self.numbers[first] as usize].add(to);
        }
        !self.shapes.is_empty()
    }

    /// The displacement of a member to its place, if its crowd moves as a whole so that its center comes to the place where it wants to
    /// stop, and becomes as wide as it is long; `None` for members of small crowds.
    pub(super) fn displacement(&mut self, place: usize, to: Vector) -> Option<Vector> {
        let first = self.first(place);
        let shape = self.shapes.get(self.numbers[first] as usize)?;
        Some(shape.displacement(to)).filter(|displacement| shape.count >= FEW && displacement.is_finite())
    }

    /// The agent that all agents of the same crowd refer to in the end.
    fn first(&mut self, mut place: usize) -> usize {
        while self.parents[place] as usize != place {
            self.parents[place] = self.parents[self.parents[place] as usize];
            place = self.parents[place] as usize;
        }
        place
    }
}

impl Shape {
    fn add(&mut self, to: Vector) {
        self.count += 1.0;
        self.sum += to;
        for (axis, product) in self.products.iter_mut().enumerate() {
            *product += to * to[axis];
        }
    }

    /// The displacement of a member that wants to stop at the displacement `to`. With the covariance `C` of the displacements and the mean
    /// `m` of its eigenvalues, the members at `x` from the center move by `−½ (C / m − 1) x`. To first order, this makes `C` isotropic
    /// and preserves the area.
    fn displacement(&self, to: Vector) -> Vector {
        let center = self.sum / self.count;
        let mut covariance = self.products.map(|product| product / self.count);
        let (mut trace, from_center, mut stretched) = (0.0, center - to, Vector::ZERO);
        for (axis, column) in covariance.iter_mut().enumerate() {
            *column -= center * center[axis];
            trace += column[axis];
            stretched += *column * from_center[axis];
        }
        let mean = trace / axes(&covariance, trace);
        if mean > 0.0 { center - 0.5 * (stretched / mean - from_center) } else { center }
    }
}

/// The number of axes along which a crowd extends.
#[cfg(not(dim3))]
fn axes(_: &[Vector; DIMENSIONS], _: f32) -> f32 {
    2.0
}

/// The number of axes along which a crowd extends, from the covariance and its trace: two if all members are in a plane.
#[cfg(dim3)]
fn axes([x, y, z]: &[Vector; DIMENSIONS], trace: f32) -> f32 {
    let mean = trace / 3.0;
    if x.cross(*y).dot(*z) <= FLAT * mean * mean * mean { 2.0 } else { 3.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crowd of members at these positions that want to stop at the origin.
    fn crowd(positions: &[Vector]) -> Crowds {
        let mut crowds = Crowds::default();
        crowds.clear(positions.len());
        for (place, position) in positions.iter().enumerate().rev() {
            crowds.add(Some(place), -*position);
            crowds.unite(Some(place), Some(place / 2));
        }
        assert!(crowds.measure());
        crowds
    }

    /// The variances along two axes and the product of their components.
    fn shape(positions: &[Vector]) -> (f32, f32, f32) {
        let center = positions.iter().sum::<Vector>() / positions.len() as f32;
        let sum = |a: usize, b: usize| positions.iter().map(|place| (place - center)[a] * (place - center)[b]).sum();
        (sum(0, 0), sum(1, 1), sum(0, 1))
    }

    #[test]
    fn a_crowd_moves_to_its_place_and_becomes_round() {
        let (along, across) = (Vector::X * 0.8 + Vector::Y * 0.6, Vector::Y * 0.8 - Vector::X * 0.6);
        let place = |k: u8, m: u8| along * (4.0 * f32::from(k) + 30.0) + across * (2.0 * f32::from(m) - 50.0);
        let mut positions: Vec<Vector> = (0..8_u8).flat_map(|k| (0..8_u8).map(move |m| place(k, m))).collect();
        let (x, y, _) = shape(&positions);
        let before = x + y;
        for _ in 0..8 {
            let mut crowd = crowd(&positions);
            for (place, position) in positions.iter_mut().enumerate() {
                *position += crowd.displacement(place, -*position).expect("it is a member");
            }
        }
        let center = positions.iter().sum::<Vector>() / positions.len() as f32;
        assert!(center.length() < 1e-3, "{center}");
        let (x, y, both) = shape(&positions);
        assert!((x / y - 1.0).abs() < 1e-2 && both.abs() < 1e-2 * x, "{x} {y} {both}");
        assert!(x + y > 0.5 * before, "it keeps its area: {}, before {before}", x + y);
    }

    #[test]
    fn crowds_that_are_not_united_move_on_their_own() {
        let mut crowds = Crowds::default();
        crowds.clear(40);
        for place in (0..33).rev() {
            crowds.add(Some(place), [Vector::X, Vector::Y, -Vector::X][place / 15]);
            if place % 15 > 0 {
                crowds.unite(Some(place - 1), Some(place));
            }
        }
        assert!(crowds.measure());
        assert_eq!(crowds.displacement(14, Vector::X), Some(Vector::X));
        assert_eq!(crowds.displacement(15, Vector::Y), Some(Vector::Y));
        assert_eq!(crowds.displacement(32, -Vector::X), None, "the crowd is small");
        assert_eq!(crowds.displacement(35, Vector::X), None, "it is no member");
    }
}

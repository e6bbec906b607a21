//! Placement of crowds.

use std::array::from_fn;
use std::collections::HashMap;
use std::sync::Arc;

use bevy_steerling::behavior_prelude::SteeringRng;
use bevy_steerling::math::Vector;
use bevy_steerling::math::space::Edge;
use bevy_steerling::prelude::{SteeringBounds, SteeringSeed};

use crate::dimension::{DIMENSIONS, combinations, direction};
use crate::file::agents::Crowd;
use crate::scenario::agents::{StartingAgent, steering_id};
use crate::scenario::places::{PLACES, confine, random_place};

/// The number of places to try for an agent before its crowd is rejected.
pub(crate) const TRIES: usize = 1_000;

/// Places all agents of a crowd, no two of them closer than its spacing. Returns `None` if an agent finds no place.
pub(crate) fn place(crowd: &Crowd, seed: u64, bounds: &SteeringBounds) -> Option<Vec<StartingAgent>> {
    let mut random = SteeringRng::new(SteeringSeed(seed), steering_id(&crowd.prefix), PLACES);
    let kind = Arc::new(crowd.agent.0.clone());
    let common_velocity = kind.start_velocity();
    let lap = if bounds.edge == Edge::Wrap { bounds.max - bounds.min } else { Vector::ZERO };
    let mut taken = Taken { spacing: crowd.spacing.map_or(0.0, f32::from), cells: HashMap::new(), lap };
    (0..crowd.count.0 as usize)
        .map(|number| {
            let mut places = (0..TRIES).map(|_| confine(random_place(&crowd.area, &mut random), bounds));
            let position = places.find(|&place| taken.take(place))?;
            let velocity = crowd.speed.map_or(common_velocity, |speed| direction(&mut random) * f32::from(speed));
            Some(StartingAgent { id: format!("{}{number}", crowd.prefix), position, velocity, kind: kind.clone() })
        })
        .collect()
}

type Cell = [i64; DIMENSIONS];

/// The places taken so far, in a grid of cells as wide as the spacing.
struct Taken {
    spacing: f32,
    cells: HashMap<Cell, Vec<Vector>>,
    /// The size of the world if it wraps, zero otherwise.
    lap: Vector,
}

impl Taken {
    /// Takes a place, unless it is too close to another one.
    fn take(&mut self, place: Vector) -> bool {
        if self.spacing == 0.0 {
            return true;
        }
        if self.images(place).any(|image| self.is_near(image)) {
            return false;
        }
        self.cells.entry(self.cell(place)).or_default().push(place);
        true
    }

    /// The place itself and, if the world wraps, its images across the edges.
    fn images(&self, place: Vector) -> impl Iterator<Item = Vector> + use<> {
        let laps: &'static [f32] = if self.lap == Vector::ZERO { &[0.0] } else { &[0.0, 1.0, -1.0] };
        let lap = self.lap;
        combinations([laps; DIMENSIONS]).map(move |laps| place + lap * Vector::from(laps))
    }

    fn is_near(&self, place: Vector) -> bool {
        let cell = self.cell(place);
        let near = combinations([[-1, 0, 1]; DIMENSIONS])
            .map(|step| from_fn(|axis| i64::saturating_add(cell[axis], step[axis])));
        near.filter_map(|cell: Cell| self.cells.get(&cell)).flatten().any(|other| other.distance(place) < self.spacing)
    }

    fn cell(&self, place: Vector) -> Cell {
        place.to_array().map(|x| (f64::from(x) / f64::from(self.spacing)).floor() as i64)
    }
}

//! Placement of crowds.

use std::collections::HashMap;
use std::f32::consts::TAU;
use std::sync::Arc;

use bevy::math::{Vec2, ops};
use bevy_steerling::behavior_prelude::SteeringRng;
use bevy_steerling::math::space::Edge;
use bevy_steerling::prelude::{SteeringBounds, SteeringSeed};

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
    let lap = if bounds.edge == Edge::Wrap { bounds.max - bounds.min } else { Vec2::ZERO };
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

fn direction(random: &mut SteeringRng) -> Vec2 {
    let (sin, cos) = ops::sin_cos(random.uniform() * TAU);
    Vec2::new(cos, sin)
}

/// The places taken so far, in a grid of cells as wide as the spacing.
struct Taken {
    spacing: f32,
    cells: HashMap<[i64; 2], Vec<Vec2>>,
    /// The size of the world if it wraps, zero otherwise.
    lap: Vec2,
}

impl Taken {
    /// Takes a place, unless it is too close to another one.
    fn take(&mut self, place: Vec2) -> bool {
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
    fn images(&self, place: Vec2) -> impl Iterator<Item = Vec2> + use<> {
        let shifts = |size: f32| if size > 0.0 { vec![0.0, size, -size] } else { vec![0.0] };
        let (across, along) = (shifts(self.lap.x), shifts(self.lap.y));
        across.into_iter().flat_map(move |x| along.clone().into_iter().map(move |y| place + Vec2::new(x, y)))
    }

    fn is_near(&self, place: Vec2) -> bool {
        let [column, row] = self.cell(place);
        let cells = (-1..=1).flat_map(|x| (-1..=1).map(move |y| [column.saturating_add(x), row.saturating_add(y)]));
        cells.filter_map(|cell| self.cells.get(&cell)).flatten().any(|other| other.distance(place) < self.spacing)
    }

    fn cell(&self, place: Vec2) -> [i64; 2] {
        [place.x, place.y].map(|x| (f64::from(x) / f64::from(self.spacing)).floor() as i64)
    }
}

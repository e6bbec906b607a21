//! Worlds that wrap.

use bevy_steerling::math::space::Edge;

use crate::dimension::{DVector, precise};
use crate::scenario::scene::Scenario;

/// A world that wraps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Torus {
    pub min: DVector,
    pub size: DVector,
}

impl Torus {
    /// The torus of a scenario whose world wraps.
    pub fn of(scenario: &Scenario) -> Option<Self> {
        let bounds = scenario.file.steering_bounds();
        let torus = Self { min: precise(bounds.min), size: precise(bounds.max - bounds.min) };
        (bounds.edge == Edge::Wrap).then_some(torus)
    }
}

/// Helpers for tests of measures on a torus.
#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use bevy::math::DVec2;
    use bevy_steerling::behavior_prelude::SteeringRng;
    use bevy_steerling::prelude::{SteeringId, SteeringSeed};

    /// Random places in an area, two of them equal.
    pub(crate) fn random_places(count: usize, area: Torus) -> Vec<DVec2> {
        let mut random = SteeringRng::new(SteeringSeed(5), SteeringId::new(0), 1);
        let mut coordinate = || f64::from(random.uniform());
        let mut places: Vec<DVec2> =
            (0..count).map(|_| area.min + area.size * DVec2::new(coordinate(), coordinate())).collect();
        places[count / 2] = places[0];
        places
    }

    /// The distance between two places, on a torus by the shortest path.
    pub(crate) fn shortest(a: DVec2, b: DVec2, torus: Option<Torus>) -> f64 {
        let size = torus.map_or(DVec2::ZERO, |torus| torus.size);
        let shifts = || [-1.0, 0.0, 1.0].into_iter();
        let images = shifts().flat_map(|x| shifts().map(move |y| b + size * DVec2::new(x, y)));
        images.map(|image| image.distance(a)).fold(f64::INFINITY, f64::min)
    }
}

//! The agents that an agent wants to get to, which it does not avoid.

use crate::agent::Agent;
use crate::behaviors::arrive::Arrive;
use crate::behaviors::pursue::Pursue;
use crate::behaviors::seek::Seek;
use crate::perception::neighbors::Neighbors;
use crate::perception::target::{Target, Targets};

/// The behaviors that bring an agent to a target.
pub(super) type Approaches<'a> = (Option<&'a Pursue>, Option<&'a Seek>, Option<&'a Arrive>);

/// The agents that an agent wants to get to, as places in the neighbor index; `NONE` for a behavior without one.
#[derive(Clone, Copy)]
pub(super) struct Goals([u32; 3]);

const NONE: u32 = u32::MAX;

impl Default for Goals {
    fn default() -> Self {
        Self([NONE; 3])
    }
}

impl Goals {
    /// The targets of these behaviors, if they have a weight above 0.
    pub fn new(agent: &Agent, (pursue, seek, arrive): Approaches, neighbors: &Neighbors, targets: &Targets) -> Self {
        let place_of = |target, weight: f32| {
            let entity = match Some(target).filter(|_| weight > 0.0)? {
                Target::Point(_) => return None,
                Target::Entity(entity) => entity,
                Target::Group(groups) => targets.nearest_member(agent, groups)?.entity,
            };
            neighbors.place_of(entity)
        };
        let places = [
            pursue.and_then(|pursue| place_of(pursue.target, pursue.weight)),
            seek.and_then(|seek| place_of(seek.target, seek.weight)),
            arrive.and_then(|arrive| place_of(arrive.target, arrive.weight)),
        ];
        Self(places.map(|place| place.map_or(NONE, |place| place as u32)))
    }

    /// The places of the agents in the neighbor index.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        self.0.into_iter().filter(|place| *place != NONE).map(|place| place as usize)
    }

    /// Whether the agent at a place in the neighbor index is one of them.
    pub fn contains(&self, place: usize) -> bool {
        self.0.contains(&(place as u32))
    }
}

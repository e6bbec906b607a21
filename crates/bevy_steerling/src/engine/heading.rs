//! Behaviors that want full speed in some direction: many agents side by side.

use bevy::ecs::system::{StaticSystemParam, SystemParamItem};

use crate::agent::{SteeringAgent, SteeringForce, Velocity};
use crate::engine::behavior::{
    Agent, BATCH, Crowd, PARALLEL_THRESHOLD_BATCHED, Rows, SteeringBehavior, TickParam, steer_agent, steer_in_pieces,
};
use crate::engine::contribution_log::{self, LoggedCrowd};
use crate::math::space::Space;
use crate::math::{self, Vector, normalize, unit_vector};

/// A behavior that wants the velocity `n(w) · max_speed`.
///
/// Its force is that of [`steer`](SteeringBehavior::steer), to the bit, but roots and divisions are taken for several agents at
/// once: they are most of what it costs.
pub(crate) trait Heading: SteeringBehavior {
    /// Whether its wishes are [`Wish::Ahead`].
    const LOOKS_AHEAD: bool;

    /// What one agent finds out that the next ones can use.
    type Memo: Default;

    /// What it wants.
    fn wish(&mut self, agent: &Agent, memo: &mut Self::Memo, param: &SystemParamItem<'_, '_, Self::Param>) -> Wish;
}

/// What a behavior wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wish {
    /// Full speed in the direction of this, of whatever length.
    Along(Vector),
    /// Full speed to a place on a circle: how far ahead its center is, its radius, and the place's angle.
    Ahead { distance: f32, radius: f32, angle: f32 },
    /// This force.
    Force(Vector),
}

impl Wish {
    /// The force that it amounts to.
    #[inline]
    pub fn force(self, agent: &Agent) -> Vector {
        match self {
            Self::Along(way) => agent.force_toward(normalize(way) * agent.max_speed),
            Self::Ahead { distance, radius, angle } => {
                Self::Along(normalize(agent.velocity) * distance + unit_vector(angle) * radius).force(agent)
            }
            Self::Force(force) => force,
        }
    }
}

/// Adds the forces of one behavior.
pub(crate) fn steer<B: Heading>(
    agents: Crowd<B>,
    itemized: LoggedCrowd<B>,
    param: StaticSystemParam<B::Param>,
    tick: TickParam,
) where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    let (space, param, tick) = (tick.space(), &*param, &tick);
    contribution_log::steer(itemized, param, tick);
    let steer_all = |memo: &mut B::Memo, behaviors: &mut [B], forces: &mut [SteeringForce], agents: Rows| {
        // Of the loop there is one version for each case, so that a world without seams does not pay for them.
        if space.wraps() {
            steer_piece(behaviors, forces, agents, memo, param, tick, space);
        } else {
            steer_piece(behaviors, forces, agents, memo, param, tick, Space::default());
        }
    };
    steer_in_pieces(agents, PARALLEL_THRESHOLD_BATCHED, tick, steer_all, |behavior, force, data| {
        steer_agent(behavior, force, data, param, tick, space);
    });
}

#[inline(always)]
fn steer_piece<B: Heading>(
    behaviors: &mut [B],
    forces: &mut [SteeringForce],
    agents: Rows,
    memo: &mut B::Memo,
    param: &SystemParamItem<B::Param>,
    tick: &TickParam,
    space: Space,
) {
    let length = tick.length();
    let mut wishes = Wishes {
        ways: [Vector::NAN; BATCH],
        distances: [0.0; BATCH],
        radii: [0.0; BATCH],
        angles: [0.0; BATCH],
        weights: [0.0; BATCH],
    };
    for (row, (behavior, force)) in behaviors.iter_mut().zip(&mut *forces).enumerate().take(BATCH) {
        let agent = agents.get(row).agent(force.0, length, space);
        let wish = behavior.wish(&agent, memo, param);
        let weight = behavior.weight();
        wishes.weights[row] = weight;
        match wish {
            Wish::Along(way) => wishes.ways[row] = way,
            Wish::Ahead { distance, radius, angle } => {
                wishes.ways[row] = Vector::ZERO;
                wishes.distances[row] = distance;
                wishes.radii[row] = radius;
                wishes.angles[row] = angle;
            }
            Wish::Force(wanted) => force.0 += tick.mender.counted::<B>(&agent, wanted * weight),
        }
    }
    if B::LOOKS_AHEAD {
        add_forces::<true>(forces, agents.bodies, agents.velocities, &wishes, length);
    } else {
        add_forces::<false>(forces, agents.bodies, agents.velocities, &wishes, length);
    }
    // A way that is NaN says that there is nothing to want. A weight that is not finite is a mistake.
    let weights = &wishes.weights[..forces.len()];
    if !weights.iter().fold(true, |sound, weight| sound & (weight * 0.0 == 0.0)) {
        for (row, (weight, force)) in weights.iter().zip(forces).enumerate() {
            tick.mender.counted::<B>(&agents.get(row).agent(force.0, length, space), Vector::splat(*weight));
        }
    }
}

/// What the agents of a piece want.
struct Wishes {
    /// NaN gives no force.
    ways: [Vector; BATCH],
    distances: [f32; BATCH],
    radii: [f32; BATCH],
    angles: [f32; BATCH],
    weights: [f32; BATCH],
}

/// As [`Agent::force_toward`], and without a branch. Not inlined, so that it is known that nothing overlaps.
#[inline(never)]
fn add_forces<const LOOKS_AHEAD: bool>(
    forces: &mut [SteeringForce],
    bodies: &[SteeringAgent],
    velocities: &[Velocity],
    wishes: &Wishes,
    tick: f32,
) {
    let mut ways = wishes.ways;
    if LOOKS_AHEAD {
        let circle = math::unit_vectors(&wishes.angles);
        let circle = circle.iter().zip(&wishes.radii).zip(&wishes.distances);
        for ((way, velocity), ((unit, radius), distance)) in ways.iter_mut().zip(velocities).zip(circle) {
            // Nothing where there is no such wish.
            *way += normalize(velocity.0) * *distance + *unit * *radius;
        }
    }
    let agents = forces.iter_mut().zip(bodies).zip(velocities);
    for (((force, body), velocity), (way, weight)) in agents.zip(ways.iter().zip(&wishes.weights)) {
        let desired = normalize(*way) * body.max_speed.max(0.0);
        let wanted = (desired - velocity.0) / body.response_time.max(tick) * *weight;
        force.0 += math::finite_or_zero(wanted);
    }
}

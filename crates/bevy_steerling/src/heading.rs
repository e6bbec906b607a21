//! Behaviors that want full speed in some direction: many agents side by side.

use bevy::ecs::system::{StaticSystemParam, SystemParamItem};
use bevy::prelude::*;

use crate::agent::SteeringForce;
use crate::behavior::{Agent, AgentData, Rows, SteeringBehavior, TickParam, WORTHWHILE, steer_agent};
use crate::bounds::Space;
use crate::math::{self, Vector, normalize};

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
    /// Full speed to a place `beside` one at a distance ahead.
    Ahead { distance: f32, beside: Vector },
    /// This force.
    Force(Vector),
}

impl Wish {
    /// The force that it amounts to.
    #[inline]
    pub fn force(self, agent: &Agent) -> Vector {
        match self {
            Self::Along(way) => agent.force_toward(normalize(way) * agent.max_speed),
            Self::Ahead { distance, beside } => Self::Along(normalize(agent.velocity) * distance + beside).force(agent),
            Self::Force(force) => force,
        }
    }
}

/// How many agents are looked at before their roots and divisions are taken.
const PIECE: usize = 64;

/// Adds the forces of one behavior.
pub(crate) fn steer<B: Heading>(
    mut agents: Query<(&mut B, &mut SteeringForce, AgentData)>,
    param: StaticSystemParam<B::Param>,
    tick: TickParam,
) where
    for<'w, 's> SystemParamItem<'w, 's, B::Param>: Sync,
{
    let (length, space, param) = (tick.length(), tick.space(), &*param);
    if tick.threads.parallel(|| agents.iter().len(), WORTHWHILE) {
        agents.par_iter_mut().for_each(|agent| steer_agent::<B>(agent, param, length, space));
        return;
    }
    let Ok(tables) = agents.contiguous_iter_mut() else {
        // Not in columns: the behavior or what excludes its agent is in sparse storage.
        agents.iter_mut().for_each(|agent| steer_agent::<B>(agent, param, length, space));
        return;
    };
    let mut memo = B::Memo::default();
    for (mut behaviors, mut forces, agents) in tables {
        let (behaviors, forces) = (behaviors.bypass_change_detection(), forces.bypass_change_detection());
        for start in (0..behaviors.len()).step_by(PIECE) {
            let rows = start..behaviors.len().min(start + PIECE);
            let (behaviors, forces) = (&mut behaviors[rows.clone()], &mut forces[rows.clone()]);
            // Of the loop there is one version for each case, so that a world without seams does not pay for them.
            if space.wraps() {
                steer_piece(behaviors, forces, agents.rows(rows), &mut memo, param, length, space);
            } else {
                steer_piece(behaviors, forces, agents.rows(rows), &mut memo, param, length, Space::default());
            }
        }
    }
}

#[inline(always)]
fn steer_piece<B: Heading>(
    behaviors: &mut [B],
    forces: &mut [SteeringForce],
    agents: Rows,
    memo: &mut B::Memo,
    param: &SystemParamItem<B::Param>,
    tick: f32,
    space: Space,
) {
    // NaN gives no force.
    let mut ways = [(Vector::NAN, 0.0); PIECE];
    let mut weights = [0.0; PIECE];
    let wishes = ways.iter_mut().zip(&mut weights);
    for (row, ((behavior, force), (way, weight))) in behaviors.iter_mut().zip(&mut *forces).zip(wishes).enumerate() {
        let wish = behavior.wish(&agents.get(row).agent(force.0, tick, space), memo, param);
        *weight = behavior.weight();
        match wish {
            Wish::Along(along) => way.0 = along,
            Wish::Ahead { distance, beside } => *way = (beside, distance),
            Wish::Force(wanted) => force.0 += math::finite_or_zero(wanted * *weight),
        }
    }
    // As `Agent::force_toward`, and without a branch.
    let agents = agents.bodies.iter().zip(agents.velocities);
    for (((force, (body, velocity)), way), weight) in forces.iter_mut().zip(agents).zip(&ways).zip(&weights) {
        let (mut way, distance) = *way;
        if B::LOOKS_AHEAD {
            way = normalize(velocity.0) * distance + way;
        }
        let desired = normalize(way) * body.max_speed.max(0.0);
        let wanted = (desired - velocity.0) / body.response_time.max(tick) * *weight;
        force.0 += math::finite_or_zero(wanted);
    }
}

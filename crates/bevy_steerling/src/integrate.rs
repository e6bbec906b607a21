//! Force to velocity to position: one step of semi-implicit Euler.

use bevy::prelude::*;

use crate::agent::{ExternalMovement, SteeringAgent, SteeringForce, Velocity};
use crate::behavior::TickParam;
use crate::math::{self, Vector, truncate};

pub(crate) fn clear_forces(mut forces: Query<&mut SteeringForce>) {
    forces.iter_mut().for_each(|mut force| force.bypass_change_detection().0 = Vector::ZERO);
}

/// From how many agents on it pays to integrate on several threads.
const WORTHWHILE: usize = 65_536;

/// `F = trunc(F, f)`, `v' = trunc(v + (F/m)·h, s)`, `p' = p + v'·h`
pub(crate) fn integrate(
    mut agents: Query<(&SteeringAgent, &mut SteeringForce, &mut Velocity, &mut Transform), Without<ExternalMovement>>,
    tick: TickParam,
) {
    let length = tick.length();
    let step = |(agent, mut force, mut velocity, mut transform): (
        &SteeringAgent,
        Mut<SteeringForce>,
        Mut<Velocity>,
        Mut<Transform>,
    )| {
        let total = truncate(force.0, agent.max_force);
        force.bypass_change_detection().0 = total;

        let before = velocity.0;
        let after = truncate(before + total * (length / agent.effective_mass()), agent.max_speed);
        if after != before {
            velocity.0 = after;
        }
        if after != Vector::ZERO {
            let moved = math::position(&transform) + after * length;
            math::set_position(&mut transform, moved);
        }
    };
    if tick.threads.parallel(|| agents.iter().len(), WORTHWHILE) {
        agents.par_iter_mut().for_each(step);
    } else {
        agents.iter_mut().for_each(step);
    }
}

/// Agents that something else moves get their force limited, and no more.
pub(crate) fn limit_forces(mut agents: Query<(&SteeringAgent, &mut SteeringForce), With<ExternalMovement>>) {
    agents.iter_mut().for_each(|(agent, mut force)| {
        force.bypass_change_detection().0 = truncate(force.0, agent.max_force);
    });
}

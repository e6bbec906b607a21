//! The limits of bodies, applied to the total force.

use bevy::prelude::*;

use crate::agent::view::AgentData;
use crate::agent::{Agent, BodyLimits, HardStop, SteeringForce, Vehicle};
use crate::engine::contribution_log::ContributionLog;
use crate::engine::maneuver::change_force;
use crate::math::{Vector, finite_or_zero, truncate};
use crate::tick::TickParam;

/// Replaces the total force by the nearest one that the body can follow.
pub(crate) fn limit_bodies(
    mut agents: Query<(
        &BodyLimits,
        &mut Vehicle,
        &mut SteeringForce,
        AgentData,
        Option<&HardStop>,
        Option<&mut ContributionLog>,
    )>,
    tick: TickParam,
) {
    let frame = tick.frame();
    agents.iter_mut().for_each(|(limits, mut vehicle, mut force, data, stop, log)| {
        let vehicle = vehicle.bypass_change_detection();
        let agent = data.agent(Vector::ZERO, frame);
        // A hard stop overrides the limits.
        let kept = stop.map_or(1.0, HardStop::kept);
        let agent = Agent { velocity: truncate(finite_or_zero(agent.velocity * kept), f32::MAX), ..agent };
        let total = truncate(force.0, agent.max_force);
        let wanted = agent.velocity + total * (frame.length / agent.mass);
        vehicle.init_heading(limits, &agent, || frame.plane.heading(data.transform()));
        let drive = limits.drive(vehicle, &agent);
        let (velocity, heading) = drive.nearest(truncate(wanted, agent.max_speed), vehicle.backward);
        vehicle.heading = Some(heading);
        // A force that the body can follow stays bit-identical.
        let missing = velocity.distance(wanted) > ROUNDING * (velocity.length() + agent.velocity.length());
        if missing {
            let limited = (velocity - agent.velocity) * (agent.mass / frame.length);
            change_force(&mut force, log, truncate(finite_or_zero(limited), agent.max_force));
        }
    });
}

/// Relative differences between velocities below this are rounding errors.
const ROUNDING: f32 = 1e-6;

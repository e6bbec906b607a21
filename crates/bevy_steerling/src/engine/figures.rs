//! The figures of a tick, collected for display.

use alloc::vec::Vec;

use bevy::ecs::system::StaticSystemParam;
use bevy::prelude::*;

use crate::agent::SteeringForce;
use crate::agent::view::AgentData;
use crate::engine::contributor::Contributor;
use crate::engine::figure::Figure;
use crate::engine::name::BehaviorName;
use crate::tick::TickParam;
use crate::tick::schedule::{SteeringSchedule, SteeringSystems};

/// The figures that behaviors draw in a tick.
#[derive(Resource, Debug, Default)]
pub struct SteeringFigures {
    /// The agents whose behaviors draw. If this is empty, drawing is off.
    pub shown: Vec<Entity>,
    /// The behaviors that are not drawn.
    pub hidden: Vec<BehaviorName>,
    /// The figures of this tick, in the order of registration of the behaviors.
    pub figures: Vec<DrawnFigure>,
}

/// The figure of a behavior of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnFigure {
    /// The behavior.
    pub behavior: BehaviorName,
    /// The agent.
    pub agent: Entity,
    /// The radius of its body, units.
    pub radius: f32,
    /// Its height above the plane of steering, units.
    pub height: f32,
    /// What the behavior draws.
    pub figure: Figure,
}

/// The systems that draw figures.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FigureSystems;

/// The system that draws the figures of the behavior with this number, in the order of registration.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Drawn(usize);

pub(crate) fn register<C: Contributor>(app: &mut App, number: usize) {
    let draw = draw::<C>.in_set(FigureSystems).in_set(Drawn(number)).after(SteeringSystems::React).run_if(any_shown);
    let draw = if number > 0 { draw.after(Drawn(number - 1)) } else { draw };
    app.init_resource::<SteeringFigures>().add_systems(SteeringSchedule, draw);
}

fn any_shown(figures: Res<SteeringFigures>) -> bool {
    !figures.shown.is_empty()
}

/// Draws the figures of one behavior.
fn draw<C: Contributor>(
    agents: Query<(&C::Settings, Option<&C::State>, &SteeringForce, AgentData)>,
    param: StaticSystemParam<C::Param>,
    tick: TickParam,
    mut figures: ResMut<SteeringFigures>,
) {
    let behavior = BehaviorName::of::<C::Settings>();
    if figures.hidden.contains(&behavior) {
        return;
    }
    let SteeringFigures { shown, figures, .. } = &mut *figures;
    let initial = C::State::default();
    for (settings, state, force, data) in shown.iter().filter_map(|agent| agents.get(*agent).ok()) {
        let agent = data.agent(force.0, tick.frame());
        let mut figure = Figure::default();
        C::draw(settings, state.unwrap_or(&initial), &agent, &param, &mut figure);
        let height = tick.plane().height(data.transform().translation);
        let (behavior, radius) = (behavior.clone(), agent.radius);
        figures.push(DrawnFigure { behavior, agent: agent.entity, radius, height, figure });
    }
}

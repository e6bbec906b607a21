//! The panel: every field of every component of one agent or of all, and the controls of time.

use std::any::TypeId;
use std::collections::BTreeSet;

use bevy::ecs::reflect::ReflectComponent;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use bevy::reflect::{PartialReflect, TypeRegistration, TypeRegistry};
use bevy_inspector_egui::DefaultInspectorConfigPlugin;
use bevy_inspector_egui::bevy_egui::input::EguiWantsInput;
use bevy_inspector_egui::bevy_egui::{
    EguiContext, EguiGlobalSettings, EguiPlugin, EguiPrimaryContextPass, PrimaryEguiContext,
};
use bevy_inspector_egui::egui;
use bevy_inspector_egui::reflect_inspector::{Context, InspectorUi};
use bevy_steerling::agent::SteeringId;
use bevy_steerling::debug::{ShowSteering, SteeringGizmos, color_of};
use bevy_steerling::prelude::*;

use crate::controls::Pace;
use crate::cursor::Pointer;
use crate::scene::{Next, Playing, Reseed};

/// A click within this distance selects an agent, units.
const NEAR: f32 = 20.0;
/// The maximum number of agents that the panel edits at once. More would take too long.
const MANY: usize = 2_000;

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins((EguiPlugin::default(), DefaultInspectorConfigPlugin))
        .insert_resource(EguiGlobalSettings { enable_absorb_bevy_input_system: true, ..default() })
        .add_systems(PreUpdate, open)
        .add_systems(Update, choose)
        .add_systems(EguiPrimaryContextPass, show.run_if(|panel: Res<Panel>| panel.open));
}

/// What the panel shows.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Panel {
    /// Whether the panel is open.
    pub open: bool,
    /// The selected agent; `None` means all agents.
    pub chosen: Option<Entity>,
}

fn open(keys: Res<ButtonInput<KeyCode>>, mut panel: ResMut<Panel>) {
    if keys.just_pressed(KeyCode::KeyP) {
        panel.open = !panel.open;
    }
}

/// Selects the agent that was clicked.
fn choose(
    pointer: Pointer,
    egui: Res<EguiWantsInput>,
    agents: Query<(Entity, &Transform), With<SteeringAgent>>,
    mut panel: ResMut<Panel>,
) {
    if !panel.open || egui.wants_any_pointer_input() {
        return;
    }
    let Some(place) = pointer.clicked() else { return };
    panel.chosen = agents
        .iter()
        .map(|(agent, transform)| (agent, transform.translation.truncate().distance(place)))
        .filter(|(_, distance)| *distance < NEAR)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(agent, _)| agent);
}

fn show(world: &mut World) {
    let Ok(mut context) = world
        .query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>()
        .single_mut(world)
        .map(|found| found.clone())
    else {
        return;
    };
    egui::Window::new("panel").anchor(egui::Align2::RIGHT_TOP, [-12.0, 64.0]).default_width(330.0).show(
        context.get_mut(),
        |ui| {
            show_time(world, ui);
            #[cfg(not(target_family = "wasm"))]
            crate::export::show(world, ui);
            ui.separator();
            let agents = show_choice(world, ui);
            ui.collapsing("what they think", |ui| show_thoughts(world, ui));
            egui::ScrollArea::vertical().max_height(500.0).show(ui, |ui| show_components(world, &agents, ui));
        },
    );
}

fn show_time(world: &mut World, ui: &mut egui::Ui) {
    let mut pace = *world.resource::<Pace>();
    let old = pace;
    ui.horizontal(|ui| {
        ui.toggle_value(&mut pace.paused, "pause");
        if ui.button("one tick").clicked() {
            (pace.paused, pace.step) = (true, true);
        }
        ui.toggle_value(&mut pace.slow, "slow motion");
        if ui.button("restart").clicked() {
            restart(world);
        }
    });
    if pace != old {
        world.insert_resource(pace);
    }
    let mut seed = world.resource::<SteeringSeed>().0;
    ui.horizontal(|ui| {
        ui.label("seed");
        if ui.add(egui::DragValue::new(&mut seed)).changed() {
            world.insert_resource(Reseed(SteeringSeed(seed)));
            restart(world);
        }
    });
}

fn restart(world: &mut World) {
    if let Some(&Playing(scene)) = world.get_resource::<Playing>() {
        world.insert_resource(Next(scene));
    }
}

/// Shows which agents are selected, and returns them.
fn show_choice(world: &mut World, ui: &mut egui::Ui) -> Vec<Entity> {
    let mut all: Vec<(SteeringId, Entity)> =
        world.query::<(&SteeringId, Entity)>().iter(world).map(|(id, agent)| (*id, agent)).collect();
    all.sort();
    let chosen = world.resource::<Panel>().chosen.filter(|agent| world.get::<SteeringAgent>(*agent).is_some());
    if let Some(agent) = chosen {
        ui.horizontal(|ui| {
            ui.label(format!("agent {agent}"));
            if ui.button("all agents").clicked() {
                world.resource_mut::<Panel>().chosen = None;
            }
        });
        return vec![agent];
    }
    ui.label(match all.len() {
        count @ ..=MANY => format!("all {count} agents; click one to select it"),
        count => format!("{MANY} of {count} agents; click one to select it"),
    });
    all.into_iter().take(MANY).map(|(_, agent)| agent).collect()
}

/// Shows the switches for what is drawn: by kind, by behavior, and for which agents.
fn show_thoughts(world: &mut World, ui: &mut egui::Ui) {
    let chosen = world.resource::<Panel>().chosen;
    let mut traces = world.query::<&SteeringTrace>();
    let behaviors: BTreeSet<BehaviorName> = traces
        .iter(world)
        .flat_map(|trace| &trace.contributions)
        .map(|contribution| contribution.behavior.clone())
        .collect();
    let mut store = world.resource_mut::<GizmoConfigStore>();
    let (config, shown) = store.config_mut::<SteeringGizmos>();
    ui.checkbox(&mut config.enabled, "draw");
    for (on, what) in [
        (&mut shown.velocity, "velocity"),
        (&mut shown.desired_velocity, "desired velocity"),
        (&mut shown.force, "force"),
        (&mut shown.contributions, "what each behavior wants"),
        (&mut shown.figures, "what each behavior looks at"),
        (&mut shown.legend, "legend"),
    ] {
        ui.checkbox(on, what);
    }
    let mut everybody = shown.all_agents;
    let switched = ui.checkbox(&mut everybody, "not only for the selected agent").changed();
    for behavior in behaviors {
        let mut on = shown.shows(&behavior);
        let [red, green, blue, _] = color_of(&behavior).to_srgba().to_u8_array();
        let name = egui::RichText::new(behavior.short()).color(egui::Color32::from_rgb(red, green, blue));
        if ui.checkbox(&mut on, name).changed() {
            shown.show_named(behavior, on);
        }
    }
    shown.all_agents = everybody;
    if everybody && switched {
        for agent in world.query_filtered::<Entity, With<ShowSteering>>().iter(world).collect::<Vec<_>>() {
            world.entity_mut(agent).remove::<ShowSteering>();
        }
    }
    if !everybody {
        for (agent, mut shown) in world.query::<(Entity, &mut ShowSteering)>().iter_mut(world) {
            shown.0 = chosen == Some(agent);
        }
        if let Some(mut agent) = chosen.and_then(|agent| world.get_entity_mut(agent).ok()) {
            agent.insert(ShowSteering(true));
        }
    }
}

/// Shows the steering components that any of the agents has.
fn show_components(world: &mut World, agents: &[Entity], ui: &mut egui::Ui) {
    let registry = world.resource::<AppTypeRegistry>().0.clone();
    let registry = registry.read();
    let present: HashSet<_> = agents
        .iter()
        .filter_map(|&agent| world.get_entity(agent).ok())
        .flat_map(|agent| agent.archetype().components().to_vec())
        .collect();
    let mut components: Vec<&TypeRegistration> = present
        .into_iter()
        .filter_map(|id| registry.get(world.components().get_info(id)?.type_id()?))
        .filter(|component| {
            component.type_info().type_path().starts_with("bevy_steerling::")
                && component.type_id() != TypeId::of::<SteeringId>()
        })
        .collect();
    components.sort_by_key(|component| component.type_info().type_path_table().short_path());
    for component in components {
        let name = component.type_info().type_path_table().short_path();
        ui.collapsing(name, |ui| show_component(world, agents, &registry, component, ui));
    }
}

/// Shows the fields of one component. A change applies to all agents that have it.
fn show_component(
    world: &mut World,
    agents: &[Entity],
    registry: &TypeRegistry,
    component: &TypeRegistration,
    ui: &mut egui::Ui,
) {
    let Some(reflected) = component.data::<ReflectComponent>() else { return };
    let (mut owners, mut values) = (Vec::new(), Vec::new());
    for &agent in agents {
        let value = world.get_entity(agent).ok().and_then(|entity| reflected.reflect(entity)?.reflect_clone().ok());
        if let Some(value) = value {
            owners.push(agent);
            values.push(value);
        }
    }
    let mut fields: Vec<&mut dyn PartialReflect> =
        values.iter_mut().map(|value| value.as_partial_reflect_mut()).collect();
    let name = component.type_info().type_path();
    let changed = InspectorUi::for_bevy(registry, &mut Context::default()).ui_for_reflect_many_with_options(
        component.type_id(),
        name,
        ui,
        egui::Id::new(name),
        &(),
        &mut fields,
        &|value| value,
    );
    if changed {
        for (agent, value) in owners.into_iter().zip(&values) {
            reflected.apply(world.entity_mut(agent), value.as_partial_reflect());
        }
    }
}

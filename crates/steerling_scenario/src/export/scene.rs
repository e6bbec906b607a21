//! The scene in a world as a scenario file.

use std::collections::BTreeMap;
use std::time::Duration;

use bevy::prelude::*;
use bevy_steerling::prelude::*;

use crate::dimension::{is_usual, plane_of};
use crate::export::find::entities_with;
use crate::export::text::text_of;
use crate::export::{agents, formations, markers, obstacles};
use crate::file;
use crate::file::areas::{Bounds, Respawn};
use crate::file::scenario::ScenarioFile;
use crate::json::number::{Seed, TickLength};
use crate::json::strict::Object;
use crate::mapping::left_out::LeftOut;
use crate::mapping::place::{Names, Place, unique};
use crate::mapping::value::Value;
use crate::scenario::flow_fields::flow_fields;
use crate::simulation::clock::Clock;
use crate::simulation::respawn::areas_of;

/// A scene as a scenario file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The text of the file, which [`Scenario::parse`](crate::Scenario::parse) reads.
    pub text: String,
    /// The parts of the scene that the file cannot express. Empty if the file is complete.
    pub left_out: Vec<LeftOut>,
}

/// Writes the agents, obstacles, flow fields and formations in a world as a scenario file, as they are now, with the targets that are no
/// agents as markers.
///
/// The id of an agent in the file is its [`Name`], if no other agent has that name; otherwise it contains its [`SteeringId`]. The tick is
/// that of [`Time<Fixed>`]. Fields with their default values are omitted.
///
/// A scenario that was just spawned moves in the same way after it was written and read, as far as files describe what is in a world: gates,
/// goals and measures are not. Later, the file has the positions and velocities of that moment. What agents remember between ticks is left
/// out, such as the state of random numbers and the progress on a path. The corners of a region that is a polygon or a convex hull may differ
/// by rounding errors.
///
/// # Example
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steerling::prelude::*;
/// use steerling_scenario::{Scenario, export};
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, SteeringPlugin::default()));
/// let ada = app.world_mut().spawn((Name::new("ada"), Arrive::new(Vec2::new(200.0, 0.0)))).id();
/// app.world_mut().spawn((Name::new("bob"), Pursue::new(ada), Transform::from_xyz(-80.0, 60.0, 0.0)));
///
/// let exported = export(app.world());
/// assert!(exported.text.contains(r#"{"id": "bob", "position": [-80, 60], "behaviors": [{"pursue": {"target": {"agent": "ada"}}}]}"#));
/// assert_eq!(Scenario::parse("exported.json", &exported.text)?.agent_count(), 2);
/// # Ok::<(), steerling_scenario::ScenarioError>(())
/// ```
pub fn export(world: &World) -> Exported {
    let mut names = Names::new(world);
    let found = agents::find(&mut names);
    let mut file =
        ScenarioFile { seed: Seed(world.get_resource().map_or(0, |seed: &SteeringSeed| seed.0)), ..default() };
    note_plane(&Place::new(&names, WORLD));
    file.tick = tick(&Place::new(&names, WORLD));
    file.bounds = bounds(&Place::new(&names, WORLD));
    file.obstacles = obstacles::write(&names);
    write_fields(&mut names, &mut file);
    markers::find(&names);
    file.agents = agents::write(&names, &found);
    file.markers = markers::write(&names);
    file.formations = formations::write(&names, &found);
    file.respawns = respawns(&names, &found);
    Exported { text: text_of(&file), left_out: names.notes.into_list() }
}

/// The place of what belongs to no entity.
const WORLD: &str = "world";

fn note_plane(place: &Place) {
    if !is_usual(plane_of(place.names.world)) {
        place.note("`SteeringPlane`: the file has the coordinates in the plane");
    }
}

fn tick(place: &Place) -> TickLength {
    let world = place.names.world;
    let place = &place.field("tick");
    let Some(fixed) = world.get_resource::<Time<Fixed>>() else {
        place.note("no `Time<Fixed>`: the file has the default");
        return ScenarioFile::default().tick;
    };
    let longest = world.get_resource::<LongestTick>().map_or(0.0, |longest| longest.0);
    if longest > 0.0 && longest < 0.999 * fixed.timestep().as_secs_f32() {
        place.note("`LongestTick` is shorter");
    }
    // Bevy rounds to nanoseconds.
    let exact = world.get_resource::<Clock>().map(Clock::tick);
    let exact = exact.filter(|tick| Duration::try_from_secs_f64(*tick) == Ok(fixed.timestep()));
    TickLength::nearest(exact.unwrap_or(fixed.timestep().as_secs_f64()), place)
}

fn bounds(place: &Place) -> Option<Object<Bounds>> {
    let bounds = place.names.world.get_resource::<SteeringBounds>()?;
    if *bounds == SteeringBounds::default() { None } else { Value::of(bounds, &place.field("bounds")) }
}

/// Writes the flow fields. Notes those that cannot be computed around the obstacles of the file, because a reader would refuse them.
fn write_fields(names: &mut Names, file: &mut ScenarioFile) {
    let mut found: BTreeMap<String, Entity> = BTreeMap::new();
    for entity in entities_with::<FlowField>(names, "field") {
        let name = names.world.get::<Name>(entity).map_or("field", Name::as_str);
        found.insert(unique(name, |name| found.contains_key(name)), entity);
    }
    let write = |(id, entity): (String, Entity)| {
        let place = Place::new(names, &id);
        let field = file::flow_field::FlowField::of(names.world.get(entity)?, id.clone(), &place)?;
        Some((entity, Object(field)))
    };
    let (entities, fields): (Vec<Entity>, Vec<_>) = found.into_iter().filter_map(write).unzip();
    file.fields = fields;
    let problems: Vec<Option<String>> =
        flow_fields(file).map(|field| field.err().map(|error| error.to_string())).collect();
    let mut valid = Vec::new();
    for ((entity, field), problem) in entities.into_iter().zip(file.fields.drain(..)).zip(problems) {
        if let Some(problem) = problem {
            Place::new(names, &field.id).note(&problem);
        } else {
            names.fields.insert(entity, field.id.clone());
            valid.push(field);
        }
    }
    file.fields = valid;
}

/// The areas of a scenario that agents are moved from.
fn respawns(names: &Names, agents: &[agents::Found]) -> Vec<Object<Respawn>> {
    let entities = agents.iter().map(|agent| agent.entity);
    areas_of(names.world, entities).iter().cloned().map(Object).collect()
}

//! The motion of the classic behaviors is that of the reference traces in `tests/traces`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use bevy::prelude::*;
use bevy_steerling_3d::behaviors::avoid_with_feelers::FeelerPush;
use bevy_steerling_3d::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Trace {
    scenario: Scenario,
    expected: Vec<Expected>,
    position_tolerance: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    name: String,
    tick: f64,
    ticks: u32,
    dimensions: u8,
    agents: Vec<Body>,
    #[serde(default)]
    markers: BTreeMap<String, Vec<[f64; 4]>>,
    bounds: Option<Bounds>,
    #[serde(default)]
    obstacles: Vec<Shape>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    Sphere { center: [f32; 3], radius: f32 },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
    edge: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    id: String,
    position: [f32; 3],
    velocity: [f32; 3],
    mass: f32,
    max_speed: f32,
    max_force: f32,
    radius: f32,
    behaviors: Vec<Behavior>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Behavior {
    Seek { target: Place },
    Flee { target: Place },
    Arrive { target: Place, slowing_radius: f32 },
    Pursue { target: Place, prediction: Proportional },
    Evade { target: Place, prediction: Proportional },
    Interpose { between: [Place; 2], slowing_radius: f32, prediction: Proportional },
    Separation { radius: f32, max_separation: f32 },
    AvoidObstacles { look_ahead: f32, max_avoid_force: f32, steer: Radial, detection: Points },
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Radial {
    Radial,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Points {
    Points,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Proportional {
    Proportional,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Place {
    Point([f32; 3]),
    Agent(String),
    Marker(String),
}

#[derive(Deserialize)]
struct Expected {
    tick: u32,
    agents: BTreeMap<String, State>,
}

#[derive(Deserialize)]
struct State {
    position: [f32; 3],
    velocity: [f32; 3],
}

fn insert(agent: &mut EntityWorldMut, behavior: &Behavior, target: impl Fn(&Place) -> Target) {
    match behavior {
        Behavior::Seek { target: place } => agent.insert(Seek::new(target(place))),
        Behavior::Flee { target: place } => agent.insert(Flee::new(target(place))),
        Behavior::Arrive { target: place, slowing_radius } => {
            agent.insert(Arrive::new(target(place)).with_slowing_radius(*slowing_radius))
        }
        Behavior::Pursue { target: place, prediction: Proportional::Proportional } => {
            agent.insert(Pursue::new(target(place)).with_prediction(Prediction::Proportional))
        }
        Behavior::Evade { target: place, prediction: Proportional::Proportional } => {
            agent.insert(Evade::new(target(place)).with_prediction(Prediction::Proportional))
        }
        Behavior::Interpose { between: [one, other], slowing_radius, prediction: Proportional::Proportional } => {
            let interpose = Interpose::new(target(one), target(other)).with_slowing_radius(*slowing_radius);
            agent.insert(interpose.with_prediction(Prediction::Proportional))
        }
        Behavior::Separation { radius, max_separation } => {
            agent.insert(Separation::default().with_radius(*radius).with_max_separation(*max_separation))
        }
        Behavior::AvoidObstacles { look_ahead, max_avoid_force, steer: Radial::Radial, detection: Points::Points } => {
            let avoid = AvoidWithFeelers::default().with_look_ahead(*look_ahead).with_push(FeelerPush::Radial);
            agent.insert(avoid.with_max_avoid_force(*max_avoid_force))
        }
    };
}

/// The largest distance of an agent from its place in the trace.
fn deviation(Trace { scenario, expected, .. }: &Trace) -> f32 {
    assert_eq!(scenario.dimensions, 3);
    let mut app = App::new();
    app.add_plugins(SteeringPlugin::new(Update));
    if let Some(Bounds { min, max, edge }) = &scenario.bounds {
        assert_eq!(edge, "bounce");
        app.insert_resource(SteeringBounds::bounce(Vec3::from(*min), Vec3::from(*max)));
    }
    app.finish();
    let world = app.world_mut();
    for Shape::Sphere { center, radius } in &scenario.obstacles {
        world.spawn((Obstacle::new(Sphere::new(*radius)), Transform::from_translation(Vec3::from(*center))));
    }
    let names = scenario.agents.iter().map(|body| &body.id).chain(scenario.markers.keys());
    let entities: BTreeMap<&str, Entity> = names.map(|name| (name.as_str(), world.spawn_empty().id())).collect();
    for body in &scenario.agents {
        let &Body { position, velocity, mass, max_speed, max_force, radius, .. } = body;
        let mut agent = world.entity_mut(entities[body.id.as_str()]);
        agent.insert((
            SteeringAgent { mass, max_speed, max_force, radius, ..default() },
            Velocity(velocity.into()),
            Transform::from_translation(position.into()),
        ));
        for behavior in &body.behaviors {
            insert(&mut agent, behavior, |place| match place {
                Place::Point(point) => Vec3::from(*point).into(),
                Place::Agent(name) | Place::Marker(name) => entities[name.as_str()].into(),
            });
        }
    }
    let mut worst = 0.0_f32;
    let mut expected = expected.iter().peekable();
    for tick in 1..=scenario.ticks {
        for (name, places) in &scenario.markers {
            // Each holds until the next.
            let now = (f64::from(tick - 1) + 0.001) * scenario.tick;
            let [_, x, y, z] = places.iter().rfind(|[time, ..]| *time <= now).unwrap_or(&places[0]);
            let place = Vec3::new(*x as f32, *y as f32, *z as f32);
            world.entity_mut(entities[name.as_str()]).insert(Transform::from_translation(place));
        }
        world.resource_mut::<Time>().advance_by(Duration::from_secs_f64(scenario.tick));
        world.run_schedule(SteeringSchedule);
        let Some(Expected { agents, .. }) = expected.next_if(|expected| expected.tick == tick) else { continue };
        for (name, State { position, velocity }) in agents {
            let agent = world.entity(entities[name.as_str()]);
            let found = agent.get::<Transform>().expect("agents have a place").translation;
            let speed = agent.get::<Velocity>().expect("agents have a velocity").0;
            worst = worst.max(found.distance(Vec3::from(*position)));
            worst = worst.max(speed.distance(Vec3::from(*velocity)) * scenario.tick as f32);
        }
    }
    assert!(expected.peek().is_none(), "{}: not all ticks were compared", scenario.name);
    worst
}

#[test]
fn the_motion_is_that_of_the_reference_traces() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = fs::read_to_string(&path).expect("it can be read");
            let trace: Trace =
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let deviation = deviation(&trace);
            println!("{}: {deviation}", trace.scenario.name);
            assert!(deviation <= trace.position_tolerance, "{}: {deviation}", trace.scenario.name);
            count += 1;
        }
    }
    assert_eq!(count, 14);
}

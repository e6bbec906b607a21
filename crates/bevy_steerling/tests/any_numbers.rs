//! Every kind of component of the shared crowd, with any numbers in all of its fields: nothing becomes infinite, and nobody else is
//! harmed. `bevy_steerling_3d` runs the same tests.

#[cfg(dim3)]
extern crate bevy_steerling_3d as bevy_steerling;

#[path = "heap/crowd.rs"]
mod crowd;

use bevy::ecs::component::Mutable;
use bevy::ecs::reflect::AppTypeRegistry;
use bevy::prelude::*;
use bevy::reflect::{PartialReflect, ReflectMut};
use bevy_steerling::behavior_prelude::SteeringRng;
use bevy_steerling::math::Vector;
use bevy_steerling::math::space::Edge;
use bevy_steerling::prelude::*;
use crowd::dimension::{self, point};

const ODD: [f32; 12] =
    [0.0, -1.0, 0.5, 40.0, 1e-30, 1e9, 1e30, f32::MAX, f32::MIN, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

/// How many worlds there are of each kind.
const ROUNDS: usize = 12;

/// Odd numbers, the same in each run.
fn odd_numbers(seed: u64) -> impl FnMut() -> f32 {
    let mut random = SteeringRng::new(SteeringSeed(seed), SteeringId::new(0), 1);
    move || ODD[(random.uniform() * ODD.len() as f32) as usize % ODD.len()]
}

/// Puts odd numbers into all fields of a value.
fn scramble(value: &mut dyn PartialReflect, odd: &mut dyn FnMut() -> f32) {
    if let Some(number) = value.try_downcast_mut::<f32>() {
        *number = odd();
    } else if let Some(number) = value.try_downcast_mut::<Option<f32>>() {
        *number = Some(odd());
    } else if let Some(number) = value.try_downcast_mut::<u32>() {
        // A count never gets to its end.
        *number = odd() as u32 / 2;
    } else {
        match value.reflect_mut() {
            ReflectMut::Struct(value) => {
                (0..value.field_len()).for_each(|k| scramble(value.field_at_mut(k).expect("a field"), odd));
            }
            ReflectMut::TupleStruct(value) => {
                (0..value.field_len()).for_each(|k| scramble(value.field_mut(k).expect("a field"), odd));
            }
            ReflectMut::Enum(value) => {
                (0..value.field_len()).for_each(|k| scramble(value.field_at_mut(k).expect("a field"), odd));
            }
            ReflectMut::List(value) => {
                (0..value.len()).for_each(|k| scramble(value.get_mut(k).expect("an item"), odd));
            }
            ReflectMut::Array(value) => {
                (0..value.len()).for_each(|k| scramble(value.get_mut(k).expect("an item"), odd));
            }
            _ => {}
        }
    }
}

/// Puts odd numbers into the plugin's settings of an agent, but not into where it is and how it moves.
fn scramble_settings(world: &mut World, agent: Entity, odd: &mut dyn FnMut() -> f32) {
    let registry = world.resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    for registration in registry.iter() {
        let path = registration.type_info().type_path();
        let (package, path) = path.split_once("::").unwrap_or_default();
        let is_settings = package.starts_with("bevy_steerling")
            && (["behaviors", "constraints", "motion"].iter().any(|module| path.starts_with(module))
                || path.ends_with("::BodyLimits")
                || path.ends_with("::Arbitration"));
        // Relationships cannot be changed.
        let is_mutable = |id| world.components().get_info(id).is_some_and(|info| info.mutable());
        if let Some(component) = registration.data::<ReflectComponent>().filter(|_| is_settings)
            && world.components().get_id(registration.type_id()).is_some_and(is_mutable)
            && let Some(mut value) = component.reflect_mut(world.entity_mut(agent))
        {
            scramble(value.as_partial_reflect_mut(), odd);
        }
    }
}

/// A world with an agent that has a kind of component, another that has the next kind, too, and a healthy one beside them.
struct Scene {
    app: App,
    agents: [Entity; 2],
    obstacle: Entity,
    target: Entity,
    healthy: Entity,
}

impl Scene {
    fn new(kind: usize, round: usize) -> Self {
        let mut app = crowd::app();
        let world = app.world_mut();
        let obstacle = dimension::spawn_obstacle(world, round);
        let at = |x, y| Transform::from_translation(dimension::in_world(point(x, y)));
        let groups = SteeringGroups(GroupMask::bit(1));
        let target = world.spawn((Velocity(point(5.0, 1.0)), at(150.0, 20.0), groups)).id();
        let healthy = world.spawn((Wander::default(), Solid::default(), groups, at(12.0, 5.0))).id();
        let agents = [0.0, 8.0].map(|x| world.spawn((SteeringAgent::default(), at(x, 3.0))).id());
        for (number, agent) in agents.into_iter().enumerate() {
            let mut agent = world.entity_mut(agent);
            // Something to bend, to log and to arbitrate.
            agent.insert(Seek::new(target));
            let target = crowd::target(round, &[target]);
            crowd::insert(&mut agent, kind, target);
            if number == 1 {
                crowd::insert(&mut agent, (kind + round + 1) % crowd::KINDS, target);
            }
        }
        Self { app, agents, obstacle, target, healthy }
    }

    /// Runs it. Whatever happens to the others, everybody is somewhere, and the healthy agent keeps to its limits.
    fn assert_finite(mut self, context: &str) {
        for _ in 0..20 {
            crowd::tick(self.app.world_mut());
            let world = self.app.world();
            for agent in self.agents.into_iter().chain([self.healthy]) {
                let place = world.get::<Transform>(agent).expect("it has a place");
                let [velocity, force] = [moves(world, agent), pushed(world, agent)];
                let is_finite = place.is_finite() && velocity.is_finite() && force.is_finite();
                assert!(is_finite, "{context}: {place:?}, {velocity}, {force}");
            }
            let body = SteeringAgent::default();
            // Rounding.
            let [speed, force] =
                [moves(world, self.healthy), pushed(world, self.healthy)].map(|vector| 0.9999 * vector.length());
            assert!(speed <= body.max_speed && force <= body.max_force, "{context}: {speed}, {force}");
        }
    }
}

fn moves(world: &World, agent: Entity) -> Vector {
    world.get::<Velocity>(agent).expect("it moves").0
}

fn pushed(world: &World, agent: Entity) -> Vector {
    world.get::<SteeringForce>(agent).expect("it is steered").0
}

#[test]
fn any_numbers_in_any_component_keep_everybody_finite() {
    let mut odd = odd_numbers(77);
    for kind in 0..crowd::KINDS {
        for round in 0..ROUNDS {
            let mut scene = Scene::new(kind, round);
            // Half of them while they run: with all that they remember.
            for _ in 0..round % 2 * 5 {
                crowd::tick(scene.app.world_mut());
            }
            for agent in scene.agents {
                scramble_settings(scene.app.world_mut(), agent, &mut odd);
            }
            scene.assert_finite(&format!("kind {kind}, round {round}"));
        }
    }
}

/// Puts odd numbers into a component.
fn scramble_one<C: Component<Mutability = Mutable> + PartialReflect>(
    world: &mut World,
    entity: Entity,
    odd: &mut dyn FnMut() -> f32,
) {
    scramble(&mut *world.get_mut::<C>(entity).expect("it has the component"), odd);
}

#[test]
fn any_numbers_in_bodies_obstacles_and_bounds_keep_everybody_finite() {
    let mut odd = odd_numbers(78);
    for kind in 0..crowd::KINDS {
        for round in 0..ROUNDS {
            let Scene { mut app, agents, obstacle, target, healthy } = Scene::new(kind, round);
            let world = app.world_mut();
            for agent in agents {
                scramble_one::<SteeringAgent>(world, agent, &mut odd);
                scramble_one::<Velocity>(world, agent, &mut odd);
                // It stays where it is if that is nowhere.
                let place = [(); 3].map(|()| Some(odd()).filter(|number| number.is_finite()).unwrap_or_default());
                world.get_mut::<Transform>(agent).expect("it has a place").translation = Vec3::from(place);
            }
            scramble_one::<Obstacle>(world, obstacle, &mut odd);
            world.entity_mut(obstacle).insert(Velocity::default());
            for entity in [obstacle, target] {
                scramble_one::<Velocity>(world, entity, &mut odd);
            }
            if round % 3 > 0 {
                scramble(&mut *world.resource_mut::<SteeringBounds>(), &mut odd);
            }
            if round % 3 > 1 {
                world.resource_mut::<SteeringBounds>().edge = Edge::Bounce;
            }
            Scene { app, agents, obstacle, target, healthy }.assert_finite(&format!("kind {kind}, round {round}"));
        }
    }
}

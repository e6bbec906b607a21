//! Scenes, and how to switch between them.

use bevy::ecs::schedule::ScheduleLabel;
use bevy::ecs::system::ScheduleSystem;
use bevy::prelude::*;
use bevy_steerling::agent::NextSteeringId;
use bevy_steerling::prelude::*;
use clap::Args;

/// A scene.
#[derive(Clone, Copy)]
pub struct Scene {
    /// The name, which is that of its example.
    pub name: &'static str,
    /// One sentence about what the scene shows.
    pub about: &'static str,
    /// A few lines on what the user can do.
    pub help: &'static str,
    /// The keys of the scene, each with a label for its button on devices without a keyboard.
    pub keys: &'static [(KeyCode, &'static str)],
    /// Adds the systems and resources of the scene.
    pub build: fn(&mut SceneApp),
}

impl Scene {
    /// Opens a window and plays the scene in it. Takes `--screenshot FILE --after SECONDS` from the command line.
    pub fn run(self) -> AppExit {
        #[derive(Args)]
        struct NoOptions {}
        self.run_with(|_: NoOptions, _| {})
    }

    /// The same for a scene with its own command line options.
    pub fn run_with<O: Args>(self, use_options: impl FnOnce(O, &mut SceneApp)) -> AppExit {
        let (mut app, options) = crate::app(self.name);
        use_options(options, &mut self.add_to(&mut app));
        app.insert_resource(Next(self)).run()
    }

    /// Adds the scene to an app.
    pub fn add_to(self, app: &mut App) -> SceneApp<'_> {
        app.init_schedule(Start(self.name)).edit_schedule(Start(self.name), |start| {
            start
                .configure_sets((StartSystems::Resources, StartSystems::Entities).chain())
                .add_systems(reseed.after(StartSystems::Resources).before(StartSystems::Entities));
        });
        let mut scene = SceneApp { app, name: self.name };
        (self.build)(&mut scene);
        scene
    }
}

/// The app of a scene, to which the scene adds its systems and resources.
pub struct SceneApp<'a> {
    app: &'a mut App,
    name: &'static str,
}

impl SceneApp<'_> {
    /// Inserts a clone of the resource whenever the scene starts.
    pub fn start_with(&mut self, resource: impl Resource + Clone) -> &mut Self {
        let insert = move |mut commands: Commands| commands.insert_resource(resource.clone());
        self.app.add_systems(Start(self.name), insert.in_set(StartSystems::Resources));
        self
    }

    /// Adds systems that run whenever the scene starts.
    pub fn on_start<M>(&mut self, systems: impl IntoScheduleConfigs<ScheduleSystem, M>) -> &mut Self {
        self.app.add_systems(Start(self.name), systems.in_set(StartSystems::Entities));
        self
    }

    /// Adds systems that run while the scene plays.
    pub fn add_systems<M>(
        &mut self,
        schedule: impl ScheduleLabel + Clone,
        systems: impl IntoScheduleConfigs<ScheduleSystem, M>,
    ) -> &mut Self {
        let name = self.name;
        let plays = move |playing: Option<Res<Playing>>| playing.is_some_and(|playing| playing.0.name == name);
        self.app
            .configure_sets(schedule.clone(), WhilePlaying(name).run_if(plays))
            .add_systems(schedule, systems.in_set(WhilePlaying(name)));
        self
    }

    /// The app itself, for whatever is shared by all scenes.
    pub fn app(&mut self) -> &mut App {
        self.app
    }
}

#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Start(&'static str);

#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum StartSystems {
    Resources,
    Entities,
}

#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct WhilePlaying(&'static str);

/// The scene that plays.
#[derive(Resource, Clone, Copy)]
pub struct Playing(pub Scene);

/// Insert this to play a scene from its start.
#[derive(Resource, Clone, Copy)]
pub struct Next(pub Scene);

/// An entity that stays when a scene ends. All other entities with a `Transform` or a `Node` are despawned.
#[derive(Component, Clone, Copy, Default)]
pub struct Permanent;

/// Insert this to give every scene this seed instead of its own.
#[derive(Resource, Clone, Copy)]
pub struct Reseed(pub SteeringSeed);

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(PreUpdate, change_scene);
}

pub(crate) fn change_scene(world: &mut World) {
    let Some(Next(scene)) = world.remove_resource::<Next>() else { return };
    let mut scenery =
        world.query_filtered::<Entity, (Or<(With<Transform>, With<Node>)>, Without<Permanent>, Without<ChildOf>)>();
    for entity in scenery.iter(world).collect::<Vec<_>>() {
        world.despawn(entity);
    }
    let mut cameras = world.query::<(&mut Transform, &mut Projection)>();
    for (mut transform, mut projection) in cameras.iter_mut(world) {
        transform.translation = Vec3::ZERO;
        if let Projection::Orthographic(projection) = &mut *projection {
            projection.scale = 1.0;
        }
    }
    world.insert_resource(SteeringBounds::default());
    world.insert_resource(SteeringSeed::default());
    world.insert_resource(NextSteeringId::default());
    world.insert_resource(Time::<Fixed>::default());
    world.insert_resource(Playing(scene));
    world.run_schedule(Start(scene.name));
}

fn reseed(mut commands: Commands, seed: Option<Res<Reseed>>) {
    if let Some(seed) = seed {
        commands.insert_resource(seed.0);
    }
}

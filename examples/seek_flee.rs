//! Seek and Flee: a pair, and three agents that each seek the next and flee from the previous one.

use bevy::prelude::*;
use bevy_steerling::prelude::*;
use stage::{Body, CROWD, PURSUER, QUARRY, Scene, SceneApp, TEXT, Trail};

pub(crate) const SCENE: Scene = Scene {
    name: "seek_flee",
    about: "One agent seeks another that flees; three seek and flee in a cycle.",
    help: "Left: blue flees when red is near, and otherwise wanders.\n\
        Right: only Seek and a weaker Flee. The curves emerge on their own.",
    keys: &[],
    build,
};

fn main() -> AppExit {
    SCENE.run()
}

fn build(scene: &mut SceneApp) {
    scene.start_with(SteeringSeed(2)).on_start(setup);
}

fn setup(mut commands: Commands) {
    pair(&mut commands, Vec2::new(-320.0, -10.0));
    cycle(&mut commands, Vec2::new(320.0, -10.0));
}

fn pair(commands: &mut Commands, middle: Vec2) {
    let [seeker, fleer] = [commands.spawn_empty().id(), commands.spawn_empty().id()];
    commands.entity(seeker).insert((
        Seek::new(fleer),
        SteeringAgent { max_speed: 220.0, max_force: 300.0, radius: 11.0, ..default() },
        Body(PURSUER),
        Trail,
        at(middle + Vec2::new(-200.0, 90.0)),
    ));
    commands.entity(fleer).insert((
        Flee::new(seeker).with_panic_distance(120.0),
        Wander::default(),
        // With a large slowing radius, Arrive acts like a spring that keeps the chase in place.
        Arrive::new(middle).with_slowing_radius(200.0).with_weight(1.2),
        SteeringAgent { max_speed: 240.0, max_force: 400.0, ..default() },
        Body(QUARRY),
        Trail,
        at(middle + Vec2::new(80.0, 0.0)),
    ));
    commands.spawn((stage::label("one seeks, the other flees", TEXT), at(middle.with_y(-320.0))));
}

fn cycle(commands: &mut Commands, middle: Vec2) {
    let agents = [(); 3].map(|()| commands.spawn_empty().id());
    let places = [Vec2::new(-160.0, -40.0), Vec2::new(130.0, 150.0), Vec2::new(80.0, -110.0)];
    for (k, (place, color)) in places.into_iter().zip([PURSUER, QUARRY, CROWD]).enumerate() {
        commands.entity(agents[k]).insert((
            Seek::new(agents[(k + 1) % 3]),
            Flee::new(agents[(k + 2) % 3]).with_weight(0.7),
            SteeringAgent { max_speed: 300.0, max_force: 300.0, radius: 11.0, ..default() },
            Body(color),
            Trail,
            at(middle + place),
        ));
    }
    commands
        .spawn((stage::label("each seeks the next and flees from the previous one", TEXT), at(middle.with_y(-320.0))));
}

fn at(place: Vec2) -> Transform {
    Transform::from_translation(place.extend(0.0))
}

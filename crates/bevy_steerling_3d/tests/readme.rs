//! The example of the README.

use bevy::prelude::*;
use bevy_steerling_3d::prelude::*;

const FISH: GroupMask = GroupMask::bit(1);
const SHARKS: GroupMask = GroupMask::bit(2);

fn plugin(app: &mut App) {
    app.add_plugins(SteeringPlugin::default())
        .insert_resource(SteeringBounds::bounce(Vec3::splat(-20.0), Vec3::splat(20.0)))
        .add_systems(Startup, setup);
}

fn setup(mut commands: Commands) {
    for number in 0..100 {
        commands.spawn((
            SteeringAgent { max_speed: 3.0, max_force: 8.0, radius: 0.2, ..default() },
            (Flock::default(), Evade::new(Target::Group(SHARKS)).with_panic_distance(6.0)),
            (SteeringGroups(FISH), FaceVelocity::default().with_turn_rate(5.0).with_banking(0.05)),
            Transform::from_xyz((number % 5) as f32, (number / 5 % 4) as f32, (number / 20) as f32),
            // And a `WorldAssetRoot`, or a `Mesh3d` with its material. Models look along their -z axis, as in Bevy.
        ));
    }
    commands.spawn((
        SteeringAgent { max_speed: 4.0, max_force: 8.0, radius: 0.8, ..default() },
        (Pursue::new(Target::Group(FISH)), FaceVelocity::default(), SteeringGroups(SHARKS)),
        Transform::from_xyz(-10.0, 2.0, 0.0),
    ));
}

#[test]
fn the_example_of_the_readme_is_this_one_and_runs() {
    let example = include_str!("readme.rs").split("\n\n").skip(1).take_while(|part| !part.starts_with("#[test]"));
    let example = example.collect::<Vec<_>>().join("\n\n");
    assert!(include_str!("../README.md").contains(&format!("```rust\n{example}\n```")));

    let mut app = App::new();
    app.add_plugins((MinimalPlugins, plugin));
    app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    for _ in 0..300 {
        app.update();
    }
    let mut agents = app.world_mut().query_filtered::<&Transform, With<SteeringAgent>>();
    assert!(agents.iter(app.world()).all(|place| place.translation.abs().max_element() <= 20.0));
    assert!(agents.iter(app.world()).any(|place| place.translation.z < -1.0));
}

#[test]
fn the_starter_scenes_are_the_programs_of_the_main_readme_and_of_the_templates() {
    let planar = (
        include_str!("../../../examples/starter.rs"),
        include_str!("../../../templates/game_2d/src/main.rs"),
        "rust,no_run",
    );
    let spatial = (
        include_str!("../../../examples_3d/starter_3d.rs"),
        include_str!("../../../templates/game_3d/src/main.rs"),
        "rust,ignore",
    );
    for (scene, template, language) in [planar, spatial] {
        assert_eq!(scene, template);
        let (_, program) = scene.split_once("\n\n").expect("the scene begins with its description");
        assert!(include_str!("../../../README.md").contains(&format!("```{language}\n{program}```")), "{program}");
    }
}

use bevy::prelude::*;
use bevy_steerling_3d::prelude::*;

fn plugin(app: &mut App) {
    app.add_plugins(SteeringPlugin::default()).add_systems(Startup, setup).add_observer(fly_back);
}

fn setup(mut commands: Commands) {
    commands.spawn((Obstacle::new(InfinitePlane3d::new(Vec3::Y)), Transform::default()));
    for number in 0..20 {
        let pillar = Transform::from_xyz((number % 5) as f32 * 8.0 - 16.0, 6.0, (number / 5) as f32 * 8.0 - 12.0);
        commands.spawn((Obstacle::new(Cylinder::new(1.0, 12.0)), pillar));
    }
    for number in 0..12 {
        let place = Vec3::new(-30.0, 3.0 + (number % 3) as f32 * 2.0, number as f32 * 2.5 - 14.0);
        let route = Route([place, Vec3::new(30.0, place.y, -place.z)]);
        commands.spawn((
            SteeringAgent { max_speed: 6.0, max_force: 12.0, radius: 0.4, ..default() },
            (Arrive::new(route.0[1]), AvoidObstacles::default(), AvoidNeighbors::default()),
            (FaceVelocity::default().with_turn_rate(3.0).with_banking(0.03), SteeringEvents::default()),
            (route, Transform::from_translation(place)),
        ));
    }
}

/// Where a drone comes from, and where it flies to.
#[derive(Component)]
struct Route([Vec3; 2]);

fn fly_back(arrived: On<Arrived>, mut drones: Query<(&mut Arrive, &mut Route)>) {
    if let Ok((mut arrive, mut route)) = drones.get_mut(arrived.entity) {
        route.0.reverse();
        arrive.target = route.0[1].into();
    }
}

#[test]
fn the_recipe_is_this_one_and_its_drones_fly_to_and_fro_without_touching() {
    use std::sync::{Arc, Mutex};

    let (recipe, _) = include_str!("drones.rs").split_once("\n#[test]").expect("the recipe comes first");
    assert!(include_str!("../../../../docs/dimensions.md").contains(&format!("```rust\n{recipe}```")));

    super::start_threads();
    let flights = Arc::new(Mutex::new(0));
    let counter = flights.clone();
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, plugin));
    app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    app.add_observer(move |_: On<Arrived>| *counter.lock().unwrap() += 1);
    let mut drones = app.world_mut().query_filtered::<&Transform, With<Route>>();
    let mut pillars = app.world_mut().query_filtered::<&Transform, (With<Obstacle>, Without<Route>)>();
    for _ in 0..64 * 45 {
        app.update();
        let places: Vec<Vec3> = drones.iter(app.world()).map(|place| place.translation).collect();
        for (index, place) in places.iter().enumerate() {
            assert!(place.y > 0.399, "{place} is in the ground");
            // The first obstacle is the ground.
            let pillars = pillars.iter(app.world()).skip(1).map(|pillar| pillar.translation);
            let mut gaps = pillars.map(|pillar| pillar.with_y(place.y).distance(*place));
            assert!(place.y > 12.399 || gaps.all(|gap| gap > 1.399), "a pillar is in the way at {place}");
            let mut gaps = places[..index].iter().map(|other| other.distance(*place));
            assert!(gaps.all(|gap| gap > 0.799), "two touch at {place}");
        }
    }
    // Each flies there and back, and there again.
    assert!(*flights.lock().unwrap() >= 3 * 12, "{flights:?}");
}

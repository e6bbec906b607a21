//! Worlds that a scenario file cannot describe fully: they are exported without a panic, and what is left out is listed.

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::prelude::*;
use steerling_scenario::{Exported, Scenario, export};

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default()));
    app
}

/// Exports a world and reads the file again.
#[track_caller]
fn exported(app: &App) -> Exported {
    let exported = export(app.world());
    if let Err(error) = Scenario::parse("exported.json", &exported.text) {
        panic!("{error}\n{}", exported.text);
    }
    exported
}

/// Checks that something is left out, and where. Ids that are not those of a scenario are always listed.
#[track_caller]
fn check_left_out(exported: &Exported, place: &str, what: &str) {
    let is_there = |place: &str, what: &str| {
        let mut list = exported.left_out.iter();
        list.any(|left_out| left_out.what.contains(what) && left_out.places.iter().any(|other| other == place))
    };
    assert!(is_there(place, what), "`{what}` of {place}: {:#?}", exported.left_out);
}

#[test]
fn a_world_without_anything_is_an_empty_file() {
    let exported = export(&World::new());
    assert_eq!(Scenario::parse("exported.json", &exported.text).map(|scenario| scenario.agent_count()).ok(), Some(0));
    check_left_out(&exported, "world", "no `Time<Fixed>`");
}

#[test]
fn ids_are_unique_names_or_contain_steering_ids() {
    let mut app = app();
    for (name, number) in [("ada", 7), ("bob", 3), ("bob", 4), ("agent 9", 5)] {
        app.world_mut().spawn((SteeringAgent::default(), Name::new(name), SteeringId::new(number)));
    }
    app.world_mut().spawn((SteeringAgent::default(), SteeringId::new(9)));
    app.world_mut().spawn((SteeringAgent::default(), SteeringId::new(10)));
    let exported = exported(&app);
    let places: Vec<usize> = ["ada", "agent 10", "agent 9", "agent 9 2", "bob 3", "bob 4"]
        .map(|id| exported.text.find(&format!("{{\"id\": \"{id}\", ")).expect(id))
        .to_vec();
    assert!(places.is_sorted(), "{}", exported.text);
}

#[test]
fn targets_that_are_no_agents_become_markers() {
    let mut app = app();
    let world = app.world_mut();
    let flag = world.spawn((Name::new("flag"), Transform::from_xyz(3.0, 4.0, 0.0))).id();
    let hand = world.spawn((Transform::from_xyz(1.0, 0.5, 0.0), ChildOf(flag))).id();
    let ball = world.spawn((Transform::from_xyz(9.0, 9.0, 0.0), Velocity(Vec2::X), Name::new("ball"))).id();
    let gone = world.spawn(Transform::default()).id();
    world.despawn(gone);
    world.spawn((Name::new("a"), Seek::new(flag), Arrive::new(hand), Pursue::new(ball), Evade::new(gone)));
    let itself = world.spawn(Name::new("b")).id();
    world.entity_mut(itself).insert(Flee::new(itself));
    let exported = exported(&app);
    assert!(
        exported.text.contains(r#"{"ball": [[0, 9, 9]], "flag": [[0, 3, 4]], "target": [[0, 4, 4.5]]}"#),
        "{}",
        exported.text
    );
    check_left_out(&exported, "ball", "a target that moves");
    check_left_out(&exported, "a", "evade.target: the target is not in the file");
    check_left_out(&exported, "b", "flee.target: the agent itself");
}

#[test]
fn bad_numbers_are_left_out_or_replaced() {
    let mut app = app();
    let world = app.world_mut();
    world.insert_resource(SteeringBounds::wrap(Vec2::ZERO, Vec2::new(9.0, f32::NAN)));
    let nowhere =
        world.spawn((Name::new("nowhere"), Seek::new(Vec2::ZERO), Transform::from_xyz(f32::NAN, 0.0, 0.0))).id();
    let body = SteeringAgent { mass: 0.0, max_speed: f32::INFINITY, radius: f32::NAN, max_force: -3.0, ..default() };
    let path = FollowPath::new([Vec2::ZERO, Vec2::splat(f32::MAX)]);
    let behaviors = (
        Seek::new(Vec2::INFINITY),
        Flee::new(nowhere),
        Arrive::new(Vec2::ZERO).with_weight(f32::NAN),
        Separation { groups: GroupMask::NONE, ..default() },
        Hold::at(Vec2::NAN),
        Orbit::new(Vec2::ZERO, f32::NEG_INFINITY),
        path,
        FollowField::new(nowhere),
    );
    world.spawn((Name::new("a"), body, Velocity(Vec2::NAN), behaviors, SteeringGroups(GroupMask::NONE)));
    for shape in [
        ObstacleShape::Circle(Circle::new(f32::NAN)),
        ObstacleShape::Rectangle(Rectangle { half_size: Vec2::new(f32::INFINITY, -1.0) }),
        ObstacleShape::Polyline(Polyline2d::new([])),
        ObstacleShape::Segment(Segment2d::new(Vec2::NAN, Vec2::ONE)),
    ] {
        world.spawn((Obstacle::new(shape), Name::new("wall"), Velocity(Vec2::INFINITY)));
    }
    world.spawn((Obstacle::new(Circle::new(3.0)), Transform::from_rotation(Quat::NAN)));
    let exported = exported(&app);
    check_left_out(&exported, "nowhere", "position: ");
    check_left_out(&exported, "world", "bounds: ");
    for what in [
        "mass: ",
        "max_speed: ",
        "max_force: ",
        "radius: ",
        "velocity: ",
        "groups: a mask without bits",
        "seek.target: ",
        "flee.target: ",
        "arrive.weight: ",
        "separation.groups: ",
        "hold.place: ",
        "orbit.radius: ",
        "follow_path.path: ",
        "follow_field.field: ",
    ] {
        check_left_out(&exported, "a", what);
    }
    assert!(
        exported.text.contains(r#""mass": 1e-9, "max_speed": 1000000000, "max_force": 0, "radius": 0"#),
        "{}",
        exported.text
    );
}

#[test]
fn shapes_that_reach_beyond_the_limit_are_left_out() {
    let mut app = app();
    let up = |y: f32| Vec2::new(0.0, y);
    let shapes: [(&str, ObstacleShape); 4] = [
        ("segment", Segment2d::new(up(-4e8), up(4e8)).into()),
        ("capsule", Capsule2d::new(1.0, 8e8).into()),
        ("polygon", ConvexPolygon::new([up(-4e8), Vec2::new(4e8, 0.0), up(4e8)]).expect("it is convex").into()),
        ("polyline", Polyline2d::new([up(-4e8), Vec2::ZERO, up(4e8)]).into()),
    ];
    for (name, shape) in shapes {
        let named = |name: String, y| (Obstacle::new(shape.clone()), Name::new(name), Transform::from_xyz(0.0, y, 0.0));
        app.world_mut().spawn_batch([named(name.to_owned(), 9e8), named(format!("near {name}"), 6e8)]);
    }
    let exported = exported(&app);
    for name in ["segment", "capsule", "polygon", "polyline"] {
        check_left_out(&exported, name, "is not within 1e9 of the origin");
    }
    // A coordinate that is 1e9 is within the limit.
    let again = Scenario::parse("exported.json", &exported.text).expect("it was read before");
    assert_eq!(again.obstacle_count(), 4, "{}", exported.text);
}

#[derive(Component, Clone)]
struct Dance;

impl SteeringBehavior for Dance {
    type Param = ();
    type State = Stateless;

    fn wish(&self, _: &mut Stateless, _: &Agent, _: &SystemParamItem<Self::Param>) -> Wish {
        Wish::Nothing
    }
}

#[test]
fn what_files_do_not_know_is_listed() {
    let mut app = app();
    app.add_steering_behavior::<Dance>();
    let world = app.world_mut();
    world.insert_resource(SteeringPlane::XZ);
    let field = FlowField::from_fn(Rect::new(0.0, 0.0, 9.0, 9.0), 1.0, |_| Vec2::X).expect("it is valid");
    let field = world.spawn((field, Name::new("wind"))).id();
    let settings = (
        Dance,
        FollowField::new(field),
        ExternalMovement,
        Solid { layers: GroupMask::bit(3) },
        FaceVelocity::default(),
        SteeringEvents::default().with_arrival_distance(3.0),
        AvoidObstacles::default(),
        AvoidWithFeelers::default(),
        Arbitration::new(ArbitrationMode::PrioritizedSum).with_priority::<Dance>(3),
    );
    world.spawn((Name::new("a"), settings));
    world.spawn((Name::new("off"), SteeringAgent::default(), Disabled));
    let [first, second, alone] = ["first", "second", "alone"].map(|name| world.spawn(Name::new(name)).id());
    world.entity_mut(first).insert((SteeringAgent::default(), Formation::new(Pattern::Line), InFormation(second)));
    world.entity_mut(second).insert((SteeringAgent::default(), Formation::new(Pattern::Line), InFormation(first)));
    world.entity_mut(alone).insert((SteeringAgent::default(), Formation::new(Pattern::Line)));
    world.spawn((Name::new("pillar"), Formation::new(Pattern::Line), Transform::default()));
    let exported = exported(&app);
    for what in [
        "`Dance` is no behavior",
        "follow_field.field: ",
        "`ExternalMovement`",
        "`Solid::layers`",
        "`FaceVelocity` without `Sight`",
        "the fields of `SteeringEvents`",
        "avoid_obstacles: the agent has two",
        "arbitration: a rule for `Dance`",
        "`SteeringId`",
    ] {
        check_left_out(&exported, "a", what);
    }
    check_left_out(&exported, "world", "`SteeringPlane`");
    check_left_out(&exported, "wind", "a flow field of given directions");
    check_left_out(&exported, "off", "disabled");
    check_left_out(&exported, "first", "formation: its anchor follows itself");
    check_left_out(&exported, "alone", "formation: no members");
    check_left_out(&exported, "pillar", "a formation whose anchor is not an agent");
}

#[test]
fn what_agents_remember_is_listed_once_they_have_moved() {
    let mut app = app();
    app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    let walk = FollowPath::new([Vec2::ZERO, Vec2::new(100.0, 0.0), Vec2::new(100.0, 100.0)]);
    app.world_mut().spawn((Name::new("a"), walk, Wander::default(), Hold::default()));
    assert!(!exported(&app).left_out.iter().any(|left_out| left_out.what.contains("starts anew")));
    for _ in 0..30 {
        app.update();
    }
    let exported = exported(&app);
    check_left_out(&exported, "a", "`PathProgress` starts anew");
    check_left_out(&exported, "a", "`WanderState` starts anew");
    assert!(exported.text.contains(r#"{"hold": {"place": [0, 0]}}"#), "{}", exported.text);
}

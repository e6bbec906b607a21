//! Input that makes no sense gives finite results, and harms nobody else.

use bevy_steerling::behaviors::wander::WanderDrive;
use bevy_steerling::constraints::avoid_neighbors::Detour;
use bevy_steerling::constraints::queue::QueuePlace;

use super::*;

/// Numbers nobody should write into a game.
const ODD: [f32; 8] = [0.0, -1.0, 1e-30, 1e9, 1e30, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

fn room() -> Contain {
    Contain::new(Rectangle::new(90.0, 60.0))
}

fn polygon(x: f32) -> ConvexPolygon {
    ConvexPolygon::new_unchecked(vec![Vec2::new(x, 0.0), Vec2::new(0.0, 70.0), Vec2::new(-70.0, -70.0)])
}

fn queue(style: ClassicQueueStyle) -> ClassicQueue {
    ClassicQueue::new(style)
}

fn leave_dead_ends() -> AvoidObstacles {
    AvoidObstacles::default().with_leave_dead_ends(true)
}

fn seek_and_wander(weight: f32) -> impl Bundle {
    (Seek::new(Vec2::new(50.0, 20.0)).with_weight(weight), Wander::default(), Separation::default())
}

fn dithering(odd: f32) -> Arbitration {
    let dithering = Arbitration::new(ArbitrationMode::Dithering);
    dithering.with_probability::<Wander>(odd).with_probability::<Seek>(odd).with_priority::<Seek>(i32::MIN)
}

fn car() -> BodyLimits {
    BodyLimits::default().with_min_turning_radius(20.0).with_max_braking(90.0).with_reverse_speed(30.0)
}

/// One agent with each behavior aimed at `target`, in turn.
pub fn with_each_behavior(world: &mut World, target: Target, bundle: impl Bundle + Clone) -> Vec<Entity> {
    vec![
        world.spawn((Seek::new(target), bundle.clone())).id(),
        world.spawn((Flee::new(target), bundle.clone())).id(),
        world.spawn((Arrive::new(target), bundle.clone())).id(),
        world.spawn((Arrive::new(target).with_slowing_radius(50.0), bundle.clone())).id(),
        world.spawn((Pursue::new(target), bundle.clone())).id(),
        world.spawn((Pursue::new(target).with_prediction(Prediction::Proportional), bundle.clone())).id(),
        world.spawn((Pursue::new(target).with_prediction(Prediction::Fixed(2.0)), bundle.clone())).id(),
        world.spawn((Evade::new(target), bundle.clone())).id(),
        world.spawn((Evade::new(target).with_prediction(Prediction::Proportional), bundle.clone())).id(),
        world.spawn((Evade::new(target).with_prediction(Prediction::Fixed(2.0)), bundle.clone())).id(),
        world.spawn((MatchVelocity::new(target), bundle.clone())).id(),
        world.spawn((Wander::default(), bundle.clone())).id(),
        world.spawn((Wander::default().with_drive(WanderDrive::Displacement), bundle.clone())).id(),
        world.spawn((Separation::default(), bundle.clone())).id(),
        world.spawn((Seek::new(target), Queue::default(), bundle.clone())).id(),
        world.spawn((Seek::new(target), AvoidNeighbors::default(), bundle.clone())).id(),
        world.spawn((Alignment::default(), bundle.clone())).id(),
        world.spawn((Cohesion::default(), bundle.clone())).id(),
        world.spawn((Flock::default(), bundle.clone())).id(),
        // Two, so that they meet.
        world.spawn((Seek::new(target), Solid::default(), bundle.clone())).id(),
        world.spawn((Seek::new(target), Solid::default(), AvoidObstacles::default(), bundle.clone())).id(),
        world.spawn((Seek::new(target), room(), bundle.clone())).id(),
        world.spawn((Seek::new(target), Contain::new(Circle::new(40.0)), bundle.clone())).id(),
        world.spawn((Seek::new(target), car(), AvoidObstacles::default(), bundle.clone())).id(),
        world.spawn((Arrive::new(target), car(), room(), bundle.clone())).id(),
        world.spawn((Pursue::new(target), BodyLimits::default().with_max_turn_rate(2.0), bundle.clone())).id(),
        world.spawn((Flee::new(target), car(), FaceVelocity::default(), bundle.clone())).id(),
        world.spawn((Seek::new(target), Knockback::new(Vec2::new(90.0, 0.0)), Solid::default(), bundle.clone())).id(),
        world.spawn((Seek::new(target), queue(ClassicQueueStyle::HardStop), bundle.clone())).id(),
        world.spawn((Seek::new(target), queue(ClassicQueueStyle::Brake), bundle.clone())).id(),
        world.spawn((Seek::new(target), queue(ClassicQueueStyle::BrakeAndHardStop), bundle.clone())).id(),
        world.spawn((Seek::new(target), queue(ClassicQueueStyle::BrakeAndSeparate), bundle)).id(),
    ]
}

pub fn assert_finite(app: &App, agents: &[Entity], what: &str) {
    for &agent in agents {
        let (p, v, f) = (position(app, agent), velocity(app, agent), force(app, agent));
        assert!(p.is_finite() && v.is_finite() && f.is_finite(), "{what}: at {p}, velocity {v}, force {f}");
    }
}

#[test]
pub fn a_target_in_the_agents_own_place() {
    let mut app = app();
    let moving = Velocity(Vec2::new(3.0, 0.0));
    let agents = with_each_behavior(app.world_mut(), Target::Point(Vec2::splat(10.0)), (moving, at(10.0, 10.0)));
    run(&mut app, 1);
    assert_finite(&app, &agents, "own place");
    // Seek and Arrive want to stand still: the force is −v/h.
    for index in [0, 2, 3] {
        let off = force(&app, agents[index]) - Vec2::new(-180.0, 0.0);
        assert!(off.length() < 1e-3, "{index}: {off}");
    }
    let flight = velocity(&app, agents[1]);
    run(&mut app, 60);
    assert_finite(&app, &agents, "own place");
    assert_ne!(flight, moving.0);
}

#[test]
pub fn fleeing_from_ones_own_place_always_takes_the_same_way() {
    let way = |id: u64| {
        let mut app = app();
        let agent = app.world_mut().spawn((Flee::new(Vec2::ZERO), SteeringId::new(id), Transform::default())).id();
        run(&mut app, 30);
        velocity(&app, agent)
    };
    assert!(way(5).length() > 90.0);
    assert_eq!(way(5), way(5));
    assert_ne!(way(5), way(6));
}

#[test]
pub fn two_agents_on_one_point_part() {
    let mut app = app();
    let pair = [0, 1].map(|_| app.world_mut().spawn((Separation::default(), at(3.0, 4.0))).id());
    run(&mut app, 120);
    assert_finite(&app, &pair, "one point");
    // As far as they see each other.
    let distance = position(&app, pair[0]).distance(position(&app, pair[1]));
    assert!(distance >= 32.0, "{distance}");
}

#[test]
pub fn a_thousand_agents_on_one_point_part() {
    let mut app = app();
    let agents: Vec<Entity> =
        (0..1000).map(|_| app.world_mut().spawn((Separation::default(), at(3.0, 4.0))).id()).collect();
    let least_distance = |app: &App| {
        let positions: Vec<Vec2> = agents.iter().map(|&agent| position(app, agent)).collect();
        let pairs = positions.iter().enumerate().flat_map(|(i, a)| positions[..i].iter().map(|b| a.distance(*b)));
        pairs.fold(f32::INFINITY, f32::min)
    };
    run(&mut app, 1);
    assert!(least_distance(&app) > 0.0);
    run(&mut app, 60 * 20);
    assert_finite(&app, &agents, "a thousand on one point");
    let distance = least_distance(&app);
    assert!(distance >= 16.0, "bodies of radius 8 still overlap after 20 s: {distance}");
}

#[test]
pub fn bodies_that_make_no_sense() {
    let sound = SteeringAgent::default();
    for odd in ODD {
        for (what, body) in [
            ("mass", SteeringAgent { mass: odd, ..sound }),
            ("max_speed", SteeringAgent { max_speed: odd, ..sound }),
            ("max_force", SteeringAgent { max_force: odd, ..sound }),
            ("radius", SteeringAgent { radius: odd, ..sound }),
            ("response_time", SteeringAgent { response_time: odd, ..sound }),
        ] {
            let mut app = app();
            let target = app.world_mut().spawn((Velocity(Vec2::new(5.0, 1.0)), at(50.0, 20.0))).id();
            app.world_mut().spawn((Obstacle::new(Circle::new(5.0)), at(12.0, 12.0)));
            let mut agents = with_each_behavior(app.world_mut(), Target::Entity(target), (body, at(10.0, 10.0)));
            agents.extend(with_each_behavior(
                app.world_mut(),
                Target::Group(GroupMask::DEFAULT),
                (body, at(12.0, 10.0)),
            ));
            // Sound ones that it meets.
            let sound = (Seek::new(target), Solid::default(), at(11.0, 9.0));
            let sound: Vec<Entity> = (0..2).map(|_| app.world_mut().spawn(sound.clone()).id()).collect();
            run(&mut app, 10);
            assert_finite(&app, &sound, &format!("beside {what} = {odd}"));
            assert_finite(&app, &agents, &format!("{what} = {odd}"));
            for &agent in &agents {
                let speed = velocity(&app, agent).length();
                assert!(speed <= body.max_speed.max(0.0) * 1.000_01, "{what} = {odd}: speed {speed}");
            }
        }
    }
}

#[test]
pub fn options_that_make_no_sense() {
    for odd in ODD {
        let mut app = app();
        let world = app.world_mut();
        let target = world.spawn((Velocity(Vec2::new(5.0, 1.0)), at(50.0, 20.0))).id();
        let (here, everybody) = (at(10.0, 10.0), Target::Group(GroupMask::DEFAULT));
        let agents = vec![
            world.spawn((Seek::new(target).with_weight(odd), here)).id(),
            world.spawn((Flee::new(target).with_panic_distance(odd), here)).id(),
            world.spawn((Arrive::new(target).with_slowing_radius(odd), here)).id(),
            world.spawn((Arrive::new(target).with_arrival_tolerance(odd), here)).id(),
            world.spawn((Pursue::new(target).with_prediction(Prediction::Fixed(odd)), here)).id(),
            world.spawn((Pursue::new(target).with_max_prediction(odd), here)).id(),
            world.spawn((Evade::new(target).with_panic_distance(odd), here)).id(),
            world.spawn((MatchVelocity::new(target).with_weight(odd), here)).id(),
            world.spawn((Flee::new(everybody).with_panic_distance(odd), here)).id(),
            world.spawn((Evade::new(everybody).with_panic_distance(odd), here)).id(),
            world.spawn((Evade::new(everybody).with_max_prediction(odd), at(11.0, 10.0))).id(),
            world.spawn((Wander::default().with_circle(odd, 5.0), here)).id(),
            world.spawn((Wander::default().with_circle(5.0, odd), here)).id(),
            world.spawn((Wander::default().with_angle_change(odd), here)).id(),
            world.spawn((Wander::default().with_initial_angle(odd).with_drive(WanderDrive::Displacement), here)).id(),
            world.spawn((Separation::default().with_radius(odd), here)).id(),
            world.spawn((Separation::default().with_max_separation(odd), here)).id(),
            world.spawn((Contain::new(Circle::new(odd)), Wander::default(), here)).id(),
            world.spawn((Contain::new(Rectangle::new(odd, 90.0)), Wander::default(), here)).id(),
            world.spawn((Contain::new(polygon(odd)), Wander::default(), here)).id(),
            world.spawn((room().with_center(Vec2::new(odd, 5.0)), Wander::default(), here)).id(),
            world.spawn((room().with_rotation(odd), Wander::default(), here)).id(),
            world.spawn((room().with_look_ahead(odd), Wander::default(), here)).id(),
            world.spawn((room().with_weight(odd), Wander::default(), here)).id(),
            world.spawn((AvoidNeighbors::default().with_time_horizon(odd), Seek::new(target), here)).id(),
            world.spawn((AvoidNeighbors::default().with_weight(odd), Arrive::new(target), here)).id(),
            world
                .spawn((AvoidNeighbors::default(), state_with::<Detour, f32>(".0", odd), Seek::new(target), here))
                .id(),
            world.spawn((Queue::default().with_time_gap(odd), Seek::new(target), here)).id(),
            world.spawn((Queue::default().with_headway(odd), Seek::new(target), here)).id(),
            world.spawn((Queue::default(), state_with::<QueuePlace, f32>("place", odd), Seek::new(target), here)).id(),
            world.spawn((Queue::default().with_weight(odd), Solid::default(), Seek::new(target), here)).id(),
            world.spawn((Solid { layers: GroupMask::NONE }, Seek::new(target).with_weight(odd), here)).id(),
            world.spawn((AvoidObstacles::default().with_look_ahead(odd), Seek::new(target), here)).id(),
            world.spawn((AvoidObstacles::default().with_max_avoid_force(odd), Seek::new(target), here)).id(),
            world.spawn((leave_dead_ends().with_look_ahead(odd), Seek::new(target), here)).id(),
            world.spawn((leave_dead_ends().with_max_avoid_force(odd), Seek::new(target), here)).id(),
            world.spawn((FollowWall::new(ObstacleSide::Right, odd), here)).id(),
            world.spawn((FollowWall::new(ObstacleSide::Right, 9.0).with_reach(odd), here)).id(),
            world.spawn((FollowWall::new(ObstacleSide::Left, 9.0).with_weight(odd), here)).id(),
            world
                .spawn((
                    Arbitration::new(ArbitrationMode::PriorityGroups { threshold: odd }),
                    seek_and_wander(odd),
                    here,
                ))
                .id(),
            world.spawn((Arbitration::new(ArbitrationMode::PrioritizedSum), seek_and_wander(odd), here)).id(),
            world.spawn((dithering(odd), seek_and_wander(odd), SteeringTrace::default(), here)).id(),
            world.spawn((SteeringTrace::default(), seek_and_wander(odd), here)).id(),
            world.spawn((queue(ClassicQueueStyle::Brake).with_look_ahead(odd), here)).id(),
            world.spawn((queue(ClassicQueueStyle::Brake).with_radius(odd), here)).id(),
            world.spawn((queue(ClassicQueueStyle::Brake).with_brake(odd), Seek::new(target), here)).id(),
            world.spawn((queue(ClassicQueueStyle::HardStop).with_kept_velocity(odd), Seek::new(target), here)).id(),
            world.spawn((queue(ClassicQueueStyle::BrakeAndSeparate).with_weight(odd), Seek::new(target), here)).id(),
            world.spawn((car().with_max_turn_rate(odd), Seek::new(target), here)).id(),
            world.spawn((car().with_min_turning_radius(odd), Seek::new(target), here)).id(),
            world.spawn((car().with_max_acceleration(odd), Arrive::new(target), here)).id(),
            world.spawn((car().with_max_braking(odd), Arrive::new(target), AvoidObstacles::default(), here)).id(),
            world.spawn((car().with_max_braking(odd), Arrive::new(target), room(), here)).id(),
            world.spawn((car().with_reverse_speed(odd), Seek::new(Vec2::new(-9.0, 9.0)), here)).id(),
            world.spawn((car().with_heading(Vec2::new(odd, 1.0)), Flee::new(target), here)).id(),
            world.spawn((Knockback::new(Vec2::new(odd, 3.0)), Seek::new(target), here)).id(),
            world.spawn((Knockback::new(Vec2::splat(99.0)).with_time_constant(odd), Solid::default(), here)).id(),
        ];
        // A wall to follow, across the way to the target.
        world.spawn((Obstacle::new(Rectangle::new(4.0, 40.0)), at(30.0, 15.0)));
        for shape in [
            ObstacleShape::from(Circle::new(odd)),
            Rectangle::new(odd, 9.0).into(),
            Capsule2d::new(odd, 9.0).into(),
            Segment2d::new(Vec2::new(odd, 0.0), Vec2::new(5.0, 5.0)).into(),
            polygon(odd).into(),
            Polyline2d::new([Vec2::new(odd, 0.0), Vec2::new(5.0, 5.0), Vec2::new(9.0, odd)]).into(),
        ] {
            app.world_mut().spawn((Obstacle::new(shape), Velocity(Vec2::new(odd, 3.0)), at(12.0, 12.0)));
        }
        run(&mut app, 10);
        assert_finite(&app, &agents, &format!("{odd}"));
    }
}

#[test]
fn a_wall_is_not_followed_without_a_distance_or_a_reach() {
    let point = SteeringAgent { radius: 0.0, ..default() };
    let follow = |distance: f32| FollowWall::new(ObstacleSide::Right, distance);
    for (what, moves, body, follow, y) in [
        ("both", true, default(), follow(20.0), 40.0),
        ("both, inside the wall", true, default(), follow(20.0), 5.0),
        ("no distance", false, point, follow(0.0), 40.0),
        ("an endless distance", false, default(), follow(f32::INFINITY), 40.0),
        ("no reach, inside the wall", false, default(), follow(20.0).with_reach(0.0), 5.0),
        ("a negative reach, inside the wall", false, default(), follow(20.0).with_reach(-1.0), 5.0),
        ("a reach that is not a number", false, default(), follow(20.0).with_reach(f32::NAN), 40.0),
    ] {
        let mut app = app();
        app.world_mut().spawn((Obstacle::new(Rectangle::new(8000.0, 20.0)), Transform::default()));
        let agent = app.world_mut().spawn((follow, body, at(0.0, y))).id();
        run(&mut app, 60);
        assert_eq!(position(&app, agent) != Vec2::new(0.0, y), moves, "{what}");
    }
}

#[test]
pub fn far_away_and_very_fast() {
    for far in [1e6, 1e7, 1e9, 1e20, f32::MAX] {
        for near in [0.0, far, -far] {
            let mut app = app();
            let target = app.world_mut().spawn((Velocity(Vec2::new(far, -far)), at(far, -near))).id();
            let fast = SteeringAgent { max_speed: 1e9, max_force: 1e9, ..default() };
            let mut agents = with_each_behavior(app.world_mut(), Target::Entity(target), (fast, at(near, far)));
            agents.extend(with_each_behavior(
                app.world_mut(),
                Target::Group(GroupMask::DEFAULT),
                (fast, at(far, near)),
            ));
            run(&mut app, 20);
            assert_finite(&app, &agents, &format!("{far} {near}"));
        }
    }
}

#[test]
pub fn what_is_not_a_number_stays_with_its_agent() {
    let run_with = |poison: Option<f32>| {
        let mut app = app();
        let world = app.world_mut();
        let poisoned = world.spawn((Wander::default(), Separation::default(), at(15.0, 10.0))).id();
        match poison {
            Some(poison) => world.get_mut::<Transform>(poisoned).unwrap().translation.x = poison,
            // As if it had never been, but for its number.
            None => _ = world.despawn(poisoned),
        }
        let mut others = with_each_behavior(world, Target::Point(Vec2::splat(50.0)), at(10.0, 10.0));
        others.push(world.spawn((Separation::default(), at(12.0, 10.0))).id());
        others.push(world.spawn((Pursue::new(Target::Group(GroupMask::DEFAULT)), at(14.0, 10.0))).id());
        others.push(world.spawn((Evade::new(Target::Group(GroupMask::DEFAULT)), at(16.0, 10.0))).id());
        let chaser = world.spawn((Pursue::new(poisoned), Seek::new(Vec2::ZERO), at(900.0, 900.0))).id();
        run(&mut app, 30);
        assert_finite(&app, &others, "a poisoned neighbor");
        assert_finite(&app, &[chaser], "a poisoned quarry");
        others.iter().map(|&agent| position(&app, agent)).collect::<Vec<_>>()
    };
    let sound = run_with(None);
    for poison in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(run_with(Some(poison)), sound);
    }
}

#[test]
fn a_behavior_that_returns_nonsense_is_not_heard() {
    #[derive(Component)]
    #[require(SteeringAgent)]
    struct Broken;
    impl SteeringBehavior for Broken {
        type State = Stateless;
        type Param = ();
        fn wish(&self, _: &mut Stateless, _: &Agent, (): &()) -> Wish {
            Wish::Force(Vec2::new(f32::NAN, 1.0))
        }
    }
    let mut app = app();
    app.add_steering_behavior::<Broken>();
    let agent = app.world_mut().spawn((Broken, Seek::new(Vec2::new(100.0, 0.0)))).id();
    run(&mut app, 10);
    assert_finite(&app, &[agent], "broken");
    assert!(velocity(&app, agent).x > 0.0);
}

#[test]
fn thresholds_and_probabilities_that_make_no_sense_are_read_as_the_nearest_that_do() {
    let force_with = |arbitration: Arbitration| {
        let mut app = app();
        let agent = app.world_mut().spawn((arbitration, Seek::new(Vec2::new(100.0, 0.0)))).id();
        run(&mut app, 1);
        force(&app, agent).x
    };
    for (threshold, wins) in [(f32::NAN, true), (-1.0, true), (f32::NEG_INFINITY, true), (f32::INFINITY, false)] {
        let force = force_with(Arbitration::new(ArbitrationMode::PriorityGroups { threshold }));
        assert_eq!(force > 0.0, wins, "{threshold}");
    }
    for (probability, wins) in [(f32::NAN, false), (-1.0, false), (2.0, true), (f32::INFINITY, true)] {
        let dithering = Arbitration::new(ArbitrationMode::Dithering).with_probability::<Seek>(probability);
        assert_eq!(force_with(dithering) > 0.0, wins, "{probability}");
    }
}

#[test]
pub fn very_long_ticks() {
    for rate in [1.0, 0.1, 0.001] {
        let mut app = app_at(rate);
        let target = app.world_mut().spawn((Velocity(Vec2::new(5.0, 1.0)), at(50.0, 20.0))).id();
        let mut agents = with_each_behavior(app.world_mut(), Target::Entity(target), at(10.0, 10.0));
        agents.extend(with_each_behavior(app.world_mut(), Target::Group(GroupMask::DEFAULT), at(10.0, 10.0)));
        run(&mut app, 100);
        assert_finite(&app, &agents, &format!("{rate} Hz"));
        for &agent in &agents {
            assert!(velocity(&app, agent).length() <= 100.001);
        }
        // Stops even so.
        assert!(position(&app, agents[2]).distance(Vec2::new(50.0, 20.0)) < 1.0);
    }
}

#[test]
pub fn agents_that_start_in_each_other_part_at_most_at_max_speed() {
    let mut app = app();
    // So strong that a few ticks are enough for max speed.
    let body = SteeringAgent { max_force: 3000.0, ..default() };
    let agents: Vec<Entity> =
        (0..50).map(|k| app.world_mut().spawn((Separation::default(), body, at(k as f32 * 0.1, 0.0))).id()).collect();
    let (mut fastest, mut strongest) = (0.0_f32, 0.0_f32);
    for _ in 0..120 {
        run(&mut app, 1);
        for &agent in &agents {
            fastest = fastest.max(velocity(&app, agent).length());
            strongest = strongest.max(force(&app, agent).length());
        }
    }
    // Both limits are reached, and neither is exceeded.
    assert!((fastest / body.max_speed - 1.0).abs() < 1e-5, "{fastest}");
    assert!((strongest / body.max_force - 1.0).abs() < 1e-5, "{strongest}");
}

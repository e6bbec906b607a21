//! Obstacles that turn: bars about their middle, and doors about their hinge.

use std::f32::consts::{PI, TAU};

use bevy::math::ops;

use super::*;

const BODY: SteeringAgent =
    SteeringAgent { mass: 1.0, max_speed: 100.0, max_force: 300.0, radius: 8.0, response_time: 0.0 };

/// An obstacle that turns, and agents.
struct Scene {
    app: App,
    obstacle: Entity,
    shape: ObstacleShape,
    turn_rate: f32,
    agents: Vec<Entity>,
    transform: Transform,
}

impl Scene {
    fn new(shape: ObstacleShape, turn_rate: f32, angle: f32) -> Self {
        let mut app = app();
        let transform = at(0.0, 0.0).with_rotation(Quat::from_rotation_z(angle));
        let obstacle = Obstacle::new(shape.clone()).with_turn_rate(turn_rate);
        let obstacle = app.world_mut().spawn((obstacle, transform)).id();
        Self { app, obstacle, shape, turn_rate, agents: Vec::new(), transform }
    }

    /// The distance from a place to the obstacle.
    fn distance(&self, place: Vec2) -> f32 {
        self.shape.placed(&self.transform, SteeringPlane::XY).distance(place).0
    }

    fn turn(&mut self) {
        self.transform.rotate_z(self.turn_rate * TICK);
        *self.app.world_mut().get_mut::<Transform>(self.obstacle).expect("it is there") = self.transform;
        run(&mut self.app, 1);
    }

    /// The deepest overlap of an agent, units.
    fn deepest(&self) -> f32 {
        self.agents.iter().map(|agent| BODY.radius - self.distance(position(&self.app, *agent))).fold(0.0, f32::max)
    }

    /// Spawns up to four agents around the obstacle, where they can get away from it.
    fn surround(&mut self, number: &mut impl FnMut() -> f32, far: f32, behavior: u64) {
        for _ in 0..4 {
            let place = Vec2::from_angle(TAU * number()) * (far * number());
            let goal = Vec2::from_angle(TAU * number()) * far;
            if self.distance(place) < room_for(self.turn_rate.abs() * (place.length() + BODY.radius)) {
                continue;
            }
            let mut agent = self.app.world_mut().spawn((AvoidObstacles::default(), BODY, at(place.x, place.y)));
            match behavior {
                0 => {}
                1 => _ = agent.insert(Seek::new(goal)),
                2 => _ = agent.insert(Arrive::new(goal)),
                _ => _ = agent.insert(Wander::default()),
            }
            self.agents.push(agent.id());
        }
    }
}

/// The distance from a wall at which an agent at rest can get away if the wall moves toward it at `speed`, units.
fn room_for(speed: f32) -> f32 {
    1.1 * BODY.radius + speed * speed / (1.2 * BODY.max_force)
}

#[test]
fn a_bar_that_turns_touches_no_agent_that_can_get_away() {
    let mut count = 0;
    for seed in 0..u64::from(quarter_of(120)) {
        let mut number = numbers(seed);
        let length = 60.0 + 240.0 * number();
        // The agents are faster than its ends.
        let fastest = 0.85 * BODY.max_speed / (0.5 * length + BODY.radius);
        let turn_rate = fastest * (0.2 + 0.8 * number()) * if number() < 0.5 { 1.0 } else { -1.0 };
        let bar = Rectangle::new(length, 4.0 + 16.0 * number());
        let mut scene = Scene::new(bar.into(), turn_rate, TAU * number());
        scene.surround(&mut number, 0.65 * length, seed % 4);
        for tick in 0..60 * 12 {
            scene.turn();
            assert!(scene.deepest() <= 0.0, "seed {seed}: {} deep in tick {tick}", scene.deepest());
        }
        count += scene.agents.len();
    }
    assert!(count > 60, "{count}");
}

#[test]
fn a_door_that_swings_touches_no_agent_that_can_get_away() {
    let mut count = 0;
    for seed in 0..u64::from(quarter_of(120)) {
        let mut number = numbers(seed);
        let (length, thickness) = (30.0 + 120.0 * number(), 2.0 + 4.0 * number());
        let corners = [(0.0, -thickness), (length, -thickness), (length, thickness), (0.0, thickness)];
        let door = ConvexPolygon::new(corners.map(Vec2::from)).expect("it is convex");
        let fastest = 0.85 * BODY.max_speed / (length + BODY.radius) * (0.2 + 0.8 * number());
        let mut scene = Scene::new(door.into(), fastest, TAU * number());
        scene.surround(&mut number, 1.3 * length, 2 * (seed % 2));
        count += scene.agents.len();
        // It opens by 90° to 170° and closes, twice; the speed swells and fades.
        let angle = PI * (0.5 + 0.45 * number()) * if number() < 0.5 { 1.0 } else { -1.0 };
        let seconds = 0.5 * PI * angle.abs() / fastest;
        for swing in 0..4 {
            let way = if swing % 2 == 0 { angle } else { -angle };
            let mut time = 0.0;
            while time < seconds + 1.0 {
                let share = (PI * time / seconds).min(PI);
                scene.turn_rate = way * (0.5 * PI / seconds) * ops::sin(share).max(0.0);
                let mut door = scene.app.world_mut().get_mut::<Obstacle>(scene.obstacle).expect("it is there");
                door.turn_rate = scene.turn_rate;
                scene.turn();
                time += TICK;
                assert!(scene.deepest() <= 0.0, "seed {seed}: {} deep in swing {swing}", scene.deepest());
            }
        }
    }
    assert!(count > 60, "{count}");
}

#[test]
fn a_solid_body_that_a_bar_hits_is_moved_by_it_and_is_warned() {
    #[derive(Resource, Default)]
    struct Warnings(Vec<(Entity, Entity)>);
    for seed in 0..8 {
        let mut number = numbers(seed);
        let length = 100.0 + 100.0 * number();
        let turn_rate = (0.3 + number()) * if seed.is_multiple_of(2) { 1.0 } else { -1.0 };
        let mut scene = Scene::new(Rectangle::new(length, 8.0).into(), turn_rate, 0.0);
        scene.app.init_resource::<Warnings>().add_observer(
            |on: On<CollisionImminent>, mut warnings: ResMut<Warnings>| {
                warnings.0.push((on.entity, on.other));
            },
        );
        // The bar gets there after less than half a turn.
        let arm = (0.2 + 0.2 * number()) * length;
        let place = Vec2::from_angle((0.3 + number()) * turn_rate.signum()) * arm;
        let body =
            scene.app.world_mut().spawn((BODY, Solid::default(), SteeringEvents::default(), at(place.x, place.y))).id();
        scene.agents.push(body);
        let mut fastest = 0.0_f32;
        for _ in 0..(2.5 / turn_rate.abs() / TICK) as u32 {
            scene.turn();
            assert!(scene.deepest() < 0.02 * BODY.radius, "seed {seed}: {} deep", scene.deepest());
            fastest = fastest.max(velocity(&scene.app, body).length());
        }
        assert!(position(&scene.app, body).distance(place) > BODY.radius, "seed {seed}");
        // The place where the bar hits it is as fast as this.
        assert!(fastest > 0.8 * turn_rate.abs() * arm, "seed {seed}: {fastest}");
        assert_eq!(scene.app.world().resource::<Warnings>().0, [(body, scene.obstacle)], "seed {seed}");
    }
}

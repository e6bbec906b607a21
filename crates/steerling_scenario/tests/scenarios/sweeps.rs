//! Overlaps are measured along the paths of agents and obstacles, not only at the ends of ticks.

use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::math::space::{Edge, Space};
use bevy_steerling::prelude::*;
use serde_json::{Value, json};
use steerling_scenario::Collisions;

use crate::running::{assert_overlaps, summary};

/// The overlaps of agents that keep their velocities for some ticks of one second.
fn collisions(ticks: u64, edge: &str, agents: &Value, obstacles: &Value) -> Collisions {
    let bounds = json!({"min": [0, 0], "max": [100, 100], "edge": edge});
    let file = json!({"tick": 1, "ticks": ticks, "bounds": bounds, "agents": agents, "obstacles": obstacles});
    summary(&file).collisions
}

#[test]
fn two_that_swap_places_overlap_on_the_way() {
    let swap = |edge: &str, x: [f32; 2], apart: f32, way: f32| {
        let agent = |id: &str, x: f32, y: f32, way: f32| json!({"id": id, "position": [x, y], "velocity": [way, 0], "radius": 1});
        let agents = json!([agent("a", x[0], 50.0, way), agent("b", x[1], 50.0 + apart, -way)]);
        collisions(1, edge, &agents, &json!([])).with_agents
    };
    assert_overlaps(&swap("none", [40.0, 60.0], 0.0, 20.0), 1, 2, 2.0);
    assert_overlaps(&swap("none", [40.0, 60.0], 0.5, 20.0), 1, 2, 1.5);
    assert_overlaps(&swap("none", [40.0, 60.0], 2.1, 20.0), 0, 0, 0.0);
    // They do not get to each other, or have been there before.
    assert_overlaps(&swap("none", [40.0, 60.0], 0.0, 8.9), 0, 0, 0.0);
    assert_overlaps(&swap("none", [40.0, 60.0], 0.0, -20.0), 0, 0, 0.0);
    // Across the seam, on the short way.
    assert_overlaps(&swap("wrap", [5.0, 85.0], 0.5, -20.0), 1, 2, 1.5);
    assert_overlaps(&swap("wrap", [5.0, 85.0], 0.5, 20.0), 0, 0, 0.0);
    // The first comes across the seam.
    assert_overlaps(&swap("wrap", [95.0, 10.0], 0.5, 10.0), 1, 2, 1.5);
}

#[test]
fn who_passes_through_a_wall_within_a_tick_overlaps_it() {
    let obstacles = [
        json!({"segment": {"start": [50, 20], "end": [50, 80]}}),
        json!({"polyline": {"points": [[60, 20], [50, 20], [50, 80], [60, 80]]}}),
        json!({"rectangle": {"center": [50, 50], "half_size": [0.01, 30]}}),
        json!({"polygon": {"points": [[49.99, 20], [50.01, 20], [50, 80]]}}),
        json!({"capsule": {"start": [50, 20], "end": [50, 80], "radius": 0.01}}),
        // It passes through the agent.
        json!({"segment": {"start": [70, 20], "end": [70, 80]}, "velocity": [-20, 0]}),
        json!({"polyline": {"points": [[80, 30], [70, 30], [70, 90], [80, 90]]}, "velocity": [-20, -10]}),
    ];
    for obstacle in obstacles {
        let of = |position: [f32; 2], velocity: [f32; 2]| {
            let agent = json!({"id": "a", "position": position, "velocity": velocity, "radius": 2});
            collisions(1, "none", &json!([agent]), &json!([obstacle])).with_obstacles
        };
        let through = of([40.0, 50.0], [20.0, 1.0]);
        assert_eq!((through.unique, through.agent_ticks), (1, 1), "{obstacle}");
        assert!((through.max_depth - 2.0).abs() <= 0.0101, "{obstacle}: {through:?}");
        // Beside it, and back.
        assert_overlaps(&of([30.0, 88.0], [30.0, 5.0]), 0, 0, 0.0);
        assert_overlaps(&of([30.0, 50.0], [-25.0, 1.0]), 0, 0, 0.0);
    }
}

#[test]
fn walls_are_met_on_the_way_across_a_seam() {
    let met = |obstacle: Value, velocity: [f32; 2]| {
        let agent = json!({"id": "a", "position": [90, 95], "velocity": velocity, "radius": 1});
        collisions(1, "wrap", &json!([agent]), &json!([obstacle])).with_obstacles
    };
    let wall = |x: f32| json!({"segment": {"start": [x, 0], "end": [x, 30]}});
    assert_overlaps(&met(wall(3.0), [20.0, 20.0]), 1, 1, 1.0);
    assert_overlaps(&met(wall(3.0), [-20.0, 20.0]), 0, 0, 0.0);
    assert_overlaps(&met(wall(85.0), [20.0, 20.0]), 0, 0, 0.0);
}

#[test]
fn all_images_of_an_obstacle_are_met() {
    let met = |bar: Value, place: [f32; 2]| {
        let agent = json!({"id": "a", "position": place, "radius": 4});
        collisions(1, "wrap", &json!([agent]), &json!([bar])).with_obstacles
    };
    // The center of the image on the right is nearer.
    assert_overlaps(&met(json!({"segment": {"start": [1, 20], "end": [97, 80]}}), [99.3, 80.0]), 1, 1, 1.7);
    // One as wide as the world has no other images for agents, either.
    assert_overlaps(&met(json!({"segment": {"start": [-5, 20], "end": [105, 80]}}), [2.0, 78.0]), 0, 0, 0.0);
}

#[test]
fn a_respawn_is_no_way_and_hides_no_overlap() {
    // It is taken away at 12, among others, and put down at 80. Then it moves on.
    let agents = |others: &[[f32; 2]]| {
        let mut agents = vec![json!({"id": "a", "position": [4, 0], "velocity": [8, 0], "radius": 1})];
        agents.extend(
            others.iter().enumerate().map(|(k, place)| json!({"id": format!("b{k}"), "position": place, "radius": 1})),
        );
        agents
    };
    let collisions = |others: &[[f32; 2]], obstacles: Value| {
        summary(&json!({
            "tick": 1, "ticks": 2, "agents": agents(others), "obstacles": obstacles,
            "respawns": [{"inside": {"min": [10, -5], "max": [20, 5]}, "to": {"min": [80, 0], "max": [80, 0]}}]
        }))
        .collisions
    };
    let wall = |x: f32| json!([{"segment": {"start": [x, -5], "end": [x, 5]}}]);
    let none = json!([]);
    // On the jump.
    assert_eq!(collisions(&[[40.0, 0.0]], wall(50.0)), Collisions::default());
    // At the place before the respawn.
    assert_overlaps(&collisions(&[[12.0, 1.5]], none.clone()).with_agents, 1, 2, 0.5);
    assert_overlaps(&collisions(&[], wall(12.5)).with_obstacles, 1, 1, 0.5);
    // On the way there, and not beyond.
    assert_overlaps(&collisions(&[[8.0, 1.5]], none.clone()).with_agents, 1, 2, 0.5);
    assert_overlaps(&collisions(&[], wall(8.0)).with_obstacles, 1, 1, 1.0);
    assert_overlaps(&collisions(&[], wall(14.0)).with_obstacles, 0, 0, 0.0);
    // At the place after the respawn, and on the path from there.
    assert_overlaps(&collisions(&[[79.0, 0.0]], none.clone()).with_agents, 1, 4, 1.0);
    assert_overlaps(&collisions(&[], wall(80.5)).with_obstacles, 1, 2, 1.0);
    assert_overlaps(&collisions(&[], wall(83.0)).with_obstacles, 1, 1, 1.0);
    // Those who stand in both places are two.
    assert_overlaps(&collisions(&[[12.0, 0.0], [80.0, 0.0]], none).with_agents, 2, 5, 2.0);
}

#[test]
fn who_parts_and_meets_again_in_the_next_tick_overlaps_twice() {
    // It bounces off the edge at 100.
    let agents = json!([
        {"id": "a", "position": [93, 50], "velocity": [4, 0], "radius": 1},
        {"id": "b", "position": [97, 50], "radius": 1}
    ]);
    // At 97, 100, 96 and 92. Both overlaps begin and end between the ends of ticks.
    assert_overlaps(&collisions(4, "bounce", &agents, &json!([])).with_agents, 2, 8, 2.0);
}

/// A place in a square, and a way.
fn place_and_way(random: &mut impl FnMut() -> f32) -> (Vec2, Vec2) {
    let mut vector = |size: f32| size * Vec2::new(random(), random());
    (vector(100.0), vector(40.0) - 20.0)
}

/// The center of an obstacle at the start, its velocity, and its turn rate.
type Course = (Vec2, Vec2, f32);

/// An obstacle in a file, its shape around its center, and its course.
fn obstacle(random: &mut impl FnMut() -> f32) -> (Value, ObstacleShape, Course) {
    let (center, velocity) = place_and_way(random);
    let [x, y] = center.to_array();
    let half = Vec2::new(0.1 + 12.0 * random(), 0.1 + 3.0 * random());
    let end = Vec2::new(10.0 * random() - 5.0, 20.0 * random() - 10.0);
    let (mut fields, shape): (Value, ObstacleShape) = match (5.0 * random()) as usize {
        0 => (json!({"circle": {"center": [x, y], "radius": half.x}}), Circle::new(half.x).into()),
        1 => (
            json!({"rectangle": {"center": [x, y], "half_size": half.to_array()}}),
            Rectangle { half_size: half }.into(),
        ),
        2 => {
            let [start, end] = [center - end, center + end];
            (
                json!({"segment": {"start": start.to_array(), "end": end.to_array()}}),
                Segment2d::new(start - center, end - center).into(),
            )
        }
        3 => {
            let points = [Vec2::new(-half.x, -half.y), Vec2::new(half.x, -half.y), Vec2::new(0.3 * half.x, half.y)];
            let placed = points.map(|point| (center + point).to_array());
            (json!({"polygon": {"points": placed}}), ConvexPolygon::new_unchecked(points.to_vec()).into())
        }
        _ => {
            let points = [Vec2::new(-half.x, half.y), Vec2::new(0.2 * half.x, -half.y), Vec2::new(half.x, half.y)];
            let placed = points.map(|point| (center + point).to_array());
            (json!({"polyline": {"points": placed}}), Polyline2d::new(points).into())
        }
    };
    fields["velocity"] = json!(velocity.to_array());
    let turn_rate = if random() < 0.5 { 2.0 * random() - 1.0 } else { 0.0 };
    if turn_rate != 0.0 {
        (fields["turn_rate"], fields["pivot"]) = (json!(turn_rate), json!([x, y]));
    }
    (fields, shape, (center, velocity, turn_rate))
}

/// Agents and obstacles that move evenly: the place at the start and the velocity of each.
struct Sampled {
    agents: Vec<(Vec2, Vec2, f32)>,
    obstacles: Vec<(Course, ObstacleShape)>,
    bounds: SteeringBounds,
}

impl Sampled {
    /// The largest depths of agents in each other and in obstacles at a time, negative without an overlap.
    fn depths(&self, time: f32) -> [f32; 2] {
        let space: Space = self.bounds.space();
        let place = |(start, way): (Vec2, Vec2)| start + way * time;
        let mut depths = [f32::NEG_INFINITY; 2];
        for (k, &(start, way, radius)) in self.agents.iter().enumerate() {
            let here = place((start, way));
            for &(start, way, other) in &self.agents[..k] {
                let distance = space.displacement(here, place((start, way))).length();
                depths[0] = depths[0].max(radius + other - distance);
            }
            for ((start, way, turn_rate), shape) in &self.obstacles {
                let turned = Transform::from_rotation(Quat::from_rotation_z(turn_rate * time));
                let placed = shape.placed(&turned, SteeringPlane::XY);
                let nearest = space.displacement(place((*start, *way)), here);
                let images = if self.bounds.edge == Edge::Wrap { -1..=1_i8 } else { 0..=0 };
                for (x, y) in images.clone().flat_map(|x| images.clone().map(move |y| (x, y))) {
                    let image = nearest + 100.0 * Vec2::new(f32::from(x), f32::from(y));
                    depths[1] = depths[1].max(radius - placed.distance(image).0);
                }
            }
        }
        depths
    }

    /// The largest depths in three seconds, with so many steps in each.
    fn largest(&self, steps: u16) -> [f32; 2] {
        let times = (1..=3 * steps).map(|step| f32::from(step) / f32::from(steps));
        let depths = times.map(|time| self.depths(time));
        depths.fold([0.0; 2], |largest, depths| [largest[0].max(depths[0]), largest[1].max(depths[1])])
    }
}

#[test]
fn depths_on_the_way_are_those_that_fine_steps_find() {
    const STEPS: u16 = 64;
    let mut random = SteeringRng::new(SteeringSeed(4), SteeringId::new(0), 1);
    let mut random = || random.uniform();
    let (mut cases, mut between) = (0, [0; 2]);
    while cases < 150 {
        let edge = if cases % 2 == 0 { "wrap" } else { "none" };
        let bounds = SteeringBounds {
            min: Vec2::ZERO,
            max: Vec2::splat(100.0),
            edge: if edge == "wrap" { Edge::Wrap } else { Edge::None },
        };
        let mut scene = Sampled { agents: Vec::new(), obstacles: Vec::new(), bounds };
        let (mut agents, mut obstacles) = (Vec::new(), Vec::new());
        for k in 0..4 {
            let ((place, way), radius) = (place_and_way(&mut random), 0.2 + 3.0 * random());
            scene.agents.push((place, way, radius));
            agents.push(json!({"id": k.to_string(), "position": place.to_array(), "velocity": way.to_array(), "radius": radius}));
        }
        for _ in 0..2 {
            let (fields, shape, course) = obstacle(&mut random);
            scene.obstacles.push((course, shape));
            obstacles.push(fields);
        }
        // Overlaps at the start do not count.
        if scene.depths(0.0).into_iter().any(|depth| depth > -0.01) {
            continue;
        }
        cases += 1;
        let found = collisions(3, edge, &agents.into(), &obstacles.into());
        let found = [found.with_agents.max_depth as f32, found.with_obstacles.max_depth as f32];
        let (fine, ends) = (scene.largest(STEPS), scene.largest(1));
        for kind in 0..2 {
            // In half a step a pair comes no nearer than it moves: at most 28.3 units per second each, and the end of an obstacle that turns 12.
            let step = 35.0 / f32::from(STEPS);
            let range = fine[kind] - 0.004..=fine[kind] + step;
            assert!(range.contains(&found[kind]), "case {cases}, kind {kind}: {} but {range:?}", found[kind]);
            between[kind] += usize::from(found[kind] > ends[kind] + 0.5);
        }
    }
    assert!(between.iter().all(|count| *count > 15), "{between:?}");
}

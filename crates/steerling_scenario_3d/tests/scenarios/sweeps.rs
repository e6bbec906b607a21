//! Overlaps are measured along the paths of agents and obstacles, not only at the ends of ticks.

use bevy::prelude::*;
use bevy_steerling::behavior_prelude::*;
use bevy_steerling::math::space::Edge;
use bevy_steerling::prelude::*;
use serde_json::{Value, json};
use steerling_scenario_3d::Collisions;

use crate::running::{assert_overlaps, summary};

/// The overlaps of agents that keep their velocities for some ticks of one second.
fn collisions(ticks: u64, edge: &str, agents: &Value, obstacles: &Value) -> Collisions {
    let bounds = json!({"min": [0, 0, 0], "max": [100, 100, 100], "edge": edge});
    let file = json!({
        "dimensions": 3, "tick": 1, "ticks": ticks, "bounds": bounds, "agents": agents, "obstacles": obstacles
    });
    summary(&file).collisions
}

#[test]
fn two_that_swap_places_overlap_on_the_way() {
    let swap = |edge: &str, z: [f32; 2], apart: f32, way: f32| {
        let agent = |id: &str, y: f32, z: f32, way: f32| json!({"id": id, "position": [50, y, z], "velocity": [0, 0, way], "radius": 1});
        let agents = json!([agent("a", 50.0, z[0], way), agent("b", 50.0 + apart, z[1], -way)]);
        collisions(1, edge, &agents, &json!([])).with_agents
    };
    assert_overlaps(&swap("none", [40.0, 60.0], 0.0, 20.0), 1, 2, 2.0);
    assert_overlaps(&swap("none", [40.0, 60.0], 0.5, 20.0), 1, 2, 1.5);
    assert_overlaps(&swap("none", [40.0, 60.0], 2.1, 20.0), 0, 0, 0.0);
    assert_overlaps(&swap("none", [40.0, 60.0], 0.0, -20.0), 0, 0, 0.0);
    assert_overlaps(&swap("wrap", [5.0, 85.0], 0.5, -20.0), 1, 2, 1.5);
    assert_overlaps(&swap("wrap", [5.0, 85.0], 0.5, 20.0), 0, 0, 0.0);
}

#[test]
fn who_passes_through_a_wall_within_a_tick_overlaps_it() {
    let obstacles = [
        json!({"cuboid": {"center": [50, 50, 50], "half_size": [30, 30, 0.01]}}),
        json!({"cuboid": {"center": [50, 50, 50], "half_size": [0.01, 30, 30], "rotation": [0, 1.570_796_4, 0]}}),
        json!({"cylinder": {"start": [50, 50, 49.99], "end": [50, 50, 50.01], "radius": 20}}),
        json!({"convex_hull": {"points": [[30, 30, 50], [30, 70, 50], [80, 50, 49.9], [80, 50, 50.1]]}}),
        // It passes through the agent.
        json!({"cuboid": {"center": [60, 60, 70], "half_size": [30, 30, 0.01]}, "velocity": [-10, -10, -20]}),
    ];
    for obstacle in obstacles {
        let of = |position: [f32; 3], velocity: [f32; 3]| {
            let agent = json!({"id": "a", "position": position, "velocity": velocity, "radius": 2});
            collisions(1, "none", &json!([agent]), &json!([obstacle])).with_obstacles
        };
        let through = of([50.0, 50.0, 40.0], [1.0, -1.0, 20.0]);
        assert_eq!((through.unique, through.agent_ticks), (1, 1), "{obstacle}");
        assert!((through.max_depth - 2.0).abs() <= 0.05, "{obstacle}: {through:?}");
        assert_overlaps(&of([50.0, 98.0, 30.0], [1.0, 5.0, 30.0]), 0, 0, 0.0);
        assert_overlaps(&of([50.0, 50.0, 30.0], [1.0, 5.0, -25.0]), 0, 0, 0.0);
    }
    // Into a half-space it does not only pass.
    let floor = json!([{"half_space": {"point": [0, 0, 50], "normal": [0, 0, 1]}}]);
    let agent = json!([{"id": "a", "position": [50, 50, 60], "velocity": [0, 0, -20], "radius": 2}]);
    assert_overlaps(&collisions(1, "none", &agent, &floor).with_obstacles, 1, 1, 12.0);
}

#[test]
fn an_arm_that_turns_about_its_pivot_meets_those_on_its_arc() {
    // Thirty units long, from x = 50 to x = 80, about the axis through its left end.
    let met = |place: [f32; 3], axis: [f32; 3], ticks: u64| {
        let arm = json!({
            "cuboid": {"center": [65, 50, 50], "half_size": [15, 1, 1]}, "pivot": [50, 50, 50], "turn_rate": axis
        });
        let agent = json!({"id": "a", "position": place, "radius": 2});
        collisions(ticks, "none", &json!([agent]), &json!([arm])).with_obstacles
    };
    // A quarter turn about z leads to +y, about y to -z, and about -y to +z.
    let quarter = std::f32::consts::FRAC_PI_2;
    for (axis, above) in
        [([0.0, 0.0, quarter], Vec3::Y), ([0.0, quarter, 0.0], -Vec3::Z), ([0.0, -quarter, 0.0], Vec3::Z)]
    {
        let on_the_arc = (Vec3::splat(50.0) + (Vec3::X + above) * 14.0).to_array();
        assert_overlaps(&met(on_the_arc, axis, 1), 1, 1, 3.0);
        let beyond = (Vec3::splat(50.0) + (Vec3::X + above) * 25.0).to_array();
        assert_overlaps(&met(beyond, axis, 1), 0, 0, 0.0);
        let below = (Vec3::splat(50.0) + (Vec3::X - above) * 14.0).to_array();
        assert_overlaps(&met(below, axis, 1), 0, 0, 0.0);
        assert_overlaps(&met(below, axis, 4), 1, 1, 3.0);
    }
}

#[test]
fn walls_are_met_on_the_way_across_a_seam() {
    let met = |velocity: [f32; 3]| {
        let agent = json!({"id": "a", "position": [90, 50, 95], "velocity": velocity, "radius": 1});
        let wall = json!({"cuboid": {"center": [50, 50, 3], "half_size": [45, 45, 0.01]}});
        collisions(1, "wrap", &json!([agent]), &json!([wall])).with_obstacles
    };
    assert_overlaps(&met([0.0, 20.0, 20.0]), 1, 1, 1.01);
    assert_overlaps(&met([0.0, 20.0, -20.0]), 0, 0, 0.0);
}

/// Agents and obstacles that move evenly: the place at the start and the velocity of each.
struct Sampled {
    agents: Vec<(Vec3, Vec3, f32)>,
    obstacles: Vec<(Vec3, Vec3, ObstacleShape)>,
    bounds: SteeringBounds,
}

impl Sampled {
    /// The largest depths of agents in each other and in obstacles at a time, negative without an overlap.
    fn depths(&self, time: f32) -> [f32; 2] {
        let space = self.bounds.space();
        let mut depths = [f32::NEG_INFINITY; 2];
        for (k, &(start, way, radius)) in self.agents.iter().enumerate() {
            let here = start + way * time;
            for &(start, way, other) in &self.agents[..k] {
                depths[0] = depths[0].max(radius + other - space.displacement(here, start + way * time).length());
            }
            for (start, way, shape) in &self.obstacles {
                let place = space.displacement(*start + *way * time, here);
                depths[1] = depths[1].max(radius - shape.placed(&Transform::default()).distance(place).0);
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

/// An obstacle in a file and its shape around its center.
fn obstacle(center: Vec3, mut random: impl FnMut() -> f32) -> (Value, ObstacleShape) {
    let half = Vec3::splat(0.2) + 6.0 * Vec3::new(random(), random(), random());
    let [start, end] = [center - half.y * Vec3::Y, center + half.y * Vec3::Y].map(|end| end.to_array());
    let center = center.to_array();
    match (4.0 * random()) as usize {
        0 => (json!({"sphere": {"center": center, "radius": half.x}}), Sphere::new(half.x).into()),
        1 => (json!({"cuboid": {"center": center, "half_size": half.to_array()}}), Cuboid { half_size: half }.into()),
        2 => (
            json!({"capsule": {"start": start, "end": end, "radius": half.x}}),
            Capsule3d::new(half.x, 2.0 * half.y).into(),
        ),
        _ => (
            json!({"cylinder": {"start": start, "end": end, "radius": half.x}}),
            Cylinder::new(half.x, 2.0 * half.y).into(),
        ),
    }
}

#[test]
fn depths_on_the_way_are_those_that_fine_steps_find() {
    const STEPS: u16 = 64;
    let mut random = SteeringRng::new(SteeringSeed(4), SteeringId::new(0), 1);
    let mut vector = move |size: f32| size * Vec3::new(random.uniform(), random.uniform(), random.uniform());
    let (mut cases, mut between) = (0, [0; 2]);
    while cases < 150 {
        let (edge, name) = if cases % 2 == 0 { (Edge::Wrap, "wrap") } else { (Edge::None, "none") };
        let bounds = SteeringBounds { min: Vec3::ZERO, max: Vec3::splat(100.0), edge };
        let mut scene = Sampled { agents: Vec::new(), obstacles: Vec::new(), bounds };
        let (mut agents, mut obstacles) = (Vec::new(), Vec::new());
        // In a corner of the world, where they meet.
        let place_and_way =
            |vector: &mut dyn FnMut(f32) -> Vec3| (Vec3::splat(85.0) + vector(35.0), vector(40.0) - 20.0);
        for k in 0..4_u8 {
            let ((place, way), radius) = (place_and_way(&mut vector), 1.0 + f32::from(k));
            scene.agents.push((place, way, radius));
            agents.push(
                json!({"id": k.to_string(), "position": place.to_array(), "velocity": way.to_array(), "radius": radius}),
            );
        }
        for _ in 0..2 {
            let (place, way) = place_and_way(&mut vector);
            let mut numbers = (0..).map(|_| vector(1.0).x);
            let (mut fields, shape) = obstacle(place, || numbers.next().unwrap_or_default());
            fields["velocity"] = json!(way.to_array());
            scene.obstacles.push((place, way, shape));
            obstacles.push(fields);
        }
        // Overlaps at the start do not count.
        if scene.depths(0.0).into_iter().any(|depth| depth > -0.01) {
            continue;
        }
        cases += 1;
        let found = collisions(3, name, &agents.into(), &obstacles.into());
        let found = [found.with_agents.max_depth as f32, found.with_obstacles.max_depth as f32];
        let (fine, ends) = (scene.largest(STEPS), scene.largest(1));
        for kind in 0..2 {
            // In half a step a pair comes no nearer than it moves: at most 34.7 units per second each.
            let range = fine[kind] - 0.006..=fine[kind] + 34.7 / f32::from(STEPS);
            assert!(range.contains(&found[kind]), "case {cases}, kind {kind}: {} but {range:?}", found[kind]);
            between[kind] += usize::from(found[kind] > ends[kind] + 0.5);
        }
    }
    assert!(between.iter().all(|count| *count > 10), "{between:?}");
}

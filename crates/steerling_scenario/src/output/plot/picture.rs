//! The plot of a run.

use bevy_steerling::behavior_prelude::PlacedShape;
use bevy_steerling::math::space::Edge;
use svg::Document;
use svg::node::element::{Rectangle, Title};

use crate::output::plot::canvas::{Canvas, GROUND, WORDS, printable, short};
use crate::output::plot::paths::{Drawn, RING, color, draw_paths, drawn, visible_lines};
use crate::output::plot::scenery::{Scenery, draw_obstacles};
use crate::output::plot::trails::Trails;
use crate::scenario::scene::Scenario;
use crate::simulation::headless::Simulation;

/// With more agents than this, none are labeled.
const MOST_LABELS: usize = 12;

/// Draws a run: every path with its start (a ring) and end (a disc of the agent's size), the bounds of the world,
/// goals, targets, markers, obstacles, the regions of `contain`, gates (dashed lines), and the areas of respawns.
///
/// The size of the picture and the use of memory are bounded: invisible corners are left out. With thousands of agents,
/// paths or jumps, further details are left out.
///
/// ```
/// use steerling_scenario::{Plot, Scenario, Simulation, Threads};
///
/// let text = r#"{"agents": [{"id": "a", "position": [0, 0], "behaviors": [{"seek": {"target": {"point": [90, 0]}}}]}]}"#;
/// let scenario = Scenario::parse("example", text)?;
/// let mut simulation = Simulation::new(&scenario, Threads::Auto);
/// let mut plot = Plot::new(&scenario);
/// plot.record(&simulation);
/// while simulation.ticks_done() < scenario.ticks() {
///     simulation.step();
///     plot.record(&simulation);
/// }
/// assert!(plot.finish().starts_with("<svg"));
/// # Ok::<(), steerling_scenario::ScenarioError>(())
/// ```
pub struct Plot<'a> {
    scenario: &'a Scenario,
    trails: Trails,
    /// The shapes of the obstacles at the start and at the last tick.
    obstacles: [Vec<PlacedShape>; 2],
}

impl<'a> Plot<'a> {
    /// Starts a plot of a run of this scenario.
    pub fn new(scenario: &'a Scenario) -> Self {
        let bounces = scenario.file.steering_bounds().edge == Edge::Bounce;
        Self { scenario, trails: Trails::new(scenario.agents.len(), bounces), obstacles: Default::default() }
    }

    /// Records the current state. Call it at the start and after each tick.
    pub fn record(&mut self, simulation: &Simulation) {
        self.trails.record(simulation);
        let [start, last] = &mut self.obstacles;
        if last != simulation.obstacles() {
            *last = simulation.obstacles().to_vec();
        }
        if start.is_empty() {
            start.clone_from(last);
        }
    }

    /// The picture. The paths end at the last recorded positions.
    pub fn finish(self) -> String {
        let Self { scenario, trails, obstacles } = self;
        let agents = drawn(scenario, trails.finish());
        let scenery = Scenery::of(scenario);
        let shapes = obstacles.iter().flatten().chain(&scenery.regions);
        let corners = shapes.flat_map(|shape| shape.corners().iter().map(|corner| (*corner, shape.radius())));
        let canvas = Canvas::around(scenery.extent().chain(agents.iter().flat_map(Drawn::extent)).chain(corners));

        let mut document = Document::new()
            .set("viewBox", format!("0 0 {} {}", short(canvas.size.x), short(canvas.size.y)))
            .set("font-family", "sans-serif")
            .set("font-size", 13)
            .add(Title::new(printable(scenario.name())))
            .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", GROUND))
            .add(scenery.draw(&canvas));
        if !obstacles[1].is_empty() {
            document = document.add(draw_obstacles(&obstacles, &canvas));
        }
        for (name, place) in scenery.markers() {
            document = document.add(canvas.label(name, place, RING, WORDS));
        }
        for (name, [start, end]) in scenery.gates() {
            document = document.add(canvas.label(name, start.midpoint(end), RING, WORDS));
        }
        let lines = visible_lines(&agents, &canvas);
        let mut members = agents.iter().zip(lines).peekable();
        while let Some((first, _)) = members.peek() {
            let group = first.group;
            let of_group = std::iter::from_fn(|| members.next_if(|(agent, _)| agent.group == group));
            document = document.add(draw_paths(&canvas, of_group.collect(), color(group)));
        }
        if agents.len() <= MOST_LABELS {
            for agent in &agents {
                let (radius, color) = (canvas.length(agent.radius).max(RING), color(agent.group));
                document = document.add(canvas.label(&agent.name, agent.trail.end, radius, color));
            }
        }
        format!("{document}\n")
    }
}

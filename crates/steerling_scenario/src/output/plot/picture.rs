//! The plot of a run.

use bevy::math::DVec2;
use bevy_steerling::math::Vector;
use bevy_steerling::math::space::Edge;
use svg::node::element::{Group, Rectangle, Text, Title};
use svg::{Document, Node};

use crate::output::plot::canvas::{Canvas, GROUND, WORDS, printable, short};
use crate::output::plot::paths::{Drawn, RING, color, draw_paths, drawn, visible_lines};
use crate::output::plot::scenery::{Scenery, draw_obstacles};
use crate::output::plot::trails::Trails;
use crate::scenario::scene::Scenario;
use crate::shapes::PlacedShape;
use crate::simulation::headless::Simulation;

/// With more agents than this, none are labeled.
const MOST_LABELS: usize = 12;

/// Draws a run: every path with its start (a ring) and end (a disc of the agent's size), the bounds of the world,
/// goals, targets, markers, obstacles, the regions of `contain`, gates (dashed lines), and the areas of respawns. In three dimensions,
/// from above, from the front and from the right; half-spaces are not drawn.
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
        let shapes = || obstacles.iter().flatten().chain(&scenery.regions);
        let discs = || scenery.extent().chain(agents.iter().flat_map(Drawn::extent)).chain(shapes().flat_map(discs_of));
        let canvases = Canvas::around(discs);

        let size =
            canvases.iter().map(|canvas| left_top(canvas, &canvases) + canvas.size).fold(DVec2::ZERO, DVec2::max);
        let mut document = Document::new()
            .set("viewBox", format!("0 0 {} {}", short(size.x), short(size.y)))
            .set("font-family", "sans-serif")
            .set("font-size", 13)
            .add(Title::new(printable(scenario.name())))
            .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", GROUND));
        for canvas in &canvases {
            let elements = draw_view(canvas, &scenery, &obstacles, &agents);
            document = match canvas.view().caption {
                None => elements.into_iter().fold(document, Document::add),
                Some(caption) => {
                    let place = left_top(canvas, &canvases);
                    let group = Group::new()
                        .set("transform", format!("translate({} {})", short(place.x), short(place.y)))
                        .add(Text::new(caption).set("x", 10).set("y", 18).set("fill", WORDS));
                    document.add(elements.into_iter().fold(group, Group::add))
                }
            };
        }
        format!("{document}\n")
    }
}

/// Discs that include a shape.
#[cfg(not(dim3))]
fn discs_of(shape: &PlacedShape) -> impl Iterator<Item = (Vector, f32)> {
    shape.corners().iter().map(|corner| (*corner, shape.radius()))
}

/// Points at the ends of a shape; none of a half-space.
#[cfg(dim3)]
fn discs_of(shape: &PlacedShape) -> impl Iterator<Item = (Vector, f32)> {
    let directions = Vector::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    directions.filter_map(|direction| shape.farthest(direction)).map(|point| (point, 0.0))
}

/// The top left corner of a view in the picture, right of and below the views in the columns and rows before its own.
fn left_top(canvas: &Canvas, all: &[Canvas]) -> DVec2 {
    let [column, row] = canvas.view().place;
    let before = all.iter().map(|other| {
        let [its_column, its_row] = other.view().place;
        let share = |is_before: bool| if is_before { 1.0 } else { 0.0 };
        other.size * DVec2::new(share(its_column < column), share(its_row < row))
    });
    before.fold(DVec2::ZERO, DVec2::max)
}

/// Draws everything in the view of a canvas.
fn draw_view(
    canvas: &Canvas,
    scenery: &Scenery,
    obstacles: &[Vec<PlacedShape>; 2],
    agents: &[Drawn],
) -> Vec<Box<dyn Node>> {
    let mut elements: Vec<Box<dyn Node>> = vec![scenery.draw(canvas).into()];
    if !obstacles[1].is_empty() {
        elements.push(draw_obstacles(obstacles, canvas).into());
    }
    for (name, place) in scenery.markers() {
        elements.push(canvas.label(name, place, RING, WORDS).into());
    }
    for (name, [start, end]) in scenery.gates() {
        elements.push(canvas.label(name, start.midpoint(end), RING, WORDS).into());
    }
    let lines = visible_lines(agents, canvas);
    let mut members = agents.iter().zip(lines).peekable();
    while let Some((first, _)) = members.peek() {
        let group = first.group;
        let of_group = std::iter::from_fn(|| members.next_if(|(agent, _)| agent.group == group));
        elements.push(draw_paths(canvas, of_group.collect(), color(group)).into());
    }
    if agents.len() <= MOST_LABELS {
        for agent in agents {
            let (radius, color) = (canvas.length(agent.radius).max(RING), color(agent.group));
            elements.push(canvas.label(&agent.name, agent.trail.end, radius, color).into());
        }
    }
    elements
}

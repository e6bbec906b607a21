//! A run as a picture: every path, in SVG.

mod canvas;
mod trails;

use std::sync::Arc;

use bevy::math::Vec2;
use bevy_steerling::prelude::{PlacedShape, SteeringAgent};
use svg::Document;
use svg::node::element::{Group, Path, Rectangle, Title};

use crate::file::{Area, Behavior, Bounds, Edge, Kind, Target, vector};
use crate::json::OneKey;
use crate::obstacles::placed_region;
use crate::scenario::{Scenario, key_and_target};
use crate::simulation::Simulation;
use canvas::{Canvas, GROUND, MUTED, WORDS, printable, short};
use trails::{Trail, Trails, simplify};

/// Of agents and crowds in turn.
const COLORS: [&str; 6] = ["#f47262", "#60baf3", "#b0a3e2", "#66ce71", "#f9a83a", "#e6c7a5"];
/// More agents than this are not labeled.
const MOST_LABELS: usize = 12;
/// More goals, targets or regions than this are not shown.
const MOST_MARKS: usize = 500;
/// Points drawn of all paths together, besides the ends of lines.
const MOST_POINTS: usize = 10_000;
/// Corners smaller than this are not seen, pixels.
const UNSEEN: f64 = 0.3;
/// The radius of the rings at the starts, pixels, and the least of the discs at the ends.
const RING: f64 = 2.5;

/// Draws the paths of a run: every path with its start (a ring) and end (a disc of the agent's size), edges, goals, targets,
/// markers, obstacles, the regions where agents stay, gates (dashed lines), and the areas of respawns.
///
/// The picture stays small, and the memory that it takes bounded: corners that nobody sees are left out, and more than that
/// where there are thousands of agents, of paths, or of jumps in a path.
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
    /// The obstacles at the start, and as they were last.
    obstacles: [Vec<PlacedShape>; 2],
}

/// An agent in the picture.
struct Drawn {
    trail: Trail,
    name: String,
    radius: f32,
    /// The agents that it belongs together with: a number for each listed one and each crowd.
    group: usize,
}

impl<'a> Plot<'a> {
    /// A plot of a run of this scenario.
    pub fn new(scenario: &'a Scenario) -> Self {
        let bounces = scenario.file.bounds.as_ref().is_some_and(|bounds| matches!(bounds.edge, Edge::Bounce));
        Self { scenario, trails: Trails::new(scenario.agents.len(), bounces), obstacles: Default::default() }
    }

    /// Remembers where all agents are now. To be called at the start and after each tick.
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

    /// The picture; the paths end where the agents were recorded last.
    pub fn finish(self) -> String {
        let Self { scenario, trails, obstacles } = self;
        let agents = drawn(scenario, trails.finish());
        let goals = goals(scenario);
        let targets = targets(scenario);
        let regions = regions(scenario);
        let shapes = obstacles.iter().flatten().chain(&regions);
        let corners = shapes.flat_map(|shape| shape.corners().iter().map(|corner| (*corner, shape.radius())));
        let canvas = Canvas::around(seen(scenario, &agents, &goals, &targets).chain(corners));

        let mut document = Document::new()
            .set("viewBox", format!("0 0 {} {}", short(canvas.size.x), short(canvas.size.y)))
            .set("font-family", "sans-serif")
            .set("font-size", 13)
            .add(Title::new(printable(scenario.name())))
            .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", GROUND))
            .add(surroundings(scenario, &canvas, &goals, &targets, &regions));
        if !obstacles[1].is_empty() {
            document = document.add(draw_obstacles(&obstacles, &canvas));
        }
        for (name, place) in markers(scenario) {
            document = document.add(canvas.label(name, place, RING, WORDS));
        }
        for (name, [start, end]) in gates(scenario) {
            document = document.add(canvas.label(name, start.midpoint(end), RING, WORDS));
        }
        let lines = visible_lines(&agents, &canvas);
        let mut members = agents.iter().zip(lines).peekable();
        while let Some((first, _)) = members.peek() {
            let group = first.group;
            let of_group = std::iter::from_fn(|| members.next_if(|(agent, _)| agent.group == group));
            document = document.add(paths(&canvas, of_group.collect(), COLORS[group % COLORS.len()]));
        }
        if agents.len() <= MOST_LABELS {
            for agent in &agents {
                let (radius, color) = (canvas.length(agent.radius).max(RING), COLORS[agent.group % COLORS.len()]);
                document = document.add(canvas.label(&agent.name, agent.trail.end, radius, color));
            }
        }
        format!("{document}\n")
    }
}

/// The trails with what the scenario knows of their agents, group by group.
fn drawn(scenario: &Scenario, trails: Vec<Trail>) -> Vec<Drawn> {
    let groups = scenario.group_sizes().enumerate().flat_map(|(group, size)| std::iter::repeat_n(group, size));
    let mut agents: Vec<_> = scenario.agents.iter().zip(groups).collect();
    agents.sort_by_key(|(agent, _)| &agent.id);
    let mut drawn: Vec<Drawn> = trails
        .into_iter()
        .map(|trail| {
            let (agent, group) = agents[trail.agent];
            let radius = agent.kind.radius.map_or(SteeringAgent::default().radius, f32::from);
            Drawn { trail, name: agent.id.clone(), radius, group }
        })
        .collect();
    drawn.sort_by_key(|agent| agent.group);
    drawn
}

/// Everything that must be in the picture.
fn seen<'a>(
    scenario: &'a Scenario,
    agents: &'a [Drawn],
    goals: &'a [(Vec2, f32)],
    targets: &'a [Vec2],
) -> impl Iterator<Item = (Vec2, f32)> + 'a {
    let file = &scenario.file;
    let bounds = file.bounds.iter().flat_map(|bounds| [vector(bounds.min), vector(bounds.max)]);
    let areas = file.respawns.iter().flat_map(|respawn| [&respawn.inside, &respawn.to]);
    let corners = areas.flat_map(|area| [vector(area.min), vector(area.max)]);
    let ends = gates(scenario).flat_map(|(_, ends)| ends);
    let paths = agents.iter().flat_map(|agent| agent.trail.lines.iter().flatten().copied());
    let starts = agents.iter().map(|agent| agent.trail.start);
    let points = bounds.chain(corners).chain(ends).chain(paths).chain(starts).chain(targets.iter().copied());
    let points = points.chain(markers(scenario).map(|(_, place)| place)).map(|point| (point, 0.0));
    points.chain(goals.iter().copied()).chain(agents.iter().map(|agent| (agent.trail.end, agent.radius)))
}

fn goals(scenario: &Scenario) -> Vec<(Vec2, f32)> {
    let goals = scenario.agents.iter().filter_map(|agent| agent.kind.goal.as_ref());
    let mut goals: Vec<_> = goals.map(|goal| (vector(goal.position), f32::from(goal.radius))).collect();
    goals.sort_by(|a, b| [a.0.x, a.0.y, a.1].map(f32::to_bits).cmp(&[b.0.x, b.0.y, b.1].map(f32::to_bits)));
    goals.dedup();
    goals.truncate(MOST_MARKS);
    goals
}

/// The points that behaviors are about.
fn targets(scenario: &Scenario) -> Vec<Vec2> {
    let behaviors = scenario.agents.iter().flat_map(|agent| &agent.kind.behaviors);
    let points = behaviors.filter_map(|OneKey(behavior)| match key_and_target(behavior).1 {
        Some(Target::Point(point)) => Some(vector(*point)),
        _ => None,
    });
    let mut targets: Vec<Vec2> = points.collect();
    targets.sort_by_key(|target| target.to_array().map(f32::to_bits));
    targets.dedup();
    targets.truncate(MOST_MARKS);
    targets
}

/// Where agents stay, each region once.
fn regions(scenario: &Scenario) -> Vec<PlacedShape> {
    let mut kinds: Vec<&Arc<Kind>> = scenario.agents.iter().map(|agent| &agent.kind).collect();
    kinds.dedup_by(|a, b| Arc::ptr_eq(a, b));
    let mut regions = Vec::new();
    for OneKey(behavior) in kinds.into_iter().flat_map(|kind| &kind.behaviors) {
        if let Behavior::Contain(contain) = behavior {
            let region = placed_region(&contain.region.0);
            if regions.len() < MOST_MARKS && !regions.contains(&region) {
                regions.push(region);
            }
        }
    }
    regions
}

fn markers(scenario: &Scenario) -> impl Iterator<Item = (&str, Vec2)> {
    let markers = scenario.file.markers.0.iter();
    let places = markers.flat_map(|(name, entries)| entries.iter().map(move |entry| (name.as_str(), entry)));
    places.map(|(name, entry)| (name, Vec2::new(entry.1.into(), entry.2.into()))).take(MOST_MARKS)
}

fn gates(scenario: &Scenario) -> impl Iterator<Item = (&str, [Vec2; 2])> {
    let gates = scenario.file.gates.iter();
    gates.map(|gate| (gate.id.as_str(), [vector(gate.start), vector(gate.end)])).take(MOST_MARKS)
}

/// The obstacles at the end and, faintly, those at the start that have moved.
fn draw_obstacles([starts, ends]: &[Vec<PlacedShape>; 2], canvas: &Canvas) -> Group {
    let mut group = Group::new().set("stroke-linecap", "round").set("stroke-linejoin", "round");
    for start in starts.iter().zip(ends).filter_map(|(start, end)| (start != end).then_some(start)) {
        group = group.add(Group::new().set("opacity", 0.35).add(canvas.obstacle(start)));
    }
    for end in ends {
        group = group.add(canvas.obstacle(end));
    }
    group
}

/// All but the agents and obstacles.
fn surroundings(
    scenario: &Scenario,
    canvas: &Canvas,
    goals: &[(Vec2, f32)],
    targets: &[Vec2],
    regions: &[PlacedShape],
) -> Group {
    let mut group = Group::new().set("fill", "none").set("stroke", MUTED);
    for region in regions {
        group = group.add(canvas.outline(region));
    }
    if let Some(Bounds { min, max, edge }) = scenario.file.bounds.as_deref() {
        let edges = canvas.rectangle(vector(*min), vector(*max));
        group = group.add(match edge {
            Edge::Bounce => edges.set("stroke-width", 3),
            Edge::Wrap => edges.set("stroke-dasharray", "8 6"),
            Edge::None => edges.set("stroke-dasharray", "1 6"),
        });
    }
    for respawn in &scenario.file.respawns {
        let area = |area: &Area| canvas.rectangle(vector(area.min), vector(area.max)).set("stroke", "none");
        group = group.add(area(&respawn.inside).set("fill", COLORS[0]).set("fill-opacity", 0.2));
        group = group.add(area(&respawn.to).set("fill", COLORS[1]).set("fill-opacity", 0.2));
    }
    for (center, radius) in goals {
        group = group.add(canvas.circle(*center, canvas.length(*radius)).set("stroke-dasharray", "4 3"));
    }
    for (_, [start, end]) in gates(scenario) {
        let line = canvas.line(start, end).set("stroke", WORDS).set("stroke-width", 2);
        group = group.add(line.set("stroke-dasharray", "6 4"));
    }
    for place in targets.iter().copied().chain(markers(scenario).map(|(_, place)| place)) {
        group = group.add(canvas.cross(place));
    }
    group
}

/// The lines of each agent's path without the corners that nobody sees, or, where there would be too many points all the same,
/// that matter least.
fn visible_lines(agents: &[Drawn], canvas: &Canvas) -> Vec<Vec<Vec<Vec2>>> {
    let mut tolerance = UNSEEN;
    loop {
        let simplify = |line: &Vec<Vec2>| simplify(line, (tolerance / canvas.scale) as f32);
        let lines: Vec<Vec<_>> = agents.iter().map(|agent| agent.trail.lines.iter().map(simplify).collect()).collect();
        let corners: usize = lines.iter().flatten().map(|line| line.len().saturating_sub(2)).sum();
        if corners <= MOST_POINTS {
            return lines;
        }
        tolerance *= 1.5;
    }
}

/// The paths of some agents, each with its start and end.
fn paths(canvas: &Canvas, members: Vec<(&Drawn, Vec<Vec<Vec2>>)>, color: &str) -> Group {
    let opacity = if members.len() == 1 { 0.9 } else { 0.4 };
    let mut data = String::new();
    members.iter().flat_map(|(_, lines)| lines).for_each(|line| canvas.write_line(&mut data, line));
    let mut group = Group::new()
        .set("stroke", color)
        .set("fill", "none")
        .add(Path::new().set("d", data).set("stroke-opacity", opacity).set("stroke-width", 1.5));
    let mut ends = Group::new().set("stroke", "none").set("fill", color);
    for (agent, _) in members {
        group = group.add(canvas.circle(agent.trail.start, RING));
        ends = ends.add(canvas.circle(agent.trail.end, canvas.length(agent.radius).max(RING)));
    }
    group.add(ends)
}

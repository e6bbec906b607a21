//! A run as a picture: every path, in SVG.

use std::fmt::Write;

use bevy::math::{Rect, Vec2};
use bevy::utils::default;
use bevy_steerling::prelude::{PlacedShape, SteeringAgent};
use svg::Document;
use svg::node::element::{Circle, Element, Group, Line, Path, Polygon, Polyline, Rectangle, Text, Title};

use crate::file::{Area, Bounds, Edge, Target, vector};
use crate::json::OneKey;
use crate::scenario::{Scenario, key_and_target};
use crate::simulation::Simulation;

const GROUND: &str = "#13161c";
const MUTED: &str = "#4d5666";
const TEXT: &str = "#d8dde8";
/// Of agents and crowds in turn.
const COLORS: [&str; 6] = ["#f47262", "#60baf3", "#b0a3e2", "#66ce71", "#f9a83a", "#e6c7a5"];

/// The longer side of the picture, pixels.
const SIZE: f32 = 800.0;
/// The shorter side is at least this share of the longer one.
const SLIMMEST: f32 = 0.3;
/// Room around what is shown, as a share of its longer side.
const MARGIN: f32 = 0.04;
/// The width of thin walls, pixels.
const THINNEST: f32 = 3.0;
/// More agents than this are not labeled.
const MOST_LABELS: usize = 12;
/// Points that may be remembered of all paths together, and drawn in the end.
const MOST_REMEMBERED: usize = 2_000_000;
const MOST_DRAWN: usize = 10_000;

/// Draws the paths of a run: every path with its start (a ring) and end (a disc of the agent's size), obstacles (where they
/// are at the end, and faintly where they were at the start), edges, goals, targets, markers, and the areas of respawns.
///
/// However long the run is, the picture stays small: corners that nobody can see are left out, and, of very many or very
/// long paths, more than that.
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
    /// In the order of ids, as the simulation has them.
    trails: Vec<Trail>,
    /// For each agent of the scenario, which of the trails is its own.
    trail_of: Vec<usize>,
    /// The obstacles at the start, and as they were last.
    obstacles: [Vec<PlacedShape>; 2],
    /// Every so many ticks are remembered.
    stride: u64,
    /// Points remembered.
    remembered: usize,
}

/// Where an agent has been: lines that do not hang together where it jumped.
#[derive(Default)]
struct Trail {
    lines: Vec<Vec<Vec2>>,
    last: Vec2,
}

impl<'a> Plot<'a> {
    /// A plot of a run of this scenario.
    pub fn new(scenario: &'a Scenario) -> Self {
        let mut order: Vec<usize> = (0..scenario.agents.len()).collect();
        order.sort_by_key(|agent| &scenario.agents[*agent].id);
        let mut trail_of = vec![0; order.len()];
        for (trail, agent) in order.into_iter().enumerate() {
            trail_of[agent] = trail;
        }
        let trails = trail_of.iter().map(|_| Trail::default()).collect();
        Self { scenario, trails, trail_of, obstacles: default(), stride: 1, remembered: 0 }
    }

    /// Remembers where all agents and obstacles are now. To be called at the start and after each tick.
    pub fn record(&mut self, simulation: &Simulation) {
        let tick = simulation.ticks_done();
        let due = tick.is_multiple_of(self.stride);
        let [start, last] = &mut self.obstacles;
        if last != simulation.obstacles() {
            *last = simulation.obstacles().to_vec();
        }
        if start.is_empty() {
            start.clone_from(last);
        }
        for (trail, agent) in self.trails.iter_mut().zip(simulation.agents()) {
            // Edges and respawns, but not a bounce, move an agent farther than its speed.
            let step = agent.velocity.length() * simulation.tick() as f32;
            let jumped = agent.position.distance(trail.last) > 1.5 * step + 1e-5 * agent.position.length();
            if tick == 0 || jumped {
                if let Some(line) = trail.lines.last_mut() {
                    line.push(trail.last);
                }
                trail.lines.push(vec![agent.position]);
                self.remembered += 2;
            } else if due && let Some(line) = trail.lines.last_mut() {
                line.push(agent.position);
                self.remembered += 1;
            }
            trail.last = agent.position;
        }
        if self.remembered > MOST_REMEMBERED {
            self.thin_out();
        }
    }

    /// Forgets every second point between the ends of lines.
    fn thin_out(&mut self) {
        self.stride *= 2;
        self.remembered = 0;
        for line in self.trails.iter_mut().flat_map(|trail| &mut trail.lines) {
            let last = line.len() - 1;
            let mut index = 0;
            line.retain(|_| {
                index += 1;
                index % 2 == 1 || index > last
            });
            self.remembered += line.len();
        }
    }

    /// The picture; the paths end where the agents were recorded last.
    pub fn finish(mut self) -> String {
        for trail in &mut self.trails {
            if let Some(line) = trail.lines.last_mut()
                && line.last() != Some(&trail.last)
            {
                line.push(trail.last);
            }
        }
        let frame = self.frame();
        let scale = SIZE / frame.size().max_element();
        let canvas = Canvas { scale, left: frame.min.x, top: frame.max.y };
        let size = frame.size() * scale;

        let mut document = Document::new()
            .set("viewBox", format!("0 0 {} {}", short(size.x), short(size.y)))
            .set("font-family", "sans-serif")
            .set("font-size", 13)
            .add(Title::new(self.scenario.name()))
            .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", GROUND));
        for element in self.obstacles(&canvas).into_iter().chain(self.surroundings(&canvas)) {
            document = document.add(element);
        }
        let paths = self.simplified(scale);
        let mut radii = vec![0.0; paths.len()];
        for (agent, &trail) in self.scenario.agents.iter().zip(&self.trail_of) {
            radii[trail] = agent.kind.radius.map_or(SteeringAgent::default().radius, f32::from);
        }
        for (color, members) in self.groups() {
            document = document.add(canvas.group(color, &members, &paths, &radii));
        }
        if self.trail_of.len() <= MOST_LABELS {
            let colors = self.groups().into_iter().flat_map(|(color, members)| members.into_iter().map(move |_| color));
            for ((agent, &trail), color) in self.scenario.agents.iter().zip(&self.trail_of).zip(colors) {
                let place = canvas.point(self.trails[trail].last);
                let beside = Vec2::new(radii[trail].max(2.5 / scale) * scale + 6.0, 4.5);
                document = document.add(if place.x < 0.7 * size.x {
                    label(&agent.id, place + beside, color)
                } else {
                    label(&agent.id, place + beside * Vec2::new(-1.0, 1.0), color).set("text-anchor", "end")
                });
            }
        }
        let mut text = document.to_string();
        text.push('\n');
        text
    }

    /// Each listed agent, and each crowd, in its color: their trails.
    fn groups(&self) -> Vec<(&'static str, Vec<usize>)> {
        let mut trails = self.trail_of.iter().copied();
        let sizes = self.scenario.group_sizes().filter(|size| *size > 0);
        COLORS
            .into_iter()
            .cycle()
            .zip(sizes)
            .map(|(color, size)| (color, trails.by_ref().take(size).collect()))
            .collect()
    }

    /// What the picture must show.
    fn frame(&self) -> Rect {
        let file = &self.scenario.file;
        let bounds = file.bounds.iter().flat_map(|bounds| [vector(bounds.min), vector(bounds.max)]);
        let paths = self.trails.iter().flat_map(|trail| trail.lines.iter().flatten().copied());
        let goals = self.goals().flat_map(|(center, radius)| [center - radius, center + radius]);
        let respawns = file.respawns.iter().flat_map(|respawn| [&respawn.inside, &respawn.to]);
        let areas = respawns.flat_map(|area| [vector(area.min), vector(area.max)]);
        let markers = self.markers().map(|(_, place)| place);
        let obstacles = self.obstacles.iter().flatten().flat_map(|shape| {
            shape.corners().iter().flat_map(|corner| [*corner - shape.radius(), *corner + shape.radius()])
        });
        let points =
            bounds.chain(paths).chain(goals).chain(areas).chain(markers).chain(self.targets()).chain(obstacles);
        let mut points = points.filter(|point| point.is_finite());
        let first = points.next().unwrap_or_default();
        let frame = points.fold(Rect::from_corners(first, first), |frame, point| frame.union_point(point));
        let longer = frame.size().max_element().max(1.0);
        let half_size = frame.half_size().max(Vec2::splat(0.5 * SLIMMEST * longer)) + MARGIN * longer;
        Rect::from_center_half_size(frame.center(), half_size)
    }

    fn goals(&self) -> impl Iterator<Item = (Vec2, f32)> {
        let mut goals: Vec<(Vec2, f32)> = Vec::new();
        for goal in self.scenario.agents.iter().filter_map(|agent| agent.kind.goal.as_ref()) {
            let goal = (vector(goal.position), goal.radius.into());
            if !goals.contains(&goal) {
                goals.push(goal);
            }
        }
        goals.into_iter()
    }

    fn markers(&self) -> impl Iterator<Item = (&str, Vec2)> {
        let markers = self.scenario.file.markers.0.iter();
        markers.flat_map(|(name, entries)| {
            entries.iter().map(|entry| (name.as_str(), Vec2::new(entry.1.into(), entry.2.into())))
        })
    }

    /// The points that behaviors are about.
    fn targets(&self) -> impl Iterator<Item = Vec2> {
        let mut targets: Vec<Vec2> = Vec::new();
        let behaviors = self.scenario.agents.iter().flat_map(|agent| &agent.kind.behaviors);
        for OneKey(behavior) in behaviors {
            if let (_, Some(Target::Point(point))) = key_and_target(behavior)
                && !targets.contains(&vector(*point))
            {
                targets.push(vector(*point));
            }
        }
        targets.into_iter()
    }

    /// The obstacles at the end and, faintly, those at the start that have moved.
    fn obstacles(&self, canvas: &Canvas) -> Option<Group> {
        let [starts, ends] = &self.obstacles;
        let mut group = Group::new().set("stroke-linecap", "round").set("stroke-linejoin", "round");
        for start in starts.iter().zip(ends).filter_map(|(start, end)| (start != end).then_some(start)) {
            group = group.add(Group::new().set("opacity", 0.35).add(canvas.obstacle(start)));
        }
        for end in ends {
            group = group.add(canvas.obstacle(end));
        }
        (!ends.is_empty()).then_some(group)
    }

    /// All but the agents and obstacles.
    fn surroundings(&self, canvas: &Canvas) -> Vec<Group> {
        let mut group = Group::new().set("fill", "none").set("stroke", MUTED);
        let file = &self.scenario.file;
        if let Some(Bounds { min, max, edge }) = file.bounds.as_deref() {
            let edges = canvas.rectangle(vector(*min), vector(*max));
            group = group.add(match edge {
                Edge::Bounce => edges.set("stroke-width", 3),
                Edge::Wrap => edges.set("stroke-dasharray", "8 6"),
                Edge::None => edges.set("stroke-dasharray", "1 6"),
            });
        }
        for respawn in &file.respawns {
            let area = |area: &Area| canvas.rectangle(vector(area.min), vector(area.max)).set("stroke", "none");
            group = group.add(area(&respawn.inside).set("fill", COLORS[0]).set("fill-opacity", 0.2));
            group = group.add(area(&respawn.to).set("fill", COLORS[1]).set("fill-opacity", 0.2));
        }
        for (center, radius) in self.goals() {
            group = group.add(canvas.circle(center, radius).set("stroke-dasharray", "4 3"));
        }
        for target in self.targets() {
            group = group.add(canvas.cross(target));
        }
        let mut labels = Group::new();
        for (name, place) in self.markers() {
            group = group.add(canvas.cross(place));
            labels = labels.add(label(name, canvas.point(place) + Vec2::new(8.0, -6.0), TEXT));
        }
        vec![group, labels]
    }

    /// The lines of each path, in pixels apart, without the corners that nobody sees.
    fn simplified(&self, scale: f32) -> Vec<Vec<Vec<Vec2>>> {
        let mut tolerance = 0.3 / scale;
        loop {
            let simplify = |line: &Vec<Vec2>| simplify(line, tolerance);
            let paths: Vec<Vec<_>> =
                self.trails.iter().map(|trail| trail.lines.iter().map(simplify).collect()).collect();
            let lines = paths.iter().flatten();
            if tolerance > SIZE / scale || lines.map(|line: &Vec<Vec2>| line.len()).sum::<usize>() <= MOST_DRAWN {
                return paths;
            }
            tolerance *= 1.5;
        }
    }
}

/// From the world to the picture: y points down there.
struct Canvas {
    scale: f32,
    left: f32,
    top: f32,
}

impl Canvas {
    fn point(&self, place: Vec2) -> Vec2 {
        Vec2::new(place.x - self.left, self.top - place.y) * self.scale
    }

    fn rectangle(&self, min: Vec2, max: Vec2) -> Rectangle {
        let (corner, size) = (self.point(Vec2::new(min.x, max.y)), (max - min) * self.scale);
        Rectangle::new()
            .set("x", short(corner.x))
            .set("y", short(corner.y))
            .set("width", short(size.x))
            .set("height", short(size.y))
    }

    fn circle(&self, center: Vec2, radius: f32) -> Circle {
        let center = self.point(center);
        Circle::new().set("cx", short(center.x)).set("cy", short(center.y)).set("r", short(radius * self.scale))
    }

    fn obstacle(&self, shape: &PlacedShape) -> Element {
        if let [center] = shape.corners() {
            return self.circle(*center, shape.radius()).set("fill", MUTED).into();
        }
        let mut points = String::new();
        for &corner in shape.corners() {
            let point = self.point(corner);
            // Writing to a String does not fail.
            let _ = write!(points, "{},{} ", short(point.x), short(point.y));
        }
        let points = points.trim_end();
        if shape.is_closed() {
            Polygon::new().set("points", points).set("fill", MUTED).set("stroke", MUTED).into()
        } else {
            let thickness = (2.0 * shape.radius() * self.scale).max(THINNEST);
            let line = Polyline::new().set("points", points).set("fill", "none");
            line.set("stroke", MUTED).set("stroke-width", short(thickness)).into()
        }
    }

    fn cross(&self, place: Vec2) -> Group {
        let center = self.point(place);
        let line = |x: f32, y: f32| {
            let (from, to) = (center - Vec2::new(x, y), center + Vec2::new(x, y));
            Line::new().set("x1", short(from.x)).set("y1", short(from.y)).set("x2", short(to.x)).set("y2", short(to.y))
        };
        Group::new().set("stroke-width", 2).add(line(5.0, 0.0)).add(line(0.0, 5.0))
    }

    /// The paths of some agents, each with its start and end.
    fn group(&self, color: &str, members: &[usize], paths: &[Vec<Vec<Vec2>>], radii: &[f32]) -> Group {
        let pixel = 1.0 / self.scale;
        let mut group = Group::new().set("stroke", color).set("fill", "none");
        let mut data = String::new();
        for line in members.iter().flat_map(|member| &paths[*member]) {
            self.write_line(&mut data, line);
        }
        let opacity = if members.len() == 1 { 0.9 } else { 0.4 };
        group = group.add(Path::new().set("d", data).set("stroke-opacity", opacity).set("stroke-width", 1.5));
        for &member in members {
            if let Some(start) = paths[member].first().and_then(|line| line.first()) {
                group = group.add(self.circle(*start, 2.5 * pixel));
            }
        }
        let mut ends = Group::new().set("stroke", "none").set("fill", color);
        for &member in members {
            if let Some(end) = paths[member].last().and_then(|line| line.last()) {
                ends = ends.add(self.circle(*end, radii[member].max(2.5 * pixel)));
            }
        }
        group.add(ends)
    }

    fn write_line(&self, data: &mut String, line: &[Vec2]) {
        for (index, &place) in line.iter().enumerate() {
            let point = self.point(place);
            let command = if index == 0 { 'M' } else { 'L' };
            // Writing to a String does not fail.
            let _ = write!(data, "{command}{} {}", short(point.x), short(point.y));
        }
    }
}

fn label(words: &str, place: Vec2, color: &str) -> Text {
    // With a rim in the color of the ground, words stay legible on lines.
    Text::new(words)
        .set("x", short(place.x))
        .set("y", short(place.y))
        .set("fill", color)
        .set("stroke", GROUND)
        .set("stroke-width", 4)
        .set("paint-order", "stroke")
}

/// A tenth of a pixel is as exact as it gets.
fn short(number: f32) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The line with as few points as lead within `tolerance` of all (Ramer 1972; Douglas and Peucker 1973).
fn simplify(line: &[Vec2], tolerance: f32) -> Vec<Vec2> {
    let mut kept = vec![false; line.len()];
    let mut open = vec![(0, line.len().saturating_sub(1))];
    while let Some((first, last)) = open.pop() {
        kept[first] = true;
        kept[last] = true;
        let farthest = (first + 1..last)
            .map(|index| (index, distance_to_segment(line[index], line[first], line[last])))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((index, distance)) = farthest
            && distance > tolerance
        {
            open.extend([(first, index), (index, last)]);
        }
    }
    line.iter().zip(kept).filter_map(|(point, kept)| kept.then_some(*point)).collect()
}

fn distance_to_segment(point: Vec2, start: Vec2, end: Vec2) -> f32 {
    let segment = end - start;
    let along = (point - start).dot(segment) / segment.length_squared().max(f32::MIN_POSITIVE);
    point.distance(start + segment * along.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simplified_line_keeps_its_ends_and_corners() {
        let line: Vec<Vec2> = (0..=100_u8).map(|k| Vec2::new(f32::from(k), f32::from(k.abs_diff(50)))).collect();
        assert_eq!(simplify(&line, 0.1), [line[0], line[50], line[100]]);
        assert_eq!(simplify(&line[..1], 0.1), line[..1]);
        let circle: Vec<Vec2> = (0..=1000_u16).map(|k| Vec2::from_angle(f32::from(k) * 0.00628)).collect();
        let simple = simplify(&circle, 0.01);
        assert!(simple.len() < 40);
        for point in circle {
            let distance = simple.windows(2).map(|pair| distance_to_segment(point, pair[0], pair[1]));
            assert!(distance.fold(f32::INFINITY, f32::min) <= 0.01);
        }
    }
}

//! The scenery of a plot: everything apart from agents and their paths.

use std::sync::Arc;

use bevy_steerling::math::Vector;
use bevy_steerling::math::space::Edge;
use svg::node::element::Group;

use crate::behaviors::target::{Target, mirrored};
use crate::file::agents::Kind;
use crate::file::areas::{Area, Bounds};
use crate::json::number::vector;
use crate::json::strict::OneKey;
use crate::output::plot::canvas::{Canvas, MUTED, WORDS};
use crate::output::plot::paths::color;
use crate::scenario::scene::Scenario;
use crate::shapes::PlacedShape;

/// More goals, targets or regions than this are not shown.
const MOST_MARKS: usize = 500;

/// The scenery of a scenario.
pub(crate) struct Scenery<'a> {
    scenario: &'a Scenario,
    goals: Vec<(Vector, f32)>,
    targets: Vec<Vector>,
    pub regions: Vec<PlacedShape>,
}

impl<'a> Scenery<'a> {
    pub fn of(scenario: &'a Scenario) -> Self {
        Self { scenario, goals: goals(scenario), targets: targets(scenario), regions: regions(scenario) }
    }

    /// The markers, a name and a place for each entry.
    pub fn markers(&self) -> impl Iterator<Item = (&'a str, Vector)> {
        let markers = self.scenario.file.markers.0.iter();
        let places = markers.flat_map(|(name, entries)| entries.iter().map(move |entry| (name.as_str(), entry)));
        places.map(|(name, entry)| (name, vector(entry.place))).take(MOST_MARKS)
    }

    /// The ids and ends of the gates.
    #[cfg(not(dim3))]
    pub fn gates(&self) -> impl Iterator<Item = (&'a str, [Vector; 2])> {
        let gates = self.scenario.file.gates.iter();
        gates.map(|gate| (gate.id.as_str(), gate.ends())).take(MOST_MARKS)
    }

    /// There are no gates.
    #[cfg(dim3)]
    pub fn gates(&self) -> impl Iterator<Item = (&'a str, [Vector; 2])> {
        std::iter::empty()
    }

    /// Points and discs that the picture must include.
    pub fn extent(&self) -> impl Iterator<Item = (Vector, f32)> {
        let file = &self.scenario.file;
        let bounds = file.bounds.iter().flat_map(|bounds| [vector(bounds.min), vector(bounds.max)]);
        let areas = file.respawns.iter().flat_map(|respawn| [&respawn.inside, &respawn.to]);
        let corners = areas.flat_map(|area| area.corners());
        let ends = self.gates().flat_map(|(_, ends)| ends);
        let markers = self.markers().map(|(_, place)| place);
        let points = bounds.chain(corners).chain(ends).chain(self.targets.iter().copied()).chain(markers);
        points.map(|point| (point, 0.0)).chain(self.goals.iter().copied())
    }

    pub fn draw(&self, canvas: &Canvas) -> Group {
        let mut group = Group::new().set("fill", "none").set("stroke", MUTED);
        for region in &self.regions {
            group = group.add(canvas.outline(region));
        }
        if let Some(Bounds { min, max, edge }) = self.scenario.file.bounds.as_deref() {
            let edges = canvas.rectangle(vector(*min), vector(*max));
            group = group.add(match edge.0 {
                Edge::Bounce => edges.set("stroke-width", 3),
                Edge::Wrap => edges.set("stroke-dasharray", "8 6"),
                Edge::None => edges.set("stroke-dasharray", "1 6"),
            });
        }
        for respawn in &self.scenario.file.respawns {
            let area = |area: &Area| {
                let [min, max] = area.corners();
                canvas.rectangle(min, max).set("stroke", "none")
            };
            group = group.add(area(&respawn.inside).set("fill", color(0)).set("fill-opacity", 0.2));
            group = group.add(area(&respawn.to).set("fill", color(1)).set("fill-opacity", 0.2));
        }
        for (center, radius) in &self.goals {
            group = group.add(canvas.circle(*center, canvas.length(*radius)).set("stroke-dasharray", "4 3"));
        }
        for (_, [start, end]) in self.gates() {
            let line = canvas.line(start, end).set("stroke", WORDS).set("stroke-width", 2);
            group = group.add(line.set("stroke-dasharray", "6 4"));
        }
        for place in self.targets.iter().copied().chain(self.markers().map(|(_, place)| place)) {
            group = group.add(canvas.cross(place));
        }
        group
    }
}

fn goals(scenario: &Scenario) -> Vec<(Vector, f32)> {
    let mut goals: Vec<_> = scenario.goals().collect();
    goals.sort_by_key(|(center, radius)| [center.x, center.y, *radius].map(f32::to_bits));
    goals.dedup();
    goals.truncate(MOST_MARKS);
    goals
}

/// The fixed points that are targets of behaviors.
fn targets(scenario: &Scenario) -> Vec<Vector> {
    let behaviors = scenario.agents.iter().flat_map(|agent| agent.kind.behaviors.iter().map(move |one| (agent, one)));
    let all = behaviors.flat_map(|(agent, OneKey(behavior))| {
        behavior.fields().targets().into_iter().map(move |(_, target)| (agent, target))
    });
    let points = all.filter_map(|(agent, target)| match target {
        Target::Point(point) => Some(vector(*point)),
        Target::Mirrored(center) => Some(mirrored(agent.position, *center)),
        _ => None,
    });
    let mut targets: Vec<Vector> = points.collect();
    targets.sort_by_key(|target| target.to_array().map(f32::to_bits));
    targets.dedup();
    targets.truncate(MOST_MARKS);
    targets
}

/// The regions that agents stay in, each once.
fn regions(scenario: &Scenario) -> Vec<PlacedShape> {
    let mut kinds: Vec<&Arc<Kind>> = scenario.agents.iter().map(|agent| &agent.kind).collect();
    kinds.dedup_by(|a, b| Arc::ptr_eq(a, b));
    let behaviors = kinds.into_iter().flat_map(|kind| &kind.behaviors);
    let mut regions = Vec::new();
    for region in behaviors.filter_map(|OneKey(behavior)| behavior.fields().region()) {
        if regions.len() < MOST_MARKS && !regions.contains(&region) {
            regions.push(region);
        }
    }
    regions
}

/// Draws the obstacles at the end and, faintly, at the start if they have moved.
pub(crate) fn draw_obstacles([starts, ends]: &[Vec<PlacedShape>; 2], canvas: &Canvas) -> Group {
    let mut group = Group::new().set("stroke-linecap", "round").set("stroke-linejoin", "round");
    for start in starts.iter().zip(ends).filter_map(|(start, end)| (start != end).then_some(start)) {
        group = group.add(Group::new().set("opacity", 0.35).add(canvas.obstacle(start)));
    }
    for end in ends.iter().filter(|end| end.extent().is_finite()) {
        group = group.add(canvas.obstacle(end));
    }
    group
}

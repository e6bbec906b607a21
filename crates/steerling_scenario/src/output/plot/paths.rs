//! The agents of a plot and their paths.

use bevy::math::Vec2;
use bevy_steerling::math::Vector;
use bevy_steerling::prelude::SteeringAgent;
use svg::node::element::{Group, Path};

use crate::output::plot::canvas::Canvas;
use crate::output::plot::trails::{Trail, simplify};
use crate::output::plot::views::VIEWS;
use crate::scenario::scene::Scenario;

/// The colors of groups, in turn.
const COLORS: [&str; 6] = ["#f47262", "#60baf3", "#b0a3e2", "#66ce71", "#f9a83a", "#e6c7a5"];
/// The largest number of points of all paths together, apart from the ends of lines.
const MOST_POINTS: usize = 10_000 / VIEWS.len();
/// Smaller corners than this are invisible, pixels.
const UNSEEN: f64 = 0.3;
/// The radius of the rings at the starts, and the smallest radius of the discs at the ends, pixels.
pub(crate) const RING: f64 = 2.5;

/// The color of a group.
pub(crate) fn color(group: usize) -> &'static str {
    COLORS[group % COLORS.len()]
}

/// An agent in the picture.
pub(crate) struct Drawn {
    pub trail: Trail,
    pub name: String,
    pub radius: f32,
    /// The number of its group: each listed agent is a group, and so is each crowd.
    pub group: usize,
}

impl Drawn {
    /// Points and discs that the picture must include.
    pub fn extent(&self) -> impl Iterator<Item = (Vector, f32)> {
        let points = self.trail.lines.iter().flatten().copied().chain([self.trail.start]);
        points.map(|point| (point, 0.0)).chain([(self.trail.end, self.radius)])
    }
}

/// The agents of the trails, group by group.
pub(crate) fn drawn(scenario: &Scenario, trails: Vec<Trail>) -> Vec<Drawn> {
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

/// The lines of each agent's path in the view of the canvas, without invisible corners. If too many points remain, the least important corners are
/// left out too.
pub(crate) fn visible_lines(agents: &[Drawn], canvas: &Canvas) -> Vec<Vec<Vec<Vec2>>> {
    let flat = |line: &Vec<Vector>| line.iter().map(|place| canvas.view().flat(*place)).collect();
    let flat: Vec<Vec<Vec<Vec2>>> = agents.iter().map(|agent| agent.trail.lines.iter().map(flat).collect()).collect();
    let mut tolerance = UNSEEN;
    loop {
        let simplify = |line: &Vec<Vec2>| simplify(line, (tolerance / canvas.scale) as f32);
        let lines: Vec<Vec<_>> = flat.iter().map(|lines| lines.iter().map(simplify).collect()).collect();
        let corners: usize = lines.iter().flatten().map(|line| line.len().saturating_sub(2)).sum();
        if corners <= MOST_POINTS {
            return lines;
        }
        tolerance *= 1.5;
    }
}

/// Draws the paths of some agents, each with its start and end.
pub(crate) fn draw_paths(canvas: &Canvas, members: Vec<(&Drawn, Vec<Vec<Vec2>>)>, color: &str) -> Group {
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

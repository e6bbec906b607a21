//! Charts with two axes, as SVG.

use svg::Document;
use svg::node::element::{Circle, Group, Line, Polygon, Polyline, Rectangle, Text, Title};

const SIZE: [f64; 2] = [640.0, 400.0];
/// The margins: left, right, top, bottom, pixels.
const MARGINS: [f64; 4] = [56.0, 20.0, 20.0, 48.0];
const GROUND: &str = "#13161c";
const MUTED: &str = "#4d5666";
const WORDS: &str = "#d8dde8";
const LINE_OF_LEGEND: f64 = 18.0;

type Point = [f64; 2];

/// An axis from zero.
pub struct Axis {
    pub title: &'static str,
    pub end: f64,
    /// The distance between two numbers.
    pub step: f64,
}

/// A chart in the making.
pub struct Chart {
    axes: [Axis; 2],
    content: Group,
    legend: Group,
    lines_of_legend: usize,
    /// How far the legend is to the right of its usual place, pixels.
    legend_shift: f64,
    title: &'static str,
}

impl Chart {
    pub fn new(title: &'static str, axes: [Axis; 2], legend_shift: f64) -> Self {
        Self { axes, content: Group::new(), legend: Group::new(), lines_of_legend: 0, legend_shift, title }
    }

    /// The place of a point in the picture.
    fn at(&self, [x, y]: Point) -> Point {
        let [left, right, top, bottom] = MARGINS;
        let share = [x / self.axes[0].end, y / self.axes[1].end];
        [left + share[0] * (SIZE[0] - left - right), SIZE[1] - bottom - share[1] * (SIZE[1] - top - bottom)]
    }

    fn points(&self, points: &[Point]) -> String {
        let points = points.iter().map(|point| self.at(*point).map(short));
        points.map(|[x, y]| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
    }

    /// An area with this outline.
    pub fn area(mut self, name: &str, outline: &[Point], color: &str) -> Self {
        let area = Polygon::new().set("points", self.points(outline)).set("fill", color).set("opacity", 0.25);
        self.content = self.content.add(area);
        self.named(name, color)
    }

    pub fn line(mut self, name: &str, points: &[Point], color: &str) -> Self {
        let line = Polyline::new().set("points", self.points(points)).set("fill", "none");
        self.content = self.content.add(line.set("stroke", color).set("stroke-width", 2));
        self.named(name, color)
    }

    pub fn dots(mut self, name: &str, points: &[Point], radius: f64, color: &str) -> Self {
        for point in points {
            let [x, y] = self.at(*point).map(short);
            self.content =
                self.content.add(Circle::new().set("cx", x).set("cy", y).set("r", radius).set("fill", color));
        }
        self.named(name, color)
    }

    /// Upright lines from one number to another.
    pub fn ranges(mut self, ranges: &[(f64, [f64; 2])], color: &str) -> Self {
        const HALF_CAP: f64 = 4.0;
        let mut lines = Group::new().set("stroke", color).set("stroke-width", 1.5);
        for &(x, ends) in ranges {
            let [low, high] = ends.map(|y| self.at([x, y]));
            lines = lines.add(line(low, high));
            for [x, y] in [low, high] {
                lines = lines.add(line([x - HALF_CAP, y], [x + HALF_CAP, y]));
            }
        }
        self.content = self.content.add(lines);
        self
    }

    /// Adds a name to the legend; none if it is empty.
    fn named(mut self, name: &str, color: &str) -> Self {
        if name.is_empty() {
            return self;
        }
        let y = MARGINS[2] + LINE_OF_LEGEND * (self.lines_of_legend as f64 + 0.8);
        self.legend = self.legend.add(text(name, [MARGINS[0] + 12.0, y], "start").set("fill", color));
        self.lines_of_legend += 1;
        self
    }

    pub fn finish(mut self) -> String {
        if self.legend_shift != 0.0 {
            self.legend = self.legend.set("transform", format!("translate({} 0)", self.legend_shift));
        }
        let [right, top] = [self.axes[0].end, self.axes[1].end];
        let mut grid = Group::new().set("stroke", MUTED).set("stroke-width", 0.5);
        let mut words = Group::new().set("fill", WORDS);
        for number in steps(&self.axes[0]) {
            let [x, y] = self.at([number, 0.0]);
            grid = grid.add(line([x, y], self.at([number, top])));
            words = words.add(text(&short(number).to_string(), [x, y + 18.0], "middle"));
        }
        for number in steps(&self.axes[1]) {
            let [x, y] = self.at([0.0, number]);
            grid = grid.add(line([x, y], self.at([right, number])));
            words = words.add(text(&short(number).to_string(), [x - 8.0, y + 4.0], "end"));
        }
        let [x, y] = self.at([right / 2.0, 0.0]);
        let [_, middle] = self.at([0.0, top / 2.0]);
        let words = words.add(text(self.axes[0].title, [x, y + 38.0], "middle")).add(
            text(self.axes[1].title, [0.0, 0.0], "middle")
                .set("transform", format!("translate(18 {}) rotate(-90)", short(middle))),
        );
        let document = Document::new()
            .set("viewBox", format!("0 0 {} {}", SIZE[0], SIZE[1]))
            .set("font-family", "sans-serif")
            .set("font-size", 13)
            .add(Title::new(self.title))
            .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", GROUND))
            .add(grid)
            .add(self.content)
            .add(words)
            .add(self.legend);
        format!("{document}\n")
    }
}

/// The numbers on an axis.
fn steps(axis: &Axis) -> impl Iterator<Item = f64> {
    let step = axis.step;
    (0..=(axis.end / step).round() as u32).map(move |k| f64::from(k) * step)
}

fn line([x1, y1]: Point, [x2, y2]: Point) -> Line {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(short);
    Line::new().set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2)
}

fn text(words: &str, [x, y]: Point, anchor: &str) -> Text {
    Text::new(words).set("x", short(x)).set("y", short(y)).set("text-anchor", anchor)
}

fn short(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

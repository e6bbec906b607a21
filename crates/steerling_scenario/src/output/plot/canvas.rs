//! Shapes of the world as SVG elements.

#[cfg(dim3)]
use std::f32::consts::TAU;
use std::fmt::Write;

#[cfg(dim3)]
use bevy::math::ops;
use bevy::math::{DVec2, Vec2};
use bevy_steerling::math::Vector;
#[cfg(not(dim3))]
use svg::node::element::Polyline;
use svg::node::element::{Circle, Element, Group, Line, Polygon, Rectangle, Text};

use crate::output::plot::views::{VIEWS, View};
use crate::shapes::PlacedShape;

/// The longer side of the picture, pixels.
const SIZE: f64 = 800.0;
/// The shorter side is at least this share of the longer one.
const SLIMMEST: f64 = 0.3;
/// The margin, as a share of the longer side.
const MARGIN: f64 = 0.04;
/// The number of directions in which the rim of a silhouette is found.
#[cfg(dim3)]
const SILHOUETTE: u8 = 72;
/// The smallest width of walls, pixels.
#[cfg(not(dim3))]
const THINNEST: f64 = 3.0;

pub(crate) const GROUND: &str = "#13161c";
pub(crate) const MUTED: &str = "#4d5666";
pub(crate) const WORDS: &str = "#d8dde8";

/// The part of a view that a picture shows.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    center: DVec2,
    /// The size of what it shows.
    size: DVec2,
}

impl Frame {
    /// A frame that includes all these discs. Points are discs with radius zero.
    pub fn around(discs: impl Iterator<Item = (Vec2, f32)>) -> Self {
        let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for (center, radius) in discs.filter(|(center, radius)| center.is_finite() && radius.is_finite()) {
            let (center, radius) = (center.as_dvec2(), f64::from(radius));
            min = min.min(center - radius);
            max = max.max(center + radius);
        }
        if !(min.is_finite() && max.is_finite()) {
            (min, max) = (DVec2::NEG_ONE, DVec2::ONE);
        }
        Self { center: 0.5 * (min + max), size: max - min }
    }

    /// The longer side, which must exceed rounding errors, even for a tiny scene far from the origin.
    pub fn longer_side(&self) -> f64 {
        self.size.max_element().max(1e-5 * self.center.abs().max_element())
    }
}

/// The mapping from a view of the world to the picture, in which y points down.
pub(crate) struct Canvas {
    view: View,
    /// Pixels per unit.
    pub scale: f64,
    /// The top left corner of the picture, in the world.
    left_top: DVec2,
    /// The size of the picture, pixels.
    pub size: DVec2,
}

impl Canvas {
    /// Canvases of the same scale for all views. `discs` are what the picture must include: balls in three dimensions, and points if
    /// their radius is zero.
    pub fn around<I: Iterator<Item = (Vector, f32)>>(discs: impl Fn() -> I) -> Vec<Self> {
        let seen = |view: &View| Frame::around(discs().map(|(center, radius)| (view.flat(center), radius)));
        let frames = VIEWS.each_ref().map(seen);
        let longer = match frames.iter().map(Frame::longer_side).fold(0.0, f64::max) {
            0.0 => 1.0,
            longer => longer,
        };
        let half_sizes = frames
            .each_ref()
            .map(|frame| (0.5 * frame.size).max(DVec2::splat(0.5 * SLIMMEST * longer)) + MARGIN * longer);
        let longest = half_sizes.iter().map(|half_size| half_size.max_element()).fold(0.0, f64::max);
        let scale = SIZE / (2.0 * longest);
        let canvas = |(view, (Frame { center, .. }, half_size)): (View, (Frame, DVec2))| {
            let left_top = DVec2::new(center.x - half_size.x, center.y + half_size.y);
            Self { view, scale, left_top, size: 2.0 * half_size * scale }
        };
        VIEWS.into_iter().zip(frames.into_iter().zip(half_sizes)).map(canvas).collect()
    }

    /// The view that it shows.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// A length of the world, pixels.
    pub fn length(&self, length: f32) -> f64 {
        f64::from(length) * self.scale
    }

    pub fn point(&self, place: Vector) -> DVec2 {
        self.flat_point(self.view.flat(place))
    }

    /// The point of a place in the view.
    fn flat_point(&self, place: Vec2) -> DVec2 {
        let place = place.as_dvec2();
        DVec2::new(place.x - self.left_top.x, self.left_top.y - place.y) * self.scale
    }

    /// The area between two corners.
    pub fn rectangle(&self, min: Vector, max: Vector) -> Rectangle {
        let corners = [self.point(min), self.point(max)];
        let (low, high) = (corners[0].min(corners[1]), corners[0].max(corners[1]));
        Rectangle::new()
            .set("x", short(low.x))
            .set("y", short(low.y))
            .set("width", short(high.x - low.x))
            .set("height", short(high.y - low.y))
    }

    /// A circle with a radius in pixels.
    pub fn circle(&self, center: Vector, radius: f64) -> Circle {
        let center = self.point(center);
        Circle::new().set("cx", short(center.x)).set("cy", short(center.y)).set("r", short(radius))
    }

    #[cfg(not(dim3))]
    pub fn obstacle(&self, shape: &PlacedShape) -> Element {
        if let [center] = shape.corners() {
            return self.circle(*center, self.length(shape.radius())).set("fill", MUTED).into();
        }
        let points = self.points(shape.corners());
        if shape.is_closed() {
            Polygon::new().set("points", points).set("fill", MUTED).set("stroke", MUTED).into()
        } else {
            let thickness = (2.0 * self.length(shape.radius())).max(THINNEST);
            let line = Polyline::new().set("points", points).set("fill", "none");
            line.set("stroke", MUTED).set("stroke-width", short(thickness)).into()
        }
    }

    /// The outline of a closed shape.
    #[cfg(not(dim3))]
    pub fn outline(&self, shape: &PlacedShape) -> Element {
        match shape.corners() {
            [center] => self.circle(*center, self.length(shape.radius())).into(),
            corners => Polygon::new().set("points", self.points(corners)).into(),
        }
    }

    /// The silhouette of a shape.
    #[cfg(dim3)]
    pub fn obstacle(&self, shape: &PlacedShape) -> Element {
        self.silhouette(shape).set("fill", MUTED).set("fill-opacity", 0.6).set("stroke", MUTED).into()
    }

    /// The silhouette of a shape, as a line.
    #[cfg(dim3)]
    pub fn outline(&self, shape: &PlacedShape) -> Element {
        self.silhouette(shape).into()
    }

    #[cfg(dim3)]
    fn silhouette(&self, shape: &PlacedShape) -> Polygon {
        let directions = (0..SILHOUETTE).map(|k| {
            let (sin, cos) = ops::sin_cos(f32::from(k) * (TAU / f32::from(SILHOUETTE)));
            Vec2::new(cos, sin)
        });
        let mut corners: Vec<Vector> =
            directions.filter_map(|direction| shape.farthest(self.view.of_flat(direction))).collect();
        corners.dedup();
        Polygon::new().set("points", self.points(&corners))
    }

    fn points(&self, corners: &[Vector]) -> String {
        let points = corners.iter().map(|corner| self.point(*corner));
        let points: Vec<String> = points.map(|point| format!("{},{}", short(point.x), short(point.y))).collect();
        points.join(" ")
    }

    pub fn cross(&self, place: Vector) -> Group {
        let center = self.point(place);
        let bar = |x: f64, y: f64| line(center - DVec2::new(x, y), center + DVec2::new(x, y));
        Group::new().set("stroke-width", 2).add(bar(5.0, 0.0)).add(bar(0.0, 5.0))
    }

    pub fn line(&self, start: Vector, end: Vector) -> Line {
        line(self.point(start), self.point(end))
    }

    /// Appends a line of the view to the data of a path.
    pub fn write_line(&self, data: &mut String, line: &[Vec2]) {
        for (index, &place) in line.iter().enumerate() {
            let point = self.flat_point(place);
            let command = if index == 0 { 'M' } else { 'L' };
            // Writing to a String cannot fail.
            let _ = write!(data, "{command}{} {}", short(point.x), short(point.y));
        }
    }

    /// A label beside a disc with a radius in pixels, on the side with more room.
    pub fn label(&self, words: &str, place: Vector, radius: f64, color: &str) -> Text {
        let point = self.point(place);
        let (x, anchor) = if point.x < 0.7 * self.size.x {
            (point.x + radius + 6.0, "start")
        } else {
            (point.x - radius - 6.0, "end")
        };
        // An outline in the background color keeps labels legible on top of lines.
        Text::new(printable(words))
            .set("x", short(x))
            .set("y", short(point.y + 4.5))
            .set("text-anchor", anchor)
            .set("fill", color)
            .set("stroke", GROUND)
            .set("stroke-width", 4)
            .set("paint-order", "stroke")
    }
}

fn line(from: DVec2, to: DVec2) -> Line {
    Line::new().set("x1", short(from.x)).set("y1", short(from.y)).set("x2", short(to.x)).set("y2", short(to.y))
}

/// The words, with replacement characters for those that XML does not allow.
pub(crate) fn printable(words: &str) -> String {
    let allowed = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    words.chars().map(|c| if allowed(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// A number of pixels, rounded to tenths.
pub(crate) fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

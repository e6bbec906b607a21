//! Plots show the run, stay small and are well-formed.

use steerling_scenario::{Plot, Scenario, Threads, run};
use svg::node::Attributes;
use svg::parser::Event;

fn plot(text: &str) -> String {
    let scenario = Scenario::parse("scene.json", text).unwrap_or_else(|error| panic!("{error}"));
    let mut plot = Plot::new(&scenario);
    let Ok(_) = run::<std::convert::Infallible>(&scenario, scenario.ticks(), Threads::Exactly(1), |simulation| {
        plot.record(simulation);
        Ok(())
    });
    plot.finish()
}

/// The attributes of all elements with this name.
fn elements(plot: &str, name: &str) -> Vec<Attributes> {
    let events = svg::read(plot).expect("it can be parsed");
    events
        .filter_map(|event| match event {
            Event::Tag(tag, _, attributes) if tag == name && !attributes.is_empty() => Some(attributes),
            Event::Error(error) => panic!("{error}"),
            _ => None,
        })
        .collect()
}

/// The lines of all paths, point by point.
fn lines(plot: &str) -> Vec<Vec<(f32, f32)>> {
    let paths = elements(plot, "path");
    let lines = paths.iter().flat_map(|path| path["d"].split('M').skip(1));
    lines
        .map(|line| {
            let points = line.split('L').map(|point| point.split_once(' ').expect("two coordinates"));
            points.map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).collect()
        })
        .collect()
}

#[test]
fn a_straight_way_is_two_points_between_its_ring_and_its_disc() {
    let plot = plot(
        r#"{"tick": 0.1, "ticks": 100,
            "agents": [{"id": "<a> & \"b\"", "position": [-50, 0], "velocity": [10, 5], "radius": 4,
                        "goal": {"position": [50, 50], "radius": 9}}]}"#,
    );
    let [line] = &lines(&plot)[..] else { panic!("one line: {plot}") };
    let [start, end] = line[..] else { panic!("two points: {line:?}") };
    // 100 to the right and 50 up, in pixels.
    let scale = (end.0 - start.0) / 100.0;
    assert!(scale > 6.0 && ((start.1 - end.1) / scale - 50.0).abs() < 0.1, "{start:?} {end:?}");

    let circles: Vec<[f32; 3]> = elements(&plot, "circle")
        .iter()
        .map(|circle| ["cx", "cy", "r"].map(|key| circle[key].parse().unwrap()))
        .collect();
    let near = |a: f32, b: f32| (a - b).abs() < 0.2;
    let shown = |(x, y): (f32, f32), r: f32| circles.iter().any(|c| near(c[0], x) && near(c[1], y) && near(c[2], r));
    assert!(shown(start, 2.5) && shown(end, 4.0 * scale) && shown(end, 9.0 * scale), "{circles:?}");
    assert!(plot.contains("\n&lt;a&gt; &amp; \"b\"\n</text>"), "{plot}");
}

#[test]
fn gates_are_dashed_lines_with_their_ids_and_paths_end_where_one_removes() {
    let plot = plot(
        r#"{"tick": 0.5, "ticks": 100, "gates": [{"id": "way out", "start": [20, -9], "end": [20, 9], "remove": true}],
            "agents": [{"id": "a", "position": [1, 0], "velocity": [4, 0]}]}"#,
    );
    let gates = elements(&plot, "line");
    let gates: Vec<_> = gates.iter().filter(|line| line.contains_key("stroke-dasharray")).collect();
    let [gate] = gates[..] else { panic!("one gate: {plot}") };
    let [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map(|key| gate[key].parse::<f32>().unwrap());
    let scale = (y1 - y2) / 18.0;
    assert!(x1 == x2 && scale > 0.0, "{gate:?}");
    assert!(plot.contains("\nway out\n</text>"), "{plot}");
    // It crosses in the tenth tick, which takes it from 19 to 21.
    let [line] = &lines(&plot)[..] else { panic!("one line: {plot}") };
    let [start, end] = line[..] else { panic!("two points: {line:?}") };
    assert!(((end.0 - start.0) / scale - 20.0).abs() < 0.1 && end.0 > x1, "{start:?} {end:?} {gate:?}");
}

#[test]
fn jumps_are_not_drawn() {
    for (bounds, respawns) in [
        (r#""bounds": {"min": [-100, -100], "max": [100, 100], "edge": "wrap"}"#, "[]"),
        (
            r#""bounds": {"min": [-100, -100], "max": [100, 100], "edge": "bounce"}"#,
            r#"[{"inside": {"min": [90, -100], "max": [100, 100]}, "to": {"min": [-90, -90], "max": [-90, 90]}}]"#,
        ),
    ] {
        let plot = plot(&format!(
            r#"{{"tick": 0.1, "ticks": 100, {bounds}, "respawns": {respawns},
                "agents": [{{"id": "a", "position": [0, 0], "velocity": [60, 10]}}]}}"#
        ));
        let lines = lines(&plot);
        assert!(lines.len() >= 3, "{lines:?}");
        for (x, y) in
            lines.iter().flat_map(|line| line.windows(2)).map(|ends| (ends[1].0 - ends[0].0, ends[1].1 - ends[0].1))
        {
            // It moves to the right and slightly up or, after it bounces off an edge, down.
            assert!(x > 0.0 && y.abs() < 0.2 * x + 0.2, "{lines:?}");
        }
    }
}

#[test]
fn crowds_long_runs_and_many_jumps_stay_small() {
    let wander = r#""agent": {"max_force": 5000, "behaviors": [{"wander": {"angle_change": 30}}]}"#;
    for (count, ticks, size) in [(3000, 10, 9000), (2, 5_000, 9000), (1, 20_000, 20), (200, 300, 20)] {
        let plot = plot(&format!(
            r#"{{"ticks": {ticks}, "bounds": {{"min": [0, 0], "max": [{size}, {size}], "edge": "wrap"}},
                "crowds": [{{"prefix": "w", "count": {count}, "area": {{"min": [0, 0], "max": [{size}, {size}]}}, {wander}}}]}}"#
        ));
        assert!(plot.len() < 600_000, "{} bytes", plot.len());
        assert_eq!(elements(&plot, "circle").len(), 2 * count.min(2000), "a ring and a disc each");
    }
}

#[test]
fn who_jumps_all_the_time_takes_nothing_from_the_others() {
    let plot = plot(
        r#"{"ticks": 800, "bounds": {"min": [0, 0], "max": [50, 50], "edge": "wrap"},
            "agents": [{"id": "calm", "position": [25, 25], "max_speed": 1,
                        "behaviors": [{"wander": {"angle_change": 30}}]}],
            "crowds": [{"prefix": "w", "count": 200, "speed": 2000, "area": {"min": [0, 0], "max": [50, 50]},
                        "agent": {"max_speed": 2000}}]}"#,
    );
    let calm = elements(&plot, "path")[0]["d"].matches('L').count();
    assert!(calm > 5, "{calm} points");
    assert!(plot.len() < 600_000, "{} bytes", plot.len());
}

/// The picture includes everything, however far away or small, with finite numbers.
#[test]
fn nothing_has_a_scale_or_a_place_of_its_own() {
    for (agent, least) in [
        (r#""position": [1e9, 1e9]"#, 2.5),
        (r#""position": [-1e9, 0], "velocity": [1e9, 0], "max_speed": 1e9"#, 2.5),
        (r#""position": [3, 4]"#, 100.0),
        (r#""position": [0, 0], "velocity": [1e-4, 0], "radius": 1e-5"#, 20.0),
        (r#""position": [0, 0], "radius": 0"#, 2.5),
    ] {
        let plot = plot(&format!(r#"{{"tick": 0.1, "ticks": 10, "agents": [{{"id": "a", {agent}}}]}}"#));
        assert!(!plot.contains("NaN") && !plot.contains("inf"), "{plot}");
        let view: Vec<f32> = elements(&plot, "svg")[0]["viewBox"].split(' ').map(|x| x.parse().unwrap()).collect();
        let circles = elements(&plot, "circle");
        let [x, y, r] = ["cx", "cy", "r"].map(|key| circles[1][key].parse::<f32>().unwrap());
        assert!(r >= least && x - r >= -0.1 && y - r >= -0.1, "{agent}: {plot}");
        assert!(x + r <= view[2] + 0.1 && y + r <= view[3] + 0.1, "{agent}: {plot}");
    }
}

#[test]
fn names_cannot_break_the_file() {
    let plot = plot(
        r#"{"name": "a\u0001]]>", "ticks": 1, "agents": [{"id": "\u0000\u001b\ufffe\u0085\n", "position": [0, 0]}]}"#,
    );
    assert!(plot.chars().all(|c| c == '\n' || (!c.is_control() && c < '\u{fffe}')), "{plot:?}");
    assert!(plot.contains("<title>a\u{fffd}]]&gt;</title>"), "{plot}");
}

#[test]
fn a_scene_without_agents_has_a_plot_too() {
    let plot = plot(r#"{"ticks": 3, "markers": {"m": [[0, 5, 5]]}}"#);
    assert!(plot.contains("\nm\n</text>"));
    assert!(!plot.contains("NaN") && !plot.contains("inf"));
}

#[test]
fn obstacles_are_drawn_where_they_are_at_the_end_and_faintly_where_they_started() {
    let plot = plot(
        r#"{"tick": 0.1, "ticks": 100, "bounds": {"min": [-100, -50], "max": [100, 50]}, "obstacles": [
            {"circle": {"center": [0, 0], "radius": 10}, "velocity": [4, -2]},
            {"polygon": {"points": [[-90, -40], [-50, -40], [-50, 0]]}},
            {"capsule": {"start": [-20, 30], "end": [20, 30], "radius": 5}},
            {"polyline": {"points": [[80, -30], [90, 0], [80, 30]]}}
        ]}"#,
    );
    // The bounds and a margin of a twenty-fifth on each side are 800 pixels wide.
    let scale = 800.0 / 216.0;
    let pixels = |x: f32, y: f32| format!("{:.1},{:.1}", (x + 108.0) * scale, (58.0 - y) * scale);
    let circles: Vec<String> =
        elements(&plot, "circle").iter().map(|circle| format!("{},{}", circle["cx"], circle["cy"])).collect();
    assert_eq!(circles, [pixels(0.0, 0.0).replace(".0", ""), pixels(40.0, -20.0).replace(".0", "")]);
    assert_eq!(plot.matches("opacity").count(), 1, "only one has moved");

    let points = |name: &str| elements(&plot, name).iter().map(|shape| shape["points"].to_string()).collect::<Vec<_>>();
    let corners = |corners: &[(f32, f32)]| {
        corners.iter().map(|(x, y)| pixels(*x, *y).replace(".0", "")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(points("polygon"), [corners(&[(-90.0, -40.0), (-50.0, -40.0), (-50.0, 0.0)])]);
    let lines = points("polyline");
    assert!(lines.contains(&corners(&[(80.0, -30.0), (90.0, 0.0), (80.0, 30.0)])), "{lines:?}");
    let widths: Vec<f32> =
        elements(&plot, "polyline").iter().map(|line| line["stroke-width"].parse().unwrap()).collect();
    assert!((widths[0] - 10.0 * scale).abs() < 0.1 && widths[1] == 3.0, "{widths:?}");
}

#[test]
fn obstacles_outside_of_everything_else_are_in_the_picture() {
    let plot = plot(
        r#"{"ticks": 1, "agents": [{"id": "a", "position": [0, 0]}],
            "obstacles": [{"circle": {"center": [300, 100], "radius": 50}}]}"#,
    );
    let disc = &elements(&plot, "circle")[0];
    let [x, y, radius] = ["cx", "cy", "r"].map(|key| disc[key].parse::<f32>().unwrap());
    assert!(x + radius < 800.0 && x > 600.0 && y - radius > 0.0 && radius > 100.0, "{disc:?}");
}

#[test]
fn each_region_where_agents_stay_is_drawn_once() {
    let agent = |id: &str, region: &str| {
        format!(r#"{{"id": "{id}", "position": [0, 0], "behaviors": [{{"contain": {{"region": {region}}}}}]}}"#)
    };
    let room = r#"{"rectangle": {"center": [0, 0], "half_size": [100, 50]}}"#;
    let disc = r#"{"circle": {"center": [0, 0], "radius": 40}}"#;
    let crowd = format!(
        r#"{{"prefix": "w", "count": 9, "area": {{"min": [0, 0], "max": [9, 9]}},
            "agent": {{"behaviors": [{{"contain": {{"region": {disc}}}}}]}}}}"#
    );
    let agents = [agent("a", room), agent("b", disc), agent("c", room)].join(", ");
    let plot = plot(&format!(r#"{{"ticks": 1, "agents": [{agents}], "crowds": [{crowd}]}}"#));
    // With a margin of a twenty-fifth on each side.
    let scale = 800.0 / 216.0;
    let [room] = &elements(&plot, "polygon")[..] else { panic!("one rectangle: {plot}") };
    assert_eq!(room["points"].split(' ').count(), 4);
    let radius = format!("{:.1}", 40.0 * scale);
    let discs = elements(&plot, "circle").iter().filter(|circle| *circle["r"] == *radius).count();
    assert_eq!(discs, 1, "{plot}");
}

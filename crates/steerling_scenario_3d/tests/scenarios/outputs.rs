//! Traces, contributions and plots in three dimensions.

use std::convert::Infallible;

use steerling_scenario_3d::{Plot, Scenario, Threads, Trace, Why, run};
use svg::node::Attributes;
use svg::parser::Event;

const SCENE: &str = r#"{
    "dimensions": 3, "tick": 0.5, "ticks": 4, "bounds": {"min": [-10, -4, -2], "max": [30, 16, 8], "edge": "bounce"},
    "agents": [
        {"id": "b", "position": [0, 1, 2], "velocity": [4, 3, 0.25]},
        {"id": "a", "position": [7, 6, 5], "radius": 1, "goal": {"position": [20, 10, 1], "radius": 2},
         "behaviors": [{"seek": {"target": {"point": [7, 6, -20]}}}, {"wander": {"weight": 0.1}}]}
    ],
    "markers": {"here": [[0, 12, 2, 4]]}
}"#;

fn scene() -> Scenario {
    Scenario::parse("scene.json", SCENE).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_trace_has_columns_for_z() {
    let scenario = scene();
    let mut trace = Trace::new(Vec::new()).unwrap();
    let _ = run(&scenario, 4, Threads::Exactly(1), |simulation| trace.record(simulation)).unwrap();
    let text = String::from_utf8(trace.finish().unwrap()).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "tick,time,id,x,y,z,vx,vy,vz");
    assert_eq!(rows[1], "0,0,a,7,6,5,0,0,0");
    assert_eq!(rows[2], "0,0,b,0,1,2,4,3,0.25");
    assert_eq!(rows[4], "1,0.5,b,2,2.5,2.125,4,3,0.25");
    assert_eq!(rows.len(), 1 + 2 * 5);
}

#[test]
fn contributions_have_columns_for_z() {
    let scenario = scene().explained();
    let mut why = Why::new(Vec::new()).unwrap();
    let _ = run(&scenario, 1, Threads::Exactly(1), |simulation| why.record(simulation)).unwrap();
    let text = String::from_utf8(why.finish().unwrap()).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split(',').collect()).collect();
    let header = "tick,time,id,behavior,raw_x,raw_y,raw_z,weighted_x,weighted_y,weighted_z,applied_x,applied_y,applied_z,outcome";
    assert_eq!(rows[0], header.split(',').collect::<Vec<_>>());
    let seek = rows.iter().find(|row| row[3] == "seek").expect("it seeks");
    assert_eq!(seek[..6], ["1", "0.5", "a", "seek", "0", "0"], "straight along z");
    assert!(seek[6].parse::<f32>().unwrap() < 0.0);
    assert!(rows.iter().all(|row| row.len() == 14));
}

fn plot() -> String {
    let scenario = scene();
    let mut plot = Plot::new(&scenario);
    let Ok(_) = run::<Infallible>(&scenario, 4, Threads::Exactly(1), |simulation| {
        plot.record(simulation);
        Ok(())
    });
    plot.finish()
}

/// The elements with this name in each of the views, each a group that is moved to its place.
fn elements(plot: &str, name: &str) -> Vec<Vec<Attributes>> {
    let mut views: Vec<Vec<Attributes>> = Vec::new();
    for event in svg::read(plot).expect("it can be parsed") {
        match event {
            Event::Tag("g", _, attributes) if attributes.contains_key("transform") => views.push(Vec::new()),
            Event::Tag(tag, _, attributes) if tag == name && !attributes.is_empty() => {
                if let Some(view) = views.last_mut() {
                    view.push(attributes);
                }
            }
            Event::Error(error) => panic!("{error}"),
            _ => {}
        }
    }
    views
}

fn number(attributes: &Attributes, key: &str) -> f32 {
    attributes[key].parse().unwrap()
}

#[test]
fn a_plot_has_three_views_of_one_scale() {
    let plot = plot();
    for caption in [
        "from above: x to the right, z down",
        "from the front: x to the right, y up",
        "from the right: z to the left, y up",
    ] {
        assert_eq!(plot.matches(caption).count(), 1, "{caption}");
    }
    // The bounds are 40 by 20 by 10.
    let sizes: Vec<[f32; 2]> =
        elements(&plot, "rect").iter().map(|bounds| ["width", "height"].map(|side| number(&bounds[0], side))).collect();
    let unit = sizes[0][0] / 40.0;
    for (size, expected) in sizes.iter().zip([[40.0, 10.0], [40.0, 20.0], [10.0, 20.0]]) {
        for (side, expected) in size.iter().zip(expected) {
            assert!((side - unit * expected).abs() < 0.3, "{sizes:?}");
        }
    }
    assert_eq!(sizes.len(), 3);
}

#[test]
fn each_view_shows_the_agents_and_goals_from_its_side() {
    let plot = plot();
    let circles = elements(&plot, "circle");
    let bounds = elements(&plot, "rect");
    let unit = number(&bounds[0][0], "width") / 40.0;
    // In each view, where the low corner of the bounds is seen, and the axes to the right and down.
    let goal = [20.0, 10.0, 1.0];
    let seen = [[goal[0] + 10.0, goal[2] + 2.0], [goal[0] + 10.0, 16.0 - goal[1]], [8.0 - goal[2], 16.0 - goal[1]]];
    for ((circles, bounds), [right, down]) in circles.iter().zip(&bounds).zip(seen) {
        let [left, top] = ["x", "y"].map(|key| number(&bounds[0], key));
        let is_goal = |circle: &&Attributes| (number(circle, "r") - 2.0 * unit).abs() < 0.2;
        let goals: Vec<_> = circles.iter().filter(is_goal).collect();
        assert_eq!(goals.len(), 1);
        let [x, y] = ["cx", "cy"].map(|key| number(goals[0], key));
        assert!((x - left - right * unit).abs() < 0.3 && (y - top - down * unit).abs() < 0.3, "{x} {y}");
        // Two starts, two ends, and the goal.
        assert_eq!(circles.len(), 5);
    }
    assert_eq!(elements(&plot, "path").iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 2]);
    assert_eq!(plot.matches(">\nhere\n<").count(), 3, "the marker has its name in each view");
}

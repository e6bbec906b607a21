//! Obstacles are placed and moved according to the file, and overlaps with them are counted.

use steerling_scenario::Summary;

use crate::running::{assert_overlaps, summary};

#[test]
fn overlaps_are_counted_from_touch_to_separation() {
    // A disc passes by at one unit per tick: it overlaps from the 8th to the 13th tick.
    let disc = r#"{"circle": {"center": [10, 0], "radius": 2}, "velocity": [-10, 0]}"#;
    // The agent is always half a unit deep inside a block.
    let block = r#"{"rectangle": {"center": [0, 1.5], "half_size": [1, 1]}}"#;
    let resting = r#"{"id": "a", "position": [0, 0], "radius": 1}"#;
    let scene = |obstacles: &str| {
        summary(&format!(r#"{{"tick": 0.1, "ticks": 20, "obstacles": [{obstacles}], "agents": [{resting}]}}"#))
    };
    assert_overlaps(&scene(disc).collisions.with_obstacles, 1, 6, 3.0);
    assert_overlaps(&scene(block).collisions.with_obstacles, 1, 20, 0.5);
    // Two at once are two overlaps, but only one overlapping agent.
    let Summary { collisions, .. } = scene(&format!("{disc}, {block}"));
    assert_overlaps(&collisions.with_obstacles, 2, 20, 3.0);
    assert_overlaps(&collisions.with_agents, 0, 0, 0.0);
}

/// At the end of a tick, a moving obstacle does not overlap a solid agent at its new place.
#[test]
fn what_moves_pushes_solid_bodies_before_it() {
    let scene = |solid: bool| {
        summary(&format!(
            r#"{{"tick": 0.0166, "ticks": 600,
                "obstacles": [{{"rectangle": {{"center": [-40, 0], "half_size": [10, 60]}}, "velocity": [30, 0]}}],
                "crowds": [{{"prefix": "a", "count": 20, "spacing": 16.5, "area": {{"min": [-20, -50], "max": [60, 50]}},
                             "agent": {{"solid": {solid}, "behaviors": [{{"seek": {{"target": {{"point": [-900, 0]}}}}}}]}}}}]}}"#
        ))
        .collisions
        .with_obstacles
        .max_depth
    };
    assert!(scene(false) > 10.0, "they run into it: {}", scene(false));
    assert!(scene(true) < 0.04, "0.5 % of a radius: {}", scene(true));
}

#[test]
fn who_comes_back_runs_into_it_a_second_time() {
    // One unit per tick: from -1.5 to 1.5 in three ticks and, after the edge, from 1 to -1 in two.
    let Summary { collisions, .. } = summary(
        r#"{"tick": 0.1, "ticks": 20, "bounds": {"min": [-50, -50], "max": [5, 50], "edge": "bounce"},
            "obstacles": [{"segment": {"start": [0, -9], "end": [0, 9]}}],
            "agents": [{"id": "a", "position": [-5.5, 0], "velocity": [10, 0], "radius": 1}]}"#,
    );
    assert_overlaps(&collisions.with_obstacles, 2, 5, 1.0);
}

#[test]
fn every_shape_is_where_the_file_says() {
    // Each with one point half a unit from an agent of radius 1, to its right.
    for obstacle in [
        r#"{"circle": {"center": [102.5, 50], "radius": 2}}"#,
        r#"{"rectangle": {"center": [103.5, 50], "half_size": [9, 3], "rotation": 1.5707963}}"#,
        r#"{"segment": {"start": [100.5, 50], "end": [180, 90]}}"#,
        r#"{"capsule": {"start": [101.2, 50], "end": [150, 20], "radius": 0.7}}"#,
        r#"{"polygon": {"points": [[100.5, 50], [140, 90], [140, 30]]}}"#,
        r#"{"polyline": {"points": [[140, 90], [100.5, 50], [140, 30]]}}"#,
    ] {
        let Summary { collisions, .. } = summary(&format!(
            r#"{{"ticks": 1, "obstacles": [{obstacle}], "agents": [{{"id": "a", "position": [100, 50], "radius": 1}}]}}"#
        ));
        assert_overlaps(&collisions.with_obstacles, 1, 1, 0.5);
    }
}

#[test]
fn worlds_that_wrap_have_obstacles_across_their_seams() {
    for (obstacle, agent, unique, depth) in [
        // Across a seam along x and along y, and outside the bounds, which stands for the wrapped place inside.
        (r#"{"circle": {"center": [99, 50], "radius": 1}}"#, "[0.5, 50]", 1, 0.5),
        (r#"{"circle": {"center": [50, 1], "radius": 1}}"#, "[50, 99.5]", 1, 0.5),
        (r#"{"circle": {"center": [-1, 50], "radius": 1}}"#, "[0.5, 50]", 1, 0.5),
        (r#"{"segment": {"start": [-230, 340], "end": [-230, 360]}}"#, "[70.5, 50]", 1, 0.5),
        // It has crossed the seam, through the agent: from 70 to 99 in the second lap.
        (r#"{"circle": {"center": [70, 50], "radius": 1}, "velocity": [1290, 0]}"#, "[0.5, 50]", 2, 2.0),
    ] {
        let Summary { collisions, .. } = summary(&format!(
            r#"{{"tick": 0.05, "ticks": 2, "bounds": {{"min": [0, 0], "max": [100, 100], "edge": "wrap"}},
                "obstacles": [{obstacle}], "agents": [{{"id": "a", "position": {agent}, "radius": 1}}]}}"#
        ));
        assert_eq!(collisions.with_obstacles.unique, unique, "{obstacle}");
        assert!((collisions.with_obstacles.max_depth - depth).abs() < 1e-4, "{obstacle}: {collisions:?}");
    }
}

#[test]
fn agents_mind_only_obstacles_in_their_layers() {
    let collisions = |layers: &str| {
        let summary = summary(&format!(
            r#"{{"ticks": 300, "obstacles": [{{"circle": {{"center": [0, 1], "radius": 30}}, "layers": 6}}],
                "agents": [{{"id": "a", "position": [-150, 0], "behaviors": [
                    {{"seek": {{"target": {{"point": [150, 0]}}}}}}, {{"avoid_obstacles": {{{layers}}}}}]}}]}}"#
        ));
        summary.collisions.with_obstacles.unique
    };
    assert_eq!([collisions(""), collisions(r#""layers": 2"#), collisions(r#""layers": 9"#)], [0, 0, 1]);
}

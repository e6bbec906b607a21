//! Events of agents are counted if the scenario asks for them.

use steerling_scenario::EventCounts;

use crate::running::summary;

/// One agent stops at its target, one catches another and loses it at the gate, one is stuck at a wall until the end,
/// and one is caught.
fn scene(watched: bool) -> String {
    format!(
        r#"{{"ticks": 640, "obstacles": [{{"segment": {{"start": [300, 900], "end": [300, 1100]}}}}],
            "gates": [{{"id": "exit", "start": [150, -20], "end": [150, 20], "remove": true}}],
            "agents": [
                {{"id": "stops", "position": [0, 300], "events": {watched},
                  "behaviors": [{{"arrive": {{"target": {{"point": [100, 300]}}}}}}]}},
                {{"id": "hunts", "position": [-25, 0], "max_speed": 70, "events": {watched},
                  "behaviors": [{{"pursue": {{"target": {{"agent": "prey"}}}}}}]}},
                {{"id": "prey", "position": [0, 0], "velocity": [60, 0]}},
                {{"id": "pushes", "position": [0, 1000], "solid": true, "events": {watched},
                  "behaviors": [{{"seek": {{"target": {{"point": [900, 1000]}}}}}}]}}
            ],
            "crowds": [{{"prefix": "waits", "count": 2, "area": {{"min": [0, 500], "max": [9, 509]}},
                         "agent": {{"events": {watched}, "behaviors": [{{"seek": {{"target": {{"marker": "m"}}}}}}]}}}}],
            "markers": {{"m": [[0, 500, 500]]}}}}"#
    )
}

#[test]
fn each_event_is_counted_of_those_who_are_watched() {
    assert_eq!(summary(&scene(false)).events, EventCounts::default());
    let counts = summary(&scene(true)).events;
    assert_eq!((counts.target_lost, counts.stuck, counts.unstuck), (1, 1, 0), "{counts:?}");
    // The two agents of the crowd reach the marker that they seek, which counts as a catch too.
    assert_eq!((counts.arrived, counts.caught), (1 + 2, 1 + 2), "{counts:?}");
    // The hunter is about to collide with its prey, and the other agent with the wall.
    assert!(counts.collision_imminent >= 2, "{counts:?}");
}

#[test]
fn the_summary_has_them_in_order_and_watching_changes_nothing_else() {
    let [watched, unwatched] = [true, false].map(|watched| summary(&scene(watched)));
    assert_eq!(watched.state_hash, unwatched.state_hash);
    let text = serde_json::to_string(&unwatched).unwrap();
    let zeros = r#""events":{"target_lost":0,"target_found":0,"arrived":0,"caught":0,"unstuck":0,"stuck":0,"collision_imminent":0}"#;
    assert!(text.contains(zeros), "{text}");
}

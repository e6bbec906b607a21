//! A valid file that uses every field.

use serde_json::{Value, json};

/// Every behavior, with all its fields.
fn every_behavior() -> Value {
    serde_json::from_str(include_str!("../data/every_behavior.json")).unwrap()
}

/// A scenario that uses every field.
pub fn full() -> Value {
    json!({
        "name": "full", "dimensions": 2, "tick": 0.02, "ticks": 10, "seed": 3,
        "bounds": {"min": [0, 0], "max": [500, 400], "edge": "wrap"},
        "markers": {"m": [[0, 1, 2], [1, 3, 4]]},
        "obstacles": [
            {"circle": {"center": [50, 60], "radius": 7}, "layers": 2},
            {"rectangle": {"center": [90, 60], "half_size": [7, 8], "rotation": -0.5}, "velocity": [1, 2], "layers": 5},
            {"segment": {"start": [10, 20], "end": [30, 40]}},
            {"capsule": {"start": [10, 20], "end": [30, 40], "radius": 3}},
            {"polygon": {"points": [[0, 0], [50, 0], [20, 40]]}},
            {"polyline": {"points": [[0, 0], [50, 0], [20, 40]]}, "velocity": [0, 3]},
            {"circle": {"center": [9, 9], "radius": 1}, "turn_rate": 2, "pivot": [8, 9]}
        ],
        "fields": [{"id": "f", "toward": [[5, 6], [300, 200]], "cell": 5, "clearance": 3}],
        "agents": [{
            "id": "a", "position": [1, 2], "velocity": [3, 4], "mass": 1, "max_speed": 2, "max_force": 3, "radius": 4,
            "response_time": 0.1, "groups": 5, "events": true,
            "limits": {
                "max_turn_rate": 1, "min_turning_radius": 2, "max_acceleration": 3, "max_braking": 4, "reverse_speed": 5, "heading": -6
            },
            "impulse": {"velocity": [7, 8], "time_constant": 9},
            "sight": {"range": 90, "field_of_view": 2, "layers": 3},
            "arbitration": {
                "mode": "dithering", "threshold": 5, "priorities": {"seek": 3, "avoid_obstacles": -2},
                "probabilities": {"wander": 0.25, "separation": 1}
            },
            "goal": {"position": [0, 0], "radius": 1},
            "behaviors": every_behavior()
        }],
        "crowds": [{
            "prefix": "c", "count": 5, "area": {"min": [0, 0], "max": [100, 100]}, "spacing": 5, "speed": 3,
            "agent": {"mass": 2, "goals": [{"position": [0, 0], "radius": 1}, {"position": [0, 0], "radius": 1, "remove": true}],
                "behaviors": [{"arrive": {"target": {"mirrored": [0, 0]}, "slowing_radius": 9}}]}
        }],
        "formations": [
            {"anchor": "a", "pattern": "wedge", "spacing": 20, "succession": "dissolve", "members": ["c0", "c1"]},
            {"anchor": "c0", "pattern": [[-20, 20], [-20, -20]], "members": ["c2", "c3"]}
        ],
        "respawns": [{"inside": {"min": [0, 0], "max": [9, 9]}, "to": {"min": [50, 50], "max": [60, 60]}}],
        "gates": [{"id": "g", "start": [0, 0], "end": [9, 9], "remove": true}, {"id": "h", "start": [0, 9], "end": [9, 0]}],
        "flock_measures": {"link_radius": 9, "from": 0.1, "to": 0.2, "groups": 6}
    })
}

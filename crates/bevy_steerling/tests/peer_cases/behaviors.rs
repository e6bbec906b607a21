//! How each behavior's cases are run: an `App`, an agent, and ticks as long as the case says, or of one second. Then what a
//! behavior wants is the textbooks' *desired velocity − velocity*.
//!
//! What a case leaves open is as it is by default, but the agent is as strong as it takes to show what it wants.

mod containment;
mod facing;
pub mod forces;
pub mod neighbors;
mod obstacles;
mod paths;
mod targets;
mod wandering;

use crate::case::{Case, Input};
use crate::outcome::{Failure, Outcome};

/// Runs a case; `None` when its behavior is unknown.
pub fn run(case: &Case) -> Option<Outcome> {
    let rule = case.expect.rule.as_deref().unwrap_or_default();
    let run: fn(&mut Input) -> Outcome = match (case.behavior.as_str(), rule) {
        ("arrive" | "evade" | "flee" | "separation", "angular == 0") => targets::never_turns,
        ("arrive", "|v(1000)| > |v(1001)| > |v(1002)|") => targets::slows_down,
        ("arrive", "output none => distance < target_radius") => targets::wants_nothing_only_on_arrival,
        ("flee", "flee == -seek") => targets::mirrors_seek,
        ("seek", "no panic") => targets::is_left_alone,
        ("arrive" | "evade" | "flee" | "pursue" | "seek", _) => targets::has_a_target,
        ("interpose", _) => targets::interposes,
        ("offset_pursuit", _) => targets::keeps_offset,
        ("hide", _) => targets::hides,
        ("follow_path", _) => paths::follows,
        ("followPathChaseRabbit", _) => paths::never_turns,
        ("path", _) => paths::passes_points,
        ("path_geometry", _) => paths::measures_path,
        ("obstacleAvoidance", _) => obstacles::never_turns,
        ("obstacle_avoidance", "dot(pos - centre, force) >= 0") => obstacles::is_not_drawn_in,
        ("obstacle_avoidance", "") if case.expect.kind == "index" => obstacles::minds_the_threat,
        ("obstacle_avoidance" | "wall_avoidance", _) => obstacles::avoids,
        ("stay_in_bounds", _) => containment::stays_inside,
        ("separation", "out_A.x < -0.5 and out_B.x > 0.5 (normalised)") => neighbors::part,
        ("separation", _) => neighbors::keeps_apart,
        ("alignment", "dot(out_A,+x) > 0.5 and dot(out_B,+z) > 0.5 (normalised)") => neighbors::align,
        ("alignment", _) => neighbors::aligns,
        ("cohesion", _) => neighbors::coheres,
        ("neighbours", _) => neighbors::looks_around,
        ("wander", "|angle_new - angle_old| <= pi/100") => wandering::turns_little,
        ("wander", "") => wandering::is_on_a_circle,
        ("wander", _) => wandering::wanders,
        ("face", "angular == 0") => facing::has_no_way_to_face,
        ("face", _) => facing::faces,
        ("integrate", "rotation unchanged") => facing::keeps_facing,
        ("combine_weighted" | "idle" | "integrate", _) => forces::is_pushed,
        ("combine_first_above" | "combine_priority", _) => forces::is_pushed_by_priority,
        ("truncate", _) => forces::is_truncated,
        _ => return None,
    };
    let Some(mut input) = Input::of(case) else { return Some(Err(Failure::NeedsThreeDimensions)) };
    let outcome = run(&mut input);
    assert_eq!(input.unread(), Vec::<&str>::new(), "{}: nobody looked at these", case.id);
    Some(outcome)
}

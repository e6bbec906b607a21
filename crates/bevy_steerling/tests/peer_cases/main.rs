//! Cases of other steering libraries' tests: what their users expect of a behavior holds here too.
//!
//! All cases are in `tests/data/peer_cases.json`. A case is run by the code for its behavior in `behaviors`, or is listed in
//! [`LEFT_OUT`] with a reason: a new behavior takes its line off the list and gets its code. `bevy_steerling_3d` runs the same
//! tests in three dimensions; here the vectors of a case are laid into the plane, if they fit into one.

#[cfg(dim3)]
extern crate bevy_steerling_3d as bevy_steerling;

mod behaviors;
mod case;
#[cfg_attr(not(dim3), path = "planar.rs")]
#[cfg_attr(dim3, path = "spatial.rs")]
mod dimension;
mod outcome;
mod stage;

use std::collections::BTreeMap;

use bevy::ecs::reflect::AppTypeRegistry;
use case::{Case, Input};
use outcome::{Failure, Outcome};
use serde_json::Value;

/// Behaviors, or ids of single cases, that are not run, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("grayhare-032", "the plugin keeps the progress on a path itself"),
    ("limit_deviation", "no limit to the angle of a force yet"),
    ("stay_on_path", "no behavior that keeps near a path without following it"),
    ("wrap_sphere", "no round world yet: bounds are rectangles or boxes"),
    #[cfg(dim3)]
    ("yuka-042", "wanders in all directions, not in a plane"),
    ("yuka-033", "a path is joined at an angle, not at its first point"),
    ("yuka-035", "the end of a path is approached without a slowing radius"),
];

fn cases() -> Vec<Case> {
    #[derive(serde::Deserialize)]
    struct File {
        cases: Vec<Case>,
    }
    let file: File = serde_json::from_str(include_str!("../data/peer_cases.json")).expect("the file is as described");
    file.cases
}

/// How many cases are run.
const RUN: usize = if cfg!(dim3) { 158 } else { 157 };

/// What became of all cases.
#[derive(Debug, Default)]
struct Survey {
    run: usize,
    /// How many, by reason.
    left_out: BTreeMap<&'static str, usize>,
    problems: Vec<String>,
}

/// Whether the plugin has a component of this name.
fn is_behavior(name: &str) -> bool {
    let app = stage::app(1.0);
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let idents = registry.iter().filter_map(|registration| registration.type_info().type_path_table().ident());
    let name = name.replace('_', "");
    idents.into_iter().any(|ident| ident.eq_ignore_ascii_case(&name))
}

fn survey(cases: &[Case], listed: &[(&str, &'static str)]) -> Survey {
    let mut survey = Survey::default();
    for (index, case) in cases.iter().enumerate() {
        let what = format!("{} ({}: {})", case.id, case.behavior, case.name);
        if cases[..index].iter().any(|earlier| earlier.id == case.id) {
            survey.problems.push(format!("{what}: there twice"));
        }
        let listing = listed.iter().find(|(key, _)| *key == case.id || *key == case.behavior);
        match (listing, behaviors::run(case)) {
            (None, Some(Ok(()))) => survey.run += 1,
            (None, Some(Err(Failure::NeedsThreeDimensions))) => {
                *survey.left_out.entry("needs three dimensions").or_default() += 1;
            }
            (None, Some(Err(failure))) => survey.problems.push(format!("{what}: {failure}")),
            (None, None) => survey.problems.push(format!("{what}: neither run nor listed")),
            (Some((key, _)), None) if is_behavior(&case.behavior) => {
                survey.problems.push(format!("{what}: listed as `{key}`, but there is such a behavior"));
            }
            (Some((_, reason)), None) => *survey.left_out.entry(reason).or_default() += 1,
            // Left out in spite of the code for its behavior: it has to be for a reason that shows.
            (Some((key, reason)), Some(Err(_))) if *key == case.id => *survey.left_out.entry(reason).or_default() += 1,
            (Some((key, _)), Some(_)) => survey.problems.push(format!("{what}: listed as `{key}`, but can be run")),
        }
    }
    for (key, _) in listed {
        if !cases.iter().any(|case| *key == case.id || *key == case.behavior) {
            survey.problems.push(format!("`{key}` is listed, but there is no such case"));
        }
    }
    survey
}

#[test]
fn agents_do_what_they_do_in_other_libraries() {
    let cases = cases();
    let survey = survey(&cases, LEFT_OUT);
    assert!(survey.problems.is_empty(), "{}", survey.problems.join("\n"));
    let left_out: usize = survey.left_out.values().sum();
    println!("{} cases hold, {left_out} are left out:", survey.run);
    for (reason, count) in &survey.left_out {
        println!("  {count:3} {reason}");
    }
    // In numbers, so that no case is lost unnoticed.
    assert_eq!((cases.len(), survey.run, left_out), (171, RUN, 171 - RUN));
}

#[test]
fn a_case_is_either_run_or_listed() {
    let problems = |cases: &[Case], listed: &[(&str, &'static str)]| survey(cases, listed).problems.join("\n");
    let all = cases();
    let case = |id: &str| vec![all.iter().find(|case| case.id == id).expect("there is such a case").clone()];

    assert_eq!(problems(&case("yuka-002"), &[]), "");
    assert!(problems(&case("sharpsteer-006"), &[]).contains("neither run nor listed"));
    assert!(problems(&case("yuka-002"), &[("yuka-002", "")]).contains("can be run"));
    assert!(problems(&case("yuka-002"), &[("seek", "")]).contains("can be run"));
    assert!(problems(&case("yuka-002"), &[("yuka-001", "")]).contains("no such case"));
    let mut unknown = case("sharpsteer-006");
    unknown[0].behavior = "match_velocity".to_owned();
    assert!(problems(&unknown, &[("match_velocity", "")]).contains("there is such a behavior"));
    assert!(problems(&[case("yuka-002"), case("yuka-002")].concat(), &[]).contains("there twice"));
}

/// The expected results of a case, each a little wrong.
fn wrong_expectations(case: &Case) -> Vec<Value> {
    let with = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut value = case.expect.value.clone();
        change(value.as_array_mut().expect("it is a list"));
        value
    };
    let off = |number: &Value| {
        let number = number.as_f64().expect("it is a number");
        Value::from(number + (1e-3 * number.abs()).max(1e-3).max(3.0 * case.expect.tolerance()))
    };
    match &case.expect.value {
        Value::Number(_) => vec![off(&case.expect.value)],
        Value::Array(_) if case.expect.kind == "set" => {
            vec![with(&|indices| indices.truncate(indices.len() - 1)), with(&|indices| indices.push(Value::from(99)))]
        }
        Value::Array(numbers) => {
            (0..numbers.len()).map(|index| with(&|numbers| numbers[index] = off(&numbers[index]))).collect()
        }
        _ => Vec::new(),
    }
}

/// The tests above can fail: a thousandth more in any number that a case expects is noticed.
#[test]
fn a_result_that_is_off_by_a_little_is_noticed() {
    let listed = |case: &Case| LEFT_OUT.iter().any(|(key, _)| *key == case.id || *key == case.behavior);
    let fits = |case: &Case| Input::of(case).is_some();
    let mut changed = 0;
    for case in cases().iter().filter(|case| fits(case) && !listed(case) && !outcome::any_direction(case)) {
        let outcomes: Vec<Outcome> = wrong_expectations(case)
            .into_iter()
            .map(|value| {
                let mut wrong = case.clone();
                wrong.expect.value = value;
                behaviors::run(&wrong).expect("its behavior is there")
            })
            .collect();
        assert!(outcomes.iter().all(Result::is_err), "{}: {outcomes:?}", case.id);
        // Not only because the wrong result is out of the plane.
        let wrong = |outcome: &Outcome| matches!(outcome, Err(Failure::Wrong(_)));
        assert!(outcomes.is_empty() || outcomes.iter().any(wrong), "{}: {outcomes:?}", case.id);
        changed += usize::from(!outcomes.is_empty());
    }
    assert_eq!(changed, if cfg!(dim3) { 100 } else { 98 });
}

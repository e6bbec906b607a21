//! The files in the documentation run and give the output that is printed below them.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

/// The fenced blocks of a page in `docs`, each with its language.
fn blocks(page: &str) -> Vec<(String, String)> {
    let path = format!("{}/../../docs/{page}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let fenced = text.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n')).map(|(language, body)| (language.into(), body.into())).collect()
}

/// The output of the command: `check` for a file with expected motion, `run` for a scenario.
fn output(text: &str) -> String {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("scene.json");
    fs::write(&file, text).unwrap();
    let command = if text.contains("\"expected\"") { "check" } else { "run" };
    let output = Command::new(env!("CARGO_BIN_EXE_steerling")).arg(command).arg(&file).output().unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_scenario_of_the_reference_runs() {
    let blocks = blocks("scenarios.md");
    let scenarios: Vec<&str> = blocks.iter().filter(|block| block.0 == "json").map(|block| block.1.as_str()).collect();
    assert!(scenarios.len() >= 2);
    for scenario in scenarios {
        output(scenario);
    }
}

#[test]
fn every_step_of_the_guide_gives_what_it_says() {
    let blocks = blocks("scenario_guide.md");
    let mut steps = 0;
    let mut last = String::new();
    for (language, body) in &blocks {
        match language.as_str() {
            "json" => last = output(body),
            "text" => {
                steps += 1;
                for line in body.lines() {
                    assert!(last.lines().any(|printed| printed.starts_with(line)), "`{line}` is not in\n{last}");
                }
            }
            _ => {}
        }
    }
    assert!(steps >= 6);
}

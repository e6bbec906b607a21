//! Checks how the source in `crates/*/src` is laid out, and the links in Markdown files, and prints each violation in one line:
//!
//! - no circle: files of a crate do not import each other in a cycle;
//! - no file is longer than `MAX_FILE` lines, and no function longer than `MAX_FUNCTION`;
//! - in `crates/bevy_steerling` a module uses only itself and the modules before it in `ORDER`;
//! - a test program in `crates/*/tests` that is a folder has each file of the folder as a module: another would not be compiled;
//! - no Markdown file in the root, in `docs` or in `crates/*` has a link to a file or heading that does not exist.
//!
//! Code under `#[cfg(test)]` and comments import nothing. A path counts as the file of the last module that it names: one
//! through a re-export counts as the file that re-exports.
//!
//! ```sh
//! rustc --edition 2024 .ci/house.rs -o /tmp/house && /tmp/house            # or /tmp/house FOLDER
//! rustc --edition 2024 --test .ci/house.rs -o /tmp/house-test && /tmp/house-test
//! ```

#[path = "house/links.rs"]
mod links;
#[path = "house/modules.rs"]
mod modules;
#[path = "house/paths.rs"]
mod paths;
#[cfg(test)]
#[path = "house/tests.rs"]
mod tests;
#[path = "house/tokens.rs"]
mod tokens;

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use links::dead_links;
use modules::{House, shown};
use tokens::{Token, closing, text_of, tokens};

const MAX_FILE: usize = 500;
const MAX_FUNCTION: usize = 60;
/// The crate whose top modules have an order, and the order. What lies beside them, as `lib.rs` does, is above all.
const ORDERED: &str = "bevy_steerling";
const ORDER: [&str; 11] =
    ["math", "agent", "tick", "perception", "engine", "behaviors", "constraints", "motion", "world", "events", "debug"];

fn main() {
    let root = env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    match check(Path::new(&root)) {
        Ok(violations) if violations.is_empty() => println!("the layout of the source: sound"),
        Ok(violations) => {
            violations.iter().for_each(|violation| println!("{violation}"));
            println!("the layout of the source: {} violations", violations.len());
            process::exit(1);
        }
        Err(error) => {
            eprintln!("{error}");
            process::exit(2);
        }
    }
}

/// The violations in all crates of a workspace.
fn check(root: &Path) -> Result<Vec<String>, String> {
    let mut violations = Vec::new();
    let mut crates = 0;
    for folder in entries(&root.join("crates"))? {
        let source = folder.join("src");
        for file in ["lib.rs", "main.rs"].map(|name| source.join(name)) {
            if file.is_file() {
                crates += 1;
                let house = House::read(&file)?;
                violations.extend(house.circles().iter().map(|circle| shown(circle, root)));
                if folder.ends_with(ORDERED) {
                    violations.extend(house.arrows_up(&ORDER).iter().map(|arrow| arrow.shown(root)));
                }
            }
        }
        check_lengths(&source, root, &mut violations)?;
        for file in forgotten_tests(&folder.join("tests"))? {
            violations.push(format!("not a module: {}", file.strip_prefix(root).unwrap_or(&file).display()));
        }
    }
    violations.extend(dead_links(root)?);
    if crates == 0 { Err(format!("{}: no crate in crates/*/src", root.display())) } else { Ok(violations) }
}

/// The files beside a `main.rs` in a folder of tests that it does not have as modules.
fn forgotten_tests(tests: &Path) -> Result<Vec<PathBuf>, String> {
    let mut forgotten = Vec::new();
    for folder in if tests.is_dir() { entries(tests)? } else { Vec::new() } {
        let main = folder.join("main.rs");
        if main.is_file() {
            let main = text_of(&main)?;
            let is_module = |name: &str| {
                let (module, path) = (format!("mod {name};"), format!("\"{name}.rs\""));
                main.lines().any(|line| line == module || line.contains(&path))
            };
            let others = entries(&folder)?.into_iter().filter(|file| file.extension().is_some_and(|is| is == "rs"));
            forgotten.extend(others.filter(|file| {
                let name = file.file_stem().unwrap_or_default().to_string_lossy();
                name != "main" && !is_module(&name)
            }));
        }
    }
    Ok(forgotten)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut entries: Vec<_> = read.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    Ok(entries)
}

fn check_lengths(folder: &Path, root: &Path, violations: &mut Vec<String>) -> Result<(), String> {
    if !folder.is_dir() {
        return Ok(());
    }
    for path in entries(folder)? {
        if path.is_dir() {
            check_lengths(&path, root, violations)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = text_of(&path)?;
            let name = path.strip_prefix(root).unwrap_or(&path).display();
            let lines = text.lines().count();
            if lines > MAX_FILE {
                violations.push(format!("long file: {name}: {lines} lines, at most {MAX_FILE}"));
            }
            for (function, line, lines) in functions(&tokens(&text)).into_iter().filter(|long| long.2 > MAX_FUNCTION) {
                violations
                    .push(format!("long function: {name}:{line}: {function}: {lines} lines, at most {MAX_FUNCTION}"));
            }
        }
    }
    Ok(())
}

/// The functions that have a body: name, line, number of lines from `fn` to the closing brace.
fn functions(tokens: &[Token]) -> Vec<(String, usize, usize)> {
    let mut found = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        if !pair[0].is("fn") || !pair[1].is_word() {
            continue;
        }
        let mut end = at + 2;
        while end < tokens.len() && !tokens[end].is("{") && !tokens[end].is(";") {
            end = if tokens[end].opens() { closing(tokens, end) + 1 } else { end + 1 };
        }
        if end < tokens.len() && tokens[end].is("{") {
            let last = tokens[closing(tokens, end).min(tokens.len() - 1)].line;
            found.push((pair[1].text.clone(), pair[0].line, last + 1 - pair[0].line));
        }
    }
    found
}

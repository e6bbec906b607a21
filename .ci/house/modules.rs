//! The modules of a crate, and which file uses which.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use crate::paths::{ModulePath, imports_of, inline_paths};
use crate::tokens::{Token, closing, text_of, tokens, without_tests};

/// A module: where it is written, and what its names mean.
#[derive(Default)]
struct Module {
    file: PathBuf,
    tokens: Vec<Token>,
    /// What `use` brings in by name, as whole paths in the crate; none for what comes from elsewhere.
    imports: BTreeMap<String, Option<ModulePath>>,
}

/// That one file uses another.
#[derive(Clone, Debug)]
pub struct Arrow {
    from: PathBuf,
    to: PathBuf,
    line: usize,
    path: String,
}

impl Arrow {
    pub fn shown(&self, root: &Path) -> String {
        let name = |file: &Path| file.strip_prefix(root).unwrap_or(file).display().to_string();
        format!("arrow up: {}:{} -> {}: {}", name(&self.from), self.line, name(&self.to), self.path)
    }
}

pub fn shown(circle: &[Arrow], root: &Path) -> String {
    let name = |file: &Path| file.strip_prefix(root).unwrap_or(file).display().to_string();
    let mut line = "circle: ".to_owned();
    for arrow in circle {
        line += &format!("{}:{} ({}) -> ", name(&arrow.from), arrow.line, arrow.path);
    }
    line + &name(&circle[0].from)
}

/// The modules of a crate, and which file uses which.
#[derive(Default)]
pub struct House {
    modules: BTreeMap<ModulePath, Module>,
    /// The first arrow of each pair of files.
    pub arrows: BTreeMap<(PathBuf, PathBuf), Arrow>,
}

impl House {
    pub fn read(file: &Path) -> Result<Self, String> {
        let mut house = Self::default();
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        house.read_file(file, Vec::new(), &folder)?;
        house.read_imports();
        house.read_arrows();
        Ok(house)
    }

    /// Reads a file and those of the modules in it, which lie in `folder`.
    fn read_file(&mut self, file: &Path, path: ModulePath, folder: &Path) -> Result<(), String> {
        let code = without_tests(&tokens(&text_of(file)?));
        self.read_module(file, &code, path, folder)
    }

    fn read_module(&mut self, file: &Path, code: &[Token], path: ModulePath, folder: &Path) -> Result<(), String> {
        let mut own = Vec::new();
        let mut at = 0;
        while at < code.len() {
            let declares = code[at].is("mod") && code.get(at + 1).is_some_and(Token::is_word);
            if !declares {
                own.push(code[at].clone());
                at += 1;
                continue;
            }
            let name = code[at + 1].text.clone();
            let child: ModulePath = path.iter().cloned().chain([name.clone()]).collect();
            if code.get(at + 2).is_some_and(|token| token.is("{")) {
                let end = closing(code, at + 2).min(code.len());
                self.read_module(file, &code[at + 3..end], child, &folder.join(&name))?;
                at = end + 1;
                continue;
            }
            let (flat, nested) = (folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs"));
            let elsewhere = attribute_path(&own).map(|other| file.parent().unwrap_or(folder).join(other));
            let found = elsewhere.into_iter().chain([flat, nested]).find(|candidate| candidate.is_file());
            let missing = || format!("{}:{}: no file of the module {name}", file.display(), code[at].line);
            let found = found.ok_or_else(missing)?;
            self.read_file(&found, child, &folder.join(&name))?;
            let arrow = Arrow { from: file.to_owned(), to: found, line: code[at].line, path: format!("mod {name}") };
            self.add(arrow);
            at += 3;
        }
        self.modules.insert(path, Module { file: file.to_owned(), tokens: own, imports: BTreeMap::new() });
        Ok(())
    }

    fn add(&mut self, arrow: Arrow) {
        if arrow.from != arrow.to {
            self.arrows.entry((arrow.from.clone(), arrow.to.clone())).or_insert(arrow);
        }
    }

    fn read_imports(&mut self) {
        let paths: Vec<_> = self.modules.keys().cloned().collect();
        for path in paths {
            let mut imports = BTreeMap::new();
            for import in imports_of(&self.modules[&path].tokens) {
                let whole = self.whole(&path, &import.path);
                if import.name != "*" {
                    imports.insert(import.name, whole);
                }
            }
            self.modules.get_mut(&path).expect("it was just there").imports = imports;
        }
    }

    fn read_arrows(&mut self) {
        let mut arrows = Vec::new();
        for (path, module) in &self.modules {
            for (used, line) in imports_of(&module.tokens)
                .into_iter()
                .map(|import| (import.path, import.line))
                .chain(inline_paths(&module.tokens))
            {
                if let Some(whole) = self.whole(path, &used) {
                    let to = self.file_of(&whole);
                    arrows.push(Arrow { from: module.file.clone(), to, line, path: used.join("::") });
                }
            }
        }
        arrows.into_iter().for_each(|arrow| self.add(arrow));
    }

    /// The path from the crate's root, if it is in the crate.
    fn whole(&self, module: &[String], used: &[String]) -> Option<ModulePath> {
        let first = used.first()?;
        let mut base = module.to_vec();
        let mut rest = used;
        match first.as_str() {
            "crate" => (base, rest) = (Vec::new(), &used[1..]),
            "self" | "super" => {
                while let Some(step) = rest.first().filter(|step| matches!(step.as_str(), "self" | "super")) {
                    if step == "super" {
                        base.pop();
                    }
                    rest = &rest[1..];
                }
            }
            _ => {
                base.push(first.clone());
                rest = &used[1..];
                if !self.modules.contains_key(&base) {
                    base = self.modules.get(module)?.imports.get(first)?.clone()?;
                }
            }
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// The file of the last module on the path.
    fn file_of(&self, path: &[String]) -> PathBuf {
        let length = (0..=path.len()).rev().find(|&length| self.modules.contains_key(&path[..length]));
        self.modules[&path[..length.unwrap_or(0)]].file.clone()
    }

    /// Circles of files that share no arrow, shortest first.
    pub fn circles(&self) -> Vec<Vec<Arrow>> {
        let mut left = self.arrows.clone();
        let mut circles = Vec::new();
        while let Some(circle) = shortest_circle(&left) {
            for arrow in &circle {
                left.remove(&(arrow.from.clone(), arrow.to.clone()));
            }
            circles.push(circle);
        }
        circles
    }

    /// Where each file stands in the order of the top modules: its place, or above all.
    fn places(&self, order: &[&str]) -> BTreeMap<PathBuf, usize> {
        let place = |path: &[String]| {
            path.first().and_then(|room| order.iter().position(|known| known == room)).unwrap_or(order.len())
        };
        let root = self.modules.get(&Vec::new()).map(|module| module.file.clone());
        let outside_root = |module: &&Module| Some(&module.file) != root.as_ref();
        let placed = self.modules.iter().filter(|(_, module)| outside_root(module));
        placed
            .map(|(path, module)| (module.file.clone(), place(path)))
            .chain(root.clone().map(|file| (file, order.len())))
            .collect()
    }

    pub fn arrows_up(&self, order: &[&str]) -> Vec<&Arrow> {
        let places = self.places(order);
        self.arrows.values().filter(|arrow| places[&arrow.to] > places[&arrow.from]).collect()
    }
}

/// What `#[path = ".."]` says just before.
fn attribute_path(before: &[Token]) -> Option<String> {
    let [.., path, equals, name, bracket] = before else { return None };
    let named = path.is("path") && equals.is("=") && bracket.is("]");
    named.then(|| name.text.trim_matches('"').to_owned())
}

fn shortest_circle(arrows: &BTreeMap<(PathBuf, PathBuf), Arrow>) -> Option<Vec<Arrow>> {
    let mut next: BTreeMap<&Path, Vec<&Arrow>> = BTreeMap::new();
    for arrow in arrows.values() {
        next.entry(&arrow.from).or_default().push(arrow);
    }
    let circles = next.keys().filter_map(|&start| circle_through(start, &next));
    circles.min_by_key(Vec::len)
}

/// The shortest way from a file back to it.
fn circle_through(start: &Path, next: &BTreeMap<&Path, Vec<&Arrow>>) -> Option<Vec<Arrow>> {
    let mut came_by: BTreeMap<&Path, &Arrow> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for &arrow in next.get(file).into_iter().flatten() {
            if !came_by.contains_key(arrow.to.as_path()) {
                came_by.insert(&arrow.to, arrow);
                queue.push_back(&arrow.to);
            }
        }
    }
    let mut circle = vec![(*came_by.get(start)?).clone()];
    while circle[circle.len() - 1].from != start {
        circle.push(came_by[circle[circle.len() - 1].from.as_path()].clone());
    }
    circle.reverse();
    Some(circle)
}

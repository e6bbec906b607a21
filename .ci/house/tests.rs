//! The checks, in small trees of files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs, process};

use crate::modules::House;
use crate::{MAX_FILE, MAX_FUNCTION, check};

/// A workspace in a folder that goes when it does.
struct Tree(PathBuf);

impl Tree {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let root = env::temp_dir().join(format!("house-{}-{name}", process::id()));
        for (file, text) in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(root)
    }

    fn violations(&self) -> Vec<String> {
        check(&self.0).unwrap()
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// The files that each file of a crate uses, without folders and endings.
fn arrows(name: &str, files: &[(&str, &str)]) -> BTreeSet<String> {
    let files: Vec<_> = files.iter().map(|(file, text)| (format!("crates/x/src/{file}"), *text)).collect();
    let files: Vec<_> = files.iter().map(|(file, text)| (file.as_str(), *text)).collect();
    let tree = Tree::new(name, &files);
    let source = tree.0.join("crates/x/src");
    let house = House::read(&source.join("lib.rs")).unwrap();
    let short = |file: &Path| file.strip_prefix(&source).unwrap().display().to_string().replace(".rs", "");
    house.arrows.keys().map(|(from, to)| format!("{} {}", short(from), short(to))).collect()
}

fn set(lines: &[&str]) -> BTreeSet<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}

#[test]
fn a_tree_without_circles_is_sound() {
    let tree = Tree::new(
        "sound",
        &[
            ("crates/x/src/lib.rs", "mod a;\nmod b;\npub use a::A;\n"),
            ("crates/x/src/a.rs", "use crate::b::B;\npub struct A(B);\n"),
            ("crates/x/src/b.rs", "pub struct B;\n"),
        ],
    );
    assert_eq!(tree.violations(), Vec::<String>::new());
}

#[test]
fn a_dead_link_is_refused() {
    let tree = Tree::new(
        "links",
        &[
            ("crates/x/src/lib.rs", ""),
            (
                "README.md",
                "# The `x`\n[a](docs/a.md#two-words)\n[b](docs/b.md)\n<img src=\"c.svg\">\n```\n[d](d)\n```\n",
            ),
            (
                "docs/a.md",
                "## Two words\n[up](../README.md#the-x), [none](#three), [far](https://bevy.org), [`e`]\n\n[`e`]: e.rs\n",
            ),
        ],
    );
    let dead = ["README.md:3: docs/b.md", "README.md:4: c.svg", "docs/a.md:2: #three", "docs/a.md:4: e.rs"];
    assert_eq!(tree.violations(), dead.map(|link| format!("dead link: {link}")));
}

#[test]
fn a_circle_is_refused_in_one_line() {
    let tree = Tree::new(
        "circle",
        &[
            ("crates/x/src/lib.rs", "mod a;\nmod b;\nmod c;\n"),
            ("crates/x/src/a.rs", "use crate::b::B;\npub struct A(B);\n"),
            ("crates/x/src/b.rs", "use super::c;\npub struct B(c::C);\n"),
            ("crates/x/src/c.rs", "pub struct C(Box<crate::a::A>);\n"),
        ],
    );
    let [line] = &tree.violations()[..] else { panic!("{:?}", tree.violations()) };
    assert_eq!(
        line,
        "circle: crates/x/src/a.rs:1 (crate::b::B) -> crates/x/src/b.rs:1 (super::c) -> \
         crates/x/src/c.rs:1 (crate::a::A) -> crates/x/src/a.rs"
    );
}

#[test]
fn a_parent_and_a_child_that_uses_it_are_a_circle() {
    let tree = Tree::new(
        "parent",
        &[
            ("crates/x/src/lib.rs", "mod a;\n"),
            ("crates/x/src/a/mod.rs", "mod b;\npub struct A;\n"),
            ("crates/x/src/a/b.rs", "use super::A;\nfn f(_: A) {}\n"),
        ],
    );
    assert_eq!(tree.violations().len(), 1, "{:?}", tree.violations());
}

#[test]
fn a_circle_in_a_command_is_found_too() {
    let tree = Tree::new(
        "command",
        &[
            ("crates/x/src/main.rs", "mod a;\nstruct B;\nfn main() {}\n"),
            ("crates/x/src/a.rs", "use crate::B;\nfn f(_: B) {}\n"),
        ],
    );
    assert_eq!(tree.violations().len(), 1, "{:?}", tree.violations());
}

#[test]
fn nested_trees_aliases_and_inline_paths_are_understood() {
    let files = [
        ("lib.rs", "mod a;\nmod b;\nmod c;\npub mod prelude { pub use crate::c::C; }\n"),
        ("a.rs", "use crate::{b::{self as other, d::{D, e}}, c::*};\nfn f() { other::g::h(); e::i(); }\n"),
        ("b/mod.rs", "pub mod d;\npub mod g;\n"),
        ("b/d/mod.rs", "pub mod e;\npub struct D;\n"),
        ("b/d/e.rs", "pub fn i() { super::super::g::h(); }\n"),
        ("b/g.rs", "use std::{fmt, ops::{Add, Sub}};\npub fn h() { fmt::e::x(); bevy::a::B; }\n"),
        ("c.rs", "pub struct C;\nmod inner { pub fn f() -> super::super::b::d::D { self::g() } fn g() {} }\n"),
    ];
    let expected = [
        "lib a",
        "lib b/mod",
        "lib c",
        "a b/mod",
        "a b/d/mod",
        "a b/d/e",
        "a b/g",
        "a c",
        "b/mod b/d/mod",
        "b/mod b/g",
        "b/d/mod b/d/e",
        "b/d/e b/g",
        "c b/d/mod",
    ];
    assert_eq!(arrows("nested", &files), set(&expected));
}

#[test]
fn names_through_the_root_and_its_prelude_count_as_the_root() {
    let files = [
        ("lib.rs", "mod a;\nmod b;\npub use b::B;\npub mod prelude { pub use crate::b::B; }\n"),
        ("a.rs", "use crate::prelude::*;\nfn f(_: B) {}\n"),
        ("b.rs", "pub struct B;\npub(in crate::a) struct C;\npub(crate) struct D;\n"),
    ];
    assert_eq!(arrows("prelude", &files), set(&["lib a", "lib b", "a lib"]));
}

#[test]
fn tests_comments_and_strings_import_nothing() {
    let files = [
        ("lib.rs", "mod a;\nmod b;\n#[cfg(test)]\nmod only_in_tests;\n"),
        (
            "a.rs",
            r##"//! [`b`](crate::b)
/// use crate::b::B; /* crate::b */
fn f<'a>(_: &'a str) -> char { let _ = "crate::b::B"; let _ = r#"" crate::b::B "#; '"' }
#[cfg(test)]
use crate::b::{B, C};
#[cfg(test)] #[allow(dead_code)]
const fn g<A, B>() { crate::b::h(); }
#[test]
fn t() { crate::b::h(); }
#[cfg(all(test, feature = "std"))]
mod tests { use crate::b::B; }
"##,
        ),
        ("b.rs", "pub struct B { #[cfg(test)] a: crate::a::A, }\n"),
    ];
    assert_eq!(arrows("tests", &files), set(&["lib a", "lib b"]));
}

#[test]
fn what_follows_a_test_item_counts() {
    let files = [
        ("lib.rs", "mod a;\nmod b;\nmod c;\n"),
        ("a.rs", "#[cfg(test)]\nuse crate::c::{C};\nuse crate::b::B;\n"),
        ("b.rs", "#[cfg(not(test))]\nuse crate::c::C;\n"),
        ("c.rs", "fn f(x: S) { match x { #[cfg(test)] S::A => crate::a::A, S::B => {} } }\n"),
    ];
    assert_eq!(arrows("after", &files), set(&["lib a", "lib b", "lib c", "a b", "b c"]));
}

#[test]
fn an_arrow_up_the_order_is_refused() {
    let up = "use crate::engine::E;\npub struct M(E);\n";
    let tree = Tree::new(
        "up",
        &[
            ("crates/bevy_steerling/src/lib.rs", "mod math;\nmod engine;\n"),
            ("crates/bevy_steerling/src/math/mod.rs", "mod m;\n"),
            ("crates/bevy_steerling/src/math/m.rs", up),
            ("crates/bevy_steerling/src/engine.rs", "pub struct E;\n"),
        ],
    );
    let expected =
        "arrow up: crates/bevy_steerling/src/math/m.rs:1 -> crates/bevy_steerling/src/engine.rs: crate::engine::E";
    assert_eq!(tree.violations(), [expected]);
}

#[test]
fn nothing_may_use_a_module_outside_the_order_but_those_there() {
    let tree = Tree::new(
        "outside",
        &[
            ("crates/bevy_steerling/src/lib.rs", "mod debug;\nmod prelude;\n"),
            ("crates/bevy_steerling/src/debug.rs", "use crate::prelude::*;\n"),
            ("crates/bevy_steerling/src/prelude.rs", "\n"),
        ],
    );
    assert_eq!(tree.violations().len(), 1, "{:?}", tree.violations());
}

#[test]
fn a_test_that_is_not_compiled_is_refused() {
    let tree = Tree::new(
        "forgotten",
        &[
            ("crates/x/src/lib.rs", "\n"),
            ("crates/x/tests/all/main.rs", "mod known;\n// mod forgotten;\n"),
            ("crates/x/tests/all/known.rs", "\n"),
            ("crates/x/tests/all/forgotten.rs", "\n"),
            ("crates/x/tests/alone.rs", "\n"),
            ("crates/x/tests/data/mod.rs", "\n"),
        ],
    );
    assert_eq!(tree.violations(), ["not a module: crates/x/tests/all/forgotten.rs"]);
}

#[test]
fn long_files_and_functions_are_refused() {
    let lines = |count: usize| "    // {\n".repeat(count);
    let function = |name: &str, inside| format!("fn {name}(_: fn(u8)) {{\n{}}}\n", lines(inside));
    let tree = Tree::new(
        "long",
        &[
            ("crates/x/src/lib.rs", &(function("short", MAX_FUNCTION - 2) + &function("long", MAX_FUNCTION - 1))),
            ("crates/x/src/short.rs", &"\n".repeat(MAX_FILE)),
            ("crates/x/src/long.rs", &"\n".repeat(MAX_FILE + 1)),
        ],
    );
    let expected = [
        "long function: crates/x/src/lib.rs:61: long: 61 lines, at most 60",
        "long file: crates/x/src/long.rs: 501 lines, at most 500",
    ];
    assert_eq!(tree.violations(), expected);
}

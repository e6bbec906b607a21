//! The program in the docs is the example.

#[test]
fn the_docs_have_the_example() {
    let page = include_str!("../../../docs/maps.md");
    assert!(page.contains(include_str!("../examples/minimal.rs")), "copy examples/minimal.rs to docs/maps.md");
}

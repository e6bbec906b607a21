//! Decides the dimension of the source.

fn main() {
    println!("cargo::rustc-cfg=dim3");
    println!("cargo::rerun-if-changed=build.rs");
}

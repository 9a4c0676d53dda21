//! The sources of the deterministic crates.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use xtask::Package;

const TESTS: &str = "#[cfg(test)]\nmod tests {";
const PRINTING: [&str; 5] = ["print!(", "println!(", "eprint!(", "eprintln!(", "dbg!("];

/// A complaint for each deterministic package with a configuration of Clippy of its own: Clippy takes
/// the first that it finds, so the bans of the root would no longer apply.
pub(crate) fn lifted_bans(packages: &[Package], exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let deterministic = packages.iter().filter(|package| package.deterministic);
    deterministic
        .flat_map(|package| ["clippy.toml", ".clippy.toml"].map(|file| package.folder.join(file)))
        .filter(|path| exists(path))
        .map(|path| format!("{} lifts the bans on clocks and I/O", path.display()))
        .collect()
}

/// The files of a package's library with their texts.
pub(crate) fn library(package: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![package.join("src")];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("a library has a folder `src`") {
            let path = entry.expect("a folder can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = read_to_string(&path).expect("a source is text");
                files.push((path, text));
            }
        }
    }
    files
}

/// A complaint for each line that prints; the documentation and the tests of a file may.
///
/// Clippy's lints against printing would apply to examples and benchmarks of the package as well.
pub(crate) fn printing_lines(path: &Path, text: &str) -> Vec<String> {
    let prints = |line: &str| PRINTING.iter().any(|call| line.contains(call));
    let (library, _) = text.split_once(TESTS).unwrap_or((text, ""));
    library
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim_start().starts_with("//") && prints(line))
        .map(|(index, _)| format!("{}:{} prints", path.display(), index + 1))
        .collect()
}

fn package(deterministic: bool) -> Package {
    Package {
        name: "game".to_owned(),
        folder: PathBuf::from("crates/game"),
        deterministic,
        dependencies: Vec::new(),
    }
}

#[test]
fn a_deterministic_crate_without_a_configuration_of_its_own_is_accepted() {
    assert!(lifted_bans(&[package(true)], |_| false).is_empty());
}

#[test]
fn a_deterministic_crate_with_a_configuration_of_its_own_is_refused() {
    let complaints = lifted_bans(&[package(true)], |path| path.ends_with(".clippy.toml"));
    assert_eq!(complaints, ["crates/game/.clippy.toml lifts the bans on clocks and I/O"]);
}

#[test]
fn another_crate_may_have_a_configuration_of_its_own() {
    assert!(lifted_bans(&[package(false)], |_| true).is_empty());
}

#[test]
fn a_library_that_prints_is_refused() {
    let text = "fn f() {\n    println!(\"here\");\n}\n";
    assert_eq!(printing_lines(Path::new("f.rs"), text), ["f.rs:2 prints"]);
}

#[test]
fn a_library_may_print_in_its_documentation_and_its_tests() {
    let text = "/// println!()\nfn f() {}\n\n#[cfg(test)]\nmod tests {\n    println!()\n}\n";
    assert!(printing_lines(Path::new("f.rs"), text).is_empty());
}

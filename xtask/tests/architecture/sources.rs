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

/// The text of a file.
pub(crate) fn read(path: &Path) -> String {
    read_to_string(path).expect("the file exists and is text")
}

/// The files with this extension in a folder and below it, with their texts; what is generated or
/// hidden is left out.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("the folder exists") {
            let path = entry.expect("the folder can be listed").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_ours = !name.starts_with('.') && name != "target" && name != "node_modules";
            if path.is_dir() && is_ours {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push((path.clone(), read(&path)));
            }
        }
    }
    files.sort();
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

//! ARCHITECTURE.md describes the tree as it is.

mod drawing;
mod paths;
mod sources;
mod table;

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use xtask::Workspace;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page() -> String {
    read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md is in the root")
}

fn workspace() -> Workspace {
    Workspace::read(&root()).expect("Cargo knows the workspace")
}

/// Fails with all complaints, one per line.
fn check(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn every_path_that_the_page_names_exists() {
    check(&paths::missing(&page(), |path| root().join(path).exists()));
}

#[test]
fn every_crate_is_in_the_table_and_every_crate_of_the_table_exists_or_is_planned() {
    check(&table::membership(&table::rows(&page()), &workspace().packages));
}

#[test]
fn the_drawing_and_the_table_agree() {
    check(&table::disagreements(&table::rows(&page()), &drawing::arrows(&page())));
}

#[test]
fn crates_depend_as_drawn() {
    check(&table::forbidden_dependencies(&table::rows(&page()), &workspace().packages));
}

#[test]
fn deterministic_crates_carry_the_mark_and_no_others_do() {
    check(&table::wrong_marks(&table::rows(&page()), &workspace().packages));
}

#[test]
fn deterministic_crates_do_not_lift_the_bans() {
    check(&sources::lifted_bans(&workspace().packages, Path::exists));
}

#[test]
fn deterministic_libraries_do_not_print() {
    for package in workspace().packages.iter().filter(|package| package.deterministic) {
        for (path, text) in sources::library(&package.folder) {
            check(&sources::printing_lines(&path, &text));
        }
    }
}

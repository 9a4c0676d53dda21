//! The documentation describes the tree as it is, and the tree keeps to its conventions.

mod drawing;
mod english;
mod glossary;
mod links;
mod modules;
mod paths;
mod sources;
mod table;
mod type_names;
mod unused;
mod walks;
mod words;

use std::path::{Path, PathBuf};

use xtask::Workspace;

/// The most words that the README may have before its reference part.
const README_WORDS: usize = 600;

/// The most entries that the glossary may have.
const GLOSSARY_ENTRIES: usize = 40;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    sources::read(&root().join(path))
}

fn page() -> String {
    read("ARCHITECTURE.md")
}

fn workspace() -> Workspace {
    Workspace::read(&root()).expect("Cargo knows the workspace")
}

/// Fails with all complaints, one per line.
#[track_caller]
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
        for (path, text) in sources::files(&package.folder.join("src"), "rs") {
            check(&sources::printing_lines(&path, &text));
        }
    }
}

#[test]
fn modules_and_tests_are_where_the_convention_puts_them() {
    let sources = ["crates", "xtask"].map(|folder| sources::files(&root().join(folder), "rs"));
    let paths: Vec<PathBuf> = sources.into_iter().flatten().map(|(path, _)| path).collect();
    check(&modules::misplaced(&paths, &root()));
}

#[test]
fn a_type_name_means_one_thing() {
    let sources = ["crates", "xtask"].map(|folder| sources::files(&root().join(folder), "rs"));
    check(&type_names::ambiguous(&sources.concat(), &root()));
}

#[test]
fn what_only_tests_use_is_no_part_of_a_library() {
    let sources =
        ["crates", "xtask", "fuzz"].map(|folder| sources::files(&root().join(folder), "rs"));
    check(&unused::unused(&sources.concat(), &root()));
}

#[test]
fn the_pages_and_the_sources_are_in_plain_english() {
    let pages = sources::files(&root(), "md");
    // CONTRIBUTING.md shows what not to write.
    let pages = pages.iter().filter(|(path, _)| !path.ends_with("CONTRIBUTING.md"));
    let sources = sources::files(&root(), "rs");
    // This file names the banned phrases.
    let sources = sources.iter().filter(|(path, _)| !path.ends_with("english.rs"));
    let banned = pages.chain(sources).flat_map(|(path, text)| english::banned(path, text));
    check(&banned.collect::<Vec<_>>());
}

#[test]
fn each_walk_passes_a_file_at_most_once() {
    for walk in ["## A click", "## A rule"] {
        check(&walks::faults(&page(), walk, |path| root().join(path).is_file()));
    }
}

#[test]
fn the_readme_is_short_before_its_reference_part() {
    check(&words::too_many(&read("README.md"), "## Reference", README_WORDS));
}

#[test]
fn every_link_leads_somewhere() {
    for (path, text) in sources::files(&root(), "md") {
        let folder = path.parent().expect("a file is in a folder");
        check(&links::broken(&path, &text, |target| {
            let target = folder.join(target);
            // A picture is no text, and has no headings.
            let text = || std::fs::read_to_string(&target).unwrap_or_default();
            target.exists().then(|| target.is_file().then(text))
        }));
    }
}

#[test]
fn the_index_lists_every_page_of_the_documentation() {
    let index = read("docs/README.md");
    let pages = sources::files(&root().join("docs"), "md");
    let names = pages.iter().filter_map(|(path, _)| path.file_name()?.to_str());
    let unlisted =
        names.filter(|name| *name != "README.md" && !index.contains(&format!("({name})")));
    check(&unlisted.map(|name| format!("docs/README.md does not list {name}")).collect::<Vec<_>>());
}

#[test]
fn the_glossary_is_short_sorted_and_one_sentence_each() {
    check(&glossary::faults(&glossary::entries(&read("docs/glossary.md")), GLOSSARY_ENTRIES));
}

#[test]
fn every_type_that_the_glossary_names_exists() {
    let entries = glossary::entries(&read("docs/glossary.md"));
    check(&glossary::missing_types(&entries, &sources::files(&root().join("crates"), "rs")));
}

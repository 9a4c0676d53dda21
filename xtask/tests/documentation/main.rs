//! The documentation is short where it must be, its links lead somewhere, and its words exist.

mod glossary;
mod links;
mod words;

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// The most words that the README may have before its reference part.
const README_WORDS: usize = 600;

/// The most entries that the glossary may have.
const GLOSSARY_ENTRIES: usize = 40;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files with this extension in a folder and below, generated ones left out.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in folder.read_dir().expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            files.extend(self::files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Fails with all complaints, one per line.
#[track_caller]
fn check(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn the_readme_is_short_before_its_reference_part() {
    check(&words::too_many(&read(&root().join("README.md")), "## Reference", README_WORDS));
}

#[test]
fn every_link_leads_somewhere() {
    let pages: Vec<_> = files(&root(), "md").into_iter().map(|path| (read(&path), path)).collect();
    for (text, path) in &pages {
        let folder = path.parent().expect("a file is in a folder");
        check(&links::broken(path, text, |target| {
            let target = folder.join(target);
            target
                .exists()
                .then(|| target.is_file().then(|| read_to_string(target).unwrap_or_default()))
        }));
    }
}

#[test]
fn the_index_lists_every_page_of_the_documentation() {
    let index = read(&root().join("docs/README.md"));
    let pages = files(&root().join("docs"), "md");
    let names = pages.iter().filter_map(|path| path.file_name()?.to_str());
    let unlisted =
        names.filter(|name| *name != "README.md" && !index.contains(&format!("({name})")));
    check(&unlisted.map(|name| format!("docs/README.md does not list {name}")).collect::<Vec<_>>());
}

#[test]
fn the_glossary_is_short_sorted_and_one_sentence_each() {
    let entries = glossary::entries(&read(&root().join("docs/glossary.md")));
    check(&glossary::faults(&entries, GLOSSARY_ENTRIES));
}

#[test]
fn every_type_that_the_glossary_names_exists() {
    let entries = glossary::entries(&read(&root().join("docs/glossary.md")));
    let sources: Vec<String> =
        files(&root().join("crates"), "rs").iter().map(|path| read(path)).collect();
    check(&glossary::missing_types(&entries, &sources));
}

//! The walks of a page: numbered lines under a heading, each of which names one place.

use std::collections::BTreeSet;
use std::path::Path;

/// A complaint for each step of a walk that does not name exactly one file that exists and that no
/// earlier step has named, and if there is no such walk.
pub(crate) fn faults(page: &str, heading: &str, is_file: impl Fn(&str) -> bool) -> Vec<String> {
    let mut passed = BTreeSet::new();
    let steps = steps(page, heading);
    if steps.is_empty() {
        return vec![format!("there is no walk under `{heading}`")];
    }
    let fault = |step: &&str| match files(step)[..] {
        [file] if !is_file(file) => Some(format!("`{file}` does not exist")),
        [file] if !passed.insert(file.to_owned()) => Some(format!("`{file}` is passed twice")),
        [_] => None,
        [] => Some(format!("{step:?} names no file")),
        [..] => Some(format!("{step:?} names several files")),
    };
    steps.iter().filter_map(fault).map(|fault| format!("{heading}: {fault}")).collect()
}

fn steps<'a>(page: &'a str, heading: &str) -> Vec<&'a str> {
    let lines = page.lines().skip_while(|line| *line != heading).skip(1);
    let section = lines.take_while(|line| !line.starts_with('#'));
    section.filter(|line| line.starts_with(|first: char| first.is_ascii_digit())).collect()
}

fn files(step: &str) -> Vec<&str> {
    let is_source = |span: &&str| Path::new(span).extension().is_some_and(|found| found == "rs");
    step.split('`').skip(1).step_by(2).filter(is_source).collect()
}

fn check(walk: &str, expected: &[&str]) {
    let page = format!("# Page\n\n## A click\n\nFrom the page:\n\n{walk}\n## Next\n\n1. `x.rs`\n");
    let found = faults(&page, "## A click", |path| path != "gone.rs");
    let expected: Vec<_> = expected.iter().map(|fault| format!("## A click: {fault}")).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_walk_that_passes_every_file_once_is_accepted() {
    check("1. `a.rs`: a `Click` is taken.\n2. `b.rs`: it is sent.\n", &[]);
}

#[test]
fn a_walk_that_doubles_back_or_leads_nowhere_is_refused() {
    check("1. `a.rs`\n2. `b.rs`\n3. `a.rs`\n", &["`a.rs` is passed twice"]);
    check("1. `gone.rs`\n", &["`gone.rs` does not exist"]);
    check("1. `Click`\n", &["\"1. `Click`\" names no file"]);
    check("1. `a.rs`, `b.rs`\n", &["\"1. `a.rs`, `b.rs`\" names several files"]);
}

#[test]
fn a_page_without_the_walk_is_refused() {
    let expected = ["there is no walk under `## A click`"];
    assert_eq!(faults("# Page\n", "## A click", |_| true), expected);
}

//! Where modules and tests are: `name.rs` beside `name/`, and `tests/NAME.rs` or `tests/NAME/main.rs`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A complaint for each source file that is not where the convention puts it.
pub(crate) fn misplaced(sources: &[PathBuf], root: &Path) -> Vec<String> {
    let paths: BTreeSet<&Path> =
        sources.iter().map(|path| path.strip_prefix(root).unwrap_or(path)).collect();
    let old = paths.iter().filter(|path| path.ends_with("mod.rs"));
    let old = old.map(|path| format!("{}: name it after its folder, beside it", path.display()));
    let suites: BTreeSet<PathBuf> = paths.iter().filter_map(|path| suite(path)).collect();
    let headless = suites.iter().filter(|suite| !paths.contains(suite.join("main.rs").as_path()));
    let headless = headless.map(|suite| format!("{}: it has no main.rs", suite.display()));
    old.chain(headless).collect()
}

/// The folder below `tests` in which a test is, if it is in one.
fn suite(path: &Path) -> Option<PathBuf> {
    let parts: Vec<_> = path.iter().collect();
    let tests = parts.iter().position(|part| *part == "tests")?;
    let is_of_package = !parts[..tests].contains(&"src".as_ref());
    (is_of_package && parts.len() > tests + 2).then(|| parts[..=tests + 1].iter().collect())
}

fn check(paths: &[&str], expected: &[&str]) {
    let paths: Vec<_> = paths.iter().map(|path| Path::new("/w").join(path)).collect();
    assert_eq!(misplaced(&paths, Path::new("/w")), expected);
}

#[test]
fn modules_beside_their_folders_and_suites_with_a_main_file_are_accepted() {
    check(&["crates/a/src/x.rs", "crates/a/src/x/y.rs", "crates/a/src/x/tests.rs"], &[]);
    check(&["crates/a/tests/one.rs", "crates/a/tests/two/main.rs", "crates/a/tests/two/x.rs"], &[]);
}

#[test]
fn other_places_are_refused() {
    check(
        &["crates/a/src/x/mod.rs"],
        &["crates/a/src/x/mod.rs: name it after its folder, beside it"],
    );
    check(&["crates/a/tests/two/x.rs"], &["crates/a/tests/two: it has no main.rs"]);
}

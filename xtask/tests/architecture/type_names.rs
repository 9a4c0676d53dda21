//! A type name means one thing in the whole workspace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Modules of single games: their `Board`, `Move` or `Event` may share a name with those of others,
/// because the module says whose they are.
const GAMES: &str = "crates/games/src/";

/// A complaint for each name of a type that is defined at the top level of several files. Tests may
/// define what they like.
pub(crate) fn ambiguous(sources: &[(PathBuf, String)], root: &Path) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, text) in sources {
        let path = path.strip_prefix(root).unwrap_or(path).display().to_string();
        if path.contains("/src/") && !path.starts_with(GAMES) && !path.ends_with("/tests.rs") {
            for name in text.lines().filter_map(definition) {
                places.entry(name).or_default().push(path.clone());
            }
        }
    }
    let several = places.iter().filter(|(_, paths)| paths.len() > 1);
    several.map(|(name, paths)| format!("`{name}` is defined in {}", paths.join(", "))).collect()
}

/// The name of the type that a line at the top level of a file defines.
fn definition(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
    let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    rest.split(|next: char| !next.is_alphanumeric() && next != '_').next()
}

fn check(sources: &[(&str, &str)], expected: &[&str]) {
    let sources: Vec<_> =
        sources.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
    assert_eq!(ambiguous(&sources, Path::new("/w")), expected);
}

#[test]
fn names_that_mean_one_thing_are_accepted() {
    check(&[("/w/crates/a/src/x.rs", "pub struct A<'a> {\n}\nenum B {\n}\nfn a() {}\n")], &[]);
    check(
        &[("/w/crates/a/src/x.rs", "pub struct A;"), ("/w/crates/b/tests/y.rs", "struct A;")],
        &[],
    );
    let (x, y) = ("/w/crates/games/src/pig.rs", "/w/crates/games/src/ultimate/board.rs");
    check(&[(x, "pub struct Board;"), (y, "pub struct Board;")], &[]);
}

#[test]
fn a_name_that_means_two_things_is_refused() {
    let (x, y) = ("/w/crates/a/src/x.rs", "/w/xtask/src/y.rs");
    let expected = ["`A` is defined in crates/a/src/x.rs, xtask/src/y.rs"];
    check(&[(x, "pub(crate) trait A: B {"), (y, "type A = u8;")], &expected);
    check(&[(x, "pub enum A {"), (y, "struct A(u8);")], &expected);
}

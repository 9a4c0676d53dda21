//! What only tests call is not part of a library.
//!
//! Names are compared as text, without types: a function is found only if nothing of its name is used.
//! So this misses some, and never complains about what is used.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Names that nothing but tests uses, each with the reason why it stays.
const EXCEPTIONS: [(&str, &str); 22] = [
    ("NUMBER_OF_CODES", "a test computes with it how rarely a guess hits"),
    ("TurnByTurn", "the interface of a turn-based engine, for those who know that one"),
    ("Unobserved", "benchmarks compare runs with and without an observer"),
    ("at_priority", "the engine's rules: priorities of sync points"),
    ("by_sync_point_priority", "the checker follows the engine's priorities of sync points"),
    ("conform", "the conformance kit is for tests of games"),
    ("enqueue", "the engine's rules: events that wait for their superstep"),
    ("game_value", "games of two players with chance, for those who play them"),
    ("halt_at_violations", "the engine's rules: a search that stops behind violations"),
    ("matching_any", "the engine's rules: event sets that a test of every kind decides"),
    ("max_depth", "a bound of every search"),
    ("no_violation", "a property that models of other crates use"),
    (
        "o_against_any_x",
        "one program of rules, strategies and a free player, for tests of the checker",
    ),
    ("playout", "the measure of a game's speed"),
    ("read_snapshot", "the engine's rules: snapshots are read again"),
    ("repeat_while", "the engine's rules: loops of b-threads"),
    ("take_turn", "the interface of a turn-based engine, for those who know that one"),
    ("then_forever", "the engine's rules: loops of b-threads"),
    ("with_brotli", "called by what the build script of `cradle` generates"),
    ("with_family", "exchanges one design of a b-thread for another, to compare them"),
    ("with_gzip", "called by what the build script of `cradle` generates"),
    ("with_large_table", "solves the empty board of Connect Four, in a benchmark"),
];

const KINDS: [&str; 7] = ["fn", "const", "static", "struct", "enum", "trait", "type"];

/// A complaint for each public name that only tests use, and for each exception that is none.
pub(crate) fn unused(sources: &[(PathBuf, String)], root: &Path) -> Vec<String> {
    complaints(sources, root, &EXCEPTIONS)
}

fn complaints(
    sources: &[(PathBuf, String)],
    root: &Path,
    exceptions: &[(&str, &str)],
) -> Vec<String> {
    let test_modules: BTreeSet<&str> = sources.iter().flat_map(|(_, text)| modules(text)).collect();
    let (mut defined, mut used) = (BTreeMap::new(), BTreeSet::new());
    for (path, text) in sources {
        let path = path.strip_prefix(root).unwrap_or(path);
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if is_test(path) || test_modules.contains(stem) {
            continue;
        }
        for line in library_lines(text) {
            let name = definition(line);
            if let Some(name) =
                name.filter(|_| path.components().any(|part| part.as_os_str() == "src"))
            {
                defined.entry(name).or_insert_with(|| path.display().to_string());
            }
            used.extend(uses(line));
        }
    }
    let is_exception = |name: &str| exceptions.iter().any(|(known, _)| *known == name);
    let unused = |name: &str| defined.contains_key(name) && !used.contains(name);
    let found = defined.iter().filter(|(name, _)| unused(name) && !is_exception(name));
    let found = found.map(|(name, path)| format!("only tests use `{name}` of {path}"));
    let needless = exceptions.iter().filter(|(name, _)| !unused(name));
    let needless = needless.map(|(name, _)| format!("`{name}` is no exception any more"));
    found.chain(needless).collect()
}

fn is_test(path: &Path) -> bool {
    let is_part = |part: &str| path.components().any(|found| found.as_os_str() == part);
    is_part("tests")
        || is_part("benches")
        || path.file_name().is_some_and(|name| name == "tests.rs")
}

/// The modules in files of their own that only tests have.
fn modules(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split("#[cfg(test)]\n").skip(1);
    after.filter_map(|rest| rest.lines().next()?.split_once("mod ")?.1.strip_suffix(';'))
}

/// The lines of a file before its tests, without comments, imports and headers of `impl`.
fn library_lines(text: &str) -> impl Iterator<Item = &str> {
    let (library, _) = text.split_once("#[cfg(test)]\nmod tests").unwrap_or((text, ""));
    let mut is_import = false;
    library.lines().filter(move |line| {
        let line = line.trim_start();
        let rest = line.strip_prefix("pub").unwrap_or(line);
        let rest =
            rest.strip_prefix('(').and_then(|rest| Some(rest.split_once(')')?.1)).unwrap_or(rest);
        let was_import = is_import;
        is_import |= rest.trim_start().starts_with("use ");
        let is_left_out = is_import || was_import;
        is_import &= !line.ends_with(';');
        !is_left_out && !line.starts_with("//") && !line.starts_with("impl")
    })
}

/// The public name that a line defines.
fn definition(line: &str) -> Option<&str> {
    let line = line.trim_start().strip_prefix("pub")?;
    let words = words(
        line.strip_prefix('(')
            .map_or(line, |rest| rest.split_once(')').map_or("", |(_, rest)| rest)),
    );
    let words: Vec<&str> = words.take(4).collect();
    let kind = words.iter().rposition(|word| KINDS.contains(word))?;
    words.get(kind + 1).copied()
}

/// The words of a line that are not the names of definitions.
fn uses(line: &str) -> impl Iterator<Item = &str> {
    let mut before = "";
    words(line).filter(move |word| !KINDS.contains(&std::mem::replace(&mut before, word)))
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |next: char| next.is_alphanumeric() || next == '_';
    line.split(move |next| !is_part(next)).filter(|word| !word.is_empty())
}

#[track_caller]
fn check(sources: &[(&str, &str)], exceptions: &[(&str, &str)], expected: &[&str]) {
    let sources: Vec<_> =
        sources.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
    assert_eq!(complaints(&sources, Path::new("/w"), exceptions), expected);
}

const LIBRARY: &str = "/w/crates/a/src/x.rs";

#[test]
fn what_another_file_uses_is_accepted() {
    let user = "fn main() {\n    run(A);\n}\n";
    check(
        &[(LIBRARY, "pub fn run() {}\npub const A: u8 = 1;\n"), ("/w/xtask/src/y.rs", user)],
        &[],
        &[],
    );
    check(&[(LIBRARY, "trait T {\n    fn run();\n}\nfn own() {}\n")], &[], &[]);
}

#[test]
fn what_only_tests_use_is_refused() {
    let expected = ["only tests use `run` of crates/a/src/x.rs"];
    let tested = "pub(crate) const fn run() {}\n\n#[cfg(test)]\nmod tests {\n    run();\n}\n";
    check(&[(LIBRARY, tested)], &[], &expected);
    let (here, import) =
        ("pub fn run() {}\n", "use a::{\n    run,\n};\npub use a::run;\n// run()\n");
    for path in ["/w/crates/a/tests/t.rs", "/w/crates/a/benches/b.rs", "/w/crates/a/src/x/tests.rs"]
    {
        check(&[(LIBRARY, here), (path, "run();")], &[], &expected);
    }
    check(&[(LIBRARY, here), ("/w/crates/b/src/y.rs", import)], &[], &expected);
    let helper = [
        (LIBRARY, "pub fn run() {}\n#[cfg(test)]\nmod help;\n"),
        ("/w/crates/a/src/help.rs", "run();"),
    ];
    check(&helper, &[], &expected);
    let built = "pub struct run;\nimpl run {\n}\nimpl Clone for run {}\n";
    check(&[(LIBRARY, built)], &[], &expected);
}

#[test]
fn an_exception_must_be_one() {
    let unused = [(LIBRARY, "pub fn run() {}\n")];
    check(&unused, &[("run", "a reason")], &[]);
    let used = [(LIBRARY, "pub fn run() {}\nfn main() {\n    run();\n}\n")];
    check(&used, &[("run", "a reason")], &["`run` is no exception any more"]);
    check(&unused, &[("run", ""), ("gone", "")], &["`gone` is no exception any more"]);
}

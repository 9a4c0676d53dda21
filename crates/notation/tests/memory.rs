//! Texts that ask for much: each is refused or built within its bounds, and within the memory that
//! these allow. One test, because memory is counted for the whole process.

use std::fs::read_to_string;

use bthread::Limits;
use expect_test::{Expect, expect};
use notation::{BuildLimits, Document, ModelOptions, TextForm};

/// A text, and what its size depends on.
struct Greedy {
    what: &'static str,
    text: String,
}

/// `count` pieces of text, one after the other.
fn many(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

/// Texts that ask for as much as these bounds allow.
#[expect(clippy::too_many_lines, reason = "it is a list of texts")]
fn greedy(limits: BuildLimits) -> Vec<Greedy> {
    let (events, bytes) =
        (limits.events, usize::try_from(limits.bytes).expect("it is small") - 2_000);
    let one = format!("program p\nset n = 1..{events}\nevent a(n)\n");
    let looped = |body: &str| {
        format!("{one}thread T\n  keep i = 0\n  while i < 49000\n{body}    i = i + 1\n")
    };
    let branches = |count: usize, goes_on: &str| {
        let branch = |number: usize| {
            let word = if number == 0 { "either" } else { "or" };
            format!("    {word}\n      wait for a({})\n{goes_on}", number + 1)
        };
        looped(&many(count, branch))
    };
    let several = usize::try_from(events).expect("it is small").min(bytes / 40);
    let long = "x".repeat(bytes / 2);
    let sets = |set: &str| many(bytes / 30, |at| format!("set s{at} = {{{set}}}\n"));
    let range = limits.values.min(50_000) - 1;
    let list = [
        ("branches", branches(several, "")),
        ("branches that lead on", branches(several / 2, "      request a(1)\n")),
        ("requests", looped(&format!("    request a{}\n", ", a".repeat(bytes / 3)))),
        ("any", looped(&format!("    request any{}\n", " or any".repeat(60)))),
        ("last resorts", looped("    request a(i) , otherwise any\n")),
        ("blocks", looped("    wait for a(i), block a(not i)\n")),
        ("comparisons", looped("    wait for a(n > i), block a(n < i), interrupt a(n == i)\n")),
        ("captures", format!("{one}thread T\n  wait for a(?x)\n  wait for a(not x)\n")),
        (
            "many captures",
            format!("{one}thread T\n  wait for a(?x)\n  wait for a(?y)\n  wait for a(x), block a(y)\n"),
        ),
        (
            "sets that are kept",
            format!(
                "{one}thread T\n  keep i = 0\n  keep s = {{1}}\n  while i < 49000\n    \
                 s = 1..{range} except {{i}}\n    wait for a(s)\n    i = i + 1\n"
            ),
        ),
        ("ranges in sets", format!("program p\n{}event a\nthread T: request a\n", sets("(1..99999)"))),
        (
            "ranges in rows",
            format!(
                "program p\nset n = 1..2\nrows r(xs: set of n)\n{}event a\nthread T: request a\n",
                many(bytes / 20, |_| "  1..99999\n".to_owned())
            ),
        ),
        (
            "a set that is named often",
            format!(
                "program p\nset n = 1..{range}\nevent a\nevent b\nthread T\n{}",
                many(bytes / 40, |at| format!("  if {at} in n: request a\n  request b\n"))
            ),
        ),
        (
            "sets of a large set",
            format!(
                "program p\nset n = 1..{range}\nevent a\nthread T\n  keep s = {{{}}}\n  request a\n",
                many(bytes / 3, |_| "n ".to_owned())
            ),
        ),
        (
            "long names of events",
            format!("program p\nset n = 1..{events}\nevent {long}(n)\nthread T: request any\n"),
        ),
        (
            "long names of b-threads",
            format!("program p\nset n = 1..{events}\nevent a\nthread {long}(n): request a\n"),
        ),
        (
            "a long sentence",
            format!(
                "game g\nseats X, O\nset n = 1..{}\nevent a(seat) move of seat\n\
                 rule T(n) \"{long}\": block a\n",
                limits.b_threads
            ),
        ),
        (
            "a long sentence that fails",
            format!("{one}require T(n)\n  wait for a(?x)\n  wait for a(x)\n  fail \"{long}\"\n"),
        ),
        (
            "unknown names",
            format!(
                "program p\nset s = {}\nevent a\nthread T\n{}",
                many(500, |at| format!("{}abcdefghijklmnopqrst{at}", if at > 0 { ", " } else { "" })),
                many((bytes - 16_000) / 60, |at| format!("  if {at} == zabcdefghijklmnopqrst: request a\n")),
            ),
        ),
        (
            "unknown names that are kept",
            format!(
                "program p\nset s = {}\nevent a\nthread T\n{}  request a\n",
                many(500, |at| format!("{}abcdefghijklmnopqrst{at}", if at > 0 { ", " } else { "" })),
                many((bytes - 14_000) / 35, |at| format!("  keep v{} = zabcdefghijklmnop\n", at % 50)),
            ),
        ),
        (
            "properties",
            format!("{one}thread T: request a\n{}", many(bytes / 30, |at| format!("require R{at}: never any\n"))),
        ),
        (
            "families",
            format!("{one}{}", many(bytes / 30, |at| format!("thread T{at}: request a(1)\n"))),
        ),
        (
            "events with many parameters",
            format!(
                "program p\nset n = 1..1000\nset m = 1..1\nevent a(n{})\nthread T: request a\n",
                many(bytes / 12, |at| format!(", q{at}: m"))
            ),
        ),
        (
            "meanings",
            format!(
                "game g\nseats X, O\ngrid s = 20 x 20\nevent a(seat, s) move of seat{}\n\
                 rule T: block a\n",
                many(bytes / 20, |_| ", puts seat on s".to_owned())
            ),
        ),
        (
            "weights",
            format!(
                "program p\nset n = 1..{events}\nevent {}(n)\nchance T\n  keep i = 0\n  \
                 while i < 49000\n    request {0} 2\n    i = i + 1\n",
                "x".repeat(100)
            ),
        ),
        (
            "rules with large sets",
            format!(
                "game g\nseats X, O\nset n = 1..{}\nevent a(seat, n) move of seat\n\
                 rule R(m: n) \"No\"\n  keep i = 0\n  while i < 60\n    wait for a(_, m), block a(_, n > i + m)\n    i = i + 1\n",
                (events / 2).min(1_000)
            ),
        ),
        (
            "rules that choose",
            format!(
                "game g\nseats X, O\nset n = 1..{}\nevent a(seat, n) move of seat\n\
                 rule R(m: n) \"No\"\n  keep x = 1\n  forever\n    either\n      wait for a(_, ?x)\n    or\n      \
                 wait for a(O, x), block a(_, n < x)\n",
                (events / 2).min(1_000)
            ),
        ),
        (
            "rules with last resorts",
            format!(
                "game g\nseats X, O\nset n = 1..{}\nevent a(seat, n) move of seat\nevent b(n)\n\
                 rule R(m: n) \"No\"\n  keep i = 0\n  while i < 60\n    wait for a(_, m), otherwise b(n > i + m)\n    i = i + 1\n",
                (events / 3).min(1_000)
            ),
        ),
        (
            "combinations",
            "program p\nset n = 1..66\nevent a\nthread T(x: n, y: n, z: n) where x + y + z > 195: request a\n".to_owned(),
        ),
    ];
    let list = list.into_iter();
    list.map(|(what, text)| Greedy { what, text }).collect()
}

/// Builds a text within these bounds, and whatever can be made of it. Returns what became of it.
fn outcome(text: &str, limits: BuildLimits) -> &'static str {
    match Document::read_within(text, limits).build(&[]) {
        Err(mistakes) => mistakes.first().map_or("refused", |first| first.code.as_str()),
        Ok(built) if built.form() == TextForm::Game => {
            let game = built.any_game_within("g", 1 << 16, Limits::default());
            if game.is_ok() { "built, and played" } else { "built, and no game" }
        }
        Ok(built) => {
            let model = built.model(&ModelOptions::default());
            if model.is_ok() { "built, and verified" } else { "built, and no model" }
        }
    }
}

/// The peak of the memory of this process in megabytes; 0 if the system does not tell it.
#[expect(clippy::disallowed_methods, reason = "the system tells the memory in a file")]
fn peak() -> u64 {
    let status = read_to_string("/proc/self/status").unwrap_or_default();
    let value = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes =
        value.and_then(|value| value.trim().strip_suffix("kB")?.trim_end().parse().ok());
    kibibytes.unwrap_or(0) / 1000
}

/// Builds all greedy texts within these bounds. The peak of the memory grows by no more than this.
fn check(limits: BuildLimits, most: u64, expected: &Expect) {
    let before = peak();
    let told = greedy(limits)
        .into_iter()
        .map(|Greedy { what, text }| format!("{what}: {}", outcome(&text, limits)));
    expected.assert_eq(&told.collect::<Vec<_>>().join("\n"));
    let grown = peak() - before;
    assert!(grown <= most, "the peak grew by {grown} MB");
}

#[test]
fn texts_that_ask_for_much_stay_within_their_bounds() {
    by_strangers();
    without_a_bound_on_memory();
    in_files();
}

fn by_strangers() {
    check(
        BuildLimits::of_strangers(),
        60,
        &expect![[r#"
            branches: too-many-steps
            branches that lead on: too-many-steps
            requests: too-many-steps
            any: too-much-memory
            last resorts: too-much-memory
            blocks: built, and verified
            comparisons: too-many-steps
            captures: too-many-steps
            many captures: endless-values
            sets that are kept: too-much-memory
            ranges in sets: too-many-steps
            ranges in rows: unexpected
            a set that is named often: built, and verified
            sets of a large set: too-many-steps
            long names of events: too-many-steps
            long names of b-threads: too-much-memory
            a long sentence: built, and played
            a long sentence that fails: too-many-steps
            unknown names: unknown-name
            unknown names that are kept: unknown-name
            properties: built, and verified
            families: too-many-b-threads
            events with many parameters: too-many-steps
            meanings: too-many-steps
            weights: too-much-memory
            rules with large sets: too-much-memory
            rules that choose: too-many-steps
            rules with last resorts: too-much-memory
            combinations: too-many-steps"#]],
    );
}

/// One of the same texts takes more then.
fn without_a_bound_on_memory() {
    let before = peak();
    let endless = BuildLimits { memory: u64::MAX, ..BuildLimits::of_strangers() };
    let mut texts = greedy(endless).into_iter();
    let named = texts.find(|each| each.what == "long names of b-threads").expect("it is listed");
    assert_ne!(outcome(&named.text, endless), "too-much-memory");
    assert!(before == 0 || peak() > before + 20, "{before} MB and then {} MB", peak());
}

fn in_files() {
    check(
        BuildLimits::default(),
        600,
        &expect![[r#"
            branches: too-many-steps
            branches that lead on: endless-values
            requests: too-much-memory
            any: too-much-memory
            last resorts: too-much-memory
            blocks: built, and verified
            comparisons: too-much-memory
            captures: too-much-memory
            many captures: endless-values
            sets that are kept: too-much-memory
            ranges in sets: too-much-memory
            ranges in rows: unexpected
            a set that is named often: built, and verified
            sets of a large set: too-many-steps
            long names of events: too-much-memory
            long names of b-threads: too-much-memory
            a long sentence: built, and played
            a long sentence that fails: too-many-steps
            unknown names: unknown-name
            unknown names that are kept: unknown-name
            properties: built, and verified
            families: built, and verified
            events with many parameters: built, and verified
            meanings: built, and played
            weights: too-much-memory
            rules with large sets: too-much-memory
            rules that choose: too-much-memory
            rules with last resorts: too-much-memory
            combinations: built, and verified"#]],
    );
}

//! Bounds: each is told with its number, and nothing beyond it is built.

use notation::{BuildLimits, Document};

fn check(text: &str, limits: BuildLimits, code: &str, sentence: &str) {
    let found = Document::read_within(text, limits).check(&[]);
    let told: Vec<(&str, &str)> =
        found.iter().map(|each| (each.code.as_str(), each.message.as_str())).collect();
    assert_eq!(told, [(code, sentence)], "{text}");
}

#[test]
fn a_text_is_bounded_in_bytes() {
    let limits = BuildLimits { bytes: 20, ..BuildLimits::default() };
    let text = "program p\nevent a\nthread A: request a\n";
    check(text, limits, "too-many-bytes", "the text is longer than 20 bytes");
}

#[test]
fn values_are_bounded() {
    let limits = BuildLimits { values: 100, ..BuildLimits::default() };
    let sentence = "the sets have more than 100 values together";
    let text = |set: &str| format!("program p\n{set}\nevent a\nthread A: request a\n");
    check(&text("set n = 1..101"), limits, "too-many-values", sentence);
    check(&text("grid s = 11 x 10"), limits, "too-many-values", sentence);
    let lines = "grid s = 5 x 5\nset line = lines of 3 in s";
    check(&text(lines), limits, "too-many-values", sentence);
}

#[test]
fn numbers_cannot_make_a_text_large() {
    let limits = BuildLimits::default();
    let text =
        |line: &str| format!("program p\nset n = 1..2\n{line}\nevent a(n)\nthread A: request a\n");
    let range = "a range has at most 100000 numbers";
    check(&text("set m = 1..1000000"), limits, "too-many-values", range);
    let values = "the sets have more than 50000 values together";
    check(&text("set m = 1..60000"), limits, "too-many-values", values);
    let grid = "a grid has at most 100 columns and rows";
    check(&text("grid s = 1000000 x 1"), limits, "too-many-values", grid);
}

/// A condition may leave few of many combinations, so these have a bound of their own.
#[test]
fn combinations_are_bounded_before_a_condition_leaves_few() {
    let limits = BuildLimits::default();
    let five = "a: n, b: n, c: n, d: n, e: n";
    let event =
        format!("program p\nset n = 1..100\nevent a({five}) where a == 1\nthread A: request a\n");
    let sentence = "the parameters of an event have at most 300000 combinations of values";
    check(&event, limits, "too-many-events", sentence);
    let thread =
        "program p\nset n = 1..100\nevent a\nthread A(a: n, b: n, c: n) where a == 1: request a\n";
    let sentence = "the parameters of a b-thread have at most 300000 combinations of values";
    check(thread, limits, "too-many-b-threads", sentence);
}

#[test]
fn events_are_bounded() {
    let limits = BuildLimits { events: 100, ..BuildLimits::default() };
    let text = "program p\nset n = 1..11\nevent a(x: n, y: n)\nthread A: request a\n";
    check(text, limits, "too-many-events", "there are more than 100 events");
}

#[test]
fn b_threads_are_bounded() {
    let limits = BuildLimits { b_threads: 100, ..BuildLimits::default() };
    let text = "program p\nset n = 1..11\nevent a\nthread A(x: n, y: n): request a\n";
    check(text, limits, "too-many-b-threads", "there are more than 100 b-threads");
}

#[test]
fn states_of_all_b_threads_together_are_bounded() {
    let limits = BuildLimits { states: 100, ..BuildLimits::default() };
    let text = "program p\nset n = 1..11\nevent a\nthread A(n): 10 times: request a\n";
    check(text, limits, "too-many-states", "the b-threads have more than 100 states together");
}

#[test]
fn steps_are_bounded() {
    let limits = BuildLimits { steps: 1000, ..BuildLimits::default() };
    let text = "program p\nevent a\nthread A: 500 times: request a\n";
    check(text, limits, "too-many-steps", "building takes more than 1000 steps");
}

#[test]
fn memory_is_bounded() {
    let limits = BuildLimits { memory: 20_000, ..BuildLimits::default() };
    let sentence = "the text takes more than 20000 bytes once it is built: use fewer states, branches, \
                    events and values, and shorter names";
    // States, branches, values and names are each enough.
    let states = "program p\nevent a\nthread A: 30 times: request a\n";
    let branches = "program p\nset n = 1..60\nevent a(n)\nthread A: wait for a(?x), block a(x)\n";
    let branches =
        branches.replace(", block a(x)", "\n  request a(x)").replace("A: wait", "A\n  wait");
    let values = "program p\nset n = 1..200\nevent a\nthread A: request a\n";
    let names =
        format!("program p\nset n = 1..10\nevent {}(n)\nthread A: request any\n", "a".repeat(3000));
    for text in [states, &branches, values, &names] {
        check(text, limits, "too-much-memory", sentence);
    }
}

#[test]
fn a_silent_loop_and_a_growing_value_end() {
    // Each is bounded on its own, long before the steps are used up.
    let text =
        "program p\nevent a\nthread A\n  keep n = 0\n  while n >= 0: n = n + 1\n  request a\n";
    let found = Document::read(text).check(&[]);
    assert_eq!(found[0].code.as_str(), "no-sync-point");
}

#[test]
fn only_the_first_hundred_mistakes_are_kept() {
    let text = format!("program p\nevent a\nthread A: request a\n{}", "what\n".repeat(1000));
    assert_eq!(Document::read(text).check(&[]).len(), 100);
}

//! The properties of the examples, and what breaks them.

use checker::Verdict::{self, Holds, Unknown, Violated};
use expect_test::{Expect, expect};
use notation::{BuiltText, ModelOptions, SearchLimits};

use crate::texts::{built, built_text, text};

fn verdicts(text: &BuiltText, without: &[&str]) -> Vec<(String, Verdict)> {
    let without = without.iter().map(|name| (*name).to_owned()).collect();
    let model = text
        .model(&ModelOptions { without, ..ModelOptions::default() })
        .expect("the text has a model");
    let report = model.verify(text.properties(), SearchLimits::default()).expect("the search ends");
    report.findings.into_iter().map(|finding| (finding.property, finding.verdict)).collect()
}

fn check(name: &str, given: &[&str], expected: &[(&str, Verdict)]) {
    let found = verdicts(&built(name, given), &[]);
    let found: Vec<(&str, Verdict)> =
        found.iter().map(|(name, verdict)| (name.as_str(), *verdict)).collect();
    assert_eq!(found, expected, "{name}");
}

/// What a property says without some b-threads, with the trace.
fn check_finding(text: &BuiltText, without: &[&str], property: &str, expected: &Expect) {
    let without = without.iter().map(|name| (*name).to_owned()).collect();
    let model = text
        .model(&ModelOptions { without, ..ModelOptions::default() })
        .expect("the text has a model");
    let report = model.verify(text.properties(), SearchLimits::default()).expect("the search ends");
    expected.assert_eq(&report.finding(property).expect("the text has the property").to_string());
}

#[test]
fn the_properties_of_the_examples_are_settled() {
    check("connect", &["columns=4", "rows=3", "length=3"], &[("EveryGameEnds", Holds)]);
    let crossing = [("NoCrash", Holds), ("TrainsPass", Holds), ("NobodyIsStuck", Holds)];
    check("crossing", &[], &crossing);
    check("dining", &[], &[("NobodyStarves", Violated)]);
    check("fox-and-hounds", &[], &[("EveryGameEnds", Holds)]);
    check("hanoi", &[], &[("Solvable", Holds), ("NeverStuck", Holds)]);
    check("hot-and-cold", &[], &[("Mixed", Holds)]);
    check("monty-hall", &[], &[("Switching", Holds), ("ItEnds", Holds)]);
    check("nim", &[], &[("SomebodyWins", Holds)]);
    check("pig", &[], &[("SomebodyCanWin", Holds)]);
    check("pig-hold", &["target=4"], &[("SomebodyCanWin", Holds)]);
    check("ruin", &[], &[("GetsRich", Holds), ("ItEnds", Holds)]);
    check("tic-tac-toe", &[], &[("XNeverWins", Holds), ("EveryGameEnds", Holds)]);
    check("maze", &[], &[("ThereIsAWay", Holds)]);
    check("misere", &[], &[("EveryGameEnds", Holds)]);
    check("notakto", &[], &[("SomebodyLoses", Holds)]);
    check("tutorial", &[], &[("XCanWin", Holds), ("OCanWin", Holds)]);
    let vending = [("NothingForFree", Holds), ("PromisesAreKept", Holds), ("NobodyIsStuck", Holds)];
    check("vending", &[], &vending);
    check("wild", &[], &[("EveryGameEnds", Holds)]);
}

/// No b may follow an a, unless a c comes in between. Somebody says a, c and then a, b.
fn said(again: &str) -> BuiltText {
    let text = format!(
        "program said \"Words\"\nevent a\nevent b\nevent c\n\
         thread Speaker\n  request a\n  request c\n  request a\n  request b\n\
         require NoBAfterA\n  forever\n    wait for a\n{again}"
    );
    built_text("said", &text, &[])
}

#[test]
fn a_requirement_that_an_interrupt_ends_is_watched_only_until_then() {
    let until_c = said("    wait for b, interrupt c\n    fail \"b after a\"\n");
    let caution = expect![[r#"
        NoBAfterA: holds
          NoBAfterA watches only until c (a, c): an interrupt ends a b-thread for good; `either` with `or` and `wait for` lets it watch again"#]];
    check_finding(&until_c, &[], "NoBAfterA", &caution);
    let again =
        said("    either\n      wait for b\n      fail \"b after a\"\n    or\n      wait for c\n");
    let broken = expect![[r#"
        NoBAfterA: violated: b after a
          a, c, a, b"#]];
    check_finding(&again, &[], "NoBAfterA", &broken);
}

#[test]
fn without_the_signal_a_train_meets_a_car() {
    let trace = expect![[r#"
        NoCrash: violated: a car meets a train
          approach, lower, enter, leave, approach, enter, raise, car_in"#]];
    check_finding(&built("crossing", &[]), &["Signal"], "NoCrash", &trace);
}

#[test]
fn a_text_without_the_signal_has_seven_b_threads() {
    let (before, after) = text("crossing").split_once("# Without this one").unwrap();
    let (_, after) = after.split_once("\nthread WaitForCars").unwrap();
    let text = built_text("crossing", &format!("{before}thread WaitForCars{after}"), &[]);
    assert_eq!((text.threads().len(), text.events().len()), (7, 7));
}

#[test]
fn everybody_starves_with_one_stick() {
    check_finding(
        &built("dining", &["n=3"]),
        &[],
        "NobodyStarves",
        &expect![[r#"
        NobodyStarves: violated: every requested event is blocked
          pick(1, 1), pick(2, 2), pick(3, 3)"#]],
    );
}

#[test]
fn the_towers_of_three_and_four_discs_take_seven_and_fifteen_moves() {
    for (discs, moves) in [("discs=3", 7), ("discs=4", 15)] {
        let text = built("hanoi", &[discs]);
        let model = text.model(&ModelOptions::default()).unwrap();
        let report = model.verify(text.properties(), SearchLimits::default()).unwrap();
        let trace = report.finding("Solvable").unwrap().trace.clone().unwrap();
        assert_eq!(trace.actions.len(), moves + 1, "the last event is solved");
    }
}

#[test]
fn without_fairness_a_train_waits_for_ever() {
    // `must` before `request lower` is what makes the barrier close at last.
    let unfair = text("crossing").replace("must request lower", "request lower");
    check_finding(
        &built_text("unfair", &unfair, &[]),
        &[],
        "TrainsPass",
        &expect![[r#"
        TrainsPass: violated: Train can stay at its `must` for ever
          approach, and then for ever: car_in, car_out"#]],
    );
}

#[test]
fn a_rule_that_is_taken_away_lets_x_win() {
    let text = built("tic-tac-toe", &[]);
    check_finding(
        &text,
        &["PreventThirdX"],
        "XNeverWins",
        &expect![[r#"
        XNeverWins: violated: win(X) happens
          mark(X, a1), mark(O, b2), mark(X, c1), mark(O, a3), mark(X, b1), win(X)"#]],
    );
}

#[test]
fn a_game_that_never_ends_is_found() {
    let endless = "\
game endless
seats a, b
event step(seat)  move of seat
event win(seat)   win of seat
rule Turns \"It is not your turn\"
  forever
    wait for step(a), block step(b)
    wait for step(b), block step(a)
rule Win
  request win(a), wait for step
require Ends: ends with win
";
    let text = built_text("endless", endless, &[]);
    check_finding(
        &text,
        &[],
        "Ends",
        &expect![[r#"
        Ends: violated: it can go on for ever
          win(a), and then for ever: step(a), step(b)"#]],
    );
}

#[test]
fn chance_leaves_a_loop_at_last_but_the_world_need_not() {
    let loops = |role: &str| {
        let text = format!(
            "program loop\nevent heads\nevent tails\n{role} Coin\n  forever\n    \
             request heads, tails\nthread Stop\n  wait for tails\n  block any\n\
             require Ends: ends with tails\n"
        );
        verdicts(&built_text(role, &text, &[]), &[])
    };
    assert_eq!(loops("chance"), [("Ends".to_owned(), Holds)]);
    assert_eq!(loops("world"), [("Ends".to_owned(), Violated)]);
}

#[test]
fn a_variable_that_leaves_its_range_is_found_with_a_trace() {
    let text = "\
program counter
event tick
world Clock: forever: request tick
require FewTicks
  keep ticks: 0..2 = 0
  forever
    wait for tick
    ticks = ticks + 1
";
    let text = built_text("counter", text, &[]);
    check_finding(
        &text,
        &[],
        "FewTicks",
        &expect![[r#"
        FewTicks: violated: `ticks` leaves its range: it would be 3
          tick, tick, tick"#]],
    );
}

#[test]
fn every_b_thread_keeps_within_its_ranges() {
    let text = "\
program counter
event tick
thread Clock
  keep left: 0..2 = 2
  forever
    request tick
    left = left - 1
";
    let text = built_text("counter", text, &[]);
    check_finding(
        &text,
        &[],
        "Clock",
        &expect![[r#"
        Clock: violated: `left` leaves its range: it would be -1
          tick, tick, tick"#]],
    );
}

#[test]
fn a_search_that_is_cut_short_says_so() {
    let text = built("tic-tac-toe", &[]);
    let model = text.model(&ModelOptions::default()).unwrap();
    let limits = SearchLimits { states: 100, ..SearchLimits::default() };
    let report = model.verify(text.properties(), limits).unwrap();
    assert!(report.findings.iter().all(|finding| finding.verdict == Unknown));
}

#[test]
fn an_unknown_b_thread_cannot_be_left_out() {
    let without = vec!["Signals".to_owned()];
    let options = ModelOptions { without, ..ModelOptions::default() };
    let error = built("crossing", &[]).model(&options).unwrap_err();
    assert_eq!(error.to_string(), "no b-thread is called \"Signals\"");
}

/// A game that requires nothing.
const ONE_MOVE: &str = "\
game one-move \"Whoever moves first wins\"
seats X, O
event go(seat)   move of seat
event win(seat)  win of seat
rule EndOfGame \"The game is over\" game_over
  wait for win
  block any
rule Win(seat) \"Somebody has won\"
  wait for go(seat)
  request win(seat), block go
";

/// What is found about a game that requires nothing, without some b-threads.
fn check_usual(text: &str, without: &[&str], expected: &Expect) {
    let built = built_text("text", text, &[]);
    let without = without.iter().map(|name| (*name).to_owned()).collect();
    let model = built
        .model(&ModelOptions { without, ..ModelOptions::default() })
        .expect("the text has a model");
    let report =
        model.verify(&built.usual_properties(), SearchLimits::default()).expect("the search ends");
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    expected.assert_eq(&findings.join("\n"));
}

#[test]
fn a_game_that_requires_nothing_must_end_with_one_result_and_nobody_may_be_stuck() {
    check_usual(
        ONE_MOVE,
        &[],
        &expect![[r#"
        ExactlyOneResult: holds
        NobodyIsStuck: holds"#]],
    );
    check_usual(
        ONE_MOVE,
        &["EndOfGame"],
        &expect![[r#"
        ExactlyOneResult: violated: the game goes on after its result
          go(X), win(X), go(X)
        NobodyIsStuck: holds"#]],
    );
    check_usual(
        ONE_MOVE,
        &["Win"],
        &expect![[r#"
        ExactlyOneResult: violated: it can go on for ever
          and then for ever: go(X)
        NobodyIsStuck: holds"#]],
    );
    let closed = format!("{ONE_MOVE}rule Closed \"It is closed\"\n  block go\n");
    check_usual(
        &closed,
        &[],
        &expect![[r#"
        ExactlyOneResult: violated: it ends without a result
          at the start
        NobodyIsStuck: violated: every requested event is blocked
          at the start"#]],
    );
    let second = ONE_MOVE.replace("  request win(seat), block go", "  request win\n  request win");
    check_usual(
        &second,
        &["EndOfGame"],
        &expect![[r#"
        ExactlyOneResult: violated: there is a second result
          go(X), win(X), win(X)
        NobodyIsStuck: holds"#]],
    );
}

#[test]
fn the_requirements_of_a_text_take_the_place_of_the_general_ones() {
    let names = |text: &BuiltText| {
        let usual = text.usual_properties().into_iter();
        usual.map(|property| property.name().to_owned()).collect::<Vec<_>>()
    };
    let own = format!("{ONE_MOVE}require XCanWin: can win(X)\n");
    assert_eq!(names(&built_text("text", &own, &[])), ["XCanWin"]);
    let ranged = format!(
        "{ONE_MOVE}rule Counts\n  keep n: 0..1 = 0\n  forever\n    wait for go\n    n = n + 1\n"
    );
    let names = names(&built_text("text", &ranged, &[]));
    assert_eq!(names, ["ExactlyOneResult", "NobodyIsStuck", "Counts"]);
    assert_eq!(built("hot-and-cold", &[]).general_properties().len(), 0, "it is no game");
}

#[test]
fn a_search_that_is_cut_short_finds_what_happens_after_a_result() {
    let built = built_text("text", ONE_MOVE, &[]);
    let verdict = |states: u64, without: &[&str]| {
        let without = without.iter().map(|name| (*name).to_owned()).collect();
        let model = built.model(&ModelOptions { without, ..ModelOptions::default() }).unwrap();
        let limits = SearchLimits { states, ..SearchLimits::default() };
        let report = model.verify(&built.usual_properties(), limits).unwrap();
        let found = report.finding("ExactlyOneResult").unwrap();
        (found.verdict, found.sentence.clone())
    };
    let after = (Violated, "the game goes on after its result".to_owned());
    assert_eq!(verdict(5, &["EndOfGame"]), after);
    assert_eq!(verdict(4, &[]).0, Unknown);
    assert_eq!(verdict(5, &[]).0, Holds);
}

#[test]
fn what_holds_because_nothing_could_break_it_says_why() {
    let text = built_text(
        "p",
        "program p \"Nothing to break\"\nset n = 1..2\nevent a(n)\nevent b\n\
         thread T: request a(1)\n\
         require Outside: never a(7)\nrequire Both: never a(1) and a(2)\n\
         require Impossible: probability of a(7) == 0\nrequire Unrequested: never b\n\
         require Watcher: wait for a(1)\n\
         require Fails\n  wait for a(2)\n  fail \"a(2)\"\n\
         require Real\n  2 times: wait for a(1)\n  fail \"twice\"\n",
        &[],
    );
    let model = text.model(&ModelOptions::default()).expect("the text has a model");
    let report = model.verify(text.properties(), SearchLimits::default()).expect("the search ends");
    let told: Vec<String> = report
        .findings
        .iter()
        .map(|finding| {
            format!("{}: {}", finding.property, finding.caution.as_deref().unwrap_or("-"))
        })
        .collect();
    expect![[r#"
        Outside: there is no such event
        Both: there is no such event
        Impossible: there is no such event
        Unrequested: nothing here can request b
        Watcher: it has no `fail`
        Fails: nothing here can request a(2)
        Real: -"#]]
    .assert_eq(&told.join("\n"));
}

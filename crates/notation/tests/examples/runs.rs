//! Runs of texts.

use std::collections::BTreeSet;

use checker::{Checker, Model};
use expect_test::expect;
use game::Game;
use notation::{ModelOptions, RunPace, RunRefusal, RunStatus, TextEvent, TextRun, ThreadPart};

use crate::texts::{built, built_text};

fn start(name: &str, given: &[&str], pace: RunPace) -> TextRun {
    built(name, given).start_run(pace).expect("the b-threads stop").0
}

/// The events that happened after each of these, separated by commas.
fn happened(run: &mut TextRun, events: &[&str]) -> String {
    let all = events.iter().map(|name| {
        let event = run.text().event_called(name).expect("there is such an event");
        let steps = run.trigger(&event).expect("it is possible");
        steps.iter().map(|step| step.event.to_string()).collect::<Vec<_>>().join(" ")
    });
    all.collect::<Vec<_>>().join(", ")
}

/// Counts states and transitions by running.
fn counted(name: &str, given: &[&str]) -> (u64, u64) {
    let run = start(name, given, RunPace::Steps);
    let (mut seen, mut edges) = (BTreeSet::from([run.snapshot()]), 0);
    let mut open = vec![run];
    while let Some(run) = open.pop() {
        for possible in run.possible() {
            edges += 1;
            let mut next = run.clone();
            next.trigger(&possible.event).expect("what is possible can happen");
            if seen.insert(next.snapshot()) {
                open.push(next);
            }
        }
    }
    (seen.len() as u64, edges)
}

#[test]
fn a_run_goes_through_the_same_states_as_the_model() {
    for (name, given) in [
        ("crossing", &[][..]),
        ("dining", &["n=4"]),
        ("fox-and-hounds", &[]),
        ("hanoi", &[]),
        ("hot-and-cold", &[]),
        ("maze", &[]),
        ("monty-hall", &[]),
        ("nim", &["most=2"]),
        ("notakto", &[]),
        ("pig", &[]),
        ("pig-hold", &["target=4", "sides=3"]),
        ("ruin", &[]),
        ("tic-tac-toe", &[]),
        ("tutorial", &[]),
        ("vending", &[]),
    ] {
        let text = built(name, given);
        let model = text.model(&ModelOptions::default()).unwrap();
        let report = Checker::new(&model).run().unwrap();
        assert_eq!(counted(name, given), (report.states, report.edges), "{name}");
    }
}

#[test]
fn strategies_and_rules_act_by_themselves() {
    let mut run = start("tutorial", &[], RunPace::Supersteps);
    let moves = ["mark(X, c2)", "mark(X,a1)", "mark(X, b3)", "mark(X, a3)", "mark(X, a2)"];
    assert_eq!(
        happened(&mut run, &moves),
        "mark(X, c2) mark(O, b2), mark(X, a1) mark(O, b1), mark(X, b3) mark(O, c1), \
         mark(X, a3) mark(O, c3), mark(X, a2) win(X, {a1 a2 a3})"
    );
    assert_eq!((run.status(), run.outcome().as_deref()), (RunStatus::Over, Some("X wins")));
}

#[test]
fn philosophers_starve_and_the_run_says_why() {
    let mut run = start("dining", &["n=3"], RunPace::Steps);
    happened(&mut run, &["pick(1, 1)", "pick(2, 2)", "pick(3, 3)"]);
    assert_eq!(run.status(), RunStatus::Stuck);
    assert_eq!(run.possible(), []);
    let event = run.text().event_called("pick(1, 2)").unwrap();
    expect![[r#"
        requested by Philosopher(1)
        blocked by Stick(2) (pick(_, 2))"#]]
    .assert_eq(&run.explain(&event).to_string());
    let refusal = run.trigger(&event).unwrap_err();
    assert_eq!(refusal.to_string(), "pick(1, 2) is blocked by Stick(2) (pick(_, 2))");
    let event = run.text().event_called("release(1, 1)").unwrap();
    let refusal = run.trigger(&event).unwrap_err();
    assert_eq!(refusal.to_string(), "release(1, 1) cannot happen now: nothing requests it");
    assert!(matches!(refusal, RunRefusal::NotRequested(_)));
}

#[test]
fn an_endless_superstep_changes_nothing() {
    let refusal = built("dining", &[]).start_run(RunPace::Supersteps).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the b-threads do not stop after 10000 events: choose every event yourself"
    );
}

#[test]
fn the_parts_of_a_step_are_told_apart() {
    let mut run = start("tic-tac-toe", &[], RunPace::Supersteps);
    let event = run.text().event_called("mark(X, a1)").unwrap();
    let steps = run.trigger(&event).unwrap();
    let parts = |step: usize, part| {
        steps[step].who(part).map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    expect!["EnforceTurns SquareTaken(a1) DetectWin(X, {a1 b1 c1}) DetectWin(X, {a1 a2 a3}) DetectWin(X, {a1 b2 c3}) DetectDraw PreventThirdX({a1 b1 c1}) PreventThirdX({a1 a2 a3}) PreventThirdX({a1 b2 c3}) PreventXFork({a1 c2} c1) PreventXFork({a1 b3} a3) PreventAnotherXFork({a1 c3})"].assert_eq(&parts(0, ThreadPart::Waited));
    expect!["AddThirdO({a1 b1 c1}) AddThirdO({a1 a2 a3}) AddThirdO({a1 b2 c3}) PreventXFork({c1 a2} a1) PreventXFork({b1 a3} a1) PreventAnotherXFork({c1 a3}) PreventYetAnotherXFork({b1 a2} a1)"].assert_eq(&parts(0, ThreadPart::Interrupted));
    assert_eq!(parts(1, ThreadPart::Requested), "DefaultMoves");
    let event = run.text().event_called("mark(X, c3)").unwrap();
    let answer = &run.trigger(&event).unwrap()[1];
    assert_eq!(answer.event.as_str(), "mark(O, b1)");
    let blocked: Vec<String> = answer.who(ThreadPart::Blocked).map(ToString::to_string).collect();
    assert_eq!(blocked, ["SquareTaken(a1)", "SquareTaken(b2)", "SquareTaken(c3)"]);
}

#[test]
fn a_snapshot_goes_on_where_it_was_taken_and_fits_no_other_text() {
    let mut run = start("nim", &[], RunPace::Supersteps);
    happened(&mut run, &["take(first, a, 3)"]);
    let snapshot = run.snapshot();
    assert_eq!(happened(&mut run, &["take(second, b, 3)"]), "take(second, b, 3)");
    let mut other = start("nim", &[], RunPace::Supersteps);
    other.restore(&snapshot).unwrap();
    assert_eq!(other.snapshot(), snapshot);
    assert_eq!(happened(&mut other, &["take(second, c, 1)"]), "take(second, c, 1)");
    let mut foreign = start("nim", &["most=4"], RunPace::Supersteps);
    let before = foreign.snapshot();
    assert_eq!(
        foreign.restore(&snapshot).unwrap_err().to_string(),
        "the snapshot is of another text, or of another version of this one"
    );
    assert_eq!(foreign.snapshot(), before);
}

#[test]
fn a_requirement_that_fails_is_told() {
    let text = built("crossing", &[]);
    let source = crate::texts::text("crossing");
    let (before, rest) = source.split_once("thread Signal").unwrap();
    let (_, after) = rest.split_once("thread WaitForCars").unwrap();
    let without = [before, "thread WaitForCars", after].concat();
    let text_without = built_text("crossing", &without, &[]);
    assert!(text.threads().len() > text_without.threads().len());
    let (mut run, _) = text_without.start_run(RunPace::Steps).unwrap();
    assert_eq!(run.violations().count(), 0);
    let events = ["approach", "lower", "enter", "leave", "approach", "enter", "raise", "car_in"];
    happened(&mut run, &events);
    let failed: Vec<String> = run
        .violations()
        .map(|(thread, sentence)| format!("{}: {sentence}", thread.name()))
        .collect();
    assert_eq!(failed, ["NoCrash: a car meets a train"]);
}

/// The events that are possible at the beginning, in a run and in the model.
fn first_events(text: &str) -> (Vec<String>, Vec<String>) {
    let text = built_text("text", text, &[]);
    let (run, _) = text.start_run(RunPace::Steps).expect("nothing happens at once");
    let mut run: Vec<String> = run.possible().iter().map(|each| each.event.to_string()).collect();
    let model = text.model(&ModelOptions::default()).expect("the text has a model");
    let mut modelled = Vec::new();
    let shown = model
        .successors(&model.start(), &mut |event: &TextEvent, _| modelled.push(event.to_string()));
    shown.expect("all events are declared");
    run.sort_unstable();
    modelled.sort_unstable();
    (run, modelled)
}

#[test]
fn everything_that_a_program_requests_otherwise_is_possible() {
    let head = "program p\nevent a\nevent b\nevent c\n";
    for (threads, possible) in [
        ("thread T: otherwise a or b\nthread C: wait for c\n", &["a", "b"][..]),
        ("thread T: otherwise a\nthread U: otherwise b\nthread C: wait for c\n", &["a", "b"]),
        ("world W: otherwise a or b or c\nthread B: block b\n", &["a", "c"]),
        ("chance W: otherwise a or b\nthread C: otherwise c\n", &["a", "b", "c"]),
        ("thread T: otherwise a or b\nthread C: request c\n", &["c"]),
    ] {
        let (run, modelled) = first_events(&format!("{head}{threads}"));
        assert_eq!(run, possible, "{threads}");
        assert_eq!(modelled, possible, "{threads}");
    }
}

#[test]
fn in_a_game_the_first_of_what_rules_request_otherwise_happens_and_chance_draws() {
    let head = "game g\nseats X, O\nevent m(seat)  move of seat\nevent a\nevent b\n\
                rule Nothing \"nothing moves\": block m\n";
    for (threads, possible) in [
        ("rule R: otherwise b or a\n", &["a"][..]),
        ("chance C: otherwise a or b\n", &["a", "b"]),
        ("chance C: otherwise a\nrule R: otherwise b\n", &["b"]),
    ] {
        let (run, modelled) = first_events(&format!("{head}{threads}"));
        assert_eq!(run, possible, "{threads}");
        assert_eq!(modelled, possible, "{threads}");
    }
    let drawn = built_text("text", &format!("{head}chance C: otherwise a or b\n"), &[]);
    let game = drawn.game().expect("it is a game");
    let chances = game.chances(&game.start());
    let chances: Vec<String> =
        chances.iter().map(|(drawn, chance)| format!("{drawn} {chance}")).collect();
    assert_eq!(chances, ["a 1/2", "b 1/2"]);
}

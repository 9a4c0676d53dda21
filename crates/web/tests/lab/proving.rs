//! What is true of a text.

use expect_test::{Expect, expect};
use web::lab::{Lab, LabStorage, ProofState, to_link};
use web::worker::WorkerAnswer;

use crate::driver::LabDriver;

fn check(driver: &LabDriver, expected: &Expect) {
    expected.assert_eq(&driver.verdicts());
}

#[test]
fn the_examples_have_the_counts_of_the_command() {
    check(
        &LabDriver::example("tic-tac-toe"),
        &expect!["641 783, XNeverWins holds, EveryGameEnds holds"],
    );
    check(
        &LabDriver::example("dining"),
        &expect![
            "392 1415, NobodyStarves violated: pick(1, 1) pick(2, 2) pick(3, 3) pick(4, 4) pick(5, 5)"
        ],
    );
    check(
        &LabDriver::example("crossing"),
        &expect!["7 10, NoCrash holds, TrainsPass holds, NobodyIsStuck holds"],
    );
}

#[test]
fn a_switched_off_strategy_has_its_shortest_counterexample_and_comes_back() {
    let mut driver = LabDriver::example("tic-tac-toe");
    driver.act("switch", "PreventXFork");
    check(
        &driver,
        &expect![
            "641 780, XNeverWins violated: mark(X, a1) mark(O, b2) mark(X, b3) mark(O, c1) mark(X, a3) mark(O, c3) mark(X, a2) win(X), EveryGameEnds holds"
        ],
    );
    let proof = driver.panel("proof");
    assert!(proof.contains("✗ XNeverWins") && proof.matches("lab-small").count() >= 7, "{proof}");
    driver.act("switch", "PreventXFork");
    check(&driver, &expect!["641 783, XNeverWins holds, EveryGameEnds holds"]);
}

#[test]
fn a_single_b_thread_and_a_property_can_be_switched_off() {
    let mut driver = LabDriver::example("tic-tac-toe");
    driver.act("switch", "XNeverWins");
    check(&driver, &expect!["641 783, EveryGameEnds holds"]);
    driver.act("switch", "SquareTaken(a1)");
    assert_ne!(driver.verdicts(), "641 783, EveryGameEnds holds");
}

#[test]
fn each_b_thread_is_for_something() {
    let mut driver = LabDriver::example("tic-tac-toe");
    driver.act("purposes", "");
    let ProofState::Done { report, .. } = driver.lab.proof() else { panic!("it is done") };
    let told = report.purposes.iter().map(|purpose| {
        let broken: Vec<&str> = purpose.broken.iter().map(|each| &*each.property).collect();
        format!("{}: {}\n", purpose.family, broken.join(", "))
    });
    expect![[r#"
        EndOfGame: XNeverWins, EveryGameEnds
        EnforceTurns: XNeverWins
        SquareTaken: XNeverWins
        DetectWin: XNeverWins
        DetectDraw: EveryGameEnds
        AddThirdO: XNeverWins
        PreventThirdX: XNeverWins
        PreventXFork: XNeverWins
        PreventAnotherXFork: XNeverWins
        PreventYetAnotherXFork: XNeverWins
        DefaultMoves: EveryGameEnds
    "#]]
    .assert_eq(&told.collect::<String>());
}

/// Tic-tac-toe without its claims.
fn without_claims() -> String {
    let driver = LabDriver::example("tic-tac-toe");
    let lines = driver.lab.text().source().lines();
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with("require ")).collect();
    lines.join("\n") + "\n"
}

#[test]
fn a_game_that_requires_nothing_is_checked_for_what_is_true_of_every_game() {
    let mut driver = LabDriver::text(&without_claims());
    check(&driver, &expect!["641 783, ExactlyOneResult holds, NobodyIsStuck holds"]);
    let proof = driver.panel("proof");
    assert!(proof.contains("must be true of every game"), "{proof}");
    driver.act("switch", "DetectDraw");
    let verdicts = driver.verdicts();
    assert!(verdicts.contains("ExactlyOneResult violated"), "{verdicts}");
    let claiming = LabDriver::example("tic-tac-toe");
    assert!(!claiming.panel("proof").contains("must be true of every game"));
    let program = LabDriver::text("program p\nevent tea\nthread T: forever: request tea\n");
    assert!(program.panel("proof").contains("The text claims nothing."));
}

#[test]
fn a_text_that_is_too_large_claims_nothing() {
    let driver = LabDriver::example("ultimate");
    let ProofState::Done { report, .. } = driver.lab.proof() else { panic!("it is done") };
    assert!(!report.is_complete);
    let proof = driver.panel("proof");
    assert!(proof.contains("Too large") && !proof.contains("✓"), "{proof}");
}

#[test]
fn the_button_that_stops_a_search_stays_while_the_search_goes_on() {
    let (mut lab, _) = Lab::open(&to_link(&without_claims()), 7, LabStorage::default());
    let panel = |lab: &Lab, id: &str| {
        lab.panels().into_iter().find(|(known, _)| *known == id).expect("the panel exists").1
    };
    let (before, told) = (panel(&lab, "proof"), panel(&lab, "proof-progress"));
    assert!(before.contains("Stop") && told.contains("Looking at every state"), "{before} {told}");
    lab.hear(WorkerAnswer::Progress(1_234), 5);
    assert_eq!(panel(&lab, "proof"), before);
    assert!(panel(&lab, "proof-progress").contains("1,234"), "{}", panel(&lab, "proof-progress"));
    lab.act("stop", "");
    assert_eq!(panel(&lab, "proof-progress"), "");
    lab.act("prove", "");
    assert_eq!(panel(&lab, "proof-progress"), told);
}

#[test]
fn a_counterexample_is_put_on_the_board_and_stepped_through() {
    let mut driver = LabDriver::example("tic-tac-toe");
    driver.act("switch", "PreventXFork");
    driver.act("board", "XNeverWins");
    let game = driver.lab.game().unwrap();
    assert_eq!(game.place(), 0);
    let count = game.steps().len();
    for place in 1..=count {
        driver.act("forward", "");
        assert_eq!(driver.lab.game().unwrap().place(), place);
    }
    assert!(driver.panel("play").contains("X wins"), "{}", driver.panel("play"));
    driver.act("forward", "");
    assert_eq!(driver.lab.game().unwrap().place(), count, "there is nothing after the end");
}

#[test]
fn the_worker_refuses_what_it_does_not_understand() {
    let mut replies = Vec::new();
    web::worker::answer("moon", &mut |reply| replies.push(format!("{:?}", reply.answer)));
    assert_eq!(replies, ["Failed(\"The worker does not understand the page. Reload it.\")"]);
}

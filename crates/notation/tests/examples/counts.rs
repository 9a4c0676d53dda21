//! Counts of b-threads, events, states and transitions.

use checker::Checker;
use notation::ModelOptions;

use crate::texts::built;

/// B-threads, events, states, transitions, states without successors.
fn check(name: &str, given: &[&str], expected: [u64; 5]) {
    let text = built(name, given);
    let model = text.model(&ModelOptions::default()).expect("the text has a model");
    let report = Checker::new(&model).run().expect("the search ends");
    let threads = text.threads().len() as u64;
    let found = [threads, text.events().len() as u64, report.states, report.edges, report.terminal];
    assert_eq!(found, expected, "{name} {given:?}");
    assert_eq!(text.warnings(), [], "{name}");
}

#[test]
fn hot_and_cold() {
    check("hot-and-cold", &[], [3, 2, 7, 6, 1]);
}

#[test]
fn dining() {
    check("dining", &[], [10, 50, 392, 1415, 1]);
    check("dining", &["n=6"], [12, 72, 1297, 5622, 1]);
}

#[test]
fn crossing() {
    check("crossing", &[], [8, 7, 7, 10, 0]);
}

#[test]
fn hanoi() {
    check("hanoi", &[], [11, 10, 27, 79, 0]);
    check("hanoi", &["discs=4"], [16, 13, 81, 241, 0]);
}

#[test]
fn nim() {
    check("nim", &[], [6, 20, 122, 518, 2]);
    check("nim", &["most=4"], [6, 26, 244, 1418, 2]);
}

#[test]
fn tic_tac_toe() {
    check("tic-tac-toe", &[], [59, 21, 641, 783, 130]);
}

#[test]
fn connect() {
    check("connect", &["columns=4", "rows=3", "length=3"], [51, 27, 9683, 14344, 2526]);
}

#[test]
fn fox_and_hounds() {
    check("fox-and-hounds", &[], [35, 74, 137, 178, 27]);
}

#[test]
fn pig() {
    check("pig", &[], [5, 9, 260, 610, 10]);
    check("pig", &["target=10", "sides=6"], [5, 12, 1404, 5490, 18]);
}

#[test]
fn ruin() {
    check("ruin", &[], [3, 4, 7, 10, 1]);
}

#[test]
fn monty_hall() {
    check("monty-hall", &[], [3, 14, 28, 38, 1]);
}

//! The 244 b-threads of the tic-tac-toe of BPjs, with priorities per sync point, have the
//! numbers of states and edges that an independent program counted.

mod program;

use checker::{BProgram, Checker, Coverage, Property, Report, Verdict};
use program::{Diagonals, Move, alphabet, program};

fn check(diagonals: Diagonals, threads: usize) -> Report<Move> {
    let space = program(diagonals).closed_space(alphabet()).expect("all moves are known");
    let model = BProgram::by_sync_point_priority(space);
    // A violated requirement ends a game, as in the other program.
    let checker = Checker::new(&model).property(Property::requirement("NoXWin"));
    let checker = checker.collect_all().halt_at_violations();
    checker.threads(threads).run().expect("all moves are known")
}

#[test]
fn as_shipped_x_can_win_in_eight_ways() {
    assert_eq!(program(Diagonals::One).threads().len(), 244);
    let report = check(Diagonals::One, 1);
    assert_eq!((report.states, report.edges, report.terminal), (5_194, 5_193, 1_352));
    let finding = report.finding("NoXWin").unwrap();
    assert_eq!((finding.verdict, finding.cases), (Verdict::Violated, 8));
    assert_eq!(report.coverage, Coverage::HaltedAtViolations);
    expect_test::expect![[r#"
        NoXWin: violated: X has won
          X(0,0), O(1,1), X(2,2), O(0,2), X(2,0), O(2,1), X(1,0), XWin"#]]
    .assert_eq(&finding.to_string());
}

#[test]
fn with_both_diagonals_x_never_wins() {
    let report = check(Diagonals::Both, 1);
    assert_eq!((report.states, report.edges, report.terminal), (5_258, 5_257, 1_376));
    let finding = report.finding("NoXWin").unwrap();
    assert_eq!((finding.verdict, finding.cases), (Verdict::Holds, 0));
}

#[test]
fn two_threads_report_what_one_reports() {
    assert_eq!(check(Diagonals::One, 2), check(Diagonals::One, 1));
    assert_eq!(check(Diagonals::Both, 2), check(Diagonals::Both, 1));
}

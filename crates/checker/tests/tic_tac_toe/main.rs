//! Checks of tic-tac-toe: proofs, counterexamples, symmetries, and different designs that
//! behave alike.

#[path = "../../../games/tests/tic_tac_toe/design.rs"]
mod design;
mod seed_000;

use bthread::{ClosedStateSpace, FreeEnvironment, NotSymmetric, Random, Strategy};
use checker::{BProgram, Bisimulation, Checker, Coverage, Property, Report, Verdict};
use design::Design;
use games::tic_tac_toe::{BThreads, BoardSymmetry, Event, Requirement, alphabet};

fn space(threads: &BThreads) -> ClosedStateSpace<Event> {
    threads.program().closed_space(alphabet()).expect("all events are known")
}

fn o_against_any_x(threads: &BThreads) -> BProgram<ClosedStateSpace<Event>, FreeEnvironment> {
    BProgram::against(space(threads), ["AnyX"])
}

fn both_free(threads: &BThreads) -> BProgram<ClosedStateSpace<Event>, Random> {
    BProgram::exhaustive(space(threads))
}

fn check<S: Strategy<Event> + Sync>(model: &BProgram<ClosedStateSpace<Event>, S>) -> Report<Event> {
    let properties = Requirement::ALL.map(|requirement| Property::requirement(requirement.name()));
    Checker::new(model).properties(properties).collect_all().run().expect("all events are known")
}

#[test]
fn o_never_loses_and_every_game_ends_with_one_result() {
    let report = check(&o_against_any_x(&BThreads::o_against_any_x()));
    assert_eq!(report.coverage, Coverage::Complete);
    assert_eq!((report.states, report.edges, report.terminal, report.stuck), (641, 783, 130, 0));
    assert_eq!(report.verdict(), Verdict::Holds);
}

/// Checks the shortest game that violates each requirement without a strategy, if there is one.
fn check_without(strategy: &str, broken: [Option<&str>; 2]) {
    let report = check(&o_against_any_x(&BThreads::o_against_any_x().without(strategy)));
    let traces = report.findings.iter().map(|finding| {
        assert_eq!(finding.verdict == Verdict::Violated, finding.trace.is_some());
        finding.trace.as_ref().map(ToString::to_string)
    });
    assert_eq!(traces.collect::<Vec<_>>(), broken.map(|trace| trace.map(str::to_owned)));
}

#[test]
fn without_any_one_of_the_first_five_strategies_x_can_win() {
    check_without("AddThirdO", [Some("X b2, O a1, X c2, O a2, X c1, O c3, X a3, XWin"), None]);
    check_without("PreventThirdX", [Some("X a1, O b2, X c1, O a3, X b1, XWin"), None]);
    check_without("PreventXFork", [Some("X a1, O b2, X b3, O c1, X a3, O c3, X a2, XWin"), None]);
    check_without(
        "PreventAnotherXFork",
        [Some("X a1, O b2, X c3, O c1, X a3, O b3, X a2, XWin"), None],
    );
    check_without(
        "PreventYetAnotherXFork",
        [Some("X c2, O b2, X b3, O a1, X c3, O a3, X c1, XWin"), None],
    );
}

#[test]
fn without_default_moves_x_never_wins_only_because_o_is_stuck() {
    check_without("DefaultMoves", [None, Some("X a1")]);
}

#[test]
fn with_the_rules_alone_every_game_has_one_result_and_x_may_win() {
    let report = check(&both_free(&BThreads::any_x_against_any_o()));
    assert_eq!((report.states, report.edges, report.terminal), (6_404, 17_089, 626 + 316 + 10));
    let verdicts = report.findings.iter().map(|finding| finding.verdict);
    assert_eq!(verdicts.collect::<Vec<_>>(), [Verdict::Violated, Verdict::Holds]);
}

#[test]
fn the_rules_have_eight_symmetries() {
    let symmetries =
        || BoardSymmetry::ALL.map(|symmetry| move |event: &Event| symmetry.event(*event));
    let model = both_free(&BThreads::any_x_against_any_o()).symmetric(symmetries()).unwrap();
    let never = || Property::requirement("XNeverWins").symmetric();
    let search = || Checker::new(&model).property(never()).collect_all();
    let (full, reduced) = (search().run().unwrap(), search().symmetry().run().unwrap());
    assert_eq!((full.states, full.edges), (6_404, 17_089));
    // 765 positions up to symmetry, and one more state for each of the 138 final ones.
    assert_eq!((reduced.states, reduced.edges), (765 + 138, 2_408));
    assert_eq!(full.verdict(), reduced.verdict());
    // The trace of the reduced search is a game that can be played.
    let trace = reduced.findings[0].trace.as_ref().unwrap();
    assert_eq!(model.replay(trace).len(), trace.actions.len());
    assert_eq!(trace.actions.len(), full.findings[0].trace.as_ref().unwrap().actions.len());
    // Two threads find the same.
    assert_eq!(search().symmetry().threads(2).run().unwrap(), reduced);
}

#[test]
fn a_program_that_prefers_some_squares_is_not_symmetric() {
    let quarter = |event: &Event| BoardSymmetry::QuarterTurn.event(*event);
    let model = both_free(&BThreads::o_against_any_x());
    let refused = model.symmetric([quarter]).unwrap_err();
    assert_eq!(refused.to_string(), "No b-thread is the image of PreventAnotherXFork(a1,c3)");
    let to_a1 = |event: &Event| match event {
        Event::Mark(mark, _) => Event::Mark(*mark, games::tic_tac_toe::Square::A1),
        result => *result,
    };
    let model = both_free(&BThreads::any_x_against_any_o());
    assert!(matches!(model.symmetric([to_a1]), Err(NotSymmetric::Events(_))));
}

/// Whether two programs behave alike, and if not, the shortest trace to a difference.
fn alike(left: &BThreads, right: &BThreads) -> (Verdict, u64, Option<String>) {
    let (left, right) = (o_against_any_x(left), o_against_any_x(right));
    let model = Bisimulation::new(&left, &right);
    let report = Checker::new(&model).property(Property::no_violation()).run();
    let report = report.expect("all events are known");
    let trace = report.findings[0].trace.as_ref().map(ToString::to_string);
    (report.verdict(), report.states, trace)
}

#[test]
fn all_designs_of_detect_x_win_and_add_third_o_behave_alike() {
    // Without PreventThirdX, X can win, so the detector has something to detect.
    for usual in [BThreads::o_against_any_x(), BThreads::o_against_any_x().without("PreventThirdX")]
    {
        for detect in Design::ALL {
            for add in Design::ALL {
                let other = add.for_add_third_o(detect.for_detect_x_win(usual.clone()));
                let (verdict, _, trace) = alike(&usual, &other);
                assert_eq!((verdict, trace), (Verdict::Holds, None), "{detect:?}, {add:?}");
            }
        }
    }
}

#[test]
fn programs_that_differ_are_told_apart_by_the_shortest_game() {
    let usual = BThreads::o_against_any_x();
    let (verdict, _, trace) = alike(&usual, &usual.clone().without("AddThirdO"));
    assert_eq!(verdict, Verdict::Violated);
    assert_eq!(trace.as_deref(), Some("X a1, O b2, X c1, O b1, X a2"));
}

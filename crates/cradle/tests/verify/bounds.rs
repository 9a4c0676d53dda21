//! Searches that are cut short, and searches by several threads.

use expect_test::expect;

use crate::cradle::{STRATEGIES, verified, verify};

#[test]
fn a_search_that_is_cut_short_says_so() {
    let (code, text) = verified(&["--max-states", "50"]);
    expect![[r#"
        tic-tac-toe: O by its strategies against every X

        X never wins: not settled
        Every game ends with exactly one result: not settled

        50 states, 60 edges, depth 3, 0 terminal, 0 stuck
        Cut short by --max-states 50: more states follow.
        Results: not yet XWin, not yet OWin, not yet draw.
        (time, threads, memory)
    "#]]
    .assert_eq(&text);
    assert_eq!(code, 3);
}

#[test]
fn a_search_that_is_cut_short_never_says_that_something_holds() {
    for states in (1..641).step_by(40) {
        let states = states.to_string();
        for arguments in [&["--max-states", &states][..], &["--max-states", &states, "--json"]] {
            let answer = verify(arguments);
            assert_eq!((answer.code, answer.err.as_str()), (3, ""), "{states}");
            assert!(!answer.out.contains("holds"), "{}", answer.out);
        }
    }
}

#[test]
fn a_bound_that_is_not_met_changes_nothing() {
    assert_eq!(verified(&["--max-states", "6404"]), verified(&[]));
}

#[test]
fn a_bound_that_only_the_rules_alone_meet_leaves_them_out() {
    let (code, text) = verified(&["--max-states", "641"]);
    assert!(text.contains("Complete: every state was seen.\n"), "{text}");
    assert!(!text.contains("The rules alone"), "{text}");
    assert_eq!(code, 0);
}

#[test]
fn a_violation_before_the_bound_is_a_violation() {
    let arguments = ["--all", "--without", "PreventThirdX", "--max-states", "529"];
    let (code, text) = verified(&arguments);
    assert!(text.contains("X never wins: violated: X has won\n"), "{text}");
    assert!(text.contains("Cut short by --max-states 529: more states follow.\n"), "{text}");
    assert_eq!(code, 1);
}

#[test]
fn one_thread_and_two_answer_alike() {
    for strategy in STRATEGIES {
        for extent in [&[][..], &["--all"]] {
            let by = |threads| {
                let arguments = ["--without", strategy, "--threads", threads];
                verified(&[&arguments, extent].concat())
            };
            assert_eq!(by("1"), by("2"), "{strategy}");
        }
    }
    assert_eq!(verified(&["--threads", "1"]), verified(&["--threads", "2"]));
}

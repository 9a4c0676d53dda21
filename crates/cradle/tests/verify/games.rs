//! Every game of the catalog can be verified.

use expect_test::{Expect, expect};

use crate::cradle::{answer, cradle, masked};

fn check(arguments: &[&str], code: i32, expected: &Expect) {
    let answer = answer(cradle(&["verify"]).args(arguments));
    expected.assert_eq(&format!("{}{}", masked(&answer.out), answer.err));
    assert_eq!(answer.code, code);
}

#[test]
fn games_of_b_threads_end_with_exactly_one_result() {
    check(
        &["misere"],
        0,
        &expect![[r#"
        misere: everybody may do anything

        Every game ends with exactly one result: holds
        Nobody is stuck: holds

        6,404 states, 17,089 edges, depth 10, 952 terminal, 0 stuck
        Complete: every state was seen.
        Results: XWin in 316 states, OWin in 626 states, draw in 10 states.
        (time, threads, memory)
    "#]],
    );
    check(
        &["notakto"],
        0,
        &expect![[r#"
        notakto: everybody may do anything

        Every game ends with exactly one result: holds
        Nobody is stuck: holds

        670 states, 1,517 edges, depth 8, 220 terminal, 0 stuck
        Complete: every state was seen.
        Results: XWin in 108 states, OWin in 112 states, never draw.
        (time, threads, memory)
    "#]],
    );
    check(
        &["mnk:3,2,2", "--seat", "X=bthreads"],
        0,
        &expect![[r#"
        mnk:3,2,2: X by its strategies against every O

        Every game ends with exactly one result: holds
        Nobody is stuck: holds

        17 states, 16 edges, depth 4, 5 terminal, 0 stuck
        Complete: every state was seen.
        Results: XWin in 5 states, never OWin, never draw.
        (time, threads, memory)
    "#]],
    );
}

#[test]
fn a_full_board_without_a_rule_for_draws_is_stuck() {
    check(
        &["mnk:3,1,3", "--without", "DetectDraw", "--all"],
        1,
        &expect![[r#"
        mnk:3,1,3: everybody may do anything
        without DetectDraw

        Every game ends with exactly one result: violated:
          the program ends while ExactlyOneResult is hot (in 1 state, by 6 games)
        Nobody is stuck: violated:
          every requested event is blocked (in 1 state, by 6 games)

        A shortest game in which the program ends while ExactlyOneResult is hot:

          1  X a1  X's choice
          2  O b1  O's choice
          3  X c1  X's choice

          1       2       3
          X . .   X O .   X O X

        Then nothing can happen: AnyX wants X a1, X b1 and X c1, blocked by
        EnforceTurns, SquareTaken(a1), SquareTaken(b1) and 1 more; AnyO wants O a1, O b1
        and O c1, blocked by SquareTaken(a1), SquareTaken(b1) and SquareTaken(c1).

        A shortest game in which every requested event is blocked:

          1  X a1  X's choice
          2  O b1  O's choice
          3  X c1  X's choice

          1       2       3
          X . .   X O .   X O X

        Then nothing can happen: AnyX wants X a1, X b1 and X c1, blocked by
        EnforceTurns, SquareTaken(a1), SquareTaken(b1) and 1 more; AnyO wants O a1, O b1
        and O c1, blocked by SquareTaken(a1), SquareTaken(b1) and SquareTaken(c1).

        8 states, 12 edges, depth 3, 1 terminal, 1 stuck
        Complete: every state was seen.
        Results: never XWin, never OWin, never draw.
        (time, threads, memory)
    "#]],
    );
}

#[test]
fn other_games_end_and_have_results() {
    check(
        &["odds-and-evens"],
        0,
        &expect![[r#"
        odds-and-evens: everybody may do anything

        Every game ends: holds
        No player is asked to move without a legal move: holds

        5 states, 4 edges, depth 1, 4 terminal, 0 stuck
        Complete: every state was seen.
        Results: Odds wins in 2 states, Evens wins in 2 states, never draw.
        (time, threads, memory)
    "#]],
    );
    check(
        &["kuhn-poker"],
        0,
        &expect![[r#"
        kuhn-poker: everybody may do anything

        Every game ends: holds
        No player is asked to move without a legal move: holds

        55 states, 54 edges, depth 4, 30 terminal, 0 stuck
        Complete: every state was seen.
        Results: First wins in 15 states, Second wins in 15 states, never draw.
        (time, threads, memory)
    "#]],
    );
}

#[test]
fn a_game_that_chance_ends_with_probability_1_ends() {
    check(
        &["pig:6,hold-at-target"],
        0,
        &expect![[r#"
        pig:6,hold-at-target: everybody may do anything

        Every game ends: holds: the probability that it ends is 1
        No player is asked to move without a legal move: holds

        580 states, 1,190 edges, depth 12, 60 terminal, 0 stuck
        Complete: every state was seen.
        Results: A wins in 30 states, B wins in 30 states, never draw.
        (time, threads, memory)
    "#]],
    );
}

#[test]
fn a_game_in_which_both_may_hold_nothing_need_not_end() {
    check(
        &["pig:3,hold-at-target,hold-at-0"],
        1,
        &expect![[r#"
            pig:3,hold-at-0,hold-at-target: everybody may do anything

            Every game ends: violated: it can go on for ever
            No player is asked to move without a legal move: holds

            A game in which it can go on for ever:

                 and then for ever:
              1  hold  A's choice
              2  hold  B's choice

              1                             2
              3 points win                  3 points win
              A has 0                       A has 0
              B has 0                       B has 0
              B has rolled 0 in this turn   A has rolled 0 in this turn

            92 states, 140 edges, depth 9, 24 terminal, 0 stuck
            Complete: every state was seen.
            Results: A wins in 12 states, B wins in 12 states, never draw.
            (time, threads, memory)
        "#]],
    );
}

#[test]
fn a_game_that_is_too_large_is_cut_short() {
    check(
        &["connect-four", "--max-states", "1000"],
        3,
        &expect![[r#"
        connect-four: everybody may do anything

        Every game ends: not settled
        No player is asked to move without a legal move: not settled

        1,000 states, 1,400 edges, depth 4, 0 terminal, 0 stuck
        Cut short by --max-states 1000: more states follow.
        Results: not yet X wins, not yet O wins, not yet draw.
        (time, threads, memory)
    "#]],
    );
    check(
        &["mnk:6,5,4", "--max-states", "300"],
        3,
        &expect![[r#"
            mnk:6,5,4: everybody may do anything

            Every game ends with exactly one result: not settled
            Nobody is stuck: not settled

            300 states, 320 edges, depth 2, 0 terminal, 0 stuck
            Cut short by --max-states 300: more states follow.
            Results: not yet XWin, not yet OWin, not yet draw.
            (time, threads, memory)
        "#]],
    );
}

#[test]
fn every_game_of_the_catalog_has_an_answer() {
    for listed in games::catalog::CATALOG {
        let arguments = ["verify", listed.example, "--max-states", "5000"];
        let answer = answer(&mut cradle(&arguments));
        assert!([0, 3].contains(&answer.code) && answer.err.is_empty(), "{answer:?}");
        assert!(answer.out.contains("Results: "), "{}", answer.out);
    }
}

#[test]
fn seats_and_players_that_do_not_exist_are_refused() {
    let refused = |arguments: &[&str], expected: &str| {
        let answer = answer(cradle(&["verify"]).args(arguments));
        assert_eq!((answer.err.as_str(), answer.code), (expected, 2));
    };
    refused(
        &["tic-tac-toe", "--seat", "Y=any"],
        "error: no seat is called \"Y\"; known, nearest first: X, O\n",
    );
    refused(
        &["misere", "--seat", "X=bthreads"],
        "error: no strategies are written as b-threads for X\n",
    );
    refused(
        &["misere", "--seat", "X=perfect"],
        "error: \"perfect\" is no way to play X: write bthreads or any\n",
    );
    refused(
        &["misere", "--seat", "X"],
        "error: \"X\" is no seat with its player: write NAME=bthreads or NAME=any\n",
    );
}

#[test]
fn a_table_says_what_goes_wrong_without_each_b_thread() {
    let answer = answer(&mut cradle(&["verify", "tic-tac-toe", "--each"]));
    expect![[r#"
        tic-tac-toe: O by its strategies against every X

        without                 states  what goes wrong
        (nothing)                  641  nothing
        EndOfGame                  877  X never wins: X has won after 9 events
                                        Every game ends with exactly one result: the
                                        game goes on after its result after 8 events
        EnforceTurns             6,397  X never wins: X has won after 4 events
        SquareTaken              1,068  X never wins: X has won after 6 events
        DetectXWin                 641  X never wins holds only because nothing here can
                                        request XWin
        DetectOWin                 692  X never wins: X has won after 8 events
        DetectDraw                 632  Every game ends with exactly one result: the
                                        program ends while ExactlyOneResult is hot after
                                        9 events
        AddThirdO                  626  X never wins: X has won after 8 events
        PreventThirdX              530  X never wins: X has won after 6 events
        PreventXFork               641  X never wins: X has won after 8 events
        PreventAnotherXFork        623  X never wins: X has won after 8 events
        PreventYetAnotherXFork     618  X never wins: X has won after 8 events
        DefaultMoves                10  Every game ends with exactly one result: the
                                        program ends while ExactlyOneResult is hot after
                                        1 event
        AnyX                         1  X never wins holds only because nothing can
                                        happen at all
                                        Every game ends with exactly one result: the
                                        program ends while ExactlyOneResult is hot
    "#]]
    .assert_eq(&answer.out);
    assert_eq!((answer.err.as_str(), answer.code), ("", 0));
}

//! O by its strategies against every X, and with b-threads removed.

use expect_test::{Expect, expect};
use games::tic_tac_toe::BThreads;

use crate::cradle::{STRATEGIES, verified, verify};

fn check(arguments: &[&str], code: i32, expected: &Expect) {
    let (said, text) = verified(arguments);
    expected.assert_eq(&text);
    assert_eq!(said, code);
}

/// Removes a strategy, and compares the violation and the numbered moves.
fn check_without(strategy: &str, expected: &Expect) {
    let (code, text) = verified(&["--without", strategy]);
    let is_told = |line: &&str| line.contains("violated") || line.starts_with("  ");
    let is_board = |line: &&str| line.trim_start().chars().all(|c| "XO. 1234567".contains(c));
    let told: Vec<&str> = text.lines().filter(is_told).filter(|line| !is_board(line)).collect();
    expected.assert_eq(&told.join("\n"));
    assert_eq!(code, 1);
}

#[test]
fn with_all_strategies_x_never_wins_and_every_game_ends() {
    check(
        &[],
        0,
        &expect![[r#"
            tic-tac-toe: O by its strategies against every X

            X never wins: holds
            Every game ends with exactly one result: holds

            641 states, 783 edges, depth 10, 130 terminal, 0 stuck
            Complete: every state was seen.
            Results: never XWin, OWin in 121 states, draw in 9 states.
            The rules alone, when everybody may do anything: 6,404 states, 17,089 edges;
            counting symmetric states once (8 symmetries): 903 states, 2,408 edges.
            (time, threads, memory)
        "#]],
    );
}

#[test]
fn without_prevent_x_fork_the_shortest_game_that_x_wins_is_shown_with_its_reasons() {
    check(
        &["--without", "PreventXFork"],
        1,
        &expect![[r#"
            tic-tac-toe: O by its strategies against every X
            without PreventXFork

            X never wins: violated: X has won
            Every game ends with exactly one result: not settled

            A shortest game in which X has won:

              1  X a1  X's choice
              2  O b2  wanted by DefaultMoves
              3  X b3  X's choice
              4  O c1  wanted by DefaultMoves
              5  X a3  X's choice
              6  O c3  wanted by PreventThirdX(a3,b3,c3);
                       PreventThirdX(a1,a2,a3) wanted O a2
              7  X a2  X's choice
              8  XWin  wanted by DetectXWin(a1,a2,a3)

              1       2       3       4       5       6       7
              X . .   X . .   X . .   X . O   X . O   X . O   X . O
              . . .   . O .   . O .   . O .   . O .   . O .   X O .
              . . .   . . .   . X .   . X .   X X .   X X O   X X O

            632 states, 771 edges, depth 9, 78 terminal, 0 stuck
            Stopped at the first violation; --all looks for all of them.
            Results: XWin in 3 states, OWin in 123 states, not yet draw.
            The rules alone, when everybody may do anything: 6,404 states, 17,089 edges;
            counting symmetric states once (8 symmetries): 903 states, 2,408 edges.
            (time, threads, memory)
        "#]],
    );
}

#[test]
fn without_default_moves_o_gets_stuck_for_a_reason() {
    check(
        &["--without", "DefaultMoves"],
        1,
        &expect![[r#"
            tic-tac-toe: O by its strategies against every X
            without DefaultMoves

            X never wins: holds
            Every game ends with exactly one result: violated:
              the program ends while ExactlyOneResult is hot (in 9 states)

            A shortest game in which the program ends while ExactlyOneResult is hot:

              1  X a1  X's choice

              1
              X . .
              . . .
              . . .

            Then nothing can happen: AnyX wants X a1, X b1, X c1 and 6 more, blocked by
            EnforceTurns and SquareTaken(a1).

            10 states, 9 edges, depth 1, 9 terminal, 9 stuck
            Complete: every state was seen.
            Results: never XWin, never OWin, never draw.
            The rules alone, when everybody may do anything: 6,404 states, 17,089 edges;
            counting symmetric states once (8 symmetries): 903 states, 2,408 edges.
            (time, threads, memory)
        "#]],
    );
}

#[test]
fn without_a_player_of_x_nothing_can_happen_at_the_start() {
    check(
        &["--without", "AnyX"],
        1,
        &expect![[r#"
            tic-tac-toe: O by its strategies against every X
            without AnyX

            X never wins: holds, but only because nothing can happen at all
            Every game ends with exactly one result: violated:
              the program ends while ExactlyOneResult is hot (in 1 state)

            At the start, the program ends while ExactlyOneResult is hot:

              start
              . . .
              . . .
              . . .

            Then nothing can happen: DefaultMoves wants O b2, O a1, O c1 and 6 more, blocked
            by EnforceTurns.

            1 state, 0 edges, depth 0, 1 terminal, 1 stuck
            Complete: every state was seen.
            Results: never XWin, never OWin, never draw.
            The rules alone, when everybody may do anything: 1 state, 0 edges; counting
            symmetric states once (8 symmetries): 1 state, 0 edges.
            (time, threads, memory)
        "#]],
    );
}

#[test]
fn all_violations_are_counted_on_request() {
    check(
        &["--all", "--without", "PreventThirdX"],
        1,
        &expect![[r#"
            tic-tac-toe: O by its strategies against every X
            without PreventThirdX

            X never wins: violated: X has won (in 37 states, by 168 games)
            Every game ends with exactly one result: holds

            A shortest game in which X has won:

              1  X a1  X's choice
              2  O b2  wanted by DefaultMoves
              3  X c1  X's choice
              4  O a3  wanted by DefaultMoves
              5  X b1  X's choice
              6  XWin  wanted by DetectXWin(a1,b1,c1)

              1       2       3       4       5
              X . .   X . .   X . X   X . X   X X X
              . . .   . O .   . O .   . O .   . O .
              . . .   . . .   . . .   O . .   O . .

            530 states, 669 edges, depth 10, 125 terminal, 0 stuck
            Complete: every state was seen.
            Results: XWin in 37 states, OWin in 84 states, draw in 4 states.
            The rules alone, when everybody may do anything: 6,404 states, 17,089 edges;
            counting symmetric states once (8 symmetries): 903 states, 2,408 edges.
            (time, threads, memory)
        "#]],
    );
}

#[test]
fn each_violated_requirement_has_its_own_counterexample() {
    check(
        &["--all", "--without", "DetectDraw", "--without", "PreventYetAnotherXFork"],
        1,
        &expect![[r#"
            tic-tac-toe: O by its strategies against every X
            without DetectDraw, PreventYetAnotherXFork

            X never wins: violated: X has won (in 1 state, by 2 games)
            Every game ends with exactly one result: violated:
              the program ends while ExactlyOneResult is hot (in 9 states, by 127 games)

            A shortest game in which X has won:

              1  X c2  X's choice
              2  O b2  wanted by DefaultMoves
              3  X b3  X's choice
              4  O a1  wanted by DefaultMoves
              5  X c3  X's choice
              6  O a3  wanted by PreventThirdX(a3,b3,c3);
                       PreventThirdX(c1,c2,c3) wanted O c1
              7  X c1  X's choice
              8  XWin  wanted by DetectXWin(c1,c2,c3)

              1       2       3       4       5       6       7
              . . .   . . .   . . .   O . .   O . .   O . .   O . X
              . . X   . O X   . O X   . O X   . O X   . O X   . O X
              . . .   . . .   . X .   . X .   . X X   O X X   O X X

            A shortest game in which the program ends while ExactlyOneResult is hot:

              1  X a1  X's choice
              2  O b2  wanted by DefaultMoves
              3  X b1  X's choice
              4  O c1  wanted by PreventThirdX(a1,b1,c1)
              5  X a3  X's choice
              6  O a2  wanted by PreventThirdX(a1,a2,a3)
              7  X c2  X's choice
              8  O c3  wanted by DefaultMoves
              9  X b3  X's choice

              1       2       3       4       5       6       7       8       9
              X . .   X . .   X X .   X X O   X X O   X X O   X X O   X X O   X X O
              . . .   . O .   . O .   . O .   . O .   O O .   O O X   O O X   O O X
              . . .   . . .   . . .   . . .   X . .   X . .   X . .   X . O   X X O

            Then nothing can happen: DefaultMoves wants O b2, O a1, O c1 and 6 more, blocked
            by SquareTaken(a1), SquareTaken(b1), SquareTaken(c1) and 6 more; AnyX wants
            X a1, X b1, X c1 and 6 more, blocked by EnforceTurns, SquareTaken(a1),
            SquareTaken(b1) and 7 more.

            609 states, 758 edges, depth 9, 123 terminal, 9 stuck
            Complete: every state was seen.
            Results: XWin in 1 state, OWin in 113 states, never draw.
            The rules alone, when everybody may do anything: 6,394 states, 17,079 edges;
            counting symmetric states once (8 symmetries): 900 states, 2,405 edges.
            (time, threads, memory)
        "#]],
    );
}

#[test]
fn without_add_third_o_x_wins() {
    check_without(
        "AddThirdO",
        &expect![[r#"
        X never wins: violated: X has won
          1  X b2  X's choice
          2  O a1  wanted by DefaultMoves
          3  X c2  X's choice
          4  O a2  wanted by PreventThirdX(a2,b2,c2)
          5  X c1  X's choice
          6  O c3  wanted by PreventThirdX(c1,c2,c3);
                   PreventThirdX(c1,b2,a3) wanted O a3
          7  X a3  X's choice
          8  XWin  wanted by DetectXWin(c1,b2,a3)"#]],
    );
}

#[test]
fn without_prevent_third_x_x_wins() {
    check_without(
        "PreventThirdX",
        &expect![[r#"
        X never wins: violated: X has won
          1  X a1  X's choice
          2  O b2  wanted by DefaultMoves
          3  X c1  X's choice
          4  O a3  wanted by DefaultMoves
          5  X b1  X's choice
          6  XWin  wanted by DetectXWin(a1,b1,c1)"#]],
    );
}

#[test]
fn without_prevent_x_fork_x_wins() {
    check_without(
        "PreventXFork",
        &expect![[r#"
        X never wins: violated: X has won
          1  X a1  X's choice
          2  O b2  wanted by DefaultMoves
          3  X b3  X's choice
          4  O c1  wanted by DefaultMoves
          5  X a3  X's choice
          6  O c3  wanted by PreventThirdX(a3,b3,c3);
                   PreventThirdX(a1,a2,a3) wanted O a2
          7  X a2  X's choice
          8  XWin  wanted by DetectXWin(a1,a2,a3)"#]],
    );
}

#[test]
fn without_prevent_another_x_fork_x_wins() {
    check_without(
        "PreventAnotherXFork",
        &expect![[r#"
        X never wins: violated: X has won
          1  X a1  X's choice
          2  O b2  wanted by DefaultMoves
          3  X c3  X's choice
          4  O c1  wanted by DefaultMoves
          5  X a3  X's choice
          6  O b3  wanted by PreventThirdX(a3,b3,c3);
                   PreventThirdX(a1,a2,a3) wanted O a2
          7  X a2  X's choice
          8  XWin  wanted by DetectXWin(a1,a2,a3)"#]],
    );
}

#[test]
fn without_prevent_yet_another_x_fork_x_wins() {
    check_without(
        "PreventYetAnotherXFork",
        &expect![[r#"
        X never wins: violated: X has won
          1  X c2  X's choice
          2  O b2  wanted by DefaultMoves
          3  X b3  X's choice
          4  O a1  wanted by DefaultMoves
          5  X c3  X's choice
          6  O a3  wanted by PreventThirdX(a3,b3,c3);
                   PreventThirdX(c1,c2,c3) wanted O c1
          7  X c1  X's choice
          8  XWin  wanted by DetectXWin(c1,c2,c3)"#]],
    );
}

#[test]
fn without_default_moves_o_gets_stuck() {
    check_without(
        "DefaultMoves",
        &expect![[r#"
            Every game ends with exactly one result: violated:
              the program ends while ExactlyOneResult is hot (in 9 states)
              1  X a1  X's choice"#]],
    );
}

#[test]
fn one_b_thread_of_a_family_can_be_removed() {
    check_without(
        "PreventThirdX(a1,b1,c1)",
        &expect![[r#"
        X never wins: violated: X has won
          1  X a1  X's choice
          2  O b2  wanted by DefaultMoves
          3  X c1  X's choice
          4  O a3  wanted by DefaultMoves
          5  X b1  X's choice
          6  XWin  wanted by DetectXWin(a1,b1,c1)"#]],
    );
}

#[test]
fn with_any_b_thread_removed_there_is_an_answer() {
    for thread in BThreads::o_against_any_x().all() {
        let name = thread.name().as_str();
        let answer = verify(&["--without", name]);
        assert!([0, 1].contains(&answer.code), "{name}: {answer:?}");
        assert!(answer.out.contains(&format!("without {name}\n")) && answer.err.is_empty());
    }
}

#[test]
fn a_violated_requirement_hides_no_violation_of_the_other() {
    for taken in STRATEGIES.iter().chain(&["EndOfGame", "EnforceTurns", "DetectXWin", "DetectDraw"])
    {
        for first in ["EndOfGame", "PreventThirdX"] {
            let without = ["--all", "--without", first, "--without", taken];
            let second_holds = |more: &[&str]| {
                let (_, text) = verified(&[&without, more].concat());
                text.contains("Every game ends with exactly one result: holds\n")
            };
            let alone = second_holds(&["--without", "XNeverWins"]);
            assert_eq!(second_holds(&[]), alone, "without {first} and {taken}");
        }
    }
}

#[test]
fn a_b_thread_that_is_removed_twice_is_listed_once() {
    let twice = verified(&["--without", "AnyX", "--without", "AnyX"]);
    assert_eq!(twice, verified(&["--without", "AnyX"]));
}

#[test]
fn no_line_is_wider_than_a_terminal() {
    for strategy in STRATEGIES {
        let (_, text) = verified(&["--all", "--without", strategy]);
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{text}");
    }
}

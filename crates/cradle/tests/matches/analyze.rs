//! What `cradle analyze` answers.

use expect_test::{Expect, expect};

use crate::command::{complaint, printed};

fn check(arguments: &[&str], expected: &Expect) {
    let all = [&["analyze"], arguments].concat();
    expected.assert_eq(&printed(&all));
}

#[test]
fn every_move_of_a_small_game_has_its_value_and_distance() {
    check(
        &["tic-tac-toe", "a1", "b1"],
        &expect![[r#"
          a b c
        1 X O .
        2 . . .
        3 . . .

        X to move: a win in 5 plies (exact, by every position)
        best line: a2 a3 b2 c1 c2

          a2    a win in 5 plies
          b2    a win in 5 plies
          a3    a win in 5 plies
          c1    a draw
          c2    a draw
          b3    a draw
          c3    a draw
    "#]],
    );
}

#[test]
fn digits_are_a_position_of_connect_four_and_scores_are_those_of_pascal_pons() {
    check(
        &["connect-four", "444444333333111111777777"],
        &expect![[r#"
              a b c d e f g
            1 O . O O . . O
            2 X . X X . . X
            3 O . O O . . O
            4 X . X X . . X
            5 O . O O . . O
            6 X . X X . . X

            X to move: a win in 1 ply (exact, by connect-four solver)
            best line: b

              b     a win in 1 ply      score +9
              e     a win in 3 plies    score +8
              f     a win in 3 plies    score +8
        "#]],
    );
}

/// Seven plies of a best line after 44455, which is lost with a score of -3 after 32 plies: it takes seconds
/// to solve, and this position does not.
#[test]
fn a_position_on_the_best_line_of_44455_has_the_opposite_score() {
    check(
        &["connect-four", "444554522622"],
        &expect![[r#"
              a b c d e f g
            1 . . . . . . .
            2 . . . . . . .
            3 . O . O . . .
            4 . X . X X . .
            5 . X . O X . .
            6 . O . X O O .

            X to move: a win in 25 plies (exact, by connect-four solver)
            best line: a a b b c d d e e e f f f f f g g g g g g a a a c

              a     a win in 25 plies   score +3
              b     a win in 25 plies   score +3
              c     a win in 25 plies   score +3
              d     a win in 25 plies   score +3
              e     a win in 25 plies   score +3
              f     a win in 25 plies   score +3
              g     a win in 25 plies   score +3
        "#]],
    );
}

#[test]
fn a_value_that_is_not_known_is_marked_as_an_estimate() {
    let words = ["--positions", "1000", "--simulations", "50"];
    let all: Vec<&str> = ["analyze", "connect-four"].into_iter().chain(words).collect();
    let out = printed(&all);
    assert!(out.contains("(estimate, by mcts:50)"), "{out}");
    assert!(out.contains("about "), "{out}");
}

#[test]
fn draws_of_chance_are_part_of_a_position() {
    let out = printed(&["analyze", "pig:20", "roll", "6", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(found["seat"], "A");
    assert_eq!(found["value"]["exact"], true);
    let moves = found["moves"].as_array().expect("it is a list");
    assert_eq!(moves.len(), 2);
    assert_eq!(moves[0]["move"], "roll");
}

#[test]
fn hidden_cards_are_answered_with_a_strategy() {
    let out = printed(&["analyze", "kuhn-poker", "KQ"]);
    assert!(out.contains("First to move"), "{out}");
    assert!(out.contains("played "), "{out}");
}

#[test]
fn moves_that_lead_nowhere_are_refused_with_the_word() {
    let refused = |arguments: &[&str]| {
        let all = [&["analyze"], arguments].concat();
        let (code, words) = complaint(&all);
        assert_eq!(code, 2);
        words
    };
    assert_eq!(
        refused(&["tic-tac-toe", "a1", "a1"]),
        "word 2 of the moves, \"a1\", leads nowhere: That cell is already marked: SquareTaken(a1)"
    );
    assert_eq!(
        refused(&["connect-four", "448"]),
        "word 1 of the moves, \"448\", leads nowhere: \"8\" is not a column: write a to g or 1 to 7"
    );
    assert_eq!(
        refused(&["pig", "roll"]),
        "chance draws in this position: add what it draws to the moves"
    );
    assert_eq!(
        refused(&["tic-tac-toe", "abc"]).split(':').next(),
        Some("word 1 of the moves, \"abc\", leads nowhere")
    );
}

//! The b-threads that are awake after some moves of tic-tac-toe.

use expect_test::{Expect, expect};
use game::{AnyGame, Game, Ply, Seat};
use games::catalog;

fn history(moves: &str) -> Vec<Ply<game::MoveText, game::MoveText>> {
    let seats = [Seat::FIRST, Seat::SECOND].into_iter().cycle();
    let moves = moves.split_whitespace().zip(seats);
    let moves = moves.map(|(text, seat)| {
        Ply::Moves(vec![(seat, text.parse().expect("every text is a move text"))])
    });
    moves.collect()
}

fn game() -> AnyGame {
    catalog::game("tic-tac-toe").expect("the game is in the catalog")
}

/// Checks the sync points of the awake b-threads that request or block something.
fn check(moves: &str, strategies_of: Option<Seat>, expected: &Expect) {
    let awake = game().awake(&history(moves), strategies_of);
    let awake = awake.iter().filter(|each| !each.requests.is_empty() || !each.blocks.is_empty());
    let lines = awake.map(|each| {
        let kind = if each.is_strategy { "strategy" } else { "rule" };
        let (thread, requests) = (&each.thread, each.requests.join(", "));
        let (waits, blocks) = (each.waits.join(", "), each.blocks.join(", "));
        format!("{kind} {thread}: requests [{requests}] waits [{waits}] blocks [{blocks}]\n")
    });
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn awake_rules_block_moves_out_of_turn_and_taken_squares() {
    check(
        "a1",
        None,
        &expect![[r#"
        rule EnforceTurns: requests [] waits [all O marks] blocks [all X marks]
        rule SquareTaken(a1): requests [] waits [] blocks [marks on a1]
    "#]],
    );
}

#[test]
fn awake_strategies_show_what_they_request() {
    check(
        "a1 b2 b1",
        Some(Seat::SECOND),
        &expect![[r#"
        rule EnforceTurns: requests [] waits [all O marks] blocks [all X marks]
        rule SquareTaken(a1): requests [] waits [] blocks [marks on a1]
        rule SquareTaken(b1): requests [] waits [] blocks [marks on b1]
        rule SquareTaken(b2): requests [] waits [] blocks [marks on b2]
        strategy PreventThirdX(a1,b1,c1): requests [O a1, O b1, O c1] waits [all results] blocks []
        strategy DefaultMoves: requests [O b2, O a1, O c1, O a3, O c3, O b1, O a2, O c2, O b3] waits [] blocks []
    "#]],
    );
}

#[test]
fn a_game_without_b_threads_has_none_awake() {
    let pig = catalog::game("pig").expect("the game is in the catalog");
    assert_eq!(pig.awake(&[], Some(Seat::FIRST)), []);
}

#[test]
fn an_impossible_history_wakes_no_b_thread() {
    assert_eq!(game().awake(&history("a1 a1"), None), []);
    assert!(!game().awake(&[], None).is_empty());
}

#[test]
fn every_strategy_says_what_it_achieves() {
    for name in ["tic-tac-toe", "mnk:5,4,3"] {
        let game = catalog::game(name).expect("the game is in the catalog");
        for seat in [Seat::FIRST, Seat::SECOND] {
            let awake = game.awake(&[], Some(seat));
            let strategies: Vec<_> = awake.iter().filter(|each| each.is_strategy).collect();
            assert!(!strategies.is_empty(), "{name} has strategies");
            for strategy in strategies {
                let purpose = game.purpose(&strategy.thread);
                let is_sentence =
                    |text: String| text.starts_with(['I', 'N']) && text.ends_with('.');
                assert!(purpose.is_some_and(is_sentence), "{name}: {}", strategy.thread);
            }
        }
    }
    let purpose = |thread: &str| game().purpose(thread);
    let fork = "It prevented a fork: two threats of X at once.";
    assert_eq!(purpose("PreventXFork(a1,c2)").as_deref(), Some(fork));
    assert_eq!(purpose("EnforceTurns"), None, "a rule is no strategy");
    assert_eq!(catalog::game("connect-four").unwrap().purpose("DefaultMoves"), None);
}

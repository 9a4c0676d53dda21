//! Which b-threads are awake after some moves of tic-tac-toe.

use expect_test::{Expect, expect};
use game::{AnyGame, Game, Ply, Seat};
use games::catalog;

fn history(moves: &str) -> Vec<Ply<game::MoveText, game::MoveText>> {
    let seats = [Seat::FIRST, Seat::SECOND].into_iter().cycle();
    let moves = moves.split_whitespace().zip(seats);
    let moves = moves.map(|(text, seat)| Ply::Moves(vec![(seat, text.parse().expect("a text"))]));
    moves.collect()
}

fn game() -> AnyGame {
    catalog::game("tic-tac-toe").expect("it is in the catalog")
}

/// What the b-threads say that request or block something.
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
fn the_rules_say_whose_turn_it_is_and_what_is_taken() {
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
fn strategies_say_what_they_want_before_it_happens() {
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
fn games_without_b_threads_have_none_awake() {
    let pig = catalog::game("pig").expect("it is in the catalog");
    assert_eq!(pig.awake(&[], Some(Seat::FIRST)), []);
}

#[test]
fn what_cannot_have_happened_wakes_nobody() {
    assert_eq!(game().awake(&history("a1 a1"), None), []);
    assert!(!game().awake(&[], None).is_empty());
}

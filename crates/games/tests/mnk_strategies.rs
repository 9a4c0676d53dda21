//! The strategies of m,n,k.

use game::{AnyGame, Game, Match, OnIllegalMove, PlayerKind, Seat};
use games::catalog;

/// The move that the strategies choose after these moves, and their explanation.
fn follow(name: &str, moves: &str) -> (String, String) {
    let game = catalog::game(name).expect("the game is in the catalog");
    let mut played = Match::new(game.clone(), OnIllegalMove::AskAgain);
    for text in moves.split_whitespace() {
        let seat = in_turn(&game, &played);
        played
            .choose(seat, game.read_move(text).expect("the text is a move"))
            .expect("the move is legal");
    }
    let seat = in_turn(&game, &played);
    let mut player = game.strategies(seat).expect("the game has strategies");
    let choice = player.choose(&played.player_view(seat)).expect("a strategy requests a move");
    (
        choice.chosen.to_string(),
        choice.explanation.expect("strategies explain their moves").sentence,
    )
}

fn in_turn(game: &AnyGame, played: &Match<AnyGame>) -> Seat {
    game.turn(played.position()).seats().iter().next().expect("the game is not over")
}

#[track_caller]
fn check(name: &str, moves: &str, chosen: &str, why: &str) {
    let (actual, sentence) = follow(name, moves);
    assert_eq!(actual, chosen, "{sentence}");
    assert!(sentence.starts_with(why), "{sentence}");
}

#[test]
fn strategies_open_in_the_middle() {
    check("mnk:15,15,5", "", "h8", "DefaultMoves wanted X h8");
    check("mnk:6,5,4", "", "c3", "DefaultMoves wanted X c3");
}

#[test]
fn strategies_complete_their_own_line() {
    check("mnk:6,5,4", "a1 a5 b1 b5 c1 c5", "d1", "ExtendLine(a1-d1,3) wanted X d1");
    check("mnk:6,5,4", "a1 a5 b1 b5 f3 c5 f1", "d5", "ExtendLine(a5-d5,3) wanted O d5");
}

#[test]
fn strategies_stop_a_line_of_the_opponent() {
    check("mnk:6,5,4", "a1 f5 b1 f3 c1", "d1", "StopLine(a1-d1,3) wanted O d1");
    check("mnk:15,15,5", "f8 a1 g8 c3 h8", "e8", "StopLine(d8-h8,3) wanted O");
}

#[test]
fn strategies_ignore_a_line_with_marks_of_both_players() {
    let (_, why) = follow("mnk:6,5,4", "a1 d1 b1 f5 c1");
    assert!(!why.contains("a1-d1"), "{why}");
}

#[test]
fn strategies_beat_random_moves() {
    for (name, seats) in [("mnk:6,5,4", [0, 1]), ("mnk:9,9,5", [0, 1])] {
        let game = catalog::game(name).expect("the game is in the catalog");
        for seed in 0..10 {
            let bthreads = Seat::new(seats[seed % 2]).expect("the game has two seats");
            let player = |seat| {
                let name = if seat == bthreads { PlayerKind::BThreads } else { PlayerKind::Random };
                game.player(&name, seat, seed as u64).expect("both kinds can play the game")
            };
            let mut players = [Seat::FIRST, Seat::SECOND].map(player);
            let mut played = Match::new(game.clone(), OnIllegalMove::Loses);
            let outcome = played.run(&mut players, 0, |_, _| ()).expect("the match ends");
            assert_eq!(outcome.winner(), Some(bthreads), "{name}, seed {seed}");
        }
    }
}

#[test]
fn the_variants_have_no_strategies() {
    for name in ["misere", "wild", "notakto"] {
        let game = catalog::game(name).expect("the game is in the catalog");
        assert!(game.strategies(Seat::FIRST).is_none(), "{name}");
    }
}

//! What games do faster than by default must be the same.

use game::{AnyGame, EndingMoves, Game, Generator, Outcome, Turn};
use games::connect_four::ConnectFour;
use games::mnk::{Mnk, Variant};
use games::pig::Pig;
use games::tic_tac_toe;
use games::ultimate::Ultimate;

const FINE: &str = "nothing is wrong with these games";

/// Plays ply by ply, at most this many.
fn by_plies<G: Game>(
    game: &G,
    position: &mut G::Position,
    generator: &mut Generator,
    most: u32,
) -> Option<Outcome> {
    for _ in 0..most {
        if game.turn(position).outcome().is_some() {
            break;
        }
        game.play_at_random(position, generator).expect(FINE);
    }
    game.turn(position).outcome()
}

/// The ending moves, found by trying all moves.
fn ends_by_trying<G: Game>(game: &G, position: &G::Position) -> Vec<(usize, Outcome)> {
    let Turn::One(seat) = game.turn(position) else { return Vec::new() };
    let moves = game.legal_moves(position, seat).enumerate();
    let ends = moves.filter_map(|(place, chosen)| {
        let next = game.play(position, seat, chosen).expect(FINE);
        Some((place, game.turn(&next).outcome()?))
    });
    ends.collect()
}

fn check<G: Game>(game: &G, games: u64) {
    let mut found = EndingMoves::default();
    let mut ends = 0;
    for seed in 0..games {
        for most in [u32::MAX, 5] {
            let (mut once, mut stepwise) = (game.start(), game.start());
            let (mut generator, mut other) = (Generator::seeded(seed), Generator::seeded(seed));
            let outcome = game.play_out(&mut once, &mut generator, most).expect(FINE);
            assert_eq!(outcome, by_plies(game, &mut stepwise, &mut other, most));
            assert_eq!((&once, generator), (&stepwise, other), "{} with seed {seed}", game.name());
        }
        let (mut position, mut generator) = (game.start(), Generator::seeded(seed));
        while game.turn(&position).outcome().is_none() {
            if let Turn::One(seat) = game.turn(&position) {
                found.clear();
                game.find_ending_moves(&position, seat, &mut found);
                assert_eq!(found.ends(), ends_by_trying(game, &position), "{position:?}");
                ends += found.ends().len();
            }
            game.play_at_random(&mut position, &mut generator).expect(FINE);
        }
    }
    assert!(ends > 0, "{}: no position had a move that ends the game", game.name());
}

#[test]
fn a_game_that_is_played_out_at_once_is_the_one_that_is_played_ply_by_ply() {
    check(&tic_tac_toe::game(), 300);
    check(&Mnk::new("4,4,3".parse().expect(FINE), Variant::Usual).game(), 50);
    check(&Mnk::new("3,3,3".parse().expect(FINE), Variant::Notakto).game(), 100);
    check(&ConnectFour, 300);
    check(&Ultimate, 60);
    check(&Pig::default(), 5);
    check(&AnyGame::new(tic_tac_toe::game()), 50);
}

#[test]
fn a_last_stone_that_wins_nothing_ends_connect_four_in_a_draw() {
    let mut generator = Generator::seeded(1);
    let drawn = (0..5_000).find_map(|_| {
        let (mut position, mut before) = (ConnectFour.start(), None);
        while let Turn::One(seat) = ConnectFour.turn(&position) {
            before = Some((position, seat));
            ConnectFour.play_at_random(&mut position, &mut generator).expect(FINE);
        }
        before.filter(|_| ConnectFour.turn(&position).outcome().is_some_and(|end| end.is_draw()))
    });
    let (position, seat) = drawn.expect("one game of 400 is drawn");
    let mut found = EndingMoves::default();
    ConnectFour.find_ending_moves(&position, seat, &mut found);
    assert_eq!(found.ends(), [(0, Outcome::draw())]);
}

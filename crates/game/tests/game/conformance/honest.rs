//! Games that keep all promises.

use game::conformance::{ConformanceCounts, Effort, conform};
use game::{AnyGame, Game, Outcome};

use super::twin::{Fault, FaultyGame};
use crate::little_games::duel::Duel;
use crate::little_games::high_card::{Deal, HighCard};
use crate::little_games::stroll::Stroll;
use crate::little_games::subtraction::Subtraction;

const HIDDEN_CARDS: HighCard = HighCard(Deal::Hidden);

fn check(game: &impl Game) -> ConformanceCounts {
    conform(game, Effort::default()).expect("an honest game conforms")
}

#[test]
fn a_game_with_alternating_turns_conforms() {
    let counts = check(&Subtraction { stones: 21 });
    assert_eq!(counts.games, 100);
    assert!(counts.illegal_moves > 1_000, "{counts:?}");
    assert!(counts.unreadable_texts > 20, "{counts:?}");
    assert!(counts.transpositions > 500, "{counts:?}");
    assert_eq!(counts.boards, 3 * counts.positions);
    assert_eq!((counts.chances, counts.at_once, counts.hidden), (0, 0, 0));
}

#[test]
fn a_game_with_chance_and_hidden_cards_conforms() {
    let counts = check(&HIDDEN_CARDS);
    assert_eq!(counts.chances, 200);
    assert!(counts.impossible_draws > 200, "{counts:?}");
    assert!(counts.hidden > 100, "{counts:?}");
    assert_eq!((counts.at_once, counts.boards), (0, 0));
}

#[test]
fn a_game_with_chance_and_open_cards_conforms() {
    let counts = check(&HighCard(Deal::Open));
    assert_eq!((counts.chances, counts.hidden), (200, 0));
}

#[test]
fn a_game_with_simultaneous_moves_conforms() {
    let counts = check(&Duel);
    assert_eq!(counts.at_once, 300);
    // Before the end: no moves, one of the two missing, or one of them twice. After it: no moves.
    assert_eq!(counts.incomplete_moves, 300 * 5 + 100);
    assert_eq!(counts.hidden, 0);
}

#[test]
fn a_game_with_one_seat_conforms() {
    let end = Some((5, Outcome::scored(&[7])));
    let counts = check(&Stroll { seats: &["Ann"], end });
    assert_eq!(counts.positions, 600);
}

#[test]
fn a_game_that_is_over_at_the_start_conforms() {
    let counts = check(&Subtraction { stones: 0 });
    assert_eq!((counts.positions, counts.legal_moves), (100, 0));
}

#[test]
fn every_game_conforms_as_any_game() {
    assert_eq!(
        check(&AnyGame::new(Subtraction { stones: 21 })),
        check(&Subtraction { stones: 21 })
    );
    assert_eq!(check(&AnyGame::new(HIDDEN_CARDS)), check(&HIDDEN_CARDS));
    assert_eq!(check(&AnyGame::new(Duel)), check(&Duel));
}

#[test]
fn a_faulty_game_without_a_fault_conforms() {
    assert_eq!(check(&FaultyGame::new(HIDDEN_CARDS, Fault::Nothing)), check(&HIDDEN_CARDS));
    assert_eq!(check(&FaultyGame::new(Duel, Fault::Nothing)), check(&Duel));
}

#[test]
fn every_run_plays_the_same_games() {
    let check = |games| conform(&HIDDEN_CARDS, Effort { games, ..Effort::default() }).unwrap();
    assert_eq!(check(50), check(50));
    assert_ne!(check(50), check(51));
}

#[test]
fn with_little_memory_fewer_things_are_checked() {
    let effort = Effort { texts: 1, positions: 2, ..Effort::default() };
    let little = conform(&Subtraction { stones: 21 }, effort).unwrap();
    let usual = check(&Subtraction { stones: 21 });
    assert!(little.illegal_moves < usual.illegal_moves);
    assert!(little.transpositions < usual.transpositions);
}

//! Games that keep all promises.

use game::conformance::{ConformanceCounts, Effort, conform};
use game::{AnyGame, Game, Outcome};

use super::twin::{Fault, Twin};
use crate::little_games::duel::Duel;
use crate::little_games::high_card::{Deal, HighCard};
use crate::little_games::stroll::Stroll;
use crate::little_games::subtraction::Subtraction;

const SECRETS: HighCard = HighCard(Deal::Hidden);

fn check(game: &impl Game) -> ConformanceCounts {
    conform(game, Effort::default()).expect("an honest game conforms")
}

#[test]
fn a_game_of_turns_conforms() {
    let coverage = check(&Subtraction { stones: 21 });
    assert_eq!(coverage.games, 100);
    assert!(coverage.illegal_moves > 1_000, "{coverage:?}");
    assert!(coverage.unreadable_texts > 20, "{coverage:?}");
    assert!(coverage.transpositions > 500, "{coverage:?}");
    assert_eq!(coverage.boards, 3 * coverage.positions);
    assert_eq!((coverage.chances, coverage.at_once, coverage.hidden), (0, 0, 0));
}

#[test]
fn a_game_of_chance_and_secrets_conforms() {
    let coverage = check(&SECRETS);
    assert_eq!(coverage.chances, 200);
    assert!(coverage.impossible_draws > 200, "{coverage:?}");
    assert!(coverage.hidden > 100, "{coverage:?}");
    assert_eq!((coverage.at_once, coverage.boards), (0, 0));
}

#[test]
fn a_game_of_chance_without_secrets_conforms() {
    let coverage = check(&HighCard(Deal::Open));
    assert_eq!((coverage.chances, coverage.hidden), (200, 0));
}

#[test]
fn a_game_of_choosing_at_once_conforms() {
    let coverage = check(&Duel);
    assert_eq!(coverage.at_once, 300);
    // Nothing, each of two twice and each of two missing; only nothing after the end.
    assert_eq!(coverage.incomplete_moves, 300 * 5 + 100);
    assert_eq!(coverage.hidden, 0);
}

#[test]
fn a_game_of_one_seat_conforms() {
    let end = Some((5, Outcome::scored(&[7])));
    let coverage = check(&Stroll { seats: &["Ann"], end });
    assert_eq!(coverage.positions, 600);
}

#[test]
fn a_game_that_is_over_at_once_conforms() {
    let coverage = check(&Subtraction { stones: 0 });
    assert_eq!((coverage.positions, coverage.legal_moves), (100, 0));
}

#[test]
fn every_game_conforms_in_the_form_that_speaks_text() {
    assert_eq!(
        check(&AnyGame::new(Subtraction { stones: 21 })),
        check(&Subtraction { stones: 21 })
    );
    assert_eq!(check(&AnyGame::new(SECRETS)), check(&SECRETS));
    assert_eq!(check(&AnyGame::new(Duel)), check(&Duel));
}

#[test]
fn twins_without_a_fault_conform() {
    assert_eq!(check(&Twin::new(SECRETS, Fault::Nothing)), check(&SECRETS));
    assert_eq!(check(&Twin::new(Duel, Fault::Nothing)), check(&Duel));
}

#[test]
fn every_run_plays_the_same_games() {
    let check = |games| conform(&SECRETS, Effort { games, ..Effort::default() }).unwrap();
    assert_eq!(check(50), check(50));
    assert_ne!(check(50), check(51));
}

#[test]
fn little_memory_checks_less_but_finds_nothing_wrong() {
    let effort = Effort { texts: 1, positions: 2, ..Effort::default() };
    let little = conform(&Subtraction { stones: 21 }, effort).unwrap();
    let usual = check(&Subtraction { stones: 21 });
    assert!(little.illegal_moves < usual.illegal_moves);
    assert!(little.transpositions < usual.transpositions);
}

//! Every game of the catalog keeps every promise of games.

use game::conformance::{ConformanceCounts, Effort, conform};
use games::catalog;

/// Plays so many random games, and tells what was checked in them.
#[track_caller]
fn check(name: &str, games: u32) -> ConformanceCounts {
    let game = catalog::game(name).expect("it is in the catalog");
    let coverage = conform(&game, Effort { games, ..Effort::default() })
        .expect("every game keeps its promises");
    assert_eq!(coverage.games, u64::from(games));
    assert!(coverage.illegal_moves > 0 && coverage.unreadable_texts > 0, "{coverage:?}");
    coverage
}

#[test]
fn every_game_that_is_listed_conforms() {
    for listed in catalog::CATALOG {
        check(listed.example, 20);
    }
}

#[test]
fn parameters_make_games_that_conform() {
    for name in ["mnk:1,1,1", "mnk:4,2,2", "misere:4,4,3", "wild:2,3,2", "notakto:4,4,3", "pig:10"]
    {
        check(name, 20);
    }
}

#[test]
fn boards_are_looked_at_and_positions_come_again_in_other_ways() {
    for name in ["tic-tac-toe", "misere", "wild", "notakto", "connect-four"] {
        let coverage = check(name, 200);
        assert!(coverage.boards > 0 && coverage.transpositions > 0, "{name}: {coverage:?}");
    }
}

#[test]
fn chance_is_drawn_in_pig_and_impossible_draws_are_tried() {
    let coverage = check("pig", 50);
    assert!(coverage.chances > 0 && coverage.impossible_draws > 0, "{coverage:?}");
}

#[test]
fn seats_choose_at_once_in_odds_and_evens() {
    let coverage = check("odds-and-evens", 50);
    assert!(coverage.at_once > 0 && coverage.incomplete_moves > 0, "{coverage:?}");
}

#[test]
fn cards_are_hidden_in_kuhn_poker() {
    let coverage = check("kuhn-poker", 1_000);
    assert!(coverage.hidden > 0, "{coverage:?}");
}

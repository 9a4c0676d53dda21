//! Every game of the catalog keeps every promise of games.

use game::conformance::{ConformanceCounts, Effort, conform};
use games::catalog;

/// Checks a game in random games, and returns the counts.
#[track_caller]
fn check(name: &str, games: u32) -> ConformanceCounts {
    let game = catalog::game(name).expect("the game is in the catalog");
    let counts = conform(&game, Effort { games, ..Effort::default() })
        .expect("every game keeps its promises");
    assert_eq!(counts.games, u64::from(games));
    assert!(counts.illegal_moves > 0 && counts.unreadable_texts > 0, "{counts:?}");
    counts
}

#[test]
fn every_game_of_the_catalog_conforms() {
    for listed in catalog::CATALOG {
        check(listed.example, 20);
    }
}

#[test]
fn games_with_parameters_conform() {
    for name in ["mnk:1,1,1", "mnk:4,2,2", "misere:4,4,3", "wild:2,3,2", "notakto:4,4,3", "pig:10"]
    {
        check(name, 20);
    }
}

#[test]
fn pig_conforms_with_each_of_its_options() {
    for option in ["hold-at-0", "hold-at-target", "difference", "ludorum", "hold-at-0,ludorum"] {
        check(&format!("pig:15,{option}"), 20);
    }
}

#[test]
fn boards_are_checked_and_transpositions_are_found() {
    for name in ["tic-tac-toe", "misere", "wild", "notakto", "connect-four"] {
        let counts = check(name, 200);
        assert!(counts.boards > 0 && counts.transpositions > 0, "{name}: {counts:?}");
    }
}

#[test]
fn chance_is_drawn_in_pig_and_impossible_draws_are_tried() {
    let counts = check("pig", 50);
    assert!(counts.chances > 0 && counts.impossible_draws > 0, "{counts:?}");
}

#[test]
fn seats_choose_at_once_in_odds_and_evens() {
    let counts = check("odds-and-evens", 50);
    assert!(counts.at_once > 0 && counts.incomplete_moves > 0, "{counts:?}");
}

#[test]
fn cards_are_hidden_in_kuhn_poker() {
    let counts = check("kuhn-poker", 1_000);
    assert!(counts.hidden > 0, "{counts:?}");
}

//! Games, seats and players by name.

use std::str::FromStr;

use anyhow::Result;
use game::{AnyGame, Game, PlayerKind, Seat, UnknownPlayer, all_seats, seat_name};
use games::catalog::{self, CatalogError};

use crate::nearest::UnknownName;
use crate::text_file::{TextFile, is_text};

/// The game with this name, or in the file of this name if it ends in `.cradle`. Its parameters
/// follow a colon.
///
/// # Errors
/// If nothing has this name. The error lists the known names, nearest first.
pub(crate) fn game(words: &str) -> Result<AnyGame> {
    if is_text(words) {
        return Ok(TextFile::build(words, &[])?.any_game()?);
    }
    catalog::game(words).map_err(|error| match error {
        CatalogError::UnknownGame { name } => {
            UnknownName::new("game", &name, catalog::names().to_vec()).into()
        }
        other => other.into(),
    })
}

/// The player with this name.
///
/// # Errors
/// If nothing has this name. The error lists the known names, nearest first.
pub(crate) fn player(words: &str) -> Result<PlayerKind> {
    player_or(words, &[])
}

/// The player with this name. The error also lists these other names.
///
/// # Errors
/// If nothing has this name. The error lists the known names, nearest first.
pub(crate) fn player_or(words: &str, others: &[&'static str]) -> Result<PlayerKind> {
    let known = || others.iter().copied().chain(PlayerKind::KNOWN).collect();
    PlayerKind::from_str(words).map_err(|error| match error {
        UnknownPlayer::Name { name } => UnknownName::new("player", &name, known()).into(),
        other => other.into(),
    })
}

/// The seat with this name, or with this number counted from 1.
///
/// # Errors
/// If nothing has this name. The error lists the known names, nearest first.
pub(crate) fn seat(game: &AnyGame, words: &str) -> Result<Seat> {
    let is_it = |seat: &Seat| {
        let is_its_name = seat_name(game, *seat).eq_ignore_ascii_case(words);
        is_its_name || (seat.index() + 1).to_string() == words
    };
    let unknown = || UnknownName::new("seat", words, game.seats()).into();
    all_seats(game).iter().find(is_it).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused<T: std::fmt::Debug>(result: Result<T>, expected: &str) {
        assert_eq!(result.unwrap_err().to_string(), expected);
    }

    #[test]
    fn a_game_has_its_parameters_after_a_colon() {
        assert_eq!(game("mnk:6,5,4").unwrap().name(), "mnk:6,5,4");
        let expected = "no game is called \"pgi\"; known, nearest first: pig, ";
        assert!(game("pgi:50").unwrap_err().to_string().starts_with(expected));
        let expected = "\"ten\" does not fit pig: write one number of points";
        assert!(game("pig:ten").unwrap_err().to_string().starts_with(expected));
    }

    #[test]
    fn a_seat_has_a_name_and_a_number_counted_from_one() {
        let game = game("tic-tac-toe").unwrap();
        for (words, expected) in [("X", 0), ("x", 0), ("1", 0), ("o", 1), ("2", 1)] {
            assert_eq!(seat(&game, words).unwrap().index(), expected, "{words}");
        }
        refused(seat(&game, "3"), "no seat is called \"3\"; known, nearest first: X, O");
        refused(seat(&game, "0"), "no seat is called \"0\"; known, nearest first: X, O");
    }

    #[test]
    fn a_player_has_a_name() {
        assert_eq!(player("perfect").unwrap(), PlayerKind::Perfect);
        refused(
            player("perfekt"),
            "no player is called \"perfekt\"; known, nearest first: perfect, heuristic, \
             alphabeta:DEPTH, cfr:ITERATIONS, scripted:MOVE/MOVE, expectiminimax:DEPTH, easy, fair, \
             hard, random, mcts:SIMULATIONS, bthreads",
        );
        refused(
            player("mcts"),
            "\"mcts\" is no player: write mcts: and a number from 1 to 1000000, as in mcts:1000",
        );
        let error = player_or("humn", &["human"]).unwrap_err().to_string();
        assert!(error.contains("known, nearest first: human, "), "{error}");
    }
}

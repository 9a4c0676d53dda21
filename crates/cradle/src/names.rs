//! Games, seats and players by name.

use std::str::FromStr;

use anyhow::Result;
use game::{AnyGame, Game, PlayerKind, Seat, UnknownPlayer, all_seats, seat_name};
use games::catalog::{self, CatalogError};
use serde::{Deserialize, Serialize};
use server::RulesDigest;

use crate::nearest::UnknownName;
use crate::text_file::{TextFile, is_text};

/// A game, and the file of its rules if it is not in the catalog.
#[derive(Clone, Debug)]
pub(crate) struct NamedGame {
    pub(crate) game: AnyGame,
    pub(crate) rules: Option<RulesFile>,
}

/// A file with the rules of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RulesFile {
    /// Its name, with parameters, as somebody wrote it: `nim.cradle:most=4`.
    pub(crate) file: String,
    /// The digest of the text in it.
    pub(crate) digest: String,
}

/// The game with this name, or in the file of this name if it ends in `.cradle`. Its parameters
/// follow a colon.
///
/// # Errors
/// If nothing has this name. The error lists the known names, nearest first.
pub(crate) fn game(words: &str) -> Result<AnyGame> {
    Ok(named_game(words)?.game)
}

/// As [`game()`], with the file of the rules.
///
/// # Errors
/// As [`game()`].
pub(crate) fn named_game(words: &str) -> Result<NamedGame> {
    if is_text(words) {
        let (file, built) = TextFile::read_and_build(words, &[])?;
        let digest = RulesDigest::of(file.document.text()).to_string();
        let rules = Some(RulesFile { file: words.to_owned(), digest });
        return Ok(NamedGame { game: built.any_game()?, rules });
    }
    let game = catalog::game(words).map_err(|error| match error {
        CatalogError::UnknownGame { name } => {
            UnknownName::new("game", &name, catalog::names().to_vec()).into()
        }
        other => anyhow::Error::from(other),
    })?;
    Ok(NamedGame { game, rules: None })
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

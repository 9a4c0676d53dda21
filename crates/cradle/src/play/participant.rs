//! The participants: people and computer players.

use anyhow::{Result, ensure};
use game::{AnyGame, Game, Player, PlayerKind, Seat, SkillLevel, all_seats};

use crate::names;

/// The opponent of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Opponent {
    /// Another person, on the same screen.
    Human,
    /// A computer player.
    Computer(PlayerKind),
}

/// The participant in one seat.
#[derive(Debug)]
pub(super) enum Participant {
    /// A person.
    Person,
    /// A computer player and its kind.
    Computer(PlayerKind, Box<dyn Player<AnyGame>>),
}

/// The name of a human opponent on the command line.
const HUMAN: &str = "human";

/// The computer players that need no script, strongest first.
const STRONGEST_FIRST: [PlayerKind; 4] = [
    PlayerKind::BThreads,
    PlayerKind::Perfect,
    PlayerKind::Level(SkillLevel::Hard),
    PlayerKind::Random,
];

/// The largest board on which `perfect` is the default opponent. It visits every position, which
/// takes too long on a larger one.
const MOST_CELLS_TO_SOLVE: usize = 9;

impl Opponent {
    /// The opponent with this name.
    ///
    /// # Errors
    /// If nobody has this name. The error lists the known names, nearest first.
    pub(super) fn named(words: &str) -> Result<Self> {
        if words == HUMAN {
            return Ok(Self::Human);
        }
        names::player_or(words, &[HUMAN]).map(Self::Computer)
    }

    /// The strongest computer player that can play in every seat but this one.
    pub(super) fn strongest(game: &AnyGame, seat: Seat) -> Self {
        let plays = |kind: &PlayerKind| {
            let mut others = all_seats(game).iter().filter(|other| *other != seat);
            is_quick(game, kind) && others.all(|other| game.player(kind, other, 0).is_ok())
        };
        Self::Computer(STRONGEST_FIRST.into_iter().find(plays).unwrap_or(PlayerKind::Random))
    }

    /// The participants in all seats: a person in the given seat, the opponent in the others.
    /// `next_seed` seeds each computer player.
    ///
    /// # Errors
    /// If the opponent cannot play this game.
    pub(super) fn participants(
        &self,
        game: &AnyGame,
        seat: Seat,
        mut next_seed: impl FnMut() -> u64,
    ) -> Result<Vec<Participant>> {
        ensure!(
            *self != Self::Human || !game.hides(),
            "{} hides cards or moves, and two people at one screen would see all of them: play it \
             against hard",
            game.name()
        );
        let mut participant = |each: Seat| match self {
            Self::Computer(kind) if each != seat => {
                Ok(Participant::Computer(kind.clone(), game.player(kind, each, next_seed())?))
            }
            Self::Computer(_) | Self::Human => Ok(Participant::Person),
        };
        all_seats(game).iter().map(&mut participant).collect()
    }
}

/// Whether the player is ready without a noticeable wait.
fn is_quick(game: &AnyGame, kind: &PlayerKind) -> bool {
    let picture = game.picture(&game.start(), game::Viewer::Spectator);
    let cells = picture.board.map_or(0, |board| board.cells.len());
    *kind != PlayerKind::Perfect || cells <= MOST_CELLS_TO_SOLVE
}

impl std::fmt::Display for Opponent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Human => f.write_str(HUMAN),
            Self::Computer(kind) => kind.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn strongest(game: &str, seat: Seat, expected: &str) {
        let game = names::game(game).unwrap();
        assert_eq!(Opponent::strongest(&game, seat).to_string(), expected);
    }

    #[test]
    fn the_strongest_opponent_is_the_first_that_can_play() {
        strongest("tic-tac-toe", Seat::FIRST, "bthreads");
        strongest("tic-tac-toe", Seat::SECOND, "bthreads");
        strongest("wild", Seat::FIRST, "perfect");
        strongest("pig", Seat::FIRST, "perfect");
        strongest("kuhn-poker", Seat::SECOND, "hard");
    }

    #[test]
    fn perfect_is_not_the_default_on_a_large_board() {
        strongest("misere:5,5,4", Seat::FIRST, "hard");
        strongest("connect-four", Seat::FIRST, "hard");
    }

    fn participants(game: &str, opponent: &str) -> Result<Vec<&'static str>> {
        let game = names::game(game).unwrap();
        let participants = Opponent::named(opponent)?.participants(&game, Seat::SECOND, || 0)?;
        let kind = |participant: Participant| match participant {
            Participant::Person => "person",
            Participant::Computer(..) => "computer",
        };
        Ok(participants.into_iter().map(kind).collect())
    }

    #[test]
    fn a_person_takes_one_seat_and_the_opponent_the_other() {
        assert_eq!(participants("tic-tac-toe", "perfect").unwrap(), ["computer", "person"]);
        assert_eq!(participants("tic-tac-toe", "human").unwrap(), ["person", "person"]);
        assert_eq!(participants("kuhn-poker", "random").unwrap(), ["computer", "person"]);
    }

    #[track_caller]
    fn refused(game: &str, opponent: &str, expected: &str) {
        assert_eq!(participants(game, opponent).unwrap_err().to_string(), expected);
    }

    #[test]
    fn an_opponent_that_cannot_play_is_refused_with_the_reason() {
        refused(
            "pig:difference",
            "perfect",
            "perfect cannot play A in pig:difference: chance decides there",
        );
        refused(
            "kuhn-poker",
            "human",
            "kuhn-poker hides cards or moves, and two people at one screen would see all of \
             them: play it against hard",
        );
        refused(
            "pig",
            "humn",
            "no player is called \"humn\"; known, nearest first: human, heuristic, \
             expectiminimax:DEPTH, hard, random, bthreads, alphabeta:DEPTH, scripted:MOVE/MOVE, \
             mcts:SIMULATIONS, perfect, cfr:ITERATIONS, easy, fair",
        );
    }
}

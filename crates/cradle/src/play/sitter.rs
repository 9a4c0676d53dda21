//! Who sits at a game: people, and computer players.

use anyhow::{Result, ensure};
use game::{AnyGame, Game, Player, PlayerKind, Seat, all_seats};

use crate::names;

/// Whom a person plays against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Opponent {
    /// Another person, on the same screen.
    Human,
    /// A computer player.
    Computer(PlayerKind),
}

/// Who sits in one seat.
#[derive(Debug)]
pub(super) enum Sitter {
    /// A person.
    Person,
    /// A computer player, and what it is called.
    Computer(PlayerKind, Box<dyn Player<AnyGame>>),
}

/// What another person is called.
const HUMAN: &str = "human";

/// The computer players that need not be told what to do, the strongest first.
const STRONGEST_FIRST: [PlayerKind; 3] =
    [PlayerKind::BThreads, PlayerKind::Perfect, PlayerKind::Random];

/// Perfect play visits every position, and nobody waits for that on a larger board.
const MOST_CELLS_TO_SOLVE: usize = 9;

impl Opponent {
    /// The opponent of this name.
    ///
    /// # Errors
    /// If there is none; the error names those there are, the nearest first.
    pub(super) fn named(words: &str) -> Result<Self> {
        if words == HUMAN {
            return Ok(Self::Human);
        }
        names::player_or(words, &[HUMAN]).map(Self::Computer)
    }

    /// The strongest computer player that can play in all other seats.
    pub(super) fn strongest(game: &AnyGame, seat: Seat) -> Self {
        let plays = |name: &PlayerKind| {
            let mut others = all_seats(game).iter().filter(|other| *other != seat);
            is_quick(game, name) && others.all(|other| game.player(name, other, 0).is_ok())
        };
        Self::Computer(STRONGEST_FIRST.into_iter().find(plays).unwrap_or(PlayerKind::Random))
    }

    /// Who sits in each seat when a person takes this one and the opponent all others; the seeds
    /// decide what computer players leave to chance.
    ///
    /// # Errors
    /// If the opponent cannot play this game.
    pub(super) fn sitters(
        &self,
        game: &AnyGame,
        seat: Seat,
        mut seeds: impl FnMut() -> u64,
    ) -> Result<Vec<Sitter>> {
        let mut sitter = |each: Seat| match self {
            Self::Computer(name) if each != seat => {
                Ok(Sitter::Computer(name.clone(), game.player(name, each, seeds())?))
            }
            Self::Computer(_) | Self::Human => Ok(Sitter::Person),
        };
        ensure!(
            *self != Self::Human || !game.hides(),
            "{} hides something from each seat, and two people at one screen would see it all: \
             play it against random",
            game.name()
        );
        all_seats(game).iter().map(&mut sitter).collect()
    }
}

/// Whether nobody has to wait until the player is ready.
fn is_quick(game: &AnyGame, name: &PlayerKind) -> bool {
    let picture = game.picture(&game.start(), game::Viewer::Spectator);
    let cells = picture.board.map_or(0, |board| board.cells.len());
    *name != PlayerKind::Perfect || cells <= MOST_CELLS_TO_SOLVE
}

impl std::fmt::Display for Opponent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Human => f.write_str(HUMAN),
            Self::Computer(name) => name.fmt(f),
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
        strongest("pig", Seat::FIRST, "random");
        strongest("kuhn-poker", Seat::SECOND, "random");
    }

    #[test]
    fn nobody_waits_for_perfect_play_on_a_large_board() {
        strongest("misere:5,5,4", Seat::FIRST, "random");
        strongest("connect-four", Seat::FIRST, "random");
    }

    fn sitters(game: &str, opponent: &str) -> Result<Vec<&'static str>> {
        let game = names::game(game).unwrap();
        let sitters = Opponent::named(opponent)?.sitters(&game, Seat::SECOND, || 0)?;
        let kind = |sitter: Sitter| match sitter {
            Sitter::Person => "person",
            Sitter::Computer(..) => "computer",
        };
        Ok(sitters.into_iter().map(kind).collect())
    }

    #[test]
    fn a_person_takes_one_seat_and_the_opponent_the_other() {
        assert_eq!(sitters("tic-tac-toe", "perfect").unwrap(), ["computer", "person"]);
        assert_eq!(sitters("tic-tac-toe", "human").unwrap(), ["person", "person"]);
        assert_eq!(sitters("kuhn-poker", "random").unwrap(), ["computer", "person"]);
    }

    #[track_caller]
    fn refused(game: &str, opponent: &str, expected: &str) {
        assert_eq!(sitters(game, opponent).unwrap_err().to_string(), expected);
    }

    #[test]
    fn who_cannot_play_says_why() {
        refused("pig", "perfect", "perfect cannot play A in pig: chance decides there");
        refused(
            "kuhn-poker",
            "human",
            "kuhn-poker hides something from each seat, and two people at one screen would see \
             it all: play it against random",
        );
        refused(
            "pig",
            "humn",
            "no player is called \"humn\"; known, nearest first: human, random, bthreads, \
             scripted:MOVE/MOVE, perfect",
        );
    }
}

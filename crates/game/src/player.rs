//! Who chooses moves.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{Game, Viewer};
use crate::happening::PlyOf;
use crate::seat::Seat;
use crate::turn::Turn;

/// Chooses moves for a seat.
///
/// A player knows what it is shown and the seed it was made with, nothing else: in the same game
/// the same player makes the same moves.
pub trait Player<G: Game>: fmt::Debug + Send {
    /// Chooses a move; it may be an illegal one.
    ///
    /// # Errors
    /// If the player cannot go on.
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError>;
}

/// What a seat sees when it must choose.
pub struct PlayerView<'a, G: Game> {
    game: &'a G,
    position: &'a G::Position,
    seat: Seat,
    history: &'a [PlyOf<G>],
    refusals: usize,
}

/// A chosen move, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<M> {
    /// What was chosen.
    pub chosen: M,
    /// Why, if the player can tell.
    pub why: Option<MoveExplanation>,
}

/// Why a player chose a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveExplanation {
    /// One sentence.
    pub sentence: String,
    /// The b-threads that wanted the move, the one that had its way first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wanted_by: Vec<String>,
    /// Who would have gone elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
}

/// A b-thread that wanted another move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// Its name.
    pub thread: String,
    /// What it wanted.
    pub wanted: String,
    /// The b-threads to which it lost: the one that had its way, or those that blocked it.
    pub lost_to: Vec<String>,
}

/// A player that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// What it was told to play has come to an end.
    #[error("the script has no more moves after {played}")]
    ScriptEnded {
        /// How many moves it had.
        played: u32,
    },
    /// It was told to play what is no move of this game.
    #[error("the script says {text:?}, which is no move: {why}")]
    ScriptUnreadable {
        /// What it was told.
        text: String,
        /// Why that is no move.
        why: String,
    },
    /// It was asked though it has nothing to choose.
    #[error("there is nothing to choose")]
    NothingToChoose,
    /// None of its b-threads wants a move.
    #[error("no b-thread wants a move of {seat} here")]
    NoWish {
        /// For whom it plays.
        seat: String,
    },
    /// Its b-threads do not come to rest, or contradict what happened.
    #[error("the b-threads cannot follow this game: {0}")]
    BrokenRules(String),
}

/// A player that cannot play a game at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{player} cannot play {seat} in {game}: {why}")]
pub struct CannotPlay {
    /// What the player is called.
    pub player: String,
    /// The name of the game.
    pub game: String,
    /// For whom it should have played.
    pub seat: String,
    /// Why it cannot.
    pub why: String,
}

impl CannotPlay {
    /// A player cannot play for a seat of a game, and why.
    pub fn new<G: Game>(player: &str, game: &G, seat: Seat, why: impl Into<String>) -> Self {
        let seat = crate::game::seat_name(game, seat).to_owned();
        Self { player: player.to_owned(), game: game.name(), seat, why: why.into() }
    }
}

impl<'a, G: Game> PlayerView<'a, G> {
    /// What a seat sees in a position that came about like this.
    pub fn new(
        game: &'a G,
        position: &'a G::Position,
        seat: Seat,
        history: &'a [PlyOf<G>],
    ) -> Self {
        Self { game, position, seat, history, refusals: 0 }
    }

    /// The same view after this many choices of the seat were refused.
    #[must_use]
    pub(crate) fn after_refusals(self, refusals: usize) -> Self {
        Self { refusals, ..self }
    }

    /// The game.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// For whom to choose.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Who must act.
    pub fn turn(&self) -> Turn {
        self.game.turn(self.position)
    }

    /// What may be chosen.
    pub fn legal_moves(&self) -> impl ExactSizeIterator<Item = G::Move> + 'a {
        self.game.legal_moves(self.position, self.seat)
    }

    /// The position in one line, as this seat may see it.
    pub fn view(&self) -> String {
        self.game.view(self.position, Viewer::Seat(self.seat))
    }

    /// The whole position, if this game hides nothing.
    pub fn position(&self) -> Option<&'a G::Position> {
        (!self.game.hides()).then_some(self.position)
    }

    /// All that happened so far, if this game hides nothing.
    pub fn history(&self) -> Option<&'a [PlyOf<G>]> {
        (!self.game.hides()).then_some(self.history)
    }

    /// How many moves this seat has made.
    pub fn moves_made(&self) -> usize {
        let is_ours = |happening: &&PlyOf<G>| match happening {
            crate::Ply::Moves(moves) => moves.iter().any(|(seat, _)| *seat == self.seat),
            crate::Ply::Chance(_) => false,
        };
        self.history.iter().filter(is_ours).count()
    }

    /// How many choices of this seat were refused.
    pub fn refusals(&self) -> usize {
        self.refusals
    }

    /// What the same seat sees in the game that this one is another form of.
    pub(crate) fn whole(&self) -> (&'a G::Position, &'a [PlyOf<G>]) {
        (self.position, self.history)
    }
}

/// No more than the seat may see.
impl<G: Game> fmt::Debug for PlayerView<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, seat, view) = (self.game.name(), self.seat, self.view());
        f.debug_struct("Sight")
            .field("game", &game)
            .field("seat", &seat)
            .field("view", &view)
            .finish_non_exhaustive()
    }
}

impl<M> Choice<M> {
    /// A move without a reason.
    pub fn plain(chosen: M) -> Self {
        Self { chosen, why: None }
    }

    /// A move and one sentence why.
    pub fn because(chosen: M, sentence: impl Into<String>) -> Self {
        let why = MoveExplanation {
            sentence: sentence.into(),
            wanted_by: Vec::new(),
            alternatives: Vec::new(),
        };
        Self { chosen, why: Some(why) }
    }
}

/// The sentence, and a line for each b-thread that would have gone elsewhere.
impl fmt::Display for MoveExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)?;
        self.alternatives.iter().try_for_each(|other| write!(f, "\n{other}"))
    }
}

impl fmt::Display for Alternative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { thread, wanted, lost_to } = self;
        write!(f, "{thread} wanted {wanted}, but lost to {}", lost_to.join(", "))
    }
}

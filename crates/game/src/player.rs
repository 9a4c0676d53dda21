//! Players, who choose moves.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::game::{Game, Viewer, seat_name};
use crate::ply::{Ply, PlyOf};
use crate::seat::Seat;
use crate::turn::Turn;

/// Chooses moves for a seat.
///
/// A choice depends only on the player's view and on the seed of the player, so the same player
/// makes the same moves in the same game.
pub trait Player<G: Game>: fmt::Debug + Send {
    /// Chooses a move, which may be illegal.
    ///
    /// # Errors
    /// If the player cannot go on.
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError>;
}

/// What a player sees of a game.
pub struct PlayerView<'a, G: Game> {
    game: &'a G,
    position: &'a G::Position,
    seat: Seat,
    history: &'a [PlyOf<G>],
    history_id: Option<&'a HistoryId>,
    refusals: usize,
}

/// Names a history that only grows, so that players need not read again what they have seen of it.
/// A copy is another history, because both can go on differently.
#[derive(Debug, Default)]
pub struct HistoryId(Arc<()>);

/// How much of which history was read.
#[derive(Debug, Default)]
pub(crate) struct ReadHistory {
    id: Option<HistoryId>,
    plies: usize,
}

/// The part of a history that was not read before.
pub(crate) enum UnreadPlies<'a, G: Game> {
    /// What follows on the part that is known.
    More(&'a [PlyOf<G>]),
    /// All of another history.
    All(&'a [PlyOf<G>]),
}

/// A chosen move, and why the player chose it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<M> {
    /// The move.
    pub chosen: M,
    /// The explanation, if the player has one.
    pub explanation: Option<MoveExplanation>,
}

/// Why a player chose a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MoveExplanation {
    /// The reason in one sentence.
    pub sentence: String,
    /// The b-threads that requested the move, highest priority first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wanted_by: Vec<String>,
    /// The moves that other b-threads wanted instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
}

/// A move that another b-thread wanted instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Alternative {
    /// The name of the b-thread.
    pub thread: String,
    /// The move.
    pub wanted: String,
    /// The b-threads to which it lost: the one whose request was chosen, or those that blocked it.
    pub lost_to: Vec<String>,
}

/// Why a player cannot choose a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// Its script has no more moves.
    #[error("the script has no more moves after {played}")]
    ScriptEnded {
        /// The number of moves in the script.
        played: u32,
    },
    /// Its script has a text that is not a move of this game.
    #[error("the script says {text:?}, which is no move: {reason}")]
    ScriptUnreadable {
        /// The text.
        text: String,
        /// Why it is not a move.
        reason: String,
    },
    /// It has no legal move.
    #[error("there is nothing to choose")]
    NothingToChoose,
    /// None of its b-threads requests a move.
    #[error("no b-thread wants a move of {seat} here")]
    NoWish {
        /// The seat that it plays.
        seat: String,
    },
    /// The game has something that the player cannot handle.
    #[error("this player cannot play here: {0}")]
    Unsuitable(String),
    /// It failed with a panic.
    #[error("the player failed: {0}")]
    Panicked(String),
    /// Its b-threads do not come to rest, or contradict the history.
    #[error("the b-threads cannot follow this game: {0}")]
    BrokenRules(String),
}

/// Why a kind of player cannot play a seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{player} cannot play {seat} in {game}: {reason}")]
pub struct CannotPlay {
    /// The name of the kind of player.
    pub player: String,
    /// The name of the game.
    pub game: String,
    /// The seat that it should have played.
    pub seat: String,
    /// Why it cannot.
    pub reason: String,
}

impl CannotPlay {
    /// The error of a kind of player for a seat of a game.
    pub fn new<G: Game>(player: &str, game: &G, seat: Seat, reason: impl Into<String>) -> Self {
        let seat = seat_name(game, seat).to_owned();
        Self { player: player.to_owned(), game: game.name(), seat, reason: reason.into() }
    }
}

impl<'a, G: Game> PlayerView<'a, G> {
    /// What the player of a seat sees in a position with this history.
    pub fn new(
        game: &'a G,
        position: &'a G::Position,
        seat: Seat,
        history: &'a [PlyOf<G>],
    ) -> Self {
        Self { game, position, seat, history, history_id: None, refusals: 0 }
    }

    /// The same view of a history that has a name.
    #[must_use]
    pub fn of_history(self, id: &'a HistoryId) -> Self {
        Self { history_id: Some(id), ..self }
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

    /// The seat to choose for.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Turn {
        self.game.turn(self.position)
    }

    /// The legal moves of this seat.
    pub fn legal_moves(&self) -> impl ExactSizeIterator<Item = G::Move> + 'a {
        self.game.legal_moves(self.position, self.seat)
    }

    /// The position in one line, as this seat sees it.
    pub fn view(&self) -> String {
        self.game.view(self.position, Viewer::Seat(self.seat))
    }

    /// The position, unless this game hides something.
    pub fn position(&self) -> Option<&'a G::Position> {
        (!self.game.hides()).then_some(self.position)
    }

    /// The plies so far, unless this game hides something.
    pub fn history(&self) -> Option<&'a [PlyOf<G>]> {
        (!self.game.hides()).then_some(self.history)
    }

    /// The number of moves that this seat has made.
    pub fn moves_made(&self) -> usize {
        let is_ours = |ply: &&PlyOf<G>| match ply {
            Ply::Moves(moves) => moves.iter().any(|(seat, _)| *seat == self.seat),
            Ply::Chance(_) => false,
        };
        self.history.iter().filter(is_ours).count()
    }

    /// The number of choices of this seat that were refused.
    pub fn refusals(&self) -> usize {
        self.refusals
    }

    /// The position, also if this game hides something.
    pub(crate) fn whole_position(&self) -> &'a G::Position {
        self.position
    }
}

impl Clone for HistoryId {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl ReadHistory {
    /// The plies of a view that were not read before, also if its game hides something. From now on
    /// they are read.
    pub(crate) fn unread<'a, G: Game>(
        &mut self,
        player_view: &PlayerView<'a, G>,
    ) -> UnreadPlies<'a, G> {
        let history = player_view.history;
        let is_same = match (&self.id, player_view.history_id) {
            (Some(known), Some(id)) => Arc::ptr_eq(&known.0, &id.0),
            _ => false,
        };
        let more = if is_same { history.get(self.plies..) } else { None };
        self.id = player_view.history_id.map(|id| HistoryId(Arc::clone(&id.0)));
        self.plies = history.len();
        more.map_or(UnreadPlies::All(history), UnreadPlies::More)
    }
}

/// Shows only what the seat sees.
impl<G: Game> fmt::Debug for PlayerView<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, seat, view) = (self.game.name(), self.seat, self.view());
        f.debug_struct("PlayerView")
            .field("game", &game)
            .field("seat", &seat)
            .field("view", &view)
            .finish_non_exhaustive()
    }
}

impl<M> Choice<M> {
    /// A move without an explanation.
    pub fn plain(chosen: M) -> Self {
        Self { chosen, explanation: None }
    }

    /// A move and the reason in one sentence.
    pub fn because(chosen: M, sentence: impl Into<String>) -> Self {
        let explanation = MoveExplanation {
            sentence: sentence.into(),
            wanted_by: Vec::new(),
            alternatives: Vec::new(),
        };
        Self { chosen, explanation: Some(explanation) }
    }
}

/// The sentence, and one line for each alternative.
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

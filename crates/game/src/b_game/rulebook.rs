//! The description of a game whose rules are b-threads.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use bthread::{
    AnyBThread, Event, Limits, Name, OutsideAlphabet, ProgramError, SuperstepError, SyncPoint,
    TriggerError,
};

use super::game::BGame;
use super::offers::Offer;
use super::requirement::RulesRequirement;
use crate::analysis::ExactSolver;
use crate::game::Textual;
use crate::picture::Picture;
use crate::players::{PlayerKind, SkillLevel};
use crate::refusal::{Code, Reason, Refusal};
use crate::seat::{Seat, Seats};
use crate::turn::Outcome;

/// A game in b-threads: its rules, which events are moves and results, and how its board looks.
pub trait Rulebook: Clone + Debug + Send + Sync + 'static {
    /// An event: a move, a result or, if needed, something else.
    type Event: Event;

    /// A move of a seat.
    type Move: Textual;

    /// The events so far as a picture shows them. A board knows no rules.
    ///
    /// Two positions are equal if their boards are equal and their b-threads are in equal states.
    type Board: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// The name of the game, with its parameters.
    fn name(&self) -> String;

    /// The names of the seats, in order.
    fn seats(&self) -> Vec<&str>;

    /// The rules, highest priority first. A refusal names b-threads in this order.
    fn rules(&self) -> Vec<AnyBThread<Self::Event>>;

    /// All moves of a seat with their events, in the order in which legal moves are listed.
    fn moves(&self, seat: Seat) -> Vec<(Self::Move, Self::Event)>;

    /// The events that end a game, with their outcomes.
    ///
    /// A b-thread requests its result once: otherwise the rules would never come to rest.
    fn results(&self) -> Vec<(Self::Event, Outcome)>;

    /// The events that are neither moves nor results. Every event that a b-thread requests is a
    /// move, a result or one of these.
    fn other_events(&self) -> Vec<Self::Event> {
        Vec::new()
    }

    /// Whether a rule can stop at a [`violation`](bthread::violation): then a move that leads there is
    /// refused, because the rules are broken. By default none does.
    fn can_break(&self) -> bool {
        false
    }

    /// Bounds on what follows from one move: a superstep that exceeds them is undone, and the move is
    /// refused.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// The memory of the rulebook itself, in bytes, about.
    fn bytes(&self) -> usize {
        0
    }

    /// What chance may draw, and what happens where nothing else can; empty by default.
    fn offers(&self) -> Vec<Offer<Self::Event>> {
        Vec::new()
    }

    /// The outcome of a game that ended with a result, given its outcome in [`Rulebook::results`].
    /// A game whose scores decide reads them from the board.
    fn outcome(&self, _board: &Self::Board, _result: &Self::Event, listed: Outcome) -> Outcome {
        listed
    }

    /// The board before the first event.
    fn empty_board(&self) -> Self::Board;

    /// Records an event on the board.
    fn record(&self, board: &mut Self::Board, event: &Self::Event);

    /// The board in one line. Different positions have different texts, unless
    /// [`Rulebook::tells_all`] says otherwise.
    fn text(&self, board: &Self::Board) -> String;

    /// Whether different positions have different texts. If not, searches also look at how far each
    /// b-thread has come.
    fn tells_all(&self) -> bool {
        true
    }

    /// The board as it looks on a screen.
    fn picture(&self, board: &Self::Board) -> Picture;

    /// Why a b-thread blocks a move: a sentence without a full stop.
    fn reason(&self, thread: &Name) -> Reason {
        Reason::new(Code::ILLEGAL_MOVE, format!("{thread} does not allow it"))
    }

    /// What a strategy achieves with the move that it requests, as a sentence for people who have never
    /// heard of b-threads: `O completes its line.` `None` if nobody has written one.
    fn purpose(&self, _strategy: &Name) -> Option<String> {
        None
    }

    /// The line that a b-thread found when it requested a result: `0,3,6`, or `O a1-c1` if it is not
    /// a line of the winner's mark; `None` if the result is not about a line.
    fn line(&self, _requested_by: &Name) -> Option<String> {
        None
    }

    /// The message that refuses a move that the seat does not have.
    fn unknown_move(&self, chosen: &Self::Move) -> String {
        format!("{chosen} is no move of {}", self.name())
    }

    /// Reads a move from its text.
    ///
    /// # Errors
    /// If the text names no move.
    fn read(&self, text: &str) -> Result<Self::Move, Refusal> {
        text.parse().map_err(|error| Reason::out_of_bounds(error).into())
    }

    /// An estimate of a board for a seat; see [`Game::estimate`](crate::Game::estimate).
    fn estimate(&self, _board: &Self::Board, _seat: Seat) -> Option<i32> {
        None
    }

    /// A solver that knows this game; see [`Game::solver`](crate::Game::solver).
    fn solver(&self) -> Option<Arc<dyn ExactSolver<BGame<Self>>>> {
        None
    }

    /// The player of a level, if the usual one does not fit; see [`Game::level`](crate::Game::level).
    fn level(&self, _level: SkillLevel) -> Option<PlayerKind> {
        None
    }

    /// The strategies of a seat, highest priority first; empty if the seat has none. They block
    /// nothing, so that they change no legal move.
    fn strategies(&self, _seat: Seat) -> Vec<AnyBThread<Self::Event>> {
        Vec::new()
    }

    /// What must be true of the rules. By default every game ends with exactly one result, nothing
    /// happens after it, and nobody is stuck before it.
    fn requirements(&self) -> Vec<RulesRequirement<Self::Event>> {
        let results = self.results().into_iter().map(|(event, _)| event);
        vec![RulesRequirement::exactly_one_result(results), RulesRequirement::nobody_is_stuck()]
    }

    /// The seats that follow their strategies where the requirements are checked. All others may
    /// make any move; by default these are all seats.
    fn strategists(&self) -> Seats {
        Seats::NONE
    }
}

/// Why b-threads are not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The game has no seat, or too many.
    #[error("a game has 1 to {most} seats, and not {0}", most = Seat::MOST)]
    Seats(usize),
    /// The game has too many results.
    #[error("a game has at most 256 results, and not {0}")]
    Results(usize),
    /// An event is more than one move, or a move and a result.
    #[error("{event} is there twice: an event is one move of one seat, or one result")]
    SharedEvent {
        /// The event.
        event: String,
    },
    /// A seat has the same move twice.
    #[error("{chosen} is there twice: a move of a seat is one event")]
    SharedMove {
        /// The move.
        chosen: String,
    },
    /// The b-threads are not a program.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A b-thread requests an event that the rulebook does not list.
    #[error(
        "{thread} requests {event}, which is neither a move nor a result: add it to `other_events`"
    )]
    UnlistedEvent {
        /// The b-thread.
        thread: String,
        /// The event.
        event: String,
    },
    /// A strategy blocks events.
    #[error(
        "{strategy} is a strategy and blocks events: only rules may block, so that strategies change \
         no move"
    )]
    BlockingStrategy {
        /// The b-thread.
        strategy: String,
    },
    /// The b-threads do not come to rest before the first move.
    #[error("the b-threads cannot start: {0}")]
    Start(String),
}

impl RulesError {
    pub(super) fn start<E: Event>(error: &SuperstepError<E>) -> Self {
        match error {
            SuperstepError::OutsideAlphabet(outside) => Self::unlisted(outside),
            error => Self::Start(error.to_string()),
        }
    }

    /// The first of some strategies that blocks events. Of a b-thread with a state only the present
    /// sync point is known.
    pub(super) fn of_strategies<E: Event>(strategies: &[AnyBThread<E>]) -> Option<Self> {
        let blocks = |point: &SyncPoint<E>| !point.blocks().is_empty();
        let present = |thread: &AnyBThread<E>| thread.sync_point().is_some_and(|at| blocks(&at));
        let mut each = strategies.iter();
        let blocking =
            each.find(|thread| thread.may_reach(blocks).unwrap_or_else(|| present(thread)));
        blocking.map(|thread| Self::BlockingStrategy { strategy: thread.name().to_string() })
    }

    pub(super) fn settling<E: Event>(error: &TriggerError<E>) -> Self {
        match error {
            TriggerError::Superstep(error) => Self::start(error),
            error => Self::Start(error.to_string()),
        }
    }

    pub(super) fn unlisted<E: Event>(outside: &OutsideAlphabet<E>) -> Self {
        match &outside.requested_by {
            Some(thread) => {
                Self::UnlistedEvent { thread: thread.to_string(), event: outside.event.to_string() }
            }
            None => Self::Start(outside.to_string()),
        }
    }
}

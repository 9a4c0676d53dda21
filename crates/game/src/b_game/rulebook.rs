//! What must be told of a game whose rules are b-threads.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use bthread::{AnyBThread, Event, Name, ProgramError};

use crate::game::Word;
use crate::picture::Picture;
use crate::refusal::{Code, Reason, Refusal};
use crate::seat::Seat;
use crate::turn::Outcome;

/// A game in b-threads: the rules, which events are whose moves, and how it is drawn.
pub trait Rulebook: Clone + Debug + Send + Sync + 'static {
    /// What can happen.
    type Event: Event;

    /// What a seat can choose. Its text can be read back.
    type Move: Word;

    /// What has happened, for who looks: a picture that knows no rules. With equal boards and
    /// b-threads that have come equally far, positions are equal.
    type Board: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// What the game is called, with its parameters.
    fn name(&self) -> String;

    /// What the seats are called, in order.
    fn seats(&self) -> &[&'static str];

    /// The rules, highest priority first. The b-threads of a refusal come in this order.
    fn rules(&self) -> Vec<AnyBThread<Self::Event>>;

    /// All moves of a seat and the events that they are, in the order in which they are listed.
    fn moves(&self, seat: Seat) -> Vec<(Self::Move, Self::Event)>;

    /// The place of a move in that order, the same for all seats, counted from 0; `None` if no seat
    /// has such a move.
    fn place(&self, chosen: &Self::Move) -> Option<usize>;

    /// The events that end a game, and what they mean. A b-thread requests its result once, and then
    /// lets things come to rest.
    fn results(&self) -> Vec<(Self::Event, Outcome)>;

    /// What else can happen.
    fn other_events(&self) -> Vec<Self::Event> {
        Vec::new()
    }

    /// The board before anything has happened.
    fn empty_board(&self) -> Self::Board;

    /// Draws what happens.
    fn draw(&self, board: &mut Self::Board, event: &Self::Event);

    /// The board in one line; positions that differ have different texts.
    fn text(&self, board: &Self::Board) -> String;

    /// What the board looks like.
    fn picture(&self, board: &Self::Board) -> Picture;

    /// What it means that a b-thread blocks a move: a sentence without a full stop.
    fn reason(&self, thread: &Name) -> Reason {
        Reason::new(Code::ILLEGAL_MOVE, format!("{thread} does not allow it"))
    }

    /// What to say of a move that no seat of this game has.
    fn beyond(&self, chosen: &Self::Move) -> String {
        format!("{chosen} is no move of {}", self.name())
    }

    /// The move that a text names.
    ///
    /// # Errors
    /// If it names none.
    fn read(&self, text: &str) -> Result<Self::Move, Refusal> {
        text.parse().map_err(|error| Reason::out_of_bounds(error).into())
    }

    /// How a seat may play, highest priority first; nothing if there are no strategies for it.
    fn strategies(&self, _seat: Seat) -> Vec<AnyBThread<Self::Event>> {
        Vec::new()
    }
}

/// Why b-threads are no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// There is no seat, or there are too many.
    #[error("a game has 1 to {most} seats, and not {0}", most = Seat::MOST)]
    Seats(usize),
    /// There are too many results.
    #[error("a game has at most 256 results, and not {0}")]
    Results(usize),
    /// An event is more than one move, or a move and a result.
    #[error("{event} is there twice: an event is one move of one seat, or one result")]
    SharedEvent {
        /// The event.
        event: String,
    },
    /// `moves` and `place` do not agree.
    #[error("{chosen} is number {place} of the moves, but place() says otherwise")]
    Misplaced {
        /// The move.
        chosen: String,
        /// Where it is listed.
        place: usize,
    },
    /// They are no program.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// They do not come to rest before the first move, or request what is not in the alphabet.
    #[error("the b-threads cannot start: {0}")]
    Start(String),
}

impl RulesError {
    pub(super) fn of(error: impl Display) -> Self {
        Self::Start(error.to_string())
    }
}

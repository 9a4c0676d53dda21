//! Broken promises of games.

use std::fmt;

use crate::game::Viewer;
use crate::probability::BadProbabilities;
use crate::refusal::{Code, Refusal};
use crate::seat::Seat;

/// A promise that a game breaks. Positions and moves are texts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// The game has no name.
    #[error("name() is empty: a game is found by its name")]
    NoName,
    /// The game has too few or too many seats.
    #[error("seats() has {count} names: a game has from one to {most} seats", most = Seat::MOST)]
    Seats {
        /// The number of seats.
        count: usize,
    },
    /// A seat has no name, or the same name as another seat.
    #[error("a seat is called {name:?}: every seat has a name of its own")]
    SeatName {
        /// The name.
        name: String,
    },
    /// Two games start differently.
    #[error("start() returns {one:?} and then {other:?}: chance has a turn of its own")]
    StartDiffers {
        /// The first start.
        one: String,
        /// The second start.
        other: String,
    },
    /// A game does not end.
    #[error("a game is not over after {plies} plies: let it end, or allow more")]
    TooLong {
        /// The number of plies.
        plies: u32,
    },

    /// It is nobody's turn, but the game is not over.
    #[error("in {position:?} turn() is Several of no seats: say Over, Chance or who must choose")]
    NobodyInTurn {
        /// The position.
        position: String,
    },
    /// It is the turn of a seat that the game does not have.
    #[error("turn() names a seat that this game does not have: {0}")]
    NoSuchSeat(SeatInPosition),
    /// The outcome does not have one score for each seat.
    #[error("{position:?} ends with {scores} scores for {seats} seats")]
    Scores {
        /// The position.
        position: String,
        /// The number of scores.
        scores: usize,
        /// The number of seats.
        seats: usize,
    },

    /// It is a seat's turn, but it has no legal move.
    #[error("a seat in turn has no legal move: {0}")]
    NoLegalMove(SeatInPosition),
    /// It is not a seat's turn, but it has legal moves.
    #[error("legal_moves() of a seat that is not in turn has {0}")]
    LegalOutOfTurn(MoveInPosition),
    /// A legal move is listed twice.
    #[error("legal_moves() lists twice: {0}")]
    LegalTwice(MoveInPosition),
    /// Legal moves are listed differently in a second call.
    #[error("legal_moves() changes in a second call: {0}")]
    LegalMovesChange(SeatInPosition),
    /// The iterator of legal moves has a wrong length.
    #[error("after {after} legal moves len() is {left}, which is not what is left: {at}")]
    Length {
        /// The seat and the position.
        at: SeatInPosition,
        /// The number of moves returned so far.
        after: usize,
        /// The number that `len()` returned.
        left: usize,
    },
    /// The iterator of legal moves skips a wrong number of moves.
    #[error("legal_moves() continues wrongly after nth({skipped}): {at}")]
    Skipping {
        /// The seat and the position.
        at: SeatInPosition,
        /// The number of moves to skip.
        skipped: usize,
    },

    /// `check` refuses a legal move.
    #[error("check() refuses a legal move, {at}: {refusal}")]
    LegalRefused {
        /// The move.
        at: MoveInPosition,
        /// Why it is refused.
        refusal: Box<Refusal>,
    },
    /// Legal moves cannot be played.
    #[error("legal moves cannot be played, {at}: {refusal}")]
    LegalNotPlayed {
        /// The moves.
        at: MovesInPosition,
        /// Why they are refused.
        refusal: Box<Refusal>,
    },
    /// `check` accepts an illegal move.
    #[error("check() accepts what legal_moves() does not list: {0}")]
    IllegalAccepted(MoveInPosition),
    /// An illegal move is played.
    #[error("play() or advance() accepts what legal_moves() does not list: {0}")]
    IllegalPlayed(MovesInPosition),
    /// Moves are played that are not one for each seat whose turn it is.
    #[error("play() or advance() accepts what is not one move for each seat in turn: {0}")]
    IncompletePlayed(MovesInPosition),
    /// A refusal has a reason without a code or without a message.
    #[error("a move is refused without a code or a message: {0}")]
    MuteRefusal(MovesInPosition),
    /// The message of a refusal ends with a full stop.
    #[error("a move is refused with {message:?}: leave out the full stop, others may follow: {at}")]
    FullStop {
        /// The move.
        at: MoveInPosition,
        /// The message.
        message: String,
    },
    /// After the end, the first reason of a refusal is not that the game is over.
    #[error("after the end the first reason must be game_over and is {code}: {at}")]
    NotOverFirst {
        /// The move.
        at: MoveInPosition,
        /// The code of the first reason.
        code: Code,
    },
    /// Moves are refused, but the position changes.
    #[error("advance() refuses and still changes the position: {0}")]
    RefusedButChanged(MovesInPosition),
    /// A position changes when moves are made in a copy of it.
    #[error("play() changes the old position: {0}")]
    OldChanged(MovesInPosition),
    /// Two ways to make the same moves disagree.
    #[error("play() and advance() do not agree: {0}")]
    PlayDiffers(MovesInPosition),
    /// A move is not found by its place.
    #[error("apply_nth() or count_moves() does not agree with legal_moves(): {0}")]
    PlaceDiffers(MovesInPosition),
    /// A random ply fails.
    #[error("play_at_random() fails in {position:?}: {error}")]
    RandomStopped {
        /// The position.
        position: String,
        /// The error.
        error: String,
    },
    /// A random ply is neither a legal move nor a possible draw.
    #[error("play_at_random() goes from {position:?} to {next:?}, where no legal ply leads")]
    RandomIllegal {
        /// The position.
        position: String,
        /// The position after it.
        next: String,
    },

    /// The text of a move or a draw cannot be read.
    #[error("the text {text:?} of a {kind} cannot be read: {refusal}")]
    Unreadable {
        /// Whether it is a move or a draw.
        kind: TextKind,
        /// Its text.
        text: String,
        /// Why the text is refused.
        refusal: Box<Refusal>,
    },
    /// The text of a move or a draw is read as another one.
    #[error("the text {text:?} of the {kind} {value} is read as {read}")]
    Misread {
        /// Whether it is a move or a draw.
        kind: TextKind,
        /// Its value.
        value: String,
        /// Its text.
        text: String,
        /// The value that is read.
        read: String,
    },
    /// A text is refused without a code or without a message.
    #[error("reading {text:?} as a {kind} is refused without a code or a message")]
    MuteReading {
        /// Whether it was read as a move or as a draw.
        kind: TextKind,
        /// The text.
        text: String,
    },

    /// It is not the turn of chance, but there are chances.
    #[error("it is not the turn of chance, but chances() has {0}")]
    ChanceOutOfTurn(DrawInPosition),
    /// It is the turn of chance, but there are no chances.
    #[error("in {position:?} it is the turn of chance, but chances() is empty")]
    NoChances {
        /// The position.
        position: String,
    },
    /// Chances are listed differently in a second call.
    #[error("in {position:?} chances() changes in a second call")]
    ChancesChange {
        /// The position.
        position: String,
    },
    /// A draw is listed twice.
    #[error("chances() lists twice: {0}")]
    ChanceTwice(DrawInPosition),
    /// The probabilities do not add up.
    #[error("in {position:?} {error}")]
    BadProbabilities {
        /// The position.
        position: String,
        /// The probabilities.
        error: BadProbabilities,
    },
    /// A possible draw is refused.
    #[error("advance_chance() refuses what chances() lists, {at}: {refusal}")]
    ChanceRefused {
        /// The draw.
        at: DrawInPosition,
        /// Why it is refused.
        refusal: Box<Refusal>,
    },
    /// An impossible draw is accepted.
    #[error("advance_chance() accepts what chances() does not list: {0}")]
    ImpossibleDrawn(DrawInPosition),
    /// A draw is refused without a code or without a message.
    #[error("a draw is refused without a code or a message: {0}")]
    MuteChance(DrawInPosition),
    /// A draw is refused, but the position changes.
    #[error("advance_chance() refuses and still changes the position: {0}")]
    ChanceChanged(DrawInPosition),
    /// Chance draws something impossible, or nothing when it must draw.
    #[error(
        "in {position:?} draw_chance() returns {drawn:?}, which does not fit turn() and chances()"
    )]
    WrongDraw {
        /// The position.
        position: String,
        /// What was drawn.
        drawn: Option<String>,
    },

    /// A replay is refused.
    #[error("a replay is refused after {plies} plies: {refusal}")]
    ReplayRefused {
        /// The number of plies that were replayed.
        plies: usize,
        /// Why the next ply is refused.
        refusal: Box<Refusal>,
    },
    /// A replay leads to another position.
    #[error("after {plies} plies the position was {one:?}, and in a replay it is {other:?}")]
    ReplayDiffers {
        /// The number of plies.
        plies: usize,
        /// The position in the game.
        one: String,
        /// The position in the replay.
        other: String,
    },
    /// Equal positions have different hashes.
    #[error("two equal positions {position:?} have different hashes")]
    HashDiffers {
        /// The position.
        position: String,
    },
    /// Different positions have the same text.
    #[error("text() is {text:?} for two positions that are not equal: {one} and {other}")]
    SameText {
        /// The text.
        text: String,
        /// One position.
        one: String,
        /// The other position.
        other: String,
    },
    /// Equal positions have different texts.
    #[error("two equal positions have different texts: {one:?} and {other:?}")]
    TextDiffers {
        /// The text of one.
        one: String,
        /// The text of the other.
        other: String,
    },
    /// Equal positions have different futures.
    #[error("two equal positions {position:?} differ in their {aspect}")]
    FutureDiffers {
        /// The position.
        position: String,
        /// How they differ.
        aspect: Aspect,
    },

    /// A viewer sees less than everything, but the game hides nothing.
    #[error("hides() is false, but in {position:?} view() shows {viewer} {view:?}")]
    ViewDiffers {
        /// The position.
        position: String,
        /// The viewer.
        viewer: Viewer,
        /// What the viewer sees.
        view: String,
    },
    /// A viewer can distinguish two positions after the same observations.
    #[error("{viewer} saw {seen:?} both in {one:?} and in {other:?}, but the {aspect} differ")]
    Leak {
        /// The viewer.
        viewer: Viewer,
        /// The observations of the viewer.
        seen: Vec<String>,
        /// How the positions differ for the viewer.
        aspect: Aspect,
        /// One position.
        one: String,
        /// The other one.
        other: String,
    },
    /// The game says that it hides something, but every viewer could always know everything.
    #[error("hides() is true, but in {games} games seen() showed everything to everybody")]
    NothingHidden {
        /// The number of games.
        games: u64,
    },

    /// The game behaves differently as `AnyGame`.
    #[error("as AnyGame the game has other {aspect} in {position:?}: {typed} became {any}")]
    AnyDiffers {
        /// The position.
        position: String,
        /// How it differs.
        aspect: Aspect,
        /// The value in the game itself.
        typed: String,
        /// The value in `AnyGame`.
        any: String,
    },

    /// The rows of a board have different lengths.
    #[error("the board of {position:?} has {cells} cells in {columns} columns")]
    BoardShape {
        /// The position.
        position: String,
        /// The number of cells.
        cells: usize,
        /// The number of columns.
        columns: u8,
    },
    /// A cell has no name, or the same name as another cell.
    #[error("on the board of {position:?} a cell is called {name:?}: each has a name of its own")]
    CellName {
        /// The position.
        position: String,
        /// The name.
        name: String,
    },
    /// A cell offers a text that is not a move.
    #[error("on the board of {position:?} the cell {cell} offers {text:?}, which is no move")]
    CellMove {
        /// The position.
        position: String,
        /// The name of the cell.
        cell: String,
        /// The text.
        text: String,
    },
    /// No cell offers a legal move.
    #[error("no cell of the board offers a legal move: {0}")]
    NotOnBoard(MoveInPosition),
}

/// A seat in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatInPosition {
    /// The position.
    pub position: String,
    /// The seat.
    pub seat: Seat,
}

/// A move of a seat in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveInPosition {
    /// The position.
    pub position: String,
    /// The seat.
    pub seat: Seat,
    /// The move.
    pub chosen: String,
}

/// Moves in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovesInPosition {
    /// The position.
    pub position: String,
    /// The seats and their moves.
    pub moves: Vec<(Seat, String)>,
}

/// A draw of chance in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawInPosition {
    /// The position.
    pub position: String,
    /// The draw.
    pub drawn: String,
}

/// Whether a text is a move or a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// A move of a seat.
    Move,
    /// A draw of chance.
    Chance,
}

/// How two positions or games can differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Aspect {
    /// The name, the seats, what scores count and whether something is hidden.
    Description,
    /// Whose turn it is.
    Turn,
    /// The legal moves.
    LegalMoves,
    /// The labels of legal moves.
    Labels,
    /// What chance may draw.
    Chances,
    /// The refusals.
    Refusals,
    /// The next position.
    Next,
    /// The position in one line.
    Text,
    /// The position in one line, as a viewer sees it.
    View,
    /// The picture.
    Picture,
    /// What a viewer sees of a ply.
    Seen,
    /// The move or draw that is read from a text.
    Reading,
    /// Which positions are equal.
    Equality,
    /// The hashes of positions.
    Hash,
}

impl fmt::Display for SeatInPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {:?}", self.seat, self.position)
    }
}

impl fmt::Display for MoveInPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {} in {:?}", self.chosen, self.seat, self.position)
    }
}

impl fmt::Display for MovesInPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (seat, chosen)) in self.moves.iter().enumerate() {
            let before = if index == 0 { "" } else { ", " };
            write!(f, "{before}{chosen:?} of {seat}")?;
        }
        let nothing = if self.moves.is_empty() { "nothing" } else { "" };
        write!(f, "{nothing} in {:?}", self.position)
    }
}

impl fmt::Display for DrawInPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} in {:?}", self.drawn, self.position)
    }
}

impl fmt::Display for TextKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Move => "move",
            Self::Chance => "draw",
        })
    }
}

/// In the plural, for use in a sentence.
impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Description => "descriptions",
            Self::Turn => "turns",
            Self::LegalMoves => "legal moves",
            Self::Labels => "labels",
            Self::Chances => "chances",
            Self::Refusals => "refusals",
            Self::Next => "next positions",
            Self::Text => "texts",
            Self::View => "views",
            Self::Picture => "pictures",
            Self::Seen => "observations",
            Self::Reading => "moves for a text",
            Self::Equality => "equal positions",
            Self::Hash => "hashes",
        })
    }
}

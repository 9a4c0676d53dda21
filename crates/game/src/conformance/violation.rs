//! The promises that a game can break.

use std::fmt;

use crate::game::Viewer;
use crate::probability::NotCertain;
use crate::refusal::{Code, Refusal};
use crate::seat::Seat;

/// A promise that a game breaks. Positions and moves are given as their texts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// The game has no name.
    #[error("name() is empty: a game is found by its name")]
    NoName,
    /// There are too few or too many seats.
    #[error("seats() has {count} names: a game has from one to {most} seats", most = Seat::MOST)]
    Seats {
        /// How many there are.
        count: usize,
    },
    /// A seat has no name, or the name of another one.
    #[error("a seat is called {name:?}: every seat has a name of its own")]
    SeatName {
        /// The name.
        name: String,
    },
    /// Two games begin differently.
    #[error("start() gives {one:?} and then {other:?}: chance has a turn of its own")]
    StartDiffers {
        /// How one begins.
        one: String,
        /// How another one begins.
        other: String,
    },
    /// A game does not end.
    #[error("a game is not over after {plies} steps: let it end, or allow more")]
    TooLong {
        /// How many steps were made.
        plies: u32,
    },

    /// Nobody is in turn, though the game is not over.
    #[error("in {position:?} turn() is Several of no seats: say Over, Chance or who must choose")]
    NobodyInTurn {
        /// The position.
        position: String,
    },
    /// A seat is in turn that the game does not have.
    #[error("turn() names a seat that this game does not have: {0}")]
    NoSuchSeat(SeatAt),
    /// The outcome has not one score for each seat.
    #[error("{position:?} ends with {scores} scores for {seats} seats")]
    Scores {
        /// The position.
        position: String,
        /// How many scores there are.
        scores: usize,
        /// How many seats there are.
        seats: usize,
    },

    /// A seat in turn has nothing to choose.
    #[error("a seat in turn has no legal move: {0}")]
    NoLegalMove(SeatAt),
    /// A seat has legal moves though it is not in turn.
    #[error("legal_moves() of a seat that is not in turn has {0}")]
    LegalOutOfTurn(MoveAt),
    /// A legal move is listed twice.
    #[error("legal_moves() lists twice: {0}")]
    LegalTwice(MoveAt),
    /// Legal moves are listed in different ways.
    #[error("legal_moves() changes when it is asked again: {0}")]
    LegalMovesChange(SeatAt),
    /// The iterator of legal moves has a wrong length.
    #[error("after {after} legal moves len() is {left}, which is not what is left: {at}")]
    Length {
        /// Whose legal moves they are, and where.
        at: SeatAt,
        /// How many had come.
        after: usize,
        /// How many were said to be left.
        left: usize,
    },
    /// The iterator of legal moves skips what it should not.
    #[error("legal_moves() does not go on as it should after nth({skipped}): {at}")]
    Skipping {
        /// Whose legal moves they are, and where.
        at: SeatAt,
        /// How many should have been skipped.
        skipped: usize,
    },

    /// A legal move does not pass the check.
    #[error("check() refuses a legal move, {at}: {refusal}")]
    LegalRefused {
        /// The move.
        at: MoveAt,
        /// Why it is refused.
        refusal: Box<Refusal>,
    },
    /// Legal moves cannot be played.
    #[error("legal moves cannot be played, {at}: {refusal}")]
    LegalNotPlayed {
        /// The moves.
        at: MovesAt,
        /// Why they are refused.
        refusal: Box<Refusal>,
    },
    /// A move passes the check though it is not legal.
    #[error("check() accepts what legal_moves() does not list: {0}")]
    IllegalAccepted(MoveAt),
    /// Moves are played though one of them is not legal.
    #[error("play() or advance() accepts what legal_moves() does not list: {0}")]
    IllegalPlayed(MovesAt),
    /// Moves are played though they are not one for each seat in turn.
    #[error("play() or advance() accepts what is not one move for each seat in turn: {0}")]
    IncompletePlayed(MovesAt),
    /// A refusal has a reason without a code or without a message.
    #[error("a move is refused without a code or a message: {0}")]
    MuteRefusal(MovesAt),
    /// After the end a move is refused for another reason first.
    #[error("after the end the first reason must be game_over and is {code}: {at}")]
    NotOverFirst {
        /// The move.
        at: MoveAt,
        /// The code of the first reason.
        code: Code,
    },
    /// Moves are refused, but the position changes.
    #[error("advance() refuses and still changes the position: {0}")]
    RefusedButChanged(MovesAt),
    /// A position changes when moves are played in a copy of it.
    #[error("play() changes the old position: {0}")]
    OldChanged(MovesAt),
    /// The two ways to play come to different ends.
    #[error("play() and advance() do not agree: {0}")]
    PlayDiffers(MovesAt),
    /// Nothing happens at random though something may.
    #[error("play_at_random() stops in {position:?}: {why}")]
    RandomStopped {
        /// The position.
        position: String,
        /// What stopped it.
        why: String,
    },
    /// Something else than a legal move or a possible draw happens at random.
    #[error("play_at_random() goes from {position:?} to {next:?}, where nothing legal leads")]
    RandomIllegal {
        /// The position.
        position: String,
        /// Where it leads.
        next: String,
    },

    /// The text of a word cannot be read.
    #[error("the text {text:?} of a {kind} cannot be read: {refusal}")]
    Unreadable {
        /// What it is.
        kind: WordKind,
        /// Its text.
        text: String,
        /// Why it cannot be read.
        refusal: Box<Refusal>,
    },
    /// The text of a word is read as another one.
    #[error("the text {text:?} of the {kind} {word} is read as {read}")]
    Misread {
        /// What it is.
        kind: WordKind,
        /// What it looks like inside.
        word: String,
        /// Its text.
        text: String,
        /// What is read.
        read: String,
    },
    /// A text is refused without a code or without a message.
    #[error("reading {text:?} as a {kind} is refused without a code or a message")]
    MuteReading {
        /// As what it was read.
        kind: WordKind,
        /// The text.
        text: String,
    },

    /// Something may be drawn though it is not the turn of chance.
    #[error("it is not the turn of chance, but chances() has {0}")]
    ChanceOutOfTurn(DrawnAt),
    /// It is the turn of chance, and nothing may be drawn.
    #[error("in {position:?} it is the turn of chance, but chances() is empty")]
    NoChances {
        /// The position.
        position: String,
    },
    /// What may be drawn changes.
    #[error("in {position:?} chances() changes when it is asked again")]
    ChancesChange {
        /// The position.
        position: String,
    },
    /// Something to be drawn is listed twice.
    #[error("chances() lists twice: {0}")]
    ChanceTwice(DrawnAt),
    /// The probabilities are wrong.
    #[error("in {position:?} {why}")]
    NotCertain {
        /// The position.
        position: String,
        /// Which probabilities they are.
        why: NotCertain,
    },
    /// What may be drawn is refused.
    #[error("advance_chance() refuses what chances() lists, {at}: {refusal}")]
    ChanceRefused {
        /// What was drawn.
        at: DrawnAt,
        /// Why it is refused.
        refusal: Box<Refusal>,
    },
    /// What may not be drawn happens.
    #[error("advance_chance() accepts what chances() does not list: {0}")]
    ImpossibleDrawn(DrawnAt),
    /// A draw is refused without a code or without a message.
    #[error("a draw is refused without a code or a message: {0}")]
    MuteChance(DrawnAt),
    /// A draw is refused, but the position changes.
    #[error("advance_chance() refuses and still changes the position: {0}")]
    ChanceChanged(DrawnAt),
    /// Something is drawn that cannot be, or nothing where something must be.
    #[error("in {position:?} draw() gives {drawn:?}, which does not fit turn() and chances()")]
    WrongDraw {
        /// The position.
        position: String,
        /// What was drawn.
        drawn: Option<String>,
    },

    /// What happened cannot happen again.
    #[error("what happened is refused at step {step} when it is replayed: {refusal}")]
    ReplayRefused {
        /// How many steps could happen again.
        step: usize,
        /// Why no more could.
        refusal: Box<Refusal>,
    },
    /// What happened comes to another end when it happens again.
    #[error("after {steps} steps the game came to {one:?}, and replayed it comes to {other:?}")]
    ReplayDiffers {
        /// How many steps there were.
        steps: usize,
        /// What came of them.
        one: String,
        /// What comes of them now.
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
        /// What one looks like inside.
        one: String,
        /// What the other looks like inside.
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
        /// In what they differ.
        aspect: Aspect,
    },

    /// Somebody sees less than everything though nothing is hidden.
    #[error("hides() is false, but in {position:?} view() shows {viewer} {view:?}")]
    ViewDiffers {
        /// The position.
        position: String,
        /// Who looks.
        viewer: Viewer,
        /// What is shown.
        view: String,
    },
    /// Somebody could tell positions apart by what was never shown.
    #[error("{viewer} saw {seen:?} both in {one:?} and in {other:?}, but the {aspect} differ")]
    Leak {
        /// Who looks.
        viewer: Viewer,
        /// What the viewer had seen.
        seen: Vec<String>,
        /// In what the positions differ for the viewer.
        aspect: Aspect,
        /// One position.
        one: String,
        /// The other one.
        other: String,
    },
    /// Everybody could always know everything though something is said to be hidden.
    #[error("hides() is true, but in {games} games seen() told everybody everything")]
    NothingHidden {
        /// How many games were played.
        games: u64,
    },

    /// The game behaves differently in the form that speaks text.
    #[error("as AnyGame the game has other {aspect} in {position:?}: {typed} became {any}")]
    AnyDiffers {
        /// The position.
        position: String,
        /// In what it differs.
        aspect: Aspect,
        /// What it is in the game itself.
        typed: String,
        /// What it is in the other form.
        any: String,
    },

    /// The rows of a board are not equally long.
    #[error("the board of {position:?} has {cells} cells in {columns} columns")]
    BoardShape {
        /// The position.
        position: String,
        /// How many cells there are.
        cells: usize,
        /// How many columns there should be.
        columns: u8,
    },
    /// A cell has no name, or the name of another one.
    #[error("on the board of {position:?} a cell is called {name:?}: each has a name of its own")]
    CellName {
        /// The position.
        position: String,
        /// The name.
        name: String,
    },
    /// A cell offers what is no move.
    #[error("on the board of {position:?} the cell {cell} offers {text:?}, which is no move")]
    CellMove {
        /// The position.
        position: String,
        /// The name of the cell.
        cell: String,
        /// What it offers.
        text: String,
    },
    /// A legal move cannot be made by pointing at the board.
    #[error("no cell of the board offers a legal move: {0}")]
    NotOnBoard(MoveAt),
}

/// A seat in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatAt {
    /// The position.
    pub position: String,
    /// The seat.
    pub seat: Seat,
}

/// A move of a seat in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveAt {
    /// The position.
    pub position: String,
    /// The seat.
    pub seat: Seat,
    /// The move.
    pub chosen: String,
}

/// Moves in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovesAt {
    /// The position.
    pub position: String,
    /// The seats and their moves.
    pub moves: Vec<(Seat, String)>,
}

/// Something that chance draws in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnAt {
    /// The position.
    pub position: String,
    /// What is drawn.
    pub drawn: String,
}

/// What a text stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// Something that a seat chooses.
    Move,
    /// Something that chance draws.
    Chance,
}

/// In what two things can differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Aspect {
    /// The name of the game, its seats and whether something is hidden.
    Description,
    /// Who must act.
    Turn,
    /// What may be chosen.
    LegalMoves,
    /// What may be drawn.
    Chances,
    /// What is refused, and why.
    Refusals,
    /// What comes next.
    Next,
    /// The position in one line.
    Text,
    /// The position in one line, as somebody sees it.
    View,
    /// The position as it is drawn.
    Picture,
    /// What somebody sees of what happens.
    Seen,
    /// What is read from a text.
    Reading,
    /// Which positions are equal.
    Equality,
    /// The hashes of positions.
    Hash,
}

impl fmt::Display for SeatAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {:?}", self.seat, self.position)
    }
}

impl fmt::Display for MoveAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {} in {:?}", self.chosen, self.seat, self.position)
    }
}

impl fmt::Display for MovesAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (seat, chosen)) in self.moves.iter().enumerate() {
            let before = if index == 0 { "" } else { ", " };
            write!(f, "{before}{chosen:?} of {seat}")?;
        }
        let nothing = if self.moves.is_empty() { "nothing" } else { "" };
        write!(f, "{nothing} in {:?}", self.position)
    }
}

impl fmt::Display for DrawnAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} in {:?}", self.drawn, self.position)
    }
}

impl fmt::Display for WordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Move => "move",
            Self::Chance => "draw",
        })
    }
}

/// In the plural, to stand in a sentence.
impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Description => "descriptions",
            Self::Turn => "turns",
            Self::LegalMoves => "legal moves",
            Self::Chances => "chances",
            Self::Refusals => "refusals",
            Self::Next => "next positions",
            Self::Text => "texts",
            Self::View => "views",
            Self::Picture => "pictures",
            Self::Seen => "things that are seen",
            Self::Reading => "moves for a text",
            Self::Equality => "equal positions",
            Self::Hash => "hashes",
        })
    }
}

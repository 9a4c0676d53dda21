//! The rulebook of m,n,k and its variants.

use std::fmt;

use bthread::{AnyBThread, Name};
use game::{BGame, Grid, Outcome, Picture, Reason, Refusal, Rulebook, Seat};

use super::board::Board;
use super::cell::Cell;
use super::event::Event;
use super::line::Line;
use super::placement::Placement;
use super::rules::rules;
use super::size::Size;
use super::strategies::strategies;
use crate::tic_tac_toe::{Mark, piece, reason};

/// An m,n,k game or one of its variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mnk {
    size: Size,
    variant: Variant,
}

/// Whether a line wins or loses, and which marks the players write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Each player writes its own mark, and a line of it wins.
    Usual,
    /// Each player writes its own mark, and a line of it loses.
    Misere,
    /// Both players write either mark, and the player who completes a line wins.
    Wild,
    /// Both players write X, and the player who completes a line loses.
    Notakto,
}

impl Mnk {
    /// The game on a board of this size.
    #[must_use]
    pub fn new(size: Size, variant: Variant) -> Self {
        Self { size, variant }
    }

    /// The size of the board.
    #[must_use]
    pub fn size(self) -> Size {
        self.size
    }

    /// The variant.
    #[must_use]
    pub fn variant(self) -> Variant {
        self.variant
    }

    /// The game, played by its b-threads.
    #[must_use]
    pub fn game(self) -> BGame<Self> {
        BGame::new(self).expect("the rules are a program that comes to rest")
    }

    /// The marks that a player may write.
    fn marks_of(self, player: Mark) -> Vec<Mark> {
        match self.variant {
            Variant::Usual | Variant::Misere => vec![player],
            Variant::Wild => vec![Mark::X, Mark::O],
            Variant::Notakto => vec![Mark::X],
        }
    }

    /// The move that writes a mark into a cell.
    fn placement(self, mark: Mark, cell: Cell) -> Placement {
        let mark = (self.variant == Variant::Wild).then_some(mark);
        Placement { mark, cell }
    }

    fn cell(self, board: &Board, cell: Cell) -> game::GridCell {
        let mark = board.at(cell);
        let moves: &[Mark] =
            if self.variant == Variant::Wild { &[Mark::X, Mark::O] } else { &[Mark::X] };
        let is_whose = matches!(self.variant, Variant::Usual | Variant::Misere);
        let whose = |mut piece: game::Piece| {
            piece.seat = piece.seat.filter(|_| is_whose);
            piece
        };
        let decides = |line: Line| line.cells().any(|other| other == cell);
        let mut lines = Line::all(self.size).filter(|line| decides(*line));
        game::GridCell {
            name: cell.to_string(),
            piece: mark.map(piece).map(whose),
            moves: moves.iter().map(|mark| self.placement(*mark, cell).to_string()).collect(),
            decides: mark.is_some() && lines.any(|line| board.filled(line).is_some()),
            owner: None,
        }
    }

    /// Whether a move names a cell of the board and, in wild only, a mark.
    fn has(self, chosen: Placement) -> bool {
        let is_wild = self.variant == Variant::Wild;
        self.size.place(chosen.cell).is_some() && chosen.mark.is_some() == is_wild
    }

    /// Reads a cell as its number or as row,column: `4`, `1,1`.
    fn read_numbers(self, text: &str) -> Option<Cell> {
        match text.split_once(',') {
            None => self.size.cell(text.parse().ok()?),
            Some((row, column)) => {
                let cell = Cell { column: column.parse().ok()?, row: row.parse().ok()? };
                self.size.place(cell).map(|_| cell)
            }
        }
    }

    fn bounds(self) -> String {
        let last = self.size.cell(self.size.area() - 1).expect("a board has a cell");
        let (mark, cells) = match self.variant {
            Variant::Wild => ("X or O and then ", "Xa1"),
            Variant::Usual | Variant::Misere | Variant::Notakto => ("", "a1"),
        };
        format!("write {mark}a cell from a1 to {last}, as in {cells}")
    }
}

impl Rulebook for Mnk {
    type Event = Event;
    type Move = Placement;
    type Board = Board;

    fn name(&self) -> String {
        let Self { size, variant } = self;
        match variant {
            Variant::Usual => format!("mnk:{size}"),
            variant if *size == Size::THREE => variant.to_string(),
            variant => format!("{variant}:{size}"),
        }
    }

    fn seats(&self) -> Vec<&str> {
        match self.variant {
            Variant::Usual | Variant::Misere => vec!["X", "O"],
            Variant::Wild | Variant::Notakto => vec!["First", "Second"],
        }
    }

    fn rules(&self) -> Vec<AnyBThread<Event>> {
        AnyBThread::all(rules(*self))
    }

    fn moves(&self, seat: Seat) -> Vec<(Placement, Event)> {
        let Some(by) = Mark::of(seat) else { return Vec::new() };
        let marks = self.marks_of(by).into_iter();
        let moves = marks.flat_map(|mark| {
            let event = move |cell| Event::Mark { by, mark, cell };
            self.size.cells().map(move |cell| (self.placement(mark, cell), event(cell)))
        });
        moves.collect()
    }

    fn results(&self) -> Vec<(Event, Outcome)> {
        let win = |mark: Mark| (Event::Win(mark), Outcome::won_by(mark.seat()));
        vec![win(Mark::X), win(Mark::O), (Event::Draw, Outcome::draw())]
    }

    fn empty_board(&self) -> Board {
        Board::empty(self.size)
    }

    fn record(&self, board: &mut Board, event: &Event) {
        board.record(*event);
    }

    fn text(&self, board: &Board) -> String {
        board.line()
    }

    fn picture(&self, board: &Board) -> Picture {
        let cells = self.size.cells().map(|cell| self.cell(board, cell)).collect();
        Picture::of(Grid { columns: self.size.columns(), cells, block: 1 })
    }

    fn reason(&self, thread: &Name) -> Reason {
        reason(thread)
    }

    fn line(&self, requested_by: &Name) -> Option<String> {
        // The mark comes first and the line last: `DetectWin(X,a1-c1)`, `DetectWin(X by O,a1-c1)`.
        let (mark, line) = requested_by.parameter()?.rsplit_once(',')?;
        let mark = mark.split(' ').next()?;
        Some(match self.variant {
            // The winner's own mark, or the only one.
            Variant::Usual | Variant::Notakto => line.to_owned(),
            Variant::Misere | Variant::Wild => format!("{mark} {line}"),
        })
    }

    fn read(&self, text: &str) -> Result<Placement, Refusal> {
        let (mark, numbers) = match text.chars().next() {
            Some('X') => (Some(Mark::X), text.get(1..).unwrap_or_default()),
            Some('O') => (Some(Mark::O), text.get(1..).unwrap_or_default()),
            _ => (None, text),
        };
        let by_number = self.read_numbers(numbers).map(|cell| Placement { mark, cell });
        let read = by_number.or_else(|| text.parse().ok());
        let refused =
            || Reason::out_of_bounds(format!("{text:?} is not a move: {}", self.bounds()));
        read.filter(|chosen| self.has(*chosen)).ok_or_else(|| refused().into())
    }

    fn strategies(&self, seat: Seat) -> Vec<AnyBThread<Event>> {
        match (self.variant, Mark::of(seat)) {
            (Variant::Usual, Some(player)) => AnyBThread::all(strategies(self.size, player)),
            _ => Vec::new(),
        }
    }

    fn unknown_move(&self, chosen: &Placement) -> String {
        format!("{chosen} is not a move: {}", self.bounds())
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Usual => "mnk",
            Self::Misere => "misere",
            Self::Wild => "wild",
            Self::Notakto => "notakto",
        })
    }
}

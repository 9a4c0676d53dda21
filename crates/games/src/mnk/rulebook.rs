//! The rulebook of m,n,k and its variants.

use std::fmt;
use std::sync::Arc;

use bthread::{AnyBThread, Name};
use game::{
    BGame, DeclaredGame, ExactSolver, GameCode, Grid, Outcome, Picture, PlayerKind, Reason,
    Refusal, Rulebook, RulesSize, Seat, Seats, SkillLevel, WithSearches,
};

use super::board::Board;
use super::cell::Cell;
use super::event::Event;
use super::line::Line;
use super::placement::Placement;
use super::rules::rules;
use super::size::Size;
use super::solver::{MnkSolver, estimate, is_quick};
use super::strategies::strategies;
use crate::small_board::SmallBoardLevels;
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

    /// The game as it is known before it is built.
    #[must_use]
    pub fn declared(self) -> DeclaredGame {
        self.declared_with::<WithSearches>()
    }

    /// As [`Mnk::declared`], with this much of its code.
    pub(crate) fn declared_with<C: GameCode>(self) -> DeclaredGame {
        let build = move |table_bytes| {
            C::any(BGame::within(self, table_bytes).expect("the rules are a program"))
        };
        let declared = DeclaredGame::of_rules(self.name(), &self.seats(), self.rules_size(), build);
        let declared = match self.variant {
            Variant::Usual => {
                let declared = declared.with_strategies(Seats::first(2)).with_estimate();
                if is_quick(self.size) { declared.with_quick_solver() } else { declared }
            }
            Variant::Misere => declared.with_estimate(),
            Variant::Wild | Variant::Notakto => declared,
        };
        match self.most_positions() {
            Some(most) => declared.with_positions(most),
            None => declared,
        }
    }

    /// The size of its rules.
    fn rules_size(self) -> RulesSize {
        let (area, lines) = (u64::from(self.size.area()), Line::all(self.size).count() as u64);
        let (events, detectors) = match self.variant {
            Variant::Usual | Variant::Misere | Variant::Notakto => (2 * area, 2 * lines),
            Variant::Wild => (4 * area, 4 * lines),
        };
        // `EndOfGame` and `EnforceTurns`, each `SquareTaken`, each detector, and `DetectDraw`.
        let length = u64::from(self.size.length());
        let sync_points = 4 + 2 * area + detectors * (length + 1) + (area + 1);
        RulesSize { events: events + 3, threads: 3 + area + detectors, sync_points, known_bytes: 0 }
    }

    /// The number of boards that players can fill in turn, ignoring that lines end the game; `None` if
    /// it is beyond any search.
    fn most_positions(self) -> Option<u64> {
        let area = u64::from(self.size.area());
        let power = |base: u64| base.checked_pow(area.try_into().ok()?);
        match self.variant {
            Variant::Wild => power(3),
            Variant::Notakto => power(2),
            Variant::Usual | Variant::Misere => (0..=area).try_fold(0_u64, |sum, marks| {
                let crosses = marks.div_ceil(2);
                let boards = choose(area, crosses)?.checked_mul(choose(area - crosses, marks / 2)?);
                sum.checked_add(boards?)
            }),
        }
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

    /// A cell of a board on which these lines are full of one mark.
    fn cell(self, board: &Board, filled: &[Line], cell: Cell) -> game::GridCell {
        let mark = board.at(cell);
        let moves: &[Mark] =
            if self.variant == Variant::Wild { &[Mark::X, Mark::O] } else { &[Mark::X] };
        let is_whose = matches!(self.variant, Variant::Usual | Variant::Misere);
        let whose = |mut piece: game::Piece| {
            piece.seat = piece.seat.filter(|_| is_whose);
            piece
        };
        game::GridCell {
            name: cell.to_string(),
            piece: mark.map(piece).map(whose),
            moves: moves.iter().map(|mark| self.placement(*mark, cell).to_string()).collect(),
            decides: filled.iter().any(|line| line.cells().any(|other| other == cell)),
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

/// The number of ways to choose `count` of `all`, unless it is huge.
fn choose(all: u64, count: u64) -> Option<u64> {
    (0..count).try_fold(1_u64, |ways, chosen| Some(ways.checked_mul(all - chosen)? / (chosen + 1)))
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
        let lines = Line::all(self.size);
        let filled: Vec<Line> = lines.filter(|line| board.filled(*line).is_some()).collect();
        let cells = self.size.cells().map(|cell| self.cell(board, &filled, cell)).collect();
        Picture::of(Grid { columns: self.size.columns(), cells, block: 1 })
    }

    fn reason(&self, thread: &Name) -> Reason {
        reason(thread)
    }

    fn purpose(&self, strategy: &Name) -> Option<String> {
        let length = self.size.length();
        // The number of marks comes last: `ExtendLine(a1-c1,2)`.
        let count = || strategy.parameter()?.rsplit_once(',')?.1.parse::<u8>().ok();
        Some(match strategy.family() {
            "ExtendLine" if count()? + 1 == length => format!("It completed {length} in a row."),
            "ExtendLine" => format!("It made its line {} long.", count()? + 1),
            "StopLine" => format!("It stopped a line that was {} long.", count()?),
            "DefaultMoves" => {
                "Nothing was urgent, so it took the free square nearest to the middle.".to_owned()
            }
            _ => return None,
        })
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

    fn level(&self, level: SkillLevel) -> Option<PlayerKind> {
        if self.variant() == Variant::Usual && self.size().area() > MOST_SIMULATED_CELLS {
            return Some(large_board_level(level));
        }
        let levels = match self.variant() {
            Variant::Usual | Variant::Misere => SmallBoardLevels::OWN_MARKS,
            Variant::Notakto => SmallBoardLevels::ONE_MARK,
            Variant::Wild => SmallBoardLevels::ANY_MARK,
        };
        (self.size() == Size::THREE).then(|| levels.player(level))
    }

    fn estimate(&self, board: &Board, seat: Seat) -> Option<i32> {
        estimate(*self, board, seat)
    }

    fn solver(&self) -> Option<Arc<dyn ExactSolver<BGame<Self>>>> {
        MnkSolver::of(*self)
    }

    fn unknown_move(&self, chosen: &Placement) -> String {
        format!("{chosen} is not a move: {}", self.bounds())
    }
}

/// On more cells a thousand simulations try each of them a few times, and see little.
const MOST_SIMULATED_CELLS: u16 = 60;

/// The players of a large board, where estimates are stronger than simulations.
const fn large_board_level(level: SkillLevel) -> PlayerKind {
    match level {
        SkillLevel::Easy => PlayerKind::Mcts(5),
        SkillLevel::Fair => PlayerKind::Heuristic,
        SkillLevel::Hard => PlayerKind::AlphaBeta(2),
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

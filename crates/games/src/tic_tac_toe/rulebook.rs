//! The rulebook of tic-tac-toe.

use bthread::{AnyBThread, Name};
use game::{
    BGame, Code, DeclaredGame, GameCode, Grid, GridCell, Outcome, Picture, Piece, PlayerKind,
    Reason, Rulebook, RulesRequirement, RulesSize, Seat, Seats, SkillLevel, WithSearches,
    WithoutSearches,
};

use super::board::Board;
use super::bthreads::BThreads;
use super::event::{Event, Mark};
use super::line::Line;
use super::requirement::Requirement;
use super::square::Square;
use super::strategies_of_x::strategies_of_x;
use crate::small_board::SmallBoardLevels;

/// Tic-tac-toe as a [`Game`](game::Game).
pub type TicTacToe = BGame<Rules>;

/// The rules of tic-tac-toe, which are the b-threads of [`BThreads::for_people`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules;

/// Tic-tac-toe, played by its b-threads.
///
/// ```
/// use game::{Game, Seat};
/// use games::tic_tac_toe::{Square, game};
///
/// let game = game();
/// let position = game.play(&game.start(), Seat::FIRST, Square::B2)?;
/// assert_eq!(game.text(&position), "    X    ");
/// assert_eq!(game.legal_moves(&position, Seat::SECOND).len(), 8);
///
/// let refusal = game.play(&position, Seat::SECOND, Square::B2).unwrap_err();
/// assert_eq!(refusal.to_string(), "That cell is already marked: SquareTaken(b2)");
/// # Ok::<(), game::Refusal>(())
/// ```
#[must_use]
pub fn game() -> TicTacToe {
    BGame::new(Rules).expect("the rules are a program that comes to rest")
}

/// Tic-tac-toe as it is known before it is built.
#[must_use]
pub fn declared() -> DeclaredGame {
    declared_with::<WithSearches>()
}

/// As [`declared`], without the players that search; see [`game::AnyGame::without_searches`].
#[must_use]
pub fn declared_without_searches() -> DeclaredGame {
    declared_with::<WithoutSearches>()
}

/// As [`declared`], with this much of its code.
pub(crate) fn declared_with<C: GameCode>() -> DeclaredGame {
    let build =
        |table_bytes| C::any(BGame::within(Rules, table_bytes).expect("the rules are a program"));
    // The positions were counted by the checker; see the tests of the solved game.
    DeclaredGame::of_rules(Rules.name(), &Rules.seats(), SIZE, build)
        .with_strategies(Seats::first(2))
        .with_estimate()
        .with_positions(5_478)
}

/// 9 marks of each player and 3 results. `EndOfGame` and `EnforceTurns`, each `SquareTaken`, each
/// `DetectWin` and `DetectDraw`.
const SIZE: RulesSize = RulesSize {
    events: 21,
    threads: 3 + 9 + 16,
    sync_points: 4 + 2 * 9 + 16 * 4 + 10,
    known_bytes: 0,
};

impl Mark {
    /// The seat of the player.
    #[must_use]
    pub const fn seat(self) -> Seat {
        match self {
            Self::X => Seat::FIRST,
            Self::O => Seat::SECOND,
        }
    }

    /// The player of a seat; `None` if the game does not have the seat.
    #[must_use]
    pub fn of(seat: Seat) -> Option<Self> {
        [Self::X, Self::O].into_iter().find(|mark| mark.seat() == seat)
    }
}

impl Rulebook for Rules {
    type Event = Event;
    type Move = Square;
    type Board = Board;

    fn name(&self) -> String {
        "tic-tac-toe".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        vec!["X", "O"]
    }

    fn rules(&self) -> Vec<AnyBThread<Event>> {
        BThreads::for_people().rules().to_vec()
    }

    fn moves(&self, seat: Seat) -> Vec<(Square, Event)> {
        let marks = Mark::of(seat).into_iter();
        marks
            .flat_map(|mark| Square::ALL.map(|square| (square, Event::Mark(mark, square))))
            .collect()
    }

    fn results(&self) -> Vec<(Event, Outcome)> {
        let win = |mark: Mark| (Event::Win(mark), Outcome::won_by(mark.seat()));
        vec![win(Mark::X), win(Mark::O), (Event::Draw, Outcome::draw())]
    }

    fn empty_board(&self) -> Board {
        Board::default()
    }

    #[inline]
    fn record(&self, board: &mut Board, event: &Event) {
        board.record(*event);
    }

    fn text(&self, board: &Board) -> String {
        board.line()
    }

    fn picture(&self, board: &Board) -> Picture {
        let decides = |square: Square| {
            Line::ALL.into_iter().any(|line| line.contains(square) && board.filled(line).is_some())
        };
        let cell = |square: Square| GridCell {
            name: square.to_string(),
            piece: board.at(square).map(piece),
            moves: vec![square.to_string()],
            decides: decides(square),
            owner: None,
        };
        Picture::of(Grid { columns: 3, cells: Square::ALL.map(cell).into(), block: 1 })
    }

    fn reason(&self, thread: &Name) -> Reason {
        reason(thread)
    }

    fn purpose(&self, strategy: &Name) -> Option<String> {
        let sentence = match strategy.family() {
            "AddThirdO" | "AddThirdX" => "It completed three in a row.",
            "PreventThirdX" => "It stopped X from completing three in a row.",
            "PreventThirdO" => "It stopped O from completing three in a row.",
            "PreventXFork" | "PreventAnotherXFork" | "PreventYetAnotherXFork" => {
                "It prevented a fork: two threats of X at once."
            }
            "DefaultMoves" | "DefaultXMoves" => {
                "Nothing was urgent, so it took the best free square: centre, corner, edge."
            }
            _ => return None,
        };
        Some(sentence.to_owned())
    }

    /// The numbers of the squares, as in seed games: `0,3,6`.
    fn line(&self, requested_by: &Name) -> Option<String> {
        let squares = requested_by.parameter()?.split(',');
        let numbers =
            squares.map(|square| Some(square.parse::<Square>().ok()?.number().to_string()));
        Some(numbers.collect::<Option<Vec<_>>>()?.join(","))
    }

    fn level(&self, level: SkillLevel) -> Option<PlayerKind> {
        Some(SmallBoardLevels::OWN_MARKS.player(level))
    }

    /// Lines that are still open count: one mark 1, two marks 10.
    fn estimate(&self, board: &Board, seat: Seat) -> Option<i32> {
        let own = Mark::of(seat)?;
        let line = |line: Line| {
            let marks = line.squares().map(|square| board.at(square));
            let count = |mark| marks.iter().filter(|found| **found == Some(mark)).count();
            match (count(own), count(own.other())) {
                (0, 0) => 0,
                (ours, 0) => [0, 1, 10, 999][ours],
                (0, theirs) => -[0, 1, 10, 999][theirs],
                _ => 0,
            }
        };
        Some(Line::ALL.into_iter().map(line).sum::<i32>().clamp(-999, 999))
    }

    fn strategies(&self, seat: Seat) -> Vec<AnyBThread<Event>> {
        match Mark::of(seat) {
            Some(Mark::X) => AnyBThread::all(strategies_of_x()),
            Some(Mark::O) => BThreads::for_a_person_as_x().strategies().to_vec(),
            None => Vec::new(),
        }
    }

    /// Beside the usual one: O, which follows its strategies, never loses.
    fn requirements(&self) -> Vec<RulesRequirement<Event>> {
        let never = Requirement::XNeverWins;
        let results = self.results().into_iter().map(|(event, _)| event);
        vec![
            RulesRequirement::watched(never.b_thread(), never.sentence()),
            RulesRequirement::exactly_one_result(results),
        ]
    }

    fn strategists(&self) -> Seats {
        Seats::one(Mark::O.seat())
    }
}

/// A mark as a piece on a board.
pub(crate) fn piece(mark: Mark) -> Piece {
    Piece { symbol: mark.to_string(), seat: Some(mark.seat()) }
}

/// Why one of the rules blocks a move. The rules of m,n,k have the same names.
pub(crate) fn reason(thread: &Name) -> Reason {
    match thread.family() {
        "EndOfGame" => Reason::game_over(&Outcome::draw()),
        "EnforceTurns" => Reason::not_your_turn(),
        "SquareTaken" => Reason::already_taken(),
        _ => Reason::new(Code::ILLEGAL_MOVE, format!("{thread} does not allow it")),
    }
}

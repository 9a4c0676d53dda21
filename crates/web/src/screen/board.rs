//! What the screen shows of a board.

use game::{AnyPosition, Game, Grid, MoveText, Picture, Ply, Seat, Viewer};
use table::TableState;

use crate::language::{say, say_with};
use crate::session::SessionView;
#[cfg(feature = "page")]
use crate::small_board::SmallBoard;

/// What the screen shows of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardScreen {
    /// The squares, row by row.
    pub squares: Vec<BoardSquare>,
    /// The number of squares in a row.
    pub columns: usize,
    /// The side of a block in squares; 1 on a board without blocks.
    pub block_side: usize,
    /// The blocks, row by row; none on a board without blocks.
    pub blocks: Vec<BoardBlock>,
}

/// A square of the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardSquare {
    /// Its name: `b2`.
    pub name: String,
    /// The symbol on it, and the seat of the game that it belongs to.
    pub mark: Option<(String, Option<Seat>)>,
    /// Whether the server has yet to confirm the mark.
    pub is_pending: bool,
    /// Whether it is part of what decided the round.
    pub decides: bool,
    /// Whether the last move was made here.
    pub is_last: bool,
    /// The legal moves that a click can mean: at most one in most games.
    pub moves: Vec<String>,
    /// A move that a click would mean, legal or not.
    pub any_move: Option<String>,
}

/// A block of squares that belong together: one of the nine small boards of ultimate tic-tac-toe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardBlock {
    /// The name of its first square: `a1`.
    pub first: String,
    /// The name of its last square: `c3`.
    pub last: String,
    /// The symbol and the seat of the game that has won it.
    pub owner: Option<(String, Seat)>,
    /// The seat of the game whose next move can go here.
    pub open_to: Option<Seat>,
}

impl BoardScreen {
    pub(super) fn new(
        view: &SessionView<'_>,
        viewer: Viewer,
        picture: &Picture,
        legal: &[String],
    ) -> Self {
        let Some(grid) = &picture.board else { return Self { columns: 1, ..Self::default() } };
        let is_same_round = view.confirmed.round() == view.shown.round();
        let confirmed =
            if is_same_round { view.confirmed.view(viewer).picture } else { Picture::default() };
        let last = last_move(view);
        let squares = grid.cells.iter().enumerate().map(|(index, cell)| {
            let before = confirmed.board.as_ref().and_then(|board| board.cells.get(index));
            let is_confirmed = before.is_some_and(|before| before.piece == cell.piece);
            let is_last = last.as_ref().is_some_and(|last| cell.moves.contains(last));
            BoardSquare {
                name: cell.name.clone(),
                mark: cell.piece.as_ref().map(|piece| (piece.symbol.clone(), piece.seat)),
                is_pending: cell.piece.is_some() && !is_confirmed,
                decides: cell.decides,
                is_last: cell.piece.is_some() && is_last,
                moves: cell.moves.iter().filter(|chosen| legal.contains(chosen)).cloned().collect(),
                any_move: cell.moves.first().filter(|_| view.ending.is_none()).cloned(),
            }
        });
        Self {
            squares: squares.collect(),
            columns: usize::from(grid.columns),
            block_side: usize::from(grid.block).max(1),
            blocks: blocks(view, grid),
        }
    }

    /// The board of a picture that nobody plays on.
    #[must_use]
    pub fn of(picture: &Picture) -> Self {
        let Some(grid) = &picture.board else { return Self { columns: 1, ..Self::default() } };
        let squares = grid.cells.iter().map(|cell| BoardSquare {
            name: cell.name.clone(),
            mark: cell.piece.as_ref().map(|piece| (piece.symbol.clone(), piece.seat)),
            decides: cell.decides,
            any_move: cell.moves.first().cloned(),
            ..BoardSquare::default()
        });
        let (columns, side) = (usize::from(grid.columns), usize::from(grid.block).max(1));
        let blocks = if side > 1 { columns / side * (grid.rows() / side) } else { 0 };
        Self {
            squares: squares.collect(),
            columns,
            block_side: side,
            blocks: vec![BoardBlock::default(); blocks],
        }
    }

    /// The small picture of a game.
    #[cfg(feature = "page")]
    pub(crate) fn small(board: SmallBoard) -> Self {
        let squares = board.marks.chars().map(|mark| {
            let seat = match mark {
                'X' => Some(Seat::FIRST),
                'O' => Some(Seat::SECOND),
                _ => None,
            };
            let mark = (mark != '.').then(|| (mark.to_ascii_uppercase().to_string(), seat));
            BoardSquare { mark, ..BoardSquare::default() }
        });
        let squares: Vec<BoardSquare> = squares.collect();
        let (columns, side) = (board.columns, board.block_side);
        let blocks = if side > 1 { squares.len() / (side * side) } else { 0 };
        Self { squares, columns, block_side: side, blocks: vec![BoardBlock::default(); blocks] }
    }

    /// The board after `step` moves of the round. Nothing can be played there.
    pub(super) fn after(view: &SessionView<'_>, step: usize) -> Self {
        let state = view.shown;
        let viewer = match view.acting_seat() {
            Some(seat) => Viewer::Seat(state.in_game(seat)),
            None => Viewer::Spectator,
        };
        let history = &state.history()[..step.min(state.history().len())];
        let picture = state.game().picture(&position_after(state, history), viewer);
        let mut board = Self::of(&picture);
        let (Some(grid), Some(last)) = (&picture.board, last_of(history)) else { return board };
        for (square, cell) in board.squares.iter_mut().zip(&grid.cells) {
            square.is_last = cell.piece.is_some() && cell.moves.contains(&last);
        }
        let blocks = blocks(view, grid).into_iter();
        board.blocks = blocks.map(|block| BoardBlock { open_to: None, ..block }).collect();
        board
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.squares.len() / self.columns.max(1)
    }

    /// The column and row of a square.
    #[must_use]
    pub fn place(&self, square: usize) -> (usize, usize) {
        (square % self.columns.max(1), square / self.columns.max(1))
    }

    /// The number of a square's block; `None` on a board without blocks.
    fn block_index(&self, square: usize) -> Option<usize> {
        let ((column, row), side) = (self.place(square), self.block_side.max(1));
        let index = row / side * (self.columns / side) + column / side;
        (index < self.blocks.len()).then_some(index)
    }

    /// A square in words, for screen readers.
    #[must_use]
    pub fn label(&self, index: usize) -> String {
        let Some(square) = self.squares.get(index) else { return String::new() };
        let mark = square.mark.as_ref().map_or_else(|| say("empty"), |(symbol, _)| symbol.clone());
        let mut facts = vec![square.name.clone(), mark];
        if square.is_pending {
            facts.push(say("on its way"));
        }
        if square.decides {
            facts.push(say("in the winning line"));
        }
        if let Some(block) = self.block_index(index).map(|block| &self.blocks[block]) {
            let (first, last) = (block.first.as_str(), block.last.as_str());
            facts.push(say_with("board {first} to {last}", &[("first", first), ("last", last)]));
            match &block.owner {
                Some((symbol, _)) => facts.push(say_with("won by {symbol}", &[("symbol", symbol)])),
                None if block.open_to.is_some() => facts.push(say("open for the next move")),
                None => {}
            }
        }
        facts.join(", ")
    }

    /// The first and last square of each straight run that decided the round. Runs end at the edges
    /// of blocks; of several runs only the longest count.
    #[must_use]
    pub fn winning_runs(&self) -> Vec<(usize, usize)> {
        let (columns, rows) = (self.columns, self.rows());
        let block = |index: usize| self.block_index(index);
        let decides = |column: usize, row: usize| {
            column < columns && row < rows && self.squares[row * columns + column].decides
        };
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for index in 0..self.squares.len() {
            let (column, row) = self.place(index);
            for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let at = |steps: isize| {
                    let column = column.checked_add_signed(right * steps)?;
                    let row = row.checked_add_signed(down * steps)?;
                    let there = row * columns + column;
                    (decides(column, row) && block(there) == block(index)).then_some(there)
                };
                if at(0).is_none() || at(-1).is_some() {
                    continue;
                }
                let run: Vec<usize> = (0..).map_while(at).collect();
                if let (Some(&first), Some(&last)) = (run.first(), run.last()) {
                    runs.push((run.len(), first, last));
                }
            }
        }
        let longest = runs.iter().map(|(length, ..)| *length).max().unwrap_or_default();
        let is_longest = |(length, ..): &&(usize, usize, usize)| *length == longest && longest > 1;
        runs.iter().filter(is_longest).map(|(_, first, last)| (*first, *last)).collect()
    }
}

/// The position after these plies of a round. A ply that the rules refuse ends it.
pub(crate) fn position_after(
    state: &TableState,
    history: &[Ply<MoveText, MoveText>],
) -> AnyPosition {
    let mut position = state.game().start();
    for ply in history {
        let played = match ply {
            Ply::Moves(moves) => state.game().advance_all(&mut position, moves),
            Ply::Chance(drawn) => state.game().advance_chance(&mut position, drawn),
        };
        if played.is_err() {
            break;
        }
    }
    position
}

/// The text of the last move of the round.
fn last_move(view: &SessionView<'_>) -> Option<String> {
    last_of(view.shown.history())
}

fn last_of(history: &[Ply<MoveText, MoveText>]) -> Option<String> {
    match history.last()? {
        Ply::Moves(moves) => moves.last().map(|(_, chosen)| chosen.to_string()),
        Ply::Chance(_) => None,
    }
}

/// The blocks of a grid, row by row; none on a board without blocks.
fn blocks(view: &SessionView<'_>, grid: &Grid) -> Vec<BoardBlock> {
    let (side, columns) = (usize::from(grid.block), usize::from(grid.columns));
    if side < 2 {
        return Vec::new();
    }
    let legal = legal_moves(view);
    let symbols = view.shown.game().seats();
    let block = |first: usize| {
        let square = |index: usize| grid.cells.get(first + index / side * columns + index % side);
        let squares: Vec<_> = (0..side * side).filter_map(square).collect();
        let name = |index: usize| squares.get(index).map_or("", |cell| cell.name.as_str());
        let owner = squares.first().and_then(|cell| cell.owner);
        let is_here = |chosen: &String| squares.iter().any(|cell| cell.moves.contains(chosen));
        let symbol = |seat: Seat| symbols.get(seat.index()).copied().unwrap_or_default().to_owned();
        BoardBlock {
            first: name(0).to_owned(),
            last: name(squares.len().saturating_sub(1)).to_owned(),
            owner: owner.map(|seat| (symbol(seat), seat)),
            open_to: legal.iter().find(|(_, chosen)| is_here(chosen)).map(|(seat, _)| *seat),
        }
    };
    let firsts = (0..grid.rows())
        .step_by(side)
        .flat_map(|row| (0..columns).step_by(side).map(move |column| row * columns + column));
    firsts.map(block).collect()
}

/// The legal moves of all seats of the game that are in turn, also those of other players.
fn legal_moves(view: &SessionView<'_>) -> Vec<(Seat, String)> {
    let state = view.shown;
    if !state.is_full() || state.outcome().is_some() {
        return Vec::new();
    }
    let seats = state.turn();
    let moves = seats.iter().map(|seat| state.in_game(seat)).flat_map(|seat| {
        let moves = state.game().legal_moves(state.position(), seat);
        moves.map(move |chosen| (seat, chosen.to_string()))
    });
    moves.collect()
}

//! The marks on the nine boards.

use game::{Generator, Seat};

use super::board::Board;
use super::line::{ALL, full_lines, has_line, in_lines, open_weight};
use super::square::Square;
use crate::x_and_o::XoStatus;

/// The marks, the boards that are won, and where the next move must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The marks of X and those of O on every board.
    marks: [[u16; 9]; 2],
    /// The boards that X has won and those that O has won.
    won: [u16; 2],
    /// The boards that are won or full.
    closed: u16,
    /// The board in which the next move must be; `None` if it may be in any that is open.
    next: Option<Board>,
    status: XoStatus,
}

impl Position {
    /// No marks; X is to move, anywhere.
    pub(super) const START: Self = Self {
        marks: [[0; 9]; 2],
        won: [0; 2],
        closed: 0,
        next: None,
        status: XoStatus::ToMove(Seat::FIRST),
    };

    /// The status of the game.
    pub(super) const fn status(&self) -> XoStatus {
        self.status
    }

    /// The board in which the next move must be; `None` if it may be in any that is open, or if
    /// the game is over.
    #[must_use]
    pub const fn next_board(&self) -> Option<Board> {
        self.next
    }

    /// The seat that has marked a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<Seat> {
        let has_marked = |seat: &Seat| self.of(*seat, square.board()) & square.bit() != 0;
        [Seat::FIRST, Seat::SECOND].into_iter().find(has_marked)
    }

    /// The seat that has won a board.
    #[must_use]
    pub fn winner_of(&self, board: Board) -> Option<Seat> {
        let has_won = |seat: &Seat| self.won[seat.index()] & board.bit() != 0;
        [Seat::FIRST, Seat::SECOND].into_iter().find(has_won)
    }

    /// Whether the mark is in a line of one of the boards that decided the game.
    pub(super) fn decides(&self, square: Square) -> bool {
        self.status.winner().is_some_and(|winner| {
            let boards = in_lines(self.won[winner.index()]);
            let marks = in_lines(self.of(winner, square.board()));
            boards & square.board().bit() != 0 && marks & square.bit() != 0
        })
    }

    /// The lines of three boards that a seat has won: `a1 to c3, d4 to f6, g7 to i9`.
    pub(super) fn lines_of(&self, seat: Seat) -> Vec<String> {
        let name = |line: u16| {
            let boards = Board::all().filter(|board| line & board.bit() != 0);
            boards.map(|board| board.to_string()).collect::<Vec<_>>().join(", ")
        };
        full_lines(self.won[seat.index()]).map(name).collect()
    }

    /// The squares that a seat may mark.
    pub(super) fn open_squares(&self, seat: Seat) -> Squares {
        match (self.status.is_to_move(seat), self.next) {
            (false, _) => Squares::default(),
            (true, Some(board)) => Squares::of(std::iter::once(board), |board| self.free(board)),
            (true, None) => Squares::of(self.open_boards(), |board| self.free(board)),
        }
    }

    /// The number of squares that the seat to move may mark.
    pub(super) fn count_open_squares(&self) -> u32 {
        match self.next {
            Some(board) => self.count_free(board),
            None => self.open_boards().map(|board| self.count_free(board)).sum(),
        }
    }

    /// The square at this place of [`Position::open_squares`] for the seat to move, without a list of
    /// all of them.
    pub(super) fn open_square(&self, mut skipped: u32) -> Option<Square> {
        if let Some(board) = self.next {
            return nth_square(board, self.free(board), skipped);
        }
        for board in self.open_boards() {
            let count = self.count_free(board);
            if skipped < count {
                return nth_square(board, self.free(board), skipped);
            }
            skipped -= count;
        }
        None
    }

    fn open_boards(&self) -> impl Iterator<Item = Board> {
        let closed = self.closed;
        Board::all().filter(move |board| closed & board.bit() == 0)
    }

    /// Marks a square that is free, and sends the other seat to the next board.
    pub(super) fn mark(&mut self, seat: Seat, square: Square) {
        let board = square.board();
        self.marks[seat.index()][board.index()] |= square.bit();
        if has_line(self.of(seat, board)) {
            self.won[seat.index()] |= board.bit();
            self.closed |= board.bit();
        } else if self.taken(board) == ALL {
            self.closed |= board.bit();
        }
        self.status = self.status_after(seat);
        let next = Board::new(square.place()).filter(|next| self.closed & next.bit() == 0);
        self.next = next.filter(|_| self.status.is_to_move(seat.opponent()));
    }

    /// Plays at random to the end, or this many plies.
    pub(super) fn play_out(&mut self, generator: &mut Generator, most_plies: u32) {
        for _ in 0..most_plies {
            let XoStatus::ToMove(seat) = self.status else { return };
            let place = generator.below(self.count_open_squares().into());
            let place = u32::try_from(place).expect("there are 81 squares");
            let square = self.open_square(place).expect("somebody is to move, so a square is open");
            self.mark(seat, square);
        }
    }

    /// Whether a move of this seat may end the game: it has two boards, or all but one are closed.
    pub(super) fn may_end(&self, seat: Seat) -> bool {
        self.won[seat.index()].count_ones() >= 2 || self.closed.count_ones() >= 8
    }

    /// An estimate for a seat: lines of won boards that are still open count most, then lines of marks
    /// on boards that are not decided.
    pub(super) fn estimate(&self, seat: Seat) -> i32 {
        let lead = |own: u16, other: u16| open_weight(own, other) - open_weight(other, own);
        let (own, other) = (seat.index(), seat.opponent().index());
        let undecided = Board::all().filter(|board| self.closed & board.bit() == 0);
        let small: i32 = undecided
            .map(|board| lead(self.marks[own][board.index()], self.marks[other][board.index()]))
            .sum();
        // A board that nobody can win any more is closed to both.
        let lost = self.closed & !(self.won[own] | self.won[other]);
        let large = lead(self.won[own] | lost, self.won[other] | lost);
        (30 * large + small).clamp(-999, 999)
    }

    fn status_after(&self, seat: Seat) -> XoStatus {
        if has_line(self.won[seat.index()]) {
            XoStatus::WonBy(seat)
        } else if self.closed == ALL {
            XoStatus::Drawn
        } else {
            XoStatus::ToMove(seat.opponent())
        }
    }

    const fn of(&self, seat: Seat, board: Board) -> u16 {
        self.marks[seat.index()][board.index()]
    }

    /// The number of free squares of a board.
    fn count_free(&self, board: Board) -> u32 {
        COUNTS[usize::from(self.free(board) & ALL)].into()
    }

    const fn free(&self, board: Board) -> u16 {
        ALL & !self.taken(board)
    }

    const fn taken(&self, board: Board) -> u16 {
        self.of(Seat::FIRST, board) | self.of(Seat::SECOND, board)
    }
}

/// The square at this place among the free ones of a board.
fn nth_square(board: Board, free: u16, skipped: u32) -> Option<Square> {
    // A table, because no processor predicts how often a loop would turn.
    Square::new(board, *PLACES[usize::from(free & ALL)].get(skipped as usize)?)
}

/// For each set of squares of a board, the places of its members in order; 9 where there is none.
static PLACES: [[u8; 9]; 512] = {
    let mut places = [[9; 9]; 512];
    let mut free = 0;
    while free < places.len() {
        let (mut count, mut place) = (0, 0);
        while place < 9 {
            if free >> place & 1 == 1 {
                places[free][count] = place;
                count += 1;
            }
            place += 1;
        }
        free += 1;
    }
    places
};

/// For each set of squares of a board, the number of its members. A look-up is faster where processors
/// without an instruction that counts bits must be served.
static COUNTS: [u8; 512] = {
    let mut counts = [0; 512];
    let mut free = 1;
    while free < counts.len() {
        counts[free] = counts[free / 2] + if free % 2 == 1 { 1 } else { 0 };
        free += 1;
    }
    counts
};

/// Squares, board by board.
#[derive(Clone, Debug, Default)]
pub(super) struct Squares {
    free: [u16; 9],
    /// The current board. Those before it have no squares left.
    board: u8,
    left: usize,
}

impl Squares {
    /// The free squares of these boards, which must be in order.
    fn of(boards: impl Iterator<Item = Board>, free: impl Fn(Board) -> u16) -> Self {
        let mut squares = Self::default();
        for board in boards {
            if squares.left == 0 {
                squares.board = board.number();
            }
            squares.free[board.index()] = free(board);
            squares.left += free(board).count_ones() as usize;
        }
        squares
    }
}

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        self.nth(0)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    fn nth(&mut self, mut skipped: usize) -> Option<Square> {
        while let Some(board) = Board::new(self.board) {
            let free = &mut self.free[board.index()];
            let here = free.count_ones() as usize;
            if skipped < here {
                (0..skipped).for_each(|_| *free &= *free - 1);
                let place = u8::try_from(free.trailing_zeros()).expect("a u16 has 16 bits");
                *free &= *free - 1;
                self.left -= skipped + 1;
                return Square::new(board, place);
            }
            skipped -= here;
            self.left -= here;
            self.board += 1;
        }
        None
    }
}

impl ExactSizeIterator for Squares {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_finds_any_free_square() {
        let free = [0, ALL, 0b1, 0, 0b101_010_110, 0b100_000_000, 0, 0, 0b011];
        let squares = Squares::of(Board::all(), |board| free[board.index()]);
        let listed: Vec<Square> = squares.clone().collect();
        assert_eq!(listed.len(), 9 + 1 + 5 + 1 + 2);
        assert!(listed.is_sorted());
        for start in 0..20 {
            for index in 0..20 {
                let mut rest = squares.clone();
                rest.by_ref().take(start).for_each(drop);
                assert_eq!(rest.len(), listed.len().saturating_sub(start));
                assert_eq!(rest.nth(index), listed.get(start + index).copied());
            }
        }
    }
    #[test]
    fn a_random_square_is_found_without_a_list_of_all() {
        use game::{Game as _, Generator};

        let mut generator = Generator::seeded(9);
        for _ in 0..50 {
            let mut position = Position::START;
            while let XoStatus::ToMove(seat) = position.status() {
                let listed: Vec<Square> = position.open_squares(seat).collect();
                assert_eq!(position.count_open_squares() as usize, listed.len());
                for place in 0..83 {
                    let found = position.open_square(place);
                    assert_eq!(found, listed.get(place as usize).copied());
                }
                super::super::Ultimate.play_at_random(&mut position, &mut generator).unwrap();
            }
        }
    }
}

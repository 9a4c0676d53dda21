//! Ultimate tic-tac-toe: nine boards of nine squares, and each move says where the next one goes.
//!
//! Who has three in a line on a small board wins that board; who has won three boards in a line
//! wins the game. The place of a move on its board is the number of the board in which the other
//! seat must move next; if that one is won or full, any other that is not will do. When all boards
//! are won or full and nobody has won three in a line, the game is a draw.
//!
//! ```
//! use game::{Game, Seat};
//! use games::ultimate::Ultimate;
//!
//! let game = Ultimate;
//! let position = game.play(&game.start(), Seat::FIRST, game.read_move("b1")?)?;
//! assert_eq!(game.legal_moves(&position, Seat::SECOND).len(), 9);
//!
//! let refusal = game.check(&position, Seat::SECOND, &game.read_move("e5")?).unwrap_err();
//! assert_eq!(refusal.to_string(), "You must play in the board from d1 to f3");
//! # Ok::<(), game::Refusal>(())
//! ```

mod board;
mod line;
mod position;
mod square;

use game::{Code, Game, Grid, GridCell, NoChance, Picture, Reason, Seat, Turn, Viewer};

use crate::x_and_o::{self, XoStatus};

pub use board::Board;
pub use position::Position;
pub use square::Square;

/// Ultimate tic-tac-toe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ultimate;

impl Ultimate {
    /// The last move sent this seat to another board.
    pub const WRONG_BOARD: Code = Code::new("wrong_board");
    /// Somebody has won the board.
    pub const BOARD_DECIDED: Code = Code::new("board_decided");
}

impl Game for Ultimate {
    type Position = Position;
    type Move = Square;
    type Chance = NoChance;

    fn name(&self) -> String {
        "ultimate".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        x_and_o::NAMES.into()
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn turn(&self, position: &Position) -> Turn {
        position.status().turn()
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a Position,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Square> + 'a {
        position.open_squares(seat)
    }

    fn objections(&self, position: &Position, seat: Seat, chosen: &Square) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if position.at(*chosen).is_some() {
            reasons.push(Reason::already_taken());
        }
        if position.winner_of(chosen.board()).is_some() {
            reasons.push(Reason::new(Self::BOARD_DECIDED, "That board is already decided"));
        }
        // Who is not to move will be sent elsewhere before it is.
        let sent_to = position.next_board().filter(|_| position.status().is_to_move(seat));
        if let Some(board) = sent_to.filter(|board| *board != chosen.board()) {
            let message = format!("You must play in the board from {board}");
            reasons.push(Reason::new(Self::WRONG_BOARD, message));
        }
        reasons
    }

    fn apply(&self, position: &mut Position, seat: Seat, chosen: &Square) {
        position.mark(seat, *chosen);
    }

    /// The rows from the top, and where the next move must be.
    fn text(&self, position: &Position) -> String {
        let row = |row| squares(row).map(|at| x_and_o::symbol(position.at(at))).collect::<String>();
        let rows = (0..9).map(row).collect::<Vec<_>>().join("/");
        match (position.status(), position.next_board()) {
            (XoStatus::ToMove(_), None) => format!("{rows} next anywhere"),
            (XoStatus::ToMove(_), Some(board)) => format!("{rows} next {board}"),
            (XoStatus::WonBy(_) | XoStatus::Drawn, _) => rows,
        }
    }

    fn picture(&self, position: &Position, _: Viewer) -> Picture {
        let cells = (0..9).flat_map(squares).map(|square| cell(position, square)).collect();
        let picture = Picture::of(Grid { columns: 9, cells, block: 3 });
        let won = [Seat::FIRST, Seat::SECOND].into_iter().filter_map(|seat| boards(position, seat));
        won.chain(next_move(position)).fold(picture, Picture::with_note)
    }
}

/// The squares of a row, from the left.
fn squares(row: u8) -> impl Iterator<Item = Square> {
    (0..9).filter_map(move |column| Square::at(row, column))
}

fn cell(position: &Position, square: Square) -> GridCell {
    GridCell {
        name: square.to_string(),
        piece: position.at(square).map(x_and_o::piece),
        moves: vec![square.to_string()],
        decides: position.decides(square),
        owner: position.winner_of(square.board()),
    }
}

/// Which boards a seat has won, if any.
fn boards(position: &Position, seat: Seat) -> Option<String> {
    let won = Board::all().filter(|board| position.winner_of(*board) == Some(seat));
    let won: Vec<String> = won.map(|board| board.to_string()).collect();
    let name = x_and_o::NAMES[seat.index()];
    (!won.is_empty()).then(|| format!("Won by {name}: {}", won.join(", ")))
}

/// Where the next move must be, unless the game is over.
fn next_move(position: &Position) -> Option<String> {
    let XoStatus::ToMove(seat) = position.status() else { return None };
    let name = x_and_o::NAMES[seat.index()];
    Some(match position.next_board() {
        Some(board) => format!("{name} must play in the board from {board}"),
        None => format!("{name} may play in any board that is neither won nor full"),
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use game::{Generator, Outcome, Refusal, perft, playout};

    use super::*;

    const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

    /// X wins the board in the middle with the top row of it.
    const MIDDLE_WON: &str = "d4 b2 e4 e2 f4";

    /// The position after the squares, X first.
    fn after(squares: &str) -> Position {
        let mut position = Ultimate.start();
        for square in squares.split_whitespace() {
            let Turn::One(seat) = Ultimate.turn(&position) else { panic!("{squares} is over") };
            let chosen = Ultimate.read_move(square).unwrap();
            Ultimate.advance(&mut position, seat, chosen).unwrap();
        }
        position
    }

    /// What a seat hears that chooses a square after others.
    fn check(squares: &str, seat: Seat, square: &str) -> Result<(), Refusal> {
        Ultimate.check(&after(squares), seat, &Ultimate.read_move(square).unwrap())
    }

    fn refused(squares: &str, seat: Seat, square: &str) -> String {
        check(squares, seat, square).unwrap_err().to_string()
    }

    /// The moves of a random game to the end.
    fn random_game(generator: &mut Generator) -> Vec<Square> {
        let (mut position, mut squares) = (Ultimate.start(), Vec::new());
        while let Turn::One(seat) = Ultimate.turn(&position) {
            let mut legal = Ultimate.legal_moves(&position, seat);
            let index = usize::try_from(generator.below(legal.len() as u64)).unwrap();
            let chosen = legal.nth(index).unwrap();
            drop(legal);
            Ultimate.advance(&mut position, seat, chosen).unwrap();
            squares.push(chosen);
        }
        squares
    }

    /// Who has three in a line of nine.
    fn owner(nine: [Option<Seat>; 9]) -> Option<Seat> {
        let lines = [
            [0, 1, 2],
            [3, 4, 5],
            [6, 7, 8],
            [0, 3, 6],
            [1, 4, 7],
            [2, 5, 8],
            [0, 4, 8],
            [2, 4, 6],
        ];
        let has =
            |seat: &Seat| lines.iter().any(|line| line.iter().all(|at| nine[*at] == Some(*seat)));
        SEATS.into_iter().find(has)
    }

    /// The rules once more, told from the moves alone: who has won, and what is legal.
    fn retold(moves: &[Square]) -> (Option<Seat>, Vec<Square>) {
        let mut marks = [[None; 9]; 9];
        for (index, square) in moves.iter().enumerate() {
            marks[square.board().index()][usize::from(square.place())] = Some(SEATS[index % 2]);
        }
        let winner = owner(marks.map(owner));
        let is_open = |board: usize| owner(marks[board]).is_none() && marks[board].contains(&None);
        let sent_to = moves.last().map(|square| usize::from(square.place()));
        let sent_to = sent_to.filter(|board| is_open(*board));
        let is_legal = |square: &Square| {
            let board = square.board().index();
            winner.is_none()
                && is_open(board)
                && sent_to.is_none_or(|sent_to| sent_to == board)
                && marks[board][usize::from(square.place())].is_none()
        };
        let mut legal: Vec<Square> = (0..9).flat_map(squares).filter(is_legal).collect();
        legal.sort_unstable();
        (winner, legal)
    }

    #[test]
    fn the_games_of_up_to_six_moves_are_as_many_as_they_should_be() {
        let counted = [1, 81, 720, 6_336, 55_080, 473_256, 4_020_960];
        for (depth, count) in (0..).zip(counted) {
            assert_eq!(perft(&Ultimate, &Ultimate.start(), depth), count, "{depth}");
        }
    }

    #[test]
    fn random_games_go_as_the_rules_say_when_they_are_told_once_more() {
        let mut generator = Generator::seeded(9);
        let mut endings = [0; 3];
        for _ in 0..500 {
            let moves = random_game(&mut generator);
            let mut position = Ultimate.start();
            for count in 0..=moves.len() {
                let (winner, legal) = retold(&moves[..count]);
                let seat = SEATS[count % 2];
                assert!(Ultimate.legal_moves(&position, seat).eq(legal.iter().copied()));
                assert_eq!(Ultimate.legal_moves(&position, seat.opponent()).len(), 0);
                let outcome = winner.map_or_else(Outcome::draw, Outcome::won_by);
                let is_over = legal.is_empty();
                let expected = if is_over { Turn::Over(outcome) } else { Turn::One(seat) };
                assert_eq!(Ultimate.turn(&position), expected);
                for square in (0..9).flat_map(squares) {
                    let allowed = Ultimate.check(&position, seat, &square).is_ok();
                    assert_eq!(allowed, legal.contains(&square), "{square} after {moves:?}");
                }
                if let Some(square) = moves.get(count) {
                    Ultimate.apply(&mut position, seat, square);
                } else {
                    endings[winner.map_or(2, Seat::index)] += 1;
                }
            }
        }
        assert!(endings.iter().all(|count| *count > 50), "{endings:?}");
    }

    #[test]
    fn a_move_sends_the_other_seat_to_the_board_of_its_place() {
        assert_eq!(check("b1", Seat::SECOND, "d1"), Ok(()));
        let refusal = check("b1", Seat::SECOND, "e5").unwrap_err();
        assert_eq!(refusal.code(), &Ultimate::WRONG_BOARD);
        assert_eq!(refusal.to_string(), "You must play in the board from d1 to f3");
        assert_eq!(check("", Seat::FIRST, "e5"), Ok(()));
    }

    #[test]
    fn a_marked_square_is_refused() {
        assert_eq!(refused("e5", Seat::SECOND, "e5"), "That cell is already marked");
        assert_eq!(check("e5", Seat::SECOND, "e4"), Ok(()));
    }

    #[test]
    fn a_decided_board_is_refused_even_where_it_has_free_squares() {
        assert_eq!(after(MIDDLE_WON).winner_of(Board::new(4).unwrap()), Some(Seat::FIRST));
        let sent_there = format!("{MIDDLE_WON} h2");
        assert_eq!(after(&sent_there).next_board(), None);
        assert_eq!(check(&sent_there, Seat::FIRST, "a1"), Ok(()));
        let refusal = check(&sent_there, Seat::FIRST, "d5").unwrap_err();
        assert_eq!(refusal.code(), &Ultimate::BOARD_DECIDED);
        assert_eq!(refusal.to_string(), "That board is already decided");
    }

    #[test]
    fn every_reason_is_told() {
        assert_eq!(
            refused(MIDDLE_WON, Seat::SECOND, "e4"),
            "That cell is already marked; That board is already decided; \
             You must play in the board from g1 to i3"
        );
        assert_eq!(
            refused(MIDDLE_WON, Seat::FIRST, "e4"),
            "It is not your turn; That cell is already marked; That board is already decided"
        );
        assert_eq!(refused("", Seat::SECOND, "e5"), "It is not your turn");
    }

    #[test]
    fn a_game_that_is_over_goes_on_for_nobody() {
        let mut generator = Generator::seeded(1);
        let mut position = Ultimate.start();
        while playout(&Ultimate, &mut position, &mut generator).unwrap().is_draw() {
            position = Ultimate.start();
        }
        assert_eq!(position.next_board(), None);
        for seat in SEATS {
            for square in (0..9).flat_map(squares) {
                let refusal = Ultimate.check(&position, seat, &square).unwrap_err();
                assert_eq!(refusal.message(), "The game is lost, you need to forfeit");
            }
        }
    }

    #[test]
    fn positions_that_send_to_different_boards_differ() {
        // The same marks, but another move was the last.
        let [first, second] = [after("0.2 2.1 1.3 3.0"), after("1.3 3.0 0.2 2.1")];
        let same = |square| first.at(square) == second.at(square);
        assert!((0..9).flat_map(squares).all(same));
        assert_ne!(first, second);
        assert_ne!(Ultimate.text(&first), Ultimate.text(&second));
    }

    #[test]
    fn the_text_tells_the_marks_and_where_the_next_move_must_be() {
        assert_eq!(
            Ultimate.text(&after("a1")),
            "X......../........./........./........./........./........./........./........./\
             ......... next a1 to c3"
        );
        assert!(Ultimate.text(&Ultimate.start()).ends_with("......... next anywhere"));
    }

    #[test]
    fn the_picture_shows_the_boards_and_where_the_next_move_must_be() {
        let picture = Ultimate.picture(&after(MIDDLE_WON), Viewer::Spectator);
        expect![[r#"
              a b c  d e f  g h i
            1 . . .  . . .  . . .
            2 . O .  . O .  . . .
            3 . . .  . . .  . . .

            4 . . .  X X X  . . .
            5 . . .  . . .  . . .
            6 . . .  . . .  . . .

            7 . . .  . . .  . . .
            8 . . .  . . .  . . .
            9 . . .  . . .  . . .
            Won by X: d4 to f6
            O must play in the board from g1 to i3"#]]
        .assert_eq(&picture.to_string());
        let cells = picture.board.unwrap().cells;
        assert!(cells.iter().all(|cell| cell.moves == [cell.name.clone()] && !cell.decides));
        let owned = |cell: &&GridCell| cell.owner == Some(Seat::FIRST);
        let names: Vec<_> = cells.iter().filter(owned).map(|cell| cell.name.as_str()).collect();
        assert_eq!(names, ["d4", "e4", "f4", "d5", "e5", "f5", "d6", "e6", "f6"]);
        assert!(cells.iter().all(|cell| cell.owner != Some(Seat::SECOND)));
        let anywhere = Ultimate.picture(&Ultimate.start(), Viewer::Spectator).notes;
        assert_eq!(anywhere, ["X may play in any board that is neither won nor full"]);
    }

    #[test]
    fn the_lines_of_the_boards_that_decided_are_marked_and_no_others() {
        let mut generator = Generator::seeded(4);
        for _ in 0..200 {
            let mut position = Ultimate.start();
            let outcome = playout(&Ultimate, &mut position, &mut generator).unwrap();
            let board = Ultimate.picture(&position, Viewer::Spectator).board.unwrap();
            let deciding = board.cells.iter().filter(|cell| cell.decides);
            let seats: Vec<_> = deciding.map(|cell| cell.piece.as_ref().unwrap().seat).collect();
            assert_eq!(seats.is_empty(), outcome.is_draw());
            assert!(seats.is_empty() || seats.len() >= 9);
            assert!(seats.iter().all(|seat| *seat == outcome.winner()));
        }
    }
}

//! Tests of the rules.

use expect_test::expect;
use game::{Generator, Outcome, Ply, Refusal, perft, playout};

use super::*;

const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

/// X wins the middle board with its top row.
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

/// Checks a square after other moves.
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

/// The seat that has three of nine in a line.
fn owner(nine: [Option<Seat>; 9]) -> Option<Seat> {
    let lines =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let has = |seat: &Seat| lines.iter().any(|line| line.iter().all(|at| nine[*at] == Some(*seat)));
    SEATS.into_iter().find(has)
}

/// A second implementation of the rules, from the moves alone: the winner and the legal moves.
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
fn the_games_of_up_to_six_moves_are_counted() {
    let counted = [1, 81, 720, 6_336, 55_080, 473_256, 4_020_960];
    for (depth, count) in (0..).zip(counted) {
        assert_eq!(perft(&Ultimate, &Ultimate.start(), depth), count, "{depth}");
    }
}

#[test]
fn random_games_agree_with_a_second_implementation_of_the_rules() {
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
fn a_refusal_has_all_reasons() {
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
fn no_seat_can_move_after_the_end() {
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
fn the_text_shows_the_marks_and_where_the_next_move_must_be() {
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
fn only_the_lines_of_the_deciding_boards_are_marked() {
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

#[test]
fn every_win_names_its_lines_of_boards() {
    let mut generator = Generator::seeded(7);
    let (mut wins, mut draws) = (0, 0);
    for _ in 0..200 {
        let squares = random_game(&mut generator);
        let seats = SEATS.into_iter().cycle();
        let plies = seats.zip(&squares).map(|(seat, square)| Ply::Moves(vec![(seat, *square)]));
        let lines = Ultimate.winning_lines(&plies.collect::<Vec<_>>());
        let (winner, _) = retold(&squares);
        let Some(winner) = winner else {
            assert!(lines.is_empty());
            draws += 1;
            continue;
        };
        let end = after(&squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
        for line in &lines {
            let name = x_and_o::NAMES[winner.index()];
            let boards = line.strip_prefix(&format!("{name}Win[")).unwrap().strip_suffix(']');
            let boards: Vec<&str> = boards.unwrap().split(", ").collect();
            let is_won = |name: &&str| {
                let board = Board::all().find(|board| board.to_string() == **name).unwrap();
                end.winner_of(board) == Some(winner)
            };
            assert!(boards.len() == 3 && boards.iter().all(is_won), "{line}");
        }
        assert!(!lines.is_empty());
        wins += 1;
    }
    assert!(wins > 50 && draws > 0, "{wins} wins, {draws} draws");
}

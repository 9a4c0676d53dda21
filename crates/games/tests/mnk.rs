//! m,n,k and its variants: known counts and values, and agreement with plain boards.

use game::{
    BGame, BPosition, Game, Generator, Outcome, Seat, Solution, Turn, Unsolvable, Value, perft,
    playout,
};
use games::mnk::{Mnk, Placement, Size, Variant};
use games::tic_tac_toe::{self, Mark};
use rustc_hash::{FxHashMap, FxHashSet};

const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

fn three(variant: Variant) -> BGame<Mnk> {
    Mnk::new(Size::THREE, variant).game()
}

/// The rules on a plain board, without b-threads.
#[derive(Clone)]
struct PlainBoard {
    game: Mnk,
    marks: Vec<Option<Mark>>,
    moves: usize,
    last: Option<Mark>,
}

impl PlainBoard {
    fn empty(game: Mnk) -> Self {
        let marks = vec![None; usize::from(game.size().area())];
        Self { game, marks, moves: 0, last: None }
    }

    fn to_move(&self) -> Seat {
        SEATS[self.moves % 2]
    }

    /// The mark of a move that names none.
    fn usual_mark(&self, seat: Seat) -> Mark {
        match self.game.variant() {
            Variant::Notakto => Mark::X,
            _ => Mark::of(seat).expect("the game has two seats"),
        }
    }

    /// The mark in a cell; `None` if the cell is empty or outside the board.
    fn at(&self, column: i32, row: i32) -> Option<Mark> {
        let size = self.game.size();
        let is_on = (0..i32::from(size.columns())).contains(&column)
            && (0..i32::from(size.rows())).contains(&row);
        let index = row * i32::from(size.columns()) + column;
        if is_on {
            self.marks[usize::try_from(index).expect("the cell is on the board")]
        } else {
            None
        }
    }

    fn play(&mut self, chosen: Placement) {
        let mark = chosen.mark.unwrap_or_else(|| self.usual_mark(self.to_move()));
        let place = self.game.size().place(chosen.cell).expect("the cell is on the board");
        self.marks[usize::from(place)] = Some(mark);
        self.moves += 1;
        self.last = Some(mark);
    }

    fn has_line(&self) -> bool {
        let size = self.game.size();
        let (columns, rows) = (i32::from(size.columns()), i32::from(size.rows()));
        let directions = [(1, 0), (0, 1), (1, 1), (-1, 1)];
        let starts = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        starts.clone().any(|(column, row)| {
            directions.iter().any(|(right, down)| {
                let at = |steps: i32| self.at(column + steps * right, row + steps * down);
                at(0).is_some() && (1..i32::from(size.length())).all(|steps| at(steps) == at(0))
            })
        })
    }

    fn turn(&self) -> Turn {
        let mover = SEATS[(self.moves + 1) % 2];
        let makes_a_loser = matches!(self.game.variant(), Variant::Misere | Variant::Notakto);
        if self.has_line() {
            let winner = if makes_a_loser { mover.opponent() } else { mover };
            return Turn::Over(Outcome::won_by(winner));
        }
        if self.marks.iter().all(Option::is_some) {
            return Turn::Over(Outcome::draw());
        }
        Turn::One(self.to_move())
    }

    fn free_cells(&self) -> usize {
        self.marks.iter().filter(|mark| mark.is_none()).count()
    }
}

/// Compares every position with a plain board; returns the number of positions.
fn count_agreeing_positions(game: Mnk) -> usize {
    let b_game = game.game();
    let mut known: FxHashSet<BPosition<Mnk>> = FxHashSet::default();
    let mut frontier = vec![(b_game.start(), PlainBoard::empty(game))];
    while let Some((position, board)) = frontier.pop() {
        if !known.insert(position.clone()) {
            continue;
        }
        assert_eq!(b_game.turn(&position), board.turn(), "{}", b_game.text(&position));
        let choices = if game.variant() == Variant::Wild { 2 } else { 1 };
        for seat in SEATS {
            let legal: Vec<Placement> = b_game.legal_moves(&position, seat).collect();
            let is_in_turn = board.turn() == Turn::One(seat);
            let expected = if is_in_turn { board.free_cells() * choices } else { 0 };
            assert_eq!(legal.len(), expected, "{}", b_game.text(&position));
            for chosen in legal {
                let next = b_game.play(&position, seat, chosen).expect("the move is legal");
                let mut board = board.clone();
                board.play(chosen);
                frontier.push((next, board));
            }
        }
    }
    known.len()
}

#[test]
fn every_position_of_the_small_games_agrees_with_a_plain_board() {
    let count = |columns, rows, length, variant| {
        let size = Size::new(columns, rows, length).expect("the size is valid");
        count_agreeing_positions(Mnk::new(size, variant))
    };
    assert_eq!(count(3, 3, 3, Variant::Usual), 5_478);
    assert_eq!(count(3, 3, 3, Variant::Misere), 5_478);
    assert_eq!(count(3, 3, 3, Variant::Notakto), 450);
    assert_eq!(count(1, 1, 1, Variant::Usual), 2);
    for variant in [Variant::Usual, Variant::Misere, Variant::Wild, Variant::Notakto] {
        assert!(count(3, 2, 2, variant) > 20);
        assert!(count(2, 3, 3, variant) > 20);
        assert!(count(4, 2, 2, variant) > 50);
    }
}

#[test]
fn wild_agrees_with_a_plain_board() {
    assert_eq!(count_agreeing_positions(Mnk::new(Size::THREE, Variant::Wild)), 18_753);
}

#[test]
fn three_in_a_row_on_three_by_three_is_tic_tac_toe() {
    let (general, special) = (three(Variant::Usual), tic_tac_toe::game());
    for depth in 0..=9 {
        let expected = perft(&special, &special.start(), depth);
        assert_eq!(perft(&general, &general.start(), depth), expected);
    }
}

/// The value of a game, and the openings that keep it.
fn solved(variant: Variant) -> (Value, Vec<String>) {
    let game = three(variant);
    let solution = Solution::of(&game).expect("the game is small enough to solve");
    let (value, moves) = solution.best_moves(&game.start()).expect("the start has legal moves");
    (value, moves.iter().map(ToString::to_string).collect())
}

#[test]
fn misere_is_a_draw_and_only_the_centre_keeps_it() {
    let (value, moves) = solved(Variant::Misere);
    assert_eq!((value, moves), (Value::Draw(9), vec!["b2".to_owned()]));
}

#[test]
fn wild_is_won_by_opening_in_the_centre() {
    let (value, moves) = solved(Variant::Wild);
    assert!(matches!(value, Value::Win(_)), "{value}");
    assert_eq!(moves, ["Xb2", "Ob2"]);
    assert!(no_other_opening_wins(Variant::Wild, &moves));
}

#[test]
fn notakto_is_won_by_opening_in_the_centre() {
    let (value, moves) = solved(Variant::Notakto);
    assert!(matches!(value, Value::Win(_)), "{value}");
    assert_eq!(moves, ["b2"]);
    assert!(no_other_opening_wins(Variant::Notakto, &moves));
}

/// Whether no opening except these wins, in any number of moves.
fn no_other_opening_wins(variant: Variant, winning: &[String]) -> bool {
    let game = three(variant);
    let (solution, start) =
        (Solution::of(&game).expect("the game is small enough to solve"), game.start());
    let others = game.legal_moves(&start, Seat::FIRST);
    let mut others = others.filter(|chosen| !winning.contains(&chosen.to_string()));
    others.all(|chosen| {
        let worth = solution.value_of_move(&start, Seat::FIRST, &chosen);
        !matches!(worth, Some(Value::Win(_)))
    })
}

/// Whether the seat can force a win.
fn can_win(
    game: &BGame<Mnk>,
    position: &BPosition<Mnk>,
    seat: Seat,
    known: &mut FxHashMap<BPosition<Mnk>, bool>,
) -> bool {
    if let Some(known) = known.get(position) {
        return *known;
    }
    let wins = match game.turn(position) {
        Turn::Over(outcome) => outcome.winner() == Some(seat),
        Turn::One(mover) => {
            let mut after = game.legal_moves(position, mover).map(|chosen| {
                let next = game.play(position, mover, chosen).expect("the move is legal");
                can_win(game, &next, seat, known)
            });
            if mover == seat { after.any(|wins| wins) } else { after.all(|wins| wins) }
        }
        other => unreachable!("{other:?}"),
    };
    known.insert(position.clone(), wins);
    wins
}

#[test]
fn three_in_a_row_on_four_by_four_is_won_by_the_first_seat() {
    let game = Mnk::new(Size::new(4, 4, 3).expect("the size is valid"), Variant::Usual).game();
    assert!(can_win(&game, &game.start(), Seat::FIRST, &mut FxHashMap::default()));
    let usual = three(Variant::Usual);
    assert!(!can_win(&usual, &usual.start(), Seat::FIRST, &mut FxHashMap::default()));
}

#[test]
fn gomoku_is_refused_as_too_big_to_solve() {
    let gomoku = Mnk::new(Size::new(15, 15, 5).expect("the size is valid"), Variant::Usual);
    let unsolvable = Solution::of(&gomoku.game()).unwrap_err();
    assert_eq!(unsolvable, Unsolvable::TooWide);
    assert_eq!(
        unsolvable.to_string(),
        "it has positions with more than 40 moves or draws, and so too many of them"
    );
    let unsolvable = Solution::within(&three(Variant::Usual), 5_477).unwrap_err();
    assert_eq!(unsolvable.to_string(), "it has more than 5477 positions");
}

/// The rules stay the same when the table of the automaton is full.
#[test]
fn a_long_game_of_gomoku_ends_with_five_in_a_row() {
    let gomoku = Mnk::new(Size::new(15, 15, 5).expect("the size is valid"), Variant::Usual);
    let game = gomoku.game();
    let mut position = game.start();
    for moves in ["h8 a1", "i8 b1", "j8 c1", "k8 e1"] {
        for (text, seat) in moves.split(' ').zip(SEATS) {
            let chosen = game.read_move(text).expect("the text is a move");
            position = game.play(&position, seat, chosen).expect("the move is legal");
        }
    }
    let last = game.read_move("l8").expect("the text is a move");
    let end = game.play(&position, Seat::FIRST, last).expect("the move is legal");
    assert_eq!(game.turn(&end), Turn::Over(Outcome::won_by(Seat::FIRST)));
    let refusal = game.check(&end, Seat::SECOND, &last).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "The game is lost, you need to forfeit: EndOfGame; That cell is already marked: SquareTaken(l8)"
    );
}

/// Searches bound what they keep by it: they would choose other moves while others fill the table.
#[test]
fn a_position_counts_alike_in_the_table_of_states_and_outside_of_it() {
    let counted = |table_bytes| {
        let game = BGame::within(Mnk::new("4,4,4".parse().unwrap(), Variant::Usual), table_bytes);
        let (game, mut generator) = (game.unwrap(), Generator::seeded(1));
        // The smallest table is full after a game, and then no run uses it.
        playout(&game, &mut game.start(), &mut generator).unwrap();
        let position = game.start();
        (position.threads().is_tabled(), game.position_bytes(&position))
    };
    let [(is_tabled, small), (is_usually_tabled, usual)] = [0, 16 << 20].map(counted);
    assert_eq!((is_tabled, is_usually_tabled), (false, true));
    assert_eq!(small, usual);
}

#[track_caller]
fn check_unreadable(variant: Variant, text: &str, expected: &str) {
    let refusal = three(variant).read_move(text).expect_err("the text names no move");
    assert_eq!(refusal.to_string(), expected);
}

#[test]
fn moves_are_read_in_all_their_forms_and_in_no_other() {
    let game = three(Variant::Usual);
    for text in ["b2", "4", "1,1"] {
        assert_eq!(game.read_move(text).map(|chosen| chosen.to_string()), Ok("b2".to_owned()));
    }
    let wild = three(Variant::Wild);
    for text in ["Ob2", "O4", "O1,1"] {
        assert_eq!(wild.read_move(text).map(|chosen| chosen.to_string()), Ok("Ob2".to_owned()));
    }
    let usual = "is not a move: write a cell from a1 to c3, as in a1";
    for text in ["d1", "a4", "9", "3,0", "Xb2", "", "undefined"] {
        check_unreadable(Variant::Usual, text, &format!("{text:?} {usual}"));
    }
    check_unreadable(
        Variant::Wild,
        "b2",
        "\"b2\" is not a move: write X or O and then a cell from a1 to c3, as in Xa1",
    );
}

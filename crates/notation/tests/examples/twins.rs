//! The games as text beside the same games in Rust.

use std::collections::BTreeSet;

use game::{Game, Generator, Seat, Solution, Turn, Value, all_seats, perft};
use games::mnk::{Mnk, Size, Variant};
use games::pig::Pig;
use games::ultimate::Ultimate;

use crate::texts::built;

/// The legal moves of a seat, written as `written` says, in one order.
fn moves<G: Game>(
    game: &G,
    position: &G::Position,
    seat: Seat,
    written: impl Fn(&str) -> String,
) -> BTreeSet<String> {
    game.legal_moves(position, seat).map(|chosen| written(&chosen.to_string())).collect()
}

/// Walks through all positions of both games at once. `written` turns a move of the text into one of
/// Rust. Returns the number of positions.
fn walk<T: Game, R: Game>(text: &T, rust: &R, written: fn(&str) -> String) -> usize {
    let mut open = vec![(text.start(), rust.start())];
    let mut seen = BTreeSet::new();
    while let Some((text_position, rust_position)) = open.pop() {
        if !seen.insert(rust.text(&rust_position)) {
            continue;
        }
        let rows = rust.text(&rust_position);
        assert_eq!(text.turn(&text_position), rust.turn(&rust_position), "{rows}");
        for seat in all_seats(rust).iter() {
            let own = |words: &str| words.to_owned();
            let expected = moves(rust, &rust_position, seat, own);
            assert_eq!(moves(text, &text_position, seat, written), expected, "{rows}");
            for chosen in text.legal_moves(&text_position, seat) {
                let twin = rust
                    .read_move(&written(&chosen.to_string()))
                    .expect("both games allow the move");
                open.push((
                    text.play(&text_position, seat, chosen).expect("both games allow the move"),
                    rust.play(&rust_position, seat, twin).expect("both games allow the move"),
                ));
            }
        }
    }
    seen.len()
}

fn variant(variant: Variant) -> impl Game {
    Mnk::new(Size::THREE, variant).game()
}

fn as_it_is(words: &str) -> String {
    words.to_owned()
}

/// `X-b2` in the text is `Xb2` in Rust.
fn without_hyphen(words: &str) -> String {
    words.replace('-', "")
}

/// Misère is a draw; in wild the first player wins, and in Notakto on one board as well.
#[test]
fn the_variants_of_tic_tac_toe_are_those_in_rust_and_have_their_known_values() {
    let check =
        |name: &str, rust, written: fn(&str) -> String, positions, value: fn(u32) -> Value| {
            let text = built(name, &[]).game().unwrap();
            let twin = variant(rust);
            assert_eq!(walk(&text, &twin, written), positions, "{name}");
            let found = Solution::of(&text).unwrap().value(&text.start()).unwrap();
            let (Value::Win(plies) | Value::Draw(plies) | Value::Loss(plies)) = found;
            assert_eq!(found, value(plies), "{name}");
        };
    check("misere", Variant::Misere, as_it_is, 5478, Value::Draw);
    check("notakto", Variant::Notakto, as_it_is, 450, Value::Win);
    check("wild", Variant::Wild, without_hyphen, 18753, Value::Win);
}

#[test]
fn lines_of_any_length_on_any_board_are_those_in_rust() {
    let text = built("mnk", &["columns=4", "rows=2", "length=2"]).game().unwrap();
    let rust = Mnk::new(Size::new(4, 2, 2).unwrap(), Variant::Usual).game();
    assert_eq!(walk(&text, &rust, as_it_is), 605);
    let text = built("mnk", &[]).game().unwrap();
    let rust = Mnk::new(Size::new(6, 5, 4).unwrap(), Variant::Usual).game();
    agree_at_random(&text, &rust, as_it_is, 20);
}

/// Plays random games and compares the legal moves and the results.
fn agree_at_random<T: Game, R: Game>(
    text: &T,
    rust: &R,
    written: fn(&str) -> String,
    games: u32,
) -> [u32; 3] {
    let mut generator = Generator::seeded(1);
    let mut endings = [0; 3];
    for _ in 0..games {
        let (mut text_position, mut rust_position) = (text.start(), rust.start());
        let outcome = loop {
            assert_eq!(text.turn(&text_position), rust.turn(&rust_position));
            let seat = match rust.turn(&rust_position) {
                Turn::One(seat) => seat,
                turn => break turn.outcome().expect("the game is over"),
            };
            let legal: Vec<_> = text.legal_moves(&text_position, seat).collect();
            let expected = moves(rust, &rust_position, seat, as_it_is);
            assert_eq!(moves(text, &text_position, seat, written), expected);
            let place =
                usize::try_from(generator.below(legal.len() as u64)).expect("a list is short");
            let twin = rust
                .read_move(&written(&legal[place].to_string()))
                .expect("both games allow the move");
            text.advance(&mut text_position, seat, legal[place].clone())
                .expect("both games allow the move");
            rust.advance(&mut rust_position, seat, twin).expect("both games allow the move");
        };
        endings[outcome.winner().map_or(2, Seat::index)] += 1;
    }
    endings
}

/// `b2-a1`, the square a1 of the board b2, is d4 in Rust.
fn on_nine_by_nine(words: &str) -> String {
    let [board_column, board_row, _, column, row] = *words.as_bytes() else {
        unreachable!("{words} is a board and a square")
    };
    let along = |board: u8, square: u8, first: u8| (board - first) * 3 + (square - first);
    let column = char::from(b'a' + along(board_column, column, b'a'));
    format!("{column}{}", along(board_row, row, b'1') + 1)
}

#[test]
fn ultimate_tic_tac_toe_is_that_in_rust() {
    let text = built("ultimate", &[]).game().unwrap();
    let endings = agree_at_random(&text, &Ultimate, on_nine_by_nine, 60);
    assert!(endings.iter().all(|count| *count > 0), "{endings:?}");
    for (depth, count) in [(1, 81), (2, 720), (3, 6336)] {
        assert_eq!(perft(&text, &text.start(), depth), count);
    }
}

/// What chance draws has the name of its event in the text: `comes(5)`, and `5` in Rust.
#[test]
fn pig_with_held_points_is_that_in_rust() {
    let text = built("pig-hold", &["target=4"]).game().unwrap();
    let rust = Pig::new(4).unwrap();
    for depth in 0..=7 {
        let counts = [perft(&text, &text.start(), depth), perft(&rust, &rust.start(), depth)];
        assert_eq!(counts[0], counts[1], "{depth}");
    }
    let mut generator = Generator::seeded(1);
    let mut wins = [0; 2];
    for _ in 0..60 {
        let (mut ours, mut theirs) = (text.start(), rust.start());
        let outcome = loop {
            let turn = rust.turn(&theirs);
            assert_eq!(text.turn(&ours), turn);
            match turn {
                Turn::One(seat) => {
                    let expected = moves(&rust, &theirs, seat, as_it_is);
                    assert_eq!(moves(&text, &ours, seat, as_it_is), expected);
                    let place = usize::try_from(generator.below(expected.len() as u64)).unwrap();
                    let chosen = expected.iter().nth(place).unwrap();
                    let own = text.read_move(chosen).unwrap();
                    text.advance(&mut ours, seat, own).unwrap();
                    rust.advance(&mut theirs, seat, rust.read_move(chosen).unwrap()).unwrap();
                }
                Turn::Chance => {
                    let face = generator.below(6) + 1;
                    let own = text.read_chance(&format!("comes({face})")).unwrap();
                    text.advance_chance(&mut ours, &own).unwrap();
                    let die = rust.read_chance(&face.to_string()).unwrap();
                    rust.advance_chance(&mut theirs, &die).unwrap();
                }
                over => break over.outcome().expect("nobody moves at once in Pig"),
            }
        };
        wins[outcome.winner().map_or(0, Seat::index)] += 1;
    }
    assert!(wins.iter().all(|count| *count > 10), "{wins:?}");
}

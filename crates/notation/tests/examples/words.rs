//! What the words for values, events and pictures mean, each by what it leaves.

use expect_test::{Expect, expect};
use game::{Game, Turn, Viewer};
use notation::RunPace;

use crate::texts::built_text;

/// Squares, rings of names and of numbers, known values, and an event for each.
const HEAD: &str = "\
grid square = 3 x 2
set corner = a1, c1, a2, c2
set line = lines of 2 in square
set straight_line = straight lines of 2 in square
ring day = mo, di, mi
ring hour = 1..4
set late = 3..4
rows route(from: square, to: set of square)
  a1 {b1 a2}
  c2 {b2}
event go(square)
event at(day, hour)
event ride(from: square, to: square)
";

/// The values of a set for which a condition holds, as the b-threads that it leaves tell.
#[track_caller]
fn check_where(set: &str, condition: &str, expected: &str) {
    let text = format!("program p\n{HEAD}thread T(v: {set}) where {condition}: request go\n");
    let built = built_text("p", &text, &[]);
    let names = built.threads().iter().map(|thread| {
        let name = thread.name().as_str();
        name.strip_prefix("T(").and_then(|name| name.strip_suffix(')')).unwrap_or(name).to_owned()
    });
    assert_eq!(names.collect::<Vec<_>>().join(" "), expected, "{condition}");
}

/// The events for which a clause stands, in order.
#[track_caller]
fn check_events(set: &str, expected: &str) {
    let text = format!("program p\n{HEAD}thread T: request {set}\n");
    let (run, _) = built_text("p", &text, &[]).start_run(RunPace::Steps).expect("it stops");
    let found: Vec<String> = run.possible().iter().map(|each| each.event.to_string()).collect();
    assert_eq!(found.join(" "), expected, "{set}");
}

#[test]
fn squares_have_neighbours_rows_and_columns_which_may_be_missing() {
    check_where("square", "v.up", "a2 b2 c2");
    check_where("square", "v.down", "a1 b1 c1");
    check_where("square", "v.left", "b1 c1 b2 c2");
    check_where("square", "v.right", "a1 b1 a2 b2");
    check_where("square", "v.right.down", "a1 b1");
    check_where("square", "v.row == 2", "a2 b2 c2");
    check_where("square", "v.column == 3", "c1 c2");
    check_where("square", "v.column > v.row", "b1 c1 c2");
    check_where("square", "b1 in v.neighbours", "a1 c1 b2");
    check_where("square", "b1 in v.diagonals", "a2 c2");
    check_where("square", "v.up == nobody", "a1 b1 c1");
    check_where("square", "v.left == v.right", "");
    // A set is there if the square is whose part it is.
    check_where("square", "v.up.neighbours", "a2 b2 c2");
}

#[test]
fn rings_go_round() {
    check_where("day", "v.next == mo", "mi");
    check_where("day", "v.previous == mi", "mo");
    check_where("day", "v.next.next.next == v", "mo di mi");
    check_where("hour", "v.next < v", "4");
    check_where("hour", "v.previous > v", "1");
}

#[test]
fn conditions_compare_values_and_sets() {
    check_where("hour", "v == 2 or v != 2 and v >= 4", "2 4");
    check_where("hour", "(v == 2 or v != 2) and v <= 2", "1 2");
    check_where("hour", "not v in late", "1 2");
    check_where("hour", "v not in late", "1 2");
    check_where("hour", "v in ({1 3} or late)", "1 3 4");
    check_where("hour", "v in (late except {v.next})", "3 4");
    check_where("hour", "v in (late and {1 2 3})", "3");
    check_where("hour", "2 * v - 1 == v + 1", "2");
    check_where("hour", "v in 2..3", "2 3");
    check_where("square", "v in corner", "a1 c1 a2 c2");
}

#[test]
fn lines_are_rows_columns_and_diagonals_and_straight_ones_are_no_diagonals() {
    let all =
        "{a1 b1} {b1 c1} {a2 b2} {b2 c2} {a1 a2} {b1 b2} {c1 c2} {a1 b2} {b1 c2} {b1 a2} {c1 b2}";
    check_where("line", "1 == 1", all);
    check_where("straight_line", "1 == 1", all.split(" {a1 b2}").next().expect("it begins so"));
    check_where("line", "a1 in v", "{a1 b1} {a1 a2} {a1 b2}");
}

#[test]
fn rows_have_named_columns() {
    check_where("route", "v.from == c2", "c2 {b2}");
    check_where("route", "b1 in v.to", "a1 {b1 a2}");
}

#[test]
fn sets_of_events_are_joined_and_filtered() {
    check_events("go(corner)", "go(a1) go(c1) go(a2) go(c2)");
    check_events("go(b2), go(a1)", "go(b2) go(a1)");
    check_events("go(not corner)", "go(b1) go(b2)");
    check_events("go except go(corner)", "go(b1) go(b2)");
    check_events("go(corner) and go({a1 b1})", "go(a1)");
    check_events("go({a1.up a1.down})", "go(a2)");
    check_events("go({a1 b1 c1} except corner)", "go(b1)");
    check_events("go(square in corner)", "go(a1) go(c1) go(a2) go(c2)");
    check_events("go(square not in corner)", "go(b1) go(b2)");
    check_events("at(mi)", "at(mi, 1) at(mi, 2) at(mi, 3) at(mi, 4)");
    check_events("at(4)", "at(mo, 4) at(di, 4) at(mi, 4)");
    check_events("at(_, 1)", "at(mo, 1) at(di, 1) at(mi, 1)");
    check_events("at(hour > 3)", "at(mo, 4) at(di, 4) at(mi, 4)");
    check_events("at(mo, late)", "at(mo, 3) at(mo, 4)");
    check_events("at(not mo, not late)", "at(di, 1) at(di, 2) at(mi, 1) at(mi, 2)");
    check_events("ride(to in {a1}) and ride(from in {b2 c2})", "ride(b2, a1) ride(c2, a1)");
    check_events("ride(a1, to in a1.neighbours)", "ride(a1, b1) ride(a1, a2)");
}

#[test]
fn lines_through_squares_are_the_squares_of_all_lines_that_hold_them() {
    check_events("go(lines through a1 and b2)", "go(a1) go(b2)");
    check_events("go(lines through a1 and {b1 a2})", "go(a1) go(b1) go(a2)");
    check_events("go(lines through a1 and c2)", "");
}

/// Plays moves of a text and shows its picture after each.
fn check_pictures(text: &str, moves: &[&str], expected: &Expect) {
    let game = built_text("g", text, &[]).game().expect("it is a game");
    let mut position = game.start();
    let mut shown = vec![game.picture(&position, Viewer::Spectator).to_string()];
    for chosen in moves {
        let Turn::One(seat) = game.turn(&position) else { unreachable!("one seat moves") };
        let chosen = game.read_move(chosen).expect("the text is a move");
        position = game.play(&position, seat, chosen).expect("the move is legal");
        shown.push(game.picture(&position, Viewer::Spectator).to_string());
    }
    expected.assert_eq(&shown.join("\n\n"));
}

#[test]
fn pieces_are_placed_put_moved_and_cleared() {
    check_pictures(
        "\
game g
seats X
grid square = 3 x 2
set sign = O, tower
event put(sign, square)               move of X, puts sign on square
event step(from: square, to: square)  move of X, moves X from from to to
event take(square)                    move of X, clears square
event end                             draw
place X on a1
place O on {b2 c2}
rule Nothing: wait for end
",
        &["step-a1-b1", "put-O-c1", "take-c2", "put-tower-a2"],
        &expect![[r#"
              a b c
            1 X . .
            2 . O O

              a b c
            1 . X .
            2 . O O

              a b c
            1 . X O
            2 . O O

              a b c
            1 . X O
            2 . O .

              a b c
            1 . X O
            2 t O ."#]],
    );
}

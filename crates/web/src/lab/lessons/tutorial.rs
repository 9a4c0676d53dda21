//! The first lesson: tic-tac-toe, grown b-thread by b-thread.

use super::{Lesson, LessonGoal, LessonStep};

/// A step that adds the rule or strategy of its number.
macro_rules! step {
    ($number:literal, $title:literal, $story:literal, $done:literal) => {
        LessonStep {
            title: $title,
            story: $story,
            text: || text($number, false),
            goal: LessonGoal::Holds {
                claims: CLAIMS[$number - 1],
                solution: || text($number, true),
            },
            done: $done,
        }
    };
}
/// Tic-tac-toe, grown b-thread by b-thread.
pub(super) const TUTORIAL: Lesson = Lesson {
    id: "tutorial",
    title: "Tic-tac-toe, b-thread by b-thread",
    steps: &[
        step!(
            1,
            "A square is taken once",
            "Two people can make marks here, wherever and whenever they like, also twice on one \
             square: look at the game that breaks OneMarkPerSquare. A b-thread is one rule. Write one \
             that waits for a mark on its square and then blocks all further marks there. Because it \
             has a parameter, square, there will be one for each of the nine squares.",
            "Nine b-threads, one rule. Click a square twice: the refusal names the one behind it."
        ),
        step!(
            2,
            "Three in a row",
            "Nobody ever wins: the claim XCanWin does not hold. Write a rule for each line that waits \
             for three marks of X on it and then requests the win.",
            "Eight small b-threads watch eight lines, and none of them knows of the others."
        ),
        step!(
            3,
            "The same for O",
            "Now O should be able to win as well. Nothing that is written has to change: a new rule \
             is a new b-thread.",
            "The program grew, and not a line of it was edited."
        ),
        step!(
            4,
            "Taking turns",
            "Look at the game that breaks TakeTurns: somebody moves twice. A b-thread can block \
             events. Write one that for ever waits for a mark of X while it blocks those of O, and \
             then the other way round.",
            "What is blocked cannot happen, whoever requests it."
        ),
        step!(
            5,
            "The end",
            "The game goes on after a win: put the counterexample on the board and look. Write a \
             b-thread that waits for a win and then blocks every mark.",
            "After a win nothing is possible any more, because every mark is blocked."
        ),
        step!(
            6,
            "Nobody wins",
            "When nine marks are made and nobody has won, the game just stops, without a result. \
             The event draw is declared; write the rule that requests it after nine marks. If the \
             ninth mark wins, the rules for winning come first, because they stand above; wait for the \
             win there, so that the draw is not requested after it.",
            "Every game ends with a win or a draw now: all of them were looked at."
        ),
        step!(
            7,
            "A computer that moves",
            "So far you move for both. A strategy plays for a seat: it requests moves, and it must not \
             block. Write one for each square that for ever requests O's mark there. They stand in \
             the order of the squares, so O takes the first free one.",
            "O answers your moves now. Earlier b-threads come first: a1 before b1, and so on."
        ),
        step!(
            8,
            "The middle first",
            "O begins in the corner, which is weak. Write a strategy that requests the middle, b2, \
             and put it above DefaultMoves: earlier means higher priority. If the middle is taken, \
             it must not matter: wait for any mark of O as well.",
            "The new strategy comes first as long as it requests something that nothing blocks."
        ),
        step!(
            9,
            "Stop X",
            "X wins with three marks, because O does not look. Write a strategy for each line: it \
             waits for two marks of X on it and then requests O's mark on that line. It must stand \
             above the others, otherwise they move first.",
            "X needs four marks now. Switch StopXWin off, and see what happens."
        ),
        step!(
            10,
            "Never lose",
            "X can still win: look how. It makes two threats at once. Can you write strategies so \
             that X never wins? This is hard; the next lesson shows six that do it. You may also look \
             at the solution, and switch them off one by one.",
            "Every game of X against these strategies was looked at, and X wins none of them."
        ),
    ],
};

/// What the text begins with.
const BOARD: &str = "game lesson \"Tic-tac-toe, b-thread by b-thread\"

seats X, O
grid square = 3 x 3
set line = lines of 3 in square

event mark(seat, square)  move of seat, puts seat on square
event win(seat)           win of seat
";

/// The rules, in the order in which they are added.
const RULES: [&str; 6] = [
    "rule SquareTaken(square) \"That square is taken\" already_taken
  wait for mark(square)
  block mark(square)
",
    "rule XWins(line)
  3 times: wait for mark(X, line)
  request win(X)
",
    "rule OWins(line)
  3 times: wait for mark(O, line)
  request win(O)
",
    "rule EnforceTurns \"It is not your turn\" not_your_turn
  forever
    wait for mark(X), block mark(O)
    wait for mark(O), block mark(X)
",
    "rule StopGame \"The game is over\" game_over
  wait for win
  block any
",
    "rule DetectDraw
  9 times: wait for mark
  request draw, wait for win
",
];

/// The strategies, in the order in which they are added: each stands above those before it.
const STRATEGIES: [&str; 4] = [
    "strategy DefaultMoves(square) for O
  forever: request mark(O, square), interrupt win or draw
",
    "strategy StartAtCenter for O
  request mark(O, b2), wait for mark(O)
",
    "strategy StopXWin(line) for O
  2 times: wait for mark(X, line), interrupt mark(O, line)
  request mark(O, line), wait for win or draw
",
    "",
];

/// The claim of each step.
const CLAIMS: [&str; 10] = [
    "require OneMarkPerSquare(square)
  wait for mark(square)
  wait for mark(square)
  fail \"a square is marked twice\"
",
    "require XCanWin: can win(X)
",
    "require OCanWin: can win(O)
",
    "require TakeTurns
  forever
    either
      wait for mark(X)
    or
      wait for mark(O)
      fail \"O moves although it is X's turn\"
    either
      wait for mark(O)
    or
      wait for mark(X)
      fail \"X moves although it is O's turn\"
",
    "require NothingAfterAWin
  wait for win
  wait for mark
  fail \"somebody moves after the win\"
",
    "require EveryGameEnds: ends with win or draw
",
    "require FirstFreeSquare
  either
    wait for mark(X, a1)
  or
    wait for mark(X) except mark(X, a1)
    either
      wait for mark(O, a1)
    or
      wait for mark(O) except mark(O, a1)
      fail \"O does not take the first free square\"
  forever: wait for mark
",
    "require CenterFirst
  either
    wait for mark(X, b2)
  or
    wait for mark(X) except mark(X, b2)
    either
      wait for mark(O, b2)
    or
      wait for mark(O) except mark(O, b2)
      fail \"O does not begin in the middle\"
  forever: wait for mark
",
    "require NoQuickWin
  3 times: wait for mark(X)
  either
    wait for win(X)
    fail \"X wins with three marks\"
  or
    wait for mark
  forever: wait for mark
",
    "require XNeverWins: never win(X)
",
];

/// Where the reader writes.
const HERE: &str = "# Write here.\n";

/// The text of a step, at its beginning or with a solution.
fn text(number: usize, is_solved: bool) -> String {
    if number == 10 && is_solved {
        return super::never_lose::solved();
    }
    let rules = (number - 1).min(RULES.len());
    let strategies = number.saturating_sub(RULES.len() + 1).min(3);
    let mut parts: Vec<String> = vec![board(number)];
    parts.extend(RULES.iter().take(rules).map(|rule| (*rule).to_owned()));
    let is_rule = number <= RULES.len();
    if is_rule {
        parts.push(if is_solved { RULES[number - 1].to_owned() } else { HERE.to_owned() });
    } else {
        parts.push(if is_solved { STRATEGIES[strategies].to_owned() } else { HERE.to_owned() });
    }
    let written = STRATEGIES.iter().take(strategies).rev();
    parts.extend(written.map(|strategy| (*strategy).to_owned()));
    parts.extend(claims(number));
    parts.join("\n")
}

/// The board, with the event of a draw from the step on whose claim names it.
fn board(number: usize) -> String {
    let draw = if number >= 6 { "event draw                draw\n" } else { "" };
    format!("{BOARD}{draw}")
}

/// The claims of a step: its own, and of those before it what still must hold.
fn claims(number: usize) -> Vec<String> {
    let own = CLAIMS[number - 1].to_owned();
    match number {
        1 | 2 => vec![own],
        3..=6 => vec![CLAIMS[1].to_owned(), own],
        _ => vec![CLAIMS[5].to_owned(), own],
    }
}

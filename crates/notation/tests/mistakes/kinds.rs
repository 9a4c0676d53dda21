//! Every kind has a case, and every case is of its kind.

use notation::{BuildLimits, DiagnosticCode, Document, Severity};

use crate::cases::CASES;
use crate::{check, codes};

#[test]
fn every_kind_has_a_case_that_it_alone_is_found_in() {
    for code in DiagnosticCode::ALL {
        let has_case = CASES.iter().any(|(known, _, _)| known == code);
        let is_bound = *code == DiagnosticCode::TooMuchMemory
            || code.as_str().starts_with("too-many-") && *code != DiagnosticCode::TooManyArguments;
        let is_given = *code == DiagnosticCode::UnknownParameter;
        assert!(has_case || is_bound || is_given, "{code} has no case");
    }
    for (code, text, _) in CASES {
        let found = codes(text, BuildLimits::default());
        assert_eq!(found, [code.as_str()], "{text}");
    }
}

#[test]
fn cases_are_told_in_these_words() {
    let mut wrong = Vec::new();
    for (code, text, expected) in CASES {
        let found = Document::read(*text).check(&[]);
        let message = found.first().map_or("", |first| &first.message);
        if message != *expected {
            wrong.push(format!("{code}\t{message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_game_whose_first_line_is_wrong_or_missing_may_still_have_seats_and_rules() {
    let rest = "\
seats X, O
event take(seat)  move of seat
event win(seat)   win of seat
rule Once
  wait for take(?who)
  request win(who), block take
  block take
";
    for beginning in ["game \"Six\"\n", ""] {
        let text = format!("{beginning}{rest}");
        assert_eq!(codes(&text, BuildLimits::default()).len(), 1, "{text}");
    }
    let program = codes(&format!("program six\n{rest}"), BuildLimits::default());
    assert!(program.iter().all(|code| *code == "only-in-games"), "{program:?}");
    assert!(program.len() > 1, "{program:?}");
}

#[test]
fn misspelt_claims_are_told_with_what_was_probably_meant() {
    for (claim, expected) in [
        ("nevr a", "`nevr` begins neither a claim nor a statement; did you mean `never`?"),
        (
            "probabilty of a == 1",
            "`probabilty` begins neither a claim nor a statement; did you mean `probability`?",
        ),
        ("end with a", "`end` begins neither a claim nor a statement; did you mean `ends`?"),
        ("always a", "`always` begins neither a claim nor a statement"),
        ("ends wiht a", "expected `with`, but found `wiht`"),
        ("ends", "expected `with`, but found the end of the line"),
        ("probability off a == 1", "expected `of`, but found `off`"),
        ("expected nummer of a until a == 1", "expected `number`, but found `nummer`"),
        ("expected number off a until a == 1", "expected `of`, but found `off`"),
        ("never stuk", "no event is called `stuk`; did you mean `never stuck`?"),
        ("wiat for a", "`wiat` begins neither a claim nor a statement; did you mean `wait`?"),
    ] {
        let text = format!("program p\nevent a\nthread T: request a\nrequire R: {claim}\n");
        let found = Document::read(text).check(&[]);
        let told: Vec<&str> = found.iter().map(|each| &*each.message).collect();
        assert_eq!(told, [expected]);
    }
}

#[test]
fn a_name_that_is_used_above_its_declaration_is_told_to_stand_below() {
    check(
        "\
program p
set line = lines of 2 in square
event go(place)
event mark(square)
ring place = 1..most
parameter most = 3
grid square = 2 x 2
thread T: request mark
",
        &expect_test::expect![[r#"
            a.cradle:2:26: mistake [unknown-set]: no set is called `square` yet: its declaration stands further below; move it up
              |
            2 | set line = lines of 2 in square
              |                          ^^^^^^
            a.cradle:3:10: mistake [unknown-set]: no set is called `place` yet: its declaration stands further below; move it up
              |
            3 | event go(place)
              |          ^^^^^
            a.cradle:4:12: mistake [unknown-set]: no set is called `square` yet: its declaration stands further below; move it up
              |
            4 | event mark(square)
              |            ^^^^^^
            a.cradle:5:17: mistake [unknown-name]: nothing is called `most` yet: its declaration stands further below; move it up
              |
            5 | ring place = 1..most
              |                 ^^^^"#]],
    );
}

#[test]
fn all_mistakes_are_told_at_once_with_the_line_and_the_marked_part() {
    check(
        "\
game broken
seats X, O
grid square = 3 x 3
event mark(seat, square)  move of seat, puts seat on square
event win(seat)  win of seats

rule Turns \"It is not your turn\" not_your_turn
  forever
    wait for marks(X), block mark(O)
    wait for mark(O), block mark(X), block win
rule Taken(sqare)
  wait for mark(b2
strategy First for Y
  request mark(O, d4)
reqire Ends: ends with win
",
        &expect_test::expect![[r#"
            a.cradle:5:25: mistake [unknown-name]: nothing is called `seats`; did you mean `seat`?
              |
            5 | event win(seat)  win of seats
              |                         ^^^^^
            a.cradle:9:14: mistake [unknown-event]: no event is called `marks`; did you mean `mark`?
              |
            9 |     wait for marks(X), block mark(O)
              |              ^^^^^
            a.cradle:10:38: mistake [clause-twice]: `block` stands twice: join sets with `or`
               |
            10 |     wait for mark(O), block mark(X), block win
               |                                      ^^^^^
            a.cradle:11:12: mistake [unknown-set]: no set is called `sqare`; did you mean `square`?
               |
            11 | rule Taken(sqare)
               |            ^^^^^
            a.cradle:12:19: mistake [unexpected]: expected `,` or `)`, but found the end of the line
               |
            12 |   wait for mark(b2
               |                   ^
            a.cradle:13:20: mistake [unknown-seat]: no seat is called `Y`
               |
            13 | strategy First for Y
               |                    ^
            a.cradle:14:19: mistake [unknown-name]: nothing is called `d4`
               |
            14 |   request mark(O, d4)
               |                   ^^
            a.cradle:15:1: mistake [unknown-word]: no line begins with `reqire`; did you mean `require`?
               |
            15 | reqire Ends: ends with win
               | ^^^^^^"#]],
    );
}

#[test]
fn warnings_do_not_stop_a_text() {
    let text = "program p\nevent a\nevent b\nthread A: request a\n";
    let built = Document::read(text).build(&[]).unwrap();
    let [warning] = built.warnings() else { panic!("there is one") };
    assert_eq!(warning.severity(), Severity::Warning);
}

#[test]
fn a_parameter_that_does_not_exist_is_refused() {
    let document =
        Document::read("program p\nparameter places = 5\nevent a\nthread A: request a\n");
    let found = document.check(&["place=6".parse().unwrap()]);
    assert_eq!(found[0].code.as_str(), "unknown-parameter");
    assert_eq!(
        found[0].message,
        "no parameter is called `place`: there are places; did you mean `places`?"
    );
    let error = "n=many".parse::<notation::GivenParameter>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"n=many\" is no parameter: write a name and a number from 0 to 1000000, as in n=9"
    );
}

#[test]
fn a_name_whose_declaration_has_a_mistake_is_not_unknown() {
    // Otherwise one mistake would be told many times.
    let text = "program p\nevent a(\nset s = 1..\nthread A(s): request a\n";
    assert_eq!(codes(text, BuildLimits::default()), ["unexpected", "unexpected"]);
}

#[test]
fn boards_on_a_board_are_drawn_alike_and_not_too_large() {
    check(
        "game g\nseats X\ngrid square = 3 x 3\n\
         event mark(seat, board: square, square)  move of seat, puts seat on square in board\n\
         event put(seat, square)                  move of seat, puts seat on square\n\
         place X on a1\n",
        &expect_test::expect![[r#"
            a.cradle:5:69: mistake [meaning]: a game is drawn on one grid only
              |
            5 | event put(seat, square)                  move of seat, puts seat on square
              |                                                                     ^^^^^^
            a.cradle:6:7: mistake [meaning]: `place` draws on one grid, and here are several boards
              |
            6 | place X on a1
              |       ^"#]],
    );
    check(
        "game g\nseats X\ngrid square = 11 x 11\n\
         event mark(seat, board: square, square) where board == square  move of seat, puts seat on square in board\n",
        &expect_test::expect![[r#"
            a.cradle:4:101: mistake [too-many-values]: the boards have more than 100 columns or rows together
              |
            4 | event mark(seat, board: square, square) where board == square  move of seat, puts seat on square in board
              |                                                                                                     ^^^^^"#]],
    );
}

#[test]
fn a_word_that_is_not_known_does_not_hide_the_mistakes_below_it() {
    let text =
        "program p\nevent a\nthread A\n  forevr\n    request b\n    whlie a\n      wait for c\n";
    let found = codes(text, BuildLimits::default());
    assert_eq!(found, ["unknown-word", "unknown-event", "unknown-word", "unknown-event"]);
}

#[test]
fn lines_that_end_as_on_windows_have_the_same_mistakes_at_the_same_places() {
    for (_, text, _) in CASES {
        let windows = text.replace('\n', "\r\n");
        let shown = |text: &str| {
            let found = Document::read(text).check(&[]);
            found.iter().map(|each| each.render("p", text)).collect::<Vec<_>>()
        };
        assert_eq!(shown(&windows), shown(text), "{text}");
    }
}

#[test]
fn a_byte_order_mark_at_the_start_is_no_part_of_the_text() {
    let text = "program p\nevent a\nthread A: request b\n";
    let marked = Document::read(format!("\u{feff}{text}"));
    assert_eq!(marked.text(), text);
    let found = marked.check(&[]);
    assert_eq!(found, Document::read(text).check(&[]));
    assert!(!found.is_empty(), "it has a mistake");
    // Anywhere else it means nothing.
    let inside = Document::read(text.replace("event", "\u{feff}event")).check(&[]);
    assert!(inside.iter().any(|mistake| mistake.code == DiagnosticCode::UnknownCharacter));
}

#[test]
fn a_long_line_is_cut_around_the_marked_part() {
    for (before, after) in [(0, 50_000), (50_000, 0), (25_000, 25_000), (90, 60), (0, 0)] {
        let (spaces, comment) = (" ".repeat(before), "x".repeat(after));
        let line = format!("require N: never {spaces}wrong # {comment}");
        let text = format!("program p\nevent a\nthread A: request a\n{line}\n");
        let found = Document::read(text.as_str()).check(&[]);
        let told = found.first().expect("no event is called so").render("a.cradle", &text);
        let lines: Vec<Vec<char>> = told.lines().map(|line| line.chars().collect()).collect();
        let [_, _, shown, marks] = &lines[..] else { panic!("{told}") };
        assert!(shown.len() < 180 && marks.len() < 180, "{told}");
        let marked = shown.iter().zip(marks).filter(|(_, mark)| **mark == '^');
        assert_eq!(marked.map(|(shown, _)| shown).collect::<String>(), "wrong", "{told}");
        let is_cut = shown.contains(&'…');
        assert_eq!(is_cut, line.chars().count() > 160, "{told}");
    }
}

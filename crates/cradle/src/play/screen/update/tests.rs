//! What keys and clicks do.

use game::Game;
use ratatui::crossterm::event::KeyCode;

use super::*;
use crate::play::screen::test_screen::TestScreen;

fn log(screen: &TestScreen) -> String {
    let log = text::log(&screen.session);
    let lines = log.iter().map(|entry| text::line(&screen.session, entry));
    lines.collect::<Vec<_>>().join(", ")
}

fn people(game: &str) -> TestScreen {
    TestScreen::new(game, "human")
}

#[test]
fn the_cursor_stays_on_the_board() {
    let cursor = |keys: &str| people("tic-tac-toe").keys(keys).state.cursor;
    assert_eq!(["", "h", "hh", "k", "kkk", "lj", "ljlj"].map(cursor), [4, 3, 3, 1, 1, 8, 8]);
    let ends = people("connect-four").key(KeyCode::Home).state.cursor;
    assert_eq!((ends, people("connect-four").key(KeyCode::End).state.cursor), (21, 27));
}

#[test]
fn where_a_move_names_a_column_the_cursor_is_where_the_piece_will_land() {
    let place = |keys: &str| {
        let screen = people("connect-four").keys(keys);
        screen.state.marked_cell(&screen.session, &screen.session.picture().board.unwrap())
    };
    assert_eq!(["", "j", "k", "h", "\n", "\n\n"].map(place), [38, 38, 38, 37, 31, 24]);
    assert_eq!(place("\n\n\n\n\n\n"), 3);
}

#[test]
fn enter_digits_and_clicks_play() {
    assert_eq!(log(&people("tic-tac-toe").keys("\n0 ")), "X b2, O a1");
    let screen = people("tic-tac-toe");
    let cell = screen.layout().board.unwrap().cell(5);
    assert_eq!(log(&screen.click(cell.x, cell.y)), "X c2");
    assert_eq!(log(&people("tic-tac-toe").click(0, 0)), "");
}

#[test]
fn a_digit_is_the_number_of_a_square_in_keys_and_in_typed_moves() {
    let squares = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
    for game in ["tic-tac-toe", "misere", "notakto"] {
        let first = people(game).session.game().seats()[0].to_owned();
        for (digit, square) in squares.iter().enumerate() {
            let expected = format!("{first} {square}");
            assert_eq!(log(&people(game).keys(&digit.to_string())), expected);
            assert_eq!(log(&people(game).keys(&format!(":{digit}\n"))), expected);
        }
        assert_eq!(log(&people(game).keys("9")), "");
    }
}

#[test]
fn a_digit_means_nothing_on_a_board_with_more_squares_than_digits() {
    assert_eq!(log(&people("connect-four").keys("1")), "");
    assert_eq!(log(&people("mnk:4,4,3").keys("1")), "");
}

#[test]
fn capitals_do_not_matter_in_typed_moves() {
    assert_eq!(log(&people("tic-tac-toe").keys(":B2\n")), "X b2");
    assert_eq!(log(&people("connect-four").keys(":D\n")), "X d");
    assert_eq!(log(&people("wild").keys(":ob2\n:XA1\n")), "First Ob2, Second Xa1");
}

#[test]
fn a_refused_move_says_why_and_changes_nothing() {
    let screen = people("tic-tac-toe").keys("44");
    let why = "That cell is already marked: SquareTaken(b2).".to_owned();
    assert_eq!(
        (log(&screen).as_str(), screen.state.notice.clone()),
        ("X b2", Some(Notice::Refused(why)))
    );
    assert_eq!(screen.keys("h").state.notice, None);
}

#[test]
fn a_cell_with_several_moves_is_played_by_menu_or_click() {
    assert_eq!(log(&people("wild").keys("\nj\n")), "First Ob2");
    let down = people("wild").keys("\n").key(KeyCode::Down).keys("\n");
    assert_eq!(log(&down), "First Ob2");
    let cell = people("wild").layout().board.unwrap().cell(4);
    let (x, y) = (cell.x + cell.width / 2, cell.y + cell.height / 2);
    assert_eq!(log(&people("wild").keys("\n").click(x, y)), "First Ob2");
    assert_eq!(log(&people("wild").keys("\n").click(0, 0)), "");
}

#[test]
fn a_letter_selects_a_mark_and_only_enter_plays_it() {
    let selected = people("wild").keys("o");
    let moves = vec!["Xb2".to_owned(), "Ob2".to_owned()];
    assert_eq!(selected.state.mode, Mode::Choosing { moves, cursor: 1 });
    assert_eq!((log(&selected).as_str(), log(&people("wild").keys("oo"))), ("", String::new()));
    assert_eq!(log(&selected.keys("\n")), "First Ob2");
    assert_eq!(log(&people("wild").keys("\no\n")), "First Ob2");
    assert_eq!(log(&people("wild").keys("ox\n")), "First Xb2");
    let taken = people("wild").keys("x\no");
    assert_eq!((log(&taken).as_str(), &taken.state.mode), ("First Xb2", &Mode::Playing));
    assert!(matches!(taken.state.notice, Some(Notice::Refused(_))));
    let poker = || TestScreen::new("kuhn-poker", "scripted:pass");
    assert!(!log(&poker().keys("b")).contains("bet"));
}

#[test]
fn a_letter_that_names_a_column_is_no_move() {
    assert_eq!(log(&people("tic-tac-toe").keys("bac")), "");
    assert_eq!(log(&people("connect-four").keys("d")), "");
}

#[test]
fn any_move_can_be_typed() {
    assert_eq!(log(&people("mnk:12,12,5").keys(":l12\n")), "X l12");
    let screen = people("tic-tac-toe").keys(":zz\n");
    assert_eq!((log(&screen).as_str(), &screen.state.mode), ("", &Mode::Playing));
    assert!(matches!(screen.state.notice, Some(Notice::Refused(_))));
    let erased = people("tic-tac-toe").keys(":b").key(KeyCode::Backspace);
    assert_eq!(erased.state.mode, Mode::Typing(String::new()));
    assert_eq!(erased.key(KeyCode::Backspace).state.mode, Mode::Playing);
}

#[test]
fn a_game_without_a_board_is_played_from_its_menu() {
    assert!(log(&people("pig").keys("1")).starts_with("A roll, Chance drew "));
    // The cursor does not show the second person what the first one chose.
    assert_eq!(log(&people("odds-and-evens").keys("2\n")), "Odds 2, Evens 1");
    let poker = || TestScreen::new("kuhn-poker", "scripted:pass");
    assert!(log(&poker().keys("b\n")).ends_with("You bet, Second pass"));
    assert!(log(&poker().key(KeyCode::Down).keys("\n")).contains("You bet"));
    let screen = poker();
    let (notes, moves) = (screen.session.picture().notes, screen.session.legal_moves());
    let is_bet = |point: &Position| screen.layout().entry_at(*point, &notes, &moves) == Some(1);
    let point = Rect::new(0, 0, 80, 24).positions().find(is_bet).unwrap();
    assert!(log(&screen.click(point.x, point.y)).contains("You bet"));
}

#[test]
fn giving_up_must_be_confirmed() {
    let points = |keys: &str| people("tic-tac-toe").keys(keys).session.score().points(1);
    assert_eq!(["r", "rn", "ry", "r\n"].map(points), [0, 0, 1, 0]);
}

#[test]
fn a_running_round_is_left_only_after_a_question() {
    let round = |keys: &str| people("tic-tac-toe").keys(keys).session.round();
    assert_eq!(["n", "0n", "0nn", "0n\n", "0ny", "04132n"].map(round), [2, 1, 1, 1, 2, 2]);
    let flow = |keys: &str| people("tic-tac-toe").keys(keys).flow;
    assert_eq!(["q", "0qy", "04132q"].map(flow), [Flow::Quit; 3]);
    assert_eq!(["0q", "0qn", "0q\n", "ryu0q"].map(flow), [Flow::Continue; 4]);
    assert_eq!(people("tic-tac-toe").keys("0").control('c').flow, Flow::Interrupt);
}

#[test]
fn a_move_after_the_end_says_how_to_go_on() {
    let expected =
        Notice::Refused("The round is over: X has won. Press n for another round.".to_owned());
    for keys in ["04132\n", "041328", "04132r", "04132:c3\n"] {
        let screen = people("tic-tac-toe").keys(keys);
        assert_eq!(screen.state.notice, Some(expected.clone()), "{keys:?}");
        assert_eq!(screen.state.mode, Mode::Playing);
    }
    let odds = people("odds-and-evens").keys("12\n");
    assert!(matches!(odds.state.notice, Some(Notice::Refused(_))));
}

#[test]
fn nobody_plays_under_a_page_that_covers_the_board() {
    let covered = || people("tic-tac-toe").sized(40, 14).keys("?");
    assert_eq!(covered().state.mode, Mode::Reading(Overlay::Explanations));
    let screen = covered().keys("hk4un");
    assert_eq!((log(&screen).as_str(), screen.state.cursor), ("", 4));
    for keys in ["\n", "?", " "] {
        let screen = covered().keys(keys);
        assert_eq!((log(&screen).as_str(), &screen.state.mode), ("", &Mode::Playing));
    }
    let screen = covered().key(KeyCode::Esc);
    assert_eq!((screen.flow, &screen.state.mode), (Flow::Continue, &Mode::Playing));
    assert_eq!(log(&covered().click(20, 6)), "");
    assert_eq!(people("tic-tac-toe").keys("?").state.mode, Mode::Playing);
}

#[test]
fn the_game_has_a_help_page() {
    for screen in [people("pig").keys("i"), people("pig").key(KeyCode::F(1))] {
        assert_eq!(screen.state.mode, Mode::Reading(Overlay::Help));
        assert_eq!(screen.key(KeyCode::Esc).state.mode, Mode::Playing);
    }
}

#[test]
fn undo_and_new_rounds_have_keys() {
    assert_eq!(log(&people("tic-tac-toe").keys("04u")), "X a1");
    let screen = people("tic-tac-toe").keys("u");
    let expected = Notice::Refused("There is nothing to take back.".to_owned());
    assert_eq!(screen.state.notice, Some(expected));
    let screen = screen.keys("0ny");
    assert_eq!((log(&screen).as_str(), screen.session.round()), ("", 2));
}

#[test]
fn escape_closes_the_innermost_thing_and_never_quits() {
    for keys in ["", "?", ":b", "\n", "r"] {
        let screen = people("wild").keys(keys).key(KeyCode::Esc);
        assert_eq!((screen.flow, &screen.state.mode), (Flow::Continue, &Mode::Playing));
        assert_eq!(screen.state.explanations, ExplanationsPanel::Hidden);
    }
    assert_eq!(people("wild").keys("??").state.explanations, ExplanationsPanel::Hidden);
}

#[test]
fn every_game_survives_every_key() {
    let keys = "\n 0123456789hjklxo?u:b2\n\nnyrnry?\nui\n?";
    for name in games::catalog::names() {
        let name = if name == "mnk" { "mnk:19,19,5" } else { name };
        let screen = TestScreen::new(name, "random").keys(keys).sized(40, 24).keys(keys);
        assert_eq!(screen.session.game().name(), name);
        drop(screen.buffer());
    }
}

#[test]
fn keys_do_nothing_while_the_window_is_too_small() {
    let small = || people("mnk:19,19,5").sized(30, 12);
    for keys in ["\n", "4", ":a1\n", "n", "ry", "i"] {
        let screen = small().keys(keys);
        assert_eq!((log(&screen).as_str(), &screen.state.mode), ("", &Mode::Playing), "{keys:?}");
        assert_eq!(screen.session.round(), 1);
    }
    assert_eq!(log(&small().click(5, 5)), "");
    assert_eq!(small().keys("q").flow, Flow::Quit);
    assert_eq!(small().control('c').flow, Flow::Interrupt);
    assert_eq!(log(&small().keys("\n").sized(80, 24).keys("\n")), "X j10");
}

#[test]
fn in_a_small_window_a_running_round_is_left_only_after_a_question() {
    let running = || people("tic-tac-toe").keys("0").sized(20, 5);
    assert_eq!(running().keys("q").state.mode, Mode::Asking(Confirmation::Quit));
    assert_eq!(running().keys("qy").flow, Flow::Quit);
    assert_eq!(running().keys("qn").state.mode, Mode::Playing);
}

#[test]
fn control_z_suspends_from_everywhere() {
    for keys in ["", ":b", "i", "0q"] {
        assert_eq!(people("tic-tac-toe").keys(keys).control('z').flow, Flow::Suspend, "{keys:?}");
    }
}

#[test]
fn a_long_text_scrolls_to_its_end_and_back() {
    let page = || people("tic-tac-toe").sized(40, 12).keys("i");
    let scroll = |code| page().key(code).state.scroll;
    assert_eq!(scroll(KeyCode::Down), 1);
    assert_eq!(scroll(KeyCode::Up), 0);
    let end = scroll(KeyCode::End);
    assert!(end > 1);
    assert_eq!(page().key(KeyCode::End).key(KeyCode::Down).state.scroll, end);
    assert_eq!(page().key(KeyCode::End).key(KeyCode::Home).state.scroll, 0);
    assert_eq!(page().key(KeyCode::End).key(KeyCode::Esc).state.scroll, 0);
    assert_eq!(people("tic-tac-toe").keys("i").key(KeyCode::Down).state.scroll, 0);
}

#[test]
fn explanations_beside_the_board_scroll() {
    let screen = TestScreen::new("tic-tac-toe", "bthreads").sized(80, 14);
    let screen = screen.keys(":a1\n:a3\n:c3\n?");
    let scrolled = screen.key(KeyCode::PageDown);
    assert!(scrolled.state.scroll > 0);
    assert_eq!(scrolled.keys("h").state.scroll, 0);
}

/// The middle of some words in the last line of the screen.
fn in_footer(screen: &TestScreen, words: &str) -> (u16, u16) {
    let buffer = screen.buffer();
    let y = buffer.area.height - 1;
    let line: String = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect();
    let before = line.split(words).next().expect("splitting returns something");
    assert!(line.contains(words), "{line}");
    (u16::try_from(before.chars().count()).unwrap() + 1, y)
}

#[test]
fn the_footer_can_be_clicked() {
    let clicked = |screen: TestScreen, words: &str| {
        let (x, y) = in_footer(&screen, words);
        screen.click(x, y)
    };
    assert_eq!(log(&clicked(people("tic-tac-toe"), "Enter play")), "X b2");
    assert_eq!(log(&clicked(people("tic-tac-toe").keys("04"), "u undo")), "X a1");
    assert_eq!(clicked(people("tic-tac-toe"), "q quit").flow, Flow::Quit);
    assert_eq!(clicked(people("tic-tac-toe"), "i info").state.mode, Mode::Reading(Overlay::Help));
    let asked = clicked(people("tic-tac-toe").keys("0"), "r resign");
    assert_eq!(asked.state.mode, Mode::Asking(Confirmation::Resign));
    assert_eq!(clicked(asked, "y give up").session.score().points(0), 1);
    let kept = clicked(people("tic-tac-toe").keys("0r"), "n play on");
    assert_eq!((&kept.state.mode, kept.session.score().rounds()), (&Mode::Playing, 0));
}

#[test]
fn the_letter_of_a_column_can_be_clicked() {
    let letter = |screen: &TestScreen, column: usize| {
        let cell = screen.layout().board.unwrap().cell(column);
        (cell.x + cell.width / 2, cell.y - 1)
    };
    let four = people("connect-four");
    let (x, y) = letter(&four, 2);
    assert_eq!(log(&four.click(x, y)), "X c");
    let three = people("tic-tac-toe");
    let (x, y) = letter(&three, 0);
    let three = three.click(x, y);
    assert_eq!((log(&three).as_str(), three.state.cursor), ("", 3));
}

#[test]
fn a_new_round_swaps_the_seats_and_says_so() {
    let screen = people("tic-tac-toe").keys("04132n");
    let expected = "Round 2: seats are swapped, player 2 plays X now.".to_owned();
    assert_eq!(screen.state.notice, Some(Notice::Done(expected)));
}

#[test]
fn quit_exit_and_q_can_be_typed() {
    for words in ["quit", "exit", "q", "QUIT"] {
        assert_eq!(people("tic-tac-toe").keys(&format!(":{words}\n")).flow, Flow::Quit);
        let running = people("tic-tac-toe").keys(&format!("4:{words}\n"));
        assert_eq!(
            (running.flow, &running.state.mode),
            (Flow::Continue, &Mode::Asking(Confirmation::Quit))
        );
        assert_eq!(running.keys("y").flow, Flow::Quit);
    }
    assert_eq!(people("tic-tac-toe").keys(":quite\n").flow, Flow::Continue);
}

#[test]
fn a_digit_that_names_no_entry_of_a_box_is_answered_with_the_keys_that_do() {
    let screen = people("wild").keys("\n5");
    let expected = "Press X or O and then Enter, or Esc to go back.";
    assert_eq!(screen.state.notice, Some(Notice::Refused(expected.to_owned())));
    assert!(matches!(screen.state.mode, Mode::Choosing { .. }));
    let shown = screen.buffer();
    let row = |y| (0..shown.area.width).map(|x| shown[(x, y)].symbol()).collect::<String>();
    assert!((0..shown.area.height).map(row).any(|row| row.contains(expected)));
    assert_eq!(log(&screen.keys("o\n")), "First Ob2");
}
